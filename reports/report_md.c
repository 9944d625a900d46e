/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Markdown report: up to six lines to paste into a forum or an issue, then all the rest folded
 * away (GitHub's tables; details and summary are plain HTML that forums let through).
 */
#include "cell.h"
#include "formats.h"
#include "hoploss/escape.h"
#include "outline.h"
#include <stddef.h>
#include <string.h>

#define LINE_HOPS 8 /* that one line can hold */

static void put_text(FILE *out, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		hl_escape_put_part(out, text, len, HL_ESCAPE_MD, 0);
		text += len + (text[len] == '\n');
		if (*text)
			fputs("<br>", out);
	}
}

static void put_line(FILE *out, const char *label, const char *text)
{
	if (!text)
		return;
	fprintf(out, "- **%s**: ", label);
	put_text(out, text);
	fputc('\n', out);
}

/* "ACME x 5 (29,564 MiB/s) → raw (24,000 MiB/s)": one path in one line, its middle left out. */
static const char *path_line(struct hl_arena *arena, const struct hl_bars *bars)
{
	const char *text = hl_arena_printf(arena, "%s:", bars->caption);

	for (size_t i = 0; i < bars->nr_rows; i++) {
		const struct hl_bar_row *row = &bars->rows[i];
		/* Two sheets are the same top twice. */
		const char *sign = !i ? "" : row->role == HL_BAR_TOP ? " /" : " →";

		if (bars->nr_rows > LINE_HOPS && i == LINE_HOPS / 2) {
			text = hl_arena_printf(arena, "%s → …", text);
			i = bars->nr_rows - LINE_HOPS / 2 - 1;
			continue;
		}
		text = hl_arena_printf(arena, "%s%s %s (%s)", text, sign, row->name, row->value);
	}
	return text;
}

/* The other causes that were found. */
static const char *others_line(struct hl_arena *arena, const struct hl_graph *graph)
{
	const char *text = NULL;

	for (size_t i = 1; i < graph->nr_findings; i++) {
		const char *id = hl_cell_fresh(graph, i, offsetof(struct hl_finding, id));

		if (id)
			text = hl_arena_printf(arena, "%s%s%s (%s)", text ? text : "",
					       text ? ", " : "", id,
					       hl_state_name(graph->findings[i]->state));
	}
	return text;
}

static const char *mend_line(struct hl_arena *arena, const struct hl_bars *ladder)
{
	const char *text = NULL;

	for (size_t i = 1; ladder && i < ladder->nr_rows; i++)
		text = hl_arena_printf(arena, "%s%s%s: %s", text ? text : "", text ? "; " : "",
				       ladder->rows[i].name, ladder->rows[i].value);
	return text;
}

static const char *count_line(const struct hl_outline *outline)
{
	const struct hl_graph *graph = outline->graph;

	return hl_arena_printf(outline->arena, "measurements %zu, findings %zu, warnings %zu. %s",
			       outline->measurements ? outline->measurements->nr_rows : 0,
			       graph->nr_findings, graph->nr_warnings, outline->identities);
}

static void put_summary(FILE *out, const struct hl_outline *outline)
{
	const struct hl_graph *graph = outline->graph;
	const struct hl_outline_path *path = outline->nr_paths ? outline->paths : NULL;
	const struct hl_finding *finding = graph->nr_findings ? graph->findings[0] : NULL;
	struct hl_arena *arena = outline->arena;

	put_line(out, outline->verdict ? hl_state_name(outline->verdict->state) : "hoploss",
		 outline->headline);
	if (path) {
		put_line(out, "path", path_line(arena, path->bars));
		put_line(out, "ladder", mend_line(arena, path->ladder_bars));
	}
	if (finding) {
		/* where nothing was measured, the verdict is the first finding's */
		put_line(out, finding->id,
			 outline->verdict && !outline->verdict->leaf &&
					 outline->verdict->cause == finding->id
				 ? hl_cell_place(arena, finding)
				 : finding->text);
		if (!path || !path->ladder)
			put_line(out, "also", others_line(arena, graph));
		put_line(out, "next", finding->next);
	}
	put_line(out, "holds", count_line(outline));
}

static void put_row(FILE *out, const struct hl_grid *grid, size_t row)
{
	for (size_t i = 0; i < grid->nr_columns; i++) {
		const char *cell = hl_grid_cell(grid, row, i);
		size_t max = grid->columns[i]->kind == HL_COLUMN_LONG ? 0 : HL_ESCAPE_NAME;

		fputs("| ", out);
		hl_escape_put(out, cell, HL_ESCAPE_MD, max);
		fputc(' ', out);
	}
	fputs("|\n", out);
}

static void put_grid(FILE *out, const struct hl_grid *grid)
{
	fputc('\n', out);
	for (size_t i = 0; i < grid->nr_columns; i++) {
		fputs("| ", out);
		hl_escape_put(out, grid->columns[i]->title, HL_ESCAPE_MD, HL_ESCAPE_NAME);
		fputc(' ', out);
	}
	fputs("|\n", out);
	for (size_t i = 0; i < grid->nr_columns; i++)
		fputs(grid->columns[i]->kind == HL_COLUMN_NUMBER ? "| --: " : "| --- ", out);
	fputs("|\n", out);
	for (size_t row = 0; row < grid->nr_rows; row++)
		put_row(out, grid, row);
}

static void open_fold(FILE *out, const char *title)
{
	fputs("\n<details><summary>", out);
	hl_escape_put(out, title, HL_ESCAPE_XML, 0);
	fputs("</summary>\n", out);
}

static void close_fold(FILE *out)
{
	fputs("\n</details>\n", out);
}

static void put_folded(FILE *out, const struct hl_grid *grid)
{
	if (!grid)
		return;
	open_fold(out, grid->title);
	put_grid(out, grid);
	close_fold(out);
}

static void put_paths(FILE *out, const struct hl_outline *outline)
{
	for (size_t i = 0; i < outline->nr_paths; i++) {
		const struct hl_outline_path *path = &outline->paths[i];

		open_fold(out, hl_arena_printf(outline->arena, "%s: %s", path->bars->title,
					       path->bars->caption));
		put_grid(out, path->waterfall);
		if (path->ladder)
			put_grid(out, path->ladder);
		if (path->stack)
			put_grid(out, path->stack);
		close_fold(out);
		put_folded(out, path->jobs);
	}
}

/* Nothing in code is escaped but what no text may hold; the fence outgrows those in the text. */
static void put_code(FILE *out, const char *text)
{
	size_t fence = 3;

	for (const char *at = text; (at = strchr(at, '`')); at += strspn(at, "`")) {
		if (strspn(at, "`") >= fence)
			fence = strspn(at, "`") + 1;
	}
	fputc('\n', out);
	for (size_t i = 0; i < fence; i++)
		fputc('`', out);
	while (*text) {
		size_t len = strcspn(text, "\n");

		fputc('\n', out);
		hl_escape_put_part(out, text, len, HL_ESCAPE_TEXT, 0);
		text += len + (text[len] == '\n');
	}
	fputc('\n', out);
	for (size_t i = 0; i < fence; i++)
		fputc('`', out);
	fputc('\n', out);
}

static void put_finding(FILE *out, struct hl_arena *arena, const struct hl_graph *graph,
			size_t index)
{
	const struct hl_finding *finding = graph->findings[index];
	const char *paste = hl_cell_fresh(graph, index, offsetof(struct hl_finding, paste));
	struct hl_grid *evidence = hl_columns_evidence(arena, finding);

	fprintf(out, "\n**%s** (%s) ", finding->id, hl_state_name(finding->state));
	put_text(out, hl_cell_place(arena, finding));
	fputs("\n\n", out);
	put_text(out, finding->text);
	fputc('\n', out);
	if (evidence)
		put_grid(out, evidence);
	fputc('\n', out);
	put_line(out, "rivals", hl_cell_join(arena, finding->rivals, finding->nr_rivals));
	put_line(out, "next", finding->next);
	put_line(out, "fix", finding->fix);
	put_line(out, "gives", hl_cell_prediction(arena, finding));
	if (paste)
		put_code(out, paste);
}

static void put_findings(FILE *out, const struct hl_outline *outline)
{
	const struct hl_graph *graph = outline->graph;

	if (!graph->nr_findings)
		return;
	open_fold(out, "Findings");
	for (size_t i = 0; i < graph->nr_findings; i++)
		put_finding(out, outline->arena, graph, i);
	close_fold(out);
}

static void put_warnings(FILE *out, const struct hl_graph *graph)
{
	if (!graph->nr_warnings)
		return;
	open_fold(out, "Warnings");
	fputc('\n', out);
	for (size_t i = 0; i < graph->nr_warnings; i++)
		put_line(out, "warning", graph->warnings[i]);
	close_fold(out);
}

static int md_render(const struct hl_graph *graph, const struct hl_report_style *style, FILE *out,
		     struct hl_error *err)
{
	HL_OUTLINE struct hl_outline *outline = hl_outline_new(graph, style);

	(void)err;
	hl_outline_add_long(outline);
	put_summary(out, outline);
	put_paths(out, outline);
	put_findings(out, outline);
	put_folded(out, outline->measurements);
	put_folded(out, outline->ceilings);
	put_folded(out, outline->experiments);
	put_folded(out, outline->timeline);
	for (size_t i = 0; i < outline->fact_groups.nr_grids; i++)
		put_folded(out, outline->fact_groups.grids[i]);
	put_folded(out, outline->all_facts);
	put_folded(out, outline->probes);
	put_folded(out, outline->all_inputs);
	put_warnings(out, graph);
	return 0;
}

const struct hl_report hl_report_md = {
	.name = "md",
	.summary = "six lines to paste into a forum, the rest folded",
	.render = md_render,
};
