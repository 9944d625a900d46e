/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/fio_options.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

static void sizes_are_those_of_fio(void **state)
{
	static const struct {
		const char *text;
		double bytes; /* NAN: none */
	} cases[] = {
		{ "4096", 4096 },  { "4k", 4096 },       { "4K", 4096 },
		{ "4kb", 4096 },   { "4kib", 4000 },     { "4KiB", 4000 },
		{ "1m", 1048576 }, { "2g", 2147483648 }, { "1t", 1099511627776 },
		{ "512b", 512 },   { "0", 0 },           { "", NAN },
		{ "k", NAN },      { "4x", NAN },        { "4kk", NAN },
		{ "10%", NAN },    { "4k-8k", NAN },     { "-4k", NAN },
		{ "4 k", NAN },    { "1.5g", NAN },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		double bytes = NAN;
		int rc = hl_fio_size_parse(cases[i].text, strlen(cases[i].text), &bytes);

		if (rc != (isnan(cases[i].bytes) ? -EINVAL : 0) || (!rc && bytes != cases[i].bytes))
			fail_msg("\"%s\": %d %g", cases[i].text, rc, bytes);
	}
}

/* The workload of a list of options: name, value, name, value, …, NULL. */
static struct hl_workload workload_of(const char *const *list, bool is_complete)
{
	static struct hl_arena *arena;
	struct hl_fio_options options;

	hl_arena_free(arena); /* of the call before */
	arena = hl_arena_new();
	hl_fio_options_init(&options);
	if (is_complete)
		hl_fio_options_default(&options);
	for (; *list; list += 2)
		hl_fio_options_set(&options, arena, list[0], list[1]);
	hl_fio_options_finish(&options);
	return options.workload;
}

static void block_sizes_follow_the_direction(void **state)
{
	static const struct {
		const char *rw, *bs;
		double read, write; /* bs and bs_write */
	} cases[] = {
		{ "randread", "8k", 8192, NAN },      { "rw", "8k", 8192, NAN },
		{ "rw", "8k,32k", 8192, 32768 },      { "write", "8k,32k", 32768, NAN },
		{ "read", "8k,32k", 8192, NAN },      { "rw", ",8k", 4096, 8192 },
		{ "rw", "8k,", 8192, 4096 },          { "randtrim", "8k,16k,64k", 65536, NAN },
		{ "randtrim", "8k,16k", 16384, NAN }, { "rw", "4k-8k", NAN, NAN },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		const char *list[] = { "rw", cases[i].rw, "bs", cases[i].bs, NULL };
		struct hl_workload workload = workload_of(list, true);

		if ((workload.bs != cases[i].read && !isnan(cases[i].read)) ||
		    isnan(workload.bs) != isnan(cases[i].read) ||
		    (workload.bs_write != cases[i].write && !isnan(cases[i].write)) ||
		    isnan(workload.bs_write) != isnan(cases[i].write))
			fail_msg("case %zu: %g %g", i, workload.bs, workload.bs_write);
	}
}

static void a_split_has_no_block_size(void **state)
{
	static const char *const list[] = { "rw", "randread", "bssplit", "4k/50:8k/50", NULL };
	static const char *const range[] = { "rw", "randread", "bsrange", "4k-16k", NULL };

	(void)state;
	assert_true(isnan(workload_of(list, true).bs));
	assert_true(isnan(workload_of(range, true).bs));
}

static void all_options_of_a_job_are_read(void **state)
{
	static const char *const list[] = {
		"rw",         "randrw:8", "bs",       "4k",       "iodepth", "32",
		"numjobs",    "4",        "size",     "1g",       "runtime", "1m",
		"rwmixwrite", "30",       "ioengine", "io_uring", "direct",  "1",
		"fdatasync",  "8",        "filename", "/dev/x",   NULL,
	};
	struct hl_workload workload = workload_of(list, false);

	(void)state;
	assert_int_equal(HL_RW_RANDRW, workload.rw);
	assert_true(workload.bs == 4096 && workload.iodepth == 32 && workload.numjobs == 4);
	assert_true(workload.runtime_s == 60 && workload.rwmixread == 70 && workload.fsync == 8);
	assert_string_equal("io_uring", workload.engine);
	assert_int_equal(1, workload.direct);
}

static void the_size_is_that_of_all_processes(void **state)
{
	static const char *const own[] = { "size", "1g", "numjobs", "4", NULL };
	static const char *const shared[] = {
		"size", "1g", "numjobs", "4", "filename", "/x", NULL
	};
	static const char *const moved[] = { "size",     "1g", "numjobs",          "4",
					     "filename", "/x", "offset_increment", "1g",
					     NULL };

	(void)state;
	assert_true(workload_of(own, true).size == 4 * 1073741824.0);
	assert_true(workload_of(shared, true).size == 1073741824.0);
	assert_true(workload_of(moved, true).size == 4 * 1073741824.0);
	assert_true(isnan(workload_of(own, true).fsync));
}

static void what_is_not_given_is_unknown_or_the_default(void **state)
{
	static const char *const none[] = { NULL };
	struct hl_workload unknown = workload_of(none, false), defaults = workload_of(none, true);

	(void)state;
	assert_int_equal(HL_RW_UNKNOWN, unknown.rw);
	assert_true(isnan(unknown.bs) && isnan(unknown.iodepth) && isnan(unknown.numjobs));
	assert_int_equal(-1, unknown.direct);
	assert_int_equal(HL_RW_READ, defaults.rw);
	assert_true(defaults.bs == 4096 && defaults.iodepth == 1 && defaults.numjobs == 1);
	assert_int_equal(0, defaults.direct);
	assert_true(isnan(defaults.rwmixread));
	assert_null(defaults.engine);
}

static void bad_values_make_the_field_unknown(void **state)
{
	static const struct {
		const char *name, *value;
		int rc;
	} cases[] = {
		{ "iodepth", "-1", -EINVAL },
		{ "iodepth", "x", -EINVAL },
		{ "rw", "up", -EINVAL },
		{ "size", "50%", 0 },
		{ "size", "101%", -EINVAL },
		{ "ramp_time", "2s", 0 },
		{ "direct", "yes", -EINVAL },
		{ "runtime", "", -EINVAL },
		{ "group_reporting", "1", -ENOENT },
		{ "buffered", "0", 0 },
		{ "runtime", "500ms", 0 },
	};
	struct hl_arena *arena = hl_arena_new();

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct hl_fio_options options;

		hl_fio_options_init(&options);
		hl_fio_options_default(&options);
		assert_int_equal(cases[i].rc, hl_fio_options_set(&options, arena, cases[i].name,
								 cases[i].value));
		if (!strcmp(cases[i].name, "iodepth"))
			assert_true(isnan(options.workload.iodepth));
		if (!strcmp(cases[i].name, "buffered"))
			assert_int_equal(1, options.workload.direct);
		if (!strcmp(cases[i].value, "500ms"))
			assert_true(options.workload.runtime_s == 0.5);
	}
	hl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_those_of_fio),
		cmocka_unit_test(block_sizes_follow_the_direction),
		cmocka_unit_test(a_split_has_no_block_size),
		cmocka_unit_test(all_options_of_a_job_are_read),
		cmocka_unit_test(the_size_is_that_of_all_processes),
		cmocka_unit_test(what_is_not_given_is_unknown_or_the_default),
		cmocka_unit_test(bad_values_make_the_field_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
