/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/json_extent.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

static void ends_are_found(void **state)
{
	static const struct {
		const char *text;
		size_t nr_lines;
	} cases[] = {
		{ "{\"a\":1}\n", 1 },
		{ "{\n \"a\" : [1, 2],\n \"b\" : {}\n}\nprose\n", 4 },
		{ "[\n {\"a\":1},\n {\"a\":2}\n]\n", 4 },
		{ "log: {\"a\":\n1}\n", 2 },
		{ "fio {\n\"a\" : \"}\"\n}\n", 3 },
		{ "{\"a\":1}{\"a\":2}\nx\n", 1 },
		{ "{\"a\":1} {\n\"a\":2\n}\n", 3 },
		{ "{\"a\":1},\n", 1 },
		{ "{\n\"a\" : -nan,\n\"b\" : inf\n}\n", 4 },
		{ "{\n\"path\" : \"C:\\Users\\x\"\n}\n", 3 },
		{ "{\n\"wrapped\" : \"one\ntwo\"\n}\n", 4 },
		{ "{\n\"a\" : 1,\nfio: a warning\n\"b\" : 2\n}\n", 5 },
		{ "{\n\"a\" : 1,\n}\n", 3 },
		/* cut short: up to the last good line */
		{ "{\n\"a\" : 1,\n\"b\" : 2\nprose\nmore prose\n", 3 },
		{ "{\n\"a\" : {\n\"b\" : [\n", 3 },
		/* none begins here */
		{ "prose\n{\"a\":1}\n", 0 },
		{ "{}\n", 0 },
		{ "[1, 2]\n", 0 },
		{ "[  5] local 10.0.0.1 port 5201\n", 0 },
		{ "{ block }\n", 0 },
		{ "struct { \"a\" }\n", 0 },
		{ "\n", 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct hl_text *text = hl_text_new("t", cases[i].text, strlen(cases[i].text));

		if (hl_json_extent(text, 0) != cases[i].nr_lines)
			fail_msg("case %zu: %zu lines", i, hl_json_extent(text, 0));
		hl_text_free(text);
	}
}

static void a_key_is_mentioned_only_in_quotes(void **state)
{
	static const char bytes[] = "{\"fio version\":\"fio-3.1\"}\n";
	struct hl_text *text = hl_text_new("t", bytes, strlen(bytes));

	(void)state;
	assert_true(hl_json_mentions(text, "fio version"));
	assert_true(hl_json_mentions(text, "fio-3.1"));
	assert_false(hl_json_mentions(text, "version"));
	assert_false(hl_json_mentions(text, "fio"));
	hl_text_free(text);
}

/* The number a.b of the first value in bytes. */
static double read_number(const char *bytes, const char *dotted, bool *ret_is_cut)
{
	struct hl_text *text = hl_text_new("t", bytes, strlen(bytes));
	struct hl_json_piece piece = { 0 };
	size_t cursor = 0;
	double value;

	assert_int_equal(0, hl_json_piece_next(text, &cursor, &piece, NULL));
	value = hl_json_number(hl_json_path(piece.root, dotted));
	*ret_is_cut = piece.is_cut;
	hl_json_free(piece.root);
	hl_text_free(text);
	return value;
}

static void what_stands_in_between_is_left_out(void **state)
{
	static const char *const cases[] = {
		"{\"a\":{\"b\":7}}",
		"{\n\"a\" : {\nfio: pid=1, err=5\n[12.3] kernel: x\n\"b\" : 7\n...\n}\n}\n",
		"{\n\"x\" : nan,\n\"a\" : { \"b\" : 7, },\n}\n",
		"{\n\"p\" : \"C:\\Users\\\\x\",\n\"a\" : {\"b\":7}}\n",
		"{\n\"p\" : \"\xff\xfe\",\nnoise\n\"a\" : {\"b\":7}}\n",
		"  , text { \"a\" : {\"b\":7}}\n",
	};
	bool is_cut;

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		if (read_number(cases[i], "a.b", &is_cut) != 7 || is_cut)
			fail_msg("case %zu", i);
	}
}

static void a_cut_value_gives_what_was_complete(void **state)
{
	bool is_cut = false;

	(void)state;
	assert_true(read_number("{\"a\":{\"b\":7,\"c\":8", "a.b", &is_cut) == 7);
	assert_true(is_cut);
	/* 8 may be the beginning of 81 */
	assert_true(isnan(read_number("{\"a\":{\"b\":7,\"c\":8\n", "a.c", &is_cut)));
	assert_true(isnan(read_number("{\"a\":{\"b\":7,\"c\"", "a.c", &is_cut)));
	assert_true(read_number("{\"a\":{\"b\":7}, \"x\" : \"un", "a.b", &is_cut) == 7);
	assert_true(read_number("{\"a\":{\"b\":7}, \"x\" : [[{\"y\":[", "a.b", &is_cut) == 7);
	assert_true(is_cut);
	assert_true(read_number("{\"a\":{\"b\":7}}{\"a\"", "a.b", &is_cut) == 7);
	assert_false(is_cut);
}

static void every_cut_of_a_value_is_survived(void **state)
{
	static const char whole[] =
		"{ \"a\" : { \"b\" : 17, \"c\" : [ true, \"x\\\"y\", -1.5e3 ] },\n"
		"  \"d\" : [ { \"e\" : null } ],\n\"f\" : 3\n}\n";

	(void)state;
	for (size_t len = 0; len < strlen(whole); len++) {
		struct hl_text *text = hl_text_new("t", whole, len);
		struct hl_json_piece piece = { 0 };
		size_t cursor = 0;

		while (!hl_json_piece_next(text, &cursor, &piece, NULL)) {
			double b = hl_json_number(hl_json_path(piece.root, "a.b"));

			assert_true(isnan(b) || b == 17);
			assert_true(piece.is_cut || len >= strlen(whole) - 1);
			hl_json_free(piece.root);
		}
		hl_text_free(text);
	}
}

static void values_come_one_by_one(void **state)
{
	static const char bytes[] = "x\n{\"a\":1}{\"a\":2}\n\n,{\n\"a\" : 3 }\nx\n";
	struct hl_text *text = hl_text_new("t", bytes, strlen(bytes));
	struct hl_json_piece piece = { 0 };
	static const size_t firsts[] = { 1, 1, 3 }, lasts[] = { 1, 1, 4 };
	size_t cursor = 0;

	(void)state;
	for (size_t i = 0; i < NR(firsts); i++) {
		assert_int_equal(0, hl_json_piece_next(text, &cursor, &piece, NULL));
		assert_true(hl_json_number(hl_json_get(piece.root, "a")) == (double)i + 1);
		assert_int_equal(firsts[i], piece.first);
		assert_int_equal(lasts[i], piece.last);
		hl_json_free(piece.root);
	}
	assert_int_equal(-ENODATA, hl_json_piece_next(text, &cursor, &piece, NULL));
	hl_text_free(text);
}

/* Tried on every line of a file, the search must stay linear. */
static void hostile_nesting_is_given_up(void **state)
{
	size_t nr = 20000;
	char *bytes = hl_alloc(nr * 8 + 1), *end = bytes;
	struct hl_text *text = NULL;
	size_t claimed = 0;

	(void)state;
	for (size_t i = 0; i < nr; i++)
		end = stpcpy(end, "{\"a\":\nx\n");
	text = hl_text_new("t", bytes, (size_t)(end - bytes));
	for (size_t i = 0; i < text->nr_lines; i++)
		claimed += hl_json_extent(text, i) > 0;
	assert_int_equal(nr, claimed);
	hl_text_free(text);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_are_found),
		cmocka_unit_test(a_key_is_mentioned_only_in_quotes),
		cmocka_unit_test(what_stands_in_between_is_left_out),
		cmocka_unit_test(a_cut_value_gives_what_was_complete),
		cmocka_unit_test(every_cut_of_a_value_is_survived),
		cmocka_unit_test(values_come_one_by_one),
		cmocka_unit_test(hostile_nesting_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
