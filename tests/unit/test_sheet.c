/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "spec_maker.h"

static void every_measurement_of_the_sheet_gets_its_share(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, NULL, 863);

	(void)state;
	add_latency(graph, "other", HL_LAYER_FILESYSTEM, NULL, 100); /* not on the sheet */
	graph->spec = spec;
	assert_non_null(hl_sheet_fill(graph));
	assert_int_equal(graph->nr_ceilings, 1);
	assert_ptr_equal(graph->ceilings[0]->at, hop->measurements[0]);
	assert_ptr_equal(graph->ceilings[0]->hop, hop);
	assert_int_equal(graph->ceilings[0]->layer, HL_LAYER_DATASHEET);
	assert_true(graph->ceilings[0]->bw == 6200e6);
	assert_string_equal(graph->ceilings[0]->name, "DRIVE7");
	assert_string_equal(graph->ceilings[0]->formula, "6200 MB/s");
}

static void several_drives_give_two_tops(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *top;

	(void)state;
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, NULL, 863);
	graph->spec = spec;
	graph->drives = 5;
	top = hl_sheet_fill(graph);
	assert_string_equal(top->name, "DRIVE7 x 5");
	assert_int_equal(graph->nr_ceilings, 2);
	assert_true(graph->ceilings[0]->bw == 31000e6);
	assert_string_equal(graph->ceilings[0]->formula, "5 x 6200 MB/s");
	assert_true(graph->ceilings[1]->bw == 6200e6);
	assert_string_equal(graph->ceilings[1]->name, "DRIVE7");
}

static void the_sheet_stands_above_all_roots_and_first(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 5000);
	struct hl_hop *other = add_measured(graph, "other", HL_LAYER_DRIVE, NULL, 5000);
	struct hl_hop *leaf = add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, drive, 863);
	struct hl_hop *top;

	(void)state;
	graph->spec = spec;
	top = hl_sheet_fill(graph);
	assert_ptr_equal(graph->hops[0], top);
	assert_int_equal(graph->nr_hops, 4);
	assert_int_equal(top->layer, HL_LAYER_DATASHEET);
	assert_int_equal(top->nr_measurements, 0);
	assert_ptr_equal(drive->after, top);
	assert_ptr_equal(other->after, top);
	assert_ptr_equal(leaf->after, drive);
	assert_null(top->after);
	assert_false(hl_hop_is_leaf(graph, top));
	assert_ptr_equal(hl_sheet_fill(graph), top); /* once only */
	assert_int_equal(graph->nr_hops, 4);
	assert_int_equal(graph->nr_ceilings, 3);
}

static void a_sheet_that_says_nothing_of_it_is_no_top(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	add_latency(graph, "pvc", HL_LAYER_FILESYSTEM, NULL, 100);
	assert_null(hl_sheet_fill(graph)); /* no spec */
	graph->spec = spec;
	assert_null(hl_sheet_fill(graph));
	assert_int_equal(graph->nr_hops, 1);
	assert_int_equal(graph->nr_ceilings, 0);
}

static void a_datasheet_hop_of_a_path_file_is_used(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *given = add_hop(graph, "spec", HL_LAYER_DATASHEET, NULL);

	(void)state;
	add_measured(graph, "raw", HL_LAYER_DRIVE, given, 5000);
	graph->spec = spec;
	assert_ptr_equal(hl_sheet_fill(graph), given);
	assert_int_equal(graph->nr_hops, 2);
	assert_int_equal(graph->nr_ceilings, 1);
	assert_null(given->after);
}

static void names_stay_apart(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	add_measured(graph, "DRIVE7", HL_LAYER_DRIVE, NULL, 5000);
	graph->spec = spec;
	assert_string_equal(hl_sheet_fill(graph)->name, "DRIVE7 (datasheet)");
}

static void tolerance_is_that_of_the_figure(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 5000);
	struct hl_spec_figure figure = spec->figures[0];

	(void)state;
	assert_true(hl_sheet_tolerance(graph, hop->measurements[0]) == 0.1);
	graph->spec = spec;
	assert_true(hl_sheet_tolerance(graph, hop->measurements[0]) == 0.1);
	figure.tolerance_pct = 20;
	spec->figures = &figure;
	spec->nr_figures = 1;
	assert_true(hl_sheet_tolerance(graph, hop->measurements[0]) == 0.2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_measurement_of_the_sheet_gets_its_share),
		cmocka_unit_test(several_drives_give_two_tops),
		cmocka_unit_test(the_sheet_stands_above_all_roots_and_first),
		cmocka_unit_test(a_sheet_that_says_nothing_of_it_is_no_top),
		cmocka_unit_test(a_datasheet_hop_of_a_path_file_is_used),
		cmocka_unit_test(names_stay_apart),
		cmocka_unit_test(tolerance_is_that_of_the_figure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
