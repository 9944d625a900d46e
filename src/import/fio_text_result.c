/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From results to measurements: what each job was, its figures, and what is wrong with them.
 *
 * Surprising: with group_reporting fio adds up all jobs of a group under the name of the first,
 * even if they do different things; what they do not agree on is then unknown. A result that was
 * cut off falls back on the group's summary.
 */
#include "fio_text.h"
#include <math.h>
#include <string.h>

/* ---- which job ---- */

static size_t nr_results_of(const struct fio_run *run, unsigned group)
{
	size_t nr = 0;

	for (size_t i = 0; i < run->nr_results; i++)
		nr += run->results[i].group == group && !run->results[i].is_dropped;
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
static struct fio_job merge_group(struct fio_run *run, const struct fio_job *first)
{
	struct fio_job all = *first;

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

static const struct fio_job unknown_job = {
	.rw = HL_RW_UNKNOWN,
	.bs = { { NAN, false }, { NAN, false }, { NAN, false } },
	.iodepth = NAN,
	.size = NAN,
};

static struct fio_job job_of(struct fio_run *run, const struct fio_result *result)
{
	struct fio_job *job = find_job(run, result);

	if (!job)
		return unknown_job;
	job->has_result = true;
	if (result->jobs > 1 && nr_results_of(run, result->group) == 1)
		return merge_group(run, job);
	return *job;
}

/* ---- the workload ---- */

static const int size_of_dir[FIO_NR_DIRS] = {
	[HL_DIR_READ] = 0,
	[HL_DIR_WRITE] = 1,
	[HL_DIR_TRIM] = 2,
	[HL_DIR_MIXED] = 0,
};

/* Where the job line is missing or rounds, the totals may tell. */
static struct fio_size size_in(const struct fio_result *result, const struct fio_job *job, int dir)
{
	struct fio_size bs = job->bs[size_of_dir[dir]];
	struct fio_size guess = { NAN, false };

	if (bs.is_exact)
		return bs;
	if (result->dirs[dir] && !job->name)
		guess = fio_rate_guess_bs(result->dirs[dir], result->issued[size_of_dir[dir]]);
	return guess;
}

static void fill_sizes(struct hl_workload *workload, const struct fio_result *result,
		       const struct fio_job *job)
{
	double read = size_in(result, job, HL_DIR_READ).bytes;
	double write = size_in(result, job, HL_DIR_WRITE).bytes;
	double trim = size_in(result, job, HL_DIR_TRIM).bytes;
	bool has_read = result->dirs[HL_DIR_READ] || hl_rw_reads(job->rw);
	bool has_write = result->dirs[HL_DIR_WRITE] || hl_rw_writes(job->rw);

	if (result->dirs[HL_DIR_MIXED] && !has_read && !has_write)
		read = size_in(result, job, HL_DIR_MIXED).bytes;
	else if (!has_read)
		read = has_write ? write : trim;
	workload->bs = read;
	if (has_read && has_write && read != write)
		workload->bs_write = write;
}

static void fill_workload(const struct fio_run *run, const struct fio_result *result,
			  const struct fio_job *job, struct hl_workload *workload)
{
	struct hl_arena *arena = run->reading->graph->arena;
	const char *name = result->name ? result->name : job->name;

	workload->name = hl_arena_strdup(arena, name);
	workload->rw = job->rw;
	workload->engine = hl_arena_strdup(arena, job->engine);
	workload->iodepth = isnan(job->iodepth) ? result->depth : job->iodepth;
	workload->size = job->size;
	if (result->jobs)
		workload->numjobs = result->jobs;
	else if (run->nr_jobs == 1)
		workload->numjobs = run->nr_processes;
	fill_sizes(workload, result, job);
}

/* ---- figures ---- */

static struct hl_latency *copy_latency(struct fio_run *run, const struct hl_latency *latency)
{
	struct hl_latency *copy;

	if (!latency || !fio_latency_is_known(latency))
		return NULL;
	copy = hl_graph_new_latency(run->reading->graph);
	*copy = *latency;
	return copy;
}

static void fill_rate(struct fio_run *run, struct hl_measurement *at, enum hl_dir dir,
		      const struct fio_result *result, const struct fio_job *job)
{
	const struct fio_rate *from = result->dirs[dir];
	struct hl_rate *rate = hl_graph_add_rate(run->reading->graph, at, dir);

	fio_rate_finish(from, result->issued[size_of_dir[dir]], size_in(result, job, dir), rate);
	rate->lat = copy_latency(run, from->lat);
	rate->clat = copy_latency(run, from->clat);
	rate->slat = copy_latency(run, from->slat);
}

/* fio keeps one for the job; it is the writes that are synced. */
static void fill_sync(struct fio_run *run, struct hl_measurement *at,
		      const struct fio_result *result)
{
	static const enum hl_dir order[] = { HL_DIR_WRITE, HL_DIR_MIXED, HL_DIR_READ, HL_DIR_TRIM };
	struct hl_latency *sync = copy_latency(run, result->sync);

	for (size_t i = 0; i < sizeof(order) / sizeof(*order) && sync; i++) {
		if (at->dir[order[i]]) {
			at->dir[order[i]]->sync = sync;
			return;
		}
	}
}

static void fill_rates(struct fio_run *run, struct hl_measurement *at,
		       const struct fio_result *result, const struct fio_job *job)
{
	bool has_split = result->dirs[HL_DIR_READ] || result->dirs[HL_DIR_WRITE] ||
			 result->dirs[HL_DIR_TRIM];

	for (int dir = 0; dir < FIO_NR_DIRS; dir++) {
		/* unified_rw_reporting=both prints the sum, too */
		if (result->dirs[dir] && !(dir == HL_DIR_MIXED && has_split))
			fill_rate(run, at, dir, result, job);
	}
	fill_sync(run, at, result);
}

/* ---- what is wrong with it ---- */

static const char *error_reason(struct fio_run *run, int error, const char *text)
{
	return hl_arena_printf(run->reading->graph->arena, "fio stopped with error %d%s%s", error,
			       text ? ": " : "", text ? text : "");
}

static void set_failed(struct fio_run *run, struct hl_measurement *at, int error, const char *text)
{
	at->status = HL_STATUS_FAILED;
	at->error = error;
	at->reason = error_reason(run, error, text);
}

static bool has_cut_rate(const struct fio_result *result)
{
	for (int dir = 0; dir < FIO_NR_DIRS; dir++) {
		if (result->dirs[dir] && result->dirs[dir]->is_cut)
			return true;
	}
	return false;
}

static bool has_rate(const struct fio_result *result)
{
	for (int dir = 0; dir < FIO_NR_DIRS; dir++) {
		if (result->dirs[dir])
			return true;
	}
	return false;
}

static void judge(struct fio_run *run, struct hl_measurement *at, const struct fio_result *result)
{
	struct hl_arena *arena = run->reading->graph->arena;

	if (result->error) {
		set_failed(run, at, result->error, result->error_text);
	} else if (!has_rate(result)) {
		at->status = HL_STATUS_NOT_MEASURED;
		at->reason = "no figures follow the head of the result";
	} else if (result->is_summary) {
		at->status = HL_STATUS_PARTIAL;
		at->reason = "only the summary of the group is here";
	} else if (!result->has_issued || has_cut_rate(result)) {
		at->status = HL_STATUS_PARTIAL;
		at->reason = hl_arena_printf(
			arena, "only part of the result is here, up to line %u", result->last_line);
	} else if (result->nr_errors > 0) {
		at->status = HL_STATUS_PARTIAL;
		at->error = result->first_error;
		at->reason = hl_arena_printf(arena, "%.0f I/Os failed, the first with error %d",
					     result->nr_errors, result->first_error);
	}
}

/* ---- one result ---- */

static struct hl_measurement *add(struct fio_run *run, const struct fio_result *result,
				  const struct fio_job *job)
{
	struct hl_measurement *at = hl_reading_measurement(run->reading, run->slice, result->line);

	at->group = result->group;
	at->tool = run->tool;
	at->cpu_user_pct = result->cpu_user_pct;
	at->cpu_system_pct = result->cpu_system_pct;
	fill_workload(run, result, job, &at->workload);
	fill_rates(run, at, result, job);
	judge(run, at, result);
	return at;
}

/* ---- summaries ---- */

static struct fio_group *find_group(struct fio_run *run, unsigned id)
{
	for (size_t i = 0; i < run->nr_groups; i++) {
		if (run->groups[i].id == id)
			return &run->groups[i];
	}
	return NULL;
}

/* A rate line that is missing, of a result that is alone in its group. */
static void fall_back(struct fio_run *run, struct fio_result *result)
{
	struct fio_group *group = find_group(run, result->group);

	if (!group || !result->name)
		return;
	group->has_result = true;
	if (nr_results_of(run, result->group) != 1 || result->dirs[HL_DIR_MIXED])
		return;
	for (int dir = 0; dir < FIO_NR_DIRS; dir++) {
		if (!result->dirs[dir] && group->dirs[dir]) {
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
	struct fio_job all;

	result->group = group->id;
	result->is_summary = true;
	memcpy(result->dirs, group->dirs, sizeof(result->dirs));
	for (size_t i = 0; i < run->nr_jobs && !first; i++) {
		if (run->jobs[i].group == group->id)
			first = &run->jobs[i];
	}
	if (first && has_rate(result)) {
		all = merge_group(run, first);
		add(run, result, &all);
	}
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
	at = add(run, nothing, job);
	at->reason = "fio printed no result of this job: it did no I/O, or the text ends early";
	if (failure)
		set_failed(run, at, failure->error, failure->text);
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
	return !result->name && !job->name && !result->has_issued;
}

static void add_results(struct fio_run *run)
{
	for (size_t i = 0; i < run->nr_results; i++) {
		struct fio_job job;

		if (run->results[i].is_dropped)
			continue;
		job = job_of(run, &run->results[i]);
		fall_back(run, &run->results[i]);
		if (!is_useless(&run->results[i], &job))
			add(run, &run->results[i], &job);
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
