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

#define MIN_LINES 3 /* with "=3D" */

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

bool hl_qp_is_in(const char *text, size_t len)
{
	const char *end = text + len;
	unsigned nr_lines = 0;

	while (nr_lines < MIN_LINES && (text = memmem(text, (size_t)(end - text), "=3D", 3))) {
		nr_lines++;
		text = memchr(text, '\n', (size_t)(end - text));
		if (!text)
			break;
	}
	return nr_lines == MIN_LINES;
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
