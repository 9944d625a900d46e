/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the engine itself can do, as a ceiling.
 *
 * Source: slots against a LUN in RAM over loopback, recorded beside the rounds of the hop that is
 * measured by another engine than the one before. Surprising: the target of that LUN takes CPU of
 * the same machine, so the engine alone can do rather more.
 */
#include "hoploss/model.h"
#include "hoploss/sample.h"
#include <math.h>
#include <string.h>

#define NAME "engine"

static bool is_engine_alone(const struct hl_measurement *at)
{
	return at->experiment && !strcmp(at->experiment, HL_ENGINE_ALONE);
}

/* The same workload as it was measured in rounds. */
static const struct hl_measurement *find_plain(const struct hl_measurement *alone)
{
	for (size_t i = 0; i < alone->hop->nr_measurements; i++) {
		const struct hl_measurement *at = alone->hop->measurements[i];

		if (!at->experiment && hl_workload_is_same(&at->workload, &alone->workload))
			return at;
	}
	return NULL;
}

static void add_ceiling(struct hl_graph *graph, const struct hl_measurement *alone)
{
	const struct hl_measurement *plain = find_plain(alone);
	const struct hl_rate *rate = alone->dir[HL_DIR_READ];
	struct hl_ceiling *ceiling;

	if (!plain || !rate || !(rate->bw > 0))
		return;
	ceiling = hl_graph_add_ceiling(graph);
	ceiling->name = NAME;
	ceiling->layer = alone->hop->layer;
	ceiling->hop = alone->hop;
	ceiling->at = plain;
	ceiling->dir = HL_DIR_READ;
	ceiling->bw = rate->bw;
	ceiling->formula = hl_arena_printf(graph->arena,
					   "measured: engine %s against a LUN in RAM over loopback",
					   alone->workload.engine ? alone->workload.engine : "?");
}

void hl_model_engine_ceilings(struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		const struct hl_hop *hop = graph->hops[i];

		for (size_t k = 0; k < hop->nr_measurements; k++) {
			if (is_engine_alone(hop->measurements[k]))
				add_ceiling(graph, hop->measurements[k]);
		}
	}
}

double hl_model_engine_bw(const struct hl_graph *graph, const struct hl_measurement *at,
			  enum hl_dir dir)
{
	for (size_t i = 0; i < graph->nr_ceilings; i++) {
		const struct hl_ceiling *ceiling = graph->ceilings[i];

		if (ceiling->at == at && ceiling->dir == dir && !strcmp(ceiling->name, NAME))
			return ceiling->bw;
	}
	return NAN;
}
