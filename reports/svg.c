/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drawings: see svg.h.
 */
#include "svg.h"
#include "hoploss/escape.h"
#include <math.h>

#define ROW_HEIGHT        46
#define TEXT_BASE         14
#define BAR_TOP           21
#define BAR_HEIGHT        14
#define NAME_MAX_COLUMNS  26
#define LAYER_MAX_COLUMNS 18

#define PHONE_COLUMNS 22

#define SERIES_HEIGHT 120
#define GAP           5.0 /* times the mean time between two points */

/* Colours are written out, not as variables: not every viewer of drawings knows those. */
const char hl_svg_style[] =
	".hl{font:13px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;"
	"font-variant-numeric:tabular-nums}\n"
	".hl text{fill:#1c2430}.hl .soft{fill:#5b6675}.hl .name{font-weight:600}.hl "
	".head{font-weight:600;font-size:16px}\n"
	".hl .lost{fill:#dde2e9}.hl .hop{fill:#3b6fb5}.hl .top{fill:#8793a3}\n"
	".hl .bind{fill:#c2410c}.hl .gain{fill:#2f855a}.hl .paper{fill:#fff}\n"
	".hl polyline{fill:none;stroke:#3b6fb5;stroke-width:1.5}\n"
	"@media(max-width:34rem){.hl .wide{display:none}}\n"
	"@media(prefers-color-scheme:dark){"
	".hl text{fill:#e4e8ee}.hl .soft{fill:#9aa5b4}\n"
	".hl .lost{fill:#333c48}.hl .hop{fill:#6ea3e8}.hl .top{fill:#76808e}\n"
	".hl .bind{fill:#f08a4b}.hl .gain{fill:#5cc28d}.hl .paper{fill:#14181e}\n"
	".hl polyline{stroke:#6ea3e8}}\n";

static const char *const role_classes[] = {
	[HL_BAR_TOP] = "top",
	[HL_BAR_HOP] = "hop",
	[HL_BAR_BINDING] = "bind",
	[HL_BAR_GAIN] = "gain",
};

unsigned hl_svg_height(const struct hl_bars *bars)
{
	return bars->nr_rows * ROW_HEIGHT;
}

static void put_rect(FILE *out, const char *class, double from, double to, unsigned y)
{
	if (to > from)
		fprintf(out,
			"<rect class=\"%s\" x=\"%.2f%%\" y=\"%u\" width=\"%.2f%%\" "
			"height=\"%u\"/>\n",
			class, 100 * from, y, fmax(100 * (to - from), 0.2), BAR_HEIGHT);
}

/* On a phone the small print of such a row would run into the figures. */
static bool is_long(const struct hl_bar_row *row)
{
	return hl_escape_columns(row->name, HL_ESCAPE_XML) +
		       hl_escape_columns(row->layer, HL_ESCAPE_XML) >
	       PHONE_COLUMNS;
}

static void put_label(FILE *out, const struct hl_bar_row *row, unsigned y)
{
	fprintf(out, "<text y=\"%u\"><tspan class=\"name\">", y);
	hl_escape_put(out, row->name, HL_ESCAPE_XML, NAME_MAX_COLUMNS);
	fputs("</tspan>", out);
	if (row->layer) {
		fprintf(out, "<tspan class=\"soft%s\" dx=\"8\">", is_long(row) ? " wide" : "");
		hl_escape_put(out, row->layer, HL_ESCAPE_XML, LAYER_MAX_COLUMNS);
		fputs("</tspan>", out);
	}
	fprintf(out, "</text>\n<text x=\"100%%\" y=\"%u\" text-anchor=\"end\">", y);
	hl_escape_put(out, row->value, HL_ESCAPE_XML, 0);
	if (row->aside) {
		fputs("<tspan class=\"soft\" dx=\"8\">", out);
		hl_escape_put(out, row->aside, HL_ESCAPE_XML, 0);
		fputs("</tspan>", out);
	}
	fputs("</text>\n", out);
}

static void put_row(FILE *out, const struct hl_bar_row *row, unsigned y)
{
	fputs("<g><title>", out);
	hl_escape_put(out, row->name, HL_ESCAPE_XML, HL_ESCAPE_NAME);
	fputs(": ", out);
	hl_escape_put(out, row->value, HL_ESCAPE_XML, 0);
	if (row->note) {
		fputs(", ", out);
		hl_escape_put(out, row->note, HL_ESCAPE_XML, 0);
	}
	fputs("</title>\n", out);
	put_label(out, row, y + TEXT_BASE);
	put_rect(out, "lost", row->light_from, row->light_to, y + BAR_TOP);
	put_rect(out, role_classes[row->role], row->solid_from, row->solid_to, y + BAR_TOP);
	fputs("</g>\n", out);
}

void hl_svg_rows(FILE *out, const struct hl_bars *bars, unsigned y)
{
	for (size_t i = 0; i < bars->nr_rows; i++)
		put_row(out, &bars->rows[i], y + i * ROW_HEIGHT);
}

static void put_title(FILE *out, const char *title, const char *caption, const char *id)
{
	fprintf(out, "<title id=\"%s\">", id);
	hl_escape_put(out, title, HL_ESCAPE_XML, 0);
	if (caption) {
		fputs(": ", out);
		hl_escape_put(out, caption, HL_ESCAPE_XML, HL_ESCAPE_NAME);
	}
	fputs("</title>\n", out);
}

void hl_svg_bars(FILE *out, const struct hl_bars *bars, const char *id)
{
	fprintf(out,
		"<svg class=\"hl\" width=\"100%%\" height=\"%u\" role=\"img\" "
		"aria-labelledby=\"%s\">\n",
		hl_svg_height(bars), id);
	put_title(out, bars->title, bars->caption, id);
	hl_svg_rows(out, bars, 0);
	fputs("</svg>\n", out);
}

struct frame { /* what the drawing shows */
	double min, max;
	double gap_s; /* a longer one ends the line: nothing was seen in it */
};

static struct frame frame_of(const struct hl_series *series)
{
	struct frame frame = { NAN, NAN, NAN };
	double first = NAN, last = NAN;

	for (size_t i = 0; i < series->nr_points; i++) {
		first = fmin(first, series->points[i].t_s);
		last = fmax(last, series->points[i].t_s);
		frame.min = fmin(frame.min, series->points[i].value);
		frame.max = fmax(frame.max, series->points[i].value);
	}
	frame.gap_s = GAP * (last - first) / (double)series->nr_points;
	return frame;
}

static double place(double value, double min, double max)
{
	return max > min ? (value - min) / (max - min) : 0.5;
}

static void put_lines(FILE *out, const struct hl_series *series, const struct hl_svg_span *span,
		      const struct frame *frame)
{
	static const char begin[] = "<polyline vector-effect=\"non-scaling-stroke\" points=\"";
	double last_s = NAN;

	fputs(begin, out);
	for (size_t i = 0; i < series->nr_points; i++) {
		const struct hl_point *point = &series->points[i];

		if (isnan(point->value) || isnan(point->t_s))
			continue;
		if (point->t_s - last_s > frame->gap_s)
			fprintf(out, "\"/>%s", begin);
		fprintf(out, "%.1f,%.1f ", 1000 * place(point->t_s, span->from_s, span->to_s),
			98 - 96 * place(point->value, frame->min, frame->max));
		last_s = point->t_s;
	}
	fputs("\"/>", out);
}

/* Scaled to its own range in a box of 1000 x 100 that is stretched to the page. */
void hl_svg_series(FILE *out, const struct hl_series *series, const struct hl_svg_span *span,
		   const char *label, const char *id)
{
	struct frame frame = frame_of(series);

	fprintf(out,
		"<svg class=\"hl\" width=\"100%%\" height=\"%u\" role=\"img\" "
		"aria-labelledby=\"%s\">\n",
		SERIES_HEIGHT, id);
	put_title(out, label, series->host, id);
	fputs("<svg x=\"0\" y=\"10\" width=\"100%\" height=\"100\" viewBox=\"0 0 1000 100\" "
	      "preserveAspectRatio=\"none\">",
	      out);
	put_lines(out, series, span, &frame);
	fputs("</svg>\n</svg>\n", out);
}
