/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The nodes of the map of places: a hash table by host and node, and all facts in order of key.
 */
#include "place_map.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return hash * 0x100000001b3;
}

/* The slot of it, or the free one where it belongs. */
static struct place **slot_of(struct place **slots, size_t nr, const char *host, const char *node)
{
	size_t at = hash_text(hash_text(0xcbf29ce484222325, host), node) & (nr - 1);

	while (slots[at] && (strcmp(slots[at]->node, node) || strcmp(slots[at]->host, host)))
		at = (at + 1) & (nr - 1);
	return &slots[at];
}

static void make_room(struct hl_places *map)
{
	size_t nr = map->nr_slots ? map->nr_slots * 2 : 256;
	struct place **slots;

	if (map->nr_places * 2 < map->nr_slots)
		return;
	slots = hl_arena_alloc(map->arena, nr * sizeof(struct place *));
	for (size_t i = 0; i < map->nr_slots; i++) {
		struct place *place = map->slots[i];

		if (place)
			*slot_of(slots, nr, place->host, place->node) = place;
	}
	map->slots = slots;
	map->nr_slots = nr;
}

struct place *place_map_find(const struct hl_places *map, const char *host, const char *node)
{
	return map->nr_slots
		       ? *slot_of(map->slots, map->nr_slots, host ? host : "", node ? node : "")
		       : NULL;
}

struct place *place_map_get(struct hl_places *map, const char *host, const char *node)
{
	struct place *place = place_map_find(map, host, node);

	if (place)
		return place;
	make_room(map);
	place = hl_arena_alloc(map->arena, sizeof(*place));
	place->host = hl_arena_strdup(map->arena, host ? host : "");
	place->node = hl_arena_strdup(map->arena, node ? node : "");
	*slot_of(map->slots, map->nr_slots, place->host, place->node) = place;
	map->nr_places++;
	return place;
}

void place_map_join(struct hl_places *map, struct place *a, struct place *b)
{
	if (a == b)
		return;
	for (size_t i = 0; i < a->nr_below; i++) {
		if (a->below[i] == b)
			return;
	}
	a->below = hl_arena_extend(map->arena, a->below, a->nr_below, sizeof(struct place *));
	a->below[a->nr_below++] = b;
}

static int compare(const void *a, const void *b)
{
	const struct place_sorted *left = a, *right = b;
	int order = strcmp(left->fact->key, right->fact->key);

	return order ? order : (left->index > right->index) - (left->index < right->index);
}

/* A configuration pasted a thousand times tells of one disk a thousand times. */
static void add_fact(struct hl_places *map, struct place *place, const struct hl_fact *fact)
{
	if (!place_map_fact(place, fact->key)) {
		place->firsts = hl_arena_extend(map->arena, place->firsts, place->nr_firsts,
						sizeof(struct hl_fact *));
		place->firsts[place->nr_firsts++] = fact;
	}
	place->facts = hl_arena_extend(map->arena, place->facts, place->nr_facts,
				       sizeof(struct hl_fact *));
	place->facts[place->nr_facts++] = fact;
}

static void add_fact_at_its_place(struct hl_places *map, const struct hl_fact *fact)
{
	add_fact(map, place_map_get(map, fact->host, fact->node), fact);
}

void place_map_fill(struct hl_places *map, const struct hl_graph *graph)
{
	map->graph = graph;
	map->nr_facts = map->nr_by_key = graph->nr_facts;
	map->nr_hops = graph->nr_hops;
	map->by_key = hl_arena_alloc(map->arena, (graph->nr_facts + 1) * sizeof(*map->by_key));
	for (size_t i = 0; i < graph->nr_facts; i++) {
		add_fact_at_its_place(map, graph->facts[i]);
		map->by_key[i] = (struct place_sorted){ graph->facts[i], i };
	}
	qsort(map->by_key, graph->nr_facts, sizeof(*map->by_key), compare);
}

/* What causes and models write down of measurements names no other thing. */
static bool is_of_measurement(const struct hl_fact *fact)
{
	static const char *const kinds[] = { "run.", "model.", "tcp." };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!strncmp(fact->key, kinds[i], strlen(kinds[i])))
			return true;
	}
	return false;
}

bool place_map_add_late(struct hl_places *map)
{
	const struct hl_graph *graph = map->graph;

	for (size_t i = map->nr_facts; i < graph->nr_facts; i++) {
		if (!is_of_measurement(graph->facts[i]))
			return false;
	}
	for (size_t i = map->nr_facts; i < graph->nr_facts; i++) {
		add_fact_at_its_place(map, graph->facts[i]);
		add_fact(map, &map->late, graph->facts[i]);
	}
	map->nr_facts = graph->nr_facts;
	return true;
}

/* The first fact in order whose key is at or, if is_after, behind that one. */
static size_t bound_of(const struct hl_places *map, const char *key, bool is_after)
{
	size_t low = 0, high = map->nr_by_key;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(map->by_key[middle].fact->key, key) < is_after)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct place_sorted *place_map_of_key(const struct hl_places *map, const char *key,
					    size_t *ret_nr)
{
	size_t first = bound_of(map, key, false);

	*ret_nr = bound_of(map, key, true) - first;
	return map->by_key + first;
}

const struct hl_fact *place_map_fact(const struct place *place, const char *key)
{
	for (size_t i = 0; i < place->nr_firsts; i++) {
		if (!strcmp(place->firsts[i]->key, key))
			return place->firsts[i];
	}
	return NULL;
}

const char *place_text(const struct hl_fact *fact)
{
	return fact && fact->type == HL_FACT_STRING ? fact->string : "";
}
