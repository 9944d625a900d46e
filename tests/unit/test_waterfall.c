/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is drawn, before any format: bars, grids and the outline of a report.
 */
#include "../../reports/outline.h"
#include "hoploss/spec.h"
#include "report_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct hl_outline *outline_of(const struct hl_graph *graph)
{
	struct hl_report_style style = { 0 };

	return hl_outline_new(graph, &style);
}

static void a_bar_starts_where_the_hop_above_it_ends(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	HL_OUTLINE struct hl_outline *outline = outline_of(graph);
	const struct hl_bars *bars = outline->paths[0].bars;

	(void)state;
	assert_int_equal(outline->nr_paths, 1);
	assert_int_equal(bars->nr_rows, 5);
	assert_true(bars->rows[0].solid_to == 1);
	assert_true(bars->rows[0].light_to == 0);
	for (size_t i = 1; i < bars->nr_rows; i++)
		assert_true(fabs(bars->rows[i].light_to - bars->rows[i - 1].solid_to) < 1e-12);
	assert_int_equal(bars->rows[0].role, HL_BAR_TOP);
	assert_int_equal(bars->rows[4].role, HL_BAR_BINDING);
	assert_string_equal(bars->rows[4].value, "863 MiB/s");
}

static void several_drives_have_the_sheet_of_one_beside_them(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct hl_spec *spec = NULL;
	struct hl_outline *outline;

	(void)state;
	assert_int_equal(hl_spec_load("KCD61LUL7T68", &spec, NULL), 0);
	graph->spec = spec;
	graph->drives = 5;
	outline = outline_of(graph);
	assert_int_equal(outline->paths[0].bars->nr_rows, 6);
	assert_string_equal(outline->paths[0].bars->rows[1].name, "KCD61LUL7T68 x 1");
	assert_string_equal(outline->paths[0].bars->rows[1].value, "5,913 MiB/s");
	assert_string_equal(outline->paths[0].bars->rows[1].aside, "6,200 MB/s");
	hl_outline_free(outline);
	graph->drives = 1;
	outline = outline_of(graph);
	assert_int_equal(outline->paths[0].bars->nr_rows, 5);
	hl_outline_free(outline);
	hl_spec_free(spec);
}

static void latencies_are_stacked_on_each_other(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	HL_OUTLINE struct hl_outline *outline = outline_of(graph);
	const struct hl_bars *stack = outline->paths[0].stack_bars;

	(void)state;
	assert_int_equal(stack->nr_rows, 4);
	assert_true(stack->rows[0].solid_from == 0);
	assert_true(stack->rows[3].solid_to == 1);
	for (size_t i = 1; i < stack->nr_rows; i++)
		assert_true(stack->rows[i].solid_from == stack->rows[i - 1].solid_to);
	assert_string_equal(stack->rows[3].note, "adds 240 us");
}

static void a_ladder_starts_from_what_is_there_now(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	HL_OUTLINE struct hl_outline *outline = outline_of(graph);
	const struct hl_bars *ladder = outline->paths[0].ladder_bars;

	(void)state;
	assert_int_equal(ladder->nr_rows, 2);
	assert_string_equal(ladder->rows[0].value, "863 MiB/s");
	assert_string_equal(ladder->rows[1].value, "at most 1,850 MiB/s");
	assert_true(ladder->rows[1].solid_from == ladder->rows[0].solid_to);
}

static void the_worst_job_is_the_one_of_the_first_verdict(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	HL_OUTLINE struct hl_outline *outline = NULL;

	(void)state;
	graph->verdicts[0]->at = graph->chains[1]->at;
	outline = outline_of(graph);
	assert_non_null(strstr(outline->paths[0].bars->caption, "rand-read-4k-qd1"));
}

static void a_gain_is_drawn_as_a_gain(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	HL_OUTLINE struct hl_outline *outline = NULL;

	(void)state;
	graph->chains[0]->stages[2].bw = 40000 * HL_MIB;
	graph->losses[1]->bw = -16000 * HL_MIB;
	outline = outline_of(graph);
	assert_int_equal(outline->paths[0].bars->rows[2].role, HL_BAR_GAIN);
	assert_true(outline->paths[0].bars->rows[2].solid_to == 1);
	assert_memory_equal(outline->paths[0].bars->rows[2].note, "gains 16,000 MiB/s", 18);
}

static void a_column_that_is_empty_in_all_rows_is_left_out(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	HL_OUTLINE struct hl_outline *outline = outline_of(graph);

	(void)state;
	assert_int_equal(outline->measurements->nr_rows, 8);
	for (size_t i = 0; i < outline->measurements->nr_columns; i++) {
		assert_string_not_equal(outline->measurements->columns[i]->title, "slat");
		assert_string_not_equal(outline->measurements->columns[i]->title, "note");
	}
	assert_string_equal(hl_grid_cell(outline->measurements, 0, 0), "raw");
	assert_string_equal(hl_grid_cell(outline->measurements, 1, 0), "");
	assert_string_equal(hl_grid_cell(outline->measurements, 2, 0), "zvol");
}

static void a_failed_job_keeps_its_row_and_says_why(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	HL_OUTLINE struct hl_outline *outline = NULL;
	struct hl_measurement *at = hl_graph_add_measurement(graph, graph->hops[1]);
	const struct hl_grid *grid;

	(void)state;
	at->workload.name = "broken";
	at->status = HL_STATUS_FAILED;
	at->error = 5;
	at->reason = "Input/output error";
	outline = outline_of(graph);
	grid = outline->measurements;
	assert_string_equal(hl_grid_cell(grid, 2, grid->nr_columns - 1),
			    "failed, error 5: Input/output error");
}

static void evidence_is_not_listed_again_among_the_facts(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct hl_origin origin = { .node = "sda" };
	HL_OUTLINE struct hl_outline *outline = NULL;

	(void)state;
	hl_graph_add_number(graph, &origin, "link.mtu", 9000);
	outline = outline_of(graph);
	hl_outline_add_long(outline);
	assert_int_equal(outline->facts->nr_rows, 1);
	assert_int_equal(outline->all_facts->nr_rows, 3);
}

static void the_first_clause_of_the_verdict_is_the_heading(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct hl_outline *outline;

	(void)state;
	graph->verdicts[0]->text = "vnic takes 95.9 % of the loss; mended alone, it gives more";
	outline = outline_of(graph);
	assert_string_equal(outline->heading, "vnic takes 95.9 % of the loss");
	assert_string_equal(outline->lead, "mended alone, it gives more");
	hl_outline_free(outline);
	graph->verdicts[0]->text = "nothing is named; so be it";
	outline = outline_of(graph);
	assert_string_equal(outline->heading, "nothing is named; so be it");
	assert_null(outline->lead);
	hl_outline_free(outline);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bar_starts_where_the_hop_above_it_ends),
		cmocka_unit_test(several_drives_have_the_sheet_of_one_beside_them),
		cmocka_unit_test(latencies_are_stacked_on_each_other),
		cmocka_unit_test(a_ladder_starts_from_what_is_there_now),
		cmocka_unit_test(the_worst_job_is_the_one_of_the_first_verdict),
		cmocka_unit_test(a_gain_is_drawn_as_a_gain),
		cmocka_unit_test(a_column_that_is_empty_in_all_rows_is_left_out),
		cmocka_unit_test(a_failed_job_keeps_its_row_and_says_why),
		cmocka_unit_test(evidence_is_not_listed_again_among_the_facts),
		cmocka_unit_test(the_first_clause_of_the_verdict_is_the_heading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
