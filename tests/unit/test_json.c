/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/json.h"
#include <errno.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

static struct hl_json *parse(const char *text)
{
	struct hl_json *json = NULL;
	struct hl_error err = { 0 };

	if (hl_json_parse(text, strlen(text), &json, NULL, &err) < 0)
		fail_msg("%s: %s", text, err.text);
	return json;
}

static void reading_stops_at_the_end_of_the_first_value(void **state)
{
	static const char text[] = "{\"a\": [1, 2]}\nread: IOPS=5\n{\"b\": 1}";
	struct hl_json *json = NULL;
	size_t used = 0;

	(void)state;
	assert_int_equal(0, hl_json_parse(text, strlen(text), &json, &used, NULL));
	assert_int_equal(strcspn(text, "\n"), used);
	assert_int_equal(2, hl_json_length(hl_json_get(json, "a")));
	hl_json_free(json);
	hl_json_free(NULL);
}

static void used_is_right_for_mended_text_too(void **state)
{
	static const char text[] = "{\"a\": -nan, \"b\": \"C:\\dir\\new\\file\", \"c\": inf}X";
	struct hl_json *json = NULL;
	size_t used = 0;

	(void)state;
	assert_int_equal(0, hl_json_parse(text, strlen(text), &json, &used, NULL));
	assert_int_equal(strlen(text) - 1, used);
	hl_json_free(json);
}

static void one_line_mode_has_no_white_space_outside_strings(void **state)
{
	HL_FREE char *line = NULL;
	size_t len;
	FILE *file = open_memstream(&line, &len);
	struct hl_json_out *out = hl_json_out_new_line(file);

	(void)state;
	hl_json_object(out, NULL);
	hl_json_put_string(out, "a", "b\nc d");
	hl_json_array(out, "n");
	hl_json_put_number(out, NULL, 1);
	hl_json_put_number(out, NULL, NAN);
	hl_json_put_number(out, NULL, 2);
	hl_json_close(out);
	hl_json_close(out);
	assert_int_equal(0, hl_json_out_free(out));
	fclose(file);
	assert_string_equal("{\"a\":\"b\\nc d\",\"n\":[1,2]}", line);
}

static void nul_bytes_between_values_are_blanks(void **state)
{
	static const char text[] = "[1\0, true\0]\0x";
	struct hl_json *json = NULL;
	size_t used = 0;

	(void)state;
	assert_int_equal(0, hl_json_parse(text, sizeof(text) - 1, &json, &used, NULL));
	assert_int_equal(11, used);
	assert_int_equal(2, hl_json_length(json));
	hl_json_free(json);
}

static void broken_json_names_its_line(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "", "line 1: the JSON is cut short" },
		{ "{\"a\": 1,\n\"b\": [1,\n", "line 3: the JSON is cut short" },
		{ "{\"a\": \"x", "line 1: the JSON is cut short" },
		{ "{\"a\": 1,\n\"b\" 2}", "line 2: not JSON: ':' expected near '2'" },
		{ "read: IOPS=5", "line 1: not JSON: invalid token near 'read'" },
		{ "{\"a\": nan,\n\"b\": oops\n}", "line 2: not JSON: invalid token near 'oops'" },
		{ "[1e999]", "line 1: not JSON: real number overflow near '1e999'" },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct hl_json *json = (struct hl_json *)&json;
		struct hl_error err = { 0 };
		size_t used = 4711;

		assert_int_equal(-EBADMSG, hl_json_parse(cases[i].text, strlen(cases[i].text),
							 &json, &used, &err));
		assert_string_equal(cases[i].error, err.text);
		assert_ptr_equal(&json, json);
		assert_int_equal(4711, used);
	}
}

static void nan_and_inf_are_no_numbers(void **state)
{
	struct hl_json *json = parse(
		"{\"a\": nan, \"b\":-nan,\"c\" : inf , \"d\":-INF, \"e\": NaN,"
		"\"f\": -1.#IND00, \"g\": [nan, 5], \"h\": \"nan\", \"i\": Infinity}");
	const struct hl_json *value;
	const char *key;
	void *iter = NULL;

	(void)state;
	while (hl_json_next(json, &iter, &key, &value))
		assert_true(isnan(hl_json_number(value)));
	assert_true(hl_json_number(hl_json_at(hl_json_get(json, "g"), 1)) == 5);
	assert_string_equal("nan", hl_json_string(hl_json_get(json, "h")));
	hl_json_free(json);
}

static void dirty_strings_are_mended(void **state)
{
	static const struct {
		const char *json, *value;
	} cases[] = {
		{ "\"D\\:\\fio\\x.dat\"", "D\\:\fio\\x.dat" },
		{ "\"\\\\.\\PhysicalDrive0\"", "\\.\\PhysicalDrive0" },
		{ "\"\\u12\"", "\\u12" },
		{ "\"caf\xe9\"", "caf\ufffd" },
		{ "\"\xff\xfe\u20ac\"", "\ufffd\ufffd\u20ac" },
		{ "\"two\nlines\tand\x01\"", "two lines and " },
		{ "\"good \\\"escapes\\\" \\u00b5 \xff\"", "good \"escapes\" \u00b5 \ufffd" },
		{ "\"\xe2\x82\"", "\ufffd\ufffd" },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct hl_json *json = parse(cases[i].json);

		assert_string_equal(cases[i].value, hl_json_string(json));
		hl_json_free(json);
	}
}

static void a_dirty_string_leaves_its_neighbours_alone(void **state)
{
	static const char *const texts[] = {
		"{\"x\": \"a\\q\\\\\", \"b\": 3}",
		"{\"x\": nan, \"b\": 3}",
		"{\"x\": \"\xff\", \"b\": 3}",
		"{\"x\": \"-nan inf\\z\", \"b\": 3}",
	};

	(void)state;
	for (size_t i = 0; i < NR(texts); i++) {
		struct hl_json *json = parse(texts[i]);

		assert_true(hl_json_number(hl_json_get(json, "b")) == 3);
		hl_json_free(json);
	}
}

static void deep_nesting_is_refused(void **state)
{
	struct hl_json *json = NULL;
	char *deep = malloc(1000000);

	(void)state;
	memset(deep, '[', 1000000);
	assert_int_equal(-EBADMSG, hl_json_parse(deep, 1000000, &json, NULL, NULL));
	free(deep);
}

static void the_last_of_duplicate_keys_and_huge_integers_are_read(void **state)
{
	struct hl_json *json = parse("{\"a\": 1, \"a\": 2, \"b\": 18446744073709551615,"
				     "\"c\": 99999999999999999999999}");

	(void)state;
	assert_true(hl_json_number(hl_json_get(json, "a")) == 2);
	assert_true(hl_json_number(hl_json_get(json, "b")) == 18446744073709551615.0);
	assert_true(hl_json_number(hl_json_get(json, "c")) == 1e23);
	hl_json_free(json);
}

static void what_is_not_there_is_unknown(void **state)
{
	struct hl_json *json = parse("{\"s\": \"x\", \"n\": 1.5, \"t\": true, \"z\": null,"
				     "\"o\": {\"p\": {\"q\": 7}}, \"a\": [1]}");

	(void)state;
	assert_null(hl_json_get(NULL, "a"));
	assert_null(hl_json_get(hl_json_get(json, "s"), "a"));
	assert_null(hl_json_get(json, "nothing"));
	assert_true(hl_json_number(hl_json_path(json, "o.p.q")) == 7);
	assert_null(hl_json_path(json, "o.x.q"));
	assert_null(hl_json_path(json, "s.p"));
	assert_null(hl_json_string(hl_json_get(json, "n")));
	assert_null(hl_json_string(NULL));
	assert_true(isnan(hl_json_number(hl_json_get(json, "s"))));
	assert_true(isnan(hl_json_number(hl_json_get(json, "z"))));
	assert_true(isnan(hl_json_number(NULL)));
	assert_int_equal(1, hl_json_boolean(hl_json_get(json, "t")));
	assert_int_equal(-1, hl_json_boolean(hl_json_get(json, "n")));
	assert_int_equal(-1, hl_json_boolean(NULL));
	assert_int_equal(0, hl_json_length(NULL));
	assert_int_equal(0, hl_json_length(json));
	assert_null(hl_json_at(hl_json_get(json, "a"), 1));
	assert_null(hl_json_at(NULL, 0));
	assert_true(hl_json_is_object(json));
	assert_false(hl_json_is_object(NULL));
	assert_true(hl_json_is_array(hl_json_get(json, "a")));
	assert_false(hl_json_is_array(json));
	hl_json_free(json);
}

static void numbers_in_quotes_count_where_asked_for(void **state)
{
	static const struct {
		const char *json;
		double value;
	} cases[] = {
		{ "310", 310 },       { "\"310\"", 310 }, { "\"12.5 C\"", 12.5 },
		{ "\"3%\"", 3 },      { "\"0x04\"", 4 },  { "\"8.0 GT/s PCIe\"", 8 },
		{ "\"\"", NAN },      { "\"C\"", NAN },   { "\"1,234\"", NAN },
		{ "\"nan\"", NAN },   { "true", NAN },    { "\"ff\"", NAN },
		{ "\"12.5C\"", NAN },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct hl_json *json = parse(cases[i].json);
		double value = hl_json_number_like(json);

		assert_true(value == cases[i].value || (isnan(value) && isnan(cases[i].value)));
		hl_json_free(json);
	}
}

static void members_come_in_their_order(void **state)
{
	struct hl_json *json = parse("{\"z\": 0, \"a\": 1, \"m\": 2}");
	const struct hl_json *value;
	const char *key;
	void *iter = NULL;
	int i = 0;

	(void)state;
	while (hl_json_next(json, &iter, &key, &value)) {
		assert_int_equal("zam"[i], key[0]);
		assert_true(hl_json_number(value) == i++);
	}
	assert_int_equal(3, i);
	iter = NULL;
	assert_false(hl_json_next(NULL, &iter, &key, &value));
	hl_json_free(json);
}

static void writing_leaves_out_what_is_unknown(void **state)
{
	static const char expected[] = "{\n"
				       "\t\"name\": \"a\\\"b\\\\c\\n\\u0001\u00b5\ufffd\",\n"
				       "\t\"list\": [\n"
				       "\t\t1,\n"
				       "\t\t0.1,\n"
				       "\t\t\"x\"\n"
				       "\t],\n"
				       "\t\"empty\": {},\n"
				       "\t\"none\": [],\n"
				       "\t\"yes\": true\n"
				       "}\n";
	HL_FREE char *text = NULL;
	size_t len;
	FILE *file = open_memstream(&text, &len);
	struct hl_json_out *out = hl_json_out_new(file);

	(void)state;
	hl_json_object(out, NULL);
	hl_json_put_string(out, "name", "a\"b\\c\n\x01\u00b5\xff");
	hl_json_put_string(out, "unknown", NULL);
	hl_json_array(out, "list");
	hl_json_put_number(out, NULL, 1);
	hl_json_put_number(out, NULL, NAN);
	hl_json_put_number(out, NULL, 0.1);
	hl_json_put_string(out, NULL, "x");
	hl_json_close(out);
	hl_json_put_number(out, "bw", NAN);
	hl_json_put_number(out, "bw", INFINITY);
	hl_json_object(out, "empty");
	hl_json_close(out);
	hl_json_array(out, "none");
	hl_json_close(out);
	hl_json_put_boolean(out, "yes", true);
	hl_json_close(out);
	assert_int_equal(0, hl_json_out_free(out));
	fclose(file);
	assert_string_equal(expected, text);
}

static void numbers_print_short_and_read_back_the_same(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ -0.0, "0" },
		{ 904921088, "904921088" },
		{ -1.5, "-1.5" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 9007199254740992.0, "9007199254740992" },
		{ 1e300, "1e+300" },
		{ DBL_MAX, "1.7976931348623157e+308" },
		{ 5413.25, "5413.25" },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		HL_FREE char *text = NULL;
		size_t len;
		FILE *file = open_memstream(&text, &len);
		struct hl_json_out *out = hl_json_out_new(file);
		struct hl_json *json;

		hl_json_put_number(out, NULL, cases[i].value);
		assert_int_equal(0, hl_json_out_free(out));
		fclose(file);
		assert_string_equal(cases[i].text, text);
		json = parse(text);
		assert_true(hl_json_number(json) == cases[i].value);
		hl_json_free(json);
	}
}

static void a_full_device_is_reported(void **state)
{
	FILE *file = fopen("/dev/full", "w");
	struct hl_json_out *out;

	(void)state;
	if (!file)
		skip();
	setbuf(file, NULL);
	out = hl_json_out_new(file);
	hl_json_object(out, NULL);
	hl_json_close(out);
	assert_int_equal(-EIO, hl_json_out_free(out));
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_stops_at_the_end_of_the_first_value),
		cmocka_unit_test(used_is_right_for_mended_text_too),
		cmocka_unit_test(one_line_mode_has_no_white_space_outside_strings),
		cmocka_unit_test(nul_bytes_between_values_are_blanks),
		cmocka_unit_test(broken_json_names_its_line),
		cmocka_unit_test(nan_and_inf_are_no_numbers),
		cmocka_unit_test(dirty_strings_are_mended),
		cmocka_unit_test(a_dirty_string_leaves_its_neighbours_alone),
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(the_last_of_duplicate_keys_and_huge_integers_are_read),
		cmocka_unit_test(what_is_not_there_is_unknown),
		cmocka_unit_test(numbers_in_quotes_count_where_asked_for),
		cmocka_unit_test(members_come_in_their_order),
		cmocka_unit_test(writing_leaves_out_what_is_unknown),
		cmocka_unit_test(numbers_print_short_and_read_back_the_same),
		cmocka_unit_test(a_full_device_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
