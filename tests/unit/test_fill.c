/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/fill_position.h"
#include "hoploss/mark.h"
#include <errno.h>
#include <math.h>
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

static void fill_all(struct hl_fill_drive *drives, unsigned nr, bool writes, uint64_t seed)
{
	struct hl_fill fill = {
		.drives = drives,
		.nr = nr,
		.writes = writes,
		.seed = seed,
		.at = HL_MARK_AREA,
	};
	struct hl_error err;

	for (unsigned i = 0; i < nr; i++)
		drives[i].bytes = drives[i].seconds = 0;
	if (hl_fill_pass(&fill, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(LARGE, fill.at);
}

static void all_of_both_is_written_and_reads_back(void **state)
{
	struct hl_fill_drive drives[] = { open_file("small", SMALL), open_file("large", LARGE) };
	char area[4096], none[4096] = { 0 };

	(void)state;
	fill_all(drives, 2, true, 7);
	fill_all(drives, 2, false, 7);
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
	fill_all(drives, 2, true, 7);
	copy_block(drives[1].fd, 2 << 20, 12 << 20);
	fill_all(drives, 2, false, 7);
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
	fill_all(&drive, 1, true, 7);
	fill_all(&drive, 1, false, 8);
	assert_non_null(strstr(drive.failure, "is not what was written"));
	hl_fill_close(&drive);
}

static int save_it(void *context, const struct hl_fill *fill, struct hl_error *err)
{
	struct hl_fill_position *position = context;

	position->at = fill->at;
	return hl_fill_position_save("position.json", position, fill->drives, fill->nr, err) < 0
		       ? -EIO
		       : hl_fail(err, ECANCELED, "killed");
}

/* After its first piece it is killed; another process, as it were, goes on. */
static void what_was_killed_goes_on_and_all_of_it_reads_back(void **state)
{
	struct hl_fill_drive drives[] = { open_file("small", SMALL), open_file("large", LARGE) };
	struct hl_fill_position position = { .seed = 7, .at = HL_MARK_AREA };
	struct hl_fill fill = { .drives = drives, .nr = 2, .writes = true, .seed = 7 };
	struct hl_error err;

	(void)state;
	drives[0].serial = "S1";
	drives[1].serial = "S2";
	fill.at = HL_MARK_AREA;
	fill.keep = save_it;
	fill.context = &position;
	assert_int_equal(-ECANCELED, hl_fill_pass(&fill, &err));
	drives[0].bytes = drives[1].bytes = -1;
	position = (struct hl_fill_position){ 0 };
	assert_int_equal(0, hl_fill_position_load("position.json", &position, drives, 2, &err));
	assert_int_equal(SMALL, position.at);
	assert_int_equal(7, position.seed);
	assert_true(drives[1].bytes == SMALL - HL_MARK_AREA);
	fill.at = position.at;
	fill.keep = NULL;
	assert_int_equal(0, hl_fill_pass(&fill, &err));
	assert_true(drives[1].bytes == LARGE - HL_MARK_AREA);
	fill_all(drives, 2, false, 7);
	assert_string_equal("", drives[0].failure);
	assert_string_equal("", drives[1].failure);
	for (int i = 0; i < 2; i++)
		hl_fill_close(&drives[i]);
}

static void a_position_may_be_on_another_file_system(void **state)
{
	struct hl_fill_drive drive = { .serial = "S1", .size = SMALL };
	struct hl_fill_position position = { .seed = 7, .at = HL_MARK_AREA }, back = { 0 };
	HL_FREE char *file = hl_printf("/dev/shm/hoploss-test-%d.json", (int)getpid());
	struct hl_error err;

	(void)state;
	if (access("/dev/shm", W_OK) < 0)
		skip();
	assert_int_equal(0, hl_fill_position_save(file, &position, &drive, 1, &err));
	assert_int_equal(0, hl_fill_position_load(file, &back, &drive, 1, &err));
	assert_true(back.seed == 7);
	unlink(file);
}

static void a_position_of_other_drives_or_a_broken_one_is_refused(void **state)
{
	struct hl_fill_drive drive = { .serial = "S1", .size = SMALL };
	struct hl_fill_position position = { .seed = 7, .at = HL_MARK_AREA, .pass = 2 };
	struct hl_fill_position back = { 0 };
	struct hl_error err;
	FILE *file;

	(void)state;
	assert_int_equal(-ENOENT, hl_fill_position_load("none.json", &back, &drive, 1, &err));
	assert_int_equal(0, hl_fill_position_save("p.json", &position, &drive, 1, &err));
	drive.serial = "S2";
	assert_int_equal(-ESTALE, hl_fill_position_load("p.json", &back, &drive, 1, &err));
	drive.serial = "S1";
	drive.size = LARGE;
	assert_int_equal(-ESTALE, hl_fill_position_load("p.json", &back, &drive, 1, &err));
	assert_int_equal(0, truncate("p.json", 40));
	assert_int_equal(-EBADMSG, hl_fill_position_load("p.json", &back, &drive, 1, &err));
	file = fopen("p.json", "w");
	fputs("{\"schema\": \"hoploss.fill/1\", \"seed\": 1, \"pass\": 0, \"at\": 5}", file);
	fclose(file);
	assert_int_equal(-EBADMSG, hl_fill_position_load("p.json", &back, &drive, 1, &err));
	assert_int_equal(0, back.pass);
}

static void rounds_are_of_a_drive_with_the_same_mark(void **state)
{
	struct hl_fill_drive drive = { .serial = "S1", .mark = "first", .size = SMALL };
	struct hl_fill_position position = { .seed = 7,
					     .at = HL_MARK_AREA,
					     .pass = 3,
					     .plan = "120 s",
					     .rounds = 4,
					     .samples = 20 };
	struct hl_fill_position back = { 0 };
	struct hl_error err;

	(void)state;
	assert_int_equal(0, hl_fill_position_save("m.json", &position, &drive, 1, &err));
	assert_int_equal(0, hl_fill_position_load("m.json", &back, &drive, 1, &err));
	assert_string_equal("120 s", back.plan);
	assert_int_equal(4, back.rounds);
	assert_int_equal(20, back.samples);
	assert_true(back.saved > 0);
	memcpy(drive.mark, "other", sizeof("other")); /* it was emptied and marked anew */
	assert_int_equal(-ESTALE, hl_fill_position_load("m.json", &back, &drive, 1, &err));
	assert_non_null(strstr(err.text, "was emptied since"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounds_are_of_a_drive_with_the_same_mark),
		cmocka_unit_test(what_was_killed_goes_on_and_all_of_it_reads_back),
		cmocka_unit_test(a_position_may_be_on_another_file_system),
		cmocka_unit_test(a_position_of_other_drives_or_a_broken_one_is_refused),
		cmocka_unit_test(all_of_both_is_written_and_reads_back),
		cmocka_unit_test(a_wrong_byte_is_named_and_the_other_drive_goes_on),
		cmocka_unit_test(another_seed_does_not_read_back),
	};
	char dir[] = "/tmp/hoploss-fill-XXXXXX";

	if (!mkdtemp(dir) || chdir(dir) < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
