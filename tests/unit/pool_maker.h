/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pool of ZFS with one volume in facts, and a hop that reads and writes it, for the tests of
 * causes.
 */
#ifndef TESTS_POOL_MAKER_H
#define TESTS_POOL_MAKER_H

#include "cause_maker.h"

struct fact_row {
	const char *node, *key;
	double number;
	const char *text; /* "yes" and "no" are booleans; NULL = the number */
};

#define NUMBER(node, key, number)                                                                  \
	{                                                                                          \
		node, key, number, NULL                                                            \
	}
#define TEXT(node, key, text)                                                                      \
	{                                                                                          \
		node, key, 0, text                                                                 \
	}

static inline void add_fact_rows(struct hl_graph *graph, const struct fact_row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct hl_origin origin = { .node = rows[i].node, .source = "made" };
		const char *text = rows[i].text;

		if (!text)
			hl_graph_add_number(graph, &origin, rows[i].key, rows[i].number);
		else if (!strcmp(text, "yes") || !strcmp(text, "no"))
			hl_graph_add_boolean(graph, &origin, rows[i].key, *text == 'y');
		else
			hl_graph_add_string(graph, &origin, rows[i].key, text);
	}
}

#define ADD_FACTS(graph, rows) add_fact_rows(graph, rows, sizeof(rows) / sizeof(*(rows)))

static const struct fact_row pool_facts[] = {
	NUMBER("tank/vol", "zfs.volblocksize", 16384),
	TEXT("tank/vol", "zfs.sync", "standard"),
	TEXT("tank/vol", "zvol.pool", "tank"),
	TEXT("tank", "zpool.layout", "raidz1 of 5"),
	TEXT("tank", "zpool.devices", "sda sdb sdc sdd sde"),
	NUMBER("tank", "zpool.parity", 1),
	NUMBER("tank", "zpool.vdev_data_disks", 4),
	NUMBER("tank", "zpool.ashift", 12),
	TEXT("tank", "zpool.has_slog", "no"),
	TEXT("sda", "block.is_rotational", "yes"),
};

static inline void put_on(struct hl_graph *graph, struct hl_hop *hop, const char *target)
{
	hop->target = target;
	hop->targets = hl_arena_alloc(graph->arena, sizeof(*hop->targets));
	memcpy(hop->targets, &target, sizeof(target));
	hop->nr_targets = 1;
}

/* A hop "zvol" with those jobs on that volume, behind a hop "raw" with the others, if any. */
static inline struct hl_hop *make_zvol(struct hl_graph *graph, const struct run_row *rows,
				       size_t nr, const struct run_row *raw, size_t nr_raw)
{
	struct hl_hop *before = nr_raw ? add_runs(graph, "raw", HL_LAYER_DRIVE, raw, nr_raw) : NULL;
	struct hl_hop *hop = add_runs(graph, "zvol", HL_LAYER_POOL, rows, nr);

	hop->after = before;
	put_on(graph, hop, "/dev/zvol/tank/vol");
	return hop;
}

#endif
