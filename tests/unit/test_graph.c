/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/graph.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void a_new_graph_is_empty(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	assert_int_equal(0, graph->nr_hops + graph->nr_facts + graph->nr_findings);
	assert_int_equal(1, graph->drives);
	assert_null(hl_graph_find_hop(graph, "pvc"));
	assert_null(hl_graph_find_fact(graph, NULL, "pcie.width"));
	hl_graph_free(NULL);
}

static void hops_stay_where_they_are_while_more_come(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *first = hl_graph_add_hop(graph, "hop 0");
	char name[16];

	(void)state;
	for (int i = 1; i < 1000; i++) {
		snprintf(name, sizeof(name), "hop %d", i);
		hl_graph_add_hop(graph, name)->after = first;
	}
	assert_int_equal(1000, graph->nr_hops);
	assert_ptr_equal(first, graph->hops[0]);
	assert_ptr_equal(first, hl_graph_find_hop(graph, "hop 0"));
	assert_ptr_equal(graph->hops[999], hl_graph_find_hop(graph, "hop 999"));
	assert_null(hl_graph_find_hop(graph, "hop 1000"));
	assert_int_equal(HL_LAYER_NONE, first->layer);
}

static void a_new_measurement_knows_nothing(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = hl_graph_add_hop(graph, "pvc");
	struct hl_measurement *at = hl_graph_add_measurement(graph, hop);

	(void)state;
	assert_ptr_equal(hop, at->hop);
	assert_ptr_equal(at, hop->measurements[0]);
	assert_true(isnan(at->workload.bs) && at->workload.direct == -1);
	assert_true(isnan(at->rounds) && isnan(at->cached_share) && isnan(at->device_depth));
	assert_true(isnan(at->cpu_user_pct) && isnan(at->cpu_system_pct));
	assert_int_equal(-1, at->steady_state);
	for (int i = 0; i < HL_NR_DIRS; i++)
		assert_null(at->dir[i]);
}

static void a_new_rate_latency_and_disk_know_nothing(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = hl_graph_add_hop(graph, "pvc");
	struct hl_measurement *at = hl_graph_add_measurement(graph, hop);
	struct hl_rate *rate = hl_graph_add_rate(graph, at, HL_DIR_WRITE);
	struct hl_latency *latency = hl_graph_new_latency(graph);
	struct hl_disk *disk = hl_graph_add_disk(graph, hop);

	(void)state;
	assert_ptr_equal(rate, at->dir[HL_DIR_WRITE]);
	assert_true(isnan(rate->bw) && isnan(rate->bw_low) && isnan(rate->bw_high));
	assert_true(isnan(rate->iops) && isnan(rate->ios) && isnan(rate->bytes));
	assert_true(isnan(rate->runtime_ms) && isnan(rate->zone_resets));
	assert_true(isnan(rate->retransmits) && isnan(rate->streams));
	assert_true(isnan(rate->jitter_ns) && isnan(rate->lost));
	assert_null(rate->lat);
	assert_true(isnan(latency->mean) && isnan(latency->min) && isnan(latency->max));
	assert_true(isnan(latency->stddev) && isnan(latency->p1) && isnan(latency->p50));
	assert_true(isnan(latency->p90) && isnan(latency->p99) && isnan(latency->p99_9));
	assert_true(isnan(latency->p99_99));
	assert_ptr_equal(disk, hop->disks[0]);
	assert_true(isnan(disk->ios[0]) && isnan(disk->ticks_ms[1]) && isnan(disk->util_pct));
	assert_true(isnan(disk->in_queue_ms));
}

static void facts_are_copied_and_unknown_ones_are_absent(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	char node[] = "nvme0n1";
	char model[] = "KCD61LUL7T68";
	const struct hl_origin origin = { "pve", node, "file.txt:12" };
	const struct hl_fact *fact;

	(void)state;
	assert_null(hl_graph_add_number(graph, &origin, "smart.media_errors", NAN));
	assert_null(hl_graph_add_string(graph, &origin, "drive.firmware", NULL));
	assert_int_equal(0, graph->nr_facts);
	hl_graph_add_string(graph, &origin, "drive.model", model);
	hl_graph_add_number(graph, &origin, "smart.media_errors", 0);
	hl_graph_add_boolean(graph, &origin, "smart.health_passed", false);
	memset(node, 'x', sizeof(node) - 1);
	memset(model, 'x', sizeof(model) - 1);

	fact = hl_graph_find_fact(graph, "nvme0n1", "drive.model");
	assert_int_equal(HL_FACT_STRING, fact->type);
	assert_string_equal("KCD61LUL7T68", fact->string);
	assert_string_equal("pve", fact->host);
	assert_string_equal("file.txt:12", fact->source);
	fact = hl_graph_find_fact(graph, NULL, "smart.media_errors");
	assert_true(fact->type == HL_FACT_NUMBER && fact->number == 0);
	fact = hl_graph_find_fact(graph, NULL, "smart.health_passed");
	assert_true(fact->type == HL_FACT_BOOLEAN && !fact->boolean);
	assert_null(hl_graph_find_fact(graph, "nvme1n1", "drive.model"));
}

static void a_fact_without_a_node_is_found_by_key_only(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_origin origin = { 0 };

	(void)state;
	hl_graph_add_number(graph, &origin, "link.mtu", 1500);
	assert_non_null(hl_graph_find_fact(graph, NULL, "link.mtu"));
	assert_null(hl_graph_find_fact(graph, "eth0", "link.mtu"));
}

static void conclusions_start_without_figures(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_ladder *ladder = hl_graph_add_ladder(graph);
	struct hl_loss *loss = hl_graph_add_loss(graph);

	(void)state;
	assert_true(isnan(loss->bw) && isnan(loss->bw_low) && isnan(loss->bw_high));
	assert_true(isnan(loss->factor) && isnan(loss->factor_low) && isnan(loss->factor_high));
	assert_true(isnan(loss->share_pct));
	for (int i = 0; i < 5; i++) {
		struct hl_step *step = hl_graph_add_step(graph, ladder);

		assert_true(isnan(step->bw) && !step->cause);
		step->bw = i;
	}
	assert_int_equal(5, ladder->nr_steps);
	assert_true(ladder->steps[3].bw == 3);
	assert_true(isnan(hl_graph_add_residual(graph)->bw));
	assert_true(isnan(hl_graph_add_ceiling(graph)->bw));
	assert_true(isnan(hl_graph_add_finding(graph)->predicted_bw));
}

static void findings_collect_evidence_and_rivals(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_finding *finding = hl_graph_add_finding(graph);
	const struct hl_origin origin = { "pve", "eth0", "ethtool:3" };

	(void)state;
	hl_finding_add_evidence(graph, finding, NULL);
	assert_int_equal(0, finding->nr_evidence);
	for (int i = 0; i < 3; i++) {
		hl_finding_add_evidence(graph, finding,
					hl_graph_add_number(graph, &origin, "link.mtu", i));
		hl_finding_add_rival(graph, finding, "serial-stage");
	}
	assert_int_equal(3, finding->nr_evidence);
	assert_true(finding->evidence[2]->number == 2);
	assert_int_equal(3, finding->nr_rivals);
	assert_string_equal("serial-stage", finding->rivals[2]);
}

static void warnings_are_printed_into_the_graph(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	for (int i = 0; i < 3; i++)
		hl_graph_warn(graph, "%s: job %d failed", "a.txt", i);
	assert_int_equal(3, graph->nr_warnings);
	assert_string_equal("a.txt: job 2 failed", graph->warnings[2]);
}

static void states_have_names(void **state)
{
	(void)state;
	for (int i = 0; i <= HL_STATUS_NOT_MEASURED; i++)
		assert_non_null(hl_status_name(i));
	for (int i = 0; i <= HL_AMBIGUOUS; i++)
		assert_non_null(hl_state_name(i));
	for (int i = 0; i <= HL_INPUT_UNKNOWN; i++)
		assert_non_null(hl_input_status_name(i));
	assert_string_equal("not-measured", hl_status_name(HL_STATUS_NOT_MEASURED));
	assert_string_equal("at-most", hl_prediction_name(HL_AT_MOST));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_graph_is_empty),
		cmocka_unit_test(hops_stay_where_they_are_while_more_come),
		cmocka_unit_test(a_new_measurement_knows_nothing),
		cmocka_unit_test(a_new_rate_latency_and_disk_know_nothing),
		cmocka_unit_test(facts_are_copied_and_unknown_ones_are_absent),
		cmocka_unit_test(a_fact_without_a_node_is_found_by_key_only),
		cmocka_unit_test(conclusions_start_without_figures),
		cmocka_unit_test(findings_collect_evidence_and_rivals),
		cmocka_unit_test(warnings_are_printed_into_the_graph),
		cmocka_unit_test(states_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
