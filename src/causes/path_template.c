/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Path files to fill in: see hoploss/path_template.h. The hops are a table in path order; each is
 * there for leaves of certain layers.
 */
#include "hoploss/path_template.h"
#include "hoploss/spec.h"
#include <string.h>

#define MOST_DRIVES 24 /* lines of them; whoever has more knows how to go on */

#define OF(layer) (1u << HL_LAYER_##layer)
/* Behind a network; a leaf whose layer is not said may be. */
#define REMOTE (OF(NONE) | OF(WIRE) | OF(VNIC) | OF(INITIATOR) | OF(FILESYSTEM))

struct place {
	const char *name, *host, *target;
	enum hl_layer layer;
	unsigned leaves; /* mask of their layers */
};

/* As the leaf it is the row of its layer; what is before it are the rows whose leaves it is of. */
static const struct place places[] = {
	{ "drives", "storage", "/dev/disk/by-id/DRIVE", HL_LAYER_DRIVE,
	  REMOTE | OF(POOL) | OF(TARGET) | OF(VDISK) },
	{ "volume", "storage", "/dev/zvol/POOL/VOLUME", HL_LAYER_POOL,
	  REMOTE | OF(TARGET) | OF(VDISK) },
	{ "loopback", "storage", "iscsi://PORTAL/IQN/0", HL_LAYER_TARGET, REMOTE },
	{ "network", "client", "iscsi://PORTAL/IQN/0", HL_LAYER_VNIC,
	  OF(NONE) | OF(INITIATOR) | OF(FILESYSTEM) },
	{ "initiator", "client", "/dev/disk/by-path/ip-PORTAL:3260-iscsi-IQN-lun-0",
	  HL_LAYER_INITIATOR, OF(NONE) | OF(FILESYSTEM) },
	{ "wire", "client", "iscsi://PORTAL/IQN/0", HL_LAYER_WIRE, 0 },
	{ "disk", "client", "/dev/disk/by-id/DISK", HL_LAYER_VDISK, 0 },
	{ "leaf", "client", "file:/MOUNTED/AT/hoploss.bin", HL_LAYER_FILESYSTEM, 0 },
};

#define NR_PLACES (sizeof(places) / sizeof(*places))

static const struct place *place_of(enum hl_layer layer)
{
	for (size_t i = 0; i < NR_PLACES; i++) {
		if (places[i].layer == layer)
			return &places[i];
	}
	return &places[NR_PLACES - 1]; /* a file can be made anywhere */
}

static const char *hop_text(struct hl_graph *graph, const struct place *place, const char *name)
{
	const char *text = hl_arena_printf(graph->arena, "[hop %s]\nhost = %s\nlayer = %s\n", name,
					   place->host, hl_layer_name(place->layer));

	if (place->layer == HL_LAYER_DRIVE) {
		for (unsigned i = 1; i <= graph->drives && i <= MOST_DRIVES; i++)
			text = hl_arena_printf(graph->arena, "%starget = %s-%u\n", text,
					       place->target, i);
		return text;
	}
	return hl_arena_printf(graph->arena, "%starget = %s\n%s", text, place->target,
			       place->layer == HL_LAYER_FILESYSTEM ? "size = 64G\n" : "");
}

/* A name of the user's that can stand in a section's head, and is none of ours. */
static const char *leaf_name(const struct hl_hop *leaf)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "._-";

	if (strspn(leaf->name, safe) != strlen(leaf->name) || strlen(leaf->name) > 32 ||
	    !*leaf->name || !strcmp(leaf->name, "sheet"))
		return "leaf";
	for (size_t i = 0; i < NR_PLACES; i++) {
		if (!strcmp(places[i].name, leaf->name))
			return "leaf";
	}
	return leaf->name;
}

const char *hl_path_template(struct hl_graph *graph, const struct hl_hop *leaf)
{
	const char *text = "[path]\n"
			   "workloads = seq-read-128k rand-read-4k rand-read-4k-qd1\n"
			   "[host storage]\nvia = ssh root@STORAGE\n"
			   "[host client]\nvia = ssh root@CLIENT\n";

	if (graph->spec)
		text = hl_arena_printf(graph->arena,
				       "%s[hop sheet]\nlayer = datasheet\nspec = %s\ndrives = %u\n",
				       text, graph->spec->name, graph->drives);
	for (size_t i = 0; i < NR_PLACES; i++) {
		if (places[i].leaves & (1u << leaf->layer))
			text = hl_arena_printf(graph->arena, "%s%s", text,
					       hop_text(graph, &places[i], places[i].name));
	}
	return hl_arena_printf(graph->arena, "%s%s", text,
			       hop_text(graph, place_of(leaf->layer), leaf_name(leaf)));
}
