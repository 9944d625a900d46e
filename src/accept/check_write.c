/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What only writing shows: that all of its capacity is there, and how long a flush takes.
 */
#include "check.h"
#include "hoploss/model.h"
#include <math.h>
#include <string.h>

#define BACKED_NS 5e5 /* a flush that is faster than any flash can program: a backed cache */

static bool is_asked(const struct subject *subject, struct hl_check *check)
{
	if (subject->how->wants_write || subject_fact(subject, "accept.written_bytes"))
		return true;
	check->status = HL_CHECK_NOT_ASKED;
	check->mend = "--write";
	return false;
}

static void judge_capacity(const struct subject *subject, const struct check_kind *kind,
			   struct hl_check *check)
{
	const struct hl_fact *failure = subject_fact(subject, "accept.failure");
	double written = subject_number(subject, "accept.written_bytes");

	if (!is_asked(subject, check))
		return;
	check->measured = subject_number(subject, kind->key);
	check_limit(check, HL_RELATION_AT_LEAST, written);
	check->unit = "bytes";
	check_evidence(subject, check, subject_fact(subject, kind->key));
	if (failure && failure->type == HL_FACT_STRING) {
		check_evidence(subject, check, failure);
		check_fail(subject, check, "%s", failure->string);
	} else if (isnan(check->measured) || isnan(written)) {
		check_miss(subject, check, "it was not written and read back");
	} else if (check->measured < written) {
		check_miss(subject, check, "not all of it was read back");
	}
}

static const struct hl_measurement *find_flush(const struct hl_hop *hop)
{
	for (size_t i = 0; hop && i < hop->nr_measurements; i++) {
		const struct hl_measurement *at = hop->measurements[i];
		const struct hl_rate *rate = at->dir[HL_DIR_WRITE];

		if (at->workload.fsync == 1 && rate && rate->sync)
			return at;
	}
	return NULL;
}

/* No sheet promises it: it is shown, with what it means. */
static void judge_flush(const struct subject *subject, const struct check_kind *kind,
			struct hl_check *check)
{
	const struct hl_measurement *at = find_flush(subject->hop);

	(void)kind;
	if (!is_asked(subject, check))
		return;
	if (!at) {
		check_miss(subject, check, "flushes were not measured");
		return;
	}
	check->measured = at->dir[HL_DIR_WRITE]->sync->p99;
	check->unit = "ns";
	check_show(subject, check,
		   check->measured < BACKED_NS
			   ? "99 of 100 flushes: fast enough for a cache that survives a power cut"
			   : "99 of 100 flushes: its cache is not backed against a power cut");
}

static const struct check_kind kinds[] = {
	{ "write.capacity", "all that was written reads back", DRIVE_ANY, judge_capacity,
	  .key = "accept.read_back_bytes" },
	{ "write.flush", "time of a flush", DRIVE_ANY, judge_flush, .key = NULL },
};

const struct check_group check_write = { .kinds = kinds, .nr = sizeof(kinds) / sizeof(*kinds) };
