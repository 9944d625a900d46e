/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A generator that asks for too little: see hoploss/shallow.h.
 *
 * Source: depth asked for, engine, mean against least latency, the datasheet. Surprising: iodepth
 * means nothing to a synchronous engine, and fio prints it all the same. A job of depth 1 on
 * purpose (a latency test) is not a mistake and is left alone. And where the start of a job is not
 * counted, the least latency says nothing: behind a queue that stands, as before a shaped line, all
 * I/Os wait alike.
 */
#include "hoploss/shallow.h"
#include "hoploss/evidence.h"
#include "hoploss/model.h"
#include "hoploss/say.h"
#include "hoploss/spec.h"
#include <math.h>
#include <string.h>

#define UNQUEUED       2   /* mean ÷ that of an I/O alone: most came back as if they were */
#define BELOW          0.8 /* of the sheet */
#define HELD_BY_DEVICE 0.8 /* of the jobs' I/Os */
#define SMALL          (16 * HL_KIB)
#define BUSY_NS        1e6
#define FEW            16 /* in flight */

enum reason {
	NOT_SHALLOW,
	DEPTH_IGNORED, /* iodepth with a synchronous engine */
	UNQUEUED_YET,  /* no I/O waits for another */
	BELOW_SHEET,   /* the sheet's figure was taken with more */
	ALL_IN_DEVICE, /* synchronous jobs, and the device holds what they ask for */
};

static bool is_ignored_depth(const struct hl_trial *trial)
{
	return trial->at->workload.iodepth > 1 && trial->depth == trial->jobs;
}

/* The depth that the sheet's figure for this kind of I/O was taken with, NAN. */
static double sheet_depth(const struct hl_graph *graph, const struct hl_trial *trial)
{
	double depth = NAN;

	for (size_t i = 0; graph->spec && i < graph->spec->nr_figures; i++) {
		const struct hl_spec_figure *figure = &graph->spec->figures[i];

		if (figure->rw == trial->at->workload.rw)
			depth = fmax(depth, figure->iodepth);
	}
	return depth;
}

static bool is_sync(const struct hl_trial *trial)
{
	return trial->depth == trial->jobs;
}

/* Streams fill a device at any depth, and one that takes so long is busy itself. */
static bool is_small(const struct hl_trial *trial)
{
	return trial->bs <= SMALL && trial->lat_ns < BUSY_NS;
}

/*
 * Latency of an I/O that waits for no other: the least one, which is that of the first I/Os; where
 * those were not counted, that of depth 1; NAN.
 */
static double alone_latency(const struct hl_trials *trials, const struct hl_trial *trial)
{
	if (!trial->at->dir[trial->dir]->per_round)
		return hl_trial_least_latency(trial);
	for (size_t i = 0; i < trials->nr; i++) {
		if (trials->items[i].depth == 1 && hl_trial_is_same_kind(&trials->items[i], trial))
			return trials->items[i].lat_ns;
	}
	return NAN;
}

static enum reason reason_of(const struct hl_graph *graph, const struct hl_trials *trials,
			     const struct hl_trial *trial)
{
	double share = hl_trial_share_of_sheet(graph, trial);

	if (!trial->is_pure || !trial->is_alone || hl_trial_is_at_sheet(graph, trial) ||
	    hl_trial_is_generator_busy(trial) || hl_trial_is_from_memory(trial) ||
	    trial->at->dir[trial->dir]->sync)
		return NOT_SHALLOW;
	if (is_ignored_depth(trial))
		return DEPTH_IGNORED;
	if (!(trial->depth >= 2))
		return NOT_SHALLOW;
	if (trial->lat_ns <= UNQUEUED * alone_latency(trials, trial))
		return UNQUEUED_YET;
	if (trial->depth > FEW)
		return NOT_SHALLOW;
	if (trial->depth * 2 <= sheet_depth(graph, trial) && share < BELOW)
		return BELOW_SHEET;
	if (is_sync(trial) && is_small(trial) && !trial->at->is_depth_of_run &&
	    trial->at->device_depth >= HELD_BY_DEVICE * trial->depth)
		return ALL_IN_DEVICE;
	return NOT_SHALLOW;
}

/* A deeper trial of the same kind says what depth gives. */
static bool has_deeper(const struct hl_trials *trials, const struct hl_trial *trial)
{
	for (size_t i = 0; i < trials->nr; i++) {
		if (trials->items[i].depth > trial->depth &&
		    hl_trial_is_same_kind(&trials->items[i], trial))
			return true;
	}
	return false;
}

static const char *say_unqueued(struct hl_graph *graph, const struct hl_trials *trials,
				const struct hl_trial *trial)
{
	bool is_least = !trial->at->dir[trial->dir]->per_round;

	return hl_arena_printf(graph->arena,
			       " %s %s: hardly any I/O waited for another, so what is behind is "
			       "not saturated.",
			       is_least ? "The fastest took" : "Alone, at depth 1, one takes",
			       hl_say_time(alone_latency(trials, trial)).text);
}

static const char *say_reason(struct hl_graph *graph, const struct hl_trials *trials,
			      const struct hl_trial *trial, enum reason reason)
{
	const char *engine = trial->at->workload.engine;
	double share = hl_trial_share_of_sheet(graph, trial);

	switch (reason) {
	case DEPTH_IGNORED:
		return hl_arena_printf(graph->arena,
				       " iodepth=%.0f has no effect: %s has one I/O in flight a "
				       "job.",
				       trial->at->workload.iodepth, engine);
	case UNQUEUED_YET:
		return say_unqueued(graph, trials, trial);
	case BELOW_SHEET:
		return hl_arena_printf(graph->arena,
				       " That is %s of the datasheet, whose figure was taken with "
				       "%.0f.",
				       hl_say_share(share).text, sheet_depth(graph, trial));
	default:
		return hl_arena_printf(
			graph->arena,
			" The device held %.1f of them: what it gives to more is not "
			"known.",
			trial->at->device_depth);
	}
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *trials, const struct hl_trial *trial, enum reason reason)
{
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);

	if (reason == ALL_IN_DEVICE)
		finding->state = HL_AMBIGUOUS;
	hl_evidence_add(graph, finding, trial, HL_FIGURE_DEPTH);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_IOPS);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_LAT);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_LAT_MIN);
	if (!trial->at->is_depth_of_run)
		hl_evidence_add_model(graph, finding, trial->at->hop, "model.device_depth",
				      trial->at->device_depth);
	finding->text = hl_arena_printf(
		graph->arena,
		"%s: %.0f in flight at %s each are %s IOPS, and no more were asked for.%s",
		trial->dir == HL_DIR_READ ? "Reads" : "Writes", trial->depth,
		hl_say_time(trial->lat_ns).text, hl_say_count(trial->iops).text,
		say_reason(graph, trials, trial, reason));
	finding->fix = "Ask for more at a time: an asynchronous engine (io_uring, libaio with "
		       "direct=1) with iodepth 32 or more, or more jobs.";
	finding->next =
		"The same job with twice the jobs, and with an asynchronous engine at depth "
		"32: IOPS that rise with it clear everything below.";
	if (graph->spec) {
		struct hl_workload workload = trial->at->workload;

		workload.iodepth = NAN;
		finding->predicted_bw = graph->drives *
					hl_spec_bw(graph->spec, &workload, trial->dir);
		finding->predicted_kind = HL_AT_MOST;
	}
}

void hl_shallow_match(struct hl_graph *graph, const struct hl_cause *cause,
		      const struct hl_hop *hop, enum hl_dir dir)
{
	HL_TRIALS struct hl_trials trials = { 0 };
	const struct hl_trial *worst = NULL;
	enum reason reason = NOT_SHALLOW;

	hl_trials_read(hop, dir, &trials);
	for (size_t i = 0; i < trials.nr; i++) {
		const struct hl_trial *trial = &trials.items[i];
		enum reason one = reason_of(graph, &trials, trial);

		if (one == NOT_SHALLOW || (worst && worst->depth <= trial->depth) ||
		    has_deeper(&trials, trial))
			continue;
		worst = trial;
		reason = one;
	}
	if (worst)
		found(graph, cause, &trials, worst, reason);
}
