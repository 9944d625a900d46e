/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zfs-sync-no-slog: writes that must be kept wait for the pool's own disks, for it has no log
 * device.
 *
 * Source: fio's latencies of syncs, the data set's sync property, the devices of the pool.
 * Surprising: sync=always makes every write wait, also of a job that never syncs; sync=disabled
 * none, whatever the application asks for. A pool of flash with power-loss protection needs no log.
 */
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "zfs_said.h"
#include <math.h>
#include <string.h>

#define SLOW_NS 500e3 /* protected flash is faster */
#define TURN_NS 3e6   /* a disk has to turn for it */

/* How long a write waits until it is kept; NAN: it does not, or that is not known. */
static double wait_ns(const struct hl_trial *trial, const struct zfs_said *said)
{
	const struct hl_latency *sync = trial->at->dir[trial->dir]->sync;

	if (sync)
		return sync->mean;
	return zfs_said_is(said, "zfs.sync", "always") && trial->depth == trial->jobs
		       ? trial->lat_ns
		       : NAN;
}

static bool has_no_log(const struct zfs_said *said)
{
	const struct hl_fact *has_slog = zfs_said_pool(said, "zpool.has_slog");

	return has_slog && has_slog->type == HL_FACT_BOOLEAN && !has_slog->boolean &&
	       !zfs_said_is(said, "zfs.sync", "disabled");
}

static bool is_waiting(const struct hl_graph *graph, const struct hl_trial *trial)
{
	struct zfs_said said;

	return trial->dir == HL_DIR_WRITE && !hl_trial_is_bound_below(trial) &&
	       zfs_said_of_hop(graph, trial->at->hop, &said) && has_no_log(&said) &&
	       wait_ns(trial, &said) > SLOW_NS && zfs_said_begins(&said, trial);
}

/* All devices of the pool that are known turn. */
static const struct hl_fact *turning_disk(const struct zfs_said *said)
{
	const struct hl_fact *devices = zfs_said_pool(said, "zpool.devices"), *found = NULL;

	for (size_t i = 0; devices && i < said->graph->nr_facts; i++) {
		const struct hl_fact *fact = said->graph->facts[i];
		const char *at;
		size_t len;

		if (strcmp(fact->key, "block.is_rotational") != 0 || !fact->node)
			continue;
		len = strlen(fact->node);
		at = strstr(devices->string, fact->node);
		while (at && at != devices->string && at[-1] != ' ')
			at = strstr(at + len, fact->node);
		if (!at)
			continue;
		if (!zfs_said_turns(said->graph, fact))
			return NULL;
		found = fact;
	}
	return found;
}

static void add_finding(struct hl_graph *graph, const struct hl_cause *cause,
			const struct hl_trials *matches, const struct zfs_said *said)
{
	static const char *const keys[] = { "zfs.sync", "zfs.logbias", NULL };
	static const char *const pool_keys[] = { "zpool.has_slog", "zpool.layout",
						 "zpool.syncq_write_wait_ns", NULL };
	const struct hl_trial *trial = &matches->items[0];
	const struct hl_fact *disk = turning_disk(said);
	double wait = wait_ns(trial, said);
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);

	if (said->is_placed && disk && wait >= TURN_NS)
		finding->state = HL_CONFIRMED;
	zfs_said_evidence(graph, finding, said, keys, pool_keys);
	hl_finding_add_evidence(graph, finding, disk);
	hl_evidence_add(graph, finding, trial,
			trial->at->dir[trial->dir]->sync ? HL_FIGURE_SYNC : HL_FIGURE_LAT);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_IOPS);
	finding->text = hl_arena_printf(
		graph->arena,
		"Each write that must be kept waits %s for the log, which lies on the disks of the "
		"pool%s: it has no log device (SLOG). %s writes a second%s.",
		hl_say_time(wait).text, disk ? ", and these turn" : "",
		hl_say_count(trial->iops).text, hl_trials_say_others(graph, matches));
	finding->fix =
		"A log device (SLOG) with power-loss protection, best mirrored: zpool add POOL log "
		"mirror A B. More writers at a time, as their syncs are taken together. "
		"sync=disabled only where the last seconds may be lost.";
	if (finding->state != HL_CONFIRMED)
		finding->next = "The same job on a scratch data set with sync=disabled: what it "
				"gains is the most that a log device can give.";
	finding->paste = "# on the storage\n"
			 "zpool status\n"
			 "zfs get sync,logbias DATASET\n"
			 "# while the job runs\n"
			 "zpool iostat -lv 2 3\n";
	if (trial->at->dir[trial->dir]->sync && trial->lat_ns > 0 && trial->jobs > 0)
		finding->predicted_bw = zfs_said_bounded(trial, trial->bs * trial->jobs /
									trial->lat_ns * 1e9);
	finding->predicted_kind = HL_AT_MOST;
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *matches)
{
	struct zfs_said said;

	if (zfs_said_of_hop(graph, matches->items[0].at->hop, &said))
		add_finding(graph, cause, matches, &said);
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match(graph, cause, is_waiting, found);
}

static const char *const rivals[] = { "sync-latency-bound", NULL };

const struct hl_cause hl_cause_zfs_sync_no_slog = {
	.id = "zfs-sync-no-slog",
	.summary = "synchronous writes wait for the pool's disks: there is no log device",
	.layer = HL_LAYER_POOL,
	.explain =
		"A write that must be kept (fsync, O_SYNC, FLUSH, or sync=always) goes to the "
		"intent log first. Without a log device that lies on the disks of the pool, and a "
		"hard disk turns for each: 1 / X = t_write + t_log.\n\n"
		"Recognised by syncs of more than 500 us on a data set whose pool is known to have "
		"no log device and whose sync is not disabled. Confirmed where the disks turn and "
		"a sync takes as long as a turn, 3 ms or more.\n\n"
		"Flash without power-loss protection takes as long when it has to write its cells, "
		"and a network on the way adds its round trips; both show at the hop before, "
		"too.\n\n"
		"Decided by the same job on a scratch data set with sync=disabled.\n\n"
		"What to do: a log device with power-loss protection, or several writers.",
	.rivals = rivals,
	.match = match,
};
