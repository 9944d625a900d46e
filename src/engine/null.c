/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The null engine: everything but the I/O. Its figure is what the harness itself costs, and its log
 * of offsets is how tests see where an engine would have read.
 */
#include "hoploss/engine.h"
#include <errno.h>
#include <unistd.h>

#define LOG_PAIRS 512

struct log {
	int fd;
	unsigned nr;
	uint64_t pairs[LOG_PAIRS][2];
};

static int log_flush(struct log *log)
{
	size_t size = log->nr * sizeof(log->pairs[0]);

	log->nr = 0;
	return write(log->fd, log->pairs, size) == (ssize_t)size ? 0 : -EIO;
}

static int log_add(struct log *log, uint64_t offset, uint64_t len)
{
	log->pairs[log->nr][0] = offset;
	log->pairs[log->nr][1] = len;
	return ++log->nr == LOG_PAIRS ? log_flush(log) : 0;
}

static int null_run(struct hl_worker *worker, struct hl_error *err)
{
	struct log log = { .fd = worker->job->log_fd };
	uint64_t before, now;

	hl_worker_begin(worker);
	before = now = hl_clock_ns();
	while (!hl_worker_is_done(worker, now)) {
		bool is_write;
		uint64_t offset;

		before = hl_worker_wait_turn(worker, before);
		offset = hl_walk_next(&worker->walk, &is_write);
		if (log.fd >= 0 && log_add(&log, offset, worker->walk.bs) < 0)
			return hl_engine_io_failed(worker, HL_IO_WRITE, offset, -EIO, err);
		now = hl_clock_ns();
		hl_worker_count(worker, is_write ? HL_IO_WRITE : HL_IO_READ, before, now);
		before = now;
	}
	if (log.fd >= 0 && log_flush(&log) < 0)
		return hl_engine_io_failed(worker, HL_IO_WRITE, 0, -EIO, err);
	return 0;
}

const struct hl_engine hl_engine_null = {
	.name = "null",
	.summary = "no I/O at all: what the harness itself costs",
	.run = null_run,
};
