/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drive-slower-than-peers: of several drives of one hop, one gives less than the others.
 *
 * Source: slots in which each drive of the hop was measured alone, in turn, in the same round.
 * Surprising: the hop's own figure does not show it, for it is the sum of them all, but a pool over
 * them waits for the slowest.
 */
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/model.h"
#include "hoploss/sample.h"
#include "hoploss/say.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLOWER     0.8 /* of the median of its peers */
#define SURELY     0.9 /* the same in every single round */
#define MOST       64  /* drives */
#define SURE_AFTER 3   /* rounds */

struct drives { /* of one hop, in one workload */
	const struct hl_measurement *items[MOST];
	size_t nr;
	enum hl_dir dir;
};

static bool is_drive(const struct hl_measurement *at)
{
	return at->drive && at->experiment && !strcmp(at->experiment, HL_DRIVES_ALONE);
}

/* Most hops have none, and one from saved files may have ten thousand jobs. */
static bool has_drives(const struct hl_hop *hop)
{
	for (size_t i = 0; i < hop->nr_measurements; i++) {
		if (is_drive(hop->measurements[i]))
			return true;
	}
	return false;
}

static bool is_usable(const struct hl_measurement *at, enum hl_dir dir)
{
	return at->status != HL_STATUS_NOT_MEASURED && at->dir[dir] && at->dir[dir]->bw > 0;
}

static struct drives drives_of(const struct hl_hop *hop, const struct hl_workload *workload,
			       enum hl_dir dir)
{
	struct drives drives = { .dir = dir };

	for (size_t i = 0; i < hop->nr_measurements && drives.nr < MOST; i++) {
		const struct hl_measurement *at = hop->measurements[i];

		if (is_drive(at) && hl_workload_is_same(&at->workload, workload) &&
		    is_usable(at, dir))
			drives.items[drives.nr++] = at;
	}
	return drives;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Bandwidth of a drive in one round, or its mean (round -1); NAN. */
static double bw_of(const struct hl_measurement *at, enum hl_dir dir, long round)
{
	const struct hl_rate *rate = at->dir[dir];

	if (round < 0)
		return rate->bw;
	return (size_t)round < rate->nr_rounds ? rate->per_round[round] : NAN;
}

/* Median of all drives but that one; NAN. */
static double median_of_peers(const struct drives *drives, size_t but, long round)
{
	double values[MOST];
	size_t nr = 0;

	for (size_t i = 0; i < drives->nr; i++) {
		double bw = bw_of(drives->items[i], drives->dir, round);

		if (i != but && !isnan(bw))
			values[nr++] = bw;
	}
	if (!nr)
		return NAN;
	qsort(values, nr, sizeof(*values), compare);
	return (values[(nr - 1) / 2] + values[nr / 2]) / 2;
}

/* In how many rounds it was slower than its peers; 0 when it was not in one of them. */
static unsigned rounds_slower(const struct drives *drives, size_t which)
{
	const struct hl_rate *rate = drives->items[which]->dir[drives->dir];
	unsigned nr = 0;

	for (size_t round = 0; round < rate->nr_rounds; round++) {
		double own = rate->per_round[round];
		double peers = median_of_peers(drives, which, (long)round);

		if (isnan(own) || isnan(peers))
			continue;
		if (!(own < SURELY * peers))
			return 0;
		nr++;
	}
	return nr;
}

static void add_figure(struct hl_graph *graph, struct hl_finding *finding,
		       const struct drives *drives, size_t i)
{
	const struct hl_trial trial = {
		.at = drives->items[i],
		.dir = drives->dir,
		.bw = drives->items[i]->dir[drives->dir]->bw,
	};

	hl_evidence_add(graph, finding, &trial, HL_FIGURE_BW);
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_measurement *together, const struct drives *drives, size_t which)
{
	const struct hl_measurement *slow = drives->items[which];
	unsigned rounds = rounds_slower(drives, which);
	double own = slow->dir[drives->dir]->bw, peers = median_of_peers(drives, which, -1);
	struct hl_finding *finding = hl_cause_found(graph, cause, slow->hop, together, drives->dir);

	finding->state = rounds >= SURE_AFTER ? HL_CONFIRMED : HL_SUSPECTED;
	for (size_t i = 0; i < drives->nr; i++)
		add_figure(graph, finding, drives, i);
	finding->text = hl_arena_printf(
		graph->arena,
		"Measured alone in %s, the drive %s gives %s, its %zu peer%s %s (median): %.0f %% "
		"of that, in each of %u rounds.",
		together->workload.name ? together->workload.name : "the job", slow->drive,
		hl_say_rate(own).text, drives->nr - 1, drives->nr > 2 ? "s" : "",
		hl_say_rate(peers).text, own / peers * 100, rounds);
	finding->fix = "Compare its link (lspci -vv: LnkSta), temperature, SMART counters and "
		       "firmware with those of its peers; move it to another slot, or replace it.";
	if (finding->state != HL_CONFIRMED)
		finding->next = "More rounds: in three of them it must be slower each time.";
}

static void match_job(struct hl_graph *graph, const struct hl_cause *cause,
		      const struct hl_measurement *together, enum hl_dir dir)
{
	struct drives drives = drives_of(together->hop, &together->workload, dir);

	for (size_t i = 0; drives.nr > 1 && i < drives.nr; i++) {
		double peers = median_of_peers(&drives, i, -1);

		if (drives.items[i]->dir[dir]->bw < SLOWER * peers && rounds_slower(&drives, i))
			found(graph, cause, together, &drives, i);
	}
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		const struct hl_hop *hop = graph->hops[i];
		bool is_told = has_drives(hop);

		for (size_t k = 0; is_told && k < hop->nr_measurements; k++) {
			for (int dir = HL_DIR_READ; dir <= HL_DIR_WRITE; dir++) {
				if (!hop->measurements[k]->experiment)
					match_job(graph, cause, hop->measurements[k], dir);
			}
		}
	}
}

const struct hl_cause hl_cause_drive_slower_than_peers = {
	.id = "drive-slower-than-peers",
	.summary = "one of several drives gives less than the others",
	.layer = HL_LAYER_DRIVE,
	.explain =
		"A pool spreads each of its blocks or stripes over its drives, so it is as fast as "
		"its slowest drive times their number: one bad link, a hot drive or one that "
		"retries slows all of them down.\n\n"
		"Recognised where a hop names several drives. Each is measured alone once every "
		"three rounds, one after the other; one that gives less than 80 % of the median of "
		"its peers, and was slower in every one of these rounds, is told. Confirmed with "
		"three such rounds.\n\n"
		"A link that they share slows all of them alike, and only when they are measured "
		"together.\n\n"
		"Decided by more rounds, and by the same drive in another slot.\n\n"
		"What to do: look at its link, temperature, SMART counters and firmware beside "
		"those of its peers.",
	.match = match,
};
