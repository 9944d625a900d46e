/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drives beside each other: a slow one among its peers, mixed firmware, and the purchase list.
 */
#ifndef ACCEPT_PEERS_H
#define ACCEPT_PEERS_H

#include "hoploss/acceptance.h"

/* Adds findings to set; a drive that is missing or was not bought makes the verdict FAIL. */
void peers_compare(struct hl_acceptance_set *set, const struct hl_graph *graph,
		   const struct hl_acceptance_how *how);

#endif
