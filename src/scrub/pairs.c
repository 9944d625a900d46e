/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-ins: see pairs.h.
 *
 * Surprising: one thing has many shapes. A MAC address is 02:ab:…, 02-AB-… and, in the name of an
 * interface, enx02ab…; a world-wide name is naa.5002…, 0x5002…, 5 002538 …. So a stand-in is kept
 * for the letters and digits alone, in lower case, and given the shape that the original has.
 */
#include "pairs.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define TRIES 32 /* to find a stand-in that is not in use */

uint8_t draw(struct hl_scrub *scrub)
{
	if (scrub->nr_used == sizeof(scrub->pool))
		scrub->nr_used = 0;
	if (scrub->nr_used == 0 &&
	    getrandom(scrub->pool, sizeof(scrub->pool), 0) != sizeof(scrub->pool))
		abort(); /* 256 bytes are always given, says getrandom(2) */
	return scrub->pool[scrub->nr_used++];
}

/* ---- pairs ---- */

struct pair *pair_find(const struct hl_scrub *scrub, const char *from, size_t len)
{
	struct pair *pair = len ? scrub->pairs[(unsigned char)*from] : NULL;

	while (pair && (pair->len != len || memcmp(pair->from, from, len) != 0))
		pair = pair->next;
	return pair;
}

struct pair *pair_add(struct hl_scrub *scrub, const char *from, size_t len, const char *to,
		      enum bounds bounds)
{
	struct pair *pair = pair_find(scrub, from, len);
	struct pair **place;

	if (pair || !len)
		return pair;
	pair = hl_arena_alloc(scrub->arena, sizeof(*pair));
	*pair = (struct pair){
		.from = hl_arena_strndup(scrub->arena, from, len),
		.to = to,
		.len = len,
		.bounds = bounds,
	};
	place = &scrub->pairs[(unsigned char)*from];
	while (*place && (*place)->len >= len)
		place = &(*place)->next;
	pair->next = *place;
	*place = pair;
	return pair;
}

static bool is_joined(enum bounds bounds, char c, bool is_before)
{
	if (bounds == BOUNDS_NONE || bounds == BOUNDS_PLACE || !c)
		return false;
	if (isalnum((unsigned char)c))
		return true;
	return bounds == BOUNDS_NAME && strchr(is_before ? "_./-" : "_-/", c);
}

/* Is what stands there a key of JSON or of a line, or a tag? Only values name somebody. */
static bool is_syntax(const char *at, size_t len, const char *start, const char *end)
{
	const char *behind = at + len, *before = at;

	if (at > start && at[-1] == '<')
		return true;
	if (at > start + 1 && at[-1] == '/' && at[-2] == '<')
		return true;
	if (at > start && at[-1] == '"' && behind < end && *behind == '"') {
		behind++;
		while (behind < end && isblank((unsigned char)*behind))
			behind++;
		return behind < end && *behind == ':';
	}
	while (before > start && isblank((unsigned char)before[-1]))
		before--;
	while (behind < end && isblank((unsigned char)*behind))
		behind++;
	return (before == start || before[-1] == '\n') && behind < end &&
	       (*behind == ':' || *behind == '=');
}

static bool is_bound(const struct pair *pair, const char *at, const char *start, const char *end)
{
	char before = at > start ? at[-1] : '\0';
	char behind = at + pair->len < end ? at[pair->len] : '\0';
	bool is_place = pair->is_name && place_is_of_name(at, pair->len, start, end);

	if (is_place || pair->bounds == BOUNDS_PLACE)
		return is_place;
	return !is_joined(pair->bounds, before, true) && !is_joined(pair->bounds, behind, false) &&
	       !(pair->is_name && is_syntax(at, pair->len, start, end));
}

const struct pair *pair_at(const struct hl_scrub *scrub, const char *at, const char *start,
			   const char *end)
{
	for (const struct pair *pair = scrub->pairs[(unsigned char)*at]; pair; pair = pair->next) {
		if (pair->len <= (size_t)(end - at) && !memcmp(pair->from, at, pair->len) &&
		    is_bound(pair, at, start, end))
			return pair;
	}
	return NULL;
}

const struct pair *pair_of_length_at(const struct hl_scrub *scrub, const char *at,
				     const char *start, const char *end)
{
	for (const struct pair *pair = scrub->pairs[(unsigned char)*at]; pair; pair = pair->next) {
		if (pair->len <= (size_t)(end - at) && !memcmp(pair->from, at, pair->len) &&
		    strlen(pair->to) == pair->len && is_bound(pair, at, start, end))
			return pair;
	}
	return NULL;
}

/* ---- letters and digits ---- */

static bool is_hex(const char *core)
{
	return core[strspn(core, "0123456789abcdef")] == '\0';
}

static char draw_like(struct hl_scrub *scrub, char c, bool is_all_hex)
{
	if (isdigit((unsigned char)c))
		return (char)('0' + draw(scrub) % 10);
	return (char)('a' + draw(scrub) % (is_all_hex ? 6 : 26));
}

static bool is_used(const struct hl_scrub *scrub, const char *to)
{
	for (size_t i = 0; i < scrub->nr_cores; i++) {
		if (!strcmp(scrub->cores[i].to, to) || !strcmp(scrub->cores[i].from, to))
			return true;
	}
	return false;
}

static const char *core_of(struct hl_scrub *scrub, const char *core)
{
	size_t len = strlen(core);
	bool is_mac = len == 12 && is_hex(core);
	char *to;
	int tries = 0;

	for (size_t i = 0; i < scrub->nr_cores; i++) {
		if (!strcmp(scrub->cores[i].from, core))
			return scrub->cores[i].to;
	}
	to = hl_arena_alloc(scrub->arena, len + 1);
	do {
		for (size_t i = 0; i < len; i++)
			to[i] = draw_like(scrub, core[i], is_hex(core));
		if (is_mac) { /* locally administered, one station */
			to[0] = '0';
			to[1] = '2';
		}
	} while (is_used(scrub, to) && ++tries < TRIES);
	scrub->cores = hl_arena_extend(scrub->arena, scrub->cores, scrub->nr_cores,
				       sizeof(*scrub->cores));
	scrub->cores[scrub->nr_cores++] = (struct core){ hl_arena_strdup(scrub->arena, core), to };
	return to;
}

const char *disguise(struct hl_scrub *scrub, const char *from, size_t len)
{
	HL_FREE char *core = hl_alloc(len + 1);
	char *to = hl_arena_strndup(scrub->arena, from, len);
	const char *next;
	size_t nr = 0;

	for (size_t i = 0; i < len; i++) {
		if (isalnum((unsigned char)from[i]))
			core[nr++] = (char)tolower((unsigned char)from[i]);
	}
	next = core_of(scrub, core);
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)from[i]))
			continue;
		to[i] = isupper((unsigned char)from[i]) ? (char)toupper((unsigned char)*next)
							: *next;
		next++;
	}
	return to;
}

/* ---- identities, by their notation ---- */

/* The same last byte in a net that stands for its first three. */
static const char *ipv4_stand_in(struct hl_scrub *scrub, const char *from)
{
	uint32_t net = 0, to;
	unsigned long d;
	char *at = (char *)from;

	for (int i = 0; i < 3; i++, at++)
		net = net << 8 | (uint32_t)strtoul(at, &at, 10);
	d = strtoul(at, NULL, 10);
	for (unsigned i = 0; i < scrub->nr_nets; i++) {
		to = scrub->nets[i].to;
		if (scrub->nets[i].from == net)
			return hl_arena_printf(scrub->arena, "198.%u.%u.%lu", 18 + to / 256,
					       to % 256, d);
	}
	to = scrub->nr_nets ? (scrub->nets[scrub->nr_nets - 1].to + 1) % 512 : draw(scrub);
	scrub->nets = hl_arena_extend(scrub->arena, scrub->nets, scrub->nr_nets,
				      sizeof(*scrub->nets));
	scrub->nets[scrub->nr_nets++] = (struct net){ net, to };
	return hl_arena_printf(scrub->arena, "198.%u.%u.%lu", 18 + to / 256, to % 256, d);
}

/* "naa.", "0x" and "fe80:" say what kind it is. */
static size_t kind_prefix(const char *from, size_t len)
{
	const char *dot = memchr(from, '.', len);
	const char *hex = memmem(from, len, "0x", 2);

	if (!strncasecmp(from, "fe80:", 5))
		return 5;
	if (hex && hex < from + 5)
		return (size_t)(hex + 2 - from);
	return dot && dot < from + 6 ? (size_t)(dot + 1 - from) : 0;
}

/* "iqn.…:vol-lun-0" in a name of /dev/disk/by-path: the LUN and the partition are not of it. */
static size_t without_lun(const char *from, size_t len)
{
	for (size_t i = 0; i + 5 < len; i++) {
		if (!strncmp(from + i, "-lun-", 5) && isdigit((unsigned char)from[i + 5]))
			return i;
	}
	return len;
}

static const char *counted(struct hl_scrub *scrub, const struct hl_identity *kind)
{
	unsigned n = ++scrub->nr_of_kind[kind - hl_identities];

	return hl_arena_printf(scrub->arena, kind->format, n);
}

static bool is_kind(const struct hl_identity *kind, const char *name)
{
	return !strcmp(kind->name, name);
}

const char *stand_in(struct hl_scrub *scrub, const struct hl_identity *kind, const char *from,
		     size_t *len)
{
	bool is_iqn = is_kind(kind, "iSCSI name");
	const struct pair *known;
	const char *to;
	size_t prefix;

	if (is_iqn)
		*len = without_lun(from, *len);
	known = pair_find(scrub, from, *len);
	if (known)
		return known->to;
	if (is_kind(kind, "IPv4 address")) {
		to = ipv4_stand_in(scrub, from);
	} else if (is_iqn || is_kind(kind, "NVMe name") || is_kind(kind, "mail address") ||
		   is_kind(kind, "domain name")) {
		to = counted(scrub, kind);
	} else {
		prefix = kind_prefix(from, *len);
		to = hl_arena_printf(scrub->arena, "%.*s%s", (int)prefix, from,
				     disguise(scrub, from + prefix, *len - prefix));
	}
	pair_add(scrub, from, *len, to, BOUNDS_WORD);
	return to;
}
