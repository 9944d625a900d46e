/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first line: see headline.h.
 */
#include "headline.h"
#include "hoploss/accept_plan.h"
#include "hoploss/unit.h"
#include <math.h>
#include <string.h>

#define PASSES 2 /* over the whole drive, before write figures count */

struct sum {                /* what a first line counts */
	const char *drives; /* "24 drives, "; "" of one */
	size_t count[HL_NR_CHECK_STATUSES];
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

/* ", 4 need written blocks: accept /dev/sda --write --serial S, about 5 h 10 min, writes 15.4 TB"
 */
static const char *blank_of(struct hl_arena *arena, const struct sum *sum)
{
	char size[HL_UNIT_TEXT];
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
				       hl_unit_size_sheet(size, sum->bytes), sum->each);
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
	return hl_arena_printf(arena, "%s: %s%zu passed, %zu failed%s%s%s",
			       hl_acceptance_verdict_name(verdict), sum->drives,
			       sum->count[HL_CHECK_PASS], sum->count[HL_CHECK_FAIL], sum->failed,
			       blank_of(arena, sum), others);
}

static double capacity_of(const struct subject *subject)
{
	double capacity = subject_number(subject, "drive.capacity_bytes");

	return isnan(capacity) && subject->spec ? subject->spec->capacity : capacity;
}

static const char *target_of(const struct hl_hop *hop, const struct hl_acceptance *acceptance)
{
	return hop && hop->target ? hop->target : acceptance->device;
}

/* What the person would type; one that shows no serial number is marked first. */
static const char *fill_of(const struct subject *subject, const struct hl_acceptance *acceptance)
{
	const char *target = target_of(subject->hop, acceptance);

	if (acceptance->serial)
		return hl_arena_printf(subject->arena, "accept %s --write --serial %s", target,
				       acceptance->serial);
	return hl_arena_printf(subject->arena, "mark %s, then accept %s --write --serial UUID",
			       target, target);
}

void headline_put(const struct subject *subject, struct hl_acceptance *acceptance)
{
	double capacity = capacity_of(subject);
	struct sum sum = {
		.drives = "",
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

#define NAMED 4 /* drives: of more the first line would not be one */

/* "accept /dev/sda /dev/sdb --write --serials FILE" */
static const char *fill_all(const struct hl_acceptance_set *set,
			    const struct hl_acceptance_how *how, const struct hl_graph *graph)
{
	const char *devices = "";

	if (how->nr_purchases && how->purchases[0].line)
		return "the same with --write";
	for (size_t i = 0; i < set->nr_devices && set->nr_devices <= NAMED; i++) {
		const struct hl_acceptance *device = &set->devices[i];
		const struct hl_hop *hop = hl_graph_find_hop(graph, device->device);

		devices = hl_arena_printf(set->arena, "%s %s", devices, target_of(hop, device));
	}
	return hl_arena_printf(set->arena, "accept%s --write --serials FILE",
			       *devices ? devices : " DEVICE...");
}

/* "2 of 24 drives fail (S1, S7), 1 missing; " */
static const char *drives_of(const struct hl_acceptance_set *set)
{
	size_t nr_failed = 0;
	const char *names = "", *missing = "";

	if (set->nr_missing)
		missing = hl_arena_printf(set->arena, ", %zu missing", set->nr_missing);
	for (size_t i = 0; i < set->nr_devices; i++) {
		const struct hl_acceptance *device = &set->devices[i];

		if (device->verdict != HL_ACCEPT_FAIL)
			continue;
		if (nr_failed++ < NAMED)
			names = hl_arena_printf(set->arena, "%s%s%s", names, *names ? ", " : "",
						device->serial ? device->serial : device->device);
	}
	if (!nr_failed)
		return hl_arena_printf(set->arena, "%zu drives%s%s", set->nr_devices, missing,
				       *missing ? "; " : ", ");
	return hl_arena_printf(set->arena, "%zu of %zu drives %s (%s%s)%s; ", nr_failed,
			       set->nr_devices, nr_failed == 1 ? "fails" : "fail", names,
			       nr_failed > NAMED ? ", ..." : "", missing);
}

void headline_put_set(struct hl_acceptance_set *set, const struct hl_acceptance_how *how,
		      const struct hl_graph *graph)
{
	struct sum sum = {
		.drives = drives_of(set),
		.failed = "",
		.fill = fill_all(set, how, graph),
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

		for (size_t k = 0; k < HL_NR_CHECK_STATUSES; k++)
			sum.count[k] += device->count[k];
		sum.nr_blank += nr_blank(device);
		sum.bytes = fmax(sum.bytes, device->fill_bytes); /* they are filled at once */
		sum.seconds = fmax(sum.seconds, device->fill_s);
	}
	set->headline = print(set->arena, set->verdict, &sum);
}
