/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Grids: see grid.h.
 */
#include "grid.h"
#include <string.h>

static size_t nr_columns(const struct hl_column *columns)
{
	size_t nr = 0;

	while (columns[nr].title)
		nr++;
	return nr;
}

/* Fills the next column; false when all of it is empty. */
static bool fill_column(struct hl_grid *grid, const struct hl_column *column,
			const struct hl_row *rows)
{
	const char **cells = grid->cells + grid->nr_columns;
	bool has_any = false;

	for (size_t i = 0; i < grid->nr_rows; i++) {
		struct hl_row row = rows[i];
		const char *cell;

		row.of = column->of;
		cell = column->cell(&row);
		cells[i * grid->stride] = cell;
		has_any = has_any || (cell && *cell);
	}
	return has_any;
}

struct hl_grid *hl_grid_new(struct hl_arena *arena, const char *id, const char *title,
			    const struct hl_column *columns, const struct hl_row *rows,
			    size_t nr_rows)
{
	size_t nr = nr_columns(columns);
	struct hl_grid *grid;

	if (!nr_rows)
		return NULL;
	grid = hl_arena_alloc(arena, sizeof(*grid));
	grid->id = id;
	grid->title = title;
	grid->nr_rows = nr_rows;
	grid->stride = nr;
	grid->columns = hl_arena_alloc(arena, nr * sizeof(*grid->columns));
	grid->cells = hl_arena_alloc(arena, nr * nr_rows * sizeof(*grid->cells));
	for (size_t i = 0; i < nr; i++) {
		if (fill_column(grid, &columns[i], rows))
			grid->columns[grid->nr_columns++] = &columns[i];
	}
	return grid;
}

static const char *raw_cell(const struct hl_grid *grid, size_t row, size_t column)
{
	const char *cell = grid->cells[row * grid->stride + column];

	return cell ? cell : "";
}

const char *hl_grid_cell(const struct hl_grid *grid, size_t row, size_t column)
{
	const char *cell = raw_cell(grid, row, column);

	if (grid->columns[column]->is_group && row &&
	    !strcmp(cell, raw_cell(grid, row - 1, column)))
		return "";
	return cell;
}
