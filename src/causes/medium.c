/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * faster-than-medium: figures that the drives cannot give, and which caches are left to give them.
 *
 * Source: the datasheet's best case times the drives; latency and working set rule caches out.
 * Surprising: hops of one path read the same media, so a cache warmed by one serves the next; and
 * a result like this is no base to build a diagnosis on.
 */
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/model.h"
#include "hoploss/say.h"
#include "hoploss/spec.h"
#include <math.h>
#include <string.h>

#define BEYOND_IOPS 1.5  /* times the best case at random */
#define BEYOND_BW   1.15 /* times the sheet's bandwidth */
#define PAGE_NS     50e3 /* the page cache answers within */
#define COPY_NS     0.1  /* a byte */
#define FLASH_NS    20e3 /* a cache of flash does not answer faster */

static bool is_hdd(const struct hl_graph *graph)
{
	return !strcmp(graph->spec->medium, "hdd");
}

/* The most that the drives can give of this, by the sheet; NAN. */
static double most_iops(const struct hl_graph *graph, const struct hl_trial *trial)
{
	return graph->drives * hl_spec_random_iops(graph->spec, trial->dir);
}

static double most_bw(const struct hl_graph *graph, const struct hl_trial *trial)
{
	struct hl_workload streaming;

	hl_workload_init(&streaming);
	streaming.rw = trial->dir == HL_DIR_READ ? HL_RW_READ : HL_RW_WRITE;
	streaming.bs = HL_MIB;
	return graph->drives * hl_spec_bw(graph->spec, &streaming, trial->dir);
}

/* Measured ÷ what the medium can give; NAN. */
static double excess(const struct hl_graph *graph, const struct hl_trial *trial)
{
	double by_bw = trial->bw / most_bw(graph, trial) / BEYOND_BW;
	double by_iops = NAN;

	if (hl_rw_is_random(trial->at->workload.rw))
		by_iops = trial->iops / most_iops(graph, trial) / BEYOND_IOPS;
	return fmax(by_bw, by_iops);
}

static bool is_beyond(const struct hl_graph *graph, const struct hl_trial *trial)
{
	return graph->spec && trial->dir != HL_DIR_TRIM && excess(graph, trial) > 1;
}

/* ---- which cache ---- */

/* Nearly all I/Os took longer than a hit in the page cache of the machine that asked. */
static bool is_page_cache_excluded(const struct hl_trial *trial)
{
	const struct hl_latency *latency = hl_trial_latency(trial);
	double hit_ns = PAGE_NS + (trial->bs > 0 ? trial->bs * COPY_NS : 0);

	return latency && (latency->p1 > hit_ns || latency->min > hit_ns);
}

static bool is_flash_excluded(const struct hl_trial *trial)
{
	return trial->lat_ns < FLASH_NS;
}

static double drive_caches(const struct hl_graph *graph)
{
	return is_hdd(graph) ? graph->drives * graph->spec->cache_bytes : 0;
}

/* Too small to answer as large a part of the I/Os as a cache must have answered. */
static bool is_drive_cache_excluded(const struct hl_graph *graph, const struct hl_trial *trial)
{
	double from_cache = 1 - 1 / excess(graph, trial);
	double size = trial->at->workload.size;

	return !is_hdd(graph) || drive_caches(graph) / size < from_cache;
}

static const char *say_not_page_cache(struct hl_graph *graph, const struct hl_trial *trial)
{
	const struct hl_latency *latency = hl_trial_latency(trial);
	const char *text = " Not the page cache where the job ran:";

	if (!isnan(trial->submit_ns))
		text = hl_arena_printf(graph->arena, "%s submitting took %s,", text,
				       hl_say_time(trial->submit_ns).text);
	text = hl_arena_printf(graph->arena, "%s the answer %s at least", text,
			       hl_say_time(latency->min).text);
	if (!isnan(latency->p1))
		text = hl_arena_printf(graph->arena, "%s and more than %s in 99 %%", text,
				       hl_say_time(latency->p1).text);
	return hl_arena_printf(graph->arena, "%s.", text);
}

static const char *say_excluded(struct hl_graph *graph, const struct hl_trial *trial)
{
	const char *text = "";

	if (is_page_cache_excluded(trial))
		text = say_not_page_cache(graph, trial);
	if (is_hdd(graph) && is_drive_cache_excluded(graph, trial))
		text = hl_arena_printf(graph->arena,
				       "%s Not the drives' own caches: %s are too small for %s.",
				       text, hl_say_size(drive_caches(graph)).text,
				       hl_say_size(trial->at->workload.size).text);
	return text;
}

static const char *say_drive_caches(struct hl_graph *graph, const struct hl_trial *trial)
{
	double size = trial->at->workload.size, cache = graph->spec->cache_bytes;

	if (isnan(cache))
		return "the drives' own caches";
	if (isnan(size))
		return hl_arena_printf(graph->arena,
				       "the drives' own caches (%u x %s; the size of the file is "
				       "not known)",
				       graph->drives, hl_say_size(cache).text);
	return hl_arena_printf(graph->arena, "the drives' own caches (%u x %s for a file of %s)",
			       graph->drives, hl_say_size(cache).text, hl_say_size(size).text);
}

struct list {
	const char *items[6];
	size_t nr;
};

static struct list left(struct hl_graph *graph, const struct hl_trial *trial)
{
	bool is_read = trial->dir == HL_DIR_READ;
	struct list list = { 0 };

	if (!is_page_cache_excluded(trial))
		list.items[list.nr++] = "the page cache where the job ran";
	if (trial->at->hop->layer != HL_LAYER_DRIVE) {
		list.items[list.nr++] = "the RAM of the storage (page cache, ARC)";
		if (!is_flash_excluded(trial))
			list.items[list.nr++] = is_read ? "an SSD cache of it"
							: "an SSD that takes its writes";
	}
	if (!is_drive_cache_excluded(graph, trial))
		list.items[list.nr++] = say_drive_caches(graph, trial);
	if (is_read && isnan(trial->at->workload.size))
		list.items[list.nr++] = "blocks that were never written";
	return list;
}

static const char *say_left(struct hl_graph *graph, const struct hl_trial *trial)
{
	struct list list = left(graph, trial);
	const char *text = "";

	if (!list.nr)
		return " What is left is a cache of a controller, or other drives than these.";
	for (size_t i = 0; i < list.nr; i++)
		text = hl_arena_printf(graph->arena, "%s%s%s", text,
				       !i                ? ""
				       : i + 1 < list.nr ? ", "
							 : " and ",
				       list.items[i]);
	return hl_arena_printf(graph->arena, " Left %s %s.", list.nr > 1 ? "are" : "is", text);
}

/* ---- the finding ---- */

static const char *say_excess(struct hl_graph *graph, const struct hl_trial *trial)
{
	const char *unit = is_hdd(graph) ? "hard disk" : "drive";
	const char *many = graph->drives > 1 ? "s" : "";

	if (trial->bw > BEYOND_BW * most_bw(graph, trial) ||
	    !hl_rw_is_random(trial->at->workload.rw))
		return hl_arena_printf(graph->arena, "%s are not %u %s%s (%s by the datasheet).",
				       hl_say_rate(trial->bw).text, graph->drives, unit, many,
				       hl_say_rate(most_bw(graph, trial)).text);
	return hl_arena_printf(
		graph->arena,
		"%s random %s a second are not %u %s%s (%s at best by the datasheet).",
		hl_say_count(trial->iops).text, trial->dir == HL_DIR_READ ? "reads" : "writes",
		graph->drives, unit, many, hl_say_count(most_iops(graph, trial)).text);
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *matches)
{
	static const enum hl_figure figures[] = { HL_FIGURE_IOPS, HL_FIGURE_BW,   HL_FIGURE_LAT_MIN,
						  HL_FIGURE_P1,   HL_FIGURE_SLAT, HL_FIGURE_SIZE };
	const struct hl_trial *worst = &matches->items[0];
	struct hl_finding *finding;

	for (size_t i = 1; i < matches->nr; i++) {
		if (excess(graph, &matches->items[i]) > excess(graph, worst))
			worst = &matches->items[i];
	}
	finding = hl_trial_found(graph, cause, worst);
	hl_evidence_add_all(graph, finding, matches, figures, 6);
	finding->text = hl_arena_printf(graph->arena, "%s%s%s", say_excess(graph, worst),
					say_excluded(graph, worst), say_left(graph, worst));
	finding->fix =
		"Nothing to mend: do not take these figures for the drives'. They hold as long "
		"as the data fit the cache.";
	finding->next =
		"The same job over a file several times larger than all of these (twice the "
		"storage's RAM and more): what it gives then is the medium. Or watch the "
		"drives while it runs: if they are idle, a cache answers.";
	finding->paste = "# on the storage, as root, while the job runs: do its drives do anything "
			 "(r/s, w/s)?\n"
			 "iostat -dx 2 3\n"
			 "grep -E '^(MemTotal|Cached|Dirty):' /proc/meminfo\n"
			 "grep -E '^(hits|misses|size) ' /proc/spl/kstat/zfs/arcstats\n"
			 "# an SSD cache?\n"
			 "lsblk -o NAME,TYPE,ROTA,SIZE,MODEL\n"
			 "dmsetup status\n";
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match(graph, cause, is_beyond, found);
}

static const char *const rivals[] = { "readahead-or-page-cache", NULL };

const struct hl_cause hl_cause_faster_than_medium = {
	.id = "faster-than-medium",
	.summary = "figures that the drives cannot give: a cache answered",
	.explain = "More than the drives of the datasheet can do was measured, so something else "
		   "answered: the page cache, the RAM of the storage (ARC), an SSD cache, a "
		   "controller's "
		   "or the drives' own cache, or blocks that were never written and come back as "
		   "zeros. "
		   "Such a figure is a finding, not a number to build on.\n\n"
		   "Recognised with a datasheet only: random I/Os beyond 1.5 times the best case "
		   "of all "
		   "drives (a hard disk gives 2.5 random reads per average seek and half turn at "
		   "best, 8 "
		   "writes), or bandwidth beyond 1.15 times the sheet.\n\n"
		   "Which cache: a latency above 50 us excludes the page cache of the machine that "
		   "asked; a file that is larger than the drives' caches excludes these; below 20 "
		   "us no "
		   "flash answers. What cannot be excluded is listed.\n\n"
		   "Decided by the same job over a file several times larger than all caches, or "
		   "by the "
		   "drives' own counters while it runs.\n\n"
		   "What to do: nothing, but do not take the figure for the drives'.",
	.rivals = rivals,
	.match = match,
};
