/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sync-latency-bound: writes that wait for fsync or fdatasync.
 *
 * Source: fio's "sync" latencies beside the writes' own. Surprising: fio prints neither how many
 * syncs there were nor after how many writes, so their share of the time is reckoned from the rate;
 * it is only taken where that gives no more than all of the time.
 */
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/say.h"
#include <math.h>

#define MOST_OF_TIME 0.5
#define ALL_OF_TIME  1.1   /* beyond: not every write was synced */
#define FAST_NS      100e3 /* flash with protected write cache: nothing to gain */
#define TURN_NS      3e6   /* a disk has to turn for it */
#define FLUSH_NS     800e3 /* flash that has to program cells for it */

/* Share of the jobs' time that went into syncs, one after each n-th write. */
static double sync_share(const struct hl_trial *trial)
{
	const struct hl_latency *sync = trial->at->dir[trial->dir]->sync;
	double every = trial->at->workload.fsync > 0 ? trial->at->workload.fsync : 1;
	double jobs = trial->jobs > 0 ? trial->jobs : 1;

	return sync ? trial->iops / every * sync->mean / 1e9 / jobs : NAN;
}

static bool is_waiting(const struct hl_graph *graph, const struct hl_trial *trial)
{
	double share = sync_share(trial);

	(void)graph;
	return trial->dir == HL_DIR_WRITE && share >= MOST_OF_TIME && share <= ALL_OF_TIME &&
	       trial->at->dir[trial->dir]->sync->mean > FAST_NS && !hl_trial_is_bound_below(trial);
}

static const char *meaning(double sync_ns)
{
	if (sync_ns >= TURN_NS)
		return "So long takes a hard disk that has to seek and turn: the log is on the "
		       "disks, "
		       "with no fast log device (SLOG) or protected write cache before them.";
	if (sync_ns >= FLUSH_NS)
		return "So long takes flash without protection against power loss that has to "
		       "write "
		       "its cells, or a network on the way.";
	return "So long takes flash or a log device behind a file system: the wait is short, and "
	       "still is what decides.";
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *matches)
{
	static const enum hl_figure figures[] = { HL_FIGURE_SYNC, HL_FIGURE_LAT, HL_FIGURE_IOPS };
	const struct hl_trial *first = &matches->items[0];
	double sync_ns = first->at->dir[first->dir]->sync->mean;
	struct hl_finding *finding = hl_trial_found(graph, cause, first);

	hl_evidence_add_all(graph, finding, matches, figures, 3);
	finding->text = hl_arena_printf(
		graph->arena,
		"%s of the time goes into waiting for syncs, %s each, while a write takes %s: %s "
		"writes of %s a second%s. %s",
		hl_say_share(fmin(sync_share(first), 1)).text, hl_say_time(sync_ns).text,
		hl_say_time(first->lat_ns).text, hl_say_count(first->iops).text,
		hl_say_size(first->bs).text, hl_trials_say_others(graph, matches),
		meaning(sync_ns));
	finding->fix =
		"A log device (SLOG) or drives with power-loss protection; more writers at a "
		"time, as their syncs are taken together; sync=disabled only where the last "
		"seconds may be lost.";
	finding->next =
		"The same job on the layers before it (the pool's own host, a drive alone): "
		"the layer is where the sync becomes slow. And without fsync: that shows what "
		"is left to gain.";
	finding->paste = "# on the storage, as root\n"
			 "zpool status\n"
			 "zfs get -t filesystem,volume sync,logbias,recordsize,volblocksize\n"
			 "lsblk -d -o NAME,ROTA,MODEL\n"
			 "grep . /sys/block/*/queue/write_cache\n"
			 "# while the job runs: the wait of synchronous writes\n"
			 "zpool iostat -l 2 3\n";
	if (first->lat_ns > 0 && first->jobs > 0) {
		finding->predicted_bw = first->bs * first->jobs / first->lat_ns * 1e9;
		finding->predicted_kind = HL_AT_MOST;
	}
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match(graph, cause, is_waiting, found);
}

static const char *const rivals[] = { NULL };

const struct hl_cause hl_cause_sync_latency_bound = {
	.id = "sync-latency-bound",
	.summary = "writes wait for each sync to reach something that keeps it",
	.explain =
		"A database, an NFS server or a virtual machine asks after each write that it be "
		"kept: "
		"fsync, fdatasync, O_SYNC, FLUSH. Times add up then, and nothing runs beside it: "
		"1 / X = t_write + t_sync.\n\n"
		"Recognised by fio's sync latencies: syncs a second times their mean make up half "
		"of "
		"the jobs' time or more, and one takes more than 100 us. From 3 ms up a disk has "
		"to "
		"turn for each; from about 1 ms flash without power-loss protection is usual, or a "
		"network; below, a protected cache or a log device.\n\n"
		"A writer that opens its file with O_SYNC waits in the write itself; then fio "
		"shows "
		"no sync latencies and this is not seen.\n\n"
		"Decided by the same job on the layers before, and by the wait of synchronous "
		"writes "
		"that zpool iostat -l shows.\n\n"
		"What to do: a log device with power-loss protection, several writers at a time, "
		"or "
		"no sync where the last seconds may be lost.",
	.rivals = rivals,
	.match = match,
};
