/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double sizes[] = { 4096, 16384, 65536, 262144, 1048576 };

/* Deep reads of 30 us and 0.9 ns a byte, one of them short of that by 20 %. */
static struct hl_hop *add_volume(struct hl_graph *graph, size_t odd_one)
{
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_FILESYSTEM, NULL);

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct job_row row = { "job", HL_RW_READ, sizes[i], 32, 4, 0, 0, 1, i };

		row.iops = 1e9 / (30000 + 0.9 * sizes[i]) * (i == odd_one ? 0.8 : 1);
		add_job(graph, hop, &row);
	}
	return hop;
}

static void the_odd_workload_is_off_by_what_it_lacks(void **state)
{
	for (size_t odd = 0; odd < sizeof(sizes) / sizeof(*sizes); odd++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_hop *hop = add_volume(graph, odd);
		double predicted = sizes[odd] * 1e9 / (30000 + 0.9 * sizes[odd]);

		(void)state;
		hl_model_residuals(graph);
		assert_int_equal(graph->nr_residuals, 5);
		assert_ptr_equal(graph->residuals[odd]->leaf, hop);
		assert_ptr_equal(graph->residuals[odd]->at, hop->measurements[odd]);
		assert_int_equal(graph->residuals[odd]->dir, HL_DIR_READ);
		assert_true(fabs(graph->residuals[odd]->bw / predicted + 0.2) < 1e-6);
	}
}

static void what_fits_leaves_nothing(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_volume(graph, 99);

	(void)state;
	hl_model_residuals(graph);
	for (size_t i = 0; i < graph->nr_residuals; i++)
		assert_true(fabs(graph->residuals[i]->bw / hop->measurements[i]->dir[0]->bw) <
			    1e-6);
}

static void two_other_block_sizes_are_needed(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_volume(graph, 99);

	(void)state;
	hop->nr_measurements = 2;
	hl_model_residuals(graph);
	assert_int_equal(graph->nr_residuals, 0);
	hop->nr_measurements = 3;
	hl_model_residuals(graph);
	assert_int_equal(graph->nr_residuals, 3);
}

static void a_shallow_job_is_not_predicted_by_deep_ones(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_volume(graph, 99);

	(void)state;
	hop->measurements[0]->workload.iodepth = 1;
	hl_model_residuals(graph);
	assert_int_equal(graph->nr_residuals, 4);
	assert_ptr_equal(graph->residuals[0]->at, hop->measurements[1]);
}

static void only_leaves_have_residuals(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_volume(graph, 99);

	(void)state;
	add_measured(graph, "app", HL_LAYER_NONE, hop, 100);
	hl_model_residuals(graph);
	assert_int_equal(graph->nr_residuals, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_odd_workload_is_off_by_what_it_lacks),
		cmocka_unit_test(what_fits_leaves_nothing),
		cmocka_unit_test(two_other_block_sizes_are_needed),
		cmocka_unit_test(a_shallow_job_is_not_predicted_by_deep_ones),
		cmocka_unit_test(only_leaves_have_residuals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
