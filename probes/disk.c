/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The depth that a block device really saw during a slot.
 *
 * Source: /sys/dev/block/MAJOR:MINOR/stat (Documentation/block/stat.rst): the 11th number is the
 * sum over all requests of the time they were in flight, in ms.
 */
#include "hoploss/meter.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define TIME_IN_QUEUE 11

struct disk {
	char path[64];
	double before_ms;
};

static double time_in_queue(struct hl_machine *machine, const char *path)
{
	HL_FREE char *bytes = NULL;
	double number = NAN;
	size_t len;
	char *at;

	if (hl_machine_read(machine, path, &bytes, &len, NULL) < 0)
		return NAN;
	at = bytes;
	for (int column = 1; column <= TIME_IN_QUEUE; column++) {
		char *end;

		number = strtod(at, &end);
		if (end == at)
			return NAN;
		at = end;
	}
	return number;
}

static void *disk_begin(struct hl_machine *machine, const struct hl_meter_target *target)
{
	struct stat status;
	struct disk *disk;

	if (!target->path || stat(target->path, &status) < 0 || !S_ISBLK(status.st_mode))
		return NULL;
	disk = hl_alloc(sizeof(*disk));
	snprintf(disk->path, sizeof(disk->path), "/sys/dev/block/%u:%u/stat", major(status.st_rdev),
		 minor(status.st_rdev));
	disk->before_ms = time_in_queue(machine, disk->path);
	return disk;
}

static void disk_end(void *state, struct hl_machine *machine, double seconds,
		     struct hl_graph *graph, const struct hl_origin *origin)
{
	struct disk *disk = state;
	double ms = time_in_queue(machine, disk->path) - disk->before_ms;
	struct hl_origin where = *origin;

	where.source = disk->path;
	hl_graph_add_number(graph, &where, "block.mean_depth", ms / 1e3 / seconds);
	free(disk);
}

const struct hl_meter hl_meter_disk = {
	.name = "disk",
	.summary = "requests in flight in the block device",
	.begin = disk_begin,
	.end = disk_end,
};
