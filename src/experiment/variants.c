/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparing variants: the log ratio within each turn, and its signed-rank interval. There is one
 * look only, so the interval may be narrower than those of rounds.
 */
#include "variants.h"
#include "hoploss/rank.h"
#include <math.h>

#define TAIL  0.05 /* missed on each side */
#define NOTED 1.1  /* times: less is not worth a conclusion */
#define MOST  64   /* turns */

static const struct hl_rate *rate_of(const struct hl_measurement *at, enum hl_dir dir)
{
	return at ? at->dir[dir] : NULL;
}

struct contrast contrast_of(const struct hl_measurement *a, enum hl_dir dir_a,
			    const struct hl_measurement *b, enum hl_dir dir_b)
{
	const struct hl_rate *before = rate_of(a, dir_a), *after = rate_of(b, dir_b);
	struct contrast contrast = { NAN, NAN, NAN };
	struct hl_interval interval;
	double ratios[MOST];
	size_t nr = 0;

	if (!before || !after || !before->per_round || !after->per_round)
		return contrast;
	for (size_t i = 0; i < before->nr_rounds && i < after->nr_rounds && nr < MOST; i++) {
		double ratio = log(after->per_round[i] / before->per_round[i]);

		if (isfinite(ratio))
			ratios[nr++] = ratio;
	}
	if (nr < HL_EXPERIMENT_TURNS)
		return contrast;
	interval = hl_rank_interval(ratios, nr, TAIL);
	return (struct contrast){ exp(interval.mid), exp(interval.low), exp(interval.high) };
}

struct contrast contrast_in(const struct hl_measurement *const *variants, unsigned a, unsigned b,
			    enum hl_dir dir)
{
	return contrast_of(variants[a], dir, variants[b], dir);
}

bool contrast_is_known(const struct contrast *contrast)
{
	return !isnan(contrast->times);
}

bool contrast_is_more(const struct contrast *contrast)
{
	return contrast->low > NOTED;
}

bool contrast_is_no_more(const struct contrast *contrast)
{
	return contrast->high < NOTED;
}

bool contrast_is_alike(const struct contrast *contrast)
{
	return contrast->high < NOTED && contrast->low > 1 / NOTED;
}

const char *contrast_text(struct hl_graph *graph, const struct contrast *contrast)
{
	return hl_arena_printf(graph->arena, "%.2f times as much (%.2f to %.2f)", contrast->times,
			       contrast->low, contrast->high);
}

static void add_ids(struct hl_graph *graph, const char ***ids, size_t *nr, const char *const *more)
{
	for (; more && *more; more++) {
		*ids = hl_arena_extend(graph->arena, *ids, *nr, sizeof(**ids));
		(*ids)[(*nr)++] = *more;
	}
}

void contrast_conclude(struct hl_graph *graph, struct hl_experiment *result,
		       const char *const *supports, const char *const *against)
{
	add_ids(graph, &result->supports, &result->nr_supports, supports);
	add_ids(graph, &result->against, &result->nr_against, against);
}

const char *contrast_undecided(struct hl_graph *graph, const struct hl_measurement *const *variants,
			       unsigned nr_variants)
{
	for (unsigned i = 0; i < nr_variants; i++) {
		if (variants[i] && variants[i]->status == HL_STATUS_NOT_MEASURED)
			return hl_arena_printf(
				graph->arena, "not decided: %s: %s", variants[i]->workload.name,
				variants[i]->reason ? variants[i]->reason : "not measured");
	}
	return "not decided: too few turns, or they scatter too much";
}
