/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is it well: what the drive says of itself. Each bit of NVMe's critical warning is a check of its
 * own, so that the message says which; the temperature bit belongs to the heat of check_heat.c.
 *
 * Source: NVM Express Base Specification 2.0, figure 207 (critical warning); ATA ACS-4 and the
 * attributes 5, 197, 198 that all makers agree on; SBC-4 (grown defects).
 */
#include "check.h"
#include <math.h>
#include <string.h>
#include <strings.h>

#define NO_WEAR_LEFT 100.0 /* percent used */

static void judge_bit(const struct subject *subject, const struct check_kind *kind,
		      struct hl_check *check)
{
	const struct hl_fact *fact = subject_fact(subject, kind->key);
	unsigned mask;

	if (!fact || fact->type != HL_FACT_NUMBER) {
		check_miss(subject, check, "nothing tells its critical warning");
		return;
	}
	mask = (unsigned)fact->number;
	check->measured_text = mask & kind->bit ? "set" : "clear";
	check_require(check, HL_RELATION_EQUAL, "clear");
	check_evidence(subject, check, fact);
	if (mask & kind->bit)
		check_fail(subject, check, "%s (critical warning 0x%02x)", kind->reason, mask);
}

static void judge_limit(const struct subject *subject, const struct check_kind *kind,
			struct hl_check *check)
{
	check_compare(subject, kind, kind->limit, check);
}

/* An NVMe drive says it by its critical warning; only smartctl makes a verdict of that. */
static void judge_own_verdict(const struct subject *subject, const struct check_kind *kind,
			      struct hl_check *check)
{
	check_compare(subject, kind, kind->limit, check);
	if (check->status != HL_CHECK_NOT_MEASURED ||
	    !subject_fact(subject, "smart.critical_warning"))
		return;
	check->status = HL_CHECK_NOT_ASKED;
	check->reason = "its critical warning says it";
}

static void judge_spare(const struct subject *subject, const struct check_kind *kind,
			struct hl_check *check)
{
	double threshold = subject_number(subject, "smart.available_spare_threshold_pct");

	/* the threshold is the maker's; the warning bit says when it is passed */
	check_compare(subject, kind, isnan(threshold) ? 10 : threshold, check);
	check_evidence(subject, check,
		       subject_fact(subject, "smart.available_spare_threshold_pct"));
}

/* Of one that this test had it do. */
static void judge_own_test(const struct subject *subject, const char *state, struct hl_check *check)
{
	static const char *const keys[] = {
		"accept.self_test_result",      "accept.self_test",
		"accept.self_test_s",           "accept.self_test_hours",
		"accept.self_test_was_running", "accept.self_test_segment",
		"accept.self_test_lba",
	};
	const char *result = subject_string(subject, "accept.self_test_result");

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		check_evidence(subject, check, subject_fact(subject, keys[i]));
	if (!strcmp(state, "passed") || !strcmp(state, "failed") || !strcmp(state, "aborted"))
		check->measured_text = result;
	if (!strcmp(state, "failed"))
		check_fail(subject, check, "its self-test failed: %s", result ? result : state);
	else if (strcmp(state, "passed") != 0)
		check_miss(subject, check, "%s", result ? result : state);
}

static bool runs_one(const struct subject *subject)
{
	const struct hl_fact *fact = subject_fact(subject, "smart.self_test_is_running");

	return fact && fact->type == HL_FACT_BOOLEAN && fact->boolean;
}

/* Of those in its log: the newest that came to an end, or one that failed at any time. */
static void judge_logged_test(const struct subject *subject, const struct hl_fact *newest,
			      struct hl_check *check)
{
	static const char passed[] = "completed";

	check->measured_text = newest->string;
	check_evidence(subject, check, newest);
	if (strncasecmp(newest->string, passed, strlen(passed)) != 0) {
		check->status = HL_CHECK_NOT_ASKED;
		check->reason = "the newest in its log tells nothing";
		check->mend = "--self-test short";
	}
}

static void judge_self_test(const struct subject *subject, const struct check_kind *kind,
			    struct hl_check *check)
{
	const char *state = subject_string(subject, "accept.self_test_state");
	const struct hl_fact *newest = subject_fact(subject, kind->key);

	check_require(check, HL_RELATION_EQUAL, "completed without error");
	if (state) {
		judge_own_test(subject, state, check);
	} else if (subject->how->wants_self_test) {
		check_miss(subject, check, "no self-test was run");
	} else if (newest && newest->type == HL_FACT_STRING) {
		judge_logged_test(subject, newest, check);
	} else {
		check->status = HL_CHECK_NOT_ASKED;
		check->reason = "its log has no self-test";
		check->mend = "--self-test short";
	}
	if (!state && runs_one(subject)) {
		check_evidence(subject, check, subject_fact(subject, "smart.self_test_is_running"));
		check->reason = "one runs now, and what is measured beside it is slower: "
				"--self-test waits for it first";
	}
	if (check->status != HL_CHECK_FAIL &&
	    subject_number(subject, "smart.self_test_failures") > 0) {
		check_evidence(subject, check, subject_fact(subject, "smart.self_test_failures"));
		check_fail(subject, check, "%s", kind->reason);
	}
}

#define WARNING(name, what, mask, why)                                                             \
	{                                                                                          \
		"health.warning-" name, "critical warning: " what, DRIVE_NVME, judge_bit,          \
			.key = "smart.critical_warning", .bit = (mask), .reason = (why)            \
	}

#define LIMIT(name, what, drives, of, how, most, why)                                              \
	{                                                                                          \
		"health." name, what, drives, judge_limit, .key = (of), .relation = (how),         \
							   .limit = (most), .reason = (why)        \
	}

static const struct check_kind kinds[] = {
	{ "health.self-assessment", "own verdict", DRIVE_ANY, judge_own_verdict,
	  .key = "smart.health_passed", .relation = HL_RELATION_EQUAL, .limit = 1,
	  .reason = "the drive itself says that it fails" },
	WARNING("spare", "spare", 1, "its spare space is below the maker's threshold"),
	WARNING("reliability", "reliability", 4,
		"the drive says that it is no longer reliable: media or internal errors"),
	WARNING("read-only", "read only", 8, "the drive has gone read-only"),
	WARNING("backup", "backup supply", 16,
		"its backup supply has failed: what it has acknowledged is lost with the power"),
	WARNING("persistent-memory", "persistent memory", 32,
		"its persistent memory region is read-only or unreliable"),
	{ "health.spare", "spare left", DRIVE_NVME, judge_spare, .key = "smart.available_spare_pct",
	  .relation = HL_RELATION_AT_LEAST, .reason = "its spare space is below the threshold" },
	LIMIT("wear", "endurance used", DRIVE_NVME, "smart.percentage_used", HL_RELATION_BELOW,
	      NO_WEAR_LEFT, "it is worn: its endurance is used up"),
	LIMIT("media-errors", "media errors", DRIVE_NVME, "smart.media_errors", HL_RELATION_AT_MOST,
	      0, "it has lost data: errors that could not be corrected"),
	LIMIT("reallocated", "reallocated sectors", DRIVE_ATA, "smart.reallocated",
	      HL_RELATION_AT_MOST, 0, "sectors have failed and were replaced"),
	LIMIT("pending", "pending sectors", DRIVE_ATA, "smart.pending", HL_RELATION_AT_MOST, 0,
	      "sectors cannot be read at present"),
	LIMIT("uncorrectable", "offline uncorrectable sectors", DRIVE_ATA,
	      "smart.offline_uncorrectable", HL_RELATION_AT_MOST, 0, "sectors could not be read"),
	LIMIT("crc-errors", "CRC errors of the cable", DRIVE_ATA, "smart.crc_errors",
	      HL_RELATION_AT_MOST, 0,
	      "transfers were corrupted between drive and controller: look at cable and backplane "
	      "first"),
	LIMIT("grown-defects", "grown defects", DRIVE_SCSI, "smart.grown_defects",
	      HL_RELATION_AT_MOST, 0, "sectors have failed and were replaced"),
	LIMIT("uncorrected-reads", "reads that could not be corrected", DRIVE_SCSI,
	      "smart.uncorrected_reads", HL_RELATION_AT_MOST, 0, "it has lost data that was read"),
	LIMIT("uncorrected-writes", "writes that could not be corrected", DRIVE_SCSI,
	      "smart.uncorrected_writes", HL_RELATION_AT_MOST, 0,
	      "it has lost data that was written"),
	{ "health.self-test", "self-test", DRIVE_ANY, judge_self_test,
	  .key = "smart.self_test_result", .reason = "a self-test in its log failed" },
};

const struct check_group check_health = {
	.kinds = kinds,
	.nr = sizeof(kinds) / sizeof(*kinds),
	.is_of_now = true,
};
