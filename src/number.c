/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Strict readers of numbers: see hoploss/number.h.
 *
 * The C library's readers are no use here: they skip blanks, take "-1" as unsigned and follow the
 * locale.
 */
#include "hoploss/number.h"
#include "hoploss/alloc.h"
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Powers of ten up to this one, and integers up to 2^53, are exact in a double. */
#define EXACT_POWER 22
#define EXACT_MAX   (1ULL << 53)

/* Where counting stops and the number is left to the library. */
#define EXPONENT_MAX 10000

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int hex_value(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* value × base + digit, false on overflow. */
static bool push_digit(uint64_t *value, unsigned base, unsigned digit)
{
	return !__builtin_mul_overflow(*value, base, value) &&
	       !__builtin_add_overflow(*value, digit, value);
}

int hl_number_u64(const char *text, size_t len, uint64_t *ret_value)
{
	bool fits = true;
	uint64_t value = 0;

	if (!len)
		return -EINVAL;
	for (size_t i = 0; i < len; i++) {
		if (!is_digit(text[i]))
			return -EINVAL;
		fits = fits && push_digit(&value, 10, (unsigned)(text[i] - '0'));
	}
	if (!fits)
		return -ERANGE;
	*ret_value = value;
	return 0;
}

int hl_number_i64(const char *text, size_t len, int64_t *ret_value)
{
	bool is_negative = len > 0 && text[0] == '-';
	uint64_t size;
	int r;

	r = hl_number_u64(text + is_negative, len - is_negative, &size);
	if (r < 0)
		return r;
	if (size > (uint64_t)INT64_MAX + is_negative)
		return -ERANGE;
	*ret_value = is_negative ? (int64_t)(0 - size) : (int64_t)size;
	return 0;
}

int hl_number_hex(const char *text, size_t len, uint64_t *ret_value)
{
	bool fits = true;
	uint64_t value = 0;

	if (len >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		text += 2;
		len -= 2;
	}
	if (!len)
		return -EINVAL;
	for (size_t i = 0; i < len; i++) {
		int digit = hex_value(text[i]);

		if (digit < 0)
			return -EINVAL;
		fits = fits && push_digit(&value, 16, (unsigned)digit);
	}
	if (!fits)
		return -ERANGE;
	*ret_value = value;
	return 0;
}

/* A decimal number taken apart: digits × 10^exponent. */
struct decimal {
	bool is_negative;
	bool is_exact; /* digits and exponent hold all of it */
	bool is_zero;
	uint64_t digits;
	int exponent;
};

/* Eats digits; those behind the point lower the exponent. Returns how many there were. */
static size_t scan_digits(const char **at, const char *end, bool is_fraction, struct decimal *ret)
{
	const char *start = *at;

	for (; *at < end && is_digit(**at); (*at)++) {
		ret->is_zero = ret->is_zero && **at == '0';
		ret->is_exact = ret->is_exact && ret->digits < EXACT_MAX / 10 &&
				ret->exponent > -EXPONENT_MAX;
		if (!ret->is_exact)
			continue;
		ret->digits = ret->digits * 10 + (unsigned)(**at - '0');
		ret->exponent -= is_fraction;
	}
	return (size_t)(*at - start);
}

static bool scan_exponent(const char **at, const char *end, struct decimal *ret)
{
	bool is_negative = false;
	int exponent = 0;
	const char *start;

	if (*at == end || (**at != 'e' && **at != 'E'))
		return true;
	(*at)++;
	if (*at < end && (**at == '-' || **at == '+'))
		is_negative = *(*at)++ == '-';
	start = *at;
	for (; *at < end && is_digit(**at); (*at)++) {
		ret->is_exact = ret->is_exact && exponent < EXPONENT_MAX;
		if (ret->is_exact)
			exponent = exponent * 10 + (**at - '0');
	}
	ret->exponent += is_negative ? -exponent : exponent;
	return *at > start;
}

static bool scan_decimal(const char *text, size_t len, struct decimal *ret)
{
	const char *at = text;
	const char *end = text + len;

	*ret = (struct decimal){ .is_exact = true, .is_zero = true };
	if (at < end && *at == '-') {
		ret->is_negative = true;
		at++;
	}
	if (!scan_digits(&at, end, false, ret))
		return false;
	if (at < end && *at == '.') {
		at++;
		if (!scan_digits(&at, end, true, ret))
			return false;
	}
	return scan_exponent(&at, end, ret) && at == end;
}

/* Correctly rounded, since both operands are exact. */
static double exact_value(const struct decimal *decimal)
{
	static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
					 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
					 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	double value = (double)decimal->digits;

	value = decimal->exponent < 0 ? value / powers[-decimal->exponent]
				      : value * powers[decimal->exponent];
	return decimal->is_negative ? -value : value;
}

/* For the rare long ones. glibc's "C" locale object is static: nothing to free. */
static double library_value(const char *text, size_t len)
{
	HL_FREE char *copy = hl_strndup(text, len);

	return strtod_l(copy, NULL, newlocale(LC_ALL_MASK, "C", NULL));
}

int hl_number_double(const char *text, size_t len, double *ret_value)
{
	struct decimal decimal;
	double value;

	if (!scan_decimal(text, len, &decimal))
		return -EINVAL;
	if (decimal.is_exact && abs(decimal.exponent) <= EXACT_POWER)
		value = exact_value(&decimal);
	else
		value = library_value(text, len);
	if (isinf(value) || (value == 0 && !decimal.is_zero))
		return -ERANGE;
	*ret_value = value;
	return 0;
}
