/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Foreign text in reports: what could act on a terminal, a browser or a reader is made visible.
 */
#include "hoploss/escape.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NR_HOWS 4

static const struct {
	const char *text;
	const char *as[NR_HOWS]; /* NULL = as in text */
} cases[] = {
	{ "bw_128k-read.fio", { "bw_128k-read.fio" } },
	{ "\033[31mred\033[0m",
	  { "\\x1b[31mred\\x1b[0m", NULL, NULL, "\\x1b\\[31mred\\x1b\\[0m" } },
	{ "a\nb\tc\rd", { "a\\x0ab\\x09c\\x0dd" } },
	{ "\xc2\x9b"
	  "2J",
	  { "\\x9b2J" } },
	{ "abc\xe2\x80\xae"
	  "def",
	  { "abc\\u202edef" } },
	{ "zero\xe2\x80\x8bwidth", { "zero\\u200bwidth" } },
	{ "\xff\xfe", { "\\xff\\xfe" } },
	{ "\xc0\xaf", { "\\xc0\\xaf" } },
	{ "\xed\xa0\x80", { "\\ud800" } },
	{ "\xe0\x80\xaf", { "\\xe0\\x80\\xaf" } },
	{ "cut \xe2\x82", { "cut \\xe2\\x82" } },
	{ "\xf3\xa0\x81\x81", { "\\U000e0041" } },
	{ "Größe", { "Größe", "Gr\\xf6\\xdfe" } },
	{ "日本", { "日本", "\\u65e5\\u672c" } },
	{ "<b a='1'>&\"",
	  { "<b a='1'>&\"", NULL, "&lt;b a=&#39;1&#39;&gt;&amp;&quot;",
	    "&lt;b a='1'&gt;&amp;\"" } },
	{ "a|b*c`d[e]_f_", { "a|b*c`d[e]_f_", NULL, NULL, "a\\|b\\*c\\`d\\[e\\]\\_f\\_" } },
	{ "# no heading", { "# no heading", NULL, NULL, "\\# no heading" } },
	{ "see http://x.example",
	  { "see http://x.example", NULL, NULL, "see http\\://x.example" } },
};

static char *escaped(const char *text, enum hl_escape how, size_t max, size_t *ret_columns)
{
	char *bytes = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&bytes, &len);
	size_t columns = hl_escape_put(file, text, how, max);

	fclose(file);
	if (ret_columns)
		*ret_columns = columns;
	return bytes;
}

static void each_format_shows_what_could_act(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int how = 0; how < NR_HOWS; how++) {
			const char *expected = cases[i].as[how] ? cases[i].as[how] : cases[i].as[0];
			char *text = escaped(cases[i].text, how, 0, NULL);

			assert_string_equal(text, expected);
			free(text);
		}
	}
}

static void columns_are_counted_as_printed(void **state)
{
	(void)state;
	assert_int_equal(hl_escape_columns("abc", HL_ESCAPE_TEXT), 3);
	assert_int_equal(hl_escape_columns("日本", HL_ESCAPE_TEXT), 4);
	assert_int_equal(hl_escape_columns("\033", HL_ESCAPE_TEXT), 4);
	assert_int_equal(hl_escape_columns("<", HL_ESCAPE_XML), 1);
	assert_int_equal(hl_escape_columns(NULL, HL_ESCAPE_TEXT), 0);
}

static void a_long_text_is_cut_with_an_ellipsis(void **state)
{
	size_t columns;
	char *text = escaped("abcdefgh", HL_ESCAPE_TEXT, 5, &columns);

	(void)state;
	assert_string_equal(text, "abcd…");
	assert_int_equal(columns, 5);
	free(text);
	text = escaped("abcdefgh", HL_ESCAPE_ASCII, 5, &columns);
	assert_string_equal(text, "abcd~");
	free(text);
	text = escaped("abcde", HL_ESCAPE_TEXT, 5, &columns);
	assert_string_equal(text, "abcde");
	free(text);
}

static void a_cut_never_splits_a_character(void **state)
{
	size_t columns;
	char *text = escaped("日本語", HL_ESCAPE_TEXT, 4, &columns);

	(void)state;
	assert_string_equal(text, "日…");
	assert_int_equal(columns, 3);
	free(text);
	assert_int_equal(hl_escape_fit("日本語", 9, HL_ESCAPE_TEXT, 5), 6);
	assert_int_equal(hl_escape_fit("\033[m", 3, HL_ESCAPE_TEXT, 3), 0);
}

static void a_pile_of_combining_marks_is_cut_too(void **state)
{
	char marks[2001];
	char *text;

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		memcpy(marks + 2 * i, "\xcc\x81", 2);
	marks[2000] = '\0';
	text = escaped(marks, HL_ESCAPE_TEXT, HL_ESCAPE_NAME, NULL);
	assert_true(strlen(text) < 300);
	free(text);
}

/* Whatever bytes come in, no control character goes out. */
static void no_bytes_get_through_as_control(void **state)
{
	uint32_t random = 1;

	(void)state;
	for (int run = 0; run < 2000; run++) {
		char noise[33];
		char *text;

		for (size_t i = 0; i < 32; i++) {
			random = random * 1664525 + 1013904223;
			noise[i] = (char)(random >> 24 ? random >> 24 : 1);
		}
		noise[32] = '\0';
		text = escaped(noise, run % NR_HOWS, run % 3 ? 0 : 10, NULL);
		for (const char *at = text; *at; at++)
			assert_true((unsigned char)*at >= 0x20 && *at != 0x7f);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_format_shows_what_could_act),
		cmocka_unit_test(columns_are_counted_as_printed),
		cmocka_unit_test(a_long_text_is_cut_with_an_ellipsis),
		cmocka_unit_test(a_cut_never_splits_a_character),
		cmocka_unit_test(a_pile_of_combining_marks_is_cut_too),
		cmocka_unit_test(no_bytes_get_through_as_control),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
