/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The experiment "block-size": blocks four times as large, or a fourth where they are large. What
 * costs a time per I/O then gives four times (a fourth of) the bandwidth; what costs a time per
 * byte gives the same.
 */
#include "hoploss/unit.h"
#include "variants.h"
#include <math.h>

#define TIMES   4
#define LARGEST (1024 * HL_KIB)
#define PER_IO  0.7 /* of the way from the same bandwidth to the same IOPS, on a log scale */

enum { SAME, OTHER };

static bool block_derive(unsigned variant, struct hl_workload *workload)
{
	if (variant == OTHER)
		workload->bs = workload->bs * TIMES <= LARGEST ? workload->bs * TIMES
							       : workload->bs / TIMES;
	return workload->bs >= 512;
}

static const char *const per_byte[] = { "link-shaped", "ethernet-ceiling", "tcp-window-limited",
					NULL };
static const char *const not_per_byte[] = { "depth-limited", NULL };
static const char *const per_io[] = { "serial-stage", "target-cpu-bound", "depth-limited", NULL };
static const char *const not_per_io[] = { "link-shaped", "ethernet-ceiling", "tcp-window-limited",
					  NULL };

static void block_judge(struct hl_graph *graph, struct hl_experiment *result,
			const struct hl_measurement *const *variants, enum hl_dir dir)
{
	struct contrast other = contrast_in(variants, SAME, OTHER, dir);
	double times, way;

	if (!contrast_is_known(&other)) {
		result->decided = contrast_undecided(graph, variants, 2);
		return;
	}
	times = variants[OTHER]->workload.bs / variants[SAME]->workload.bs;
	/* the bound that is nearest to the other answer decides */
	way = log(times > 1 ? other.low : other.high) / log(times);
	if (contrast_is_alike(&other)) {
		result->decided = hl_arena_printf(graph->arena,
						  "blocks %.2g times as large give %s: it is "
						  "bytes that are limited",
						  times, contrast_text(graph, &other));
		contrast_conclude(graph, result, per_byte, not_per_byte);
	} else if (way > PER_IO) {
		result->decided = hl_arena_printf(graph->arena,
						  "blocks %.2g times as large give %s: it is I/Os "
						  "that are limited",
						  times, contrast_text(graph, &other));
		contrast_conclude(graph, result, per_io, not_per_io);
	} else {
		result->decided = hl_arena_printf(graph->arena,
						  "not decided: blocks %.2g times as large give %s",
						  times, contrast_text(graph, &other));
	}
}

static const char *const ids[] = { "link-shaped", "ethernet-ceiling", "serial-stage",
				   "depth-limited", NULL };

const struct hl_experiment_kind hl_experiment_block_size = {
	.id = "block-size",
	.summary = "the same with blocks four times as large, or a fourth",
	.variants = { { NULL, 0 }, { "other-block", 0 } },
	.nr_variants = 2,
	.ids = ids,
	.derive = block_derive,
	.judge = block_judge,
};
