/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ceilings of the PCIe links of NICs: see hl_ceiling_nic_fill in hoploss/pcie.h.
 *
 * Source: facts of the chain of each NIC that a hop stands on, at both ends of its flow; a VF has
 * no link but that of its PF. Surprising: between two machines on one host the NIC below the bridge
 * carries nothing, but a VF's does, in and out; and a flow takes one of several bonded NICs,
 * several flows take all of them.
 */
#include "hoploss/guest.h"
#include "hoploss/model.h"
#include "hoploss/pcie.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include <math.h>
#include <string.h>

static bool is_same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* The machine that all of it runs on in the end; NULL = not known. */
static const char *bottom_of(const struct hl_graph *graph, const char *name)
{
	for (size_t i = 0; name && i <= graph->nr_hosts; i++) {
		const struct hl_host *host = hl_guest_host(graph, name);

		if (!host || !host->on)
			return name;
		name = host->on;
	}
	return NULL;
}

/* A line of which both ends are known to be elsewhere, or that the user calls one. */
static bool has_line(const struct hl_graph *graph, const struct hl_hop *hop)
{
	const char *here = bottom_of(graph, hop->host), *there;

	if (hop->layer == HL_LAYER_WIRE)
		return true;
	there = hop->after ? bottom_of(graph, hop->after->host) : NULL;
	return here && there && strcmp(here, there) != 0;
}

/* A VF of that function is what the hop stands on: its packets cross the function's link. */
static bool is_behind_vf(const struct hl_graph *graph, const struct hl_hop *hop,
			 const struct hl_pcie *nic)
{
	const struct hl_fact *fact;

	for (size_t i = 0; (fact = hl_place_fact(graph, hop, "pcie.physfn", i)); i++) {
		if (is_same(fact->host, nic->host) && is_same(fact->string, nic->node))
			return true;
	}
	for (size_t i = 0; (fact = hl_place_fact(graph, hop, "vf.mac", i)); i++) {
		const char *end = fact->node ? strstr(fact->node, "/vf") : NULL;
		struct hl_fact pf = { .host = fact->host };
		const struct hl_fact *address;

		if (!end)
			continue;
		pf.node = hl_arena_strndup(graph->arena, fact->node, (size_t)(end - fact->node));
		address = hl_place_beside(graph, &pf, "link.pci_address");
		if (address && is_same(fact->host, nic->host) &&
		    is_same(address->string, nic->node))
			return true;
	}
	return nic->is_vf;
}

static bool is_bonded(const struct hl_graph *graph, const struct hl_hop *hop)
{
	const struct hl_fact *kind;

	for (size_t i = 0; (kind = hl_place_fact(graph, hop, "link.kind", i)); i++) {
		if (is_same(kind->string, "bond") || is_same(kind->string, "team"))
			return true;
	}
	return false;
}

/* Either end sends and the other receives: the formula that allows more is an upper limit of both.
 */
static double bw_of(const struct hl_pcie *nic)
{
	return hl_pcie_bw(nic->limit_speed, nic->limit_width, nic->mps, HL_DIR_WRITE);
}

/* The NIC of the slowest link; false = none is known, or the flow may take several. */
static bool find_slowest(const struct hl_graph *graph, const struct hl_hop *hop,
			 struct hl_pcie *ret_nic)
{
	bool is_line = has_line(graph, hop), is_found = false;
	const struct hl_fact *fact;

	for (size_t i = 0; (fact = hl_place_fact(graph, hop, "pcie.limit_width", i)); i++) {
		struct hl_pcie nic = hl_pcie_of(graph, fact);

		if (!hl_pcie_is_network(&nic) || isnan(bw_of(&nic)) ||
		    (!is_line && !is_behind_vf(graph, hop, &nic)))
			continue;
		if (is_found && !is_same(nic.limiting_hop, ret_nic->limiting_hop) &&
		    is_bonded(graph, hop))
			return false;
		if (!is_found || bw_of(&nic) < bw_of(ret_nic))
			*ret_nic = nic;
		is_found = true;
	}
	return is_found;
}

static void add_ceiling(struct hl_graph *graph, const struct hl_hop *hop, const struct hl_pcie *nic,
			enum hl_dir dir)
{
	static const char *const keys[] = { "pcie.limit_speed_gts", "pcie.limit_width",
					    "pcie.mps" };
	const char *payload = isnan(nic->mps) ? "512"
					      : hl_arena_printf(graph->arena, "%.0f", nic->mps);
	struct hl_ceiling *ceiling = hl_graph_add_ceiling(graph);

	ceiling->name = hl_arena_printf(graph->arena, "PCIe %g GT/s x%.0f of the NIC",
					nic->limit_speed, nic->limit_width);
	ceiling->layer = hop->layer == HL_LAYER_VNIC ? HL_LAYER_VNIC : HL_LAYER_WIRE;
	ceiling->hop = hop;
	ceiling->dir = dir;
	ceiling->bw = bw_of(nic);
	ceiling->formula = hl_arena_printf(
		graph->arena, "%g GT/s x %.0f x %s / 8 x %s / (%s + 20) = %s (%s%s%s)",
		nic->limit_speed, nic->limit_width, nic->limit_speed >= 8 ? "128/130" : "8/10",
		payload, payload, hl_say_rate(ceiling->bw).text,
		nic->limiting_hop ? nic->limiting_hop : nic->node, nic->host ? " at " : "",
		nic->host ? nic->host : "");
	ceiling->nr_from = sizeof(keys) / sizeof(*keys);
	ceiling->from = hl_arena_alloc(graph->arena, sizeof(keys));
	memcpy(ceiling->from, keys, sizeof(keys));
}

/* A target over loopback, a drive or a virtual disk has no NIC in its path. */
static bool may_cross(const struct hl_hop *hop)
{
	return hop->nr_measurements &&
	       (hop->layer == HL_LAYER_WIRE || hop->layer == HL_LAYER_VNIC ||
		hop->layer == HL_LAYER_INITIATOR || hop->layer == HL_LAYER_FILESYSTEM);
}

void hl_ceiling_nic_fill(struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		struct hl_pcie nic = { 0 };

		if (!may_cross(graph->hops[i]) || !find_slowest(graph, graph->hops[i], &nic))
			continue;
		for (int dir = HL_DIR_READ; dir <= HL_DIR_WRITE; dir++)
			add_ceiling(graph, graph->hops[i], &nic, dir);
	}
}
