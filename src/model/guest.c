/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Guests: see hoploss/guest.h.
 *
 * Surprising: a cloned definition claims the MAC of its original, and a template may, too. Then
 * both claim the guest; one that runs is believed before one that does not.
 */
#include "hoploss/guest.h"
#include <string.h>
#include <strings.h>

static const struct {
	const char *here, *there;
} twins[] = {
	{ "link.mac", "vnic.mac" },
	{ "system.uuid", "vm.uuid" },
};

#define NR_TWINS (sizeof(twins) / sizeof(*twins))

const struct hl_host *hl_guest_host(const struct hl_graph *graph, const char *name)
{
	for (size_t i = 0; name && i < graph->nr_hosts; i++) {
		if (!strcmp(graph->hosts[i]->name, name))
			return graph->hosts[i];
	}
	return NULL;
}

static bool is_twin(const struct hl_fact *here, const struct hl_fact *there)
{
	return here->type == HL_FACT_STRING && there->type == HL_FACT_STRING && here->host &&
	       there->host && there->node && strcmp(here->host, there->host) != 0 &&
	       !strcasecmp(here->string, there->string);
}

/* "web/net0" is of machine "web". */
static size_t machine_len(const struct hl_fact *there)
{
	return strcspn(there->node, "/");
}

static bool is_same_machine(const struct hl_fact *a, const struct hl_fact *b)
{
	size_t len = machine_len(a);

	return !strcmp(a->host, b->host) && len == machine_len(b) &&
	       !strncmp(a->node, b->node, len);
}

static bool is_stopped(const struct hl_graph *graph, const struct hl_fact *there)
{
	size_t len = machine_len(there);

	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (!strcmp(fact->key, "vm.is_running") && fact->host && fact->node &&
		    !strcmp(fact->host, there->host) && strlen(fact->node) == len &&
		    !strncmp(fact->node, there->node, len))
			return fact->type == HL_FACT_BOOLEAN && !fact->boolean;
	}
	return false;
}

struct claims {
	struct hl_guest_proof best;
	bool is_stopped;
	bool is_open; /* two machines of the same standing claim it */
};

static void take_claim(const struct hl_graph *graph, struct claims *claims,
		       const struct hl_fact *here, const struct hl_fact *there)
{
	bool stopped = is_stopped(graph, there);

	if (claims->best.there && is_same_machine(claims->best.there, there))
		return;
	if (claims->best.there && stopped != claims->is_stopped && stopped)
		return;
	claims->is_open = claims->best.there && stopped == claims->is_stopped;
	claims->best = (struct hl_guest_proof){ here, there };
	claims->is_stopped = stopped;
}

static void claim_by(const struct hl_graph *graph, const char *name, size_t twin,
		     struct claims *claims)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *here = graph->facts[i];

		if (strcmp(here->key, twins[twin].here) || !here->host || strcmp(here->host, name))
			continue;
		for (size_t j = 0; j < graph->nr_facts; j++) {
			const struct hl_fact *there = graph->facts[j];

			if (!strcmp(there->key, twins[twin].there) && is_twin(here, there))
				take_claim(graph, claims, here, there);
		}
	}
}

static struct claims claims_of(const struct hl_graph *graph, const char *name)
{
	struct claims claims = { 0 };

	for (size_t i = 0; i < NR_TWINS; i++)
		claim_by(graph, name, i, &claims);
	return claims;
}

static void add_hosts(struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const char *name = graph->facts[i]->host;

		if (name && (!i || graph->facts[i - 1]->host != name) &&
		    !hl_guest_host(graph, name))
			hl_graph_add_host(graph, name);
	}
}

void hl_guest_find(struct hl_graph *graph)
{
	add_hosts(graph);
	for (size_t i = 0; i < graph->nr_hosts; i++) {
		struct hl_host *host = graph->hosts[i];
		struct claims claims = { 0 };

		if (host->on)
			continue;
		claims = claims_of(graph, host->name);
		if (!claims.best.there || claims.is_open)
			continue;
		host->on = claims.best.there->host;
		host->vm = hl_arena_strndup(graph->arena, claims.best.there->node,
					    machine_len(claims.best.there));
	}
}

bool hl_guest_prove(const struct hl_graph *graph, const struct hl_host *host,
		    struct hl_guest_proof *ret_proof)
{
	struct claims claims = claims_of(graph, host->name);

	if (!claims.best.there || claims.is_open)
		return false;
	*ret_proof = claims.best;
	return true;
}
