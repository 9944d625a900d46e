/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The experiment "depth": half and twice as many in flight.
 *
 * Surprising: a rate that stays clears the depth asked for, but not a limit further down: half of
 * what is asked for may still be more than that lets through.
 */
#include "variants.h"
#include <math.h>

enum { SAME, HALF, TWICE };

static bool depth_derive(unsigned variant, struct hl_workload *workload)
{
	/* threads of a synchronous engine are its depth */
	double *depth = workload->iodepth >= 2 || workload->numjobs == 1 ? &workload->iodepth
									 : &workload->numjobs;

	if (variant == TWICE)
		*depth *= 2;
	if (variant != HALF)
		return true;
	if (!(*depth >= 2))
		return false;
	*depth = floor(*depth / 2);
	return true;
}

static const char *const rises[] = { "depth-limited", NULL };
static const char *const against_rise[] = { "serial-stage",     "rate-capped",      "link-shaped",
					    "ethernet-ceiling", "target-cpu-bound", NULL };
static const char *const at_cap[] = { "depth-limited", NULL };
static const char *const against_cap[] = { "serial-stage", NULL };
static const char *const saturated[] = { "serial-stage", NULL };

static void depth_judge(struct hl_graph *graph, struct hl_experiment *result,
			const struct hl_measurement *const *variants, enum hl_dir dir)
{
	struct contrast twice = contrast_in(variants, SAME, TWICE, dir);
	struct contrast half = contrast_in(variants, HALF, SAME, dir);
	const char *text = contrast_text(graph, &twice);

	if (contrast_is_more(&twice)) {
		result->decided = hl_arena_printf(graph->arena,
						  "twice the depth gives %s: more in flight is "
						  "what it lacks",
						  text);
		contrast_conclude(graph, result, rises, against_rise);
	} else if (!contrast_is_no_more(&twice)) {
		result->decided = contrast_undecided(graph, variants, 3);
	} else if (contrast_is_more(&half)) {
		result->decided = hl_arena_printf(graph->arena,
						  "twice the depth gives %s, and beside half of it "
						  "it gives %s: a limit on what is in flight",
						  text, contrast_text(graph, &half));
		contrast_conclude(graph, result, at_cap, against_cap);
	} else {
		result->decided = hl_arena_printf(graph->arena,
						  "twice the depth gives %s: the depth asked for "
						  "is not what it lacks",
						  text);
		if (contrast_is_no_more(&half))
			contrast_conclude(graph, result, saturated, NULL);
	}
}

static const char *const ids[] = { "depth-limited", "serial-stage", NULL };

const struct hl_experiment_kind hl_experiment_depth = {
	.id = "depth",
	.summary = "the same with half and with twice as many in flight",
	.variants = { { NULL, 0 }, { "half-depth", 0 }, { "double-depth", 0 } },
	.nr_variants = 3,
	.ids = ids,
	.derive = depth_derive,
	.judge = depth_judge,
};
