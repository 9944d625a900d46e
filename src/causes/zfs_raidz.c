/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zfs-raidz-small-block: blocks too small for the width of a raidz, which then writes much parity
 * and padding for little data.
 *
 * Source: volblocksize or recordsize, ashift, parity and width of the vdevs; how much a volume
 * refers to beside what it holds. Surprising: zfs counts space as if all blocks had 128 KiB, so a
 * volume whose referenced is larger than its logicalused shows the padding.
 */
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "zfs_said.h"
#include <math.h>
#include <string.h>

#define WASTEFUL 1.2    /* times what large blocks take: told where writes lose there */
#define EXTREME  1.5    /* told in any case */
#define LARGE    131072 /* what zfs reckons with, and what loses next to nothing */
#define SHOWN    0.7    /* of the waste that arithmetic gives */

/* Bytes on the disks for each byte, against those that large blocks take. */
static double waste(const struct zfs_said *said)
{
	return zfs_said_stored(said, said->block_bytes) / said->block_bytes /
	       (zfs_said_stored(said, LARGE) / LARGE);
}

static bool is_wasteful(const struct zfs_said *said)
{
	return said->parity > 0 && said->data_disks > 1 && waste(said) >= WASTEFUL;
}

/* What zfs counts shows it: the volume takes more than it holds. */
static bool is_counted(const struct zfs_said *said)
{
	double referenced = zfs_said_number(zfs_said_fact(said, "zfs.referenced"));
	double held = zfs_said_number(zfs_said_fact(said, "zfs.logicalused"));

	return held > 0 && referenced / held - 1 >= SHOWN * (waste(said) - 1);
}

/* The fastest writes of the hop that stands on it, where they are slower than before it. */
static bool find_writes(const struct hl_hop *hop, struct hl_trial *ret_trial)
{
	HL_TRIALS struct hl_trials trials = { 0 };
	bool is_found = false;

	hl_trials_read(hop, HL_DIR_WRITE, &trials);
	for (size_t i = 0; i < trials.nr; i++) {
		const struct hl_trial *trial = &trials.items[i];

		if (!trial->is_pure || !hl_trial_is_bound_here(trial) ||
		    (is_found && !(trial->bw > ret_trial->bw)))
			continue;
		*ret_trial = *trial;
		is_found = true;
	}
	return is_found;
}

static const char *say_counted(struct hl_graph *graph, const struct zfs_said *said)
{
	const struct hl_fact *referenced = zfs_said_fact(said, "zfs.referenced");
	const struct hl_fact *held = zfs_said_fact(said, "zfs.logicalused");

	return hl_arena_printf(graph->arena, " It holds %s and takes %s by zfs's count.",
			       hl_say_size(zfs_said_number(held)).text,
			       hl_say_size(zfs_said_number(referenced)).text);
}

static void found(struct hl_graph *graph, const struct hl_cause *cause, const struct zfs_said *said)
{
	static const char *const keys[] = { "zfs.referenced", "zfs.logicalused", NULL };
	static const char *const pool_keys[] = { "zpool.layout", "zpool.ashift", NULL };
	const struct hl_hop *hop = hl_place_hop(graph, said->block);
	struct hl_trial trial;
	bool has_writes = hop && find_writes(hop, &trial);
	double stored = zfs_said_stored(said, said->block_bytes);
	struct hl_finding *finding;

	if (!has_writes && waste(said) < EXTREME && !is_counted(said))
		return;
	finding = hl_cause_found(graph, cause, has_writes ? hop : NULL,
				 has_writes ? trial.at : NULL, HL_DIR_WRITE);
	finding->state = is_counted(said) ? HL_CONFIRMED : HL_SUSPECTED;
	zfs_said_evidence(graph, finding, said, keys, pool_keys);
	finding->text = hl_arena_printf(
		graph->arena,
		"Blocks of %s on %s: each takes %s on disks of %s sectors, %.2f bytes for each "
		"byte, where blocks of 128 KiB take %.2f.%s",
		hl_say_size(said->block_bytes).text,
		zfs_said_pool(said, "zpool.layout") ? zfs_said_pool(said, "zpool.layout")->string
						    : "raidz",
		hl_say_size(stored).text, hl_say_size(said->sector).text,
		stored / said->block_bytes, zfs_said_stored(said, LARGE) / LARGE,
		is_counted(said) ? say_counted(graph, said) : "");
	finding->fix = "A volume with volblocksize of 64 KiB or more (make a new one and copy) "
		       "where the writes are large; for small random writes mirrors instead of "
		       "raidz.";
	if (finding->state != HL_CONFIRMED)
		finding->next = "zfs get -p referenced,logicalused of the volume, with "
				"compression off: what it takes beyond what it holds is this.";
	finding->paste = "zpool status\n"
			 "zpool get ashift\n"
			 "zfs get -p volblocksize,recordsize,referenced,logicalused DATASET\n";
	if (!has_writes)
		return;
	hl_evidence_add(graph, finding, &trial, HL_FIGURE_BW);
	finding->predicted_bw = zfs_said_bounded(&trial, trial.bw * waste(said));
	finding->predicted_kind = HL_AT_MOST;
}

/* One finding for all data sets of the same block size in one pool. */
static bool is_told(const struct zfs_said *said, size_t index, const char *key)
{
	for (size_t i = 0; i < index; i++) {
		const struct hl_fact *before = hl_place_fact(said->graph, NULL, key, i);
		size_t len = strcspn(said->block->node, "/");

		if (before->node && before->number == said->block_bytes &&
		    strcspn(before->node, "/") == len &&
		    !strncmp(before->node, said->block->node, len) &&
		    !hl_place_hop(said->graph, said->block))
			return true;
	}
	return false;
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	static const char *const keys[] = { "zfs.volblocksize", "zfs.recordsize" };

	for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
		const struct hl_fact *block;

		for (size_t i = 0; (block = hl_place_fact(graph, NULL, keys[k], i)); i++) {
			struct zfs_said said;

			if (zfs_said_of_fact(graph, block, &said) && is_wasteful(&said) &&
			    !is_told(&said, i, keys[k]))
				found(graph, cause, &said);
		}
	}
}

static const char *const rivals[] = { "zfs-volblocksize-rmw", NULL };

const struct hl_cause hl_cause_zfs_raidz_small_block = {
	.id = "zfs-raidz-small-block",
	.summary = "small blocks on raidz cost parity and padding for each",
	.layer = HL_LAYER_POOL,
	.explain =
		"Raidz gives each block parity of its own, a sector for each row of data sectors, "
		"and pads it to a multiple of parity + 1 sectors. A block of 8 KiB on a raidz1 of "
		"five disks with sectors of 4 KiB takes 16 KiB, one of 128 KiB takes 160 KiB: "
		"twice its size against 1.25. And a block of few sectors lies on few disks, while "
		"one of many makes all of them seek for each random read, so that a vdev gives the "
		"reads of one disk.\n\n"
		"Recognised by arithmetic: volblocksize or recordsize, ashift, parity and width of "
		"the vdev, where a block takes 1.2 times what large ones take or more and writes "
		"lose there, or 1.5 times. Confirmed where zfs counts it: referenced beyond "
		"logicalused.\n\n"
		"Compression shrinks blocks, and makes them lie as small ones do; then the "
		"property says less than the space does.\n\n"
		"Decided by zfs get referenced,logicalused.\n\n"
		"What to do: a larger volblocksize where writes are large, mirrors where they are "
		"small.",
	.rivals = rivals,
	.match = match,
};
