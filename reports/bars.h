/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bars before any format: what a terminal draws with blocks and SVG with rectangles. Lengths are
 * shares of the longest bar, 0 .. 1.
 */
#ifndef HOPLOSS_REPORTS_BARS_H
#define HOPLOSS_REPORTS_BARS_H

#include "waterfall.h"

enum hl_bar_role { HL_BAR_TOP, HL_BAR_HOP, HL_BAR_BINDING, HL_BAR_GAIN };

struct hl_bar_row {
	const char *name;
	const char *layer;           /* or other small print; NULL */
	const char *value;           /* "863 MiB/s" */
	const char *aside;           /* in small print beside the value: "÷ 2.14"; NULL */
	const char *note;            /* "lost 987 MiB/s, factor 2.14, 21.6 % of the whole"; NULL */
	double solid_from, solid_to; /* what is there */
	double light_from, light_to; /* what was there one hop up */
	enum hl_bar_role role;
};

struct hl_bars {
	const char *title;
	const char *caption; /* the path and the job */
	struct hl_bar_row *rows;
	size_t nr_rows;
};

/* Each is NULL when there are no bars to draw. */
struct hl_bars *hl_bars_waterfall(struct hl_arena *arena, const struct hl_waterfall *waterfall);
struct hl_bars *hl_bars_stack(struct hl_arena *arena, const struct hl_waterfall *waterfall);
struct hl_bars *hl_bars_ladder(struct hl_arena *arena, const struct hl_waterfall *waterfall);

#endif
