/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every option of fio has one row.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/fio_table.h"

static void no_name_stands_twice(void **unused)
{
	const struct hl_fio_option *option;

	(void)unused;
	for (size_t i = 0; (option = hl_fio_option_at(i)); i++) {
		if (hl_fio_option_find(option->name) != option)
			fail_msg("%s stands twice", option->name);
		if (option->alias && hl_fio_option_find(option->alias) != option)
			fail_msg("%s stands twice", option->alias);
	}
}

static void what_is_refused_says_why(void **unused)
{
	const struct hl_fio_option *option;

	(void)unused;
	for (size_t i = 0; (option = hl_fio_option_at(i)); i++) {
		if (option->effect != HL_FIO_IDLE && !option->why)
			fail_msg("%s has no reason", option->name);
	}
}

static void neutral_values_are_whole_words(void **unused)
{
	const struct hl_fio_option *random = hl_fio_option_find("percentage_random");
	const struct hl_fio_option *verify = hl_fio_option_find("verify");

	(void)unused;
	assert_true(hl_fio_option_is_neutral(random, "100"));
	assert_true(hl_fio_option_is_neutral(random, "100,100"));
	assert_false(hl_fio_option_is_neutral(random, "10"));
	assert_false(hl_fio_option_is_neutral(random, "00"));
	assert_true(hl_fio_option_is_neutral(verify, "0"));
	assert_false(hl_fio_option_is_neutral(verify, "crc32c"));
	assert_false(hl_fio_option_is_neutral(verify, ""));
	assert_false(hl_fio_option_is_neutral(verify, NULL));
}

static void aliases_are_found_and_other_names_not(void **unused)
{
	(void)unused;
	assert_ptr_equal(hl_fio_option_find("readwrite"), hl_fio_option_find("rw"));
	assert_null(hl_fio_option_find("numjob"));
	assert_null(hl_fio_option_find("group-reporting"));
	assert_null(hl_fio_option_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_name_stands_twice),
		cmocka_unit_test(what_is_refused_says_why),
		cmocka_unit_test(neutral_values_are_whole_words),
		cmocka_unit_test(aliases_are_found_and_other_names_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
