/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The change of one figure: see change.h. Everything is reckoned in logarithms, so that half and
 * twice are equally far.
 *
 * Surprising: "same" is said of an interval that lies within what two measurements of one thing
 * differ by here; an interval that only holds zero says nothing.
 */
#include "change.h"
#include "hoploss/model.h"
#include <math.h>
#include <string.h>

#define TAIL          0.025 /* missed on each side */
#define LEAST_CHANGE  0.05  /* better and worse: beyond it */
#define LEAST_SAME    0.10  /* same: within it, or within the noise of a hop with itself */
#define SINGLE_FACTOR 2.0   /* of single values, which have no interval */
#define ROUND_SECONDS 20.0  /* of all hops, for a guess of how long more would take */
#define MOST_ROUNDS   HL_RANK_MAX

struct figure { /* which one of a measurement */
	enum hl_dir dir;
	const char *metric;
};

static double latency_figure(const struct hl_latency *latency, const char *metric)
{
	if (!latency)
		return NAN;
	if (!strcmp(metric, "mean"))
		return latency->mean;
	return !strcmp(metric, "p99") ? latency->p99 : latency->p99_9;
}

static bool is_rate(const char *metric)
{
	return !strcmp(metric, "bw") || !strcmp(metric, "iops");
}

double change_figure(const struct hl_measurement *at, enum hl_dir dir, const char *metric)
{
	const struct hl_rate *rate = at->dir[dir];

	if (!rate)
		return NAN;
	if (!strcmp(metric, "bw"))
		return rate->bw;
	if (!strcmp(metric, "iops"))
		return hl_figure_iops(at, dir);
	return latency_figure(rate->lat ? rate->lat : rate->clat, metric);
}

/* IOPS are the bandwidth by a constant, which no ratio sees. */
static double in_round(const struct hl_rate *rate, const char *metric, size_t round)
{
	if (round >= rate->nr_rounds)
		return NAN;
	if (is_rate(metric))
		return rate->per_round[round];
	return rate->latency_per_round ? latency_figure(&rate->latency_per_round[round], metric)
				       : NAN;
}

/* The same hop once more in that round. */
static double in_repeat(const struct hl_rate *rate, const char *metric, size_t round)
{
	if (is_rate(metric))
		return rate->repeats ? rate->repeats[round] : NAN;
	return rate->latency_repeats ? latency_figure(&rate->latency_repeats[round], metric) : NAN;
}

/* ln of each round that both have; of at alone where there is no control. */
static size_t read_rounds(const struct hl_measurement *at, const struct hl_measurement *control,
			  const struct figure *figure, double *ret_values)
{
	const struct hl_rate *rate = at->dir[figure->dir];
	size_t nr = 0;

	for (size_t i = 0; i < rate->nr_rounds && nr < MOST_ROUNDS; i++) {
		double value = log(in_round(rate, figure->metric, i));

		if (control)
			value -= log(in_round(control->dir[figure->dir], figure->metric, i));
		if (isfinite(value))
			ret_values[nr++] = value;
	}
	return nr;
}

/* How far two measurements of this hop lie apart when nothing changed. */
static double noise_of(const struct hl_measurement *at, const struct figure *figure)
{
	const struct hl_rate *rate = at->dir[figure->dir];
	double differences[MOST_ROUNDS] = { 0 }, noise;
	size_t nr = 0;

	for (size_t i = 0; i < rate->nr_rounds && nr < MOST_ROUNDS; i++) {
		double difference = log(in_round(rate, figure->metric, i) /
					in_repeat(rate, figure->metric, i));

		if (isfinite(difference))
			differences[nr++] = difference;
	}
	noise = hl_rank_noise(differences, nr);
	return nr < 5 ? NAN : noise;
}

static struct hl_interval shift(const struct hl_measurement *before,
				const struct hl_measurement *before_control,
				const struct hl_measurement *after,
				const struct hl_measurement *after_control,
				const struct figure *figure, size_t *ret_nr)
{
	double a[MOST_ROUNDS], b[MOST_ROUNDS];
	size_t nr_a = read_rounds(before, before_control, figure, a);
	size_t nr_b = read_rounds(after, after_control, figure, b);

	*ret_nr = nr_a < nr_b ? nr_a : nr_b;
	return hl_rank_shift(a, nr_a, b, nr_b, TAIL);
}

static double percent(double log_ratio)
{
	return (exp(log_ratio) - 1) * 100;
}

static const char *why_unclear(struct hl_arena *arena, struct hl_change *change,
			       struct hl_interval interval, size_t nr)
{
	double half = (interval.high - interval.low) / 2;
	double wanted = fmax(fabs(interval.mid) - log1p(LEAST_CHANGE), log1p(LEAST_SAME) / 2);

	if (nr < hl_looks[0])
		return "too few rounds for an interval";
	/* an interval shrinks with the root of the number of rounds */
	change->needed_rounds = ceil((double)nr * (half / wanted) * (half / wanted));
	return hl_arena_printf(arena,
			       "the interval is too wide: about %.0f rounds in each state would "
			       "tell",
			       change->needed_rounds);
}

/* The control must stand still, or nothing can be said of what hangs on it. */
static bool has_moved_control(struct hl_arena *arena, const struct pair *pair,
			      struct hl_change *change)
{
	const struct figure figure = { pair->dir, change->metric };
	struct hl_interval interval;
	size_t nr;

	if (!pair->control_before)
		return false;
	interval = shift(pair->control_before, NULL, pair->control_after, NULL, &figure, &nr);
	if (interval.low <= log1p(LEAST_SAME) && interval.high >= -log1p(LEAST_SAME))
		return false;
	change->reason = hl_arena_printf(arena, "its control %s changed too, by %+.0f %%",
					 change->control, percent(interval.mid));
	return true;
}

/* More of a rate is better, of a latency worse. */
static enum hl_change_state moved(const struct hl_change *change, bool is_up)
{
	return is_up == is_rate(change->metric) ? HL_CHANGE_BETTER : HL_CHANGE_WORSE;
}

static void judge_rounds(struct hl_arena *arena, const struct pair *pair, struct hl_change *change)
{
	const struct figure figure = { pair->dir, change->metric };
	double noise = fmax(noise_of(pair->before, &figure), noise_of(pair->after, &figure));
	double least = fmax(log1p(LEAST_CHANGE), isnan(noise) ? 0 : noise);
	double same = fmax(log1p(LEAST_SAME), isnan(noise) ? 0 : noise);
	struct hl_interval interval;
	size_t nr;

	interval = shift(pair->before, pair->control_before, pair->after, pair->control_after,
			 &figure, &nr);
	change->change_pct = percent(interval.mid);
	change->low_pct = percent(interval.low);
	change->high_pct = percent(interval.high);
	if (has_moved_control(arena, pair, change))
		return;
	if (nr >= hl_looks[0] && interval.low > least)
		change->state = moved(change, true);
	else if (nr >= hl_looks[0] && interval.high < -least)
		change->state = moved(change, false);
	else if (nr >= hl_looks[0] && interval.low > -same && interval.high < same)
		change->state = HL_CHANGE_SAME;
	else
		change->reason = why_unclear(arena, change, interval, nr);
}

static bool is_same_tool(const struct pair *pair)
{
	const char *a = pair->before->tool, *b = pair->after->tool;

	return a && b ? !strncmp(a, b, strcspn(a, "- ")) : a == b;
}

/* One value each. */
static void judge_single(struct hl_arena *arena, const struct pair *pair, struct hl_change *change)
{
	bool is_up = change->after > change->before;
	double factor = is_up ? change->after / change->before : change->before / change->after;
	const char *tools = is_same_tool(pair) ? "" : ", by different tools";

	if (factor >= SINGLE_FACTOR) {
		change->state = moved(change, is_up);
		change->reason = hl_arena_printf(arena, "one run each%s: beyond twice", tools);
		return;
	}
	change->needed_rounds = hl_looks[0];
	change->reason = hl_arena_printf(
		arena, "one run each%s; %u alternated rounds decide (about %.0f min)", tools,
		hl_looks[0], ceil(hl_looks[0] * 2 * ROUND_SECONDS / 60));
}

/* Every round that the rate has counts, lost or not: the interval says how far they carry. */
static bool has_rounds(const struct hl_measurement *at, const struct hl_change *change)
{
	const struct hl_rate *rate = at->dir[change->dir];

	return rate->nr_rounds >= hl_looks[0] &&
	       (is_rate(change->metric) || rate->latency_per_round);
}

void change_judge(struct hl_arena *arena, const struct pair *pair, struct hl_change *change)
{
	change->before = change_figure(pair->before, pair->dir, change->metric);
	change->after = change_figure(pair->after, pair->dir, change->metric);
	change->change_pct = (change->after / change->before - 1) * 100;
	change->low_pct = change->high_pct = change->needed_rounds = NAN;
	change->state = HL_CHANGE_UNCLEAR;
	if (has_rounds(pair->before, change) && has_rounds(pair->after, change))
		judge_rounds(arena, pair, change);
	else
		judge_single(arena, pair, change);
}
