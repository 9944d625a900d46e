/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data sets and their pools: see src/causes/zfs_said.h.
 *
 * How raidz stores a block: its sectors, a parity sector for each row of them, and padding up to a
 * multiple of parity + 1 (OpenZFS, vdev_raidz.c: vdev_raidz_asize).
 */
#include "zfs_said.h"
#include "hoploss/beside.h"
#include "hoploss/model.h"
#include "hoploss/place.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_SECTOR 4096

static const char *const block_keys[] = { "zfs.volblocksize", "zfs.recordsize" };

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static const struct hl_fact *find(const struct hl_graph *graph, const char *host, const char *node,
				  size_t len, const char *key)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (!strcmp(fact->key, key) && fact->node && strlen(fact->node) == len &&
		    !memcmp(fact->node, node, len) && is_same_text(fact->host, host))
			return fact;
	}
	return NULL;
}

const struct hl_fact *zfs_said_fact(const struct zfs_said *said, const char *key)
{
	return find(said->graph, said->block->host, said->block->node, strlen(said->block->node),
		    key);
}

const struct hl_fact *zfs_said_pool(const struct zfs_said *said, const char *key)
{
	return find(said->graph, said->block->host, said->block->node,
		    strcspn(said->block->node, "/"), key);
}

const struct hl_fact *zfs_said_arc(const struct zfs_said *said, const char *key)
{
	return find(said->graph, said->block->host, "arc", strlen("arc"), key);
}

bool zfs_said_is(const struct zfs_said *said, const char *key, const char *value)
{
	const struct hl_fact *fact = zfs_said_fact(said, key);

	return fact && fact->type == HL_FACT_STRING && !strcmp(fact->string, value);
}

double zfs_said_number(const struct hl_fact *fact)
{
	return fact && fact->type == HL_FACT_NUMBER ? fact->number : NAN;
}

/* ---- which data set ---- */

/* "mirror of 3" in the layout: 3. */
static double copies_of(const struct hl_fact *layout)
{
	static const char words[] = "mirror of ";
	const char *at = layout && layout->type == HL_FACT_STRING ? strstr(layout->string, words)
								  : NULL;
	double copies = at ? strtod(at + strlen(words), NULL) : 1;

	return copies >= 1 ? copies : 1;
}

bool zfs_said_of_fact(const struct hl_graph *graph, const struct hl_fact *block,
		      struct zfs_said *ret_said)
{
	struct zfs_said said = { .graph = graph, .block = block };
	double ashift;

	if (!block->node || block->type != HL_FACT_NUMBER || !(block->number > 0))
		return false;
	said.block_bytes = block->number;
	ashift = zfs_said_number(zfs_said_pool(&said, "zpool.ashift"));
	said.sector = ashift > 0 ? ldexp(1, (int)ashift) : USUAL_SECTOR;
	said.parity = zfs_said_number(zfs_said_pool(&said, "zpool.parity"));
	said.data_disks = zfs_said_number(zfs_said_pool(&said, "zpool.vdev_data_disks"));
	said.copies = copies_of(zfs_said_pool(&said, "zpool.layout"));
	*ret_said = said;
	return true;
}

/* The only data set that has such a fact; NULL: none, or several. */
static const struct hl_fact *only_one(const struct hl_graph *graph, const char *key)
{
	const struct hl_fact *found = NULL, *fact;

	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, key, i)); i++) {
		if (found && (!is_same_text(found->node, fact->node) ||
			      !is_same_text(found->host, fact->host)))
			return NULL;
		found = fact;
	}
	return found;
}

bool zfs_said_of_hop(const struct hl_graph *graph, const struct hl_hop *hop,
		     struct zfs_said *ret_said)
{
	const struct hl_fact *block = NULL;
	bool is_placed = false;

	for (size_t i = 0; i < 2 && !block; i++)
		block = hl_place_fact(graph, hop, block_keys[i], 0);
	is_placed = block != NULL;
	if (!block && !hop->target && hop->layer != HL_LAYER_DRIVE && hop->layer != HL_LAYER_LINK)
		block = only_one(graph, block_keys[0]);
	if (!block && !hop->target && hop->layer == HL_LAYER_POOL &&
	    !hl_place_fact(graph, NULL, block_keys[0], 0))
		block = only_one(graph, block_keys[1]);
	if (!block || !zfs_said_of_fact(graph, block, ret_said))
		return false;
	ret_said->is_placed = is_placed;
	return true;
}

bool zfs_said_begins(const struct zfs_said *said, const struct hl_trial *trial)
{
	const struct hl_hop *hop = trial->at->hop;

	while ((hop = hop->after)) {
		if (hl_pair_find(hop, trial->at, trial->dir) &&
		    hl_place_fact(said->graph, hop, said->block->key, 0) == said->block)
			return false;
	}
	return true;
}

bool zfs_said_turns(const struct hl_graph *graph, const struct hl_fact *fact)
{
	static const char *const virtual_names[] = { "vd", "xvd", "loop", "zd", "dm-", "ram" };
	static const char *const virtual_models[] = { "QEMU", "Virtual", "VBOX" };
	const struct hl_fact *model = hl_place_beside(graph, fact, "drive.model");

	for (size_t i = 0; i < sizeof(virtual_names) / sizeof(*virtual_names); i++) {
		if (!strncmp(fact->node, virtual_names[i], strlen(virtual_names[i])))
			return false;
	}
	for (size_t i = 0; i < sizeof(virtual_models) / sizeof(*virtual_models); i++) {
		if (model && model->type == HL_FACT_STRING &&
		    strstr(model->string, virtual_models[i]))
			return false;
	}
	return fact->type == HL_FACT_BOOLEAN && fact->boolean;
}

/* ---- arithmetic ---- */

double zfs_said_stored(const struct zfs_said *said, double block)
{
	double sectors = ceil(block / said->sector), total;

	if (!(said->parity > 0) || !(said->data_disks > 0))
		return sectors * said->sector * said->copies;
	total = sectors + said->parity * ceil(sectors / said->data_disks);
	total = ceil(total / (said->parity + 1)) * (said->parity + 1);
	return total * said->sector;
}

double zfs_said_bounded(const struct hl_trial *trial, double bw)
{
	const struct hl_measurement *before = hl_beside_before(trial);

	return before && before->dir[trial->dir] ? fmin(bw, before->dir[trial->dir]->bw) : bw;
}

void zfs_said_evidence(struct hl_graph *graph, struct hl_finding *finding,
		       const struct zfs_said *said, const char *const *keys,
		       const char *const *pool_keys)
{
	hl_finding_add_evidence(graph, finding, said->block);
	for (; *keys; keys++)
		hl_finding_add_evidence(graph, finding, zfs_said_fact(said, *keys));
	for (; *pool_keys; pool_keys++)
		hl_finding_add_evidence(graph, finding, zfs_said_pool(said, *pool_keys));
}
