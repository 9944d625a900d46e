/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * io_uring, with everything registered that can be: the file, the buffers, and a ring that only one
 * thread uses. liburing is included here and nowhere else.
 *
 * Completions are taken in batches of a quarter of the depth: one system call and two clock reads
 * for several I/Os. A latency is from the moment before its submission to the moment its batch was
 * seen, so it includes the wait for its batch: that is what an application that batches gets.
 */
#include "hoploss/alloc.h"
#include "hoploss/engine.h"
#include <assert.h>
#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

struct slot {
	uint64_t start_ns, offset;
	struct iovec block;
	int io;
};

struct uring {
	struct io_uring ring;
	struct hl_worker *worker;
	struct slot *slots; /* one an I/O in flight, its number is the user data */
	void *buffers;
	unsigned depth, batch, nr_in_flight;
	unsigned *idle; /* numbers of the slots that are free */
	unsigned nr_idle;
	bool has_fixed_buffers;
	bool owes_sync; /* a sync is due and waits for an idle slot */
};

/* From the newest kernel to the oldest: the first that the kernel takes. */
static const unsigned setup_flags[] = {
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN |
		IORING_SETUP_TASKRUN_FLAG,
	IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
	0,
};

static int ring_open(struct io_uring *ring, unsigned depth)
{
	int rc = -EINVAL;

	for (size_t i = 0; i < sizeof(setup_flags) / sizeof(*setup_flags) && rc == -EINVAL; i++)
		rc = io_uring_queue_init(depth, ring, setup_flags[i]);
	return rc;
}

static int uring_check(struct hl_error *err)
{
	struct io_uring ring;
	int rc = ring_open(&ring, 1);

	if (rc < 0)
		return hl_fail(err, -rc, "io_uring may not be used here: %s", strerror(-rc));
	io_uring_queue_exit(&ring);
	return 0;
}

/* Registration is an optimisation that a limit on locked memory can forbid: go on without. */
static void register_all(struct uring *uring)
{
	HL_FREE struct iovec *blocks = hl_alloc(uring->depth * sizeof(*blocks));

	for (unsigned i = 0; i < uring->depth; i++)
		blocks[i] = uring->slots[i].block;
	uring->has_fixed_buffers = io_uring_register_buffers(&uring->ring, blocks, uring->depth) ==
				   0;
}

static int uring_open(struct uring *uring, struct hl_worker *worker, struct hl_error *err)
{
	const struct hl_job *job = worker->job;
	size_t bs = (size_t)job->workload.bs;
	int rc;

	*uring = (struct uring){ .worker = worker, .depth = (unsigned)job->workload.iodepth };
	uring->batch = uring->depth / 4 ? uring->depth / 4 : 1;
	rc = ring_open(&uring->ring, uring->depth);
	if (rc < 0)
		return hl_fail(err, -rc, "io_uring of %u entries: %s", uring->depth, strerror(-rc));
	rc = io_uring_register_files(&uring->ring, &worker->fd, 1);
	if (rc < 0) {
		io_uring_queue_exit(&uring->ring);
		return hl_fail(err, -rc, "%s: io_uring cannot use it: %s", job->target,
			       strerror(-rc));
	}
	uring->slots = hl_alloc(uring->depth * sizeof(*uring->slots));
	uring->idle = hl_alloc(uring->depth * sizeof(*uring->idle));
	uring->buffers = hl_buffers_new(job, uring->depth, worker->index);
	for (unsigned i = 0; i < uring->depth; i++) {
		uring->slots[i].block = (struct iovec){ hl_buffer_at(uring->buffers, job, i), bs };
		uring->idle[uring->nr_idle++] = i;
	}
	register_all(uring);
	return 0;
}

static void uring_close(struct uring *uring)
{
	io_uring_queue_exit(&uring->ring);
	hl_buffers_free(uring->buffers, uring->worker->job, uring->depth);
	free(uring->slots);
	free(uring->idle);
}

static void prepare_transfer(struct uring *uring, struct io_uring_sqe *sqe, unsigned number)
{
	struct slot *slot = &uring->slots[number];
	char *block = slot->block.iov_base;
	unsigned len = (unsigned)slot->block.iov_len;

	if (slot->io == HL_IO_WRITE) {
		assert(uring->worker->job->may_write); /* the last moment */
		hl_buffer_stamp(block, len, slot->offset, uring->worker->ios[HL_IO_WRITE]);
		if (uring->has_fixed_buffers)
			io_uring_prep_write_fixed(sqe, 0, block, len, slot->offset, (int)number);
		else
			io_uring_prep_write(sqe, 0, block, len, slot->offset);
	} else if (uring->has_fixed_buffers) {
		io_uring_prep_read_fixed(sqe, 0, block, len, slot->offset, (int)number);
	} else {
		io_uring_prep_read(sqe, 0, block, len, slot->offset);
	}
}

static void queue(struct uring *uring, int io, uint64_t offset)
{
	unsigned number = uring->idle[--uring->nr_idle];
	struct io_uring_sqe *sqe = io_uring_get_sqe(&uring->ring);

	assert(sqe); /* the ring has as many entries as there are slots */
	uring->slots[number].io = io;
	uring->slots[number].offset = offset;
	if (io == HL_IO_SYNC)
		io_uring_prep_fsync(sqe, 0,
				    uring->worker->job->is_data_only ? IORING_FSYNC_DATASYNC : 0);
	else
		prepare_transfer(uring, sqe, number);
	sqe->flags |= IOSQE_FIXED_FILE;
	sqe->user_data = number;
	uring->nr_in_flight++;
}

static void fill(struct uring *uring, uint64_t now)
{
	unsigned first = uring->nr_idle, last;

	while (uring->nr_idle && (uring->owes_sync || hl_worker_may_start(uring->worker, now))) {
		bool is_write = false;

		if (uring->owes_sync) {
			queue(uring, HL_IO_SYNC, 0);
		} else {
			uint64_t offset = hl_walk_next(&uring->worker->walk, &is_write);

			queue(uring, is_write ? HL_IO_WRITE : HL_IO_READ, offset);
		}
		uring->owes_sync = is_write && hl_worker_wants_sync(uring->worker);
	}
	last = uring->nr_idle;
	now = hl_clock_ns();
	while (first-- > last)
		uring->slots[uring->idle[first]].start_ns = now;
}

static int reap(struct uring *uring, uint64_t now, struct hl_error *err)
{
	struct io_uring_cqe *cqe;
	unsigned head, nr = 0;
	int rc = 0;

	io_uring_for_each_cqe(&uring->ring, head, cqe)
	{
		struct slot *slot = &uring->slots[cqe->user_data];
		long wanted = slot->io == HL_IO_SYNC ? 0 : (long)slot->block.iov_len;

		if (cqe->res == wanted)
			hl_worker_count(uring->worker, slot->io, slot->start_ns, now);
		else if (rc == 0)
			rc = hl_engine_io_failed(uring->worker, slot->io, slot->offset, cqe->res,
						 err);
		uring->idle[uring->nr_idle++] = (unsigned)cqe->user_data;
		nr++;
	}
	io_uring_cq_advance(&uring->ring, nr);
	uring->nr_in_flight -= nr;
	return rc;
}

static int wait_for(struct uring *uring, unsigned nr, struct hl_error *err)
{
	int rc = io_uring_submit_and_wait(&uring->ring, nr);

	if (rc < 0 && rc != -EINTR && rc != -EAGAIN && rc != -EBUSY)
		return hl_fail(err, -rc, "%s: io_uring: %s", uring->worker->job->target,
			       strerror(-rc));
	return 0;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static int loop(struct uring *uring, struct hl_error *err)
{
	uint64_t now = hl_clock_ns();
	int rc = 0, rest;

	while (rc == 0 && !hl_worker_is_done(uring->worker, now)) {
		fill(uring, now);
		if (!uring->nr_in_flight) { /* held back */
			now = hl_worker_rest(uring->worker, now);
			continue;
		}
		rc = wait_for(uring, least(uring->batch, uring->nr_in_flight), err);
		now = hl_clock_ns();
		if (rc == 0)
			rc = reap(uring, now, err);
	}
	/* what is in flight still writes into the buffers: wait for all of it */
	while (uring->nr_in_flight && wait_for(uring, uring->nr_in_flight, NULL) == 0) {
		rest = reap(uring, hl_clock_ns(), rc == 0 ? err : NULL);
		rc = rc ? rc : rest;
	}
	return rc;
}

static int uring_run(struct hl_worker *worker, struct hl_error *err)
{
	struct uring uring;
	int rc = uring_open(&uring, worker, err);

	if (rc < 0)
		return rc;
	hl_worker_begin(worker);
	rc = loop(&uring, err);
	uring_close(&uring);
	return rc;
}

const struct hl_engine hl_engine_uring = {
	.name = "io_uring",
	.summary = "io_uring with registered files and buffers, in batches",
	.check = uring_check,
	.run = uring_run,
};
