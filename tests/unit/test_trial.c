/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trials: what ran side by side is one, what did not is not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cause_maker.h"
#include "hoploss/evidence.h"
#include "hoploss/fact.h"
#include "hoploss/trial.h"

static struct hl_trials read_trials(struct hl_graph *graph, const struct run_row *rows, size_t nr)
{
	struct hl_trials trials;

	hl_trials_read(add_runs(graph, "hop", HL_LAYER_NONE, rows, nr), HL_DIR_READ, &trials);
	return trials;
}

static const struct run_row half = {
	"job",         .rw = HL_RW_RANDREAD, .bs = 4096,       .iodepth = 8, .iops = 1000,
	.lat = 8 * MS, .slat = 100 * US,     .cpu_system = 20, .group = 1
};

static void jobs_side_by_side_with_one_workload_are_one_trial(void **unused)
{
	struct run_row rows[2] = { half, half };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_TRIALS struct hl_trials trials = { 0 };

	(void)unused;
	rows[1].iops = 3000;
	rows[1].lat = 4 * MS;
	trials = read_trials(graph, rows, 2);
	assert_int_equal(trials.nr, 1);
	assert_true(trials.items[0].iops == 4000 && trials.items[0].depth == 16);
	assert_true(trials.items[0].jobs == 2 && trials.items[0].bw == 4000 * 4096.);
	assert_true(trials.items[0].lat_ns == 5 * MS); /* by I/Os */
	assert_true(trials.items[0].cpu_pct == 20);
	assert_true(fabs(trials.items[0].submitting - 0.2) < 1e-9);
	assert_true(trials.items[0].is_alone && trials.items[0].is_pure);
}

static void jobs_side_by_side_with_other_workloads_are_not_alone(void **unused)
{
	struct run_row rows[2] = { half, half };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_TRIALS struct hl_trials trials = { 0 };

	(void)unused;
	rows[1].bs = 8192;
	trials = read_trials(graph, rows, 2);
	assert_int_equal(trials.nr, 2);
	assert_false(trials.items[0].is_alone || trials.items[1].is_alone);
}

static void a_failed_job_is_no_trial(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_runs(graph, "hop", HL_LAYER_NONE, &half, 1);
	HL_TRIALS struct hl_trials trials = { 0 };

	(void)unused;
	hop->measurements[0]->status = HL_STATUS_FAILED;
	hl_trials_read(hop, HL_DIR_READ, &trials);
	assert_int_equal(trials.nr, 0);
}

static void a_mixed_job_knows_all_its_ios(void **unused)
{
	struct run_row row = half;
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_TRIALS struct hl_trials trials = { 0 };

	(void)unused;
	row.rw = HL_RW_RANDRW;
	row.write_iops = 500;
	trials = read_trials(graph, &row, 1);
	assert_true(trials.items[0].iops == 1000 && trials.items[0].all_iops == 1500);
	assert_false(trials.items[0].is_pure);
	assert_true(fabs(trials.items[0].submitting - 0.15) < 1e-9);
}

static void latency_is_what_is_known_of_it(void **unused)
{
	struct run_row row = half;
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_TRIALS struct hl_trials trials = { 0 };

	(void)unused;
	row.lat = 0;
	row.clat = 1 * MS;
	trials = read_trials(graph, &row, 1);
	assert_true(trials.items[0].lat_ns == 1.1 * MS);
}

static void a_figure_is_one_fact_however_often_it_is_evidence(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_TRIALS struct hl_trials trials = read_trials(graph, &half, 1);
	struct hl_finding *finding = hl_graph_add_finding(graph);

	(void)unused;
	hl_evidence_add(graph, finding, &trials.items[0], HL_FIGURE_IOPS);
	hl_evidence_add(graph, finding, &trials.items[0], HL_FIGURE_IOPS);
	hl_evidence_add(graph, finding, &trials.items[0], HL_FIGURE_SYNC); /* unknown */
	assert_int_equal(graph->nr_facts, 1);
	assert_int_equal(finding->nr_evidence, 2);
	assert_string_equal(graph->facts[0]->node, "hop/job");
	assert_string_equal(graph->facts[0]->source, "made.txt:1");
}

static void every_figure_has_a_row_in_the_table_of_keys(void **unused)
{
	static const enum hl_rw rws[] = { HL_RW_READ, HL_RW_WRITE, HL_RW_TRIM };
	static const enum hl_dir dirs[] = { HL_DIR_READ, HL_DIR_WRITE, HL_DIR_TRIM };
	struct run_row row = half;

	(void)unused;
	row.clat = row.sync = row.p1 = row.p50 = row.p99 = row.size = row.lat_min = 1;
	for (size_t i = 0; i < 3; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		HL_TRIALS struct hl_trials trials = { 0 };
		struct hl_finding *finding = hl_graph_add_finding(graph);

		row.rw = rws[i];
		hl_trials_read(add_runs(graph, "hop", HL_LAYER_NONE, &row, 1), dirs[i], &trials);
		for (int figure = 0; figure < HL_NR_FIGURES; figure++)
			hl_evidence_add(graph, finding, &trials.items[0], figure);
		assert_int_equal(finding->nr_evidence, HL_NR_FIGURES);
		for (size_t j = 0; j < graph->nr_facts; j++)
			assert_non_null(hl_fact_key_find(graph->facts[j]->key));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_side_by_side_with_one_workload_are_one_trial),
		cmocka_unit_test(jobs_side_by_side_with_other_workloads_are_not_alone),
		cmocka_unit_test(a_failed_job_is_no_trial),
		cmocka_unit_test(a_mixed_job_knows_all_its_ios),
		cmocka_unit_test(latency_is_what_is_known_of_it),
		cmocka_unit_test(a_figure_is_one_fact_however_often_it_is_evidence),
		cmocka_unit_test(every_figure_has_a_row_in_the_table_of_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
