/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the facts of captured hosts to a path file: which devices, sessions, targets and volumes
 * one leaf among many stands on. Pure.
 *
 * Never by names: what leads from one thing to the next is a fact, and the line that came of it is
 * commented with that fact and where it was read. What no fact tells is a commented line to be
 * filled in.
 */
#ifndef HOPLOSS_DISCOVER_H
#define HOPLOSS_DISCOVER_H

#include "hoploss/error.h"
#include "hoploss/graph.h"

struct hl_discover_via { /* how a host was reached */
	const char *host, *via;
};

struct hl_discover {
	const char *host; /* of the leaf */
	const char *path; /* there: a mount point, a file or a directory below it, or a device */
	const char *said; /* how the leaf was found, for a comment at it; NULL */
	const struct hl_discover_via *vias;
	size_t nr_vias;
};

struct hl_discovered {
	struct hl_arena *arena; /* of all of it */
	const char *text;       /* the path file */
	const struct hl_fact **facts;
	size_t nr_facts;   /* that it rests on, leaf end first */
	const char **open; /* what is to be filled in, a line each */
	size_t nr_open;
	size_t nr_open_hops; /* hops that nothing could be found for */
};

/*
 * hl_guest_find(graph) comes first, so that it is known which host runs on which. -ENOENT: the
 * graph knows nothing of that host, or of what stands under the path; err says which. -EINVAL: a
 * name that a path file cannot hold. To be freed with hl_discovered_free.
 */
int hl_discover(const struct hl_graph *graph, const struct hl_discover *asked,
		struct hl_discovered **ret_discovered, struct hl_error *err);
void hl_discovered_free(struct hl_discovered *discovered); /* NULL allowed */

/*
 * The index-th leaf that could be asked for, as facts of key mount.device (node = mount point) of
 * file systems on a device; NULL = no more.
 */
const struct hl_fact *hl_discover_leaf_at(const struct hl_graph *graph, size_t index);

#endif
