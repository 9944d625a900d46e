/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/rank.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void the_interval_is_that_of_the_tables(void **state)
{
	/* Hollander et al., table A.6: with 5 and 5, P(U <= 2) = 0.0159 and P(U <= 3) = 0.0278 */
	static const double a[] = { 1, 2, 3, 4, 5 };
	static const double b[] = { 11.01, 12.03, 13.07, 14.13, 15.21 };
	struct hl_interval at_2 = hl_rank_shift(a, 5, b, 5, 0.025);
	struct hl_interval at_3 = hl_rank_shift(a, 5, b, 5, 0.028);

	(void)state;
	/* differences in order: 6.01 7.01 7.03 8.01 … : the third and the fourth bound it */
	assert_true(fabs(at_2.low - 7.03) < 1e-9);
	assert_true(fabs(at_3.low - 8.01) < 1e-9);
	assert_true(fabs(at_2.high - 13.13) < 1e-9);
}

static void few_values_give_the_range_and_none_give_nothing(void **state)
{
	static const double a[] = { 1 }, b[] = { 3, 5 };
	struct hl_interval interval = hl_rank_shift(a, 1, b, 2, 0.025);

	(void)state;
	assert_true(interval.low == 2 && interval.high == 4 && interval.mid == 3);
	assert_true(isnan(hl_rank_shift(a, 0, b, 2, 0.025).mid));
}

static double noise(unsigned *seed)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += rand_r(seed) / (double)RAND_MAX;
	return sum - 6;
}

static void the_truth_lies_in_it_in_95_of_100_runs(void **state)
{
	static const size_t sizes[][2] = { { 6, 6 }, { 9, 14 }, { 20, 20 } };
	unsigned seed = 1;

	(void)state;
	for (size_t s = 0; s < 3; s++) {
		unsigned nr_inside = 0;

		for (int run = 0; run < 2000; run++) {
			double a[20], b[20];
			struct hl_interval interval;

			for (size_t i = 0; i < sizes[s][0]; i++)
				a[i] = noise(&seed);
			for (size_t i = 0; i < sizes[s][1]; i++)
				b[i] = 0.7 + noise(&seed);
			interval = hl_rank_shift(a, sizes[s][0], b, sizes[s][1], 0.025);
			nr_inside += interval.low <= 0.7 && interval.high >= 0.7;
		}
		if (nr_inside < 1880 || nr_inside > 1980)
			fail_msg("%zu and %zu: %u of 2000", sizes[s][0], sizes[s][1], nr_inside);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_interval_is_that_of_the_tables),
		cmocka_unit_test(few_values_give_the_range_and_none_give_nothing),
		cmocka_unit_test(the_truth_lies_in_it_in_95_of_100_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
