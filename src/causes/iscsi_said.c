/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sessions of a hop: see iscsi_said.h.
 */
#include "iscsi_said.h"
#include "hoploss/place.h"
#include <string.h>

const struct hl_fact *iscsi_session_at(const struct hl_graph *graph, const struct hl_hop *hop,
				       size_t index)
{
	return hl_place_fact(graph, hop, "iscsi.sid", index);
}

const struct hl_fact *iscsi_target_fact(const struct hl_graph *graph, const struct hl_fact *session,
					const char *key)
{
	size_t len = strcspn(session->node, "@");
	const struct hl_fact *fact;

	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, key, i)); i++) {
		if (fact->node && strlen(fact->node) == len &&
		    !memcmp(fact->node, session->node, len))
			return fact;
	}
	return NULL;
}
