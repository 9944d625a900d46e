/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a diagnosis comes to where nothing was measured, or where something is wrong that no hop is
 * known to stand on: saved files tell of a link at half its width, but not whose path it is on.
 */
#include "verdict.h"
#include <string.h>

/* The first of the best state. */
static const struct hl_finding *best_finding(const struct hl_graph *graph)
{
	const struct hl_finding *best = NULL;

	for (size_t i = 0; i < graph->nr_findings; i++) {
		if (!best || graph->findings[i]->state < best->state)
			best = graph->findings[i];
	}
	return best;
}

static const char *others_text(struct hl_graph *graph)
{
	size_t nr = graph->nr_findings - 1;

	if (!nr)
		return "";
	return hl_arena_printf(graph->arena, " %zu more finding%s below.", nr, nr > 1 ? "s" : "");
}

void hl_verdict_add_of_facts(struct hl_graph *graph)
{
	const struct hl_finding *finding = best_finding(graph);
	struct hl_verdict *verdict;

	if (!finding)
		return;
	verdict = hl_graph_add_verdict(graph);
	verdict->layers = finding->layer == HL_LAYER_NONE ? 0 : 1U << finding->layer;
	verdict->cause = finding->id;
	verdict->state = finding->state;
	verdict->text = hl_arena_printf(
		graph->arena, "%s.%s Nothing was measured, so what it costs is not known",
		hl_verdict_sentence(graph, finding->text ? finding->text : finding->id),
		others_text(graph));
}

const char *hl_verdict_besides(struct hl_graph *graph)
{
	const char *text = NULL;
	const char *last = NULL;

	for (size_t i = 0; i < graph->nr_findings; i++) {
		const struct hl_finding *finding = graph->findings[i];

		if (finding->hop || finding->state != HL_CONFIRMED ||
		    (last && !strcmp(last, finding->id)))
			continue;
		last = finding->id;
		text = hl_arena_printf(graph->arena, "%s%s%s", text ? text : "", text ? ", " : "",
				       finding->id);
	}
	return text;
}
