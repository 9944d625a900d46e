/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/error.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_failure_gives_code_and_text(void **state)
{
	struct hl_error err = { 0 };

	(void)state;
	assert_int_equal(-EBADMSG, hl_fail(&err, EBADMSG, "%s:%d: what is this", "a.txt", 7));
	assert_int_equal(EBADMSG, err.code);
	assert_string_equal("a.txt:7: what is this", err.text);
}

static void nobody_need_listen(void **state)
{
	(void)state;
	assert_int_equal(-ENOENT, hl_fail(NULL, ENOENT, "open %s", "x"));
}

static void control_characters_of_foreign_strings_are_replaced(void **state)
{
	struct hl_error err;

	(void)state;
	hl_fail(&err, EINVAL, "%s", "a\nb\x1b[31m\x7f\tc\u00b5");
	assert_string_equal("a?b?[31m??c\u00b5", err.text);
}

static void a_text_too_long_is_cut_between_characters(void **state)
{
	char text[1000];
	struct hl_error err;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	hl_fail(&err, EINVAL, "%s", text);
	assert_int_equal(sizeof(err.text) - 1, strlen(err.text));
	assert_string_equal("x...", err.text + sizeof(err.text) - 5);
	for (size_t start = 0; start < 3; start++) {
		for (size_t i = start; i + 3 < sizeof(text); i += 3)
			memcpy(text + i, "\u20ac", 3);
		hl_fail(&err, EINVAL, "%s", text);
		assert_string_equal("\u20ac...", strrchr(err.text, '\xe2'));
	}
}

static void a_text_that_just_fits_is_whole(void **state)
{
	struct hl_error err;

	(void)state;
	hl_fail(&err, EINVAL, "%*s", (int)sizeof(err.text) - 1, "end");
	assert_string_equal("end", err.text + sizeof(err.text) - 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failure_gives_code_and_text),
		cmocka_unit_test(nobody_need_listen),
		cmocka_unit_test(control_characters_of_foreign_strings_are_replaced),
		cmocka_unit_test(a_text_too_long_is_cut_between_characters),
		cmocka_unit_test(a_text_that_just_fits_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
