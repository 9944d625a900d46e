/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trials: see hoploss/trial.h.
 *
 * Surprising: with a synchronous or buffered job fio's clat is not the device's latency (the time
 * is in slat, or in sync), so lat is preferred wherever a rule means "how long did it take".
 */
#include "hoploss/trial.h"
#include "hoploss/cause.h"
#include "hoploss/model.h"
#include "hoploss/spec.h"
#include "hoploss/unit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HARDLY_FASTER  1.1
#define AT_SHEET       0.8
#define AT_BEST_CASE   0.3 /* few queues are as deep as that takes */
#define BEYOND_SHEET   1.5 /* something else answered */
#define MEMORY_NS      8e3 /* the fastest media (Optane, DRAM of an NVMe drive) take 10 us */
#define MEMORY_NS_BYTE 0.1 /* copying at 10 GB/s */
#define BUSY_PCT       90
#define ALIKE          1.2   /* p99 ÷ p1 */
#define ALIKE_STDDEV   0.05  /* of the mean */
#define CAP_LEAST_NS   100e3 /* a throttle sleeps; what is faster has no throttle */
#define ROUND          0.005

/* ---- making them ---- */

static double mean_of(const struct hl_latency *latency)
{
	return latency ? latency->mean : NAN;
}

static double whole_latency(const struct hl_rate *rate)
{
	double sum = mean_of(rate->slat) + mean_of(rate->clat);

	if (!isnan(mean_of(rate->lat)))
		return rate->lat->mean;
	return isnan(sum) ? mean_of(rate->clat) : sum;
}

static bool is_pure(enum hl_rw rw)
{
	return !(hl_rw_reads(rw) && hl_rw_writes(rw));
}

static double all_iops(const struct hl_measurement *at)
{
	double sum = 0;

	for (int dir = 0; dir < HL_NR_DIRS; dir++) {
		if (hl_figure_is_usable(at, dir))
			sum += hl_figure_iops(at, dir);
	}
	return sum;
}

static double submitting(const struct hl_measurement *at)
{
	double busy = NAN;

	for (int dir = 0; dir < HL_NR_DIRS; dir++) {
		double one;

		if (!hl_figure_is_usable(at, dir) || !at->dir[dir]->slat)
			continue;
		one = at->dir[dir]->slat->mean * hl_figure_iops(at, dir) / 1e9;
		busy = isnan(busy) ? one : busy + one;
	}
	return busy / at->workload.numjobs;
}

static double cpu_of(const struct hl_measurement *at)
{
	double sum = at->cpu_user_pct + at->cpu_system_pct;

	return isnan(sum) ? at->cpu_pct : sum;
}

static struct hl_trial trial_of(const struct hl_measurement *at, enum hl_dir dir)
{
	const struct hl_rate *rate = at->dir[dir];

	return (struct hl_trial){
		.at = at,
		.dir = dir,
		.is_pure = is_pure(at->workload.rw),
		.is_alone = true,
		.bs = hl_figure_bs(at, dir),
		.depth = hl_figure_depth(at),
		.jobs = at->workload.numjobs,
		.bw = rate->bw,
		.iops = hl_figure_iops(at, dir),
		.all_iops = all_iops(at),
		.lat_ns = whole_latency(rate),
		.submit_ns = mean_of(rate->slat),
		.submitting = submitting(at),
		.cpu_pct = cpu_of(at),
	};
}

static double weighed(double a, double weight_a, double b, double weight_b)
{
	return (a * weight_a + b * weight_b) / (weight_a + weight_b);
}

static void merge(struct hl_trial *into, const struct hl_trial *other)
{
	into->lat_ns = weighed(into->lat_ns, into->iops, other->lat_ns, other->iops);
	into->submit_ns = weighed(into->submit_ns, into->iops, other->submit_ns, other->iops);
	into->submitting = weighed(into->submitting, into->jobs, other->submitting, other->jobs);
	into->cpu_pct = weighed(into->cpu_pct, into->jobs, other->cpu_pct, other->jobs);
	into->depth += other->depth;
	into->jobs += other->jobs;
	into->bw += other->bw;
	into->iops += other->iops;
	into->all_iops += other->all_iops;
}

/* The jobs [first, end) ran side by side. */
static void add_group(struct hl_trials *trials, const struct hl_hop *hop, size_t first, size_t end,
		      enum hl_dir dir)
{
	const struct hl_workload *workload = &hop->measurements[first]->workload;
	size_t start = trials->nr;
	bool is_alone = true;

	for (size_t i = first; i < end; i++)
		is_alone &= hl_workload_is_same(&hop->measurements[i]->workload, workload);
	for (size_t i = first; i < end; i++) {
		struct hl_trial trial;

		if (hop->measurements[i]->experiment ||
		    !hl_figure_is_usable(hop->measurements[i], dir))
			continue;
		trial = trial_of(hop->measurements[i], dir);
		trial.is_alone = is_alone;
		if (is_alone && trials->nr > start)
			merge(&trials->items[start], &trial);
		else
			trials->items[trials->nr++] = trial;
	}
}

void hl_trials_read(const struct hl_hop *hop, enum hl_dir dir, struct hl_trials *ret_trials)
{
	struct hl_trials trials = { 0 };

	trials.items = hl_grow(NULL, hop->nr_measurements, sizeof(*trials.items));
	for (size_t i = 0, end; i < hop->nr_measurements; i = end) {
		end = hl_figure_group_end(hop, i);
		add_group(&trials, hop, i, end, dir);
	}
	*ret_trials = trials;
}

void hl_trials_free(struct hl_trials *trials)
{
	free(trials->items);
}

/* ---- asking them ---- */

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* One by the page cache and one past it have different things below them. */
static bool is_as_direct(const struct hl_workload *a, const struct hl_workload *b)
{
	return a->direct == b->direct || a->direct == -1 || b->direct == -1;
}

bool hl_trial_is_same_kind(const struct hl_trial *a, const struct hl_trial *b)
{
	return a->at->workload.rw == b->at->workload.rw && a->bs == b->bs &&
	       is_as_direct(&a->at->workload, &b->at->workload) &&
	       is_same_text(a->at->change, b->at->change);
}

const struct hl_latency *hl_trial_latency(const struct hl_trial *trial)
{
	const struct hl_rate *rate = trial->at->dir[trial->dir];

	return rate->clat ? rate->clat : rate->lat;
}

double hl_trial_least_latency(const struct hl_trial *trial)
{
	const struct hl_rate *rate = trial->at->dir[trial->dir];

	if (rate->lat && !isnan(rate->lat->min))
		return rate->lat->min;
	return rate->clat ? rate->clat->min : NAN;
}

double hl_trial_share_of_sheet(const struct hl_graph *graph, const struct hl_trial *trial)
{
	struct hl_workload workload = trial->at->workload;
	double random_iops;

	if (!graph->spec)
		return NAN;
	workload.iodepth = NAN;
	if (hl_rw_is_random(workload.rw) && !isnan(graph->spec->rpm)) {
		random_iops = hl_spec_random_iops(graph->spec, trial->dir);
		return trial->iops / (graph->drives * random_iops);
	}
	return trial->bw / (graph->drives * hl_spec_bw(graph->spec, &workload, trial->dir));
}

bool hl_trial_is_at_sheet(const struct hl_graph *graph, const struct hl_trial *trial)
{
	double share = hl_trial_share_of_sheet(graph, trial);
	bool is_seeking = graph->spec && hl_rw_is_random(trial->at->workload.rw) &&
			  !isnan(graph->spec->rpm);

	return share >= (is_seeking ? AT_BEST_CASE : AT_SHEET) && share <= BEYOND_SHEET;
}

/* Bandwidth of the nearest hop before it that measured the same ÷ its own; NAN. */
static double factor_before(const struct hl_trial *trial)
{
	const struct hl_hop *hop = trial->at->hop;

	while ((hop = hop->after)) {
		const struct hl_measurement *before = hl_pair_find(hop, trial->at, trial->dir);

		if (before)
			return before->dir[trial->dir]->bw / trial->at->dir[trial->dir]->bw;
	}
	return NAN;
}

bool hl_trial_is_bound_below(const struct hl_trial *trial)
{
	return factor_before(trial) <= HARDLY_FASTER;
}

bool hl_trial_is_bound_here(const struct hl_trial *trial)
{
	return factor_before(trial) > HARDLY_FASTER;
}

bool hl_trial_is_from_memory(const struct hl_trial *trial)
{
	const struct hl_rate *rate = trial->at->dir[trial->dir];
	const char *engine = trial->at->workload.engine;
	double clat = mean_of(rate->clat);
	double copy_ns = isnan(trial->bs) ? 0 : trial->bs * MEMORY_NS_BYTE;

	if ((engine && !strcmp(engine, "null")) || rate->sync)
		return false;
	if (trial->dir != HL_DIR_READ && trial->dir != HL_DIR_WRITE)
		return false;
	return trial->lat_ns < MEMORY_NS + copy_ns ||
	       (clat < MEMORY_NS && trial->submit_ns > 5 * clat);
}

bool hl_trial_is_generator_busy(const struct hl_trial *trial)
{
	return trial->cpu_pct >= BUSY_PCT;
}

static bool is_alike(const struct hl_latency *latency)
{
	if (!latency || !(latency->mean >= CAP_LEAST_NS))
		return false;
	return latency->p99 <= ALIKE * latency->p1 ||
	       (isnan(latency->p1) && latency->stddev <= ALIKE_STDDEV * latency->mean);
}

/* value, if it is what people write into a limit, else NAN. */
static double round_value(double value)
{
	static const double digits[] = { 1, 1.2, 1.25, 1.5, 1.6, 2, 2.5, 3, 4, 5, 6, 7.5, 8, 10 };
	double power = pow(10, floor(log10(value)));

	for (size_t i = 0; i < sizeof(digits) / sizeof(*digits); i++) {
		if (fabs(value / (digits[i] * power) - 1) <= ROUND)
			return digits[i] * power;
	}
	return NAN;
}

double hl_trial_rate_cap(const struct hl_trial *trial, bool *ret_is_iops)
{
	static const double units[] = { 1e6, HL_MIB };
	double cap;

	if (!is_alike(hl_trial_latency(trial)))
		return NAN;
	*ret_is_iops = true;
	cap = round_value(trial->all_iops);
	if (!isnan(cap) || !trial->is_pure)
		return cap;
	*ret_is_iops = false;
	for (size_t i = 0; isnan(cap) && i < sizeof(units) / sizeof(*units); i++)
		cap = round_value(trial->bw / units[i]) * units[i];
	return cap;
}

/* ---- matching ---- */

static bool is_main_direction(const struct hl_trial *trial)
{
	double others = trial->all_iops - trial->iops;

	return trial->iops > others || (trial->iops == others && trial->dir == HL_DIR_READ);
}

/* Those that fulfil is_one; free with hl_trials_free. */
static void read_matches(const struct hl_graph *graph, const struct hl_hop *hop, enum hl_dir dir,
			 bool (*is_one)(const struct hl_graph *, const struct hl_trial *),
			 struct hl_trials *ret_matches)
{
	size_t nr = 0;

	hl_trials_read(hop, dir, ret_matches);
	for (size_t i = 0; i < ret_matches->nr; i++) {
		const struct hl_trial *trial = &ret_matches->items[i];

		if (is_main_direction(trial) && is_one(graph, trial))
			ret_matches->items[nr++] = *trial;
	}
	ret_matches->nr = nr;
}

void hl_trials_match(struct hl_graph *graph, const struct hl_cause *cause,
		     bool (*is_one)(const struct hl_graph *graph, const struct hl_trial *trial),
		     void (*found)(struct hl_graph *graph, const struct hl_cause *cause,
				   const struct hl_trials *matches))
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		for (int dir = HL_DIR_READ; dir <= HL_DIR_TRIM; dir++) {
			HL_TRIALS struct hl_trials matches = { 0 };

			read_matches(graph, graph->hops[i], dir, is_one, &matches);
			if (matches.nr)
				found(graph, cause, &matches);
		}
	}
}

void hl_trials_match_each(struct hl_graph *graph, const struct hl_cause *cause,
			  bool (*is_one)(const struct hl_graph *graph,
					 const struct hl_trial *trial),
			  void (*found)(struct hl_graph *graph, const struct hl_cause *cause,
					const struct hl_trial *trial))
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		for (int dir = HL_DIR_READ; dir <= HL_DIR_TRIM; dir++) {
			HL_TRIALS struct hl_trials matches = { 0 };

			read_matches(graph, graph->hops[i], dir, is_one, &matches);
			for (size_t k = 0; k < matches.nr; k++)
				found(graph, cause, &matches.items[k]);
		}
	}
}

struct hl_finding *hl_trial_found(struct hl_graph *graph, const struct hl_cause *cause,
				  const struct hl_trial *trial)
{
	return hl_cause_found(graph, cause, trial->at->hop, trial->at, trial->dir);
}

const char *hl_trials_say_others(struct hl_graph *graph, const struct hl_trials *matches)
{
	if (matches->nr < 2)
		return "";
	if (matches->nr == 2)
		return " and another job";
	return hl_arena_printf(graph->arena, " and %zu more jobs", matches->nr - 1);
}
