/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_json_parts.h"
#include "import_reader.h"

static void a_job_has_the_workload_of_its_options(void **state)
{
	struct import import = import_json(
		"fio: some warning\n"
		"{ 'fio version' : 'fio-3.33', 'timestamp' : 7,\n"
		"'global options' : { 'ioengine' : 'libaio', 'bs' : '64k', 'direct' : '1' },\n"
		"'jobs' : [ {\n"
		"'jobname' : 'one', 'groupid' : 3, 'error' : 0, 'elapsed' : 9,\n"
		"'job options' : { 'rw' : 'randread', 'bs' : '4k', 'iodepth' : '8',\n"
		"  'numjobs' : '2', 'size' : '1g', 'runtime' : '2m', 'filename' : '/dev/x' },\n"
		"'read' : " SIDE3 ",\n'write' : " NO_SIDE ",\n'usr_cpu' : 1.5, 'sys_cpu' : 20.25,\n"
		"'latency_depth' : 8, 'latency_target' : 0 } ] }\n");
	const struct hl_measurement *at = measurement(&import, 0);

	(void)state;
	assert_int_equal(1, import.rc);
	assert_int_equal(1, nr_measurements(&import));
	assert_string_equal("one", at->workload.name);
	assert_string_equal("fio-3.33", at->tool);
	assert_int_equal(HL_STATUS_IMPORTED, at->status);
	assert_int_equal(3, at->group);
	assert_int_equal(1, at->run);
	assert_int_equal(5, at->line);
	assert_int_equal(HL_RW_RANDREAD, at->workload.rw);
	assert_near(4096, at->workload.bs);
	assert_near(16, hl_workload_depth(&at->workload));
	assert_near(1073741824.0, at->workload.size);
	assert_near(120, at->workload.runtime_s);
	assert_int_equal(1, at->workload.direct);
	assert_string_equal("libaio", at->workload.engine);
	assert_near(1.5, at->cpu_user_pct);
	assert_near(20.25, at->cpu_system_pct);
	import_free(&import);
}

static void a_job_of_fio_3_has_figures(void **state)
{
	struct import import = import_json("{ 'fio version' : 'fio-3.33', 'jobs' : [ {\n"
					   "'jobname' : 'one', 'read' : " SIDE3
					   ",\n'write' : " NO_SIDE " } ] }\n");
	const struct hl_measurement *at = measurement(&import, 0);
	const struct hl_rate *rate = at->dir[HL_DIR_READ];

	(void)state;
	/* not bw, which is 6 % too low */
	assert_near(1474560 / 135.476, rate->bw);
	assert_near(360 / 135.476, rate->iops);
	assert_near(135476, rate->runtime_ms);
	assert_null(rate->slat);
	assert_near(500.5, rate->clat->mean);
	assert_near(9000 - 100, rate->clat->max - rate->clat->min);
	assert_near(400, rate->clat->p50);
	assert_near(800, rate->clat->p99);
	assert_near(900, rate->clat->p99_9);
	assert_unknown(rate->clat->p99_99);
	assert_near(600.5, rate->lat->mean);
	assert_unknown(rate->lat->p99);
	assert_null(at->dir[HL_DIR_WRITE]);
	import_free(&import);
}

static void fio_2_counts_kib_and_usec(void **state)
{
	struct import import = import_json(
		"{ 'fio version' : 'fio-2.1.4', 'jobs' : [ { 'jobname' : 'one', 'groupid' : 0,\n"
		"'error' : 0, 'read' : { 'io_bytes' : 2932, 'bw' : 292, 'iops' : 73,\n"
		"'runtime' : 10016, 'clat' : { 'min' : 0, 'max' : 25305, 'mean' : 13643.39,\n"
		"'stddev' : 4045.09, 'percentile' : { '99.000000' : 23168, '0.00' : 0 } } } } ] "
		"}\n");
	const struct hl_rate *rate = measurement(&import, 0)->dir[HL_DIR_READ];

	(void)state;
	assert_near(2932 * 1024.0, rate->bytes);
	assert_near(2932 * 1024 / 10.016, rate->bw);
	assert_near(73, rate->iops);
	assert_unknown(rate->ios);
	assert_near(13643390, rate->clat->mean);
	assert_near(23168000, rate->clat->p99);
	assert_unknown(rate->clat->min);
	assert_int_equal(HL_RW_UNKNOWN, measurement(&import, 0)->workload.rw);
	assert_int_equal(-1, measurement(&import, 0)->workload.direct);
	import_free(&import);
}

/* Of one job of one side. */
static struct hl_rate *rate_of(struct import *import, const char *version, const char *side)
{
	HL_FREE char *text = hl_printf("{ 'fio version' : '%s', 'jobs' : [ { 'jobname' : 'a',\n"
				       "'read' : { %s } } ] }\n",
				       version, side);

	*import = import_json(text);
	return measurement(import, 0)->dir[HL_DIR_READ];
}

static void the_unit_of_io_bytes_is_told_by_bw(void **state)
{
	static const struct {
		const char *version, *side;
		double bytes;
	} cases[] = {
		{ "fio-2.21", "'io_bytes' : 10240, 'bw' : 1024, 'runtime' : 10000", 10485760 },
		{ "fio-2.21", "'io_bytes' : 10485760, 'bw' : 1024, 'runtime' : 10000", 10485760 },
		{ "fio-3.1", "'io_bytes' : 10240, 'bw' : 1024, 'runtime' : 10000", 10485760 },
		{ "fio-3.1", "'io_bytes' : 1999, 'bw' : 1, 'runtime' : 1000", 1999 },
		{ "fio-2.2", "'io_bytes' : 1, 'bw' : 1, 'runtime' : 513", 1024 },
		/* too slow for bw: the version tells */
		{ "fio-2.2", "'io_bytes' : 4, 'bw' : 0, 'runtime' : 9000", 4096 },
		{ "fio-3.2", "'io_bytes' : 4096, 'bw' : 0, 'runtime' : 9000", 4096 },
		{ "fio-2.99", "'io_bytes' : 4096, 'bw' : 0, 'runtime' : 9000", 4096 },
		{ "fio-2.99", "'io_bytes' : 4096, 'io_kbytes' : 4, 'bw' : 0, 'runtime' : 9", 4096 },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import;
		const struct hl_rate *rate = rate_of(&import, cases[i].version, cases[i].side);

		if (rate->bytes != cases[i].bytes)
			fail_msg("case %zu: %g", i, rate->bytes);
		import_free(&import);
	}
}

static void rates_come_from_what_there_is(void **state)
{
	struct import import;
	const struct hl_rate *rate = rate_of(&import, "fio-3.1", "'bw_bytes' : 5000, 'bw' : 4");

	(void)state;
	assert_near(5000, rate->bw);
	import_free(&import);
	rate = rate_of(&import, "fio-3.1", "'bw' : 4, 'iops' : 'x', 'total_ios' : '77'");
	assert_near(4096, rate->bw);
	assert_unknown(rate->iops);
	assert_near(77, rate->ios); /* a string for a number */
	import_free(&import);
	rate = rate_of(&import, "fio-3.1", "'io_bytes' : 4096, 'total_ios' : 1, 'runtime' : 0");
	assert_unknown(rate->bw);
	assert_unknown(rate->iops);
	assert_int_equal(HL_STATUS_PARTIAL, measurement(&import, 0)->status);
	import_free(&import);
}

static void an_error_makes_the_job_failed(void **state)
{
	struct import import = import_json(
		"{ 'fio version' : 'fio-3.1', 'jobs' : [\n"
		"{ 'jobname' : 'a', 'error' : 28, 'job options' : {},\n" WROTE "},\n"
		"{ 'jobname' : 'b', 'error' : 42, 'job options' : { 'ioengine' : "
		"'windowsaio' },\n"
		"  'write' : " NO_SIDE " },\n"
		"{ 'jobname' : 'c', 'error' : 0, 'total_err' : 3, " WROTE " },\n"
		"{ 'error' : 0, 'total_err' : 0, " WROTE " } ] }\n");

	(void)state;
	assert_int_equal(HL_STATUS_PARTIAL, measurement(&import, 2)->status);
	assert_string_equal("3 requests failed", measurement(&import, 2)->reason);
	assert_int_equal(HL_STATUS_IMPORTED, measurement(&import, 3)->status);
	assert_null(measurement(&import, 3)->workload.name);
	assert_int_equal(HL_STATUS_FAILED, measurement(&import, 0)->status);
	assert_int_equal(28, measurement(&import, 0)->error);
	assert_string_equal("No space left on device", measurement(&import, 0)->reason);
	assert_non_null(measurement(&import, 0)->dir[HL_DIR_WRITE]);
	/* the numbers of Windows are others */
	assert_string_equal("fio does not say which error it is", measurement(&import, 1)->reason);
	assert_null(measurement(&import, 1)->dir[HL_DIR_WRITE]);
	import_free(&import);
}

static void a_job_without_io_is_not_measured(void **state)
{
	struct import import = import_json("{ 'fio version' : 'fio-3.1', 'jobs' : [\n"
					   "{ 'jobname' : 'a', 'error' : 0, 'read' : " NO_SIDE
					   ", 'usr_cpu' : 0.0 } ] }\n");

	(void)state;
	assert_int_equal(HL_STATUS_NOT_MEASURED, measurement(&import, 0)->status);
	assert_string_equal("fio did no I/O in this job", measurement(&import, 0)->reason);
	assert_null(measurement(&import, 0)->dir[HL_DIR_READ]);
	assert_unknown(measurement(&import, 0)->cpu_user_pct);
	import_free(&import);
}

#define ENTRY(name, numjobs)                                                                       \
	"{ 'jobname' : '" name "', 'groupid' : 0, 'job options' : { 'rw' : 'write',\n"             \
	"  'numjobs' : '" numjobs "', 'size' : '4k' }, " WROTE " }"

static void processes_are_entries_unless_reported_as_a_group(void **state)
{
	struct import import = import_json("{ 'fio version' : 'fio-3.1', 'jobs' : [\n" ENTRY(
		"a", "2") "," ENTRY("a", "2") "," ENTRY("b", "4") " ] }\n");

	(void)state;
	assert_near(1, measurement(&import, 0)->workload.numjobs);
	assert_near(4096, measurement(&import, 0)->workload.size);
	assert_near(1, measurement(&import, 1)->workload.numjobs);
	assert_near(4, measurement(&import, 2)->workload.numjobs);
	assert_near(16384, measurement(&import, 2)->workload.size);
	import_free(&import);
}

static void merged_sections_leave_unknown_what_differs(void **state)
{
	struct import import = import_json(
		"{ 'fio version' : 'fio-3.1', 'jobs' : [\n"
		/* a reader of 64 KiB blocks and a writer of 4 KiB blocks */
		"{ 'jobname' : 'mixed', 'job options' : { 'rw' : 'write', 'bs' : '4k' },\n"
		" 'read' : { 'io_bytes' : 655360, 'total_ios' : 10, 'runtime' : 1001 },\n"
		" 'write' : { 'io_bytes' : 40960, 'total_ios' : 10, 'runtime' : 1000 },\n"
		" 'job_runtime' : 2001 },\n"
		/* one section for each of three disks */
		"{ 'jobname' : 'alike', 'job options' : { 'rw' : 'read', 'bs' : '4k' },\n"
		" 'read' : { 'io_bytes' : 40960, 'total_ios' : 10, 'runtime' : 1000 },\n"
		" 'job_runtime' : 3000 },\n"
		/* reads what it wrote */
		"{ 'jobname' : 'verified', 'job options' : { 'rw' : 'write', 'verify' : 'md5' },\n"
		" 'read' : { 'io_bytes' : 40960, 'total_ios' : 10, 'runtime' : 1000 },\n"
		" 'write' : { 'io_bytes' : 40960, 'total_ios' : 10, 'runtime' : 1000 },\n"
		" 'job_runtime' : 2000 } ] }\n");
	const struct hl_workload *mixed = &measurement(&import, 0)->workload;
	const struct hl_workload *alike = &measurement(&import, 1)->workload;
	const struct hl_workload *verified = &measurement(&import, 2)->workload;

	(void)state;
	assert_int_equal(HL_RW_UNKNOWN, mixed->rw);
	assert_unknown(mixed->bs);
	assert_near(2, mixed->numjobs);
	assert_int_equal(HL_RW_READ, alike->rw);
	assert_near(4096, alike->bs);
	assert_near(3, alike->numjobs);
	assert_int_equal(HL_RW_WRITE, verified->rw);
	assert_near(1, verified->numjobs);
	import_free(&import);
}

static void without_options_the_totals_and_the_depth_tell(void **state)
{
	struct import import = import_json(
		"{ 'fio version' : 'fio-3.1', 'jobs' : [\n"
		"{ 'jobname' : 'a', 'read' : { 'io_bytes' : 81920, 'total_ios' : 10, 'runtime' : 9 "
		"},\n"
		"  'latency_depth' : 32, 'latency_target' : 0 },\n"
		"{ 'jobname' : 'b', 'read' : { 'io_bytes' : 81921, 'total_ios' : 10, 'runtime' : 9 "
		"},\n"
		"  'latency_depth' : 32, 'latency_target' : 1000 } ] }\n");

	(void)state;
	assert_near(8192, measurement(&import, 0)->workload.bs);
	assert_near(32, measurement(&import, 0)->workload.iodepth);
	assert_unknown(measurement(&import, 0)->workload.numjobs);
	assert_unknown(measurement(&import, 1)->workload.bs);
	assert_unknown(measurement(&import, 1)->workload.iodepth);
	import_free(&import);
}

static void disks_are_kept_with_the_sum_of_their_members(void **state)
{
	struct import import = import_json(
		"{ 'fio version' : 'fio-3.1', 'jobs' : [ { 'jobname' : 'a', " WROTE " } ],\n"
		"'disk_util' : [ { 'name' : 'md0', 'read_ios' : 7, 'write_ios' : 8,\n"
		"  'read_merges' : 1, 'write_merges' : 2, 'read_ticks' : 70, "
		"'write_ticks' : 80,\n"
		"  'in_queue' : 150, 'util' : 12.5, 'aggr_read_ios' : 3, 'aggr_util' : "
		"50.0 },\n"
		"  { 'no' : 'name' } ] }\n");
	const struct hl_hop *hop = import.graph->hops[0];

	(void)state;
	assert_int_equal(2, hop->nr_disks);
	assert_string_equal("md0", hop->disks[0]->name);
	assert_near(7, hop->disks[0]->ios[0]);
	assert_near(80, hop->disks[0]->ticks_ms[1]);
	assert_near(150, hop->disks[0]->in_queue_ms);
	assert_near(12.5, hop->disks[0]->util_pct);
	assert_unknown(hop->disks[0]->sectors[0]);
	assert_false(hop->disks[0]->is_aggregate);
	assert_int_equal(1, hop->disks[0]->run);
	assert_true(hop->disks[1]->is_aggregate);
	assert_near(3, hop->disks[1]->ios[0]);
	assert_near(50, hop->disks[1]->util_pct);
	import_free(&import);
}

static void percentiles_that_are_not_listed_come_from_bins(void **state)
{
	struct import import;
	const struct hl_rate *rate = rate_of(
		&import, "fio-3.1",
		"'io_bytes' : 4096, 'total_ios' : 100, 'runtime' : 9, 'clat_ns' : { 'mean' : 5.0,\n"
		"'percentile' : { '50.000000' : 77 },\n"
		"'bins' : { '300' : 9, '100' : 90, '900' : 1, 'x' : 5 } }");

	(void)state;
	assert_near(77, rate->clat->p50);
	assert_near(100, rate->clat->p90);
	assert_near(300, rate->clat->p99);
	assert_near(900, rate->clat->p99_9);
	assert_near(100, rate->clat->p1);
	import_free(&import);
}

static void syncs_are_under_write_and_mixed_is_the_last_resort(void **state)
{
	struct import import = import_json(
		"{ 'fio version' : 'fio-3.1', 'jobs' : [\n"
		"{ 'jobname' : 'a', " WROTE ",\n"
		"  'mixed' : { 'io_bytes' : 4096, 'runtime' : 5, 'total_ios' : 1 },\n"
		"  'sync' : { 'total_ios' : 5, 'lat_ns' : { 'mean' : 1500.0, 'min' : 1, "
		"'max' : 2000,\n"
		"  'percentile' : { '99.000000' : 1900 } } } },\n"
		"{ 'jobname' : 'b', 'mixed' : { 'io_bytes' : 4096, 'runtime' : 4, "
		"'total_ios' : 1 },\n"
		"  'sync' : { 'total_ios' : 0, 'lat_ns' : { 'mean' : 0.0 } } },\n"
		"{ 'jobname' : 'c', 'trim' : { 'io_bytes' : 4096, 'runtime' : 4, "
		"'total_ios' : 1 } } ] }\n");

	(void)state;
	assert_null(measurement(&import, 0)->dir[HL_DIR_MIXED]);
	assert_near(1500, measurement(&import, 0)->dir[HL_DIR_WRITE]->sync->mean);
	assert_near(1900, measurement(&import, 0)->dir[HL_DIR_WRITE]->sync->p99);
	assert_near(1024000, measurement(&import, 1)->dir[HL_DIR_MIXED]->bw);
	assert_null(measurement(&import, 1)->dir[HL_DIR_MIXED]->sync);
	assert_near(1024000, measurement(&import, 2)->dir[HL_DIR_TRIM]->bw);
	import_free(&import);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_has_the_workload_of_its_options),
		cmocka_unit_test(a_job_of_fio_3_has_figures),
		cmocka_unit_test(fio_2_counts_kib_and_usec),
		cmocka_unit_test(the_unit_of_io_bytes_is_told_by_bw),
		cmocka_unit_test(rates_come_from_what_there_is),
		cmocka_unit_test(an_error_makes_the_job_failed),
		cmocka_unit_test(a_job_without_io_is_not_measured),
		cmocka_unit_test(processes_are_entries_unless_reported_as_a_group),
		cmocka_unit_test(merged_sections_leave_unknown_what_differs),
		cmocka_unit_test(without_options_the_totals_and_the_depth_tell),
		cmocka_unit_test(disks_are_kept_with_the_sum_of_their_members),
		cmocka_unit_test(percentiles_that_are_not_listed_come_from_bins),
		cmocka_unit_test(syncs_are_under_write_and_mixed_is_the_last_resort),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
