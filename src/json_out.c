/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing JSON as a stream: see hoploss/json.h. The writer owns commas, nesting and escaping
 * (RFC 8259), so that no caller can get them wrong.
 */
#include "hoploss/alloc.h"
#include "hoploss/json.h"
#include "hoploss/text.h"
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 32

/* Integers up to 2^53 are exact in a double. */
#define EXACT_MAX 9007199254740992.0

struct hl_json_out {
	FILE *file;
	bool is_one_line;
	size_t depth;
	struct {
		char close;
		bool has_items;
	} levels[MAX_DEPTH];
};

struct hl_json_out *hl_json_out_new(FILE *file)
{
	struct hl_json_out *out = hl_alloc(sizeof(*out));

	out->file = file;
	return out;
}

struct hl_json_out *hl_json_out_new_line(FILE *file)
{
	struct hl_json_out *out = hl_json_out_new(file);

	out->is_one_line = true;
	return out;
}

int hl_json_out_free(struct hl_json_out *out)
{
	int r = ferror(out->file) ? -EIO : 0;

	assert(out->depth == 0);
	free(out);
	return r;
}

static void put_text(struct hl_json_out *out, const char *text)
{
	fputs(text, out->file);
}

static void put_char(struct hl_json_out *out, char c)
{
	putc_unlocked(c, out->file);
}

static void new_line(struct hl_json_out *out)
{
	if (out->is_one_line)
		return;
	put_char(out, '\n');
	for (size_t i = 0; i < out->depth; i++)
		put_char(out, '\t');
}

/* A character that JSON wants escaped. */
static void put_escaped(struct hl_json_out *out, char c)
{
	static const char from[] = "\"\\\n\t\r\b\f";
	static const char to[] = "\"\\ntrbf";
	const char *found = c ? strchr(from, c) : NULL;

	if (found)
		fprintf(out->file, "\\%c", to[found - from]);
	else
		fprintf(out->file, "\\u%04x", (unsigned char)c);
}

static bool is_plain(char c)
{
	return (unsigned char)c >= 0x20 && c != '"' && c != '\\';
}

static void put_quoted(struct hl_json_out *out, const char *text)
{
	size_t left = strlen(text);

	put_char(out, '"');
	while (left) {
		size_t len = hl_text_utf8(text, left);

		if (!len)
			put_text(out, "\ufffd");
		else if (is_plain(*text))
			fwrite_unlocked(text, 1, len, out->file);
		else
			put_escaped(out, *text);
		text += len ? len : 1;
		left -= len ? len : 1;
	}
	put_char(out, '"');
}

/* What stands before a value: comma, line break, key. */
static void begin_value(struct hl_json_out *out, const char *key)
{
	size_t inner = out->depth - 1;

	if (!out->depth) {
		assert(!key);
		return;
	}
	assert((out->levels[inner].close == '}') == (key != NULL));
	if (out->levels[inner].has_items)
		put_char(out, ',');
	out->levels[inner].has_items = true;
	new_line(out);
	if (!key)
		return;
	put_quoted(out, key);
	put_text(out, out->is_one_line ? ":" : ": ");
}

static void open_level(struct hl_json_out *out, const char *key, char open, char close)
{
	assert(out->depth < MAX_DEPTH);
	begin_value(out, key);
	put_char(out, open);
	out->levels[out->depth].close = close;
	out->levels[out->depth].has_items = false;
	out->depth++;
}

void hl_json_object(struct hl_json_out *out, const char *key)
{
	open_level(out, key, '{', '}');
}

void hl_json_array(struct hl_json_out *out, const char *key)
{
	open_level(out, key, '[', ']');
}

void hl_json_close(struct hl_json_out *out)
{
	assert(out->depth > 0);
	out->depth--;
	if (out->levels[out->depth].has_items)
		new_line(out);
	put_char(out, out->levels[out->depth].close);
	if (!out->depth && !out->is_one_line)
		put_char(out, '\n');
}

void hl_json_put_string(struct hl_json_out *out, const char *key, const char *value)
{
	if (!value)
		return;
	begin_value(out, key);
	put_quoted(out, value);
}

void hl_json_put_number(struct hl_json_out *out, const char *key, double value)
{
	char text[32];

	if (!isfinite(value))
		return;
	begin_value(out, key);
	if (value == floor(value) && fabs(value) <= EXACT_MAX) {
		fprintf(out->file, "%.0f", value + 0.0); /* + 0.0: no "-0" */
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	put_text(out, text);
}

void hl_json_put_boolean(struct hl_json_out *out, const char *key, bool value)
{
	begin_value(out, key);
	put_text(out, value ? "true" : "false");
}
