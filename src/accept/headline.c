/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first line: see headline.h.
 */
#include "headline.h"
#include "hoploss/accept_plan.h"
#include <math.h>
#include <string.h>

#define PASSES 2 /* over the whole drive, before write figures count */

struct sum { /* what a first line counts */
	size_t count[HL_CHECK_NOT_ASKED + 1];
	size_t nr_blank;    /* of those not measured */
	const char *failed; /* " (health.wear, link.width)"; "" */
	const char *fill;   /* "accept /dev/sda --write --serial S" */
	const char *each;   /* " per drive"; "" */
	double bytes, seconds;
};

static size_t nr_blank(const struct hl_acceptance *acceptance)
{
	size_t nr = 0;

	for (size_t i = 0; i < acceptance->nr_checks; i++)
		nr += acceptance->checks[i].needs_written;
	return nr;
}

static const char *failed_of(struct hl_arena *arena, const struct hl_acceptance *acceptance)
{
	const char *failed = "";

	for (size_t i = 0; i < acceptance->nr_checks; i++) {
		if (acceptance->checks[i].status == HL_CHECK_FAIL)
			failed = hl_arena_printf(arena, "%s%s%s", failed, *failed ? ", " : " (",
						 acceptance->checks[i].id);
	}
	return *failed ? hl_arena_printf(arena, "%s)", failed) : failed;
}

/* Makers count in thousands. */
static const char *decimal_size(struct hl_arena *arena, double bytes)
{
	static const char *const units[] = { "MB", "GB", "TB", "PB" };
	double value = bytes / 1e6;
	size_t unit = 0;

	for (; value >= 1000 && unit < sizeof(units) / sizeof(*units) - 1; unit++)
		value /= 1000;
	return hl_arena_printf(arena, "%.*f %s", value < 100, value, units[unit]);
}

/* ", 4 need written blocks: accept /dev/sda --write --serial S, about 5 h 10 min, writes 15.4 TB"
 */
static const char *blank_of(struct hl_arena *arena, const struct sum *sum)
{
	const char *text;

	if (!sum->nr_blank)
		return "";
	text = hl_arena_printf(arena, ", %zu %s written blocks: %s", sum->nr_blank,
			       sum->nr_blank == 1 ? "needs" : "need", sum->fill);
	if (!isnan(sum->seconds))
		text = hl_arena_printf(arena, "%s, about %s", text,
				       hl_accept_span(arena, sum->seconds));
	if (!isnan(sum->bytes))
		text = hl_arena_printf(arena, "%s, writes %s%s", text,
				       decimal_size(arena, sum->bytes), sum->each);
	return text;
}

static const char *print(struct hl_arena *arena, enum hl_acceptance_verdict verdict,
			 const struct sum *sum)
{
	size_t nr_others = sum->count[HL_CHECK_NOT_MEASURED] - sum->nr_blank;
	const char *others = "";

	if (nr_others || !sum->nr_blank)
		others = hl_arena_printf(arena, "%s%zu not measured", sum->nr_blank ? "; " : ", ",
					 nr_others);
	return hl_arena_printf(arena, "%s: %zu passed, %zu failed%s%s%s",
			       hl_acceptance_verdict_name(verdict), sum->count[HL_CHECK_PASS],
			       sum->count[HL_CHECK_FAIL], sum->failed, blank_of(arena, sum),
			       others);
}

static double capacity_of(const struct subject *subject)
{
	double capacity = subject_number(subject, "drive.capacity_bytes");

	return isnan(capacity) && subject->spec ? subject->spec->capacity : capacity;
}

/* What the person would type; one that shows no serial number is marked first. */
static const char *fill_of(const struct subject *subject, const struct hl_acceptance *acceptance)
{
	const char *target = subject->hop ? subject->hop->target : NULL;

	return hl_arena_printf(subject->arena, "accept %s --write --serial %s",
			       target ? target : acceptance->device,
			       acceptance->serial ? acceptance->serial : "SERIAL");
}

void headline_put(const struct subject *subject, struct hl_acceptance *acceptance)
{
	double capacity = capacity_of(subject);
	struct sum sum = {
		.nr_blank = nr_blank(acceptance),
		.failed = failed_of(subject->arena, acceptance),
		.fill = fill_of(subject, acceptance),
		.each = "",
		.bytes = PASSES * capacity,
		.seconds = hl_accept_fill_seconds(subject->spec, capacity),
	};

	memcpy(sum.count, acceptance->count, sizeof(sum.count));
	acceptance->fill_bytes = sum.nr_blank ? sum.bytes : NAN;
	acceptance->fill_s = sum.nr_blank ? sum.seconds : NAN;
	acceptance->headline = print(subject->arena, acceptance->verdict, &sum);
}

void headline_put_set(struct hl_acceptance_set *set, const struct hl_acceptance_how *how)
{
	struct sum sum = {
		.failed = "",
		.fill = how->nr_purchases ? "the same with --write"
					  : "accept DEVICE... --write --serials FILE",
		.each = " per drive",
		.bytes = NAN,
		.seconds = NAN,
	};

	if (set->nr_devices == 1 && set->verdict > set->devices[0].verdict && set->nr_findings) {
		set->headline = hl_arena_printf(set->arena, "%s: %s",
						hl_acceptance_verdict_name(set->verdict),
						set->findings[0]);
		return;
	}
	if (set->nr_devices == 1) {
		set->headline = set->devices[0].headline;
		return;
	}
	for (size_t i = 0; i < set->nr_devices; i++) {
		const struct hl_acceptance *device = &set->devices[i];

		for (size_t k = 0; k <= HL_CHECK_NOT_ASKED; k++)
			sum.count[k] += device->count[k];
		sum.nr_blank += nr_blank(device);
		sum.bytes = fmax(sum.bytes, device->fill_bytes); /* they are filled at once */
		sum.seconds = fmax(sum.seconds, device->fill_s);
	}
	set->headline = print(set->arena, set->verdict, &sum);
}
