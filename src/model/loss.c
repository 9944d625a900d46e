/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Losses: what each hop takes from what the one above it gives.
 *
 * Source: the chains. Surprising: shares are on a log scale, where factors add up: 6,000 -> 1,200
 * and 1,200 -> 240 MiB/s take the same share, whatever their difference in MiB/s is. Shares are of
 * the means, so that they add up; the factor beside them is the median over rounds where there are
 * any.
 */
#include "hoploss/model.h"
#include <math.h>

/* Below this (1 %) there is no loss that could be shared out. */
#define LEAST_TOTAL 0.01

static void take_rounds(struct hl_loss *loss, const struct hl_stage *child)
{
	loss->bw_low = child->lost_low;
	loss->bw_high = child->lost_high;
	loss->factor = child->factor;
	loss->factor_low = child->factor_low;
	loss->factor_high = child->factor_high;
}

/* Told from chance. */
static bool is_gain(const struct hl_stage *parent, const struct hl_stage *child)
{
	if (child->nr_rounds)
		return child->factor_high * child->noise < 1;
	return parent->bw * child->noise < child->bw;
}

static void add_loss(struct hl_graph *graph, const struct hl_chain *chain, size_t index)
{
	const struct hl_stage *child = &chain->stages[index], *parent = child - 1;
	double total = log(chain->stages[0].bw / chain->stages[chain->nr_stages - 1].bw);
	struct hl_loss *loss = hl_graph_add_loss(graph);

	loss->leaf = chain->leaf;
	loss->at = child->at;
	loss->dir = chain->dir;
	loss->layers = child->layers;
	loss->from = parent->hop;
	loss->to = child->hop;
	loss->bw = parent->bw - child->bw;
	loss->factor = parent->bw / child->bw;
	if (total > LEAST_TOTAL)
		loss->share_pct = log(loss->factor) / total * 100;
	if (child->look)
		take_rounds(loss, child);
	loss->lat_ns = child->lat_ns - parent->lat_ns;
	loss->lat_from_ns = parent->lat_ns;
	loss->is_masked = !child->is_named && !is_gain(parent, child);
}

void hl_model_losses(struct hl_graph *graph)
{
	hl_sheet_fill(graph);
	hl_rounds_fill(graph);
	if (!graph->nr_chains)
		hl_chain_fill(graph);
	for (size_t i = 0; i < graph->nr_chains; i++) {
		for (size_t k = 1; k < graph->chains[i]->nr_stages; k++)
			add_loss(graph, graph->chains[i], k);
	}
}
