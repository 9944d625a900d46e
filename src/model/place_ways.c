/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ways between places: which fact keys name other nodes, and how their values are written. To
 * add a relation: one row in the table below.
 */
#include "place_map.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the facts that are relations ---- */

/* How a value is written. */
enum notation {
	NODE,      /* the name of one node, blanks and all */
	NODES,     /* several, by blanks */
	FUNCTIONS, /* PCI addresses, by blanks or commas or semicolons */
	WORD,      /* a path or a volume */
};

enum direction {
	DOWN = 1, /* what the fact is of stands on what its value names */
	UP = 2,   /* the other way round */
};

static const struct relation {
	const char *key;
	enum notation notation;
	unsigned directions;
} relations[] = {
	{ "block.backing_file", WORD, DOWN },
	{ "block.below", NODES, DOWN },
	{ "block.controller", NODE, DOWN },
	{ "block.pci_address", FUNCTIONS, DOWN },
	{ "block.session", NODE, DOWN },
	{ "block.zvol", NODE, DOWN | UP },
	{ "iscsi.disks", NODES, UP },
	{ "iscsi.nic", NODE, DOWN },
	{ "link.below", NODES, DOWN },
	{ "link.pci_address", FUNCTIONS, DOWN | UP },
	{ "link.pf", NODE, DOWN },
	{ "mapping.address", FUNCTIONS, DOWN },
	{ "mount.device", NODE, DOWN },
	{ "passthrough.address", FUNCTIONS, DOWN },
	{ "passthrough.mapping", NODE, DOWN },
	{ "pcie.parent", FUNCTIONS, DOWN },
	{ "pcie.physfn", FUNCTIONS, DOWN },
	{ "route.device", NODE, DOWN },
	{ "target.backing", WORD, DOWN },
	{ "vdisk.source", WORD, DOWN },
	{ "vf.pci_address", FUNCTIONS, DOWN | UP },
	{ "vnic.bridge", NODE, DOWN },
	{ "vnic.host_address", FUNCTIONS, DOWN },
	{ "vnic.host_device", NODE, DOWN },
	{ "zpool.devices", NODES, DOWN },
	{ "zvol.pool", NODE, DOWN },
};

static void add_word(struct hl_places *map, enum notation notation, const char *host,
		     const char *word, struct place_list *list)
{
	if (notation == FUNCTIONS)
		place_resolve_functions(map, host, word, list);
	else if (notation == NODES)
		place_resolve(map, host, word, list);
	else
		place_resolve_device(map, host, word, list);
}

static void read_value(struct hl_places *map, const struct relation *relation, const char *host,
		       const char *value, struct place_list *list)
{
	const char *ends = relation->notation == FUNCTIONS ? " ,;" : " ";

	if (relation->notation == WORD) {
		place_resolve(map, host, value, list);
		return;
	}
	if (relation->notation == NODE) {
		add_word(map, NODE, host, value, list);
		return;
	}
	while (*(value += strspn(value, ends))) {
		size_t len = strcspn(value, ends);
		HL_FREE char *word = hl_strndup(value, len);

		add_word(map, relation->notation, host, word, list);
		value += len;
	}
}

static void draw_relation(struct hl_places *map, const struct relation *relation)
{
	size_t nr;
	const struct place_sorted *facts = place_map_of_key(map, relation->key, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct hl_fact *fact = facts[i].fact;
		struct place *place = place_map_get(map, fact->host, fact->node);
		struct place_list list = { 0 };

		read_value(map, relation, place->host, place_text(fact), &list);
		for (size_t j = 0; j < list.nr; j++) {
			if (relation->directions & DOWN)
				place_map_join(map, place, list.items[j]);
			if (relation->directions & UP)
				place_map_join(map, list.items[j], place);
		}
	}
}

/* The names that a device has in /dev: places that stand on it. */
static void draw_links(struct hl_places *map)
{
	size_t nr;
	const struct place_sorted *facts = place_map_of_key(map, "block.links", &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct hl_fact *fact = facts[i].fact;
		struct place *place = place_map_get(map, fact->host, fact->node);
		const char *names = place_text(fact);

		while (*(names += strspn(names, " "))) {
			size_t len = strcspn(names, " ");
			HL_FREE char *name = hl_printf("/dev/%.*s", (int)len, names);

			place_map_join(map, place_map_get(map, place->host, name), place);
			names += len;
		}
	}
}

/* A data set that is mounted stands in its pool; it has no fact of its own that says so. */
static void draw_datasets(struct hl_places *map)
{
	size_t nr;
	const struct place_sorted *facts = place_map_of_key(map, "mount.device", &nr);

	for (size_t i = 0; i < nr; i++) {
		const char *device = place_text(facts[i].fact), *slash = strchr(device, '/');
		HL_FREE char *pool = slash ? hl_strndup(device, (size_t)(slash - device)) : NULL;
		struct place *place = pool && *pool ? place_map_find(map, facts[i].fact->host, pool)
						    : NULL;

		if (place)
			place_map_join(map, place_map_get(map, facts[i].fact->host, device), place);
	}
}

/* A LUN is served by its target. */
static void draw_targets(struct hl_places *map)
{
	size_t nr;
	const struct place_sorted *facts = place_map_of_key(map, "target.backing", &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct hl_fact *fact = facts[i].fact;
		const char *slash = fact->node ? strrchr(fact->node, '/') : NULL;
		HL_FREE char *iqn = slash ? hl_strndup(fact->node, (size_t)(slash - fact->node))
					  : NULL;
		struct place *target = iqn ? place_map_find(map, fact->host, iqn) : NULL;

		if (target)
			place_map_join(map, place_map_get(map, fact->host, fact->node), target);
	}
}

/* A drive's session leads to the LUN that it is. */
static void draw_luns(struct hl_places *map)
{
	size_t nr;
	const struct place_sorted *facts = place_map_of_key(map, "block.session", &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct hl_fact *fact = facts[i].fact, *lun;
		struct place *place = place_map_get(map, fact->host, fact->node);
		HL_FREE char *iqn = hl_strndup(place_text(fact), strcspn(place_text(fact), "@"));
		struct place_list list = { 0 };
		char number[32] = "";

		lun = place_map_fact(place, "block.lun");
		if (lun && lun->type == HL_FACT_NUMBER)
			snprintf(number, sizeof(number), "%.0f", lun->number);
		place_resolve_lun(map, place_map_find(map, fact->host, place_text(fact)), iqn,
				  number, &list);
		/* without its number only where the target has but one */
		for (size_t j = 0; j < list.nr && (lun || list.nr == 1); j++)
			place_map_join(map, place, list.items[j]);
	}
}

/* "eth0/vf3" is a function of the card behind eth0; it carries what that carries. */
static void draw_vfs(struct hl_places *map)
{
	for (size_t i = 0; i < map->nr_by_key; i++) {
		const struct hl_fact *fact = map->by_key[i].fact;
		const char *slash = fact->node ? strstr(fact->node, "/vf") : NULL;
		HL_FREE char *nic = NULL;

		if (!slash || strncmp(fact->key, "vf.", 3) != 0)
			continue;
		nic = hl_strndup(fact->node, (size_t)(slash - fact->node));
		place_map_join(map, place_map_get(map, fact->host, fact->node),
			       place_map_get(map, fact->host, nic));
	}
}

/* "0000:01:00.0/Composite" is a sensor of the function. */
static void draw_sensors(struct hl_places *map)
{
	size_t nr;
	const struct place_sorted *facts = place_map_of_key(map, "thermal.temperature_c", &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct hl_fact *fact = facts[i].fact;
		const char *slash = fact->node ? strchr(fact->node, '/') : NULL;
		HL_FREE char *chip = slash ? hl_strndup(fact->node, (size_t)(slash - fact->node))
					   : NULL;

		if (chip)
			place_map_join(map, place_map_get(map, fact->host, chip),
				       place_map_get(map, fact->host, fact->node));
	}
}

void place_ways_draw(struct hl_places *map)
{
	draw_links(map); /* first: the others look their names up */
	for (size_t i = 0; i < sizeof(relations) / sizeof(*relations); i++)
		draw_relation(map, &relations[i]);
	draw_datasets(map);
	draw_targets(map);
	draw_luns(map);
	draw_vfs(map);
	draw_sensors(map);
	place_guest_draw(map);
}
