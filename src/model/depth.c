/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The depth that a device really saw, against the depth that was asked for.
 *
 * Source: the kernel's statistics of block devices, which fio prints at the end of each run
 * (Documentation/admin-guide/iostats.rst: ticks = time requests took, in_queue = the same for all
 * kinds). Surprising: they cover the whole run, so with several jobs in it the result is a mean
 * over all of them; and fio's line of the members of a stacked device is their mean, not their sum.
 */
#include "hoploss/model.h"
#include <math.h>
#include <string.h>

/* A run: measurements [first, end) of hop, which stand one after another. */
struct run {
	const struct hl_hop *hop;
	size_t first, end;
	double wall_ms;
	double depth_asked; /* mean over wall_ms */
};

static size_t run_end(const struct hl_hop *hop, size_t first)
{
	size_t end = first + 1;

	while (end < hop->nr_measurements &&
	       hl_figure_is_same_run(hop->measurements[end], hop->measurements[first]))
		end++;
	return end;
}

/* Adds one group: it takes as long as its longest job, and its jobs add up their depths. */
static void add_group(struct run *run, size_t first, size_t end)
{
	double longest = NAN, depth_time = 0;
	bool has_rate = false;

	for (size_t i = first; i < end; i++) {
		const struct hl_measurement *at = run->hop->measurements[i];
		double runtime = hl_figure_runtime(at);

		for (int dir = 0; dir < HL_NR_DIRS; dir++)
			has_rate |= at->dir[dir] != NULL;
		longest = fmax(longest, runtime);
		depth_time += hl_figure_depth(at) * runtime;
	}
	if (!has_rate)
		return; /* failed before it began */
	run->wall_ms += longest;
	run->depth_asked += depth_time;
}

static struct run read_run(const struct hl_hop *hop, size_t first)
{
	struct run run = { .hop = hop, .first = first, .end = run_end(hop, first) };

	for (size_t i = first, end; i < run.end; i = end) {
		end = hl_figure_group_end(hop, i);
		add_group(&run, i, end);
	}
	run.depth_asked /= run.wall_ms;
	if (!(run.wall_ms > 0))
		run.wall_ms = run.depth_asked = NAN;
	return run;
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_of_run(const struct hl_disk *disk, const struct hl_measurement *at)
{
	return disk->run == at->run && is_same_text(disk->file, at->file);
}

/* NAN when the device counts its I/Os but not their time. */
static double time_in_device(const struct hl_disk *disk)
{
	double time_ms = fmax(disk->in_queue_ms, disk->ticks_ms[0] + disk->ticks_ms[1]);

	return time_ms > 0 || disk->ios[0] + disk->ios[1] == 0 ? time_ms : NAN;
}

double hl_depth_of_disk(const struct hl_hop *hop, const struct hl_disk *disk)
{
	for (size_t i = 0; i < hop->nr_measurements; i++) {
		if (is_of_run(disk, hop->measurements[i]))
			return time_in_device(disk) / read_run(hop, i).wall_ms;
	}
	return NAN;
}

/* The disks of one run. */
struct disks {
	const struct hl_disk **items;
	size_t nr;
};

static const struct hl_disk *members_of(const struct disks *disks, const struct hl_disk *disk)
{
	for (size_t i = 0; i < disks->nr; i++) {
		if (disks->items[i]->is_aggregate &&
		    is_same_text(disks->items[i]->name, disk->name))
			return disks->items[i];
	}
	return NULL;
}

/* Stacked itself, and the one member of another: every I/O of that one went through it. */
static bool is_below(const struct disks *disks, const struct hl_disk *disk)
{
	for (size_t i = 0; i < disks->nr; i++) {
		const struct hl_disk *other = disks->items[i];

		if (other->is_aggregate && !is_same_text(other->name, disk->name) &&
		    other->ios[0] == disk->ios[0] && other->ios[1] == disk->ios[1])
			return true;
	}
	return false;
}

/* Sum over the stacked devices on top, or over the plain ones; NAN when none of them knows. */
static double sum_times(const struct disks *disks, bool is_stacked)
{
	double sum = NAN;

	for (size_t i = 0; i < disks->nr; i++) {
		const struct hl_disk *disk = disks->items[i];
		double time_ms = time_in_device(disk);

		if (disk->is_aggregate || !!members_of(disks, disk) != is_stacked ||
		    isnan(time_ms) || (is_stacked && is_below(disks, disk)))
			continue;
		sum = isnan(sum) ? time_ms : sum + time_ms;
	}
	return sum;
}

/* Where the statistics of the run begin; JSON has no lines. */
static const char *source_of(struct hl_graph *graph, const struct hl_disk *disk)
{
	if (!disk->file || !disk->line)
		return disk->file;
	return hl_arena_printf(graph->arena, "%s:%u", disk->file, disk->line);
}

static void add_facts(struct hl_graph *graph, const struct run *run, const struct disks *disks,
		      double depth)
{
	struct hl_origin origin = { .host = run->hop->host, .node = run->hop->name };

	origin.source = source_of(graph, disks->items[0]);
	if (hl_graph_add_number(graph, &origin, "model.device_depth", depth))
		hl_graph_add_number(graph, &origin, "model.depth_asked", run->depth_asked);
}

static void fill_run(struct hl_graph *graph, const struct run *run)
{
	const struct hl_hop *hop = run->hop;
	HL_FREE const struct hl_disk **items = hl_grow(NULL, hop->nr_disks + 1, sizeof(*items));
	struct disks disks = { .items = items };
	double depth;

	for (size_t i = 0; i < hop->nr_disks; i++) {
		if (is_of_run(hop->disks[i], hop->measurements[run->first]))
			items[disks.nr++] = hop->disks[i];
	}
	if (!disks.nr)
		return;
	depth = sum_times(&disks, true);
	if (isnan(depth))
		depth = sum_times(&disks, false);
	depth /= run->wall_ms;
	for (size_t i = run->first; i < run->end; i++) {
		hop->measurements[i]->device_depth = depth;
		hop->measurements[i]->is_depth_of_run = !isnan(depth) && run->end - run->first > 1;
	}
	add_facts(graph, run, &disks, depth);
}

void hl_depth_fill(struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		const struct hl_hop *hop = graph->hops[i];

		for (size_t first = 0; hop->nr_disks && first < hop->nr_measurements;) {
			struct run run = read_run(hop, first);

			fill_run(graph, &run);
			first = run.end;
		}
	}
}
