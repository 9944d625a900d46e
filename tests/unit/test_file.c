/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char scratch[] = "/tmp/hoploss-test-XXXXXX";

static int make_scratch(void **state)
{
	(void)state;
	return mkdtemp(scratch) && chdir(scratch) == 0 ? 0 : -1;
}

static int remove_scratch(void **state)
{
	HL_FREE char *command = hl_printf("rm -rf %s", scratch);

	(void)state;
	return chdir("/") == 0 ? system(command) : -1;
}

static void what_is_written_is_read_back(void **state)
{
	static const size_t sizes[] = { 0, 1, 8191, 8192, 8193, 100000 };
	HL_FREE char *data = hl_alloc(100000);

	(void)state;
	for (size_t i = 0; i < 100000; i++)
		data[i] = (char)i;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		HL_FREE char *bytes = NULL;
		size_t len;

		assert_int_equal(0, hl_file_write_at(AT_FDCWD, "f", data, sizes[i], i % 2));
		assert_int_equal(0, hl_file_read_at(AT_FDCWD, "f", 100000, &bytes, &len));
		assert_int_equal(sizes[i], len);
		assert_memory_equal(data, bytes, len);
		assert_int_equal(0, bytes[len]);
	}
}

/* Nothing can be made in /proc, and it is another file system. */
static void a_path_is_written_from_anywhere(void **state)
{
	HL_FREE char *path = hl_printf("%s/f", scratch);
	HL_FREE char *bytes = NULL;
	size_t len;

	(void)state;
	assert_int_equal(0, chdir("/proc"));
	assert_int_equal(0, hl_file_write_at(AT_FDCWD, path, "here", 4, true));
	assert_int_equal(0, chdir(scratch));
	assert_int_equal(0, hl_file_read_at(AT_FDCWD, "f", 100, &bytes, &len));
	assert_string_equal("here", bytes);
}

static void files_of_proc_are_read_to_their_end(void **state)
{
	HL_CLOSE int fd = open("/proc/self/status", O_RDONLY);
	HL_FREE char *bytes = NULL;
	size_t len;

	(void)state;
	assert_int_equal(0, hl_file_read_fd(fd, 100000, &bytes, &len));
	assert_int_equal(strlen(bytes), len);
	assert_non_null(strstr(bytes, "Threads:"));
}

static void a_file_over_the_limit_is_refused(void **state)
{
	HL_FREE char *bytes = NULL;
	size_t len = 4711;

	(void)state;
	assert_int_equal(0, hl_file_write_at(AT_FDCWD, "f", "12345", 5, false));
	assert_int_equal(-EFBIG, hl_file_read_at(AT_FDCWD, "f", 4, &bytes, &len));
	assert_null(bytes);
	assert_int_equal(4711, len);
	assert_int_equal(0, hl_file_read_at(AT_FDCWD, "f", 5, &bytes, &len));
}

static void links_pipes_and_directories_are_refused(void **state)
{
	char *bytes = NULL;
	size_t len;

	(void)state;
	assert_int_equal(0, symlink("/etc/passwd", "link"));
	assert_int_equal(0, mkfifo("pipe", 0600));
	assert_int_equal(0, mkdir("dir", 0700));
	assert_int_equal(-ELOOP, hl_file_read_at(AT_FDCWD, "link", 99999, &bytes, &len));
	assert_int_equal(-EINVAL, hl_file_read_at(AT_FDCWD, "pipe", 99999, &bytes, &len));
	assert_int_equal(-EINVAL, hl_file_read_at(AT_FDCWD, "dir", 99999, &bytes, &len));
	assert_int_equal(-ENOENT, hl_file_read_at(AT_FDCWD, "none", 99999, &bytes, &len));
	assert_null(bytes);
}

static void writing_replaces_a_link_and_not_its_target(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(0, hl_file_write_at(AT_FDCWD, "target", "old", 3, false));
	assert_int_equal(0, symlink("target", "name"));
	assert_int_equal(0, hl_file_write_at(AT_FDCWD, "name", "newer", 5, false));
	assert_int_equal(0, lstat("name", &st));
	assert_true(S_ISREG(st.st_mode) && st.st_size == 5);
	assert_int_equal(0, stat("target", &st));
	assert_int_equal(3, st.st_size);
}

static void a_failed_write_leaves_the_old_file_and_nothing_else(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(0, mkdir("d", 0700));
	assert_int_equal(-EISDIR, hl_file_write_at(AT_FDCWD, "d", "x", 1, false));
	assert_int_equal(0, stat("d", &st));
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(0, system("test -z \"$(ls -A | grep tmp)\""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_back),
		cmocka_unit_test(a_path_is_written_from_anywhere),
		cmocka_unit_test(files_of_proc_are_read_to_their_end),
		cmocka_unit_test(a_file_over_the_limit_is_refused),
		cmocka_unit_test(links_pipes_and_directories_are_refused),
		cmocka_unit_test(writing_replaces_a_link_and_not_its_target),
		cmocka_unit_test(a_failed_write_leaves_the_old_file_and_nothing_else),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
