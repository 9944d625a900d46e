/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tcp-loss: segments get lost on the way, and TCP slows down for it.
 *
 * Source: what TCP counts at the end that sends (the target for reads): segments sent again, of all
 * that it sent; and what the NIC dropped meanwhile. Surprising: a shaper that drops is at its rate
 * by means of the loss, so where one is known to be met, the loss is no cause of its own.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/model.h"
#include "hoploss/say.h"
#include "net_said.h"
#include <math.h>
#include <string.h>

#define SURE     1.0 /* % of the segments */
#define SUSPECTS 0.1
#define LEAST    20  /* segments, in the mean slot */
#define AT_RATE  0.9 /* of a shaper */

static double again_pct(const struct hl_graph *graph, const struct hl_measurement *at,
			enum hl_dir dir)
{
	const struct hl_trial trial = { .at = at, .dir = dir };
	double nr = net_number(net_sender_fact(graph, &trial, "tcp.*_retransmits"));

	return nr >= LEAST ? net_number(net_sender_fact(graph, &trial, "tcp.*_retransmit_pct"))
			   : NAN;
}

static bool is_shaped(const struct hl_graph *graph, const struct hl_trial *trial)
{
	const char *end = trial->dir == HL_DIR_READ ? "/target-end" : "";
	HL_FREE char *node = hl_printf("%s%s", trial->at->hop->name, end);
	double rate = net_number(hl_graph_find_fact(graph, node, "route.qdisc_rate"));
	double mtu = net_number(hl_graph_find_fact(graph, node, "route.mtu"));

	return trial->bw >= AT_RATE * hl_ceiling_shaped(rate, mtu);
}

static bool has_loss(const struct hl_graph *graph, const struct hl_trial *trial)
{
	const struct hl_measurement *before = hl_beside_before(trial);

	if (trial->dir != HL_DIR_READ && trial->dir != HL_DIR_WRITE)
		return false;
	if (!(again_pct(graph, trial->at, trial->dir) >= SUSPECTS) ||
	    hl_trial_is_bound_below(trial) || is_shaped(graph, trial))
		return false;
	return !before || !(again_pct(graph, before, trial->dir) >= SUSPECTS);
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trial *trial)
{
	static const char *const keys[] = { "tcp.*_retransmits", "tcp.*_retransmit_pct",
					    "tcp.*_rtt_us", "tcp.*_congestion" };
	static const char *const drops[] = { "nic.rx_dropped", "nic.rx_missed", "nic.rx_errors",
					     "nic.tx_dropped", "nic.tx_errors" };
	const struct hl_measurement *before = hl_beside_before(trial);
	double pct = again_pct(graph, trial->at, trial->dir);
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);
	const char *where = "";

	finding->state = pct >= SURE ? HL_CONFIRMED : HL_SUSPECTED;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		hl_finding_add_evidence(graph, finding, net_sender_fact(graph, trial, keys[i]));
	for (size_t i = 0; i < sizeof(drops) / sizeof(*drops); i++) {
		const struct hl_fact *fact = hl_beside_fact(graph, trial->at, drops[i]);

		if (!(net_number(fact) > 0))
			continue;
		hl_finding_add_evidence(graph, finding, fact);
		where = " The NIC at this end dropped some of them.";
	}
	hl_evidence_add(graph, finding, trial, HL_FIGURE_BW);
	finding->text = hl_arena_printf(
		graph->arena, "%.2g %% of the segments of %s were lost and sent again (%s).%s", pct,
		hl_beside_job(trial->at), hl_say_rate(trial->bw).text, where);
	finding->fix = "Find where they are lost: errors and drops of the NICs and switch ports on "
		       "the way, a cable or module, receive rings that are too small, a duplex "
		       "mismatch, an MTU that something between does not take.";
	if (finding->state != HL_CONFIRMED)
		finding->next = "1 and 4 TCP streams between the same addresses: with loss, each "
				"stream is slowed by itself, so four carry more.";
	hl_beside_predict(finding, trial, before);
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match_each(graph, cause, has_loss, found);
}

static const char *const rivals[] = { "link-shaped", "mtu-mismatch", NULL };

const struct hl_cause hl_cause_tcp_loss = {
	.id = "tcp-loss",
	.summary = "TCP loses segments and slows down",
	.layer = HL_LAYER_WIRE,
	.explain =
		"When a segment is lost, TCP sends it again and takes the loss for a full line: it "
		"lowers its rate. A thousandth lost costs a fast line much of its bandwidth, and a "
		"whole I/O waits for the one segment.\n\n"
		"Recognised by TCP's own count at the end that sends (the target for reads, the "
		"initiator for writes): 1 % of its segments or more sent again (0.1 % is told as a "
		"suspicion), at the first hop of the path where it is so.\n\n"
		"A shaper that drops what is too much looks the same, and is at its rate: then "
		"that is the cause (link-shaped). A packet that is too large for something between "
		"is lost each time (mtu-mismatch). A few segments sent again are usual.\n\n"
		"Decided by counters of the NICs and switch ports on the way, and by 1 and 4 TCP "
		"streams.\n\n"
		"What to do: find the part that drops; larger receive rings where a NIC has no "
		"buffers left.",
	.rivals = rivals,
	.match = match,
};
