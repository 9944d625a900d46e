/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From one result to a measurement: what its job was, its figures, and what is wrong with them.
 *
 * Surprising: fio prints no block size where the job line is missing; the totals may tell it.
 */
#include "fio_text.h"
#include <math.h>
#include <string.h>

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
	workload->iodepth = job->iodepth;
	if (isnan(job->iodepth) && !job->is_merged)
		workload->iodepth = result->depth;
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

void fio_set_failed(struct fio_run *run, struct hl_measurement *at, int error, const char *text)
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

bool fio_result_has_rate(const struct fio_result *result)
{
	for (int dir = 0; dir < FIO_NR_DIRS; dir++) {
		if (result->dirs[dir])
			return true;
	}
	return false;
}

/* It did I/O in a direction of which there is no line. */
static bool lacks_rate(const struct fio_result *result)
{
	static const enum hl_dir dirs[] = { HL_DIR_READ, HL_DIR_WRITE, HL_DIR_TRIM };

	for (int i = 0; i < 3; i++) {
		if (result->issued[i] > 0 && !result->dirs[dirs[i]] && !result->dirs[HL_DIR_MIXED])
			return true;
	}
	return false;
}

static void judge(struct fio_run *run, struct hl_measurement *at, const struct fio_result *result)
{
	struct hl_arena *arena = run->reading->graph->arena;

	if (result->error) {
		fio_set_failed(run, at, result->error, result->error_text);
	} else if (!fio_result_has_rate(result)) {
		at->status = HL_STATUS_NOT_MEASURED;
		at->reason = "no figures follow the head of the result";
	} else if (result->is_summary) {
		at->status = HL_STATUS_PARTIAL;
		at->reason = "only the summary of the group is here";
	} else if (!result->has_issued) {
		at->status = HL_STATUS_PARTIAL;
		at->reason = hl_arena_printf(
			arena, "only part of the result is here, up to line %u", result->last_line);
	} else if (!result->name || result->is_cut || has_cut_rate(result) || lacks_rate(result)) {
		at->status = HL_STATUS_PARTIAL;
		at->reason = "lines of the result are missing";
	} else if (result->nr_errors > 0) {
		at->status = HL_STATUS_PARTIAL;
		at->error = result->first_error;
		at->reason = hl_arena_printf(arena, "%.0f I/Os failed, the first with error %d",
					     result->nr_errors, result->first_error);
	}
}

/* ---- the whole ---- */

struct hl_measurement *fio_result_add(struct fio_run *run, const struct fio_result *result,
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
