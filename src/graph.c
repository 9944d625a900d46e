/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The graph: adding items. Every array is an array of pointers in the arena, so an item never
 * moves.
 */
#include "hoploss/graph.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const status_names[] = {
	[HL_STATUS_MEASURED] = "measured",
	[HL_STATUS_IMPORTED] = "imported",
	[HL_STATUS_FAILED] = "failed",
	[HL_STATUS_PARTIAL] = "partial",
	[HL_STATUS_NOT_MEASURED] = "not-measured",
};

static const char *const state_names[] = {
	[HL_CONFIRMED] = "confirmed",
	[HL_SUSPECTED] = "suspected",
	[HL_AMBIGUOUS] = "ambiguous",
};

static const char *const prediction_names[] = {
	[HL_ESTIMATE] = "estimate",
	[HL_AT_MOST] = "at-most",
};

static const char *const input_status_names[] = {
	[HL_INPUT_READ] = "read",
	[HL_INPUT_PROSE] = "prose",
	[HL_INPUT_RECOGNISED] = "recognised",
	[HL_INPUT_UNUSABLE] = "unusable",
	[HL_INPUT_UNKNOWN] = "unknown",
};

/* Appends a zeroed item to the array of pointers, evaluates to the item. */
#define ADD(arena, array, nr)                                                                      \
	({                                                                                         \
		(array) = hl_arena_extend(arena, array, nr, sizeof(*(array)));                     \
		(array)[(nr)++] = hl_arena_alloc(arena, sizeof(**(array)));                        \
	})

const char *hl_status_name(enum hl_status status)
{
	return status_names[status];
}

const char *hl_state_name(enum hl_state state)
{
	return state_names[state];
}

const char *hl_prediction_name(enum hl_prediction kind)
{
	return prediction_names[kind];
}

const char *hl_input_status_name(enum hl_input_status status)
{
	return input_status_names[status];
}

struct hl_graph *hl_graph_new(void)
{
	struct hl_arena *arena = hl_arena_new();
	struct hl_graph *graph = hl_arena_alloc(arena, sizeof(*graph));

	graph->arena = arena;
	graph->places = hl_arena_alloc(arena, sizeof(*graph->places));
	graph->drives = 1;
	return graph;
}

void hl_graph_free(struct hl_graph *graph)
{
	if (graph)
		hl_arena_free(graph->arena);
}

struct hl_host *hl_graph_add_host(struct hl_graph *graph, const char *name)
{
	struct hl_host *host = ADD(graph->arena, graph->hosts, graph->nr_hosts);

	host->name = hl_arena_strdup(graph->arena, name);
	return host;
}

struct hl_hop *hl_graph_add_hop(struct hl_graph *graph, const char *name)
{
	struct hl_hop *hop = ADD(graph->arena, graph->hops, graph->nr_hops);

	hop->name = hl_arena_strdup(graph->arena, name);
	return hop;
}

void hl_hop_add_target(struct hl_graph *graph, struct hl_hop *hop, const char *target)
{
	hop->targets = hl_arena_extend(graph->arena, hop->targets, hop->nr_targets,
				       sizeof(*hop->targets));
	hop->targets[hop->nr_targets++] = hl_arena_strdup(graph->arena, target);
	hop->target = hop->targets[0];
}

struct hl_hop *hl_graph_find_hop(const struct hl_graph *graph, const char *name)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		if (!strcmp(graph->hops[i]->name, name))
			return graph->hops[i];
	}
	return NULL;
}

struct hl_measurement *hl_graph_add_measurement(struct hl_graph *graph, struct hl_hop *hop)
{
	struct hl_measurement *at = ADD(graph->arena, hop->measurements, hop->nr_measurements);

	hl_workload_init(&at->workload);
	at->hop = hop;
	at->rounds = NAN;
	at->steady_state = -1;
	at->cached_share = NAN;
	at->device_depth = NAN;
	at->cpu_user_pct = NAN;
	at->cpu_system_pct = NAN;
	at->cpu_pct = NAN;
	at->idle_pct = NAN;
	return at;
}

struct hl_disk *hl_graph_add_disk(struct hl_graph *graph, struct hl_hop *hop)
{
	struct hl_disk *disk = ADD(graph->arena, hop->disks, hop->nr_disks);

	for (int i = 0; i < 2; i++)
		disk->ios[i] = disk->merges[i] = disk->sectors[i] = disk->ticks_ms[i] = NAN;
	disk->in_queue_ms = NAN;
	disk->util_pct = NAN;
	return disk;
}

struct hl_rate *hl_graph_new_rate(struct hl_graph *graph)
{
	struct hl_rate *rate = hl_arena_alloc(graph->arena, sizeof(*rate));

	*rate = (struct hl_rate){
		.bw = NAN,
		.bw_low = NAN,
		.bw_high = NAN,
		.iops = NAN,
		.ios = NAN,
		.bytes = NAN,
		.runtime_ms = NAN,
		.zone_resets = NAN,
		.retransmits = NAN,
		.streams = NAN,
		.jitter_ns = NAN,
		.lost = NAN,
	};
	return rate;
}

struct hl_rate *hl_graph_add_rate(struct hl_graph *graph, struct hl_measurement *at,
				  enum hl_dir dir)
{
	at->dir[dir] = hl_graph_new_rate(graph);
	return at->dir[dir];
}

struct hl_latency *hl_graph_new_latency(struct hl_graph *graph)
{
	struct hl_latency *latency = hl_arena_alloc(graph->arena, sizeof(*latency));

	*latency = (struct hl_latency){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	return latency;
}

struct hl_chain *hl_graph_add_chain(struct hl_graph *graph)
{
	return ADD(graph->arena, graph->chains, graph->nr_chains);
}

struct hl_stage *hl_graph_add_stage(struct hl_graph *graph, struct hl_chain *chain)
{
	chain->stages = hl_arena_extend(graph->arena, chain->stages, chain->nr_stages,
					sizeof(*chain->stages));
	chain->stages[chain->nr_stages] = (struct hl_stage){
		.bw = NAN,
		.lat_ns = NAN,
		.noise = NAN,
		.factor = NAN,
		.factor_low = NAN,
		.factor_high = NAN,
		.lost_low = NAN,
		.lost_high = NAN,
	};
	return &chain->stages[chain->nr_stages++];
}

struct hl_loss *hl_graph_add_loss(struct hl_graph *graph)
{
	struct hl_loss *loss = ADD(graph->arena, graph->losses, graph->nr_losses);

	loss->bw = loss->bw_low = loss->bw_high = NAN;
	loss->factor = loss->factor_low = loss->factor_high = NAN;
	loss->share_pct = NAN;
	loss->lat_ns = loss->lat_from_ns = NAN;
	return loss;
}

struct hl_ladder *hl_graph_add_ladder(struct hl_graph *graph)
{
	return ADD(graph->arena, graph->ladders, graph->nr_ladders);
}

struct hl_step *hl_graph_add_step(struct hl_graph *graph, struct hl_ladder *ladder)
{
	ladder->steps = hl_arena_extend(graph->arena, ladder->steps, ladder->nr_steps,
					sizeof(*ladder->steps));
	ladder->steps[ladder->nr_steps] = (struct hl_step){ .bw = NAN };
	return &ladder->steps[ladder->nr_steps++];
}

struct hl_residual *hl_graph_add_residual(struct hl_graph *graph)
{
	struct hl_residual *residual = ADD(graph->arena, graph->residuals, graph->nr_residuals);

	residual->bw = NAN;
	return residual;
}

struct hl_ceiling *hl_graph_add_ceiling(struct hl_graph *graph)
{
	struct hl_ceiling *ceiling = ADD(graph->arena, graph->ceilings, graph->nr_ceilings);

	ceiling->bw = NAN;
	return ceiling;
}

struct hl_finding *hl_graph_add_finding(struct hl_graph *graph)
{
	struct hl_finding *finding = ADD(graph->arena, graph->findings, graph->nr_findings);

	finding->predicted_bw = NAN;
	return finding;
}

struct hl_verdict *hl_graph_add_verdict(struct hl_graph *graph)
{
	return ADD(graph->arena, graph->verdicts, graph->nr_verdicts);
}

struct hl_experiment *hl_graph_add_experiment(struct hl_graph *graph)
{
	return ADD(graph->arena, graph->experiments, graph->nr_experiments);
}

struct hl_series *hl_graph_add_series(struct hl_graph *graph)
{
	return ADD(graph->arena, graph->timeline, graph->nr_timeline);
}

void hl_series_add_point(struct hl_graph *graph, struct hl_series *series, double t_s, double value)
{
	series->points = hl_arena_extend(graph->arena, series->points, series->nr_points,
					 sizeof(*series->points));
	series->points[series->nr_points++] = (struct hl_point){ t_s, value };
}

struct hl_probe_status *hl_graph_add_probe_status(struct hl_graph *graph)
{
	return ADD(graph->arena, graph->probes, graph->nr_probes);
}

struct hl_input *hl_graph_add_input(struct hl_graph *graph)
{
	return ADD(graph->arena, graph->inputs, graph->nr_inputs);
}

void hl_graph_warn(struct hl_graph *graph, const char *format, ...)
{
	va_list args;

	graph->warnings = hl_arena_extend(graph->arena, graph->warnings, graph->nr_warnings,
					  sizeof(*graph->warnings));
	va_start(args, format);
	graph->warnings[graph->nr_warnings++] = hl_arena_vprintf(graph->arena, format, args);
	va_end(args);
}

static struct hl_fact *add_fact(struct hl_graph *graph, const struct hl_origin *origin,
				const char *key, enum hl_fact_type type)
{
	struct hl_fact *fact = ADD(graph->arena, graph->facts, graph->nr_facts);

	fact->host = hl_arena_strdup(graph->arena, origin->host);
	fact->node = hl_arena_strdup(graph->arena, origin->node);
	fact->source = hl_arena_strdup(graph->arena, origin->source);
	fact->key = key;
	fact->type = type;
	fact->before = NAN;
	return fact;
}

struct hl_fact *hl_graph_add_number(struct hl_graph *graph, const struct hl_origin *origin,
				    const char *key, double value)
{
	struct hl_fact *fact;

	if (isnan(value))
		return NULL;
	fact = add_fact(graph, origin, key, HL_FACT_NUMBER);
	fact->number = value;
	return fact;
}

struct hl_fact *hl_graph_add_string(struct hl_graph *graph, const struct hl_origin *origin,
				    const char *key, const char *value)
{
	struct hl_fact *fact;

	if (!value)
		return NULL;
	fact = add_fact(graph, origin, key, HL_FACT_STRING);
	fact->string = hl_arena_strdup(graph->arena, value);
	return fact;
}

struct hl_fact *hl_graph_add_boolean(struct hl_graph *graph, const struct hl_origin *origin,
				     const char *key, bool value)
{
	struct hl_fact *fact = add_fact(graph, origin, key, HL_FACT_BOOLEAN);

	fact->boolean = value;
	return fact;
}

const struct hl_fact *hl_graph_find_fact(const struct hl_graph *graph, const char *node,
					 const char *key)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (strcmp(fact->key, key))
			continue;
		if (!node || (fact->node && !strcmp(fact->node, node)))
			return fact;
	}
	return NULL;
}

void hl_finding_add_evidence(struct hl_graph *graph, struct hl_finding *finding,
			     const struct hl_fact *fact)
{
	if (!fact)
		return;
	finding->evidence = hl_arena_extend(graph->arena, finding->evidence, finding->nr_evidence,
					    sizeof(*finding->evidence));
	finding->evidence[finding->nr_evidence++] = fact;
}

void hl_finding_add_rival(struct hl_graph *graph, struct hl_finding *finding, const char *id)
{
	finding->rivals = hl_arena_extend(graph->arena, finding->rivals, finding->nr_rivals,
					  sizeof(*finding->rivals));
	finding->rivals[finding->nr_rivals++] = id;
}
