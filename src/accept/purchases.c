/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The purchase list: see hl_purchases_read in hoploss/acceptance.h. What shops and spreadsheets
 * write: comma, semicolon or tab, quotes, a byte order mark.
 */
#include "hoploss/acceptance.h"
#include "hoploss/text.h"
#include "hoploss/unit.h"
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

enum column { SERIAL, MODEL, CAPACITY, FIRMWARE, NR_COLUMNS };

/* As a title begins, in the languages that shops write in; by bars. */
static const char *const titles[NR_COLUMNS] = {
	"serial|s/n|sn|seriennummer|numero de serie|nummer",
	"model|modell|modele|modelo",
	"capacity|kapazit|capacit|size|groesse",
	"firmware|fw|rev",
};

#define CELLS_MAX      32
#define LEAST_CAPACITY 1e6 /* bytes: a number without its unit is no capacity */

struct cells {
	const char *items[CELLS_MAX];
	size_t nr;
};

/* The one that parts most cells: "S1;;7,68 TB;" has a comma too. */
static char separator_of(struct hl_line line)
{
	static const char candidates[] = ",;\t";
	size_t counts[sizeof(candidates)] = { 0 }, best = 0;
	bool is_quoted = false;

	for (size_t i = 0; i < line.len; i++) {
		const char *is = strchr(candidates, line.start[i]);

		is_quoted ^= line.start[i] == '"';
		if (line.start[i] && is && !is_quoted)
			counts[is - candidates]++;
	}
	for (size_t i = 1; candidates[i]; i++) {
		if (counts[i] > counts[best])
			best = i;
	}
	return candidates[best];
}

/*
 * One cell from *at on; "a ""b""" is a "b", and ="a" or 'a is how a spreadsheet is kept from making
 * a number of it. Moves *at behind its separator, NULL at the end. NULL: a quote is not closed.
 */
static const char *cut_cell(struct hl_arena *arena, const char **at, const char *end,
			    char separator)
{
	const char *in = *at;
	char *cell = hl_arena_alloc(arena, (size_t)(end - in) + 1);
	bool is_quoted = false;
	size_t len = 0;

	while (in < end && (*in == ' ' || (*in == '\t' && separator != '\t')))
		in++;
	if (in + 1 < end && ((in[0] == '=' && in[1] == '"') || in[0] == '\''))
		in++;
	for (; in < end && (is_quoted || *in != separator); in++) {
		if (*in != '"')
			cell[len++] = *in;
		else if (is_quoted && in + 1 < end && in[1] == '"')
			cell[len++] = *in++;
		else
			is_quoted = !is_quoted;
	}
	while (len && (cell[len - 1] == ' ' || cell[len - 1] == '\t'))
		len--;
	cell[len] = '\0';
	*at = in < end ? in + 1 : NULL;
	return is_quoted ? NULL : cell;
}

/* False: a quote is not closed. */
static bool cut(struct hl_arena *arena, struct hl_line line, char separator, struct cells *ret)
{
	const char *at = line.start, *end = line.start + line.len;

	ret->nr = 0;
	while (at && ret->nr < CELLS_MAX) {
		const char *cell = cut_cell(arena, &at, end, separator);

		if (!cell)
			return false;
		ret->items[ret->nr++] = cell;
	}
	return true;
}

/* Titles are words: SERIAL0042 is the serial number of a drive. */
static bool is_title(const char *cell, const char *words)
{
	if (cell[strcspn(cell, "0123456789")])
		return false;
	for (const char *word = words; word; word = strchr(word, '|')) {
		size_t len;

		word += *word == '|';
		len = strcspn(word, "|");
		if (!strncasecmp(cell, word, len) && !(len < 3 && cell[len]))
			return true;
	}
	return false;
}

/* Which cell holds which column; -1 = none. Returns how many are titles. */
static size_t read_titles(const struct cells *cells, int *places)
{
	size_t nr = 0;

	for (int column = 0; column < NR_COLUMNS; column++) {
		places[column] = -1;
		for (size_t i = 0; places[column] < 0 && i < cells->nr; i++) {
			if (is_title(cells->items[i], titles[column]))
				places[column] = (int)i;
		}
		nr += places[column] >= 0;
	}
	return nr;
}

static const char *cell_at(const struct cells *cells, int place)
{
	if (place < 0 || (size_t)place >= cells->nr || !*cells->items[place])
		return NULL;
	return cells->items[place];
}

struct list {
	const char *name;
	struct hl_purchase *items;
	size_t nr;
};

static int check_row(const struct list *list, const struct hl_purchase *row, struct hl_error *err)
{
	if (!row->serial)
		return hl_fail(err, EBADMSG, "%s:%u: no serial number", list->name, row->line);
	for (size_t i = 0; i < list->nr; i++) {
		if (list->items[i].serial && !strcasecmp(list->items[i].serial, row->serial))
			return hl_fail(err, EBADMSG,
				       "%s:%u: serial number %s stands in line %u too", list->name,
				       row->line, row->serial, list->items[i].line);
	}
	return 0;
}

/* "7,68TB" has a decimal comma, "7,681,501,126,656" has several, which part thousands. */
static const char *with_point(struct hl_arena *arena, const char *text)
{
	char *copy = hl_arena_strdup(arena, text), *to = copy;
	bool is_decimal = copy && strchr(copy, ',') == strrchr(copy, ',');

	for (const char *from = copy; from && *from; from++) {
		if (*from != ',')
			*to++ = *from;
		else if (is_decimal)
			*to++ = '.';
	}
	if (to)
		*to = '\0';
	return copy;
}

struct shape {                  /* of the lines */
	int places[NR_COLUMNS]; /* of the cells; -1 = none */
	size_t nr_cells;        /* at most, in a line */
	char separator;
	bool is_known, has_titles;
};

static int add_row(struct hl_arena *arena, struct list *list, const struct cells *cells,
		   const struct shape *shape, unsigned line, struct hl_error *err)
{
	const int *places = shape->places;
	const char *capacity = with_point(arena, cell_at(cells, places[CAPACITY]));
	struct hl_purchase row = {
		.serial = cell_at(cells, places[SERIAL]),
		.model = cell_at(cells, places[MODEL]),
		.firmware = cell_at(cells, places[FIRMWARE]),
		.capacity = NAN,
		.line = line,
	};
	int rc;

	if (cells->nr > shape->nr_cells)
		return hl_fail(err, EBADMSG,
			       "%s:%u: %zu cells under %zu titles: a decimal comma wants quotes",
			       list->name, line, cells->nr, shape->nr_cells);
	if (capacity && (hl_unit_read_size(capacity, strlen(capacity), 1000, &row.capacity) < 0 ||
			 !(row.capacity >= LEAST_CAPACITY)))
		return hl_fail(err, EBADMSG, "%s:%u: capacity \"%s\": write it as 7.68TB",
			       list->name, line, capacity);
	rc = check_row(list, &row, err);
	if (rc < 0)
		return rc;
	list->items = hl_arena_extend(arena, list->items, list->nr, sizeof(row));
	list->items[list->nr++] = row;
	return 0;
}

/* The first line: names the columns, or is a row of them in their usual order. */
static int read_first(const struct list *list, const struct cells *cells, unsigned line,
		      struct shape *shape, struct hl_error *err)
{
	int titled[NR_COLUMNS];
	size_t nr = read_titles(cells, titled);

	if (nr && titled[SERIAL] < 0)
		return hl_fail(
			err, EBADMSG,
			"%s:%u: no column is called serial: serial[,model,capacity,firmware]",
			list->name, line);
	shape->has_titles = nr;
	if (nr) {
		memcpy(shape->places, titled, sizeof(titled));
		shape->nr_cells = cells->nr;
	}
	return 0;
}

static int read_line(struct hl_arena *arena, struct hl_line line, struct list *list,
		     struct shape *shape, struct hl_error *err)
{
	struct cells cells;
	int rc = 0;

	if (!shape->separator)
		shape->separator = separator_of(line);
	if (!cut(arena, line, shape->separator, &cells))
		return hl_fail(err, EBADMSG, "%s:%u: a quote is not closed", list->name,
			       line.number);
	if (!shape->is_known) {
		rc = read_first(list, &cells, line.number, shape, err);
		shape->is_known = true;
		if (shape->has_titles)
			return rc;
	}
	return rc < 0 ? rc : add_row(arena, list, &cells, shape, line.number, err);
}

static int read_rows(struct hl_arena *arena, const struct hl_text *text, struct list *list,
		     struct hl_error *err)
{
	struct shape shape = { .places = { SERIAL, MODEL, CAPACITY, FIRMWARE },
			       .nr_cells = CELLS_MAX };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < text->nr_lines; i++) {
		struct hl_line line = hl_line_trim(text->lines[i]);

		if (line.len && *line.start != '#')
			rc = read_line(arena, line, list, &shape, err);
	}
	return rc;
}

/* Spreadsheets save "Unicode text" so. */
static bool is_utf16(const char *bytes, size_t len)
{
	return len >= 2 && (!memcmp(bytes, "\xff\xfe", 2) || !memcmp(bytes, "\xfe\xff", 2));
}

int hl_purchases_read(const char *name, const char *bytes, size_t len, struct hl_arena *arena,
		      struct hl_purchase **ret_purchases, size_t *ret_nr, struct hl_error *err)
{
	struct list list = { .name = name };
	struct hl_text *text;
	int rc;

	if (is_utf16(bytes, len))
		return hl_fail(err, EBADMSG, "%s is UTF-16: save it as CSV in UTF-8", name);
	text = hl_text_new(name, bytes, len);
	rc = read_rows(arena, text, &list, err);
	hl_text_free(text);
	if (rc == 0 && !list.nr)
		rc = hl_fail(err, EBADMSG, "%s: no serial number in it", name);
	if (rc < 0)
		return rc;
	*ret_purchases = list.items;
	*ret_nr = list.nr;
	return 0;
}
