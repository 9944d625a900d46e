/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_output.h"
#include "fio_pasted.h"

static void assert_same_rates(const struct hl_rate *expected, const struct hl_rate *actual)
{
	assert_near(expected->bw, actual->bw);
	assert_near(expected->iops, actual->iops);
	assert_near(expected->ios, actual->ios);
	assert_near(expected->runtime_ms, actual->runtime_ms);
	assert_memory_equal(expected->lat, actual->lat, sizeof(*actual->lat));
	assert_memory_equal(expected->clat, actual->clat, sizeof(*actual->clat));
	assert_memory_equal(expected->slat, actual->slat, sizeof(*actual->slat));
}

static void assert_same(const struct import *expected, const struct import *actual)
{
	const struct hl_measurement *was = measurement(expected, 0), *is = measurement(actual, 0);

	assert_int_equal(1, nr_measurements(actual));
	assert_int_equal(was->status, is->status);
	assert_string_equal(was->workload.name, is->workload.name);
	assert_string_equal(was->workload.engine, is->workload.engine);
	assert_true(hl_workload_is_same(&was->workload, &is->workload));
	assert_near(was->workload.size, is->workload.size);
	assert_near(was->cpu_system_pct, is->cpu_system_pct);
	assert_same_rates(was->dir[HL_DIR_READ], is->dir[HL_DIR_READ]);
	assert_int_equal(1, actual->graph->hops[0]->nr_disks);
	assert_near(6944, actual->graph->hops[0]->disks[0]->in_queue_ms);
}

static void however_it_was_pasted_the_figures_are_the_same(void **state)
{
	struct import clean = import_text(RUN);

	(void)state;
	for (size_t i = 0; i < NR(pastes); i++) {
		HL_FREE char *pasted = each_line(RUN, pastes[i].put);
		HL_FREE char *in_prose = between_prose(pasted);
		struct import import = import_text(pasted);

		print_message("%s\n", pastes[i].name);
		assert_same(&clean, &import);
		import_free(&import);
		import = import_text(in_prose);
		assert_same(&clean, &import);
		import_free(&import);
	}
	import_free(&clean);
}

static void a_text_may_be_quoted_and_then_broken(void **state)
{
	struct import clean = import_text(RUN);
	HL_FREE char *quoted = each_line(RUN, put_quoted);
	HL_FREE char *broken = each_line(quoted, put_wrapped);
	HL_FREE char *wrapped = each_line(RUN, put_wrapped);
	HL_FREE char *doubled = each_line(wrapped, put_doubled);
	struct import import = import_text(broken);

	(void)state;
	assert_same(&clean, &import);
	import_free(&import);
	import = import_text(doubled);
	assert_same(&clean, &import);
	import_free(&import);
	import_free(&clean);
}

static void noise_in_a_run_is_gone_over(void **state)
{
	struct import clean = import_text(RUN);
	struct import import = import_text(
		LEAD_IN "Jobs: 4 (f=4): [r(4)][45.0%][r=161MiB/s][eta 00m:10s]\n"
			"[  123.4] sd 0:0:0:0: [sda] Synchronizing SCSI cache\n" HEAD RATE LATENCIES
				PERCENTILES DETAILS
			"this line is somebody's remark\n" TAIL SUMMARY DISKS);

	(void)state;
	assert_same(&clean, &import);
	import_free(&import);
	import_free(&clean);
}

static void a_line_that_was_drawn_in_front_is_no_part_of_a_name(void **state)
{
	HL_FREE char *text = hl_printf("4k read=================%s", RUN);
	struct import import = import_text(text);

	(void)state;
	assert_int_equal(1, nr_measurements(&import));
	assert_string_equal("rr", measurement(&import, 0)->workload.name);
	assert_near(32, measurement(&import, 0)->workload.iodepth);
	import_free(&import);
}

static void prose_is_not_taken_for_fio(void **state)
{
	static const char *const lines[] = {
		"read: I did that already",
		"fio-3.33 is what I have",
		"With fio: pid 7 was slow",
		"cpu : usr is at 100%",
		"issued rwts: what does total= mean?",
		"Starting 5 days ago it became slow",
		"Jobs: none",
		"Disk stats (read/write):",
		"lat (usec) : is that in microseconds?",
		"(groupid=0, jobs=1)",
		"a (g=0) b",
		"| 99.00th=[ 420]",
		"...",
		"READ: the manual",
	};

	(void)state;
	for (size_t i = 0; i < NR(lines); i++) {
		HL_FREE char *text = hl_printf("Hello,\n%s\nBye\n", lines[i]);
		struct import import = import_text(text);

		if (import.rc != -ENODATA || import.graph->nr_inputs != 1)
			fail_msg("claimed: %s", lines[i]);
		import_free(&import);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(however_it_was_pasted_the_figures_are_the_same),
		cmocka_unit_test(a_text_may_be_quoted_and_then_broken),
		cmocka_unit_test(noise_in_a_run_is_gone_over),
		cmocka_unit_test(a_line_that_was_drawn_in_front_is_no_part_of_a_name),
		cmocka_unit_test(prose_is_not_taken_for_fio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
