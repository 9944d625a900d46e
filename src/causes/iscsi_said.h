/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the causes about iSCSI have in common: the sessions that a hop stands on.
 */
#ifndef CAUSES_ISCSI_SAID_H
#define CAUSES_ISCSI_SAID_H

#include "hoploss/graph.h"

/*
 * A fact of the index-th session of hop (hop NULL: of all), by which the others are found with
 * hl_place_beside; NULL = no more.
 */
const struct hl_fact *iscsi_session_at(const struct hl_graph *graph, const struct hl_hop *hop,
				       size_t index);

/* The fact of that key of the session's target, on whatever host that is; NULL. */
const struct hl_fact *iscsi_target_fact(const struct hl_graph *graph, const struct hl_fact *session,
					const char *key);

#endif
