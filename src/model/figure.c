/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one measurement says: the figures that the rest of the model reckons with.
 *
 * Source: the measurements of the graph. Surprising: fio prints IOPS with three digits, so the
 * issued total over the run time is used where both are known; and a synchronous engine has one
 * I/O in flight whatever iodepth was asked for.
 */
#include "hoploss/model.h"
#include <math.h>
#include <string.h>

static const char *const sync_engines[] = { "sync", "psync", "vsync", "pvsync", "pvsync2", "mmap" };

bool hl_figure_is_usable(const struct hl_measurement *at, enum hl_dir dir)
{
	const struct hl_rate *rate = at->dir[dir];

	if (!rate || at->status == HL_STATUS_FAILED || at->status == HL_STATUS_NOT_MEASURED)
		return false;
	return isfinite(rate->bw) && rate->bw > 0;
}

double hl_figure_iops(const struct hl_measurement *at, enum hl_dir dir)
{
	const struct hl_rate *rate = at->dir[dir];
	double iops;

	if (!rate)
		return NAN;
	iops = rate->ios * 1000 / rate->runtime_ms;
	if (!isfinite(iops) || iops <= 0)
		iops = rate->iops;
	return isfinite(iops) && iops > 0 ? iops : NAN;
}

double hl_figure_bs(const struct hl_measurement *at, enum hl_dir dir)
{
	const struct hl_workload *workload = &at->workload;
	bool is_write = dir == HL_DIR_WRITE && !isnan(workload->bs_write);
	double bs = is_write ? workload->bs_write : workload->bs;

	return isfinite(bs) && bs > 0 ? bs : NAN;
}

static bool is_sync_engine(const char *engine)
{
	for (size_t i = 0; engine && i < sizeof(sync_engines) / sizeof(*sync_engines); i++) {
		if (!strcmp(engine, sync_engines[i]))
			return true;
	}
	return false;
}

/* Our own psync runs a thread for each I/O in flight: its depth is what was asked for. */
static bool is_own(const struct hl_measurement *at)
{
	return at->tool && !strcmp(at->tool, "hoploss");
}

double hl_figure_depth(const struct hl_measurement *at)
{
	if (is_sync_engine(at->workload.engine) && !is_own(at))
		return at->workload.numjobs;
	return hl_workload_depth(&at->workload);
}

double hl_figure_runtime(const struct hl_measurement *at)
{
	double longest = NAN;

	for (int dir = 0; dir < HL_NR_DIRS; dir++) {
		if (at->dir[dir])
			longest = fmax(longest, at->dir[dir]->runtime_ms);
	}
	return isfinite(longest) && longest > 0 ? longest : NAN;
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool hl_figure_is_same_run(const struct hl_measurement *a, const struct hl_measurement *b)
{
	return a->run == b->run && is_same_text(a->file, b->file);
}

/* Only fio has groups; where its version is cut off, a run time tells it from a table of results.
 */
static bool is_of_fio(const struct hl_measurement *at)
{
	return at->tool ? !strncmp(at->tool, "fio", 3) : !isnan(hl_figure_runtime(at));
}

size_t hl_figure_group_end(const struct hl_hop *hop, size_t first)
{
	const struct hl_measurement *start = hop->measurements[first];
	size_t end = first + 1;

	if (!is_of_fio(start))
		return end;
	while (end < hop->nr_measurements && hop->measurements[end]->group == start->group &&
	       hl_figure_is_same_run(hop->measurements[end], start))
		end++;
	return end;
}
