/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a word means on a host: a device, a name of one in /dev, a partition of it, a volume, a file
 * below a mount point, a LUN at a portal, PCI functions.
 *
 * A path of a host ("/dev/disk/by-id/x", "/data") is a place of that host, too: the names that
 * block.links gives a device, and the mount points.
 */
#include "hoploss/disk_name.h"
#include "hoploss/number.h"
#include "place_map.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ISCSI "iscsi://"
#define ZVOLS "/dev/zvol/"

void place_list_add(struct hl_places *map, struct place_list *list, struct place *place)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (list->items[i] == place)
			return;
	}
	list->items = hl_arena_extend(map->arena, list->items, list->nr, sizeof(struct place *));
	list->items[list->nr++] = place;
}

/* ---- PCI functions: "d0:13.0", "0000:d0:13.0", all of "0000:d0:13" ---- */

/* The numbers of "0000:d0:13.0", or without the last; 0 = it is no address. */
static int read_address(const char *text, unsigned numbers[4])
{
	static const char signs[] = "::.";

	for (int nr = 0; nr < 4; text++) {
		size_t len = strcspn(text, ":.");
		uint64_t number;

		if (hl_number_hex(text, len, &number) < 0 || number > 0xffffff)
			return 0;
		numbers[nr++] = (unsigned)number;
		text += len;
		if (!*text)
			return nr > 2 ? nr : 0;
		if (nr == 4 || *text != signs[nr - 1])
			return 0;
	}
	return 0;
}

void place_resolve_functions(struct hl_places *map, const char *host, const char *address,
			     struct place_list *list)
{
	const char *last = strrchr(address, ':');
	bool has_domain = last && memchr(address, ':', (size_t)(last - address));
	HL_FREE char *full = hl_printf("%s%s", has_domain ? "" : "0000:", address);
	unsigned at[4], first = 0, end = 8;
	int nr = read_address(full, at);
	char name[64];

	if (!nr)
		return;
	if (nr == 4) {
		first = at[3];
		end = first + 1;
	}
	for (unsigned i = first; i < end; i++) {
		snprintf(name, sizeof(name), "%04x:%02x:%02x.%x", at[0], at[1], at[2], i);
		if (i == first || place_map_find(map, host, name))
			place_list_add(map, list, place_map_get(map, host, name));
	}
}

/* ---- devices and files ---- */

static struct place *find_device(const struct hl_places *map, const char *host, const char *device)
{
	static const char *const directories[] = {
		"/dev/%s",
		"/dev/disk/by-id/%s",
		"/dev/disk/by-partuuid/%s",
		"/dev/disk/by-path/%s",
	};
	struct place *place = place_map_find(map, host, device);
	char name[256];

	for (size_t i = 0; !place && i < sizeof(directories) / sizeof(*directories); i++) {
		/* rows of constants, each with one %s */
		snprintf(name, sizeof(name), directories[i], device);
		place = place_map_find(map, host, name);
	}
	if (!place && hl_disk_name_cut(device, name, sizeof(name)))
		place = place_map_find(map, host, name);
	return place;
}

void place_resolve_device(struct hl_places *map, const char *host, const char *device,
			  struct place_list *list)
{
	struct place *place = find_device(map, host, device);

	place_list_add(map, list, place ? place : place_map_get(map, host, device));
}

/* The longest mount point that path lies under. */
static struct place *find_mount(const struct hl_places *map, const char *host, const char *path)
{
	size_t nr, longest = 0;
	const struct place_sorted *mounts = place_map_of_key(map, "mount.device", &nr);
	struct place *found = NULL;

	for (size_t i = 0; i < nr; i++) {
		struct place *place = place_map_find(map, mounts[i].fact->host,
						     mounts[i].fact->node);
		size_t len = strlen(place->node);
		size_t depth = len > 1 ? len : 0; /* "/" holds every path */

		if (strcmp(place->host, host) || strncmp(path, place->node, depth) ||
		    (path[depth] && path[depth] != '/') || (found && len < longest))
			continue;
		found = place;
		longest = len;
	}
	return found;
}

/* A drive whose serial number ends its name in /dev/disk/by-id. */
static struct place *find_by_serial(const struct hl_places *map, const char *host, const char *name)
{
	static const char *const keys[] = { "drive.serial", "block.serial" };

	for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
		size_t nr;
		const struct place_sorted *serials = place_map_of_key(map, keys[k], &nr);

		for (size_t i = 0; i < nr; i++) {
			const struct hl_fact *fact = serials[i].fact;
			const char *end = strrchr(name, '_');

			if (end && !strcmp(end + 1, place_text(fact)) &&
			    !strcmp(fact->host ? fact->host : "", host))
				return place_map_find(map, fact->host, fact->node);
		}
	}
	return NULL;
}

/* ---- iSCSI ---- */

/* All facts of that LUN; "IQN/lun0@INITIATOR" is none of "IQN/lun0", nor of any number. */
static bool add_backings(struct hl_places *map, const char *name, bool is_any,
			 struct place_list *list)
{
	size_t nr, before = list->nr, len = strlen(name);
	const struct place_sorted *facts = place_map_of_key(map, "target.backing", &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct hl_fact *fact = facts[i].fact;

		if (fact->node && !strncmp(fact->node, name, len) &&
		    (is_any ? !strchr(fact->node + len, '@') : !fact->node[len]))
			place_list_add(map, list, place_map_find(map, fact->host, fact->node));
	}
	return list->nr > before;
}

void place_resolve_lun(struct hl_places *map, const struct place *session, const char *iqn,
		       const char *lun, struct place_list *list)
{
	const char *initiator = session ? place_text(place_map_fact(session, "iscsi.initiator"))
					: "";
	HL_FREE char *own = hl_printf("%s/lun%s@%s", iqn, lun, initiator);
	HL_FREE char *name = hl_printf("%s/lun%s", iqn, lun);

	if (!*initiator || !*lun || !add_backings(map, own, false, list))
		add_backings(map, name, !*lun, list);
}

/* Returns the session there; NULL = nobody speaks of one. */
static const struct place *add_session(struct hl_places *map, const char *host, const char *iqn,
				       const char *portal, struct place_list *list)
{
	const char *colon = strrchr(portal, ':');
	bool has_port = colon && colon[1] && !strchr(colon, ']') &&
			(portal[0] == '[' || strchr(portal, ':') == colon);
	HL_FREE char *name = hl_printf("%s@%s%s", iqn, portal, has_port ? "" : ":3260");
	size_t len = has_port ? (size_t)(colon - portal) : strlen(portal);
	HL_FREE char *address = *portal == '[' && len > 2 ? hl_strndup(portal + 1, len - 2)
							  : hl_strndup(portal, len);
	struct place *session = place_map_find(map, host, name);
	struct place *route = place_map_find(map, host, address);

	if (session)
		place_list_add(map, list, session);
	if (route)
		place_list_add(map, list, route);
	return session;
}

/* "iscsi://portal/iqn/lun" */
static void add_url(struct hl_places *map, const char *host, const char *url,
		    struct place_list *list)
{
	const char *portal = url + strlen(ISCSI), *iqn = strchr(portal, '/');
	const char *lun = iqn ? strchr(iqn + 1, '/') : NULL;
	HL_FREE char *address = NULL, *name = NULL;
	const struct place *session;

	if (!lun)
		return;
	address = hl_strndup(portal, (size_t)(iqn - portal));
	name = hl_strndup(iqn + 1, (size_t)(lun - iqn - 1));
	session = add_session(map, host, name, address, list);
	place_resolve_lun(map, session, name, lun + 1, list);
}

/* "ip-10.0.0.2:3260-iscsi-IQN-lun-0", which udev makes of the session */
static void add_by_path(struct hl_places *map, const char *host, const char *name,
			struct place_list *list)
{
	const char *portal = strstr(name, "ip-"), *iqn = portal ? strstr(portal, "-iscsi-") : NULL;
	const char *lun = iqn ? strstr(iqn, "-lun-") : NULL;
	HL_FREE char *address = NULL, *target = NULL, *number = NULL;
	const struct place *session;

	if (!lun)
		return;
	address = hl_strndup(portal + 3, (size_t)(iqn - portal - 3));
	iqn += strlen("-iscsi-");
	target = hl_strndup(iqn, (size_t)(lun - iqn));
	number = hl_strndup(lun + 5, strspn(lun + 5, "0123456789"));
	session = add_session(map, host, target, address, list);
	place_resolve_lun(map, session, target, number, list);
}

/* ---- a word of any kind ---- */

static void add_dev_path(struct hl_places *map, const char *host, const char *path,
			 struct place_list *list)
{
	const char *base = strrchr(path, '/') + 1;
	struct place *place = place_map_find(map, host, path);

	if (place)
		place_list_add(map, list, place);
	if (!strncmp(path, ZVOLS, strlen(ZVOLS)))
		place_list_add(map, list, place_map_get(map, host, path + strlen(ZVOLS)));
	else if (!place && !strncmp(path, "/dev/disk/", 10))
		place = find_by_serial(map, host, base);
	else if (!place)
		place_resolve_device(map, host, path + strlen("/dev/"), list);
	if (place)
		place_list_add(map, list, place);
	add_by_path(map, host, base, list);
}

/* A volume of Proxmox, "STORAGE:VOLUME": the one volume of the host that is called so. */
static void add_volume(struct hl_places *map, const char *host, const char *volume,
		       struct place_list *list)
{
	struct place *found = NULL;
	size_t nr, len = strlen(volume);
	const struct place_sorted *zvols = place_map_of_key(map, "zvol.pool", &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct hl_fact *fact = zvols[i].fact;
		size_t at = fact->node ? strlen(fact->node) : 0;

		if (at <= len || fact->node[at - len - 1] != '/' ||
		    strcmp(fact->node + at - len, volume) ||
		    strcmp(fact->host ? fact->host : "", host))
			continue;
		if (found)
			return; /* two: not known which */
		found = place_map_find(map, fact->host, fact->node);
	}
	if (found)
		place_list_add(map, list, found);
}

void place_resolve(struct hl_places *map, const char *host, const char *word,
		   struct place_list *list)
{
	const char *colon = strchr(word, ':');
	struct place *place;

	if (!strncmp(word, "file:", 5))
		word += 5;
	if (!strncmp(word, ISCSI, strlen(ISCSI))) {
		add_url(map, host, word, list);
	} else if (!strncmp(word, "/dev/", 5) && strncmp(word, "/dev/shm/", 9) != 0) {
		add_dev_path(map, host, word, list);
	} else if (word[0] == '/') {
		place = find_mount(map, host, word);
		if (place)
			place_list_add(map, list, place);
	} else if (colon) {
		add_volume(map, host, colon + 1, list);
	} else if (*word) {
		place_resolve_device(map, host, word, list);
	}
}
