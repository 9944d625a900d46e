/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Foreign text made harmless: see hoploss/escape.h.
 *
 * The text is cut into pieces, one a character, each already escaped and with its width. Widths do
 * not ask the locale, so that the same graph gives the same bytes everywhere; a combining mark
 * counts as a column, so that a pile of them is cut as well.
 */
#include "hoploss/escape.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct piece {
	char bytes[16];
	size_t columns;
};

struct range {
	uint32_t first, last;
};

static const struct range hidden[] = {
	{ 0x00, 0x1f },       { 0x7f, 0x9f },     /* control characters */
	{ 0xad, 0xad },       { 0x61c, 0x61c },   /* soft hyphen, Arabic letter mark */
	{ 0x180e, 0x180e },   { 0x200b, 0x200f }, /* zero width, direction marks */
	{ 0x2028, 0x202e },   { 0x2060, 0x206f }, /* line separators, embeddings, isolates */
	{ 0xd800, 0xdfff },   { 0xfeff, 0xfeff }, /* surrogates, byte order mark */
	{ 0xfff9, 0xfffb },   { 0xfffe, 0xffff }, /* annotations, no characters */
	{ 0xe0000, 0xe0fff },                     /* tags */
};

static const struct range wide[] = {
	{ 0x1100, 0x115f },   { 0x2e80, 0x303e },   { 0x3041, 0xa4cf }, { 0xac00, 0xd7a3 },
	{ 0xf900, 0xfaff },   { 0xfe30, 0xfe6f },   { 0xff00, 0xff60 }, { 0xffe0, 0xffe6 },
	{ 0x1f300, 0x1faff }, { 0x20000, 0x3fffd },
};

#define IS_IN(ranges, code) is_in(ranges, sizeof(ranges) / sizeof((ranges)[0]), code)

static bool is_in(const struct range *ranges, size_t nr, uint32_t code)
{
	for (size_t i = 0; i < nr; i++) {
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	}
	return false;
}

/* Length of the UTF-8 character at text and its code point; 0 when it is none (RFC 3629). */
static size_t decode(const unsigned char *text, size_t len, uint32_t *ret_code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t size = text[0] < 0x80   ? 1
		      : text[0] < 0xc2 ? 0
		      : text[0] < 0xe0 ? 2
		      : text[0] < 0xf0 ? 3
		      : text[0] < 0xf5 ? 4
				       : 0;
	uint32_t code = size == 1 ? text[0] : text[0] & (0x7fu >> size);

	if (!size || size > len)
		return 0;
	for (size_t i = 1; i < size; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	if (code < least[size] || code > 0x10ffff)
		return 0;
	*ret_code = code;
	return size;
}

static const char *xml_entity(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	}
	return NULL;
}

/* Underscores within a word ("bw_128k") and a lone colon are harmless and common: left readable. */
static bool is_md_special(const char *at, const char *start, const char *end)
{
	bool is_after_word = at > start && isalnum((unsigned char)at[-1]);
	bool is_before_word = at + 1 < end && isalnum((unsigned char)at[1]);

	switch (*at) {
	case '_':
		return !is_after_word || !is_before_word;
	case ':':
		return at + 1 < end && at[1] == '/';
	case '#':
	case '+':
	case '-':
		return at == start;
	}
	return strchr("\\`*[]|~", *at);
}

static void put_ascii(struct piece *piece, const char *at, const char *start, const char *end,
		      enum hl_escape how)
{
	const char *entity = NULL;
	bool has_backslash = how == HL_ESCAPE_MD && is_md_special(at, start, end);

	if (how == HL_ESCAPE_XML || (how == HL_ESCAPE_MD && strchr("<>&", *at)))
		entity = xml_entity(*at);
	if (entity)
		snprintf(piece->bytes, sizeof(piece->bytes), "%s", entity);
	else
		snprintf(piece->bytes, sizeof(piece->bytes), "%s%c", has_backslash ? "\\" : "",
			 *at);
	piece->columns = 1;
}

/* A backslash before a letter is no escape in Markdown, so all formats show the same. */
static void put_code(struct piece *piece, uint32_t code)
{
	const char *format = code > 0xffff ? "\\U%08x" : code > 0xff ? "\\u%04x" : "\\x%02x";

	piece->columns = snprintf(piece->bytes, sizeof(piece->bytes), format, (unsigned)code);
}

/* The character at "at" as one piece; returns the bytes eaten. */
static size_t next_piece(struct piece *piece, const char *at, const char *start, const char *end,
			 enum hl_escape how)
{
	uint32_t code = 0;
	size_t size = decode((const unsigned char *)at, end - at, &code);

	if (!size) {
		put_code(piece, (unsigned char)*at);
		return 1;
	}
	if (IS_IN(hidden, code) || (code >= 0x80 && how == HL_ESCAPE_ASCII)) {
		put_code(piece, code);
	} else if (code < 0x80) {
		put_ascii(piece, at, start, end, how);
	} else {
		memcpy(piece->bytes, at, size);
		piece->bytes[size] = '\0';
		piece->columns = IS_IN(wide, code) ? 2 : 1;
	}
	return size;
}

size_t hl_escape_columns_part(const char *text, size_t len, enum hl_escape how)
{
	const char *end = text + len;
	size_t columns = 0;

	for (const char *at = text; at < end;) {
		struct piece piece;

		at += next_piece(&piece, at, text, end, how);
		columns += piece.columns;
	}
	return columns;
}

size_t hl_escape_columns(const char *text, enum hl_escape how)
{
	return text ? hl_escape_columns_part(text, strlen(text), how) : 0;
}

size_t hl_escape_fit(const char *text, size_t len, enum hl_escape how, size_t max)
{
	const char *end = text + len;
	const char *at = text;

	for (size_t columns = 0; at < end;) {
		struct piece piece;
		size_t size = next_piece(&piece, at, text, end, how);

		columns += piece.columns;
		if (columns > max)
			break;
		at += size;
	}
	return at - text;
}

size_t hl_escape_put_part(FILE *out, const char *text, size_t len, enum hl_escape how, size_t max)
{
	const char *ellipsis = how == HL_ESCAPE_ASCII ? "~" : "…";
	const char *end = text + len;
	bool is_cut = max && hl_escape_columns_part(text, len, how) > max;
	size_t columns = 0;

	for (const char *at = text; at < end;) {
		struct piece piece;

		at += next_piece(&piece, at, text, end, how);
		if (is_cut && columns + piece.columns > max - 1) {
			fputs(ellipsis, out);
			return columns + 1;
		}
		fputs(piece.bytes, out);
		columns += piece.columns;
	}
	return columns;
}

size_t hl_escape_put(FILE *out, const char *text, enum hl_escape how, size_t max)
{
	return text ? hl_escape_put_part(out, text, strlen(text), how, max) : 0;
}
