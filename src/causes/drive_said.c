/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the causes about drives have in common: see drive_said.h.
 *
 * Surprising: people give the same log twice, and logs from before and after; counters of a drive
 * only grow, so the least and the greatest of several readings are the first and the last.
 */
#include "drive_said.h"
#include "hoploss/place.h"
#include <math.h>
#include <string.h>

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool is_at(const struct hl_fact *fact, const struct hl_fact *at)
{
	return is_same(fact->host, at->host) && is_same(fact->node, at->node);
}

static bool has_key(const struct hl_fact *fact, const char *const *keys)
{
	for (; *keys; keys++) {
		if (!strcmp(fact->key, *keys))
			return true;
	}
	return false;
}

/* Whether the drive of the fact at index has one of the keys before it. */
static bool is_told(const struct hl_graph *graph, size_t index, const char *const *keys)
{
	for (size_t i = 0; i < index; i++) {
		if (has_key(graph->facts[i], keys) && is_at(graph->facts[i], graph->facts[index]))
			return true;
	}
	return false;
}

const struct hl_fact *drive_next(const struct hl_graph *graph, const char *const *keys,
				 size_t index)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (fact->node && has_key(fact, keys) && !is_told(graph, i, keys) && !index--)
			return fact;
	}
	return NULL;
}

double drive_number(const struct hl_graph *graph, const struct hl_fact *at, const char *key)
{
	const struct hl_fact *fact = hl_place_beside(graph, at, key);

	return fact && fact->type == HL_FACT_NUMBER ? fact->number : NAN;
}

bool drive_is(const struct hl_graph *graph, const struct hl_fact *at, const char *key)
{
	const struct hl_fact *fact = hl_place_beside(graph, at, key);

	return fact && fact->type == HL_FACT_BOOLEAN && fact->boolean;
}

double drive_most(const struct hl_graph *graph, const struct hl_fact *at, const char *key)
{
	double most = NAN;

	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (strcmp(fact->key, key) != 0 || !is_at(fact, at))
			continue;
		if (fact->type == HL_FACT_NUMBER)
			most = fmax(most, fact->number);
		else if (fact->type == HL_FACT_BOOLEAN)
			most = fmax(most, fact->boolean);
	}
	return most;
}

double drive_moved(const struct hl_graph *graph, const struct hl_fact *at, const char *key)
{
	double least = NAN, most = NAN;
	size_t nr = 0;

	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (strcmp(fact->key, key) != 0 || fact->type != HL_FACT_NUMBER || !is_at(fact, at))
			continue;
		nr += isnan(fact->before) ? 1 : 2;
		least = fmin(least, fmin(fact->number, fact->before));
		most = fmax(most, fact->number);
	}
	return nr > 1 ? most - least : NAN;
}

const char *drive_say(struct hl_graph *graph, const struct hl_fact *at)
{
	const struct hl_fact *model = hl_place_beside(graph, at, "drive.model");

	if (!model || !model->string || !strncmp(at->node, model->string, strlen(model->string)))
		return at->node;
	return hl_arena_printf(graph->arena, "%s (%s)", at->node, model->string);
}

void drive_add_evidence(struct hl_graph *graph, struct hl_finding *finding,
			const struct hl_fact *at, const char *const *keys)
{
	for (; *keys; keys++) {
		for (size_t i = 0; i < graph->nr_facts; i++) {
			const struct hl_fact *fact = graph->facts[i];

			if (!strcmp(fact->key, *keys) && is_at(fact, at))
				hl_finding_add_evidence(graph, finding, fact);
		}
	}
}

const char *drive_join(struct hl_graph *graph, const char *parts, const char *part)
{
	return parts ? hl_arena_printf(graph->arena, "%s; %s", parts, part) : part;
}
