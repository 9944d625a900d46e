/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slots with real engines on a file: what is counted, where it goes, and each way to fail.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/alloc.h"
#include "hoploss/engine.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_SIZE (4 << 20)

static char path[] = "/tmp/hoploss-slot-XXXXXX";

static int open_file(void **state)
{
	int fd = mkstemp(path);

	*state = (void *)(intptr_t)fd;
	return ftruncate(fd, FILE_SIZE) < 0 || unlink(path) < 0 ? -1 : 0;
}

static int close_file(void **state)
{
	return close((int)(intptr_t)*state);
}

static struct hl_job job_of(void **state, enum hl_rw rw, double bs, double depth, double jobs)
{
	struct hl_job job = {
		.target = "file",
		.fd = (int)(intptr_t)*state,
		.length = FILE_SIZE,
		.seed = 42,
		.seconds = 0.15,
		.log_fd = -1,
	};

	hl_workload_init(&job.workload);
	job.workload.rw = rw;
	job.workload.bs = bs;
	job.workload.iodepth = depth;
	job.workload.numjobs = jobs;
	return job;
}

static int run(const char *engine, const struct hl_job *job, struct hl_slot *slot,
	       struct hl_error *err)
{
	return hl_slot_run(hl_engine_find(engine), job, 5, NULL, NULL, slot, err);
}

static void check_reads(const char *engine, void **state, double depth, double jobs)
{
	struct hl_job job = job_of(state, HL_RW_RANDREAD, 4096, depth, jobs);
	struct hl_slot slot;
	struct hl_error err = { 0 };

	if (run(engine, &job, &slot, &err) < 0)
		fail_msg("%s: %s", engine, err.text);
	assert_true(slot.ios[HL_IO_READ] > 100);
	assert_int_equal(slot.ios[HL_IO_WRITE], 0);
	assert_int_equal(slot.bytes[HL_IO_READ], slot.ios[HL_IO_READ] * 4096);
	assert_int_equal(hl_hist_count(slot.latency[HL_IO_READ]), slot.ios[HL_IO_READ]);
	assert_null(slot.latency[HL_IO_WRITE]);
	assert_true(slot.seconds > 0.1 && slot.seconds < 2);
	assert_true(slot.cpu_seconds > 0);
	/* Little's law: what was in flight is what was asked for */
	assert_true(slot.ios[HL_IO_READ] / slot.seconds * hl_hist_mean(slot.latency[HL_IO_READ]) /
			    1e9 <=
		    depth * jobs * 1.1);
	hl_slot_free(&slot);
}

static void io_uring_reads_at_depth_and_with_jobs(void **state)
{
	struct hl_error err;

	if (hl_engine_for_files(&err) != hl_engine_find("io_uring"))
		skip();
	check_reads("io_uring", state, 1, 1);
	check_reads("io_uring", state, 16, 2);
}

static void psync_reads_with_a_thread_for_each_io(void **state)
{
	check_reads("psync", state, 1, 1);
	check_reads("psync", state, 4, 2);
}

static void mix_of_reads_and_writes_is_as_asked_for(void **state)
{
	struct hl_job job = job_of(state, HL_RW_RANDRW, 4096, 4, 1);
	struct hl_slot slot;
	double reads;

	job.workload.rwmixread = 70;
	job.may_write = true;
	assert_int_equal(run("psync", &job, &slot, NULL), 0);
	reads = (double)slot.ios[HL_IO_READ];
	assert_float_equal(reads / (reads + (double)slot.ios[HL_IO_WRITE]), 0.7, 0.06);
	hl_slot_free(&slot);
}

static void syncs_come_after_every_n_writes(void **state)
{
	const char *engines[] = { "psync", "io_uring" };

	for (int i = 0; i < 2; i++) {
		struct hl_job job = job_of(state, HL_RW_WRITE, 4096, 1, 1);
		struct hl_slot slot;

		job.may_write = true;
		job.sync_every = 8;
		assert_int_equal(run(engines[i], &job, &slot, NULL), 0);
		assert_in_range(slot.ios[HL_IO_SYNC], slot.ios[HL_IO_WRITE] / 8 - 1,
				slot.ios[HL_IO_WRITE] / 8 + 1);
		hl_slot_free(&slot);
	}
}

static void written_data_does_not_compress_and_no_two_blocks_are_alike(void **state)
{
	struct hl_job job = job_of(state, HL_RW_WRITE, 65536, 1, 1);
	static unsigned char blocks[2][65536];
	unsigned counts[256] = { 0 };
	struct hl_slot slot;

	job.may_write = true;
	assert_int_equal(run("psync", &job, &slot, NULL), 0);
	hl_slot_free(&slot);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pread(job.fd, blocks[i], 65536, i * 65536), 65536);
	assert_memory_not_equal(blocks[0], blocks[1], 64);
	for (size_t i = 0; i < 65536; i++)
		counts[blocks[0][i]]++;
	for (int i = 0; i < 256; i++)
		assert_in_range(counts[i], 150, 1500); /* 256 each if random; stamps have zeros */
}

static void write_without_permission_never_starts(void **state)
{
	struct hl_job job = job_of(state, HL_RW_RANDWRITE, 4096, 1, 1);
	struct hl_slot slot;
	struct hl_error err = { 0 };

	assert_int_equal(run("psync", &job, &slot, &err), -EPERM);
	assert_non_null(strstr(err.text, "not given away for writing"));
}

static void short_read_names_the_place(void **state)
{
	struct hl_job job = job_of(state, HL_RW_READ, 4096, 1, 1);
	struct hl_slot slot;
	struct hl_error err = { 0 };

	job.offset = FILE_SIZE - 8192;
	job.length = 16384;
	assert_int_equal(run("psync", &job, &slot, &err), -EIO);
	assert_non_null(strstr(err.text, "file: short read at byte 4194304: 0 of 4096 bytes"));
	if (hl_engine_for_files(NULL) == hl_engine_find("io_uring"))
		assert_int_equal(run("io_uring", &job, &slot, &err), -EIO);
}

static void full_device_is_enospc(void **state)
{
	struct hl_job job = job_of(state, HL_RW_WRITE, 4096, 1, 1);
	struct hl_slot slot;
	struct hl_error err = { 0 };
	HL_CLOSE int fd = open("/dev/full", O_RDWR);

	job.fd = fd;
	job.may_write = true;
	assert_int_equal(run("psync", &job, &slot, &err), -ENOSPC);
	assert_non_null(strstr(err.text, "No space left"));
}

static void region_smaller_than_a_block_is_refused(void **state)
{
	struct hl_job job = job_of(state, HL_RW_READ, 65536, 1, 128);
	struct hl_slot slot;
	struct hl_error err = { 0 };

	assert_int_equal(run("psync", &job, &slot, &err), -EINVAL);
	assert_non_null(strstr(err.text, "too small for 128 jobs"));
}

static bool stop_at_once(void *context, double done, double rate)
{
	(void)done;
	(void)rate;
	++*(int *)context;
	return true;
}

static void bandwidth_is_held_to_what_is_allowed(void **state)
{
	static const char *const engines[] = { "io_uring", "psync", "null" };

	for (size_t i = 0; i < sizeof(engines) / sizeof(*engines); i++) {
		struct hl_job job = job_of(state, HL_RW_RANDREAD, 4096, 4, 2);
		struct hl_slot slot;
		struct hl_error err;

		if (hl_engine_find(engines[i])->check &&
		    hl_engine_find(engines[i])->check(&err) < 0)
			continue;
		job.seconds = 0.5;
		job.max_bw = 4e6;
		if (run(engines[i], &job, &slot, &err) < 0)
			fail_msg("%s: %s", engines[i], err.text);
		assert_true((double)slot.bytes[HL_IO_READ] < 1.05 * 4e6 * 0.5);
		assert_true((double)slot.bytes[HL_IO_READ] > 0.7 * 4e6 * 0.5);
		hl_slot_free(&slot);
	}
}

static void watcher_can_stop_a_slot(void **state)
{
	struct hl_job job = job_of(state, HL_RW_RANDREAD, 4096, 1, 1);
	uint64_t start = hl_clock_ns();
	struct hl_slot slot;
	int calls = 0;

	job.seconds = 30;
	assert_int_equal(
		hl_slot_run(hl_engine_find("psync"), &job, 5, stop_at_once, &calls, &slot, NULL),
		-EINTR);
	assert_int_equal(calls, 1);
	assert_true(hl_clock_ns() - start < 5000000000u);
}

/* An engine that never comes back, as one does whose disk has gone. */
static int hang(struct hl_worker *worker, struct hl_error *err)
{
	(void)worker;
	(void)err;
	for (;;)
		pause();
	return 0;
}

static int crash(struct hl_worker *worker, struct hl_error *err)
{
	(void)worker;
	(void)err;
	return raise(SIGKILL);
}

static void engine_that_hangs_is_given_up_at_its_deadline(void **state)
{
	const struct hl_engine engine = { .name = "hang", .run = hang };
	struct hl_job job = job_of(state, HL_RW_RANDREAD, 4096, 1, 1);
	uint64_t start = hl_clock_ns();
	struct hl_slot slot;
	struct hl_error err = { 0 };

	assert_int_equal(hl_slot_run(&engine, &job, 0.2, NULL, NULL, &slot, &err), -ETIMEDOUT);
	assert_non_null(strstr(err.text, "given up"));
	assert_true(hl_clock_ns() - start < 3000000000u);
}

static void engine_that_dies_is_said_to_have_died(void **state)
{
	const struct hl_engine engine = { .name = "crash", .run = crash };
	struct hl_job job = job_of(state, HL_RW_RANDREAD, 4096, 1, 1);
	struct hl_slot slot;
	struct hl_error err = { 0 };

	assert_int_equal(hl_slot_run(&engine, &job, 5, NULL, NULL, &slot, &err), -ECHILD);
	assert_non_null(strstr(err.text, "signal 9"));
}

static void sequential_jobs_share_no_block_and_leave_none_out(void **state)
{
	struct hl_job job = job_of(state, HL_RW_READ, 4096, 1, 4);
	static unsigned char seen[FILE_SIZE / 4096];
	FILE *log = tmpfile();
	uint64_t pair[2];
	struct hl_slot slot;

	job.log_fd = fileno(log);
	job.seconds = 0.01;
	assert_int_equal(run("null", &job, &slot, NULL), 0);
	assert_true(slot.laps >= 1);
	hl_slot_free(&slot);
	rewind(log);
	while (fread(pair, sizeof(pair), 1, log) == 1) {
		assert_true(pair[0] + pair[1] <= FILE_SIZE && pair[0] % 4096 == 0);
		seen[pair[0] / 4096] = 1;
	}
	for (size_t i = 0; i < sizeof(seen); i++)
		assert_true(seen[i]);
	fclose(log);
}

static void drives_measured_together_get_every_job_each(void **state)
{
	struct hl_job job = job_of(state, HL_RW_RANDREAD, 4096, 2, 2);
	int other = open("/proc/self/exe", O_RDONLY);
	struct hl_slot both;

	job.length = 65536;
	job.more_fds = &other;
	job.nr_more_fds = 1;
	assert_int_equal(run("psync", &job, &both, NULL), 0);
	assert_true(both.ios[HL_IO_READ] > 0);
	hl_slot_free(&both);
	/* the second one is really read: where it cannot be, the slot fails */
	close(other);
	other = open("/dev/null", O_WRONLY);
	assert_int_equal(run("psync", &job, &both, NULL), -EBADF);
	close(other);
}

static void same_seed_gives_the_same_offsets(void **state)
{
	struct hl_job job = job_of(state, HL_RW_RANDREAD, 4096, 1, 1);
	_Atomic uint64_t cursor = 0;
	struct hl_walk a, b, c;
	unsigned nr_same = 0;
	bool is_write;

	assert_int_equal(hl_walk_init(&a, &job, 0, 0, &cursor, NULL), 0);
	assert_int_equal(hl_walk_init(&b, &job, 0, 0, &cursor, NULL), 0);
	job.seed++;
	assert_int_equal(hl_walk_init(&c, &job, 0, 0, &cursor, NULL), 0);
	for (int i = 0; i < 1000; i++) {
		uint64_t offset = hl_walk_next(&a, &is_write);

		assert_int_equal(offset, hl_walk_next(&b, &is_write));
		nr_same += offset == hl_walk_next(&c, &is_write);
	}
	assert_true(nr_same < 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(io_uring_reads_at_depth_and_with_jobs),
		cmocka_unit_test(psync_reads_with_a_thread_for_each_io),
		cmocka_unit_test(mix_of_reads_and_writes_is_as_asked_for),
		cmocka_unit_test(syncs_come_after_every_n_writes),
		cmocka_unit_test(written_data_does_not_compress_and_no_two_blocks_are_alike),
		cmocka_unit_test(write_without_permission_never_starts),
		cmocka_unit_test(short_read_names_the_place),
		cmocka_unit_test(full_device_is_enospc),
		cmocka_unit_test(region_smaller_than_a_block_is_refused),
		cmocka_unit_test(bandwidth_is_held_to_what_is_allowed),
		cmocka_unit_test(watcher_can_stop_a_slot),
		cmocka_unit_test(engine_that_hangs_is_given_up_at_its_deadline),
		cmocka_unit_test(engine_that_dies_is_said_to_have_died),
		cmocka_unit_test(sequential_jobs_share_no_block_and_leave_none_out),
		cmocka_unit_test(drives_measured_together_get_every_job_each),
		cmocka_unit_test(same_seed_gives_the_same_offsets),
	};

	return cmocka_run_group_tests(tests, open_file, close_file);
}
