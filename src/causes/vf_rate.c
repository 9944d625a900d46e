/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vf-rate-limited: a VF may not send faster than its PF was told.
 *
 * Source: max_tx_rate of the VFs (ip-link(8), "vf N rate"), and whose MAC they have. Surprising: it
 * limits what the VF sends only: of the target's VF the reads, of the initiator's the writes. What
 * a NIC counts against it differs, so a figure between payload and wire is taken as a match.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/model.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "hoploss/wire.h"
#include "net_said.h"
#include <math.h>
#include <string.h>
#include <strings.h>

#define LIMIT       "vf.max_tx_rate_mbps"
#define MATCH_FROM  0.95
#define MATCH_TO    1.01
#define NEAR_FROM   0.8
#define USUAL_MTU   1500
#define LEAST_DEPTH 4

/* As far as can be told; ANOTHERS: not of the end that sends. */
enum whose { ANOTHERS, NOBODYS, ANYBODYS, OF_SENDER };

struct limit {
	const struct hl_fact *rate;
	enum whose whose;
	double low, high; /* bytes/s of payload that it lets through */
};

/* ---- whose VF it is ---- */

static bool is_on_hop(const struct hl_graph *graph, const struct hl_hop *hop,
		      const struct hl_fact *rate)
{
	const struct hl_fact *fact;

	for (size_t i = 0; (fact = hl_place_fact(graph, hop, LIMIT, i)); i++) {
		if (fact == rate)
			return true;
	}
	return false;
}

static bool is_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* The MAC of the NIC that packets leave by at one end of hop; NULL = not known. */
static const char *mac_at(struct hl_graph *graph, const struct hl_hop *hop, const char *end,
			  const char *host)
{
	const struct hl_fact *device = hl_graph_find_fact(
		graph, hl_arena_printf(graph->arena, "%s%s", hop->name, end), "route.device");
	const struct hl_fact *fact;

	for (size_t i = 0;
	     device && device->string && (fact = hl_place_fact(graph, NULL, "link.mac", i)); i++) {
		if (is_text(fact->node, device->string) && is_text(fact->host, host))
			return fact->string;
	}
	return NULL;
}

static enum whose whose_is(struct hl_graph *graph, const struct hl_trial *trial,
			   const struct hl_fact *rate)
{
	const struct hl_hop *hop = trial->at->hop;
	const struct hl_fact *fact = hl_place_beside(graph, rate, "vf.mac");
	const char *near = mac_at(graph, hop, "", hop->host);
	const char *far = hop->after ? mac_at(graph, hop, "/target-end", hop->after->host) : NULL;
	const char *sender = trial->dir == HL_DIR_READ ? far : near;
	const char *receiver = trial->dir == HL_DIR_READ ? near : far;
	const char *mac = fact ? fact->string : NULL;

	if (mac && sender)
		return strcasecmp(sender, mac) ? ANOTHERS : OF_SENDER;
	if (mac && receiver && !strcasecmp(receiver, mac))
		return ANOTHERS;
	return is_on_hop(graph, hop, rate) ? ANYBODYS : NOBODYS;
}

/* ---- the match ---- */

static double mtu_of(struct hl_graph *graph, const struct hl_hop *hop)
{
	double mtu = net_number(hl_graph_find_fact(graph, hop->name, "route.mtu"));

	return isnan(mtu) ? USUAL_MTU : mtu;
}

static bool is_match(const struct limit *limit, double bw)
{
	double from = limit->whose >= OF_SENDER ? NEAR_FROM : MATCH_FROM;

	return limit->whose != ANOTHERS && bw >= from * limit->low && bw <= MATCH_TO * limit->high;
}

/* The limit that explains it best: whose owner is known best. */
static bool find_limit(struct hl_graph *graph, const struct hl_trial *trial,
		       struct limit *ret_limit)
{
	double mtu = mtu_of(graph, trial->at->hop);
	const struct hl_fact *rate;
	bool is_found = false;

	for (size_t i = 0; (rate = hl_place_fact(graph, NULL, LIMIT, i)); i++) {
		struct limit limit = { .rate = rate };

		if (!(rate->number > 0))
			continue;
		limit.whose = whose_is(graph, trial, rate);
		limit.low = hl_ceiling_ethernet(rate->number * 1e6, mtu);
		limit.high = rate->number * 1e6 / 8 * (mtu - 52) / mtu;
		if (!is_match(&limit, trial->bw) || (is_found && limit.whose <= ret_limit->whose))
			continue;
		*ret_limit = limit;
		is_found = true;
	}
	return is_found;
}

static void found_one(struct hl_graph *graph, const struct hl_cause *cause,
		      const struct hl_trial *trial, const struct limit *limit)
{
	const struct hl_measurement *before = hl_beside_before(trial);
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);
	bool is_at = trial->bw >= MATCH_FROM * limit->low;

	finding->state = limit->whose == OF_SENDER && is_at ? HL_CONFIRMED : HL_SUSPECTED;
	if (hl_trial_is_bound_here(trial) && trial->at->hop->layer)
		finding->layer = trial->at->hop->layer;
	hl_evidence_add(graph, finding, trial, HL_FIGURE_BW);
	hl_finding_add_evidence(graph, finding, limit->rate);
	hl_finding_add_evidence(graph, finding, hl_place_beside(graph, limit->rate, "vf.mac"));
	finding->text = hl_arena_printf(
		graph->arena, "%s reach %s, and %s may send %.0f Mbit/s, which is %s of payload.%s",
		trial->dir == HL_DIR_READ ? "Reads" : "Writes", hl_say_rate(trial->bw).text,
		net_say_node(graph, limit->rate), limit->rate->number, hl_say_rate(limit->low).text,
		limit->whose == OF_SENDER ? "" : " Whether that VF sends here could not be seen.");
	finding->fix = "Raise or remove the limit at the PF: ip link set PF vf N max_tx_rate 0.";
	if (finding->state != HL_CONFIRMED)
		finding->next = "The same job without the limit, or with twice of it: the rate "
				"follows.";
	hl_beside_predict(finding, trial, before);
}

static void match_dir(struct hl_graph *graph, const struct hl_cause *cause,
		      const struct hl_hop *hop, enum hl_dir dir)
{
	HL_TRIALS struct hl_trials trials = { 0 };

	hl_trials_read(hop, dir, &trials);
	for (size_t i = 0; i < trials.nr; i++) {
		const struct hl_trial *trial = &trials.items[i];
		struct limit limit = { 0 };

		if (trial->is_pure && trial->depth >= LEAST_DEPTH &&
		    !hl_trial_is_bound_below(trial) && find_limit(graph, trial, &limit))
			found_one(graph, cause, trial, &limit);
	}
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	if (!hl_place_fact(graph, NULL, LIMIT, 0))
		return;
	for (size_t i = 0; i < graph->nr_hops; i++) {
		if (!hl_wire_may_be_in(graph->hops[i]))
			continue;
		match_dir(graph, cause, graph->hops[i], HL_DIR_READ);
		match_dir(graph, cause, graph->hops[i], HL_DIR_WRITE);
	}
}

static const char *const rivals[] = { "link-shaped", "ethernet-ceiling", "rate-capped", NULL };

const struct hl_cause hl_cause_vf_rate_limited = {
	.id = "vf-rate-limited",
	.summary = "a VF may not send faster",
	.layer = HL_LAYER_VNIC,
	.explain =
		"The PF can be told a max_tx_rate for each of its VFs; the NIC then holds back "
		"what that VF sends, and nothing inside the guest shows it.\n\n"
		"Recognised by reads or writes at 95 to 101 % of what that rate carries, where the "
		"VF has the MAC of the NIC that sends them: the target's for reads, the "
		"initiator's for writes. Suspected at 80 %, or where it is not known whose VF it "
		"is.\n\n"
		"A limit of the other end's VF explains nothing, and one far above what was "
		"measured neither. A shaper, a line or a throttle at the same rate looks alike.\n\n"
		"Decided by the same job without the limit.\n\n"
		"What to do: ip link set PF vf N max_tx_rate 0, or a higher rate.",
	.rivals = rivals,
	.match = match,
};
