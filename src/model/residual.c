/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Residuals: the honest check. What was measured at a leaf, minus what its other workloads predict.
 *
 * Source: for one deep job, the fit over the jobs of the other block sizes of the same hop. It
 * never sees the job that it predicts.
 */
#include "hoploss/model.h"
#include <stdlib.h>

struct prediction { /* from the jobs of all other block sizes */
	double bs;
	bool is_known;
	struct hl_fit fit;
};

struct predictions { /* of one hop and direction, made as they are needed */
	struct prediction *items;
	size_t nr;
};

static void free_predictions(struct predictions *predictions)
{
	free(predictions->items);
}

/* NULL: cannot be told. A hop can have thousands of jobs, but not of block sizes. */
static const struct hl_fit *predict(struct predictions *predictions,
				    const struct hl_measurement *at, enum hl_dir dir)
{
	double bs = hl_figure_bs(at, dir);
	struct prediction *prediction;
	size_t i = 0;

	while (i < predictions->nr && predictions->items[i].bs != bs)
		i++;
	if (i == predictions->nr) {
		predictions->items = hl_grow(predictions->items, i + 1,
					     sizeof(*predictions->items));
		prediction = &predictions->items[predictions->nr++];
		prediction->bs = bs;
		prediction->is_known = !hl_fit_others(at->hop, at, dir, &prediction->fit);
	}
	prediction = &predictions->items[i];
	return prediction->is_known ? &prediction->fit : NULL;
}

static void add_residual(struct hl_graph *graph, const struct hl_measurement *at, enum hl_dir dir,
			 const struct hl_fit *fit)
{
	struct hl_residual *residual = hl_graph_add_residual(graph);

	residual->leaf = at->hop;
	residual->at = at;
	residual->dir = dir;
	residual->bw = at->dir[dir]->bw - hl_fit_bw(fit, hl_figure_bs(at, dir));
}

static void add_residuals(struct hl_graph *graph, const struct hl_hop *hop)
{
	__attribute__((cleanup(free_predictions))) struct predictions reads = { 0 };
	__attribute__((cleanup(free_predictions))) struct predictions writes = { 0 };

	for (size_t i = 0, end; i < hop->nr_measurements; i = end) {
		end = hl_figure_group_end(hop, i);
		for (int dir = HL_DIR_READ; dir <= HL_DIR_WRITE && end == i + 1; dir++) {
			const struct hl_measurement *at = hop->measurements[i];
			const struct hl_fit *fit = NULL;

			if (hl_fit_is_point(hop, i, dir))
				fit = predict(dir == HL_DIR_READ ? &reads : &writes, at, dir);
			if (fit)
				add_residual(graph, at, dir, fit);
		}
	}
}

void hl_model_residuals(struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		if (hl_hop_is_leaf(graph, graph->hops[i]))
			add_residuals(graph, graph->hops[i]);
	}
}
