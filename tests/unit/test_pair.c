/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define KIB 1024.0

static const struct job_row seq = { "seq", HL_RW_READ, 128 * KIB, 32, 4, 1000, 0, 1, 0 };

static void same_parameters_pair_whatever_the_name(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *upper = add_hop(graph, "drive", HL_LAYER_DRIVE, NULL);
	struct hl_hop *lower = add_hop(graph, "pvc", HL_LAYER_FILESYSTEM, upper);
	struct job_row renamed = seq;
	struct hl_measurement *at = add_job(graph, lower, &seq);

	(void)state;
	renamed.name = "bw-r";
	add_job(graph, upper, &renamed);
	assert_ptr_equal(hl_pair_find(upper, at, HL_DIR_READ), upper->measurements[0]);
	assert_null(hl_pair_find(upper, at, HL_DIR_WRITE));
	assert_null(hl_pair_namesake(upper, at, HL_DIR_READ));
}

static void other_parameters_do_not_pair_and_a_namesake_is_told(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *upper = add_hop(graph, "drive", HL_LAYER_DRIVE, NULL);
	struct hl_hop *lower = add_hop(graph, "pvc", HL_LAYER_FILESYSTEM, upper);
	struct job_row deeper = seq;
	struct hl_measurement *at = add_job(graph, lower, &seq);

	(void)state;
	deeper.iodepth = 64;
	add_job(graph, upper, &deeper);
	assert_null(hl_pair_find(upper, at, HL_DIR_READ));
	assert_int_equal(hl_pair_count(upper, at, HL_DIR_READ), 0);
	assert_ptr_equal(hl_pair_namesake(upper, at, HL_DIR_READ), upper->measurements[0]);
}

static void of_several_runs_the_median_is_taken(void **state)
{
	static const double iops[] = { 900, 1100, 100, 1000, 5000 };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "drive", HL_LAYER_DRIVE, NULL);
	struct job_row row = seq;

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		row.iops = iops[i];
		row.run = i;
		add_job(graph, hop, &row);
	}
	assert_ptr_equal(hl_pair_find(hop, hop->measurements[4], HL_DIR_READ),
			 hop->measurements[3]);
	assert_int_equal(hl_pair_count(hop, hop->measurements[0], HL_DIR_READ), 5);
	hop->measurements[4]->status = HL_STATUS_FAILED; /* four left: the lower of the middle */
	assert_ptr_equal(hl_pair_find(hop, hop->measurements[0], HL_DIR_READ),
			 hop->measurements[0]);
}

static void the_same_name_goes_first(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "drive", HL_LAYER_DRIVE, NULL);
	struct job_row other = seq;

	(void)state;
	other.name = "other";
	add_job(graph, hop, &other);
	add_job(graph, hop, &seq);
	add_job(graph, hop, &other);
	assert_ptr_equal(hl_pair_find(hop, hop->measurements[1], HL_DIR_READ),
			 hop->measurements[1]);
	assert_int_equal(hl_pair_count(hop, hop->measurements[1], HL_DIR_READ), 1);
}

static void choosing_for_a_whole_hop_is_finding_for_each(void **state)
{
	static const double iops[] = { 900, 1100, 100, 1000, 5000, 5000, 1 };
	bool is_chosen[sizeof(iops) / sizeof(*iops) * 2];
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "drive", HL_LAYER_DRIVE, NULL);
	struct job_row row = seq;

	(void)state;
	for (unsigned i = 0; i < sizeof(iops) / sizeof(*iops) * 2; i++) {
		row.iops = iops[i / 2];
		row.run = i;
		row.name = i % 2 ? "other" : "seq";
		add_job(graph, hop, &row);
	}
	hop->measurements[8]->status = HL_STATUS_FAILED;
	hl_pair_choose(hop, HL_DIR_READ, is_chosen);
	for (size_t i = 0; i < hop->nr_measurements; i++) {
		const struct hl_measurement *at = hop->measurements[i];

		assert_int_equal(is_chosen[i], i != 8 && hl_pair_find(hop, at, HL_DIR_READ) == at);
	}
	hl_pair_choose(hop, HL_DIR_WRITE, is_chosen);
	for (size_t i = 0; i < hop->nr_measurements; i++)
		assert_false(is_chosen[i]);
}

static void unknown_parameters_pair_by_name_only(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *upper = add_hop(graph, "drive", HL_LAYER_DRIVE, NULL);
	struct hl_hop *lower = add_hop(graph, "pvc", HL_LAYER_FILESYSTEM, upper);
	struct hl_measurement *a = add_job(graph, upper, &seq), *b = add_job(graph, lower, &seq);

	(void)state;
	hl_workload_init(&a->workload);
	hl_workload_init(&b->workload);
	assert_null(hl_pair_find(upper, b, HL_DIR_READ));
	a->workload.name = "seq";
	b->workload.name = "rand";
	assert_null(hl_pair_find(upper, b, HL_DIR_READ));
	b->workload.name = "seq";
	assert_ptr_equal(hl_pair_find(upper, b, HL_DIR_READ), a);
}

static void states_of_a_series_pair_with_their_like(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *upper = add_hop(graph, "nvme", HL_LAYER_DRIVE, NULL);
	struct hl_hop *lower = add_hop(graph, "zfs", HL_LAYER_POOL, upper);
	struct hl_measurement *at = add_job(graph, lower, &seq);

	(void)state;
	at->change = "change 1";
	add_job(graph, upper, &seq)->change = "start";
	add_job(graph, upper, &seq);
	assert_null(hl_pair_find(upper, at, HL_DIR_READ));
	assert_null(hl_pair_namesake(upper, at, HL_DIR_READ));
	upper->measurements[1]->change = "change 1";
	assert_ptr_equal(hl_pair_find(upper, at, HL_DIR_READ), upper->measurements[1]);
}

static void network_figures_need_the_same_streams_and_protocol(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *upper = add_hop(graph, "loopback", HL_LAYER_TARGET, NULL);
	struct hl_hop *lower = add_hop(graph, "vnic", HL_LAYER_VNIC, upper);
	struct hl_hop *hops[] = { upper, lower };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct hl_measurement *at = hl_graph_add_measurement(graph, hops[i]);
		struct hl_rate *rate = hl_graph_add_rate(graph, at, HL_DIR_TX);

		at->status = HL_STATUS_IMPORTED;
		rate->bw = 1e9;
		rate->streams = 1 + i;
		rate->protocol = "TCP";
	}
	assert_null(hl_pair_find(upper, lower->measurements[0], HL_DIR_TX));
	lower->measurements[0]->dir[HL_DIR_TX]->streams = 1;
	assert_non_null(hl_pair_find(upper, lower->measurements[0], HL_DIR_TX));
	lower->measurements[0]->dir[HL_DIR_TX]->protocol = "UDP";
	assert_null(hl_pair_find(upper, lower->measurements[0], HL_DIR_TX));
}

static void what_failed_or_is_zero_pairs_with_nothing(void **state)
{
	static const double bad[] = { 0, -1, NAN, INFINITY };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *upper = add_hop(graph, "drive", HL_LAYER_DRIVE, NULL);
	struct hl_measurement *at = add_job(graph, upper, &seq);

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		at->dir[HL_DIR_READ]->bw = bad[i];
		assert_null(hl_pair_find(upper, at, HL_DIR_READ));
	}
	at->dir[HL_DIR_READ]->bw = 1;
	assert_ptr_equal(hl_pair_find(upper, at, HL_DIR_READ), at);
	at->status = HL_STATUS_NOT_MEASURED;
	assert_null(hl_pair_find(upper, at, HL_DIR_READ));
}

static void a_leaf_has_nothing_after_it(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *upper = add_hop(graph, "drive", HL_LAYER_DRIVE, NULL);
	struct hl_hop *lower = add_hop(graph, "pvc", HL_LAYER_FILESYSTEM, upper);

	(void)state;
	assert_false(hl_hop_is_leaf(graph, upper));
	assert_true(hl_hop_is_leaf(graph, lower));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_parameters_pair_whatever_the_name),
		cmocka_unit_test(other_parameters_do_not_pair_and_a_namesake_is_told),
		cmocka_unit_test(of_several_runs_the_median_is_taken),
		cmocka_unit_test(the_same_name_goes_first),
		cmocka_unit_test(choosing_for_a_whole_hop_is_finding_for_each),
		cmocka_unit_test(unknown_parameters_pair_by_name_only),
		cmocka_unit_test(states_of_a_series_pair_with_their_like),
		cmocka_unit_test(network_figures_need_the_same_streams_and_protocol),
		cmocka_unit_test(what_failed_or_is_zero_pairs_with_nothing),
		cmocka_unit_test(a_leaf_has_nothing_after_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
