/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * link-shaped: something on the line lets a certain rate through and no more.
 *
 * Source: the qdisc at the end that sends, as its kernel has it (for reads that is the target's
 * end), or TCP streams between the same addresses. Surprising: a shaper counts frames with their
 * 14 bytes of Ethernet header but without what the wire adds.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/experiment.h"
#include "hoploss/model.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "hoploss/wire.h"
#include <math.h>
#include <string.h>

#define MATCH_FROM  0.95
#define MATCH_TO    1.01
#define NEAR_FROM   0.8
#define SAME        0.03 /* of what plain TCP carries */
#define STEADY      0.03 /* width of the interval over the rounds, */
#define STEADIER    3    /* times as narrow as at the hop before, */
#define HIGHEST     0.97 /* and no other job gets more: what is regulated holds all of them */
#define LEAST_DEPTH 4

struct shaper { /* what sends the data of one direction */
	const struct hl_fact *rate, *mtu, *qdisc, *device;
	double bw; /* bytes/s of payload; NAN = none known */
};

/* Where no route was asked: the NIC of the end that sends, by its host. */
static void look_at_nics(const struct hl_graph *graph, const struct hl_hop *hop, enum hl_dir dir,
			 struct shaper *shaper)
{
	const struct hl_fact *rate;

	for (size_t i = 0; (rate = hl_place_fact(graph, hop, "link.qdisc_rate", i)); i++) {
		bool is_near = rate->host && hop->host && !strcmp(rate->host, hop->host);

		if (!rate->host || !hop->host || is_near != (dir == HL_DIR_WRITE))
			continue;
		shaper->rate = rate;
		shaper->mtu = hl_place_beside(graph, rate, "link.mtu");
		shaper->qdisc = hl_place_beside(graph, rate, "link.qdisc");
		return;
	}
}

static struct shaper shaper_of(struct hl_graph *graph, const struct hl_hop *hop, enum hl_dir dir)
{
	const char *node = dir == HL_DIR_READ
				   ? hl_arena_printf(graph->arena, "%s/target-end", hop->name)
				   : hop->name;
	struct shaper shaper = {
		.rate = hl_graph_find_fact(graph, node, "route.qdisc_rate"),
		.mtu = hl_graph_find_fact(graph, node, "route.mtu"),
		.qdisc = hl_graph_find_fact(graph, node, "route.qdisc"),
		.device = hl_graph_find_fact(graph, node, "route.device"),
		.bw = NAN,
	};

	if (!shaper.rate)
		look_at_nics(graph, hop, dir, &shaper);
	if (shaper.rate && shaper.mtu)
		shaper.bw = hl_ceiling_shaped(shaper.rate->number, shaper.mtu->number);
	return shaper;
}

/* What TCP streams between the same addresses carried, if the experiment says that it is they; NAN.
 */
static double streams_of(const struct hl_graph *graph, const struct hl_hop *hop, enum hl_dir dir)
{
	enum hl_dir flow = dir == HL_DIR_WRITE ? HL_DIR_TX : HL_DIR_RX;
	const struct hl_experiment *result = hl_experiment_result(graph, "tcp-streams", hop, NULL);
	double most = NAN;

	if (!hl_experiment_supports(result, "link-shaped"))
		return NAN;
	for (size_t i = 0; i < hop->nr_measurements; i++) {
		const struct hl_measurement *at = hop->measurements[i];

		if (at->experiment && !strcmp(at->experiment, result->id) &&
		    hl_figure_is_usable(at, flow))
			most = fmax(most, at->dir[flow]->bw);
	}
	return most;
}

/* ---- how sure ---- */

enum reason { NOT_SHAPED, AT_RATE, AT_STREAMS, NEAR_RATE, STEADY_RATE };

static bool is_in(double bw, double of, double from, double to)
{
	return bw >= from * of && bw <= to * of;
}

/* At what a line of a standard rate carries: that has a cause of its own. */
static bool is_at_line(const struct hl_trial *trial)
{
	struct hl_wire wire;

	return hl_wire_for(trial->bw, &wire) && trial->bw >= MATCH_FROM * wire.usual;
}

static double width_of(const struct hl_rate *rate)
{
	return (rate->bw_high - rate->bw_low) / rate->bw;
}

/* On a quiet machine everything holds still; a regulated line does so while what feeds it does not.
 */
static bool is_steady(const struct hl_trial *trial)
{
	const struct hl_measurement *before = hl_beside_before(trial);
	double width = width_of(trial->at->dir[trial->dir]);

	if (!before || !(width <= STEADY) || !hl_trial_is_bound_here(trial))
		return false;
	return width_of(before->dir[trial->dir]) >= STEADIER * width &&
	       trial->bw >= HIGHEST * hl_wire_load(trial->at->hop);
}

static enum reason reason_of(struct hl_graph *graph, const struct hl_trial *trial)
{
	struct shaper shaper = shaper_of(graph, trial->at->hop, trial->dir);
	double streams = streams_of(graph, trial->at->hop, trial->dir);

	if (is_in(trial->bw, shaper.bw, MATCH_FROM, MATCH_TO))
		return AT_RATE;
	if (is_in(trial->bw, shaper.bw, NEAR_FROM, MATCH_FROM))
		return NEAR_RATE;
	if (is_at_line(trial))
		return NOT_SHAPED;
	if (is_in(trial->bw, streams, 1 - SAME, 1 + SAME))
		return AT_STREAMS;
	return is_steady(trial) && isnan(shaper.bw) ? STEADY_RATE : NOT_SHAPED;
}

/* ---- the finding ---- */

static const char *say_shaper(struct hl_graph *graph, const struct hl_trial *trial,
			      const struct shaper *shaper)
{
	return hl_arena_printf(
		graph->arena,
		"%s reach %s, %s of what %s on %s lets through: %.0f Mbit/s x (%.0f - 52) / (%.0f "
		"+ "
		"14) = %s.",
		trial->dir == HL_DIR_READ ? "Reads" : "Writes", hl_say_rate(trial->bw).text,
		hl_say_share(trial->bw / shaper->bw).text,
		shaper->qdisc && shaper->qdisc->string ? shaper->qdisc->string : "the qdisc",
		shaper->device && shaper->device->string ? shaper->device->string : "the way there",
		shaper->rate->number * 8 / 1e6, shaper->mtu->number, shaper->mtu->number,
		hl_say_rate(shaper->bw).text);
}

static const char *say_reason(struct hl_graph *graph, const struct hl_trial *trial,
			      enum reason reason)
{
	struct shaper shaper = shaper_of(graph, trial->at->hop, trial->dir);
	const struct hl_rate *rate = trial->at->dir[trial->dir];

	if (reason == AT_RATE || reason == NEAR_RATE)
		return say_shaper(graph, trial, &shaper);
	if (reason == AT_STREAMS)
		return hl_arena_printf(
			graph->arena, "The line alone carries as little: %s.",
			hl_experiment_result(graph, "tcp-streams", trial->at->hop, NULL)->decided);
	return hl_arena_printf(
		graph->arena,
		"%s hold still at %s (%s to %s over the rounds), while the hop before "
		"does not: as behind a shaper, a policer or a line.",
		trial->dir == HL_DIR_READ ? "Reads" : "Writes", hl_say_rate(trial->bw).text,
		hl_say_rate(rate->bw_low).text, hl_say_rate(rate->bw_high).text);
}

static void add_evidence(struct hl_graph *graph, struct hl_finding *finding,
			 const struct hl_trial *trial)
{
	struct shaper shaper = shaper_of(graph, trial->at->hop, trial->dir);
	double streams = streams_of(graph, trial->at->hop, trial->dir);
	struct hl_origin origin = { .host = trial->at->hop->host, .node = trial->at->hop->name };

	hl_evidence_add(graph, finding, trial, HL_FIGURE_BW);
	hl_finding_add_evidence(graph, finding, shaper.device);
	hl_finding_add_evidence(graph, finding, shaper.qdisc);
	hl_finding_add_evidence(graph, finding, shaper.rate);
	hl_finding_add_evidence(graph, finding, shaper.mtu);
	origin.source = "experiment tcp-streams";
	if (!isnan(streams))
		hl_finding_add_evidence(
			graph, finding,
			hl_graph_add_number(graph, &origin, "tcp.streams_bw", streams));
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trial *trial)
{
	enum reason reason = reason_of(graph, trial);
	struct hl_finding *finding;

	if (reason == NOT_SHAPED)
		return;
	finding = hl_trial_found(graph, cause, trial);
	finding->layer = trial->at->hop->layer;
	if (reason == AT_RATE || reason == AT_STREAMS)
		finding->state = HL_CONFIRMED;
	add_evidence(graph, finding, trial);
	finding->text = say_reason(graph, trial, reason);
	finding->fix =
		"Raise or remove the limit: tc on the interface that sends, the rate of the "
		"virtual NIC (rate=, bandwidth), QoS of the bridge or switch, max_tx_rate of "
		"the VF.";
	if (reason == AT_STREAMS)
		finding->next = "Which device it is: the qdisc of each interface on the way.";
	else if (reason != AT_RATE)
		finding->next = "1 and 4 TCP streams between the same two addresses: if both carry "
				"no more, it is the line.";
	if (reason != AT_RATE)
		finding->paste = "# on both ends and on the hypervisor\n"
				 "tc -s qdisc show\n"
				 "ip -d link show\n";
	hl_beside_predict(finding, trial, hl_beside_before(trial));
}

/* ---- matching ---- */

static bool may_be_shaped(const struct hl_graph *graph, const struct hl_trial *trial)
{
	enum hl_layer layer = trial->at->hop->layer;

	(void)graph;
	if (layer != HL_LAYER_WIRE && layer != HL_LAYER_VNIC)
		return false;
	return (trial->dir == HL_DIR_READ || trial->dir == HL_DIR_WRITE) &&
	       trial->depth >= LEAST_DEPTH && !hl_trial_is_bound_below(trial);
}

static void add_ceiling(struct hl_graph *graph, const struct hl_hop *hop, enum hl_dir dir)
{
	static const char *const keys[] = { "route.qdisc_rate", "route.mtu" };
	struct shaper shaper = shaper_of(graph, hop, dir);
	struct hl_ceiling *ceiling;

	if (isnan(shaper.bw) || (hop->layer != HL_LAYER_WIRE && hop->layer != HL_LAYER_VNIC))
		return;
	ceiling = hl_graph_add_ceiling(graph);
	ceiling->name = hl_arena_printf(graph->arena, "%s of %s",
					shaper.qdisc ? shaper.qdisc->string : "qdisc",
					shaper.device ? shaper.device->string : "the way there");
	ceiling->layer = hop->layer;
	ceiling->hop = hop;
	ceiling->dir = dir;
	ceiling->bw = shaper.bw;
	ceiling->formula = hl_arena_printf(graph->arena,
					   "%.0f Mbit/s x (%.0f - 52) / (%.0f + 14) = %s",
					   shaper.rate->number * 8 / 1e6, shaper.mtu->number,
					   shaper.mtu->number, hl_say_rate(shaper.bw).text);
	ceiling->nr_from = sizeof(keys) / sizeof(*keys);
	ceiling->from = hl_arena_alloc(graph->arena, sizeof(keys));
	memcpy(ceiling->from, keys, sizeof(keys));
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		add_ceiling(graph, graph->hops[i], HL_DIR_READ);
		add_ceiling(graph, graph->hops[i], HL_DIR_WRITE);
	}
	hl_trials_match_each(graph, cause, may_be_shaped, found);
}

static const char *const rivals[] = { "ethernet-ceiling", "serial-stage", "rate-capped", NULL };

const struct hl_cause hl_cause_link_shaped = {
	.id = "link-shaped",
	.summary = "a shaper on the line lets no more through",
	.layer = HL_LAYER_WIRE,
	.explain =
		"A queueing discipline (tbf, htb), the rate of a virtual NIC, a policer or a VF's "
		"max_tx_rate holds a line below what it could carry. All that crosses it shares "
		"that rate, and waits in its queue.\n\n"
		"Recognised by reads or writes at 95 to 101 % of the rate that the sending end's "
		"root qdisc has, times (MTU - 52) / (MTU + 14); or by one and four TCP streams "
		"between the same two addresses that carry the same within 3 %. Either confirms "
		"it. Suspected where the rate is near (80 %), or where the highest figures of the "
		"hop hold still within 3 % over the rounds while those of the hop before are "
		"higher and scatter.\n\n"
		"A line at its end (ethernet-ceiling), a throttle on the disk (rate-capped) or a "
		"stage with a constant time (serial-stage) hold as still; TCP streams tell them "
		"apart, for they use the line alone. Latencies say nothing: before a shaper the "
		"queue stands, and all I/Os wait alike.\n\n"
		"Decided by 1 and 4 TCP streams between the same addresses, or by the shaper "
		"itself.\n\n"
		"What to do: raise or remove the limit where it is set.",
	.rivals = rivals,
	.match = match,
};
