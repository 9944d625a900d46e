/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the samples of a run to measurements: rates are means over the rounds, percentiles medians
 * over them (percentiles do not add), and each round's bandwidth is kept at its place, so that hops
 * can be compared within a round.
 */
#include "hoploss/sample.h"
#include "hoploss/steady.h"
#include "hoploss/timeline.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROUND 100000

/* Samples of one hop, workload, experiment and drive, in the order in which they were taken. */
struct group {
	struct hl_hop *hop;
	struct hl_sample *samples;
	size_t nr_samples;
};

struct groups {
	struct hl_arena *arena;
	struct group *items;
	size_t nr;
};

static bool is_text_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static struct group *group_of(struct groups *groups, struct hl_hop *hop,
			      const struct hl_sample *sample)
{
	struct group *group;

	for (size_t i = 0; i < groups->nr; i++) {
		const struct hl_sample *first = groups->items[i].samples;

		if (groups->items[i].hop == hop &&
		    is_text_same(first->experiment, sample->experiment) &&
		    is_text_same(first->drive, sample->drive) &&
		    is_text_same(first->workload.name, sample->workload.name) &&
		    hl_workload_is_same(&first->workload, &sample->workload))
			return &groups->items[i];
	}
	groups->items = hl_arena_extend(groups->arena, groups->items, groups->nr,
					sizeof(*groups->items));
	group = &groups->items[groups->nr++];
	*group = (struct group){ .hop = hop };
	return group;
}

static void group_add(struct groups *groups, struct group *group, const struct hl_sample *sample)
{
	group->samples = hl_arena_extend(groups->arena, group->samples, group->nr_samples,
					 sizeof(*group->samples));
	group->samples[group->nr_samples++] = *sample;
}

static bool is_measured(const struct hl_sample *sample, int dir)
{
	return sample->status == HL_STATUS_MEASURED && sample->dir[dir];
}

/* The last round of the group; an experiment has no rounds of its own and counts its samples. */
static size_t nr_rounds(const struct group *group)
{
	size_t last = 0;

	for (size_t i = 0; i < group->nr_samples; i++) {
		if (group->samples[i].round > last)
			last = group->samples[i].round;
	}
	return last ? last : group->nr_samples;
}

static size_t round_index(const struct group *group, size_t i)
{
	return group->samples[i].round ? group->samples[i].round - 1 : i;
}

/* A percentile says something where at least so many I/Os lie beyond it. */
#define LEAST_BEYOND 10

static double known_percentile(double value, double ios, double part_beyond)
{
	return ios * part_beyond < LEAST_BEYOND ? NAN : value;
}

/* NULL: no round has any. */
static const struct hl_latency *latency_rounds(struct hl_graph *graph, const struct group *group,
					       int dir)
{
	const struct hl_latency unknown = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	size_t nr = nr_rounds(group);
	struct hl_latency *rounds = hl_arena_alloc(graph->arena, nr * sizeof(*rounds));
	bool has_any = false;

	for (size_t i = 0; i < nr; i++)
		rounds[i] = unknown;
	for (size_t i = 0; i < group->nr_samples; i++) {
		const struct hl_sample *sample = &group->samples[i];
		const struct hl_rate *rate = sample->dir[dir];
		struct hl_latency *round = &rounds[round_index(group, i)];

		if (!is_measured(sample, dir) || sample->repeats || !(rate->lat || rate->clat))
			continue;
		*round = rate->lat ? *rate->lat : *rate->clat;
		round->p99 = known_percentile(round->p99, rate->ios, 1e-2);
		round->p99_9 = known_percentile(round->p99_9, rate->ios, 1e-3);
		round->p99_99 = known_percentile(round->p99_99, rate->ios, 1e-4);
		has_any = true;
	}
	return has_any ? rounds : NULL;
}

static void fill_rounds(struct hl_graph *graph, const struct group *group, int dir,
			struct hl_rate *rate)
{
	size_t nr = nr_rounds(group);
	double *rounds = hl_arena_alloc(graph->arena, nr * sizeof(*rounds));
	double *repeats = hl_arena_alloc(graph->arena, nr * sizeof(*repeats));
	bool has_repeats = false;

	for (size_t i = 0; i < nr; i++)
		rounds[i] = repeats[i] = NAN;
	for (size_t i = 0; i < group->nr_samples; i++) {
		const struct hl_sample *sample = &group->samples[i];

		if (!is_measured(sample, dir))
			continue;
		(sample->repeats ? repeats : rounds)[round_index(group, i)] = sample->dir[dir]->bw;
		has_repeats |= sample->repeats != NULL;
	}
	rate->per_round = rounds;
	rate->repeats = has_repeats ? repeats : NULL;
	rate->nr_rounds = nr;
	rate->latency_per_round = latency_rounds(graph, group, dir);
}

/* ---- means and medians over the rounds ---- */

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double mean_of(const double *values, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += values[i];
	return nr ? sum / (double)nr : NAN;
}

static double sum_of(const double *values, size_t nr)
{
	return nr ? mean_of(values, nr) * (double)nr : NAN;
}

static double median_of(double *values, size_t nr)
{
	if (!nr)
		return NAN;
	qsort(values, nr, sizeof(*values), compare);
	return (values[(nr - 1) / 2] + values[nr / 2]) / 2;
}

enum merge { MEAN, MEDIAN, SUM };

/* One number of every plain, measured round, merged; unknown ones are left out. */
static double merge(const struct group *group, int dir, size_t latency, size_t offset,
		    enum merge how)
{
	double *values = hl_alloc(group->nr_samples * sizeof(*values)), result;
	size_t nr = 0;

	for (size_t i = 0; i < group->nr_samples; i++) {
		const struct hl_sample *sample = &group->samples[i];
		const char *from = (const char *)sample->dir[dir];

		if (!is_measured(sample, dir) || sample->repeats)
			continue;
		if (latency)
			from = *(const char *const *)(from + latency);
		if (from && !isnan(*(const double *)(from + offset)))
			values[nr++] = *(const double *)(from + offset);
	}
	result = how == MEAN  ? mean_of(values, nr)
		 : how == SUM ? sum_of(values, nr)
			      : median_of(values, nr);
	free(values);
	return result;
}

static struct hl_latency *merge_latency(struct hl_graph *graph, const struct group *group, int dir,
					size_t latency)
{
	static const size_t medians[] = {
		offsetof(struct hl_latency, p1),    offsetof(struct hl_latency, p50),
		offsetof(struct hl_latency, p90),   offsetof(struct hl_latency, p99),
		offsetof(struct hl_latency, p99_9), offsetof(struct hl_latency, p99_99),
		offsetof(struct hl_latency, min),   offsetof(struct hl_latency, max),
	};
	double mean = merge(group, dir, latency, offsetof(struct hl_latency, mean), MEAN);
	struct hl_latency *merged;

	if (isnan(mean))
		return NULL;
	merged = hl_graph_new_latency(graph);
	merged->mean = mean;
	for (size_t i = 0; i < sizeof(medians) / sizeof(*medians); i++)
		*(double *)((char *)merged + medians[i]) = merge(group, dir, latency, medians[i],
								 MEDIAN);
	return merged;
}

static void merge_rate(struct hl_graph *graph, const struct group *group, int dir,
		       struct hl_measurement *at)
{
	static const struct {
		size_t offset;
		enum merge how;
	} numbers[] = {
		{ offsetof(struct hl_rate, bw), MEAN },
		{ offsetof(struct hl_rate, iops), MEAN },
		{ offsetof(struct hl_rate, ios), SUM },
		{ offsetof(struct hl_rate, bytes), SUM },
		{ offsetof(struct hl_rate, runtime_ms), SUM },
		{ offsetof(struct hl_rate, streams), MEAN },
		{ offsetof(struct hl_rate, retransmits), SUM },
	};
	struct hl_rate *rate = hl_graph_add_rate(graph, at, dir);

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		*(double *)((char *)rate + numbers[i].offset) = merge(
			group, dir, 0, numbers[i].offset, numbers[i].how);
	rate->lat = merge_latency(graph, group, dir, offsetof(struct hl_rate, lat));
	rate->clat = merge_latency(graph, group, dir, offsetof(struct hl_rate, clat));
	rate->slat = merge_latency(graph, group, dir, offsetof(struct hl_rate, slat));
	rate->sync = merge_latency(graph, group, dir, offsetof(struct hl_rate, sync));
	fill_rounds(graph, group, dir, rate);
}

/* ---- facts beside the rounds ---- */

static bool is_fact_same(const struct hl_fact *a, const struct hl_fact *b)
{
	return a->key == b->key && a->type == b->type && is_text_same(a->host, b->host) &&
	       is_text_same(a->node, b->node);
}

/* Is there an equal one in a sample before number i, or before place k in it? */
static bool is_merged(const struct group *group, size_t i, size_t k)
{
	const struct hl_fact *fact = group->samples[i].facts[k];

	for (size_t s = 0; s <= i; s++) {
		const struct hl_sample *sample = &group->samples[s];

		for (size_t f = 0; f < (s == i ? k : sample->nr_facts); f++) {
			if (is_fact_same(sample->facts[f], fact))
				return true;
		}
	}
	return false;
}

/* The same fact as first in every round that has it; ret has a place for each sample. */
static size_t gather_facts(const struct group *group, const struct hl_fact *first,
			   const struct hl_fact **ret)
{
	size_t nr = 0;

	for (size_t i = 0; i < group->nr_samples; i++) {
		const struct hl_sample *sample = &group->samples[i];

		for (size_t f = 0; f < sample->nr_facts; f++) {
			if (!is_fact_same(sample->facts[f], first))
				continue;
			ret[nr++] = sample->facts[f];
			break;
		}
	}
	return nr;
}

static bool is_value_same(const struct hl_fact *a, const struct hl_fact *b)
{
	return a->boolean == b->boolean && is_text_same(a->string, b->string);
}

/* The value that most rounds have; of several the first. */
static const struct hl_fact *most_frequent(const struct hl_fact *const *facts, size_t nr)
{
	const struct hl_fact *found = NULL;
	size_t most = 0;

	for (size_t i = 0; i < nr; i++) {
		size_t count = 0;

		for (size_t k = 0; k < nr; k++)
			count += is_value_same(facts[i], facts[k]);
		if (count > most) {
			most = count;
			found = facts[i];
		}
	}
	return found;
}

/* Of the greatest number: it says what that was read from. */
static const char *source_of(const struct hl_fact *const *facts, size_t nr)
{
	const struct hl_fact *greatest = facts[0];

	for (size_t i = 1; i < nr; i++) {
		if (facts[i]->number > greatest->number)
			greatest = facts[i];
	}
	return greatest->source;
}

/* "drive.temperature_max_c" is a maximum over the rounds, too. */
static bool is_maximum(const char *key)
{
	return strstr(key, "_max_");
}

/*
 * Numbers are averaged over the rounds, of maxima the greatest stands; of texts the one that most
 * of them have.
 */
static void merge_fact(struct hl_graph *graph, const struct group *group,
		       const struct hl_fact *first)
{
	HL_FREE const struct hl_fact **facts = hl_alloc(group->nr_samples * sizeof(*facts));
	size_t nr = gather_facts(group, first, facts);
	const struct hl_fact *stands = most_frequent(facts, nr);
	struct hl_origin origin = { first->host, first->node, source_of(facts, nr) };
	double sum = 0, most = NAN;

	for (size_t i = 0; i < nr; i++) {
		sum += facts[i]->number;
		most = fmax(most, facts[i]->number);
	}
	if (first->type == HL_FACT_NUMBER)
		hl_graph_add_number(graph, &origin, first->key,
				    is_maximum(first->key) ? most : sum / (double)nr);
	else if (first->type == HL_FACT_STRING)
		hl_graph_add_string(graph, &origin, first->key, stands->string);
	else
		hl_graph_add_boolean(graph, &origin, first->key, stands->boolean);
}

static void merge_facts(struct hl_graph *graph, const struct group *group)
{
	for (size_t i = 0; i < group->nr_samples; i++) {
		for (size_t k = 0; k < group->samples[i].nr_facts; k++) {
			if (!is_merged(group, i, k))
				merge_fact(graph, group, group->samples[i].facts[k]);
		}
	}
}

/* ---- one measurement ---- */

static void set_status(struct hl_graph *graph, const struct group *group, struct hl_measurement *at)
{
	const struct hl_sample *failed = NULL;
	size_t nr_plain = 0, nr_failed = 0;

	for (size_t i = 0; i < group->nr_samples; i++) {
		const struct hl_sample *sample = &group->samples[i];

		nr_plain += !sample->repeats;
		if (sample->status == HL_STATUS_MEASURED || sample->repeats)
			continue;
		nr_failed++;
		failed = failed ? failed : sample;
	}
	at->rounds = (double)(nr_plain - nr_failed);
	at->status = nr_failed == nr_plain ? HL_STATUS_NOT_MEASURED
		     : nr_failed           ? HL_STATUS_PARTIAL
					   : HL_STATUS_MEASURED;
	if (!failed)
		return;
	at->error = failed->error;
	at->reason = nr_failed == nr_plain
			     ? failed->reason
			     : hl_arena_printf(graph->arena, "%zu of %zu rounds lost: %s",
					       nr_failed, nr_plain,
					       failed->reason ? failed->reason : "no reason given");
}

static void set_steady(struct hl_measurement *at)
{
	const struct hl_rate *writes = at->dir[HL_DIR_WRITE];
	struct hl_steady steady;

	if (writes && hl_steady_judge(writes->per_round, writes->nr_rounds, &steady) == 0)
		at->steady_state = steady.is_steady;
}

/* Mean of a number beside the rates, over the samples that know it. */
static double mean_beside(const struct group *group, size_t offset)
{
	double sum = 0;
	unsigned nr = 0;

	for (size_t i = 0; i < group->nr_samples; i++) {
		double value = *(const double *)((const char *)&group->samples[i] + offset);

		if (isnan(value))
			continue;
		sum += value;
		nr++;
	}
	return nr ? sum / nr : NAN;
}

/* Of the generator: psync has one for each I/O in flight. */
static double nr_threads(const struct hl_sample *sample)
{
	bool is_psync = sample->engine && !strcmp(sample->engine, "psync");

	return is_psync ? hl_workload_depth(&sample->workload) : sample->workload.numjobs;
}

static void add_measurement(struct hl_graph *graph, const struct group *group)
{
	const struct hl_sample *first = &group->samples[0];
	struct hl_measurement *at = hl_graph_add_measurement(graph, group->hop);
	at->workload = first->workload;
	at->workload.engine = first->engine;
	at->experiment = first->experiment;
	at->drive = first->drive;
	at->tool = "hoploss";
	set_status(graph, group, at);
	for (int dir = 0; dir < HL_NR_DIRS; dir++) {
		for (size_t i = 0; i < group->nr_samples; i++) {
			if (is_measured(&group->samples[i], dir)) {
				merge_rate(graph, group, dir, at);
				break;
			}
		}
	}
	for (size_t i = 0; i < group->nr_samples; i++) {
		if (group->samples[i].engine_note && !at->reason)
			at->reason = group->samples[i].engine_note;
	}
	at->idle_pct = mean_beside(group, offsetof(struct hl_sample, idle_pct));
	at->cached_share = mean_beside(group, offsetof(struct hl_sample, cached_share));
	at->cpu_pct = mean_beside(group, offsetof(struct hl_sample, cpu_pct)) / nr_threads(first);
	set_steady(at);
	if (!at->experiment)
		merge_facts(graph, group);
}

/* Bandwidth first: the other lines are looked at beside it. */
static void add_timeline(struct hl_graph *graph, const struct groups *groups)
{
	for (size_t i = 0; i < groups->nr; i++) {
		const struct group *group = &groups->items[i];

		for (size_t j = 0; j < group->nr_samples; j++)
			hl_timeline_add_bandwidth(graph, group->hop, &group->samples[j]);
	}
	for (size_t i = 0; i < groups->nr; i++) {
		const struct group *group = &groups->items[i];

		for (size_t j = 0; j < group->nr_samples; j++)
			hl_timeline_add_series(graph, group->hop, &group->samples[j]);
	}
	hl_timeline_sort(graph);
}

/* What a disk or a hand spoiled. */
static void leave_out(struct hl_graph *graph, size_t line, const char *why)
{
	hl_graph_warn(graph, "samples.jsonl:%zu: %s: it is left out", line + 1, why);
	graph->is_partly_captured = true;
}

void hl_samples_read(struct hl_graph *graph, const char *const *lines, size_t nr)
{
	struct groups groups = { .arena = graph->arena };

	for (size_t i = 0; i < nr; i++) {
		struct hl_sample sample;
		struct hl_hop *hop;
		struct hl_error why;

		if (hl_sample_parse(graph, lines[i], &sample, &why) < 0) {
			leave_out(graph, i, why.text);
			continue;
		}
		if (sample.round > MAX_ROUND) {
			leave_out(graph, i, "there is no such round");
			continue;
		}
		hop = sample.hop ? hl_graph_find_hop(graph, sample.hop) : NULL;
		if (hop)
			group_add(&groups, group_of(&groups, hop, &sample), &sample);
		else
			hl_graph_warn(graph,
				      "samples.jsonl:%zu: a sample of hop \"%s\", which the "
				      "path does not have",
				      i + 1, sample.hop ? sample.hop : "");
	}
	for (size_t i = 0; i < groups.nr; i++)
		add_measurement(graph, &groups.items[i]);
	add_timeline(graph, &groups);
}
