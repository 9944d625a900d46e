/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zfs-volblocksize-rmw: random writes of part of a block make ZFS read and write the whole of it.
 *
 * Source: volblocksize (of a volume) or recordsize (of a file), the pool's layout, and writes of
 * several sizes. Surprising: small writes one after the other are no case of it, for they are put
 * together before they are written; and a write of a whole block can be faster than one of a part,
 * which no other stage of a path brings about.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/model.h"
#include "hoploss/say.h"
#include "zfs_said.h"
#include <math.h>

#define WORTH_IT 3   /* times the bytes */
#define FASTER   1.3 /* whole blocks than parts of them: sure */

/* Part of a block at random, nothing that waits for syncs. */
static bool is_part(const struct hl_graph *graph, const struct hl_trial *trial)
{
	struct zfs_said said;

	return trial->dir == HL_DIR_WRITE && hl_rw_is_random(trial->at->workload.rw) &&
	       !trial->at->dir[trial->dir]->sync && !hl_trial_is_bound_below(trial) &&
	       zfs_said_of_hop(graph, trial->at->hop, &said) && trial->bs < said.block_bytes &&
	       zfs_said_begins(&said, trial);
}

/* Bytes read and written on the disks for each byte that was asked for. */
static double amplification(const struct hl_graph *graph, const struct hl_trial *trial,
			    const struct zfs_said *said)
{
	double hit_pct = hl_beside_number(graph, trial->at, "arc.slot_hit_pct");
	double missed = isnan(hit_pct) ? 1 : 1 - hit_pct / 100;

	return (missed * said->block_bytes + zfs_said_stored(said, said->block_bytes)) / trial->bs;
}

/* Random writes of whole blocks at the same hop, as deep or less so; false: none. */
static bool find_whole(const struct hl_trial *trial, const struct zfs_said *said,
		       struct hl_trial *ret_whole)
{
	HL_TRIALS struct hl_trials trials = { 0 };
	bool is_found = false;

	hl_trials_read(trial->at->hop, HL_DIR_WRITE, &trials);
	for (size_t i = 0; i < trials.nr; i++) {
		const struct hl_trial *other = &trials.items[i];

		if (!(fmod(other->bs, said->block_bytes) == 0) || !other->is_pure ||
		    !hl_rw_is_random(other->at->workload.rw) || other->depth > trial->depth ||
		    (is_found && other->bs > ret_whole->bs))
			continue;
		*ret_whole = *other;
		is_found = true;
	}
	return is_found;
}

static const char *say_whole(struct hl_graph *graph, const struct hl_trial *trial,
			     const struct hl_trial *whole)
{
	return hl_arena_printf(graph->arena, " Whole blocks of %s: %s a second, %s.",
			       hl_say_size(whole->bs).text, hl_say_count(whole->iops).text,
			       whole->iops >= FASTER * trial->iops
				       ? "faster than parts of them"
				       : "no faster than parts of them");
}

static void add_finding(struct hl_graph *graph, const struct hl_cause *cause,
			const struct hl_trials *matches, const struct zfs_said *said)
{
	static const char *const keys[] = { "zfs.compression", "zfs.primarycache", NULL };
	static const char *const pool_keys[] = { "zpool.layout", "zpool.ashift", NULL };
	const struct hl_trial *trial = &matches->items[0];
	double times = amplification(graph, trial, said);
	struct hl_trial whole;
	bool has_whole = find_whole(trial, said, &whole);
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);

	if (has_whole && said->is_placed && whole.iops >= FASTER * trial->iops)
		finding->state = HL_CONFIRMED;
	zfs_said_evidence(graph, finding, said, keys, pool_keys);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_IOPS);
	if (has_whole)
		hl_evidence_add(graph, finding, &whole, HL_FIGURE_IOPS);
	finding->text = hl_arena_printf(
		graph->arena,
		"Each random write of %s into blocks of %s of %s reads and writes the whole block: "
		"%.1f bytes on the disks for each byte (%s a second%s).%s",
		hl_say_size(trial->bs).text, hl_say_size(said->block_bytes).text, said->block->node,
		times, hl_say_count(trial->iops).text, hl_trials_say_others(graph, matches),
		has_whole ? say_whole(graph, trial, &whole) : "");
	finding->fix = "A volume with a smaller volblocksize (it is fixed at creation: make a new "
		       "one and copy), a smaller recordsize for the files (new files only), or "
		       "larger writes from the application. On raidz mind the padding that small "
		       "blocks cost.";
	if (finding->state != HL_CONFIRMED)
		finding->next = hl_arena_printf(
			graph->arena,
			"The same random writes with whole blocks (bs=%.0fk): if they are as many "
			"a second or more, it is this.",
			said->block_bytes / 1024);
	finding->paste = "# on the storage\n"
			 "zfs get volblocksize,recordsize,compression,primarycache DATASET\n"
			 "# while the job runs: reads beside the writes?\n"
			 "zpool iostat -v 2 3\n";
	finding->predicted_bw = zfs_said_bounded(trial, trial->bw * times * trial->bs /
								zfs_said_stored(said, trial->bs));
	finding->predicted_kind = HL_AT_MOST;
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *matches)
{
	struct zfs_said said;

	if (zfs_said_of_hop(graph, matches->items[0].at->hop, &said) &&
	    amplification(graph, &matches->items[0], &said) >= WORTH_IT)
		add_finding(graph, cause, matches, &said);
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match(graph, cause, is_part, found);
}

static const char *const rivals[] = { "serial-stage", "zfs-raidz-small-block", NULL };

const struct hl_cause hl_cause_zfs_volblocksize_rmw = {
	.id = "zfs-volblocksize-rmw",
	.summary = "random writes smaller than a block of ZFS read and rewrite it",
	.layer = HL_LAYER_POOL,
	.explain =
		"ZFS stores a volume in blocks of volblocksize and a file in blocks of "
		"recordsize, each compressed and checksummed as a whole. A write of part of one "
		"reads the block, unless the ARC has it, and writes all of it anew: (volblocksize "
		"x what the ARC misses + volblocksize x (1 + parity and padding)) / size of the "
		"write, in bytes on the disks for each byte asked for.\n\n"
		"Recognised by random writes smaller than the block of the data set that the hop "
		"stands on, where they are slower than at the hop before. Confirmed where whole "
		"blocks are written 1.3 times as often a second as parts of them: no other stage "
		"makes larger writes faster.\n\n"
		"A stage that takes so long for each I/O (serial-stage) gives as many whole "
		"blocks as parts, not more.\n\n"
		"Decided by the same random writes with bs = volblocksize.\n\n"
		"What to do: volblocksize or recordsize that fits the writes.",
	.rivals = rivals,
	.match = match,
};
