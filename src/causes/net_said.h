/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the causes about the network have in common: what facts say of the NICs that carry the flow
 * of a hop.
 */
#ifndef CAUSES_NET_SAID_H
#define CAUSES_NET_SAID_H

#include "hoploss/trial.h"

struct net_line {                    /* the slowest real NIC that a hop stands on, at either end */
	const struct hl_fact *speed; /* "link.speed_mbps" */
	const struct hl_fact *supported; /* "link.supported_mbps"; NULL */
	const struct hl_fact *mtu;       /* NULL = not known */
	double bw;                       /* bytes/s of TCP payload, at that MTU or at 1500 */
};

/* False: no NIC of it that has a PCI function and a speed; virtual ones have none that counts. */
bool net_line_of(const struct hl_graph *graph, const struct hl_hop *hop, struct net_line *ret_line);

double net_number(const struct hl_fact *fact); /* NAN */

/* "ens1f0 at pve", of the node of a fact. */
const char *net_say_node(struct hl_graph *graph, const struct hl_fact *fact);

/*
 * The fact of that key of the end that sends in that direction: the target for reads. Written
 * with "*" for the end: "tcp.*_rtt_us". NULL.
 */
const struct hl_fact *net_sender_fact(const struct hl_graph *graph, const struct hl_trial *trial,
				      const char *key);

#endif
