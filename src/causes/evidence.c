/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evidence: see hoploss/evidence.h. A new kind of figure is a row of the table of keys here (and of
 * the table of fact keys in src/facts/) and a line in value_of.
 */
#include "hoploss/evidence.h"
#include <math.h>
#include <string.h>

#define MOST_TRIALS 3 /* of which each figure is shown */

/* By direction: read, write, trim. */
static const char *const keys[HL_NR_FIGURES][3] = {
	[HL_FIGURE_IOPS] = { "run.read_iops", "run.write_iops", "run.trim_iops" },
	[HL_FIGURE_BW] = { "run.read_bw", "run.write_bw", "run.trim_bw" },
	[HL_FIGURE_LAT] = { "run.read_lat_mean_ns", "run.write_lat_mean_ns",
			    "run.trim_lat_mean_ns" },
	[HL_FIGURE_LAT_MIN] = { "run.read_lat_min_ns", "run.write_lat_min_ns",
				"run.trim_lat_min_ns" },
	[HL_FIGURE_CLAT] = { "run.read_clat_mean_ns", "run.write_clat_mean_ns",
			     "run.trim_clat_mean_ns" },
	[HL_FIGURE_P1] = { "run.read_lat_p1_ns", "run.write_lat_p1_ns", "run.trim_lat_p1_ns" },
	[HL_FIGURE_P50] = { "run.read_lat_p50_ns", "run.write_lat_p50_ns", "run.trim_lat_p50_ns" },
	[HL_FIGURE_P99] = { "run.read_lat_p99_ns", "run.write_lat_p99_ns", "run.trim_lat_p99_ns" },
	[HL_FIGURE_SLAT] = { "run.read_slat_mean_ns", "run.write_slat_mean_ns",
			     "run.trim_slat_mean_ns" },
	[HL_FIGURE_SYNC] = { "run.sync_mean_ns", "run.sync_mean_ns", "run.sync_mean_ns" },
	[HL_FIGURE_DEPTH] = { "run.depth_asked", "run.depth_asked", "run.depth_asked" },
	[HL_FIGURE_CPU] = { "run.cpu_pct", "run.cpu_pct", "run.cpu_pct" },
	[HL_FIGURE_SIZE] = { "run.size", "run.size", "run.size" },
};

static double value_of(const struct hl_trial *trial, enum hl_figure figure)
{
	const struct hl_rate *rate = trial->at->dir[trial->dir];
	const struct hl_latency *percentiles = hl_trial_latency(trial);

	switch (figure) {
	case HL_FIGURE_IOPS:
		return trial->iops;
	case HL_FIGURE_BW:
		return trial->bw;
	case HL_FIGURE_LAT:
		return trial->lat_ns;
	case HL_FIGURE_LAT_MIN:
		return hl_trial_least_latency(trial);
	case HL_FIGURE_CLAT:
		return rate->clat ? rate->clat->mean : NAN;
	case HL_FIGURE_P1:
		return percentiles ? percentiles->p1 : NAN;
	case HL_FIGURE_P50:
		return percentiles ? percentiles->p50 : NAN;
	case HL_FIGURE_P99:
		return percentiles ? percentiles->p99 : NAN;
	case HL_FIGURE_SLAT:
		return trial->submit_ns;
	case HL_FIGURE_SYNC:
		return rate->sync ? rate->sync->mean : NAN;
	case HL_FIGURE_DEPTH:
		return trial->depth;
	case HL_FIGURE_CPU:
		return trial->cpu_pct;
	case HL_FIGURE_SIZE:
		return trial->at->workload.size;
	default:
		return NAN;
	}
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static const struct hl_fact *find_same(const struct hl_graph *graph, const struct hl_origin *origin,
				       const char *key, double value)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (fact->key == key && fact->number == value &&
		    is_same_text(fact->node, origin->node) &&
		    is_same_text(fact->source, origin->source))
			return fact;
	}
	return NULL;
}

void hl_evidence_add(struct hl_graph *graph, struct hl_finding *finding,
		     const struct hl_trial *trial, enum hl_figure figure)
{
	const struct hl_measurement *at = trial->at;
	int column = trial->dir == HL_DIR_READ ? 0 : trial->dir == HL_DIR_WRITE ? 1 : 2;
	const char *key = keys[figure][column];
	double value = value_of(trial, figure);
	struct hl_origin origin = { .host = at->hop->host, .node = at->hop->name };
	const struct hl_fact *fact;

	if (!isfinite(value))
		return;
	if (at->workload.name)
		origin.node = hl_arena_printf(graph->arena, "%s/%s", at->hop->name,
					      at->workload.name);
	if (at->file && at->line)
		origin.source = hl_arena_printf(graph->arena, "%s:%u", at->file, at->line);
	else
		origin.source = at->file;
	fact = find_same(graph, &origin, key, value);
	if (!fact)
		fact = hl_graph_add_number(graph, &origin, key, value);
	hl_finding_add_evidence(graph, finding, fact);
}

void hl_evidence_add_model(struct hl_graph *graph, struct hl_finding *finding,
			   const struct hl_hop *hop, const char *key, double value)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (strcmp(fact->key, key) != 0 || !is_same_text(fact->node, hop->name) ||
		    (!isnan(value) && fact->number != value))
			continue;
		hl_finding_add_evidence(graph, finding, fact);
		return;
	}
}

void hl_evidence_add_all(struct hl_graph *graph, struct hl_finding *finding,
			 const struct hl_trials *trials, const enum hl_figure *figures, size_t nr)
{
	for (size_t i = 0; i < trials->nr && i < MOST_TRIALS; i++) {
		for (size_t j = 0; j < nr; j++)
			hl_evidence_add(graph, finding, &trials->items[i], figures[j]);
	}
}
