/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of a verdict.
 *
 * Source: the draft of it. Rates are MiB/s as fio prints them; a datasheet's are decimal, so where
 * one is compared with, both stand there.
 */
#include "hoploss/unit.h"
#include "verdict.h"
#include <math.h>
#include <string.h>

static const struct hl_stage *last_stage(const struct hl_chain *chain)
{
	return &chain->stages[chain->nr_stages - 1];
}

static const char *name_layers(struct hl_graph *graph, uint32_t layers)
{
	const char *text = NULL;

	for (int layer = HL_LAYER_NONE + 1; layer < HL_NR_LAYERS; layer++) {
		if (layers & (1U << layer))
			text = hl_arena_printf(graph->arena, "%s%s%s", text ? text : "",
					       text ? "+" : "", hl_layer_name(layer));
	}
	return text;
}

static const char *bw_text(struct hl_graph *graph, const struct hl_stage *stage)
{
	char text[HL_UNIT_TEXT];

	if (stage->at && stage->at->change)
		return hl_arena_printf(graph->arena, "%s at %s (%s)", hl_unit_rate(text, stage->bw),
				       stage->hop->name, stage->at->change);
	if (stage->at)
		return hl_arena_printf(graph->arena, "%s at %s", hl_unit_rate(text, stage->bw),
				       stage->hop->name);
	return hl_arena_printf(graph->arena, "%s promised by %s",
			       hl_unit_rate_both(text, stage->bw), stage->hop->name);
}

static const char *latency_text(struct hl_graph *graph, const struct hl_stage *stage)
{
	char text[HL_UNIT_TEXT];

	return hl_arena_printf(graph->arena, "%s at %s", hl_unit_time(text, stage->lat_ns),
			       stage->hop->name);
}

const char *hl_verdict_subject(struct hl_graph *graph, const struct hl_stage *stage,
			       uint32_t layers)
{
	if (layers)
		return name_layers(graph, layers);
	return hl_arena_printf(graph->arena, "what lies between %s and %s", stage[-1].hop->name,
			       stage->hop->name);
}

static const char *latency_loss_text(struct hl_graph *graph, const struct hl_draft *draft)
{
	const struct hl_stage *stage = draft->binding, *parent = stage - 1;
	const char *interval = hl_verdict_interval(graph, stage);
	char text[HL_UNIT_TEXT], share[HL_UNIT_TEXT];

	if (interval)
		interval = hl_arena_printf(graph->arena, " and takes %s of the rate (%s)",
					   hl_unit_percent(share, (1 - 1 / stage->factor) * 100),
					   interval);
	return hl_arena_printf(graph->arena, "%s adds %s to each I/O (%s, %s)%s",
			       hl_verdict_subject(graph, stage, draft->layers),
			       hl_unit_time(text, stage->lat_ns - parent->lat_ns),
			       latency_text(graph, parent), latency_text(graph, stage),
			       interval ? interval : "");
}

static const char *loss_text(struct hl_graph *graph, const struct hl_draft *draft)
{
	const struct hl_stage *stage = draft->binding, *parent = stage - 1;
	double factor = stage->look ? stage->factor : parent->bw / stage->bw;
	const char *interval = hl_verdict_interval(graph, stage);
	char text[HL_UNIT_TEXT];

	if (!isnan(stage->lat_ns) && !isnan(parent->lat_ns))
		return latency_loss_text(graph, draft);
	return hl_arena_printf(graph->arena, "%s takes %s (%s%s%s, %s)",
			       hl_verdict_subject(graph, stage, draft->layers),
			       hl_unit_percent(text, (1 - 1 / factor) * 100),
			       interval ? interval : "", interval ? ": " : "",
			       bw_text(graph, parent), bw_text(graph, stage));
}

static const char *mended_text(struct hl_graph *graph, const struct hl_draft *draft)
{
	const struct hl_step *step = draft->ladder ? &draft->ladder->steps[0] : NULL;
	char text[HL_UNIT_TEXT];

	if (!step)
		return "";
	return hl_arena_printf(
		graph->arena, "; mended alone, it gives %s %s%s", draft->chain->leaf->name,
		step->kind == HL_AT_MOST ? "at most " : "about ", hl_unit_rate(text, step->bw));
}

static const char *interval_text(const struct hl_draft *draft)
{
	const struct hl_rate *rate = draft->chain->at->dir[draft->chain->dir];
	bool has_rounds = draft->binding->look || !isnan(rate->bw_low);

	return !has_rounds ? ". One value each, no interval: suspected at most" : "";
}

/* Between these two no I/O can be issued, or there is seldom one of them: never missed. */
#define NEVER_MISSED (1U << HL_LAYER_WIRE | 1U << HL_LAYER_VDISK)

/* A path that was given in two far hops blames the lower one for all that lies between. */
static const char *gap_text(struct hl_graph *graph, const struct hl_draft *draft)
{
	const struct hl_stage *stage = draft->binding;
	enum hl_layer from = stage[-1].hop->layer, to = stage->hop->layer;
	uint32_t missed = 0;

	for (int layer = from + 1; stage[-1].at && from != HL_LAYER_NONE && layer < (int)to;
	     layer++)
		missed |= 1U << layer;
	missed &= ~(stage->layers | NEVER_MISSED);
	if (!missed || !stage->layers || draft->layers != stage->layers)
		return "";
	return hl_arena_printf(graph->arena,
			       ". Nothing was measured between %s and %s: what lies there is in it",
			       stage[-1].hop->name, stage->hop->name);
}

static const char *named_text(struct hl_graph *graph, const struct hl_draft *draft)
{
	return hl_arena_printf(graph->arena, "%s%s%s%s%s%s", loss_text(graph, draft),
			       mended_text(graph, draft), gap_text(graph, draft),
			       draft->compared ? ". " : "", draft->compared ? draft->compared : "",
			       interval_text(draft));
}

/* "14.6 % of KCD61LUL7T68, 2.9 % of KCD61LUL7T68 x 5" */
static const char *share_text(struct hl_graph *graph, const struct hl_stage *sheet,
			      const struct hl_stage *stage)
{
	double pct = stage->bw / sheet->bw * 100;
	char one[HL_UNIT_TEXT], all[HL_UNIT_TEXT];

	if (graph->drives > 1)
		return hl_arena_printf(graph->arena, "%s of one drive's sheet, %s of that of %u",
				       hl_unit_percent(one, pct * graph->drives),
				       hl_unit_percent(all, pct), graph->drives);
	return hl_arena_printf(graph->arena, "%s of the drive's sheet", hl_unit_percent(one, pct));
}

const char *hl_verdict_sentence(struct hl_graph *graph, const char *text)
{
	const char *end = strstr(text, ". ");
	size_t len = end ? (size_t)(end - text) : strlen(text);

	if (len && text[len - 1] == '.')
		len--;
	return hl_arena_strndup(graph->arena, text, len);
}

/* What would explain a limit that no layer can be given for; "" where nothing matched. */
static const char *cause_text(struct hl_graph *graph, const struct hl_finding *cause)
{
	const char *text;

	if (!cause)
		return "";
	text = cause->id;
	for (size_t i = 0; i < cause->nr_rivals; i++)
		text = hl_arena_printf(graph->arena, "%s%s%s", text,
				       i + 1 < cause->nr_rivals ? ", " : " or ", cause->rivals[i]);
	return hl_arena_printf(graph->arena, "; %s would explain it", text);
}

/* One measured hop, with or without a datasheet above. */
static const char *alone_text(struct hl_graph *graph, const struct hl_draft *draft)
{
	const struct hl_stage *stage = last_stage(draft->chain);
	const char *bw = bw_text(graph, stage);
	const char *cause = cause_text(graph, draft->cause);

	if (draft->cause && draft->cause->state != HL_AMBIGUOUS && draft->cause->text)
		return hl_arena_printf(graph->arena, "%s: %s", bw,
				       hl_verdict_sentence(graph, draft->cause->text));
	if (draft->chain->nr_stages == 1)
		return hl_arena_printf(graph->arena,
				       "%s%s; one hop alone does not tell which layer limits it: "
				       "measure the next hop towards the drive",
				       bw, cause);
	if (!stage->is_named)
		return hl_arena_printf(graph->arena, "%s is %s: nothing is named", bw,
				       share_text(graph, stage - 1, stage));
	return hl_arena_printf(graph->arena,
			       "%s is %s%s; one hop alone does not tell which layer takes the "
			       "rest: measure the next hop towards the drive",
			       bw, share_text(graph, stage - 1, stage), cause);
}

/* Several hops, and none that could be named. */
static const char *quiet_text(struct hl_graph *graph, const struct hl_draft *draft)
{
	const struct hl_stage *top = &draft->chain->stages[0];
	const struct hl_stage *leaf = last_stage(draft->chain);
	const char *unnamed = hl_verdict_unnamed(graph, draft->chain);
	char text[HL_UNIT_TEXT];

	if (unnamed)
		return unnamed;
	if (leaf->bw * (1 - HL_SINGLE_NOISE) > top->bw)
		return hl_arena_printf(graph->arena,
				       "more at the leaf than at the top, a gain (%s, %s): "
				       "nothing is named",
				       bw_text(graph, top), bw_text(graph, leaf));
	if (top->bw * (1 - HL_SINGLE_NOISE) > leaf->bw)
		return hl_arena_printf(graph->arena,
				       "%s less at the leaf than at the top (%s, %s), but no hop "
				       "alone whose mending would be seen: nothing is named",
				       hl_unit_percent(text, (1 - leaf->bw / top->bw) * 100),
				       bw_text(graph, top), bw_text(graph, leaf));
	return hl_arena_printf(graph->arena,
			       "no loss that is told from chance (%s, %s): nothing "
			       "is named",
			       bw_text(graph, top), bw_text(graph, leaf));
}

const char *hl_verdict_text(struct hl_graph *graph, const struct hl_draft *draft)
{
	const struct hl_chain *chain = draft->chain;

	if (draft->binding)
		return named_text(graph, draft);
	if (chain->nr_stages == 1 || (chain->nr_stages == 2 && !chain->stages[0].at))
		return alone_text(graph, draft);
	return quiet_text(graph, draft);
}
