/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A grid in a terminal. What does not fit is made to: names are cut first, running text wraps in
 * what is left or moves under its row, and at last whole columns are left out, those of the highest
 * "drop" figure first.
 */
#include "pen.h"
#include <string.h>

#define GAP          2
#define NAME_COLUMNS 28 /* of a name, where room is short */
#define LEAST_NAME   10
#define GOOD_LONG    30 /* of running text: what names yield to */
#define LEAST_LONG   24
#define MAX_COLUMNS  24
#define LEAST_BAR    10
#define BAR_SHARE    5  /* bars want a fifth of the width */
#define BAR_NAME     16 /* and names yield to them */

struct layout {
	const struct hl_grid *grid;
	size_t widths[MAX_COLUMNS]; /* 0 = left out */
	size_t nr;
	size_t indent;
	size_t room;  /* columns for all of it */
	size_t below; /* the column that stands under its row; 0 = none */
};

static bool is_number(const struct hl_column *column)
{
	return column->kind == HL_COLUMN_NUMBER;
}

static bool is_running(const struct hl_column *column)
{
	return column->kind == HL_COLUMN_LONG;
}

static size_t natural_width(const struct hl_pen *pen, const struct hl_grid *grid, size_t column)
{
	size_t width = hl_escape_columns(grid->columns[column]->title, pen->how);

	for (size_t i = 0; i < grid->nr_rows; i++) {
		size_t cell = hl_escape_columns(hl_grid_cell(grid, i, column), pen->how);

		if (cell > width)
			width = cell;
	}
	return width;
}

static bool has_kept(const struct hl_grid *grid)
{
	for (size_t i = 0; i < grid->nr_columns; i++) {
		if (grid->columns[i]->is_kept)
			return true;
	}
	return false;
}

/* Columns that the table takes beyond the room for it; 0 when it fits. */
static size_t excess(const struct layout *layout)
{
	size_t total = 0;

	for (size_t i = 0; i < layout->nr; i++)
		total += layout->widths[i] ? layout->widths[i] + GAP : 0;
	return total > layout->room + GAP ? total - layout->room - GAP : 0;
}

/* Shrinks columns of one kind by what is too much, none below least. */
static void shrink(struct layout *layout, bool is_long, size_t least)
{
	for (size_t i = 0; i < layout->nr; i++) {
		const struct hl_column *column = layout->grid->columns[i];
		size_t too_much = excess(layout);
		size_t *width = &layout->widths[i];

		if (is_number(column) || is_running(column) != is_long || *width <= least ||
		    (column->is_kept && least > LEAST_NAME))
			continue;
		*width = *width > least + too_much ? *width - too_much : least;
	}
}

/* The column to leave out next: of the highest figure, at last from the right; 0 = none. */
static size_t next_drop(const struct layout *layout, bool is_last_resort)
{
	unsigned worst_drop = 0;
	size_t worst = 0;

	for (size_t i = 1; i < layout->nr; i++) {
		unsigned drop = layout->grid->columns[i]->drop;

		if (!layout->widths[i])
			continue;
		if (drop > worst_drop || (is_last_resort && i > 1)) {
			worst = i;
			worst_drop = drop;
		}
	}
	return worst;
}

static void drop_columns(struct layout *layout, bool is_last_resort)
{
	while (excess(layout)) {
		size_t worst = next_drop(layout, is_last_resort);

		if (!worst)
			return;
		layout->widths[worst] = 0;
	}
}

/* Running text that would cost names or become a tall thin column. */
static void move_below(struct layout *layout, size_t name)
{
	size_t last = layout->nr - 1, width = layout->widths[last], too_much;

	if (!last || !layout->grid->columns[last]->is_below)
		return;
	layout->widths[last] = width < LEAST_LONG ? width : LEAST_LONG;
	for (size_t i = 0; i < last; i++) {
		if (layout->widths[i] > name && !is_number(layout->grid->columns[i]))
			layout->room += layout->widths[i] - name; /* that much is cut anyway */
	}
	too_much = excess(layout);
	layout->below = too_much ? last : 0;
	layout->widths[last] = too_much ? 0 : width;
}

static struct layout lay_out(const struct hl_pen *pen, const struct hl_grid *grid, size_t indent,
			     size_t room, size_t name)
{
	struct layout layout = { .grid = grid, .indent = indent, .room = room };

	layout.nr = grid->nr_columns < MAX_COLUMNS ? grid->nr_columns : MAX_COLUMNS;
	for (size_t i = 0; i < layout.nr; i++)
		layout.widths[i] = natural_width(pen, grid, i);
	move_below(&layout, name);
	layout.room = room;
	shrink(&layout, false, name);
	shrink(&layout, true, GOOD_LONG);
	shrink(&layout, false, name * 3 / 4);
	shrink(&layout, true, LEAST_LONG);
	if (has_kept(grid))
		shrink(&layout, false, name / 2);
	drop_columns(&layout, false);
	layout.room = pen->width - indent; /* at last bars yield to figures */
	shrink(&layout, false, LEAST_NAME);
	drop_columns(&layout, true);
	return layout;
}

static void put_titles(struct hl_pen *pen, const struct layout *layout)
{
	hl_pen_to(pen, layout->indent);
	hl_pen_ink(pen, HL_INK_DIM);
	for (size_t i = 0; i < layout->nr; i++) {
		const struct hl_column *column = layout->grid->columns[i];

		if (!layout->widths[i])
			continue;
		hl_pen_field(pen, column->title, layout->widths[i], is_number(column));
		hl_pen_to(pen, pen->at + GAP);
	}
	hl_pen_ink(pen, HL_INK_PLAIN);
	hl_pen_newline(pen);
}

static void put_cells(struct hl_pen *pen, const struct layout *layout, size_t row)
{
	hl_pen_to(pen, layout->indent);
	for (size_t i = 0; i < layout->nr; i++) {
		const struct hl_column *column = layout->grid->columns[i];
		const char *cell = hl_grid_cell(layout->grid, row, i);

		if (!layout->widths[i])
			continue;
		if (is_running(column))
			hl_pen_wrap(pen, cell, pen->at);
		else
			hl_pen_field(pen, cell, layout->widths[i], is_number(column));
		hl_pen_to(pen, pen->at + GAP);
	}
}

/* Under the second column, so that the first can be read down. */
static void put_below(struct hl_pen *pen, const struct layout *layout, size_t row)
{
	const char *cell = hl_grid_cell(layout->grid, row, layout->below);
	size_t at = layout->indent + layout->widths[0] + GAP;

	if (!layout->below || !*cell)
		return;
	if (at + LEAST_LONG > pen->width)
		at = layout->indent + GAP;
	hl_pen_newline(pen);
	hl_pen_to(pen, at);
	hl_pen_wrap(pen, cell, at);
}

void hl_pen_grid(struct hl_pen *pen, const struct hl_grid *grid, size_t indent)
{
	struct layout layout = lay_out(pen, grid, indent, pen->width - indent, NAME_COLUMNS);

	put_titles(pen, &layout);
	for (size_t i = 0; i < grid->nr_rows; i++) {
		put_cells(pen, &layout, i);
		put_below(pen, &layout, i);
		hl_pen_newline(pen);
	}
}

/* One character of a bar, which stands for the middle of its share of the whole. */
static const char *bar_cell(const struct hl_pen *pen, const struct hl_bar_row *bar, double middle)
{
	bool is_ascii = pen->how == HL_ESCAPE_ASCII;

	if (middle >= bar->solid_from && middle < bar->solid_to)
		return is_ascii ? "#" : "█";
	if (middle >= bar->light_from && middle < bar->light_to)
		return is_ascii ? "-" : "░";
	return NULL;
}

/* What is not nothing shows: a bar shorter than half a character is a thin one. */
static void put_bar(struct hl_pen *pen, const struct hl_bar_row *bar, size_t start)
{
	size_t length = pen->width - start;
	bool is_thin = bar->solid_to > bar->solid_from && bar->solid_from <= 0 &&
		       bar->solid_to * length < 0.5;

	for (size_t i = 0; i < length; i++) {
		const char *cell = bar_cell(pen, bar, (i + 0.5) / length);

		if (!i && is_thin)
			cell = pen->how == HL_ESCAPE_ASCII ? "|" : "▏";
		if (!cell)
			continue;
		hl_pen_to(pen, start + i);
		hl_pen_text(pen, cell);
	}
}

void hl_pen_grid_bars(struct hl_pen *pen, const struct hl_grid *grid, const struct hl_bars *bars,
		      size_t indent)
{
	size_t room = pen->width - indent - pen->width / BAR_SHARE;
	struct layout layout = lay_out(pen, grid, indent, room, BAR_NAME);
	size_t start = indent;

	for (size_t i = 0; i < layout.nr; i++)
		start += layout.widths[i] ? layout.widths[i] + GAP : 0;
	put_titles(pen, &layout);
	for (size_t i = 0; i < grid->nr_rows; i++) {
		put_cells(pen, &layout, i);
		if (start + LEAST_BAR <= pen->width)
			put_bar(pen, &bars->rows[i], start);
		hl_pen_newline(pen);
	}
}
