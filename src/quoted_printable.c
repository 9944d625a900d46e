/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quoted-printable lines decoded: see hoploss/quoted_printable.h.
 *
 * A text may hold mails that are encoded beside plain parts and headers, so each line is judged
 * alone: in an encoded one every "=" is followed by two capital hex digits or ends the line.
 *
 * Surprising: "issued rwts: total=3D6224" reads well as a total of 3.
 */
#include "hoploss/quoted_printable.h"
#include <string.h>

#define MIN_LINES 3 /* that show it */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte that "=XX" stands for; -1 for none, and for one that no line holds. */
static int byte_at(const char *at, const char *end)
{
	int high = end - at > 2 ? hex_digit(at[1]) : -1;
	int low = high >= 0 ? hex_digit(at[2]) : -1;
	int byte = high * 16 + low;

	return low >= 0 && (byte >= ' ' || byte == '\t') ? byte : -1;
}

/* Blanks behind it are of the transport (RFC 2045, 6.7, rule 3). */
static size_t len_without_blanks(const char *line, size_t len)
{
	while (len && (line[len - 1] == ' ' || line[len - 1] == '\t'))
		len--;
	return len;
}

static bool is_encoded(const char *line, size_t len)
{
	const char *end = line + len;

	for (const char *at = line; (at = memchr(at, '=', (size_t)(end - at))); at++) {
		if (at + 1 < end && byte_at(at, end) < 0)
			return false;
	}
	return true;
}

/* A mailer breaks a line before it gets longer than 76 (RFC 2045, 6.7, rule 5). */
static bool is_broken(const char *line, size_t len)
{
	return len >= 60 && len <= 76 && line[len - 1] == '=';
}

/* Plain text has the first two, too, here and there. */
static bool is_telling(const char *line, size_t len)
{
	bool is_blank_last = len > 3 && !memcmp(line + len - 3, "=20", 3) &&
			     strchr(" \t", line[len - 4]);

	if (memmem(line, len, "=3D", 3) || (len > 3 && !memcmp(line, "=09", 3)))
		return true;
	return (is_blank_last || is_broken(line, len)) && is_encoded(line, len);
}

bool hl_qp_is_in(const char *text, size_t len)
{
	const char *end = text + len, *next;
	unsigned nr_lines = 0;

	for (; text < end && nr_lines < MIN_LINES; text = next) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t line_len = (size_t)((stop ? stop : end) - text);

		next = text + line_len + 1;
		line_len -= line_len && text[line_len - 1] == '\r';
		line_len = len_without_blanks(text, line_len);
		nr_lines += line_len && memchr(text, '=', line_len) && is_telling(text, line_len);
	}
	return nr_lines == MIN_LINES;
}

size_t hl_qp_decode(char *line, size_t len, bool *ret_goes_on)
{
	size_t encoded = len_without_blanks(line, len);
	size_t used = 0;

	*ret_goes_on = false;
	if (!is_encoded(line, encoded))
		return len;
	if (encoded && line[encoded - 1] == '=') {
		*ret_goes_on = true;
		len = encoded - 1;
	}
	for (size_t i = 0; i < len; i++) {
		bool is_byte = line[i] == '=';

		line[used++] = is_byte ? (char)byte_at(line + i, line + len) : line[i];
		i += is_byte ? 2 : 0;
	}
	return used;
}
