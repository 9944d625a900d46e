/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import_reader.h"
#include <errno.h>

/* 20 percentiles, of which fio prints "0%=0" for those that were not asked for. */
#define PERCENTILES                                                                                \
	"1.000000%=36;5.000000%=38;10.000000%=40;20.000000%=44;30.000000%=58;40.000000%=63;"       \
	"50.000000%=66;60.000000%=69;70.000000%=70;80.000000%=72;90.000000%=78;95.000000%=91;"     \
	"99.000000%=166;99.500000%=226;99.900000%=716;99.950000%=1417;99.990000%=9371;0%=0;0%=0;"  \
	"0%=0;"
#define READ                                                                                       \
	"40336;40295;10073;1001;0;0;0.000000;0.000000;33;12776;68.398898;165.651211;" PERCENTILES  \
	"34;12777;68.550078;165.658991;37844;37844;93.917359%;37844.000000;0.000000"
#define WRITE                                                                                      \
	"20480;10240;2560;2000;1;9;2.500000;0.500000;3;1731;8.544271;21.116859;" PERCENTILES       \
	"3;1731;8.747524;21.145172;38339;38339;95.344557%;38339.000000;0.000000"
#define NOTHING                                                                                    \
	"0;0;0;0;0;0;0.000000;0.000000;0;0;0.000000;0.000000;" PERCENTILES                         \
	"0;0;0.000000;0.000000;0;0;0.000000%;0.000000;0.000000"
#define OF_5 ";1;9461;9461;9461.000000;0.000000;1"
#define REST                                                                                       \
	";2.800000%;48.800000%;3939;0;15;100.0%;0.0%;0.0%;0.0%;0.0%;0.0%;0.0%;0.00%;0.01%;36.34%;" \
	"12.78%;13.94%;34.98%;1.72%;0.14%;0.03%;0.01%;0.02%;0.01%;0.01%;0.01%;0.00%;0.00%;0.00%;"  \
	"0.00%;0.00%;0.00%;0.00%;0.00%"
#define DISK ";vda;8558;4079;0;0;480;1661;2140;63.03%"
#define V3   "3;fio-3.33;j1;0;0;" READ ";" WRITE REST DISK "\n"

static const struct hl_rate *rate_of(const struct import *import, enum hl_dir dir)
{
	const struct hl_rate *rate = measurement(import, 0)->dir[dir];

	assert_non_null(rate);
	return rate;
}

static void assert_rates(const struct import *import)
{
	const struct hl_rate *read = rate_of(import, HL_DIR_READ);

	assert_near(40336 * 1024 / 1.001, read->bw);
	assert_near(40336 * 1024, read->bytes);
	assert_near(1001, read->runtime_ms);
	assert_near(10084 / 1.001, read->iops);
	assert_near(10240 * 1024, rate_of(import, HL_DIR_WRITE)->bw);
}

static void assert_latencies(const struct import *import)
{
	const struct hl_rate *read = rate_of(import, HL_DIR_READ);

	assert_null(read->slat);
	assert_near(68398.898, read->clat->mean);
	assert_near(12776000, read->clat->max);
	assert_near(66000, read->clat->p50);
	assert_near(166000, read->clat->p99);
	assert_near(9371000, read->clat->p99_99);
	assert_near(68550.078, read->lat->mean);
	assert_near(2500, rate_of(import, HL_DIR_WRITE)->slat->mean);
}

static void assert_job(const struct import *import, const char *tool)
{
	const struct hl_measurement *at = measurement(import, 0);

	assert_int_equal(1, nr_measurements(import));
	assert_int_equal(HL_STATUS_IMPORTED, at->status);
	assert_string_equal("j1", at->workload.name);
	assert_near(4096, at->workload.bs);
	assert_null(at->dir[HL_DIR_TRIM]);
	assert_near(2.8, at->cpu_user_pct);
	assert_near(48.8, at->cpu_system_pct);
	assert_string_equal(tool ? tool : "none", at->tool ? at->tool : "none");
}

static void each_version_gives_the_same_figures(void **state)
{
	static const char *const texts[] = {
		"2;j1;0;0;" READ ";" WRITE ";" NOTHING REST "\n",
		V3,
		"4;fio-3.33;j1;0;0;" READ ";" WRITE ";" NOTHING REST DISK "\n",
		"5;fio-3.33;j1;0;0;" READ OF_5 ";" WRITE OF_5 ";" NOTHING OF_5 REST DISK "\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(texts); i++) {
		struct import import = import_text(texts[i]);

		assert_job(&import, i ? "fio-3.33" : NULL);
		assert_rates(&import);
		assert_latencies(&import);
		import_free(&import);
	}
}

static void disks_are_read_once(void **state)
{
	struct import import = import_text(
		V3 "3;fio-3.33;j2;0;0;" WRITE ";" NOTHING REST
		   ";dm-0;1;2;3;4;5;6;7;8.00%;slaves;1;1;1;1;1;1;1;9.00%" DISK "\n");
	const struct hl_hop *hop = import.graph->hops[0];

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_int_equal(2, hop->nr_disks);
	assert_string_equal("vda", hop->disks[0]->name);
	assert_near(8558, hop->disks[0]->ios[0]);
	assert_near(1661, hop->disks[0]->ticks_ms[1]);
	assert_near(2140, hop->disks[0]->in_queue_ms);
	assert_near(63.03, hop->disks[0]->util_pct);
	assert_string_equal("dm-0", hop->disks[1]->name);
	assert_near(4, hop->disks[1]->merges[1]);
	import_free(&import);
}

static void a_failed_job_is_flagged_though_it_has_figures(void **state)
{
	struct import import = import_text(
		"$ fio --minimal x.fio\n"
		"fio: io_u error on file /mnt/x: No space left on device: write\n"
		"4;fio-3.36;verify;0;28;" READ ";" WRITE ";" NOTHING REST "\nThanks\n");

	(void)state;
	assert_int_equal(HL_STATUS_FAILED, measurement(&import, 0)->status);
	assert_int_equal(28, measurement(&import, 0)->error);
	assert_near(40336 * 1024 / 1.001, rate_of(&import, HL_DIR_READ)->bw);
	assert_int_equal(3, measurement(&import, 0)->line);
	import_free(&import);
}

static void one_part_alone_is_mixed(void **state)
{
	struct import import = import_text("3;fio-3.33;u;0;0;" READ REST "\n");

	(void)state;
	assert_near(40336 * 1024 / 1.001, rate_of(&import, HL_DIR_MIXED)->bw);
	assert_null(measurement(&import, 0)->dir[HL_DIR_READ]);
	import_free(&import);
}

static void the_sum_beside_its_parts_is_left_out(void **state)
{
	struct import import = import_text("3;fio-3.33;u;0;0;" READ ";" WRITE ";" READ REST "\n");

	(void)state;
	assert_int_equal(HL_STATUS_IMPORTED, measurement(&import, 0)->status);
	assert_null(measurement(&import, 0)->dir[HL_DIR_MIXED]);
	assert_null(measurement(&import, 0)->dir[HL_DIR_TRIM]);
	import_free(&import);
}

static void a_name_may_hold_semicolons(void **state)
{
	struct import import = import_text("3;fio-3.33;a;b c;7;0;" READ ";" NOTHING REST "\n");

	(void)state;
	assert_string_equal("a;b c", measurement(&import, 0)->workload.name);
	assert_int_equal(7, measurement(&import, 0)->group);
	import_free(&import);
}

static void a_line_that_stands_twice_is_one_job(void **state)
{
	struct import import = import_text(V3 V3);

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_int_equal(1, import.graph->nr_warnings);
	import_free(&import);
}

static void a_line_broken_by_a_terminal_is_read(void **state)
{
	char broken[4 * sizeof(V3)];
	size_t len = 0;
	struct import import;

	(void)state;
	for (size_t i = 0; V3[i]; i++) {
		if (i && i % 80 == 0)
			broken[len++] = '\n';
		broken[len++] = V3[i];
	}
	import = import_bytes(broken, len);
	assert_int_equal(HL_STATUS_IMPORTED, measurement(&import, 0)->status);
	assert_near(10240 * 1024, rate_of(&import, HL_DIR_WRITE)->bw);
	import_free(&import);
}

static bool is_unknown_or(double expected, double actual)
{
	return isnan(actual) || fabs(expected - actual) <= 1e-3 * expected;
}

static void a_line_may_end_anywhere(void **state)
{
	(void)state;
	for (size_t len = strlen(V3) - strlen(DISK) - 1; len > 60; len--) {
		struct import import = import_bytes(V3, len);
		const struct hl_rate *read = measurement(&import, 0)->dir[HL_DIR_READ];

		assert_null(measurement(&import, 0)->dir[HL_DIR_MIXED]);
		assert_true(len == strlen(V3) - strlen(DISK) - 1 ||
			    measurement(&import, 0)->status == HL_STATUS_PARTIAL);
		assert_true(is_unknown_or(40336 * 1024 / 1.001, read->bw));
		assert_true(!read->clat || is_unknown_or(68398.898, read->clat->mean));
		assert_true(!read->clat || is_unknown_or(166000, read->clat->p99));
		assert_true(!read->lat || is_unknown_or(34000, read->lat->min));
		import_free(&import);
	}
}

static void other_text_with_semicolons_is_not_claimed(void **state)
{
	static const char *const texts[] = {
		"3;fio;4\n",
		"2;3;4;5;6;7;8\n",
		"4; a list of; things\n",
		"1;2;3;4;5;6;7;8;9;10;11;12;13;14\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(texts); i++) {
		struct import import = import_text(texts[i]);

		assert_int_equal(0, nr_measurements(&import));
		import_free(&import);
	}
}

/* 4 to 5 KiB/s and 1 to 2 IOPS: anything from 2 to 5 KiB. */
static void a_block_size_is_not_guessed_from_rough_figures(void **state)
{
	struct import import = import_text(
		"3;fio-3.33;j1;0;0;8;4;1;2000;0;0;0.000000;0.000000;33;12776;68.398898;165."
		"651211;" PERCENTILES
		"34;12777;68.550078;165.658991;4;4;93.917359%;4.000000;0.000000;" NOTHING REST DISK
		"\n");

	(void)state;
	assert_near(8192, rate_of(&import, HL_DIR_READ)->bytes);
	assert_unknown(measurement(&import, 0)->workload.bs);
	import_free(&import);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_version_gives_the_same_figures),
		cmocka_unit_test(disks_are_read_once),
		cmocka_unit_test(a_failed_job_is_flagged_though_it_has_figures),
		cmocka_unit_test(one_part_alone_is_mixed),
		cmocka_unit_test(the_sum_beside_its_parts_is_left_out),
		cmocka_unit_test(a_name_may_hold_semicolons),
		cmocka_unit_test(a_line_that_stands_twice_is_one_job),
		cmocka_unit_test(a_line_broken_by_a_terminal_is_read),
		cmocka_unit_test(a_line_may_end_anywhere),
		cmocka_unit_test(other_text_with_semicolons_is_not_claimed),
		cmocka_unit_test(a_block_size_is_not_guessed_from_rough_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
