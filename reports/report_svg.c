/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The SVG report: the waterfall alone, one below the other where there are several paths. It brings
 * its own paper, so that it reads the same on a dark page.
 */
#include "formats.h"
#include "hoploss/escape.h"
#include "outline.h"
#include "svg.h"

#define WIDTH           720
#define MARGIN          20
#define HEAD            56 /* px above the bars of a path */
#define TITLE_COLUMNS   80
#define VERDICT_COLUMNS 70

static void put_text(FILE *out, unsigned y, const char *class, const char *text, size_t max)
{
	fprintf(out, "<text x=\"%u\" y=\"%u\" class=\"%s\">", MARGIN, y, class);
	hl_escape_put(out, text, HL_ESCAPE_XML, max);
	fputs("</text>\n", out);
}

static unsigned put_path(FILE *out, const struct hl_bars *bars, unsigned y)
{
	put_text(out, y + 20, "name", bars->title, TITLE_COLUMNS);
	put_text(out, y + 38, "soft", bars->caption, TITLE_COLUMNS);
	fprintf(out, "<svg x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\">\n", MARGIN, y + HEAD,
		WIDTH - 2 * MARGIN, hl_svg_height(bars));
	hl_svg_rows(out, bars, 0);
	fputs("</svg>\n", out);
	return y + HEAD + hl_svg_height(bars) + MARGIN;
}

static void put_head(FILE *out, const struct hl_outline *outline, unsigned height)
{
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hl\" viewBox=\"0 0 %u %u\" "
		"width=\"%u\" height=\"%u\" role=\"img\" aria-labelledby=\"title desc\">\n"
		"<title id=\"title\">Where the bandwidth goes</title>\n<desc id=\"desc\">",
		WIDTH, height, WIDTH, height);
	hl_escape_put(out, outline->headline, HL_ESCAPE_XML, 0);
	fputs(" ", out);
	hl_escape_put(out, outline->identities, HL_ESCAPE_XML, 0);
	fprintf(out,
		"</desc>\n<style>\n%s</style>\n<rect class=\"paper\" width=\"%u\" "
		"height=\"%u\"/>\n",
		hl_svg_style, WIDTH, height);
}

static int svg_render(const struct hl_graph *graph, const struct hl_report_style *style, FILE *out,
		      struct hl_error *err)
{
	HL_OUTLINE struct hl_outline *outline = hl_outline_new(graph, style);
	unsigned y = HEAD;

	(void)err;
	for (size_t i = 0; i < outline->nr_paths; i++)
		y += HEAD + hl_svg_height(outline->paths[i].bars) + MARGIN;
	put_head(out, outline, y);
	put_text(out, 34, "head", outline->heading, VERDICT_COLUMNS);
	y = HEAD - MARGIN;
	for (size_t i = 0; i < outline->nr_paths; i++)
		y = put_path(out, outline->paths[i].bars, y);
	fputs("</svg>\n", out);
	return 0;
}

const struct hl_report hl_report_svg = {
	.name = "svg",
	.summary = "the waterfall alone, as a drawing",
	.render = svg_render,
};
