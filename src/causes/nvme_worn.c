/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvme-worn: a drive is worn out or failing. SATA and SAS drives are told by the same id.
 *
 * Source: SMART of NVMe, ATA and SCSI. Surprising: what a drive says of itself is direct evidence
 * that it fails, but a counter of errors above zero may be years old: only one that moved while it
 * was looked at says that it fails now. Entries in the error log are mostly commands that were
 * not understood, and no sign of wear; CRC errors are the cable's.
 */
#include "drive_said.h"
#include "hoploss/cause.h"
#include "hoploss/place.h"
#include <math.h>
#include <string.h>

#define TEMPERATURE_BIT 2 /* of the critical warning: no wear */

/* A drive is looked at if it has any of these. */
static const char *const signs[] = {
	"smart.critical_warning",  "smart.percentage_used",       "smart.available_spare_pct",
	"smart.media_errors",      "smart.health_passed",         "smart.reallocated",
	"smart.pending",           "smart.offline_uncorrectable", "smart.grown_defects",
	"smart.uncorrected_reads", "smart.uncorrected_writes",    NULL
};

/* What the drive itself calls a failure. */
static const struct {
	const char *key, *words;
} warnings[] = {
	{ "smart.warns_spare", "its spare space is below the threshold" },
	{ "smart.warns_reliability", "it warns that it is no longer reliable" },
	{ "smart.warns_read_only", "it has gone read-only" },
	{ "smart.warns_backup", "the backup supply of its cache has failed" },
	{ "smart.warns_pmr", "its persistent memory is read-only or unreliable" },
};

/* Errors that it counts. */
static const struct {
	const char *key, *words;
} counters[] = {
	{ "smart.media_errors", "media errors" },
	{ "smart.reallocated", "reallocated sectors" },
	{ "smart.pending", "sectors that it cannot read" },
	{ "smart.offline_uncorrectable", "sectors that it could not correct" },
	{ "smart.grown_defects", "grown defects" },
	{ "smart.uncorrected_reads", "reads not corrected" },
	{ "smart.uncorrected_writes", "writes not corrected" },
};

struct wear {
	const char *failing;  /* parts joined; NULL = the drive says nothing */
	const char *counting; /* NULL = no errors */
	bool has_moved;
};

/* ---- what is known ---- */

/* A verdict of "failed" that is about heat is no wear. */
static bool is_failed_by_itself(const struct hl_graph *graph, const struct hl_fact *at)
{
	const struct hl_fact *passed = hl_place_beside(graph, at, "smart.health_passed");

	return passed && passed->type == HL_FACT_BOOLEAN && !passed->boolean &&
	       drive_number(graph, at, "smart.critical_warning") != TEMPERATURE_BIT;
}

static const char *say_failing(struct hl_graph *graph, const struct hl_fact *at)
{
	double used = drive_number(graph, at, "smart.percentage_used");
	double spare = drive_number(graph, at, "smart.available_spare_pct");
	double least = drive_number(graph, at, "smart.available_spare_threshold_pct");
	const char *parts = NULL;

	if (used >= 100)
		parts = drive_join(
			graph, parts,
			hl_arena_printf(graph->arena, "%.0f %% of its rated life is used", used));
	if (spare < least)
		parts = drive_join(graph, parts,
				   hl_arena_printf(graph->arena,
						   "%.0f %% of its spare space is left, where "
						   "%.0f %% is the least",
						   spare, least));
	for (size_t i = 0; i < sizeof(warnings) / sizeof(*warnings); i++) {
		bool is_said = !i && spare < least; /* with its figures already */

		if (!is_said && drive_is(graph, at, warnings[i].key))
			parts = drive_join(graph, parts, warnings[i].words);
	}
	if (!parts && is_failed_by_itself(graph, at))
		parts = "its own self-assessment is \"failed\"";
	return parts;
}

static const char *say_counter(struct hl_graph *graph, const struct hl_fact *at, size_t i,
			       double moved)
{
	double count = drive_number(graph, at, counters[i].key);

	if (moved > 0)
		return hl_arena_printf(graph->arena, "%.0f %s, %.0f of them new", count,
				       counters[i].words, moved);
	return hl_arena_printf(graph->arena, "%.0f %s", count, counters[i].words);
}

static struct wear wear_of(struct hl_graph *graph, const struct hl_fact *at)
{
	struct wear wear = { .failing = say_failing(graph, at) };

	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++) {
		double moved = drive_moved(graph, at, counters[i].key);

		if (!(drive_number(graph, at, counters[i].key) > 0) && !(moved > 0))
			continue;
		wear.counting = drive_join(graph, wear.counting, say_counter(graph, at, i, moved));
		wear.has_moved = wear.has_moved || moved > 0;
	}
	return wear;
}

/* ---- findings ---- */

static void found(struct hl_graph *graph, const struct hl_cause *cause, const struct hl_fact *at,
		  const struct wear *wear)
{
	const struct hl_hop *hop = hl_place_hop(graph, at);
	struct hl_finding *finding = hl_cause_found(graph, cause, hop, NULL, HL_DIR_READ);
	const char *what = drive_join(graph, wear->failing, wear->counting ? wear->counting : "");

	if (!wear->counting)
		what = wear->failing;
	finding->state = wear->failing || wear->has_moved ? HL_CONFIRMED : HL_SUSPECTED;
	finding->text = hl_arena_printf(
		graph->arena, "%s %s: %s.%s", drive_say(graph, at),
		wear->failing ? "is failing" : "counts errors", what,
		finding->state == HL_CONFIRMED
			? ""
			: " Whether they are old or still come, one reading does not say.");
	drive_add_evidence(graph, finding, at, signs);
	finding->fix =
		wear->failing
			? "Keep a copy of what is on it and replace it. A drive in this state "
			  "retries and remaps, and is slow while it does."
			: "A copy of what is on it first; then a long self-test or a read of "
			  "the whole drive, and replace it if the count grows.";
	if (finding->state != HL_CONFIRMED)
		finding->next = "Read the counters again after a run: a drive that fails counts "
				"on. A long self-test (smartctl -t long, nvme device-self-test -s "
				"2) reads all of it.";
	finding->paste = "# as root; sda: the drive\n"
			 "smartctl -x /dev/sda\n";
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	size_t nr_facts = graph->nr_facts;
	const struct hl_fact *at;

	for (size_t i = 0; i < nr_facts && (at = drive_next(graph, signs, i)); i++) {
		struct wear wear = wear_of(graph, at);

		if (wear.failing || wear.counting)
			found(graph, cause, at, &wear);
	}
}

static const char *const rivals[] = { "nvme-thermal-throttle", NULL };

const struct hl_cause hl_cause_nvme_worn = {
	.id = "nvme-worn",
	.summary = "a drive is worn out or failing",
	.layer = HL_LAYER_DRIVE,
	.explain =
		"Flash wears with what is written, and every drive has defects that it corrects, "
		"retries and replaces, until it cannot. Before it fails it is slow: retries take "
		"milliseconds on flash and seconds on a hard disk, and a drive that has gone "
		"read-only takes no writes at all.\n\n"
		"Recognised by SMART. Confirmed by what the drive says of itself: 100 % or more of "
		"its rated life used, spare space below its threshold, a bit of the critical "
		"warning other than temperature, a failed self-assessment; or by a count of errors "
		"that grew while it was measured or between two logs. Suspected when media errors, "
		"reallocated, pending or uncorrectable sectors or grown defects are above zero in "
		"one log.\n\n"
		"Not told: entries in the error log (mostly commands the drive does not know), CRC "
		"errors (the cable's), many hours or much data written alone. A drive that "
		"throttles for heat is slow too, but recovers.\n\n"
		"Decided by a second reading after a run, or a long self-test.\n\n"
		"What to do: copy, replace.",
	.rivals = rivals,
	.match = match,
};
