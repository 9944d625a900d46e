/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/fact.h"
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void keys_are_sorted_and_unique(void **state)
{
	(void)state;
	for (size_t i = 1; hl_fact_key_at(i); i++) {
		const char *before = hl_fact_key_at(i - 1)->key;
		const char *key = hl_fact_key_at(i)->key;

		if (strcmp(before, key) >= 0)
			fail_msg("%s must stand before %s", key, before);
	}
}

static bool is_word(const char *text, size_t len)
{
	if (!len || !islower((unsigned char)text[0]))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!islower((unsigned char)text[i]) && !isdigit((unsigned char)text[i]) &&
		    text[i] != '_')
			return false;
	}
	return true;
}

static void keys_are_layer_dot_attribute(void **state)
{
	(void)state;
	for (size_t i = 0; hl_fact_key_at(i); i++) {
		const char *key = hl_fact_key_at(i)->key;
		size_t layer = strcspn(key, ".");

		if (!is_word(key, layer) || key[layer] != '.' ||
		    !is_word(key + layer + 1, strlen(key + layer + 1)))
			fail_msg("%s", key);
	}
}

static void every_key_has_a_label(void **state)
{
	(void)state;
	for (size_t i = 0; hl_fact_key_at(i); i++) {
		const struct hl_fact_key *row = hl_fact_key_at(i);

		assert_true(row->label && strlen(row->label) > 1);
		assert_true(!row->unit || *row->unit);
	}
}

static void every_key_is_found_and_no_other(void **state)
{
	(void)state;
	for (size_t i = 0; hl_fact_key_at(i); i++)
		assert_ptr_equal(hl_fact_key_at(i), hl_fact_key_find(hl_fact_key_at(i)->key));
	assert_null(hl_fact_key_find("pcie"));
	assert_null(hl_fact_key_find(""));
	assert_null(hl_fact_key_find("pcie.widths"));
	assert_null(hl_fact_key_find("zzz.zzz"));
	assert_string_equal("GT/s", hl_fact_key_find("pcie.speed_gts")->unit);
	assert_null(hl_fact_key_at(SIZE_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_sorted_and_unique),
		cmocka_unit_test(keys_are_layer_dot_attribute),
		cmocka_unit_test(every_key_has_a_label),
		cmocka_unit_test(every_key_is_found_and_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
