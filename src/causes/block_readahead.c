/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * block-readahead-limited: a sequential reader through the page cache gets one readahead window per
 * fetch, however fast the device is.
 *
 * Source: read_ahead_kb of the device, the latency of reads of about that size at depth 1, and
 * deeper reads past the page cache. Surprising: 128 KiB at 145 us are 863 MiB/s, which looks like
 * many other ceilings; and deeper direct reads of the same hop tell them apart.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/model.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include <math.h>

#define READAHEAD "block.read_ahead"
#define HIT_NS    8e3 /* half of the reads are there already */
#define DEEPER    1.5 /* times: the device could */
#define DEEP      8
#define AT_LEAST  0.5 /* of the ceiling: windows overlap, and not all of each is fetched */
#define AT_MOST   1.25

/* Most reads come at once, some wait for the next window. */
static bool comes_in_windows(const struct hl_trial *trial)
{
	const struct hl_latency *latency = hl_trial_latency(trial);

	return latency && latency->p50 < HIT_NS && latency->mean >= 2 * latency->p50;
}

static const struct hl_fact *window_of(const struct hl_graph *graph, const struct hl_trial *trial)
{
	const struct hl_fact *fact = hl_place_fact(graph, trial->at->hop, READAHEAD, 0);

	return fact && fact->type == HL_FACT_NUMBER && fact->number > 0 ? fact : NULL;
}

/* The fastest direct and deep sequential reads of the same hop; false: none. */
static bool find_deep(const struct hl_trial *trial, struct hl_trial *ret_deep)
{
	HL_TRIALS struct hl_trials trials = { 0 };
	bool is_found = false;

	hl_trials_read(trial->at->hop, HL_DIR_READ, &trials);
	for (size_t i = 0; i < trials.nr; i++) {
		const struct hl_trial *other = &trials.items[i];

		if (other->at->workload.direct != 1 || other->at->workload.rw != HL_RW_READ ||
		    other->depth < DEEP || (is_found && !(other->bw > ret_deep->bw)))
			continue;
		*ret_deep = *other;
		is_found = true;
	}
	return is_found;
}

/* What one fetch of a window takes: a direct read of about that size at depth 1; NAN. */
static double fetch_ns(const struct hl_trial *trial, double window)
{
	HL_TRIALS struct hl_trials trials = { 0 };

	hl_trials_read(trial->at->hop, HL_DIR_READ, &trials);
	for (size_t i = 0; i < trials.nr; i++) {
		const struct hl_trial *other = &trials.items[i];

		if (other->at->workload.direct == 1 && other->depth == 1 &&
		    other->bs >= window / 2 && other->bs <= window * 2)
			return other->lat_ns * window / other->bs;
	}
	return NAN;
}

static bool is_held_back(const struct hl_graph *graph, const struct hl_trial *trial)
{
	const struct hl_fact *window = window_of(graph, trial);
	struct hl_trial deep;

	if (trial->dir != HL_DIR_READ || trial->at->workload.rw != HL_RW_READ ||
	    trial->depth != 1 || trial->at->workload.direct == 1 || !window ||
	    trial->bs > window->number || hl_trial_is_generator_busy(trial))
		return false;
	if (trial->at->workload.direct == -1 && !comes_in_windows(trial))
		return false;
	if (find_deep(trial, &deep))
		return deep.bw >= DEEPER * trial->bw;
	return hl_trial_is_bound_here(trial);
}

static const char *say_deep(struct hl_graph *graph, const struct hl_trial *deep)
{
	return hl_arena_printf(graph->arena,
			       " Past the page cache and %.0f deep the same hop gives %s.",
			       deep->depth, hl_say_rate(deep->bw).text);
}

static void add_figures(struct hl_graph *graph, struct hl_finding *finding,
			const struct hl_trial *trial, const struct hl_trial *deep)
{
	hl_evidence_add(graph, finding, trial, HL_FIGURE_BW);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_P50);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_LAT);
	if (deep)
		hl_evidence_add(graph, finding, deep, HL_FIGURE_BW);
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *matches)
{
	const struct hl_trial *trial = &matches->items[0];
	const struct hl_fact *window = window_of(graph, trial);
	struct hl_trial deep;
	bool has_deep = find_deep(trial, &deep);
	double ns = fetch_ns(trial, window->number), ceiling = window->number / ns * 1e9;
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);

	if (trial->at->hop->layer != HL_LAYER_NONE)
		finding->layer = trial->at->hop->layer;
	if (has_deep && trial->bw >= AT_LEAST * ceiling && trial->bw <= AT_MOST * ceiling)
		finding->state = HL_CONFIRMED;
	hl_finding_add_evidence(graph, finding, window);
	add_figures(graph, finding, trial, has_deep ? &deep : NULL);
	finding->text = hl_arena_printf(
		graph->arena,
		"%s reads through the page cache, which fetches %s at a time ahead of it: %s, a "
		"window every %s%s.%s",
		hl_beside_job(trial->at), hl_say_size(window->number).text,
		hl_say_rate(trial->bw).text, hl_say_time(window->number / trial->bw * 1e9).text,
		isnan(ns)
			? ""
			: hl_arena_printf(graph->arena, ", and one takes %s", hl_say_time(ns).text),
		has_deep ? say_deep(graph, &deep) : "");
	finding->fix = hl_arena_printf(
		graph->arena,
		"A larger window: echo 4096 > /sys/block/%s/queue/read_ahead_kb (NFS, FUSE and "
		"btrfs have one of their own in /sys/class/bdi); or direct I/O with depth, or "
		"several readers.",
		window->node);
	if (finding->state != HL_CONFIRMED)
		finding->next = "The same job with read_ahead_kb four times as large: it gets as "
				"much faster as the device allows.";
	finding->paste = "grep . /sys/block/*/queue/read_ahead_kb /sys/class/bdi/*/read_ahead_kb\n"
			 "# while the job runs: size and number of the reads\n"
			 "iostat -dx 2 3\n";
	finding->predicted_kind = HL_AT_MOST;
	if (has_deep)
		finding->predicted_bw = deep.bw;
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match(graph, cause, is_held_back, found);
}

static const char *const rivals[] = { "readahead-or-page-cache", "depth-limited", NULL };

const struct hl_cause hl_cause_block_readahead_limited = {
	.id = "block-readahead-limited",
	.summary = "buffered sequential reads get one readahead window per fetch",
	.layer = HL_LAYER_FILESYSTEM,
	.explain =
		"A program that reads one block after the other through the page cache is served "
		"ahead of time, by windows of read_ahead_kb. Its bandwidth is window / latency of "
		"one fetch, whatever the device gives to many at once: 128 KiB every 145 us are "
		"863 MiB/s.\n\n"
		"Recognised by sequential reads at depth 1 without O_DIRECT (half of them come at "
		"once, the mean waits) on a device whose read_ahead_kb is known, where deep direct "
		"reads of the same hop are 1.5 times as fast, or the hop before is faster. "
		"Confirmed where window / latency of a direct read of that size gives the "
		"figure.\n\n"
		"Many ceilings lie near 863 MiB/s: deeper reads at the same hop exclude those "
		"below it. Data that are in the page cache already come faster than any "
		"window.\n\n"
		"Decided by the same job with a read_ahead_kb four times as large.\n\n"
		"What to do: raise read_ahead_kb, or read with direct I/O and depth.",
	.rivals = rivals,
	.match = match,
};
