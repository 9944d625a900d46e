/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the I/O goes. The region of a slot is split evenly between its workers, for random and
 * sequential patterns alike, so that no worker finds in a cache what another one fetched. (fio lets
 * all its sequential jobs start at the same place.) Offsets are a function of the seed alone.
 */
#include "hoploss/engine.h"
#include "hoploss/random.h"
#include <errno.h>
#include <math.h>

static unsigned read_percent(const struct hl_workload *workload)
{
	if (!hl_rw_writes(workload->rw))
		return 100;
	if (!hl_rw_reads(workload->rw))
		return 0;
	return isnan(workload->rwmixread) ? 50 : (unsigned)workload->rwmixread;
}

int hl_walk_init(struct hl_walk *walk, const struct hl_job *job, unsigned job_index,
		 unsigned worker_index, _Atomic uint64_t *cursor, struct hl_error *err)
{
	uint64_t bs = (uint64_t)job->workload.bs;
	uint64_t nr_jobs = (uint64_t)job->workload.numjobs;
	uint64_t nr_blocks = job->length / bs / nr_jobs;

	if (nr_blocks == 0)
		return hl_fail(
			err, EINVAL,
			"%s: a region of %llu bytes is too small for %llu jobs of %llu bytes",
			job->target, (unsigned long long)job->length, (unsigned long long)nr_jobs,
			(unsigned long long)bs);
	*walk = (struct hl_walk){
		.state = job->seed + worker_index * 0xd1342543de82ef95u,
		.start = job->offset + job_index * nr_blocks * bs,
		.nr_blocks = nr_blocks,
		.bs = bs,
		.map = job->map,
		.nr_map = job->nr_map,
		.cursor = cursor,
		.mix_pct = read_percent(&job->workload),
		.is_random = hl_rw_is_random(job->workload.rw),
	};
	return 0;
}

static bool next_is_write(struct hl_walk *walk)
{
	if (walk->mix_pct == 100)
		return false;
	return walk->mix_pct == 0 || hl_random_next(&walk->state) % 100 >= walk->mix_pct;
}

uint64_t hl_walk_next(struct hl_walk *walk, bool *ret_is_write)
{
	uint64_t block, offset;

	*ret_is_write = next_is_write(walk);
	if (walk->is_random) {
		/* multiply and shift: uniform up to 2^-64 × nr_blocks, without a division */
		block = (uint64_t)(((unsigned __int128)hl_random_next(&walk->state) *
				    walk->nr_blocks) >>
				   64);
	} else {
		block = atomic_fetch_add_explicit(walk->cursor, 1, memory_order_relaxed) %
			walk->nr_blocks;
	}
	offset = walk->start + block * walk->bs;
	if (!walk->nr_map)
		return offset;
	return hl_extent_find(walk->map, walk->nr_map, offset, walk->bs);
}
