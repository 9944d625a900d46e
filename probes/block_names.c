/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names that block devices have in /dev beside their own: what pools, mounts and people call
 * them, and the volumes of ZFS.
 *
 * Source: the symbolic links that udev makes, /dev/disk/by-…, /dev/mapper, /dev/zvol/POOL/….
 */
#include "block.h"
#include "hoploss/alloc.h"
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 12 /* of data sets within each other */
#define MAX_LINKS 20000

struct name {
	char *device, *link; /* "sda", "disk/by-id/…" */
};

struct names {
	struct hl_machine *machine;
	struct name *items;
	size_t nr;
};

static void names_clear(struct names *names)
{
	for (size_t i = 0; i < names->nr; i++) {
		free(names->items[i].device);
		free(names->items[i].link);
	}
	free(names->items);
}

static void add_name(struct names *names, const char *device, const char *link)
{
	const char *slash = strrchr(device, '/');

	if (names->nr == MAX_LINKS || strchr(link, ' '))
		return;
	names->items = hl_grow(names->items, names->nr + 1, sizeof(*names->items));
	names->items[names->nr++] = (struct name){ hl_strdup(slash ? slash + 1 : device),
						   hl_strdup(link) };
}

/* All links below /dev/DIRECTORY. */
static void read_links(struct names *names, const char *directory, unsigned depth)
{
	HL_FREE char *path = hl_printf("/dev/%s", directory);
	char **entries;
	size_t nr;

	if (hl_machine_list(names->machine, path, &entries, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *link = hl_printf("%s/%s", directory, entries[i]);
		HL_FREE char *full = hl_printf("/dev/%s", link);
		HL_FREE char *target = NULL;

		if (hl_machine_readlink(names->machine, full, &target, NULL) == 0)
			add_name(names, target, link);
		else if (depth > 1)
			read_links(names, link, depth - 1);
	}
	hl_machine_free_names(entries, nr);
}

static int compare(const void *a, const void *b)
{
	const struct name *left = a, *right = b;
	int order = strcmp(left->device, right->device);

	return order ? order : strcmp(left->link, right->link);
}

/* The links of one device as one fact; returns the first of the next device. */
static size_t add_links(const struct names *names, size_t first, const struct hl_origin *where,
			struct hl_graph *graph)
{
	struct hl_origin origin = *where;
	char *text = hl_strdup("");
	size_t i = first;

	for (; i < names->nr && !strcmp(names->items[i].device, names->items[first].device); i++) {
		char *longer = hl_printf("%s%s%s", text, *text ? " " : "", names->items[i].link);

		free(text);
		text = longer;
	}
	origin.node = names->items[first].device;
	origin.source = "/dev";
	hl_graph_add_string(graph, &origin, "block.links", text);
	free(text);
	return i;
}

/* A volume itself, not its snapshots or partitions, which have '@' or "-part" in the name. */
static void add_zvol(const struct name *name, const struct hl_origin *where, struct hl_graph *graph)
{
	struct hl_origin origin = *where;
	const char *volume = name->link + strlen("zvol/"), *slash = strchr(volume, '/');
	HL_FREE char *pool = NULL;

	if (strncmp(name->link, "zvol/", 5) != 0 || !slash || strchr(name->device, 'p') ||
	    strchr(volume, '@'))
		return;
	pool = hl_strndup(volume, (size_t)(slash - volume));
	origin.node = name->device;
	origin.source = "/dev/zvol";
	hl_graph_add_string(graph, &origin, "block.zvol", volume);
	origin.node = volume;
	hl_graph_add_string(graph, &origin, "zvol.pool", pool);
}

void hl_block_names(struct hl_machine *machine, const char *host, struct hl_graph *graph)
{
	static const char *const directories[] = { "disk/by-id",       "disk/by-path",
						   "disk/by-partuuid", "disk/by-uuid",
						   "disk/by-vdev",     "mapper" };
	__attribute__((cleanup(names_clear))) struct names names = { .machine = machine };
	const struct hl_origin origin = { .host = host };

	for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++)
		read_links(&names, directories[i], 1);
	read_links(&names, "zvol", MAX_DEPTH);
	if (names.nr)
		qsort(names.items, names.nr, sizeof(*names.items), compare);
	for (size_t i = 0; i < names.nr;)
		i = add_links(&names, i, &origin, graph);
	for (size_t i = 0; i < names.nr; i++)
		add_zvol(&names.items[i], &origin, graph);
}
