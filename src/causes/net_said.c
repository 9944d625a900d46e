/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NICs of a hop: see net_said.h.
 */
#include "net_said.h"
#include "hoploss/beside.h"
#include "hoploss/model.h"
#include "hoploss/place.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define USUAL_MTU 1500

double net_number(const struct hl_fact *fact)
{
	return fact && fact->type == HL_FACT_NUMBER ? fact->number : NAN;
}

bool net_line_of(const struct hl_graph *graph, const struct hl_hop *hop, struct net_line *ret_line)
{
	struct net_line line = { 0 };
	const struct hl_fact *speed;

	for (size_t i = 0; (speed = hl_place_fact(graph, hop, "link.speed_mbps", i)); i++) {
		if (hl_place_beside(graph, speed, "link.pci_address") && speed->number > 0 &&
		    (!line.speed || speed->number < line.speed->number))
			line.speed = speed;
	}
	if (!line.speed)
		return false;
	line.supported = hl_place_beside(graph, line.speed, "link.supported_mbps");
	line.mtu = hl_place_beside(graph, line.speed, "link.mtu");
	line.bw = hl_ceiling_ethernet(line.speed->number * 1e6,
				      line.mtu ? line.mtu->number : USUAL_MTU);
	*ret_line = line;
	return true;
}

const char *net_say_node(struct hl_graph *graph, const struct hl_fact *fact)
{
	const char *node = fact->node ? fact->node : "a NIC";

	return fact->host ? hl_arena_printf(graph->arena, "%s at %s", node, fact->host) : node;
}

const struct hl_fact *net_sender_fact(const struct hl_graph *graph, const struct hl_trial *trial,
				      const char *key)
{
	const char *star = strchr(key, '*');
	const char *end = trial->dir == HL_DIR_READ ? "target" : "initiator";
	char whole[64];

	snprintf(whole, sizeof(whole), "%.*s%s%s", (int)(star - key), key, end, star + 1);
	return hl_beside_fact(graph, trial->at, whole);
}
