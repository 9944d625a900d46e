/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * block-max-sectors-split: I/Os larger than the block device takes at a time are cut into pieces.
 *
 * Source: max_sectors_kb of the device that the hop reads and writes, and the kernel's count of
 * requests beside the jobs' own. Surprising: a limit below what the hardware takes is only a
 * default; a cut costs nothing where the device is full anyway, so a hop that loses nothing is left
 * alone.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/model.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include <math.h>
#include <string.h>

#define MAX_IO      "block.max_io_size"
#define MOST_PIECES 0.8 /* of those that arithmetic gives */
#define TOO_FEW     1.5 /* counted: they are not cut */
#define BELOW_SHEET 0.8

static const struct hl_fact *limit_of(const struct hl_graph *graph, const struct hl_trial *trial)
{
	return hl_place_fact(graph, trial->at->hop, MAX_IO, 0);
}

static double hardware_limit(const struct hl_graph *graph, const struct hl_fact *limit)
{
	const struct hl_fact *fact = hl_place_beside(graph, limit, "block.max_hw_io_size");

	return fact && fact->type == HL_FACT_NUMBER ? fact->number : NAN;
}

/* The only workload of its run: the device's requests are its own. */
static bool is_alone_in_run(const struct hl_trial *trial)
{
	const struct hl_hop *hop = trial->at->hop;

	for (size_t i = 0; i < hop->nr_measurements; i++) {
		if (hop->measurements[i] != trial->at &&
		    hl_figure_is_same_run(hop->measurements[i], trial->at))
			return false;
	}
	return true;
}

/* Requests of the device for each I/O of the job; NAN. */
static double pieces_counted(const struct hl_trial *trial, const struct hl_fact *limit)
{
	const struct hl_hop *hop = trial->at->hop;
	double ios = trial->at->dir[trial->dir]->ios;

	if (!is_alone_in_run(trial) || !(ios > 0))
		return NAN;
	for (size_t i = 0; i < hop->nr_disks; i++) {
		const struct hl_disk *disk = hop->disks[i];

		if (!strcmp(disk->name, limit->node) && disk->run == trial->at->run)
			return disk->ios[trial->dir == HL_DIR_WRITE] / ios;
	}
	return NAN;
}

static bool is_cut(const struct hl_graph *graph, const struct hl_trial *trial)
{
	const struct hl_fact *limit = limit_of(graph, trial);

	if (trial->dir == HL_DIR_TRIM || !limit || limit->type != HL_FACT_NUMBER ||
	    !(trial->bs > limit->number) || !(hardware_limit(graph, limit) > limit->number))
		return false;
	if (pieces_counted(trial, limit) < TOO_FEW)
		return false; /* whoever is below takes them whole */
	return hl_trial_is_bound_here(trial) ||
	       (!hl_beside_before(trial) && hl_trial_share_of_sheet(graph, trial) < BELOW_SHEET);
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *matches)
{
	const struct hl_trial *trial = &matches->items[0];
	const struct hl_fact *limit = limit_of(graph, trial);
	double pieces = ceil(trial->bs / limit->number), counted = pieces_counted(trial, limit);
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);

	if (trial->at->hop->layer != HL_LAYER_NONE)
		finding->layer = trial->at->hop->layer;
	if (counted >= MOST_PIECES * pieces && hl_trial_is_bound_here(trial))
		finding->state = HL_CONFIRMED;
	hl_finding_add_evidence(graph, finding, limit);
	hl_finding_add_evidence(graph, finding,
				hl_place_beside(graph, limit, "block.max_hw_io_size"));
	hl_evidence_add(graph, finding, trial, HL_FIGURE_BW);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_LAT);
	finding->text = hl_arena_printf(
		graph->arena,
		"%s takes I/Os of %s at most: each of %s goes down as %.0f pieces%s, and is done "
		"when the last one is (%s%s).",
		limit->node, hl_say_size(limit->number).text, hl_say_size(trial->bs).text, pieces,
		isnan(counted) ? "" : hl_arena_printf(graph->arena, " (%.1f counted)", counted),
		hl_say_rate(trial->bw).text, hl_trials_say_others(graph, matches));
	finding->fix = hl_arena_printf(graph->arena,
				       "echo %.0f > /sys/block/%s/queue/max_sectors_kb (the "
				       "hardware takes %s); lasting by "
				       "a udev rule.",
				       fmin(hardware_limit(graph, limit), trial->bs) / 1024,
				       limit->node, hl_say_size(hardware_limit(graph, limit)).text);
	if (finding->state != HL_CONFIRMED)
		finding->next = hl_arena_printf(graph->arena,
						"The same job with bs=%.0fk and as many bytes in "
						"flight: as fast, and it is not the cutting.",
						limit->number / 1024);
	finding->paste = "grep . /sys/block/*/queue/max_sectors_kb "
			 "/sys/block/*/queue/max_hw_sectors_kb\n"
			 "# while the job runs: size of the requests (rareq-sz, wareq-sz)\n"
			 "iostat -dx 2 3\n";
	if (hl_beside_before(trial)) {
		finding->predicted_bw = hl_beside_before(trial)->dir[trial->dir]->bw;
		finding->predicted_kind = HL_AT_MOST;
	}
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match(graph, cause, is_cut, found);
}

static const char *const rivals[] = { "depth-limited", "serial-stage", NULL };

const struct hl_cause hl_cause_block_max_sectors_split = {
	.id = "block-max-sectors-split",
	.summary = "the block device cuts large I/Os into pieces",
	.layer = HL_LAYER_INITIATOR,
	.explain =
		"The kernel cuts an I/O that is larger than max_sectors_kb into pieces, each a "
		"command of its own with its own cost, and the I/O is done when the last one is. "
		"The pieces take their places in the queue, too.\n\n"
		"Recognised by a block size above max_sectors_kb of the device, where the "
		"hardware takes more (max_hw_sectors_kb), and the hop is slower than the one "
		"before. Confirmed where the kernel counts as many more requests as there are "
		"pieces.\n\n"
		"A cap on commands in flight (depth-limited) or a stage that takes so long for "
		"each command (serial-stage) make the pieces cost what they do.\n\n"
		"Decided by the same job with bs = max_sectors_kb, or with a higher limit.\n\n"
		"What to do: raise max_sectors_kb.",
	.rivals = rivals,
	.match = match,
};
