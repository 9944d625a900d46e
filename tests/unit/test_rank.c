/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signed-rank statistics against tables, against counting by hand, and on simulated rounds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/rank.h"
#include <math.h>
#include <stdlib.h>

#define NR_RUNS 2000

static uint64_t state;

static double uniform(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

static double gauss(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

static void six_equal_signs_have_p_of_one_in_64(void **unused)
{
	const double d[] = { 0.3, 0.1, 0.2, 0.5, 0.4, 0.6 };

	(void)unused;
	assert_float_equal(hl_rank_p_above(d, 6, 0), 1.0 / 64, 1e-12);
}

/* Hollander & Wolfe, table A.4: P(T+ >= 40) = .020 for n = 9, P(T+ >= 84) = .025 for n = 14. */
static void tail_probabilities_are_those_of_the_tables(void **unused)
{
	double nine[] = { 1, 2, 3, 4, -5, 6, 7, 8, 9 };
	double fourteen[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, -10, -11, 12, 13, 14 };

	(void)unused;
	assert_float_equal(hl_rank_p_above(nine, 9, 0), 0.0195, 5e-4);
	assert_float_equal(hl_rank_p_above(fourteen, 14, 0), 0.0247, 5e-4);
}

/* The same probability by trying all 2^n signs. */
static double p_by_counting(const double *d, size_t nr)
{
	double ranks[16], seen = 0;
	unsigned hits = 0;

	for (size_t i = 0; i < nr; i++) {
		double below = 0, equal = 0;

		for (size_t j = 0; j < nr; j++) {
			below += fabs(d[j]) < fabs(d[i]);
			equal += fabs(d[j]) == fabs(d[i]);
		}
		ranks[i] = below + (equal + 1) / 2;
		seen += d[i] > 0 ? ranks[i] : 0;
	}
	for (unsigned signs = 0; signs < 1u << nr; signs++) {
		double sum = 0;

		for (size_t i = 0; i < nr; i++)
			sum += signs & 1u << i ? ranks[i] : 0;
		hits += sum >= seen - 1e-9;
	}
	return hits / (double)(1u << nr);
}

static void p_equals_counting_all_signs_with_ties(void **unused)
{
	(void)unused;
	state = 7;
	for (int run = 0; run < 50; run++) {
		size_t nr = 3 + (size_t)(uniform() * 9);
		double d[12];

		for (size_t i = 0; i < nr; i++)
			d[i] = (floor(uniform() * 6) + 1) * (uniform() < 0.3 ? -1 : 1);
		assert_float_equal(hl_rank_p_above(d, nr, 0), p_by_counting(d, nr), 1e-9);
	}
}

static void values_equal_to_the_bound_say_nothing(void **unused)
{
	const double d[] = { 0.5, 0.5, 0.5 };
	const double mixed[] = { 0.5, 0.6, 0.7, 0.2 }; /* +0.1 +0.2 -0.3: P(T >= 1 + 2) = 5/8 */

	(void)unused;
	assert_float_equal(hl_rank_p_above(d, 3, 0.5), 1, 0);
	assert_float_equal(hl_rank_p_above(mixed, 4, 0.5), 0.625, 1e-12);
}

static void estimate_is_the_median_of_the_walsh_averages(void **unused)
{
	const double d[] = { 1, 2, 10 }; /* 1 1.5 2 5.5 6 10 */
	struct hl_interval interval = hl_rank_interval(d, 3, 0.3);

	(void)unused;
	assert_float_equal(interval.mid, 3.75, 1e-12);
	/* P(T <= 0) = 1/8, P(T <= 1) = 1/4: two may be cut, so the second average is the bound */
	assert_float_equal(interval.low, 1.5, 1e-12);
	assert_float_equal(interval.high, 6, 1e-12);
}

static void no_round_gives_no_interval(void **unused)
{
	(void)unused;
	assert_true(isnan(hl_rank_interval(NULL, 0, 0.05).mid));
	assert_true(isnan(hl_rank_noise(NULL, 0)));
}

static void holm_multiplies_by_what_is_left_and_never_falls(void **unused)
{
	double p[] = { 0.04, 0.001, 0.03, 0.5 };

	(void)unused;
	hl_rank_holm(p, 4);
	assert_float_equal(p[1], 0.004, 1e-12);
	assert_float_equal(p[2], 0.09, 1e-12);
	assert_float_equal(p[0], 0.09, 1e-12);
	assert_float_equal(p[3], 0.5, 1e-12);
}

static void holm_takes_a_p_of_zero(void **unused)
{
	double p[] = { 0, 0, 0.2 };

	(void)unused;
	hl_rank_holm(p, 3);
	assert_float_equal(p[0], 0, 0);
	assert_float_equal(p[1], 0, 0);
	assert_float_equal(p[2], 0.2, 1e-12);
}

/* Log ratio of parent and child in one round, both with noise of their own. */
static double noisy_ratio(double truth, double noise, bool is_one_sided)
{
	double a = gauss() * noise, b = gauss() * noise;

	return truth + (is_one_sided ? fabs(a) - fabs(b) : a - b);
}

static unsigned nr_covered(double noise, bool is_one_sided)
{
	unsigned covered = 0;

	for (int run = 0; run < NR_RUNS; run++) {
		double d[20];
		bool is_in_all = true;

		for (int i = 0; i < 20; i++)
			d[i] = noisy_ratio(0.4, noise, is_one_sided);
		for (int look = 0; look < HL_NR_LOOKS; look++) {
			struct hl_interval interval = hl_rank_interval(d, hl_looks[look],
								       HL_LOOK_TAIL);

			is_in_all &= interval.low <= 0.4 && interval.high >= 0.4;
		}
		covered += is_in_all;
	}
	return covered;
}

static void truth_lies_in_the_interval_at_all_four_looks(void **unused)
{
	const double noises[] = { 0.01, 0.03, 0.05, 0.15, 0.40 };

	(void)unused;
	state = 20;
	for (size_t i = 0; i < sizeof(noises) / sizeof(*noises); i++) {
		assert_in_range(nr_covered(noises[i], false), NR_RUNS * 94 / 100, NR_RUNS);
		assert_in_range(nr_covered(noises[i], true), NR_RUNS * 94 / 100, NR_RUNS);
	}
}

static void more_tests_together_need_more_rounds(void **unused)
{
	(void)unused;
	assert_int_equal(hl_rank_first_look(1), 9); /* 1/64 is above the level */
	assert_int_equal(hl_rank_first_look(6), 9);
	assert_int_equal(hl_rank_first_look(7), 14);
	assert_int_equal(hl_rank_first_look(204), 14);
	assert_int_equal(hl_rank_first_look(205), 20);
	assert_int_equal(hl_rank_first_look(20000), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(six_equal_signs_have_p_of_one_in_64),
		cmocka_unit_test(tail_probabilities_are_those_of_the_tables),
		cmocka_unit_test(p_equals_counting_all_signs_with_ties),
		cmocka_unit_test(values_equal_to_the_bound_say_nothing),
		cmocka_unit_test(estimate_is_the_median_of_the_walsh_averages),
		cmocka_unit_test(no_round_gives_no_interval),
		cmocka_unit_test(holm_multiplies_by_what_is_left_and_never_falls),
		cmocka_unit_test(holm_takes_a_p_of_zero),
		cmocka_unit_test(more_tests_together_need_more_rounds),
		cmocka_unit_test(truth_lies_in_the_interval_at_all_four_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
