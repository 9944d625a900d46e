/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The iSCSI engine's own ceiling, where it follows another engine in the path: what lies between
 * two engines may be the second one. It is measured once, after the first round, on the host of
 * that hop.
 */
#include "run.h"
#include <math.h>
#include <string.h>

#define WARMUP_S  0.2
#define LONGEST_S 0.5

static bool is_measured(const struct hl_run *run, size_t hop)
{
	return !isnan(run->sizes[hop]) && !run->stops[hop];
}

static bool is_iscsi(const struct hl_run *run, size_t hop)
{
	return !strcmp(run->hops[hop].kind, "iscsi");
}

/* The nearest hop before it that is measured is measured by another engine. */
static bool is_change(const struct hl_run *run, size_t hop)
{
	const struct hl_path_hop *first = run->options.path->hops, *at = first[hop].after;

	if (!is_measured(run, hop) || !is_iscsi(run, hop))
		return false;
	while (at && !is_measured(run, (size_t)(at - first)))
		at = at->after;
	return at && !is_iscsi(run, (size_t)(at - first));
}

static int calibrate(struct hl_run *run, size_t hop, const struct hl_workload *workload,
		     struct hl_bundle *bundle, struct hl_error *err)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_job job = {
		.workload = *workload,
		.seed = run->options.seed,
		.warmup = WARMUP_S,
		.seconds = fmin(run->plan.seconds, LONGEST_S),
	};
	double start_s = (double)(hl_clock_ns() - run->start_ns) / 1e9;
	HL_FREE char *line = NULL;
	struct hl_sample sample;
	struct hl_error why;

	if (hl_agent_calibrate(run_agent_of(run, hop), &(struct hl_slot_request){ .job = &job },
			       graph, &sample, &why) < 0)
		sample = run_sample_of_failure(workload, why.text, why.code);
	sample.start_s = start_s;
	sample.hop = run->hops[hop].hop->name;
	sample.experiment = HL_ENGINE_ALONE;
	sample.workload.name = hl_arena_printf(graph->arena, "%s/engine", workload->name);
	line = hl_sample_print(&sample);
	return hl_bundle_add_sample(bundle, line, err);
}

int run_calibrate(struct hl_run *run, struct hl_bundle *bundle, struct hl_error *err)
{
	int rc = 0;

	for (size_t hop = 0; hop < run->options.path->nr_hops; hop++) {
		for (size_t w = 0; rc == 0 && is_change(run, hop) && w < run->plan.nr_workloads;
		     w++) {
			const struct hl_workload *workload = &run->plan.workloads[w];

			if (!hl_rw_writes(workload->rw) && !hl_run_misfit(run, hop, w))
				rc = calibrate(run, hop, workload, bundle, err);
		}
	}
	return rc;
}
