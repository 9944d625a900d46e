/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is mounted where: which device, file system and volume stand under a path.
 *
 * Source: /proc/self/mountinfo (proc(5)), so it is what the machine or container that is looked at
 * sees itself. Surprising: the device can be called "/dev/root" or be in no /dev that is seen here;
 * its number then leads to its name in /sys/dev/block.
 */
#include "hoploss/probe.h"
#include "mounts.h"
#include "sysfs.h"
#include <string.h>

#define MOUNTINFO "/proc/self/mountinfo"

/* The name that the kernel has for that number; NULL for file systems without a device. */
static const char *name_of(struct hl_machine *machine, struct hl_graph *graph, const char *number)
{
	HL_FREE char *path = hl_printf("/sys/dev/block/%s", number);
	HL_FREE char *name = strncmp(number, "0:", 2) != 0 ? hl_sysfs_link(machine, path) : NULL;

	return hl_arena_strdup(graph->arena, name);
}

static void read_line(struct hl_machine *machine, struct hl_line line, struct hl_graph *graph,
		      struct hl_mounts *mounts)
{
	struct hl_mount mount;
	const char *name;

	if (!hl_mounts_read_info(line, graph, &mount))
		return;
	name = name_of(machine, graph, mount.number);
	if (name)
		mount.device = name;
	mount.source = MOUNTINFO;
	hl_mounts_add(mounts, &mount);
}

static int mount_decode(struct hl_machine *recorded, const struct hl_origin *origin,
			struct hl_graph *graph, struct hl_error *err)
{
	HL_MOUNTS struct hl_mounts mounts = { 0 };
	HL_FREE char *bytes = NULL;
	char *rest, *line;
	size_t len;

	(void)err;
	if (hl_machine_read(recorded, MOUNTINFO, &bytes, &len, NULL) < 0)
		return 0;
	for (rest = bytes; (line = strsep(&rest, "\n"));)
		read_line(recorded, (struct hl_line){ line, (unsigned)strlen(line), 0 }, graph,
			  &mounts);
	hl_mounts_report(&mounts, origin->host, graph);
	return 0;
}

/* What decoding reads is what is recorded. */
static int mount_acquire(struct hl_capture *capture, struct hl_error *err)
{
	HL_GRAPH struct hl_graph *unused = hl_graph_new();
	const struct hl_origin origin = { .host = NULL };
	HL_FREE char *bytes = NULL;
	size_t len;
	int rc = hl_machine_read(capture->machine, MOUNTINFO, &bytes, &len, err);

	return rc < 0 ? rc : mount_decode(capture->machine, &origin, unused, err);
}

const struct hl_probe hl_probe_mount = {
	.name = "mount",
	.summary = "which device, file system and volume stand under a path",
	.layer = HL_LAYER_FILESYSTEM,
	.acquire = mount_acquire,
	.decode = mount_decode,
};
