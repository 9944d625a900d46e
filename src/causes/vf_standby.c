/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vf-inactive-standby: a VF is there, and the slow virtio NIC beside it carries the flow.
 *
 * Source: in the guest, a net_failover NIC and which of its two is active; or a NIC whose driver is
 * that of a VF, beside the virtio NIC that the route to the portal leaves by. Surprising: the pair
 * has one name and one MAC, so a route by the pair says nothing about which half carries.
 */
#include "hoploss/cause.h"
#include "hoploss/place.h"
#include "net_said.h"
#include <fnmatch.h>
#include <string.h>

/* Drivers of VFs in a guest. */
static const char *const vf_drivers[] = { "*vf", "igbvf", "ixgbevf", "iavf", "i40evf", NULL };

static bool is_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_vf_driver(const char *driver)
{
	for (const char *const *pattern = vf_drivers; driver && *pattern; pattern++) {
		if (!fnmatch(*pattern, driver, 0))
			return true;
	}
	return false;
}

/* ---- a failover pair ---- */

static void found_pair(struct hl_graph *graph, const struct hl_cause *cause,
		       const struct hl_fact *active)
{
	const struct hl_fact *standby = hl_place_beside(graph, active, "link.standby");
	const struct hl_fact *primary = hl_place_beside(graph, active, "link.primary");
	struct hl_finding *finding;

	if (!standby || !is_text(active->string, standby->string))
		return;
	finding = hl_cause_found(graph, cause, hl_place_hop(graph, active), NULL, HL_DIR_READ);
	finding->state = primary ? HL_CONFIRMED : HL_SUSPECTED;
	hl_finding_add_evidence(graph, finding, active);
	hl_finding_add_evidence(graph, finding, standby);
	hl_finding_add_evidence(graph, finding, primary);
	finding->text =
		primary ? hl_arena_printf(graph->arena,
					  "%s fails over: %s (virtio) carries, and %s (the VF) has "
					  "no carrier.",
					  net_say_node(graph, active), standby->string,
					  primary->string)
			: hl_arena_printf(graph->arena,
					  "%s is a failover pair without its VF: %s (virtio) "
					  "carries alone.",
					  net_say_node(graph, active), standby->string);
	finding->fix = "Bring the VF up in the guest and look at its link-state at the PF (ip link "
		       "set PF vf N state auto); after a migration it must be plugged in again.";
	if (!primary)
		finding->next = "Whether the VM has a VF at all: its definition, and lspci in the "
				"guest.";
}

/* ---- two NICs of their own ---- */

static const struct hl_fact *driver_of(const struct hl_graph *graph, const char *host,
				       const char *nic)
{
	const struct hl_fact *fact;

	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, "link.driver", i)); i++) {
		if (is_text(fact->host, host) && is_text(fact->node, nic))
			return fact;
	}
	return NULL;
}

static const struct hl_fact *vf_beside(const struct hl_graph *graph, const char *host)
{
	const struct hl_fact *fact;

	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, "link.driver", i)); i++) {
		if (is_text(fact->host, host) && is_vf_driver(fact->string) &&
		    !hl_place_beside(graph, fact, "link.master"))
			return fact;
	}
	return NULL;
}

static void match_route(struct hl_graph *graph, const struct hl_cause *cause,
			const struct hl_hop *hop)
{
	const struct hl_fact *route = hl_graph_find_fact(graph, hop->name, "route.device");
	const struct hl_fact *driver = route ? driver_of(graph, hop->host, route->string) : NULL;
	const struct hl_fact *vf = vf_beside(graph, hop->host);
	struct hl_finding *finding;

	if (!driver || !is_text(driver->string, "virtio_net") || !vf ||
	    hl_place_beside(graph, driver, "link.standby"))
		return;
	finding = hl_cause_found(graph, cause, hop, NULL, HL_DIR_READ);
	hl_finding_add_evidence(graph, finding, route);
	hl_finding_add_evidence(graph, finding, driver);
	hl_finding_add_evidence(graph, finding, vf);
	finding->text = hl_arena_printf(
		graph->arena,
		"The flow leaves by %s (virtio_net), while %s (%s, the driver of a VF) is there.",
		route->string, net_say_node(graph, vf), vf->string);
	finding->fix = "Use the portal's address in the network of the VF, or route it there, and "
		       "log in again.";
	finding->next = "The same job to a portal that is reached by the VF.";
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	const struct hl_fact *kind;

	for (size_t i = 0; (kind = hl_place_fact(graph, NULL, "link.kind", i)); i++) {
		const struct hl_fact *active = hl_place_beside(graph, kind, "link.active_slave");

		if (is_text(kind->string, "net_failover") && active)
			found_pair(graph, cause, active);
	}
	for (size_t i = 0; i < graph->nr_hops; i++)
		match_route(graph, cause, graph->hops[i]);
}

static const char *const rivals[] = { "vhost-thread-saturated", NULL };

const struct hl_cause hl_cause_vf_inactive_standby = {
	.id = "vf-inactive-standby",
	.summary = "the virtio NIC carries the flow, not the VF beside it",
	.layer = HL_LAYER_VNIC,
	.explain =
		"A guest with a VF often keeps a virtio NIC: as the standby of a failover pair, "
		"so that it can be migrated, or with an address of its own. When the VF has no "
		"carrier, or the route leads elsewhere, the flow goes by virtio and its vhost "
		"thread, and the VF idles.\n\n"
		"Recognised in the guest by a net_failover NIC whose standby is active although a "
		"VF is there. Suspected where the pair has no VF at all, and where the route to "
		"the portal leaves by virtio while another NIC has the driver of a VF.\n\n"
		"A pair whose VF is active is right. That a VF is in the definition of the VM says "
		"nothing: the route and the carrier decide.\n\n"
		"Decided by the same job to a portal that is reached by the VF, or by the counters "
		"of both NICs.\n\n"
		"What to do: bring the VF's link up, or use an address in its network.",
	.rivals = rivals,
	.match = match,
};
