/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The waterfall before any format: which bars, how long, with which figures beside them. One for
 * every chain of the graph, in its order.
 */
#ifndef HOPLOSS_REPORTS_WATERFALL_H
#define HOPLOSS_REPORTS_WATERFALL_H

#include "hoploss/graph.h"

struct hl_bar {
	const struct hl_hop *hop; /* NULL for the sheet of one drive beside that of several */
	const char *name;
	const char *layer;            /* "drive+pool"; NULL = not said */
	double bw;                    /* bytes/s that arrive here */
	double before;                /* bytes/s one hop up; NAN for a top */
	double leaf_pct;              /* what arrives at the leaf of it */
	double lat_ns, lat_before_ns; /* mean, here and one hop up, where latencies add up; NAN */
	const struct hl_loss *loss;   /* NULL for a top */
	bool is_sheet;
	bool is_only;    /* no other loss in its chain */
	bool is_binding; /* what the verdict names */
};

struct hl_waterfall {
	const struct hl_chain *chain;
	const char *job;                  /* "seq-read-128k: read, 128 KiB, depth 32x4" */
	const struct hl_verdict *verdict; /* these NULL where there is none of this job */
	size_t verdict_index;             /* in the graph, nr_verdicts for none */
	const struct hl_ladder *ladder;
	const struct hl_residual *residual;
	struct hl_bar *bars;
	size_t nr_bars;
	double scale; /* bytes/s of the longest bar */
};

/* graph->nr_chains of them. */
struct hl_waterfall *hl_waterfall_all(struct hl_arena *arena, const struct hl_graph *graph);
/* Of the leaf's verdict that comes first, else its first; NULL when it has none of two bars. */
const struct hl_waterfall *hl_waterfall_worst(const struct hl_waterfall *all, size_t nr,
					      const struct hl_hop *leaf);
/* "binds", "masked", "gain" or NULL. */
const char *hl_waterfall_mark(const struct hl_bar *bar);

#endif
