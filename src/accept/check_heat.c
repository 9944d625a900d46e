/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does it keep cool: now, during the test, and in its life so far.
 *
 * Source: NVM Express Base Specification 2.0, 5.16.1.3: WCTEMP and CCTEMP are limits of the drive
 * itself; warning and critical composite temperature time count minutes above them.
 */
#include "check.h"
#include <math.h>

#define TEMPERATURE_BIT 2
#define COLDEST_C       (-60) /* beyond these no drive works, and what it says is no temperature */
#define HOTTEST_C       150
#define USUAL_LIMIT_C   70 /* where neither drive nor sheet names one */

/* The lowest limit that drive or sheet name; NAN. */
static double limit_of(const struct subject *subject)
{
	double own = subject_number(subject, "drive.temperature_warn_c");

	if (subject->spec)
		own = fmin(own, subject->spec->temperature_warn_c); /* the one that is known */
	return own;
}

static void judge_temperature(const struct subject *subject, const struct check_kind *kind,
			      struct hl_check *check)
{
	const struct hl_fact *hottest = subject_greatest(subject, "drive.temperature_max_c");
	double warning = subject_number(subject, "smart.critical_warning");
	double limit = limit_of(subject);

	check_compare(subject, kind, isnan(limit) ? USUAL_LIMIT_C : limit, check);
	if (check->measured < COLDEST_C || check->measured > HOTTEST_C) {
		check_miss(subject, check, "a temperature of %.0f C cannot be", check->measured);
		return;
	}
	if (hottest && hottest->number > check->measured) {
		check->measured = hottest->number;
		check_evidence(subject, check, hottest);
		if (!(hottest->number < check->required))
			check_fail(subject, check, "%s while it was measured", kind->reason);
	}
	if (warning > 0 && ((unsigned)warning & TEMPERATURE_BIT)) {
		check_evidence(subject, check, subject_fact(subject, "smart.critical_warning"));
		check_fail(subject, check,
			   "the drive warns of its temperature (critical warning 0x%02x)",
			   (unsigned)warning);
	}
}

static void judge_limit(const struct subject *subject, const struct check_kind *kind,
			struct hl_check *check)
{
	check_compare(subject, kind, kind->limit, check);
}

/* Counters that throttling moves, before the test and after it. */
static void judge_throttle(const struct subject *subject, const struct check_kind *kind,
			   struct hl_check *check)
{
	static const char *const keys[] = {
		"smart.thm_temp1_trans_count",
		"smart.thm_temp2_trans_count",
	};
	bool is_known = false;
	double moved = 0;

	check_limit(check, HL_RELATION_AT_MOST, 0);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const struct hl_fact *fact = subject_fact(subject, keys[i]);

		if (!fact || isnan(fact->before))
			continue;
		is_known = true;
		moved += fact->number - fact->before;
		check_evidence(subject, check, fact);
	}
	if (!is_known) {
		check_miss(subject, check,
			   "its throttle counters were not read before and after a load");
		return;
	}
	check->measured = moved;
	if (moved > 0)
		check_fail(subject, check, "%s", kind->reason);
}

static void judge_soak(const struct subject *subject, const struct check_kind *kind,
		       struct hl_check *check)
{
	const struct hl_fact *fact = subject_fact(subject, kind->key);

	if (!subject->how->wants_soak && !subject_fact(subject, "accept.soak_s")) {
		check->status = HL_CHECK_NOT_ASKED;
		check->mend = "--soak 30m";
		return;
	}
	if (!fact) {
		check_miss(subject, check, "the soak was too short to tell");
		return;
	}
	check_compare(subject, kind, kind->limit, check);
}

static const struct check_kind kinds[] = {
	{ "heat.temperature", "temperature", DRIVE_ANY, judge_temperature,
	  .key = "smart.temperature_c", .relation = HL_RELATION_BELOW,
	  .reason = "it is hotter than its limit" },
	{ "heat.critical-time", "time above its critical temperature", DRIVE_NVME, judge_limit,
	  .key = "smart.critical_temp_time_min", .relation = HL_RELATION_AT_MOST, .limit = 0,
	  .reason = "it has been above its critical temperature: it was run without cooling" },
	{ "heat.throttle", "throttled during the test", DRIVE_NVME, judge_throttle,
	  .reason = "it throttled itself while it was measured" },
	{ "heat.soak", "bandwidth kept through the soak", DRIVE_ANY, judge_soak,
	  .key = "accept.soak_kept_pct", .relation = HL_RELATION_AT_LEAST, .limit = 90,
	  .reason = "its bandwidth fell during the soak" },
};

const struct check_group check_heat = {
	.kinds = kinds,
	.nr = sizeof(kinds) / sizeof(*kinds),
	.is_of_now = true,
};
