/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zfs-served-from-arc: reads that the memory of the storage answered, not its drives.
 *
 * Source: the ARC's own counters before and after the slots; without them the size of the ARC and
 * that of what was read. Surprising: it is a gain and no loss, but the figure is not the drives',
 * and a hop that reads the same data after another one finds them there.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "zfs_said.h"
#include <math.h>
#include <string.h>

#define HIT_PCT          "arc.slot_hit_pct"
#define TOLD             30  /* percent */
#define MOST             50  /* percent: surely what the figure rests on */
#define FITS             0.8 /* of the ARC */
#define GAINS            1.1 /* times the hop before */
#define TURN_NS          2e6 /* no disk that turns answers so fast on average */
#define AT_RANDOM(trial) hl_rw_is_random((trial)->at->workload.rw)

static bool is_kept(const struct zfs_said *said)
{
	return !zfs_said_is(said, "zfs.primarycache", "metadata") &&
	       !zfs_said_is(said, "zfs.primarycache", "none");
}

static bool is_on_turning_disks(const struct hl_graph *graph, const struct hl_hop *hop)
{
	const struct hl_fact *fact = hl_place_fact(graph, hop, "block.is_rotational", 0);
	const struct hl_fact *last = NULL;

	/* the drives are the last ones on the way down, a volume itself says it does not turn */
	for (size_t i = 0; fact; fact = hl_place_fact(graph, hop, "block.is_rotational", ++i))
		last = fact;
	return last && zfs_said_turns(graph, last);
}

/* Faster than the drives below it were measured, or than such drives can be. */
static bool is_too_fast(const struct hl_graph *graph, const struct hl_trial *trial)
{
	const struct hl_measurement *before = hl_beside_before(trial);

	if (before)
		return trial->bw > GAINS * before->dir[trial->dir]->bw;
	return AT_RANDOM(trial) && trial->lat_ns < TURN_NS &&
	       is_on_turning_disks(graph, trial->at->hop);
}

static bool may_be_in_arc(const struct hl_graph *graph, const struct hl_trial *trial)
{
	struct zfs_said said;

	return zfs_said_of_hop(graph, trial->at->hop, &said) && is_kept(&said) &&
	       trial->at->workload.size <=
		       FITS * zfs_said_number(zfs_said_arc(&said, "arc.size")) &&
	       is_too_fast(graph, trial);
}

static bool is_served(const struct hl_graph *graph, const struct hl_trial *trial)
{
	double hit_pct = hl_beside_number(graph, trial->at, HIT_PCT);

	if (trial->dir != HL_DIR_READ)
		return false;
	return isnan(hit_pct) ? may_be_in_arc(graph, trial) : hit_pct >= TOLD;
}

static const char *say_counted(struct hl_graph *graph, const struct hl_trial *trial,
			       const struct hl_fact *hit_pct)
{
	return hl_arena_printf(graph->arena,
			       "%.0f %% of what %s read at %s (%s) came from the ARC, not from the "
			       "drives.",
			       hit_pct->number, hl_beside_job(trial->at), trial->at->hop->name,
			       hl_say_rate(trial->bw).text);
}

static const char *say_supposed(struct hl_graph *graph, const struct hl_trial *trial,
				const struct hl_fact *size)
{
	return hl_arena_printf(graph->arena,
			       "%s of %s within %s is more than the drives give; all of it fits "
			       "the ARC of %s, which answers what it has.",
			       hl_say_rate(trial->bw).text, hl_beside_job(trial->at),
			       hl_say_size(trial->at->workload.size).text,
			       hl_say_size(zfs_said_number(size)).text);
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trial *trial)
{
	static const char *const keys[] = { "zfs.primarycache", NULL };
	static const char *const none[] = { NULL };
	const struct hl_fact *hit_pct = hl_beside_fact(graph, trial->at, HIT_PCT);
	const struct hl_fact *size = NULL;
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);
	struct zfs_said said;

	if (hit_pct && hit_pct->number >= MOST)
		finding->state = HL_CONFIRMED;
	hl_finding_add_evidence(graph, finding, hit_pct);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_BW);
	if (zfs_said_of_hop(graph, trial->at->hop, &said)) {
		size = zfs_said_arc(&said, "arc.size");
		zfs_said_evidence(graph, finding, &said, keys, none);
		hl_finding_add_evidence(graph, finding, size);
	}
	hl_evidence_add(graph, finding, trial, HL_FIGURE_SIZE);
	finding->text = hit_pct ? say_counted(graph, trial, hit_pct)
				: say_supposed(graph, trial, size);
	finding->fix = "Nothing to mend: do not take the figure for the drives'. It holds as long "
		       "as the data fit the ARC.";
	if (finding->state != HL_CONFIRMED)
		finding->next = "The same job over twice the size of the ARC, or the ARC's hits "
				"while it runs.";
	finding->paste = "# on the storage, while the job runs\n"
			 "arcstat 2 3\n"
			 "grep -E '^(size|c|demand_data_(hits|misses)|prefetch_data_misses) ' "
			 "/proc/spl/kstat/zfs/arcstats\n";
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match_each(graph, cause, is_served, found);
}

static const char *const rivals[] = { "faster-than-medium", "readahead-or-page-cache", NULL };

const struct hl_cause hl_cause_zfs_served_from_arc = {
	.id = "zfs-served-from-arc",
	.summary = "the storage's memory (ARC) answered the reads, not its drives",
	.layer = HL_LAYER_POOL,
	.explain =
		"ZFS keeps what was read and written lately in memory, the ARC. A test that reads "
		"less than that, or what another hop has read before, is answered from there, and "
		"its figure is a good one of memory and network, and none of the drives.\n\n"
		"Recognised by the ARC's counters before and after each slot: demand hits less "
		"what was fetched ahead, of all demand reads; 30 % are told, 50 % confirm. Without "
		"counters it is suspected where what was read fits the ARC, the data set may keep "
		"it there, and the figure is beyond what the drives gave or can give.\n\n"
		"Blocks that were never written are answered as fast, and so are those in the page "
		"cache of the machine that asks.\n\n"
		"Decided by the same job over twice the size of the ARC.\n\n"
		"What to do: nothing, but do not take the figure for the drives'.",
	.rivals = rivals,
	.match = match,
};
