/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The experiment "read-again": a region that has not been read for long, then the same again at
 * once. What is faster the second time was kept by a cache on the way.
 */
#include "variants.h"

enum { FIRST, AGAIN };

static bool again_derive(unsigned variant, struct hl_workload *workload)
{
	(void)variant;
	(void)workload;
	return true;
}

static const char *const caches[] = { "faster-than-medium", "readahead-or-page-cache", NULL };

static void again_judge(struct hl_graph *graph, struct hl_experiment *result,
			const struct hl_measurement *const *variants, enum hl_dir dir)
{
	struct contrast again = contrast_in(variants, FIRST, AGAIN, dir);

	if (contrast_is_more(&again)) {
		result->decided = hl_arena_printf(graph->arena,
						  "the same read again gives %s: a cache keeps it",
						  contrast_text(graph, &again));
		contrast_conclude(graph, result, caches, NULL);
	} else if (contrast_is_no_more(&again)) {
		result->decided = hl_arena_printf(
			graph->arena,
			"the same read again gives %s: no cache that was cold keeps it",
			contrast_text(graph, &again));
	} else {
		result->decided = contrast_undecided(graph, variants, 2);
	}
}

const struct hl_experiment_kind hl_experiment_read_again = {
	.id = "read-again",
	.summary = "a cold region, then the same again",
	.variants = { { "first", 0 }, { "again", 0 } },
	.nr_variants = 2,
	.is_same_place = true,
	.ids = caches,
	.derive = again_derive,
	.judge = again_judge,
};
