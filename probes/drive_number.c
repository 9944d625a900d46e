/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and temperatures as nvme-cli and smartctl print them: see drive.h.
 *
 * Surprising: both group digits as the locale of who ran them says, so the separator is anything
 * from a comma to U+202F, or what a wrong character set made of that. Counters have 128 bits.
 */
#include "drive.h"
#include "hoploss/number.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

#define MAX_DIGITS 64
#define MAX_ENTITY 10
#define KELVIN     273
#define MIN_KELVIN 200 /* without a unit: no drive is so hot in C, nor so cold in K */
#define MIN_C      (-60)
#define MAX_C      180

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t count_digits(const char *text, size_t len)
{
	size_t nr = 0;

	while (nr < len && is_digit(text[nr]))
		nr++;
	return nr;
}

static size_t entity_length(const char *text, size_t len)
{
	const char *end = memchr(text, ';', len < MAX_ENTITY ? len : MAX_ENTITY);

	return end ? (size_t)(end - text) + 1 : 0;
}

/* Bytes of what may stand between groups of digits; 0 = it does not. */
static size_t separator_length(const char *text, size_t len)
{
	size_t nr = hl_text_utf8(text, len);

	if (nr == 1 && text[0] == '&') /* "&nbsp;", "&#39;": a web page's */
		return entity_length(text, len);
	if (nr > 1)
		return nr;
	if (!nr) /* a byte of an older character set */
		return len ? 1 : 0;
	return strchr(",.' ?_", text[0]) && text[0] ? 1 : 0;
}

/* Whether a group of thousands starts here: three digits, or two (Indian) with another behind. */
static bool is_group(const char *text, size_t len)
{
	size_t nr = count_digits(text, len);
	size_t gap = nr < len ? separator_length(text + nr, len - nr) : 0;

	if (nr == 3)
		return true;
	return nr == 2 && gap && count_digits(text + nr + gap, len - nr - gap) >= 2 &&
	       is_group(text + nr + gap, len - nr - gap);
}

/* The digits of the number at the start of text, without separators. */
static size_t take_digits(const char *text, size_t len, char digits[MAX_DIGITS])
{
	size_t at = 0, nr = 0;

	while (at < len && nr < MAX_DIGITS) {
		size_t gap;

		if (is_digit(text[at])) {
			digits[nr++] = text[at++];
			continue;
		}
		gap = nr ? separator_length(text + at, len - at) : 0;
		if (!gap || !is_group(text + at + gap, len - at - gap))
			break;
		at += gap;
	}
	return nr;
}

double hl_drive_number(const char *text, size_t len)
{
	char digits[MAX_DIGITS];
	uint64_t hex;
	double value;
	size_t nr;

	/* smartctl marks what it could not print exactly by a tilde */
	while (len && (isspace((unsigned char)*text) || *text == '~')) {
		text++;
		len--;
	}
	if (len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		for (nr = 2; nr < len && isxdigit((unsigned char)text[nr]); nr++)
			;
		return hl_number_hex(text, nr, &hex) == 0 ? (double)hex : NAN;
	}
	nr = take_digits(text, len, digits);
	return nr && hl_number_double(digits, nr, &value) == 0 ? value : NAN;
}

/* ---- temperatures ---- */

/* Kelvin in brackets behind the locale's unit: "34 °C (307 K, 93 °F)". */
static double find_kelvin(const char *text, size_t len)
{
	const char *bracket = memchr(text, '(', len);
	size_t at, nr;

	if (!bracket)
		return NAN;
	at = (size_t)(bracket - text) + 1;
	nr = count_digits(text + at, len - at);
	while (at + nr < len && text[at + nr] == ' ')
		nr++;
	if (at + nr == len || text[at + nr] != 'K')
		return NAN;
	return hl_drive_number(text + at, len - at);
}

static char unit_of(const char *text, size_t len)
{
	for (size_t i = 0; i < len && i < 16; i++) {
		if (strchr("CFK", text[i]) && text[i])
			return text[i];
	}
	return '\0';
}

static double to_celsius(double value, char unit)
{
	if (unit == 'F')
		return round((value - 32) * 5 / 9);
	if (unit == 'K' || (!unit && fabs(value) >= MIN_KELVIN))
		return value - KELVIN;
	return value;
}

double hl_drive_celsius(const char *text, size_t len)
{
	double kelvin = find_kelvin(text, len), value;
	size_t start = 0, nr;

	if (kelvin > 0)
		return to_celsius(kelvin, 'K');
	while (start < len && (text[start] == ' ' || text[start] == '\t'))
		start++;
	nr = start + (start < len && text[start] == '-');
	nr += count_digits(text + nr, len - nr);
	if (nr + 1 < len && text[nr] == '.' && is_digit(text[nr + 1]))
		nr += 1 + count_digits(text + nr + 1, len - nr - 1);
	if (hl_number_double(text + start, nr - start, &value) < 0)
		return NAN;
	if (!value && !unit_of(text + nr, len - nr)) /* of a controller that cannot tell */
		return NAN;
	value = to_celsius(value, unit_of(text + nr, len - nr));
	return value >= MIN_C && value <= MAX_C ? value : NAN;
}
