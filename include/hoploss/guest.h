/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Guests: which of the captured hosts is a virtual machine of which. Not by names: a host's NIC has
 * the MAC that the definition of the machine gives it, or both tell the same UUID. Pure.
 */
#ifndef HOPLOSS_GUEST_H
#define HOPLOSS_GUEST_H

#include "hoploss/graph.h"

struct hl_guest_proof {
	const struct hl_fact *here;  /* of the guest */
	const struct hl_fact *there; /* of the same value, on the machine that it runs on */
};

/*
 * Adds each host of the facts to graph->hosts and, where it is not known yet, what it runs on.
 * What two machines claim is left open.
 */
void hl_guest_find(struct hl_graph *graph);
/* What shows that host is that machine there; false = nothing does, as a path file may say it. */
bool hl_guest_prove(const struct hl_graph *graph, const struct hl_host *host,
		    struct hl_guest_proof *ret_proof);
/* Of that name; NULL = none. */
const struct hl_host *hl_guest_host(const struct hl_graph *graph, const char *name);

#endif
