/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zfs-pool-ill: a pool has lost devices, or counts errors of them.
 *
 * Source: zpool status and zpool list. Surprising: the counters are since the pool was imported or
 * cleared, and a group may count what none of its disks does; a scrub that found errors leaves no
 * more than its summary behind once they are cleared.
 */
#include "drive_said.h"
#include "hoploss/cause.h"
#include "hoploss/place.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const signs[] = { "zpool.state",       "zpool.broken",
				     "zpool.read_errors", "zpool.write_errors",
				     "zpool.errors",      "zpool.checksum_errors",
				     "zpool.scan",        NULL };

static const struct {
	const char *of_pool, *of_vdev, *words;
} counters[] = {
	{ "zpool.read_errors", "vdev.read_errors", "read" },
	{ "zpool.write_errors", "vdev.write_errors", "write" },
	{ "zpool.checksum_errors", "vdev.checksum_errors", "checksum" },
};

struct illness {
	const char *state;  /* of the pool, where it is not whole; NULL */
	const char *broken; /* its devices that do not work; NULL */
	const char *counts; /* NULL = no errors */
	const char *lost;   /* what it says of data that is lost; NULL */
	const char *scan;   /* a scrub that found errors; NULL */
};

/* ---- what is known ---- */

static const char *text_of(const struct hl_graph *graph, const struct hl_fact *at, const char *key)
{
	const struct hl_fact *fact = hl_place_beside(graph, at, key);

	return fact && fact->type == HL_FACT_STRING ? fact->string : NULL;
}

static bool is_host(const struct hl_fact *fact, const struct hl_fact *at)
{
	return fact->host == at->host || (fact->host && at->host && !strcmp(fact->host, at->host));
}

/* Of several readings the one that says that it is not whole. */
static const char *ill_state(const struct hl_graph *graph, const struct hl_fact *at)
{
	static const char *const ill[] = { "DEGRADED", "FAULTED", "UNAVAIL", "SUSPENDED",
					   "REMOVED",  "OFFLINE", NULL };

	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (strcmp(fact->key, "zpool.state") != 0 || fact->type != HL_FACT_STRING ||
		    !fact->node || strcmp(fact->node, at->node) != 0 || !is_host(fact, at))
			continue;
		for (size_t k = 0; ill[k]; k++) {
			if (!strcmp(fact->string, ill[k]))
				return ill[k];
		}
	}
	return NULL;
}

/* Of the pool, or of the one of its groups and devices that counts most. */
static double count_of(const struct hl_graph *graph, const struct hl_fact *at, size_t counter)
{
	double most = drive_most(graph, at, counters[counter].of_pool);
	size_t len = strlen(at->node);

	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (!strcmp(fact->key, counters[counter].of_vdev) && fact->type == HL_FACT_NUMBER &&
		    is_host(fact, at) && fact->node && !strncmp(fact->node, at->node, len) &&
		    fact->node[len] == '/')
			most = fmax(most, fact->number);
	}
	return most;
}

static const char *say_counts(struct hl_graph *graph, const struct hl_fact *at)
{
	const char *parts = NULL;

	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++) {
		double count = count_of(graph, at, i);

		if (count > 0)
			parts = drive_join(graph, parts,
					   hl_arena_printf(graph->arena, "%.0f %s error%s", count,
							   counters[i].words,
							   count == 1 ? "" : "s"));
	}
	return parts;
}

/* "4 data errors, use '-v' for a list", "Permanent errors have been detected in …" */
static const char *lost_data(const char *errors)
{
	if (errors && (strtoul(errors, NULL, 10) > 0 || strstr(errors, "Permanent errors")))
		return errors;
	return NULL;
}

/* "scrub repaired 1.20M in 00:03:11 with 2 errors on …" */
static const char *found_by_scrub(const char *scan)
{
	const char *repaired = scan ? strstr(scan, "repaired ") : NULL;
	const char *with = scan ? strstr(scan, " with ") : NULL;

	if ((repaired && strtod(repaired + strlen("repaired "), NULL) > 0) ||
	    (with && strtoul(with + strlen(" with "), NULL, 10) > 0))
		return scan;
	return NULL;
}

static struct illness illness_of(struct hl_graph *graph, const struct hl_fact *at)
{
	return (struct illness){
		.state = ill_state(graph, at),
		.broken = text_of(graph, at, "zpool.broken"),
		.counts = say_counts(graph, at),
		.lost = lost_data(text_of(graph, at, "zpool.errors")),
		.scan = found_by_scrub(text_of(graph, at, "zpool.scan")),
	};
}

/* ---- findings ---- */

static const char *say(struct hl_graph *graph, const struct hl_fact *at,
		       const struct illness *illness)
{
	const char *parts = illness->broken;

	if (illness->counts)
		parts = drive_join(graph, parts, illness->counts);
	if (illness->lost)
		parts = drive_join(graph, parts, illness->lost);
	if (illness->state)
		return hl_arena_printf(graph->arena, "The pool %s is %s%s%s.", at->node,
				       illness->state, parts ? ": " : "", parts ? parts : "");
	if (parts)
		return hl_arena_printf(graph->arena, "The pool %s works, but not all of it: %s.",
				       at->node, parts);
	return hl_arena_printf(graph->arena,
			       "The last scrub of the pool %s found errors (%s). Whether more "
			       "come, the counters that are zero now do not say.",
			       at->node, illness->scan);
}

static const char *say_fix(const struct illness *illness)
{
	if (illness->state || illness->broken)
		return "Bring the device back (zpool online) or replace it (zpool replace), and "
		       "let it resilver; a pool that lacks a device rebuilds what it reads, and "
		       "the next that fails may cost the data.";
	return "Look at the drive's SMART, its cable and its port first; then zpool clear and "
	       "zpool scrub, and replace the device if it counts again.";
}

static void found(struct hl_graph *graph, const struct hl_cause *cause, const struct hl_fact *at,
		  const struct illness *illness)
{
	const struct hl_hop *hop = hl_place_hop(graph, at);
	struct hl_finding *finding = hl_cause_found(graph, cause, hop, NULL, HL_DIR_READ);
	bool is_now = illness->state || illness->broken || illness->counts || illness->lost;

	finding->state = is_now ? HL_CONFIRMED : HL_SUSPECTED;
	finding->text = say(graph, at, illness);
	finding->fix = say_fix(illness);
	drive_add_evidence(graph, finding, at, signs);
	if (!is_now)
		finding->next = "Scrub it again (zpool scrub) and look whether errors are counted.";
	finding->paste = "# as root\n"
			 "zpool status -v\n"
			 "zpool events | tail -n 40\n";
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	size_t nr_facts = graph->nr_facts;
	const struct hl_fact *at;

	for (size_t i = 0; i < nr_facts && (at = drive_next(graph, signs, i)); i++) {
		struct illness illness = illness_of(graph, at);

		if (illness.state || illness.broken || illness.counts || illness.lost ||
		    illness.scan)
			found(graph, cause, at, &illness);
	}
}

const struct hl_cause hl_cause_zfs_pool_ill = {
	.id = "zfs-pool-ill",
	.summary = "a pool has lost devices or counts errors",
	.layer = HL_LAYER_POOL,
	.explain =
		"A pool that lacks a device computes what it held from the others with each read, "
		"and resilvers beside the load when the device comes back. A device that fails "
		"reads or returns wrong data is asked again, and its data are repaired from the "
		"others; a raidz or a mirror waits for the slowest of them.\n\n"
		"Recognised by zpool status and zpool list. Confirmed when the pool is DEGRADED, "
		"FAULTED, UNAVAIL or SUSPENDED, when a device of it does not work, when read, "
		"write or checksum errors are counted or data are lost. Suspected when only the "
		"summary of the last scrub tells of errors.\n\n"
		"Not told: a scrub or resilver that goes on, and features that are not enabled.\n\n"
		"Decided by a scrub after zpool clear. Errors of one disk are of the drive, its "
		"cable or its port; of several at once, of what they share: controller, backplane, "
		"power, memory.\n\n"
		"What to do: replace what fails, resilver, scrub.",
	.match = match,
};
