/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Self-tests of a controller that is a table: /dev/null is opened in its place. Pages are as NVM
 * Express Base 2.0 lays them out.
 */
#include "hoploss/self_test.h"
#include "nvme_ioctl.h"

#define LOG_OF_TESTS 0x06

static struct {
	unsigned oacs, edstt;
	unsigned running, percent;     /* of the log's head */
	unsigned char newest[28];      /* its first entry */
	int start_status, look_status; /* < 0: -errno */
	unsigned started, nsid;        /* by the last command */
} drive;

extern const struct hl_self_test_way hl_self_test_nvme;

static int answer_log(unsigned char *data)
{
	memset(data, 0, 564);
	memset(data + 4, 0xff, 560);
	data[0] = (unsigned char)drive.running;
	data[1] = (unsigned char)drive.percent;
	memcpy(data + 4, drive.newest, sizeof(drive.newest));
	return drive.look_status;
}

static int answer_admin(struct nvme_passthru_cmd *sent)
{
	unsigned char *data = data_of(sent);

	if (sent->opcode == SELF_TEST) {
		drive.started = sent->cdw10;
		drive.nsid = sent->nsid;
		return drive.start_status;
	}
	if (sent->opcode == GET_LOG && (sent->cdw10 & 0xff) == LOG_OF_TESTS)
		return answer_log(data);
	if (sent->opcode != IDENTIFY || sent->cdw10 != 1)
		fail_msg("unexpected command %02x cdw10 %x", sent->opcode, sent->cdw10);
	data[256] = (unsigned char)drive.oacs;
	data[316] = (unsigned char)drive.edstt;
	data[317] = (unsigned char)(drive.edstt >> 8);
	return 0;
}

static void give(const unsigned char newest[28])
{
	memset(&drive, 0, sizeof(drive));
	drive.oacs = 0x10;
	drive.edstt = 260;
	memset(drive.newest, 0xff, sizeof(drive.newest));
	if (newest)
		memcpy(drive.newest, newest, sizeof(drive.newest));
}

static int look(struct hl_self_test_look *ret, struct hl_error *err)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	int rc = hl_self_test_nvme.look(machine, "/dev/null", ret, err);

	hl_machine_close(machine);
	return rc;
}

static int start(enum hl_self_test_kind kind, struct hl_error *err)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	int rc = hl_self_test_nvme.start(machine, "/dev/null", kind, err);

	hl_machine_close(machine);
	return rc;
}

#define SHORT_TEST 0x10
#define LONG_TEST  0x20

static void every_result_has_its_end_and_its_words(void **state)
{
	static const struct {
		unsigned char newest[28];
		enum hl_self_test_end end;
		const char *words;
	} rows[] = {
		{ { SHORT_TEST | 0 }, HL_SELF_TEST_PASSED, "completed without error" },
		{ { SHORT_TEST | 1 }, HL_SELF_TEST_ABORTED, "aborted by a command" },
		{ { SHORT_TEST | 2 },
		  HL_SELF_TEST_ABORTED,
		  "aborted by a reset of the controller" },
		{ { SHORT_TEST | 4 }, HL_SELF_TEST_ABORTED, "aborted: a namespace was formatted" },
		{ { SHORT_TEST | 5 },
		  HL_SELF_TEST_FAILED,
		  "a fatal or unknown error ended it early" },
		{ { SHORT_TEST | 6, 3 }, HL_SELF_TEST_FAILED, "failed in a part that is not told" },
		{ { SHORT_TEST | 7, 3 }, HL_SELF_TEST_FAILED, "failed in segment 3" },
		{ { SHORT_TEST | 7, 3, 3, 0, 100, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0x40, 0xe2, 1 },
		  HL_SELF_TEST_FAILED,
		  "failed in segment 3 at LBA 123456 of namespace 2" },
		{ { SHORT_TEST | 9 }, HL_SELF_TEST_ABORTED, "aborted: the drive was sanitized" },
		{ { SHORT_TEST | 12 }, HL_SELF_TEST_UNKNOWN, "ended with code 0xc" },
		{ { SHORT_TEST | 15 }, HL_SELF_TEST_UNKNOWN, "" },
	};
	struct hl_self_test_look seen;

	(void)state;
	for (size_t i = 0; i < NR_ROWS(rows); i++) {
		give(rows[i].newest);
		assert_int_equal(0, look(&seen, NULL));
		assert_string_equal(rows[i].words, seen.result);
		assert_int_equal(rows[i].end, seen.end);
		assert_int_equal(HL_SELF_TEST_NONE, seen.running);
	}
}

static void figures_of_a_failure_are_kept(void **state)
{
	static const unsigned char failed[28] = { LONG_TEST | 7, 3, 2, 0, 0x34, 0x12, [16] = 0xff };
	struct hl_self_test_look seen;

	(void)state;
	give(failed);
	assert_int_equal(0, look(&seen, NULL));
	assert_int_equal(HL_SELF_TEST_LONG, seen.newest);
	assert_true(seen.hours == 0x1234 && seen.segment == 3 && seen.lba == 0xff);
	assert_true(seen.short_s == 120 && seen.long_s == 260 * 60);
	drive.newest[2] = 1; /* the block is not valid, the namespace is */
	assert_int_equal(0, look(&seen, NULL));
	assert_true(isnan(seen.lba));
}

static void what_runs_is_told_with_its_share(void **state)
{
	static const struct {
		unsigned code;
		enum hl_self_test_kind kind;
	} rows[] = { { 1, HL_SELF_TEST_SHORT },
		     { 2, HL_SELF_TEST_LONG },
		     { 14, HL_SELF_TEST_OTHER } };
	struct hl_self_test_look seen;

	(void)state;
	for (size_t i = 0; i < NR_ROWS(rows); i++) {
		give(NULL);
		drive.running = rows[i].code;
		drive.percent = 41;
		assert_int_equal(0, look(&seen, NULL));
		assert_int_equal(rows[i].kind, seen.running);
		assert_true(seen.done_pct == 41);
	}
}

static void one_more_in_the_log_is_another_log(void **state)
{
	static const unsigned char passed[28] = { SHORT_TEST, 0, 0, 0, 9 };
	struct hl_self_test_look before, running, after;

	(void)state;
	give(NULL);
	assert_int_equal(0, look(&before, NULL));
	drive.running = 1;
	assert_int_equal(0, look(&running, NULL));
	memcpy(drive.newest, passed, sizeof(passed));
	assert_int_equal(0, look(&after, NULL));
	assert_string_equal(before.log, running.log);
	assert_string_not_equal(before.log, after.log);
}

static void drive_that_has_none_is_not_asked_for_its_log(void **state)
{
	struct hl_self_test_look seen;
	struct hl_error err;

	(void)state;
	give(NULL);
	drive.oacs = 0xef;
	drive.look_status = 2;
	assert_int_equal(-EOPNOTSUPP, look(&seen, &err));
	assert_string_equal("the drive has no self-test (OACS bit 4 is clear)", err.text);
	assert_int_equal(0, drive.started);
}

static void each_kind_is_its_own_code_for_all_namespaces(void **state)
{
	static const struct {
		enum hl_self_test_kind kind;
		unsigned code;
	} rows[] = { { HL_SELF_TEST_SHORT, 1 },
		     { HL_SELF_TEST_LONG, 2 },
		     { HL_SELF_TEST_NONE, 15 } };

	(void)state;
	for (size_t i = 0; i < NR_ROWS(rows); i++) {
		give(NULL);
		assert_int_equal(0, start(rows[i].kind, NULL));
		assert_int_equal(rows[i].code, drive.started);
		assert_int_equal(0xffffffff, drive.nsid);
	}
}

static void refusals_say_why(void **state)
{
	static const struct {
		int status, code;
		const char *words;
	} rows[] = {
		{ 0x11d, -EBUSY, "a self-test runs already" },
		{ 0x411d, -EBUSY, "a self-test runs already" }, /* do not retry */
		{ 0x2, -EOPNOTSUPP, "start it: the drive refuses it" },
		{ -EACCES, -EACCES, "start it: it wants root" },
	};
	struct hl_error err;

	(void)state;
	for (size_t i = 0; i < NR_ROWS(rows); i++) {
		give(NULL);
		drive.start_status = rows[i].status;
		assert_int_equal(rows[i].code, start(HL_SELF_TEST_SHORT, &err));
		assert_string_equal(rows[i].words, err.text);
	}
}

static void controller_is_found_by_namespace_or_path(void **state)
{
	static const struct tree_row rows[] = {
		{ "/sys/class/nvme/nvme0/nvme0n1/size", "1\n" },
		{ "/sys/class/nvme/nvme10/nvme10n1/size", "1\n" },
		{ "/sys/class/nvme/nvme2/nvme3c2n1/size", "1\n" },
	};
	static const struct {
		const char *name, *device;
	} wanted[] = { { "nvme0n1", "/dev/nvme0" }, { "nvme10n1", "/dev/nvme10" },
		       { "nvme3n1", "/dev/nvme2" }, { "nvme3n11", NULL },
		       { "nvme1n1", NULL },         { "sda", NULL } };
	struct hl_machine *machine;

	(void)state;
	tree_make("found", rows, NR_ROWS(rows));
	machine = hl_machine_open("found", NULL);
	for (size_t i = 0; i < NR_ROWS(wanted); i++) {
		HL_FREE char *device = hl_self_test_nvme.find(machine, wanted[i].name);

		if (wanted[i].device)
			assert_string_equal(wanted[i].device, device);
		else
			assert_null(device);
	}
	hl_machine_close(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_result_has_its_end_and_its_words),
		cmocka_unit_test(figures_of_a_failure_are_kept),
		cmocka_unit_test(what_runs_is_told_with_its_share),
		cmocka_unit_test(one_more_in_the_log_is_another_log),
		cmocka_unit_test(drive_that_has_none_is_not_asked_for_its_log),
		cmocka_unit_test(each_kind_is_its_own_code_for_all_namespaces),
		cmocka_unit_test(refusals_say_why),
		cmocka_unit_test(controller_is_found_by_namespace_or_path),
	};

	return cmocka_run_group_tests(tests, tree_setup, tree_remove);
}
