/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers as fio prints them (lib/num2str.c), read as the range of values that print so.
 *
 * Surprising: before 2.20 num2str() wrote the remainder's digits behind the point, whatever the
 * base: 3999.98 KiB/s came out as "3999.2KB/s". Of such a number only the part before the point is
 * right. From then until 3.26 it rounded 83.98 to "83.0". A number without prefix was cut, not
 * rounded.
 */
#include "fio_text.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

const struct fio_range fio_range_unknown = { .low = NAN, .high = NAN };

bool fio_range_is_known(struct fio_range range)
{
	return !isnan(range.low);
}

double fio_range_middle(struct fio_range range)
{
	return (range.low + range.high) / 2;
}

static struct fio_range higher(struct fio_range range)
{
	return (struct fio_range){ .low = range.low + range.again,
				   .high = range.high + range.again };
}

static bool overlap(struct fio_range a, struct fio_range b)
{
	return a.low <= b.high && b.low <= a.high;
}

struct fio_range fio_range_narrow(struct fio_range range, struct fio_range other)
{
	const struct fio_range pairs[][2] = {
		{ range, other },
		{ higher(range), other },
		{ range, higher(other) },
		{ higher(range), higher(other) },
	};

	if (!fio_range_is_known(range))
		return other;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		const struct fio_range *pair = pairs[i];

		if (overlap(pair[0], pair[1]))
			return (struct fio_range){ .low = fmax(pair[0].low, pair[1].low),
						   .high = fmin(pair[0].high, pair[1].high) };
	}
	return range;
}

static bool holds(struct fio_range range, double value)
{
	return value >= range.low * (1 - 1e-5) && value <= range.high * (1 + 1e-5);
}

bool fio_range_has(struct fio_range range, double value)
{
	return holds(range, value) || (range.again > 0 && holds(higher(range), value));
}

bool fio_scan_word(const char **at, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*at, word, len))
		return false;
	*at += len;
	return true;
}

struct number {
	double value;
	double step; /* of its last digit */
};

static bool scan_number(const char **at, struct number *ret_number)
{
	const char *c = *at;
	uint64_t digits = 0;
	double scale = 1;
	int nr = 0;

	for (; isdigit((unsigned char)*c) && nr < 18; c++, nr++)
		digits = digits * 10 + (uint64_t)(*c - '0');
	if (!nr)
		return false;
	if (*c == '.' && isdigit((unsigned char)c[1])) {
		for (c++; isdigit((unsigned char)*c) && nr < 18; c++, nr++) {
			digits = digits * 10 + (uint64_t)(*c - '0');
			scale *= 10;
		}
	}
	if (isdigit((unsigned char)*c)) /* longer than any that fio prints */
		return false;
	*ret_number = (struct number){ (double)digits / scale, 1 / scale };
	*at = c;
	return true;
}

bool fio_scan_number(const char **at, double *ret_value)
{
	struct number number;

	if (!scan_number(at, &number))
		return false;
	*ret_value = number.value;
	return true;
}

bool fio_scan_unsigned(const char **at, unsigned *ret_value)
{
	const char *c = *at;
	uint64_t value = 0;

	for (; isdigit((unsigned char)*c) && value <= UINT32_MAX; c++)
		value = value * 10 + (uint64_t)(*c - '0');
	if (c == *at || value > UINT32_MAX)
		return false;
	*ret_value = (unsigned)value;
	*at = c;
	return true;
}

/* The power of the prefix: 0 for none, 1 for k … 6. */
static int scan_prefix(const char **at)
{
	static const char prefixes[] = "kKMGTPE";
	const char *found = **at ? strchr(prefixes, **at) : NULL;

	if (!found)
		return 0;
	(*at)++;
	return found < prefixes + 2 ? 1 : (int)(found - prefixes);
}

static struct fio_range spread(const struct number *number, double unit, enum fio_style style)
{
	double whole = floor(number->value);
	struct fio_range range = { .low = (number->value - number->step * 0.5) * unit,
				   .high = (number->value + number->step * 0.51) * unit };

	if (unit == 1 && number->step == 1) { /* cut to whole ones */
		range.low = number->value;
		range.high = number->value + 1;
	} else if (number->step < 1 && style == FIO_STYLE_ROUGH) {
		range.low = whole * unit;
		range.high = (whole + 1) * unit;
	} else if (number->step < 1 && style == FIO_STYLE_LOST_CARRY && number->value == whole) {
		range.again = unit;
	}
	return range;
}

static double power_of(double base, int power)
{
	double result = 1;

	while (power-- > 0)
		result *= base;
	return result;
}

bool fio_scan_count(const char **at, enum fio_style style, struct fio_range *ret_range)
{
	struct number number;

	if (!scan_number(at, &number))
		return false;
	*ret_range = spread(&number, power_of(1000, scan_prefix(at)), style);
	return true;
}

bool fio_scan_quantity(const char **at, enum fio_style style, double kilo,
		       struct fio_range *ret_range)
{
	struct fio_range range;
	struct number number;
	const char *c = *at;
	double base = kilo;
	int power;

	if (!scan_number(&c, &number))
		return false;
	power = scan_prefix(&c);
	if (power && fio_scan_word(&c, "i"))
		base = 1024;
	else if (c[-1] == 'k')
		base = 1000;
	range = spread(&number, power_of(base, power), style);
	if (fio_scan_word(&c, "bit")) {
		range.low /= 8;
		range.high /= 8;
	} else {
		fio_scan_word(&c, "B");
	}
	fio_scan_word(&c, "/s");
	*ret_range = range;
	*at = c;
	return true;
}

const char *fio_find(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *at = strstr(text, key); at; at = strstr(at + 1, key)) {
		if (at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_'))
			return at + len;
	}
	return NULL;
}
