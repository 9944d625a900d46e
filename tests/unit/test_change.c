/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is said of a figure in two states whose truth is known: simulated many times over, for a
 * verdict is right or wrong only as often as it is.
 */
#include "hoploss/comparison.h"
#include "rounds_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define NR_SEEDS      60
#define MOST_MEASURED 64

struct counts {
	double of[4]; /* by enum hl_change_state, in percent */
};

static struct hl_graph *state_of(double mib_per_s, double noise, unsigned nr, uint64_t seed)
{
	struct simulation sim = { .noise = noise, .state = seed };
	struct hl_graph *graph = hl_graph_new();
	const struct job_row row = {
		.name = "w", .rw = HL_RW_READ, .bs = 4096, .iodepth = 32, .numjobs = 1, .iops = 1
	};
	struct hl_hop *hop = add_hop(graph, "raw", HL_LAYER_DRIVE, NULL);
	double rounds[MOST_MEASURED];

	for (unsigned i = 0; i < nr; i++)
		rounds[i] = next_bw(&sim, mib_per_s);
	set_rounds(graph, add_job(graph, hop, &row), rounds, NULL, nr);
	return graph;
}

static struct counts count(double factor, double noise, unsigned nr)
{
	struct counts counts = { 0 };

	for (uint64_t seed = 1; seed <= NR_SEEDS; seed++) {
		HL_GRAPH struct hl_graph *before = state_of(1000, noise, nr, seed);
		HL_GRAPH struct hl_graph *after = state_of(1000 * factor, noise, nr, seed << 32);
		const struct hl_compared states[] = { { "before", before, NULL },
						      { "after", after, NULL } };
		HL_COMPARISON struct hl_comparison *comparison = NULL;

		assert_int_equal(0, hl_comparison_make(states, 2, NULL, 0, &comparison, NULL));
		for (size_t i = 0; i < comparison->nr_changes; i++)
			counts.of[comparison->changes[i].state] += 100.0 / NR_SEEDS /
								   (double)comparison->nr_changes;
	}
	return counts;
}

static void a_verdict_is_as_often_right_as_it_is_said_to_be(void **state)
{
	static const struct {
		double factor, noise;
		unsigned nr;
		enum hl_change_state expected;
		double least_pct;
	} cases[] = {
		/* a quiet hop */
		{ 1.00, 0.03, 9, HL_CHANGE_SAME, 98 },
		{ 0.85, 0.03, 9, HL_CHANGE_WORSE, 98 },
		/* one that scatters: few rounds tell nothing, many do */
		{ 1.00, 0.18, 9, HL_CHANGE_UNCLEAR, 50 },
		{ 1.00, 0.18, 48, HL_CHANGE_SAME, 95 },
		{ 0.80, 0.18, 64, HL_CHANGE_WORSE, 95 },
		{ 1.25, 0.18, 64, HL_CHANGE_BETTER, 95 },
		/* so wild that only the limit of what may be called the same holds it back */
		{ 1.00, 0.60, 64, HL_CHANGE_UNCLEAR, 40 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct counts got = count(cases[i].factor, cases[i].noise, cases[i].nr);

		if (got.of[cases[i].expected] < cases[i].least_pct)
			fail_msg("case %zu: state %d in %.0f %%", i, (int)cases[i].expected,
				 got.of[cases[i].expected]);
	}
}

static void what_differs_is_seldom_called_the_same_and_the_same_never_changed(void **state)
{
	static const unsigned rounds[] = { 9, 20, 64 };
	static const double noises[] = { 0.03, 0.10, 0.20 };

	(void)state;
	for (size_t i = 0; i < sizeof(rounds) / sizeof(*rounds); i++) {
		for (size_t k = 0; k < sizeof(noises) / sizeof(*noises); k++) {
			struct counts equal = count(1, noises[k], rounds[i]);
			struct counts less = count(0.75, noises[k], rounds[i]);

			if (equal.of[HL_CHANGE_BETTER] + equal.of[HL_CHANGE_WORSE] > 7 ||
			    less.of[HL_CHANGE_SAME] > 7)
				fail_msg("%u rounds, noise %.2f: %.1f %% and %.1f %%", rounds[i],
					 noises[k],
					 equal.of[HL_CHANGE_BETTER] + equal.of[HL_CHANGE_WORSE],
					 less.of[HL_CHANGE_SAME]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_verdict_is_as_often_right_as_it_is_said_to_be),
		cmocka_unit_test(what_differs_is_seldom_called_the_same_and_the_same_never_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
