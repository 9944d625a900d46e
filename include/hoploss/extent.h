/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a file's written bytes lie on the device under its file system, and maps made of that: a
 * hop below the file then reads the same medium as the file does.
 *
 * Source: FS_IOC_FIEMAP, Documentation/filesystems/fiemap.rst; lseek(2) SEEK_DATA elsewhere.
 */
#ifndef HOPLOSS_EXTENT_H
#define HOPLOSS_EXTENT_H

#include "hoploss/alloc.h"
#include "hoploss/error.h"
#include <stdint.h>

#define HL_EXTENTS_MAX 32768 /* of a file that are used; what is behind them is left alone */

struct hl_extent {
	uint64_t from, to, length; /* bytes: [from, from + length) lies at to */
};

struct hl_extents {
	struct hl_extent *items; /* sorted by from, without overlap */
	size_t nr;
	uint64_t written; /* bytes of the file that are neither holes nor unwritten */
};

/*
 * The extents of an open file of that size. Those that are not plain (compressed, inline, not yet
 * placed) count as written and are left out. -EOPNOTSUPP: the file system does not say where its
 * bytes are; written is known all the same.
 */
int hl_extents_read(int fd, uint64_t size, struct hl_arena *arena, struct hl_extents *ret_extents,
		    struct hl_error *err);

/*
 * Cuts extents into whole units and lays these side by side from 0 on: two maps from that space,
 * to where the file has them and to where the device has them (start is added to that). No map has
 * an extent that is not a multiple of unit. Returns the bytes of the space.
 */
uint64_t hl_extents_cut(const struct hl_extents *extents, uint64_t unit, uint64_t start,
			struct hl_extent *ret_in_file, struct hl_extent *ret_on_device,
			size_t *ret_nr);

/*
 * Where offset of such a map lies. An I/O of len bytes that would cross the end of its extent is
 * moved back to end there: len is at most the unit. nr > 0, and offset is within the map.
 */
static inline uint64_t hl_extent_find(const struct hl_extent *map, size_t nr, uint64_t offset,
				      uint64_t len)
{
	size_t low = 0, high = nr;
	uint64_t inside;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (map[middle].from <= offset)
			low = middle;
		else
			high = middle;
	}
	inside = offset - map[low].from;
	if (inside + len > map[low].length)
		inside = map[low].length - len;
	return map[low].to + inside;
}

#endif
