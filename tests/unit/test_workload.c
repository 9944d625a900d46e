/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/layer.h"
#include "hoploss/workload.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void patterns_have_the_names_that_fio_gives_them(void **state)
{
	static const struct {
		const char *name;
		enum hl_rw rw;
		bool is_random, reads, writes;
	} cases[] = {
		{ "read", HL_RW_READ, false, true, false },
		{ "write", HL_RW_WRITE, false, false, true },
		{ "randread", HL_RW_RANDREAD, true, true, false },
		{ "randwrite", HL_RW_RANDWRITE, true, false, true },
		{ "rw", HL_RW_RW, false, true, true },
		{ "randrw", HL_RW_RANDRW, true, true, true },
		{ "trim", HL_RW_TRIM, false, false, false },
		{ "randtrim", HL_RW_RANDTRIM, true, false, false },
	};
	enum hl_rw rw;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(0, hl_rw_parse(cases[i].name, &rw));
		assert_int_equal(cases[i].rw, rw);
		assert_string_equal(cases[i].name, hl_rw_name(rw));
		assert_int_equal(cases[i].is_random, hl_rw_is_random(rw));
		assert_int_equal(cases[i].reads, hl_rw_reads(rw));
		assert_int_equal(cases[i].writes, hl_rw_writes(rw));
	}
	assert_int_equal(0, hl_rw_parse("readwrite", &rw));
	assert_int_equal(HL_RW_RW, rw);
	assert_null(hl_rw_name(HL_RW_UNKNOWN));
}

static void other_words_are_no_pattern(void **state)
{
	static const char *const words[] = { "", "READ", "reads", "randread ", "trimwrite" };
	enum hl_rw rw = HL_RW_TRIM;

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		assert_int_equal(-EINVAL, hl_rw_parse(words[i], &rw));
	assert_int_equal(HL_RW_TRIM, rw);
}

static void directions_and_layers_have_names(void **state)
{
	enum hl_layer layer = HL_LAYER_NONE;

	(void)state;
	for (int i = 0; i < HL_NR_DIRS; i++)
		assert_non_null(hl_dir_name(i));
	for (int i = HL_LAYER_NONE + 1; i < HL_NR_LAYERS; i++) {
		assert_int_equal(0, hl_layer_parse(hl_layer_name(i), &layer));
		assert_int_equal(i, layer);
	}
	assert_null(hl_layer_name(HL_LAYER_NONE));
	layer = HL_LAYER_WIRE;
	assert_int_equal(-EINVAL, hl_layer_parse("", &layer));
	assert_int_equal(-EINVAL, hl_layer_parse("cable", &layer));
	assert_int_equal(HL_LAYER_WIRE, layer);
}

static struct hl_workload typical(void)
{
	struct hl_workload workload;

	hl_workload_init(&workload);
	workload.rw = HL_RW_RANDREAD;
	workload.bs = 4096;
	workload.iodepth = 32;
	workload.numjobs = 4;
	return workload;
}

static void a_new_workload_knows_nothing(void **state)
{
	struct hl_workload workload;

	(void)state;
	hl_workload_init(&workload);
	assert_null(workload.name);
	assert_null(workload.engine);
	assert_int_equal(HL_RW_UNKNOWN, workload.rw);
	assert_int_equal(-1, workload.direct);
	assert_true(isnan(workload.bs) && isnan(workload.bs_write) && isnan(workload.size));
	assert_true(isnan(workload.runtime_s) && isnan(workload.rwmixread));
	assert_true(isnan(workload.fsync) && isnan(hl_workload_depth(&workload)));
}

static void depth_counts_all_jobs(void **state)
{
	struct hl_workload workload = typical();

	(void)state;
	assert_true(hl_workload_depth(&workload) == 128);
	workload.numjobs = NAN;
	assert_true(isnan(hl_workload_depth(&workload)));
}

static void jobs_of_the_same_kind_may_be_compared(void **state)
{
	struct hl_workload a = typical(), b = typical();

	(void)state;
	b.name = "another name";
	b.engine = "psync";
	b.size = 1e9;
	b.runtime_s = 30;
	assert_true(hl_workload_is_same(&a, &b));
	a.rwmixread = 70;
	assert_true(hl_workload_is_same(&a, &b));
	b.rwmixread = 50;
	assert_false(hl_workload_is_same(&a, &b));
}

static void jobs_of_another_kind_may_not(void **state)
{
	struct hl_workload a = typical();

	(void)state;
	for (int i = 0; i < 5; i++) {
		struct hl_workload b = typical();

		b.rw = i == 0 ? HL_RW_READ : b.rw;
		b.bs = i == 1 ? 8192 : b.bs;
		b.bs_write = i == 2 ? 8192 : b.bs_write;
		b.iodepth = i == 3 ? NAN : b.iodepth;
		b.numjobs = i == 4 ? 1 : b.numjobs;
		assert_false(hl_workload_is_same(&a, &b));
		assert_false(hl_workload_is_same(&b, &a));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_have_the_names_that_fio_gives_them),
		cmocka_unit_test(other_words_are_no_pattern),
		cmocka_unit_test(directions_and_layers_have_names),
		cmocka_unit_test(a_new_workload_knows_nothing),
		cmocka_unit_test(depth_counts_all_jobs),
		cmocka_unit_test(jobs_of_the_same_kind_may_be_compared),
		cmocka_unit_test(jobs_of_another_kind_may_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
