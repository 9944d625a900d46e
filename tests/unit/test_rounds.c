/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What rounds allow to be said, on simulated runs: how often a layer is named that loses nothing,
 * how often one is that does, and how often the truth lies in a layer's interval at every look.
 */
#include "rounds_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "spec_maker.h"

#define NR_RUNS 2000

static bool is_any_named(const struct hl_graph *graph)
{
	bool is_any = false;

	for (size_t i = 0; i < graph->nr_chains; i++) {
		for (size_t k = 1; k < graph->chains[i]->nr_stages; k++)
			is_any |= graph->chains[i]->stages[k].is_named;
	}
	return is_any;
}

/* ---- what rounds say ---- */

/* Two hops of so many rounds: the lower one gives 1 ÷ factor of the upper one's, steadily. */
static struct hl_graph *two_hops(double factor, size_t nr)
{
	struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 900);
	struct hl_hop *leaf = add_measured(graph, "virtio", HL_LAYER_VNIC, drive, 900);
	double above[40], below[40];

	for (size_t i = 0; i < nr; i++) {
		above[i] = (900 + 10 * (double)(i % 5)) * MIB;
		below[i] = above[i] / factor * (1 + 0.002 * (double)(i % 3));
	}
	set_rounds(graph, drive->measurements[0], above, NULL, nr);
	set_rounds(graph, leaf->measurements[0], below, NULL, nr);
	return graph;
}

static void too_few_rounds_give_no_interval_and_six_name_nothing(void **state)
{
	static const struct {
		size_t nr;
		unsigned look;
		bool is_named;
	} cases[] = {
		{ 1, 0, false },  { 5, 0, false },  { 6, 6, false },  { 8, 6, false },
		{ 9, 9, true },   { 13, 9, true },  { 14, 14, true }, { 19, 14, true },
		{ 20, 20, true }, { 35, 20, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = two_hops(10, cases[i].nr);
		const struct hl_stage *stage;

		hl_model_losses(graph);
		stage = &graph->chains[0]->stages[1];
		assert_int_equal(stage->look, cases[i].look);
		assert_int_equal(stage->nr_rounds, cases[i].nr);
		assert_int_equal(stage->is_named, cases[i].is_named);
		assert_int_equal(graph->losses[0]->is_masked, !cases[i].is_named);
		assert_int_equal(isnan(graph->losses[0]->factor_low), !cases[i].look);
		assert_int_equal(isnan(graph->losses[0]->bw_high), !cases[i].look);
		assert_int_equal(isnan(stage->at->dir[HL_DIR_READ]->bw_low), !cases[i].look);
	}
}

static void what_comes_after_the_last_look_is_not_looked_at(void **state)
{
	HL_GRAPH struct hl_graph *graph = two_hops(2, 13);
	double *below = (double *)graph->hops[1]->measurements[0]->dir[HL_DIR_READ]->per_round;

	(void)state;
	for (size_t i = 9; i < 13; i++)
		below[i] = 1 * MIB;
	hl_model_losses(graph);
	assert_true(graph->losses[0]->factor_high < 2.01);
}

static void rounds_are_paired_and_a_lost_one_is_left_out_everywhere(void **state)
{
	HL_GRAPH struct hl_graph *graph = two_hops(3, 10);
	struct hl_hop *leaf = add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, graph->hops[1], 1);
	double rounds[10] = { 250 * MIB, NAN,       250 * MIB, 250 * MIB, 250 * MIB,
			      250 * MIB, 250 * MIB, 250 * MIB, 250 * MIB, 250 * MIB };
	const struct hl_chain *chain;

	(void)state;
	set_rounds(graph, leaf->measurements[0], rounds, NULL, 10);
	hl_model_losses(graph);
	chain = graph->chains[0];
	assert_int_equal(chain->stages[1].nr_rounds, 10);
	assert_int_equal(chain->stages[2].nr_rounds, 9);
	/* (900 + 920 + 930 + 940 + 900 + 910 + 920 + 930 + 940) / 9 */
	assert_true(fabs(chain->stages[0].bw / MIB - 8290.0 / 9) < 1e-6);
	assert_true(fabs(graph->losses[0]->bw + graph->losses[1]->bw -
			 (chain->stages[0].bw - 250 * MIB)) < 1);
}

static void the_factor_is_that_of_the_rounds_and_the_means_lie_in_their_intervals(void **state)
{
	HL_GRAPH struct hl_graph *graph = two_hops(2, 9);
	struct hl_rate *rate = graph->hops[1]->measurements[0]->dir[HL_DIR_READ];
	const struct hl_loss *loss;

	(void)state;
	((double *)rate->per_round)[4] = 1e5 * MIB; /* one wild round moves the mean only */
	rate->bw = 12000 * MIB;
	hl_model_losses(graph);
	loss = graph->losses[0];
	assert_true(loss->factor > 1.99 && loss->factor < 2.01);
	assert_true(loss->bw_low <= loss->bw && loss->bw <= loss->bw_high);
	assert_true(rate->bw_low <= rate->bw && rate->bw <= rate->bw_high);
}

/* What comes after the last look moves the means out of what was looked at. */
static void means_of_more_rounds_than_were_looked_at_stretch_the_interval(void **state)
{
	static const double later[] = { 1, 5000 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		HL_GRAPH struct hl_graph *graph = two_hops(2, 13);
		struct hl_rate *rate = graph->hops[1]->measurements[0]->dir[HL_DIR_READ];
		double sum = 0;

		for (size_t k = 0; k < 13; k++) {
			if (k >= 9)
				((double *)rate->per_round)[k] = later[i] * MIB;
			sum += rate->per_round[k];
		}
		rate->bw = sum / 13;
		hl_model_losses(graph);
		assert_true(rate->bw_low <= rate->bw && rate->bw <= rate->bw_high);
		assert_true(graph->losses[0]->bw_low <= graph->losses[0]->bw);
		assert_true(graph->losses[0]->bw <= graph->losses[0]->bw_high);
	}
}

/* One round in which the lower hop flew: the mean says gain, the others say nothing. */
static void one_round_makes_no_gain(void **state)
{
	HL_GRAPH struct hl_graph *graph = two_hops(1, 9);

	(void)state;
	((double *)graph->hops[1]->measurements[0]->dir[HL_DIR_READ]->per_round)[4] = 1e5 * MIB;
	hl_model_losses(graph);
	assert_true(graph->losses[0]->bw < -1000 * MIB);
	assert_true(graph->losses[0]->is_masked);
}

/* Two leaves of six tests each: together twelve would be too many for nine rounds. */
static void each_leaf_is_tested_for_itself(void **state)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f" };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_hop(graph, "raw", HL_LAYER_DRIVE, NULL);
	struct hl_hop *hops[3] = { drive, add_hop(graph, "one", HL_LAYER_VNIC, drive),
				   add_hop(graph, "two", HL_LAYER_VNIC, drive) };
	double rounds[9];

	(void)state;
	for (size_t h = 0; h < 3; h++) {
		for (size_t w = 0; w < 6; w++) {
			struct job_row row = { .name = names[w], .rw = HL_RW_READ, .iops = 1 };

			row.bs = 4096 * (double)(w + 1);
			row.iodepth = row.numjobs = 8;
			for (size_t r = 0; r < 9; r++)
				rounds[r] = (h ? 100 : 900) * MIB;
			set_rounds(graph, add_job(graph, hops[h], &row), rounds, NULL, 9);
		}
	}
	hl_model_losses(graph);
	assert_int_equal(graph->nr_losses, 12);
	for (size_t i = 0; i < 12; i++)
		assert_false(graph->losses[i]->is_masked);
}

static void a_loss_within_the_noise_of_the_same_hop_twice_is_masked(void **state)
{
	static const double again[] = { 0.7, 1.4 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		HL_GRAPH struct hl_graph *graph = two_hops(1.3, 9);
		struct hl_rate *rate = graph->hops[i]->measurements[0]->dir[HL_DIR_READ];
		double repeats[9];

		for (size_t k = 0; k < 9; k++)
			repeats[k] = rate->per_round[k] * again[i];
		rate->repeats = repeats;
		hl_model_losses(graph);
		assert_true(graph->losses[0]->is_masked);
		assert_true(graph->losses[0]->factor_low > 1.25);
	}
}

static void the_noise_is_the_hops_own_where_it_was_repeated_often_enough(void **state)
{
	HL_GRAPH struct hl_graph *graph = two_hops(1.3, 9);
	double quiet[9], wild[9];
	const struct hl_fact *fact;

	(void)state;
	for (size_t i = 0; i < 9; i++) {
		quiet[i] = graph->hops[1]->measurements[0]->dir[HL_DIR_READ]->per_round[i] * 1.01;
		wild[i] = 5 * quiet[i];
	}
	for (size_t i = 5; i < 9; i++)
		quiet[i] = NAN;
	graph->hops[0]->measurements[0]->dir[HL_DIR_READ]->repeats = wild;
	graph->hops[1]->measurements[0]->dir[HL_DIR_READ]->repeats = quiet;
	hl_model_losses(graph);
	assert_false(graph->losses[0]->is_masked);
	fact = hl_graph_find_fact(graph, "virtio/seq-read", "model.noise_pct");
	assert_string_equal(fact->source, "A/A, 5 repeats of this hop");
	assert_true(fabs(fact->number - (1 - 1 / 1.01) * 100) < 1e-6);
	quiet[4] = NAN;
	graph->nr_chains = graph->nr_losses = graph->nr_facts = 0;
	hl_model_losses(graph);
	assert_true(graph->losses[0]->is_masked);
	fact = hl_graph_find_fact(graph, "virtio/seq-read", "model.noise_pct");
	assert_string_equal(fact->source, "A/A, 13 repeats of all hops");
}

static void a_gain_is_told_too(void **state)
{
	HL_GRAPH struct hl_graph *graph = two_hops(0.5, 9);

	(void)state;
	hl_model_losses(graph);
	assert_false(graph->chains[0]->stages[1].is_named);
	assert_false(graph->losses[0]->is_masked);
	assert_true(graph->losses[0]->factor_high < 0.52);
}

/* 9 rounds: p is at best 1/512, so six tests are the most of which one can be named. */
static void many_workloads_need_more_rounds(void **state)
{
	static const struct path_row rows[] = {
		{ "drive", HL_LAYER_DRIVE, 900 },
		{ "vnic", HL_LAYER_VNIC, 90 },
	};
	struct simulation sim = { .rows = rows, .nr_hops = 2, .noise = 0.01 };
	struct drawn drawn;

	(void)state;
	for (sim.nr_workloads = 6; sim.nr_workloads <= 7; sim.nr_workloads++) {
		draw(&sim, &drawn);
		for (unsigned look = 9; look <= 14; look += 5) {
			HL_GRAPH struct hl_graph *graph = graph_after(&sim, &drawn, look);

			assert_int_equal(is_any_named(graph), sim.nr_workloads == 6 || look == 14);
		}
	}
}

static void a_measurement_of_an_experiment_is_no_part_of_a_path(void **state)
{
	HL_GRAPH struct hl_graph *graph = two_hops(2, 9);
	struct hl_measurement *at = graph->hops[0]->measurements[0];
	struct job_row small = { .name = "small", .rw = HL_RW_READ, .bs = 4096, .iops = 1000 };
	struct hl_fit fit;

	(void)state;
	small.iodepth = 32;
	small.numjobs = 1;
	add_job(graph, graph->hops[0], &small);
	assert_int_equal(hl_fit_hop(graph->hops[0], HL_DIR_READ, &fit), 0);
	at->experiment = "depth";
	hl_model_losses(graph);
	assert_int_equal(graph->nr_losses, 0);
	assert_null(hl_pair_find(graph->hops[0], at, HL_DIR_READ));
	assert_null(hl_pair_find(graph->hops[1], at, HL_DIR_READ));
	assert_int_not_equal(hl_fit_hop(graph->hops[0], HL_DIR_READ, &fit), 0);
}

static void a_datasheet_is_held_against_every_round(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = two_hops(2, 9);
	const struct hl_chain *chain;

	(void)state;
	graph->spec = spec;
	graph->drives = 1;
	hl_model_losses(graph);
	chain = graph->chains[0];
	assert_null(chain->stages[0].at);
	assert_int_equal(chain->stages[1].look, 9);
	assert_true(chain->stages[1].is_named && chain->stages[1].factor_low > 6);
	assert_true(chain->stages[2].is_named);
}

/* ---- simulated runs ---- */

static const struct path_row lossless[] = {
	{ "drive", HL_LAYER_DRIVE, 900 },
	{ "target", HL_LAYER_TARGET, 900 },
	{ "vnic", HL_LAYER_VNIC, 900 },
};

/* At which of the looks anything is named for the first time; HL_NR_LOOKS = at none. */
static int first_named(struct simulation *sim)
{
	static struct drawn drawn;

	draw(sim, &drawn);
	for (int look = 0; look < HL_NR_LOOKS; look++) {
		HL_GRAPH struct hl_graph *graph = graph_after(sim, &drawn, hl_looks[look]);

		if (is_any_named(graph))
			return look;
	}
	return HL_NR_LOOKS;
}

static void without_a_loss_one_run_in_twenty_names_a_layer_at_most(void **state)
{
	static const double noises[] = { 0.01, 0.05, 0.15, 0.4 };
	struct simulation sim = { .rows = lossless, .nr_hops = 3, .nr_workloads = 12, .state = 1 };
	unsigned nr_named = 0;

	(void)state;
	for (unsigned run = 0; run < NR_RUNS; run++) {
		sim.noise = noises[run % 4];
		sim.is_one_sided = run % 8 >= 4;
		nr_named += first_named(&sim) < HL_NR_LOOKS;
	}
	print_message("named without a loss: %u of %u runs\n", nr_named, NR_RUNS);
	assert_in_range(nr_named, 0, NR_RUNS / 20);
}

static const struct path_row halved[] = {
	{ "drive", HL_LAYER_DRIVE, 900 },
	{ "target", HL_LAYER_TARGET, 900 },
	{ "vnic", HL_LAYER_VNIC, 450 },
};

/* The vnic, which loses half, is named for that workload. */
static bool is_truth_named(const struct hl_graph *graph)
{
	const struct hl_stage *stage = &graph->chains[0]->stages[2];

	return stage->layers == 1U << HL_LAYER_VNIC && stage->is_named;
}

static void half_lost_at_15_percent_noise_is_named(void **state)
{
	struct simulation sim = { .rows = halved, .nr_hops = 3, .nr_workloads = 3, .state = 2 };
	unsigned named[HL_NR_LOOKS] = { 0 };
	static struct drawn drawn;

	(void)state;
	sim.noise = 0.15;
	for (unsigned run = 0; run < NR_RUNS; run++) {
		draw(&sim, &drawn);
		for (int look = 0; look < HL_NR_LOOKS; look++) {
			HL_GRAPH struct hl_graph *graph = graph_after(&sim, &drawn, hl_looks[look]);

			named[look] += is_truth_named(graph);
		}
	}
	print_message("half lost, noise 15 %%: named at 9 rounds %u, at 14 %u, at 20 %u of %u\n",
		      named[1], named[2], named[3], NR_RUNS);
	assert_int_equal(named[0], 0); /* six rounds name nothing */
	assert_in_range(named[3], NR_RUNS * 90 / 100, NR_RUNS);
}

static unsigned nr_covered(double noise, bool is_one_sided, uint64_t seed)
{
	struct simulation sim = {
		.rows = halved + 1, .nr_hops = 2, .nr_workloads = 1, .state = seed
	};
	unsigned covered = 0;
	static struct drawn drawn;

	sim.noise = noise;
	sim.is_one_sided = is_one_sided;
	for (unsigned run = 0; run < NR_RUNS; run++) {
		bool is_in_all = true;

		draw(&sim, &drawn);
		for (int look = 0; look < HL_NR_LOOKS; look++) {
			HL_GRAPH struct hl_graph *graph = graph_after(&sim, &drawn, hl_looks[look]);
			const struct hl_stage *stage = &graph->chains[0]->stages[1];

			is_in_all &= stage->factor_low <= 2 && stage->factor_high >= 2;
		}
		covered += is_in_all;
	}
	return covered;
}

static void the_truth_lies_in_the_interval_at_all_four_looks(void **state)
{
	static const double noises[] = { 0.01, 0.03, 0.05, 0.15, 0.40 };

	(void)state;
	for (unsigned i = 0; i < 10; i++) {
		unsigned covered = nr_covered(noises[i / 2], i % 2, 30 + i);

		print_message("noise %.0f %%%s: truth in all four intervals in %u of %u\n",
			      noises[i / 2] * 100, i % 2 ? ", one-sided" : "", covered, NR_RUNS);
		assert_in_range(covered, NR_RUNS * 94 / 100, NR_RUNS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_few_rounds_give_no_interval_and_six_name_nothing),
		cmocka_unit_test(what_comes_after_the_last_look_is_not_looked_at),
		cmocka_unit_test(rounds_are_paired_and_a_lost_one_is_left_out_everywhere),
		cmocka_unit_test(
			the_factor_is_that_of_the_rounds_and_the_means_lie_in_their_intervals),
		cmocka_unit_test(means_of_more_rounds_than_were_looked_at_stretch_the_interval),
		cmocka_unit_test(one_round_makes_no_gain),
		cmocka_unit_test(each_leaf_is_tested_for_itself),
		cmocka_unit_test(a_loss_within_the_noise_of_the_same_hop_twice_is_masked),
		cmocka_unit_test(the_noise_is_the_hops_own_where_it_was_repeated_often_enough),
		cmocka_unit_test(a_gain_is_told_too),
		cmocka_unit_test(many_workloads_need_more_rounds),
		cmocka_unit_test(a_measurement_of_an_experiment_is_no_part_of_a_path),
		cmocka_unit_test(a_datasheet_is_held_against_every_round),
		cmocka_unit_test(without_a_loss_one_run_in_twenty_names_a_layer_at_most),
		cmocka_unit_test(half_lost_at_15_percent_noise_is_named),
		cmocka_unit_test(the_truth_lies_in_the_interval_at_all_four_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
