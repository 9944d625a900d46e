/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The texts of a comparison that facts and names went into: see hl_comparison_texts.
 */
#include "hoploss/comparison.h"

struct list {
	struct hl_arena *arena;
	const char ***items;
	size_t nr;
};

static void add(struct list *list, const char **text)
{
	list->items = hl_arena_extend(list->arena, list->items, list->nr, sizeof(*list->items));
	list->items[list->nr++] = text;
}

static void add_change(struct list *list, struct hl_change *change)
{
	add(list, &change->hop);
	add(list, &change->hop_after);
	add(list, &change->workload.name);
	add(list, &change->reason);
	add(list, &change->control);
	add(list, &change->next);
	for (size_t i = 0; i < change->nr_suspects; i++)
		add(list, &change->suspects[i]);
}

static void add_check(struct list *list, struct hl_check *check)
{
	add(list, &check->measured_text);
	add(list, &check->required_text);
	add(list, &check->reason);
	add(list, &check->mend);
}

const char ***hl_comparison_texts(struct hl_comparison *comparison, size_t *ret_nr)
{
	struct list list = { .arena = comparison->arena };

	add(&list, &comparison->verdict);
	for (size_t i = 0; i < comparison->nr_changes; i++)
		add_change(&list, &comparison->changes[i]);
	for (size_t i = 0; i < comparison->nr_checks; i++)
		add_check(&list, &comparison->checks[i]);
	for (size_t i = 0; i < comparison->nr_warnings; i++)
		add(&list, &comparison->warnings[i]);
	*ret_nr = list.nr;
	return list.items;
}
