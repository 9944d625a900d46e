/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/fill.h"
#include "hoploss/mark.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SMALL (9u << 20)
#define LARGE ((21u << 20) + 4096)

/* Files stand for drives: what is tested here comes after the gate. */
static struct hl_fill_drive open_file(const char *path, uint64_t size)
{
	struct hl_fill_drive drive = { .path = path, .from = HL_MARK_AREA, .size = size };
	FILE *file = fopen(path, "w+");

	assert_non_null(file);
	drive.fd = dup(fileno(file));
	fclose(file);
	assert_int_equal(0, ftruncate(drive.fd, (off_t)size));
	return drive;
}

static void fill(struct hl_fill_drive *drives, unsigned nr, bool writes, uint64_t seed)
{
	uint64_t at = HL_MARK_AREA;
	struct hl_error err;

	if (hl_fill_pass(drives, nr, writes, seed, &at, NULL, NULL, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(LARGE, at);
}

static void all_of_both_is_written_and_reads_back(void **state)
{
	struct hl_fill_drive drives[] = { open_file("small", SMALL), open_file("large", LARGE) };
	char area[4096], none[4096] = { 0 };

	(void)state;
	fill(drives, 2, true, 7);
	fill(drives, 2, false, 7);
	assert_string_equal("", drives[0].failure);
	assert_string_equal("", drives[1].failure);
	assert_true(drives[0].bytes == SMALL - HL_MARK_AREA);
	assert_true(drives[1].bytes == LARGE - HL_MARK_AREA);
	/* the mark's area is never touched, and the last block is */
	assert_int_equal(4096, pread(drives[0].fd, area, 4096, HL_MARK_AREA - 4096));
	assert_memory_equal(none, area, 4096);
	assert_int_equal(4096, pread(drives[1].fd, area, 4096, LARGE - 4096));
	assert_memory_not_equal(none, area, 4096);
	for (int i = 0; i < 2; i++)
		hl_fill_close(&drives[i]);
}

/* What a drive that claims too much does: it wraps. */
static void copy_block(int fd, off_t from, off_t to)
{
	char block[4096];

	assert_int_equal(4096, pread(fd, block, 4096, from));
	assert_int_equal(4096, pwrite(fd, block, 4096, to));
}

static void a_wrong_byte_is_named_and_the_other_drive_goes_on(void **state)
{
	struct hl_fill_drive drives[] = { open_file("well", SMALL), open_file("wraps", LARGE) };

	(void)state;
	fill(drives, 2, true, 7);
	copy_block(drives[1].fd, 2 << 20, 12 << 20);
	fill(drives, 2, false, 7);
	assert_string_equal("", drives[0].failure);
	assert_true(drives[0].bytes == SMALL - HL_MARK_AREA);
	if (!strstr(drives[1].failure, "wraps: byte 12582"))
		fail_msg("%s", drives[1].failure);
	for (int i = 0; i < 2; i++)
		hl_fill_close(&drives[i]);
}

static void another_seed_does_not_read_back(void **state)
{
	struct hl_fill_drive drive = open_file("seed", LARGE);

	(void)state;
	fill(&drive, 1, true, 7);
	fill(&drive, 1, false, 8);
	assert_non_null(strstr(drive.failure, "is not what was written"));
	hl_fill_close(&drive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_both_is_written_and_reads_back),
		cmocka_unit_test(a_wrong_byte_is_named_and_the_other_drive_goes_on),
		cmocka_unit_test(another_seed_does_not_read_back),
	};
	char dir[] = "/tmp/hoploss-fill-XXXXXX";

	if (!mkdtemp(dir) || chdir(dir) < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
