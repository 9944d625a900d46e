/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a report, each built from its columns once for all formats. All are NULL when there
 * is nothing to put into them.
 */
#ifndef HOPLOSS_REPORTS_COLUMNS_H
#define HOPLOSS_REPORTS_COLUMNS_H

#include "grid.h"
#include "waterfall.h"

/* Rows whose items are an array of nr pointers in the graph. */
struct hl_row *hl_columns_rows(struct hl_arena *arena, const struct hl_graph *graph,
			       const void *items, size_t nr);
/* More than one hop was measured, so that tables must say which. */
bool hl_columns_has_hops(const struct hl_graph *graph);

/* What was measured (columns_hops.c). */
struct hl_grid *hl_columns_measurements(struct hl_arena *arena, const struct hl_graph *graph);
struct hl_grid *hl_columns_latencies(struct hl_arena *arena, const struct hl_graph *graph);

/* Where it is lost (columns_path.c). */
struct hl_grid *hl_columns_waterfall(struct hl_arena *arena, const struct hl_waterfall *waterfall);
struct hl_grid *hl_columns_stack(struct hl_arena *arena, const struct hl_waterfall *waterfall);
struct hl_grid *hl_columns_ladder(struct hl_arena *arena, const struct hl_waterfall *waterfall);

/* The same of all paths (columns_jobs.c). A row a job, a column a hop: all chains that end at leaf.
 */
struct hl_grid *hl_columns_jobs(struct hl_arena *arena, const struct hl_waterfall *all, size_t nr,
				const struct hl_hop *leaf);
struct hl_grid *hl_columns_losses(struct hl_arena *arena, const struct hl_graph *graph);
/* Not complete: only those that are worth a line. */
struct hl_grid *hl_columns_residuals(struct hl_arena *arena, const struct hl_graph *graph,
				     bool is_complete);

/* Facts that several things of one host have, in compact tables (columns_facts.c). */
struct hl_fact_groups {
	struct hl_grid **grids;
	size_t nr_grids;
	const struct hl_fact **keys; /* one of each host and key that is in them */
	size_t nr_keys;
};

struct hl_fact_groups hl_columns_fact_groups(struct hl_arena *arena, const struct hl_graph *graph);
bool hl_columns_is_grouped(const struct hl_fact_groups *groups, const struct hl_fact *fact);

/* What is known besides (columns_state.c). */
/* All, or only those that no waterfall shows as its top. */
struct hl_grid *hl_columns_ceilings(struct hl_arena *arena, const struct hl_graph *graph,
				    bool is_complete);
struct hl_grid *hl_columns_evidence(struct hl_arena *arena, const struct hl_finding *finding);
/* All, or only those that are evidence of no finding and in none of the groups. */
struct hl_grid *hl_columns_facts(struct hl_arena *arena, const struct hl_graph *graph,
				 const struct hl_fact_groups *groups);
struct hl_grid *hl_columns_timeline(struct hl_arena *arena, const struct hl_graph *graph);

/* What became of each (columns_inputs.c). */
struct hl_grid *hl_columns_experiments(struct hl_arena *arena, const struct hl_graph *graph);
struct hl_grid *hl_columns_probes(struct hl_arena *arena, const struct hl_graph *graph);
/*
 * All pieces of what was given, or, where they are of one kind, only those of files with more in
 * them than was read.
 */
struct hl_grid *hl_columns_inputs(struct hl_arena *arena, const struct hl_graph *graph,
				  bool is_complete);
/*
 * "post.txt: lines 1-4, 40": what was taken for text between results in the next file that has
 * any, from input *cursor on (start with 0); NULL when no file is left.
 */
const char *hl_columns_prose(struct hl_arena *arena, const struct hl_graph *graph, size_t *cursor);

#endif
