/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Disks that several can reach, by sysfs: see hoploss/shared.h.
 *
 * Surprising: with native multipath a namespace hangs on its subsystem, whose directory holds the
 * controllers; without, on one controller. Its hidden paths (nvme0c0n1) have its wwid and no device
 * number.
 */
#include "hoploss/shared.h"
#include "hoploss/alloc.h"
#include "hoploss/blockdev.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

struct look {
	struct hl_machine *machine;
	dev_t device;
	char *how;
	size_t size;
};

/* An attribute's first line, to be freed; NULL. */
static char *read_line(const struct look *look, const char *path)
{
	char *bytes = NULL;
	size_t len;

	if (hl_machine_read(look->machine, path, &bytes, &len, NULL) < 0)
		return NULL;
	bytes[strcspn(bytes, "\n")] = '\0';
	return bytes;
}

static char *path_of(const struct look *look, const char *name)
{
	return hl_printf("/sys/dev/block/%u:%u%s", major(look->device), minor(look->device), name);
}

/* ---- its place ---- */

static bool is_far(const struct look *look)
{
	static const struct {
		const char *part, *how; /* of where it stands in /sys/devices */
	} places[] = {
		{ "/session", "it is an iSCSI disk" },
		{ "/rport-", "it is a Fibre Channel disk" },
		{ "/nvme-fabrics/", "it is an NVMe drive of a network" },
		{ "/block/nbd", "it is a network block device (nbd)" },
		{ "/block/rbd", "it is a Ceph image (rbd)" },
		{ "/block/drbd", "it is replicated to another machine (drbd)" },
	};
	HL_FREE char *path = path_of(look, "");
	HL_FREE char *place = NULL;

	if (hl_machine_readlink(look->machine, path, &place, NULL) < 0)
		return false;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (!strstr(place, places[i].part))
			continue;
		snprintf(look->how, look->size, "%s", places[i].how);
		return true;
	}
	return false;
}

static bool is_multipath(const struct look *look)
{
	static const char *const names[] = { "/dm/uuid", "/../dm/uuid" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		HL_FREE char *path = path_of(look, names[i]);
		HL_FREE char *uuid = read_line(look, path);

		if (!uuid || !strstr(uuid, "mpath-"))
			continue;
		snprintf(look->how, look->size,
			 "it is a multipath device, reached by a network or "
			 "by several controllers");
		return true;
	}
	return false;
}

/* ---- NVMe ---- */

/* "nvme0", and neither "nvme0n1" nor "nvme0c0n1". */
static bool is_controller(const char *name)
{
	size_t len = !strncmp(name, "nvme", 4) ? strlen(name) : 0;

	for (size_t i = 4; i < len; i++) {
		if (!isdigit((unsigned char)name[i]))
			return false;
	}
	return len > 4;
}

static bool has_far_transport(const struct look *look, const char *controller)
{
	HL_FREE char *path = hl_printf("%s/transport", controller);
	HL_FREE char *transport = read_line(look, path);

	if (!transport || !strcmp(transport, "pcie") || !strcmp(transport, "apple-nvme"))
		return false;
	snprintf(look->how, look->size, "it is an NVMe drive of a network (%.16s)", transport);
	return true;
}

/* The directory is that of a controller, or that of a subsystem with its controllers. */
static bool is_in_subsystem(const struct look *look, const char *directory)
{
	unsigned nr_controllers = 0;
	bool is_found = has_far_transport(look, directory);
	char **names;
	size_t nr;

	if (is_found || hl_machine_list(look->machine, directory, &names, &nr, NULL) < 0)
		return is_found;
	for (size_t i = 0; i < nr && !is_found; i++) {
		HL_FREE char *controller = hl_printf("%s/%s", directory, names[i]);

		if (!is_controller(names[i]))
			continue;
		nr_controllers++;
		is_found = has_far_transport(look, controller);
	}
	hl_machine_free_names(names, nr);
	if (is_found || nr_controllers < 2)
		return is_found;
	snprintf(look->how, look->size, "%u controllers of one NVMe subsystem reach it",
		 nr_controllers);
	return true;
}

static bool is_shared_nvme(const struct look *look)
{
	HL_FREE char *whole = path_of(look, "/device");
	HL_FREE char *part = path_of(look, "/../device");

	return is_in_subsystem(look, whole) || is_in_subsystem(look, part);
}

/* ---- another name of the same medium ---- */

static bool read_number(const struct look *look, const char *path, dev_t *ret_device)
{
	HL_FREE char *text = read_line(look, path);
	unsigned long number;
	char *end;

	if (!text)
		return false;
	number = strtoul(text, &end, 10);
	if (end == text || *end != ':')
		return false;
	*ret_device = makedev((unsigned)number, (unsigned)strtoul(end + 1, NULL, 10));
	return true;
}

static bool is_same_disk(const struct look *look, const char *name, const char *wwid)
{
	HL_FREE char *number = hl_printf("/sys/block/%s/dev", name);
	struct hl_blockdev_identity identity;
	dev_t device;

	if (!read_number(look, number, &device) ||
	    hl_blockdev_is_on(look->machine, look->device, device))
		return false;
	hl_blockdev_identify(look->machine, device, &identity);
	return !strcmp(identity.wwid, wwid);
}

static bool has_twin(const struct look *look)
{
	struct hl_blockdev_identity own;
	char **names;
	bool is_found = false;
	size_t nr;

	hl_blockdev_identify(look->machine, look->device, &own);
	if (!*own.wwid || hl_machine_list(look->machine, "/sys/block", &names, &nr, NULL) < 0)
		return false;
	for (size_t i = 0; i < nr && !is_found; i++) {
		is_found = is_same_disk(look, names[i], own.wwid);
		if (is_found)
			snprintf(look->how, look->size, "%.40s is another path to it", names[i]);
	}
	hl_machine_free_names(names, nr);
	return is_found;
}

bool hl_shared_find(struct hl_machine *machine, dev_t device, int fd, char *ret_how, size_t size)
{
	const struct look look = { machine, device, ret_how, size };

	return is_far(&look) || is_multipath(&look) || is_shared_nvme(&look) || has_twin(&look) ||
	       (fd >= 0 && hl_shared_ask(fd, ret_how, size));
}
