/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a log puts in front of lines: see hoploss/logged.h.
 *
 * Surprising: a time alone is not taken for it, since arcstat's rows begin with one; nor is "name
 * | ", since so do the rows of a table.
 */
#include "hoploss/logged.h"
#include <ctype.h>
#include <string.h>

#define MIN_LINES 4 /* of a block */

enum kind { NONE, DATE, SYSLOG, POD };

struct cursor {
	const char *at, *end;
};

/* Takes what looks like shape: '9' a digit, 'A' a letter, '_' a blank or digit, else itself. */
static int eat_shape(struct cursor *cursor, const char *shape)
{
	const char *at = cursor->at;

	for (; *shape; shape++, at++) {
		unsigned char c = at < cursor->end ? (unsigned char)*at : 0;
		int is_like = *shape == '9'   ? isdigit(c)
			      : *shape == 'A' ? isalpha(c)
			      : *shape == '_' ? c == ' ' || isdigit(c)
					      : c == (unsigned char)*shape;

		if (!is_like)
			return 0;
	}
	cursor->at = at;
	return 1;
}

/* Any number of those characters. */
static size_t eat_set(struct cursor *cursor, const char *set)
{
	const char *start = cursor->at;

	while (cursor->at < cursor->end && *cursor->at && strchr(set, *cursor->at))
		cursor->at++;
	return (size_t)(cursor->at - start);
}

/* Up to a blank. */
static size_t eat_word(struct cursor *cursor)
{
	const char *start = cursor->at;

	while (cursor->at < cursor->end && *cursor->at != ' ' && *cursor->at != '\t')
		cursor->at++;
	return (size_t)(cursor->at - start);
}

/* The one blank that separates; what follows is indentation. At the end it may be lost. */
static int eat_gap(struct cursor *cursor)
{
	if (cursor->at == cursor->end)
		return 1;
	return eat_shape(cursor, " ") || eat_shape(cursor, "\t");
}

/* "2024-05-01T10:00:00.123Z ", "[2024-05-01 10:00:00] " */
static int eat_date(struct cursor *cursor)
{
	int is_open = eat_shape(cursor, "[");

	if (!eat_shape(cursor, "9999-99-99") ||
	    (!eat_shape(cursor, "T") && !eat_shape(cursor, " ")) || !eat_shape(cursor, "99:99:99"))
		return 0;
	if (eat_shape(cursor, ".") || eat_shape(cursor, ",")) {
		if (!eat_set(cursor, "0123456789"))
			return 0;
	}
	if (!eat_shape(cursor, "Z") && !eat_shape(cursor, "+99:99") &&
	    !eat_shape(cursor, "-99:99") && !eat_shape(cursor, "+9999"))
		eat_shape(cursor, "-9999");
	return (!is_open || eat_shape(cursor, "]")) && eat_gap(cursor);
}

/* "May  1 10:00:00 host fio[22]: " */
static int eat_syslog(struct cursor *cursor)
{
	const char *program;
	size_t nr;

	if (!eat_shape(cursor, "AAA _9 99:99:99 ") || !eat_word(cursor) || !eat_shape(cursor, " "))
		return 0;
	program = cursor->at;
	nr = eat_word(cursor);
	if (nr < 2 || program[nr - 1] != ':' || !strncmp(program, "kernel", 6))
		return 0;
	return eat_gap(cursor);
}

/* "[pod/fio-x/fio] " */
static int eat_pod(struct cursor *cursor)
{
	return eat_shape(cursor, "[pod/") && eat_word(cursor) && cursor->at[-1] == ']' &&
	       eat_gap(cursor);
}

static enum kind kind_of(struct hl_line line, unsigned *ret_len)
{
	static int (*const eats[])(struct cursor * cursor) = {
		[DATE] = eat_date,
		[SYSLOG] = eat_syslog,
		[POD] = eat_pod,
	};

	for (int kind = DATE; kind <= POD; kind++) {
		struct cursor cursor = { line.start, line.start + line.len };

		eat_set(&cursor, " \t"); /* a page may have indented it all */
		if (!eats[kind](&cursor))
			continue;
		*ret_len = (unsigned)(cursor.at - line.start);
		return (enum kind)kind;
	}
	return NONE;
}

bool hl_logged_strip(struct hl_line *lines, size_t nr)
{
	bool is_changed = false;
	unsigned len = 0;

	for (size_t i = 0, end; i < nr; i = end) {
		enum kind kind = kind_of(lines[i], &len);

		end = i + 1;
		while (kind && end < nr && kind_of(lines[end], &len) == kind)
			end++;
		for (size_t k = i; end - i >= MIN_LINES && k < end; k++) {
			kind_of(lines[k], &len);
			lines[k].start += len;
			lines[k].len -= len;
			is_changed = true;
		}
	}
	return is_changed;
}
