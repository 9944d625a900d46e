/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the link probe that read sysfs and /proc.
 */
#ifndef PROBES_NET_LINK_H
#define PROBES_NET_LINK_H

#include "hoploss/graph.h"
#include "hoploss/machine.h"

struct net_link { /* one NIC */
	struct hl_machine *machine;
	struct hl_graph *graph;
	const char *host; /* NULL = not known */
	const char *name;
	char *function; /* directory of its PCI function; NULL = it has none */
};

/*
 * Each adds a fact, unless value is unknown (NULL, below 0) or, of the NIC itself (node NULL), the
 * key has one already.
 */
void net_link_add_text(const struct net_link *link, const char *node, const char *key,
		       const char *value, const char *path);
void net_link_add_number(const struct net_link *link, const char *key, double value,
			 const char *path);

/* The interrupts of its function, and the CPUs that may serve them. */
void net_link_interrupts(const struct net_link *link);
/* If it is a net_failover: the virtio NIC and the VF below, and which of them carries. */
void net_link_failover(const struct net_link *link);

#endif
