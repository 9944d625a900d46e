/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/fact.h"
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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

/* One that stands twice, or not in its place in the order, is not found where it is. */
static void every_key_is_found_and_no_other(void **state)
{
	(void)state;
	for (size_t i = 0; hl_fact_key_at(i); i++) {
		const struct hl_fact_key *row = hl_fact_key_at(i);

		if (hl_fact_key_find(row->key) != row)
			fail_msg("%s stands twice, or in the wrong place", row->key);
	}
	assert_null(hl_fact_key_find("pcie"));
	assert_null(hl_fact_key_find(""));
	assert_null(hl_fact_key_find("pcie.widths"));
	assert_null(hl_fact_key_find("zzz.zzz"));
	assert_string_equal("GT/s", hl_fact_key_find("pcie.speed_gts")->unit);
	assert_null(hl_fact_key_at(SIZE_MAX));
}

static void only_counters_count(void **state)
{
	size_t nr = 0;

	(void)state;
	for (size_t i = 0; hl_fact_key_at(i); i++)
		nr += hl_fact_key_is_counter(hl_fact_key_at(i)->key);
	assert_in_range(nr, 20, 100);
	assert_true(hl_fact_key_is_counter("smart.media_errors"));
	assert_true(hl_fact_key_is_counter("vnic.tx_dropped"));
	assert_false(hl_fact_key_is_counter("smart.temperature_c"));
	assert_false(hl_fact_key_is_counter("smart.media_error"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_layer_dot_attribute),
		cmocka_unit_test(every_key_has_a_label),
		cmocka_unit_test(every_key_is_found_and_no_other),
		cmocka_unit_test(only_counters_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
