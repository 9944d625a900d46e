/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Residuals: the honest check. What was measured at a leaf, minus what its other workloads predict.
 *
 * Source: for one deep job, the fit over the jobs of the other block sizes of the same hop. It
 * never sees the job that it predicts.
 */
#include "hoploss/model.h"
#include <math.h>

static void add_residual(struct hl_graph *graph, const struct hl_measurement *at, enum hl_dir dir)
{
	double predicted;
	struct hl_residual *residual;
	struct hl_fit fit;

	if (!hl_figure_is_usable(at, dir) || hl_fit_others(at->hop, at, dir, &fit))
		return;
	predicted = hl_fit_bw(&fit, hl_figure_bs(at, dir));
	residual = hl_graph_add_residual(graph);
	residual->leaf = at->hop;
	residual->at = at;
	residual->dir = dir;
	residual->bw = at->dir[dir]->bw - predicted;
}

void hl_model_residuals(struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		const struct hl_hop *hop = graph->hops[i];

		if (!hl_hop_is_leaf(graph, hop))
			continue;
		for (size_t k = 0; k < hop->nr_measurements; k++) {
			add_residual(graph, hop->measurements[k], HL_DIR_READ);
			add_residual(graph, hop->measurements[k], HL_DIR_WRITE);
		}
	}
}
