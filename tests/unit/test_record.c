/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include "hoploss/record.h"
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
	return mkdtemp(scratch) && chdir(scratch) == 0
		       ? system("mkdir outside; ln -s outside linked")
		       : -1;
}

static int remove_scratch(void **state)
{
	HL_FREE char *command = hl_printf("rm -rf %s", scratch);

	(void)state;
	return chdir("/") == 0 ? system(command) : -1;
}

static int put(struct hl_capture_sink *sink, enum hl_record_kind kind, const char *path,
	       const char *text)
{
	const struct hl_record record = {
		.kind = kind, .path = path, .bytes = text, .len = strlen(text)
	};

	return sink->put(sink, &record);
}

static void check_file(const char *path, const char *expected)
{
	HL_FREE char *bytes = NULL;
	size_t len;

	assert_int_equal(0, hl_file_read_at(AT_FDCWD, path, 1000, &bytes, &len));
	assert_string_equal(expected, bytes);
}

static void files_links_and_listings_stand_below_the_root(void **state)
{
	struct hl_capture_sink *sink = hl_record_dir_open("deep/made/root", "deep/kept");
	char target[64] = "";

	(void)state;
	assert_int_equal(0, put(sink, HL_RECORD_FILE, "sys/block/sda/size", "8\n"));
	assert_int_equal(0, put(sink, HL_RECORD_FILE, "sys/block/sda/size", "16\n"));
	assert_int_equal(0, put(sink, HL_RECORD_LINK, "sys/class", "block"));
	assert_int_equal(0, put(sink, HL_RECORD_LINK, "sys/class", "block"));
	assert_int_equal(0, put(sink, HL_RECORD_LISTING, "sys/block", "sda\nsdb\n"));
	assert_int_equal(0, put(sink, HL_RECORD_LISTING, ".", "sys\n"));
	check_file("deep/made/root/sys/block/sda/size", "16\n");
	check_file("deep/made/root/sys/block/.listing", "sda\nsdb\n");
	check_file("deep/made/root/.listing", "sys\n");
	assert_int_equal(5, readlink("deep/made/root/sys/class", target, sizeof(target) - 1));
	assert_string_equal("block", target);
	hl_record_sink_close(sink);
}

static void kept_texts_stand_below_what_they_are_about(void **state)
{
	struct hl_capture_sink *sink = hl_record_dir_open(NULL, "kept");
	struct hl_record record = { .kind = HL_RECORD_KEPT, .bytes = "{}", .len = 2 };

	(void)state;
	record.path = "lspci.txt";
	assert_int_equal(0, sink->put(sink, &record));
	record.path = "smart.json";
	record.node = "nvme0";
	assert_int_equal(0, sink->put(sink, &record));
	record.node = "../../a b";
	assert_int_equal(0, sink->put(sink, &record));
	check_file("kept/lspci.txt", "{}");
	check_file("kept/nvme0/smart.json", "{}");
	check_file("kept/%2E.%2F..%2Fa%20b/smart.json", "{}");
	assert_int_equal(-ENOENT, put(sink, HL_RECORD_FILE, "sys/size", "8\n"));
	hl_record_sink_close(sink);
}

/* As a hostile machine would send them. */
static void no_record_is_written_outside(void **state)
{
	struct hl_capture_sink *sink = hl_record_dir_open("hostile", NULL);

	(void)state;
	assert_int_equal(0, put(sink, HL_RECORD_LINK, "etc", "../outside"));
	assert_int_equal(-ENOTDIR, put(sink, HL_RECORD_FILE, "etc/passwd", "x"));
	assert_int_equal(-ENOTDIR, put(sink, HL_RECORD_LISTING, "etc", "x"));
	assert_int_equal(-EINVAL, put(sink, HL_RECORD_FILE, "../outside/passwd", "x"));
	assert_int_equal(-EINVAL, put(sink, HL_RECORD_FILE, "a/../../outside/passwd", "x"));
	assert_int_equal(-EINVAL, put(sink, HL_RECORD_LISTING, "..", "x"));
	assert_int_equal(-EINVAL, put(sink, HL_RECORD_FILE, "", "x"));
	assert_int_equal(-EINVAL, put(sink, HL_RECORD_FILE, "a/", "x"));
	assert_int_equal(0, put(sink, HL_RECORD_FILE, "/b", "x"));
	check_file("hostile/b", "x");
	assert_int_equal(0, put(sink, HL_RECORD_LINK, "out", "../outside/made"));
	assert_int_equal(0, put(sink, HL_RECORD_FILE, "out", "x"));
	assert_int_equal(-1, access("outside/made", F_OK));
	assert_int_equal(0, rmdir("outside"));
	hl_record_sink_close(sink);
}

static void names_come_back_as_words(void **state)
{
	static const char *const words[] = { "nvme0",
					     "tank/vol",
					     ".",
					     "..",
					     "a b%2F",
					     "\303\244",
					     "iqn.2005-10.org:x@10.0.0.1:3260" };
	char *word = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		HL_FREE char *name = hl_record_name(words[i]);
		HL_FREE char *back = NULL;

		assert_null(strchr(name, '/'));
		assert_int_not_equal('.', *name);
		assert_int_equal(0, hl_record_word(name, &back));
		assert_string_equal(words[i], back);
	}
	assert_int_equal(-EINVAL, hl_record_word("", &word));
	assert_int_equal(-EINVAL, hl_record_word("a%2", &word));
	assert_int_equal(-EINVAL, hl_record_word("a%00", &word));
	assert_int_equal(-EINVAL, hl_record_word("a%zz", &word));
	assert_null(word);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_links_and_listings_stand_below_the_root),
		cmocka_unit_test(kept_texts_stand_below_what_they_are_about),
		cmocka_unit_test(no_record_is_written_outside),
		cmocka_unit_test(names_come_back_as_words),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
