/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The outline of a report that people read: which parts, in which order, with which tables. Text,
 * HTML and Markdown each print it in their own way.
 */
#ifndef HOPLOSS_REPORTS_OUTLINE_H
#define HOPLOSS_REPORTS_OUTLINE_H

#include "bars.h"
#include "columns.h"
#include "hoploss/report.h"

/* One leaf: its worst job in full, all of its jobs in a table. */
struct hl_outline_path {
	const struct hl_hop *leaf;
	struct hl_bars *bars; /* of the worst job, and its table */
	struct hl_grid *waterfall;
	struct hl_bars *ladder_bars; /* of the same job; NULL */
	struct hl_grid *ladder;
	struct hl_bars *stack_bars; /* of the first job whose latencies add up; NULL */
	struct hl_grid *stack;
	struct hl_grid *jobs; /* NULL where there is but one */
};

struct hl_outline {
	struct hl_arena *arena;
	const struct hl_graph *graph;
	const struct hl_verdict *verdict; /* NULL = none was reached */
	const char *headline;             /* all that the verdict says */
	const char *heading; /* its first clause, and the rest of it: NULL when that is all */
	const char *lead;
	const char *identities; /* "holds serials or addresses: no" */
	struct hl_outline_path *paths;
	size_t nr_paths;
	bool has_more_paths;               /* further leaves: too many to show */
	struct hl_fact_groups fact_groups; /* tables before "facts" */
	/* NULL where there is nothing to show, in the order of the report. */
	struct hl_grid *residuals, *measurements, *ceilings, *experiments, *timeline, *facts,
		*probes, *inputs;
	/* The long ones, NULL until hl_outline_add_long. */
	struct hl_grid *latencies, *losses, *all_residuals, *all_ceilings, *all_facts, *all_inputs;
};

/* Belongs to the caller: hl_outline_free. The graph must outlive it. */
struct hl_outline *hl_outline_new(const struct hl_graph *graph,
				  const struct hl_report_style *style);
/* For reports in which a reader can skip or fold away what is long. */
void hl_outline_add_long(struct hl_outline *outline);
void hl_outline_free(struct hl_outline *outline); /* NULL allowed */
void hl_outline_cleanup(struct hl_outline **outline);
#define HL_OUTLINE __attribute__((cleanup(hl_outline_cleanup)))

#endif
