/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The depth that a block device really saw during a slot.
 *
 * Source: /sys/dev/block/MAJOR:MINOR/stat (Documentation/block/stat.rst): the 11th number is the
 * sum over all requests of the time they were in flight, in ms. Read by src/blockdev.c.
 */
#include "hoploss/blockdev.h"
#include "hoploss/meter.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

struct disk {
	char path[64]; /* of the facts */
	dev_t device;
	struct hl_blockdev_counters before;
	bool is_counted;
};

static void *disk_begin(struct hl_machine *machine, const struct hl_meter_target *target)
{
	struct stat status;
	struct disk *disk;

	if (!target->path || stat(target->path, &status) < 0 || !S_ISBLK(status.st_mode))
		return NULL;
	disk = hl_alloc(sizeof(*disk));
	snprintf(disk->path, sizeof(disk->path), "/sys/dev/block/%u:%u/stat", major(status.st_rdev),
		 minor(status.st_rdev));
	disk->device = status.st_rdev;
	disk->is_counted = hl_blockdev_count(machine, disk->device, &disk->before) == 0;
	return disk;
}

/* Where nothing was counted, as with iostats off, nothing is known: something was done. */
static void disk_end(void *state, struct hl_machine *machine, double seconds,
		     struct hl_graph *graph, const struct hl_origin *origin)
{
	struct disk *disk = state;
	struct hl_blockdev_counters after;
	struct hl_origin where = *origin;

	where.source = disk->path;
	if (disk->is_counted && hl_blockdev_count(machine, disk->device, &after) == 0 &&
	    after.ios > disk->before.ios)
		hl_graph_add_number(graph, &where, "block.mean_depth",
				    (after.queue_ms - disk->before.queue_ms) / 1e3 / seconds);
	free(disk);
}

const struct hl_meter hl_meter_disk = {
	.name = "disk",
	.summary = "requests in flight in the block device",
	.begin = disk_begin,
	.end = disk_end,
};
