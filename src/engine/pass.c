/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One pass over a region: every block of it written once, each naming its own address, or read back
 * and compared. No clock ends it but the slot's deadline. A drive that claims more than it has
 * gives back what belongs elsewhere, or what it never kept.
 *
 * Surprising: what a block must hold follows from the job's seed and the lane that wrote it, so the
 * pass that reads must have as many lanes as the one that wrote.
 */
#include "hoploss/engine.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

#define TAG 0x484f504c4f535331ull /* beside the address in every stamp */

struct lane {
	unsigned index, nr; /* this one of so many on the same drive */
	void *expected;     /* a block as it was written */
	void *block;        /* as it is read */
};

static struct lane lane_of(const struct hl_worker *worker)
{
	unsigned nr_drives = 1 + worker->job->nr_more_fds;

	return (struct lane){
		.index = worker->index / nr_drives,
		.nr = (unsigned)worker->job->workload.numjobs,
		.expected = hl_buffers_new(worker->job, 1, worker->index / nr_drives),
	};
}

static const char *target_of(const struct hl_worker *worker)
{
	const struct hl_job *job = worker->job;
	unsigned drive = worker->index % (1 + job->nr_more_fds);

	return drive && job->more_targets ? job->more_targets[drive - 1] : job->target;
}

/* A failing drive must be told from those beside it. */
static int fail_io(const struct hl_worker *worker, const char *what, uint64_t offset, ssize_t done,
		   struct hl_error *err)
{
	int code = done < 0 ? errno : EIO;

	return hl_fail(err, code, "%s: %s at byte %llu: %s", target_of(worker), what,
		       (unsigned long long)offset, done < 0 ? strerror(code) : "cut short");
}

static bool is_stopped(const struct hl_worker *worker)
{
	return atomic_load_explicit(worker->stop, memory_order_relaxed);
}

static int write_block(struct hl_worker *worker, const struct lane *lane, uint64_t offset,
		       uint64_t len, struct hl_error *err)
{
	ssize_t done = pwrite(worker->fd, lane->expected, len, (off_t)offset);

	if (done == (ssize_t)len)
		return 0;
	return fail_io(worker, "write", offset, done, err);
}

/* Where in the block the first wrong byte is. */
static uint64_t first_difference(const char *a, const char *b, uint64_t len)
{
	uint64_t at = 0;

	while (at < len && a[at] == b[at])
		at++;
	return at;
}

static int read_block(struct hl_worker *worker, const struct lane *lane, uint64_t offset,
		      uint64_t len, struct hl_error *err)
{
	ssize_t done = pread(worker->fd, lane->block, len, (off_t)offset);
	uint64_t at;

	if (done != (ssize_t)len)
		return fail_io(worker, "read", offset, done, err);
	at = first_difference(lane->block, lane->expected, len);
	if (at == len)
		return 0;
	return hl_fail(err, EILSEQ, "%s: byte %llu is not what was written there",
		       target_of(worker), (unsigned long long)offset + at);
}

static int run(struct hl_worker *worker, const struct lane *lane, struct hl_error *err)
{
	bool writes = hl_rw_writes(worker->job->workload.rw);
	uint64_t bs = worker->walk.bs, end = worker->job->offset + worker->job->length;
	int rc = 0;

	for (uint64_t offset = worker->job->offset + lane->index * bs;
	     rc == 0 && offset < end && !is_stopped(worker); offset += lane->nr * bs) {
		uint64_t len = end - offset < bs ? end - offset : bs;
		uint64_t start = hl_clock_ns();

		hl_buffer_stamp(lane->expected, bs, offset, TAG);
		rc = writes ? write_block(worker, lane, offset, len, err)
			    : read_block(worker, lane, offset, len, err);
		if (rc == 0)
			hl_worker_count(worker, writes ? HL_IO_WRITE : HL_IO_READ, start,
					hl_clock_ns());
	}
	if (rc == 0 && writes && fsync(worker->fd) < 0)
		rc = fail_io(worker, "fsync", 0, -1, err);
	return rc;
}

static int pass_run(struct hl_worker *worker, struct hl_error *err)
{
	struct lane lane = lane_of(worker);
	int rc;

	lane.block = hl_buffers_new(worker->job, 1, worker->index);
	hl_worker_begin(worker);
	rc = run(worker, &lane, err);
	hl_buffers_free(lane.expected, worker->job, 1);
	hl_buffers_free(lane.block, worker->job, 1);
	return rc;
}

const struct hl_engine hl_engine_pass = {
	.name = "pass",
	.summary = "every block of a region once, with its address in it, or read back",
	.is_one_deep = true,
	.run = pass_run,
};
