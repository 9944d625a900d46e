/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The map of places: every node of every host that a fact speaks of, and which stands on which.
 * Private to src/model/place*.c: place.c walks it, place_map.c finds nodes, place_resolve.c finds
 * them by what people write, place_ways.c draws the ways between them, place_guest.c those from a
 * guest to the machine below.
 */
#ifndef HOPLOSS_PLACE_MAP_H
#define HOPLOSS_PLACE_MAP_H

#include "hoploss/graph.h"

struct place {
	const char *host, *node; /* "" = not known */
	const struct hl_fact **facts;
	size_t nr_facts;
	const struct hl_fact **firsts; /* of each key the first */
	size_t nr_firsts;
	struct place **below; /* that it stands on, nearest first */
	size_t nr_below;
	const struct hl_hop *hop; /* the first that stands on it */
	size_t walk;              /* number of the walk that last came by */
};

struct place_list {
	struct place **items;
	size_t nr;
};

struct place_sorted { /* a fact by key, then by order of appearance */
	const struct hl_fact *fact;
	size_t index;
};

struct hl_places {
	struct hl_arena *arena;
	const struct hl_graph *graph;
	size_t nr_facts, nr_hops; /* of the graph, as far as the map has them */
	struct place **slots;     /* by host and node */
	size_t nr_slots, nr_places;
	struct place_sorted *by_key;
	size_t nr_by_key;
	struct place
		late; /* facts added since, of all nodes: not in by_key, and no way starts there */
	struct place_list *walks; /* of each hop; items NULL = not walked yet */
	size_t nr_walks;
	bool is_marked; /* places know their hops */
};

/* ---- place_map.c ---- */

/* All nodes and facts of graph, without a way between them. */
void place_map_fill(struct hl_places *map, const struct hl_graph *graph);
/* Takes the facts that were added since: false if a way may start at one of them. */
bool place_map_add_late(struct hl_places *map);
/* NULL: nobody speaks of it. */
struct place *place_map_find(const struct hl_places *map, const char *host, const char *node);
/* The same, made where there is none. */
struct place *place_map_get(struct hl_places *map, const char *host, const char *node);
/* a stands on b; a way is drawn once, and from nowhere to itself. */
void place_map_join(struct hl_places *map, struct place *a, struct place *b);
/* The facts of one key, *ret_nr of them, in order of appearance. */
const struct place_sorted *place_map_of_key(const struct hl_places *map, const char *key,
					    size_t *ret_nr);
/* The first of that key at a place; NULL = none. */
const struct hl_fact *place_map_fact(const struct place *place, const char *key);
const char *place_text(const struct hl_fact *fact); /* "" if it is no text */

/* ---- place_resolve.c ---- */

void place_list_add(struct hl_places *map, struct place_list *list, struct place *place);
/* What a word for a device, a volume or a file means on a host, appended to list. */
void place_resolve(struct hl_places *map, const char *host, const char *word,
		   struct place_list *list);
/* A kernel name, made where nobody speaks of it. */
void place_resolve_device(struct hl_places *map, const char *host, const char *device,
			  struct place_list *list);
/* "d0:13.0", "0000:d0:13.0", all of "0000:d0:13" */
void place_resolve_functions(struct hl_places *map, const char *host, const char *address,
			     struct place_list *list);
/*
 * The LUN as its target's host tells of it, on whatever host that is; lun "" = all of them. What
 * the initiator of that session gets comes first, where it is something else; session may be NULL.
 */
void place_resolve_lun(struct hl_places *map, const struct place *session, const char *iqn,
		       const char *lun, struct place_list *list);

/* ---- place_ways.c ---- */

/* Draws the ways that the facts tell of, and those from guests down. */
void place_ways_draw(struct hl_places *map);

/* ---- place_guest.c ---- */

void place_guest_draw(struct hl_places *map);
/* The place of a host's virtual machine on the machine below; NULL = none, or not known. */
struct place *place_guest_machine(const struct hl_places *map, const struct hl_host *guest);
const struct hl_host *place_guest_host(const struct hl_places *map, const char *name); /* or NULL */

#endif
