/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The latency histogram against sorted values.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/hist.h"
#include <math.h>
#include <stdlib.h>

#define NR_VALUES 20000

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t by_rank(const uint64_t *sorted, size_t nr, double pct)
{
	size_t rank = (size_t)ceil(pct / 100 * (double)nr);

	return sorted[rank ? rank - 1 : 0];
}

static void empty_histogram_knows_nothing(void **unused)
{
	struct hl_hist *hist = hl_hist_new();
	struct hl_latency latency;
	size_t cursor = 0;
	uint64_t low, high, count;

	(void)unused;
	hl_hist_latency(hist, &latency);
	assert_true(isnan(latency.mean) && isnan(latency.min) && isnan(latency.max));
	assert_true(isnan(latency.p99) && isnan(latency.stddev));
	assert_false(hl_hist_next(hist, &cursor, &low, &high, &count));
	hl_hist_free(hist);
}

static void percentiles_of_few_values_are_those_values(void **unused)
{
	struct hl_hist *hist = hl_hist_new();

	(void)unused;
	for (uint64_t ns = 10; ns <= 40; ns += 10)
		hl_hist_record(hist, ns);
	assert_true(hl_hist_percentile(hist, 1) == 10);
	assert_true(hl_hist_percentile(hist, 25) == 10);
	assert_true(hl_hist_percentile(hist, 25.1) == 20);
	assert_true(hl_hist_percentile(hist, 50) == 20);
	assert_true(hl_hist_percentile(hist, 99.99) == 40);
	assert_true(hl_hist_percentile(hist, 100) == 40);
	hl_hist_free(hist);
}

static void ranks_are_right_where_a_percentage_has_no_exact_double(void **unused)
{
	(void)unused;
	for (uint64_t thousands = 1; thousands <= 100; thousands++) {
		struct hl_hist *hist = hl_hist_new();

		hl_hist_add(hist, 1, thousands * 999);
		hl_hist_add(hist, 2, thousands);
		assert_true(hl_hist_percentile(hist, 99.9) == 1);
		assert_true(hl_hist_percentile(hist, 99.91) == 2);
		hl_hist_free(hist);
	}
}

static void one_large_value_is_exact(void **unused)
{
	struct hl_hist *hist = hl_hist_new();

	(void)unused;
	hl_hist_record(hist, 123456789);
	assert_true(hl_hist_percentile(hist, 50) == 123456789);
	hl_hist_free(hist);
}

static void error_is_at_most_one_in_64_over_the_whole_range(void **unused)
{
	const double pcts[] = { 1, 50, 90, 99, 99.9, 99.99 };
	uint64_t *values = malloc(NR_VALUES * sizeof(*values));
	struct hl_hist *hist = hl_hist_new();

	(void)unused;
	srand48(3);
	for (size_t i = 0; i < NR_VALUES; i++) {
		values[i] = (uint64_t)exp(drand48() * log(9e13)); /* 1 ns to 25 h */
		hl_hist_record(hist, values[i]);
	}
	qsort(values, NR_VALUES, sizeof(*values), compare);
	for (size_t i = 0; i < sizeof(pcts) / sizeof(*pcts); i++) {
		double right = (double)by_rank(values, NR_VALUES, pcts[i]);

		assert_true(fabs(hl_hist_percentile(hist, pcts[i]) / right - 1) <= 1.0 / 64);
	}
	hl_hist_free(hist);
	free(values);
}

static void merged_parts_equal_the_whole(void **unused)
{
	struct hl_hist *whole = hl_hist_new(), *parts[2] = { hl_hist_new(), hl_hist_new() };
	struct hl_latency a, b;

	(void)unused;
	srand48(9);
	for (int i = 0; i < 5000; i++) {
		uint64_t ns = (uint64_t)(drand48() * 1e7);

		hl_hist_record(whole, ns);
		hl_hist_record(parts[i % 3 == 0], ns);
	}
	hl_hist_merge(parts[0], parts[1]);
	hl_hist_latency(whole, &a);
	hl_hist_latency(parts[0], &b);
	assert_float_equal(a.mean / b.mean, 1, 1e-12);
	assert_float_equal(a.stddev / b.stddev, 1, 1e-9);
	assert_true(a.min == b.min && a.max == b.max && a.p50 == b.p50 && a.p99_9 == b.p99_9);
	assert_int_equal(hl_hist_count(parts[0]), 5000);
	hl_hist_merge(parts[1], parts[0]); /* into one that is not empty */
	hl_hist_free(whole);
	hl_hist_free(parts[0]);
	hl_hist_free(parts[1]);
}

static void values_beyond_the_range_are_counted_there_and_max_is_exact(void **unused)
{
	struct hl_hist *hist = hl_hist_new();
	struct hl_latency latency;

	(void)unused;
	hl_hist_record(hist, UINT64_C(1) << 60);
	hl_hist_latency(hist, &latency);
	assert_true(latency.max == (double)(UINT64_C(1) << 60));
	assert_int_equal(hl_hist_count(hist), 1);
	hl_hist_free(hist);
}

static void buckets_hold_what_was_recorded_and_do_not_overlap(void **unused)
{
	struct hl_hist *hist = hl_hist_new();
	uint64_t low, high, count, last_high = 0, sum = 0;
	size_t cursor = 0;

	(void)unused;
	for (uint64_t ns = 1; ns < UINT64_C(1) << 46; ns = ns * 9 / 8 + 1)
		hl_hist_record(hist, ns);
	while (hl_hist_next(hist, &cursor, &low, &high, &count)) {
		assert_true(low > last_high && high >= low);
		last_high = high;
		sum += count;
	}
	assert_int_equal(sum, hl_hist_count(hist));
	hl_hist_free(hist);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_histogram_knows_nothing),
		cmocka_unit_test(percentiles_of_few_values_are_those_values),
		cmocka_unit_test(ranks_are_right_where_a_percentage_has_no_exact_double),
		cmocka_unit_test(one_large_value_is_exact),
		cmocka_unit_test(error_is_at_most_one_in_64_over_the_whole_range),
		cmocka_unit_test(merged_parts_equal_the_whole),
		cmocka_unit_test(values_beyond_the_range_are_counted_there_and_max_is_exact),
		cmocka_unit_test(buckets_hold_what_was_recorded_and_do_not_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
