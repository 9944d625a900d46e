/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Purchase lists in the forms that people and their spreadsheets write.
 */
#include "hoploss/acceptance.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

static const char *read_one(struct hl_arena *arena, const char *text, struct hl_purchase *ret)
{
	struct hl_purchase *purchases;
	struct hl_error err;
	size_t nr;

	if (hl_purchases_read("l", text, strlen(text), arena, &purchases, &nr, &err) < 0)
		return hl_arena_strdup(arena, err.text);
	*ret = purchases[0];
	return NULL;
}

static void each_form_says_serial_model_capacity_and_firmware(void **state)
{
	static const char *const forms[] = {
		"serial,model,capacity,firmware\nS1A,MZ 7,7.68TB,FW1\n",
		"\xef\xbb\xbfSerial Number,Model,Capacity,Firmware\r\nS1A,MZ 7,7.68TB,FW1\r\n",
		"\"Seriennummer\";\"Modell\";\"Kapazit\xc3\xa4t\";\"FW\"\nS1A;MZ 7;7,68 TB;FW1\n",
		"Firmware\tCapacity\tSerial\tModel\nFW1\t7680000000000\tS1A\tMZ 7\n",
		"S1A,MZ 7,7.68TB,FW1\n",
		"S1A;MZ 7;7,68 TB;FW1\n",
		"S1A,MZ 7,\"7,680,000,000,000\",FW1,99.00\n",
		"=\"S1A\",'MZ 7,7.68TB,FW1\n",
	};
	struct hl_arena *arena = hl_arena_new();

	(void)state;
	for (size_t i = 0; i < NR(forms); i++) {
		struct hl_purchase got = { 0 };
		const char *fault = read_one(arena, forms[i], &got);

		if (fault)
			fail_msg("%s: %s", forms[i], fault);
		assert_string_equal("S1A", got.serial);
		assert_string_equal("MZ 7", got.model);
		assert_string_equal("FW1", got.firmware);
		assert_true(fabs(got.capacity - 7.68e12) < 1);
	}
	hl_arena_free(arena);
}

static void a_serial_number_that_begins_like_a_title_is_none(void **state)
{
	struct hl_arena *arena = hl_arena_new();
	struct hl_purchase got = { 0 };

	(void)state;
	assert_null(read_one(arena, "SERIAL000000\n", &got));
	assert_string_equal("SERIAL000000", got.serial);
	hl_arena_free(arena);
}

static void what_cannot_be_read_is_said_with_its_line(void **state)
{
	static const struct {
		const char *text, *says;
	} lists[] = {
		{ "S1,\"open,7.68TB\n", "l:1: a quote is not closed" },
		{ "model,firmware\nA,B\n", "l:1: no column is called serial" },
		{ "S1,MZ 7,lots\n", "l:1: capacity \"lots\"" },
		{ "\xff\xfes", "UTF-16" },
	};
	struct hl_arena *arena = hl_arena_new();

	(void)state;
	for (size_t i = 0; i < NR(lists); i++) {
		struct hl_purchase got = { 0 };
		const char *fault = read_one(arena, lists[i].text, &got);

		assert_non_null(fault);
		if (!strstr(fault, lists[i].says))
			fail_msg("%s", fault);
	}
	hl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_says_serial_model_capacity_and_firmware),
		cmocka_unit_test(a_serial_number_that_begins_like_a_title_is_none),
		cmocka_unit_test(what_cannot_be_read_is_said_with_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
