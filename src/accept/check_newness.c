/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Has it been used before? Limits of a drive that a factory and a shop have tested, and counters
 * that must agree with each other: one that was set back is younger than what it has done.
 */
#include "check.h"
#include <math.h>

#define NEW_HOURS    48.0
#define NEW_CYCLES   100.0
#define NEW_USED_PCT 0.0
#define NEW_WRITES   0.5      /* of its capacity */
#define UNIT_BYTES   512000.0 /* of NVMe's data units: thousands of 512 bytes */
#define FASTEST      16e9     /* bytes/s: no link of a drive moves more */
#define MUCH_USED    0.1      /* of the endurance, when the percentage still says 0 */

/* Second hand: the figure is shown and binds nobody. */
static bool is_only_shown(const struct subject *subject, struct hl_check *check)
{
	if (!subject->how->is_second_hand || check->status == HL_CHECK_NOT_MEASURED)
		return false;
	check_show(subject, check, "bought second hand: shown, not judged");
	return true;
}

static void judge_count(const struct subject *subject, const struct check_kind *kind,
			struct hl_check *check)
{
	check_compare(subject, kind, kind->limit, check);
	is_only_shown(subject, check);
}

/* Without what this test wrote: its rounds, and what filled it before them. */
static double bytes_written(const struct subject *subject)
{
	const struct hl_fact *fact = subject_fact(subject, "smart.data_units_written");
	double filled = subject_number(subject, "accept.filled_bytes");
	double units;

	if (!fact || fact->type != HL_FACT_NUMBER)
		return NAN;
	units = isnan(fact->before) ? fact->number : fact->before;
	return fmax(units * UNIT_BYTES - (isnan(filled) ? 0 : filled), 0);
}

static void judge_written(const struct subject *subject, const struct check_kind *kind,
			  struct hl_check *check)
{
	double capacity = subject_number(subject, "drive.capacity_bytes");

	if (isnan(capacity) && subject->spec)
		capacity = subject->spec->capacity;
	check->measured = bytes_written(subject);
	check->unit = "bytes";
	check_evidence(subject, check, subject_fact(subject, kind->key));
	if (isnan(check->measured) || isnan(capacity)) {
		check_miss(subject, check, "nothing tells its %s",
			   isnan(capacity) ? "capacity" : "data written");
		return;
	}
	check_limit(check, HL_RELATION_AT_MOST, capacity * NEW_WRITES);
	if (check->measured > check->required)
		check_fail(subject, check, "%s", kind->reason);
	is_only_shown(subject, check);
}

/* What the endurance on the sheet says of the data written, in percent; NAN. */
static double expected_use(const struct subject *subject)
{
	const struct hl_spec *spec = subject->spec;
	double endurance = spec ? spec->tbw_bytes : NAN;

	if (spec && isnan(endurance))
		endurance = spec->dwpd * spec->capacity * 365 * 5; /* the usual warranty */
	return bytes_written(subject) / endurance * 100;
}

static void judge_agreement(const struct subject *subject, const struct check_kind *kind,
			    struct hl_check *check)
{
	double hours = subject_number(subject, "smart.power_on_hours");
	double moved = bytes_written(subject) +
		       subject_number(subject, "smart.data_units_read") * UNIT_BYTES;
	double used = subject_number(subject, "smart.percentage_used");
	double expected = expected_use(subject);

	check_evidence(subject, check, subject_fact(subject, "smart.power_on_hours"));
	check_evidence(subject, check, subject_fact(subject, kind->key));
	check_evidence(subject, check, subject_fact(subject, "smart.percentage_used"));
	if (isnan(hours) || isnan(moved)) {
		check_miss(subject, check, "hours and data written are not both known");
		return;
	}
	/* an hour more: the counter counts whole ones */
	check->measured_text = "agree";
	check_require(check, HL_RELATION_EQUAL, "agree");
	if (moved > (hours + 1) * 3600 * FASTEST) {
		check->measured_text = "disagree";
		check_fail(subject, check,
			   "more data moved than any link can move in its power-on hours: a "
			   "counter was set back");
	} else if (used < 1 && expected > MUCH_USED * 100) {
		check->measured_text = "disagree";
		check_fail(subject, check,
			   "its data written is %.0f %% of its endurance, but the percentage used "
			   "is 0: a counter was set back",
			   expected);
	}
}

/* What else counts its hours. A log's entry is stamped by the counter itself, which only grows. */
static const struct {
	const char *key, *what;
	double grace_h, grace_share; /* another counter may start a day later, and drift */
} clocks[] = {
	{ "smart.self_test_max_hours", "a self-test in its log was at", 1, 0 },
	{ "smart.error_log_max_hours", "an error in its log was at", 1, 0 },
	{ "smart.log_power_on_hours", "its second counter says", 24, 0.01 },
};

static void judge_clocks(const struct subject *subject, const struct check_kind *kind,
			 struct hl_check *check)
{
	const struct hl_fact *counter = subject_fact(subject, kind->key);
	double hours = subject_number(subject, kind->key);

	check->status = HL_CHECK_NOT_ASKED;
	check->reason = "it keeps no log or second counter that tells hours";
	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		double other = subject_number(subject, clocks[i].key);
		double grace = fmax(clocks[i].grace_h, hours * clocks[i].grace_share);

		if (isnan(other) || isnan(hours) || check->status == HL_CHECK_FAIL)
			continue;
		if (!check->nr_evidence)
			check_evidence(subject, check, counter);
		check_evidence(subject, check, subject_fact(subject, clocks[i].key));
		check->status = HL_CHECK_PASS;
		check->reason = NULL;
		check->measured = fmax(check->measured, other);
		check_limit(check, HL_RELATION_AT_MOST, hours);
		check->unit = "h";
		if (other > hours + grace)
			check_fail(subject, check,
				   "%s %.0f h, and it claims to have run for %.0f h: the counter "
				   "was set back",
				   clocks[i].what, other, hours);
	}
}

static const struct check_kind kinds[] = {
	{ "newness.power-on-hours", "power-on hours", DRIVE_ANY, judge_count,
	  .key = "smart.power_on_hours", .relation = HL_RELATION_AT_MOST, .limit = NEW_HOURS,
	  .reason = "it has run before (--second-hand when that was known)" },
	{ "newness.power-cycles", "power cycles", DRIVE_ANY, judge_count,
	  .key = "smart.power_cycles", .relation = HL_RELATION_AT_MOST, .limit = NEW_CYCLES,
	  .reason = "it was switched on often (--second-hand when that was known)" },
	{ "newness.percentage-used", "endurance used", DRIVE_NVME, judge_count,
	  .key = "smart.percentage_used", .relation = HL_RELATION_AT_MOST, .limit = NEW_USED_PCT,
	  .reason = "part of its endurance is used (--second-hand when that was known)" },
	{ "newness.data-written", "data written", DRIVE_NVME, judge_written,
	  .key = "smart.data_units_written",
	  .reason = "more was written than a test at the factory writes (--second-hand when that "
		    "was known)" },
	{ "newness.counters-agree", "counters agree with each other", DRIVE_NVME, judge_agreement,
	  .key = "smart.data_units_written" },
	{ "newness.clocks-agree", "hours of its logs and its counter", DRIVE_ANY, judge_clocks,
	  .key = "smart.power_on_hours" },
};

const struct check_group check_newness = { .kinds = kinds, .nr = sizeof(kinds) / sizeof(*kinds) };
