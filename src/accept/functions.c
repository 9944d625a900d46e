/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of lspci's output: see functions.h and hl_acceptance_functions in
 * hoploss/acceptance.h.
 */
#include "functions.h"
#include "hoploss/apart.h"
#include <string.h>

#define NVME_CLASS "Non-Volatile memory controller" /* as lspci calls it */

static bool is_nvme(const struct hl_fact *fact)
{
	return fact->node && !strcmp(fact->key, "pcie.class") && fact->type == HL_FACT_STRING &&
	       !strcmp(fact->string, NVME_CLASS);
}

static bool is_one_host(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Two files may tell of one. */
static bool is_repeated(const struct hl_graph *graph, size_t index)
{
	const struct hl_fact *fact = graph->facts[index];

	for (size_t i = 0; i < index; i++) {
		if (is_nvme(graph->facts[i]) && !strcmp(graph->facts[i]->node, fact->node) &&
		    is_one_host(graph->facts[i]->host, fact->host))
			return true;
	}
	return false;
}

/* From *at on, which it moves behind; NULL at the end. */
static const struct hl_fact *next(const struct hl_graph *graph, size_t *at)
{
	while (*at < graph->nr_facts) {
		size_t i = (*at)++;

		if (is_nvme(graph->facts[i]) && !is_repeated(graph, i))
			return graph->facts[i];
	}
	return NULL;
}

const struct hl_fact *functions_only(const struct hl_graph *graph, const char *host)
{
	const struct hl_fact *only = NULL, *fact;

	for (size_t at = 0; (fact = next(graph, &at));) {
		if (!hl_apart_may_be_one(graph, host, fact->host))
			continue;
		if (only)
			return NULL;
		only = fact;
	}
	return only;
}

const char *functions_list(const struct subject *subject)
{
	const char *list = NULL;
	const struct hl_fact *fact;

	for (size_t at = 0; (fact = next(subject->graph, &at));) {
		if (hl_apart_may_be_one(subject->graph, subject->host, fact->host))
			list = list ? hl_arena_printf(subject->arena, "%s, %s", list, fact->node)
				    : fact->node;
	}
	return list;
}

bool functions_is_nvme(const struct hl_graph *graph, const char *bdf)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		if (is_nvme(graph->facts[i]) && !strcmp(graph->facts[i]->node, bdf))
			return true;
	}
	return false;
}

bool functions_know(const struct hl_graph *graph, const char *bdf)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (fact->node && !strcmp(fact->node, bdf))
			return true;
	}
	return false;
}

static const char *name_of(const struct hl_graph *graph, const struct hl_fact *function)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (!strcmp(fact->key, "pcie.name") && fact->type == HL_FACT_STRING && fact->node &&
		    !strcmp(fact->node, function->node) && is_one_host(fact->host, function->host))
			return fact->string;
	}
	return NULL;
}

struct hl_acceptance_function *hl_acceptance_functions(const struct hl_graph *graph,
						       struct hl_arena *arena, size_t *ret_nr)
{
	struct hl_acceptance_function *functions = NULL;
	const struct hl_fact *fact;
	size_t nr = 0;

	for (size_t at = 0; (fact = next(graph, &at));) {
		functions = hl_arena_extend(arena, functions, nr, sizeof(*functions));
		functions[nr++] = (struct hl_acceptance_function){
			fact->host,
			fact->node,
			name_of(graph, fact),
		};
	}
	*ret_nr = nr;
	return functions;
}
