/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every engine's loop shares: counting, buffers, and the one wording of an I/O error.
 */
#include "hoploss/alloc.h"
#include "hoploss/engine.h"
#include "hoploss/random.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#define PAGE        ((size_t)4096)
#define STAMP_EVERY 4096
#define CATCH_UP_NS 50e6
#define NAP_NS      1000000

static const char *const io_names[HL_NR_IOS] = { "read", "write", "sync" };

void hl_worker_begin(struct hl_worker *worker)
{
	const struct hl_job *job = worker->job;
	uint64_t now = hl_clock_ns();

	worker->count_from_ns = now + (uint64_t)(job->warmup * 1e9);
	worker->end_ns = now + (uint64_t)((job->warmup + job->seconds) * 1e9);
	worker->next_ns = (double)now;
}

/* The only writer is this worker: no read-modify-write needed. */
static void bump(_Atomic uint64_t *counter, uint64_t by)
{
	uint64_t was = atomic_load_explicit(counter, memory_order_relaxed);

	atomic_store_explicit(counter, was + by, memory_order_relaxed);
}

void hl_worker_count(struct hl_worker *worker, int io, uint64_t start_ns, uint64_t now_ns)
{
	uint64_t bytes = io == HL_IO_SYNC ? 0 : worker->walk.bs;

	if (io != HL_IO_SYNC && worker->job->tally) {
		bump(&worker->live->all[io], 1);
		bump(&worker->live->all_ns[io], now_ns - start_ns);
	}
	if (now_ns < worker->count_from_ns) {
		worker->before_ns = now_ns;
		return;
	}
	worker->last_ns = now_ns;
	worker->ios[io]++;
	worker->bytes[io] += bytes;
	hl_hist_record(worker->latency[io], now_ns - start_ns);
	/* the only writer is this worker: no read-modify-write needed */
	atomic_store_explicit(&worker->live->ios,
			      worker->ios[HL_IO_READ] + worker->ios[HL_IO_WRITE],
			      memory_order_relaxed);
	atomic_store_explicit(&worker->live->bytes,
			      worker->bytes[HL_IO_READ] + worker->bytes[HL_IO_WRITE],
			      memory_order_relaxed);
}

/* What was missed is made up for, but not all at once after a long stall. */
bool hl_worker_may_start(struct hl_worker *worker, uint64_t now_ns)
{
	double now = (double)now_ns;

	if (!(worker->pace_ns > 0))
		return true;
	if (now < worker->next_ns)
		return false;
	if (worker->next_ns < now - CATCH_UP_NS)
		worker->next_ns = now - CATCH_UP_NS;
	worker->next_ns += worker->pace_ns;
	return true;
}

uint64_t hl_worker_rest(const struct hl_worker *worker, uint64_t now_ns)
{
	double left = worker->next_ns - (double)now_ns;
	const struct timespec nap = { .tv_nsec = left < NAP_NS ? (long)fmax(left, 0) : NAP_NS };

	nanosleep(&nap, NULL);
	return hl_clock_ns();
}

uint64_t hl_worker_wait_turn(struct hl_worker *worker, uint64_t now_ns)
{
	while (!hl_worker_may_start(worker, now_ns) && !hl_worker_is_done(worker, now_ns))
		now_ns = hl_worker_rest(worker, now_ns);
	return now_ns;
}

bool hl_worker_wants_sync(struct hl_worker *worker)
{
	if (!worker->job->sync_every || ++worker->unsynced < worker->job->sync_every)
		return false;
	worker->unsynced = 0;
	return true;
}

static size_t stride(const struct hl_job *job)
{
	size_t bs = (size_t)job->workload.bs;

	return (bs + PAGE - 1) / PAGE * PAGE;
}

void *hl_buffer_at(void *buffers, const struct hl_job *job, unsigned index)
{
	return (char *)buffers + index * stride(job);
}

void *hl_buffers_new(const struct hl_job *job, unsigned nr, unsigned worker_index)
{
	size_t size = nr * stride(job);
	uint64_t state = job->seed ^ (worker_index + 1) * 0x2545f491u;
	void *buffers = mmap(NULL, size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (buffers == MAP_FAILED)
		return hl_alloc(SIZE_MAX); /* prints and exits as any other lack of memory */
	hl_random_fill(buffers, size / sizeof(uint64_t), &state);
	return buffers;
}

void hl_buffers_free(void *buffers, const struct hl_job *job, unsigned nr)
{
	if (buffers)
		munmap(buffers, nr * stride(job));
}

void hl_buffer_stamp(void *block, uint64_t bs, uint64_t offset, uint64_t serial)
{
	for (uint64_t at = 0; at + 16 <= bs; at += STAMP_EVERY) {
		const uint64_t stamp[2] = { offset + at, serial };

		memcpy((char *)block + at, stamp, sizeof(stamp));
	}
}

int hl_engine_io_failed(const struct hl_worker *worker, int io, uint64_t offset, long result,
			struct hl_error *err)
{
	unsigned long long place = offset;

	if (result < 0)
		return hl_fail(err, (int)-result, "%s: %s at byte %llu: %s", worker->job->target,
			       io_names[io], place, strerror((int)-result));
	return hl_fail(err, EIO, "%s: short %s at byte %llu: %ld of %llu bytes",
		       worker->job->target, io_names[io], place, result,
		       (unsigned long long)worker->walk.bs);
}
