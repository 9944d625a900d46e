/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iSCSI from userspace: measures target and network without the kernel's initiator. One session a
 * worker, as the kernel has one a disk.
 */
#include "hoploss/alloc.h"
#include "hoploss/engine.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define POLL_MS      100
#define HELD_BACK_MS 1 /* by max_bw: another I/O may start soon */

struct command {
	uint64_t start_ns, offset;
	int io;
};

struct initiator {
	struct hl_worker *worker;
	struct hl_iscsi *session;
	struct command *commands; /* by tag */
	unsigned *idle;
	unsigned depth, nr_idle;
	char *buffers;
	bool owes_sync;
	int rc; /* of the first command that failed */
	struct hl_error *err;
};

static void done(void *context, unsigned tag, int rc)
{
	struct initiator *initiator = context;
	const struct command *command = &initiator->commands[tag];

	initiator->idle[initiator->nr_idle++] = tag;
	if (rc == 0)
		hl_worker_count(initiator->worker, command->io, command->start_ns, hl_clock_ns());
	else if (initiator->rc == 0)
		initiator->rc = hl_engine_io_failed(initiator->worker, command->io, command->offset,
						    rc, initiator->err);
}

static char *buffer_of(const struct initiator *initiator, unsigned tag)
{
	return hl_buffer_at(initiator->buffers, initiator->worker->job, tag);
}

static int submit(struct initiator *initiator, int io, uint64_t offset)
{
	unsigned tag = initiator->idle[--initiator->nr_idle];
	uint64_t bs = initiator->worker->walk.bs;
	char *buffer = buffer_of(initiator, tag);

	initiator->commands[tag] = (struct command){ hl_clock_ns(), offset, io };
	if (io == HL_IO_SYNC)
		return hl_iscsi_flush(initiator->session, tag, initiator->err);
	if (io == HL_IO_READ)
		return hl_iscsi_read(initiator->session, tag, offset, buffer, bs, initiator->err);
	hl_buffer_stamp(buffer, bs, offset, initiator->worker->ios[HL_IO_WRITE]);
	return hl_iscsi_write(initiator->session, tag, offset, buffer, bs, initiator->err);
}

static bool may_start(struct initiator *initiator)
{
	return initiator->owes_sync || hl_worker_may_start(initiator->worker, hl_clock_ns());
}

static int fill(struct initiator *initiator)
{
	int rc = 0;

	while (rc == 0 && initiator->nr_idle && may_start(initiator)) {
		bool is_write = false;

		if (initiator->owes_sync) {
			rc = submit(initiator, HL_IO_SYNC, 0);
		} else {
			uint64_t offset = hl_walk_next(&initiator->worker->walk, &is_write);

			rc = submit(initiator, is_write ? HL_IO_WRITE : HL_IO_READ, offset);
		}
		initiator->owes_sync = is_write && hl_worker_wants_sync(initiator->worker);
	}
	return rc;
}

static int loop(struct initiator *initiator)
{
	int rc = 0;

	while (rc == 0 && !hl_worker_is_done(initiator->worker, hl_clock_ns())) {
		rc = fill(initiator);
		if (rc == 0)
			rc = hl_iscsi_poll(initiator->session,
					   initiator->nr_idle ? HELD_BACK_MS : POLL_MS,
					   initiator->err);
		if (rc == 0)
			rc = initiator->rc;
	}
	/* what is in flight still writes into the buffers */
	while (initiator->nr_idle < initiator->depth &&
	       hl_iscsi_poll(initiator->session, POLL_MS, NULL) == 0)
		;
	return rc ? rc : initiator->rc;
}

static int prepare(struct initiator *initiator, struct hl_worker *worker, struct hl_error *err)
{
	const struct hl_job *job = worker->job;
	int rc;

	*initiator = (struct initiator){
		.worker = worker,
		.depth = (unsigned)job->workload.iodepth,
		.err = err,
	};
	rc = hl_iscsi_open(job->login, &initiator->session, err);
	if (rc < 0)
		return rc;
	hl_iscsi_on_done(initiator->session, done, initiator);
	initiator->commands = hl_alloc(initiator->depth * sizeof(*initiator->commands));
	initiator->idle = hl_alloc(initiator->depth * sizeof(*initiator->idle));
	initiator->buffers = hl_buffers_new(job, initiator->depth, worker->index);
	for (unsigned tag = 0; tag < initiator->depth; tag++)
		initiator->idle[initiator->nr_idle++] = tag;
	return 0;
}

static int iscsi_run(struct hl_worker *worker, struct hl_error *err)
{
	struct initiator initiator;
	int rc = prepare(&initiator, worker, err);

	if (rc < 0)
		return rc;
	hl_worker_begin(worker);
	rc = loop(&initiator);
	/* closing ends what is still queued, and that is no result any more */
	hl_iscsi_close(initiator.session);
	hl_buffers_free(initiator.buffers, worker->job, initiator.depth);
	free(initiator.commands);
	free(initiator.idle);
	return rc;
}

const struct hl_engine hl_engine_iscsi = {
	.name = "iscsi",
	.summary = "libiscsi: an iSCSI LUN from userspace, one session a job",
	.run = iscsi_run,
};
