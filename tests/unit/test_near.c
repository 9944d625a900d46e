/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A mistyped name finds the one that was meant, and nonsense finds none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/near.h"

static const char *const names[] = { "diagnose", "report",    "causes",
				     "specs",    "workloads", "ethernet-ceiling" };

static const char *hint_for(struct hl_near *near, const char *word)
{
	hl_near_start(near, word);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		hl_near_offer(near, names[i]);
	return hl_near_hint(near);
}

static void edits_are_counted(void **unused)
{
	static const struct {
		const char *a, *b;
		size_t distance;
	} cases[] = {
		{ "", "", 0 },
		{ "", "abc", 3 },
		{ "abc", "", 3 },
		{ "abc", "ABC", 0 },
		{ "abc", "acb", 1 },
		{ "kitten", "sitting", 3 },
		{ "specs", "specsx", 1 },
		{ "causes", "cause", 1 },
		{ "report", "rport", 1 },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(hl_near_distance(cases[i].a, cases[i].b), cases[i].distance);
}

static void the_name_that_was_meant_is_offered(void **unused)
{
	static const struct {
		const char *word, *hint;
	} cases[] = {
		{ "diagnoes", "; did you mean diagnose?" },
		{ "Report", "; did you mean report?" },
		{ "spces", "; did you mean specs?" },
		{ "ethernet", "; did you mean ethernet-ceiling?" },
		{ "xyzzy", "" },
		{ "s", "" },
		{ "", "" },
	};
	struct hl_near near;

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(hint_for(&near, cases[i].word), cases[i].hint);
}

static void the_nearest_of_many_come_first(void **unused)
{
	static const char *const many[] = { "abcdefgx", "abcdexxx", "abcdefgh", "abcdefxx", "zzz" };
	struct hl_near near;

	(void)unused;
	hl_near_start(&near, "abcdefgh");
	for (size_t i = 0; i < 5; i++)
		hl_near_offer(&near, many[i]);
	assert_string_equal(hl_near_hint(&near), "; did you mean abcdefgh, abcdefgx, abcdefxx?");
}

static void a_very_long_word_is_near_to_nothing(void **unused)
{
	char word[4096];
	struct hl_near near;

	(void)unused;
	for (size_t i = 0; i < sizeof(word) - 1; i++)
		word[i] = 'a';
	word[sizeof(word) - 1] = '\0';
	assert_int_equal(hl_near_distance(word, word), 0);
	assert_string_equal(hint_for(&near, word), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits_are_counted),
		cmocka_unit_test(the_name_that_was_meant_is_offered),
		cmocka_unit_test(the_nearest_of_many_come_first),
		cmocka_unit_test(a_very_long_word_is_near_to_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
