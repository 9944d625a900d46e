/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of scrubbing: stand-ins, shared by the files of this room.
 */
#ifndef HOPLOSS_SCRUB_PAIRS_H
#define HOPLOSS_SCRUB_PAIRS_H

#include "hoploss/alloc.h"
#include "hoploss/identity.h"
#include "hoploss/scrub.h"
#include <stdint.h>

enum bounds {
	BOUNDS_NONE,  /* found within words, too */
	BOUNDS_WORD,  /* no letter or digit before or behind */
	BOUNDS_NAME,  /* nor what joins words: "6.8.12-4-pve" is no host pve, nor is /etc/pve */
	BOUNDS_PLACE, /* only where names of hosts stand: see places.c */
};

struct pair {
	const char *from, *to;
	size_t len; /* of from */
	enum bounds bounds;
	bool is_name;      /* of a host: a word of the format, too, where it is a key or a tag */
	struct pair *next; /* that begins alike; longer ones first */
};

struct hl_scrub {
	struct hl_arena *arena;
	struct pair *pairs[256]; /* by first character */
	struct core {
		const char *from, *to;
	} * cores; /* letters and digits only, lower case */
	size_t nr_cores;
	unsigned nr_of_kind[32]; /* of hl_identities */
	unsigned nr_names, nr_nets, nr_secrets;
	struct net {
		uint32_t from, to; /* the first three bytes of an IPv4 address */
	} * nets;
	const char **kept; /* names that stay */
	size_t nr_kept;
	struct hl_volumes *volumes;
	uint8_t pool[256]; /* random bytes */
	size_t nr_used;
};

/* The pair of exactly that text, or NULL. */
struct pair *pair_find(const struct hl_scrub *scrub, const char *from, size_t len);
/* Adds one, unless it is there. */
struct pair *pair_add(struct hl_scrub *scrub, const char *from, size_t len, const char *to,
		      enum bounds bounds);
/* The longest that stands at "at", or NULL. end is behind the text. */
const struct pair *pair_at(const struct hl_scrub *scrub, const char *at, const char *start,
			   const char *end);

/* The longest of those whose stand-in is as long as itself, or NULL. */
const struct pair *pair_of_length_at(const struct hl_scrub *scrub, const char *at,
				     const char *start, const char *end);

/* Does what stands there stand where the name of a host does? See places.c. */
bool place_is_of_name(const char *at, size_t len, const char *start, const char *end);

/* A word that stays what it is. */
bool scrub_keeps(const struct hl_scrub *scrub, const char *name);

uint8_t draw(struct hl_scrub *scrub);

/*
 * The text with each letter and digit replaced by one of its kind; the same for the same letters
 * and digits, whatever stands between them and in whichever case. In the arena.
 */
const char *disguise(struct hl_scrub *scrub, const char *from, size_t len);
/* The stand-in of an identity that was found by its notation. *len may be shortened. */
const char *stand_in(struct hl_scrub *scrub, const struct hl_identity *kind, const char *from,
		     size_t *len);

/* Hosts and users in prompts and in what tools print: see learn_hosts.c. */
void scrub_learn_hosts(struct hl_scrub *scrub, const char *text);

/* Is the name of the host all that such a file holds? */
bool scrub_is_name_file(const char *path);

/* Passwords and keys: see learn_secrets.c. */
void scrub_learn_secrets(struct hl_scrub *scrub, const char *text);

/* Device serial numbers in config space: raw, or in the hex dump of lspci -xxxx. In place. */
void scrub_config_bytes(struct hl_scrub *scrub, char *bytes, size_t len);
void scrub_config_dump(struct hl_scrub *scrub, char *text);

#endif
