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
	if (!hl_workload_is_same(&a->workload, &b->workload) || !is_same_text(a->change, b->change))
		return false; /* first, as it rules out most */
	if (!hl_figure_is_usable(a, dir) || !hl_figure_is_usable(b, dir))
		return false;
	if (a->experiment || b->experiment)
		return false; /* measured at another time, under other conditions */
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

/* The measurements that may be compared; those of the same name only, where there is one. */
struct matches {
	const struct hl_measurement **items; /* NULL: only counted */
	size_t nr;
	bool are_named;
};

static struct matches count(const struct hl_hop *hop, const struct hl_measurement *at,
			    enum hl_dir dir)
{
	size_t nr_named = 0, nr = 0;

	for (size_t i = 0; i < hop->nr_measurements; i++) {
		if (!may_compare(hop->measurements[i], at, dir))
			continue;
		nr_named += has_same_name(hop->measurements[i], at);
		nr++;
	}
	return (struct matches){ .nr = nr_named ? nr_named : nr, .are_named = nr_named > 0 };
}

static bool is_in(const struct matches *matches, const struct hl_measurement *other,
		  const struct hl_measurement *at, enum hl_dir dir)
{
	return may_compare(other, at, dir) && (!matches->are_named || has_same_name(other, at));
}

/* The items are to be freed. */
static struct matches gather(const struct hl_hop *hop, const struct hl_measurement *at,
			     enum hl_dir dir)
{
	struct matches matches = count(hop, at, dir);
	size_t nr = 0;

	if (!matches.nr)
		return matches;
	matches.items = hl_grow(NULL, matches.nr, sizeof(*matches.items));
	for (size_t i = 0; nr < matches.nr; i++) {
		const struct hl_measurement *other = hop->measurements[i];

		if (is_in(&matches, other, at, dir))
			matches.items[nr++] = other;
	}
	qsort_r(matches.items, nr, sizeof(*matches.items), compare_bw, &dir);
	return matches;
}

size_t hl_pair_count(const struct hl_hop *hop, const struct hl_measurement *at, enum hl_dir dir)
{
	return count(hop, at, dir).nr;
}

double hl_pair_spread(const struct hl_hop *hop, const struct hl_measurement *at, enum hl_dir dir)
{
	struct matches matches = gather(hop, at, dir);
	HL_FREE const struct hl_measurement **items = matches.items;

	return items ? items[matches.nr - 1]->dir[dir]->bw / items[0]->dir[dir]->bw : 1;
}

const struct hl_measurement *hl_pair_find(const struct hl_hop *hop, const struct hl_measurement *at,
					  enum hl_dir dir)
{
	struct matches matches = gather(hop, at, dir);
	HL_FREE const struct hl_measurement **items = matches.items;

	return items ? items[(matches.nr - 1) / 2] : NULL;
}

/* Marks the one of its matches that stands for at, and all of them as done. */
static void choose(const struct hl_hop *hop, const struct hl_measurement *at, enum hl_dir dir,
		   bool *is_done, bool *is_chosen)
{
	struct matches matches = gather(hop, at, dir);
	HL_FREE const struct hl_measurement **items = matches.items;

	for (size_t i = 0; items && i < hop->nr_measurements; i++) {
		const struct hl_measurement *other = hop->measurements[i];

		if (is_done[i] || !is_in(&matches, other, at, dir))
			continue;
		is_done[i] = true;
		is_chosen[i] = other == items[(matches.nr - 1) / 2];
	}
}

void hl_pair_choose(const struct hl_hop *hop, enum hl_dir dir, bool *ret_is_chosen)
{
	HL_FREE bool *is_done = hl_alloc(hop->nr_measurements);

	memset(ret_is_chosen, 0, hop->nr_measurements * sizeof(*ret_is_chosen));
	for (size_t i = 0; i < hop->nr_measurements; i++) {
		const struct hl_measurement *at = hop->measurements[i];

		if (!is_done[i] && hl_figure_is_usable(at, dir))
			choose(hop, at, dir, is_done, ret_is_chosen);
	}
}

const struct hl_measurement *hl_pair_namesake(const struct hl_hop *hop,
					      const struct hl_measurement *at, enum hl_dir dir)
{
	for (size_t i = 0; i < hop->nr_measurements; i++) {
		const struct hl_measurement *other = hop->measurements[i];

		if (has_same_name(other, at) && !other->experiment &&
		    hl_figure_is_usable(other, dir) && is_same_text(other->change, at->change) &&
		    !may_compare(other, at, dir))
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
