/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Self-tests of SATA and SAS drives by smartctl(8), 7.0 and newer, which says in its JSON what both
 * kinds of log hold.
 *
 * Surprising: an ATA drive that is testing says how much is left, not which test it is; only some
 * list it among those that ended. smartctl has SCSI's log in its JSON from 7.4 on; before, the
 * lines of its text, which --json=o adds, are read. Its exit code is a mask that speaks of the
 * drive, so the document alone tells whether it worked.
 */
#include "drive.h"
#include "hoploss/alloc.h"
#include "hoploss/capture.h"
#include "hoploss/digest.h"
#include "hoploss/self_test.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOGGED_MOST 21 /* entries, of any log */
#define SHORT_S     120.0

enum { RUNNING = 15, NOTHING = 255 }; /* codes of results; the others are of ACS-4 and SPC-4 */

struct entry {
	enum hl_self_test_kind kind;
	unsigned code; /* 0 passed, 1 and 2 aborted, 3 to 8 failed, RUNNING, NOTHING */
	char words[80];
	double hours, segment, lba;
};

static const struct entry nothing = { .code = NOTHING, .hours = NAN, .segment = NAN, .lba = NAN };

static char *smartctl_find(struct hl_machine *machine, const char *name)
{
	(void)machine;
	return strncmp(name, "sd", 2) != 0 ? NULL : hl_printf("/dev/%s", name);
}

/* ---- an entry of each kind of log ---- */

static double number(const struct hl_json *object, const char *dotted)
{
	return hl_json_number(hl_json_path(object, dotted));
}

static unsigned code_of(double value)
{
	return value >= 0 && value < NOTHING ? (unsigned)value : NOTHING;
}

static void copy_words(struct entry *entry, const char *words)
{
	snprintf(entry->words, sizeof(entry->words), "%s", words ? words : "");
}

/* Both codes of a kind, which a bit tells apart: beside I/O, and holding it up. */
enum { ATA_CAPTIVE = 0x80, SCSI_FOREGROUND = 4 };

static enum hl_self_test_kind kind_of(unsigned code, unsigned holds_up)
{
	enum { SHORT = 1, LONG = 2 };
	unsigned kind = code & ~holds_up;

	return kind == SHORT  ? HL_SELF_TEST_SHORT
	       : kind == LONG ? HL_SELF_TEST_LONG
			      : HL_SELF_TEST_OTHER;
}

static bool read_ata(const struct hl_json *document, unsigned nr, struct entry *ret)
{
	static const char *const tables[] = { "ata_smart_self_test_log.extended.table",
					      "ata_smart_self_test_log.standard.table" };
	const struct hl_json *test = NULL;
	unsigned status;

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables) && !test; i++)
		test = hl_json_at(hl_json_path(document, tables[i]), nr);
	if (!test)
		return false;
	*ret = nothing;
	status = code_of(number(test, "status.value"));
	ret->code = status >> 4;
	ret->kind = kind_of(code_of(number(test, "type.value")), ATA_CAPTIVE);
	ret->hours = number(test, "lifetime_hours");
	ret->lba = number(test, "lba");
	copy_words(ret, hl_json_string(hl_json_path(test, "status.string")));
	return true;
}

static bool read_scsi(const struct hl_json *document, unsigned nr, struct entry *ret)
{
	HL_FREE char *name = hl_printf("scsi_self_test_%u", nr);
	const struct hl_json *test = hl_json_get(document, name);

	if (!test)
		return false;
	*ret = nothing;
	ret->code = code_of(number(test, "result.value"));
	ret->kind = kind_of(code_of(number(test, "code.value")), SCSI_FOREGROUND);
	ret->hours = number(test, "power_on_time.hours");
	ret->segment = number(test, "failed_segment.value");
	ret->lba = number(test, "lba_first_failure.value");
	copy_words(ret, hl_json_string(hl_json_path(test, "result.string")));
	return true;
}

/* "# 1  Background long   Failed in segment -->       3   34222          12345 [0x3 0x11 0x0]" */
static bool read_line(const char *line, struct entry *ret)
{
	static const struct {
		const char *words;
		unsigned code;
	} rows[] = {
		{ "Completed, segment failed", 4 },
		{ "Completed", 0 },
		{ "Aborted (by user", 1 },
		{ "Aborted (device", 2 },
		{ "Unknown error", 3 },
		{ "Failed in first", 5 },
		{ "Failed in second", 6 },
		{ "Failed in segment", 7 },
		{ "Self test in progress", RUNNING },
	};

	if (*line != '#')
		return false;
	*ret = nothing;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && ret->code == NOTHING; i++) {
		const char *at = strstr(line, rows[i].words);
		int len = at ? (int)strcspn(at, "-0123456789[") : 0;

		while (len && at[len - 1] == ' ')
			len--;
		if (at)
			ret->code = rows[i].code;
		snprintf(ret->words, sizeof(ret->words), "%.*s", len, at ? at : "");
	}
	ret->kind = strstr(line, " short ")  ? HL_SELF_TEST_SHORT
		    : strstr(line, " long ") ? HL_SELF_TEST_LONG
					     : HL_SELF_TEST_OTHER;
	return ret->code != NOTHING;
}

static bool read_text(const struct hl_json *document, unsigned nr, struct entry *ret)
{
	const struct hl_json *lines = hl_json_path(document, "smartctl.output");
	unsigned found = 0;

	for (size_t i = 0; i < hl_json_length(lines); i++) {
		const char *line = hl_json_string(hl_json_at(lines, i));

		if (line && read_line(line, ret) && found++ == nr)
			return true;
	}
	return false;
}

static bool read_entry(const struct hl_json *document, unsigned nr, struct entry *ret)
{
	/* ATA's log has a table, also where it is empty: its text is not read once more */
	if (hl_json_get(document, "ata_smart_self_test_log") ||
	    hl_json_get(document, "ata_smart_data"))
		return read_ata(document, nr, ret);
	if (hl_json_get(document, "scsi_self_test_0"))
		return read_scsi(document, nr, ret);
	return read_text(document, nr, ret);
}

/* ---- the log as a whole ---- */

static enum hl_self_test_end end_of(unsigned code)
{
	enum { FAILED = 3, FAILED_LAST = 8 };

	if (!code)
		return HL_SELF_TEST_PASSED;
	if (code < FAILED)
		return HL_SELF_TEST_ABORTED;
	return code <= FAILED_LAST ? HL_SELF_TEST_FAILED : HL_SELF_TEST_UNKNOWN;
}

static void put_newest(const struct entry *entry, struct hl_self_test_look *look)
{
	bool has_segment = entry->segment > 0, has_lba = !isnan(entry->lba);
	char segment[40] = "", lba[40] = "";

	look->newest = entry->kind;
	look->end = end_of(entry->code);
	look->hours = entry->hours;
	if (look->end == HL_SELF_TEST_FAILED) {
		look->segment = has_segment ? entry->segment : NAN;
		look->lba = entry->lba;
		if (has_segment)
			snprintf(segment, sizeof(segment), ", segment %.0f", entry->segment);
		if (has_lba)
			snprintf(lba, sizeof(lba), ", LBA %.0f", entry->lba);
	}
	snprintf(look->result, sizeof(look->result), "%s%s%s", entry->words, segment, lba);
}

static void read_log(const struct hl_json *document, struct hl_self_test_look *look)
{
	char hex[HL_DIGEST_TEXT], *text = NULL;
	size_t len = 0;
	FILE *all = open_memstream(&text, &len);
	bool is_first = true;
	struct entry entry;

	for (unsigned i = 0; i < LOGGED_MOST && read_entry(document, i, &entry); i++) {
		if (entry.code == RUNNING) {
			look->running = entry.kind;
			continue;
		}
		if (is_first)
			put_newest(&entry, look);
		is_first = false;
		fprintf(all, "%d %u %.0f;", (int)entry.kind, entry.code, entry.hours);
	}
	fclose(all);
	hl_digest(text, len, hex);
	snprintf(look->log, sizeof(look->log), "%s", hex);
	free(text);
}

/* ATA: the high half of the byte is the result of what ran last, 15 = it runs; the low, tenths. */
static void read_running(const struct hl_json *document, struct hl_self_test_look *look)
{
	double status = number(document, "ata_smart_data.self_test.status.value");
	unsigned value = code_of(status);

	if (isnan(status))
		return;
	if (value >> 4 != RUNNING) {
		look->running = HL_SELF_TEST_NONE;
		return;
	}
	if (look->running == HL_SELF_TEST_NONE)
		look->running = HL_SELF_TEST_OTHER;
	look->done_pct = 100 - fmin(value & 15, 10) * 10;
}

/* "Long (extended) Self-test duration: 80400 seconds [1340.0 minutes]" */
static double seconds_in_text(const struct hl_json *document)
{
	static const char label[] = "Self-test duration:";
	const struct hl_json *lines = hl_json_path(document, "smartctl.output");

	for (size_t i = 0; i < hl_json_length(lines); i++) {
		const char *line = hl_json_string(hl_json_at(lines, i));
		const char *at = line ? strstr(line, label) : NULL;

		if (at)
			return hl_drive_number(at + strlen(label), strlen(at + strlen(label)));
	}
	return NAN;
}

static void read_times(const struct hl_json *document, struct hl_self_test_look *look)
{
	double minutes = number(document, "ata_smart_data.self_test.polling_minutes.short");

	look->short_s = minutes > 0 ? minutes * 60 : SHORT_S;
	look->long_s = number(document, "ata_smart_data.self_test.polling_minutes.extended") * 60;
	if (isnan(look->long_s))
		look->long_s = number(document, "scsi_extended_self_test_seconds");
	if (isnan(look->long_s))
		look->long_s = seconds_in_text(document);
}

/* ---- smartctl ---- */

/* What it complained of; NULL. */
static const char *complaint_of(const struct hl_json *document)
{
	const struct hl_json *messages = hl_json_path(document, "smartctl.messages");
	const struct hl_json *lines = hl_json_path(document, "smartctl.output");

	for (size_t i = 0; i < hl_json_length(messages); i++) {
		const char *text = hl_json_string(hl_json_get(hl_json_at(messages, i), "string"));

		if (text)
			return text;
	}
	for (size_t i = hl_json_length(lines); i > 0; i--) {
		const char *text = hl_json_string(hl_json_at(lines, i - 1));

		if (text && *text)
			return text;
	}
	return NULL;
}

static bool says(const struct hl_json *document, const char *words)
{
	const struct hl_json *lines = hl_json_path(document, "smartctl.output");

	for (size_t i = 0; i < hl_json_length(lines); i++) {
		const char *line = hl_json_string(hl_json_at(lines, i));

		if (line && strstr(line, words))
			return true;
	}
	return false;
}

static int run_smartctl(const char *const *argv, struct hl_json **ret_document,
			struct hl_error *err)
{
	HL_FREE char *bytes = NULL;
	size_t len;
	int rc = hl_capture_output(argv, &bytes, &len, err);

	if (rc == -ENOENT)
		return hl_fail(err, ENOENT,
			       "smartctl is not installed: its package is smartmontools");
	if (!bytes || !len)
		return rc < 0 ? rc : hl_fail(err, EIO, "smartctl said nothing");
	return hl_json_parse(bytes, len, ret_document, NULL, err);
}

static int refuse(const struct hl_json *document, struct hl_error *err)
{
	const char *complaint = complaint_of(document);

	if (complaint && strstr(complaint, "ermission denied"))
		return hl_fail(err, EACCES, "smartctl: it wants root");
	return hl_fail(err, EOPNOTSUPP, "the drive has no self-test%s%s",
		       complaint ? "; smartctl says: " : "", complaint ? complaint : "");
}

/* Opening it failed, or it is ATA and its capabilities are not there or say no. */
static bool can_test(const struct hl_json *document)
{
	enum { FAILED_TO_OPEN = 2 };
	double code = number(document, "smartctl.exit_status");
	const char *protocol = hl_json_string(hl_json_path(document, "device.protocol"));

	if (isnan(code) || (unsigned)code & FAILED_TO_OPEN)
		return false;
	return (protocol && strcmp(protocol, "ATA") != 0) ||
	       hl_json_boolean(hl_json_path(
		       document, "ata_smart_data.capabilities.self_tests_supported")) == 1;
}

static int smartctl_look(struct hl_machine *machine, const char *device,
			 struct hl_self_test_look *ret, struct hl_error *err)
{
	const char *const argv[] = { "smartctl",           "--json=o", "-i",       "-c",   "-l",
				     "xselftest,selftest", "-l",       "selftest", device, NULL };
	HL_JSON struct hl_json *document = NULL;
	int rc = run_smartctl(argv, &document, err);

	(void)machine;
	if (rc < 0)
		return rc;
	if (!can_test(document))
		return refuse(document, err);
	*ret = (struct hl_self_test_look){
		.done_pct = NAN, .hours = NAN, .segment = NAN, .lba = NAN
	};
	read_log(document, ret);
	read_running(document, ret);
	read_times(document, ret);
	return 0;
}

static int smartctl_start(struct hl_machine *machine, const char *device,
			  enum hl_self_test_kind kind, struct hl_error *err)
{
	enum { FAILED = 7 }; /* the other bits are of the drive's health */
	bool is_stop = kind == HL_SELF_TEST_NONE;
	const char *const start[] = { "smartctl", "--json=o", "-t", hl_self_test_kind_name(kind),
				      device,     NULL };
	const char *const stop[] = { "smartctl", "--json=o", "-X", device, NULL };
	HL_JSON struct hl_json *document = NULL;
	int rc = run_smartctl(is_stop ? stop : start, &document, err);
	const char *complaint;

	(void)machine;
	if (rc < 0 || !(code_of(number(document, "smartctl.exit_status")) & FAILED))
		return rc;
	if (says(document, "without aborting current test"))
		return hl_fail(err, EBUSY, "a self-test runs already");
	complaint = complaint_of(document);
	return hl_fail(err, EIO, "%s: smartctl says: %s", is_stop ? "stop it" : "start it",
		       complaint ? complaint : "nothing");
}

const struct hl_self_test_way hl_self_test_smartctl = {
	.find = smartctl_find,
	.look = smartctl_look,
	.start = smartctl_start,
};
