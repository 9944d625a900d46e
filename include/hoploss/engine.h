/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Engines: what issues the I/O of one workload on one target and times each of them.
 *
 * To add one: a const struct at the bottom of its own file in src/engine/ and one line in
 * src/engine/table.c. An engine's run() is the loop of one worker (one of the workload's numjobs);
 * threads, clocks of the slot, deadline and collection are done once, in src/engine/slot.c.
 * In the loop nothing allocates and nothing locks.
 */
#ifndef HOPLOSS_ENGINE_H
#define HOPLOSS_ENGINE_H

#include "hoploss/error.h"
#include "hoploss/extent.h"
#include "hoploss/hist.h"
#include "hoploss/iscsi.h"
#include "hoploss/tcp.h"
#include "hoploss/workload.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* What ended so far, reads and writes, also in the warm-up. */
struct hl_tally {
	double ios[2];
	double ms[2]; /* what they took, all added up */
};

/* One slot: a workload on a target for a time. Sizes in bytes, times in seconds. */
struct hl_job {
	struct hl_workload workload; /* rw, bs, iodepth, numjobs and rwmixread must be known */
	const char *target;          /* path or URL, for messages and for engines that dial */
	int fd;                      /* opened by the caller; -1 for engines that open by name */
	const int *more_fds;         /* drives that are measured together with it, each with the */
	unsigned nr_more_fds;        /* workload's numjobs; none for engines that open by name */
	const char *const
		*more_targets;   /* their paths, for messages; NULL = only target is known */
	unsigned drive;          /* of several at a hop only the n-th, from 1; 0 = all of them */
	uint64_t offset, length; /* the region of the target that this slot may touch */
	const struct hl_extent *map; /* where that region lies on the target; NULL = as it is */
	size_t nr_map;
	uint64_t seed;          /* of the offsets and the data */
	double warmup, seconds; /* the first is not counted */
	double max_bw;          /* bytes/s, all workers together; 0 = no limit */
	unsigned sync_every;    /* fsync after so many writes, 0 = never */
	bool is_data_only;      /* fdatasync instead of fsync */
	bool may_write;         /* without it a write is refused at the last moment */
	struct hl_tally *tally; /* kept up to date 10 times a second; NULL = nobody looks */
	int log_fd;             /* null engine: (offset, length) pairs of uint64_t; -1 = none */
	const struct hl_iscsi_login *login; /* iSCSI engine */
	const struct hl_tcp_peer *peer;     /* TCP engine */
};

/* Counters that the coordinator watches while a slot runs; they live in shared memory. */
struct hl_live {
	_Atomic uint64_t ios, bytes;        /* counted ones, both directions */
	_Atomic uint64_t all[2], all_ns[2]; /* reads and writes, also of the warm-up */
};

/* Where a worker's next I/O goes; see src/engine/walk.c. */
struct hl_walk {
	uint64_t state;            /* of the random numbers */
	uint64_t start, nr_blocks; /* of this worker's part, in bytes and in blocks */
	uint64_t bs;
	const struct hl_extent *map; /* of the job */
	size_t nr_map;
	_Atomic uint64_t *cursor; /* sequential: blocks gone so far, of all workers of this job */
	unsigned mix_pct;         /* reads of 100 I/Os */
	bool is_random;
};

enum { HL_IO_READ, HL_IO_WRITE, HL_IO_SYNC, HL_NR_IOS };

struct hl_worker {
	const struct hl_job *job;
	int fd; /* that it reads or writes */
	unsigned index;
	struct hl_walk walk;
	struct hl_live *live;
	atomic_bool *stop;      /* set by anybody: end soon */
	uint64_t count_from_ns; /* CLOCK_MONOTONIC: completions before it are not counted */
	uint64_t end_ns;
	double pace_ns; /* from one I/O to the next, for max_bw; 0 = as fast as it goes */
	double next_ns; /* when the next may start */
	/* what it found */
	struct hl_hist *latency[HL_NR_IOS]; /* from submission to completion */
	struct hl_hist *submission;         /* time that submitting blocked (fio's slat) */
	uint64_t ios[HL_NR_IOS], bytes[HL_NR_IOS];
	uint64_t before_ns; /* the last completion that is not counted, 0 = none */
	uint64_t last_ns;   /* the last counted one */
	unsigned unsynced;  /* writes since the last sync */
	uint64_t cpu_ns;    /* CPU time of the worker's thread */
};

struct hl_engine {
	const char *name;
	const char *summary;
	bool is_one_deep; /* one I/O in flight a worker: a job of depth n is n workers */
	/* May this process use it? -EPERM, -ENOSYS … with the reason; NULL = always. */
	int (*check)(struct hl_error *err);
	/*
	 * One worker's slot: prepare, hl_worker_begin(), loop until hl_worker_is_done(). An I/O
	 * error ends it: err names operation, offset and reason.
	 */
	int (*run)(struct hl_worker *worker, struct hl_error *err);
};

extern const struct hl_engine *const hl_engines[]; /* NULL-terminated */

const struct hl_engine *hl_engine_find(const char *name); /* or NULL */
/* io_uring where it may be used, else psync; err then says why. */
const struct hl_engine *hl_engine_for_files(struct hl_error *err);

/* What a slot gave, all workers together. Free with hl_slot_free. */
struct hl_slot {
	const struct hl_engine *engine;
	struct hl_hist *latency[HL_NR_IOS]; /* NULL = no such I/O */
	struct hl_hist *submission;
	uint64_t ios[HL_NR_IOS], bytes[HL_NR_IOS];
	double seconds;     /* from the last completion of the warm-up to the last counted one */
	double cpu_seconds; /* of the workers */
	uint64_t laps;      /* how often a sequential walk came round */
	double *timeline;   /* bytes/s, 10 a second, as watched from outside */
	size_t nr_timeline;
};

/* Called 10 times a second while a slot runs; true = stop it now. */
typedef bool hl_slot_watch(void *context, double done, double bytes_per_s);

/*
 * Runs one slot in a child process and collects it. A child that is not back after
 * warmup + seconds + grace is killed, or, where it cannot be killed, abandoned: -ETIMEDOUT.
 * -EIO, -ENOSPC, -ENODEV, -EROFS …: what the first failing I/O said. -EINTR: watch() stopped it.
 */
int hl_slot_run(const struct hl_engine *engine, const struct hl_job *job, double grace,
		hl_slot_watch *watch, void *context, struct hl_slot *ret_slot,
		struct hl_error *err);
void hl_slot_free(struct hl_slot *slot);

/* ---- for engines ---- */

static inline uint64_t hl_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/*
 * The walk of one worker of the workload's job number job_index (0 .. numjobs - 1). Workers of one
 * job share its part of the region and its cursor. -EINVAL: the region has no block for each job.
 */
int hl_walk_init(struct hl_walk *walk, const struct hl_job *job, unsigned job_index,
		 unsigned worker_index, _Atomic uint64_t *cursor, struct hl_error *err);
/* The byte offset of the next I/O on the target, and whether it is a write. */
uint64_t hl_walk_next(struct hl_walk *walk, bool *ret_is_write);

/* Starts the worker's clock: everything is prepared, what follows is I/O. */
void hl_worker_begin(struct hl_worker *worker);
/* Counts one completion that was submitted at start_ns and seen at now_ns. */
void hl_worker_count(struct hl_worker *worker, int io, uint64_t start_ns, uint64_t now_ns);
/* Is the slot over at now_ns? */
static inline bool hl_worker_is_done(const struct hl_worker *worker, uint64_t now_ns)
{
	return now_ns >= worker->end_ns || atomic_load_explicit(worker->stop, memory_order_relaxed);
}
/* May another I/O start at now_ns? If so, it is taken to start. */
bool hl_worker_may_start(struct hl_worker *worker, uint64_t now_ns);
/* Sleeps until it may, at most 1 ms; returns the time then. */
uint64_t hl_worker_rest(const struct hl_worker *worker, uint64_t now_ns);
/* Sleeps until one may start, which it then is taken to, or the slot is over; returns the time. */
uint64_t hl_worker_wait_turn(struct hl_worker *worker, uint64_t now_ns);
/* Is it time to sync? Counts the write that was just issued. */
bool hl_worker_wants_sync(struct hl_worker *worker);

/*
 * Page-aligned memory for nr blocks of the workload, filled with data that does not compress;
 * freed by hl_buffers_free.
 */
void *hl_buffers_new(const struct hl_job *job, unsigned nr, unsigned worker_index);
void *hl_buffer_at(void *buffers, const struct hl_job *job, unsigned index);
void hl_buffers_free(void *buffers, const struct hl_job *job, unsigned nr);
/* Makes a block about to be written different from every other one. */
void hl_buffer_stamp(void *block, uint64_t bs, uint64_t offset, uint64_t serial);

/* err for an I/O that gave result (negative errno, or a short count). Returns the code. */
int hl_engine_io_failed(const struct hl_worker *worker, int io, uint64_t offset, long result,
			struct hl_error *err);

#endif
