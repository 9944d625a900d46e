/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text report: what a person reads in a terminal. The verdict is the first line; then where the
 * bandwidth goes, what mending would give, the findings with their evidence, and the figures.
 */
#include "cell.h"
#include "formats.h"
#include "outline.h"
#include "pen.h"
#include <stddef.h>

static void put_verdict(struct hl_pen *pen, const struct hl_outline *outline)
{
	const struct hl_verdict *verdict = outline->verdict;

	if (verdict) {
		hl_pen_ink(pen, hl_pen_state_ink(verdict->state));
		hl_pen_text(pen, hl_state_name(verdict->state));
		hl_pen_ink(pen, HL_INK_PLAIN);
		hl_pen_text(pen, ": ");
	}
	hl_pen_wrap(pen, outline->headline, 0);
	hl_pen_newline(pen);
}

static void put_grid(struct hl_pen *pen, const struct hl_grid *grid)
{
	if (!grid)
		return;
	hl_pen_heading(pen, grid->title);
	hl_pen_grid(pen, grid, 2);
}

static void put_bars(struct hl_pen *pen, struct hl_arena *arena, const struct hl_bars *bars,
		     const struct hl_grid *grid)
{
	if (!bars || !grid)
		return;
	hl_pen_heading(pen, hl_arena_printf(arena, "%s: %s", bars->title, bars->caption));
	hl_pen_grid_bars(pen, grid, bars, 2);
}

static void put_paths(struct hl_pen *pen, const struct hl_outline *outline)
{
	for (size_t i = 0; i < outline->nr_paths; i++) {
		const struct hl_outline_path *path = &outline->paths[i];

		put_bars(pen, outline->arena, path->bars, path->waterfall);
		put_grid(pen, path->ladder);
		put_bars(pen, outline->arena, path->stack_bars, path->stack);
		put_grid(pen, path->jobs);
	}
	if (outline->has_more_paths)
		hl_pen_item(pen, "more", "further paths are in the JSON report", 0);
}

/* "suspected serial-stage   pvc, filesystem, seq-read-128k: read, 128 KiB, depth 32x4" */
static void put_finding_head(struct hl_pen *pen, struct hl_arena *arena,
			     const struct hl_finding *finding)
{
	hl_pen_newline(pen);
	hl_pen_to(pen, 2);
	hl_pen_ink(pen, hl_pen_state_ink(finding->state));
	hl_pen_text(pen, hl_state_name(finding->state));
	hl_pen_ink(pen, HL_INK_PLAIN);
	hl_pen_to(pen, pen->at + 1);
	hl_pen_ink(pen, HL_INK_BOLD);
	hl_pen_text(pen, finding->id);
	hl_pen_ink(pen, HL_INK_PLAIN);
	hl_pen_to(pen, pen->at + 2);
	hl_pen_ink(pen, HL_INK_DIM);
	hl_pen_wrap(pen, hl_cell_place(arena, finding), 4);
	hl_pen_ink(pen, HL_INK_PLAIN);
	hl_pen_newline(pen);
}

static void put_finding(struct hl_pen *pen, struct hl_arena *arena, const struct hl_graph *graph,
			size_t index)
{
	const struct hl_finding *finding = graph->findings[index];
	struct hl_grid *evidence = hl_columns_evidence(arena, finding);

	put_finding_head(pen, arena, finding);
	hl_pen_to(pen, 4);
	hl_pen_wrap(pen, finding->text, 4);
	hl_pen_newline(pen);
	if (evidence)
		hl_pen_grid(pen, evidence, 4);
	hl_pen_item(pen, "rivals", hl_cell_join(arena, finding->rivals, finding->nr_rivals), 4);
	hl_pen_item(pen, "next", hl_cell_fresh(graph, index, offsetof(struct hl_finding, next)), 4);
	hl_pen_item(pen, "fix", hl_cell_fresh(graph, index, offsetof(struct hl_finding, fix)), 4);
	hl_pen_item(pen, "gives", hl_cell_prediction(arena, finding), 4);
}

static void put_findings(struct hl_pen *pen, const struct hl_outline *outline)
{
	const struct hl_graph *graph = outline->graph;

	if (graph->nr_findings)
		hl_pen_heading(pen, "Findings");
	for (size_t i = 0; i < graph->nr_findings; i++)
		put_finding(pen, outline->arena, graph, i);
}

/* Long, so after all that is to be read. */
static void put_pastes(struct hl_pen *pen, const struct hl_outline *outline)
{
	const struct hl_graph *graph = outline->graph;

	for (size_t i = 0; i < graph->nr_findings; i++) {
		const struct hl_finding *finding = graph->findings[i];
		const char *paste = hl_cell_fresh(graph, i, offsetof(struct hl_finding, paste));

		if (!paste)
			continue;
		hl_pen_heading(
			pen,
			hl_arena_printf(outline->arena,
					"To decide %s where hoploss cannot run, these only read",
					finding->id));
		hl_pen_lines(pen, paste, 4);
	}
}

static void put_end(struct hl_pen *pen, const struct hl_outline *outline)
{
	const struct hl_graph *graph = outline->graph;
	size_t cursor = 0;
	const char *prose;

	hl_pen_newline(pen);
	for (size_t i = 0; i < graph->nr_warnings; i++)
		hl_pen_item(pen, "warning", graph->warnings[i], 0);
	while ((prose = hl_columns_prose(outline->arena, graph, &cursor)))
		hl_pen_item(pen, "not read", prose, 0);
	hl_pen_item(pen, "begun", graph->begun, 0);
	hl_pen_item(pen, "stopped", graph->stop_reason, 0);
	hl_pen_wrap(pen, outline->identities, 0);
	hl_pen_newline(pen);
}

static void put_fact_groups(struct hl_pen *pen, const struct hl_outline *outline)
{
	for (size_t i = 0; i < outline->fact_groups.nr_grids; i++)
		put_grid(pen, outline->fact_groups.grids[i]);
}

static int text_render(const struct hl_graph *graph, const struct hl_report_style *style, FILE *out,
		       struct hl_error *err)
{
	HL_OUTLINE struct hl_outline *outline = hl_outline_new(graph, style);
	struct hl_pen pen = hl_pen_new(out, style);

	(void)err;
	put_verdict(&pen, outline);
	put_paths(&pen, outline);
	put_findings(&pen, outline);
	put_grid(&pen, outline->residuals);
	put_grid(&pen, outline->measurements);
	put_grid(&pen, outline->ceilings);
	put_grid(&pen, outline->experiments);
	put_grid(&pen, outline->timeline);
	put_fact_groups(&pen, outline);
	put_grid(&pen, outline->facts);
	put_grid(&pen, outline->probes);
	put_grid(&pen, outline->inputs);
	put_pastes(&pen, outline);
	put_end(&pen, outline);
	return 0;
}

const struct hl_report hl_report_text = {
	.name = "text",
	.summary = "for a terminal: verdict, waterfall, findings, figures",
	.render = text_render,
};
