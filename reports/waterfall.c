/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From chains and losses to bars: see waterfall.h.
 */
#include "waterfall.h"
#include "cell.h"
#include "hoploss/spec.h"
#include <math.h>

static void add_bar(struct hl_arena *arena, struct hl_waterfall *waterfall, struct hl_bar bar)
{
	waterfall->bars = hl_arena_extend(arena, waterfall->bars, waterfall->nr_bars,
					  sizeof(*waterfall->bars));
	waterfall->bars[waterfall->nr_bars++] = bar;
	if (bar.bw > waterfall->scale)
		waterfall->scale = bar.bw;
}

/* Beside the sheet of several drives, that of one. */
static void add_one_drive(struct hl_arena *arena, const struct hl_graph *graph,
			  struct hl_waterfall *waterfall)
{
	const struct hl_chain *chain = waterfall->chain;
	struct hl_bar bar = {
		.name = hl_arena_printf(arena, "%s x 1", graph->spec->name),
		.layer = hl_layer_name(HL_LAYER_DATASHEET),
		.bw = hl_spec_bw(graph->spec, &chain->at->workload, chain->dir),
		.before = NAN,
		.lat_ns = NAN,
		.lat_before_ns = NAN,
		.is_sheet = true,
	};

	if (!isnan(bar.bw))
		add_bar(arena, waterfall, bar);
}

/* Losses stand in the order of chains and stages: the search goes on where the last one ended. */
static const struct hl_loss *find_loss(const struct hl_graph *graph, const struct hl_chain *chain,
				       const struct hl_stage *stage, size_t *cursor)
{
	for (size_t i = 0; i < graph->nr_losses; i++) {
		size_t place = (*cursor + i) % graph->nr_losses;
		const struct hl_loss *loss = graph->losses[place];

		if (loss->leaf == chain->leaf && loss->dir == chain->dir &&
		    loss->to == stage->hop && loss->at == stage->at) {
			*cursor = place + 1;
			return loss;
		}
	}
	return NULL;
}

static void add_stage(struct hl_arena *arena, const struct hl_graph *graph,
		      struct hl_waterfall *waterfall, size_t index, size_t *cursor)
{
	const struct hl_stage *stage = &waterfall->chain->stages[index];
	const struct hl_stage *above = index ? stage - 1 : NULL;
	const struct hl_verdict *verdict = waterfall->verdict;
	bool is_sheet = stage->hop->layer == HL_LAYER_DATASHEET;
	uint32_t layers = above ? stage->layers : 1u << stage->hop->layer;

	add_bar(arena, waterfall,
		(struct hl_bar){
			.hop = stage->hop,
			.name = stage->hop->name,
			.layer = hl_cell_layers(arena, layers),
			.bw = stage->bw,
			.before = above ? above->bw : NAN,
			.lat_ns = stage->lat_ns,
			.lat_before_ns = above ? above->lat_ns : NAN,
			.loss = above ? find_loss(graph, waterfall->chain, stage, cursor) : NULL,
			.is_sheet = is_sheet,
			.is_only = waterfall->chain->nr_stages == 2,
			.is_binding = above && verdict && layers && verdict->layers == layers,
		});
	if (is_sheet && graph->spec && graph->drives > 1)
		add_one_drive(arena, graph, waterfall);
}

/* Index of the first item of the graph's array that speaks of the chain's job, or nr. */
#define INDEX_OF_JOB(chain, items, nr)                                                             \
	({                                                                                         \
		size_t index_ = 0;                                                                 \
		while (index_ < (nr) && ((items)[index_]->leaf != (chain)->leaf ||                 \
					 (items)[index_]->at != (chain)->at ||                     \
					 (items)[index_]->dir != (chain)->dir))                    \
			index_++;                                                                  \
		index_;                                                                            \
	})

#define FIND_JOB(chain, items, nr)                                                                 \
	({                                                                                         \
		size_t found_ = INDEX_OF_JOB(chain, items, nr);                                    \
		found_ < (nr) ? (items)[found_] : NULL;                                            \
	})

static void fill(struct hl_arena *arena, const struct hl_graph *graph, const struct hl_chain *chain,
		 struct hl_waterfall *waterfall, size_t *cursor)
{
	size_t index = INDEX_OF_JOB(chain, graph->verdicts, graph->nr_verdicts);
	struct hl_bar *leaf;

	waterfall->chain = chain;
	waterfall->job = hl_cell_job(arena, chain->at, chain->dir);
	waterfall->verdict_index = index;
	waterfall->verdict = index < graph->nr_verdicts ? graph->verdicts[index] : NULL;
	waterfall->ladder = FIND_JOB(chain, graph->ladders, graph->nr_ladders);
	waterfall->residual = FIND_JOB(chain, graph->residuals, graph->nr_residuals);
	for (size_t i = 0; i < chain->nr_stages; i++)
		add_stage(arena, graph, waterfall, i, cursor);
	if (!waterfall->nr_bars)
		return;
	leaf = &waterfall->bars[waterfall->nr_bars - 1];
	for (size_t i = 0; i < waterfall->nr_bars; i++)
		waterfall->bars[i].leaf_pct = 100 * leaf->bw / waterfall->bars[i].bw;
	leaf->leaf_pct = NAN;
}

struct hl_waterfall *hl_waterfall_all(struct hl_arena *arena, const struct hl_graph *graph)
{
	struct hl_waterfall *all = hl_arena_alloc(arena, (graph->nr_chains + 1) * sizeof(*all));
	size_t cursor = 0;

	for (size_t i = 0; i < graph->nr_chains; i++)
		fill(arena, graph, graph->chains[i], &all[i], &cursor);
	return all;
}

const struct hl_waterfall *hl_waterfall_worst(const struct hl_waterfall *all, size_t nr,
					      const struct hl_hop *leaf)
{
	const struct hl_waterfall *worst = NULL;

	for (size_t i = 0; i < nr; i++) {
		if (all[i].chain->leaf != leaf || all[i].nr_bars < 2)
			continue;
		if (!worst || all[i].verdict_index < worst->verdict_index)
			worst = &all[i];
	}
	return worst;
}

const char *hl_waterfall_mark(const struct hl_bar *bar)
{
	if (bar->is_binding)
		return "binds";
	if (bar->loss && bar->loss->is_masked)
		return "masked";
	return bar->bw > bar->before ? "gain" : NULL;
}
