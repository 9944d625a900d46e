/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Datasheets: the built-in ones are whole, mistakes are named, promises hold for their kind only.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/spec.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WHOLE "[drive]\nvendor = V\nproduct = P\nmedium = nvme\nsource = S\n"

static struct hl_spec *load(const char *name)
{
	struct hl_spec *spec = NULL;

	assert_int_equal(hl_spec_load(name, &spec, NULL), 0);
	return spec;
}

static struct hl_workload workload(enum hl_rw rw, double bs, double iodepth, double numjobs)
{
	struct hl_workload made;

	hl_workload_init(&made);
	made.rw = rw;
	made.bs = bs;
	made.iodepth = iodepth;
	made.numjobs = numjobs;
	return made;
}

static double bw(const struct hl_spec *spec, enum hl_dir dir, struct hl_workload of)
{
	return hl_spec_bw(spec, &of, dir);
}

static void every_built_in_sheet_is_whole_and_in_order(void **unused)
{
	const char *name, *last = "";
	size_t nr = 0;

	(void)unused;
	for (; (name = hl_spec_name_at(nr)); nr++) {
		struct hl_error err = { 0 };
		struct hl_spec *spec = NULL;

		if (hl_spec_load(name, &spec, &err))
			fail_msg("%s", err.text);
		assert_string_equal(spec->name, name);
		assert_true(strcmp(last, name) < 0);
		assert_true(spec->nr_figures > 0 && spec->models && spec->capacity > 1e11);
		assert_true(!strcmp(spec->medium, "nvme") ? spec->link_width > 0
							  : isnan(spec->link_width));
		assert_true(!strcmp(spec->medium, "hdd") ? spec->rpm > 0 : isnan(spec->rpm));
		last = name;
		hl_spec_free(spec);
	}
	assert_true(nr >= 3);
	assert_null(hl_spec_name_at(nr + 1));
}

static void a_sheet_is_read_in_bytes_and_decimal(void **unused)
{
	struct hl_spec *spec = load("kcd61lul7t68");

	(void)unused;
	assert_string_equal(spec->vendor, "KIOXIA");
	assert_string_equal(spec->medium, "nvme");
	assert_true(spec->capacity == 7.68e12);
	assert_true(spec->link_speed_gts == 16 && spec->link_width == 4);
	assert_true(isnan(spec->rpm) && isnan(spec->tbw_bytes));
	assert_true(spec->figures[0].rw == HL_RW_READ && spec->figures[0].bs == 131072);
	assert_true(spec->figures[0].bw == 6.2e9 && isnan(spec->figures[0].iops));
	assert_true(spec->figures[0].tolerance_pct == 10);
	assert_string_equal(spec->figures[0].state, "steady");
	assert_int_equal(strlen(spec->text), spec->text_len);
	hl_spec_free(spec);
}

static void a_promise_holds_for_its_kind_of_io_only(void **unused)
{
	struct hl_spec *spec = load("KCD61LUL7T68");

	(void)unused;
	assert_true(bw(spec, HL_DIR_READ, workload(HL_RW_READ, 131072, 32, 4)) == 6.2e9);
	assert_true(bw(spec, HL_DIR_READ, workload(HL_RW_READ, 1048576, 128, 2)) == 6.2e9);
	assert_true(bw(spec, HL_DIR_WRITE, workload(HL_RW_WRITE, 131072, 32, 4)) == 4e9);
	assert_true(bw(spec, HL_DIR_READ, workload(HL_RW_RANDREAD, 4096, 32, 4)) == 4.096e9);
	assert_true(bw(spec, HL_DIR_WRITE, workload(HL_RW_RANDWRITE, 8192, 32, 4)) ==
		    85000 * 8192.);
	/* 1M IOPS of 8 KiB would be more than the sequential figure */
	assert_true(bw(spec, HL_DIR_READ, workload(HL_RW_RANDREAD, 8192, 64, 4)) == 6.2e9);
	/* the sheet does not say */
	assert_true(isnan(bw(spec, HL_DIR_READ, workload(HL_RW_READ, 4096, 64, 1))));
	assert_true(isnan(bw(spec, HL_DIR_READ, workload(HL_RW_READ, 131072, 4, 1))));
	assert_true(isnan(bw(spec, HL_DIR_READ, workload(HL_RW_RANDREAD, 4096, 1, 1))));
	assert_true(isnan(bw(spec, HL_DIR_READ, workload(HL_RW_RANDREAD, 131072, 64, 4))));
	assert_true(isnan(bw(spec, HL_DIR_READ, workload(HL_RW_RANDRW, 4096, 64, 4))));
	assert_true(isnan(bw(spec, HL_DIR_WRITE, workload(HL_RW_READ, 131072, 32, 4))));
	assert_true(isnan(bw(spec, HL_DIR_TRIM, workload(HL_RW_TRIM, 131072, 32, 4))));
	assert_true(isnan(bw(spec, HL_DIR_READ, workload(HL_RW_UNKNOWN, 131072, 32, 4))));
	assert_true(isnan(bw(spec, HL_DIR_READ, workload(HL_RW_READ, NAN, 32, 4))));
	hl_spec_free(spec);
}

static void an_unknown_depth_does_not_hide_the_promise(void **unused)
{
	struct hl_spec *spec = load("KCD61LUL7T68");

	(void)unused;
	assert_true(bw(spec, HL_DIR_READ, workload(HL_RW_READ, 131072, NAN, NAN)) == 6.2e9);
	hl_spec_free(spec);
}

static void depth_1_has_its_own_figure_where_the_sheet_gives_one(void **unused)
{
	struct hl_spec *spec = load("870-EVO-1TB");

	(void)unused;
	assert_true(bw(spec, HL_DIR_READ, workload(HL_RW_RANDREAD, 4096, 1, 1)) == 13000 * 4096.);
	assert_true(bw(spec, HL_DIR_READ, workload(HL_RW_RANDREAD, 4096, 32, 1)) == 98000 * 4096.);
	hl_spec_free(spec);
}

static void a_hard_disk_gives_hundreds_of_random_reads(void **unused)
{
	struct hl_spec *spec = load("HC550");
	double reads = hl_spec_random_iops(spec, HL_DIR_READ);

	(void)unused;
	/* 2.5 in 8 ms + 4.17 ms */
	assert_true(reads > 205 && reads < 206);
	assert_true(hl_spec_random_iops(spec, HL_DIR_WRITE) > reads);
	assert_true(isnan(bw(spec, HL_DIR_READ, workload(HL_RW_RANDREAD, 4096, 32, 1))));
	hl_spec_free(spec);
	spec = load("KCD61LUL7T68");
	assert_true(hl_spec_random_iops(spec, HL_DIR_READ) == 1e6);
	hl_spec_free(spec);
}

static void a_mistake_is_named_with_file_and_line(void **unused)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "[drive]\nvendr = V\n", "x:2: unknown key \"vendr\" in [drive]" },
		{ "[drive]\nvendor = V\nvendor = W\n", "x:3: \"vendor\" is given twice" },
		{ "[drive]\nvendor =\n", "x:2: \"vendor\" cannot be \"\"" },
		{ "[drive]\nmedium = tape\n", "x:2: \"medium\" cannot be \"tape\"" },
		{ "[drive]\nrpm = -1\n", "x:2: \"rpm\" cannot be \"-1\"" },
		{ "[drive]\nrpm = 0\n", "x:2: \"rpm\" cannot be \"0\"" },
		{ "[drive]\ncapacity = big\n", "x:2: \"capacity\" cannot be \"big\"" },
		{ "vendor = V\n", "x:1: unknown section []" },
		{ "[disk]\nvendor = V\n", "x:2: unknown section [disk]" },
		{ "[drive]\nword\n", "x:2: not a " },
		{ WHOLE "[figure a]\nrw = readwhite\n", "x:7: \"rw\" cannot be" },
		{ WHOLE "[figure a]\nstate = old\n", "x:7: \"state\" cannot be" },
		{ WHOLE "[figure a]\nrw = read\n[figure b]\nrw = read\n",
		  "x:9: [figure a] needs rw, bs" },
		{ WHOLE "[figure a]\nrw = read\nbs = 4KiB\nstate = fresh\n",
		  "x: [figure a] needs bw, iops" },
		{ "[drive]\nvendor = V\n", "x: [drive] needs vendor, product" },
		{ WHOLE
		  "[figure a]\nrw = read\nbs = 4KiB\nstate = fresh\niops = 1\n[drive]\nrpm = 1\n",
		  "x:12: [drive] must come first" },
		{ "", "x: [drive] needs" },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hl_spec *spec = NULL;
		struct hl_error err = { 0 };

		assert_int_equal(
			hl_spec_parse("x", cases[i].text, strlen(cases[i].text), &spec, &err),
			-EBADMSG);
		if (!strstr(err.text, cases[i].why))
			fail_msg("%s\n is not: %s", err.text, cases[i].why);
		assert_null(spec);
	}
}

static void an_unknown_name_lists_near_ones(void **unused)
{
	struct hl_spec *spec = NULL;
	struct hl_error err = { 0 };

	(void)unused;
	assert_int_equal(hl_spec_load("KCD61LUL7T86", &spec, &err), -ENOENT);
	assert_non_null(strstr(err.text, "did you mean KCD61LUL7T68"));
	assert_int_equal(hl_spec_load("870", &spec, &err), -ENOENT);
	assert_non_null(strstr(err.text, "870-EVO-1TB"));
	assert_int_equal(hl_spec_load("no such drive at all, and a long name of it", &spec, &err),
			 -ENOENT);
	assert_non_null(strstr(err.text, "hoploss specs"));
	assert_int_equal(hl_spec_load("", &spec, &err), -ENOENT);
}

static void a_file_is_named_by_its_stem(void **unused)
{
	char file[] = "/tmp/test_spec.XXXXXX.conf";
	int fd = mkstemps(file, 5);
	struct hl_spec *spec = NULL;
	struct hl_error err = { 0 };

	(void)unused;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, WHOLE, strlen(WHOLE)), strlen(WHOLE));
	assert_int_equal(hl_spec_load(file, &spec, NULL), 0);
	assert_memory_equal(spec->name, "test_spec.", 10);
	assert_null(strchr(spec->name, '/'));
	assert_null(strstr(spec->name, ".conf"));
	hl_spec_free(spec);
	assert_int_equal(write(fd, "x\n", 2), 2);
	assert_int_equal(hl_spec_load(file, &spec, &err), -EBADMSG);
	assert_non_null(strstr(err.text, ".conf:6: "));
	close(fd);
	unlink(file);
	assert_int_equal(hl_spec_load(file, &spec, &err), -ENOENT);
	hl_spec_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_built_in_sheet_is_whole_and_in_order),
		cmocka_unit_test(a_sheet_is_read_in_bytes_and_decimal),
		cmocka_unit_test(a_promise_holds_for_its_kind_of_io_only),
		cmocka_unit_test(an_unknown_depth_does_not_hide_the_promise),
		cmocka_unit_test(depth_1_has_its_own_figure_where_the_sheet_gives_one),
		cmocka_unit_test(a_hard_disk_gives_hundreds_of_random_reads),
		cmocka_unit_test(a_mistake_is_named_with_file_and_line),
		cmocka_unit_test(an_unknown_name_lists_near_ones),
		cmocka_unit_test(a_file_is_named_by_its_stem),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
