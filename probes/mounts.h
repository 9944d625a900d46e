/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mounts on their way from a list to facts. All texts live in the graph's arena.
 */
#ifndef PROBES_MOUNTS_H
#define PROBES_MOUNTS_H

#include "hoploss/graph.h"
#include "hoploss/text.h"

struct hl_mount {
	const char *target;  /* "/data" */
	const char *device;  /* "/dev/sda1", "tank/data", "nas:/export"; without "/dev/" in facts */
	const char *fs_type; /* NULL = not said */
	const char *options; /* NULL */
	const char *root;    /* of the file system that is seen there, "/" mostly; NULL */
	const char *number;  /* "8:1", of mountinfo; NULL */
	const char *source;  /* of the fact */
};

struct hl_mounts {
	struct hl_mount *items; /* free with the items */
	size_t nr;
};

void hl_mounts_add(struct hl_mounts *mounts, const struct hl_mount *mount);
/* Facts of each, but of those that others hide and of what holds no data (proc, sysfs …). */
void hl_mounts_report(const struct hl_mounts *mounts, const char *host, struct hl_graph *graph);
void hl_mounts_free(struct hl_mounts *mounts);
#define HL_MOUNTS __attribute__((cleanup(hl_mounts_free)))

/* A line of /proc/…/mountinfo (proc(5)); false when it is none. source is left to the caller. */
bool hl_mounts_read_info(struct hl_line line, struct hl_graph *graph, struct hl_mount *ret_mount);

/* "\040" and the like decoded, as mountinfo and fstab write blanks; in the arena. */
const char *hl_mounts_decode(struct hl_graph *graph, const char *start, size_t len);

#endif
