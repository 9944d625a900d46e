/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words, job files and command lines become one set of workloads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/workset.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hl_arena *arena; /* of the test that runs */
static char dir[256];          /* has jobs.fio */

static int setup(void **unused)
{
	HL_FREE char *path = NULL;
	FILE *file;

	(void)unused;
	arena = hl_arena_new();
	snprintf(dir, sizeof(dir), "%s/workset-XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(dir))
		return -1;
	path = hl_printf("%s/jobs.fio", dir);
	file = fopen(path, "w");
	if (!file)
		return -1;
	fputs("[mine]\nrw=randread\nbs=8k\nfilename=/dev/x\nthread\n[out]\nrw=write\n", file);
	return fclose(file);
}

static int teardown(void **unused)
{
	HL_FREE char *path = hl_printf("%s/jobs.fio", dir);

	(void)unused;
	hl_arena_free(arena);
	remove(path);
	return remove(dir);
}

static int choose(const char *words, struct hl_workset *set, struct hl_error *err)
{
	HL_FREE char *file = hl_printf("%s/path.conf", dir);
	const struct hl_workset_request request = { .words = words, .file = file };

	return hl_workset_choose(arena, &request, set, err);
}

static void must_fail(const char *words, const char *saying)
{
	struct hl_workset set;
	struct hl_error err = { 0 };

	assert_int_equal(choose(words, &set, &err), -EINVAL);
	if (!strstr(err.text, saying))
		fail_msg("\"%s\" does not say \"%s\"", err.text, saying);
}

static void words_name_jobs_suites_and_files_beside_the_path(void **unused)
{
	struct hl_workset set;
	struct hl_error err;

	(void)unused;
	if (choose("rand-read-4k @jobs.fio nas rand-read-4k", &set, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(set.nr_jobs, 4);
	assert_string_equal(set.jobs[1].name, "mine");
	assert_true(set.jobs[1].bs == 8192);
	assert_int_equal(set.nr_writing, 3);
	assert_string_equal(set.writing[0], "out");
	assert_string_equal(set.filenames[0], "/dev/x");
	assert_string_equal(set.notes[0], "options of fio without effect here: thread");
}

static void no_words_are_the_default(void **unused)
{
	struct hl_workset set;

	(void)unused;
	assert_int_equal(choose(NULL, &set, NULL), 0);
	assert_int_equal(set.nr_jobs, 3);
}

static void a_command_line_stands_for_words(void **unused)
{
	const char *const line[] = { "fio", "-name=a", "-rw=randrw", "--name=b" };
	const struct hl_workset_request request = { .words = "basic", .line = line, .nr_line = 4 };
	struct hl_workset set;

	(void)unused;
	assert_int_equal(hl_workset_choose(arena, &request, &set, NULL), 0);
	assert_int_equal(set.nr_jobs, 1);
	assert_string_equal(set.jobs[0].name, "b");
	assert_string_equal(set.writing[0], "a");
}

static void mistakes_are_named(void **unused)
{
	(void)unused;
	must_fail("rand-raed-4k", "did you mean rand-read-4k");
	must_fail("@jobs.fio @jobs.fio", "two jobs are called \"mine\"");
	must_fail("seq-write-128k", "only reads");
	must_fail("@", "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(words_name_jobs_suites_and_files_beside_the_path),
		TEST(no_words_are_the_default),
		TEST(a_command_line_stands_for_words),
		TEST(mistakes_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
