/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts gathered by host and kind (what stands before the point of the key), with the things that
 * have them: what compact tables are made of.
 */
#ifndef HOPLOSS_REPORTS_FACT_GROUPS_H
#define HOPLOSS_REPORTS_FACT_GROUPS_H

#include "hoploss/graph.h"

struct hl_fact_group {
	const char *host;
	const char *kind; /* "pcie" */
	size_t kind_len;
	const char **nodes;
	size_t nr_nodes;
	const char **keys;
	size_t nr_keys;
	const struct hl_fact **facts;
	size_t nr_facts;
};

struct hl_fact_gathered {
	struct hl_arena *arena;
	struct hl_fact_group *items;
	size_t nr;
};

struct hl_fact_gathered hl_fact_gather(struct hl_arena *arena, const struct hl_graph *graph);
/* Leaves only keys that several things have, and the things that have one of them. */
void hl_fact_group_keep_common(struct hl_arena *arena, struct hl_fact_group *group);
/* The index of the first fact of that node and key, or where it would stand. */
size_t hl_fact_group_find(const struct hl_fact_group *group, const char *node, const char *key);
bool hl_fact_group_has(const struct hl_fact_group *group, const char *node, const char *key);
/* Its value, both where two sources tell it differently; NULL = none. */
const char *hl_fact_group_cell(struct hl_arena *arena, const struct hl_fact_group *group,
			       const char *node, const char *key);
/* The files that all of it was read from; NULL if they are many. */
const char *hl_fact_group_files(struct hl_arena *arena, const struct hl_fact_group *group);

#endif
