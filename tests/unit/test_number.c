/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/number.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

struct unsigned_case {
	const char *text;
	int result;
	uint64_t value;
};

typedef int reader_u64(const char *text, size_t len, uint64_t *ret_value);

static void check_unsigned(reader_u64 *read, const struct unsigned_case *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		uint64_t value = 4711;
		int r = read(cases[i].text, strlen(cases[i].text), &value);

		if (r != cases[i].result || value != (r ? 4711 : cases[i].value))
			fail_msg("\"%s\": %d, %ju", cases[i].text, r, (uintmax_t)value);
	}
}

static void unsigned_takes_digits_only(void **state)
{
	static const struct unsigned_case cases[] = {
		{ "0", 0, 0 },
		{ "007", 0, 7 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "99999999999999999999999", -ERANGE, 0 },
		{ "184467440737095516160", -ERANGE, 0 }, /* too large before its last digit */
		{ "99999999999999999999999x", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "1\n", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ "1.0", -EINVAL, 0 },
	};

	(void)state;
	check_unsigned(hl_number_u64, cases, NR(cases));
}

static void hexadecimal_needs_no_prefix(void **state)
{
	static const struct unsigned_case cases[] = {
		{ "0x1179", 0, 0x1179 },
		{ "0XfF", 0, 255 },
		{ "fF", 0, 255 },
		{ "ffffffffffffffff", 0, UINT64_MAX },
		{ "1ffffffffffffffff", -ERANGE, 0 },
		{ "100000000000000000", -ERANGE, 0 },
		{ "0x", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
		{ "0x0x1", -EINVAL, 0 },
		{ "fg", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
	};

	(void)state;
	check_unsigned(hl_number_hex, cases, NR(cases));
}

static void signed_reaches_both_ends(void **state)
{
	static const struct {
		const char *text;
		int result;
		int64_t value;
	} cases[] = {
		{ "-1", 0, -1 },
		{ "0", 0, 0 },
		{ "9223372036854775807", 0, INT64_MAX },
		{ "-9223372036854775808", 0, INT64_MIN },
		{ "9223372036854775808", -ERANGE, 0 },
		{ "-9223372036854775809", -ERANGE, 0 },
		{ "-", -EINVAL, 0 },
		{ "--1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		int64_t value = 4711;

		assert_int_equal(cases[i].result,
				 hl_number_i64(cases[i].text, strlen(cases[i].text), &value));
		assert_true(value == (cases[i].result ? 4711 : cases[i].value));
	}
}

static void double_is_decimal_and_finite(void **state)
{
	static const struct {
		const char *text;
		int result;
		double value;
	} cases[] = {
		{ "0", 0, 0 },
		{ "0.000", 0, 0 },
		{ "863", 0, 863 },
		{ "-12.5", 0, -12.5 },
		{ "1.83", 0, 1.83 },
		{ "3490.36", 0, 3490.36 },
		{ "8.010440e+04", 0, 80104.4 },
		{ "1E-3", 0, 0.001 },
		{ "49501.318267", 0, 49501.318267 },
		{ "1.7976931348623157e308", 0, 1.7976931348623157e308 },
		{ "1e309", -ERANGE, 0 },
		{ "1e99999999999", -ERANGE, 0 },
		{ "1e-400", -ERANGE, 0 },
		{ "0e-400", 0, 0 },
		{ "", -EINVAL, 0 },
		{ "-", -EINVAL, 0 },
		{ ".", -EINVAL, 0 },
		{ "5.", -EINVAL, 0 },
		{ ".5", -EINVAL, 0 },
		{ "1.2.3", -EINVAL, 0 },
		{ "1,5", -EINVAL, 0 },
		{ "1e", -EINVAL, 0 },
		{ "1e+", -EINVAL, 0 },
		{ "nan", -EINVAL, 0 },
		{ "inf", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		double value = 4711;
		int r = hl_number_double(cases[i].text, strlen(cases[i].text), &value);

		if (r != cases[i].result || value != (r ? 4711 : cases[i].value))
			fail_msg("\"%s\": %d, %.17g", cases[i].text, r, value);
	}
}

/* Digits, a point and zeros, a digit, and an exponent that takes the point back again. */
static void double_knows_long_fractions_with_exponents(void **state)
{
	static const int sizes[] = { 0, 5, 21, 22, 23, 44, 230, 2205, 9999, 10000, 10001, 30000 };

	(void)state;
	for (size_t i = 0; i < NR(sizes) * NR(sizes); i++) {
		int zeros = sizes[i / NR(sizes)], exponent = sizes[i % NR(sizes)];
		HL_FREE char *text = hl_printf("00.%0*de%03d", zeros + 1, 7, exponent);
		double expected = strtod(text, NULL), value = 0;
		int r = hl_number_double(text, strlen(text), &value);

		if (value != (isinf(expected) ? 0 : expected) ||
		    r != (isinf(expected) || expected == 0 ? -ERANGE : 0))
			fail_msg("0.(%d zeros)7e%d: %d, %.17g", zeros, exponent, r, value);
	}
}

static void double_rounds_as_the_c_library_does(void **state)
{
	(void)state;
	srandom(1);
	for (int i = 0; i < 200000; i++) {
		char text[64];
		double value;
		int len;

		if (i % 2)
			len = snprintf(text, sizeof(text), "%ld.%0*lde%ld", random() % 100000000,
				       (int)(random() % 25 + 1), random(), random() % 60 - 30);
		else
			len = snprintf(text, sizeof(text), "%ld.%0*ld", random(),
				       (int)(random() % 8 + 1), random() % 10);
		assert_int_equal(0, hl_number_double(text, (size_t)len, &value));
		if (value != strtod(text, NULL))
			fail_msg("%s: %.17g", text, value);
	}
}

static void nothing_behind_len_is_read(void **state)
{
	uint64_t value;
	double number;

	(void)state;
	assert_int_equal(0, hl_number_u64("1234", 2, &value));
	assert_true(value == 12);
	assert_int_equal(0, hl_number_double("12.5e7", 4, &number));
	assert_true(number == 12.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unsigned_takes_digits_only),
		cmocka_unit_test(hexadecimal_needs_no_prefix),
		cmocka_unit_test(signed_reaches_both_ends),
		cmocka_unit_test(double_is_decimal_and_finite),
		cmocka_unit_test(double_knows_long_fractions_with_exponents),
		cmocka_unit_test(double_rounds_as_the_c_library_does),
		cmocka_unit_test(nothing_behind_len_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
