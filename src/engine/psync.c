/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * psync: pread(2) and pwrite(2), one thread for each I/O in flight. The fallback where a kernel or
 * a container's seccomp filter forbids io_uring.
 */
#include "hoploss/engine.h"
#include <errno.h>
#include <unistd.h>

static int transfer(struct hl_worker *worker, void *block, uint64_t offset, bool is_write,
		    struct hl_error *err)
{
	uint64_t bs = worker->walk.bs;
	ssize_t done;

	if (is_write)
		hl_buffer_stamp(block, bs, offset, worker->ios[HL_IO_WRITE]);
	done = is_write ? pwrite(worker->fd, block, bs, (off_t)offset)
			: pread(worker->fd, block, bs, (off_t)offset);
	if (done == (ssize_t)bs)
		return 0;
	return hl_engine_io_failed(worker, is_write ? HL_IO_WRITE : HL_IO_READ, offset,
				   done < 0 ? -errno : done, err);
}

static int sync_file(struct hl_worker *worker, struct hl_error *err)
{
	const struct hl_job *job = worker->job;
	uint64_t start = hl_clock_ns();

	if ((job->is_data_only ? fdatasync(worker->fd) : fsync(worker->fd)) < 0)
		return hl_engine_io_failed(worker, HL_IO_SYNC, 0, -errno, err);
	hl_worker_count(worker, HL_IO_SYNC, start, hl_clock_ns());
	return 0;
}

static int loop(struct hl_worker *worker, void *block, struct hl_error *err)
{
	uint64_t start = hl_clock_ns();
	int rc = 0;

	while (rc == 0 && !hl_worker_is_done(worker, start)) {
		bool is_write;
		uint64_t offset;

		start = hl_worker_wait_turn(worker, start);
		offset = hl_walk_next(&worker->walk, &is_write);
		rc = transfer(worker, block, offset, is_write, err);
		if (rc < 0)
			break;
		hl_worker_count(worker, is_write ? HL_IO_WRITE : HL_IO_READ, start, hl_clock_ns());
		if (is_write && hl_worker_wants_sync(worker))
			rc = sync_file(worker, err);
		start = hl_clock_ns();
	}
	return rc;
}

static int psync_run(struct hl_worker *worker, struct hl_error *err)
{
	void *block = hl_buffers_new(worker->job, 1, worker->index);
	int rc;

	hl_worker_begin(worker);
	rc = loop(worker, block, err);
	hl_buffers_free(block, worker->job, 1);
	return rc;
}

const struct hl_engine hl_engine_psync = {
	.name = "psync",
	.summary = "pread and pwrite, a thread for each I/O in flight",
	.is_one_deep = true,
	.run = psync_run,
};
