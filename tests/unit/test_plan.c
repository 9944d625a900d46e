/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans: order, repeats, and parts that do not overlap, by arithmetic and as engines see them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/alloc.h"
#include "hoploss/engine.h"
#include "hoploss/plan.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIB       (1024.0 * 1024 * 1024)
#define NR_ROUNDS 20

static struct hl_path_hop hops[] = {
	{ .name = "a" }, { .name = "b" }, { .name = "sheet" }, { .name = "c" }
};
static const struct hl_path path = { .hops = hops, .nr_hops = 4 };
static const double sizes[] = { 64 * GIB, 64 * GIB, NAN, 64 * GIB };
static struct hl_workload workloads[2];

static struct hl_plan plan_of(const double *hop_sizes)
{
	for (int i = 0; i < 2; i++) {
		hl_workload_init(&workloads[i]);
		workloads[i].rw = i ? HL_RW_RANDREAD : HL_RW_READ;
		workloads[i].bs = i ? 4096 : 131072;
		workloads[i].iodepth = 1;
		workloads[i].numjobs = 2;
	}
	return (struct hl_plan){
		.path = &path,
		.workloads = workloads,
		.nr_workloads = 2,
		.sizes = hop_sizes,
		.nr_rounds = NR_ROUNDS,
		.warmup = 0.2,
		.seconds = 1,
		.seed = 1234567,
	};
}

static void each_round_visits_each_hop_once_and_one_hop_twice(void **unused)
{
	struct hl_plan plan = plan_of(sizes);
	struct hl_plan_slot slots[8];
	unsigned twice[4] = { 0 };

	(void)unused;
	assert_int_equal(hl_plan_nr_slots(&plan), 8);
	assert_float_equal(hl_plan_round_seconds(&plan), 9.6, 1e-9);
	for (unsigned round = 1; round <= 9; round++) {
		unsigned visits[4] = { 0 }, repeats[4] = { 0 };

		hl_plan_round(&plan, round, slots);
		for (int i = 0; i < 8; i++) {
			assert_int_equal(slots[i].round, round);
			assert_int_equal(slots[i].workload, i % 2);
			visits[slots[i].hop]++;
			repeats[slots[i].hop] += slots[i].is_repeat;
		}
		assert_int_equal(visits[2], 0);
		for (int hop = 0; hop < 4; hop++) {
			assert_int_equal(visits[hop], hop == 2 ? 0 : 2 + repeats[hop]);
			twice[hop] += repeats[hop] / 2;
		}
	}
	assert_int_equal(twice[0], 3);
	assert_int_equal(twice[1], 3);
	assert_int_equal(twice[3], 3);
}

static void order_differs_between_rounds_and_is_the_seeds(void **unused)
{
	struct hl_plan plan = plan_of(sizes);
	struct hl_plan_slot a[8], b[8];
	unsigned first[4] = { 0 };

	(void)unused;
	for (unsigned round = 1; round <= 200; round++) {
		hl_plan_round(&plan, round, a);
		hl_plan_round(&plan, round, b);
		for (int i = 0; i < 8; i++) {
			assert_int_equal(a[i].hop, b[i].hop);
			assert_int_equal(a[i].offset, b[i].offset);
			assert_int_equal(a[i].seed, b[i].seed);
		}
		first[a[0].hop]++;
	}
	/* each comes first about as often as any other: 50 of 200, and 17 for each repeat */
	assert_in_range(first[0], 40, 95);
	assert_in_range(first[1], 40, 95);
	assert_in_range(first[3], 40, 95);
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (x[0] > y[0]) - (x[0] < y[0]);
}

/* Every (offset, length) that engines ask for over 20 rounds, slots of one another apart. */
static void null_engine_sees_no_overlap_over_20_rounds(void **unused)
{
	struct hl_plan plan = plan_of(sizes);
	uint64_t(*ranges)[2] = malloc(sizeof(uint64_t[2]) * 8 * NR_ROUNDS);
	size_t nr = 0;

	(void)unused;
	assert_true(hl_plan_is_disjoint(&plan, 0));
	for (unsigned round = 1; round <= NR_ROUNDS; round++) {
		struct hl_plan_slot slots[8];

		hl_plan_round(&plan, round, slots);
		for (int i = 0; i < 8; i++) {
			FILE *log = tmpfile();
			struct hl_job job = {
				.workload = workloads[slots[i].workload],
				.target = "null",
				.offset = slots[i].offset,
				.length = slots[i].length,
				.seed = slots[i].seed,
				.seconds = 0.0005,
				.log_fd = fileno(log),
			};
			struct hl_slot slot;
			uint64_t pair[2], low = UINT64_MAX, high = 0;

			assert_int_equal(hl_slot_run(hl_engine_find("null"), &job, 5, NULL, NULL,
						     &slot, NULL),
					 0);
			hl_slot_free(&slot);
			rewind(log);
			while (fread(pair, sizeof(pair), 1, log) == 1) {
				low = pair[0] < low ? pair[0] : low;
				high = pair[0] + pair[1] > high ? pair[0] + pair[1] : high;
			}
			fclose(log);
			assert_true(high > low && high <= 64 * GIB);
			ranges[nr][0] = low;
			ranges[nr++][1] = high;
			assert_false(slots[i].is_reused);
		}
	}
	qsort(ranges, nr, sizeof(*ranges), compare);
	for (size_t i = 1; i < nr; i++)
		assert_true(ranges[i][0] >= ranges[i - 1][1]);
	free(ranges);
}

static void medium_too_small_is_reused_and_said_so(void **unused)
{
	const double small[] = { 64e6, 64e6, NAN, 64e6 };
	struct hl_plan plan = plan_of(small);
	struct hl_plan_slot slots[8];

	(void)unused;
	assert_false(hl_plan_is_disjoint(&plan, 0));
	hl_plan_round(&plan, 1, slots);
	assert_false(slots[0].is_reused);
	hl_plan_round(&plan, NR_ROUNDS, slots);
	for (int i = 0; i < 8; i++) {
		assert_true(slots[i].is_reused);
		assert_true(slots[i].offset + slots[i].length <= 64000000);
	}
}

static void no_hop_that_can_be_measured_is_no_slot(void **unused)
{
	const double none[] = { NAN, NAN, NAN, NAN };
	struct hl_plan plan = plan_of(none);
	struct hl_plan_slot slot;

	(void)unused;
	assert_int_equal(hl_plan_nr_slots(&plan), 0);
	hl_plan_round(&plan, 1, &slot);
}

static void parts_lie_inside_offset_and_size(void **unused)
{
	struct hl_plan plan = plan_of(sizes);
	struct hl_plan_slot slots[8];

	(void)unused;
	workloads[0].offset = workloads[1].offset = 2 * GIB;
	workloads[0].size = workloads[1].size = GIB;
	assert_true(hl_plan_is_disjoint(&plan, 0));
	for (unsigned round = 1; round <= NR_ROUNDS; round++) {
		hl_plan_round(&plan, round, slots);
		for (int i = 0; i < 8; i++) {
			assert_true(slots[i].offset >= 2 * GIB);
			assert_true(slots[i].offset + slots[i].length <= 3 * GIB);
			assert_true(slots[i].length > 0);
			assert_false(slots[i].is_reused);
		}
	}
}

static void a_region_ends_where_the_target_does(void **unused)
{
	struct hl_plan plan = plan_of(sizes);
	struct hl_plan_slot slots[8];

	(void)unused;
	workloads[0].offset_pct = 75;
	workloads[0].size = 100 * GIB;
	workloads[1].offset = 65 * GIB;              /* beyond it */
	assert_false(hl_plan_is_disjoint(&plan, 0)); /* two regions may overlap */
	hl_plan_round(&plan, 1, slots);
	for (int i = 0; i < 8; i += 2) {
		assert_true(slots[i].offset >= 48 * GIB);
		assert_true(slots[i].offset + slots[i].length <= 64 * GIB);
		assert_true(slots[i + 1].length == 0);
	}
}

static void a_ramp_time_is_warm_up_within_limits(void **unused)
{
	struct hl_plan plan = plan_of(sizes);

	(void)unused;
	plan.longest_warmup = 1.5;
	workloads[0].ramp_s = 2;
	workloads[1].ramp_s = 0.1;
	assert_float_equal(hl_plan_warmup(&plan, 0), 1.5, 1e-9);
	assert_float_equal(hl_plan_warmup(&plan, 1), 0.2, 1e-9);
	assert_float_equal(hl_plan_round_seconds(&plan), 4 * (2.5 + 1.2), 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_round_visits_each_hop_once_and_one_hop_twice),
		cmocka_unit_test(order_differs_between_rounds_and_is_the_seeds),
		cmocka_unit_test(null_engine_sees_no_overlap_over_20_rounds),
		cmocka_unit_test(medium_too_small_is_reused_and_said_so),
		cmocka_unit_test(no_hop_that_can_be_measured_is_no_slot),
		cmocka_unit_test(parts_lie_inside_offset_and_size),
		cmocka_unit_test(a_region_ends_where_the_target_does),
		cmocka_unit_test(a_ramp_time_is_warm_up_within_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
