/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ZFS: pools, data sets, the ARC and the parameters of its modules.
 *
 * Source: zpool and zfs, whose output is kept as they print it and read by the formats of that;
 * /proc/spl/kstat/zfs (arcstats; a directory a pool, with its state), /sys/module/zfs/parameters.
 *
 * Surprising: zpool and zfs sleep in the kernel when a pool is suspended, so its state is looked at
 * first, where no sleeping is needed, and such a pool is left alone. /dev/zfs wants root on most
 * systems; the kernel's files do not. Of properties, those that zfs_property.c knows are asked for:
 * user properties may hold anything.
 */
#include "arcstats.h"
#include "hoploss/probe.h"
#include "sysfs.h"
#include "zfs_module.h"
#include "zfs_property.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define KSTAT      "/proc/spl/kstat/zfs"
#define PARAMETERS "/sys/module/zfs/parameters"

static void read_kernel(struct hl_machine *machine, const struct hl_origin *where,
			struct hl_graph *graph)
{
	struct hl_origin origin = *where;
	HL_FREE char *text = hl_sysfs_text(machine, HL_ARCSTATS_PATH);

	origin.node = HL_ARCSTATS_NODE;
	origin.source = HL_ARCSTATS_PATH;
	for (const struct hl_arcstat *stat = hl_arcstats; text && stat->name; stat++)
		hl_graph_add_number(graph, &origin, stat->key, hl_arcstats_find(text, stat->name));
	origin.node = HL_ZFS_MODULE_NODE;
	for (const struct hl_zfs_parameter *row = hl_zfs_parameters; row->name; row++) {
		HL_FREE char *path = hl_printf(PARAMETERS "/%s", row->name);

		origin.source = path;
		hl_graph_add_number(graph, &origin, row->key, hl_sysfs_number(machine, path));
	}
}

/* Each pool has a directory; returns how many of them are suspended. */
static unsigned read_pools(struct hl_machine *machine, const struct hl_origin *where,
			   struct hl_graph *graph)
{
	unsigned nr_suspended = 0;
	char **names;
	size_t nr;

	if (hl_machine_list(machine, KSTAT, &names, &nr, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf(KSTAT "/%s/state", names[i]);
		HL_FREE char *state = hl_sysfs_text(machine, path);
		struct hl_origin origin = *where;

		if (!state)
			continue;
		origin.node = names[i];
		origin.source = path;
		hl_graph_add_string(graph, &origin, "zpool.state", state);
		nr_suspended += !strcmp(state, "SUSPENDED");
	}
	hl_machine_free_names(names, nr);
	return nr_suspended;
}

static int zfs_decode(struct hl_machine *recorded, const struct hl_origin *origin,
		      struct hl_graph *graph, struct hl_error *err)
{
	(void)err;
	read_kernel(recorded, origin, graph);
	read_pools(recorded, origin, graph);
	return 0;
}

/* ---- what the tools say ---- */

struct command {
	const char *name;
	const char *argv[8];
};

/* The sector size that the vdevs of each pool have; OpenZFS before 2.2 does not tell. */
static void ask_vdevs(struct hl_capture *capture)
{
	char **names;
	size_t nr;

	if (hl_machine_list(capture->machine, KSTAT, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf(KSTAT "/%s/state", names[i]);
		HL_FREE char *state = hl_sysfs_text(capture->machine, path);
		const char *const argv[] = { "zpool",  "get",    "-H",        "-p",
					     "ashift", names[i], "all-vdevs", NULL };

		if (state)
			hl_capture_command(capture, "zpool-get-vdevs.txt", names[i], argv, NULL);
	}
	hl_machine_free_names(names, nr);
}

/* Properties that not all versions know, one by one. */
static void ask_new(struct hl_capture *capture)
{
	HL_FREE char *names = hl_zfs_property_names(HL_ZFS_DATASET_NEW);
	char *rest = names, *name;

	while ((name = strsep(&rest, ","))) {
		HL_FREE char *file = hl_printf("zfs-get-%s.txt", name);
		const char *const argv[] = { "zfs", "get", "-H", "-p", "-t", "filesystem,volume",
					     name,  NULL };

		hl_capture_command(capture, file, NULL, argv, NULL);
	}
}

static int run_commands(struct hl_capture *capture, struct hl_error *err)
{
	HL_FREE char *of_datasets = hl_zfs_property_names(HL_ZFS_DATASET);
	HL_FREE char *of_pools = hl_zfs_property_names(HL_ZFS_POOL);
	const struct command commands[] = {
		{ "zpool-list.txt", { "zpool", "list", "-v", "-p" } },
		{ "zpool-status.txt", { "zpool", "status" } },
		{ "zpool-get.txt", { "zpool", "get", "-H", "-p", of_pools } },
		{ "zfs-get.txt",
		  { "zfs", "get", "-H", "-p", "-t", "filesystem,volume", of_datasets } },
		{ "zpool-iostat.txt", { "zpool", "iostat", "-l", "-q", "-v", "-p" } },
	};
	int first = 0;

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		int rc = hl_capture_command(capture, commands[i].name, NULL, commands[i].argv,
					    first < 0 ? NULL : err);

		if (rc == -ENOENT)
			return rc;
		first = first < 0 ? first : rc;
	}
	ask_vdevs(capture);
	ask_new(capture);
	return first;
}

static bool has_module(struct hl_machine *machine)
{
	HL_FREE char *names = hl_sysfs_names(machine, KSTAT);

	return names != NULL;
}

static int zfs_acquire(struct hl_capture *capture, struct hl_error *err)
{
	HL_GRAPH struct hl_graph *unused = hl_graph_new();
	const struct hl_origin origin = { .host = NULL };

	if (!has_module(capture->machine))
		return hl_fail(err, ENOENT, "the kernel has no ZFS");
	read_kernel(capture->machine, &origin, unused);
	if (read_pools(capture->machine, &origin, unused))
		return hl_fail(err, EIO, "a pool is suspended: zpool and zfs would hang");
	return run_commands(capture, err);
}

const struct hl_probe hl_probe_zfs = {
	.name = "zfs",
	.summary = "pools, data sets, the ARC and module parameters of ZFS",
	.layer = HL_LAYER_POOL,
	.acquire = zfs_acquire,
	.decode = zfs_decode,
};
