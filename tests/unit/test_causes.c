/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of causes, and what all their findings have in common: a healthy path is silent, and
 * nothing of an import is ever confirmed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cause_maker.h"

#include <ctype.h>

#define CAUSES_OF_FIGURES 13 /* that need no more than results and what meters saw beside them */

static void ids_are_unique_and_every_cause_explains_itself(void **unused)
{
	(void)unused;
	for (size_t i = 0; hl_causes[i]; i++) {
		const struct hl_cause *cause = hl_causes[i];

		assert_ptr_equal(hl_cause_find(cause->id), cause);
		for (const char *c = cause->id; *c; c++)
			assert_true(islower((unsigned char)*c) || *c == '-');
		assert_true(strlen(cause->summary) < 76);
		assert_true(has_text(cause->explain, "\n\nRecognised "));
		assert_true(has_text(cause->explain, "\n\nDecided by "));
		assert_true(has_text(cause->explain, "\n\nWhat to do: "));
		for (size_t j = 0; cause->rivals && cause->rivals[j]; j++)
			assert_non_null(hl_cause_find(cause->rivals[j]));
	}
	assert_null(hl_cause_find("no-such-cause"));
}

static void an_empty_graph_has_no_findings(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	hl_graph_add_hop(graph, "empty");
	hl_causes_match(graph);
	assert_int_equal(graph->nr_findings, 0);
}

/* A drive that gives what its sheet promises, and a PVC on it that loses a little at each depth. */
static const struct run_row drive[] = {
	{ "seq", .rw = HL_RW_READ, .bs = 131072, .iodepth = 32, .iops = 47000, .lat = 680 * US,
	  .lat_min = 90 * US, .clat = 670 * US, .slat = 9 * US, .p1 = 400 * US, .p50 = 670 * US,
	  .p99 = 1.1 * MS, .cpu_user = 5, .cpu_system = 22 },
	{ "rand", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 32, .numjobs = 8, .iops = 970e3,
	  .lat = 263 * US, .lat_min = 61 * US, .clat = 260 * US, .slat = 2 * US, .p1 = 100 * US,
	  .p50 = 250 * US, .p99 = 600 * US, .cpu_user = 15, .cpu_system = 40 },
	{ "qd1", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 1, .iops = 11500, .lat = 86 * US,
	  .lat_min = 60 * US, .clat = 80 * US, .slat = 4 * US, .p1 = 66 * US, .p50 = 80 * US,
	  .p99 = 130 * US, .cpu_user = 4, .cpu_system = 9 },
	{ "write", .rw = HL_RW_WRITE, .bs = 131072, .iodepth = 32, .iops = 30100, .lat = 1.06 * MS,
	  .lat_min = 40 * US, .clat = 1.05 * MS, .slat = 11 * US, .p1 = 300 * US, .p50 = 1 * MS,
	  .p99 = 2.2 * MS, .cpu_user = 9, .cpu_system = 12 },
	{ "sync", .engine = "sync", .rw = HL_RW_WRITE, .bs = 4096, .iops = 21000, .lat = 9 * US,
	  .clat = 9 * US, .p1 = 8 * US, .p50 = 9 * US, .p99 = 20 * US, .sync = 35 * US,
	  .cpu_user = 4, .cpu_system = 30 },
};

static void a_healthy_path_is_silent(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "KCD61LUL7T68", 1);
	struct run_row slower[5];
	struct hl_hop *raw = ADD_RUNS(graph, "raw", HL_LAYER_DRIVE, drive);
	struct hl_hop *zvol;

	(void)unused;
	memcpy(slower, drive, sizeof(slower));
	for (size_t i = 0; i < 5; i++)
		slower[i].iops *= 0.95;
	zvol = ADD_RUNS(graph, "zvol", HL_LAYER_POOL, slower);
	zvol->after = raw;
	hl_causes_match(graph);
	for (size_t i = 0; i < graph->nr_findings; i++)
		fail_msg("%s: %s", graph->findings[i]->id, graph->findings[i]->text);
	assert_non_null(spec);
}

/* What meters saw beside the jobs, each a little below what would be sure. */
static void add_facts(struct hl_graph *graph)
{
	static const struct {
		const char *node, *key, *text;
		double number;
	} rows[] = {
		{ "pvc/line", "cgroup.throttled_pct", NULL, 50 },
		{ "pvc/line", "tcp.initiator_rwnd_limited_pct", NULL, 40 },
		{ "pvc/line", "cpu.busiest_thread", "tgtd", 0 },
		{ "pvc/line", "cpu.busiest_thread_pct", NULL, 90 },
		{ "pvc/some", "cpu.busiest_thread", "vhost-42", 0 },
		{ "pvc/some", "cpu.busiest_thread_pct", NULL, 90 },
		{ "virtio/target-end", "route.qdisc_rate", NULL, 125e6 },
		{ "virtio/target-end", "route.mtu", NULL, 1500 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct hl_origin origin = { .node = rows[i].node, .source = "made" };

		if (rows[i].text)
			hl_graph_add_string(graph, &origin, rows[i].key, rows[i].text);
		else
			hl_graph_add_number(graph, &origin, rows[i].key, rows[i].number);
	}
}

static void findings_tell_what_why_and_what_next_and_confirm_nothing(void **unused)
{
	static const struct run_row ill[] = {
		{ "one", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 1, .iops = 4000,
		  .lat = 250 * US },
		{ "some", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 64, .iops = 28300,
		  .lat = 2.2 * MS },
		{ "many", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 512, .iops = 28400,
		  .lat = 18 * MS },
		{ "busy", .rw = HL_RW_READ, .bs = 65536, .iodepth = 8, .iops = 17000,
		  .lat = 470 * US, .cpu_system = 99 },
		{ "hit", .engine = "psync", .rw = HL_RW_RANDREAD, .bs = 8192, .iops = 300e3,
		  .lat = 3 * US, .clat = 3 * US },
		{ "cap", .rw = HL_RW_RANDREAD, .bs = 16384, .iodepth = 16, .iops = 3000,
		  .lat = 5.3 * MS, .clat = 5.3 * MS, .p1 = 5.2 * MS, .p99 = 5.5 * MS },
		{ "sync", .engine = "sync", .rw = HL_RW_WRITE, .bs = 4096, .iops = 95,
		  .lat = 28 * US, .sync = 10.4 * MS },
		{ "line", .rw = HL_RW_WRITE, .bs = 131072, .iodepth = 32, .iops = 22300,
		  .lat = 1.4 * MS },
	};
	static const struct run_row slow[] = {
		{ "line", .rw = HL_RW_READ, .bs = 131072, .iodepth = 32, .iops = 800,
		  .lat = 40 * MS },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "HC550", 4);
	size_t nr_causes = 0;

	(void)unused;
	ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, ill);
	ADD_RUNS(graph, "virtio", HL_LAYER_VNIC, slow);
	add_facts(graph);
	hl_causes_match(graph);
	for (size_t i = 0; hl_causes[i]; i++)
		nr_causes += finding_of(graph, hl_causes[i]->id) != NULL;
	assert_true(nr_causes >= CAUSES_OF_FIGURES);
	for (size_t i = 0; i < graph->nr_findings; i++) {
		const struct hl_finding *finding = graph->findings[i];

		assert_int_not_equal(finding->state, HL_CONFIRMED);
		assert_true(finding->text && finding->fix && finding->next);
		assert_true(finding->nr_evidence > 0);
		assert_true(finding->text[strlen(finding->text) - 1] == '.');
		assert_null(strstr(finding->text, "nan"));
		assert_null(strstr(finding->text, "not measured"));
		for (size_t j = 0; j < finding->nr_evidence; j++)
			assert_non_null(finding->evidence[j]->source);
	}
	assert_non_null(spec);
}

static void unknown_figures_make_no_findings(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "HC550", 4);
	struct hl_hop *hop = hl_graph_add_hop(graph, "bare");

	(void)unused;
	for (int rw = 0; rw < HL_NR_RWS; rw++) {
		struct hl_measurement *at = hl_graph_add_measurement(graph, hop);

		at->workload.rw = rw;
		for (int dir = 0; dir < HL_NR_DIRS; dir++)
			hl_graph_add_rate(graph, at, dir)->bw = 1e8;
	}
	hl_causes_match(graph);
	for (size_t i = 0; i < graph->nr_findings; i++)
		fail_msg("%s: %s", graph->findings[i]->id, graph->findings[i]->text);
	assert_non_null(spec);
}

static void a_finding_of_several_runs_is_of_the_one_that_stands_for_them(void **unused)
{
	static const struct run_row runs[] = {
		{ "t", .rw = HL_RW_READ, .bs = 4096, .iops = 100, .run = 1 },
		{ "t", .rw = HL_RW_READ, .bs = 4096, .iops = 300, .run = 2 },
		{ "t", .rw = HL_RW_READ, .bs = 4096, .iops = 200, .run = 3 },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = ADD_RUNS(graph, "hop", HL_LAYER_NONE, runs);

	(void)unused;
	assert_ptr_equal(
		hl_cause_found(graph, hl_causes[0], hop, hop->measurements[0], HL_DIR_READ)->at,
		hop->measurements[2]);
	assert_null(hl_cause_found(graph, hl_causes[0], hop, NULL, HL_DIR_READ)->at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_unique_and_every_cause_explains_itself),
		cmocka_unit_test(an_empty_graph_has_no_findings),
		cmocka_unit_test(a_healthy_path_is_silent),
		cmocka_unit_test(findings_tell_what_why_and_what_next_and_confirm_nothing),
		cmocka_unit_test(unknown_figures_make_no_findings),
		cmocka_unit_test(a_finding_of_several_runs_is_of_the_one_that_stands_for_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
