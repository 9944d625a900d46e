/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The experiment "tcp-streams": one and four plain TCP streams between the two ends of an iSCSI
 * hop, in turn with the job itself. They use the same addresses, line, NICs and shapers, but
 * neither target nor initiator.
 */
#include "hoploss/unit.h"
#include "variants.h"
#include <math.h>

#define NEAR    1.03 /* times: the same, but for iSCSI's own headers */
#define BS      (128 * HL_KIB)
#define STREAMS 4

enum { SAME, ONE, FOUR };

static bool streams_derive(unsigned variant, struct hl_workload *workload)
{
	if (variant == SAME)
		return true;
	workload->rw = hl_rw_writes(workload->rw) ? HL_RW_WRITE : HL_RW_READ;
	workload->bs = BS;
	workload->bs_write = NAN;
	workload->iodepth = 1;
	workload->numjobs = variant == ONE ? 1 : STREAMS;
	workload->size = NAN;
	return true;
}

static bool is_near(const struct contrast *contrast)
{
	return contrast_is_alike(contrast) && contrast->times <= NEAR &&
	       contrast->times >= 1 / NEAR;
}

static const char *const network[] = { "link-shaped", "ethernet-ceiling", NULL };
static const char *const not_network[] = { "serial-stage",     "depth-limited",
					   "target-cpu-bound", "tcp-window-limited",
					   "rate-capped",      NULL };
static const char *const one_flow[] = { "tcp-window-limited", "serial-stage", NULL };
static const char *const not_one_flow[] = { "link-shaped", "ethernet-ceiling", NULL };
static const char *const not_even_flow[] = { "link-shaped", "ethernet-ceiling",
					     "tcp-window-limited", NULL };

static void streams_judge(struct hl_graph *graph, struct hl_experiment *result,
			  const struct hl_measurement *const *variants, enum hl_dir dir)
{
	enum hl_dir flow = dir == HL_DIR_WRITE ? HL_DIR_TX : HL_DIR_RX;
	struct contrast one = contrast_of(variants[SAME], dir, variants[ONE], flow);
	struct contrast four = contrast_of(variants[SAME], dir, variants[FOUR], flow);
	const char *figures = hl_arena_printf(
		graph->arena, "one TCP stream between the same addresses gives %s, four give %s",
		contrast_text(graph, &one), contrast_text(graph, &four));

	if (is_near(&one) && is_near(&four)) {
		result->decided = hl_arena_printf(graph->arena,
						  "%s: it is the line between the two", figures);
		contrast_conclude(graph, result, network, not_network);
	} else if (contrast_is_more(&four) && contrast_is_alike(&one)) {
		result->decided = hl_arena_printf(graph->arena, "%s: it is what one flow carries",
						  figures);
		contrast_conclude(graph, result, one_flow, not_one_flow);
	} else if (contrast_is_more(&four) && contrast_is_more(&one)) {
		result->decided = hl_arena_printf(
			graph->arena, "%s: the line between the two carries more", figures);
		contrast_conclude(graph, result, NULL, not_even_flow);
	} else if (contrast_is_known(&one) && contrast_is_known(&four)) {
		result->decided = hl_arena_printf(graph->arena, "not decided: %s", figures);
	} else {
		result->decided = contrast_undecided(graph, variants, 3);
	}
}

static const char *const ids[] = { "link-shaped",  "ethernet-ceiling", "tcp-window-limited",
				   "serial-stage", "depth-limited",    NULL };

const struct hl_experiment_kind hl_experiment_tcp_streams = {
	.id = "tcp-streams",
	.summary = "one and four TCP streams between the same two addresses",
	.variants = { { NULL, 0 }, { "tcp-1-stream", 1 }, { "tcp-4-streams", STREAMS } },
	.nr_variants = 3,
	.is_network = true,
	.ids = ids,
	.derive = streams_derive,
	.judge = streams_judge,
};
