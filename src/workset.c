/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choosing workloads: see hoploss/workset.h.
 */
#include "hoploss/workset.h"
#include "hoploss/fio_jobs.h"
#include "hoploss/near.h"
#include "hoploss/suite.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static bool has_job(const struct hl_workset *set, const char *name)
{
	for (size_t i = 0; i < set->nr_jobs; i++) {
		if (!strcmp(set->jobs[i].name, name))
			return true;
	}
	return false;
}

/* What a suite leaves open is one job at depth 1. */
static struct hl_workload completed(const struct hl_workload *job)
{
	struct hl_workload workload = *job;

	if (isnan(workload.iodepth))
		workload.iodepth = 1;
	if (isnan(workload.numjobs))
		workload.numjobs = 1;
	return workload;
}

static bool may_run(const struct hl_workload *job, bool may_write)
{
	return hl_rw_writes(job->rw) ? may_write : hl_rw_reads(job->rw);
}

static void add_job(struct hl_arena *arena, struct hl_workset *set, const struct hl_workload *job)
{
	if (!may_run(job, set->may_write)) {
		set->writing = hl_arena_extend(arena, set->writing, set->nr_writing,
					       sizeof(*set->writing));
		set->writing[set->nr_writing++] = job->name;
	} else if (!has_job(set, job->name)) {
		set->jobs = hl_arena_extend(arena, set->jobs, set->nr_jobs, sizeof(*set->jobs));
		set->jobs[set->nr_jobs++] = completed(job);
	}
}

static int fail_unknown(const char *word, struct hl_error *err)
{
	const struct hl_suite *suite;
	struct hl_near near;

	hl_near_start(&near, word);
	for (size_t i = 0; (suite = hl_suite_at(i)); i++) {
		hl_near_offer(&near, suite->name);
		for (size_t k = 0; k < suite->nr_jobs; k++)
			hl_near_offer(&near, suite->jobs[k].name);
	}
	return hl_fail(err, EINVAL, "no workload or suite is called \"%s\"%s", word,
		       hl_near_hint(&near));
}

/* ---- jobs of fio ---- */

static int take_fio_jobs(struct hl_arena *arena, struct hl_workset *set, struct hl_fio_jobs *jobs,
			 struct hl_error *err)
{
	hl_fio_jobs_conclude(jobs);
	for (size_t i = 0; i < jobs->nr_jobs; i++) {
		if (has_job(set, jobs->jobs[i].name))
			return hl_fail(err, EINVAL, "two jobs are called \"%s\": rename one",
				       jobs->jobs[i].name);
		add_job(arena, set, &jobs->jobs[i]);
	}
	for (size_t i = 0; i < jobs->nr_notes; i++)
		hl_workset_add_note(arena, set, jobs->notes[i]);
	for (size_t i = 0; i < jobs->nr_filenames; i++) {
		set->filenames = hl_arena_extend(arena, set->filenames, set->nr_filenames,
						 sizeof(*set->filenames));
		set->filenames[set->nr_filenames++] = jobs->filenames[i];
	}
	return 0;
}

static int add_file(struct hl_arena *arena, struct hl_workset *set, const char *name,
		    const char *beside, struct hl_error *err)
{
	const char *slash = beside && name[0] != '/' ? strrchr(beside, '/') : NULL;
	int dir_len = slash ? (int)(slash + 1 - beside) : 0;
	HL_FREE char *path = hl_printf("%.*s%s", dir_len, beside ? beside : "", name);
	struct hl_fio_jobs jobs;
	int rc;

	hl_fio_jobs_init(&jobs, arena);
	rc = hl_fio_jobs_add_file(&jobs, path, err);
	return rc == 0 ? take_fio_jobs(arena, set, &jobs, err) : rc;
}

static int add_line(struct hl_arena *arena, struct hl_workset *set,
		    const struct hl_workset_request *request, struct hl_error *err)
{
	struct hl_fio_jobs jobs;
	int rc;

	hl_fio_jobs_init(&jobs, arena);
	rc = hl_fio_jobs_add_words(&jobs, request->line, request->nr_line, err);
	return rc == 0 ? take_fio_jobs(arena, set, &jobs, err) : rc;
}

/* ---- words ---- */

static int add_word(struct hl_arena *arena, struct hl_workset *set, const char *word,
		    const char *beside, struct hl_error *err)
{
	const struct hl_suite *suite = hl_suite_find(word);
	const struct hl_workload *job = hl_suite_job(word);

	if (word[0] == '@')
		return add_file(arena, set, word + 1, beside, err);
	if (!suite && !job)
		return fail_unknown(word, err);
	if (!suite)
		add_job(arena, set, job);
	for (size_t i = 0; suite && i < suite->nr_jobs; i++)
		add_job(arena, set, &suite->jobs[i]);
	return 0;
}

static int add_words(struct hl_arena *arena, struct hl_workset *set,
		     const struct hl_workset_request *request, struct hl_error *err)
{
	HL_FREE char *copy = hl_strdup(request->words ? request->words : HL_WORKSET_DEFAULT);
	char *rest = NULL;
	int rc = 0;

	for (char *word = strtok_r(copy, " \t,", &rest); word && rc == 0;
	     word = strtok_r(NULL, " \t,", &rest))
		rc = add_word(arena, set, word, request->file, err);
	return rc;
}

int hl_workset_choose(struct hl_arena *arena, const struct hl_workset_request *request,
		      struct hl_workset *ret_set, struct hl_error *err)
{
	struct hl_workset set = { .may_write = request->may_write };
	int rc = request->nr_line ? add_line(arena, &set, request, err)
				  : add_words(arena, &set, request, err);

	if (rc == 0 && !set.nr_jobs)
		rc = hl_fail(err, EINVAL,
			     "no job of %s only reads, and without --write nothing is written",
			     request->nr_line || !request->words ? "these" : request->words);
	if (rc == 0)
		*ret_set = set;
	return rc;
}

void hl_workset_add_note(struct hl_arena *arena, struct hl_workset *set, const char *note)
{
	set->notes = hl_arena_extend(arena, set->notes, set->nr_notes, sizeof(*set->notes));
	set->notes[set->nr_notes++] = note;
}
