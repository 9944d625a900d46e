/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The route facts of an iSCSI hop, asked of the workers once: how the initiator reaches the portal
 * (node = the hop), and how the target reaches the initiator (node = HOP/target-end), which is the
 * way that data goes on a read.
 *
 * Surprising: the target's host is that of the hop before it in the path, for there the target was
 * measured without the network. Where the portal is the initiator's own address, both are one.
 */
#include "run.h"
#include <stdio.h>
#include <string.h>

#define ISCSI  "iscsi://"
#define SOURCE "rtnetlink"

bool run_portal_of(const char *target, char *ret_address, size_t size)
{
	const char *start = target + strlen(ISCSI);
	const char *ends = ":/";

	if (strncmp(target, ISCSI, strlen(ISCSI)) != 0)
		return false;
	if (*start == '[') {
		start++;
		ends = "]";
	}
	snprintf(ret_address, size, "%.*s", (int)strcspn(start, ends), start);
	return true;
}

static void add_facts(struct hl_graph *graph, const struct hl_route *route, const char *node)
{
	const struct hl_origin origin = { .node = node, .source = SOURCE };

	hl_graph_add_string(graph, &origin, "route.device", route->device);
	if (route->source[0])
		hl_graph_add_string(graph, &origin, "route.source", route->source);
	hl_graph_add_boolean(graph, &origin, "route.is_local", route->is_local);
	hl_graph_add_number(graph, &origin, "route.mtu", route->mtu);
	if (route->qdisc[0])
		hl_graph_add_string(graph, &origin, "route.qdisc", route->qdisc);
	hl_graph_add_number(graph, &origin, "route.qdisc_rate", route->qdisc_rate);
}

static struct hl_agent *agent_of(const struct hl_run *run, const struct hl_path_hop *hop)
{
	return hop && hop->host ? run->hosts[hop->host - run->options.path->hosts].agent : NULL;
}

static void find_routes(const struct hl_run *run, const struct hl_path_hop *hop,
			struct hl_graph *graph)
{
	struct hl_agent *initiator = agent_of(run, hop), *target = agent_of(run, hop->after);
	struct hl_route there, back;
	char portal[64];

	if (!run_portal_of(hop->targets[0], portal, sizeof(portal)) ||
	    hl_agent_route(initiator, portal, &there, NULL) < 0)
		return;
	add_facts(graph, &there, hop->name);
	if (there.is_local || !target || !there.source[0] ||
	    hl_agent_route(target, there.source, &back, NULL) < 0)
		return;
	add_facts(graph, &back, hl_arena_printf(graph->arena, "%s/target-end", hop->name));
}

void run_add_routes(const struct hl_run *run, size_t hop, struct hl_graph *graph,
		    struct hl_sample *sample)
{
	size_t first = graph->nr_facts;

	find_routes(run, run->hops[hop].hop, graph);
	run_add_facts(graph, first, sample);
}

void run_add_facts(struct hl_graph *graph, size_t first, struct hl_sample *sample)
{
	size_t nr = sample->nr_facts;
	struct hl_fact **facts = hl_arena_alloc(graph->arena,
						(nr + graph->nr_facts) * sizeof(struct hl_fact *));

	if (nr)
		memcpy(facts, sample->facts, nr * sizeof(struct hl_fact *));
	for (size_t i = first; i < graph->nr_facts; i++)
		facts[nr++] = graph->facts[i];
	sample->facts = facts;
	sample->nr_facts = nr;
}
