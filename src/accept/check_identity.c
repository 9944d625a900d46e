/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is it the drive that was bought: model, capacity, firmware and serial, against the datasheet and
 * the purchase list.
 */
#include "check.h"
#include "hoploss/alloc.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A capacity on a sheet is rounded to three digits, and what a drive has is a little more. */
#define CAPACITY_SHORT 0.995
#define CAPACITY_OTHER 1.15 /* 480 and 512 GB are sold as one size */

/* A name that nothing can be held against is shown, and no PASS. */
static void only_show(struct hl_check *check)
{
	check->status = HL_CHECK_NOT_ASKED;
	check->reason = "shown: no datasheet and no purchase list to hold it against";
}

static void compare_texts(const struct subject *subject, struct hl_check *check, const char *key,
			  const char *required, const char *what)
{
	const struct hl_fact *fact = subject_fact(subject, key);

	check->required_text = required;
	if (!fact || fact->type != HL_FACT_STRING) {
		check_miss(subject, check, "nothing tells its %s", what);
		return;
	}
	check->measured_text = fact->string;
	check_evidence(subject, check, fact);
	if (!required)
		only_show(check);
	else if (strcasecmp(required, fact->string) != 0)
		check_fail(subject, check, "another %s than on the purchase list, line %u", what,
			   subject->purchase->line);
}

static void judge_model(const struct subject *subject, const struct check_kind *kind,
			struct hl_check *check)
{
	const struct hl_purchase *bought = subject->purchase;

	compare_texts(subject, check, kind->key, bought ? bought->model : NULL, "model");
	if (check->status != HL_CHECK_NOT_ASKED || !subject->spec)
		return;
	check->status = HL_CHECK_PASS;
	check->reason = NULL;
	check->required_text = subject->spec->product ? subject->spec->product
						      : subject->spec->name;
	if (subject->spec->models && !hl_spec_is_model(subject->spec, check->measured_text))
		check_fail(subject, check, "the datasheet %s is of models %s", subject->spec->name,
			   subject->spec->models);
}

static void judge_capacity(const struct subject *subject, const struct check_kind *kind,
			   struct hl_check *check)
{
	const struct hl_purchase *bought = subject->purchase;
	const struct hl_fact *own = subject_fact(subject, kind->key);
	const struct hl_fact *fact = own ? own : subject_fact(subject, "block.size");
	double capacity = bought && !isnan(bought->capacity) ? bought->capacity
			  : subject->spec                    ? subject->spec->capacity
							     : NAN;

	check->required = capacity;
	check->unit = "bytes";
	if (!fact) {
		check_miss(subject, check, "nothing tells its capacity");
		return;
	}
	check->measured = fact->number;
	check_evidence(subject, check, fact);
	if (isnan(capacity))
		check_miss(subject, check,
			   "no datasheet and no purchase list says what it must be");
	else if (fact->number < capacity * CAPACITY_SHORT)
		check_fail(subject, check, "it holds less than was promised");
	else if (fact->number > capacity * CAPACITY_OTHER)
		check_fail(subject, check, "it is of another size than what was bought");
}

static void judge_firmware(const struct subject *subject, const struct check_kind *kind,
			   struct hl_check *check)
{
	const struct hl_purchase *bought = subject->purchase;

	compare_texts(subject, check, kind->key, bought ? bought->firmware : NULL, "firmware");
}

static void judge_serial(const struct subject *subject, const struct check_kind *kind,
			 struct hl_check *check)
{
	const struct hl_fact *fact = subject_fact(subject, kind->key);

	if (!fact || fact->type != HL_FACT_STRING) {
		check_miss(subject, check, "nothing tells its serial number");
		return;
	}
	check->measured_text = fact->string;
	check_evidence(subject, check, fact);
	if (subject->purchase)
		check->required_text = subject->purchase->serial;
	else if (subject->how->nr_purchases)
		check_fail(subject, check, "it is not %s",
			   subject->how->purchases[0].line ? "on the purchase list"
							   : "the one that --serial names");
	else
		only_show(check);
}

static const struct check_kind kinds[] = {
	{ "identity.model", "model", DRIVE_ANY, judge_model, .key = "drive.model" },
	{ "identity.capacity", "capacity", DRIVE_ANY, judge_capacity,
	  .key = "drive.capacity_bytes" },
	{ "identity.firmware", "firmware", DRIVE_ANY, judge_firmware, .key = "drive.firmware" },
	{ "identity.serial", "serial number", DRIVE_ANY, judge_serial, .key = "drive.serial" },
};

const struct check_group check_identity = { .kinds = kinds, .nr = sizeof(kinds) / sizeof(*kinds) };
