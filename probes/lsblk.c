/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lsblk(8) as text: block devices, what stands on what, and where it is mounted.
 *
 *   NAME        MAJ:MIN RM  SIZE RO TYPE  MOUNTPOINTS
 *   sda           8:0    0  3.6T  0 disk
 *   └─sda1        8:1    0  3.6T  0 part
 *     └─md0       9:0    0  3.6T  0 raid1 /data
 *
 * Surprising: a cell can be empty, so a word belongs to the column that it stands below; an array
 * is printed below each of its members; sizes are powers of 1,024; the tree is drawn with UTF-8 or
 * ASCII, and may be lost, which the types make up for.
 */
#include "lsblk.h"
#include "hoploss/format.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS HL_WORDS_MAX /* of lsblk -O */

struct cell { /* of the header or a row: bytes, and where it stands on the screen */
	struct hl_word word;
	size_t from, to;
};

struct cells {
	struct cell items[HL_WORDS_MAX];
	size_t nr;
};

static bool is_continued(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static void split(struct hl_line line, struct cells *ret_cells)
{
	const char *end = line.start + line.len;
	size_t column = 0;

	*ret_cells = (struct cells){ 0 };
	for (const char *at = line.start; at < end && ret_cells->nr < HL_WORDS_MAX;) {
		struct cell *cell = &ret_cells->items[ret_cells->nr];

		for (; at < end && isspace((unsigned char)*at); at++)
			column++;
		if (at == end)
			return;
		cell->word.start = at;
		cell->from = column;
		for (; at < end && !isspace((unsigned char)*at); at++)
			column += !is_continued(*at);
		cell->word.len = (size_t)(at - cell->word.start);
		cell->to = column;
		ret_cells->nr++;
	}
}

static bool is_header(const struct cells *cells)
{
	size_t nr_known = 0;

	if (cells->nr < 3 || cells->nr > MAX_COLUMNS || !hl_word_is(cells->items[0].word, "NAME"))
		return false;
	for (size_t i = 1; i < cells->nr; i++)
		nr_known += hl_lsblk_column(cells->items[i].word) != HL_LSBLK_NONE;
	/* zfs list and zpool list have SIZE, too */
	return nr_known >= 2 && (nr_known >= 3 || cells->nr <= 4) &&
	       !hl_word_is(cells->items[1].word, "USED") &&
	       !hl_word_is(cells->items[2].word, "ALLOC");
}

/* ---- the tree ---- */

/* Draws nothing but the tree: "├─", "│", "|-", "`-". */
static size_t tree_length(struct hl_word word)
{
	size_t at = 0;

	while (at < word.len &&
	       ((unsigned char)word.start[at] >= 0x80 || strchr("|`-", word.start[at])))
		at++;
	return at;
}

/* The name and where it begins on the screen; the first word of a row may be all tree. */
static bool take_name(struct cells *cells, struct hl_word *ret_name, size_t *ret_column)
{
	for (size_t i = 0; i < cells->nr; i++) {
		struct cell *cell = &cells->items[i];
		size_t len = tree_length(cell->word), column = cell->from;

		if (len == cell->word.len)
			continue;
		for (size_t k = 0; k < len; k++)
			column += !is_continued(cell->word.start[k]);
		*ret_name = (struct hl_word){ cell->word.start + len, cell->word.len - len };
		*ret_column = column;
		memmove(&cells->items[0], &cells->items[i + 1],
			(cells->nr - i - 1) * sizeof(*cells->items));
		cells->nr -= i + 1;
		return true;
	}
	return false;
}

/* ---- cells to columns ---- */

static size_t distance(const struct cell *a, const struct cell *b)
{
	if (a->from < b->to && b->from < a->to)
		return 0;
	return a->from >= b->to ? a->from - b->to + 1 : b->from - a->to + 1;
}

static bool fits(const struct cell *column, struct hl_word word)
{
	enum hl_lsblk_column known = hl_lsblk_column(column->word);

	return known == HL_LSBLK_NONE || hl_lsblk_is_value(known, word);
}

/* The nearest column that can have such a value, none before the last one's. */
static size_t column_below(const struct cells *header, const struct cell *cell, size_t first)
{
	size_t best = first;
	bool has_best = fits(&header->items[first], cell->word);

	for (size_t i = first + 1; i < header->nr; i++) {
		if (!fits(&header->items[i], cell->word) ||
		    (has_best &&
		     distance(&header->items[i], cell) >= distance(&header->items[best], cell)))
			continue;
		best = i;
		has_best = true;
	}
	return best;
}

static void add_cell(struct hl_lsblk_row *row, enum hl_lsblk_column column, struct hl_word word)
{
	struct hl_word *value;

	if (column == HL_LSBLK_NONE)
		return;
	value = &row->values[column];
	if (value->len) /* further words: of a model, say */
		value->len = (size_t)(word.start + word.len - value->start);
	else
		*value = word;
}

static void take_cells(const struct cells *header, const struct cells *cells,
		       struct hl_lsblk_row *row)
{
	/* as many words as columns: also where the blanks were lost */
	bool is_full = cells->nr + 1 == header->nr || cells->nr + 2 == header->nr;
	bool is_spaced = header->items[header->nr - 1].from > 2 * header->nr + 20;
	size_t column = 1;

	for (size_t i = 0; i < cells->nr; i++) {
		if (is_full && !is_spaced)
			column = i + 1;
		else
			column = column_below(header, &cells->items[i], column);
		add_cell(row, hl_lsblk_column(header->items[column].word), cells->items[i].word);
	}
}

static bool may_have_blanks(enum hl_lsblk_column column)
{
	return column == HL_LSBLK_MODEL || column == HL_LSBLK_MOUNTPOINT ||
	       column == HL_LSBLK_SERIAL;
}

static bool is_figure(enum hl_lsblk_column column)
{
	return column == HL_LSBLK_NUMBER || column == HL_LSBLK_SIZE || column == HL_LSBLK_RO ||
	       column == HL_LSBLK_ROTA;
}

/* A row has a number, a size or a flag where these columns are: prose has none. */
static bool read_row(const struct cells *header, struct hl_line line, struct hl_lsblk_row *ret_row)
{
	struct hl_lsblk_row row = { 0 };
	bool has_figure = false;
	struct cells cells;

	split(line, &cells);
	if (!take_name(&cells, &row.name, &row.column) || !cells.nr)
		return false;
	take_cells(header, &cells, &row);
	for (size_t i = 0; i < HL_NR_LSBLK_COLUMNS; i++) {
		enum hl_lsblk_column column = (enum hl_lsblk_column)i;
		struct hl_word value = row.values[i];

		if (!value.len)
			continue;
		if (!hl_lsblk_is_value(column, value) ||
		    (!may_have_blanks(column) && memchr(value.start, ' ', value.len)))
			return false;
		has_figure = has_figure || is_figure(column);
	}
	*ret_row = row;
	return has_figure;
}

/* A further mount point of the device before stands alone on its line. */
static bool is_mount_point(const struct cells *header, struct hl_line line, struct hl_word *ret)
{
	struct hl_word last = header->items[header->nr - 1].word;
	struct cells cells;

	split(line, &cells);
	while (cells.nr > 1 && tree_length(cells.items[0].word) == cells.items[0].word.len)
		memmove(&cells.items[0], &cells.items[1], --cells.nr * sizeof(*cells.items));
	if (cells.nr != 1 || !hl_word_is(last, "MOUNTPOINTS") ||
	    (cells.items[0].word.start[0] != '/' && !hl_word_is(cells.items[0].word, "[SWAP]")))
		return false;
	*ret = cells.items[0].word;
	return true;
}

static size_t lsblk_claim(const struct hl_text *text, size_t at)
{
	struct hl_lsblk_row row;
	struct cells header;
	struct hl_word path;
	size_t end = at + 1;

	split(text->lines[at], &header);
	if (!is_header(&header))
		return 0;
	while (end < text->nr_lines && (is_mount_point(&header, text->lines[end], &path) ||
					read_row(&header, text->lines[end], &row)))
		end++;
	return end > at + 1 ? end - at : 0;
}

static int lsblk_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	HL_LSBLK struct hl_lsblk lsblk = { 0 };
	struct cells header;

	(void)err;
	split(slice->lines[0], &header);
	for (size_t at = 1; at < slice->nr_lines; at++) {
		struct hl_lsblk_row row;

		if (is_mount_point(&header, slice->lines[at], &row.name)) {
			hl_lsblk_add_mount(&lsblk, row.name);
			continue;
		}
		if (!read_row(&header, slice->lines[at], &row))
			continue;
		row.source = hl_text_source(reading->graph, slice, at);
		row.parent = hl_lsblk_parent(&lsblk, &row);
		hl_lsblk_add(&lsblk, &row);
	}
	hl_lsblk_report(&lsblk, reading);
	return 0;
}

const struct hl_format hl_format_lsblk = {
	.name = "lsblk",
	.summary = "lsblk, with -o",
	.claim = lsblk_claim,
	.read = lsblk_read,
};
