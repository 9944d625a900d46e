/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading INI strictly, over inih (https://github.com/benhoyt/inih, 0r55 in Debian 12).
 *
 * Surprising: inih cuts section names and lines that are too long without a word, takes an indented
 * line for the continuation of the one before and " ;" for a comment, and gives no line numbers.
 * So it is fed by line_next, which hands over one line at a time, counts, strips the indentation
 * and refuses what would be cut. Nor does it know keys without a value, or say where a section
 * begins: line_next gives it "key=" for the former and calls take itself for the latter.
 */
#include "hoploss/ini.h"
#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <string.h>

#define LONGEST_LINE 4000 /* a pool of many drives, each by its long name */
#define LONGEST_NAME 48   /* MAX_SECTION and MAX_NAME of inih, less "\0" */

struct reader {
	enum hl_ini_kind kind;
	const char *name;
	const char *at, *end;
	unsigned line;
	bool is_alone; /* the key on this line has no value */
	int status;    /* -errno of the first error */
	int (*take)(void *to, const struct hl_ini_item *item, struct hl_error *err);
	void *to;
	struct hl_error *err;
};

/* Keeps the first error; returns 0, which is "failed" to inih. */
static int refuse(struct reader *reader, int code, const char *what)
{
	if (!reader->status)
		reader->status = hl_fail(reader->err, code, "%s:%u: %s", reader->name, reader->line,
					 what);
	return 0;
}

static bool has_control(const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)line[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return true;
	}
	return false;
}

static int take_item(struct reader *reader, const struct hl_ini_item *item)
{
	struct hl_error why = { 0 };
	int status = reader->take(reader->to, item, &why);

	if (status)
		return refuse(reader, -status, why.text);
	return 1;
}

/* "[name]" at the start of a line: whoever wants to know is told. */
static void section_found(struct reader *reader, const char *line, size_t len)
{
	const char *end = memchr(line, ']', len);
	struct hl_ini_item item = { .line = reader->line };
	char name[LONGEST_NAME];

	if (reader->kind == HL_INI_PLAIN || !end)
		return;
	memcpy(name, line + 1, (size_t)(end - line) - 1);
	name[end - line - 1] = '\0';
	item.section = name;
	take_item(reader, &item);
}

static size_t without_comment(const char *line, size_t len)
{
	size_t n = 0;

	while (n < len && line[n] != '#' && line[n] != ';')
		n++;
	while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t'))
		n--;
	return n;
}

static void check_line(struct reader *reader, const char *line, size_t len, size_t size)
{
	if (has_control(line, len))
		refuse(reader, EBADMSG, "a control character");
	else if (len > LONGEST_LINE || len + 3 > size)
		refuse(reader, EBADMSG, "the line is too long (at most 4000 bytes)");
	else if (len && *line == '[' && len > LONGEST_NAME)
		refuse(reader, EBADMSG, "the name of the section is too long");
	else if (len && *line == '[')
		section_found(reader, line, len);
}

/* The next line into text: an fgets for ini_parse_stream. Ends early once something is wrong. */
static char *line_next(char *text, int size, void *stream)
{
	struct reader *reader = stream;
	const char *newline, *line = reader->at;
	size_t len;

	if (reader->status || line == reader->end)
		return NULL;
	newline = memchr(line, '\n', (size_t)(reader->end - line));
	len = (size_t)((newline ? newline : reader->end) - line);
	reader->at = newline ? newline + 1 : reader->end;
	reader->line++;
	if (len > 0 && line[len - 1] == '\r')
		len--;
	while (len > 0 && (*line == ' ' || *line == '\t')) {
		line++;
		len--;
	}
	if (reader->kind == HL_INI_JOBS)
		len = without_comment(line, len);
	check_line(reader, line, len, (size_t)size);
	if (reader->status)
		return NULL;
	memcpy(text, line, len);
	reader->is_alone = reader->kind == HL_INI_JOBS && len && *line != '[' &&
			   !memchr(line, '=', len) && !memchr(line, ':', len);
	if (reader->is_alone)
		text[len++] = '=';
	memcpy(text + len, "\n", 2);
	return text;
}

static int item_found(void *user, const char *section, const char *key, const char *value)
{
	struct reader *reader = user;
	const struct hl_ini_item item = { section, key, reader->is_alone ? NULL : value,
					  reader->line };

	if (reader->status)
		return 0;
	if (!*key || strlen(key) >= LONGEST_NAME)
		return refuse(reader, EBADMSG, "the key is missing or too long");
	return take_item(reader, &item);
}

int hl_ini_read_as(enum hl_ini_kind kind, const char *name, const char *bytes, size_t len,
		   int (*take)(void *to, const struct hl_ini_item *item, struct hl_error *err),
		   void *to, struct hl_error *err)
{
	struct reader reader = {
		.kind = kind,
		.name = name,
		.at = bytes,
		.end = bytes + len,
		.take = take,
		.to = to,
		.err = err,
	};
	int line;

	ini_use_stack = false; /* else it takes 200 bytes */
	ini_max_line = LONGEST_LINE + 4;
	ini_initial_alloc = LONGEST_LINE + 4;
	ini_allow_inline_comments = false;
	ini_allow_multiline = false;
	ini_stop_on_first_error = true;
	line = ini_parse_stream(line_next, &reader, item_found, &reader);
	if (reader.status)
		return reader.status;
	if (line)
		return hl_fail(err, EBADMSG, "%s:%d: not a \"[section]\" or a \"key = value\"",
			       name, line);
	return 0;
}

int hl_ini_read(const char *name, const char *bytes, size_t len,
		int (*take)(void *to, const struct hl_ini_item *item, struct hl_error *err),
		void *to, struct hl_error *err)
{
	return hl_ini_read_as(HL_INI_PLAIN, name, bytes, len, take, to, err);
}
