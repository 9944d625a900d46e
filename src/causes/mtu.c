/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mtu-mismatch: the ends of a path, or what one of them stands on, have different MTUs.
 *
 * Source: MTUs of the NICs at both ends of the flow, of what is below a bridge, bond, VLAN or VF,
 * and the segment size that TCP agreed on. Surprising: TCP takes the smaller end's size, so nothing
 * breaks, and jumbo frames are just never sent; a NIC below with less than what is above it does
 * break: large packets vanish there, and TCP stalls until it guesses why.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/model.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "net_said.h"
#include <math.h>
#include <string.h>

#define HEADERS   52    /* of IPv4 and TCP with time stamps */
#define SLACK     100   /* IPv6, options, a tunnel */
#define LARGEST   16384 /* on a line; on lo and veth of 64 KiB TCP halves its segments by itself */
#define MAX_NAMES 256

/* ---- both ends of a hop ---- */

static const struct hl_fact *mtu_at(struct hl_graph *graph, const struct hl_hop *hop,
				    const char *end)
{
	return hl_graph_find_fact(graph, hl_arena_printf(graph->arena, "%s%s", hop->name, end),
				  "route.mtu");
}

/* What jumbo frames would carry of the same line. */
static double gain_of(double small, double large)
{
	return hl_ceiling_ethernet(1e9, large) / hl_ceiling_ethernet(1e9, small);
}

static const struct hl_trial *fastest_of(const struct hl_trials *trials)
{
	const struct hl_trial *fastest = NULL;

	for (size_t i = 0; i < trials->nr; i++) {
		if (!fastest || trials->items[i].bw > fastest->bw)
			fastest = &trials->items[i];
	}
	return fastest;
}

static void add_gain(struct hl_graph *graph, struct hl_finding *finding,
		     const struct hl_trial *fastest, double small, double large)
{
	if (!fastest)
		return;
	hl_evidence_add(graph, finding, fastest, HL_FIGURE_BW);
	finding->predicted_bw = fastest->bw * gain_of(small, large);
	finding->predicted_kind = HL_AT_MOST;
}

static struct hl_finding *found_at(struct hl_graph *graph, const struct hl_cause *cause,
				   const struct hl_hop *hop, double small, double large)
{
	HL_TRIALS struct hl_trials trials = { 0 };
	const struct hl_trial *fastest;
	struct hl_finding *finding;

	hl_trials_read(hop, HL_DIR_READ, &trials);
	fastest = fastest_of(&trials);
	finding = hl_cause_found(graph, cause, hop, fastest ? fastest->at : NULL, HL_DIR_READ);
	add_gain(graph, finding, fastest, small, large);
	finding->fix = "One MTU on the whole way: both ends, the bridge or PF below, and every "
		       "port of the switches between.";
	return finding;
}

static bool match_ends(struct hl_graph *graph, const struct hl_cause *cause,
		       const struct hl_hop *hop)
{
	const struct hl_fact *near = mtu_at(graph, hop, ""),
			     *far = mtu_at(graph, hop, "/target-end");
	double low = fmin(net_number(near), net_number(far));
	double high = fmax(net_number(near), net_number(far));
	struct hl_finding *finding;

	if (!near || !far || !(low < high))
		return false;
	finding = found_at(graph, cause, hop, low, high);
	finding->state = HL_CONFIRMED;
	hl_finding_add_evidence(graph, finding, near);
	hl_finding_add_evidence(graph, finding, far);
	finding->text = hl_arena_printf(
		graph->arena,
		"The MTU is %.0f at this end and %.0f at the target's: no packet is larger than "
		"%.0f bytes.",
		near->number, far->number, low);
	return true;
}

/* This end could send more than what TCP agreed on: the other end, or something between, cannot. */
static void match_segment(struct hl_graph *graph, const struct hl_cause *cause,
			  const struct hl_hop *hop)
{
	const struct hl_fact *mtu = mtu_at(graph, hop, ""), *mss = NULL;
	struct hl_finding *finding;

	for (size_t i = 0; i < hop->nr_measurements && !mss; i++)
		mss = hl_beside_fact(graph, hop->measurements[i], "tcp.initiator_mss");
	if (!mtu || !mss || !(mss->number + HEADERS + SLACK < mtu->number) || mtu->number > LARGEST)
		return;
	finding = found_at(graph, cause, hop, mss->number + HEADERS, mtu->number);
	hl_finding_add_evidence(graph, finding, mtu);
	hl_finding_add_evidence(graph, finding, mss);
	finding->text = hl_arena_printf(
		graph->arena,
		"The MTU here is %.0f, and yet TCP sends segments of %.0f bytes: the other end, or "
		"something between, takes no more.",
		mtu->number, mss->number);
	finding->next = "The MTU of the target's NIC, and of what lies between: ping -M do -s N "
			"finds the largest packet that passes.";
}

/* ---- what is below what ---- */

static const struct hl_fact *mtu_of(const struct hl_graph *graph, const char *host,
				    const char *node, size_t len)
{
	const struct hl_fact *fact;

	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, "link.mtu", i)); i++) {
		if (fact->node && strlen(fact->node) == len && !memcmp(fact->node, node, len) &&
		    (fact->host == host || (fact->host && host && !strcmp(fact->host, host))))
			return fact;
	}
	return NULL;
}

static void found_below(struct hl_graph *graph, const struct hl_cause *cause,
			const struct hl_fact *above, const struct hl_fact *below)
{
	struct hl_finding *finding = hl_cause_found(graph, cause, hl_place_hop(graph, above), NULL,
						    HL_DIR_READ);

	finding->state = HL_CONFIRMED;
	hl_finding_add_evidence(graph, finding, above);
	hl_finding_add_evidence(graph, finding, below);
	finding->text = hl_arena_printf(
		graph->arena,
		"%s has an MTU of %.0f on top of %s with %.0f: packets between the two sizes do "
		"not get through.",
		net_say_node(graph, above), above->number, below->node, below->number);
	finding->fix = "Raise the MTU of what is below first, or lower that of what is above.";
}

/* Each of the names in a fact, against what stands on them. */
static void match_below(struct hl_graph *graph, const struct hl_cause *cause, const char *key)
{
	const struct hl_fact *names;

	for (size_t i = 0; (names = hl_place_fact(graph, NULL, key, i)); i++) {
		const struct hl_fact *above = hl_place_beside(graph, names, "link.mtu");
		const char *at = names->string ? names->string : "";

		while (above && *at) {
			size_t len = strcspn(at, " ");
			const struct hl_fact *below = mtu_of(graph, names->host, at, len);

			if (net_number(below) < above->number)
				found_below(graph, cause, above, below);
			at += len;
			at += strspn(at, " ");
		}
	}
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		if (!match_ends(graph, cause, graph->hops[i]))
			match_segment(graph, cause, graph->hops[i]);
	}
	match_below(graph, cause, "link.below");
	match_below(graph, cause, "link.pf");
}

static const char *const rivals[] = { "ethernet-ceiling", "tcp-loss", NULL };

const struct hl_cause hl_cause_mtu_mismatch = {
	.id = "mtu-mismatch",
	.summary = "MTUs differ along the path",
	.layer = HL_LAYER_WIRE,
	.explain =
		"Jumbo frames carry 5 % more than usual ones, and cost a CPU a sixth of the "
		"packets. They only pass where every part of the way has the larger MTU: both "
		"ends, bridges, bonds, the PF below a VF, and switches.\n\n"
		"Recognised by different MTUs of the NICs at both ends of the flow, or of a NIC "
		"and what is below it (a bridge and its port, a VF and its PF). Suspected where "
		"this end has a larger MTU than the segments that TCP agreed on.\n\n"
		"With unequal ends TCP takes the smaller size and nothing breaks. Where something "
		"below or between has less, large packets are dropped without a word: short "
		"commands pass, and bulk data stalls, which looks like loss (tcp-loss).\n\n"
		"Decided by ping -M do -s N in both directions: the largest packet that passes.\n\n"
		"What to do: one MTU on the whole way.",
	.rivals = rivals,
	.match = match,
};
