/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two hops of a run with facts beside their slots, for the tests of causes that rest on them.
 */
#ifndef TESTS_BESIDE_MAKER_H
#define TESTS_BESIDE_MAKER_H

#include "cause_maker.h"

struct beside {
	struct hl_graph *graph;
	struct hl_hop *before, *hop;
};

/* Reads of 128 KiB at depth 32 at both hops, in MiB/s; before 0 = there is no hop before. */
static inline struct beside make_beside(enum hl_layer layer, double before, double bw)
{
	struct run_row row = { "seq",        "iscsi",       .rw = HL_RW_READ,
			       .bs = 131072, .iodepth = 32, .lat = 10 * MS };
	struct beside made = { .graph = hl_graph_new() };

	if (before > 0) {
		row.iops = before * 8;
		made.before = add_runs(made.graph, "loopback", HL_LAYER_TARGET, &row, 1);
	}
	row.iops = bw * 8;
	made.hop = add_runs(made.graph, "virtio", layer, &row, 1);
	made.hop->after = made.before;
	return made;
}

static inline void free_beside(struct beside *made)
{
	hl_graph_free(made->graph);
}
#define BESIDE __attribute__((cleanup(free_beside)))

static inline void add_number(struct beside *made, const char *node, const char *key, double value)
{
	const struct hl_origin origin = { .node = node, .source = "made" };

	hl_graph_add_number(made->graph, &origin, key, value);
}

static inline void add_text(struct beside *made, const char *node, const char *key,
			    const char *text)
{
	const struct hl_origin origin = { .node = node, .source = "made" };

	hl_graph_add_string(made->graph, &origin, key, text);
}

static inline void add_flag(struct beside *made, const char *node, const char *key, bool value)
{
	const struct hl_origin origin = { .node = node, .source = "made" };

	hl_graph_add_boolean(made->graph, &origin, key, value);
}

#endif
