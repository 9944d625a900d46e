/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a block device stands on, and who stands on it.
 *
 * Source: the path of its directory in /sys/devices, which names the PCI function, the controller
 * and the session ("…/0000:01:00.0/nvme/nvme0/nvme0n1"); slaves/ and holders/; loop/backing_file;
 * dm/ (Documentation/ABI/testing/sysfs-block-dm); /sys/class/iscsi_session and iscsi_connection.
 *
 * Surprising: an NVMe drive with native multipath hangs below a virtual subsystem, whose
 * controllers are listed beside it. A session's address is that of its connection.
 */
#include "block.h"
#include "hoploss/alloc.h"
#include "sysfs.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLASS "/sys/class/block"

/* The components of a path, from the end: the last one that is_it likes. */
static char *find_component(const char *path, bool (*is_it)(const char *name, size_t len))
{
	const char *end = path + strlen(path);

	while (end > path) {
		const char *slash = memrchr(path, '/', (size_t)(end - path));
		const char *start = slash ? slash + 1 : path;

		if (is_it(start, (size_t)(end - start)))
			return hl_strndup(start, (size_t)(end - start));
		end = slash ? slash : path;
	}
	return NULL;
}

/* "0000:01:00.0" */
static bool is_pci(const char *name, size_t len)
{
	static const char shape[] = "xxxx:xx:xx.x";

	if (len != strlen(shape))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (shape[i] == 'x' ? !isxdigit((unsigned char)name[i]) : name[i] != shape[i])
			return false;
	}
	return true;
}

static bool is_numbered(const char *name, size_t len, const char *word)
{
	size_t at = strlen(word);

	if (len <= at || memcmp(name, word, at) != 0)
		return false;
	while (at < len && isdigit((unsigned char)name[at]))
		at++;
	return at == len;
}

static bool is_nvme(const char *name, size_t len)
{
	return is_numbered(name, len, "nvme");
}

static bool is_session(const char *name, size_t len)
{
	return is_numbered(name, len, "session");
}

static bool is_subsystem(const char *name, size_t len)
{
	return is_numbered(name, len, "nvme-subsys");
}

/* ---- NVMe and PCI ---- */

/* The first controller of a subsystem. */
static char *controller_of(struct hl_machine *machine, const char *subsystem)
{
	HL_FREE char *path = hl_printf("/sys/class/nvme-subsystem/%s", subsystem);
	char **names, *found = NULL;
	size_t nr;

	if (hl_machine_list(machine, path, &names, &nr, NULL) < 0)
		return NULL;
	for (size_t i = 0; i < nr && !found; i++) {
		if (is_nvme(names[i], strlen(names[i])))
			found = hl_strdup(names[i]);
	}
	hl_machine_free_names(names, nr);
	return found;
}

static void add_pci(const struct hl_block *block, const char *link, const char *source)
{
	HL_FREE char *pci = find_component(link, is_pci);

	hl_block_add_text(block, "block.pci_address", pci, source);
}

static void add_controller(const struct hl_block *block, const char *source)
{
	HL_FREE char *subsystem = find_component(block->link, is_subsystem);
	HL_FREE char *controller = subsystem ? controller_of(block->machine, subsystem)
					     : find_component(block->link, is_nvme);
	HL_FREE char *path = NULL, *link = NULL;

	hl_block_add_text(block, "block.controller", controller, source);
	if (!subsystem || !controller) {
		add_pci(block, block->link, source);
		return;
	}
	path = hl_printf("/sys/class/nvme/%s", controller);
	if (hl_machine_readlink(block->machine, path, &link, NULL) == 0)
		add_pci(block, link, path);
}

/* ---- iSCSI ---- */

static char *portal_of(struct hl_machine *machine, const char *session)
{
	static const char *const addresses[] = { "address", "persistent_address" };
	static const char *const ports[] = { "port", "persistent_port" };
	const char *number = session + strlen("session");

	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
		HL_FREE char *address_path = hl_printf(
			"/sys/class/iscsi_connection/connection%s:0/%s", number, addresses[i]);
		HL_FREE char *port_path = hl_printf("/sys/class/iscsi_connection/connection%s:0/%s",
						    number, ports[i]);
		HL_FREE char *address = hl_sysfs_text(machine, address_path);
		HL_FREE char *port = hl_sysfs_text(machine, port_path);
		bool is_ipv6 = address && strchr(address, ':') && *address != '[';

		if (address && port)
			return hl_printf("%s%s%s:%s", is_ipv6 ? "[" : "", address,
					 is_ipv6 ? "]" : "", port);
	}
	return NULL;
}

/* "H:C:T:L" of the SCSI device: the LUN */
static void add_lun(const struct hl_block *block)
{
	HL_FREE char *path = hl_printf(CLASS "/%s/device", block->name);
	HL_FREE char *address = hl_sysfs_link(block->machine, path);
	const char *colon = address ? strrchr(address, ':') : NULL;

	if (colon && isdigit((unsigned char)colon[1]))
		hl_block_add_number(block, "block.lun", strtod(colon + 1, NULL), path);
}

static void add_session(const struct hl_block *block)
{
	HL_FREE char *session = find_component(block->link, is_session);
	HL_FREE char *path = NULL, *target = NULL, *portal = NULL, *node = NULL;

	if (!session)
		return;
	path = hl_printf("/sys/class/iscsi_session/%s/targetname", session);
	target = hl_sysfs_text(block->machine, path);
	portal = portal_of(block->machine, session);
	if (!target)
		return;
	node = hl_printf("%s@%s", target, portal ? portal : "?");
	hl_block_add_text(block, "block.session", node, path);
	add_lun(block);
}

/* ---- stacking ---- */

static bool add_names(const struct hl_block *block, const char *directory, const char *key)
{
	HL_FREE char *path = hl_printf(CLASS "/%s/%s", block->name, directory);
	HL_FREE char *names = hl_sysfs_names(block->machine, path);

	hl_block_add_text(block, key, names, path);
	return names != NULL;
}

/* The file of a loop device: a path that stands on what is mounted there. */
static bool add_backing(const struct hl_block *block)
{
	HL_FREE char *path = hl_printf(CLASS "/%s/loop/backing_file", block->name);
	HL_FREE char *file = hl_sysfs_text(block->machine, path);

	if (!file)
		return false;
	hl_block_add_text(block, "block.backing_file", file, path);
	if (!strchr(file, ' ')) /* which is what stands between several devices */
		hl_block_add_text(block, "block.below", file, path);
	return true;
}

/* A partition lies in the directory of its disk. */
static void add_disk(const struct hl_block *block)
{
	HL_FREE char *path = hl_printf(CLASS "/%s/partition", block->name);
	HL_FREE char *number = hl_sysfs_text(block->machine, path);
	const char *end = strrchr(block->link, '/'), *slash;
	HL_FREE char *disk = NULL;

	if (!number || !end || end == block->link)
		return;
	slash = memrchr(block->link, '/', (size_t)(end - block->link));
	if (!slash)
		return;
	disk = hl_strndup(slash + 1, (size_t)(end - slash - 1));
	hl_block_add_text(block, "block.below", disk, path);
}

/* "LVM-…", "mpath-…", "CRYPT-LUKS2-…", "part1-mpath-…": what made it. */
static void add_mapper(const struct hl_block *block)
{
	HL_FREE char *uuid_path = hl_printf(CLASS "/%s/dm/uuid", block->name);
	HL_FREE char *uuid = hl_sysfs_text(block->machine, uuid_path);

	if (!uuid)
		return;
	uuid[strcspn(uuid, "-")] = '\0'; /* behind it are the UUIDs themselves */
	hl_block_add_text(block, "block.dm_kind", uuid, uuid_path);
}

void hl_block_place(const struct hl_block *block)
{
	HL_FREE char *source = hl_printf(CLASS "/%s", block->name);

	if (!add_names(block, "slaves", "block.below") && !add_backing(block))
		add_disk(block);
	add_names(block, "holders", "block.holders");
	add_mapper(block);
	add_controller(block, source);
	add_session(block);
}
