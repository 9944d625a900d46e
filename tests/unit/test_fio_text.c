/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_output.h"

/* One result with this rate line and these totals. */
static struct import import_rate(const char *version, const char *rate, const char *issued)
{
	HL_FREE char *text = hl_printf(
		"a: (g=0): rw=rw, bs=4K-4K/4K-4K/4K-4K, ioengine=psync, iodepth=1\n%s\n\n"
		"a: (groupid=0, jobs=1): err= 0: pid=1: x\n  %s\n%s     %s\n",
		version, rate, CPU, issued);

	return import_text(text);
}

static void a_run_tells_its_workload(void **state)
{
	struct import import = import_text(RUN);
	const struct hl_measurement *at = measurement(&import, 0);

	(void)state;
	assert_int_equal(1, import.rc);
	assert_int_equal(1, nr_measurements(&import));
	assert_status(HL_STATUS_IMPORTED, &import, 0);
	assert_string_equal("rr", at->workload.name);
	assert_int_equal(HL_RW_RANDREAD, at->workload.rw);
	assert_near(4096, at->workload.bs);
	assert_unknown(at->workload.bs_write);
	assert_near(32, at->workload.iodepth);
	assert_near(4, at->workload.numjobs);
	assert_near(20 * 1048576, at->workload.size);
	assert_int_equal(-1, at->workload.direct);
	assert_string_equal("libaio", at->workload.engine);
	assert_string_equal("fio-3.33", at->tool);
	import_free(&import);
}

static void a_run_gives_its_rates(void **state)
{
	struct import import = import_text(RUN);
	const struct hl_measurement *at = measurement(&import, 0);
	const struct hl_rate *rate = rate_of(&import, 0, HL_DIR_READ);

	(void)state;
	assert_int_equal(1, at->run);
	assert_int_equal(8, at->line);
	assert_near(2.35, at->cpu_user_pct);
	assert_near(28.4, at->cpu_system_pct);
	assert_near(40960000, rate->bw);
	assert_near(10000, rate->iops);
	assert_near(100000, rate->ios);
	assert_near(409600000, rate->bytes);
	assert_near(10000, rate->runtime_ms);
	assert_unknown(rate->zone_resets);
	assert_null(at->dir[HL_DIR_WRITE]);
	import_free(&import);
}

static void a_run_gives_its_latencies(void **state)
{
	struct import import = import_text(RUN);
	const struct hl_rate *rate = rate_of(&import, 0, HL_DIR_READ);

	(void)state;
	assert_near(12097000, rate->slat->max);
	assert_near(519440, rate->clat->mean);
	assert_near(1912390, rate->clat->stddev);
	assert_near(29000, rate->lat->min);
	assert_near(32000, rate->clat->p1);
	assert_near(255000, rate->clat->p50);
	assert_near(502000, rate->clat->p90);
	assert_near(5866000, rate->clat->p99);
	assert_near(34341000, rate->clat->p99_9);
	assert_near(64750000, rate->clat->p99_99);
	assert_unknown(rate->lat->p99);
	import_free(&import);
}

static void disk_statistics_belong_to_the_run(void **state)
{
	struct import import = import_text(
		LEAD_IN RESULT SUMMARY
		"\nDisk stats (read/write):\n"
		"    dm-0: ios=54/8018, merge=1/2, ticks=636/27836, in_queue=28472, util=97.85%, "
		"aggrios=27/3717, aggrmerge=0/430, aggrticks=319/12116, aggrin_queue=12453, "
		"aggrutil=97.59%\n"
		"  sda: ios=54/7434, sectors=100/200, merge=0/861, ticks=638/24232, "
		"in_queue=24906, util=97.59%\n");
	const struct hl_hop *hop = import.graph->hops[0];

	(void)state;
	assert_int_equal(3, hop->nr_disks);
	assert_string_equal("dm-0", hop->disks[0]->name);
	assert_false(hop->disks[0]->is_aggregate);
	assert_near(28472, hop->disks[0]->in_queue_ms);
	assert_unknown(hop->disks[0]->sectors[0]);
	assert_true(hop->disks[1]->is_aggregate);
	assert_near(3717, hop->disks[1]->ios[1]);
	assert_near(12453, hop->disks[1]->in_queue_ms);
	assert_string_equal("sda", hop->disks[2]->name);
	assert_near(200, hop->disks[2]->sectors[1]);
	assert_near(24232, hop->disks[2]->ticks_ms[1]);
	assert_near(97.59, hop->disks[2]->util_pct);
	assert_int_equal(1, hop->disks[2]->run);
	import_free(&import);
}

/* ---- rates ---- */

static const struct {
	const char *what, *version, *rate, *issued;
	double bw, iops, tolerance;
} rate_cases[] = {
	{ "3.x, exact", "fio-3.1", "read: IOPS=10.0k, BW=39.1MiB/s (41.0MB/s)(391MiB/10000msec)",
	  "issued rwt: total=100000,0,0, short=0,0,0, dropped=0,0,0", 40960000, 10000, 1e-9 },
	{ "2.x: K is 1024", "fio-2.2.10",
	  "read : io=400000KB, bw=40000KB/s, iops=10000, runt= 10000msec",
	  "issued    : total=r=100000/w=0/d=0, short=r=0/w=0/d=0, drop=r=0/w=0/d=0", 40960000,
	  10000, 1e-9 },
	{ "2.x with kb_base=1000", "fio-2.2.10",
	  "read : io=409600KB, bw=40960KB/s, iops=10000, runt= 10000msec",
	  "issued    : total=r=100000/w=0/d=0, short=r=0/w=0/d=0", 40960000, 10000, 1e-9 },
	{ "2.x: digits behind the point mean nothing", "fio-2.2.10",
	  "read : io=400000KB, bw=3999.1KB/s, iops=999, runt=100001msec",
	  "issued    : total=r=100000/w=0/d=0, short=r=0/w=0/d=0", 409600000 / 100.001,
	  100000 / 100.001, 1e-9 },
	{ "1.x", "fio 1.59", "read : io=400000KB, bw=40000KB/s, iops=10000 , runt= 10000msec",
	  "issued r/w: total=100000/0, short=0/0", 40960000, 10000, 1e-9 },
	{ "bytes per second", "fio-2.2.10",
	  "read : io=4096.0KB, bw=418969B/s, iops=102, runt= 10011msec",
	  "issued r/w/d: total=1024/0/0, short=0/0/0", 4194304 / 10.011, 1024 / 10.011, 1e-9 },
	{ "bits, decimal first", "fio-3.33",
	  "read: IOPS=10.0k, BW=328Mbit/s (313Mibit/s)(410MB/10000msec)",
	  "issued rwts: total=100000,0,0,0 short=0,0,0,0 dropped=0,0,0,0", 40960000, 10000, 1e-9 },
	{ "bits of 2.x", "fio-2.2.10",
	  "read : io=400000KB, bw=320000Kbit/s, iops=10000, runt= 10000msec",
	  "issued    : total=r=100000/w=0/d=0, short=r=0/w=0/d=0", 40960000, 10000, 1e-9 },
	{ "no totals: what all printed figures allow", "fio-3.21",
	  "read: IOPS=40.6k, BW=635MiB/s (666MB/s)(37.2GiB/60001msec)", "", 665935000, 40600,
	  4e-3 },
	{ "before 2.20 only whole thousands do", "fio-2.19",
	  "read: IOPS=40.6k, BW=635MiB/s (666MB/s)(37.2GiB/60001msec)", "", 665935000, 40500,
	  2e-3 },
	{ "decimals count from 2.20 on", "fio-2.21",
	  "read: IOPS=40.6k, BW=635MiB/s (666MB/s)(37.2GiB/60001msec)", "", 665935000, 40600,
	  1e-3 },
	{ "before 3.26 a carry was lost", "fio-3.1",
	  "read: IOPS=83.0k, BW=328MiB/s (344MB/s)(656MiB/2001msec)",
	  "issued rwt: total=168046,0,0, short=0,0,0, dropped=0,0,0", 168046 * 4096 / 2.001,
	  168046 / 2.001, 1e-9 },
	{ "a lost carry shows by what else is printed", "fio-3.1",
	  "read: IOPS=3322, BW=12.0MiB/s (13.6MB/s)(130MiB/10015msec)", "", 13607312, 3322, 1e-3 },
	{ "bytes over run time where the rate is coarse", "fio-3.33",
	  "read: IOPS=2, BW=11.8KiB/s (12.1kB/s)(1440KiB/122070msec)", "", 1474560 / 122.07,
	  360 / 122.07, 4e-4 },
	{ "a carry was lost before 3.26, with totals", "fio-3.25",
	  "read: IOPS=7167, BW=27.0MiB/s (29.4MB/s)(2368MiB/84578msec)",
	  "issued rwts: total=606208,0,0,0 short=0,0,0,0 dropped=0,0,0,0", 606208 * 4096.0 / 84.578,
	  606208 / 84.578, 1e-9 },
	{ "a carry was lost in the amount", "fio-3.1",
	  "read: IOPS=109k, BW=426MiB/s (447MB/s)(24.0GiB/60001msec)",
	  "issued rwt: total=6550034,0,0, short=0,0,0, dropped=0,0,0", 6550034 * 4096.0 / 60.001,
	  6550034 / 60.001, 1e-9 },
	{ "a carry was lost, and the other unit tells", "fio-3.16",
	  "read: IOPS=70.9k, BW=27.0MiB/s (29.4MB/s)(2368MiB/84578msec)", "", 29359000, 70900,
	  1e-3 },
	{ "no carry was lost: the other unit tells", "fio-3.16",
	  "read: IOPS=70.9k, BW=27.0MiB/s (28.3MB/s)(2284MiB/84578msec)", "", 28316000, 70900,
	  1e-3 },
	{ "the carry is there from 3.26 on", "fio-3.26",
	  "read: IOPS=7000, BW=27.0MiB/s (29.4MB/s)(2368MiB/84578msec)",
	  "issued rwts: total=606208,0,0,0 short=0,0,0,0 dropped=0,0,0,0", 28316000, 7000.5, 1e-3 },
	{ "an issued total that does not fit is not believed", "fio-3.33",
	  "read: IOPS=10.0k, BW=39.1MiB/s (41.0MB/s)(391MiB/10000msec)",
	  "issued rwts: total=77,0,0,0 short=0,0,0,0 dropped=0,0,0,0", 40960000, 10000, 2e-3 },
};

static void each_form_of_a_rate_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(rate_cases); i++) {
		struct import import = import_rate(rate_cases[i].version, rate_cases[i].rate,
						   rate_cases[i].issued);
		const struct hl_rate *rate = rate_of(&import, 0, HL_DIR_READ);

		if (!(fabs(rate->bw / rate_cases[i].bw - 1) <= rate_cases[i].tolerance))
			fail_msg("%s: %.10g, not %.10g", rate_cases[i].what, rate->bw,
				 rate_cases[i].bw);
		if (!(fabs(rate->iops - rate_cases[i].iops) <=
		      rate_cases[i].tolerance * rate_cases[i].iops))
			fail_msg("%s: %.10g IOPS, not %.10g", rate_cases[i].what, rate->iops,
				 rate_cases[i].iops);
		import_free(&import);
	}
}

/* 12,425 bytes are printed as "12.1KiB": times the issued total it is no exact rate. */
static void a_rounded_block_size_makes_no_exact_rate(void **state)
{
	struct import import = import_text(
		"odd: (g=0): rw=randread, bs=(R) 12.1KiB-12.1KiB, (W) 12.1KiB-12.1KiB, (T) "
		"12.1KiB-12.1KiB, ioengine=libaio, iodepth=32\nfio-3.33\nStarting 1 process\n\n"
		"odd: (groupid=0, jobs=1): err= 0: pid=7: Mon Nov 30 15:10:06 2026\n"
		"  read: IOPS=8550, BW=101MiB/s (106MB/s)(10.1GiB/102400msec)\n" SPREAD CPU DEPTHS
		"     issued rwts: total=875520,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n" TARGET);
	const struct hl_rate *rate = rate_of(&import, 0, HL_DIR_READ);

	(void)state;
	assert_near(8550, rate->iops);
	assert_true(fabs(rate->bw / (8550 * 12390.0) - 1) > 1e-5);
	import_free(&import);
}

static void a_name_may_look_like_a_group(void **state)
{
	struct import import = import_text(
		"a (g=5): (groupid=7: (g=0): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) "
		"4096B-4096B, ioengine=libaio, iodepth=32\nfio-3.33\nStarting 4 processes\n\n"
		"a (g=5): (groupid=7: (groupid=0, jobs=4): err= 0: pid=7: Mon Nov 30 15:10:06 "
		"2026\n" RATE TAIL);

	(void)state;
	assert_int_equal(0, measurement(&import, 0)->group);
	assert_near(4, measurement(&import, 0)->workload.numjobs);
	assert_near(32, measurement(&import, 0)->workload.iodepth);
	assert_near(40960000, rate_of(&import, 0, HL_DIR_READ)->bw);
	import_free(&import);
}

static void zone_resets_are_counted(void **state)
{
	struct import import = import_rate(
		"fio-3.33",
		"write: IOPS=10.0k, BW=39.1MiB/s (41.0MB/s)(391MiB/10000msec); 11 zone resets",
		"issued rwts: total=0,100000,0,0 short=0,0,0,0 dropped=0,0,0,0");

	(void)state;
	assert_near(11, rate_of(&import, 0, HL_DIR_WRITE)->zone_resets);
	import_free(&import);
}

static void a_mixed_line_counts_where_there_is_no_split(void **state)
{
	static const char mixed[] =
		"  mixed: IOPS=10.0k, BW=39.1MiB/s (41.0MB/s)(391MiB/10000msec)\n";
	HL_FREE char *alone = hl_printf("%s%s%s", LEAD_IN HEAD, mixed, TAIL);
	HL_FREE char *both = hl_printf("%s%s%s", LEAD_IN HEAD RATE, mixed, TAIL);
	struct import import = import_text(alone);

	(void)state;
	assert_near(40960000, rate_of(&import, 0, HL_DIR_MIXED)->bw);
	assert_null(measurement(&import, 0)->dir[HL_DIR_READ]);
	assert_near(4096, measurement(&import, 0)->workload.bs);
	import_free(&import);
	import = import_text(both);
	assert_null(measurement(&import, 0)->dir[HL_DIR_MIXED]);
	assert_near(40960000, rate_of(&import, 0, HL_DIR_READ)->bw);
	import_free(&import);
}

/* ---- latencies ---- */

static void a_latency_of_zero_is_unknown(void **state)
{
	struct import import = import_text(
		LEAD_IN HEAD RATE "    clat (usec): min=0, max=0, avg= 0.00, stdev= 0.00\n"
				  "     lat (usec): min=0, max=20, avg= 0.31, stdev= 0.00\n"
				  "    lat percentiles (usec):\n"
				  "     |  1.00th=[    0], 99.00th=[    2]\n" TAIL);
	const struct hl_rate *rate = rate_of(&import, 0, HL_DIR_READ);

	(void)state;
	assert_null(rate->clat);
	assert_unknown(rate->lat->min);
	assert_near(310, rate->lat->mean);
	assert_unknown(rate->lat->p1);
	assert_near(2000, rate->lat->p99);
	import_free(&import);
}

static void percentiles_are_of_the_latency_that_they_name(void **state)
{
	struct import import = import_text(LEAD_IN HEAD RATE LATENCIES
					   "    slat percentiles (nsec):\n"
					   "     | 50.0th=[ 1800], 99.9th=[ 2000]\n"
					   "    lat percentiles (msec):\n"
					   "     | 50.0th=[    3], 99.99th=[    9]\n"
					   "    clat prio 0/4 (25.00% of IOs) percentiles (usec):\n"
					   "     | 50.0th=[   77], 99.9th=[   88]\n" TAIL);
	const struct hl_rate *rate = rate_of(&import, 0, HL_DIR_READ);

	(void)state;
	assert_near(1800, rate->slat->p50);
	assert_near(2000, rate->slat->p99_9);
	assert_near(3e6, rate->lat->p50);
	assert_near(9e6, rate->lat->p99_99);
	assert_unknown(rate->lat->p99);
	assert_unknown(rate->clat->p50);
	import_free(&import);
}

static void a_percentile_without_its_bracket_was_cut(void **state)
{
	struct import import = import_text(LEAD_IN HEAD RATE LATENCIES
					   "    clat percentiles (nsec):\n"
					   "     |  1.00th=[  338], 50.00th=[  342], 90.00th=[ 36");
	const struct hl_rate *rate = rate_of(&import, 0, HL_DIR_READ);

	(void)state;
	assert_status(HL_STATUS_PARTIAL, &import, 0);
	assert_near(342, rate->clat->p50);
	assert_unknown(rate->clat->p90);
	import_free(&import);
}

static void the_latency_of_fsync_is_of_the_writes(void **state)
{
	struct import import = import_text(
		LEAD_IN HEAD RATE
		"  write: IOPS=1000, BW=3.9MiB/s (4.1MB/s)(39.1MiB/10000msec); 0 zone resets\n"
		"    clat (usec): min=4, max=64, avg=5.19, stdev=1.39\n" SPREAD
		"  fsync/fdatasync/sync_file_range:\n"
		"    sync (msec): min=6, max=821, avg=10.45, stdev=18.42\n"
		"    sync percentiles (msec):\n"
		"     | 50.00th=[    9], 99.00th=[   62]\n" CPU DEPTHS
		"     issued rwts: total=100000,10000,0,0 short=9999,0,0,0 dropped=0,0,0,0\n");
	const struct hl_rate *write = rate_of(&import, 0, HL_DIR_WRITE);

	(void)state;
	assert_status(HL_STATUS_IMPORTED, &import, 0);
	assert_near(10450000, write->sync->mean);
	assert_near(62e6, write->sync->p99);
	assert_near(5190, write->clat->mean);
	assert_null(rate_of(&import, 0, HL_DIR_READ)->sync);
	import_free(&import);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_tells_its_workload),
		cmocka_unit_test(a_run_gives_its_rates),
		cmocka_unit_test(a_run_gives_its_latencies),
		cmocka_unit_test(disk_statistics_belong_to_the_run),
		cmocka_unit_test(each_form_of_a_rate_is_read),
		cmocka_unit_test(a_rounded_block_size_makes_no_exact_rate),
		cmocka_unit_test(a_name_may_look_like_a_group),
		cmocka_unit_test(zone_resets_are_counted),
		cmocka_unit_test(a_mixed_line_counts_where_there_is_no_split),
		cmocka_unit_test(a_latency_of_zero_is_unknown),
		cmocka_unit_test(percentiles_are_of_the_latency_that_they_name),
		cmocka_unit_test(a_percentile_without_its_bracket_was_cut),
		cmocka_unit_test(the_latency_of_fsync_is_of_the_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
