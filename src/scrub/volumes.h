/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-ins of pools, data sets, volume groups, storages and directories: see volumes.c.
 */
#ifndef HOPLOSS_SCRUB_VOLUMES_H
#define HOPLOSS_SCRUB_VOLUMES_H

#include "hoploss/record.h"
#include "pairs.h"
#include <stdio.h>

struct hl_volumes;

struct volumes_path { /* what was read of one, part by part */
	struct volumes_part {
		const char *text;
		size_t len;
	} parts[64];
	size_t nr;
	bool is_volume; /* of a pool or storage, not of the root */
};

struct hl_volumes *volumes_new(struct hl_arena *arena);

/* The length of the absolute path, or of the data set of a known pool, that starts at "at"; 0. */
size_t volumes_path_at(const char *at, const char *start);
size_t volumes_head_at(struct hl_volumes *volumes, const char *at, const char *start);

/* One part more; ".." takes one away. */
void volumes_path_push(struct volumes_path *path, const char *text, size_t len);
/* Writes the stand-in of its last part. False: that names nobody, and nothing is written. */
bool volumes_put(struct hl_volumes *volumes, const struct volumes_path *path, bool has_more,
		 FILE *out);

/* In /sys and /proc a few names are the user's. */
bool volumes_is_named_in_kernel(const struct volumes_path *path);

/* The stand-in of a name in /dev/mapper. */
const char *volumes_mapped(struct hl_volumes *volumes, const char *text, size_t len);

/* A pool or a storage: "tank" of "tank/vol"; returns its stand-in, NULL: it has none. */
const char *volumes_learn_head(struct hl_volumes *volumes, const char *text, size_t len);

/* What in a record is one: see volumes_learn.c. */
void volumes_learn(struct hl_scrub *scrub, const struct hl_record *record, const char *text);

#endif
