/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pcie-shared-uplink: several drives sit behind one PCIe link that carries less than they together.
 *
 * Source: bridges above the drives, by their bus numbers, and the link of the port that all of them
 * are behind; the hop that reads several of them at once. Surprising: each drive alone is as fast
 * as ever, so nothing is wrong with any of them.
 */
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/model.h"
#include "hoploss/place.h"
#include "hoploss/sample.h"
#include "hoploss/say.h"
#include "pcie_said.h"
#include <math.h>
#include <string.h>

#define MOST_MEMBERS   64
#define OVERSUBSCRIBED 1.1
#define COUNTS_FROM    0.25 /* of the uplink: what is slower hardly takes from the others */

struct uplink {
	struct hl_pcie port;
	struct hl_pcie members[MOST_MEMBERS];
	size_t nr, nr_nvme;
	double members_bw;
};

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* "0000:81:00" of two functions of one device */
static bool is_same_device(const struct hl_pcie *a, const struct hl_pcie *b)
{
	const char *dot = strrchr(a->node, '.');

	return dot && !strncmp(a->node, b->node, (size_t)(dot - a->node) + 1);
}

static double port_bw(const struct uplink *uplink, enum hl_dir dir)
{
	return hl_pcie_bw(uplink->port.speed, uplink->port.width, uplink->port.mps, dir);
}

static void add_member(struct uplink *uplink, const struct hl_pcie *pcie)
{
	double bw = hl_pcie_bw(pcie->speed, pcie->width, pcie->mps, HL_DIR_READ);

	if (pcie->is_vf || uplink->nr == MOST_MEMBERS ||
	    (!hl_pcie_is_storage(pcie) && !hl_pcie_is_network(pcie)) ||
	    !(bw >= COUNTS_FROM * port_bw(uplink, HL_DIR_READ)))
		return;
	for (size_t i = 0; i < uplink->nr; i++) {
		if (is_same_device(&uplink->members[i], pcie))
			return;
	}
	uplink->members_bw += bw;
	uplink->nr_nvme += pcie->class && strstr(pcie->class, "Non-Volatile") != NULL;
	uplink->members[uplink->nr++] = *pcie;
}

/* All behind the port that the function of fact shares; false: it is wide enough for all. */
static bool read_uplink(const struct hl_graph *graph, const struct hl_fact *fact,
			struct uplink *uplink)
{
	struct hl_pcie pcie = hl_pcie_of(graph, fact);
	const struct hl_fact *other;

	*uplink = (struct uplink){ .port = hl_pcie_at(graph, &pcie, fact->string) };
	if (uplink->port.is_synthetic || isnan(port_bw(uplink, HL_DIR_READ)))
		return false;
	for (size_t i = 0; (other = hl_place_fact(graph, NULL, "pcie.shared_uplink", i)); i++) {
		struct hl_pcie member;

		if (!is_same(other->string, fact->string) || !is_same(other->host, fact->host))
			continue;
		member = hl_pcie_of(graph, other);
		add_member(uplink, &member);
	}
	return uplink->nr > 1 && uplink->members_bw > OVERSUBSCRIBED * port_bw(uplink, HL_DIR_READ);
}

/* Uplinks are told once, at the first function that names them. */
static bool is_first(const struct hl_graph *graph, size_t index)
{
	const struct hl_fact *fact = hl_place_fact(graph, NULL, "pcie.shared_uplink", index);

	for (size_t i = 0; i < index; i++) {
		const struct hl_fact *other = hl_place_fact(graph, NULL, "pcie.shared_uplink", i);

		if (is_same(other->string, fact->string) && is_same(other->host, fact->host))
			return false;
	}
	return true;
}

/* ---- who reads them ---- */

/* Of the drives that hop stands on, the share behind the uplink; 0 where it is fewer than two. */
static double share_behind(struct hl_graph *graph, const struct hl_hop *hop,
			   const struct uplink *uplink)
{
	struct hl_pcie *drives = hl_arena_alloc(graph->arena, MOST_MEMBERS * sizeof(*drives));
	size_t nr = hl_pcie_drives(graph, hop, drives, MOST_MEMBERS);
	size_t nr_behind = 0;

	for (size_t i = 0; i < nr; i++)
		nr_behind += is_same(drives[i].shared_uplink, uplink->port.node);
	return nr_behind > 1 ? (double)nr_behind / (double)nr : 0;
}

static const struct hl_hop *find_hop(struct hl_graph *graph, const struct uplink *uplink,
				     double *ret_share)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		double share = graph->hops[i]->nr_measurements
				       ? share_behind(graph, graph->hops[i], uplink)
				       : 0;

		if (share > 0) {
			*ret_share = share;
			return graph->hops[i];
		}
	}
	return NULL;
}

/* ---- findings ---- */

static const char *say_uplink(struct hl_graph *graph, const struct uplink *uplink)
{
	const char *members = uplink->members[0].node;

	for (size_t i = 1; i < uplink->nr; i++)
		members = hl_arena_printf(graph->arena, "%s, %s", members, uplink->members[i].node);
	return hl_arena_printf(graph->arena,
			       "%zu devices (%s) share the link of %s: %s, reads of %s at most, "
			       "while their own links carry %s together.",
			       uplink->nr, members, pcie_say_device(graph, &uplink->port),
			       pcie_say_link(graph, uplink->port.speed, uplink->port.width),
			       hl_say_rate(port_bw(uplink, HL_DIR_READ)).text,
			       hl_say_rate(uplink->members_bw).text);
}

static struct hl_finding *add_finding(struct hl_graph *graph, const struct hl_cause *cause,
				      const struct uplink *uplink, const struct hl_trial *trial)
{
	static const char *const of_port[] = { "pcie.speed_gts", "pcie.width", "pcie.mps", NULL };
	static const char *const of_member[] = { "pcie.shared_uplink", "pcie.speed_gts",
						 "pcie.width", NULL };
	struct hl_finding *finding = hl_cause_found(graph, cause, trial ? trial->at->hop : NULL,
						    trial ? trial->at : NULL,
						    trial ? trial->dir : HL_DIR_READ);

	pcie_add_evidence(graph, finding, &uplink->port, of_port);
	for (size_t i = 0; i < uplink->nr && i < 3; i++)
		pcie_add_evidence(graph, finding, &uplink->members[i], of_member);
	finding->fix = "Spread the drives over more root ports or slots; a wider or faster uplink "
		       "(cable, slot, switch, firmware speed).";
	return finding;
}

/* What the hop's drives gave when each was measured alone, added up; NAN = they were not. */
static double alone_bw(const struct hl_trial *trial)
{
	const struct hl_hop *hop = trial->at->hop;
	double sum = NAN;

	for (size_t i = 0; i < hop->nr_measurements; i++) {
		const struct hl_measurement *at = hop->measurements[i];

		if (at->drive && at->experiment && !strcmp(at->experiment, HL_DRIVES_ALONE) &&
		    hl_workload_is_same(&at->workload, &trial->at->workload) &&
		    hl_figure_is_usable(at, trial->dir))
			sum = isnan(sum) ? at->dir[trial->dir]->bw : sum + at->dir[trial->dir]->bw;
	}
	return sum;
}

static const char *say_alone(struct hl_graph *graph, double alone)
{
	return isnan(alone) ? ""
			    : hl_arena_printf(graph->arena, " Each alone, they add up to %s.",
					      hl_say_rate(alone).text);
}

static void found_at(struct hl_graph *graph, const struct hl_cause *cause,
		     const struct uplink *uplink, const struct hl_trial *trial, double share)
{
	double alone = alone_bw(trial);
	double load = trial->bw * share / port_bw(uplink, trial->dir);
	struct hl_finding *finding;

	if (!(load >= PCIE_NEAR && load <= PCIE_REFUTED) || alone < OVERSUBSCRIBED * trial->bw)
		return;
	finding = add_finding(graph, cause, uplink, trial);
	if (load >= PCIE_AT || !isnan(alone))
		finding->state = HL_CONFIRMED;
	else
		finding->next = "Each drive alone, then all together: alone they must add up to "
				"more.";
	hl_evidence_add(graph, finding, trial, HL_FIGURE_BW);
	finding->text = hl_arena_printf(
		graph->arena, "%s %s of all of them reach %s, %s of that.%s",
		say_uplink(graph, uplink), trial->dir == HL_DIR_READ ? "Reads" : "Writes",
		hl_say_rate(trial->bw).text, hl_say_share(load).text, say_alone(graph, alone));
	finding->predicted_bw = uplink->members_bw / share;
	finding->predicted_kind = HL_AT_MOST;
}

/* Nothing is known of how they are used together. */
static void found_unmeasured(struct hl_graph *graph, const struct hl_cause *cause,
			     const struct uplink *uplink)
{
	struct hl_finding *finding;

	if (uplink->nr_nvme < 2)
		return;
	finding = add_finding(graph, cause, uplink, NULL);
	finding->text = say_uplink(graph, uplink);
	finding->next = "Each drive alone, then all together: a link that they share holds them "
			"down only together.";
}

static void match_uplink(struct hl_graph *graph, const struct hl_cause *cause,
			 const struct uplink *uplink)
{
	double share = 0;
	const struct hl_hop *hop = find_hop(graph, uplink, &share);
	struct hl_trial trial;

	if (!hop)
		found_unmeasured(graph, cause, uplink);
	for (int dir = HL_DIR_READ; hop && dir <= HL_DIR_WRITE; dir++) {
		if (pcie_fastest(hop, dir, &trial))
			found_at(graph, cause, uplink, &trial, share);
	}
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	struct uplink *uplink = hl_arena_alloc(graph->arena, sizeof(*uplink));
	const struct hl_fact *fact;

	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, "pcie.shared_uplink", i)); i++) {
		if (fact->string && is_first(graph, i) && read_uplink(graph, fact, uplink))
			match_uplink(graph, cause, uplink);
	}
}

static const char *const rivals[] = { "pcie-link-downgraded", "serial-stage", NULL };

const struct hl_cause hl_cause_pcie_shared_uplink = {
	.id = "pcie-shared-uplink",
	.summary = "several drives share a PCIe link that is too narrow for all",
	.layer = HL_LAYER_LINK,
	.explain =
		"Behind a PCIe switch, a chipset or a bifurcation card several drives reach the "
		"processor over one link. Each of them alone gets what its own link gives; "
		"together "
		"they get no more than that one.\n\n"
		"Recognised by two or more devices below a port whose link carries less than their "
		"own links together (functions of one device count once). Confirmed where a hop "
		"that reads several of them reaches 95 % of what the shared link carries, or 80 % "
		"where they gave more when each was measured alone; suspected from 80 % on, and "
		"where NVMe drives share one and nothing was measured. Silent where what was "
		"measured fills less of it, and where alone they give no more.\n\n"
		"A drive's own link that is downgraded, a pool's single thread and a controller "
		"that is slow itself look the same from above.\n\n"
		"Decided by measuring each drive alone and then all together: a shared link shows "
		"only together.\n\n"
		"What to do: spread the drives over more root ports, or widen the uplink.",
	.rivals = rivals,
	.match = match,
};
