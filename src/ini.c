/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading INI strictly, over inih (https://github.com/benhoyt/inih, 0r55 in Debian 12).
 *
 * Surprising: inih cuts section names and lines that are too long without a word, takes an indented
 * line for the continuation of the one before and " ;" for a comment, and gives no line numbers.
 * So it is fed by line_next, which hands over one line at a time, counts, strips the indentation
 * and refuses what would be cut.
 */
#include "hoploss/ini.h"
#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <string.h>

#define LONGEST_LINE 4000 /* a pool of many drives, each by its long name */
#define LONGEST_NAME 48   /* MAX_SECTION and MAX_NAME of inih, less "\0" */

struct reader {
	const char *name;
	const char *at, *end;
	unsigned line;
	int status; /* -errno of the first error */
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
	if (has_control(line, len))
		refuse(reader, EBADMSG, "a control character");
	else if (len > LONGEST_LINE || len + 2 > (size_t)size)
		refuse(reader, EBADMSG, "the line is too long (at most 4000 bytes)");
	else if (len && *line == '[' && len > LONGEST_NAME)
		refuse(reader, EBADMSG, "the name of the section is too long");
	if (reader->status)
		return NULL;
	memcpy(text, line, len);
	memcpy(text + len, "\n", 2);
	return text;
}

static int item_found(void *user, const char *section, const char *key, const char *value)
{
	struct reader *reader = user;
	const struct hl_ini_item item = { section, key, value, reader->line };
	struct hl_error why = { 0 };
	int status;

	if (reader->status)
		return 0;
	if (!*key || strlen(key) >= LONGEST_NAME)
		return refuse(reader, EBADMSG, "the key is missing or too long");
	status = reader->take(reader->to, &item, &why);
	if (status)
		return refuse(reader, -status, why.text);
	return 1;
}

int hl_ini_read(const char *name, const char *bytes, size_t len,
		int (*take)(void *to, const struct hl_ini_item *item, struct hl_error *err),
		void *to, struct hl_error *err)
{
	struct reader reader = {
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
