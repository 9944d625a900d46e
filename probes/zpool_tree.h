/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of devices of a pool, as zpool status, list -v and iostat -v print it, row by row: the
 * pool, then its top-level vdevs and their disks, then the sections (logs, cache, spares …).
 *
 * Which row is below which is told by indentation, and where that is lost (a page that was copied)
 * by names: "mirror-0", "raidz2-1", "replacing-0" and so on have members, the rest are devices.
 */
#ifndef PROBES_ZPOOL_TREE_H
#define PROBES_ZPOOL_TREE_H

#include "zfs_text.h"

#define HL_VDEVS_MAX 2048 /* of a pool; more are left out */

enum hl_vdev_class {
	HL_VDEV_DATA,
	HL_VDEV_SLOG,
	HL_VDEV_SPECIAL,
	HL_VDEV_DEDUP,
	HL_VDEV_CACHE,
	HL_VDEV_SPARE,
	HL_NR_VDEV_CLASSES,
};

enum hl_vdev_kind {
	HL_VDEV_DISK,
	HL_VDEV_MIRROR,
	HL_VDEV_RAIDZ, /* and draid */
	HL_VDEV_REPLACING,
	HL_VDEV_GONE, /* "indirect-0": what a removed vdev left */
};

struct hl_vdev {
	struct hl_word name;
	enum hl_vdev_class class;
	enum hl_vdev_kind kind;
	unsigned indent;
	unsigned level;    /* 1 = top-level */
	size_t nr_members; /* directly below it */
	struct hl_word state;
	double read_errors, write_errors, checksum_errors;
	size_t line; /* of the slice */
};

struct hl_vdevs {
	struct hl_word pool;
	struct hl_vdev *items;
	size_t nr;
	enum hl_vdev_class class; /* of the rows that come */
	size_t line;              /* of the slice: where the pool's own row is */
	bool is_complete;         /* nothing was left out: what is not there does not exist */
};

void hl_vdevs_free(struct hl_vdevs *vdevs);
#define HL_VDEVS __attribute__((cleanup(hl_vdevs_free)))

/* Forgets the pool before, and begins that one. */
void hl_vdevs_begin(struct hl_vdevs *vdevs, struct hl_word pool, size_t line);
/* A row whose only word is the name of a section begins it: true. */
bool hl_vdevs_enter(struct hl_vdevs *vdevs, struct hl_word name);
/* NULL: there are too many. */
struct hl_vdev *hl_vdevs_add(struct hl_vdevs *vdevs, struct hl_word name, unsigned indent);
/* Once all rows are there: levels and members. */
void hl_vdevs_link(struct hl_vdevs *vdevs);
/* Linked vdevs to facts of the pool: layout, devices, what is broken. */
void hl_vdevs_report(const struct hl_vdevs *vdevs, const struct hl_text *slice,
		     const struct hl_reading *reading);
/* "mirror-0", "raidz1", "spare-2": something that has members. */
bool hl_vdev_is_group(struct hl_word name);

#endif
