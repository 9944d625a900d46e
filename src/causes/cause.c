/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding a cause by its id, running all of them, and what their findings have in common.
 */
#include "hoploss/cause.h"
#include "hoploss/model.h"
#include <string.h>

const struct hl_cause *hl_cause_find(const char *id)
{
	for (const struct hl_cause *const *cause = hl_causes; *cause; cause++) {
		if (!strcmp((*cause)->id, id))
			return *cause;
	}
	return NULL;
}

void hl_causes_match(struct hl_graph *graph)
{
	for (const struct hl_cause *const *cause = hl_causes; *cause; cause++)
		(*cause)->match(graph, *cause);
}

struct hl_finding *hl_cause_found(struct hl_graph *graph, const struct hl_cause *cause,
				  const struct hl_hop *hop, const struct hl_measurement *at,
				  enum hl_dir dir)
{
	struct hl_finding *finding = hl_graph_add_finding(graph);
	const struct hl_measurement *of_all = hop && at ? hl_pair_find(hop, at, dir) : NULL;

	finding->id = cause->id;
	finding->layer = cause->layer;
	finding->hop = hop;
	finding->at = of_all ? of_all : at;
	finding->dir = dir;
	finding->state = HL_SUSPECTED;
	for (size_t i = 0; cause->rivals && cause->rivals[i]; i++)
		hl_finding_add_rival(graph, finding, cause->rivals[i]);
	return finding;
}
