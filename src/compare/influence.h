/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a change of the system can act on. Used in src/compare.
 */
#ifndef COMPARE_INFLUENCE_H
#define COMPARE_INFLUENCE_H

#include "hoploss/comparison.h"

struct influence {
	const char *name;         /* "primarycache" */
	const char *const *keys;  /* fact keys, as patterns of fnmatch(3); NULL-terminated */
	const char *const *words; /* by which people note it down; NULL-terminated */
	unsigned on;              /* mask of ON_…: what it acts on */
	unsigned weight;          /* how much, beside the others: 1 to 10 */
};

enum { ON_RANDOM_READ = 1, ON_SEQUENTIAL_READ = 2, ON_RANDOM_WRITE = 4, ON_SEQUENTIAL_WRITE = 8 };

/* 0 .. n-1, then NULL. */
const struct influence *influence_at(size_t index);
/* The one that a fact key belongs to; NULL. */
const struct influence *influence_of_key(const char *key);
bool influence_is_noted(const struct influence *influence, const char *note);
unsigned influence_kind(const struct hl_change *change); /* ON_… of its I/O */

#endif
