/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iscsi-segment-small: each write waits for the target's leave, round trip by round trip.
 *
 * Source: what initiator and target negotiated (RFC 7143, 13): InitialR2T, ImmediateData,
 * FirstBurstLength, MaxBurstLength, the data segment lengths and MaxOutstandingR2T. What may be
 * sent unasked is FirstBurst, or one data segment; all else is asked for by R2Ts of MaxBurst each,
 * one round trip each. Surprising: reads need none of it; a small receive segment costs them CPU
 * alone.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "iscsi_said.h"
#include "net_said.h"
#include <math.h>
#include <string.h>

#define SMALL 8192 /* the default of the standard */
#define SURE  0.2  /* of the time of a write */

struct limits {
	const struct hl_fact *session;
	double unasked;     /* bytes of a write that may be sent at once */
	double burst;       /* asked for by one R2T */
	double outstanding; /* R2Ts at once */
};

static double number_of(const struct hl_graph *graph, const struct hl_fact *session,
			const char *key)
{
	return net_number(hl_place_beside(graph, session, key));
}

static int boolean_of(const struct hl_graph *graph, const struct hl_fact *session, const char *key)
{
	const struct hl_fact *fact = hl_place_beside(graph, session, key);

	return fact && fact->type == HL_FACT_BOOLEAN ? fact->boolean : -1;
}

/* False: too little is known. */
static bool limits_of(const struct hl_graph *graph, const struct hl_fact *session,
		      struct limits *ret_limits)
{
	int initial = boolean_of(graph, session, "iscsi.initial_r2t");
	int immediate = boolean_of(graph, session, "iscsi.immediate_data");
	double first = number_of(graph, session, "iscsi.first_burst");
	double segment = number_of(graph, session, "iscsi.max_xmit");
	double outstanding = number_of(graph, session, "iscsi.max_outstanding_r2t");
	struct limits limits = { .session = session };

	if (initial < 0 || immediate < 0)
		return false;
	limits.unasked = !initial ? first : immediate ? fmin(first, segment) : 0;
	limits.burst = number_of(graph, session, "iscsi.max_burst");
	limits.outstanding = outstanding >= 1 ? outstanding : 1;
	*ret_limits = limits;
	return limits.unasked >= 0 && limits.burst > 0;
}

/* Round trips that one write of that size waits for. */
static double cycles_of(const struct limits *limits, double size)
{
	double asked = fmax(0, size - limits->unasked);

	return ceil(ceil(asked / limits->burst) / limits->outstanding);
}

static void add_evidence(struct hl_graph *graph, struct hl_finding *finding,
			 const struct hl_fact *session)
{
	static const char *const keys[] = { "iscsi.initial_r2t", "iscsi.immediate_data",
					    "iscsi.first_burst", "iscsi.max_burst",
					    "iscsi.max_xmit",    "iscsi.max_outstanding_r2t" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		hl_finding_add_evidence(graph, finding, hl_place_beside(graph, session, keys[i]));
}

static struct hl_finding *found_at(struct hl_graph *graph, const struct hl_cause *cause,
				   const struct hl_hop *hop, const struct hl_trial *trial,
				   const struct limits *limits)
{
	struct hl_finding *finding = hl_cause_found(graph, cause, hop, trial ? trial->at : NULL,
						    HL_DIR_WRITE);

	add_evidence(graph, finding, limits->session);
	finding->fix = "InitialR2T=No and ImmediateData=Yes with a larger FirstBurstLength "
		       "(262144), MaxBurstLength (16776192) and MaxRecvDataSegmentLength (262144), "
		       "at the initiator and at the target: the smaller of both counts. Then log "
		       "in again.";
	finding->next = "Writes just below and just above what may be sent unasked, at depth 1: "
			"the round trips show in the difference.";
	return finding;
}

/* ---- with writes that were measured ---- */

/* Share of a write's time that its round trips take; NAN without a round trip time. */
static double share_of(const struct hl_graph *graph, const struct hl_trial *trial,
		       const struct limits *limits)
{
	double rtt_us = hl_beside_number(graph, trial->at, "tcp.initiator_rtt_us");

	return cycles_of(limits, trial->bs) * rtt_us * 1e3 / trial->lat_ns;
}

static void match_trial(struct hl_graph *graph, const struct hl_cause *cause,
			const struct hl_trial *trial, const struct limits *limits)
{
	const struct hl_fact *rtt = hl_beside_fact(graph, trial->at, "tcp.initiator_rtt_us");
	double cycles = cycles_of(limits, trial->bs), share = share_of(graph, trial, limits);
	struct hl_finding *finding;

	/* where many are in flight, the round trips of one hide behind the others */
	if (!(cycles >= 1) || hl_trial_is_bound_below(trial) || share < SURE ||
	    (isnan(share) && !(limits->unasked <= SMALL)))
		return;
	finding = found_at(graph, cause, trial->at->hop, trial, limits);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_LAT);
	hl_finding_add_evidence(graph, finding, rtt);
	finding->state = trial->depth <= 1 && share >= SURE ? HL_CONFIRMED : HL_SUSPECTED;
	finding->text = hl_arena_printf(
		graph->arena,
		"Of a write of %s the session sends %s unasked; for the rest it waits for %.0f "
		"round trip%s%s.",
		hl_say_size(trial->bs).text, hl_say_size(limits->unasked).text, cycles,
		cycles == 1 ? "" : "s",
		isnan(share) ? ""
			     : hl_arena_printf(graph->arena, ", %s of its %s",
					       hl_say_share(fmin(share, 1)).text,
					       hl_say_time(trial->lat_ns).text));
	if (finding->state == HL_CONFIRMED)
		finding->next = NULL;
	if (!isnan(share) && trial->depth <= 1 && share < 1) {
		finding->predicted_bw = trial->bw / (1 - share);
		finding->predicted_kind = HL_AT_MOST;
	}
}

static bool match_hop(struct hl_graph *graph, const struct hl_cause *cause,
		      const struct hl_hop *hop)
{
	HL_TRIALS struct hl_trials trials = { 0 };
	const struct hl_fact *session = iscsi_session_at(graph, hop, 0);
	struct limits limits;

	if (!session || !limits_of(graph, session, &limits))
		return false;
	hl_trials_read(hop, HL_DIR_WRITE, &trials);
	for (size_t i = 0; i < trials.nr; i++)
		match_trial(graph, cause, &trials.items[i], &limits);
	return true;
}

/* ---- with the session alone ---- */

static void match_session(struct hl_graph *graph, const struct hl_cause *cause,
			  const struct hl_fact *session)
{
	struct hl_finding *finding;
	struct limits limits;

	if (hl_place_hop(graph, session) || !limits_of(graph, session, &limits) ||
	    limits.unasked > SMALL)
		return;
	finding = found_at(graph, cause, NULL, NULL, &limits);
	finding->text = hl_arena_printf(
		graph->arena,
		"%s sends %s of a write unasked, and waits a round trip for each %s behind it: a "
		"write of 128 KiB takes %.0f.",
		session->node, hl_say_size(limits.unasked).text, hl_say_size(limits.burst).text,
		cycles_of(&limits, 131072));
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	const struct hl_fact *session;

	for (size_t i = 0; i < graph->nr_hops; i++)
		match_hop(graph, cause, graph->hops[i]);
	for (size_t i = 0; (session = iscsi_session_at(graph, NULL, i)); i++)
		match_session(graph, cause, session);
}

static const char *const rivals[] = { "serial-stage", "sync-latency-bound", NULL };

const struct hl_cause hl_cause_iscsi_segment_small = {
	.id = "iscsi-segment-small",
	.summary = "writes wait for R2Ts, a round trip each",
	.layer = HL_LAYER_INITIATOR,
	.explain =
		"An initiator may send the first part of a write with its command: "
		"FirstBurstLength "
		"with InitialR2T=No, one data segment with ImmediateData=Yes, else nothing. For "
		"the rest it waits until the target asks (R2T) for MaxBurstLength at a time, and "
		"each asking is a round trip.\n\n"
		"Recognised by writes that are larger than what may be sent unasked: confirmed at "
		"depth 1 where the round trips take 20 % of a write or more, suspected for deeper "
		"jobs, without a known round trip time, or from a session with no more than 8 KiB "
		"unasked where no write was measured.\n\n"
		"Reads need no R2T. At depth many writes wait at once, and the line is busy with "
		"the others.\n\n"
		"Decided by writes just below and just above that size at depth 1.\n\n"
		"What to do: InitialR2T=No and larger bursts and segments, at both ends.",
	.rivals = rivals,
	.match = match,
};
