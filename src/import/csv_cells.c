/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells and figures of a table of results: see csv_cells.h and csv_table.c.
 *
 * Surprising: "679MB/S" has a slash in it, so a cell is first tried as one figure. A comma before
 * exactly three digits separates thousands, unless the whole table uses it as decimal point; then
 * a point before exactly three digits does.
 */
#include "csv_cells.h"
#include "hoploss/alloc.h"
#include "hoploss/unit.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FIGURE_MAX 64 /* bytes of a figure with its unit */

/* ---- cells ---- */

static size_t count_outside_quotes(struct hl_line line, char separator)
{
	bool is_quoted = false;
	size_t nr = 0;

	for (unsigned i = 0; i < line.len; i++) {
		if (line.start[i] == '"')
			is_quoted = !is_quoted;
		nr += !is_quoted && line.start[i] == separator;
	}
	return nr;
}

char hl_csv_separator(struct hl_line line)
{
	static const char separators[] = { '|', '\t', ';', ',' };

	for (size_t i = 0; i < sizeof(separators); i++) {
		if (count_outside_quotes(line, separators[i]))
			return separators[i];
	}
	return 0;
}

/* The outer bars of a Markdown table. */
static struct hl_line strip_bars(struct hl_line line)
{
	line = hl_line_trim(line);
	if (line.len && *line.start == '|') {
		line.start++;
		line.len--;
	}
	if (line.len && line.start[line.len - 1] == '|')
		line.len--;
	return line;
}

static char *trim(char *cell)
{
	size_t len;

	cell += strspn(cell, " \t");
	len = strlen(cell);
	while (len && (cell[len - 1] == ' ' || cell[len - 1] == '\t'))
		cell[--len] = '\0';
	return cell;
}

/* "**before**" and "`before`" are "before", set otherwise. */
static char *drop_marks(char *cell)
{
	static const char *const marks[] = { "**", "__", "`", "*" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		size_t len = strlen(cell), nr = strlen(marks[i]);

		if (len <= 2 * nr || strncmp(cell, marks[i], nr) != 0 ||
		    strcmp(cell + len - nr, marks[i]) != 0)
			continue;
		cell[len - nr] = '\0';
		return trim(cell + nr);
	}
	return cell;
}

void hl_csv_split(struct hl_line line, char separator, struct hl_csv_row *ret_row)
{
	bool is_quoted = false;
	char *out;

	if (separator == '|')
		line = strip_bars(line);
	ret_row->buffer = out = hl_alloc(line.len + 1);
	ret_row->cells[0] = out;
	ret_row->nr = 1;
	for (unsigned i = 0; i < line.len; i++) {
		char c = line.start[i];

		if (c == '"' && is_quoted && i + 1 < line.len && line.start[i + 1] == '"') {
			*out++ = line.start[i++];
		} else if (c == '"') {
			is_quoted = !is_quoted;
		} else if (c == separator && !is_quoted && ret_row->nr < HL_CSV_MAX) {
			*out++ = '\0';
			ret_row->cells[ret_row->nr++] = out;
		} else {
			*out++ = c ? c : ' ';
		}
	}
	*out = '\0';
	for (size_t i = 0; i < ret_row->nr; i++) {
		ret_row->cells[i] = trim(ret_row->cells[i]);
		if (separator == '|')
			ret_row->cells[i] = drop_marks(ret_row->cells[i]);
	}
}

void hl_csv_row_free(struct hl_csv_row *row)
{
	free(row->buffer);
	row->buffer = NULL;
	row->nr = 0;
}

/* ---- figures ---- */

int hl_csv_unit_parse(const char *text, struct hl_csv_unit *ret_unit)
{
	static const char *const counts[] = { "IOPS",   "IO/s",  "I/Os",   "io/sec",
					      "K IOPS", "KIOPS", "M IOPS", "MIOPS" };
	char one[FIGURE_MAX];
	double factor = NAN;
	int len = snprintf(one, sizeof(one), "1 %s", text);

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		if (strcasecmp(text, counts[i]) != 0)
			continue;
		*ret_unit = (struct hl_csv_unit){ HL_CSV_COUNT, *counts[i] == 'K'   ? 1e3
								: *counts[i] == 'M' ? 1e6
										    : 1 };
		return 0;
	}
	if (len >= (int)sizeof(one) || hl_unit_read_rate(one, (size_t)len, 1000, &factor))
		return -EINVAL;
	*ret_unit = (struct hl_csv_unit){ HL_CSV_RATE, factor };
	return 0;
}

bool hl_csv_is_nothing(const char *cell)
{
	static const char *const words[] = {
		"", "-", "--", "\u2013", "\u2014", "?", "n/a", "na", "none", "nan",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!strcasecmp(cell, words[i]))
			return true;
	}
	return false;
}

static bool is_thousands(const char *mark)
{
	return isdigit((unsigned char)mark[1]) && isdigit((unsigned char)mark[2]) &&
	       isdigit((unsigned char)mark[3]) && !isdigit((unsigned char)mark[4]);
}

/* Length of the mark between thousands that in begins with: "12'000", "12 000", "12,000"; 0. */
static size_t thousands_len(const char *in, bool has_comma)
{
	static const char *const marks[] = { "'", " ", "_", "\u2019", "\u202f", "\u2009" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		size_t nr = strlen(marks[i]);

		if (!strncmp(in, marks[i], nr) && is_thousands(in + nr - 1))
			return nr;
	}
	return *in == (has_comma ? '.' : ',') && is_thousands(in);
}

/* Takes thousands' separators away and makes a comma a point. */
static void clean_number(char *text, bool has_comma)
{
	char *out = text;

	for (const char *in = text; *in; in++) {
		bool is_behind = in > text && isdigit((unsigned char)in[-1]);
		size_t skip = is_behind ? thousands_len(in, has_comma) : 0;

		if (skip) {
			in += skip - 1;
			continue;
		}
		*out++ = *in == ',' && is_behind && isdigit((unsigned char)in[1]) ? '.' : *in;
	}
	*out = '\0';
}

enum hl_csv_point hl_csv_point(const char *cell)
{
	enum hl_csv_point point = HL_CSV_POINT_UNKNOWN;

	for (const char *at = cell; *at; at++) {
		bool is_mark = (*at == '.' || *at == ',') && at > cell &&
			       isdigit((unsigned char)at[-1]) && isdigit((unsigned char)at[1]);

		if (is_mark && !is_thousands(at))
			point = *at == ',' ? HL_CSV_POINT_COMMA : HL_CSV_POINT_DOT;
	}
	return point;
}

/* What people write around a figure: "~1300", "ca. 1300", "1180 (+15 %)", "600 \u00b1 20". */
static char *cut_remarks(char *figure)
{
	static const char *const fronts[] = { "~", "\u2248", "ca.", "about " };
	static const char *const backs[] = { "(", "\u00b1", "+/-" };

	for (size_t i = 0; i < sizeof(fronts) / sizeof(*fronts); i++) {
		if (!strncasecmp(figure, fronts[i], strlen(fronts[i])))
			figure += strlen(fronts[i]);
	}
	for (size_t i = 0; i < sizeof(backs) / sizeof(*backs); i++) {
		char *back = strstr(figure, backs[i]);

		if (back && back > figure)
			*back = '\0';
	}
	return trim(figure);
}

/* Cuts "IOPS" or "IO/s" off; true if it was there. */
static bool cut_count_unit(char *text)
{
	static const char *const units[] = { "iops", "io/s" };
	size_t len = strlen(text);

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t nr = strlen(units[i]);

		if (len <= nr || strcasecmp(text + len - nr, units[i]) != 0)
			continue;
		text[len - nr] = '\0';
		trim(text);
		return true;
	}
	return false;
}

static int read_bare(const char *text, bool is_count, const struct hl_csv_unit *unit,
		     struct hl_csv_figure *ret_figure)
{
	size_t len = strlen(text);
	bool has_prefix = len && isalpha((unsigned char)text[len - 1]);
	double value = NAN;

	if (hl_unit_read_count(text, len, &value))
		return -EINVAL;
	if (is_count || (has_prefix && unit->kind != HL_CSV_RATE))
		*ret_figure = (struct hl_csv_figure){ HL_CSV_COUNT, value };
	else if (has_prefix || unit->kind == HL_CSV_UNKNOWN)
		return -EINVAL;
	else
		*ret_figure = (struct hl_csv_figure){ unit->kind, value * unit->factor };
	return 0;
}

static int read_figure(const char *text, size_t len, const struct hl_csv_unit *unit, bool has_comma,
		       struct hl_csv_figure *ret_figure)
{
	char copy[FIGURE_MAX], *figure = copy;
	double rate = NAN;
	bool is_count;
	int rc = 0;

	if (len >= sizeof(copy))
		return -EINVAL;
	snprintf(copy, sizeof(copy), "%.*s", (int)len, text);
	figure = cut_remarks(trim(figure));
	clean_number(figure, has_comma);
	is_count = cut_count_unit(figure);
	if (!is_count && !hl_unit_read_rate(figure, strlen(figure), 1000, &rate))
		*ret_figure = (struct hl_csv_figure){ HL_CSV_RATE, rate };
	else
		rc = read_bare(figure, is_count, unit, ret_figure);
	return rc || ret_figure->value > 0 ? rc : -EINVAL;
}

int hl_csv_figures(const char *cell, const struct hl_csv_unit *unit, bool has_comma,
		   struct hl_csv_figure *ret_figures, size_t *ret_nr)
{
	size_t len = strlen(cell);

	if (!read_figure(cell, len, unit, has_comma, &ret_figures[0])) {
		*ret_nr = 1;
		return 0;
	}
	for (const char *slash = cell; (slash = strchr(slash, '/')); slash++) {
		if (read_figure(cell, (size_t)(slash - cell), unit, has_comma, &ret_figures[0]) ||
		    read_figure(slash + 1, strlen(slash + 1), unit, has_comma, &ret_figures[1]))
			continue;
		*ret_nr = 2;
		return 0;
	}
	return -EINVAL;
}
