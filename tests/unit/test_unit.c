/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/unit.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

struct read_case {
	const char *text;
	double kilo;
	double value; /* NAN: refused */
};

typedef int reader(const char *text, size_t len, double kilo, double *ret_value);

static void check_reader(reader *read, const struct read_case *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		double value = 4711;
		int r = read(cases[i].text, strlen(cases[i].text), cases[i].kilo, &value);
		bool is_refused = isnan(cases[i].value);

		if (r != (is_refused ? -EINVAL : 0) ||
		    fabs(value - (is_refused ? 4711 : cases[i].value)) > value * 1e-12)
			fail_msg("\"%s\": %d, %.17g", cases[i].text, r, value);
	}
}

static void rates_of_fio_iperf3_and_people_are_read(void **state)
{
	static const struct read_case cases[] = {
		{ "863MiB/s", 1000, 863 * HL_MIB },
		{ "904MB/s", 1000, 904e6 },
		{ "24035KB/s", 1024, 24035 * HL_KIB },
		{ "24035KB/s", 1000, 24035e3 },
		{ "3.5MB/s", 1024, 3.5 * HL_MIB },
		{ "391kB/s", 1000, 391e3 },
		{ "391kB/s", 1024, 391e3 },
		{ "557417B/s", 1024, 557417 },
		{ "0B/s", 1000, 0 },
		{ "7328Mbit/s", 1000, 916e6 },
		{ "6989Mibit/s", 1000, 6989 * HL_MIB / 8 },
		{ "679MB/S", 1000, 679e6 },
		{ "1.2GB/s", 1000, 1.2e9 },
		{ "6 GB/s", 1000, 6e9 },
		{ "9.42 Gbits/sec", 1000, 9.42e9 / 8 },
		{ "112 MBytes/sec", 1000, 112e6 },
		{ "25Gb/s", 1000, 25e9 / 8 },
		{ "10Gbps", 1000, 1.25e9 },
		{ "100MBps", 1000, 100e6 },
		{ "300Mbit", 1000, 37.5e6 },
		{ "500mbit/s", 1000, 62.5e6 },
		{ "1.5 TiB/s", 1000, 1.5 * 1024 * HL_GIB },
	};

	(void)state;
	check_reader(hl_unit_read_rate, cases, NR(cases));
}

static void what_is_no_rate_is_refused(void **state)
{
	static const char *const texts[] = {
		"",        "863",        "MiB/s",     "863MiB",      "863M",
		"863MiB/", "863MiB/x",   "863MiB/s,", " 863MiB/s",   "863MiB/s ",
		"-5MB/s",  "1.2.3MB/s",  "1,2GB/s",   "863XB/s",     "679mb/s",
		"10gbps",  "5./s",       "863MiB/sx", "863MiB/secx", "nanB/s",
		"863MiB ", "1070 / 457",
	};

	(void)state;
	for (size_t i = 0; i < NR(texts); i++) {
		double value = 4711;

		if (hl_unit_read_rate(texts[i], strlen(texts[i]), 1000, &value) != -EINVAL ||
		    value != 4711)
			fail_msg("\"%s\" gave %g", texts[i], value);
	}
}

static void sizes_are_read(void **state)
{
	static const struct read_case cases[] = {
		{ "12.0KiB", 1000, 12288 },
		{ "10240MiB", 1000, 10240 * HL_MIB },
		{ "19.0GiB", 1000, 19 * HL_GIB },
		{ "4096B", 1000, 4096 },
		{ "4096", 1000, 4096 },
		{ "128k", 1024, 131072 },
		{ "128K", 1024, 131072 },
		{ "4m", 1024, 4 * HL_MIB },
		{ "64G", 1024, 64 * HL_GIB },
		{ "64 GB", 1000, 64e9 },
		{ "241236KB", 1024, 241236 * HL_KIB },
		{ "917MB", 1000, 917e6 },
		{ "22kB", 1024, 22e3 },
		{ "4kb", 1024, 4096 },
		{ "512 bytes", 1000, 512 },
		{ "7.68TB", 1000, 7.68e12 },
		{ "", 1000, NAN },
		{ "KiB", 1000, NAN },
		{ "12KiB/s", 1000, NAN },
		{ "12 ", 1000, NAN },
		{ "-4k", 1000, NAN },
		{ "4kk", 1000, NAN },
		{ "4KiBx", 1000, NAN },
		{ "4096B-4096B", 1000, NAN },
	};

	(void)state;
	check_reader(hl_unit_read_size, cases, NR(cases));
}

static int read_count(const char *text, size_t len, double kilo, double *ret_count)
{
	(void)kilo;
	return hl_unit_read_count(text, len, ret_count);
}

static void counts_are_decimal(void **state)
{
	static const struct read_case cases[] = {
		{ "28.2k", 0, 28200 },
		{ "1826k", 0, 1826000 },
		{ "1203.4K", 0, 1203400 },
		{ "1.83M", 0, 1830000 },
		{ "24K", 0, 24000 },
		{ "999", 0, 999 },
		{ "2.657297", 0, 2.657297 },
		{ "109k", 0, 109000 },
		{ "0", 0, 0 },
		{ "1.8m", 0, NAN },
		{ "4Ki", 0, NAN },
		{ "28.2kB", 0, NAN },
		{ "", 0, NAN },
		{ "k", 0, NAN },
		{ "-1", 0, NAN },
		{ "12%", 0, NAN },
	};

	(void)state;
	check_reader(read_count, cases, NR(cases));
}

static int read_time(const char *text, size_t len, double kilo, double *ret_ns)
{
	(void)kilo;
	return hl_unit_read_time(text, len, ret_ns);
}

static void times_need_a_unit_and_may_add_up(void **state)
{
	static const struct read_case cases[] = {
		{ "30s", 0, 30e9 },
		{ "5m", 0, 300e9 },
		{ "1h30m", 0, 5400e9 },
		{ "1d 2h", 0, 93600e9 },
		{ "300007msec", 0, 300007e6 },
		{ "322us", 0, 322e3 },
		{ "322usec", 0, 322e3 },
		{ "4.53 ms", 0, 4.53e6 },
		{ "67 ns", 0, 67 },
		{ "12\u00b5s", 0, 12e3 },
		{ "12\u03bcs", 0, 12e3 },
		{ "2min", 0, 120e9 },
		{ "30", 0, NAN },
		{ "", 0, NAN },
		{ "s", 0, NAN },
		{ "30m1h", 0, NAN },
		{ "1m1m", 0, NAN },
		{ "1h30", 0, NAN },
		{ "-5s", 0, NAN },
		{ "5 s ", 0, NAN },
		{ "5x", 0, NAN },
		{ "5S", 0, NAN },
		{ "1h30mx", 0, NAN },
	};

	(void)state;
	check_reader(read_time, cases, NR(cases));
}

static void nothing_behind_len_is_read(void **state)
{
	double value;

	(void)state;
	assert_int_equal(0, hl_unit_read_rate("863MiB/sec", 8, 1000, &value));
	assert_true(value == 863 * HL_MIB);
	assert_int_equal(-EINVAL, hl_unit_read_rate("863MiB/s", 7, 1000, &value));
	assert_int_equal(0, hl_unit_read_count("28.2k", 4, &value));
	assert_true(value == 28.2);
}

struct print_case {
	double value;
	const char *text;
};

typedef char *printer(char *text, double value);

static void check_printer(printer *print, const struct print_case *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		char text[HL_UNIT_TEXT];

		assert_ptr_equal(text, print(text, cases[i].value));
		assert_string_equal(cases[i].text, text);
	}
}

static void rates_are_shown_in_mib_over_a_wide_range(void **state)
{
	static const struct print_case rates[] = {
		{ 863 * HL_MIB, "863 MiB/s" },
		{ 5913 * HL_MIB, "5913 MiB/s" },
		{ 12 * HL_MIB, "12.0 MiB/s" },
		{ 1.5 * HL_MIB, "1.50 MiB/s" },
		{ 382 * HL_KIB, "382 KiB/s" },
		{ 0, "0 B/s" },
		{ 557, "557 B/s" },
		{ 1023.9, "1.00 KiB/s" },
		{ 0.99999 * HL_MIB, "1.00 MiB/s" },
		{ 99.97 * HL_MIB, "100 MiB/s" },
		{ 9.996 * HL_MIB, "10.0 MiB/s" },
		{ 10000 * HL_MIB, "9.77 GiB/s" },
		{ -200 * HL_MIB, "-200 MiB/s" },
		{ NAN, "not measured" },
		{ INFINITY, "not measured" },
		{ 1e300, "9.09e+287 TiB/s" },
	};
	static const struct print_case both[] = {
		{ 863 * HL_MIB, "863 MiB/s (905 MB/s)" },
		{ 6.2e9, "5913 MiB/s (6200 MB/s)" },
		{ 391e3, "382 KiB/s (391 kB/s)" },
		{ 31e9, "28.9 GiB/s (31.0 GB/s)" },
		{ 100, "100 B/s" },
		{ NAN, "not measured" },
		{ -1e300, "-9.09e+287 TiB/s (-1e+288 TB/s)" },
	};

	(void)state;
	check_printer(hl_unit_rate, rates, NR(rates));
	check_printer(hl_unit_rate_both, both, NR(both));
}

static void what_stands_beside_a_sheet_is_decimal(void **state)
{
	static const struct print_case rates[] = {
		{ 6.2e9, "6200 MB/s (5913 MiB/s)" },
		{ 13e9, "13000 MB/s (12.1 GiB/s)" },
		{ 545e6, "545 MB/s (520 MiB/s)" },
		{ 391e3, "391 kB/s (382 KiB/s)" },
		{ 100, "100 B/s" },
		{ 0, "0 B/s" },
		{ 124e9, "124 GB/s (115 GiB/s)" },
		{ NAN, "not measured" },
	};
	static const struct print_case sizes[] = {
		{ 7681501126656.0, "7.68 TB" }, { 480103981056.0, "480 GB" },
		{ 16777216, "16.8 MB" },        { 1e15, "1.00 PB" },
		{ 15.36e12, "15.4 TB" },        { 4096, "4.10 kB" },
		{ NAN, "not measured" },
	};

	(void)state;
	check_printer(hl_unit_rate_sheet, rates, NR(rates));
	check_printer(hl_unit_size_sheet, sizes, NR(sizes));
}

static void times_sizes_and_counts_have_three_digits(void **state)
{
	static const struct print_case times[] = {
		{ 322e3, "322 us" },  { 4.53e6, "4.53 ms" }, { 1.2e9, "1.20 s" },
		{ 67.14, "67.1 ns" }, { 35, "35 ns" },       { 999.7e3, "1.00 ms" },
		{ 3600e9, "3600 s" }, { 35.2e3, "35.2 us" }, { NAN, "not measured" },
	};
	static const struct print_case sizes[] = {
		{ 131072, "128 KiB" },   { 10 * HL_GIB, "10 GiB" },   { 4096, "4 KiB" },
		{ 512, "512 B" },        { 1536, "1.5 KiB" },         { 1023.6 * HL_KIB, "1 MiB" },
		{ 1000, "1000 B" },      { 7.68e12, "6.98 TiB" },     { 0, "0 B" },
		{ NAN, "not measured" }, { 100 * HL_MIB, "100 MiB" },
	};
	static const struct print_case counts[] = {
		{ 28200, "28.2k" }, { 1826000, "1.83M" }, { 999, "999" },
		{ 4801, "4801" },   { 9999.6, "10.0k" },  { 999700, "1.00M" },
		{ 2.657, "2.66" },  { 0, "0" },           { NAN, "not measured" },
	};
	static const struct print_case percents[] = {
		{ 14.6, "14.6 %" },  { 100, "100 %" },        { 99.96, "100 %" },
		{ 5, "5.0 %" },      { 0.04, "0.04 %" },      { 0, "0 %" },
		{ -3.25, "-3.2 %" }, { NAN, "not measured" }, { 1e300, "1e+300 %" },
	};

	(void)state;
	check_printer(hl_unit_time, times, NR(times));
	check_printer(hl_unit_size, sizes, NR(sizes));
	check_printer(hl_unit_count, counts, NR(counts));
	check_printer(hl_unit_percent, percents, NR(percents));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_of_fio_iperf3_and_people_are_read),
		cmocka_unit_test(what_is_no_rate_is_refused),
		cmocka_unit_test(sizes_are_read),
		cmocka_unit_test(counts_are_decimal),
		cmocka_unit_test(times_need_a_unit_and_may_add_up),
		cmocka_unit_test(nothing_behind_len_is_read),
		cmocka_unit_test(rates_are_shown_in_mib_over_a_wide_range),
		cmocka_unit_test(what_stands_beside_a_sheet_is_decimal),
		cmocka_unit_test(times_sizes_and_counts_have_three_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
