/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NICs as ip(8) tells of them, in text or JSON, and the facts of them.
 */
#ifndef HOPLOSS_PROBES_NIC_H
#define HOPLOSS_PROBES_NIC_H

#include "hoploss/graph.h"
#include <stdbool.h>

struct nic_vf { /* NAN, NULL and -1: not said */
	double index;
	const char *mac, *link_state;
	int spoofchk, trust;
	double vlan, max_tx_mbps, min_tx_mbps;
	double rx_dropped, tx_dropped;
	unsigned line;
};

struct nic { /* strings live in the arena of the graph */
	const char *name;
	const char *lower; /* what stands behind the '@': NULL = nothing, or in another namespace */
	const char *master; /* bond or bridge that it belongs to */
	const char *kind;   /* "bond", "vlan", "veth" … */
	const char *operstate, *qdisc, *mac, *parent, *active_slave, *mode, *hwmode;
	int is_running; /* -1 = not said */
	bool is_promiscuous;
	double mtu, vlan;
	double rx_errors, rx_dropped, rx_missed, rx_crc, tx_errors, tx_dropped;
	struct nic_vf *vfs;
	size_t nr_vfs;
	unsigned line; /* 0 = not known */
};

struct nics {
	struct hl_graph *graph;
	struct nic *items; /* in the graph's arena */
	size_t nr;
};

/* The new one, all unknown; valid until the next is added. */
struct nic *nic_add(struct nics *nics, const char *name, size_t len);
struct nic_vf *nic_add_vf(struct nics *nics, double index);

/*
 * Adds the facts of all. host may be NULL. Sources are FILE:LINE, or FILE where there is no line.
 * Which NICs are below a bond, bridge, VLAN or macvlan is told by the lot of them together.
 */
void nic_add_facts(const struct nics *nics, const char *host, const char *file);

#endif
