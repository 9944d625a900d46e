/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The outline of a report: see outline.h.
 */
#include "outline.h"
#include <string.h>

#define MAX_PATHS     12 /* of a file of a thousand results nobody reads a thousand waterfalls */
#define LEAST_HEADING 24 /* characters */

/* The first job of leaf whose latencies add up. */
static void add_stack(struct hl_outline *outline, struct hl_outline_path *path,
		      const struct hl_waterfall *all)
{
	for (size_t i = 0; i < outline->graph->nr_chains && !path->stack; i++) {
		if (all[i].chain->leaf != path->leaf)
			continue;
		path->stack_bars = hl_bars_stack(outline->arena, &all[i]);
		path->stack = hl_columns_stack(outline->arena, &all[i]);
	}
}

static void add_path(struct hl_outline *outline, const struct hl_waterfall *all,
		     const struct hl_hop *leaf)
{
	size_t nr = outline->graph->nr_chains;
	const struct hl_waterfall *worst = hl_waterfall_worst(all, nr, leaf);
	struct hl_arena *arena = outline->arena;
	struct hl_outline_path *path;

	if (!worst)
		return;
	outline->paths = hl_arena_extend(arena, outline->paths, outline->nr_paths,
					 sizeof(*outline->paths));
	path = &outline->paths[outline->nr_paths++];
	path->leaf = leaf;
	path->bars = hl_bars_waterfall(arena, worst);
	path->waterfall = hl_columns_waterfall(arena, worst);
	path->ladder_bars = hl_bars_ladder(arena, worst);
	path->ladder = hl_columns_ladder(arena, worst);
	path->jobs = hl_columns_jobs(arena, all, nr, leaf);
	if (!hl_columns_has_hops(outline->graph) || (path->jobs && path->jobs->nr_rows < 2))
		path->jobs = NULL;
	add_stack(outline, path, all);
}

static void want_leaf(struct hl_outline *outline, const struct hl_waterfall *all,
		      const struct hl_hop *leaf)
{
	for (size_t i = 0; i < outline->nr_paths; i++) {
		if (outline->paths[i].leaf == leaf)
			return;
	}
	if (outline->nr_paths < MAX_PATHS)
		add_path(outline, all, leaf);
	else
		outline->has_more_paths = true;
}

/* Leaves in the order of their verdicts, the worst first; those without one after them. */
static void add_paths(struct hl_outline *outline)
{
	const struct hl_graph *graph = outline->graph;
	const struct hl_waterfall *all = hl_waterfall_all(outline->arena, graph);

	for (size_t i = 0; i < graph->nr_verdicts; i++)
		want_leaf(outline, all, graph->verdicts[i]->leaf);
	for (size_t i = 0; i < graph->nr_chains; i++)
		want_leaf(outline, all, graph->chains[i]->leaf);
}

static void add_grids(struct hl_outline *outline)
{
	struct hl_arena *arena = outline->arena;
	const struct hl_graph *graph = outline->graph;

	outline->residuals = hl_columns_residuals(arena, graph, false);
	outline->measurements = hl_columns_measurements(arena, graph);
	outline->ceilings = hl_columns_ceilings(arena, graph, false);
	outline->experiments = hl_columns_experiments(arena, graph);
	outline->timeline = hl_columns_timeline(arena, graph);
	outline->fact_groups = hl_columns_fact_groups(arena, graph);
	outline->facts = hl_columns_facts(arena, graph, &outline->fact_groups);
	outline->probes = hl_columns_probes(arena, graph);
	outline->inputs = hl_columns_inputs(arena, graph, false);
}

static const char *identities(const struct hl_graph *graph, const struct hl_report_style *style)
{
	if (style->is_anonymised)
		return "Holds serials or addresses: no, they were replaced.";
	return graph->has_identities ? "Holds serials or addresses: yes; --anonymize replaces them."
				     : "Holds serials or addresses: no.";
}

/* The first clause of the headline is the heading where it says enough to be one. */
static void split_headline(struct hl_outline *outline)
{
	const char *text = outline->headline;

	outline->heading = text;
	for (const char *at = text; *at; at++) {
		if (at - text < LEAST_HEADING || at[1] != ' ' || !strchr(".;", *at))
			continue;
		outline->heading = hl_arena_strndup(outline->arena, text, at - text);
		outline->lead = at + 2;
		return;
	}
}

static size_t nr_nodes(const struct hl_graph *graph)
{
	size_t nr = 0;

	for (size_t i = 0; i < graph->nr_facts; i++) { /* sorted by host and node */
		const char *node = graph->facts[i]->node, *before;

		before = i ? graph->facts[i - 1]->node : NULL;
		nr += !i || strcmp(node ? node : "", before ? before : "") != 0;
	}
	return nr;
}

static const char *without_verdict(const struct hl_outline *outline)
{
	const struct hl_graph *graph = outline->graph;
	size_t nr = nr_nodes(graph);

	if (graph->nr_hops || !graph->nr_facts)
		return "No verdict: nothing here can be compared.";
	return hl_arena_printf(outline->arena,
			       "Nothing found: no cause speaks of the facts below, %zu about %zu "
			       "thing%s. Nothing was measured.",
			       graph->nr_facts, nr, nr > 1 ? "s" : "");
}

struct hl_outline *hl_outline_new(const struct hl_graph *graph, const struct hl_report_style *style)
{
	struct hl_arena *arena = hl_arena_new();
	struct hl_outline *outline = hl_arena_alloc(arena, sizeof(*outline));

	outline->arena = arena;
	outline->graph = graph;
	outline->verdict = graph->nr_verdicts ? graph->verdicts[0] : NULL;
	outline->headline = outline->verdict ? outline->verdict->text : without_verdict(outline);
	split_headline(outline);
	outline->identities = identities(graph, style);
	add_paths(outline);
	add_grids(outline);
	return outline;
}

void hl_outline_add_long(struct hl_outline *outline)
{
	struct hl_arena *arena = outline->arena;
	const struct hl_graph *graph = outline->graph;

	outline->latencies = hl_columns_latencies(arena, graph);
	outline->losses = hl_columns_losses(arena, graph);
	outline->all_residuals = hl_columns_residuals(arena, graph, true);
	outline->all_ceilings = hl_columns_ceilings(arena, graph, true);
	outline->all_facts = hl_columns_facts(arena, graph, NULL);
	outline->all_inputs = hl_columns_inputs(arena, graph, true);
}

void hl_outline_free(struct hl_outline *outline)
{
	if (outline)
		hl_arena_free(outline->arena);
}

void hl_outline_cleanup(struct hl_outline **outline)
{
	hl_outline_free(*outline);
}
