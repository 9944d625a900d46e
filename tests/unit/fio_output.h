/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run as fio 3.33 prints one, in pieces: 100,000 reads of 4 KiB in 10 s.
 */
#ifndef FIO_OUTPUT_H
#define FIO_OUTPUT_H

#include "import_reader.h"
#include <errno.h>

#define JOB_LINE                                                                                   \
	"rr: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, "           \
	"ioengine=libaio, iodepth=32\n"
#define LEAD_IN                                                                                    \
	JOB_LINE "...\nfio-3.33\nStarting 4 processes\nrr: Laying out IO file (1 file / 10MiB)\n"  \
		 "rr: Laying out IO file (1 file / 10MiB)\n\n"
#define HEAD "rr: (groupid=0, jobs=4): err= 0: pid=7068: Mon Nov 30 15:10:06 2026\n"
#define RATE "  read: IOPS=10.0k, BW=39.1MiB/s (41.0MB/s)(391MiB/10000msec)\n"
#define LATENCIES                                                                                  \
	"    slat (nsec): min=1713, max=12097k, avg=78149.96, stdev=405373.39\n"                   \
	"    clat (usec): min=4, max=64857, avg=519.44, stdev=1912.39\n"                           \
	"     lat (usec): min=29, max=64860, avg=597.59, stdev=1959.47\n"
#define ROWS                                                                                       \
	"     |  1.00th=[   32],  5.00th=[   39], 10.00th=[   45], 20.00th=[  114],\n"             \
	"     | 30.00th=[  151], 40.00th=[  202], 50.00th=[  255], 60.00th=[  293],\n"             \
	"     | 70.00th=[  343], 80.00th=[  404], 90.00th=[  502], 95.00th=[ 1434],\n"             \
	"     | 99.00th=[ 5866], 99.50th=[ 8455], 99.90th=[34341], 99.95th=[38011],\n"             \
	"     | 99.99th=[64750]\n"
#define PERCENTILES "    clat percentiles (usec):\n" ROWS
#define DETAILS                                                                                    \
	"   bw (  KiB/s): min=65248, max=84320, per=100.00%, avg=76818.67, stdev=4582.89, "        \
	"samples=6\n"                                                                              \
	"   iops        : min=16312, max=21080, avg=19204.67, stdev=1145.72, samples=6\n"
#define SPREAD "  lat (usec)   : 10=0.01%, 50=12.93%, 100=5.09%, 250=31.04%, 500=40.86%\n"
#define CPU    "  cpu          : usr=2.35%, sys=28.40%, ctx=7991, majf=0, minf=27\n"
#define DEPTHS                                                                                     \
	"  IO depths    : 1=0.1%, 2=0.1%, 4=0.1%, 8=0.1%, 16=0.1%, 32=100.0%, >=64=0.0%\n"         \
	"     submit    : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"        \
	"     complete  : 0=0.0%, 4=100.0%, 8=0.1%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
#define ISSUED "     issued rwts: total=100000,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
#define TARGET "     latency   : target=0, window=0, percentile=100.00%, depth=32\n"
#define TAIL   SPREAD CPU DEPTHS ISSUED TARGET
#define RESULT HEAD RATE LATENCIES PERCENTILES DETAILS TAIL
#define SUMMARY                                                                                    \
	"\nRun status group 0 (all jobs):\n"                                                       \
	"   READ: bw=39.1MiB/s (41.0MB/s), 39.1MiB/s-39.1MiB/s (41.0MB/s-41.0MB/s), io=391MiB "    \
	"(410MB), run=10000-10000msec\n"
#define DISKS                                                                                      \
	"\nDisk stats (read/write):\n"                                                             \
	"  sda: ios=19511/6388, sectors=156088/51104, merge=0/3, ticks=1414/5530, "                \
	"in_queue=6944, util=63.59%\n"
#define RUN LEAD_IN RESULT SUMMARY DISKS

__attribute__((unused)) static const struct hl_rate *rate_of(const struct import *import,
							     size_t index, enum hl_dir dir)
{
	const struct hl_rate *rate = measurement(import, index)->dir[dir];

	assert_non_null(rate);
	return rate;
}

__attribute__((unused)) static void assert_status(enum hl_status status,
						  const struct import *import, size_t index)
{
	assert_string_equal(hl_status_name(status),
			    hl_status_name(measurement(import, index)->status));
	if (status == HL_STATUS_IMPORTED)
		assert_null(measurement(import, index)->reason);
	else
		assert_non_null(measurement(import, index)->reason);
}

#endif
