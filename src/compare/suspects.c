/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may have caused a change: see suspects.h. Both what the facts say and what a person noted
 * down as the name of the state count.
 */
#include "suspects.h"
#include "hoploss/fact.h"
#include "hoploss/place.h"
#include "influence.h"
#include <string.h>

#define MOST 8

static bool is_at_or_after(const struct hl_hop *hop, const char *name)
{
	for (; hop; hop = hop->after) {
		if (!strcmp(hop->name, name))
			return true;
	}
	return false;
}

/*
 * What a hop stands on acts on it and on all behind it. What its control stands on too would have
 * moved the control; only what is of a machine as a whole (a kernel) may act on one and not on the
 * other.
 */
static bool acts_on(const struct hl_comparison *comparison, const struct hl_changed_fact *fact,
		    const struct hl_change *change)
{
	const struct hl_graph *graph = comparison->states[change->from].graph;
	const struct hl_hop *hop = hl_graph_find_hop(graph, change->hop);
	const struct hl_hop *control = change->control ? hl_graph_find_hop(graph, change->control)
						       : NULL;

	if (fact->is_beside)
		return false;
	if (!fact->hop || !hop || !hl_graph_find_hop(graph, fact->hop->name))
		return true;
	if (!is_at_or_after(hop, fact->hop->name))
		return false;
	return !control || !is_at_or_after(control, fact->hop->name) ||
	       hl_place_is_whole(hl_changed_fact_either(fact)->node);
}

/* The weightiest; NULL. */
static const struct hl_changed_fact *find_fact(const struct hl_comparison *comparison,
					       const struct hl_change *change,
					       const struct influence *influence)
{
	for (size_t i = 0; i < comparison->nr_facts; i++) {
		const struct hl_changed_fact *fact = &comparison->facts[i];
		const char *key = hl_changed_fact_either(fact)->key;

		if (fact->from == change->from && influence_of_key(key) == influence &&
		    acts_on(comparison, fact, change))
			return fact;
	}
	return NULL;
}

/* Weightiest first, in the order of the table among equals. */
static size_t collect(const struct hl_comparison *comparison, const struct hl_change *change,
		      const struct influence **ret)
{
	const char *note = comparison->states[change->to].change;
	const struct influence *influence;
	size_t nr = 0;

	for (size_t i = 0; (influence = influence_at(i)); i++) {
		size_t at = nr;

		if (!(influence->on & influence_kind(change)) ||
		    (!influence_is_noted(influence, note) &&
		     !find_fact(comparison, change, influence)))
			continue;
		while (at && ret[at - 1]->weight < influence->weight)
			at--;
		if (at == MOST)
			continue;
		nr -= nr == MOST;
		memmove(&ret[at + 1], &ret[at], (nr - at) * sizeof(*ret));
		ret[at] = influence;
		nr++;
	}
	return nr;
}

/* "rate limit (queueing discipline of shaped)" */
static const char *tell(const struct hl_comparison *comparison, const struct hl_change *change,
			const struct influence *influence)
{
	const struct hl_changed_fact *changed = find_fact(comparison, change, influence);
	const struct hl_fact *fact = changed ? hl_changed_fact_either(changed) : NULL;
	const struct hl_fact_key *key = fact ? hl_fact_key_find(fact->key) : NULL;

	if (!fact)
		return influence->name;
	return hl_arena_printf(comparison->arena, "%s (%s%s%s)", influence->name,
			       key ? key->label : fact->key, fact->node ? " of " : "",
			       fact->node ? fact->node : "");
}

static bool knows_facts(const struct hl_comparison *comparison, const struct hl_change *change)
{
	const struct hl_compared *states = comparison->states;

	return states[change->from].graph != states[change->to].graph && comparison->nr_shared;
}

static void judge(struct hl_comparison *comparison, struct hl_change *change)
{
	const struct influence *found[MOST + 1];
	struct hl_arena *arena = comparison->arena;
	size_t nr = collect(comparison, change, found);
	const char *first = nr ? tell(comparison, change, found[0]) : NULL;

	change->suspects = hl_arena_alloc(arena, (nr + 1) * sizeof(*change->suspects));
	for (size_t i = 0; i < nr; i++)
		change->suspects[change->nr_suspects++] = found[i]->name;
	if (nr > 1)
		change->next = hl_arena_printf(
			arena,
			"%s is the first suspect, but %s was changed at the same time and acts on "
			"this too: set only %s back and measure again",
			first, tell(comparison, change, found[1]), found[0]->name);
	else if (nr == 1)
		change->next = hl_arena_printf(
			arena,
			"%s is all that was changed and is known to act on this: set it back and "
			"measure again, to be sure",
			first);
	else if (knows_facts(comparison, change))
		change->next = "nothing that is known to act on this was changed: measure both "
			       "states again before you build on it";
}

void suspects_find(struct hl_comparison *comparison)
{
	for (size_t i = 0; i < comparison->nr_changes; i++) {
		struct hl_change *change = &comparison->changes[i];

		if (change->state == HL_CHANGE_BETTER || change->state == HL_CHANGE_WORSE)
			judge(comparison, change);
	}
}
