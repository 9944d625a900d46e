/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drawings: inline in HTML, or alone. Widths are percentages, so that a drawing fills a phone as
 * well as a desk without its letters growing or shrinking.
 */
#ifndef HOPLOSS_REPORTS_SVG_H
#define HOPLOSS_REPORTS_SVG_H

#include "bars.h"
#include <stdio.h>

/* Colours and letters of all drawings, light and dark: the text of a style element. */
extern const char hl_svg_style[];

unsigned hl_svg_height(const struct hl_bars *bars); /* in px */
/* The rows without the svg element around them, from y on. */
void hl_svg_rows(FILE *out, const struct hl_bars *bars, unsigned y);
/* An svg element to stand in HTML; id makes its title's id unique. */
void hl_svg_bars(FILE *out, const struct hl_bars *bars, const char *id);
struct hl_svg_span {
	double from_s, to_s;
};
/* One line over that time; it is broken where nothing was seen for long. */
void hl_svg_series(FILE *out, const struct hl_series *series, const struct hl_svg_span *span,
		   const char *label, const char *id);

#endif
