/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Extents of files: see hoploss/extent.h.
 */
#include "hoploss/extent.h"
#include <errno.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BATCH 256

/* An extent with one of these is not where it says, or not as the file has it. */
#define NOT_PLAIN                                                                                  \
	(FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_ENCODED |                  \
	 FIEMAP_EXTENT_NOT_ALIGNED | FIEMAP_EXTENT_UNWRITTEN)

static uint64_t clipped(const struct fiemap_extent *extent, uint64_t size)
{
	if (extent->fe_logical >= size)
		return 0;
	return extent->fe_length < size - extent->fe_logical ? extent->fe_length
							     : size - extent->fe_logical;
}

static void take(struct hl_arena *arena, struct hl_extents *extents,
		 const struct fiemap_extent *extent, uint64_t size)
{
	struct hl_extent *last = extents->nr ? &extents->items[extents->nr - 1] : NULL;
	uint64_t length = clipped(extent, size);

	if (!(extent->fe_flags & FIEMAP_EXTENT_UNWRITTEN))
		extents->written += length;
	if (!length || extent->fe_flags & NOT_PLAIN)
		return;
	if (last && last->from + last->length == extent->fe_logical &&
	    last->to + last->length == extent->fe_physical) {
		last->length += length;
	} else if (extents->nr < HL_EXTENTS_MAX) {
		extents->items = hl_arena_extend(arena, extents->items, extents->nr,
						 sizeof(*extents->items));
		extents->items[extents->nr++] = (struct hl_extent){
			extent->fe_logical,
			extent->fe_physical,
			length,
		};
	}
}

/* 1: more to come from *at on; 0: that was all. */
static int read_batch(int fd, uint64_t size, struct hl_arena *arena, struct hl_extents *extents,
		      uint64_t *at)
{
	HL_FREE struct fiemap *map = hl_alloc(sizeof(*map) + BATCH * sizeof(struct fiemap_extent));
	const struct fiemap_extent *last;

	map->fm_start = *at;
	map->fm_length = size - *at;
	map->fm_flags = FIEMAP_FLAG_SYNC; /* so that nothing waits to be placed */
	map->fm_extent_count = BATCH;
	if (ioctl(fd, FS_IOC_FIEMAP, map) < 0)
		return -errno;
	for (unsigned i = 0; i < map->fm_mapped_extents; i++)
		take(arena, extents, &map->fm_extents[i], size);
	if (!map->fm_mapped_extents)
		return 0;
	last = &map->fm_extents[map->fm_mapped_extents - 1];
	*at = last->fe_logical + last->fe_length;
	return !(last->fe_flags & FIEMAP_EXTENT_LAST) && *at < size;
}

/* What is no hole; all of it where the file system knows no holes. */
static uint64_t data_bytes(int fd, uint64_t size)
{
	uint64_t written = 0;
	off_t at = 0;

	while ((uint64_t)at < size) {
		off_t data = lseek(fd, at, SEEK_DATA), hole;

		if (data < 0)
			return errno == ENXIO ? written : size;
		hole = lseek(fd, data, SEEK_HOLE);
		if (hole < 0)
			return size;
		written += (uint64_t)(hole - data);
		at = hole;
	}
	return written;
}

int hl_extents_read(int fd, uint64_t size, struct hl_arena *arena, struct hl_extents *ret_extents,
		    struct hl_error *err)
{
	struct hl_extents extents = { 0 };
	uint64_t at = 0;
	int rc = size ? 1 : 0;

	while (rc == 1)
		rc = read_batch(fd, size, arena, &extents, &at);
	if (rc == -EOPNOTSUPP || rc == -ENOTTY || rc == -EINVAL) {
		*ret_extents = (struct hl_extents){ .written = data_bytes(fd, size) };
		return hl_fail(err, EOPNOTSUPP, "its file system does not say where its bytes are");
	}
	if (rc < 0)
		return hl_fail(err, -rc, "its extents: %s", strerror(-rc));
	*ret_extents = extents;
	return 0;
}

uint64_t hl_extents_cut(const struct hl_extents *extents, uint64_t unit, uint64_t start,
			struct hl_extent *ret_in_file, struct hl_extent *ret_on_device,
			size_t *ret_nr)
{
	uint64_t space = 0;
	size_t nr = 0;

	for (size_t i = 0; i < extents->nr; i++) {
		const struct hl_extent *extent = &extents->items[i];
		uint64_t length = extent->length / unit * unit;

		if (!length)
			continue;
		ret_in_file[nr] = (struct hl_extent){ space, extent->from, length };
		ret_on_device[nr] = (struct hl_extent){ space, start + extent->to, length };
		space += length;
		nr++;
	}
	*ret_nr = nr;
	return space;
}
