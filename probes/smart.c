/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Health of SATA and SAS drives: "smartctl -x -j -n standby" of each, where it is installed, kept
 * as it is and decoded as a person's saved file (smartctl_json.c). smartctl(8).
 *
 * Surprising: what a drive sleeps through must not wake it. -n standby asks ATA drives first; a
 * disk that the kernel has suspended would be woken by opening it alone, so it is left. LUNs of a
 * network, USB bridges and virtual disks have no health of their own. Disks are asked side by
 * side, for each takes some tenths of a second.
 */
#include "hoploss/alloc.h"
#include "hoploss/probe.h"
#include "sysfs.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CLASS       "/sys/block"
#define MAX_AT_ONCE 16

struct disk {
	const char *name; /* "sda" */
	pthread_t thread;
	char *bytes;
	size_t len;
	int rc;
	struct hl_error err;
};

/* ---- which ---- */

static bool has_part(const char *text, const char *const *parts)
{
	for (; text && *parts; parts++) {
		if (strstr(text, *parts))
			return true;
	}
	return false;
}

static char *attribute(struct hl_machine *machine, const char *name, const char *path)
{
	HL_FREE char *whole = hl_printf(CLASS "/%s/%s", name, path);

	return hl_sysfs_text(machine, whole);
}

/* Behind a network or a USB bridge. */
static bool is_far(struct hl_machine *machine, const char *name)
{
	static const char *const ways[] = { "/session", "/rport-", "/usb", NULL };
	HL_FREE char *path = hl_printf(CLASS "/%s", name);
	HL_FREE char *target = NULL;

	return hl_machine_readlink(machine, path, &target, NULL) == 0 && has_part(target, ways);
}

static bool is_virtual(struct hl_machine *machine, const char *name)
{
	static const char *const vendors[] = { "QEMU", "VMware", "Msft",    "VBOX",
					       "LIO-", "Google", "NUTANIX", NULL };
	HL_FREE char *vendor = attribute(machine, name, "device/vendor");
	HL_FREE char *model = attribute(machine, name, "device/model");

	return has_part(vendor, vendors) || has_part(model, vendors);
}

static bool is_suspended(struct hl_machine *machine, const char *name)
{
	HL_FREE char *status = attribute(machine, name, "device/power/runtime_status");

	return status && !strcmp(status, "suspended");
}

static bool is_asked(struct hl_machine *machine, const char *name)
{
	HL_FREE char *size = hl_printf(CLASS "/%s/size", name);

	return !strncmp(name, "sd", 2) && hl_sysfs_number(machine, size) > 0 &&
	       !is_far(machine, name) && !is_virtual(machine, name) && !is_suspended(machine, name);
}

/* ---- asking ---- */

static void *ask(void *argument)
{
	struct disk *disk = argument;
	HL_FREE char *device = hl_printf("/dev/%s", disk->name);
	const char *const argv[] = { "smartctl", "-x", "-j", "-n", "standby", device, NULL };

	disk->rc = hl_capture_output(argv, &disk->bytes, &disk->len, &disk->err);
	return NULL;
}

/* smartctl says it in its JSON, and that anything is wrong with the disk in its exit code. */
static int keep(struct hl_capture *capture, struct disk *disk, struct hl_error *err)
{
	if (disk->rc < 0 && disk->rc != -EIO)
		return hl_fail(err, -disk->rc, "%s", disk->err.text);
	if (!disk->len)
		return 0;
	if (strstr(disk->bytes, "Permission denied"))
		return hl_fail(err, EACCES, "smartctl may not open /dev/%s", disk->name);
	return hl_capture_keep(capture, "smartctl.json", disk->name, disk->bytes, disk->len, err);
}

static int ask_all(struct hl_capture *capture, struct disk *disks, size_t nr, struct hl_error *err)
{
	bool is_started[MAX_AT_ONCE];
	int r = 0;

	for (size_t i = 0; i < nr; i++)
		is_started[i] = !pthread_create(&disks[i].thread, NULL, ask, &disks[i]);
	for (size_t i = 0; i < nr; i++) {
		int kept;

		if (is_started[i])
			pthread_join(disks[i].thread, NULL);
		kept = is_started[i] ? keep(capture, &disks[i], err) : 0;
		r = r < 0 ? r : kept;
		free(disks[i].bytes);
	}
	return r;
}

static int smart_acquire(struct hl_capture *capture, struct hl_error *err)
{
	struct disk disks[MAX_AT_ONCE];
	size_t nr_names, nr = 0, nr_asked = 0;
	char **names;
	int r = hl_machine_list(capture->machine, CLASS, &names, &nr_names, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < nr_names && r == 0; i++) {
		if (!is_asked(capture->machine, names[i]))
			continue;
		disks[nr++] = (struct disk){ .name = names[i] };
		nr_asked++;
		if (nr < MAX_AT_ONCE)
			continue;
		r = ask_all(capture, disks, nr, err);
		nr = 0;
	}
	if (r == 0 && nr)
		r = ask_all(capture, disks, nr, err);
	hl_machine_free_names(names, nr_names);
	if (!nr_asked)
		return hl_fail(err, ENOENT, "no SATA or SAS drive that is awake");
	return r == -ENOENT ? hl_fail(err, EOPNOTSUPP, "smartctl is not installed") : r;
}

const struct hl_probe hl_probe_smart = {
	.name = "smart",
	.summary = "SATA and SAS drives by smartctl, without waking one",
	.layer = HL_LAYER_DRIVE,
	.acquire = smart_acquire,
};
