/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scanner for JSON (RFC 8259) that forgives what real outputs do wrong. It finds the end of a
 * value, and on demand writes a mended copy of it, with the same line numbers, for the parser.
 *
 * The copy can be closed at any "safe" point: behind a complete member or element, or just behind
 * an opening bracket. A number is complete only once a comma or a bracket follows: a file cut
 * short inside 123456 reads 1234.
 *
 * Depth and lines of noise are limited, so that trying every line of a hostile file stays linear.
 */
#include "json_scan.h"
#include "hoploss/number.h"
#include <string.h>

#define MAX_NOISE 16

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

size_t hl_json_skip_blanks(const char *bytes, size_t len, size_t at)
{
	while (at < len && is_blank(bytes[at]))
		at++;
	return at;
}

static void put(struct hl_json_scan *scan, const char *bytes, size_t len)
{
	if (scan->out)
		memcpy(scan->out + scan->nr_out, bytes, len);
	scan->nr_out += len;
}

static void put_comma(struct hl_json_scan *scan)
{
	if (scan->has_comma)
		put(scan, ",", 1);
	scan->has_comma = false;
}

size_t hl_json_string_length(const char *bytes, size_t len)
{
	bool is_wrapped = false; /* by a mailer, once */

	for (size_t i = 1; i < len; i++) {
		if (bytes[i] == '"')
			return i + 1;
		if (bytes[i] == '\n' && is_wrapped)
			return 0;
		is_wrapped = is_wrapped || bytes[i] == '\n';
		/* a lone one, as in a Windows path, stands for itself */
		if (bytes[i] == '\\' && i + 1 < len &&
		    (bytes[i + 1] == '"' || bytes[i + 1] == '\\'))
			i++;
	}
	return 0;
}

static size_t word_length(const char *bytes, size_t len)
{
	size_t nr = 0;

	while (nr < len && bytes[nr] && !is_blank(bytes[nr]) && !strchr(",:{}[]\"", bytes[nr]))
		nr++;
	return nr;
}

static bool is_word(const char *word, size_t len, const char *const *words)
{
	for (; *words; words++) {
		if (strlen(*words) == len && !strncmp(word, *words, len))
			return true;
	}
	return false;
}

/* A number, a literal, or what tools print for a number that is none. */
static bool is_value(const char *word, size_t len)
{
	static const char *const words[] = { "true", "false", "null",     "nan",     "-nan", "NaN",
					     "inf",  "-inf",  "Infinity", "-1.#IND", NULL };
	double number = 0;

	return is_word(word, len, words) || !hl_number_double(word, len, &number);
}

static void end_value(struct hl_json_scan *scan, size_t len)
{
	scan->at += len;
	scan->good = scan->at;
	scan->expect = scan->depth ? EXPECT_COMMA : EXPECT_NOTHING;
}

static bool take_open(struct hl_json_scan *scan)
{
	char c = scan->bytes[scan->at];

	if (scan->depth == HL_JSON_DEPTH)
		return false;
	put_comma(scan);
	put(scan, &c, 1);
	scan->safe = scan->nr_out;
	scan->open[scan->depth++] = c;
	scan->good = ++scan->at;
	scan->expect = c == '{' ? EXPECT_KEY : EXPECT_ITEM;
	return true;
}

static bool take_close(struct hl_json_scan *scan)
{
	char c = scan->bytes[scan->at];

	if (!scan->depth || scan->open[scan->depth - 1] != (c == '}' ? '{' : '['))
		return false;
	if (scan->expect == EXPECT_VALUE || scan->expect == EXPECT_COLON)
		return false;
	scan->has_comma = false;
	scan->depth--;
	put(scan, &c, 1);
	scan->safe = scan->nr_out;
	end_value(scan, 1);
	return true;
}

static bool take_string(struct hl_json_scan *scan)
{
	const char *bytes = scan->bytes + scan->at;
	size_t len = hl_json_string_length(bytes, scan->len - scan->at);
	bool is_key = scan->expect == EXPECT_KEY;

	if (!len || scan->expect == EXPECT_COLON || scan->expect == EXPECT_COMMA)
		return false;
	put_comma(scan);
	put(scan, bytes, len);
	if (!is_key)
		scan->safe = scan->nr_out;
	end_value(scan, len);
	if (is_key)
		scan->expect = EXPECT_COLON;
	return true;
}

static bool take_word(struct hl_json_scan *scan)
{
	const char *word = scan->bytes + scan->at;
	size_t len = word_length(word, scan->len - scan->at);

	if (scan->expect != EXPECT_VALUE && scan->expect != EXPECT_ITEM)
		return false;
	if (!is_value(word, len))
		return false;
	put_comma(scan);
	put(scan, word, len);
	end_value(scan, len);
	return true;
}

static bool take_mark(struct hl_json_scan *scan)
{
	char c = scan->bytes[scan->at];

	if (scan->expect != (c == ':' ? EXPECT_COLON : EXPECT_COMMA))
		return false;
	if (c == ':') {
		put(scan, ":", 1);
		scan->expect = EXPECT_VALUE;
	} else {
		scan->safe = scan->nr_out;
		scan->has_comma = true;
		scan->expect = scan->open[scan->depth - 1] == '{' ? EXPECT_KEY : EXPECT_ITEM;
	}
	scan->good = ++scan->at;
	return true;
}

static bool take_token(struct hl_json_scan *scan)
{
	switch (scan->bytes[scan->at]) {
	case '{':
	case '[':
		return (scan->expect == EXPECT_VALUE || scan->expect == EXPECT_ITEM) &&
		       take_open(scan);
	case '}':
	case ']':
		return take_close(scan);
	case '"':
		return take_string(scan);
	case ':':
	case ',':
		return take_mark(scan);
	default:
		return take_word(scan);
	}
}

/* A line that cannot be part of the value is taken for other output in between, and left out. */
static bool skip_noise(struct hl_json_scan *scan, bool is_line_start)
{
	const char *end = memchr(scan->bytes + scan->at, '\n', scan->len - scan->at);

	if (!is_line_start || scan->nr_noise++ == MAX_NOISE || scan->good == 0)
		return false;
	scan->at = end ? (size_t)(end - scan->bytes) : scan->len;
	return true;
}

enum hl_json_outcome hl_json_scan(struct hl_json_scan *scan)
{
	scan->expect = EXPECT_VALUE;
	while (scan->expect != EXPECT_NOTHING) {
		size_t next = hl_json_skip_blanks(scan->bytes, scan->len, scan->at);
		bool is_line_start = memchr(scan->bytes + scan->at, '\n', next - scan->at);

		put(scan, scan->bytes + scan->at, next - scan->at);
		scan->at = next;
		if (next == scan->len)
			return SCAN_CUT;
		if (!take_token(scan) && !skip_noise(scan, is_line_start))
			return SCAN_BROKEN;
	}
	return SCAN_DONE;
}
