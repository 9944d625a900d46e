/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which job line a result belongs to.
 *
 * Surprising: with group_reporting fio adds up all jobs of a group under the name of the first,
 * even if they do different things; what they do not agree on is then unknown.
 */
#include "fio_text.h"
#include <math.h>
#include <string.h>

size_t fio_nr_results(const struct fio_run *run, unsigned group)
{
	size_t nr = 0;

	for (size_t i = 0; i < run->nr_results; i++)
		nr += run->results[i].group == group;
	return nr;
}

static struct fio_job *find_job(struct fio_run *run, const struct fio_result *result)
{
	struct fio_job *found = NULL;

	if (!result->name)
		return run->nr_jobs == 1 ? run->jobs : NULL;
	for (size_t i = 0; i < run->nr_jobs; i++) {
		struct fio_job *job = &run->jobs[i];

		if (job->group != result->group || strcmp(job->name, result->name))
			continue;
		if (!job->has_result) /* a client has jobs of one name on each host */
			return job;
		found = found ? found : job;
	}
	return found;
}

static struct fio_size agree_on_size(struct fio_size a, struct fio_size b)
{
	return a.bytes == b.bytes ? a : (struct fio_size){ NAN, false };
}

/* What all jobs of the group have in common. */
struct fio_job fio_job_merge(struct fio_run *run, const struct fio_job *first)
{
	struct fio_job all = *first;

	all.is_merged = true;
	for (size_t i = 0; i < run->nr_jobs; i++) {
		struct fio_job *job = &run->jobs[i];

		if (job->group != first->group)
			continue;
		job->has_result = true;
		all.rw = all.rw == job->rw ? all.rw : HL_RW_UNKNOWN;
		all.iodepth = all.iodepth == job->iodepth ? all.iodepth : NAN;
		if (all.engine && (!job->engine || strcmp(all.engine, job->engine)))
			all.engine = NULL;
		for (int k = 0; k < 3; k++)
			all.bs[k] = agree_on_size(all.bs[k], job->bs[k]);
		if (job != first && !isnan(job->size))
			all.size = (isnan(all.size) ? 0 : all.size) + job->size;
	}
	return all;
}

const struct fio_job fio_job_unknown = {
	.rw = HL_RW_UNKNOWN,
	.bs = { { NAN, false }, { NAN, false }, { NAN, false } },
	.iodepth = NAN,
	.size = NAN,
};

struct fio_job fio_job_of(struct fio_run *run, const struct fio_result *result)
{
	struct fio_job *job = find_job(run, result);

	if (!job)
		return fio_job_unknown;
	job->has_result = true;
	if (result->jobs > 1 && fio_nr_results(run, result->group) == 1)
		return fio_job_merge(run, job);
	return *job;
}
