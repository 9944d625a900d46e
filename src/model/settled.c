/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Would more rounds change the verdict, and how sure is it?
 *
 * Source: chains, judged by rounds, and their ladders. Surprising: it is also settled where nothing
 * is named and no layer can lose enough to be; and where hops pipeline, only what lies between the
 * binding layer and the leaf can take its place, however much is lost above it.
 */
#include "hoploss/model.h"
#include <math.h>

static const struct hl_stage *binding_of(const struct hl_graph *graph, const struct hl_chain *chain,
					 size_t *ret_index)
{
	for (size_t i = 0; i < graph->nr_ladders; i++) {
		const struct hl_ladder *ladder = graph->ladders[i];

		if (ladder->leaf != chain->leaf || ladder->at != chain->at ||
		    ladder->dir != chain->dir)
			continue;
		for (size_t k = 1; k < chain->nr_stages; k++) {
			*ret_index = k;
			if (chain->stages[k].hop == ladder->steps[0].hop)
				return &chain->stages[k];
		}
	}
	return NULL;
}

static bool has_rounds(const struct hl_chain *chain)
{
	for (size_t k = 1; k < chain->nr_stages; k++) {
		if (chain->stages[k].nr_rounds)
			return true;
	}
	return false;
}

/* No stage can still turn out to lose what would be named. */
static bool is_bounded(const struct hl_chain *chain)
{
	for (size_t k = 1; k < chain->nr_stages; k++) {
		if (chain->stages[k].nr_rounds &&
		    !(chain->stages[k].factor_high <= chain->stages[k].noise))
			return false;
	}
	return true;
}

/* It loses more than the binding layer, as far as is known, or looks as if it would be named yet.
 */
static bool may_bind(const struct hl_stage *stage, const struct hl_stage *binding)
{
	bool looks_lossy = stage->factor > 1 / (1 - HL_NAMED_LOSS) && !stage->is_named;

	return looks_lossy || !(stage->factor_high < binding->factor_low);
}

static bool may_overtake_in_pipeline(const struct hl_chain *chain, size_t binding)
{
	for (size_t k = binding + 1; k < chain->nr_stages; k++) {
		if (chain->stages[k].nr_rounds &&
		    may_bind(&chain->stages[k], &chain->stages[binding]))
			return true;
	}
	return false;
}

/* Times add up there: the longest one binds. */
static bool may_overtake_in_series(const struct hl_chain *chain, size_t binding)
{
	double least = hl_rounds_time(chain, binding).low;

	for (size_t k = 1; k < chain->nr_stages; k++) {
		if (k != binding && chain->stages[k].nr_rounds &&
		    !(hl_rounds_time(chain, k).high < least))
			return true;
	}
	return false;
}

static bool is_chain_settled(const struct hl_graph *graph, const struct hl_chain *chain)
{
	size_t index = 0;
	const struct hl_stage *binding = binding_of(graph, chain, &index);

	if (!binding)
		return is_bounded(chain);
	return chain->is_series ? !may_overtake_in_series(chain, index)
				: !may_overtake_in_pipeline(chain, index);
}

bool hl_model_is_settled(const struct hl_graph *graph, unsigned rounds)
{
	bool has_any = false;

	if (rounds >= hl_looks[HL_NR_LOOKS - 1])
		return true;
	for (size_t i = 0; i < graph->nr_chains; i++) {
		const struct hl_chain *chain = graph->chains[i];

		if (chain->at->hop != chain->leaf || !has_rounds(chain))
			continue;
		has_any = true;
		if (!is_chain_settled(graph, chain))
			return false;
	}
	return has_any;
}

/* ---- precision ---- */

static double width_of(const struct hl_stage *stage)
{
	return stage->look ? sqrt(stage->factor_high / stage->factor_low) - 1 : NAN;
}

/* The widest of all stages; NAN where one is not known. */
static double widest_of(const struct hl_chain *chain)
{
	double widest = 0;

	for (size_t k = 1; k < chain->nr_stages; k++) {
		if (chain->stages[k].nr_rounds && !(width_of(&chain->stages[k]) <= widest))
			widest = width_of(&chain->stages[k]);
	}
	return widest;
}

/* One hop alone has no loss: it is the interval of its bandwidth. */
static double width_alone(const struct hl_chain *chain)
{
	const struct hl_rate *rate = chain->at->dir[chain->dir];

	return rate ? (rate->bw_high - rate->bw_low) / 2 / rate->bw : NAN;
}

static double precision_of(const struct hl_graph *graph, const struct hl_chain *chain)
{
	size_t index = 0;
	const struct hl_stage *binding = binding_of(graph, chain, &index);

	if (!has_rounds(chain))
		return width_alone(chain);
	return binding && binding->nr_rounds ? width_of(binding) : widest_of(chain);
}

double hl_model_precision(const struct hl_graph *graph)
{
	double widest = NAN;

	for (size_t i = 0; i < graph->nr_chains; i++) {
		const struct hl_chain *chain = graph->chains[i];
		double width;

		if (chain->at->hop != chain->leaf)
			continue;
		width = precision_of(graph, chain);
		if (isnan(width))
			return NAN;
		widest = fmax(widest, width);
	}
	return widest;
}
