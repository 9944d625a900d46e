/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Self-tests by smartctl: a script stands for it and prints documents written by hand, as 7.3 and
 * 7.4 print them.
 */
#include "hoploss/file.h"
#include "hoploss/self_test.h"
#include "probe_tree.h"
#include <fcntl.h>

extern const struct hl_self_test_way hl_self_test_smartctl;

/* smartctl that notes its words, prints that with " for ', and ends with that code. */
static void make_smartctl(const char *prints, int code)
{
	HL_FREE char *path = hl_printf("%s/bin/smartctl", tree_dir);
	HL_FREE char *all = hl_strdup(prints);
	FILE *file;

	for (char *at = all; *at; at++)
		*at = *at == '\'' ? '"' : *at;
	mkdir("bin", 0755);
	unlink("words");
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\necho \"$*\" >>%s/words\ncat <<'END'\n%s\nEND\nexit %d\n",
		tree_dir, all, code);
	assert_int_equal(0, fclose(file));
	assert_int_equal(0, chmod(path, 0755));
}

static int look(const char *prints, int code, struct hl_self_test_look *ret, struct hl_error *err)
{
	make_smartctl(prints, code);
	return hl_self_test_smartctl.look(NULL, "/dev/sda", ret, err);
}

static void assert_words(const char *expected)
{
	HL_FREE char *bytes = NULL;
	size_t len;

	assert_int_equal(0, hl_file_read_at(AT_FDCWD, "words", 4096, &bytes, &len));
	assert_string_equal(expected, bytes);
}

#define ATA(status, table)                                                                         \
	"{ 'smartctl': { 'exit_status': 192 }, 'device': { 'protocol': 'ATA' },\n"                 \
	"'ata_smart_data': { 'self_test': { 'status': " status ",\n"                               \
	"'polling_minutes': { 'short': 2, 'extended': 584 } },\n"                                  \
	"'capabilities': { 'self_tests_supported': true } },\n"                                    \
	"'ata_smart_self_test_log': { 'extended': { 'table': [ " table " ] } } }"

#define IDLE "{ 'value': 0, 'string': 'completed without error', 'passed': true }"
#define PASSED                                                                                     \
	"{ 'type': { 'value': 1, 'string': 'Short offline' }, 'status': { 'value': 0, 'string':\n" \
	"'Completed without error', 'passed': true }, 'lifetime_hours': 77 }"
#define FAILED                                                                                     \
	"{ 'type': { 'value': 2, 'string': 'Extended offline' }, 'status': { 'value': 121,\n"      \
	"'string': 'Completed: read failure', 'remaining_percent': 90, 'passed': false },\n"       \
	"'lifetime_hours': 80, 'lba': 123456 }"

#define LISTED                                                                                     \
	"{ 'type': { 'value': 2 }, 'status': { 'value': 246, 'string': 'Self-test routine in\n"    \
	"progress' } }"

static void ata_log_is_read(void **state)
{
	struct hl_self_test_look before, seen;

	(void)state;
	assert_int_equal(0, look(ATA(IDLE, PASSED), 192, &before, NULL));
	assert_words("--json=o -i -c -l xselftest,selftest -l selftest /dev/sda\n");
	assert_int_equal(HL_SELF_TEST_NONE, before.running);
	assert_int_equal(HL_SELF_TEST_PASSED, before.end);
	assert_int_equal(HL_SELF_TEST_SHORT, before.newest);
	assert_string_equal("Completed without error", before.result);
	assert_true(before.hours == 77 && before.short_s == 120 && before.long_s == 584 * 60);
	assert_int_equal(0, look(ATA("{ 'value': 121 }", FAILED "," PASSED), 0, &seen, NULL));
	assert_int_equal(HL_SELF_TEST_FAILED, seen.end);
	assert_int_equal(HL_SELF_TEST_LONG, seen.newest);
	assert_string_equal("Completed: read failure, LBA 123456", seen.result);
	assert_true(seen.lba == 123456);
	assert_string_not_equal(before.log, seen.log);
}

static void ata_drive_that_tests_says_how_much_is_left(void **state)
{
	struct hl_self_test_look idle, seen;

	(void)state;
	assert_int_equal(0, look(ATA(IDLE, PASSED), 0, &idle, NULL));
	assert_int_equal(
		0, look(ATA("{ 'value': 246, 'remaining_percent': 60 }", PASSED), 0, &seen, NULL));
	assert_int_equal(HL_SELF_TEST_OTHER, seen.running); /* it does not say which */
	assert_true(seen.done_pct == 40);
	assert_int_equal(0, look(ATA("{ 'value': 246 }", LISTED "," PASSED), 0, &seen, NULL));
	assert_int_equal(HL_SELF_TEST_LONG, seen.running);
	assert_int_equal(HL_SELF_TEST_PASSED, seen.end); /* of the one before it */
	assert_string_equal(idle.log, seen.log);
}

static void scsi_log_is_read(void **state)
{
	static const char prints[] =
		"{ 'smartctl': { 'exit_status': 0 }, 'device': { 'protocol': 'SCSI' },\n"
		"'scsi_self_test_0': { 'code': { 'value': 2 }, 'result': { 'value': 15,\n"
		"'string': 'Self test in progress ...' } },\n"
		"'scsi_self_test_1': { 'code': { 'value': 1 }, 'result': { 'value': 7, 'string':\n"
		"'Failed in segment' }, 'failed_segment': { 'value': 3 }, 'power_on_time': {\n"
		"'hours': 34222 }, 'lba_first_failure': { 'value': 4711 } },\n"
		"'scsi_extended_self_test_seconds': 80400 }";
	struct hl_self_test_look seen;

	(void)state;
	assert_int_equal(0, look(prints, 0, &seen, NULL));
	assert_int_equal(HL_SELF_TEST_LONG, seen.running);
	assert_true(isnan(seen.done_pct));
	assert_int_equal(HL_SELF_TEST_FAILED, seen.end);
	assert_int_equal(HL_SELF_TEST_SHORT, seen.newest);
	assert_string_equal("Failed in segment, segment 3, LBA 4711", seen.result);
	assert_true(seen.long_s == 80400 && seen.hours == 34222);
}

static void scsi_log_of_smartctl_7_3_is_read_in_its_text(void **state)
{
	static const char prints[] =
		"{ 'smartctl': { 'exit_status': 0, 'output': [ 'SMART Self-test log',\n"
		"'Num  Test              Status                 segment  LifeTime  LBA_first_err "
		"[SK ASC ASQ]',\n"
		"'# 1  Background long   Self test in progress ...   -     NOW                 - "
		"[-   -    -]',\n"
		"'# 2  Background short  Failed in segment -->       3   34222              4711 "
		"[0x3 0x11 0x0]',\n"
		"'# 3  Background short  Completed                   -       2                 - "
		"[-   -    -]', '',\n"
		"'Long (extended) Self-test duration: 80400 seconds [1340.0 minutes]' ] },\n"
		"'device': { 'protocol': 'SCSI' } }";
	struct hl_self_test_look seen;

	(void)state;
	assert_int_equal(0, look(prints, 0, &seen, NULL));
	assert_int_equal(HL_SELF_TEST_LONG, seen.running);
	assert_int_equal(HL_SELF_TEST_FAILED, seen.end);
	assert_int_equal(HL_SELF_TEST_SHORT, seen.newest);
	assert_string_equal("Failed in segment", seen.result);
	assert_true(seen.long_s == 80400);
}

static void what_cannot_be_tested_says_why(void **state)
{
	static const struct {
		const char *prints;
		int code, rc;
		const char *words;
	} rows[] = {
		{ "{ 'smartctl': { 'exit_status': 2, 'messages': [ { 'string': 'Smartctl open "
		  "device: /dev/sda failed: Permission denied' } ] } }",
		  2, -EACCES, "it wants root" },
		{ "{ 'smartctl': { 'exit_status': 2, 'messages': [ { 'string': '/dev/sda: Unknown "
		  "USB bridge' } ] } }",
		  2, -EOPNOTSUPP, "smartctl says: /dev/sda: Unknown USB bridge" },
		{ "{ 'smartctl': { 'exit_status': 0 }, 'device': { 'protocol': 'ATA' },\n"
		  "'ata_smart_data': { 'capabilities': { 'self_tests_supported': false } } }",
		  0, -EOPNOTSUPP, "the drive has no self-test" },
		{ "", 1, -EBADMSG, "" },
		{ "{ 'smartctl': ", 0, -EBADMSG, "" },
	};
	struct hl_self_test_look seen;
	struct hl_error err;

	(void)state;
	for (size_t i = 0; i < NR_ROWS(rows); i++) {
		int rc = look(rows[i].prints, rows[i].code, &seen, &err);

		if (rc != rows[i].rc || !strstr(err.text, rows[i].words))
			fail_msg("row %zu: %d: %s", i, rc, err.text);
	}
}

static void each_kind_has_its_words(void **state)
{
	static const struct {
		enum hl_self_test_kind kind;
		const char *prints;
		int rc;
		const char *words;
	} rows[] = {
		{ HL_SELF_TEST_SHORT, "{ 'smartctl': { 'exit_status': 64 } }", 0,
		  "--json=o -t short /dev/sda\n" },
		{ HL_SELF_TEST_LONG, "{ 'smartctl': { 'exit_status': 0 } }", 0,
		  "--json=o -t long /dev/sda\n" },
		{ HL_SELF_TEST_NONE, "{ 'smartctl': { 'exit_status': 0 } }", 0,
		  "--json=o -X /dev/sda\n" },
		{ HL_SELF_TEST_SHORT,
		  "{ 'smartctl': { 'exit_status': 4, 'output': [ 'banner', 'Can not start "
		  "self-test "
		  "without aborting current test (60% remaining),', 'add -t force option to "
		  "override, or run smartctl -X to abort test.' ] } }",
		  -EBUSY, "--json=o -t short /dev/sda\n" },
		{ HL_SELF_TEST_SHORT,
		  "{ 'smartctl': { 'exit_status': 4, 'output': [ 'banner', 'Sending command "
		  "failed' ] } }",
		  -EIO, "--json=o -t short /dev/sda\n" },
	};

	(void)state;
	for (size_t i = 0; i < NR_ROWS(rows); i++) {
		make_smartctl(rows[i].prints, 0);
		assert_int_equal(rows[i].rc,
				 hl_self_test_smartctl.start(NULL, "/dev/sda", rows[i].kind, NULL));
		assert_words(rows[i].words);
	}
}

static int set_up(void **state)
{
	int rc = tree_setup(state);
	HL_FREE char *path = hl_printf("%s/bin:%s", tree_dir, getenv("PATH"));

	return rc < 0 ? rc : setenv("PATH", path, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ata_log_is_read),
		cmocka_unit_test(ata_drive_that_tests_says_how_much_is_left),
		cmocka_unit_test(scsi_log_is_read),
		cmocka_unit_test(scsi_log_of_smartctl_7_3_is_read_in_its_text),
		cmocka_unit_test(what_cannot_be_tested_says_why),
		cmocka_unit_test(each_kind_has_its_words),
	};

	return cmocka_run_group_tests(tests, set_up, tree_remove);
}
