/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "spec_maker.h"
#include <time.h>

#define BIT(layer) (1U << (layer))

static void a_path_is_followed_from_root_to_leaf(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 5000);
	struct hl_hop *pool = add_measured(graph, "zvol", HL_LAYER_POOL, drive, 3000);
	struct hl_hop *leaf = add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, pool, 860);
	const struct hl_chain *chain;

	(void)state;
	hl_chain_fill(graph);
	assert_int_equal(graph->nr_chains, 1);
	chain = graph->chains[0];
	assert_ptr_equal(chain->leaf, leaf);
	assert_ptr_equal(chain->at, leaf->measurements[0]);
	assert_int_equal(chain->dir, HL_DIR_READ);
	assert_false(chain->is_series);
	assert_int_equal(chain->nr_stages, 3);
	assert_ptr_equal(chain->stages[0].hop, drive);
	assert_ptr_equal(chain->stages[2].hop, leaf);
	assert_true(fabs(chain->stages[1].bw / MIB - 3000) < 1e-6);
	assert_int_equal(chain->stages[1].layers, BIT(HL_LAYER_POOL));
	assert_true(chain->stages[1].is_named);
	assert_true(isnan(chain->stages[0].noise));
	assert_true(isnan(chain->stages[1].lat_ns));
}

static void a_hop_without_the_job_makes_a_span(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 5000);
	struct hl_hop *pool = add_measured(graph, "zvol", HL_LAYER_POOL, drive, 0);
	struct hl_hop *target = add_measured(graph, "loopback", HL_LAYER_TARGET, pool, 1200);

	(void)state;
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, target, 860);
	hl_chain_fill(graph);
	assert_int_equal(graph->chains[0]->nr_stages, 3);
	assert_int_equal(graph->chains[0]->stages[1].layers,
			 BIT(HL_LAYER_POOL) | BIT(HL_LAYER_TARGET));
	assert_int_equal(graph->chains[0]->stages[2].layers, BIT(HL_LAYER_FILESYSTEM));
}

static void a_failed_hop_makes_a_span_too(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 5000);
	struct hl_hop *pool = add_measured(graph, "zvol", HL_LAYER_POOL, drive, 3000);

	(void)state;
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, pool, 860);
	pool->measurements[0]->status = HL_STATUS_NOT_MEASURED;
	hl_chain_fill(graph);
	assert_int_equal(graph->nr_chains, 1);
	assert_int_equal(graph->chains[0]->stages[1].layers,
			 BIT(HL_LAYER_POOL) | BIT(HL_LAYER_FILESYSTEM));
}

static void layers_that_nobody_said_stay_unsaid(void **state)
{
	static const enum hl_layer cases[][2] = {
		{ HL_LAYER_NONE, HL_LAYER_FILESYSTEM }, /* of the hop left out */
		{ HL_LAYER_POOL, HL_LAYER_NONE },       /* of the hop itself */
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 5000);
		struct hl_hop *between = add_measured(graph, "x", cases[i][0], drive, 0);

		add_measured(graph, "y", cases[i][1], between, 860);
		hl_chain_fill(graph);
		assert_int_equal(graph->chains[0]->stages[1].layers, 0);
	}
}

static void below_the_sheet_everything_down_to_the_hop_is_covered(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_chain *chain;

	(void)state;
	add_measured(graph, "zvol", HL_LAYER_POOL, NULL, 860);
	graph->spec = spec;
	hl_sheet_fill(graph);
	hl_chain_fill(graph);
	chain = graph->chains[0];
	assert_int_equal(chain->nr_stages, 2);
	assert_null(chain->stages[0].at);
	assert_true(chain->stages[0].bw == 6200e6);
	assert_int_equal(chain->stages[1].layers,
			 BIT(HL_LAYER_LINK) | BIT(HL_LAYER_DRIVE) | BIT(HL_LAYER_POOL));
	assert_true(fabs(chain->stages[1].noise - 1 / 0.9) < 1e-12);
}

static void a_branch_makes_a_chain_for_each_leaf(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *target = add_measured(graph, "loopback", HL_LAYER_TARGET, NULL, 1200);
	struct hl_hop *slow = add_measured(graph, "virtio", HL_LAYER_VNIC, target, 860);
	struct hl_hop *fast = add_measured(graph, "vf", HL_LAYER_VNIC, target, 1190);

	(void)state;
	hl_chain_fill(graph);
	assert_int_equal(graph->nr_chains, 2);
	assert_ptr_equal(graph->chains[0]->leaf, slow);
	assert_ptr_equal(graph->chains[1]->leaf, fast);
	assert_true(graph->chains[0]->stages[1].is_named);
	assert_false(graph->chains[1]->stages[1].is_named);
}

static void a_leaf_without_the_job_does_not_hide_what_is_above(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 5000);
	struct hl_hop *pool = add_measured(graph, "zvol", HL_LAYER_POOL, drive, 3000);
	struct hl_hop *leaf = add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, pool, 0);

	(void)state;
	hl_chain_fill(graph);
	assert_int_equal(graph->nr_chains, 1);
	assert_ptr_equal(graph->chains[0]->leaf, leaf);
	assert_ptr_equal(graph->chains[0]->at, pool->measurements[0]);
	assert_int_equal(graph->chains[0]->nr_stages, 2);
}

static void repeated_runs_widen_what_counts_as_chance(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *upper = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 1000);
	struct hl_hop *lower = add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, upper, 800);
	struct job_row again = { "seq-read", HL_RW_READ, 131072, 32, 4, 0, 0, 2, 0 };

	(void)state;
	again.iops = 700 * MIB / again.bs;
	add_job(graph, upper, &again);
	again.iops = 1100 * MIB / again.bs;
	again.run = 3;
	add_job(graph, upper, &again);
	hl_chain_fill(graph);
	assert_int_equal(graph->nr_chains, 1);
	assert_ptr_equal(graph->chains[0]->stages[0].at, upper->measurements[0]);
	assert_true(fabs(graph->chains[0]->stages[1].noise - 1100.0 / 700) < 1e-9);
	assert_false(graph->chains[0]->stages[1].is_named);
	assert_int_equal(graph->nr_warnings, 1);
	assert_string_equal(graph->warnings[0],
			    "raw has 3 results of seq-read (read): the median one is compared");
	assert_ptr_equal(graph->chains[0]->at, lower->measurements[0]);
}

static void several_runs_at_the_leaf_make_one_chain(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, NULL, 800);
	struct job_row again = { "seq-read", HL_RW_READ, 131072, 32, 4, 8000, 0, 2, 0 };

	(void)state;
	add_job(graph, hop, &again);
	again.iops = 7000;
	add_job(graph, hop, &again);
	hl_chain_fill(graph);
	assert_int_equal(graph->nr_chains, 1);
	assert_ptr_equal(graph->chains[0]->at, hop->measurements[2]); /* 6400, 7000, 8000 */
	assert_int_equal(graph->nr_warnings, 0);                      /* nothing is compared */
}

static void a_job_that_the_sheet_does_not_promise_has_no_top(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, NULL, 800);
	struct job_row mixed = { "mixed", HL_RW_RANDRW, 8192, 16, 8, 8000, 0, 1, 1 };

	(void)state;
	add_job(graph, hop, &mixed);
	graph->spec = spec;
	hl_sheet_fill(graph);
	hl_chain_fill(graph);
	assert_int_equal(graph->nr_chains, 2);
	assert_int_equal(graph->chains[0]->nr_stages, 2);
	assert_int_equal(graph->chains[1]->nr_stages, 1);
	assert_ptr_equal(graph->chains[1]->stages[0].hop, hop);
}

static void ten_percent_between_single_values_may_be_chance(void **state)
{
	static const struct {
		double parent, child;
		bool is_named;
	} cases[] = {
		{ 1000, 890, true },   { 1000, 910, false }, { 1000, 1000, false },
		{ 1000, 5000, false }, { 6000, 10, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_hop *upper = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL,
						    cases[i].parent);

		add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, upper, cases[i].child);
		hl_chain_fill(graph);
		assert_true(graph->chains[0]->stages[1].is_named == cases[i].is_named);
	}
}

static void one_drive_below_the_sheet_of_several_is_no_loss(void **state)
{
	static const struct {
		enum hl_layer layer;
		double mib_per_s;
		bool is_named;
	} cases[] = {
		{ HL_LAYER_DRIVE, 5800, false },
		{ HL_LAYER_DRIVE, 3000, true },
		{ HL_LAYER_POOL, 5800, true },
	};
	SPEC struct hl_spec *spec = make_spec();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();

		add_measured(graph, "x", cases[i].layer, NULL, cases[i].mib_per_s);
		graph->spec = spec;
		graph->drives = 5;
		hl_sheet_fill(graph);
		hl_chain_fill(graph);
		assert_true(graph->chains[0]->stages[1].is_named == cases[i].is_named);
	}
}

static void other_parameters_are_warned_of_and_not_compared(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *upper = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 5000);

	(void)state;
	upper->measurements[0]->workload.iodepth = 64;
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, upper, 860);
	hl_chain_fill(graph);
	assert_int_equal(graph->nr_chains, 2);
	assert_int_equal(graph->chains[0]->nr_stages, 1);
	assert_int_equal(graph->nr_warnings, 1);
	assert_string_equal(graph->warnings[0],
			    "raw and pvc ran seq-read with different parameters: not compared");
}

static void at_depth_1_latencies_stack_up(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_latency(graph, "raw", HL_LAYER_DRIVE, NULL, 80);

	(void)state;
	add_latency(graph, "pvc", HL_LAYER_FILESYSTEM, drive, 320);
	hl_chain_fill(graph);
	assert_true(graph->chains[0]->is_series);
	assert_true(graph->chains[0]->stages[0].lat_ns == 80e3);
	assert_true(graph->chains[0]->stages[1].lat_ns == 320e3);
}

static void latencies_of_two_kinds_are_not_mixed(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_latency(graph, "raw", HL_LAYER_DRIVE, NULL, 80);
	struct hl_hop *leaf = add_latency(graph, "pvc", HL_LAYER_FILESYSTEM, drive, 320);
	struct hl_rate *rate = leaf->measurements[0]->dir[HL_DIR_READ];

	(void)state;
	rate->clat = rate->lat;
	rate->lat = NULL; /* a file that has clat only, below one that has lat only */
	hl_chain_fill(graph);
	assert_true(fabs(graph->chains[0]->stages[0].lat_ns - 80e3) < 1);
	assert_true(fabs(graph->chains[0]->stages[1].lat_ns - 320e3) < 1);
}

static void flushed_writes_add_up_at_any_depth(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "zfs", HL_LAYER_POOL, NULL);
	struct job_row row = { "db", HL_RW_WRITE, 4096, 1, 4, 100, 0, 1, 0 };

	(void)state;
	add_job(graph, hop, &row);
	hl_chain_fill(graph);
	assert_false(graph->chains[0]->is_series);
	graph->nr_chains = 0;
	hop->measurements[0]->workload.fsync = 1;
	hl_chain_fill(graph);
	assert_true(graph->chains[0]->is_series);
	graph->nr_chains = 0;
	hop->measurements[0]->workload.fsync = NAN;
	hop->measurements[0]->dir[HL_DIR_WRITE]->sync = hl_graph_new_latency(graph);
	hop->measurements[0]->dir[HL_DIR_WRITE]->clat = hl_graph_new_latency(graph);
	hop->measurements[0]->dir[HL_DIR_WRITE]->clat->mean = 9000; /* without the flush */
	hl_chain_fill(graph);
	assert_true(graph->chains[0]->is_series);
	assert_true(fabs(graph->chains[0]->stages[0].lat_ns - 4 * 1e9 / 100) < 1);
}

/* A job that gets as many times what depth 1 gets as it has in flight saturates nothing. */
static void below_saturation_times_add_up_too(void **state)
{
	static const struct {
		double iops;
		bool is_series;
	} cases[] = { { 90000, true }, { 40000, false } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_hop *hop = add_latency(graph, "nvme", HL_LAYER_DRIVE, NULL, 100);
		struct job_row row = { "ten", HL_RW_RANDREAD, 4096, 1, 10, 0, 1, 1, 1 };

		row.iops = cases[i].iops;
		add_job(graph, hop, &row);
		hl_chain_fill(graph);
		assert_int_equal(graph->nr_chains, 2);
		assert_true(graph->chains[0]->is_series);
		assert_true(graph->chains[1]->is_series == cases[i].is_series);
		assert_true(isnan(graph->chains[1]->stages[0].lat_ns)); /* at depth 1 only */
	}
}

static void only_depth_1_tells_what_one_alone_takes(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "nvme", HL_LAYER_DRIVE, NULL);
	struct job_row row = { "ten", HL_RW_RANDREAD, 4096, 1, 10, 90000, 0, 1, 0 };

	(void)state;
	add_job(graph, hop, &row);
	row.numjobs = 4;
	row.iops = 5000;
	add_job(graph, hop, &row);
	hl_chain_fill(graph);
	assert_false(graph->chains[0]->is_series);
}

static void a_circle_of_hops_ends(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *a = add_measured(graph, "a", HL_LAYER_NONE, NULL, 100);
	struct hl_hop *b = add_measured(graph, "b", HL_LAYER_NONE, a, 100);

	(void)state;
	a->after = b;
	add_measured(graph, "leaf", HL_LAYER_NONE, b, 100);
	hl_chain_fill(graph);
	assert_int_equal(graph->nr_chains, 1);
	assert_int_equal(graph->chains[0]->nr_stages, 3);
}

static void nothing_measured_makes_no_chain(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	hl_chain_fill(graph);
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, NULL, 0);
	hl_chain_fill(graph);
	assert_int_equal(graph->nr_chains, 0);
}

static double seconds_of_cpu(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static void a_thousand_hops_take_less_than_a_second(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *last = NULL;
	double start = seconds_of_cpu();

	(void)state;
	for (int i = 0; i < 1000; i++) {
		last = add_measured(graph, "hop", HL_LAYER_NONE, last, 1000 - i / 2.0);
		last->measurements[0]->workload.iodepth = 1 + i % 50; /* 50 workloads */
	}
	hl_model_losses(graph);
	hl_model_ladders(graph);
	hl_model_verdicts(graph);
	assert_int_equal(graph->nr_chains, 50);
	assert_int_equal(graph->nr_losses, 950);
	assert_true(seconds_of_cpu() - start < 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_is_followed_from_root_to_leaf),
		cmocka_unit_test(a_hop_without_the_job_makes_a_span),
		cmocka_unit_test(a_failed_hop_makes_a_span_too),
		cmocka_unit_test(layers_that_nobody_said_stay_unsaid),
		cmocka_unit_test(below_the_sheet_everything_down_to_the_hop_is_covered),
		cmocka_unit_test(a_branch_makes_a_chain_for_each_leaf),
		cmocka_unit_test(a_leaf_without_the_job_does_not_hide_what_is_above),
		cmocka_unit_test(repeated_runs_widen_what_counts_as_chance),
		cmocka_unit_test(several_runs_at_the_leaf_make_one_chain),
		cmocka_unit_test(a_job_that_the_sheet_does_not_promise_has_no_top),
		cmocka_unit_test(ten_percent_between_single_values_may_be_chance),
		cmocka_unit_test(one_drive_below_the_sheet_of_several_is_no_loss),
		cmocka_unit_test(other_parameters_are_warned_of_and_not_compared),
		cmocka_unit_test(at_depth_1_latencies_stack_up),
		cmocka_unit_test(latencies_of_two_kinds_are_not_mixed),
		cmocka_unit_test(flushed_writes_add_up_at_any_depth),
		cmocka_unit_test(below_saturation_times_add_up_too),
		cmocka_unit_test(only_depth_1_tells_what_one_alone_takes),
		cmocka_unit_test(a_circle_of_hops_ends),
		cmocka_unit_test(nothing_measured_makes_no_chain),
		cmocka_unit_test(a_thousand_hops_take_less_than_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
