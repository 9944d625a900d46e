/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/mark.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIZE ((uint64_t)64 << 20)

static char *area_of(struct hl_mark *mark)
{
	char *area = hl_alloc(HL_MARK_AREA);

	assert_int_equal(hl_mark_new(SIZE, mark, NULL), 0);
	hl_mark_write(mark, area);
	return area;
}

static void a_mark_is_read_back(void **unused)
{
	struct hl_mark mark, back;
	HL_FREE char *area = area_of(&mark);

	(void)unused;
	assert_int_equal(hl_mark_read(area, SIZE, &back, NULL), 0);
	assert_string_equal(back.uuid, mark.uuid);
	assert_string_equal(back.date, mark.date);
	assert_true(back.size == SIZE);
}

static void no_byte_of_the_area_may_differ(void **unused)
{
	struct hl_mark mark, back;
	HL_FREE char *area = area_of(&mark);
	struct hl_error err;

	(void)unused;
	for (size_t at = 0; at < HL_MARK_AREA; at += 9973) {
		area[at] ^= 1;
		assert_int_equal(hl_mark_read(area, SIZE, &back, &err), -ENOMSG);
		area[at] ^= 1;
	}
	area[HL_MARK_AREA - 1] ^= 1;
	assert_int_equal(hl_mark_read(area, SIZE, &back, &err), -ENOMSG);
	assert_non_null(strstr(err.text, "overwritten in part"));
}

static void a_mark_of_another_size_is_a_copy(void **unused)
{
	struct hl_mark mark, back;
	HL_FREE char *area = area_of(&mark);
	struct hl_error err;

	(void)unused;
	assert_int_equal(hl_mark_read(area, SIZE + 512, &back, &err), -ENOMSG);
	assert_non_null(strstr(err.text, "is of a target of 67108864 bytes"));
}

static void zeros_and_garbage_are_no_mark(void **unused)
{
	static const char magic[25] = "hoploss scratch target/1\n"; /* without its NUL */
	HL_FREE char *area = hl_alloc(HL_MARK_AREA);
	struct hl_mark back;

	(void)unused;
	assert_int_equal(hl_mark_read(area, SIZE, &back, NULL), -ENOMSG);
	memset(area, 0xff, HL_MARK_AREA);
	assert_int_equal(hl_mark_read(area, SIZE, &back, NULL), -ENOMSG);
	/* a magic without anything behind it, up to the end of the block */
	memset(area, 'x', HL_MARK_AREA);
	memcpy(area, magic, sizeof(magic));
	assert_int_equal(hl_mark_read(area, SIZE, &back, NULL), -ENOMSG);
}

static void no_two_marks_are_the_same(void **unused)
{
	struct hl_mark a, b;
	HL_FREE char *first = area_of(&a), *second = area_of(&b);

	(void)unused;
	assert_string_not_equal(a.uuid, b.uuid);
	assert_memory_not_equal(first, second, 4096);
	/* nor two blocks of one */
	assert_memory_not_equal(first, first + 4096, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mark_is_read_back),
		cmocka_unit_test(no_byte_of_the_area_may_differ),
		cmocka_unit_test(a_mark_of_another_size_is_a_copy),
		cmocka_unit_test(zeros_and_garbage_are_no_mark),
		cmocka_unit_test(no_two_marks_are_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
