/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The datasheet as the top of every path.
 *
 * Source: graph->spec times graph->drives. Surprising: it is a hop like the others, so that a
 * path begins with it wherever hops are walked; and a sheet promises some kinds of I/O only, so the
 * same path has a top for one workload and none for the next.
 */
#include "hoploss/model.h"
#include "hoploss/spec.h"
#include <math.h>
#include <string.h>

double hl_sheet_bw(const struct hl_graph *graph, const struct hl_measurement *at, enum hl_dir dir)
{
	double bw;

	if (!graph->spec)
		return NAN;
	bw = hl_spec_bw(graph->spec, &at->workload, dir) * graph->drives;
	return isfinite(bw) && bw > 0 ? bw : NAN;
}

double hl_sheet_tolerance(const struct hl_graph *graph, const struct hl_measurement *at)
{
	double largest = NAN;

	for (size_t i = 0; graph->spec && i < graph->spec->nr_figures; i++) {
		if (graph->spec->figures[i].rw == at->workload.rw)
			largest = fmax(largest, graph->spec->figures[i].tolerance_pct / 100);
	}
	return largest >= 0 && largest < 1 ? largest : HL_SINGLE_NOISE;
}

static void add_ceiling(struct hl_graph *graph, unsigned nr_drives, const struct hl_measurement *at,
			enum hl_dir dir)
{
	double bw = hl_sheet_bw(graph, at, dir) / graph->drives;
	struct hl_ceiling *ceiling = hl_graph_add_ceiling(graph);
	const char *name = graph->spec->name;

	ceiling->layer = HL_LAYER_DATASHEET;
	ceiling->hop = at->hop;
	ceiling->at = at;
	ceiling->dir = dir;
	ceiling->bw = bw * nr_drives;
	if (nr_drives == 1) {
		ceiling->name = name;
		ceiling->formula = hl_arena_printf(graph->arena, "%.0f MB/s", bw / 1e6);
	} else {
		ceiling->name = hl_arena_printf(graph->arena, "%s x %u", name, nr_drives);
		ceiling->formula = hl_arena_printf(graph->arena, "%u x %.0f MB/s", nr_drives,
						   bw / 1e6);
	}
}

/* Returns whether the sheet speaks of it. */
static bool add_ceilings(struct hl_graph *graph, const struct hl_measurement *at)
{
	bool is_promised = false;

	for (int dir = 0; dir < HL_NR_DIRS; dir++) {
		if (at->experiment || !hl_figure_is_usable(at, dir) ||
		    isnan(hl_sheet_bw(graph, at, dir)))
			continue;
		add_ceiling(graph, graph->drives, at, dir);
		if (graph->drives > 1)
			add_ceiling(graph, 1, at, dir);
		is_promised = true;
	}
	return is_promised;
}

static struct hl_hop *find_top(const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		struct hl_hop *hop = graph->hops[i];

		if (hop->layer == HL_LAYER_DATASHEET && !hop->nr_measurements && !hop->after)
			return hop;
	}
	return NULL;
}

/* A hop of that name may have been given: hops are told apart by name in every report. */
static const char *name_top(struct hl_graph *graph)
{
	const char *name = graph->spec->name;

	if (graph->drives > 1)
		name = hl_arena_printf(graph->arena, "%s x %u", name, graph->drives);
	return hl_graph_find_hop(graph, name)
		       ? hl_arena_printf(graph->arena, "%s (datasheet)", name)
		       : name;
}

/* Before all others, as arrays of hops are in path order. */
static struct hl_hop *add_top(struct hl_graph *graph)
{
	struct hl_hop *top = hl_graph_add_hop(graph, name_top(graph));

	top->layer = HL_LAYER_DATASHEET;
	memmove(graph->hops + 1, graph->hops, (graph->nr_hops - 1) * sizeof(*graph->hops));
	graph->hops[0] = top;
	return top;
}

struct hl_hop *hl_sheet_fill(struct hl_graph *graph)
{
	struct hl_hop *top = find_top(graph);
	bool has_ceiling = false;

	for (size_t i = 0; i < graph->nr_ceilings; i++)
		has_ceiling |= graph->ceilings[i]->layer == HL_LAYER_DATASHEET;
	if (!graph->spec || has_ceiling)
		return top;
	for (size_t i = 0; i < graph->nr_hops; i++) {
		for (size_t k = 0; k < graph->hops[i]->nr_measurements; k++)
			has_ceiling |= add_ceilings(graph, graph->hops[i]->measurements[k]);
	}
	if (!top && has_ceiling)
		top = add_top(graph);
	for (size_t i = 0; top && i < graph->nr_hops; i++) {
		if (!graph->hops[i]->after && graph->hops[i] != top)
			graph->hops[i]->after = top;
	}
	return top;
}
