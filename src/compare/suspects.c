/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may have caused a change: see suspects.h. Both what the facts say and what a person noted
 * down as the name of the state count.
 */
#include "suspects.h"
#include "influence.h"
#include <string.h>

#define MOST 8

static bool is_in_facts(const struct hl_comparison *comparison, const struct hl_change *change,
			const struct influence *influence)
{
	for (size_t i = 0; i < comparison->nr_facts; i++) {
		const struct hl_changed_fact *fact = &comparison->facts[i];
		const char *key = (fact->before ? fact->before : fact->after)->key;

		if (fact->from == change->from && influence_of_key(key) == influence)
			return true;
	}
	return false;
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
		     !is_in_facts(comparison, change, influence)))
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

static void judge(struct hl_comparison *comparison, struct hl_change *change)
{
	const struct influence *found[MOST + 1];
	struct hl_arena *arena = comparison->arena;
	size_t nr = collect(comparison, change, found);

	change->suspects = hl_arena_alloc(arena, (nr + 1) * sizeof(*change->suspects));
	for (size_t i = 0; i < nr; i++)
		change->suspects[change->nr_suspects++] = found[i]->name;
	if (nr > 1)
		change->next = hl_arena_printf(
			arena,
			"%s is the first suspect, but %s was changed at the same time and acts on "
			"this too: set only %s back and measure again",
			found[0]->name, found[1]->name, found[0]->name);
	else if (nr == 1)
		change->next = hl_arena_printf(arena, "set %s back and measure again, to be sure",
					       found[0]->name);
}

void suspects_find(struct hl_comparison *comparison)
{
	for (size_t i = 0; i < comparison->nr_changes; i++) {
		struct hl_change *change = &comparison->changes[i];

		if (change->state == HL_CHANGE_BETTER || change->state == HL_CHANGE_WORSE)
			judge(comparison, change);
	}
}
