/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvme-thermal-throttle: a drive slows itself down because it is hot.
 *
 * Source: the counters of thermal management in the SMART log (NVM Express Base 2.0, figure 207),
 * before and after a slot, a run, or in several logs; and temperatures with their limits.
 * Surprising: only a counter that moved confirms it. They count host controlled thermal management,
 * which many drives do not have or not use: one that stands still clears nothing. Minutes above the
 * warning temperature are no throttling, and are not told.
 */
#include "drive_said.h"
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include <math.h>
#include <string.h>

#define WARNS_BIT "smart.warns_temperature"
#define CHIP      "thermal.chip"

static const char *const counts[] = { "smart.thm_temp1_trans_count", "smart.thm_temp2_trans_count",
				      NULL };
static const char *const times[] = { "smart.thm_temp1_total_time_s", "smart.thm_temp2_total_time_s",
				     NULL };

/* A drive is looked at if it has any of these. */
static const char *const signs[] = { "smart.thm_temp1_trans_count",
				     "smart.thm_temp2_trans_count",
				     "smart.thm_temp1_total_time_s",
				     "smart.thm_temp2_total_time_s",
				     "smart.temperature_c",
				     WARNS_BIT,
				     NULL };

static const char *const evidence[] = { "smart.thm_temp1_trans_count",
					"smart.thm_temp2_trans_count",
					"smart.thm_temp1_total_time_s",
					"smart.thm_temp2_total_time_s",
					"smart.temperature_c",
					"drive.temperature_warn_c",
					WARNS_BIT,
					"thermal.temperature_c",
					"thermal.max_c",
					"thermal.is_alarm",
					NULL };

struct heat {                  /* of one drive; NAN = not known */
	double times, seconds; /* that it throttled since it was new */
	double moved, moved_s; /* between readings */
	double now, limit;     /* Celsius */
	bool warns;            /* critical warning: above its threshold */
};

/* ---- what is known ---- */

static double sum(const struct hl_graph *graph, const struct hl_fact *at, const char *const *keys,
		  double (*value)(const struct hl_graph *graph, const struct hl_fact *at,
				  const char *key))
{
	double total = NAN;

	for (; *keys; keys++) {
		double one = value(graph, at, *keys);

		if (!isnan(one))
			total = (isnan(total) ? 0 : total) + one;
	}
	return total;
}

/* The drive's PCI function, where hwmon's temperatures of it stand; NULL. */
static const struct hl_fact *function_of(const struct hl_graph *graph, const struct hl_fact *at)
{
	const struct hl_fact *address = hl_place_beside(graph, at, "block.pci_address");
	const struct hl_fact *fact;

	if (!address || !address->string)
		return NULL;
	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, CHIP, i)); i++) {
		bool is_same_host = fact->host && at->host ? !strcmp(fact->host, at->host)
							   : fact->host == at->host;

		if (is_same_host && fact->node && !strcmp(fact->node, address->string))
			return fact;
	}
	return NULL;
}

static void add_hwmon(const struct hl_graph *graph, const struct hl_fact *chip, struct heat *heat)
{
	heat->now = fmax(heat->now, drive_most(graph, chip, "thermal.temperature_c"));
	if (isnan(heat->limit))
		heat->limit = drive_number(graph, chip, "thermal.max_c");
	heat->warns = heat->warns || drive_most(graph, chip, "thermal.is_alarm") > 0;
}

static struct heat heat_of(const struct hl_graph *graph, const struct hl_fact *at)
{
	struct heat heat = {
		.times = sum(graph, at, counts, drive_number),
		.seconds = sum(graph, at, times, drive_number),
		.moved = sum(graph, at, counts, drive_moved),
		.moved_s = sum(graph, at, times, drive_moved),
		.now = drive_most(graph, at, "smart.temperature_c"),
		.limit = drive_number(graph, at, "drive.temperature_warn_c"),
		.warns = drive_most(graph, at, WARNS_BIT) > 0,
	};
	const struct hl_fact *chip = function_of(graph, at);

	if (chip)
		add_hwmon(graph, chip, &heat);
	return heat;
}

static bool has_moved(const struct heat *heat)
{
	return heat->moved > 0 || heat->moved_s > 0;
}

static bool is_hot(const struct heat *heat)
{
	return heat->warns || heat->now >= heat->limit;
}

/* Hot once in its life says little where two readings show that it was not since. */
static bool was_hot(const struct heat *heat)
{
	return (heat->times > 0 || heat->seconds > 0) && isnan(heat->moved) && isnan(heat->moved_s);
}

/* ---- words ---- */

static const char *say_counts(struct hl_graph *graph, double nr, double seconds)
{
	const char *how_often = nr > 0 ? hl_arena_printf(graph->arena, " %.0f time%s", nr,
							 nr == 1 ? "" : "s")
				       : "";

	if (!(seconds > 0))
		return how_often;
	return hl_arena_printf(graph->arena, "%s for %.0f s", how_often, seconds);
}

static const char *say_heat(struct hl_graph *graph, const struct heat *heat)
{
	if (heat->now >= heat->limit)
		return hl_arena_printf(graph->arena,
				       " It was at %.0f C, where its own limit to warn is %.0f C.",
				       heat->now, heat->limit);
	if (heat->warns)
		return " It warns that it is above its temperature limit.";
	return isnan(heat->now) ? ""
				: hl_arena_printf(graph->arena, " It was at %.0f C.", heat->now);
}

static const char *text_of(struct hl_graph *graph, const struct hl_fact *at,
			   const struct heat *heat)
{
	const char *drive = drive_say(graph, at), *warmth = say_heat(graph, heat);

	if (has_moved(heat))
		return hl_arena_printf(graph->arena,
				       "%s throttled itself for heat%s between two readings of "
				       "its counters.%s",
				       drive, say_counts(graph, heat->moved, heat->moved_s),
				       warmth);
	if (is_hot(heat))
		return hl_arena_printf(graph->arena, "%s is so hot that it may throttle itself.%s",
				       drive, warmth);
	return hl_arena_printf(graph->arena,
			       "%s has throttled itself for heat%s since it was new; whether it "
			       "does under this load, one reading does not say.%s",
			       drive, say_counts(graph, heat->times, heat->seconds), warmth);
}

static void say_what_to_do(struct hl_graph *graph, struct hl_finding *finding, const char *node)
{
	finding->fix = "Air over the drive: fans, blanks in empty bays, a heat sink, not above a "
		       "hot card. A lower power state only trades speed for heat.";
	if (finding->state != HL_CONFIRMED)
		finding->next = "Read the counters of thermal management before and after a run of "
				"some minutes: they move if it throttles. A bandwidth that falls "
				"when it is hot and recovers when it has cooled says the same.";
	finding->paste = hl_arena_printf(graph->arena,
					 "# before and after some minutes of load, as root\n"
					 "nvme smart-log /dev/%s\n",
					 strncmp(node, "nvme", 4) ? "nvme0" : node);
}

/* ---- findings ---- */

static void found(struct hl_graph *graph, const struct hl_cause *cause, const struct hl_fact *at,
		  const struct heat *heat)
{
	const struct hl_hop *hop = hl_place_hop(graph, at);
	struct hl_finding *finding = hl_cause_found(graph, cause, hop, NULL, HL_DIR_READ);

	finding->state = has_moved(heat) ? HL_CONFIRMED : HL_SUSPECTED;
	finding->text = text_of(graph, at, heat);
	drive_add_evidence(graph, finding, at, evidence);
	say_what_to_do(graph, finding, at->node);
}

/* While a slot ran, the meter beside it saw the counters move. */
static bool is_throttled(const struct hl_graph *graph, const struct hl_trial *trial)
{
	return hl_beside_number(graph, trial->at, "nvme.slot_throttles") > 0 ||
	       hl_beside_number(graph, trial->at, "nvme.slot_throttled_s") > 0;
}

static void found_in_slots(struct hl_graph *graph, const struct hl_cause *cause,
			   const struct hl_trials *matches)
{
	static const char *const keys[] = { "nvme.slot_throttles", "nvme.slot_throttled_s",
					    "drive.temperature_max_c", NULL };
	const struct hl_trial *trial = &matches->items[0];
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);
	double hottest = hl_beside_number(graph, trial->at, keys[2]);

	finding->state = HL_CONFIRMED;
	for (size_t i = 0; keys[i]; i++)
		hl_finding_add_evidence(graph, finding, hl_beside_fact(graph, trial->at, keys[i]));
	finding->text = hl_arena_printf(
		graph->arena,
		"A drive of %s throttled itself for heat while %s ran%s: %.2g times and %.2g s in "
		"the mean slot%s.",
		trial->at->hop->name, hl_beside_job(trial->at),
		hl_trials_say_others(graph, matches),
		fmax(hl_beside_number(graph, trial->at, keys[0]), 0),
		fmax(hl_beside_number(graph, trial->at, keys[1]), 0),
		isnan(hottest) ? "" : hl_arena_printf(graph->arena, ", at up to %.0f C", hottest));
	say_what_to_do(graph, finding, "nvme0");
}

/* Whether a drive with a SMART log of its own stands for the chip. */
static bool is_of_known_drive(const struct hl_graph *graph, const struct hl_fact *chip)
{
	const struct hl_fact *at;

	for (size_t i = 0; (at = drive_next(graph, signs, i)); i++) {
		if (function_of(graph, at) == chip)
			return true;
	}
	return false;
}

/* Drives of which only sensors told. */
static void match_chips(struct hl_graph *graph, const struct hl_cause *cause)
{
	static const char *const keys[] = { CHIP, NULL };
	const struct hl_fact *chip;

	for (size_t i = 0; (chip = drive_next(graph, keys, i)); i++) {
		struct heat heat = { NAN, NAN, NAN, NAN, NAN, NAN, false };

		if (!chip->string || strncmp(chip->string, "nvme", 4) != 0 ||
		    is_of_known_drive(graph, chip))
			continue;
		add_hwmon(graph, chip, &heat);
		if (is_hot(&heat))
			found(graph, cause, chip, &heat);
	}
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	size_t nr_facts = graph->nr_facts;
	const struct hl_fact *at;

	hl_trials_match(graph, cause, is_throttled, found_in_slots);
	for (size_t i = 0; i < nr_facts && (at = drive_next(graph, signs, i)); i++) {
		struct heat heat = heat_of(graph, at);

		if (has_moved(&heat) || is_hot(&heat) || was_hot(&heat))
			found(graph, cause, at, &heat);
	}
	match_chips(graph, cause);
}

static const char *const rivals[] = { "pcie-link-downgraded", "nvme-worn", NULL };

const struct hl_cause hl_cause_nvme_thermal_throttle = {
	.id = "nvme-thermal-throttle",
	.summary = "a drive slows itself down because it is hot",
	.layer = HL_LAYER_DRIVE,
	.explain =
		"A drive that gets too hot does less: lightly first, then heavily, until it has "
		"cooled. A benchmark of seconds on a cold drive does not see it; an hour of load "
		"does.\n\n"
		"Recognised by the drive's own counters of thermal management (thm_temp1, "
		"thm_temp2: times and seconds). Confirmed when they moved while it was measured, "
		"or between two saved logs. Suspected when one log shows that it has throttled at "
		"some time, or when it is at the temperature from which it warns.\n\n"
		"The counters belong to host controlled thermal management, which not every drive "
		"has: one that stands still clears nothing. Minutes above the warning or critical "
		"temperature are no throttling, and are not told here. A downgraded link and a "
		"worn drive are slow too, but cold as well as hot.\n\n"
		"Decided by the counters before and after some minutes of load, or by bandwidth "
		"that recovers when the drive has cooled.\n\n"
		"What to do: air, a heat sink, another bay.",
	.rivals = rivals,
	.match = match,
};
