/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zfs-primarycache-metadata: the data set may not keep data in memory, so each read goes to the
 * disks, and reads of part of a block read the whole of it again and again.
 *
 * Source: the property primarycache, the block size, the ARC's hits while a slot ran. Surprising:
 * sequential reads suffer most: four thousand bytes after four thousand bytes come from the same
 * block, which is read from the disks each time; and nothing can be fetched ahead.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "zfs_said.h"
#include <math.h>
#include <string.h>

#define HIT_PCT "arc.slot_hit_pct"
#define NO_HITS 5 /* percent */

static bool is_off(const struct zfs_said *said)
{
	return zfs_said_is(said, "zfs.primarycache", "metadata") ||
	       zfs_said_is(said, "zfs.primarycache", "none");
}

/* All of it would fit. */
static bool would_fit(const struct hl_trial *trial, const struct zfs_said *said)
{
	return trial->at->workload.size <= zfs_said_number(zfs_said_arc(said, "arc.max_size")) / 2;
}

static bool is_slowed(const struct hl_graph *graph, const struct hl_trial *trial)
{
	struct zfs_said said;

	return trial->dir == HL_DIR_READ && !hl_trial_is_bound_below(trial) &&
	       !(hl_beside_number(graph, trial->at, HIT_PCT) >= NO_HITS) &&
	       zfs_said_of_hop(graph, trial->at->hop, &said) && is_off(&said) &&
	       zfs_said_begins(&said, trial) &&
	       (trial->bs < said.block_bytes || would_fit(trial, &said));
}

static const char *say_reads(struct hl_graph *graph, const struct hl_trial *trial,
			     const struct zfs_said *said)
{
	if (!(trial->bs < said->block_bytes))
		return hl_arena_printf(graph->arena,
				       "all %s that %s reads would fit the ARC, and come from the "
				       "disks each time (%s)",
				       hl_say_size(trial->at->workload.size).text,
				       hl_beside_job(trial->at), hl_say_rate(trial->bw).text);
	return hl_arena_printf(graph->arena,
			       "each read of %s fetches a whole block of %s from the disks, %.0f "
			       "times what is asked for (%s a second)",
			       hl_say_size(trial->bs).text, hl_say_size(said->block_bytes).text,
			       said->block_bytes / trial->bs, hl_say_count(trial->iops).text);
}

static void tell(struct hl_finding *finding)
{
	finding->fix = "zfs set primarycache=all DATASET; metadata is for where the memory is "
		       "short or the application has a cache of its own.";
	if (finding->state != HL_CONFIRMED)
		finding->next = "The same reads with primarycache=all, on a clone if it must not "
				"be changed.";
	finding->paste = "# on the storage\n"
			 "zfs get -r primarycache,secondarycache,recordsize,volblocksize POOL\n"
			 "# while the job runs: hits of the data asked for\n"
			 "arcstat 2 3\n";
}

static void add_finding(struct hl_graph *graph, const struct hl_cause *cause,
			const struct hl_trials *matches, const struct zfs_said *said)
{
	static const char *const keys[] = { "zfs.primarycache", NULL };
	static const char *const none[] = { NULL };
	const struct hl_trial *trial = &matches->items[0];
	const struct hl_fact *hit_pct = hl_beside_fact(graph, trial->at, HIT_PCT);
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);

	if (said->is_placed && hit_pct)
		finding->state = HL_CONFIRMED;
	zfs_said_evidence(graph, finding, said, keys, none);
	hl_finding_add_evidence(graph, finding, hit_pct);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_BW);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_IOPS);
	finding->text = hl_arena_printf(
		graph->arena, "%s keeps no data in memory (primarycache=%s): %s%s.%s",
		said->block->node, zfs_said_fact(said, "zfs.primarycache")->string,
		say_reads(graph, trial, said), hl_trials_say_others(graph, matches),
		hit_pct ? hl_arena_printf(graph->arena, " The ARC answered %.0f %%.",
					  hit_pct->number)
			: "");
	tell(finding);
	if (trial->bs < said->block_bytes)
		finding->predicted_bw = zfs_said_bounded(trial,
							 trial->bw * said->block_bytes / trial->bs);
	finding->predicted_kind = HL_AT_MOST;
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *matches)
{
	struct zfs_said said;

	if (zfs_said_of_hop(graph, matches->items[0].at->hop, &said))
		add_finding(graph, cause, matches, &said);
}

/* Where nothing was measured: the first data set that has it, and how many more. */
static void match_facts(struct hl_graph *graph, const struct hl_cause *cause)
{
	const struct hl_fact *fact, *first = NULL;
	struct hl_finding *finding;
	unsigned nr = 0;

	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, "zfs.primarycache", i)); i++) {
		if (fact->type != HL_FACT_STRING || !strcmp(fact->string, "all"))
			continue;
		first = first ? first : fact;
		nr++;
	}
	if (!first)
		return;
	finding = hl_cause_found(graph, cause, NULL, NULL, HL_DIR_READ);
	hl_finding_add_evidence(graph, finding, first);
	finding->text = hl_arena_printf(
		graph->arena,
		"%s%s keep%s no data in memory (primarycache=%s): each read goes to the disks, and "
		"one of part of a block fetches the whole of it.",
		first->node, nr > 1 ? hl_arena_printf(graph->arena, " and %u more", nr - 1) : "",
		nr > 1 ? "" : "s", first->string);
	tell(finding);
}

static bool is_anything_measured(const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		if (graph->hops[i]->nr_measurements)
			return true;
	}
	return false;
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	if (is_anything_measured(graph))
		hl_trials_match(graph, cause, is_slowed, found);
	else
		match_facts(graph, cause);
}

static const char *const rivals[] = { "zfs-raidz-small-block", NULL };

const struct hl_cause hl_cause_zfs_primarycache_metadata = {
	.id = "zfs-primarycache-metadata",
	.summary = "the data set may not keep data in memory: each read goes to the disks",
	.layer = HL_LAYER_POOL,
	.explain =
		"With primarycache=metadata (or none) the ARC keeps no data of the data set. Each "
		"read goes to the disks, nothing is fetched ahead, and since ZFS reads whole "
		"blocks, a read of 4 KiB from records of 128 KiB fetches 32 times what is asked "
		"for, also when the next one is its neighbour.\n\n"
		"Recognised by the property on the data set that the hop stands on, where reads "
		"smaller than its block, or of less than fits the ARC, are slower than at the hop "
		"before. Confirmed where the ARC's counters show no hits meanwhile. Where nothing "
		"was measured, the property alone is told.\n\n"
		"A pool that was rebuilt with another layout at the same time can slow reads as "
		"well: change one thing at a time.\n\n"
		"Decided by the same reads with primarycache=all.\n\n"
		"What to do: zfs set primarycache=all, unless the memory is short.",
	.rivals = rivals,
	.match = match,
};
