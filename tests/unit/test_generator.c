/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A generator that uses a core a job has measured itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cause_maker.h"

#define BUSY "generator-bound"

static const struct run_row busy = {
	"t",           .rw = HL_RW_RANDREAD, .bs = 4096,     .iodepth = 32,
	.iops = 109e3, .lat = 290 * US,      .cpu_user = 34, .cpu_system = 66
};

static void a_core_a_job_is_all_there_is(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *found;

	(void)unused;
	add_runs(graph, "nvme", HL_LAYER_NONE, &busy, 1);
	found = match_one(graph, BUSY);
	assert_int_equal(found->state, HL_SUSPECTED);
	assert_true(has_text(found->text, "100 % of a core a job (34 % user, 66 % system) in t"));
	assert_true(evidence_of(found, "run.cpu_pct")->number == 100);
}

static void an_idle_generator_is_silent(void **unused)
{
	struct run_row row = busy;

	(void)unused;
	row.cpu_system = 50;
	assert_false(is_found(BUSY, HL_LAYER_NONE, &row, 1));
}

static void an_unknown_cpu_is_not_busy(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_runs(graph, "nvme", HL_LAYER_NONE, &busy, 1);

	(void)unused;
	hop->measurements[0]->cpu_user_pct = NAN;
	assert_null(match_one(graph, BUSY));
}

static void trims_count_too(void **unused)
{
	struct run_row row = busy;

	(void)unused;
	row.rw = HL_RW_RANDTRIM;
	assert_true(is_found(BUSY, HL_LAYER_NONE, &row, 1));
}

static void the_busiest_of_several_is_told_once(void **unused)
{
	struct run_row rows[2] = { busy, busy };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop;

	(void)unused;
	rows[0].cpu_system = 58;
	rows[1].iodepth = 64;
	hop = ADD_RUNS(graph, "nvme", HL_LAYER_NONE, rows);
	match_one(graph, BUSY);
	assert_int_equal(graph->nr_findings, 1);
	assert_ptr_equal(graph->findings[0]->at, hop->measurements[1]);
	assert_true(has_text(graph->findings[0]->text, "and another job"));
}

static void a_mixed_job_is_told_for_one_direction(void **unused)
{
	struct run_row row = busy;
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	row.rw = HL_RW_RANDRW;
	row.write_iops = 200e3;
	add_runs(graph, "nvme", HL_LAYER_NONE, &row, 1);
	assert_int_equal(match_one(graph, BUSY)->dir, HL_DIR_WRITE);
	assert_int_equal(graph->nr_findings, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_core_a_job_is_all_there_is),
		cmocka_unit_test(an_idle_generator_is_silent),
		cmocka_unit_test(an_unknown_cpu_is_not_busy),
		cmocka_unit_test(trims_count_too),
		cmocka_unit_test(the_busiest_of_several_is_told_once),
		cmocka_unit_test(a_mixed_job_is_told_for_one_direction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
