/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Block devices in sysfs: see hoploss/blockdev.h.
 */
#include "hoploss/blockdev.h"
#include "hoploss/alloc.h"
#include "hoploss/number.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#define SECTOR      512
#define STACK_MAX   8 /* devices upon each other */
#define PAGE_HEADER 4 /* of a SCSI VPD page */
#define MAX_SENSORS 9 /* of one drive: NVMe has its composite temperature and up to eight */

static int read_attribute(struct hl_machine *machine, dev_t device, const char *name,
			  char **ret_bytes, size_t *ret_len)
{
	HL_FREE char *path = hl_printf("/sys/dev/block/%u:%u/%s", major(device), minor(device),
				       name);

	return hl_machine_read(machine, path, ret_bytes, ret_len, NULL);
}

/* The printable text of an attribute without blanks around it. */
static void take_text(const char *bytes, size_t len, char *ret_text)
{
	size_t used = 0;

	while (len && !isgraph((unsigned char)*bytes)) {
		bytes++;
		len--;
	}
	for (; used < len && used < HL_BLOCKDEV_TEXT - 1 && isprint((unsigned char)bytes[used]);
	     used++)
		ret_text[used] = bytes[used];
	while (used && ret_text[used - 1] == ' ')
		used--;
	ret_text[used] = '\0';
}

static void read_first(struct hl_machine *machine, dev_t device, const char *const *names,
		       char *ret_text)
{
	for (; *names && !*ret_text; names++) {
		HL_FREE char *bytes = NULL;
		size_t len, skip = strstr(*names, "vpd_pg80") ? PAGE_HEADER : 0;

		if (read_attribute(machine, device, *names, &bytes, &len) == 0 && len > skip)
			take_text(bytes + skip, len - skip, ret_text);
	}
}

void hl_blockdev_identify(struct hl_machine *machine, dev_t device,
			  struct hl_blockdev_identity *ret)
{
	static const char *const serials[] = {
		"serial",    "device/serial",    "device/vpd_pg80",
		"../serial", "../device/serial", "../device/vpd_pg80",
		NULL
	};
	static const char *const wwids[] = { "wwid", "device/wwid", "../wwid", "../device/wwid",
					     NULL };

	*ret = (struct hl_blockdev_identity){ 0 };
	read_first(machine, device, serials, ret->serial);
	read_first(machine, device, wwids, ret->wwid);
}

/* "8:16\n" */
static bool read_device(struct hl_machine *machine, dev_t device, const char *name, dev_t *ret)
{
	HL_FREE char *bytes = NULL;
	uint64_t number[2];
	size_t len, first;

	if (read_attribute(machine, device, name, &bytes, &len) < 0)
		return false;
	first = strcspn(bytes, ":");
	if (!bytes[first] || hl_number_u64(bytes, first, &number[0]) < 0 ||
	    hl_number_u64(bytes + first + 1, strcspn(bytes + first + 1, "\n"), &number[1]) < 0)
		return false;
	*ret = makedev((unsigned)number[0], (unsigned)number[1]);
	return true;
}

static bool is_on(struct hl_machine *machine, dev_t upper, dev_t lower, unsigned depth)
{
	HL_FREE char *path = hl_printf("/sys/dev/block/%u:%u/slaves", major(upper), minor(upper));
	char **names = NULL;
	size_t nr = 0;
	dev_t below;
	bool is_found = upper == lower;

	if (is_found || !depth)
		return is_found;
	if (read_device(machine, upper, "../dev", &below))
		is_found = is_on(machine, below, lower, depth - 1);
	if (!is_found && hl_machine_list(machine, path, &names, &nr, NULL) < 0)
		return false;
	for (size_t i = 0; i < nr && !is_found; i++) {
		HL_FREE char *name = hl_printf("slaves/%s/dev", names[i]);

		is_found = read_device(machine, upper, name, &below) &&
			   is_on(machine, below, lower, depth - 1);
	}
	hl_machine_free_names(names, nr);
	return is_found;
}

bool hl_blockdev_is_on(struct hl_machine *machine, dev_t upper, dev_t lower)
{
	return is_on(machine, upper, lower, STACK_MAX);
}

/* ---- what it did ---- */

/* The columns of a file "stat", added to ret. */
static int add_stat(struct hl_machine *machine, const char *directory,
		    struct hl_blockdev_counters *ret)
{
	enum { READS = 1, READ_MS = 4, WRITES = 5, WRITE_MS = 8, BUSY = 10, QUEUE, DISCARDS };
	HL_FREE char *path = hl_printf("%s/stat", directory);
	HL_FREE char *bytes = NULL;
	double columns[DISCARDS + 1] = { 0 };
	int nr = 0, rc;
	size_t len;
	char *end;

	rc = hl_machine_read(machine, path, &bytes, &len, NULL);
	if (rc < 0)
		return rc;
	for (char *at = bytes; nr < DISCARDS; at = end) {
		double number = strtod(at, &end);

		if (end == at)
			break;
		columns[++nr] = number;
	}
	if (nr < QUEUE)
		return -EBADMSG;
	ret->ios += columns[READS] + columns[WRITES] + columns[DISCARDS];
	ret->busy_ms += columns[BUSY];
	ret->queue_ms += columns[QUEUE];
	ret->of[HL_BLOCKDEV_READ] += columns[READS];
	ret->of[HL_BLOCKDEV_WRITE] += columns[WRITES];
	ret->ms[HL_BLOCKDEV_READ] += columns[READ_MS];
	ret->ms[HL_BLOCKDEV_WRITE] += columns[WRITE_MS];
	return 0;
}

/* queue/iostats is 0; a partition has the queue of its disk. */
static bool is_counting_off(struct hl_machine *machine, const char *directory)
{
	static const char *const places[] = { "queue/iostats", "../queue/iostats" };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		HL_FREE char *path = hl_printf("%s/%s", directory, places[i]);
		HL_FREE char *bytes = NULL;
		size_t len;

		if (hl_machine_read(machine, path, &bytes, &len, NULL) == 0)
			return bytes[0] == '0';
	}
	return false;
}

/* The number at *at, which moves behind it; -1: none. */
static long take_number(const char **at)
{
	size_t len = strspn(*at, "0123456789");
	long number = len && len < 10 ? strtol(*at, NULL, 10) : -1;

	*at += len;
	return number;
}

/* "nvme0": a controller, and no namespace of one. */
static bool is_controller(const char *name)
{
	const char *at = name + 4;

	return !strncmp(name, "nvme", 4) && take_number(&at) >= 0 && !*at;
}

/* 3 of "nvme0n3", and of "nvme0c1n3", a path to it; -1: neither. */
static long namespace_of(const char *name, bool is_path)
{
	const char *at = name + 4;
	long number;

	if (strncmp(name, "nvme", 4) != 0 || take_number(&at) < 0)
		return -1;
	if (is_path && (*at++ != 'c' || take_number(&at) < 0))
		return -1;
	if (*at++ != 'n')
		return -1;
	number = take_number(&at);
	return !*at || (!is_path && *at == 'p') ? number : -1;
}

/* Its name in the kernel, "" = it does not say. */
static void read_name(struct hl_machine *machine, dev_t device, char *ret_name)
{
	HL_FREE char *bytes = NULL;
	const char *at;
	size_t len;

	*ret_name = '\0';
	if (read_attribute(machine, device, "uevent", &bytes, &len) < 0)
		return;
	at = strstr(bytes, "DEVNAME=");
	if (at)
		take_text(at + strlen("DEVNAME="), strcspn(at + strlen("DEVNAME="), "\n"),
			  ret_name);
}

/* Adds what the paths of a namespace by one controller did; returns how many there are. */
static unsigned add_paths_of(struct hl_machine *machine, const char *controller, long number,
			     struct hl_blockdev_counters *ret)
{
	unsigned nr_paths = 0;
	char **names;
	size_t nr;

	if (hl_machine_list(machine, controller, &names, &nr, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf("%s/%s", controller, names[i]);

		if (namespace_of(names[i], true) != number || add_stat(machine, path, ret) < 0)
			continue;
		ret->is_off |= is_counting_off(machine, path);
		nr_paths++;
	}
	hl_machine_free_names(names, nr);
	return nr_paths;
}

/*
 * Source: drivers/nvme/host/multipath.c. The device of a namespace with paths is its subsystem,
 * which has its controllers, and each of these its path, a disk that nobody can open.
 */
static unsigned add_paths(struct hl_machine *machine, dev_t device,
			  struct hl_blockdev_counters *ret)
{
	static const char *const places[] = { "device", "../device" };
	char name[HL_BLOCKDEV_TEXT];
	unsigned nr_paths = 0;
	long number;

	read_name(machine, device, name);
	number = namespace_of(name, false);
	for (size_t i = 0; number >= 0 && i < 2 && !nr_paths; i++) {
		HL_FREE char *subsystem = hl_printf("/sys/dev/block/%u:%u/%s", major(device),
						    minor(device), places[i]);
		char **names;
		size_t nr;

		if (hl_machine_list(machine, subsystem, &names, &nr, NULL) < 0)
			continue;
		for (size_t k = 0; k < nr; k++) {
			HL_FREE char *controller = hl_printf("%s/%s", subsystem, names[k]);

			if (is_controller(names[k]))
				nr_paths += add_paths_of(machine, controller, number, ret);
		}
		hl_machine_free_names(names, nr);
	}
	return nr_paths;
}

int hl_blockdev_count(struct hl_machine *machine, dev_t device, struct hl_blockdev_counters *ret)
{
	HL_FREE char *self = hl_printf("/sys/dev/block/%u:%u", major(device), minor(device));
	struct hl_blockdev_counters counters = { 0 };
	int rc;

	if (!add_paths(machine, device, &counters)) {
		rc = add_stat(machine, self, &counters);
		if (rc < 0)
			return rc;
		counters.is_off = is_counting_off(machine, self);
	}
	*ret = counters;
	return 0;
}

double hl_blockdev_start(struct hl_machine *machine, dev_t device)
{
	HL_FREE char *bytes = NULL;
	struct hl_blockdev_counters counters;
	size_t len;

	if (read_attribute(machine, device, "start", &bytes, &len) == 0)
		return strtod(bytes, NULL) * SECTOR;
	return hl_blockdev_count(machine, device, &counters) == 0 ? 0 : NAN;
}

/* ---- temperature ---- */

/* Calls take for each hwmon directory of a device, wherever its driver hangs it. */
static void each_hwmon(struct hl_machine *machine, const char *device,
		       void (*take)(struct hl_machine *machine, const char *hwmon, void *to),
		       void *to)
{
	char **names;
	size_t nr;

	if (hl_machine_list(machine, device, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf("%s/%s", device, names[i]);

		if (!strcmp(names[i], "hwmon"))
			each_hwmon(machine, path, take, to);
		else if (!strncmp(names[i], "hwmon", 5))
			take(machine, path, to);
	}
	hl_machine_free_names(names, nr);
}

/* Thousandths of a degree; NAN. */
static double read_celsius(struct hl_machine *machine, const char *hwmon, int number,
			   const char *what)
{
	HL_FREE char *path = hl_printf("%s/temp%d_%s", hwmon, number, what);
	HL_FREE char *bytes = NULL;
	size_t len;
	char *end;
	double value;

	if (hl_machine_read(machine, path, &bytes, &len, NULL) < 0)
		return NAN;
	value = strtod(bytes, &end);
	return end == bytes ? NAN : value / 1000;
}

static void take_heat(struct hl_machine *machine, const char *hwmon, void *to)
{
	struct hl_blockdev_heat *heat = to;

	for (int i = 1; i <= MAX_SENSORS; i++) {
		double critical = read_celsius(machine, hwmon, i, "crit");
		double celsius = isnan(critical) ? NAN : read_celsius(machine, hwmon, i, "input");
		bool is_nearer = !(critical - celsius >= heat->critical - heat->celsius);

		if (!isnan(celsius) && is_nearer)
			*heat = (struct hl_blockdev_heat){ celsius, critical };
	}
}

void hl_blockdev_feel(struct hl_machine *machine, dev_t device, struct hl_blockdev_heat *ret)
{
	static const char *const places[] = { "device", "../device" };

	*ret = (struct hl_blockdev_heat){ NAN, NAN };
	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && isnan(ret->celsius); i++) {
		HL_FREE char *path = hl_printf("/sys/dev/block/%u:%u/%s", major(device),
					       minor(device), places[i]);

		each_hwmon(machine, path, take_heat, ret);
	}
}

/* ---- paths ---- */

/* 1 and 0: a path that works, or does not; NAN: it does not say. */
static double is_path_up(struct hl_machine *machine, const char *block)
{
	HL_FREE char *path = hl_printf("%s/device/state", block);
	HL_FREE char *bytes = NULL;
	size_t len;

	if (hl_machine_read(machine, path, &bytes, &len, NULL) < 0)
		return NAN;
	bytes[strcspn(bytes, "\n")] = '\0';
	return !strcmp(bytes, "running") || !strcmp(bytes, "live");
}

double hl_blockdev_paths(struct hl_machine *machine, dev_t device)
{
	HL_FREE char *self = hl_printf("/sys/dev/block/%u:%u", major(device), minor(device));
	HL_FREE char *below = hl_printf("%s/slaves", self);
	double sum = is_path_up(machine, self);
	char **names;
	size_t nr;

	if (!isnan(sum) || hl_machine_list(machine, below, &names, &nr, NULL) < 0)
		return sum;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf("%s/%s", below, names[i]);
		double is_up = is_path_up(machine, path);

		if (!isnan(is_up))
			sum = (isnan(sum) ? 0 : sum) + is_up;
	}
	hl_machine_free_names(names, nr);
	return sum;
}
