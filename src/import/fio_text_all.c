/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All measurements of a run: its results, and what is only known from the group summaries, from
 * failures, or from job lines without a result.
 *
 * Surprising: a process that fails before any I/O prints no result, only "fio: pid=…, err=…", which
 * does not say the job.
 */
#include "fio_text.h"
#include <math.h>
#include <string.h>

/* ---- summaries ---- */

static struct fio_group *find_group(struct fio_run *run, unsigned id)
{
	for (size_t i = 0; i < run->nr_groups; i++) {
		if (run->groups[i].id == id)
			return &run->groups[i];
	}
	return NULL;
}

/* A rate line that is missing, of a result that is alone in its group and does not deny it. */
static void fall_back(struct fio_run *run, struct fio_result *result)
{
	struct fio_group *group = find_group(run, result->group);

	if (!group || !result->name)
		return;
	group->has_result = true;
	if (fio_nr_results(run, result->group) != 1 || result->dirs[HL_DIR_MIXED])
		return;
	for (int dir = 0; dir < FIO_NR_DIRS; dir++) {
		bool is_denied = dir < HL_DIR_MIXED && result->issued[dir] == 0;

		if (!result->dirs[dir] && group->dirs[dir] && !is_denied) {
			result->dirs[dir] = group->dirs[dir];
			result->dirs[dir]->is_cut = true;
		}
	}
}

/* Results without heads may be of any group. */
static bool has_headless(const struct fio_run *run)
{
	for (size_t i = 0; i < run->nr_results; i++) {
		if (!run->results[i].name)
			return true;
	}
	return false;
}

static void add_summary(struct fio_run *run, const struct fio_group *group)
{
	struct fio_result *result = fio_result_begin(run, group->line);
	struct fio_job *first = NULL;
	struct fio_job all = fio_job_unknown;

	result->group = group->id;
	result->is_summary = true;
	memcpy(result->dirs, group->dirs, sizeof(result->dirs));
	for (size_t i = 0; i < run->nr_jobs && !first; i++) {
		if (run->jobs[i].group == group->id)
			first = &run->jobs[i];
	}
	if (first)
		all = fio_job_merge(run, first);
	if (fio_result_has_rate(result))
		fio_result_add(run, result, &all);
}

/* ---- failures, and jobs that nothing is heard of ---- */

/* The failure of a process that printed no result of its own. */
static const struct fio_failure *take_failure(struct fio_run *run)
{
	for (size_t i = 0; i < run->nr_failures; i++) {
		if (!run->failures[i].is_taken) {
			run->failures[i].is_taken = true;
			return &run->failures[i];
		}
	}
	return NULL;
}

static void match_failures(struct fio_run *run)
{
	for (size_t i = 0; i < run->nr_failures; i++) {
		for (size_t k = 0; k < run->nr_results && !run->failures[i].is_taken; k++) {
			struct fio_result *result = &run->results[k];

			if (!result->pid || result->pid != run->failures[i].pid)
				continue;
			run->failures[i].is_taken = true;
			if (!result->error) {
				result->error = run->failures[i].error;
				result->error_text = run->failures[i].text;
			}
		}
	}
}

static void add_missing(struct fio_run *run, const struct fio_job *job)
{
	const struct fio_failure *failure = take_failure(run);
	struct fio_result *nothing = fio_result_begin(run, job->line);
	struct hl_measurement *at;

	nothing->group = job->group;
	at = fio_result_add(run, nothing, job);
	at->reason = "fio printed no result of this job: it did no I/O, or the text ends early";
	if (failure)
		fio_set_failed(run, at, failure->error, failure->text);
}

/* A process of a group failed, but the group's result does not say so. */
static void flag_rest(struct fio_run *run, size_t first)
{
	const struct fio_failure *failure = take_failure(run);
	const struct hl_hop *hop = run->reading->hop;

	for (size_t i = first; failure && hop && i < hop->nr_measurements; i++) {
		struct hl_measurement *at = hop->measurements[i];

		if (at->status != HL_STATUS_IMPORTED)
			continue;
		at->status = HL_STATUS_PARTIAL;
		at->error = failure->error;
		at->reason = hl_arena_printf(
			run->reading->graph->arena,
			"a process of this run failed with error %d%s%s; fio does not say of which "
			"job",
			failure->error, failure->text ? ": " : "",
			failure->text ? failure->text : "");
	}
}

/* ---- all of it ---- */

static void add_disks(struct fio_run *run)
{
	struct hl_graph *graph = run->reading->graph;
	struct hl_hop *hop = run->nr_disks ? hl_reading_hop(run->reading) : NULL;

	for (size_t i = 0; i < run->nr_disks; i++) {
		struct hl_disk *disk = hl_graph_add_disk(graph, hop);

		*disk = run->disks[i];
		disk->name = hl_arena_strdup(graph->arena, disk->name);
		disk->file = hop->nr_measurements
				     ? hop->measurements[hop->nr_measurements - 1]->file
				     : hl_arena_strdup(graph->arena, run->slice->name);
		disk->run = run->reading->nr_runs;
	}
}

/* A rate alone, of nobody knows which job, compares with nothing. */
static bool is_useless(const struct fio_result *result, const struct fio_job *job)
{
	return !result->name && !job->name && !(result->has_issued && fio_result_has_rate(result));
}

static void add_results(struct fio_run *run)
{
	for (size_t i = 0; i < run->nr_results; i++) {
		struct fio_job job;

		job = fio_job_of(run, &run->results[i]);
		fio_result_check(&run->results[i]);
		fall_back(run, &run->results[i]);
		if (!is_useless(&run->results[i], &job))
			fio_result_add(run, &run->results[i], &job);
	}
}

static void add_rest(struct fio_run *run)
{
	bool is_any_group = has_headless(run);

	for (size_t i = 0; i < run->nr_groups && !is_any_group; i++) {
		if (!run->groups[i].has_result)
			add_summary(run, &run->groups[i]);
	}
	for (size_t i = 0; i < run->nr_jobs; i++) {
		if (!run->jobs[i].has_result)
			add_missing(run, &run->jobs[i]);
	}
}

size_t fio_results_add(struct fio_run *run)
{
	const struct hl_hop *hop = run->reading->hop;
	size_t first = hop ? hop->nr_measurements : 0;
	size_t nr;

	fio_results_drop_earlier(run);
	match_failures(run);
	add_results(run);
	add_rest(run);
	flag_rest(run, first);
	hop = run->reading->hop;
	nr = hop ? hop->nr_measurements - first : 0;
	if (nr)
		add_disks(run);
	return nr;
}
