/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One job of fio's JSON: its workload from the options, its figures, and what went wrong.
 *
 * Surprising: fio 2.x gives io_bytes in KiB. bw is KiB/s in every version, cut to a whole number,
 * so rates are computed from bytes and run time. Sections that group_reporting merged show the
 * options of the first section only; job_runtime, a sum over processes, gives it away.
 */
#include "fio_json.h"
#include "hoploss/fio_options.h"
#include "hoploss/number.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double hl_fio_json_number(const struct hl_json *object, const char *key)
{
	return hl_json_number_like(hl_json_get(object, key));
}

unsigned hl_fio_json_version(const char *tool)
{
	static const char digits[] = "0123456789", prefix[] = "fio-";
	size_t len = strlen(prefix);
	uint64_t major = 0;

	if (!tool || strncmp(tool, prefix, len) != 0 ||
	    hl_number_u64(tool + len, strspn(tool + len, digits), &major) || major > 99)
		return 0;
	return strncmp(tool, "fio-2.99", strlen("fio-2.99")) == 0 ? 3 : (unsigned)major;
}

/* ---- workload ---- */

static void set_options(struct hl_fio_options *options, struct hl_arena *arena,
			const struct hl_json *object)
{
	const char *name = NULL;
	const struct hl_json *value = NULL;
	void *iter = NULL;

	while (hl_json_next(object, &iter, &name, &value)) {
		if (hl_json_string(value))
			hl_fio_options_set(options, arena, name, hl_json_string(value));
	}
}

/* latency_depth is the iodepth, unless fio searched one for a latency_target. */
static double depth_of_run(const struct hl_json *job)
{
	double depth = hl_fio_json_number(job, "latency_depth");

	return depth > 0 && hl_fio_json_number(job, "latency_target") == 0 ? depth : NAN;
}

/* A block size that all I/O had, from the totals: a power of two; NAN if there is none. */
static double block_size(const struct hl_rate *rate)
{
	double bs = rate ? rate->bytes / rate->ios : NAN;
	int exponent = 0;

	return bs >= 512 && frexp(bs, &exponent) == 0.5 ? bs : NAN;
}

static void set_bs_from_totals(struct hl_measurement *at)
{
	double bs_read = block_size(at->dir[HL_DIR_READ]);
	double bs_write = block_size(at->dir[HL_DIR_WRITE]);

	at->workload.bs = at->dir[HL_DIR_READ] ? bs_read : bs_write;
	if (at->dir[HL_DIR_READ] && at->dir[HL_DIR_WRITE] && bs_write != bs_read)
		at->workload.bs_write = bs_write;
}

static void read_workload(const struct hl_fio_json_run *run, const struct hl_json *job,
			  double same_entries, struct hl_measurement *at)
{
	struct hl_arena *arena = run->graph->arena;
	const struct hl_json *own = hl_json_get(job, "job options");
	struct hl_fio_options options;
	bool is_complete = own && run->version >= 3 && (!run->is_client || run->globals);
	double depth = depth_of_run(job);

	hl_fio_options_init(&options);
	if (is_complete)
		hl_fio_options_default(&options);
	if (!isnan(depth))
		options.workload.iodepth = depth;
	set_options(&options, arena, run->globals);
	set_options(&options, arena, own);
	/* an entry for each process, not one for the group */
	if (same_entries > 1 && !(options.workload.numjobs > same_entries))
		options.workload.numjobs = 1;
	hl_fio_options_finish(&options);
	options.workload.name = hl_arena_strdup(arena, hl_json_string(hl_json_get(job, "jobname")));
	at->workload = options.workload;
	if (!own && !run->globals)
		set_bs_from_totals(at);
}

/* ---- figures ---- */

/* 1,024 when io_bytes counts KiB. bw tells: it is KiB/s in every version, if only cut. */
static double bytes_unit(const struct hl_fio_json_run *run, const struct hl_json *object)
{
	double by_bw = hl_fio_json_number(object, "bw") * 1024 *
		       hl_fio_json_number(object, "runtime") / 1000;
	double ratio = by_bw / hl_fio_json_number(object, "io_bytes");

	if (hl_json_get(object, "io_kbytes"))
		return 1;
	if (ratio > 0)
		return ratio > 32 ? 1024 : 1;
	return run->version && run->version < 3 ? 1024 : 1;
}

static double known(double value)
{
	return value > 0 ? value : NAN;
}

static void fill_rate(const struct hl_fio_json_run *run, const struct hl_json *object,
		      struct hl_rate *rate)
{
	double seconds;

	rate->runtime_ms = known(hl_fio_json_number(object, "runtime"));
	seconds = rate->runtime_ms / 1000;
	rate->ios = known(hl_fio_json_number(object, "total_ios"));
	rate->bytes = known(hl_fio_json_number(object, "io_bytes") * bytes_unit(run, object));
	rate->bw = rate->bytes / seconds;
	rate->iops = rate->ios / seconds;
	if (isnan(rate->bw))
		rate->bw = known(hl_fio_json_number(object, "bw_bytes"));
	if (isnan(rate->bw))
		rate->bw = known(hl_fio_json_number(object, "bw") * 1024);
	if (isnan(rate->iops))
		rate->iops = known(hl_fio_json_number(object, "iops"));
	rate->clat = hl_fio_json_latency(run->graph, object, "clat");
	rate->slat = hl_fio_json_latency(run->graph, object, "slat");
	rate->lat = hl_fio_json_latency(run->graph, object, "lat");
}

bool hl_fio_json_has_figures(const struct hl_json *job, const char *key)
{
	static const char *const keys[] = { "io_bytes", "total_ios", "bw_bytes", "bw", "iops" };
	const struct hl_json *object = hl_json_get(job, key);

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (hl_fio_json_number(object, keys[i]) > 0)
			return true;
	}
	return false;
}

static const struct {
	enum hl_dir dir;
	const char *key;
} splits[] = { { HL_DIR_READ, "read" }, { HL_DIR_WRITE, "write" }, { HL_DIR_TRIM, "trim" } };

static void read_rates(const struct hl_fio_json_run *run, const struct hl_json *job,
		       struct hl_measurement *at)
{
	struct hl_graph *graph = run->graph;
	const struct hl_json *sync = hl_json_get(job, "sync");
	struct hl_rate *synced = NULL;

	for (size_t i = 0; i < sizeof(splits) / sizeof(*splits); i++) {
		if (hl_fio_json_has_figures(job, splits[i].key))
			fill_rate(run, hl_json_get(job, splits[i].key),
				  hl_graph_add_rate(graph, at, splits[i].dir));
	}
	if (!at->dir[HL_DIR_READ] && !at->dir[HL_DIR_WRITE] && !at->dir[HL_DIR_TRIM] &&
	    hl_fio_json_has_figures(job, "mixed"))
		fill_rate(run, hl_json_get(job, "mixed"),
			  hl_graph_add_rate(graph, at, HL_DIR_MIXED));
	synced = at->dir[HL_DIR_WRITE] ? at->dir[HL_DIR_WRITE] : at->dir[HL_DIR_MIXED];
	if (synced)
		synced->sync = hl_fio_json_latency(graph, sync, "lat");
}

static bool has_rates(const struct hl_measurement *at)
{
	for (int i = 0; i < HL_NR_DIRS; i++) {
		if (at->dir[i])
			return true;
	}
	return false;
}

static bool has_speed(const struct hl_measurement *at)
{
	for (int i = 0; i < HL_NR_DIRS; i++) {
		if (at->dir[i] && (at->dir[i]->bw > 0 || at->dir[i]->iops > 0))
			return true;
	}
	return false;
}

/* ---- what went wrong ---- */

/* Error numbers up to ERANGE are the same everywhere; the engine tells what is Linux. */
static bool has_linux_errors(const struct hl_measurement *at)
{
	static const char *const engines[] = { "libaio", "io_uring", "sg", "splice", "nbd", "rbd" };

	if (at->error <= ERANGE)
		return true;
	for (size_t i = 0; at->workload.engine && i < sizeof(engines) / sizeof(*engines); i++) {
		if (!strcmp(at->workload.engine, engines[i]))
			return true;
	}
	return false;
}

static const char *error_text(const struct hl_fio_json_run *run, const struct hl_measurement *at)
{
	struct hl_line said = hl_fio_json_error(run->slice, at->error);
	const char *name = has_linux_errors(at) ? strerrordesc_np(at->error) : NULL;

	if (said.len)
		return hl_arena_strndup(run->graph->arena, said.start, said.len);
	return name ? name : "fio does not say which error it is";
}

static void judge(const struct hl_fio_json_run *run, const struct hl_json *job, bool is_cut,
		  struct hl_measurement *at)
{
	double error = hl_fio_json_number(job, "error");

	if (error && fabs(error) <= INT_MAX) {
		at->error = (int)error;
		at->status = HL_STATUS_FAILED;
		at->reason = error_text(run, at);
	} else if (is_cut) {
		at->status = HL_STATUS_PARTIAL;
		at->reason = hl_arena_printf(run->graph->arena, "the output ends early, at line %u",
					     run->cut_line);
	} else if (hl_fio_json_number(job, "total_err") > 0) { /* it was told to go on */
		at->status = HL_STATUS_PARTIAL;
		at->reason = hl_arena_printf(run->graph->arena, "%.0f requests failed",
					     hl_fio_json_number(job, "total_err"));
	} else if (!has_rates(at)) {
		at->status = HL_STATUS_NOT_MEASURED;
		at->reason = "fio did no I/O in this job";
	} else if (!has_speed(at)) {
		at->status = HL_STATUS_PARTIAL;
		at->reason = "no run time is given, so no rate";
	}
}

/* ---- sections that group_reporting merged into one entry ---- */

/* I/O in a direction that rw has not, and that does not come from verifying. */
static bool contradicts(const struct hl_measurement *at)
{
	enum hl_rw rw = at->workload.rw;

	if (rw == HL_RW_UNKNOWN)
		return false;
	return (at->dir[HL_DIR_READ] && !hl_rw_reads(rw)) ||
	       (at->dir[HL_DIR_WRITE] && !hl_rw_writes(rw));
}

static bool has_other_bs(const struct hl_rate *rate, double bs)
{
	return rate && fabs(rate->bytes / rate->ios / bs - 1) > 0.1; /* some may be short */
}

static double longest_ms(const struct hl_measurement *at)
{
	double longest = 0;

	for (int i = 0; i < HL_NR_DIRS; i++) {
		if (at->dir[i] && at->dir[i]->runtime_ms > longest)
			longest = at->dir[i]->runtime_ms;
	}
	return longest;
}

/*
 * The entry has the name of the first section and the options of one of them: what the figures
 * contradict is taken as unknown. job_runtime is the sum over processes, so it counts them.
 */
static void doubt_merged(const struct hl_fio_json_run *run, const struct hl_json *job,
			 struct hl_measurement *at)
{
	struct hl_workload *workload = &at->workload;
	double processes = hl_fio_json_number(job, "job_runtime") / longest_ms(at);
	double write_bs = isnan(workload->bs_write) ? workload->bs : workload->bs_write;

	if (hl_json_path(job, "job options.verify") || hl_json_get(run->globals, "verify"))
		return; /* reads after it wrote */
	if (contradicts(at) || processes > workload->numjobs + 0.5) {
		workload->numjobs = fabs(processes - round(processes)) < 0.05 ? round(processes)
									      : NAN;
		workload->size = NAN;
	}
	if (contradicts(at))
		workload->rw = HL_RW_UNKNOWN;
	if (has_other_bs(at->dir[HL_DIR_READ], workload->bs) ||
	    has_other_bs(at->dir[HL_DIR_WRITE], write_bs))
		workload->bs = workload->bs_write = NAN;
}

void hl_fio_json_job(const struct hl_fio_json_run *run, const struct hl_json *job,
		     double same_entries, bool is_cut, struct hl_measurement *at)
{
	double group = hl_fio_json_number(job, "groupid");

	at->tool = run->tool;
	at->group = group >= 0 && group <= UINT_MAX ? (unsigned)group : 0;
	read_rates(run, job, at);
	read_workload(run, job, same_entries, at);
	doubt_merged(run, job, at);
	if (has_rates(at)) {
		at->cpu_user_pct = hl_fio_json_number(job, "usr_cpu");
		at->cpu_system_pct = hl_fio_json_number(job, "sys_cpu");
	}
	judge(run, job, is_cut, at);
}
