/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ladders: which layer, mended alone, raises the leaf most; then the next; and so on to the top.
 *
 * Source: the chains, and ceilings that facts gave for hops further down. Two algebras: hops that
 * pipeline let through the least of their ceilings, so the last loss binds, and mending a greater
 * one above it gives nothing; at depth 1 times add up, so the longest one binds. Surprising: what
 * a hop below the bottleneck could carry is not known, only that it carries this much; hence
 * "at most".
 */
#include "hoploss/model.h"
#include <math.h>
#include <stdlib.h>

/* A step that raises the leaf by less than this gives nothing that anybody would see. */
#define LEAST_RAISE        (1 / (1 - HL_SINGLE_NOISE))
#define LEAST_RAISE_ROUNDS 1.02 /* named by its rounds, so it is there */

/* A ceiling that was exceeded by more than this share is none. */
#define REFUTED 0.01

/* Ceilings that facts gave; not the datasheet, which is a stage, nor a line that may not be there.
 */
struct ceilings {
	const struct hl_ceiling **items;
	size_t nr;
};

static void free_ceilings(struct ceilings *ceilings)
{
	free(ceilings->items);
}

static struct ceilings gather_ceilings(const struct hl_graph *graph)
{
	struct ceilings found = { 0 };

	found.items = hl_grow(NULL, graph->nr_ceilings + 1, sizeof(*found.items));
	for (size_t i = 0; i < graph->nr_ceilings; i++) {
		const struct hl_ceiling *ceiling = graph->ceilings[i];

		if (ceiling->layer != HL_LAYER_DATASHEET && ceiling->nr_from && ceiling->bw > 0)
			found.items[found.nr++] = ceiling;
	}
	return found;
}

/*
 * The lowest one of stage for this workload and direction; NAN = none known. One that the stage
 * itself exceeds is refuted.
 */
static double ceiling_of(const struct ceilings *ceilings, const struct hl_stage *stage,
			 enum hl_dir dir)
{
	double lowest = NAN;

	for (size_t i = 0; i < ceilings->nr; i++) {
		const struct hl_ceiling *ceiling = ceilings->items[i];

		if (ceiling->hop == stage->hop && ceiling->dir == dir &&
		    (!ceiling->at || ceiling->at == stage->at) &&
		    stage->bw <= ceiling->bw * (1 + REFUTED))
			lowest = fmin(lowest, ceiling->bw);
	}
	return lowest;
}

static size_t nr_measured(const struct hl_chain *chain)
{
	size_t nr = 0;

	for (size_t i = 0; i < chain->nr_stages; i++)
		nr += chain->stages[i].at != NULL;
	return nr;
}

/* A ladder being built; none is added to the graph before it has a step. */
struct climb {
	struct hl_graph *graph;
	const struct hl_chain *chain;
	struct hl_ladder *ladder;
	double leaf_bw; /* with all steps so far taken */
};

static void add_step(struct climb *climb, const struct hl_stage *stage, double bw,
		     enum hl_prediction kind)
{
	struct hl_step *step;

	if (!climb->ladder) {
		climb->ladder = hl_graph_add_ladder(climb->graph);
		climb->ladder->leaf = climb->chain->leaf;
		climb->ladder->at = climb->chain->at;
		climb->ladder->dir = climb->chain->dir;
	}
	step = hl_graph_add_step(climb->graph, climb->ladder);
	step->layers = stage->layers;
	step->hop = stage->hop;
	step->bw = bw;
	step->kind = kind;
	climb->leaf_bw = bw;
}

/*
 * What the leaf would get through the stages after index if all above gave bw. Those that were
 * mended on the way, and those that lose nothing that is seen, may bind next, unknown where.
 */
static double carry(const struct climb *climb, const struct ceilings *ceilings, size_t index,
		    double bw, enum hl_prediction *ret_kind)
{
	const struct hl_chain *chain = climb->chain;

	*ret_kind = HL_ESTIMATE;
	for (size_t i = index + 1; i < chain->nr_stages; i++) {
		double ceiling = ceiling_of(ceilings, &chain->stages[i], chain->dir);

		if (isnan(ceiling))
			*ret_kind = HL_AT_MOST;
		else
			bw = fmin(bw, ceiling);
	}
	return bw;
}

static double least_raise(const struct hl_stage *stage)
{
	return stage->look ? LEAST_RAISE_ROUNDS : LEAST_RAISE;
}

static void climb_pipeline(struct climb *climb, const struct ceilings *ceilings)
{
	const struct hl_chain *chain = climb->chain;

	for (size_t i = chain->nr_stages; i-- > 1;) {
		const struct hl_stage *stage = &chain->stages[i];
		enum hl_prediction kind;
		double bw = carry(climb, ceilings, i, stage[-1].bw, &kind);

		if (stage->is_named && bw > climb->leaf_bw * least_raise(stage))
			add_step(climb, stage, bw, kind);
	}
}

struct share {
	const struct hl_stage *stage;
	double time; /* per byte that the leaf gets; negative = a gain */
};

static int compare_shares(const void *left, const void *right)
{
	const struct share *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return (a->stage < b->stage) - (a->stage > b->stage); /* the lower hop first */
}

/* At one I/O at a time the time per byte is 1/bandwidth, and each stage adds its own. */
static void climb_series(struct climb *climb)
{
	const struct hl_chain *chain = climb->chain;
	HL_FREE struct share *shares = hl_grow(NULL, chain->nr_stages, sizeof(*shares));
	double left = 1 / climb->leaf_bw;
	size_t nr = 0;

	for (size_t i = 1; i < chain->nr_stages; i++) {
		const struct hl_stage *stage = &chain->stages[i];

		if (stage->is_named)
			shares[nr++] = (struct share){ stage, 1 / stage->bw - 1 / stage[-1].bw };
	}
	qsort(shares, nr, sizeof(*shares), compare_shares);
	for (size_t i = 0; i < nr; i++) {
		double after = left - shares[i].time;

		/* A gain further down can leave less than was lost: then times do not add up. */
		if (after <= 0 || left / after <= least_raise(shares[i].stage))
			break;
		left = after;
		add_step(climb, shares[i].stage, 1 / left, HL_ESTIMATE);
	}
}

void hl_model_ladders(struct hl_graph *graph)
{
	__attribute__((cleanup(free_ceilings))) struct ceilings ceilings = gather_ceilings(graph);

	for (size_t i = 0; i < graph->nr_chains; i++) {
		const struct hl_chain *chain = graph->chains[i];
		struct climb climb = { .graph = graph, .chain = chain };

		if (nr_measured(chain) < 2)
			continue;
		climb.leaf_bw = chain->stages[chain->nr_stages - 1].bw;
		if (chain->is_series)
			climb_series(&climb);
		else
			climb_pipeline(&climb, &ceilings);
	}
}
