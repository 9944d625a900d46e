/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much of what a slot read came from the ARC, where it read a volume or file of ZFS or a
 * portal of this machine.
 *
 * Source: /proc/spl/kstat/zfs/arcstats before and after. Surprising: a block that was fetched ahead
 * during the slot is a hit when it is asked for, and came from the disks all the same, so what was
 * fetched ahead is taken off the hits. The counters are of all pools and readers of the machine.
 */
#include "arcstats.h"
#include "hoploss/meter.h"
#include "hoploss/route.h"
#include "sysfs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#define ZFS_MAGIC 0x2fc12fc1

struct counts {
	double hits, iohits, misses; /* of data that was asked for */
	double fetched;              /* ahead, from the disks */
};

static struct counts read_counts(struct hl_machine *machine)
{
	HL_FREE char *text = hl_sysfs_text(machine, HL_ARCSTATS_PATH);
	struct counts counts = { NAN, 0, NAN, 0 };
	double iohits;

	if (!text)
		return counts;
	counts.hits = hl_arcstats_find(text, "demand_data_hits");
	counts.misses = hl_arcstats_find(text, "demand_data_misses");
	counts.fetched = hl_arcstats_find(text, "prefetch_data_misses");
	iohits = hl_arcstats_find(text, "demand_data_iohits");
	counts.iohits = isnan(iohits) ? 0 : iohits; /* before OpenZFS 2.2 they are hits */
	return counts;
}

static bool is_zvol(struct hl_machine *machine, dev_t device)
{
	HL_FREE char *path = hl_printf("/sys/dev/block/%u:%u", major(device), minor(device));
	HL_FREE char *name = hl_sysfs_link(machine, path);

	return name && !strncmp(name, "zd", 2);
}

static bool is_on_zfs(struct hl_machine *machine, const char *path)
{
	struct statfs system;
	struct stat status;

	if (stat(path, &status) < 0)
		return false;
	if (S_ISBLK(status.st_mode))
		return is_zvol(machine, status.st_rdev);
	return statfs(path, &system) == 0 && (unsigned long)system.f_type == ZFS_MAGIC;
}

static bool is_served_here(const char *address)
{
	struct hl_route route;

	return hl_route_find(address, &route, NULL) == 0 && route.is_local;
}

static void *arc_begin(struct hl_machine *machine, const struct hl_meter_target *target)
{
	struct counts counts = read_counts(machine), *before;

	if (isnan(counts.hits) ||
	    !(target->path ? is_on_zfs(machine, target->path)
			   : target->address && is_served_here(target->address)))
		return NULL;
	before = hl_alloc(sizeof(*before));
	*before = counts;
	return before;
}

static void arc_end(void *state, struct hl_machine *machine, double seconds, struct hl_graph *graph,
		    const struct hl_origin *origin)
{
	struct counts *before = state, after = read_counts(machine);
	double asked = after.hits + after.iohits + after.misses - before->hits - before->iohits -
		       before->misses;
	double from_disk = after.misses - before->misses + after.fetched - before->fetched;
	struct hl_origin where = *origin;

	(void)seconds;
	where.source = HL_ARCSTATS_PATH;
	free(before);
	if (!(asked > 0))
		return;
	from_disk = fmin(from_disk, asked);
	hl_graph_add_number(graph, &where, "arc.slot_misses", from_disk);
	hl_graph_add_number(graph, &where, "arc.slot_hits", asked - from_disk);
	hl_graph_add_number(graph, &where, "arc.slot_hit_pct", (1 - from_disk / asked) * 100);
}

const struct hl_meter hl_meter_arc = {
	.name = "arc",
	.summary = "reads that the ARC of ZFS answered",
	.begin = arc_begin,
	.end = arc_end,
};
