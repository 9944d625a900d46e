/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A path being discovered, leaf end first. Private to src/discover: discover_steps.c goes from the
 * leaf down, by way of sessions (discover_session.c) and virtual disks, to the drives
 * (discover_drives.c); discover_find.c looks facts up and discover_out.c writes.
 */
#ifndef HOPLOSS_DISCOVERY_H
#define HOPLOSS_DISCOVERY_H

#include "hoploss/discover.h"

struct texts {
	const char **items;
	size_t nr;
};

struct found {
	const char *name;
	enum hl_layer layer;
	const char *host;
	struct texts targets;
	const char *spec; /* of a datasheet */
	size_t drives;
	struct texts notes; /* comments: where each line comes from */
	struct texts asks;  /* comments: lines to fill in */
	bool is_open;       /* all of it is to be filled in */
};

struct discovery {
	struct hl_arena *arena;
	const struct hl_graph *graph;
	const struct hl_discover *asked;
	struct hl_discovered *result;
	struct found **hops;
	size_t nr_hops;
	unsigned depth; /* steps taken: a circle in the facts ends */
};

/* ---- discover_find.c ---- */

const struct hl_fact *find_fact(const struct discovery *discovery, const char *host,
				const char *node, const char *key);
/* The string of such a fact; NULL = none. */
const char *find_text(const struct discovery *discovery, const char *host, const char *node,
		      const char *key);
/* Kernel name behind a name in /dev, or a pool's name of a member; NULL = nobody says. */
const char *find_device(const struct discovery *discovery, const char *host, const char *path);
/* Its name in /dev that lasts: by-id, by-path of a session; else "/dev/DEVICE". */
const char *find_stable(const struct discovery *discovery, const char *host, const char *device);
/* The mount that path lies under; NULL = none. */
const struct hl_fact *find_mount(const struct discovery *discovery, const char *host,
				 const char *path);
/*
 * The part of the guest's machine ("101/scsi0") whose fact there_key has that value, if it is but
 * one; NULL.
 */
const struct hl_fact *find_part(const struct discovery *discovery, const struct hl_host *guest,
				const char *there_key, const char *value);
/* The host below all others that this one runs on. */
const char *find_bottom(const struct discovery *discovery, const char *host);

/* ---- discover.c ---- */

struct found *add_hop(struct discovery *discovery, const char *name, enum hl_layer layer,
		      const char *host);
void add_target(struct discovery *discovery, struct found *hop, const char *target);
/* A comment at the hop, with the fact that says so (NULL = none). */
void note(struct discovery *discovery, struct found *hop, const struct hl_fact *fact,
	  const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A line of that hop that can be taken, and when. */
void offer(struct discovery *discovery, struct found *hop, const char *line, const char *why);
/* A line of that hop to be filled in, and what for. */
void ask(struct discovery *discovery, struct found *hop, const char *line, const char *why);
/* The whole hop is to be filled in. */
struct found *add_open(struct discovery *discovery, const char *name, enum hl_layer layer,
		       const char *target, const char *why);
const char *print(struct discovery *discovery, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* ---- discover_steps.c ---- */

int take_leaf(struct discovery *discovery, struct hl_error *err);
void take_source(struct discovery *discovery, const char *host, const struct hl_fact *source);

/* ---- discover_session.c ---- */

void take_session(struct discovery *discovery, const char *host, const char *device,
		  const struct hl_fact *session);

/* ---- discover_drives.c ---- */

void take_drives(struct discovery *discovery, const char *host, const struct texts *devices);
void take_pool(struct discovery *discovery, const char *host, const char *pool,
	       const struct hl_fact *fact);

/* ---- discover_out.c ---- */

int path_out(struct discovery *discovery, const char **ret_text, struct hl_error *err);

#endif
