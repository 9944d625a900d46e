/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What libblkid finds in images made here.
 */
#include "hoploss/alloc.h"
#include "hoploss/signature.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define SIZE (1 << 20)

/* The header of swap space: magic at the end of the first page, version 1, its last page, a label.
 */
static void put_swap(int fd, const char *label)
{
	const uint32_t numbers[] = { 1, SIZE / 4096 - 1 };

	assert_int_equal(pwrite(fd, numbers, sizeof(numbers), 1024), sizeof(numbers));
	assert_int_equal(pwrite(fd, label, strlen(label), 1052), strlen(label));
	assert_int_equal(pwrite(fd, "SWAPSPACE2", 10, 4096 - 10), 10);
}

static int image(void)
{
	int fd = memfd_create("image", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, SIZE), 0);
	return fd;
}

static void zeros_have_no_signature(void **state)
{
	HL_CLOSE int fd = image();
	char name[64] = "untouched";

	(void)state;
	assert_int_equal(hl_signature_find(fd, name, sizeof(name), NULL), 0);
	assert_string_equal(name, "untouched");
}

static void a_signature_is_told_by_its_type(void **state)
{
	HL_CLOSE int fd = image();
	char name[64];

	(void)state;
	put_swap(fd, "");
	assert_int_equal(hl_signature_find(fd, name, sizeof(name), NULL), 1);
	assert_string_equal(name, "swap");
}

static void its_label_says_whose_it_is(void **state)
{
	HL_CLOSE int fd = image();
	char name[64];

	(void)state;
	put_swap(fd, "pit");
	assert_int_equal(hl_signature_find(fd, name, sizeof(name), NULL), 1);
	assert_string_equal(name, "swap \"pit\"");
}

static void a_long_label_is_cut(void **state)
{
	HL_CLOSE int fd = image();
	char name[10];

	(void)state;
	put_swap(fd, "fifteen letters");
	assert_int_equal(hl_signature_find(fd, name, sizeof(name), NULL), 1);
	assert_string_equal(name, "swap \"fif");
}

static void what_cannot_be_read_is_an_error(void **state)
{
	int ends[2];
	char name[64];
	struct hl_error err;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_true(hl_signature_find(ends[0], name, sizeof(name), &err) < 0);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zeros_have_no_signature),
		cmocka_unit_test(a_signature_is_told_by_its_type),
		cmocka_unit_test(its_label_says_whose_it_is),
		cmocka_unit_test(a_long_label_is_cut),
		cmocka_unit_test(what_cannot_be_read_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
