/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mounts to facts: see probes/mounts.h.
 *
 * Surprising: what is mounted last hides what was there; the volume of a Kubernetes pod is named
 * by the path that the kubelet mounts it at, …/volumes/kubernetes.io~csi/PV/mount.
 */
#include "mounts.h"
#include "hoploss/alloc.h"
#include <stdlib.h>
#include <string.h>

#define VOLUMES  "/volumes/kubernetes.io~"
#define MAX_SEEN 4096

void hl_mounts_add(struct hl_mounts *mounts, const struct hl_mount *mount)
{
	if (!mount->target || mounts->nr == MAX_SEEN)
		return;
	mounts->items = hl_grow(mounts->items, mounts->nr + 1, sizeof(*mounts->items));
	mounts->items[mounts->nr++] = *mount;
}

void hl_mounts_free(struct hl_mounts *mounts)
{
	free(mounts->items);
}

const char *hl_mounts_decode(struct hl_graph *graph, const char *start, size_t len)
{
	char *text = hl_arena_strndup(graph->arena, start, len), *to = text;

	for (const char *at = text; *at;) {
		bool is_octal = at[0] == '\\' && at[1] >= '0' && at[1] <= '3' && at[2] >= '0' &&
				at[2] <= '7' && at[3] >= '0' && at[3] <= '7';
		char c = *at;

		if (is_octal)
			c = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0'));
		at += is_octal ? 4 : 1;
		if (c)
			*to++ = c;
	}
	*to = '\0';
	return text;
}

static bool holds_no_data(const char *fs_type)
{
	static const char *const types[] = {
		"proc",          "sysfs",       "cgroup",          "cgroup2",
		"devpts",        "devtmpfs",    "mqueue",          "securityfs",
		"debugfs",       "tracefs",     "pstore",          "bpf",
		"configfs",      "hugetlbfs",   "fusectl",         "nsfs",
		"autofs",        "binfmt_misc", "efivarfs",        "rpc_pipefs",
		"selinuxfs",     "nfsd",        "squashfs",        "fuse.lxcfs",
		"fuse.snapfuse", "fuse.portal", "fuse.gvfsd-fuse",
	};

	for (size_t i = 0; fs_type && i < sizeof(types) / sizeof(*types); i++) {
		if (!strcmp(fs_type, types[i]))
			return true;
	}
	return false;
}

/* "pvc-4f…" of "…/volumes/kubernetes.io~csi/pvc-4f…/mount", and "csi" before it. */
static void report_volume(const char *path, const struct hl_origin *origin, struct hl_graph *graph)
{
	const char *at = path ? strstr(path, VOLUMES) : NULL, *name;
	size_t len;

	if (!at)
		return;
	at += strlen(VOLUMES);
	name = strchr(at, '/');
	len = name ? strcspn(name + 1, "/") : 0;
	if (!len)
		return;
	hl_graph_add_string(graph, origin, "mount.volume_plugin",
			    hl_arena_strndup(graph->arena, at, (size_t)(name - at)));
	hl_graph_add_string(graph, origin, "mount.volume",
			    hl_arena_strndup(graph->arena, name + 1, len));
}

static void report_mount(const struct hl_mount *mount, const char *host, struct hl_graph *graph)
{
	const struct hl_origin origin = { .host = host,
					  .node = mount->target,
					  .source = mount->source };
	const char *device = mount->device;
	bool is_whole = !mount->root || !strcmp(mount->root, "/");

	if (device && !strncmp(device, "/dev/", 5))
		device += 5;
	hl_graph_add_string(graph, &origin, "mount.device", device);
	hl_graph_add_string(graph, &origin, "mount.fs_type", mount->fs_type);
	hl_graph_add_string(graph, &origin, "mount.options", mount->options);
	hl_graph_add_string(graph, &origin, "mount.root", is_whole ? NULL : mount->root);
	report_volume(strstr(mount->target, VOLUMES) ? mount->target : mount->root, &origin, graph);
}

void hl_mounts_report(const struct hl_mounts *mounts, const char *host, struct hl_graph *graph)
{
	for (size_t i = 0; i < mounts->nr; i++) {
		const struct hl_mount *mount = &mounts->items[i];
		bool is_hidden = false;

		for (size_t k = i + 1; k < mounts->nr && !is_hidden; k++)
			is_hidden = !strcmp(mounts->items[k].target, mount->target);
		if (!is_hidden && !holds_no_data(mount->fs_type))
			report_mount(mount, host, graph);
	}
}
