/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What rounds add to the words of a verdict: intervals, why nothing is named, and what makes two
 * hops less comparable than they look.
 *
 * Surprising: another engine may cost as much as a layer, so a loss between two engines is only
 * sure where both had CPU to spare.
 */
#include "hoploss/unit.h"
#include "verdict.h"
#include <math.h>
#include <string.h>

#define IDLE_PCT      20  /* of the generator's host */
#define LEAST_IDLE    5   /* of it, where the generator itself is far from a whole core */
#define BUSY_PCT      80  /* of a core: near its end */
#define AT_ENGINE     0.9 /* of what the engine alone gives */
#define CACHE_DIFFERS 0.1 /* of all I/Os */
#define ROUNDS_NAME   9   /* fewer cannot name anything */

/* The share of what came in that a factor leaves nothing of, in percent. */
static double percent_of(double factor)
{
	return (1 - 1 / factor) * 100;
}

const char *hl_verdict_interval(struct hl_graph *graph, const struct hl_stage *stage)
{
	char low[HL_UNIT_TEXT], high[HL_UNIT_TEXT];

	if (!stage->look)
		return NULL;
	return hl_arena_printf(graph->arena, "%s to %s, %u rounds",
			       hl_unit_percent(low, percent_of(stage->factor_low)),
			       hl_unit_percent(high, percent_of(stage->factor_high)), stage->look);
}

/* ---- nothing named ---- */

/* What all stages with rounds have in common; the worst of them. */
struct summary {
	const struct hl_stage *worst;
	unsigned look, nr_rounds; /* the fewest */
	bool is_bounded;          /* no stage can lose so much that it would be named */
	bool has_named;
};

static struct summary summary_of(const struct hl_chain *chain)
{
	struct summary sum = { .look = ~0U, .nr_rounds = ~0U, .is_bounded = true };

	for (size_t i = 1; i < chain->nr_stages; i++) {
		const struct hl_stage *stage = &chain->stages[i];

		if (!stage->nr_rounds)
			continue;
		sum.look = stage->look < sum.look ? stage->look : sum.look;
		if (stage->nr_rounds < sum.nr_rounds)
			sum.nr_rounds = stage->nr_rounds;
		sum.is_bounded &= stage->factor_high <= 1 / (1 - HL_NAMED_LOSS);
		sum.has_named |= stage->is_named;
		if (!sum.worst || stage[-1].bw / stage->bw > sum.worst[-1].bw / sum.worst->bw)
			sum.worst = stage;
	}
	return sum;
}

/* Rounds that it takes to name any of what is tested together: see hl_rounds_judge. */
static unsigned rounds_to_name(const struct hl_graph *graph, const struct hl_chain *like)
{
	size_t nr_tests = 0;
	unsigned rounds;

	for (size_t i = 0; i < graph->nr_chains; i++) {
		const struct hl_chain *chain = graph->chains[i];

		for (size_t k = 1;
		     chain->leaf == like->leaf && chain->dir == like->dir && k < chain->nr_stages;
		     k++)
			nr_tests += chain->stages[k].nr_rounds > 0;
	}
	rounds = hl_rank_first_look(nr_tests);
	return rounds ? rounds : hl_looks[HL_NR_LOOKS - 1];
}

static const char *takes_text(struct hl_graph *graph, const struct hl_stage *stage)
{
	char text[HL_UNIT_TEXT];

	return hl_arena_printf(graph->arena, "%s takes %s (%s)",
			       hl_verdict_subject(graph, stage, stage->layers),
			       hl_unit_percent(text, percent_of(stage->factor)),
			       hl_verdict_interval(graph, stage));
}

static const char *unsure_text(struct hl_graph *graph, const struct summary *sum)
{
	const struct hl_stage *worst = sum->worst;
	bool is_noisy = worst->noise > 1 / (1 - HL_NAMED_LOSS) * 1.0001;
	char text[HL_UNIT_TEXT];

	return hl_arena_printf(graph->arena, "no layer is named: %s, which is not told from %s%s%s",
			       takes_text(graph, worst), is_noisy ? "A/A noise of " : "",
			       hl_unit_percent(text, percent_of(worst->noise)),
			       sum->look < hl_looks[HL_NR_LOOKS - 1] ? "; more rounds would tell"
								     : "");
}

const char *hl_verdict_unnamed(struct hl_graph *graph, const struct hl_chain *chain)
{
	struct summary sum = summary_of(chain);
	const struct hl_stage *leaf = &chain->stages[chain->nr_stages - 1];
	unsigned needed = rounds_to_name(graph, chain);
	char text[HL_UNIT_TEXT];

	if (!sum.worst || sum.has_named)
		return NULL;
	if (!sum.look)
		return hl_arena_printf(graph->arena,
				       "no layer is named: %u rounds give no interval, it takes %u "
				       "to name one (%s at %s)",
				       sum.nr_rounds, needed, hl_unit_rate(text, leaf->bw),
				       leaf->hop->name);
	if (sum.look < needed)
		return hl_arena_printf(graph->arena,
				       "no layer is named yet: %s, but it takes %u rounds to name "
				       "one",
				       takes_text(graph, sum.worst), needed);
	if (leaf->bw * (1 - HL_NAMED_LOSS) > chain->stages[0].bw)
		return NULL;
	if (sum.is_bounded)
		return hl_arena_printf(graph->arena,
				       "no loss that is seen: at most %s at any hop (%u rounds, "
				       "%s at %s): nothing is named",
				       hl_unit_percent(text, HL_NAMED_LOSS * 100), sum.look,
				       hl_unit_rate((char[HL_UNIT_TEXT]){ 0 }, leaf->bw),
				       leaf->hop->name);
	return unsure_text(graph, &sum);
}

/* ---- how the two were compared ---- */

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool had_idle_cpu(const struct hl_measurement *at)
{
	if (at->idle_pct >= IDLE_PCT)
		return true;
	return at->idle_pct >= LEAST_IDLE && at->cpu_pct < BUSY_PCT;
}

static const char *idle_text(struct hl_graph *graph, const struct hl_measurement *at)
{
	if (isnan(at->idle_pct))
		return "unknown";
	return hl_arena_printf(graph->arena, "%.0f %%", at->idle_pct);
}

/* What the engine alone gives on that host. */
static const char *engine_text(struct hl_graph *graph, double engine_bw)
{
	char text[HL_UNIT_TEXT];

	if (isnan(engine_bw))
		return "";
	return hl_arena_printf(graph->arena, "; against a LUN in RAM the engine gives %s there",
			       hl_unit_rate(text, engine_bw));
}

static const char *engines_text(struct hl_graph *graph, const struct hl_stage *stage,
				enum hl_dir dir, bool *is_capped)
{
	const struct hl_measurement *above = stage[-1].at, *below = stage->at;
	double engine_bw = hl_model_engine_bw(graph, below, dir);
	bool was_idle = had_idle_cpu(above) && had_idle_cpu(below);
	bool is_engine = !was_idle || stage->bw >= AT_ENGINE * engine_bw;

	if (is_same_text(above->workload.engine, below->workload.engine))
		return NULL;
	*is_capped |= is_engine;
	return hl_arena_printf(
		graph->arena, "%s measured with %s, %s with %s; CPU idle meanwhile: %s and %s%s%s",
		above->hop->name, above->workload.engine ? above->workload.engine : "?",
		below->hop->name, below->workload.engine ? below->workload.engine : "?",
		idle_text(graph, above), idle_text(graph, below), engine_text(graph, engine_bw),
		is_engine ? ", so it may be the engine: suspected at most" : "");
}

static const char *caches_text(struct hl_graph *graph, const struct hl_stage *stage,
			       bool *is_capped)
{
	double above = stage[-1].at->cached_share, below = stage->at->cached_share;
	char first[HL_UNIT_TEXT], second[HL_UNIT_TEXT];

	if (!(fabs(above - below) > CACHE_DIFFERS))
		return NULL;
	*is_capped = true;
	return hl_arena_printf(graph->arena,
			       "%s of the I/O came from a cache at %s, %s at %s: suspected at "
			       "most",
			       hl_unit_percent(first, above * 100), stage[-1].hop->name,
			       hl_unit_percent(second, below * 100), stage->hop->name);
}

const char *hl_verdict_compared(struct hl_graph *graph, const struct hl_stage *stage,
				enum hl_dir dir, bool *ret_is_capped)
{
	const char *engines, *caches;
	bool is_capped = false;

	*ret_is_capped = false;
	if (!stage->nr_rounds || !stage[-1].at)
		return NULL;
	engines = engines_text(graph, stage, dir, &is_capped);
	caches = caches_text(graph, stage, &is_capped);
	*ret_is_capped = is_capped;
	if (engines && caches)
		return hl_arena_printf(graph->arena, "%s. %s", engines, caches);
	return engines ? engines : caches;
}
