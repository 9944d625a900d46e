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

static char separator_of(struct hl_line line)
{
	static const char candidates[] = ",;\t";

	for (const char *c = candidates; *c; c++) {
		if (memchr(line.start, *c, line.len))
			return *c;
	}
	return ',';
}

/* One cell from *at on; "a ""b""" is a "b". Moves *at behind its separator, NULL at the end. */
static const char *cut_cell(struct hl_arena *arena, const char **at, const char *end,
			    char separator)
{
	const char *in = *at;
	char *cell = hl_arena_alloc(arena, (size_t)(end - in) + 1);
	bool is_quoted = false;
	size_t len = 0;

	while (in < end && (*in == ' ' || (*in == '\t' && separator != '\t')))
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
	return cell;
}

static struct cells cut(struct hl_arena *arena, struct hl_line line, char separator)
{
	const char *at = line.start, *end = line.start + line.len;
	struct cells cells = { .nr = 0 };

	while (at && cells.nr < CELLS_MAX)
		cells.items[cells.nr++] = cut_cell(arena, &at, end, separator);
	return cells;
}

static bool is_title(const char *cell, const char *words)
{
	for (const char *word = words; word; word = strchr(word, '|')) {
		size_t len;

		word += *word == '|';
		len = strcspn(word, "|");
		if (!strncasecmp(cell, word, len) && !(len < 3 && cell[len]))
			return true;
	}
	return false;
}

/* Which cell holds which column; -1 = none. False: the first line is no title line. */
static bool read_titles(const struct cells *cells, int *places)
{
	for (int column = 0; column < NR_COLUMNS; column++) {
		places[column] = -1;
		for (size_t i = 0; i < cells->nr; i++) {
			if (is_title(cells->items[i], titles[column]))
				places[column] = (int)i;
		}
	}
	return places[SERIAL] >= 0;
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

/* "7,68TB": where commas do not part cells, one is a decimal point. */
static const char *with_point(struct hl_arena *arena, const char *text)
{
	char *copy = hl_arena_strdup(arena, text);
	char *comma = copy ? strchr(copy, ',') : NULL;

	if (comma)
		*comma = '.';
	return copy;
}

static int add_row(struct hl_arena *arena, struct list *list, const struct cells *cells,
		   const int *places, size_t nr_titles, unsigned line, struct hl_error *err)
{
	const char *capacity = with_point(arena, cell_at(cells, places[CAPACITY]));
	struct hl_purchase row = {
		.serial = cell_at(cells, places[SERIAL]),
		.model = cell_at(cells, places[MODEL]),
		.firmware = cell_at(cells, places[FIRMWARE]),
		.capacity = NAN,
		.line = line,
	};
	int rc;

	if (cells->nr > nr_titles)
		return hl_fail(err, EBADMSG,
			       "%s:%u: %zu cells under %zu titles: a decimal comma wants quotes",
			       list->name, line, cells->nr, nr_titles);
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

static int read_rows(struct hl_arena *arena, const struct hl_text *text, struct list *list,
		     struct hl_error *err)
{
	int places[NR_COLUMNS] = { 0, -1, -1, -1 };
	size_t nr_titles = SIZE_MAX; /* without titles any further cells are passed over */
	bool is_first = true;
	char separator = ',';
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < text->nr_lines; i++) {
		struct hl_line line = hl_line_trim(text->lines[i]);
		int titled[NR_COLUMNS];
		struct cells cells;

		if (!line.len || *line.start == '#')
			continue;
		if (is_first)
			separator = separator_of(line);
		cells = cut(arena, line, separator);
		if (is_first && read_titles(&cells, titled)) {
			memcpy(places, titled, sizeof(places));
			nr_titles = cells.nr;
		} else {
			rc = add_row(arena, list, &cells, places, nr_titles, line.number, err);
		}
		is_first = false;
	}
	return rc;
}

int hl_purchases_read(const char *name, const char *bytes, size_t len, struct hl_arena *arena,
		      struct hl_purchase **ret_purchases, size_t *ret_nr, struct hl_error *err)
{
	struct hl_text *text = hl_text_new(name, bytes, len);
	struct list list = { .name = name };
	int rc = read_rows(arena, text, &list, err);

	hl_text_free(text);
	if (rc == 0 && !list.nr)
		rc = hl_fail(err, EBADMSG, "%s: no serial number in it", name);
	if (rc < 0)
		return rc;
	*ret_purchases = list.items;
	*ret_nr = list.nr;
	return 0;
}
