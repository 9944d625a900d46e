/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text for a terminal: escaped, wrapped to a width, in columns, coloured when asked for.
 *
 * The pen knows its column. Blanks are owed until something follows them, so no line ends in one.
 */
#ifndef HOPLOSS_REPORTS_PEN_H
#define HOPLOSS_REPORTS_PEN_H

#include "bars.h"
#include "grid.h"
#include "hoploss/escape.h"
#include "hoploss/report.h"

enum hl_ink { HL_INK_PLAIN, HL_INK_BOLD, HL_INK_DIM, HL_INK_BAD, HL_INK_DOUBT, HL_INK_GOOD };

struct hl_pen {
	FILE *out;
	size_t width;
	enum hl_escape how; /* TEXT or ASCII */
	bool has_colour;
	size_t at; /* column that comes next, from 0 */
	size_t owed;
};

struct hl_pen hl_pen_new(FILE *out, const struct hl_report_style *style);
void hl_pen_ink(struct hl_pen *pen, enum hl_ink ink); /* until the next call */
enum hl_ink hl_pen_state_ink(enum hl_state state);

void hl_pen_newline(struct hl_pen *pen);
void hl_pen_to(struct hl_pen *pen, size_t column); /* blanks up to there, if not yet past it */
void hl_pen_text(struct hl_pen *pen, const char *text);
/* Exactly columns wide: cut or filled with blanks, at the right or (is_number) the left. */
void hl_pen_field(struct hl_pen *pen, const char *text, size_t columns, bool is_number);
/* From here on, later lines from column indent on, up to the width; line breaks of text are kept.
 */
void hl_pen_wrap(struct hl_pen *pen, const char *text, size_t indent);

/* The following write whole lines. */
void hl_pen_heading(struct hl_pen *pen, const char *title); /* after an empty line */
/* "label   text", nothing for a NULL text. */
void hl_pen_item(struct hl_pen *pen, const char *label, const char *text, size_t indent);
/* Lines of text as they are, each indented; nothing is wrapped, so that it can be pasted. */
void hl_pen_lines(struct hl_pen *pen, const char *text, size_t indent);
void hl_pen_grid(struct hl_pen *pen, const struct hl_grid *grid, size_t indent);

/* A grid with a bar at the end of each row, where there is room for bars. */
void hl_pen_grid_bars(struct hl_pen *pen, const struct hl_grid *grid, const struct hl_bars *bars,
		      size_t indent);

#endif
