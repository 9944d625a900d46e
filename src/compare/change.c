/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The change of one figure: see change.h. Everything is reckoned in logarithms, so that half and
 * twice are equally far.
 *
 * Surprising: "same" is said of an interval that lies within a limit; one that only holds zero says
 * nothing. The limit is fixed, or what two rounds of one state differ by here, which rounds enough
 * get below. And a hop that its own line binds does not follow its control, one that its control
 * binds does: so a change counts where the figure itself and its ratio to the control both say so.
 */
#include "change.h"
#include "hoploss/model.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define TAIL          0.025 /* missed on each side */
#define SINGLE_FACTOR 2.0   /* of single values, which have no interval */
#define ROUND_SECONDS 20.0  /* of all hops, for a guess of how long more would take */
#define MOST_ROUNDS   HL_RANK_MAX
#define MOST_SCATTER  0.25 /* of rounds, within which a figure may still be the same */

/*
 * Better and worse lie beyond least, same within same: parts of the figure. Tails move by
 * themselves further than means do.
 */
static const struct metric {
	const char *name;
	bool is_rate;  /* more is better */
	size_t offset; /* in hl_latency, of what is no rate */
	double least, same;
} metrics[] = {
	{ "bw", true, 0, 0.05, 0.10 },
	{ "iops", true, 0, 0.05, 0.10 },
	{ "mean", false, offsetof(struct hl_latency, mean), 0.05, 0.10 },
	{ "p99", false, offsetof(struct hl_latency, p99), 0.30, 0.50 },
	{ "p99_9", false, offsetof(struct hl_latency, p99_9), 0.50, 1.00 },
};

static const struct metric *metric_find(const char *name)
{
	const struct metric *metric = metrics;

	while (strcmp(metric->name, name) != 0)
		metric++;
	return metric;
}

bool change_is_rate(const char *name)
{
	return metric_find(name)->is_rate;
}

static double of_latency(const struct metric *metric, const struct hl_latency *latency)
{
	return *(const double *)((const char *)latency + metric->offset);
}

double change_figure(const struct hl_measurement *at, enum hl_dir dir, const char *name)
{
	const struct metric *metric = metric_find(name);
	const struct hl_rate *rate = at->dir[dir];
	const struct hl_latency *latency = rate ? rate->lat ? rate->lat : rate->clat : NULL;

	if (!rate)
		return NAN;
	if (metric->is_rate)
		return !strcmp(name, "bw") ? rate->bw : hl_figure_iops(at, dir);
	return latency ? of_latency(metric, latency) : NAN;
}

/* IOPS are the bandwidth by a constant, which no ratio sees. */
static double of_round(const struct hl_rate *rate, const struct metric *metric, size_t round)
{
	if (round >= rate->nr_rounds)
		return NAN;
	if (metric->is_rate)
		return rate->per_round[round];
	return rate->latency_per_round ? of_latency(metric, &rate->latency_per_round[round]) : NAN;
}

/* ln of each round that both have; of at alone where there is no control. */
static size_t read_rounds(const struct hl_measurement *at, const struct hl_measurement *control,
			  enum hl_dir dir, const struct metric *metric, double *ret_values)
{
	size_t nr = 0;

	for (size_t i = 0; i < at->dir[dir]->nr_rounds && nr < MOST_ROUNDS; i++) {
		double value = log(of_round(at->dir[dir], metric, i));

		if (control)
			value -= log(of_round(control->dir[dir], metric, i));
		if (isfinite(value))
			ret_values[nr++] = value;
	}
	return nr;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* What two rounds of one state differ by, half of the time: nothing has changed between them. */
static double scatter_of(const struct hl_measurement *at, enum hl_dir dir,
			 const struct metric *metric)
{
	double values[MOST_ROUNDS], apart[MOST_ROUNDS * (MOST_ROUNDS - 1) / 2 + 1] = { 0 };
	size_t nr = read_rounds(at, NULL, dir, metric, values), nr_pairs = 0;

	for (size_t i = 0; i < nr; i++) {
		for (size_t k = 0; k < i; k++)
			apart[nr_pairs++] = fabs(values[i] - values[k]);
	}
	qsort(apart, nr_pairs, sizeof(*apart), by_value);
	return apart[nr_pairs / 2];
}

/* Of ln, from before to after: up is more. nr rounds in the state that has fewer. */
struct shift {
	struct hl_interval by;
	size_t nr;
};

static struct shift shift_between(const struct hl_measurement *before,
				  const struct hl_measurement *before_control,
				  const struct hl_measurement *after,
				  const struct hl_measurement *after_control, enum hl_dir dir,
				  const struct metric *metric)
{
	double a[MOST_ROUNDS], b[MOST_ROUNDS];
	size_t nr_a = read_rounds(before, before_control, dir, metric, a);
	size_t nr_b = read_rounds(after, after_control, dir, metric, b);

	return (struct shift){
		.by = hl_rank_shift(a, nr_a, b, nr_b, TAIL),
		.nr = nr_a < nr_b ? nr_a : nr_b,
	};
}

static double percent(double log_ratio)
{
	return (exp(log_ratio) - 1) * 100;
}

struct limits { /* of ln */
	double least, same;
	double scatter; /* at least same */
};

static struct limits limits_of(const struct pair *pair, const struct metric *metric)
{
	struct limits limits = { log1p(metric->least), log1p(metric->same), 0 };
	double scatter = fmin(scatter_of(pair->before, pair->dir, metric),
			      scatter_of(pair->after, pair->dir, metric));

	limits.scatter = fmax(limits.same, fmin(scatter, log1p(MOST_SCATTER)));
	return limits;
}

/* 1 and -1: beyond what counts as a change; 0: not so. */
static int sign_of(const struct shift *shift, const struct limits *limits)
{
	if (shift->nr < hl_looks[0])
		return 0;
	return shift->by.low > limits->least ? 1 : shift->by.high < -limits->least ? -1 : 0;
}

static bool is_within(const struct shift *shift, double limit)
{
	return shift->nr >= hl_looks[0] && shift->by.low > -limit && shift->by.high < limit;
}

/* Of a figure that nothing else is said of. */
static bool is_scatter(const struct shift *own, const struct limits *limits)
{
	return !sign_of(own, limits) && is_within(own, limits->scatter);
}

/* An interval shrinks with the root of the number of rounds. */
static void say_unclear(struct hl_arena *arena, struct hl_change *change, const struct shift *shift,
			const struct limits *limits)
{
	double half = (shift->by.high - shift->by.low) / 2, mid = fabs(shift->by.mid);
	double wanted = fmax(mid - limits->least, limits->scatter - mid);

	if (shift->nr < hl_looks[0]) {
		change->reason = "too few rounds for an interval";
		return;
	}
	change->needed_rounds = ceil((double)shift->nr * (half / wanted) * (half / wanted));
	change->reason = hl_arena_printf(
		arena, "about %.0f rounds in each state would tell%s", change->needed_rounds,
		change->needed_rounds > MOST_ROUNDS ? ", more than a run has" : " (--rounds)");
}

static void put_shift(struct hl_change *change, const struct shift *shift)
{
	change->change_pct = percent(shift->by.mid);
	change->low_pct = percent(shift->by.low);
	change->high_pct = percent(shift->by.high);
}

/* Both say so, the figure itself and what it is of its control: else the control tells why not. */
static void judge_against_control(struct hl_arena *arena, const struct pair *pair,
				  const struct metric *metric, const struct limits *limits,
				  struct hl_change *change, const struct shift *own, int *ret_sign)
{
	struct shift ratio = shift_between(pair->before, pair->control_before, pair->after,
					   pair->control_after, pair->dir, metric);
	struct shift control = shift_between(pair->control_before, NULL, pair->control_after, NULL,
					     pair->dir, metric);
	bool has_moved = control.by.low > limits->same || control.by.high < -limits->same;

	change->control = pair->control_before->hop->name;
	put_shift(change, &ratio);
	*ret_sign = sign_of(own, limits) == sign_of(&ratio, limits) ? sign_of(own, limits) : 0;
	if (*ret_sign)
		return;
	if (has_moved)
		change->reason = hl_arena_printf(arena, "its control %s changed too, by %+.0f %%",
						 change->control, percent(control.by.mid));
	else if ((is_within(&ratio, limits->same) && fabs(own->by.mid) < limits->same) ||
		 (is_scatter(own, limits) && is_scatter(&ratio, limits)))
		change->state = HL_CHANGE_SAME;
	else
		say_unclear(arena, change, &ratio, limits);
}

static void judge_rounds(struct hl_arena *arena, const struct pair *pair,
			 const struct metric *metric, struct hl_change *change)
{
	struct limits limits = limits_of(pair, metric);
	struct shift own = shift_between(pair->before, NULL, pair->after, NULL, pair->dir, metric);
	int sign = sign_of(&own, &limits);

	put_shift(change, &own);
	if (is_within(&own, limits.same)) {
		/* whatever its control did: what people have of it is the same */
		change->state = HL_CHANGE_SAME;
		return;
	}
	if (pair->control_before)
		judge_against_control(arena, pair, metric, &limits, change, &own, &sign);
	else if (is_scatter(&own, &limits))
		change->state = HL_CHANGE_SAME;
	else if (!sign)
		say_unclear(arena, change, &own, &limits);
	if (sign)
		change->state = (sign > 0) == metric->is_rate ? HL_CHANGE_BETTER : HL_CHANGE_WORSE;
}

static bool is_same_tool(const struct pair *pair)
{
	const char *a = pair->before->tool, *b = pair->after->tool;

	return a && b ? !strncmp(a, b, strcspn(a, "- ")) : a == b;
}

/* Fewer rounds than an interval takes are no better than one run. */
static const char *runs_of(struct hl_arena *arena, const struct pair *pair)
{
	size_t before = pair->before->dir[pair->dir]->nr_rounds;
	size_t after = pair->after->dir[pair->dir]->nr_rounds;

	if (before <= 1 && after <= 1)
		return "one run each";
	return hl_arena_printf(arena, "%zu and %zu rounds, too few for an interval",
			       before ? before : 1, after ? after : 1);
}

/* One value each, of single runs or of rounds that cannot be told apart. */
static void judge_single(struct hl_arena *arena, const struct pair *pair,
			 const struct metric *metric, struct hl_change *change)
{
	bool is_up = change->after > change->before;
	double factor = is_up ? change->after / change->before : change->before / change->after;
	const char *runs = runs_of(arena, pair);
	const char *tools = is_same_tool(pair) ? "" : ", by different tools";

	if (factor >= SINGLE_FACTOR) {
		change->state = is_up == metric->is_rate ? HL_CHANGE_BETTER : HL_CHANGE_WORSE;
		change->reason = hl_arena_printf(arena, "%s%s: beyond twice", runs, tools);
		return;
	}
	change->needed_rounds = hl_looks[0];
	change->reason = hl_arena_printf(
		arena, "%s%s; %u alternated rounds decide (about %.0f min)", runs, tools,
		hl_looks[0], ceil(hl_looks[0] * 2 * ROUND_SECONDS / 60));
}

static size_t nr_rounds(const struct hl_measurement *at, enum hl_dir dir,
			const struct metric *metric)
{
	double values[MOST_ROUNDS];

	return at->dir[dir]->per_round ? read_rounds(at, NULL, dir, metric, values) : 0;
}

/* What only a few rounds of many have is of those that were longest: no figure of the whole. */
static bool is_resolved(const struct hl_measurement *at, enum hl_dir dir,
			const struct metric *metric)
{
	size_t nr = at->dir[dir]->nr_rounds;

	return nr_rounds(at, dir, metric) >= (nr < hl_looks[0] ? nr : hl_looks[0]);
}

bool change_is_resolved(const struct pair *pair, const char *name)
{
	const struct metric *metric = metric_find(name);
	bool has_rounds = pair->before->dir[pair->dir]->per_round &&
			  pair->after->dir[pair->dir]->per_round;

	return metric->is_rate || !has_rounds ||
	       (is_resolved(pair->before, pair->dir, metric) &&
		is_resolved(pair->after, pair->dir, metric));
}

void change_judge(struct hl_arena *arena, const struct pair *pair, struct hl_change *change)
{
	const struct metric *metric = metric_find(change->metric);
	bool is_repeated = nr_rounds(pair->before, pair->dir, metric) >= hl_looks[0] &&
			   nr_rounds(pair->after, pair->dir, metric) >= hl_looks[0];

	change->before = change_figure(pair->before, pair->dir, change->metric);
	change->after = change_figure(pair->after, pair->dir, change->metric);
	change->change_pct = (change->after / change->before - 1) * 100;
	change->low_pct = change->high_pct = change->needed_rounds = NAN;
	change->state = HL_CHANGE_UNCLEAR;
	if (is_repeated)
		judge_rounds(arena, pair, metric, change);
	else
		judge_single(arena, pair, metric, change);
}
