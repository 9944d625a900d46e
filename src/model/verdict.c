/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Verdicts: one for each leaf, workload and direction, in words that stand alone; the first of
 * them is the headline.
 *
 * Source: chains, their ladders and the findings of the causes. Surprising: single values without
 * an interval are never more than suspected, however great the loss; and one hop alone names a
 * layer only where a datasheet and the drive itself are all there is.
 */
#include "verdict.h"
#include <math.h>
#include <stdlib.h>

#define BIT(layer) (1U << (layer))
#define DEEP       16 /* from here on a finding about the whole hop speaks of this job too */

/* Above an import's head there is a drive and its link, nothing else, and a sheet for both. */
#define DRIVE_LAYERS (BIT(HL_LAYER_LINK) | BIT(HL_LAYER_DRIVE))

/* ---- causes ---- */

static bool speaks_of(const struct hl_finding *finding, const struct hl_stage *stage,
		      enum hl_dir dir, uint32_t layers)
{
	if (finding->hop != stage->hop || finding->dir != dir)
		return false;
	if (finding->layer != HL_LAYER_NONE && layers && !(layers & BIT(finding->layer)))
		return false;
	if (finding->at)
		return finding->at == stage->at;
	return hl_figure_depth(stage->at) >= DEEP;
}

static bool is_better(const struct hl_finding *a, const struct hl_finding *b)
{
	if (!b || a->state != b->state)
		return !b || a->state < b->state; /* confirmed comes first */
	return a->at && !b->at;
}

static const struct hl_finding *find_cause(const struct hl_graph *graph,
					   const struct hl_stage *stage, enum hl_dir dir,
					   uint32_t layers)
{
	const struct hl_finding *best = NULL;

	for (size_t i = 0; stage->at && i < graph->nr_findings; i++) {
		const struct hl_finding *finding = graph->findings[i];

		if (speaks_of(finding, stage, dir, layers) && is_better(finding, best))
			best = finding;
	}
	return best;
}

static const struct hl_stage *find_stage(const struct hl_chain *chain, const struct hl_hop *hop)
{
	for (size_t i = 0; i < chain->nr_stages; i++) {
		if (chain->stages[i].hop == hop)
			return &chain->stages[i];
	}
	return NULL;
}

static void fill_steps(const struct hl_graph *graph, const struct hl_chain *chain,
		       const struct hl_ladder *ladder)
{
	for (size_t i = 0; i < ladder->nr_steps; i++) {
		const struct hl_stage *stage = find_stage(chain, ladder->steps[i].hop);
		const struct hl_finding *cause = find_cause(graph, stage, chain->dir,
							    stage->layers);

		ladder->steps[i].cause = cause ? cause->id : NULL;
	}
}

/* ---- drafts ---- */

/* Layers between the hop above and the stage, that nothing was measured at: part of its loss. */
static uint32_t layers_between(const struct hl_stage *stage)
{
	enum hl_layer from = stage[-1].hop->layer, to = stage->hop->layer;
	uint32_t layers = stage->layers;

	for (int layer = from + 1; layers && from != HL_LAYER_NONE && layer < (int)to; layer++)
		layers |= BIT(layer);
	return layers;
}

static const struct hl_stage *last_stage(const struct hl_chain *chain)
{
	return &chain->stages[chain->nr_stages - 1];
}

static size_t nr_measured(const struct hl_chain *chain)
{
	return chain->nr_stages - (chain->stages[0].at == NULL);
}

/* The ladder's first step; of a drive alone under its datasheet, the drive. */
static const struct hl_stage *binding_of(const struct hl_chain *chain,
					 const struct hl_ladder *ladder)
{
	const struct hl_stage *last = last_stage(chain);

	if (ladder)
		return find_stage(chain, ladder->steps[0].hop);
	if (nr_measured(chain) == 1 && last->is_named && last->layers &&
	    !(last->layers & ~DRIVE_LAYERS))
		return last;
	return NULL;
}

static double loss_of(const struct hl_draft *draft)
{
	const struct hl_stage *stage = draft->binding;

	if (!stage && nr_measured(draft->chain) == 1)
		stage = last_stage(draft->chain);
	return stage && stage->is_named ? log(stage[-1].bw / stage->bw) : 0;
}

/*
 * Of what is named; where direct evidence points to a layer in between, that. Of several hops with
 * rounds none of which is named there is nothing to find a cause for.
 */
static const struct hl_finding *cause_of(const struct hl_graph *graph, const struct hl_draft *draft)
{
	const struct hl_chain *chain = draft->chain;
	const struct hl_stage *stage = draft->binding, *last = last_stage(chain);
	const struct hl_finding *cause, *between;

	if (!stage)
		return last->nr_rounds && nr_measured(chain) > 1
			       ? NULL
			       : find_cause(graph, last, chain->dir, 0);
	cause = find_cause(graph, stage, chain->dir, stage->layers);
	between = find_cause(graph, stage, chain->dir, layers_between(stage));
	if (between && between->state == HL_CONFIRMED && (!cause || cause->state != HL_CONFIRMED))
		return between;
	return cause;
}

static bool has_interval(const struct hl_draft *draft)
{
	return !isnan(draft->chain->at->dir[draft->chain->dir]->bw_low);
}

/* Without an interval nothing is more than suspected. */
static enum hl_state state_of(const struct hl_draft *draft)
{
	enum hl_state state = draft->binding ? HL_SUSPECTED : HL_AMBIGUOUS;

	if (draft->cause && draft->cause->state < state)
		state = draft->cause->state;
	if (state == HL_CONFIRMED && (!has_interval(draft) || draft->is_capped))
		return HL_SUSPECTED;
	return state;
}

static uint32_t layers_of(const struct hl_draft *draft)
{
	const struct hl_finding *cause = draft->cause;
	bool has_layer = cause && cause->state != HL_AMBIGUOUS && cause->layer != HL_LAYER_NONE;

	if (draft->binding && has_layer && draft->binding->layers &&
	    state_of(draft) == HL_CONFIRMED)
		return BIT(cause->layer); /* of a span, or of what lies in between */
	if (draft->binding)
		return draft->binding->layers;
	return has_layer ? BIT(cause->layer) : 0;
}

static struct hl_draft draft_of(struct hl_graph *graph, const struct hl_chain *chain,
				const struct hl_ladder *ladder)
{
	struct hl_draft draft = { .chain = chain, .ladder = ladder };

	draft.binding = binding_of(chain, ladder);
	if (draft.binding)
		draft.compared = hl_verdict_compared(graph, draft.binding, draft.chain->dir,
						     &draft.is_capped);
	draft.cause = cause_of(graph, &draft);
	draft.layers = layers_of(&draft);
	draft.loss = loss_of(&draft);
	return draft;
}

static void add_verdict(struct hl_graph *graph, const struct hl_draft *draft)
{
	struct hl_verdict *verdict = hl_graph_add_verdict(graph);

	verdict->leaf = draft->chain->leaf;
	verdict->at = draft->chain->at;
	verdict->dir = draft->chain->dir;
	verdict->layers = draft->layers;
	verdict->cause = draft->cause ? draft->cause->id : NULL;
	verdict->state = state_of(draft);
	verdict->text = hl_verdict_text(graph, draft);
}

/* ---- order ---- */

static int rank_of(const struct hl_draft *draft)
{
	if (draft->binding)
		return 2;
	return draft->cause ? 1 : 0;
}

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare_drafts(const void *left, const void *right)
{
	const struct hl_draft *a = left, *b = right;
	int order = rank_of(b) - rank_of(a);

	if (!order)
		order = compare_numbers(b->worst_of_leaf, a->worst_of_leaf);
	if (!order)
		order = compare_numbers(b->loss, a->loss);
	return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* Chains of one leaf stand together. */
static void fill_worst(struct hl_draft *drafts, size_t nr)
{
	for (size_t first = 0, end; first < nr; first = end) {
		double worst = 0;

		for (end = first; end < nr && drafts[end].chain->leaf == drafts[first].chain->leaf;
		     end++)
			worst = fmax(worst, drafts[end].loss);
		for (size_t i = first; i < end; i++)
			drafts[i].worst_of_leaf = worst;
	}
}

/* What no hop stands on can still be the reason: the headline names it. */
static void add_besides(struct hl_graph *graph)
{
	const char *besides = hl_verdict_besides(graph);
	struct hl_verdict *first = graph->verdicts[0];

	if (besides)
		first->text = hl_arena_printf(graph->arena,
					      "%s. Found besides, on no hop that is known: %s",
					      first->text, besides);
}

void hl_model_verdicts(struct hl_graph *graph)
{
	HL_FREE struct hl_draft *drafts = hl_grow(NULL, graph->nr_chains + 1, sizeof(*drafts));
	size_t nr = 0, nr_ladders = 0;

	for (size_t i = 0; i < graph->nr_chains; i++) {
		const struct hl_chain *chain = graph->chains[i];
		const struct hl_ladder *ladder = NULL;

		/* Ladders stand in the order of the chains, but not every chain has one. */
		if (nr_ladders < graph->nr_ladders && graph->ladders[nr_ladders]->at == chain->at &&
		    graph->ladders[nr_ladders]->leaf == chain->leaf &&
		    graph->ladders[nr_ladders]->dir == chain->dir)
			ladder = graph->ladders[nr_ladders++];
		if (ladder)
			fill_steps(graph, chain, ladder);
		if (chain->at->hop != chain->leaf)
			continue; /* the leaf has no result: nothing to say of it */
		drafts[nr] = draft_of(graph, chain, ladder);
		drafts[nr].index = nr;
		nr++;
	}
	fill_worst(drafts, nr);
	if (nr)
		qsort(drafts, nr, sizeof(*drafts), compare_drafts);
	for (size_t i = 0; i < nr; i++)
		add_verdict(graph, &drafts[i]);
	if (nr)
		add_besides(graph);
	else
		hl_verdict_add_of_facts(graph);
}
