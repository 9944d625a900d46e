/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A grid: a table of the report before any format. Columns are a table of titles and of functions
 * that print one cell, so that text, HTML and Markdown all come from the same rows.
 *
 * Cells hold foreign text as it is: who prints a grid escapes.
 */
#ifndef HOPLOSS_REPORTS_GRID_H
#define HOPLOSS_REPORTS_GRID_H

#include "hoploss/graph.h"

struct hl_row { /* what a cell is made from */
	struct hl_arena *arena;
	const struct hl_graph *graph;
	const struct hl_measurement *at; /* these as far as the grid is about them */
	enum hl_dir dir;
	const void *item; /* one kind per grid */
	const void *of;   /* the column's own, set by hl_grid_new */
};

enum hl_column_kind {
	HL_COLUMN_NAME,
	HL_COLUMN_NUMBER, /* set flush right */
	HL_COLUMN_LONG,   /* running text, the last one only: takes what width is left and wraps */
};

struct hl_column {
	const char *title;
	/* In the arena or a longer-lived string; NULL = unknown or not applicable. */
	const char *(*cell)(const struct hl_row *row);
	const void *of;
	enum hl_column_kind kind;
	bool is_group; /* a cell like the one above it is left blank */
	bool is_kept;  /* narrow text cuts the other names first */
	bool is_below; /* running text that is left too little room stands under its row */
	unsigned drop; /* narrow text leaves out the highest one first; 0 = never */
};

struct hl_grid {
	const char *id;    /* anchor in HTML */
	const char *title; /* heading, may hold foreign text */
	const struct hl_column **columns;
	size_t nr_columns;
	size_t nr_rows;
	size_t stride; /* cells a row */
	const char **cells;
};

/*
 * One row per item of rows. Columns that would be empty in all rows are left out; NULL when there
 * is no row.
 */
struct hl_grid *hl_grid_new(struct hl_arena *arena, const char *id, const char *title,
			    const struct hl_column *columns, const struct hl_row *rows,
			    size_t nr_rows);
const char *hl_grid_cell(const struct hl_grid *grid, size_t row, size_t column); /* "" for NULL */

#endif
