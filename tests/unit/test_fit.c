/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph_maker.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define KIB 1024.0

/* IOPS of a stage that takes a + b × bs for each I/O. */
static double iops_of(double a_ns, double b_ns_per_byte, double bs)
{
	return 1e9 / (a_ns + b_ns_per_byte * bs);
}

static struct job_row read_row(double bs, double depth, double iops, unsigned group)
{
	return (struct job_row){ "job", HL_RW_READ, bs, depth, 1, iops, 0, 1, group };
}

static double near_pct(double value, double wanted)
{
	return fabs(value / wanted - 1) * 100;
}

static void exact_line_is_found_back(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_FILESYSTEM, NULL);
	struct hl_fit fit;

	(void)state;
	for (int i = 0; i < 4; i++) {
		double bs = 4 * KIB * (1 << (2 * i));
		struct job_row row = read_row(bs, 32, iops_of(30000, 0.9, bs), i);

		add_job(graph, hop, &row);
	}
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), 0);
	assert_true(near_pct(fit.a_ns, 30000) < 1e-6);
	assert_true(near_pct(fit.b_ns_per_byte, 0.9) < 1e-6);
	assert_true(near_pct(fit.a_low_ns, 30000) < 1e-6);
	assert_true(near_pct(fit.a_high_ns, 30000) < 1e-6);
	assert_true(fit.worst_error < 1e-9);
	assert_int_equal(fit.nr_points, 4);
	assert_false(fit.is_mixed);
	assert_true(near_pct(hl_fit_bw(&fit, 8 * KIB), 8 * KIB * iops_of(30000, 0.9, 8 * KIB)) <
		    1e-6);
}

/* Sum of squared relative errors, what the fit minimises. */
static double cost(const struct job_row *rows, size_t nr, double a, double b)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += pow((a + b * rows[i].bs) * rows[i].iops / 1e9 - 1, 2);
	return sum;
}

/* The deep reads of a saturated iSCSI volume: 35 us a small I/O, 927 MiB/s at 1 MiB. */
static const struct job_row volume[] = {
	{ "iops-4k", HL_RW_RANDREAD, 4 * KIB, 32, 4, 28246, 0, 1, 0 },
	{ "db-4k", HL_RW_RANDREAD, 4 * KIB, 64, 16, 26875, 0, 1, 1 },
	{ "seq-128k", HL_RW_READ, 128 * KIB, 32, 4, 6900.2, 0, 1, 2 },
	{ "backup-1m", HL_RW_READ, 1024 * KIB, 128, 2, 926.5, 0, 1, 3 },
	{ "qd1-4k", HL_RW_RANDREAD, 4 * KIB, 1, 1, 3081, 0, 1, 4 },     /* too shallow */
	{ "mixed-8k", HL_RW_RANDRW, 8 * KIB, 16, 8, 15600, 0, 1, 5 },   /* not pure */
	{ "write-128k", HL_RW_WRITE, 128 * KIB, 32, 4, 4640, 0, 1, 6 }, /* other direction */
};

static void no_neighbour_fits_better(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_FILESYSTEM, NULL);
	struct hl_fit fit;
	double best;

	(void)state;
	for (size_t i = 0; i < sizeof(volume) / sizeof(*volume); i++)
		add_job(graph, hop, &volume[i]);
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), 0);
	assert_int_equal(fit.nr_points, 4);
	best = cost(volume, 4, fit.a_ns, fit.b_ns_per_byte);
	for (int i = -20; i <= 20; i++) {
		for (int k = -20; k <= 20; k++) {
			double a = fit.a_ns * (1 + i * 0.002);
			double b = fit.b_ns_per_byte * (1 + k * 0.002);

			assert_true(cost(volume, 4, a, b) >= best * (1 - 1e-12));
		}
	}
	assert_true(near_pct(fit.a_ns, 32000) < 2); /* worked out by hand with another program */
	assert_true(near_pct(fit.b_ns_per_byte * KIB, 960) < 1);
	assert_true(near_pct(fit.a_low_ns, 11400) < 2);
	assert_true(near_pct(fit.a_high_ns, 33740) < 1);
	assert_true(fit.is_mixed);
}

static void one_block_size_gives_no_fit(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct hl_fit fit;

	(void)state;
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), -ENODATA);
	add_job(graph, hop, &volume[0]);
	add_job(graph, hop, &volume[1]);
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), -ENODATA);
	assert_int_equal(hl_fit_hop(hop, HL_DIR_WRITE, &fit), -ENODATA);
}

static void jobs_without_a_usable_figure_are_left_out(void **state)
{
	static const double bad[] = { 0, -1, NAN, INFINITY };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct hl_fit fit;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct job_row row = read_row(4 * KIB, 32, 1000, i);
		struct hl_measurement *at = add_job(graph, hop, &row);

		at->dir[HL_DIR_READ]->bw = bad[i];
		at->dir[HL_DIR_READ]->ios = bad[i];
		at->dir[HL_DIR_READ]->iops = bad[i];
	}
	add_job(graph, hop, &volume[2]);
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), -ENODATA);
	add_job(graph, hop, &volume[3]);
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), 0);
	assert_int_equal(fit.nr_points, 2);
	hop->measurements[hop->nr_measurements - 1]->status = HL_STATUS_FAILED;
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), -ENODATA);
}

static void mixed_jobs_are_left_out(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct job_row mixed = { "mixed", HL_RW_RANDRW, 8 * KIB, 32, 1, 9000, 0, 1, 9 };
	struct hl_measurement *at = add_job(graph, hop, &mixed);
	struct hl_fit fit;

	(void)state;
	at->dir[HL_DIR_READ] = at->dir[HL_DIR_WRITE];
	add_job(graph, hop, &volume[2]);
	add_job(graph, hop, &volume[3]);
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), 0);
	assert_int_equal(fit.nr_points, 2);
	assert_int_equal(hl_fit_hop(hop, HL_DIR_WRITE, &fit), -ENODATA);
}

static void issued_totals_go_before_printed_iops(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct hl_fit fit;

	(void)state;
	add_job(graph, hop, &volume[0])->dir[HL_DIR_READ]->iops = 28200;
	add_job(graph, hop, &volume[3])->dir[HL_DIR_READ]->iops = 927;
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), 0);
	assert_true(near_pct(hl_fit_bw(&fit, 4 * KIB), 28246 * 4 * KIB) < 1e-6);
}

static void jobs_side_by_side_are_one_point(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct job_row quarter = read_row(4 * KIB, 8, 7000, 0);
	struct job_row large = read_row(1024 * KIB, 32, 900, 1);
	struct hl_fit fit;

	(void)state;
	for (int i = 0; i < 4; i++)
		add_job(graph, hop, &quarter);
	add_job(graph, hop, &large);
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), 0);
	assert_int_equal(fit.nr_points, 2);
	assert_true(near_pct(fit.a_ns + fit.b_ns_per_byte * 4 * KIB, 1e9 / 28000) < 1e-6);
}

static void a_job_that_shared_the_device_with_another_kind_is_left_out(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct job_row reads = read_row(4 * KIB, 32, 20000, 0);
	struct job_row others = read_row(64 * KIB, 32, 5000, 0);
	struct job_row alone = read_row(1024 * KIB, 32, 900, 1);
	struct hl_fit fit;

	(void)state;
	add_job(graph, hop, &reads);
	add_job(graph, hop, &others);
	add_job(graph, hop, &alone);
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), -ENODATA);
}

static void time_per_io_is_never_negative(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *steep = add_hop(graph, "steep", HL_LAYER_NONE, NULL);
	struct hl_hop *falling = add_hop(graph, "falling", HL_LAYER_NONE, NULL);
	struct job_row small = read_row(4 * KIB, 32, 100000, 0);
	struct job_row large = read_row(8 * KIB, 32, 20000, 1);
	struct job_row faster = read_row(8 * KIB, 32, 200000, 1);
	struct hl_fit fit;

	(void)state;
	add_job(graph, steep, &small);
	add_job(graph, steep, &large);
	assert_int_equal(hl_fit_hop(steep, HL_DIR_READ, &fit), 0);
	assert_true(fit.a_ns == 0 && fit.b_ns_per_byte > 0);
	assert_true(fit.a_low_ns < 0); /* the spread stays as it is */
	add_job(graph, falling, &small);
	add_job(graph, falling, &faster);
	assert_int_equal(hl_fit_hop(falling, HL_DIR_READ, &fit), 0);
	assert_true(fit.b_ns_per_byte == 0);
	/* minimum of (a/10000 - 1)² + (a/5000 - 1)² */
	assert_true(near_pct(fit.a_ns, 6000) < 1e-6);
}

static void a_synchronous_engine_has_the_depth_of_its_jobs(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct hl_fit fit;

	(void)state;
	add_job(graph, hop, &volume[2])->workload.engine = "psync"; /* 4 jobs, iodepth ignored */
	add_job(graph, hop, &volume[3]);
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), -ENODATA);
	hop->measurements[0]->workload.numjobs = 16;
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), 0);
}

static void states_of_a_tuning_session_are_not_fitted_together(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "zfs", HL_LAYER_POOL, NULL);
	struct hl_fit fit;

	(void)state;
	add_job(graph, hop, &volume[0])->change = "start";
	add_job(graph, hop, &volume[2])->change = "change 1";
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), -ENODATA);
	hop->measurements[1]->change = "start";
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), 0);
}

static void others_leaves_out_every_job_of_that_block_size(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct hl_fit fit;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		add_job(graph, hop, &volume[i]);
	assert_int_equal(hl_fit_others(hop, hop->measurements[0], HL_DIR_READ, &fit), 0);
	assert_int_equal(fit.nr_points, 2);
	assert_int_equal(hl_fit_others(hop, hop->measurements[2], HL_DIR_READ, &fit), 0);
	assert_int_equal(fit.nr_points, 3);
}

static void spread_is_that_of_all_pairs(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	struct job_row rows[60];
	double low = INFINITY, high = -INFINITY;
	struct hl_fit fit;

	(void)state;
	srand(7);
	for (unsigned i = 0; i < 60; i++) {
		double bs = 4 * KIB * (1 << (rand() % 9));
		double noise = 1 + (rand() % 400 - 200) / 1000.0;

		rows[i] = read_row(bs, 32, iops_of(20000, 0.5, bs) * noise, i);
		rows[i].rw = HL_RW_RANDREAD; /* all of them */
		add_job(graph, hop, &rows[i]);
	}
	for (int i = 0; i < 60; i++) {
		for (int k = 0; k < 60; k++) {
			double t = 1e9 / rows[i].iops, u = 1e9 / rows[k].iops;
			double a = (t * rows[k].bs - u * rows[i].bs) / (rows[k].bs - rows[i].bs);

			if (rows[i].bs >= rows[k].bs)
				continue;
			low = fmin(low, a);
			high = fmax(high, a);
		}
	}
	assert_int_equal(hl_fit_hop(hop, HL_DIR_READ, &fit), 0);
	assert_int_equal(fit.nr_points, 60);
	assert_false(fit.is_mixed);
	assert_true(fabs(fit.a_low_ns - low) < 1e-3);
	assert_true(fabs(fit.a_high_ns - high) < 1e-3);
}

static void facts_carry_the_fit_of_each_direction(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);
	const struct hl_fact *fact;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		add_job(graph, hop, &volume[i]);
	hl_fit_fill(graph);
	fact = hl_graph_find_fact(graph, "pvc", "model.read_time_per_kib_ns");
	assert_non_null(fact);
	assert_true(near_pct(fact->number, 960) < 1);
	assert_string_equal(fact->source, "fit over 4 jobs: iops-4k, db-4k, seq-128k, backup-1m");
	assert_null(hl_graph_find_fact(graph, "pvc", "model.write_time_per_io_ns"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_line_is_found_back),
		cmocka_unit_test(no_neighbour_fits_better),
		cmocka_unit_test(one_block_size_gives_no_fit),
		cmocka_unit_test(jobs_without_a_usable_figure_are_left_out),
		cmocka_unit_test(mixed_jobs_are_left_out),
		cmocka_unit_test(issued_totals_go_before_printed_iops),
		cmocka_unit_test(jobs_side_by_side_are_one_point),
		cmocka_unit_test(a_job_that_shared_the_device_with_another_kind_is_left_out),
		cmocka_unit_test(time_per_io_is_never_negative),
		cmocka_unit_test(a_synchronous_engine_has_the_depth_of_its_jobs),
		cmocka_unit_test(states_of_a_tuning_session_are_not_fitted_together),
		cmocka_unit_test(others_leaves_out_every_job_of_that_block_size),
		cmocka_unit_test(spread_is_that_of_all_pairs),
		cmocka_unit_test(facts_carry_the_fit_of_each_direction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
