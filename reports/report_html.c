/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The HTML report: one file that opens offline, without a script, on paper and on a phone. What a
 * drawing shows stands in a table below it as well.
 */
#include "cell.h"
#include "formats.h"
#include "html.h"
#include "outline.h"
#include "svg.h"
#include <math.h>
#include <stddef.h>

static void put_head(FILE *out, const struct hl_outline *outline)
{
	const struct hl_verdict *verdict = outline->verdict;

	fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
	      "<meta name=viewport content=\"width=device-width, "
	      "initial-scale=1\">\n<title>hoploss: ",
	      out);
	hl_html_text(out, outline->headline);
	fprintf(out,
		"</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<header>\n<p class=over>hoploss",
		hl_html_style, hl_svg_style);
	if (outline->graph->path_name) {
		fputs(" · ", out);
		hl_html_text(out, outline->graph->path_name);
	}
	fputs("</p>\n<h1>", out);
	if (verdict)
		fprintf(out, "<span class=\"state %s\">%s</span>", hl_state_name(verdict->state),
			hl_state_name(verdict->state));
	hl_html_text(out, outline->heading);
	fputs("</h1>\n", out);
	hl_html_element(out, "p", outline->lead);
}

static void put_link(FILE *out, const char *id, const char *title, bool is_there)
{
	if (is_there)
		fprintf(out, "<a href=\"#%s\">%s</a>\n", id, title);
}

static void put_nav(FILE *out, const struct hl_outline *outline)
{
	fputs("<nav>\n", out);
	put_link(out, "path-1", "Bandwidth", outline->nr_paths);
	put_link(out, "findings", "Findings", outline->graph->nr_findings);
	put_link(out, "measurements", "Measurements", outline->measurements);
	put_link(out, "ceilings", "Limits", outline->all_ceilings);
	put_link(out, "timeline", "Timeline", outline->timeline);
	put_link(out, "facts", "Facts", outline->all_facts);
	put_link(out, "inputs", "Input", outline->all_inputs);
	fputs("</nav>\n</header>\n<main>\n", out);
}

static void put_figure(FILE *out, const char *heading, const struct hl_bars *bars,
		       const struct hl_grid *grid, const char *caption, const char *id)
{
	if (!bars || !grid)
		return;
	fprintf(out, "<%s>%s</%s>\n", heading, bars->title, heading);
	hl_html_element(out, "p class=job", bars->caption);
	fputs("<figure>\n", out);
	hl_svg_bars(out, bars, id);
	hl_html_element(out, "figcaption", caption);
	fputs("</figure>\n", out);
	hl_html_grid(out, grid);
}

static void put_path(FILE *out, struct hl_arena *arena, const struct hl_outline_path *path,
		     size_t nr)
{
	fprintf(out, "<section id=\"path-%zu\">\n", nr);
	put_figure(out, "h2", path->bars, path->waterfall,
		   "Pale: what arrived one hop up. Share: of the whole factor from first to last, "
		   "on a "
		   "log scale. Leaf: how much of what is here arrives at the end.",
		   hl_arena_printf(arena, "bars-%zu", nr));
	put_figure(out, "h3", path->ladder_bars, path->ladder,
		   "Each step with those above it done.", hl_arena_printf(arena, "ladder-%zu", nr));
	put_figure(out, "h3", path->stack_bars, path->stack, "Mean latency; pale: up to here.",
		   hl_arena_printf(arena, "stack-%zu", nr));
	if (path->jobs) {
		hl_html_element(out, "h3", path->jobs->title);
		hl_html_grid(out, path->jobs);
	}
	fputs("</section>\n", out);
}

static void put_term(FILE *out, const char *term, const char *text)
{
	if (!text)
		return;
	fprintf(out, "<dt>%s</dt>\n", term);
	hl_html_element(out, "dd", text);
}

static void put_paste(FILE *out, const struct hl_graph *graph, size_t index)
{
	const char *paste = hl_cell_fresh(graph, index, offsetof(struct hl_finding, paste));

	if (!paste)
		return;
	fputs("<p>To decide it by hand, reading only:</p>\n", out);
	hl_html_element(out, "pre", paste);
}

static void put_finding(FILE *out, struct hl_arena *arena, const struct hl_graph *graph,
			size_t index)
{
	const struct hl_finding *finding = graph->findings[index];
	struct hl_grid *evidence = hl_columns_evidence(arena, finding);
	const char *state = hl_state_name(finding->state);

	fprintf(out, "<article>\n<h3><span class=\"state %s\">%s</span>", state, state);
	hl_html_text(out, finding->id);
	fputs("</h3>\n", out);
	hl_html_element(out, "p class=job", hl_cell_place(arena, finding));
	hl_html_element(out, "p", finding->text);
	if (evidence)
		hl_html_grid(out, evidence);
	fputs("<dl>\n", out);
	put_term(out, "rivals", hl_cell_join(arena, finding->rivals, finding->nr_rivals));
	put_term(out, "next", finding->next);
	put_term(out, "fix", finding->fix);
	put_term(out, "gives", hl_cell_prediction(arena, finding));
	fputs("</dl>\n", out);
	put_paste(out, graph, index);
	fputs("</article>\n", out);
}

static void put_findings(FILE *out, const struct hl_outline *outline)
{
	const struct hl_graph *graph = outline->graph;

	if (!graph->nr_findings)
		return;
	fputs("<section id=findings>\n<h2>Findings</h2>\n", out);
	for (size_t i = 0; i < graph->nr_findings; i++)
		put_finding(out, outline->arena, graph, i);
	fputs("</section>\n", out);
}

/* All lines on one axis of time, so that what happens together stands together. */
static struct hl_svg_span span_of(const struct hl_graph *graph)
{
	struct hl_svg_span span = { NAN, NAN };

	for (size_t i = 0; i < graph->nr_timeline; i++) {
		const struct hl_series *series = graph->timeline[i];

		for (size_t j = 0; j < series->nr_points; j++) {
			span.from_s = fmin(span.from_s, series->points[j].t_s);
			span.to_s = fmax(span.to_s, series->points[j].t_s);
		}
	}
	return span;
}

/* "pve: nvme0: temperature" */
static const char *series_title(struct hl_arena *arena, const struct hl_series *series)
{
	return hl_arena_printf(arena, "%s%s%s%s%s", series->host ? series->host : "",
			       series->host ? ": " : "", series->node ? series->node : "",
			       series->node ? ": " : "", hl_cell_label(series->key));
}

static void put_timeline(FILE *out, const struct hl_outline *outline)
{
	const struct hl_graph *graph = outline->graph;
	const struct hl_svg_span span = span_of(graph);
	struct hl_arena *arena = outline->arena;

	if (!outline->timeline)
		return;
	fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n", outline->timeline->id,
		outline->timeline->title);
	for (size_t i = 0; i < graph->nr_timeline; i++) {
		const struct hl_series *series = graph->timeline[i];

		fputs("<figure>\n", out);
		hl_svg_series(out, series, &span, hl_cell_label(series->key),
			      hl_arena_printf(arena, "series-%zu", i + 1));
		hl_html_element(out, "figcaption", series_title(arena, series));
		fputs("</figure>\n", out);
	}
	hl_html_grid(out, outline->timeline);
	fputs("</section>\n", out);
}

/* Compact tables, and all facts with their sources folded away where there are such tables. */
static void put_facts(FILE *out, const struct hl_outline *outline)
{
	const struct hl_fact_groups *groups = &outline->fact_groups;

	if (!groups->nr_grids || !outline->all_facts) {
		hl_html_section(out, outline->all_facts);
		return;
	}
	fputs("<section id=facts>\n", out);
	for (size_t i = 0; i < groups->nr_grids; i++) {
		hl_html_element(out, "h2", groups->grids[i]->title);
		hl_html_grid(out, groups->grids[i]);
	}
	fputs("<details>\n<summary>All facts, with their sources</summary>\n", out);
	hl_html_grid(out, outline->all_facts);
	fputs("</details>\n</section>\n", out);
}

static void put_footer(FILE *out, const struct hl_outline *outline)
{
	const struct hl_graph *graph = outline->graph;

	fputs("</main>\n<footer>\n", out);
	for (size_t i = 0; i < graph->nr_warnings; i++)
		hl_html_element(out, "p",
				hl_arena_printf(outline->arena, "Warning: %s", graph->warnings[i]));
	if (graph->begun)
		hl_html_element(out, "p",
				hl_arena_printf(outline->arena, "Begun: %s", graph->begun));
	hl_html_element(out, "p", graph->stop_reason);
	if (outline->has_more_paths)
		fputs("<p>Further paths are in the JSON report.</p>\n", out);
	hl_html_element(out, "p", outline->identities);
	fputs("</footer>\n</body>\n</html>\n", out);
}

static int html_render(const struct hl_graph *graph, const struct hl_report_style *style, FILE *out,
		       struct hl_error *err)
{
	HL_OUTLINE struct hl_outline *outline = hl_outline_new(graph, style);

	(void)err;
	hl_outline_add_long(outline);
	put_head(out, outline);
	put_nav(out, outline);
	for (size_t i = 0; i < outline->nr_paths; i++)
		put_path(out, outline->arena, &outline->paths[i], i + 1);
	put_findings(out, outline);
	hl_html_section(out, outline->measurements);
	hl_html_section(out, outline->latencies);
	hl_html_section(out, outline->losses);
	hl_html_section(out, outline->all_residuals);
	hl_html_section(out, outline->all_ceilings);
	hl_html_section(out, outline->experiments);
	put_timeline(out, outline);
	put_facts(out, outline);
	hl_html_section(out, outline->probes);
	hl_html_section(out, outline->all_inputs);
	put_footer(out, outline);
	return 0;
}

const struct hl_report hl_report_html = {
	.name = "html",
	.summary = "one page for a browser, a phone or paper: drawings and every figure",
	.render = html_render,
};
