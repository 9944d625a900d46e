/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding a plateau: two trials of one kind, at least a factor of two apart in depth, and no more
 * I/Os a second for it.
 *
 * Surprising: the device's statistics are a mean over a run of many jobs, most of which may not
 * have asked for more than the cap. So the cap is solved for: the one number that, put on the depth
 * of every job of the run, gives the mean that the device saw.
 */
#include "hoploss/plateau.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEEPER     2    /* times the depth, to be told apart */
#define RISE       1.15 /* times the IOPS: that is no rise */
#define LEAST_NS   5e3  /* per I/O: faster than 200k IOPS is no bottleneck without a sheet */
#define BLOCKED    0.5  /* of the time in submission */
#define CAP_SEEN   0.9  /* of the depth asked for */
#define BISECTIONS 60

/* ---- a known reason ---- */

/* A drive alone, of which no sheet is known, may saturate as it likes. */
static bool is_explained(const struct hl_graph *graph, const struct hl_trial *deep)
{
	bool is_iops;

	if (!graph->spec && (deep->at->hop->layer == HL_LAYER_DRIVE || deep->iops > 1e9 / LEAST_NS))
		return true;
	return hl_trial_is_at_sheet(graph, deep) || hl_trial_is_generator_busy(deep) ||
	       hl_trial_is_from_memory(deep) || hl_trial_is_bound_below(deep) ||
	       !isnan(hl_trial_rate_cap(deep, &is_iops));
}

/* ---- the two trials ---- */

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

/* By kind, then depth, the best first. */
static int compare_trials(const void *left, const void *right)
{
	const struct hl_trial *a = left, *b = right;
	int order = compare_numbers(a->at->workload.rw, b->at->workload.rw);

	if (!order)
		order = compare_numbers(a->bs, b->bs);
	if (!order)
		order = compare_texts(a->at->change, b->at->change);
	if (!order)
		order = compare_numbers(a->depth, b->depth);
	return order ? order : compare_numbers(b->iops, a->iops);
}

/*
 * Leaves of each kind the best trial at each depth, sorted: a run may be repeated often, and a bad
 * one is no plateau.
 */
static void keep_best(struct hl_trials *trials)
{
	size_t nr = 0;

	for (size_t i = 0; i < trials->nr; i++) {
		const struct hl_trial *trial = &trials->items[i];

		if (trial->is_pure && trial->is_alone && trial->bs > 0 && trial->depth > 0)
			trials->items[nr++] = *trial;
	}
	trials->nr = nr;
	if (!nr)
		return;
	qsort(trials->items, nr, sizeof(*trials->items), compare_trials);
	nr = 1;
	for (size_t i = 1; i < trials->nr; i++) {
		const struct hl_trial *trial = &trials->items[i], *last = &trials->items[nr - 1];

		if (!hl_trial_is_same_kind(trial, last) || trial->depth != last->depth)
			trials->items[nr++] = *trial;
	}
	trials->nr = nr;
}

/* The pair that is furthest apart in depth. */
static bool find_pair(const struct hl_graph *graph, const struct hl_trials *best,
		      struct hl_plateau *plateau)
{
	double furthest = DEEPER;

	for (size_t i = 0; i < best->nr; i++) {
		const struct hl_trial *shallow = &best->items[i];

		for (size_t j = i + 1; j < best->nr; j++) {
			const struct hl_trial *deep = &best->items[j];

			if (!hl_trial_is_same_kind(shallow, deep))
				break;
			if (deep->depth / shallow->depth < furthest ||
			    deep->iops > RISE * shallow->iops || is_explained(graph, deep))
				continue;
			furthest = deep->depth / shallow->depth;
			plateau->shallow = *shallow;
			plateau->deep = *deep;
		}
	}
	return plateau->deep.at;
}

static void find_one(const struct hl_trials *best, struct hl_plateau *plateau)
{
	double most = fmax(plateau->shallow.iops, plateau->deep.iops);

	plateau->slots = NAN;
	for (size_t i = 0; i < best->nr; i++) {
		const struct hl_trial *one = &best->items[i];

		if (one->depth != 1 || isnan(one->lat_ns) ||
		    !hl_trial_is_same_kind(one, &plateau->deep))
			continue;
		plateau->one = *one;
		plateau->slots = most * one->lat_ns / 1e9;
		return;
	}
}

static void find_blocked(const struct hl_trials *trials, struct hl_plateau *plateau)
{
	double longest = 0;

	for (size_t i = 0; i < trials->nr; i++) {
		const struct hl_trial *trial = &trials->items[i];

		if (!(trial->submitting >= BLOCKED) || !(trial->submit_ns > longest) ||
		    hl_trial_is_generator_busy(trial) || hl_trial_is_from_memory(trial))
			continue;
		longest = trial->submit_ns;
		plateau->blocked = *trial;
	}
}

/* ---- the cap ---- */

struct group {
	double depth, ms;
};

/* The groups of the run that the device counted over; 0 when the depth of one is not known. */
static size_t read_groups(const struct hl_hop *hop, const struct hl_measurement *of,
			  struct group *groups)
{
	size_t nr = 0;

	for (size_t i = 0, end; i < hop->nr_measurements; i = end) {
		struct group group = { .ms = NAN };

		end = hl_figure_group_end(hop, i);
		if (!hl_figure_is_same_run(hop->measurements[i], of))
			continue;
		for (size_t j = i; j < end; j++) {
			group.depth += hl_figure_depth(hop->measurements[j]);
			group.ms = fmax(group.ms, hl_figure_runtime(hop->measurements[j]));
		}
		if (isnan(group.ms))
			continue; /* failed before it began */
		if (isnan(group.depth))
			return 0;
		groups[nr++] = group;
	}
	return nr;
}

static double mean_depth(const struct group *groups, size_t nr, double cap)
{
	double sum = 0, ms = 0;

	for (size_t i = 0; i < nr; i++) {
		sum += fmin(groups[i].depth, cap) * groups[i].ms;
		ms += groups[i].ms;
	}
	return sum / ms;
}

static void find_cap(struct hl_plateau *plateau)
{
	const struct hl_hop *hop = plateau->hop;
	HL_FREE struct group *groups = hl_grow(NULL, hop->nr_measurements, sizeof(*groups));
	size_t nr = read_groups(hop, plateau->deep.at, groups);
	double low = 0, high = 0;

	plateau->device_depth = plateau->deep.at->device_depth;
	plateau->depth_asked = plateau->cap = NAN;
	if (!nr || isnan(plateau->device_depth))
		return;
	plateau->depth_asked = mean_depth(groups, nr, INFINITY);
	if (plateau->device_depth >= CAP_SEEN * plateau->depth_asked)
		return;
	for (size_t i = 0; i < nr; i++)
		high = fmax(high, groups[i].depth);
	for (int i = 0; i < BISECTIONS; i++) {
		double middle = (low + high) / 2;

		if (mean_depth(groups, nr, middle) < plateau->device_depth)
			low = middle;
		else
			high = middle;
	}
	plateau->cap = high;
}

bool hl_plateau_find(const struct hl_graph *graph, const struct hl_hop *hop, enum hl_dir dir,
		     struct hl_plateau *ret_plateau)
{
	HL_TRIALS struct hl_trials trials = { 0 };
	struct hl_plateau plateau = { .hop = hop, .dir = dir };

	hl_trials_read(hop, dir, &trials);
	find_blocked(&trials, &plateau);
	keep_best(&trials);
	if (!find_pair(graph, &trials, &plateau))
		return false;
	find_one(&trials, &plateau);
	find_cap(&plateau);
	plateau.has_fit = !hl_fit_hop(hop, dir, &plateau.fit);
	*ret_plateau = plateau;
	return true;
}
