/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open addressing, half full at most; 0 marks a free slot. See idset.h.
 */
#include "idset.h"
#include "hoploss/alloc.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 16

uint64_t hl_idset_hash(uint64_t hash, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		hash = (hash ^ (unsigned char)bytes[i]) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	return hash;
}

static size_t find(const struct hl_idset *set, uint64_t id)
{
	size_t slot = (size_t)(id * 0x9e3779b97f4a7c15u >> 32) & (set->size - 1);

	while (set->slots[slot] && set->slots[slot] != id)
		slot = (slot + 1) & (set->size - 1);
	return slot;
}

void hl_idset_add(struct hl_idset *set, uint64_t id)
{
	size_t slot;

	id = id ? id : 1;
	if (set->nr * 2 >= set->size) {
		struct hl_idset larger = { .size = set->size ? set->size * 2 : FIRST_SIZE };

		larger.slots = hl_alloc(larger.size * sizeof(*larger.slots));
		for (size_t i = 0; i < set->size; i++) {
			if (set->slots[i])
				larger.slots[find(&larger, set->slots[i])] = set->slots[i];
		}
		larger.nr = set->nr;
		free(set->slots);
		*set = larger;
	}
	slot = find(set, id);
	set->nr += !set->slots[slot];
	set->slots[slot] = id;
}

bool hl_idset_has(const struct hl_idset *set, uint64_t id)
{
	id = id ? id : 1;
	return set->size && set->slots[find(set, id)] == id;
}

void hl_idset_clear(struct hl_idset *set)
{
	free(set->slots);
	*set = (struct hl_idset){ 0 };
}
