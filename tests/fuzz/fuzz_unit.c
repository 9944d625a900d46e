/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The readers of numbers and quantities, against the C library where both read; the printers. */
#include "hoploss/alloc.h"
#include "hoploss/number.h"
#include "hoploss/unit.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_right)
{
	if (!is_right)
		abort();
}

static void print_all(double value)
{
	static char *(*const printers[])(char *, double) = {
		hl_unit_rate, hl_unit_rate_both, hl_unit_time,
		hl_unit_size, hl_unit_count,     hl_unit_percent,
	};

	for (size_t i = 0; i < sizeof(printers) / sizeof(*printers); i++) {
		char text[HL_UNIT_TEXT];

		check(strlen(printers[i](text, value)) < sizeof(text) - 1);
		check(strlen(printers[i](text, -value)) < sizeof(text) - 1);
	}
}

static void check_quantity(int result, double value)
{
	check(result == 0 || value == -1);
	if (result < 0)
		return;
	check(isfinite(value) && value >= 0);
	print_all(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	HL_FREE char *copy = hl_strndup(text, size);
	double value = -1;
	uint64_t count;
	int64_t number;

	check_quantity(hl_unit_read_rate(text, size, 1024, &value), value);
	value = -1;
	check_quantity(hl_unit_read_size(text, size, 1000, &value), value);
	value = -1;
	check_quantity(hl_unit_read_count(text, size, &value), value);
	value = -1;
	check_quantity(hl_unit_read_time(text, size, &value), value);
	if (hl_number_double(text, size, &value) == 0)
		check(value == strtod(copy, NULL));
	if (hl_number_u64(text, size, &count) == 0)
		check(count == strtoull(copy, NULL, 10));
	if (hl_number_i64(text, size, &number) == 0)
		check(number == strtoll(copy, NULL, 10));
	if (hl_number_hex(text, size, &count) == 0)
		check(count == strtoull(copy, NULL, 16));
	return 0;
}
