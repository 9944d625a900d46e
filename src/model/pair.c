/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairing: which measurement of one hop may be compared with which of another.
 *
 * Surprising: job names do not count where the parameters are known, because the same job is often
 * renamed between two hops, and a name is often kept while its depth changes.
 */
#include "hoploss/model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool has_same_name(const struct hl_measurement *a, const struct hl_measurement *b)
{
	return a->workload.name && b->workload.name && !strcmp(a->workload.name, b->workload.name);
}

static bool is_network(enum hl_dir dir)
{
	return dir == HL_DIR_TX || dir == HL_DIR_RX;
}

/* Streams and protocol are to a network figure what pattern and depth are to a disk's. */
static bool is_same_flow(const struct hl_rate *a, const struct hl_rate *b)
{
	bool is_same_count = a->streams == b->streams || (isnan(a->streams) && isnan(b->streams));

	return is_same_count && is_same_text(a->protocol, b->protocol);
}

static bool may_compare(const struct hl_measurement *a, const struct hl_measurement *b,
			enum hl_dir dir)
{
	if (!hl_figure_is_usable(a, dir) || !hl_figure_is_usable(b, dir))
		return false;
	if (!hl_workload_is_same(&a->workload, &b->workload) || !is_same_text(a->change, b->change))
		return false;
	if (is_network(dir))
		return is_same_flow(a->dir[dir], b->dir[dir]);
	if (a->workload.rw == HL_RW_UNKNOWN || isnan(a->workload.bs))
		return has_same_name(a, b);
	return true;
}

static int compare_bw(const void *left, const void *right, void *arg)
{
	const struct hl_measurement *const *a = left, *const *b = right;
	enum hl_dir dir = *(const enum hl_dir *)arg;
	double x = (*a)->dir[dir]->bw, y = (*b)->dir[dir]->bw;

	return (x > y) - (x < y);
}

/* Fills ret_found (if not NULL) with the measurements that may be compared; returns how many. */
static size_t gather(const struct hl_hop *hop, const struct hl_measurement *at, enum hl_dir dir,
		     bool needs_name, const struct hl_measurement **ret_found)
{
	size_t nr = 0;

	for (size_t i = 0; i < hop->nr_measurements; i++) {
		const struct hl_measurement *other = hop->measurements[i];

		if (!may_compare(other, at, dir) || (needs_name && !has_same_name(other, at)))
			continue;
		if (ret_found)
			ret_found[nr] = other;
		nr++;
	}
	return nr;
}

size_t hl_pair_count(const struct hl_hop *hop, const struct hl_measurement *at, enum hl_dir dir)
{
	size_t nr_named = gather(hop, at, dir, true, NULL);

	return nr_named ? nr_named : gather(hop, at, dir, false, NULL);
}

const struct hl_measurement *hl_pair_find(const struct hl_hop *hop, const struct hl_measurement *at,
					  enum hl_dir dir)
{
	bool has_named = gather(hop, at, dir, true, NULL) > 0;
	size_t nr = hl_pair_count(hop, at, dir);
	HL_FREE const struct hl_measurement **found = NULL;

	if (!nr)
		return NULL;
	found = hl_grow(NULL, nr, sizeof(*found));
	gather(hop, at, dir, has_named, found);
	qsort_r(found, nr, sizeof(*found), compare_bw, &dir);
	return found[(nr - 1) / 2];
}

const struct hl_measurement *hl_pair_namesake(const struct hl_hop *hop,
					      const struct hl_measurement *at, enum hl_dir dir)
{
	for (size_t i = 0; i < hop->nr_measurements; i++) {
		const struct hl_measurement *other = hop->measurements[i];

		if (has_same_name(other, at) && hl_figure_is_usable(other, dir) &&
		    is_same_text(other->change, at->change) && !may_compare(other, at, dir))
			return other;
	}
	return NULL;
}

bool hl_hop_is_leaf(const struct hl_graph *graph, const struct hl_hop *hop)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		if (graph->hops[i]->after == hop)
			return false;
	}
	return true;
}
