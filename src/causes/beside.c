/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts beside a measurement: see hoploss/beside.h.
 */
#include "hoploss/beside.h"
#include "hoploss/model.h"
#include "hoploss/place.h"
#include <math.h>
#include <string.h>

/* Is node HOP/JOB? */
static bool is_of(const char *node, const struct hl_measurement *at)
{
	size_t len = strlen(at->hop->name);

	return node && at->workload.name && !strncmp(node, at->hop->name, len) &&
	       node[len] == '/' && !strcmp(node + len + 1, at->workload.name);
}

const struct hl_fact *hl_beside_fact_at(const struct hl_graph *graph,
					const struct hl_measurement *at, const char *key,
					size_t index)
{
	const struct hl_fact *fact;

	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, key, i)); i++) {
		if (is_of(fact->node, at) && index-- == 0)
			return fact;
	}
	return NULL;
}

const struct hl_fact *hl_beside_fact(const struct hl_graph *graph, const struct hl_measurement *at,
				     const char *key)
{
	return hl_beside_fact_at(graph, at, key, 0);
}

double hl_beside_number(const struct hl_graph *graph, const struct hl_measurement *at,
			const char *key)
{
	const struct hl_fact *fact = hl_beside_fact(graph, at, key);

	return fact && fact->type == HL_FACT_NUMBER ? fact->number : NAN;
}

const struct hl_measurement *hl_beside_before(const struct hl_trial *trial)
{
	const struct hl_hop *hop = trial->at->hop;

	while ((hop = hop->after)) {
		const struct hl_measurement *before = hl_pair_find(hop, trial->at, trial->dir);

		if (before)
			return before;
	}
	return NULL;
}

void hl_beside_predict(struct hl_finding *finding, const struct hl_trial *trial,
		       const struct hl_measurement *before)
{
	if (!before)
		return;
	finding->predicted_bw = before->dir[trial->dir]->bw;
	finding->predicted_kind = HL_AT_MOST;
}

const char *hl_beside_job(const struct hl_measurement *at)
{
	return at->workload.name ? at->workload.name : "the job";
}
