/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_output.h"

/* ---- jobs ---- */

static const struct {
	const char *name, *head;
} name_cases[] = {
	{ "a: (g=0): rw=read", "a: (g=0): rw=read: " },
	{ "read: x (groupid=0, jobs=1)", "read: x (groupid=0, jobs=1): " },
	{ "\u0442\u0435\u0441\u0442 \u0447\u0442\u0435\u043d\u0438\u044f",
	  "\u0442\u0435\u0441\u0442 \u0447\u0442\u0435\u043d\u0438\u044f: " },
	{ "4k <fast> & \"small\"", "4k &lt;fast&gt; &amp; &quot;small&quot;: " },
	{ "12", "12: " },
	{ "cpu", "cpu: " },
};

static void a_job_may_have_any_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(name_cases); i++) {
		HL_FREE char *text = hl_printf(
			"%s(g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) "
			"4096B-4096B, ioengine=psync, iodepth=3\nfio-3.33\nStarting 1 process\n\n"
			"%s(groupid=0, jobs=1): err= 0: pid=1: x\n%s",
			name_cases[i].head, name_cases[i].head, RATE TAIL);
		struct import import = import_text(text);

		assert_int_equal(1, nr_measurements(&import));
		assert_string_equal(name_cases[i].name, measurement(&import, 0)->workload.name);
		assert_near(3, measurement(&import, 0)->workload.iodepth);
		import_free(&import);
	}
}

static void block_sizes_that_fio_rounds_are_unknown(void **state)
{
	static const struct {
		const char *bs;
		double read, write;
	} cases[] = {
		{ "(R) 32.0KiB-32.0KiB, (W) 32.0KiB-32.0KiB, (T) 4096B-4096B", 32768, NAN },
		{ "(R) 64.0kB-64.0kB, (W) 64.0kB-64.0kB, (T) 4096B-4096B", 64000, NAN },
		{ "(R) 4096B-4096B, (W) 1024KiB-1024KiB, (T) 4096B-4096B", 4096, 1048576 },
		{ "(R) 12.1KiB-12.1KiB, (W) 12.1KiB-12.1KiB, (T) 4096B-4096B", NAN, NAN },
		{ "(R) 4096B-128KiB, (W) 4096B-4096B, (T) 4096B-4096B", NAN, 4096 },
		{ "(R) 4096B-4096B, (W) 64.0KiB-64.0KiB, bs_is_seq_rand", NAN, NAN },
		{ "4K-4K/1M-1M/4K-4K", 4096, 1048576 },
		{ "4097-4097/4097-4097", 4097, NAN },
		{ "4096B-4096B,64.0KiB-64.0KiB,4096B-4096B", 4096, 65536 },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		HL_FREE char *text = hl_printf("rr: (g=0): rw=randrw, bs=%s, ioengine=psync, "
					       "iodepth=1\nfio-3.33\n\n%s",
					       cases[i].bs, HEAD RATE TAIL);
		struct import import = import_text(text);
		const struct hl_workload *workload = &measurement(&import, 0)->workload;

		if (isnan(cases[i].read))
			assert_unknown(workload->bs);
		else
			assert_near(cases[i].read, workload->bs);
		if (isnan(cases[i].write))
			assert_unknown(workload->bs_write);
		else
			assert_near(cases[i].write, workload->bs_write);
		import_free(&import);
	}
}

static void without_a_job_line_the_totals_tell_the_block_size(void **state)
{
	struct import import = import_text(RESULT);
	const struct hl_workload *workload = &measurement(&import, 0)->workload;

	(void)state;
	assert_near(4096, workload->bs);
	assert_near(32, workload->iodepth);
	assert_int_equal(HL_RW_UNKNOWN, workload->rw);
	assert_null(workload->engine);
	assert_near(40960000, rate_of(&import, 0, HL_DIR_READ)->bw);
	import_free(&import);
}

static void each_process_counts_for_itself_without_group_reporting(void **state)
{
	struct import import = import_text(
		LEAD_IN "rr: (groupid=0, jobs=1): err= 0: pid=1: x\n" RATE TAIL
			"rr: (groupid=0, jobs=1): err= 0: pid=2: x\n" RATE TAIL SUMMARY);

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_near(1, measurement(&import, 1)->workload.numjobs);
	assert_string_equal("rr", measurement(&import, 1)->workload.name);
	assert_near(32, measurement(&import, 1)->workload.iodepth);
	import_free(&import);
}

static void what_the_jobs_of_a_merged_group_do_not_agree_on_is_unknown(void **state)
{
	struct import import = import_text(
		JOB_LINE
		"w: (g=0): rw=write, bs=(R) 4096B-4096B, (W) 64.0KiB-64.0KiB, (T) 4096B-4096B, "
		"ioengine=psync, iodepth=1\nfio-3.33\nStarting 2 processes\n\n"
		"rr: (groupid=0, jobs=2): err= 0: pid=7: x\n" RATE TAIL);
	const struct hl_workload *workload = &measurement(&import, 0)->workload;

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_near(2, workload->numjobs);
	assert_int_equal(HL_RW_UNKNOWN, workload->rw);
	assert_unknown(workload->iodepth);
	assert_null(workload->engine);
	assert_near(4096, workload->bs);
	import_free(&import);
}

/* ---- failures ---- */

static void a_failed_job_without_figures_is_flagged(void **state)
{
	struct import import = import_text(
		LEAD_IN "rr: (groupid=0, jobs=1): err= 5 (file:io_u.c:1841, func=io_u error, "
			"error=Input/output error): pid=2: x\n" TAIL
			"rr: (groupid=0, jobs=1): err= 0: pid=3: x\n" RATE TAIL);

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_status(HL_STATUS_FAILED, &import, 0);
	assert_int_equal(5, measurement(&import, 0)->error);
	assert_non_null(strstr(measurement(&import, 0)->reason, "Input/output error"));
	assert_null(measurement(&import, 0)->dir[HL_DIR_READ]);
	assert_status(HL_STATUS_IMPORTED, &import, 1);
	import_free(&import);
}

#define FAILURE(pid)                                                                               \
	"fio: pid=" #pid ", err=28/file:io_u.c:1876, func=io_u error, error=No space left on "     \
	"device\n"

static void a_failure_is_the_job_that_printed_no_result(void **state)
{
	struct import import = import_text(
		JOB_LINE "b: (g=1): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) "
			 "4096B-4096B, ioengine=psync, iodepth=1\nfio-3.33\n"
			 "Starting 2 processes\n" FAILURE(9) "\n" RESULT);

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_status(HL_STATUS_IMPORTED, &import, 0);
	assert_string_equal("b", measurement(&import, 1)->workload.name);
	assert_status(HL_STATUS_FAILED, &import, 1);
	assert_int_equal(28, measurement(&import, 1)->error);
	assert_non_null(strstr(measurement(&import, 1)->reason, "No space left on device"));
	import_free(&import);
}

static void a_failure_is_matched_by_its_process(void **state)
{
	struct import import = import_text(LEAD_IN FAILURE(7068) RESULT);

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_status(HL_STATUS_FAILED, &import, 0);
	assert_near(40960000, rate_of(&import, 0, HL_DIR_READ)->bw);
	import_free(&import);
}

static void a_failure_of_nobody_leaves_a_doubt(void **state)
{
	struct import import = import_text(LEAD_IN FAILURE(9) RESULT);

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_status(HL_STATUS_PARTIAL, &import, 0);
	assert_int_equal(28, measurement(&import, 0)->error);
	import_free(&import);
}

static void errors_that_a_job_lived_on_are_counted(void **state)
{
	struct import import = import_text(
		LEAD_IN HEAD RATE SPREAD CPU DEPTHS ISSUED
		"     errors    : total=12, first_error=5/<Input/output error>\n" TARGET);

	(void)state;
	assert_status(HL_STATUS_PARTIAL, &import, 0);
	assert_int_equal(5, measurement(&import, 0)->error);
	assert_non_null(strstr(measurement(&import, 0)->reason, "12 I/Os"));
	import_free(&import);
}

static void an_interrupted_run_is_warned_of(void **state)
{
	struct import import = import_text(LEAD_IN "fio: terminating on signal 2\n\n" RESULT);

	(void)state;
	assert_status(HL_STATUS_IMPORTED, &import, 0);
	assert_int_equal(1, import.graph->nr_warnings);
	assert_non_null(strstr(import.graph->warnings[0], "signal 2"));
	import_free(&import);
}

/* ---- more than once ---- */

static void of_repeated_status_blocks_the_last_counts(void **state)
{
	static const char early[] = HEAD
		"  read: IOPS=12.0k, BW=46.9MiB/s (49.2MB/s)(46.9MiB/1000msec)\n" SPREAD CPU DEPTHS
		"     issued rwts: total=12000,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n" SUMMARY;
	HL_FREE char *text = hl_printf("%s%s%s", LEAD_IN, early, RESULT SUMMARY DISKS);
	struct import import = import_text(text);

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_near(10000, rate_of(&import, 0, HL_DIR_READ)->runtime_ms);
	assert_int_equal(0, import.graph->nr_warnings);
	import_free(&import);
}

static void of_repeated_blocks_one_that_is_cut_does_not_count(void **state)
{
	struct import import = import_text(
		LEAD_IN RESULT SUMMARY HEAD
		"  read: IOPS=12.0k, BW=46.9MiB/s (49.2MB/s)(938MiB/20000msec)\n" LATENCIES);

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_near(10000, rate_of(&import, 0, HL_DIR_READ)->runtime_ms);
	import_free(&import);
}

static void a_result_pasted_twice_is_counted_once(void **state)
{
	struct import import = import_text(LEAD_IN RESULT RESULT);

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_int_equal(1, import.graph->nr_warnings);
	import_free(&import);
}

static void results_behind_a_summary_are_another_run(void **state)
{
	struct import import = import_text(
		RESULT SUMMARY DISKS
		"rr: (groupid=0, jobs=4): err= 0: pid=9: x\n"
		"  read: IOPS=5000, BW=19.5MiB/s (20.5MB/s)(391MiB/20000msec)\n" TAIL SUMMARY);

	(void)state;
	assert_int_equal(2, nr_measurements(&import));
	assert_int_equal(1, measurement(&import, 0)->run);
	assert_int_equal(2, measurement(&import, 1)->run);
	import_free(&import);
}

static void the_hosts_of_a_client_are_one_run(void **state)
{
	struct import import = import_text(
		"hostname=a, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-3.25, flags=1\n"
		"hostname=b, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-3.25, flags=1\n"
		"<a> " JOB_LINE "<a> Starting 4 processes\n<b> " JOB_LINE
		"<b> Starting 4 processes\n"
		"Jobs: 8 (f=8)<a> \n" RESULT SUMMARY "<b> \n"
		"rr: (groupid=0, jobs=4): err= 0: pid=9: x\n" RATE TAIL SUMMARY
		"All clients: (groupid=0, jobs=8): err= 0: pid=0: x\n"
		"  read: IOPS=20.0k, BW=78.1Mi (81.9M)(781MiB/10000msec)\n" SPREAD CPU DEPTHS
		"     issued rwts: total=200000,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n");

	(void)state;
	assert_int_equal(1, import.rc);
	assert_int_equal(3, nr_measurements(&import));
	assert_string_equal("fio-3.25", measurement(&import, 0)->tool);
	assert_near(32, measurement(&import, 1)->workload.iodepth);
	assert_int_equal(1, measurement(&import, 1)->run);
	assert_string_equal("All clients", measurement(&import, 2)->workload.name);
	assert_near(20000, rate_of(&import, 2, HL_DIR_READ)->iops);
	import_free(&import);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_may_have_any_name),
		cmocka_unit_test(block_sizes_that_fio_rounds_are_unknown),
		cmocka_unit_test(without_a_job_line_the_totals_tell_the_block_size),
		cmocka_unit_test(each_process_counts_for_itself_without_group_reporting),
		cmocka_unit_test(what_the_jobs_of_a_merged_group_do_not_agree_on_is_unknown),
		cmocka_unit_test(a_failed_job_without_figures_is_flagged),
		cmocka_unit_test(a_failure_is_the_job_that_printed_no_result),
		cmocka_unit_test(a_failure_is_matched_by_its_process),
		cmocka_unit_test(a_failure_of_nobody_leaves_a_doubt),
		cmocka_unit_test(errors_that_a_job_lived_on_are_counted),
		cmocka_unit_test(an_interrupted_run_is_warned_of),
		cmocka_unit_test(of_repeated_status_blocks_the_last_counts),
		cmocka_unit_test(of_repeated_blocks_one_that_is_cut_does_not_count),
		cmocka_unit_test(a_result_pasted_twice_is_counted_once),
		cmocka_unit_test(results_behind_a_summary_are_another_run),
		cmocka_unit_test(the_hosts_of_a_client_are_one_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
