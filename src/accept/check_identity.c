/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is it the drive that was bought: model, capacity, firmware and serial, against the datasheet and
 * the purchase list.
 */
#include "check.h"
#include "hoploss/alloc.h"
#include "hoploss/model_name.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A capacity on a sheet is rounded to three digits, and what a drive has is a little more. */
#define CAPACITY_SHORT 0.995
#define CAPACITY_OTHER 1.15 /* 480 and 512 GB are sold as one size */

/* What nothing can be held against is shown, and no PASS. */
static void only_show(const struct subject *subject, struct hl_check *check)
{
	bool is_listed = subject->purchase && subject->purchase->line;

	check_show(subject, check, "%s says what it must be",
		   is_listed ? "neither a datasheet nor its line in the purchase list"
			     : "no datasheet and no purchase list");
}

/* False: nothing tells it. */
static bool take_text(const struct subject *subject, const struct check_kind *kind,
		      struct hl_check *check)
{
	const struct hl_fact *fact = subject_fact(subject, kind->key);

	if (!fact || fact->type != HL_FACT_STRING) {
		check_miss(subject, check, "nothing tells its %s", kind->title);
		return false;
	}
	check->measured_text = fact->string;
	check_evidence(subject, check, fact);
	return true;
}

static void fail_bought(const struct subject *subject, const struct check_kind *kind,
			struct hl_check *check)
{
	check_fail(subject, check, "another %s than on the purchase list, line %u", kind->title,
		   subject->purchase->line);
}

/* "Samsung?SSD?980?1TB*" for people: "Samsung SSD 980 1TB…" */
static const char *models_of(const struct subject *subject)
{
	char *text = hl_arena_strdup(subject->arena, subject->spec->models);

	for (char *at = text; *at; at++) {
		if (*at == ' ')
			*at = ',';
		else if (*at == '?')
			*at = ' ';
	}
	return text;
}

static void judge_by_sheet(const struct subject *subject, struct hl_check *check)
{
	const struct hl_spec *spec = subject->spec;

	if (!spec->models) {
		check_show(subject, check, "the datasheet %s names no model", spec->name);
		return;
	}
	check_require(check, HL_RELATION_ONE_OF, models_of(subject));
	if (!hl_spec_is_model(spec, check->measured_text))
		check_fail(subject, check, "the datasheet %s is of another model", spec->name);
}

static void judge_model(const struct subject *subject, const struct check_kind *kind,
			struct hl_check *check)
{
	const char *bought = subject->purchase ? subject->purchase->model : NULL;

	check_require(check, HL_RELATION_EQUAL, bought);
	if (!take_text(subject, kind, check))
		return;
	if (bought && !hl_model_name_is(bought, check->measured_text))
		fail_bought(subject, kind, check);
	else if (subject->spec)
		judge_by_sheet(subject, check);
	else if (!bought)
		only_show(subject, check);
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

	check_limit(check, HL_RELATION_AT_LEAST, capacity);
	check->unit = "bytes";
	if (!fact) {
		check_miss(subject, check, "nothing tells its capacity");
		return;
	}
	check->measured = fact->number;
	check_evidence(subject, check, fact);
	if (isnan(capacity))
		only_show(subject, check);
	if (fact->number < capacity * CAPACITY_SHORT)
		check_fail(subject, check, "it holds less than was promised");
	if (fact->number > capacity * CAPACITY_OTHER) {
		check->relation = HL_RELATION_EQUAL;
		check_fail(subject, check, "it is of another size than what was bought");
	}
}

static void judge_firmware(const struct subject *subject, const struct check_kind *kind,
			   struct hl_check *check)
{
	const char *bought = subject->purchase ? subject->purchase->firmware : NULL;

	check_require(check, HL_RELATION_EQUAL, bought);
	if (!take_text(subject, kind, check))
		return;
	if (!bought)
		only_show(subject, check);
	else if (strcasecmp(bought, check->measured_text) != 0)
		fail_bought(subject, kind, check);
}

static void judge_serial(const struct subject *subject, const struct check_kind *kind,
			 struct hl_check *check)
{
	const struct hl_purchase *first = subject->how->purchases;
	bool is_list = subject->how->nr_purchases && first->line;

	if (!take_text(subject, kind, check))
		return;
	if (subject->purchase)
		check_require(check, HL_RELATION_EQUAL, subject->purchase->serial);
	else if (!subject->how->nr_purchases)
		only_show(subject, check);
	else if (is_list)
		check_fail(subject, check, "it is not on the purchase list");
	else
		check_fail(subject, check, "it is not the one that --serial names");
	if (!subject->purchase && !is_list && subject->how->nr_purchases)
		check_require(check, HL_RELATION_EQUAL, first->serial);
}

static const struct check_kind kinds[] = {
	{ "identity.model", "model", DRIVE_ANY, judge_model, .key = "drive.model" },
	{ "identity.capacity", "capacity", DRIVE_ANY, judge_capacity,
	  .key = "drive.capacity_bytes" },
	{ "identity.firmware", "firmware", DRIVE_ANY, judge_firmware, .key = "drive.firmware" },
	{ "identity.serial", "serial number", DRIVE_ANY, judge_serial, .key = "drive.serial" },
};

const struct check_group check_identity = { .kinds = kinds, .nr = sizeof(kinds) / sizeof(*kinds) };
