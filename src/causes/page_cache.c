/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * readahead-or-page-cache: the memory of the machine that measured, instead of the path.
 *
 * Source: latencies. Surprising: libaio on a buffered file (or on a file system that knows no
 * asynchronous I/O) does all of the I/O within the submission, so clat is some hundred nanoseconds
 * and iodepth means nothing. fio's text does not say whether direct=1 was given.
 */
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/say.h"
#include <math.h>

#define HIT_NS        8e3
#define FLASH_NS      60e3 /* no flash is read faster */
#define FLASH_NS_BYTE 0.25
#define READAHEAD     (128 * HL_KIB)

/* Done within the submission: a synchronous call in disguise. */
static bool is_done_at_once(const struct hl_trial *trial)
{
	const struct hl_rate *rate = trial->at->dir[trial->dir];

	return rate->clat && rate->clat->mean < HIT_NS && trial->submit_ns > 5 * rate->clat->mean;
}

/* Most reads of a stream come at once, some wait for the next window. */
static bool is_readahead(const struct hl_trial *trial)
{
	const struct hl_latency *latency = hl_trial_latency(trial);

	return trial->at->workload.rw == HL_RW_READ && trial->depth == 1 && latency &&
	       trial->bs < READAHEAD && latency->p50 < HIT_NS && latency->mean >= 2 * latency->p50;
}

static bool is_from_memory(const struct hl_graph *graph, const struct hl_trial *trial)
{
	double flash_ns = FLASH_NS + (trial->bs > 0 ? trial->bs * FLASH_NS_BYTE : 0);

	(void)graph;
	if (trial->at->workload.direct == 1 && !is_done_at_once(trial))
		return false;
	if (!hl_trial_is_from_memory(trial))
		return is_readahead(trial);
	return trial->dir == HL_DIR_WRITE || trial->lat_ns < flash_ns;
}

static const char *say_how(struct hl_graph *graph, const struct hl_trial *trial)
{
	const struct hl_rate *rate = trial->at->dir[trial->dir];

	if (is_done_at_once(trial))
		return hl_arena_printf(
			graph->arena,
			"%s of it in the submission and %s after: they were done when the call "
			"came "
			"back, so no depth was ever in flight (buffered I/O, or a file system that "
			"knows no asynchronous I/O, as FUSE)",
			hl_say_time(trial->submit_ns).text, hl_say_time(rate->clat->mean).text);
	if (is_readahead(trial))
		return hl_arena_printf(graph->arena,
				       "half of them %s: readahead fetches them before they are "
				       "asked for, 128 KiB "
				       "in %s",
				       hl_say_time(hl_trial_latency(trial)->p50).text,
				       hl_say_time(READAHEAD / trial->bw * 1e9).text);
	return "faster than any medium: they came from or went to the page cache";
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *matches)
{
	static const enum hl_figure figures[] = { HL_FIGURE_LAT, HL_FIGURE_SLAT, HL_FIGURE_CLAT,
						  HL_FIGURE_P50, HL_FIGURE_IOPS };
	const struct hl_trial *first = &matches->items[0];
	struct hl_finding *finding = hl_trial_found(graph, cause, first);

	hl_evidence_add_all(graph, finding, matches, figures, 5);
	finding->text = hl_arena_printf(
		graph->arena, "%s of %s took %s, %s%s.%s",
		first->dir == HL_DIR_READ ? "Reads" : "Writes", hl_say_size(first->bs).text,
		hl_say_time(first->lat_ns).text, say_how(graph, first),
		hl_trials_say_others(graph, matches),
		first->at->workload.direct == -1
			? " Whether direct=1 was given is not in this output."
			: "");
	finding->fix =
		"Measure with direct=1, invalidate=1 and a file at least twice the size of the "
		"memory; where the application reads through the cache too, the figure is "
		"what it gets as long as the data fit.";
	finding->next = "The same job with direct=1 and, where the file system does not honour it, "
			"with a file twice the size of the memory: what changes was the cache.";
	finding->paste = "# where the job ran (FILE = its file)\n"
			 "findmnt -T FILE -o FSTYPE,SOURCE,OPTIONS\n"
			 "free -m\n"
			 "fincore FILE\n"
			 "grep . /sys/block/*/queue/read_ahead_kb\n";
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match(graph, cause, is_from_memory, found);
}

static const char *const rivals[] = { "faster-than-medium", NULL };

const struct hl_cause hl_cause_readahead_or_page_cache = {
	.id = "readahead-or-page-cache",
	.summary = "the memory of the machine that measured answered, not the path",
	.layer = HL_LAYER_FILESYSTEM,
	.explain =
		"Without direct=1 reads come from the page cache once they were read, writes only "
		"go "
		"into it, and a sequential reader is served ahead of time: its bandwidth is the "
		"readahead window divided by the latency of one fetch.\n\n"
		"Recognised by latencies that no medium has: below 8 us (and 0.1 ns a byte for the "
		"copying); by asynchronous I/O that is complete when its submission returns (slat "
		"holds the time, clat some hundred nanoseconds): then the depth asked for never "
		"existed; and by sequential reads of which half come at once while the average "
		"waits.\n\n"
		"A RAM disk looks the same, and so does a cache further down behind a very fast "
		"link "
		"(faster-than-medium). fio's text output does not say whether direct=1 was "
		"given.\n\n"
		"Decided by the same job with direct=1, or with a file twice the size of the "
		"memory.\n\n"
		"What to do: measure so, unless the cache is what the application will live on.",
	.rivals = rivals,
	.match = match,
};
