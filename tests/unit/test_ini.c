/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * INI is read strictly: lines are counted, and nothing is cut or continued without a word.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/ini.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct seen {
	char text[8192];
	const char *refused; /* the key that take_note refuses */
};

static int take_note(void *to, const struct hl_ini_item *item, struct hl_error *err)
{
	struct seen *seen = to;
	size_t len = strlen(seen->text);

	if (seen->refused && !strcmp(item->key, seen->refused))
		return hl_fail(err, ERANGE, "not this one");
	snprintf(seen->text + len, sizeof(seen->text) - len, "%u[%s]%s=%s|", item->line,
		 item->section, item->key, item->value);
	return 0;
}

static int read_text(const char *text, struct seen *seen, struct hl_error *err)
{
	return hl_ini_read("x.conf", text, strlen(text), take_note, seen, err);
}

static void every_item_has_its_section_and_line(void **unused)
{
	struct seen seen = { 0 };

	(void)unused;
	assert_int_equal(
		read_text("a=1\r\n[s t]\n# c\n\n  b = x y ; z \n; c\n[u]\nc: =d", &seen, NULL), 0);
	assert_string_equal(seen.text, "1[]a=1|5[s t]b=x y ; z|8[u]c==d|");
}

static void an_empty_file_has_no_items(void **unused)
{
	struct seen seen = { 0 };

	(void)unused;
	assert_int_equal(read_text("", &seen, NULL), 0);
	assert_string_equal(seen.text, "");
}

static void a_broken_line_is_named(void **unused)
{
	static const char *const broken[] = {
		"a=1\nword\nb=2", "a=1\n[open\nb=2", "a=1\n=2", "a=1\nb\x01=2", "a=1\nb=\x7f",
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		struct seen seen = { 0 };
		struct hl_error err = { 0 };

		assert_int_equal(read_text(broken[i], &seen, &err), -EBADMSG);
		assert_string_equal(seen.text, "1[]a=1|");
		assert_memory_equal(err.text, "x.conf:2: ", 10);
	}
}

static void a_nul_byte_is_refused(void **unused)
{
	struct seen seen = { 0 };
	struct hl_error err = { 0 };

	(void)unused;
	assert_int_equal(hl_ini_read("x", "a=1\nb=\0002", 8, take_note, &seen, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "x:2: a control character"));
}

static void what_would_be_cut_is_refused(void **unused)
{
	struct {
		char before[8];
		int letters;
		char after[4];
		int status;
	} cases[] = {
		{ "a=", 3998, "", 0 }, { "a=", 3999, "", -EBADMSG },
		{ "", 47, "=1", 0 },   { "", 48, "=1", -EBADMSG },
		{ "[", 46, "]", 0 },   { "[", 47, "]", -EBADMSG },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct seen seen = { 0 };
		char text[4100];
		size_t len = strlen(cases[i].before);

		memcpy(text, cases[i].before, len);
		memset(text + len, 'k', (size_t)cases[i].letters);
		strcpy(text + len + cases[i].letters, cases[i].after);
		strcat(text, "\nz=1\n");
		assert_int_equal(read_text(text, &seen, NULL), cases[i].status);
		assert_int_equal(strstr(seen.text, "z=1") != NULL, !cases[i].status);
	}
}

static void a_refused_item_ends_the_reading_with_its_line(void **unused)
{
	struct seen seen = { .refused = "b" };
	struct hl_error err = { 0 };

	(void)unused;
	assert_int_equal(read_text("a=1\nb=2\nc=3\nword", &seen, &err), -ERANGE);
	assert_string_equal(seen.text, "1[]a=1|");
	assert_string_equal(err.text, "x.conf:2: not this one");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_item_has_its_section_and_line),
		cmocka_unit_test(an_empty_file_has_no_items),
		cmocka_unit_test(a_broken_line_is_named),
		cmocka_unit_test(a_nul_byte_is_refused),
		cmocka_unit_test(what_would_be_cut_is_refused),
		cmocka_unit_test(a_refused_item_ends_the_reading_with_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
