/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the rounds of two hops say about the loss between them.
 *
 * Source: the bandwidth of each round, and of the second visit (A/A) where a hop had one. Hops are
 * compared within a round, never across. Surprising: of 12 rounds only the first 9 are judged, for
 * whoever looks after every round finds something in the end; the means are those of all rounds.
 */
#include "hoploss/model.h"
#include <math.h>
#include <string.h>

#define MOST_ROUNDS   20 /* the last look */
#define LEAST_REPEATS 5  /* of one hop, to know its noise by itself */

unsigned hl_rounds_look(size_t nr)
{
	unsigned look = 0;

	for (int i = 0; i < HL_NR_LOOKS; i++) {
		if (nr >= hl_looks[i])
			look = hl_looks[i];
	}
	return look;
}

/* ---- one hop ---- */

static void fill_rate(struct hl_rate *rate)
{
	double values[MOST_ROUNDS];
	struct hl_interval interval;
	size_t nr = 0;
	unsigned look;

	for (size_t i = 0; i < rate->nr_rounds && nr < MOST_ROUNDS; i++) {
		if (!isnan(rate->per_round[i]))
			values[nr++] = rate->per_round[i];
	}
	look = hl_rounds_look(nr);
	if (!look)
		return;
	interval = hl_rank_interval(values, look, HL_LOOK_TAIL);
	/* the mean is of all rounds; it never stands outside */
	rate->bw_low = fmin(interval.low, rate->bw);
	rate->bw_high = fmax(interval.high, rate->bw);
}

void hl_rounds_fill(struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		const struct hl_hop *hop = graph->hops[i];

		for (size_t k = 0; k < hop->nr_measurements * HL_NR_DIRS; k++) {
			struct hl_rate *rate =
				hop->measurements[k / HL_NR_DIRS]->dir[k % HL_NR_DIRS];

			if (rate && rate->per_round)
				fill_rate(rate);
		}
	}
}

/* ---- two hops ---- */

/* A round that both have; bytes/s. */
struct pair {
	double above, below;
};

struct pairs {
	struct pair items[MOST_ROUNDS];
	size_t nr;     /* of all rounds */
	unsigned look; /* so many items are filled */
	size_t end;    /* the round after the last of them */
};

/* A datasheet promises the same in every round. */
static double value_in(const struct hl_stage *stage, enum hl_dir dir, size_t round)
{
	const struct hl_rate *rate = stage->at ? stage->at->dir[dir] : NULL;

	if (!rate)
		return stage->bw;
	return round < rate->nr_rounds ? rate->per_round[round] : NAN;
}

static struct pairs pair_up(const struct hl_chain *chain, size_t index)
{
	const struct hl_stage *stage = &chain->stages[index];
	size_t nr_rounds = stage->at->dir[chain->dir]->nr_rounds, ends[MOST_ROUNDS];
	struct pairs pairs = { 0 };

	for (size_t round = 0; round < nr_rounds; round++) {
		struct pair pair = { value_in(stage - 1, chain->dir, round),
				     value_in(stage, chain->dir, round) };

		if (!(pair.above > 0) || !(pair.below > 0))
			continue;
		if (pairs.nr < MOST_ROUNDS) {
			pairs.items[pairs.nr] = pair;
			ends[pairs.nr] = round + 1;
		}
		pairs.nr++;
	}
	pairs.look = hl_rounds_look(pairs.nr);
	pairs.end = pairs.look ? ends[pairs.look - 1] : 0;
	return pairs;
}

static void fill_ratios(const struct pairs *pairs, double *ratios)
{
	for (unsigned i = 0; i < pairs->look; i++)
		ratios[i] = log(pairs->items[i].above / pairs->items[i].below);
}

struct hl_interval hl_rounds_time(const struct hl_chain *chain, size_t index)
{
	struct pairs pairs = pair_up(chain, index);
	double times[MOST_ROUNDS];

	for (unsigned i = 0; i < pairs.look; i++)
		times[i] = 1 / pairs.items[i].below - 1 / pairs.items[i].above;
	return hl_rank_interval(times, pairs.look, HL_LOOK_TAIL);
}

/* ---- noise ---- */

struct repeats {
	double ratios[HL_RANK_MAX];
	size_t nr;
};

static void add_repeats(struct repeats *repeats, const struct hl_rate *rate, size_t end)
{
	for (size_t i = 0; rate->repeats && i < rate->nr_rounds && i < end; i++) {
		double ratio = log(rate->repeats[i] / rate->per_round[i]);

		if (isfinite(ratio) && repeats->nr < HL_RANK_MAX)
			repeats->ratios[repeats->nr++] = ratio;
	}
}

/* The A/A noise of a stage's hop on a log scale, from rounds before end; NAN without any repeat. */
static double noise_of(struct hl_graph *graph, const struct hl_measurement *at, enum hl_dir dir,
		       size_t end)
{
	struct hl_origin origin = { .host = at->hop->host, .node = at->hop->name };
	struct repeats repeats = { 0 };
	bool is_pooled;
	double noise;

	add_repeats(&repeats, at->dir[dir], end);
	is_pooled = repeats.nr < LEAST_REPEATS;
	for (size_t i = 0; is_pooled && i < graph->nr_hops; i++) {
		const struct hl_measurement *other = hl_pair_find(graph->hops[i], at, dir);

		if (other && other != at)
			add_repeats(&repeats, other->dir[dir], end);
	}
	noise = hl_rank_noise(repeats.ratios, repeats.nr);
	if (at->workload.name)
		origin.node = hl_arena_printf(graph->arena, "%s/%s", at->hop->name,
					      at->workload.name);
	origin.source = hl_arena_printf(graph->arena, "A/A, %zu repeats of %s", repeats.nr,
					is_pooled ? "all hops" : "this hop");
	if (!hl_graph_find_fact(graph, origin.node, "model.noise_pct"))
		hl_graph_add_number(graph, &origin, "model.noise_pct", (1 - exp(-noise)) * 100);
	return noise;
}

/* ---- judging ---- */

/* Fills what the rounds say of a stage; returns the p of "it loses no more than noise". */
static double judge_stage(const struct hl_chain *chain, size_t index, const struct pairs *pairs)
{
	struct hl_stage *stage = &chain->stages[index];
	double ratios[MOST_ROUNDS], lost[MOST_ROUNDS], mean = stage[-1].bw - stage->bw;
	struct hl_interval interval;

	fill_ratios(pairs, ratios);
	interval = hl_rank_interval(ratios, pairs->look, HL_LOOK_TAIL);
	stage->factor = exp(interval.mid);
	stage->factor_low = exp(interval.low);
	stage->factor_high = exp(interval.high);
	for (unsigned i = 0; i < pairs->look; i++)
		lost[i] = pairs->items[i].above - pairs->items[i].below;
	interval = hl_rank_interval(lost, pairs->look, HL_LOOK_TAIL);
	stage->lost_low = fmin(interval.low, mean);
	stage->lost_high = fmax(interval.high, mean);
	return hl_rank_p_above(ratios, pairs->look, log(stage->noise));
}

static bool has_rounds(const struct hl_chain *chain, size_t index)
{
	const struct hl_stage *stage = &chain->stages[index], *before = stage - 1;

	return stage->at->dir[chain->dir]->per_round &&
	       (!before->at || before->at->dir[chain->dir]->per_round);
}

/* The tests of one leaf and direction. */
struct family {
	struct hl_stage **stages;
	double *p;
	size_t nr;
};

static void test_stage(struct hl_graph *graph, struct family *family, const struct hl_chain *chain,
		       size_t index)
{
	struct hl_stage *stage = &chain->stages[index];
	struct pairs pairs = pair_up(chain, index);

	stage->nr_rounds = (unsigned)pairs.nr;
	stage->look = pairs.look;
	stage->is_named = false;
	if (stage[-1].at)
		stage->noise = 1 / (1 - HL_NAMED_LOSS);
	if (!pairs.look)
		return;
	if (stage[-1].at)
		stage->noise = fmax(stage->noise,
				    exp(noise_of(graph, stage->at, chain->dir, pairs.end)));
	family->stages[family->nr] = stage;
	family->p[family->nr++] = judge_stage(chain, index, &pairs);
}

static void judge_family(struct hl_graph *graph, const struct hl_hop *leaf, enum hl_dir dir,
			 struct family *family)
{
	family->nr = 0;
	for (size_t i = 0; i < graph->nr_chains; i++) {
		const struct hl_chain *chain = graph->chains[i];

		if (chain->leaf != leaf || chain->dir != dir)
			continue;
		for (size_t k = 1; k < chain->nr_stages; k++) {
			if (has_rounds(chain, k))
				test_stage(graph, family, chain, k);
		}
	}
	hl_rank_holm(family->p, family->nr);
	for (size_t i = 0; i < family->nr; i++)
		family->stages[i]->is_named = family->p[i] <= HL_LOOK_LEVEL;
}

static size_t nr_stages_of(const struct hl_graph *graph)
{
	size_t nr = 0;

	for (size_t i = 0; i < graph->nr_chains; i++)
		nr += graph->chains[i]->nr_stages;
	return nr;
}

void hl_rounds_judge(struct hl_graph *graph)
{
	size_t nr_stages = nr_stages_of(graph);
	HL_FREE struct hl_stage **stages = hl_grow(NULL, nr_stages + 1, sizeof(*stages));
	HL_FREE double *p = hl_grow(NULL, nr_stages + 1, sizeof(*p));
	struct family family = { .stages = stages, .p = p };

	for (size_t i = 0; i < graph->nr_hops * HL_NR_DIRS; i++) {
		const struct hl_hop *hop = graph->hops[i / HL_NR_DIRS];

		if (hl_hop_is_leaf(graph, hop))
			judge_family(graph, hop, i % HL_NR_DIRS, &family);
	}
}
