/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chains: each workload followed along each path, from the datasheet to the application.
 *
 * Source: hops, their "after", and pairs of measurements. Surprising: a hop that has no result for
 * a workload is skipped, and what is lost there is then told of the span of layers; and a leaf that
 * failed does not hide what was measured above it.
 */
#include "hoploss/model.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BIT(layer)   (1U << (layer))
#define MAX_WARNINGS 20
#define UNSATURATED  0.8 /* of depth times what depth 1 gives */

/* One path, root first, and what is being made of it. */
struct path {
	struct hl_graph *graph;
	const struct hl_hop **hops;
	size_t nr;
	size_t *nr_warned;
};

static void free_path(struct path *path)
{
	free(path->hops);
}

/* An "after" that runs in a circle ends where all hops have been seen. */
static struct path path_of(struct hl_graph *graph, const struct hl_hop *leaf)
{
	struct path path = { .graph = graph };
	const struct hl_hop *hop;

	for (hop = leaf; hop && path.nr < graph->nr_hops; hop = hop->after)
		path.nr++;
	path.hops = hl_grow(NULL, path.nr, sizeof(*path.hops));
	hop = leaf;
	for (size_t i = path.nr; i-- > 0; hop = hop->after)
		path.hops[i] = hop;
	return path;
}

/* ---- warnings ---- */

static const char *name_of(const struct hl_measurement *at)
{
	return at->workload.name ? at->workload.name : "a job without a name";
}

/* Each thing once, and only so many: a thousand files may all have it. */
static void warn_once(const struct path *path, char *text)
{
	HL_FREE char *owned = text;
	struct hl_graph *graph = path->graph;

	if (*path->nr_warned == MAX_WARNINGS)
		return;
	for (size_t i = 0; i < graph->nr_warnings; i++) {
		if (!strcmp(graph->warnings[i], owned))
			return;
	}
	hl_graph_warn(graph, "%s", owned);
	if (++*path->nr_warned == MAX_WARNINGS)
		hl_graph_warn(graph, "more comparisons like these are not listed");
}

static void warn_of_namesake(const struct path *path, const struct hl_hop *hop,
			     const struct hl_measurement *at, enum hl_dir dir)
{
	if (hl_pair_namesake(hop, at, dir))
		warn_once(path,
			  hl_printf("%s and %s ran %s with different parameters: not compared",
				    hop->name, at->hop->name, name_of(at)));
}

static void warn_of_repeats(const struct path *path, const struct hl_chain *chain)
{
	for (size_t i = 0; i < chain->nr_stages; i++) {
		const struct hl_measurement *at = chain->stages[i].at;
		size_t nr = at ? hl_pair_count(at->hop, at, chain->dir) : 1;

		if (nr > 1)
			warn_once(path, hl_printf("%s has %zu results of %s (%s): the median one "
						  "is compared",
						  at->hop->name, nr, name_of(at),
						  hl_dir_name(chain->dir)));
	}
}

/* ---- one chain ---- */

/* Nothing overlaps: depth 1, or each write waits for its flush. */
static bool is_alone(const struct hl_measurement *at, enum hl_dir dir)
{
	return hl_figure_depth(at) == 1 || at->dir[dir]->sync ||
	       (dir == HL_DIR_WRITE && at->workload.fsync > 0);
}

/* The same hop gives a single I/O of this kind so much that the depth asked for explains it all. */
static bool rises_with_depth(const struct hl_measurement *at, enum hl_dir dir)
{
	double wanted = hl_figure_iops(at, dir) / hl_figure_depth(at);

	for (size_t i = 0; i < at->hop->nr_measurements; i++) {
		const struct hl_measurement *other = at->hop->measurements[i];

		if (!other->experiment && other->workload.rw == at->workload.rw &&
		    hl_figure_depth(other) == 1 && hl_figure_is_usable(other, dir) &&
		    hl_figure_bs(other, dir) == hl_figure_bs(at, dir) &&
		    wanted >= UNSATURATED * hl_figure_iops(other, dir))
			return true;
	}
	return false;
}

static bool is_sheet(const struct hl_hop *hop)
{
	return hop->layer == HL_LAYER_DATASHEET && !hop->nr_measurements;
}

/* Layers from the one behind that of the datasheet to last. */
static uint32_t layers_up_to(enum hl_layer last)
{
	return BIT(last + 1) - BIT(HL_LAYER_LINK);
}

/* skipped: layers of the hops without a result since the last stage. */
static uint32_t span_of(const struct hl_hop *hop, const struct hl_stage *before, uint32_t skipped)
{
	if (hop->layer == HL_LAYER_NONE || (skipped & BIT(HL_LAYER_NONE)))
		return 0;
	if (before && !before->at)
		return layers_up_to(hop->layer) | skipped;
	return BIT(hop->layer) | skipped;
}

/* A drive below the sheet of several may be one of them, or all: nobody said. */
static double noise_of_sheet(const struct hl_graph *graph, const struct hl_stage *stage)
{
	double noise = 1 / (1 - hl_sheet_tolerance(graph, stage->at));

	return stage->hop->layer <= HL_LAYER_DRIVE ? noise * graph->drives : noise;
}

static double noise_of(const struct hl_graph *graph, const struct hl_chain *chain,
		       const struct hl_stage *before, const struct hl_stage *stage)
{
	double spread;

	if (!before->at)
		return noise_of_sheet(graph, stage);
	spread = fmax(hl_pair_spread(before->hop, before->at, chain->dir),
		      hl_pair_spread(stage->hop, stage->at, chain->dir));
	return fmax(spread, 1 / (1 - HL_SINGLE_NOISE));
}

static void add_stage(struct hl_graph *graph, struct hl_chain *chain,
		      const struct hl_measurement *at, uint32_t skipped)
{
	struct hl_stage *stage = hl_graph_add_stage(graph, chain);
	const struct hl_stage *before = chain->nr_stages > 1 ? stage - 1 : NULL;

	stage->hop = at->hop;
	stage->at = at;
	stage->bw = at->dir[chain->dir]->bw;
	stage->layers = span_of(at->hop, before, skipped);
	if (!before)
		return;
	stage->noise = noise_of(graph, chain, before, stage);
	stage->is_named = before->bw > stage->bw * stage->noise;
}

static void add_sheet(struct hl_graph *graph, struct hl_chain *chain, const struct hl_hop *hop)
{
	double bw = hl_sheet_bw(graph, chain->at, chain->dir);
	struct hl_stage *stage;

	if (isnan(bw) || chain->nr_stages)
		return;
	stage = hl_graph_add_stage(graph, chain);
	stage->hop = hop;
	stage->bw = bw;
}

static double mean_of(const struct hl_latency *latency)
{
	return latency && latency->mean > 0 ? latency->mean : NAN;
}

/* Kinds of mean latency, best first: of the whole I/O, of its completion, by what got done. */
static double latency_of(const struct hl_measurement *at, enum hl_dir dir, int kind)
{
	const struct hl_rate *rate = at->dir[dir];

	if (rate->sync && kind < 2)
		return NAN; /* the flush is not in it */
	if (kind == 0)
		return mean_of(rate->lat);
	if (kind == 1)
		return mean_of(rate->clat);
	return hl_figure_depth(at) * 1e9 / hl_figure_iops(at, dir);
}

/* Latencies of two kinds do not add up: the best kind that all stages have. */
static void fill_latencies(struct hl_chain *chain)
{
	for (int kind = 0; kind < 3; kind++) {
		bool is_known = true;

		for (size_t i = 0; i < chain->nr_stages; i++) {
			struct hl_stage *stage = &chain->stages[i];

			if (!stage->at)
				continue;
			stage->lat_ns = latency_of(stage->at, chain->dir, kind);
			is_known &= !isnan(stage->lat_ns);
		}
		if (is_known)
			return;
	}
	for (size_t i = 0; i < chain->nr_stages; i++)
		chain->stages[i].lat_ns = NAN;
}

/* Of a measured stage. */
static bool has_round(const struct hl_stage *stage, enum hl_dir dir, size_t round)
{
	const struct hl_rate *rate = stage->at->dir[dir];

	return round < rate->nr_rounds && !isnan(rate->per_round[round]);
}

static size_t rounds_of_all(const struct hl_chain *chain)
{
	size_t nr = SIZE_MAX;

	for (size_t i = 0; i < chain->nr_stages; i++) {
		const struct hl_stage *stage = &chain->stages[i];
		const struct hl_rate *rate = stage->at ? stage->at->dir[chain->dir] : NULL;

		if (rate && !rate->per_round)
			return 0;
		if (rate && rate->nr_rounds < nr)
			nr = rate->nr_rounds;
	}
	return nr == SIZE_MAX ? 0 : nr;
}

/* Means over the rounds that all stages have, so that their differences are paired. */
static void average_common_rounds(struct hl_chain *chain)
{
	size_t nr_rounds = rounds_of_all(chain), nr_common = 0;
	HL_FREE double *sums = hl_grow(NULL, chain->nr_stages + 1, sizeof(*sums));

	memset(sums, 0, (chain->nr_stages + 1) * sizeof(*sums));
	for (size_t round = 0; round < nr_rounds; round++) {
		bool is_common = true;

		for (size_t i = 0; i < chain->nr_stages; i++)
			is_common &= !chain->stages[i].at ||
				     has_round(&chain->stages[i], chain->dir, round);
		for (size_t i = 0; is_common && i < chain->nr_stages; i++)
			sums[i] += chain->stages[i].at
					   ? chain->stages[i].at->dir[chain->dir]->per_round[round]
					   : chain->stages[i].bw;
		nr_common += is_common;
	}
	for (size_t i = 0; nr_common && i < chain->nr_stages; i++)
		chain->stages[i].bw = sums[i] / (double)nr_common;
}

/* Follows at, a measurement of the last of the first nr hops of path, down to there. */
static void add_chain(const struct path *path, size_t nr, const struct hl_measurement *at,
		      enum hl_dir dir)
{
	struct hl_chain *chain = hl_graph_add_chain(path->graph);
	uint32_t skipped = 0;

	chain->leaf = path->hops[path->nr - 1];
	chain->at = at;
	chain->dir = dir;
	chain->is_series = is_alone(at, dir) || rises_with_depth(at, dir);
	for (size_t i = 0; i < nr; i++) {
		const struct hl_hop *hop = path->hops[i];
		const struct hl_measurement *pair = hl_pair_find(hop, at, dir);

		if (is_sheet(hop)) {
			add_sheet(path->graph, chain, hop);
		} else if (pair) {
			add_stage(path->graph, chain, pair, skipped);
			skipped = 0;
		} else {
			skipped |= BIT(hop->layer);
			warn_of_namesake(path, hop, at, dir);
		}
	}
	if (is_alone(at, dir))
		fill_latencies(chain);
	average_common_rounds(chain);
	if (chain->nr_stages > 1)
		warn_of_repeats(path, chain);
}

/* ---- all of them ---- */

static bool has_below(const struct path *path, size_t index, const struct hl_measurement *at,
		      enum hl_dir dir)
{
	for (size_t i = path->nr; i-- > index + 1;) {
		if (hl_pair_find(path->hops[i], at, dir))
			return true;
	}
	return false;
}

/* What the hop at index has and none further down: of several runs the median one only. */
static void add_chains_of(const struct path *path, size_t index)
{
	const struct hl_hop *hop = path->hops[index];
	HL_FREE bool *is_chosen = hl_alloc(hop->nr_measurements * HL_NR_DIRS);

	for (int dir = 0; dir < HL_NR_DIRS; dir++)
		hl_pair_choose(hop, dir, is_chosen + (size_t)dir * hop->nr_measurements);
	for (size_t i = 0; i < hop->nr_measurements; i++) {
		const struct hl_measurement *at = hop->measurements[i];

		for (int dir = 0; dir < HL_NR_DIRS; dir++) {
			if (is_chosen[(size_t)dir * hop->nr_measurements + i] &&
			    !has_below(path, index, at, dir))
				add_chain(path, index + 1, at, dir);
		}
	}
}

void hl_chain_fill(struct hl_graph *graph)
{
	size_t nr_warned = 0;

	for (size_t i = 0; i < graph->nr_hops; i++) {
		__attribute__((cleanup(free_path))) struct path path = { 0 };

		if (!hl_hop_is_leaf(graph, graph->hops[i]))
			continue;
		path = path_of(graph, graph->hops[i]);
		path.nr_warned = &nr_warned;
		for (size_t index = path.nr; index-- > 0;)
			add_chains_of(&path, index);
	}
	hl_rounds_judge(graph);
}
