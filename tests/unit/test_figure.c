/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct job_row row = { "job", HL_RW_READ, 4096, 32, 4, 28246.2, 0, 1, 0 };

static void iops_come_from_the_issued_total(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct hl_measurement *at = add_job(graph, hop, &row);
	struct hl_rate *rate = at->dir[HL_DIR_READ];

	(void)state;
	rate->iops = 28200; /* as printed */
	assert_true(fabs(hl_figure_iops(at, HL_DIR_READ) - 28246.2) < 1e-6);
	rate->ios = NAN;
	assert_true(hl_figure_iops(at, HL_DIR_READ) == 28200);
	rate->ios = 100;
	rate->runtime_ms = 0;
	assert_true(hl_figure_iops(at, HL_DIR_READ) == 28200);
	rate->iops = 0;
	assert_true(isnan(hl_figure_iops(at, HL_DIR_READ)));
	assert_true(isnan(hl_figure_iops(at, HL_DIR_WRITE)));
}

static void writes_may_have_a_block_size_of_their_own(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct hl_measurement *at = add_job(graph, hop, &row);

	(void)state;
	assert_true(hl_figure_bs(at, HL_DIR_READ) == 4096);
	assert_true(hl_figure_bs(at, HL_DIR_WRITE) == 4096);
	at->workload.bs_write = 65536;
	assert_true(hl_figure_bs(at, HL_DIR_READ) == 4096);
	assert_true(hl_figure_bs(at, HL_DIR_WRITE) == 65536);
	at->workload.bs = 0;
	assert_true(isnan(hl_figure_bs(at, HL_DIR_READ)));
}

static void depth_is_what_the_engine_can_have_in_flight(void **state)
{
	static const struct {
		const char *engine;
		double depth;
	} cases[] = {
		{ NULL, 128 }, { "libaio", 128 }, { "io_uring", 128 }, { "psync", 4 },
		{ "sync", 4 }, { "pvsync2", 4 },  { "mmap", 4 },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct hl_measurement *at = add_job(graph, hop, &row);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		at->workload.engine = cases[i].engine;
		assert_true(hl_figure_depth(at) == cases[i].depth);
	}
	at->workload.engine = "psync";
	at->tool = "hoploss"; /* ours runs a thread for each */
	assert_true(hl_figure_depth(at) == 128);
	at->workload.engine = "libaio";
	at->workload.iodepth = NAN;
	assert_true(isnan(hl_figure_depth(at)));
}

static void run_time_is_that_of_the_longest_direction(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct hl_measurement *at = add_job(graph, hop, &row);

	(void)state;
	assert_true(hl_figure_runtime(at) == 60000);
	hl_graph_add_rate(graph, at, HL_DIR_WRITE)->runtime_ms = 61000;
	assert_true(hl_figure_runtime(at) == 61000);
	at->dir[HL_DIR_READ] = at->dir[HL_DIR_WRITE] = NULL;
	assert_true(isnan(hl_figure_runtime(at)));
}

static void jobs_of_a_group_end_where_group_run_or_file_change(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);

	(void)state;
	for (int i = 0; i < 5; i++)
		add_job(graph, hop, &row);
	assert_int_equal(hl_figure_group_end(hop, 0), 5);
	hop->measurements[4]->group = 1;
	assert_int_equal(hl_figure_group_end(hop, 0), 4);
	hop->measurements[3]->run = 2;
	assert_int_equal(hl_figure_group_end(hop, 0), 3);
	hop->measurements[2]->file = "other.txt";
	assert_int_equal(hl_figure_group_end(hop, 0), 2);
	hop->measurements[0]->tool = NULL; /* fio without its version line */
	assert_int_equal(hl_figure_group_end(hop, 0), 2);
	hop->measurements[0]->dir[HL_DIR_READ]->runtime_ms = NAN; /* a row of a table */
	assert_int_equal(hl_figure_group_end(hop, 0), 1);
	hop->measurements[0]->tool = "iperf 3.12";
	assert_int_equal(hl_figure_group_end(hop, 0), 1);
}

static void what_failed_is_not_usable(void **state)
{
	static const bool usable[] = {
		[HL_STATUS_MEASURED] = true,      [HL_STATUS_IMPORTED] = true,
		[HL_STATUS_FAILED] = false,       [HL_STATUS_PARTIAL] = true,
		[HL_STATUS_NOT_MEASURED] = false,
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct hl_measurement *at = add_job(graph, hop, &row);

	(void)state;
	for (size_t i = 0; i < sizeof(usable) / sizeof(*usable); i++) {
		at->status = i;
		assert_true(hl_figure_is_usable(at, HL_DIR_READ) == usable[i]);
		assert_false(hl_figure_is_usable(at, HL_DIR_WRITE));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(iops_come_from_the_issued_total),
		cmocka_unit_test(writes_may_have_a_block_size_of_their_own),
		cmocka_unit_test(depth_is_what_the_engine_can_have_in_flight),
		cmocka_unit_test(run_time_is_that_of_the_longest_direction),
		cmocka_unit_test(jobs_of_a_group_end_where_group_run_or_file_change),
		cmocka_unit_test(what_failed_is_not_usable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
