/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/capture.h"
#include "hoploss/probe.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What was kept last. */
struct kept {
	struct hl_capture_sink sink;
	unsigned nr;
	char name[64], node[64], text[256];
};

static int keep(struct hl_capture_sink *sink, const struct hl_record *record)
{
	struct kept *kept = (struct kept *)sink;

	kept->nr++;
	assert_int_equal(HL_RECORD_KEPT, record->kind);
	assert_true(record->len < sizeof(kept->text));
	snprintf(kept->name, sizeof(kept->name), "%s", record->path);
	snprintf(kept->node, sizeof(kept->node), "%s", record->node ? record->node : "-");
	memcpy(kept->text, record->bytes, record->len);
	kept->text[record->len] = '\0';
	return 0;
}

static int run(struct kept *kept, const char *node, const char *script, struct hl_error *err)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	struct hl_capture capture = { .sink = &kept->sink };

	*kept = (struct kept){ .sink.put = keep };
	return hl_capture_command(&capture, "tool.txt", node, argv, err);
}

static void what_a_tool_prints_is_kept(void **state)
{
	struct hl_error err;
	struct kept kept;

	(void)state;
	assert_int_equal(0, run(&kept, "nvme0", "echo one; echo two >&2", &err));
	assert_string_equal("tool.txt", kept.name);
	assert_string_equal("nvme0", kept.node);
	assert_string_equal("one\n", kept.text);
	assert_int_equal(0, run(&kept, NULL, "echo $LC_ALL ${LANGUAGE-none}", &err));
	assert_string_equal("-", kept.node);
	assert_string_equal("C none\n", kept.text);
}

static void a_tool_that_prints_nothing_keeps_nothing(void **state)
{
	struct kept kept;

	(void)state;
	assert_int_equal(0, run(&kept, NULL, "true", NULL));
	assert_int_equal(0, kept.nr);
}

static void nothing_stands_on_the_stdin_of_a_tool(void **state)
{
	struct kept kept;

	(void)state;
	assert_int_equal(0, run(&kept, NULL, "cat; echo end", NULL));
	assert_string_equal("end\n", kept.text);
}

static void tools_of_the_administrator_are_found(void **state)
{
	HL_FREE char *path = hl_strdup(getenv("PATH"));
	struct kept kept;

	(void)state;
	setenv("PATH", "/nowhere:/bin", 1);
	assert_int_equal(0, run(&kept, NULL, "echo $PATH", NULL));
	assert_string_equal("/nowhere:/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:"
			    "/sbin:/bin\n",
			    kept.text);
	setenv("PATH", path, 1);
}

static void a_tool_that_is_not_there_is_said_so(void **state)
{
	const char *const argv[] = { "hoploss-no-such-tool", NULL };
	struct kept kept = { .sink.put = keep };
	struct hl_capture capture = { .sink = &kept.sink };
	struct hl_error err;

	(void)state;
	assert_int_equal(-ENOENT, hl_capture_command(&capture, "x", NULL, argv, &err));
	assert_string_equal("hoploss-no-such-tool: not installed", err.text);
	assert_int_equal(0, kept.nr);
}

static void a_tool_that_fails_has_its_last_words(void **state)
{
	struct hl_error err;
	struct kept kept;

	(void)state;
	assert_int_equal(-EIO,
			 run(&kept, NULL, "echo half; printf 'a\\nno pool\\n' >&2; exit 3", &err));
	assert_string_equal("sh ended with code 3: no pool", err.text);
	assert_string_equal("half\n", kept.text);
	assert_int_equal(-EACCES,
			 run(&kept, NULL, "echo /dev/zfs: Permission denied >&2; exit 1", &err));
	assert_string_equal("sh ended with code 1: /dev/zfs: Permission denied", err.text);
	assert_int_equal(-EIO, run(&kept, NULL, "kill -9 $$", &err));
	assert_string_equal("sh was ended by signal 9", err.text);
}

static void a_tool_without_an_end_is_stopped(void **state)
{
	struct hl_error err;
	struct kept kept;

	(void)state;
	assert_int_equal(-EFBIG, run(&kept, NULL, "exec cat /dev/zero", &err));
	assert_int_equal(0, kept.nr);
}

static void output_that_is_asked_for_is_given_even_of_a_tool_that_fails(void **state)
{
	static const char *const argv[] = { "sh", "-c", "echo one; exit 3", NULL };
	static const char *const missing[] = { "hoploss-no-such-tool", NULL };
	HL_FREE char *bytes = NULL;
	HL_FREE char *none = NULL;
	size_t len;

	(void)state;
	assert_int_equal(-EIO, hl_capture_output(argv, &bytes, &len, NULL));
	assert_int_equal(4, len);
	assert_string_equal("one\n", bytes);
	assert_int_equal(-ENOENT, hl_capture_output(missing, &none, &len, NULL));
	assert_null(none);
}

static void probes_are_found_by_name(void **state)
{
	(void)state;
	for (size_t i = 0; hl_probes[i]; i++) {
		assert_ptr_equal(hl_probes[i], hl_probe_find(hl_probes[i]->name));
		assert_non_null(hl_probes[i]->acquire);
		assert_true(strlen(hl_probes[i]->summary) < 70);
	}
	assert_non_null(hl_probe_find("system"));
	assert_null(hl_probe_find("systen"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_tool_prints_is_kept),
		cmocka_unit_test(a_tool_that_prints_nothing_keeps_nothing),
		cmocka_unit_test(nothing_stands_on_the_stdin_of_a_tool),
		cmocka_unit_test(tools_of_the_administrator_are_found),
		cmocka_unit_test(a_tool_that_is_not_there_is_said_so),
		cmocka_unit_test(a_tool_that_fails_has_its_last_words),
		cmocka_unit_test(a_tool_without_an_end_is_stopped),
		cmocka_unit_test(output_that_is_asked_for_is_given_even_of_a_tool_that_fails),
		cmocka_unit_test(probes_are_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
