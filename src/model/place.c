/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places: see hoploss/place.h. A hop's places are walked breadth-first from its targets, so nearest
 * comes first and a circle in the facts ends; what is of a machine as a whole (its CPUs, its
 * kernel) comes behind the devices, and the machine below behind that.
 *
 * Surprising: the map is drawn at the first question and kept in the graph's own cell; a hop or a
 * fact added later has it drawn anew, but for facts of measurements, which lead nowhere.
 */
#include "hoploss/place.h"
#include "place_map.h"
#include <string.h>

/* Nodes that are no device: of the machine as a whole. */
static const char *const whole_nodes[] = { "", "cpu", "kernel", "memory", "host", "zfs", "arc" };

/* ---- the map ---- */

static void free_cell(void *cell)
{
	struct hl_places *map = *(struct hl_places **)cell;

	if (map)
		hl_arena_free(map->arena);
}

static struct hl_places *draw_map(const struct hl_graph *graph)
{
	struct hl_arena *arena = hl_arena_new();
	struct hl_places *map = hl_arena_alloc(arena, sizeof(*map));

	map->arena = arena;
	place_map_fill(map, graph);
	place_ways_draw(map);
	map->walks = hl_arena_alloc(arena, (graph->nr_hops + 1) * sizeof(*map->walks));
	return map;
}

static struct hl_places *map_of(const struct hl_graph *graph)
{
	struct hl_places **cell = graph->places;

	if (*cell && (*cell)->nr_hops == graph->nr_hops && (*cell)->nr_facts <= graph->nr_facts &&
	    place_map_add_late(*cell))
		return *cell;
	if (*cell)
		hl_arena_free((*cell)->arena);
	else
		hl_arena_adopt(graph->arena, cell, free_cell);
	*cell = draw_map(graph);
	return *cell;
}

/* ---- one walk ---- */

/* Of a host that nobody named: as it is, else the only one of that name anywhere. */
static struct place *find_anywhere(const struct hl_places *map, const char *node)
{
	struct place *found = place_map_find(map, NULL, node);

	for (size_t i = 0; !found && i < map->nr_slots; i++) {
		struct place *place = map->slots[i];

		if (!place || strcmp(place->node, node) != 0)
			continue;
		for (size_t j = i + 1; j < map->nr_slots; j++) {
			if (map->slots[j] && !strcmp(map->slots[j]->node, node))
				return NULL;
		}
		found = place;
	}
	return found;
}

/* The disks that the generator saw move, where no target is known. */
static void start_at_disks(struct hl_places *map, const struct hl_hop *hop, struct place_list *list)
{
	for (size_t i = 0; i < hop->nr_disks; i++) {
		struct place *place = hop->host
					      ? place_map_find(map, hop->host, hop->disks[i]->name)
					      : find_anywhere(map, hop->disks[i]->name);

		if (place)
			place_list_add(map, list, place);
	}
}

/* The NICs at both ends of the flow, as the run asked the route. */
static void start_at_routes(struct hl_places *map, const struct hl_hop *hop,
			    struct place_list *list)
{
	HL_FREE char *far = hl_printf("%s/target-end", hop->name);
	struct place *near_end = place_map_find(map, NULL, hop->name);
	struct place *far_end = place_map_find(map, NULL, far);
	const struct hl_fact *near_nic = near_end ? place_map_fact(near_end, "route.device") : NULL;
	const struct hl_fact *far_nic = far_end ? place_map_fact(far_end, "route.device") : NULL;

	if (near_nic)
		place_list_add(map, list, place_map_get(map, hop->host, place_text(near_nic)));
	if (far_nic && hop->after)
		place_list_add(map, list,
			       place_map_get(map, hop->after->host, place_text(far_nic)));
}

static void walk_down(struct hl_places *map, struct place_list *list)
{
	map->nr_walks++;
	for (size_t i = 0; i < list->nr; i++)
		list->items[i]->walk = map->nr_walks;
	for (size_t i = 0; i < list->nr; i++) {
		struct place *place = list->items[i];

		for (size_t j = 0; j < place->nr_below; j++) {
			struct place *below = place->below[j];

			if (below->walk == map->nr_walks)
				continue;
			below->walk = map->nr_walks;
			list->items = hl_arena_extend(map->arena, list->items, list->nr,
						      sizeof(struct place *));
			list->items[list->nr++] = below;
		}
	}
}

bool hl_place_is_whole(const char *node)
{
	for (size_t i = 0; i < sizeof(whole_nodes) / sizeof(*whole_nodes); i++) {
		if (!strcmp(node ? node : "", whole_nodes[i]))
			return true;
	}
	return false;
}

static void add_whole(struct hl_places *map, const char *host, struct place_list *list)
{
	for (size_t i = 0; i < sizeof(whole_nodes) / sizeof(*whole_nodes); i++) {
		struct place *place = place_map_find(map, host, whole_nodes[i]);

		if (place)
			place_list_add(map, list, place);
	}
}

/* The hop's own machine and those below; the count ends a circle of hosts. */
static void add_machines(struct hl_places *map, const char *name, struct place_list *list)
{
	const struct hl_host *host = name ? place_guest_host(map, name) : NULL;

	if (name)
		add_whole(map, name, list);
	for (size_t i = 0; host && i < map->graph->nr_hosts; i++) {
		struct place *machine = place_guest_machine(map, host);

		if (machine)
			place_list_add(map, list, machine);
		host = host->on ? place_guest_host(map, host->on) : NULL;
		if (host)
			add_whole(map, host->name, list);
	}
}

static void walk_hop(struct hl_places *map, const struct hl_hop *hop, struct place_list *list)
{
	for (size_t i = 0; i < hop->nr_targets; i++)
		place_resolve(map, hop->host ? hop->host : "", hop->targets[i], list);
	if (!hop->nr_targets && hop->target)
		place_resolve(map, hop->host ? hop->host : "", hop->target, list);
	if (!hop->target)
		start_at_disks(map, hop, list);
	start_at_routes(map, hop, list);
	walk_down(map, list);
	add_machines(map, hop->host, list);
	if (!list->items) /* so that it is seen to be walked */
		list->items = hl_arena_extend(map->arena, NULL, 0, sizeof(struct place *));
}

static const struct place_list *walk_at(struct hl_places *map, size_t index)
{
	if (!map->walks[index].items)
		walk_hop(map, map->graph->hops[index], &map->walks[index]);
	return &map->walks[index];
}

static const struct place_list *walk_of(struct hl_places *map, const struct hl_hop *hop)
{
	for (size_t i = 0; i < map->nr_hops; i++) {
		if (map->graph->hops[i] == hop)
			return walk_at(map, i);
	}
	return NULL;
}

/* ---- questions ---- */

/* Of several at one place. */
static const struct hl_fact *fact_at(const struct place *place, const char *key, size_t *index)
{
	size_t nr = place_map_fact(place, key) ? place->nr_facts : 0;

	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(place->facts[i]->key, key) && !(*index)--)
			return place->facts[i];
	}
	return NULL;
}

static const struct hl_fact *fact_of_walk(const struct place_list *walk, const char *key,
					  size_t index)
{
	for (size_t i = 0; i < walk->nr; i++) {
		const struct hl_fact *fact = fact_at(walk->items[i], key, &index);

		if (fact)
			return fact;
	}
	return NULL;
}

const struct hl_fact *hl_place_fact(const struct hl_graph *graph, const struct hl_hop *hop,
				    const char *key, size_t index)
{
	struct hl_places *map = map_of(graph);
	const struct place_sorted *facts;
	const struct place_list *walk;
	size_t nr;

	if (hop) {
		walk = walk_of(map, hop);
		return walk ? fact_of_walk(walk, key, index) : NULL;
	}
	facts = place_map_of_key(map, key, &nr);
	if (index < nr)
		return facts[index].fact;
	index -= nr;
	return fact_at(&map->late, key, &index);
}

const struct hl_fact *hl_place_beside(const struct hl_graph *graph, const struct hl_fact *fact,
				      const char *key)
{
	const struct place *place = place_map_find(map_of(graph), fact->host, fact->node);

	return place ? place_map_fact(place, key) : NULL;
}

/* Once for all hops, drive end first: the first to come by has the place. */
static void mark_hops(struct hl_places *map)
{
	for (size_t i = 0; !map->is_marked && i < map->nr_hops; i++) {
		const struct place_list *walk = walk_at(map, i);

		for (size_t j = 0; j < walk->nr; j++) {
			if (!walk->items[j]->hop)
				walk->items[j]->hop = map->graph->hops[i];
		}
	}
	map->is_marked = true;
}

const struct hl_hop *hl_place_hop(const struct hl_graph *graph, const struct hl_fact *fact)
{
	struct hl_places *map = map_of(graph);
	const struct place *place = place_map_find(map, fact->host, fact->node);

	mark_hops(map);
	return place ? place->hop : NULL;
}
