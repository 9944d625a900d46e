/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compact tables of facts: few things side by side, many as rows, and what is the same once.
 */
#include "../../reports/columns.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void add(struct hl_graph *graph, const char *node, const char *key, const char *value)
{
	const struct hl_origin origin = { "h", node, "a.txt:1" };

	hl_graph_add_string(graph, &origin, key, value);
}

/* "title|column|cell|cell|..." of a grid, all of it */
static const char *text_of(struct hl_arena *arena, const struct hl_grid *grid)
{
	const char *text = grid->title;

	for (size_t i = 0; i < grid->nr_columns; i++)
		text = hl_arena_printf(arena, "%s|%s", text, grid->columns[i]->title);
	for (size_t row = 0; row < grid->nr_rows; row++) {
		for (size_t i = 0; i < grid->nr_columns; i++)
			text = hl_arena_printf(arena, "%s|%s", text, hl_grid_cell(grid, row, i));
	}
	return text;
}

static void few_things_stand_side_by_side(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_fact_groups groups;

	(void)state;
	add(graph, "sda", "x.speed", "1");
	add(graph, "sdb", "x.speed", "2");
	add(graph, "sdb", "x.speed", "3");
	add(graph, "sda", "x.state", "up");
	add(graph, "sdb", "x.state", "up");
	groups = hl_columns_fact_groups(graph->arena, graph);
	assert_int_equal(groups.nr_grids, 1);
	assert_string_equal(text_of(graph->arena, groups.grids[0]),
			    "Facts of h: x (a.txt)|fact|sda|sdb|x.speed|1|2 / 3|x.state|up|up");
}

static void what_one_thing_has_stays_in_the_list(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_fact_groups groups;

	(void)state;
	add(graph, "sda", "x.speed", "1");
	add(graph, "sdb", "x.speed", "2");
	add(graph, "sdb", "x.only", "3");
	add(graph, "sda", "y.speed", "4");
	groups = hl_columns_fact_groups(graph->arena, graph);
	assert_int_equal(groups.nr_grids, 1);
	assert_true(hl_columns_is_grouped(&groups, graph->facts[0]));
	assert_false(hl_columns_is_grouped(&groups, graph->facts[2]));
	assert_false(hl_columns_is_grouped(&groups, graph->facts[3]));
	assert_string_equal(text_of(graph->arena, hl_columns_facts(graph->arena, graph, &groups)),
			    "Other facts (a.txt)|host|where|fact|value|line|h|sdb|x.only|3|1||sda|"
			    "y.speed|4|");
}

static void many_things_are_rows_and_the_same_is_told_once(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_fact_groups groups;
	char node[16];

	(void)state;
	for (size_t i = 0; i < 26; i++) {
		snprintf(node, sizeof(node), "sd%c", (char)('a' + i));
		add(graph, node, "x.is_up", "yes");
		add(graph, node, "x.link_speed", i % 2 ? "16" : "8");
	}
	groups = hl_columns_fact_groups(graph->arena, graph);
	assert_int_equal(groups.nr_grids, 2);
	assert_memory_equal(text_of(graph->arena, groups.grids[0]),
			    "Facts of h: x (a.txt)|where|link speed|sda|8|sdb|16|", 52);
	assert_string_equal(text_of(graph->arena, groups.grids[1]),
			    "Facts of h: x, the same for all 26 (a.txt)|fact|value|x.is_up|yes");
}

static void evidence_is_not_told_again(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_finding *finding = hl_graph_add_finding(graph);
	struct hl_fact_groups groups;

	(void)state;
	add(graph, "sda", "x.speed", "1");
	add(graph, "sdb", "x.speed", "2");
	for (size_t i = 0; i < 2; i++)
		hl_finding_add_evidence(graph, finding, graph->facts[i]);
	groups = hl_columns_fact_groups(graph->arena, graph);
	assert_int_equal(groups.nr_grids, 0);
	assert_null(hl_columns_facts(graph->arena, graph, &groups));
}

static void facts_of_no_host_and_no_thing_are_borne(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_origin nowhere = { 0 };

	(void)state;
	hl_graph_add_boolean(graph, &nowhere, "x.is_up", true);
	hl_graph_add_number(graph, &nowhere, "nokind", 1);
	add(graph, "sda", "x.is_up", "yes");
	assert_int_equal(hl_columns_fact_groups(graph->arena, graph).nr_grids, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_things_stand_side_by_side),
		cmocka_unit_test(what_one_thing_has_stays_in_the_list),
		cmocka_unit_test(many_things_are_rows_and_the_same_is_told_once),
		cmocka_unit_test(evidence_is_not_told_again),
		cmocka_unit_test(facts_of_no_host_and_no_thing_are_borne),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
