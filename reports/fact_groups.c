/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gathering facts: see fact_groups.h.
 */
#include "fact_groups.h"
#include "cell.h"
#include <stdlib.h>
#include <string.h>

#define MAX_FILES 3 /* that a title names */

static bool is_same(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

/* ---- gathering ---- */

static struct hl_fact_group *group_of(struct hl_fact_gathered *groups, const struct hl_fact *fact)
{
	size_t len = strcspn(fact->key, ".");
	struct hl_fact_group *group;

	for (size_t i = groups->nr; i-- > 0;) { /* facts of a host stand together */
		group = &groups->items[i];
		if (!is_same(group->host, fact->host))
			break;
		if (group->kind_len == len && !memcmp(group->kind, fact->key, len))
			return group;
	}
	groups->items = hl_arena_extend(groups->arena, groups->items, groups->nr,
					sizeof(*groups->items));
	group = &groups->items[groups->nr++];
	*group = (struct hl_fact_group){ .host = fact->host, .kind = fact->key, .kind_len = len };
	return group;
}

static void add_text(struct hl_arena *arena, const char ***texts, size_t *nr, const char *text)
{
	for (size_t i = *nr; i-- > 0;) {
		if (is_same((*texts)[i], text))
			return;
	}
	*texts = hl_arena_extend(arena, *texts, *nr, sizeof(const char *));
	(*texts)[(*nr)++] = text;
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int compare_facts(const void *a, const void *b)
{
	const struct hl_fact *left = *(const struct hl_fact *const *)a;
	const struct hl_fact *right = *(const struct hl_fact *const *)b;
	int order = strcmp(left->node ? left->node : "", right->node ? right->node : "");

	if (!order)
		order = strcmp(left->key, right->key);
	return order ? order
		     : strcmp(left->source ? left->source : "", right->source ? right->source : "");
}

struct hl_fact_gathered hl_fact_gather(struct hl_arena *arena, const struct hl_graph *graph)
{
	struct hl_fact_gathered groups = { .arena = arena };

	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];
		struct hl_fact_group *group = group_of(&groups, fact);

		if (!group->nr_nodes || !is_same(group->nodes[group->nr_nodes - 1], fact->node))
			add_text(arena, &group->nodes, &group->nr_nodes, fact->node);
		add_text(arena, &group->keys, &group->nr_keys, fact->key);
		group->facts = hl_arena_extend(arena, group->facts, group->nr_facts,
					       sizeof(const struct hl_fact *));
		group->facts[group->nr_facts++] = fact;
	}
	for (size_t i = 0; i < groups.nr; i++) {
		struct hl_fact_group *group = &groups.items[i];

		qsort(group->keys, group->nr_keys, sizeof(const char *), compare_keys);
		qsort(group->facts, group->nr_facts, sizeof(const struct hl_fact *), compare_facts);
	}
	return groups;
}

/* ---- asking ---- */

/* The first of that node and key, or where it would stand: the facts are sorted so. */
size_t hl_fact_group_find(const struct hl_fact_group *group, const char *node, const char *key)
{
	const struct hl_fact wanted = { .node = node, .key = key }, *pointer = &wanted;
	size_t low = 0, high = group->nr_facts;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_facts(&group->facts[middle], &pointer) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const char *hl_fact_group_cell(struct hl_arena *arena, const struct hl_fact_group *group,
			       const char *node, const char *key)
{
	const char *all = NULL;

	for (size_t i = hl_fact_group_find(group, node, key); i < group->nr_facts; i++) {
		const struct hl_fact *fact = group->facts[i];
		const char *cell;

		if (strcmp(fact->key, key) != 0 || !is_same(fact->node, node))
			break;
		cell = hl_cell_fact(arena, fact);
		if (!all)
			all = cell;
		else if (cell && strcmp(all, cell) != 0)
			all = hl_arena_printf(arena, "%s / %s", all, cell);
	}
	return all;
}

bool hl_fact_group_has(const struct hl_fact_group *group, const char *node, const char *key)
{
	size_t at = hl_fact_group_find(group, node, key);

	return at < group->nr_facts && !strcmp(group->facts[at]->key, key) &&
	       is_same(group->facts[at]->node, node);
}

void hl_fact_group_keep_common(struct hl_arena *arena, struct hl_fact_group *group)
{
	const char **nodes = hl_arena_alloc(arena, group->nr_nodes * sizeof(const char *));
	size_t nr_keys = 0, nr_nodes = 0;

	for (size_t k = 0; k < group->nr_keys; k++) {
		size_t nr = 0;

		for (size_t n = 0; n < group->nr_nodes && nr < 2; n++)
			nr += hl_fact_group_has(group, group->nodes[n], group->keys[k]);
		if (nr > 1)
			group->keys[nr_keys++] = group->keys[k];
	}
	group->nr_keys = nr_keys;
	for (size_t n = 0; n < group->nr_nodes; n++) {
		for (size_t k = 0; k < nr_keys; k++) {
			if (!hl_fact_group_has(group, group->nodes[n], group->keys[k]))
				continue;
			nodes[nr_nodes++] = group->nodes[n];
			break;
		}
	}
	group->nodes = nodes;
	group->nr_nodes = nr_nodes;
}

/* The files that all of it was read from; NULL if they are many. */
const char *hl_fact_group_files(struct hl_arena *arena, const struct hl_fact_group *group)
{
	const char *files[MAX_FILES], *text = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < group->nr_facts; i++) {
		const char *source = group->facts[i]->source;
		size_t len = hl_cell_file_len(source), k = 0;

		if (!source)
			continue;
		if (strchr(source, ' '))
			return NULL; /* no file */
		while (k < nr &&
		       (hl_cell_file_len(files[k]) != len || strncmp(files[k], source, len)))
			k++;
		if (k < nr || !len)
			continue;
		if (nr == MAX_FILES)
			return NULL;
		files[nr++] = source;
	}
	for (size_t k = 0; k < nr; k++)
		text = hl_arena_printf(arena, "%s%s%.*s", text ? text : "", text ? ", " : "",
				       (int)hl_cell_file_len(files[k]), files[k]);
	return text;
}
