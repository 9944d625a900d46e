/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/cpulist.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct hl_cpulist list_of(const char *text)
{
	struct hl_cpulist list = { 0 };

	assert_int_equal(0, hl_cpulist_read(text, &list));
	return list;
}

static void lists_of_kernel_and_hypervisor_are_read(void **state)
{
	static const struct {
		const char *text;
		unsigned nr, in, out;
	} cases[] = {
		{ "0", 1, 0, 1 },          { "0-3,8", 5, 8, 4 },  { "0-3,8\n", 5, 3, 7 },
		{ "0-7,^2", 7, 7, 2 },     { "4 6", 2, 6, 5 },    { "2,2,2", 1, 2, 0 },
		{ "4095", 1, 4095, 4096 }, { "0-1,^0", 1, 1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hl_cpulist list = list_of(cases[i].text);

		assert_int_equal(cases[i].nr, list.nr);
		assert_true(hl_cpulist_has(&list, cases[i].in));
		assert_false(hl_cpulist_has(&list, cases[i].out));
	}
}

static void what_is_no_list_is_refused(void **state)
{
	static const char *const cases[] = { "",     " ",  "a",    "1-",   "-1", "3-1",
					     "4096", "^1", "0-1x", "1--2", "0,x" };
	struct hl_cpulist list = { .nr = 7 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(-EINVAL, hl_cpulist_read(cases[i], &list));
	assert_int_equal(7, list.nr);
}

static void lists_are_compared(void **state)
{
	struct hl_cpulist first = list_of("0-31"), last = list_of("32-63");
	struct hl_cpulist middle = list_of("31,32");

	(void)state;
	assert_false(hl_cpulist_meets(&first, &last));
	assert_true(hl_cpulist_meets(&first, &middle));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_kernel_and_hypervisor_are_read),
		cmocka_unit_test(what_is_no_list_is_refused),
		cmocka_unit_test(lists_are_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
