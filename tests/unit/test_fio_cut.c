/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_output.h"

static bool is_unknown_or(double expected, double actual)
{
	return isnan(actual) || fabs(expected - actual) <= 2e-3 * expected;
}

/* Whatever is given is right, and what is not whole says so. */
static void assert_right_as_far_as_it_goes(const struct import *import)
{
	const struct hl_measurement *at = measurement(import, 0);
	const struct hl_rate *rate = at->dir[HL_DIR_READ];

	assert_int_equal(1, nr_measurements(import));
	assert_string_equal("rr", at->workload.name);
	assert_true(is_unknown_or(4, at->workload.numjobs));
	assert_true(is_unknown_or(32, at->workload.iodepth));
	assert_true(at->status == HL_STATUS_IMPORTED || at->reason);
	if (at->status == HL_STATUS_IMPORTED)
		assert_near(40960000, rate->bw);
	if (!rate)
		return;
	assert_true(is_unknown_or(40960000, rate->bw));
	assert_true(is_unknown_or(10000, rate->iops));
	assert_true(is_unknown_or(100000, rate->ios));
	assert_true(!rate->clat || is_unknown_or(519440, rate->clat->mean));
	assert_true(!rate->clat || is_unknown_or(64857000, rate->clat->max));
	assert_true(!rate->clat || is_unknown_or(5866000, rate->clat->p99));
	assert_true(!rate->slat || is_unknown_or(78149.96, rate->slat->mean));
	assert_true(!rate->lat || is_unknown_or(597590, rate->lat->mean));
}

static void a_text_may_end_anywhere(void **state)
{
	size_t head = strlen(LEAD_IN HEAD);

	(void)state;
	for (size_t len = strlen(RUN); len > head; len--) {
		struct import import = import_bytes(RUN, len);

		assert_right_as_far_as_it_goes(&import);
		import_free(&import);
	}
}

static void percentiles_that_begin_anew_are_of_another(void **state)
{
	struct import import = import_text(LEAD_IN HEAD RATE LATENCIES
					   "    clat percentiles (usec):\n"
					   "     |  1.00th=[   32],  5.00th=[   39],\n"
					   "     |  1.00th=[  900], 50.00th=[  999]\n" TAIL);

	(void)state;
	assert_near(32000, rate_of(&import, 0, HL_DIR_READ)->clat->p1);
	assert_unknown(rate_of(&import, 0, HL_DIR_READ)->clat->p50);
	assert_status(HL_STATUS_PARTIAL, &import, 0);
	import_free(&import);
}

static void lines_may_be_missing_in_the_middle(void **state)
{
	HL_FREE char *text = hl_printf("%s", LEAD_IN RESULT);
	size_t head = strlen(LEAD_IN HEAD RATE);

	(void)state;
	for (size_t at = head; text[at]; at += strcspn(text + at, "\n") + 1) {
		size_t next = at + strcspn(text + at, "\n") + 1;
		HL_FREE char *less = hl_printf("%.*s%s", (int)at, text, text + next);
		struct import import = import_text(less);

		assert_right_as_far_as_it_goes(&import);
		import_free(&import);
	}
}

static void rows_that_are_missing_are_flagged(void **state)
{
	struct import import = import_text(
		LEAD_IN HEAD RATE LATENCIES
		"    clat percentiles (usec):\n"
		"     |  1.00th=[   32], 50.00th=[  255],\n" DETAILS TAIL);

	(void)state;
	assert_status(HL_STATUS_PARTIAL, &import, 0);
	assert_near(255000, rate_of(&import, 0, HL_DIR_READ)->clat->p50);
	import_free(&import);
}

static void the_end_of_another_job_is_not_taken_for_its_own(void **state)
{
	struct import import = import_text(
		LEAD_IN HEAD RATE LATENCIES PERCENTILES
		"  cpu          : usr=99.00%, sys=1.00%, ctx=1, majf=0, minf=1\n"
		"     issued rwts: total=55,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
		"     latency   : target=0, window=0, percentile=100.00%, depth=77\n");
	const struct hl_rate *rate = rate_of(&import, 0, HL_DIR_READ);

	(void)state;
	assert_status(HL_STATUS_PARTIAL, &import, 0);
	assert_unknown(rate->ios);
	assert_null(rate->clat);
	assert_unknown(measurement(&import, 0)->cpu_user_pct);
	import_free(&import);
}

static void latencies_of_a_rate_that_is_missing_are_nobodys(void **state)
{
	struct import import = import_text(
		LEAD_IN HEAD RATE LATENCIES PERCENTILES DETAILS
		"    clat (usec): min=1, max=2, avg= 1.50, stdev= 0.10\n"
		"    clat percentiles (usec):\n     | 50.00th=[    1], 99.00th=[    2]\n" SPREAD CPU
			DEPTHS
		"     issued rwts: total=100000,7,0,0 short=0,0,0,0 dropped=0,0,0,0\n");
	const struct hl_rate *rate = rate_of(&import, 0, HL_DIR_READ);

	(void)state;
	assert_status(HL_STATUS_PARTIAL, &import, 0);
	assert_near(519440, rate->clat->mean);
	assert_near(5866000, rate->clat->p99);
	import_free(&import);
}

static void a_job_without_a_result_is_not_measured(void **state)
{
	struct import import = import_text(
		JOB_LINE "b: (g=1): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) "
			 "4096B-4096B, ioengine=psync, iodepth=1\nfio-3.33\n\n" RESULT);

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_status(HL_STATUS_NOT_MEASURED, &import, 1);
	assert_string_equal("b", measurement(&import, 1)->workload.name);
	assert_non_null(import.graph->inputs[0]->reason);
	import_free(&import);
}

static void the_summary_helps_out_where_the_result_is_cut(void **state)
{
	struct import import = import_text(LEAD_IN SUMMARY);

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_status(HL_STATUS_PARTIAL, &import, 0);
	assert_string_equal("rr", measurement(&import, 0)->workload.name);
	assert_true(is_unknown_or(40960000, rate_of(&import, 0, HL_DIR_READ)->bw));
	assert_near(10000, rate_of(&import, 0, HL_DIR_READ)->runtime_ms);
	import_free(&import);
	import = import_text("a: (g=0): rw=read, bs=4K-4K/4K-4K, ioengine=sync, iodepth=1\n\n"
			     "Run status group 0 (all jobs):\n"
			     "   READ: io=400000KB, aggrb=40000KB/s, minb=40000KB/s, "
			     "maxb=40000KB/s, mint=10000msec, maxt=10000msec\n");
	assert_near(40960000, rate_of(&import, 0, HL_DIR_READ)->bw);
	import_free(&import);
}

/* What people paste who want to be short. */
static void a_summary_alone_is_read_as_a_part(void **state)
{
	struct import import = import_text("with cache=none\n" SUMMARY "and then with writeback\n"
					   "Run status group 0 (all jobs):\n"
					   "   READ: bw=39.1MiB/s (41.0MB/s), "
					   "39.1MiB/s-39.1MiB/s (41.0MB/s-41.0MB/s), io=391MiB "
					   "(410MB), run=10001-10001msec\n"
					   "which is odd\n");

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	for (size_t i = 0; i < 2; i++) {
		assert_status(HL_STATUS_PARTIAL, &import, i);
		assert_null(measurement(&import, i)->workload.name);
		assert_int_equal(i + 1, measurement(&import, i)->run);
		assert_true(is_unknown_or(40960000, rate_of(&import, i, HL_DIR_READ)->bw));
		assert_near(10000 + i, rate_of(&import, i, HL_DIR_READ)->runtime_ms);
	}
	import_free(&import);
}

static void figures_of_nobody_are_refused(void **state)
{
	struct import import = import_text("I get\n\n" RATE "\nand that is slow\n");

	(void)state;
	assert_int_equal(-ENODATA, import.rc);
	assert_int_equal(0, nr_measurements(&import));
	assert_int_equal(HL_INPUT_UNUSABLE, import.graph->inputs[1]->status);
	assert_non_null(strstr(import.err.text, "f.txt:3"));
	import_free(&import);
}

static void a_run_without_results_is_refused(void **state)
{
	struct import import = import_text(
		LEAD_IN "Jobs: 4 (f=4): [r(4)][45.0%][r=161MiB/s][r=41.1k IOPS][eta 00m:10s]\n");

	(void)state;
	assert_int_equal(-ENODATA, import.rc);
	assert_non_null(strstr(import.err.text, "before it printed"));
	import_free(&import);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_may_end_anywhere),
		cmocka_unit_test(percentiles_that_begin_anew_are_of_another),
		cmocka_unit_test(lines_may_be_missing_in_the_middle),
		cmocka_unit_test(rows_that_are_missing_are_flagged),
		cmocka_unit_test(the_end_of_another_job_is_not_taken_for_its_own),
		cmocka_unit_test(latencies_of_a_rate_that_is_missing_are_nobodys),
		cmocka_unit_test(a_job_without_a_result_is_not_measured),
		cmocka_unit_test(the_summary_helps_out_where_the_result_is_cut),
		cmocka_unit_test(a_summary_alone_is_read_as_a_part),
		cmocka_unit_test(figures_of_nobody_are_refused),
		cmocka_unit_test(a_run_without_results_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
