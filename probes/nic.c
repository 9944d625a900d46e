/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts of NICs: see nic.h.
 *
 * Surprising: a bridge of a hypervisor has the virtual machines' ends as ports too. What is below
 * it is the way out, so those are left out. The name behind an '@' is what carries a VLAN or
 * macvlan, but the other end of a veth.
 */
#include "nic.h"
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct nic *nic_add(struct nics *nics, const char *name, size_t len)
{
	struct nic *nic;

	nics->items = hl_arena_extend(nics->graph->arena, nics->items, nics->nr,
				      sizeof(*nics->items));
	nic = &nics->items[nics->nr++];
	*nic = (struct nic){
		.name = hl_arena_strndup(nics->graph->arena, name, len),
		.is_running = -1,
		.mtu = NAN,
		.vlan = NAN,
		.rx_errors = NAN,
		.rx_dropped = NAN,
		.rx_missed = NAN,
		.rx_crc = NAN,
		.tx_errors = NAN,
		.tx_dropped = NAN,
	};
	return nic;
}

struct nic_vf *nic_add_vf(struct nics *nics, double index)
{
	struct nic *nic = &nics->items[nics->nr - 1];
	struct nic_vf *vf;

	nic->vfs = hl_arena_extend(nics->graph->arena, nic->vfs, nic->nr_vfs, sizeof(*nic->vfs));
	vf = &nic->vfs[nic->nr_vfs++];
	*vf = (struct nic_vf){
		.index = index,
		.spoofchk = -1,
		.trust = -1,
		.vlan = NAN,
		.max_tx_mbps = NAN,
		.min_tx_mbps = NAN,
		.rx_dropped = NAN,
		.tx_dropped = NAN,
	};
	return vf;
}

/* ---- what is below what ---- */

static bool is_one_of(const char *text, const char *const *patterns)
{
	for (; text && *patterns; patterns++) {
		if (!fnmatch(*patterns, text, 0))
			return true;
	}
	return false;
}

/* The end of a virtual machine or container. */
static bool is_guest_end(const struct nic *nic)
{
	static const char *const kinds[] = { "tun", "tap", "veth", NULL };
	static const char *const names[] = { "tap*",  "vnet*", "veth*", "fwpr*",
					     "fwln*", "fwbr*", "lxc*",  NULL };

	return nic->kind ? is_one_of(nic->kind, kinds) : is_one_of(nic->name, names);
}

/* Does what stands behind the '@' carry it? */
static bool is_carried(const struct nic *nic)
{
	static const char *const kinds[] = { "vlan",   "macvlan", "macvtap", "ipvlan",
					     "ipvtap", "macsec",  NULL };
	size_t len = nic->lower ? strlen(nic->lower) : 0;

	if (!len)
		return false;
	if (nic->kind)
		return is_one_of(nic->kind, kinds);
	/* "eth0.100@eth0", "vlan100@bond0" */
	return (!strncmp(nic->name, nic->lower, len) && nic->name[len] == '.') ||
	       !fnmatch("vlan*", nic->name, 0);
}

static void append(struct hl_arena *arena, const char **list, const char *name)
{
	*list = *list ? hl_arena_printf(arena, "%s %s", *list, name) : name;
}

/* Names, separated by blanks; NULL = none. */
static const char *names_below(const struct nics *nics, const struct nic *nic)
{
	const char *below = is_carried(nic) ? nic->lower : NULL;

	for (size_t i = 0; i < nics->nr; i++) {
		const struct nic *port = &nics->items[i];

		if (port->master && !strcmp(port->master, nic->name) && !is_guest_end(port))
			append(nics->graph->arena, &below, port->name);
	}
	return below;
}

/* ---- facts ---- */

struct source {
	const char *host, *file;
};

static struct hl_origin origin_of(const struct nics *nics, const struct source *source,
				  const char *node, unsigned line)
{
	struct hl_origin origin = { .host = source->host, .node = node, .source = source->file };

	if (line)
		origin.source = hl_arena_printf(nics->graph->arena, "%s:%u", source->file, line);
	return origin;
}

static void add_vf(const struct nics *nics, const struct source *source, const struct nic *nic,
		   const struct nic_vf *vf)
{
	struct hl_graph *graph = nics->graph;
	const char *node = hl_arena_printf(graph->arena, "%s/vf%.0f", nic->name, vf->index);
	const struct hl_origin origin = origin_of(nics, source, node, vf->line);

	hl_graph_add_string(graph, &origin, "vf.mac", vf->mac);
	hl_graph_add_string(graph, &origin, "vf.link_state", vf->link_state);
	if (vf->spoofchk >= 0)
		hl_graph_add_boolean(graph, &origin, "vf.spoofchk", vf->spoofchk);
	if (vf->trust >= 0)
		hl_graph_add_boolean(graph, &origin, "vf.trust", vf->trust);
	hl_graph_add_number(graph, &origin, "vf.vlan", vf->vlan);
	hl_graph_add_number(graph, &origin, "vf.max_tx_rate_mbps", vf->max_tx_mbps);
	hl_graph_add_number(graph, &origin, "vf.min_tx_rate_mbps", vf->min_tx_mbps);
	hl_graph_add_number(graph, &origin, "vf.rx_dropped", vf->rx_dropped);
	hl_graph_add_number(graph, &origin, "vf.tx_dropped", vf->tx_dropped);
}

static const char *pci_address(const struct nic *nic)
{
	static const char *const patterns[] = { "????:??:??.?", NULL };

	return is_one_of(nic->parent, patterns) ? nic->parent : NULL;
}

static void add_nic(const struct nics *nics, const struct source *source, const struct nic *nic)
{
	struct hl_graph *graph = nics->graph;
	const struct hl_origin origin = origin_of(nics, source, nic->name, nic->line);
	const struct {
		const char *key, *value;
	} texts[] = {
		{ "link.operstate", nic->operstate },
		{ "link.kind", nic->kind },
		{ "link.qdisc", nic->qdisc },
		{ "link.mac", nic->mac },
		{ "link.master", nic->master },
		{ "link.below", names_below(nics, nic) },
		{ "link.pci_address", pci_address(nic) },
		{ "link.active_slave", nic->active_slave },
		{ "link.mode", nic->mode },
		{ "link.hwmode", nic->hwmode },
	};
	const struct {
		const char *key;
		double value;
	} numbers[] = {
		{ "link.mtu", nic->mtu },
		{ "link.vlan", nic->vlan },
		{ "link.rx_errors", nic->rx_errors },
		{ "link.rx_dropped", nic->rx_dropped },
		{ "link.rx_missed", nic->rx_missed },
		{ "link.crc_errors", nic->rx_crc },
		{ "link.tx_errors", nic->tx_errors },
		{ "link.tx_dropped", nic->tx_dropped },
		{ "link.nr_vfs", nic->nr_vfs ? (double)nic->nr_vfs : NAN },
	};

	if (nic->is_running >= 0)
		hl_graph_add_boolean(graph, &origin, "link.is_up", nic->is_running);
	if (nic->is_promiscuous)
		hl_graph_add_boolean(graph, &origin, "link.is_promiscuous", true);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		hl_graph_add_string(graph, &origin, texts[i].key, texts[i].value);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		hl_graph_add_number(graph, &origin, numbers[i].key, numbers[i].value);
	for (size_t i = 0; i < nic->nr_vfs; i++)
		add_vf(nics, source, nic, &nic->vfs[i]);
}

void nic_add_facts(const struct nics *nics, const char *host, const char *file)
{
	const struct source source = { .host = host, .file = file };

	for (size_t i = 0; i < nics->nr; i++)
		add_nic(nics, &source, &nics->items[i]);
}
