/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of results that a person noted down. `hoploss workloads SUITE --csv` prints an empty one.
 *
 *   change,hop,bw-r [MB/s],iops-r [IOPS],"mine [MB/s rw=randrw bs=8k,32k iodepth=4]"
 *   as found,local-zfs,679,24K,1070 MB/s / 457 MB/s
 *   compression off,,233 MB/s,220,-
 *
 * One row for each change and place, one column for each workload. "change" or "state" says what
 * was done to the system, "hop" or "store" where it was measured, "layer" to which layer that
 * belongs; an empty cell in these repeats the one above. Every other column is a workload: one of
 * those built in by its name, or one that its heading describes by fio's options. Columns called
 * "note" or "date" are skipped.
 *
 * A table may lie on its side: "workload, before, after, change" has a row for each workload and a
 * column for each state, and what it says of the difference is not read.
 *
 * A figure has a unit, or that of its column's heading, or else what hl_suite_unit says for a
 * workload that is built in. "24K" is a number of I/Os. Two figures are reads and writes. "", "-",
 * "n/a" and "?" are not measured. Cells are separated by commas, semicolons, tabs or the bars of a
 * Markdown table, may be quoted, and lines with '#' are comments. The comma is the decimal point
 * where a figure shows that, and in a table with semicolons where none shows the opposite.
 */
#include "csv_cells.h"
#include "csv_columns.h"
#include "formats.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Lines of comment that may stand above the headings. */
#define MAX_COMMENT 8

struct table {
	struct hl_reading *reading;
	const struct hl_text *slice;
	struct hl_error *err;
	char separator;
	bool has_comma; /* as decimal point */
	struct hl_csv_column columns[HL_CSV_MAX];
	size_t nr_columns;
	const char *change; /* of the row, or of one above */
	const char *hop;
	enum hl_layer layer;
	size_t nr_figures;
	int rc;
};

/* ---- rows ---- */

static void complain(struct table *table, const struct hl_line *line, size_t column,
		     const char *cell, const char *what)
{
	if (table->rc)
		return; /* the first one is told */
	table->rc = hl_fail(table->err, EBADMSG, "%s:%u: column %zu: \"%s\" %s", table->slice->name,
			    line->number, column + 1, cell, what);
}

static struct hl_hop *hop_of(struct table *table)
{
	struct hl_graph *graph = table->reading->graph;
	struct hl_hop *hop;

	if (!table->hop)
		return hl_reading_hop(table->reading);
	hop = hl_graph_find_hop(graph, table->hop);
	if (!hop) {
		hop = hl_graph_add_hop(graph, table->hop);
		hop->layer = table->reading->layer;
		hop->host = hl_arena_strdup(graph->arena, table->reading->host);
	}
	if (table->layer != HL_LAYER_NONE)
		hop->layer = table->layer;
	return hop;
}

/* hl_reading_measurement, in the hop of the row. */
static struct hl_measurement *add_measurement(struct table *table, const struct hl_line *line)
{
	struct hl_hop *hop = hop_of(table), *own = table->reading->hop;
	struct hl_measurement *at;

	table->reading->hop = hop;
	at = hl_reading_measurement(table->reading, table->slice, line->number);
	table->reading->hop = own;
	at->change = table->change;
	return at;
}

static void add_rate(struct table *table, struct hl_measurement *at, enum hl_dir dir,
		     const struct hl_csv_figure *figure)
{
	const struct hl_workload *workload = &at->workload;
	bool has_own_bs = dir == HL_DIR_WRITE && !isnan(workload->bs_write);
	double bs = has_own_bs ? workload->bs_write : workload->bs;
	struct hl_rate *rate = hl_graph_add_rate(table->reading->graph, at, dir);

	rate->bw = figure->kind == HL_CSV_RATE ? figure->value : figure->value * bs;
	rate->iops = figure->kind == HL_CSV_COUNT ? figure->value : figure->value / bs;
	table->nr_figures++;
}

/* The direction of a column with one figure; a name may tell it where nothing else does. */
static enum hl_dir direction_of(const struct hl_workload *workload)
{
	bool reads = hl_rw_reads(workload->rw), writes = hl_rw_writes(workload->rw);

	if (workload->rw == HL_RW_UNKNOWN) {
		reads = strcasestr(workload->name, "read");
		writes = strcasestr(workload->name, "write");
	}
	if (reads == writes)
		return HL_DIR_MIXED;
	return reads ? HL_DIR_READ : HL_DIR_WRITE;
}

static void read_cell(struct table *table, const struct hl_line *line, size_t index,
		      const struct hl_csv_column *column, const char *cell)
{
	struct hl_csv_figure figures[2];
	struct hl_measurement *at;
	size_t nr = 0;

	if (hl_csv_is_nothing(cell))
		return;
	if (hl_csv_figures(cell, &column->unit, table->has_comma, figures, &nr)) {
		complain(table, line, index, cell,
			 "is no figure with a known unit: write 679 MB/s, 24K or 1070 / 457");
		return;
	}
	at = add_measurement(table, line);
	at->workload = column->workload;
	if (nr == 1) {
		add_rate(table, at, direction_of(&at->workload), &figures[0]);
		return;
	}
	add_rate(table, at, HL_DIR_READ, &figures[0]);
	add_rate(table, at, HL_DIR_WRITE, &figures[1]);
}

/* Change, hop and layer of the row; what is empty stays as in the row above. */
static void read_place(struct table *table, const struct hl_line *line,
		       const struct hl_csv_row *row)
{
	struct hl_arena *arena = table->reading->graph->arena;

	for (size_t i = 0; i < row->nr && i < table->nr_columns; i++) {
		const char *cell = row->cells[i];

		if (!*cell)
			continue;
		if (table->columns[i].role == HL_CSV_CHANGE)
			table->change = hl_arena_strdup(arena, cell);
		else if (table->columns[i].role == HL_CSV_HOP)
			table->hop = hl_arena_strdup(arena, cell);
		else if (table->columns[i].role == HL_CSV_LAYER &&
			 hl_layer_parse(cell, &table->layer))
			complain(table, line, i, cell, "is no layer");
	}
}

static bool is_comment(struct hl_line line)
{
	return hl_line_starts(hl_line_trim(line), "#");
}

static bool is_blank(struct hl_line line)
{
	return !hl_line_trim(line).len;
}

/* The line under the headings of a Markdown table. */
static bool is_rule(const struct hl_csv_row *row)
{
	for (size_t i = 0; i < row->nr; i++) {
		if (!*row->cells[i] || row->cells[i][strspn(row->cells[i], "-: ")])
			return false;
	}
	return true;
}

/* The workload of a row, where a table lies on its side; its own unit before that of the state. */
static struct hl_csv_column row_column(const struct table *table, const char *job, size_t index,
				       struct hl_arena *arena)
{
	struct hl_csv_column column;

	hl_csv_column_read(job, arena, &column);
	if (column.unit.kind == HL_CSV_UNKNOWN)
		column.unit = table->columns[index].unit;
	return column;
}

static void read_turned_row(struct table *table, const struct hl_line *line,
			    const struct hl_csv_row *row)
{
	struct hl_arena *arena = table->reading->graph->arena;

	for (size_t i = 1; i < row->nr && i < table->nr_columns; i++) {
		struct hl_csv_column column;

		if (table->columns[i].role != HL_CSV_STATE)
			continue;
		column = row_column(table, row->cells[0], i, arena);
		table->change = table->columns[i].workload.name;
		read_cell(table, line, i, &column, row->cells[i]);
	}
}

static void read_row(struct table *table, const struct hl_line *line)
{
	HL_CSV_ROW struct hl_csv_row row = { 0 };

	hl_csv_split(*line, table->separator, &row);
	if (is_rule(&row))
		return;
	table->reading->nr_runs++;
	if (table->columns[0].role == HL_CSV_JOB) {
		read_turned_row(table, line, &row);
		return;
	}
	read_place(table, line, &row);
	for (size_t i = 0; i < row.nr; i++) {
		if (i >= table->nr_columns && *row.cells[i])
			complain(table, line, i, row.cells[i], "is under no heading");
		else if (i < table->nr_columns && table->columns[i].role == HL_CSV_WORKLOAD)
			read_cell(table, line, i, &table->columns[i], row.cells[i]);
	}
}

static void check_headings(struct table *table, const struct hl_line *line)
{
	for (size_t i = 0; i < table->nr_columns; i++) {
		if (table->columns[i].is_wrong)
			complain(table, line, i, table->columns[i].workload.name,
				 "has an option in its heading that fio does not know so");
	}
}

/* ---- the table ---- */

static void read_headings(struct table *table, struct hl_line line, struct hl_arena *arena)
{
	HL_CSV_ROW struct hl_csv_row row = { 0 };

	table->separator = hl_csv_separator(line);
	hl_csv_split(line, table->separator, &row);
	table->nr_columns = row.nr;
	while (table->nr_columns && !*row.cells[table->nr_columns - 1])
		table->nr_columns--;
	for (size_t i = 0; i < table->nr_columns; i++)
		hl_csv_column_read(row.cells[i], arena, &table->columns[i]);
	hl_csv_columns_turn(table->columns, table->nr_columns);
}

/* Whether the comma is the decimal point: the figures tell, or else the separator. */
static bool find_point(const struct table *table, size_t first)
{
	size_t nr[3] = { 0 };

	for (size_t i = first; i < table->slice->nr_lines; i++) {
		HL_CSV_ROW struct hl_csv_row row = { 0 };

		if (is_comment(table->slice->lines[i]))
			continue;
		hl_csv_split(table->slice->lines[i], table->separator, &row);
		for (size_t k = 0; k < row.nr && k < table->nr_columns; k++) {
			if (table->columns[k].role == HL_CSV_WORKLOAD ||
			    table->columns[k].role == HL_CSV_STATE)
				nr[hl_csv_point(row.cells[k])]++;
		}
	}
	if (nr[HL_CSV_POINT_DOT] || nr[HL_CSV_POINT_COMMA])
		return !nr[HL_CSV_POINT_DOT];
	return table->separator == ';';
}

static int csv_table_read(const struct hl_text *slice, struct hl_reading *reading,
			  struct hl_error *err)
{
	HL_FREE struct table *table = hl_alloc(sizeof(*table));
	size_t first = 0;

	while (is_comment(slice->lines[first]))
		first++;
	table->reading = reading;
	table->slice = slice;
	table->err = err;
	read_headings(table, slice->lines[first], reading->graph->arena);
	check_headings(table, &slice->lines[first]);
	table->has_comma = find_point(table, first + 1);
	for (size_t i = first + 1; i < slice->nr_lines; i++) {
		if (!is_blank(slice->lines[i]) && !is_comment(slice->lines[i]))
			read_row(table, &slice->lines[i]);
	}
	if (!table->rc && !table->nr_figures)
		return hl_fail(err, EBADMSG, "%s:%u: the table has no figures in it", slice->name,
			       slice->lines[first].number);
	return table->rc;
}

/* ---- claim ---- */

/* First a change or a hop, and somewhere a workload. */
static bool is_head(const struct table *table, bool *ret_is_described)
{
	bool has_workload = false;

	*ret_is_described = false;
	if (table->columns[0].role == HL_CSV_JOB)
		return true;
	for (size_t i = 0; i < table->nr_columns; i++) {
		const struct hl_csv_column *column = &table->columns[i];

		has_workload = has_workload || column->role == HL_CSV_WORKLOAD;
		*ret_is_described = *ret_is_described || column->is_described ||
				    column->unit.kind != HL_CSV_UNKNOWN;
	}
	return has_workload &&
	       (table->columns[0].role == HL_CSV_CHANGE || table->columns[0].role == HL_CSV_HOP);
}

/* A row with a figure in it, as far as that can be told. */
static bool has_figure(const struct table *table, struct hl_line line, struct hl_arena *arena)
{
	HL_CSV_ROW struct hl_csv_row row = { 0 };
	struct hl_csv_figure figures[2];
	size_t nr;

	hl_csv_split(line, table->separator, &row);
	for (size_t i = 0; i < row.nr && i < table->nr_columns; i++) {
		struct hl_csv_unit unit = table->columns[i].unit;

		if (table->columns[i].role == HL_CSV_STATE)
			unit = row_column(table, row.cells[0], i, arena).unit;
		else if (table->columns[i].role != HL_CSV_WORKLOAD)
			continue;
		if (!hl_csv_figures(row.cells[i], &unit, false, figures, &nr))
			return true;
	}
	return false;
}

/* Rows until the table ends; one blank line may stand between two. */
static size_t count_rows(const struct hl_text *text, size_t at, const struct table *table,
			 struct hl_arena *arena, bool *ret_has_figure)
{
	size_t end = at;

	*ret_has_figure = false;
	for (size_t i = at; i < text->nr_lines && i <= end + 1; i++) {
		struct hl_line line = text->lines[i];

		if (is_blank(line))
			continue;
		if (!is_comment(line) && !memchr(line.start, table->separator, line.len))
			break;
		*ret_has_figure = *ret_has_figure || has_figure(table, line, arena);
		end = i + 1;
	}
	return end - at;
}

/* Cheap: most lines do not name a change or a hop. */
static bool may_be_head(struct hl_line line)
{
	static const char *const names[] = { "change",   "state", "hop", "store",
					     "workload", "test",  "job", "benchmark" };

	for (unsigned k = 0; k < line.len; k++) {
		char c = line.start[k] | ' ';

		if (!strchr("cshwtjb", c))
			continue;
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
			if (k + strlen(names[i]) <= line.len &&
			    !strncasecmp(line.start + k, names[i], strlen(names[i])))
				return hl_csv_separator(line) != 0;
		}
	}
	return false;
}

static size_t csv_table_claim(const struct hl_text *text, size_t at)
{
	HL_FREE struct table *table = NULL;
	bool is_described = false, has_any_figure = false;
	struct hl_arena *arena;
	size_t head = at, nr;

	while (head < text->nr_lines && head < at + MAX_COMMENT && is_comment(text->lines[head]))
		head++;
	if (head == text->nr_lines || is_comment(text->lines[head]) ||
	    !may_be_head(text->lines[head]))
		return 0;
	table = hl_alloc(sizeof(*table));
	arena = hl_arena_new();
	read_headings(table, text->lines[head], arena);
	nr = is_head(table, &is_described)
		     ? count_rows(text, head + 1, table, arena, &has_any_figure)
		     : 0;
	hl_arena_free(arena);
	return nr && (is_described || has_any_figure) ? head + 1 + nr - at : 0;
}

const struct hl_format hl_format_csv_table = {
	.name = "csv-table",
	.summary = "a table of results noted down by hand (hoploss workloads SUITE --csv)",
	.claim = csv_table_claim,
	.read = csv_table_read,
};
