/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The SNIA steady-state rule: the published example, its limits, and an independent computation.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/steady.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

static void example_of_the_specification_is_steady(void **unused)
{
	const double values[] = { 228.90, 240.21, 240.60, 240.71, 240.71 };
	struct hl_steady steady;

	(void)unused;
	assert_int_equal(hl_steady_judge(values, 5, &steady), 0);
	assert_float_equal(steady.average, 238.226, 1e-3);
	assert_float_equal(steady.range_pct, 4.9575, 1e-3);
	assert_float_equal(steady.excursion_pct, 4.0499, 1e-4);
	assert_true(steady.is_steady);
}

static void only_the_last_five_count(void **unused)
{
	const double values[] = { 1, 900, 100, 100, 100, 100, 100 };
	struct hl_steady steady;

	(void)unused;
	assert_int_equal(hl_steady_judge(values, 7, &steady), 0);
	assert_true(steady.is_steady);
	assert_int_equal(hl_steady_judge(values, 6, &steady), 0);
	assert_false(steady.is_steady);
}

static void range_alone_and_slope_alone_can_fail(void **unused)
{
	const double wide[] = { 100, 121, 100, 121, 100 }; /* no slope */
	const double sloped[] = { 94, 97, 100, 103, 106 }; /* range 12 %, excursion 12 % */
	struct hl_steady steady;

	(void)unused;
	assert_int_equal(hl_steady_judge(wide, 5, &steady), 0);
	assert_float_equal(steady.excursion_pct, 0, 1e-9);
	assert_true(steady.range_pct < 20 && steady.is_steady);
	assert_int_equal(hl_steady_judge(sloped, 5, &steady), 0);
	assert_float_equal(steady.excursion_pct, 12, 1e-9);
	assert_false(steady.is_steady);
}

static void four_values_or_zeros_are_no_series(void **unused)
{
	const double zeros[] = { 0, 0, 0, 0, 0 };
	struct hl_steady steady;

	(void)unused;
	assert_int_equal(hl_steady_judge(zeros, 4, &steady), -ENODATA);
	assert_int_equal(hl_steady_judge(zeros, 5, &steady), -ENODATA);
}

/* The same rule by the textbook normal equations instead of the centred sum. */
static bool is_steady_by_normal_equations(const double *y)
{
	double sx = 0, sy = 0, sxx = 0, sxy = 0, low = y[0], high = y[0], slope;

	for (int x = 1; x <= 5; x++) {
		double v = y[x - 1];

		sx += x;
		sy += v;
		sxx += x * x;
		sxy += x * v;
		low = v < low ? v : low;
		high = v > high ? v : high;
	}
	slope = (5 * sxy - sx * sy) / (5 * sxx - sx * sx);
	return high - low <= 0.2 * sy / 5 && fabs(slope * 4) <= 0.1 * sy / 5;
}

static void ten_thousand_random_series_agree_with_an_independent_computation(void **unused)
{
	unsigned nr_steady = 0;

	(void)unused;
	srand48(5);
	for (int run = 0; run < 10000; run++) {
		double values[5], spread = drand48() * 40, drift = (drand48() - 0.5) * 8;
		struct hl_steady steady;

		for (int i = 0; i < 5; i++)
			values[i] = 100 + (drand48() - 0.5) * spread + drift * i;
		assert_int_equal(hl_steady_judge(values, 5, &steady), 0);
		assert_int_equal(steady.is_steady, is_steady_by_normal_equations(values));
		nr_steady += steady.is_steady;
	}
	assert_in_range(nr_steady, 2000, 8000); /* both answers occur */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(example_of_the_specification_is_steady),
		cmocka_unit_test(only_the_last_five_count),
		cmocka_unit_test(range_alone_and_slope_alone_can_fail),
		cmocka_unit_test(four_values_or_zeros_are_no_series),
		cmocka_unit_test(ten_thousand_random_series_agree_with_an_independent_computation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
