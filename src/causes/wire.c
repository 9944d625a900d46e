/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ethernet-ceiling: bandwidth at what a standard line carries, where there may be one at all.
 *
 * Source of the ceilings: src/model/ceiling.c. Surprising: a line is full duplex, so the faster of
 * reads and writes says which lines it cannot be; and a match alone proves nothing, for the
 * ceilings of several lines, links and limits lie a few percent apart. It is another thing where
 * the speed and MTU of the NIC that carries the flow are known.
 */
#include "hoploss/wire.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/model.h"
#include "hoploss/say.h"
#include "net_said.h"
#include <math.h>
#include <string.h>

#define MATCH_FROM     0.95
#define MATCH_TO       1.01
#define LEAST_DEPTH    4   /* below, latency decides */
#define LEAST_SHARE    0.2 /* of a line, to be worth a line in the report */
#define STREAMING_FROM (64 * HL_KIB)

static const struct {
	const char *name;
	double bits_per_s;
} lines[] = {
	{ "1 Gb/s", 1e9 },   { "2.5 Gb/s", 2.5e9 }, { "10 Gb/s", 10e9 },   { "25 Gb/s", 25e9 },
	{ "40 Gb/s", 40e9 }, { "50 Gb/s", 50e9 },   { "100 Gb/s", 100e9 }, { "200 Gb/s", 200e9 },
};

bool hl_wire_for(double bw, struct hl_wire *ret_wire)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct hl_wire wire = {
			.name = lines[i].name,
			.usual = hl_ceiling_ethernet(lines[i].bits_per_s, 1500),
			.jumbo = hl_ceiling_ethernet(lines[i].bits_per_s, 9000),
		};

		if (bw <= MATCH_TO * wire.jumbo) {
			*ret_wire = wire;
			return true;
		}
	}
	return false;
}

/* All disks of its runs are NVMe drives: reached over PCIe, as far as one can tell. */
static bool is_on_local_drives(const struct hl_hop *hop)
{
	for (size_t i = 0; i < hop->nr_disks; i++) {
		if (!hop->disks[i]->name || strncmp(hop->disks[i]->name, "nvme", 4) != 0)
			return false;
	}
	return hop->nr_disks > 0;
}

bool hl_wire_may_be_in(const struct hl_hop *hop)
{
	switch (hop->layer) {
	case HL_LAYER_NONE:
		return !is_on_local_drives(hop);
	case HL_LAYER_WIRE:
	case HL_LAYER_VNIC:
	case HL_LAYER_INITIATOR:
	case HL_LAYER_FILESYSTEM:
		return true;
	default:
		return false;
	}
}

double hl_wire_load(const struct hl_hop *hop)
{
	double load = NAN;

	for (int dir = HL_DIR_READ; dir <= HL_DIR_WRITE; dir++) {
		HL_TRIALS struct hl_trials trials = { 0 };

		hl_trials_read(hop, dir, &trials);
		for (size_t i = 0; i < trials.nr; i++)
			load = fmax(load, trials.items[i].bw);
	}
	return load;
}

/* ---- ceilings ---- */

/* One for all jobs, for a line is the same for them; with the share that the fastest got of it. */
static void add_ceiling(struct hl_graph *graph, const struct hl_trials *trials,
			const struct hl_wire *wire)
{
	const struct hl_trial *trial = NULL;
	struct hl_ceiling *ceiling;

	for (size_t i = 0; i < trials->nr; i++) {
		const struct hl_trial *other = &trials->items[i];

		if (other->is_pure && other->bs >= STREAMING_FROM &&
		    (!trial || other->bw > trial->bw))
			trial = other;
	}
	if (!trial || trial->bw < LEAST_SHARE * wire->usual)
		return;
	ceiling = hl_graph_add_ceiling(graph);
	ceiling->name = hl_arena_printf(graph->arena, "Ethernet %s, if it is in the path",
					wire->name);
	ceiling->layer = HL_LAYER_WIRE;
	ceiling->hop = trial->at->hop;
	ceiling->dir = trial->dir;
	ceiling->bw = wire->usual;
	ceiling->formula = hl_arena_printf(
		graph->arena,
		"%s / 8 x (1500 - 52) / (1500 + 38) = %s (%s at MTU 9000); %s is %s of it",
		wire->name, hl_say_rate(wire->usual).text, hl_say_rate(wire->jumbo).text,
		hl_say_rate(trial->bw).text, hl_say_share(trial->bw / wire->usual).text);
}

/* ---- the match ---- */

static bool is_match(const struct hl_trial *trial, const struct hl_wire *wire)
{
	return trial->bw >= MATCH_FROM * wire->usual && trial->bw <= MATCH_TO * wire->jumbo;
}

static bool may_be_line(const struct hl_graph *graph, const struct hl_trial *trial)
{
	if (trial->depth < LEAST_DEPTH || hl_trial_is_at_sheet(graph, trial))
		return false;
	return !hl_trial_is_generator_busy(trial) && !hl_trial_is_from_memory(trial) &&
	       !hl_trial_is_bound_below(trial);
}

/* " PCIe Gen3 x1 (844 MiB/s) would look the same." or "" */
static const char *name_pcie(struct hl_graph *graph, double bw)
{
	static const double gts[] = { 2.5, 5, 8, 16, 32 };
	static const int widths[] = { 1, 2, 4, 8, 16 };

	for (size_t i = 0; i < 5 * 5; i++) {
		double ceiling = hl_ceiling_pcie(gts[i / 5], widths[i % 5], 256);

		if (bw >= MATCH_FROM * ceiling && bw <= MATCH_TO * ceiling)
			return hl_arena_printf(graph->arena,
					       " PCIe Gen%zu x%d (%s) would look the same.",
					       i / 5 + 1, widths[i % 5], hl_say_rate(ceiling).text);
	}
	return "";
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *trials, const struct hl_trial *fastest,
		  const struct hl_wire *wire)
{
	const struct hl_hop *hop = fastest->at->hop;
	bool is_unsaid = hop->layer == HL_LAYER_NONE;
	struct hl_finding *finding = hl_cause_found(graph, cause, hop, fastest->at, fastest->dir);

	for (size_t i = 0; i < trials->nr; i++) {
		if (is_match(&trials->items[i], wire))
			hl_evidence_add(graph, finding, &trials->items[i], HL_FIGURE_BW);
	}
	finding->state = is_unsaid ? HL_AMBIGUOUS : HL_SUSPECTED;
	finding->text = hl_arena_printf(
		graph->arena,
		"%ss reach %s, %s of what a line of %s carries (%s at MTU 1500, %s at "
		"9000)%s.%s",
		fastest->dir == HL_DIR_READ ? "Read" : "Write", hl_say_rate(fastest->bw).text,
		hl_say_share(fastest->bw / wire->usual).text, wire->name,
		hl_say_rate(wire->usual).text, hl_say_rate(wire->jumbo).text,
		is_unsaid ? ", if this volume is reached over one at all" : "",
		name_pcie(graph, fastest->bw));
	finding->fix =
		"A faster line or a second one with its own session (MPIO); jumbo frames give "
		"5 % at most. A line that should be faster: look for a port, cable or switch "
		"that negotiated down.";
	finding->next =
		"Measure the network alone between the same two addresses, with 1 and with 4 "
		"TCP streams: if 4 carry no more than this, it is the line. Two machines on "
		"one host cross no wire at all.";
	finding->paste =
		"# on the client, as root (ADDRESS = the storage, INTERFACE = what ip says)\n"
		"ip route get ADDRESS\n"
		"ethtool INTERFACE | grep -E 'Speed|Duplex'\n"
		"ip -s -d link show INTERFACE\n"
		"# with iperf3 -s on the storage; -R: from there to here, as reads go\n"
		"iperf3 -c ADDRESS -t 10 -R -P 1\n"
		"iperf3 -c ADDRESS -t 10 -R -P 4\n";
}

/* ---- a line whose speed is known ---- */

static bool is_at(const struct hl_trial *trial, const struct net_line *line)
{
	return trial->bw >= MATCH_FROM * line->bw && trial->bw <= MATCH_TO * line->bw;
}

/* " It could do 25 Gb/s: ..." or "" */
static const char *say_slower(struct hl_graph *graph, const struct net_line *line)
{
	if (!(net_number(line->supported) > line->speed->number))
		return "";
	return hl_arena_printf(graph->arena, " The NIC could do %.0f Gb/s.",
			       line->supported->number / 1e3);
}

static void found_known(struct hl_graph *graph, const struct hl_cause *cause,
			const struct hl_trials *trials, const struct hl_trial *fastest,
			const struct net_line *line)
{
	struct hl_finding *finding = hl_trial_found(graph, cause, fastest);

	for (size_t i = 0; i < trials->nr; i++) {
		if (is_at(&trials->items[i], line))
			hl_evidence_add(graph, finding, &trials->items[i], HL_FIGURE_BW);
	}
	hl_finding_add_evidence(graph, finding, line->speed);
	hl_finding_add_evidence(graph, finding, line->mtu);
	hl_finding_add_evidence(graph, finding, line->supported);
	finding->state = HL_CONFIRMED;
	finding->text = hl_arena_printf(
		graph->arena, "%ss reach %s, %s of what %s carries: %g Gb/s at an MTU of %.0f.%s",
		fastest->dir == HL_DIR_READ ? "Read" : "Write", hl_say_rate(fastest->bw).text,
		hl_say_share(fastest->bw / line->bw).text, net_say_node(graph, line->speed),
		line->speed->number / 1e3, line->mtu ? line->mtu->number : 1500,
		say_slower(graph, line));
	finding->fix = net_number(line->supported) > line->speed->number
			       ? "Find what holds the link down: a cable, a module, or the port of "
				 "the switch."
			       : "A faster line or a second one with its own session (MPIO); jumbo "
				 "frames give 5 % at most.";
}

static void match_dir(struct hl_graph *graph, const struct hl_cause *cause,
		      const struct hl_hop *hop, enum hl_dir dir, const struct hl_wire *wire)
{
	HL_TRIALS struct hl_trials trials = { 0 };
	const struct hl_trial *fastest = NULL;
	struct net_line line;

	hl_trials_read(hop, dir, &trials);
	add_ceiling(graph, &trials, wire);
	for (size_t i = 0; i < trials.nr; i++) {
		const struct hl_trial *trial = &trials.items[i];

		if (trial->is_pure && (!fastest || trial->bw > fastest->bw))
			fastest = trial;
	}
	if (!fastest || !may_be_line(graph, fastest))
		return;
	if (net_line_of(graph, hop, &line) && is_at(fastest, &line))
		found_known(graph, cause, &trials, fastest, &line);
	else if (is_match(fastest, wire))
		found(graph, cause, &trials, fastest, wire);
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		const struct hl_hop *hop = graph->hops[i];
		struct hl_wire wire;

		if (!hl_wire_may_be_in(hop) || !hl_wire_for(hl_wire_load(hop), &wire))
			continue;
		match_dir(graph, cause, hop, HL_DIR_READ, &wire);
		match_dir(graph, cause, hop, HL_DIR_WRITE, &wire);
	}
}

static const char *const rivals[] = { "rate-capped", "serial-stage", "depth-limited", NULL };

const struct hl_cause hl_cause_ethernet_ceiling = {
	.id = "ethernet-ceiling",
	.summary = "bandwidth at what an Ethernet line carries",
	.layer = HL_LAYER_WIRE,
	.explain =
		"A line carries its rate times (MTU - 52) / (MTU + 38) of what TCP is given: of "
		"10 Gb/s 1,122 MiB/s at an MTU of 1500 and 1,180 at 9000. Nothing that crosses it "
		"can "
		"be faster.\n\n"
		"Recognised by the fastest reads or writes of a hop lying between 95 % of the "
		"ceiling "
		"at MTU 1500 and 101 % of that at 9000, for 1, 2.5, 10, 25, 40, 50, 100 or 200 "
		"Gb/s. "
		"Any figure of the hop that is 1 % above a ceiling rules that line out. Drives, "
		"pools, "
		"virtual disks and a target measured over loopback have no line in their path; nor "
		"have two machines on one host.\n\n"
		"A PCIe link, a throttle, a serial stage or a limit on commands in flight can give "
		"the same number: a match is a suspicion, until the speed and MTU of the NIC that "
		"carries the flow are known and its own ceiling is met. A ceiling that is above "
		"the measurement "
		"is "
		"listed with the share that was used of it.\n\n"
		"Decided by measuring the network alone between the same addresses with 1 and 4 "
		"TCP "
		"streams, and by the target over loopback, which no line can slow down.\n\n"
		"What to do: a faster line, or a second one with a session of its own.",
	.rivals = rivals,
	.match = match,
};
