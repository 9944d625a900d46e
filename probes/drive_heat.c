/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How hot the drives of a slot's target get, and whether they throttle themselves meanwhile.
 *
 * Source: the SMART log of NVMe drives (each reading is an admin command, so at most one a second),
 * or without privilege hwmon, which has no counters. Surprising: the counters of thermal management
 * stand still on drives that do not have it; so 0 is a fact, and clears nothing.
 */
#include "drive.h"
#include "hoploss/meter.h"
#include "nvme_device.h"
#include "nvme_print.h"
#include "sysfs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#define MAX_DRIVES 32
#define MAX_DEPTH  4 /* of devices on devices */
#define PERIOD_S   1
#define KELVIN     273
#define MILLI      1000

struct reading { /* NAN = not known */
	double celsius, times, seconds;
};

struct drive {
	char *name; /* "nvme0", "sda" */
	int fd;     /* of its node; -1 = hwmon only */
	struct reading before, last;
	double hottest;
};

struct heat {
	struct drive drives[MAX_DRIVES];
	size_t nr;
	double looked_s; /* when that was last done */
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- one drive ---- */

static bool read_smart(const struct drive *drive, struct reading *ret)
{
	enum { TEMPERATURE_AT = 1, COUNTS_AT = 216, TIMES_AT = 224 };
	unsigned char page[HL_NVME_SMART_BYTES] __attribute__((aligned(8))) = { 0 };
	double kelvin;

	if (drive->fd < 0 || hl_nvme_log_smart(drive->fd, page) < 0)
		return false;
	kelvin = hl_nvme_page_number(page, TEMPERATURE_AT, 2);
	ret->celsius = kelvin > 0 ? kelvin - KELVIN : NAN;
	ret->times = hl_nvme_page_number(page, COUNTS_AT, 4) +
		     hl_nvme_page_number(page, COUNTS_AT + 4, 4);
	ret->seconds = hl_nvme_page_number(page, TIMES_AT, 4) +
		       hl_nvme_page_number(page, TIMES_AT + 4, 4);
	return true;
}

/* Of the first hwmon device in a directory; NAN. */
static double read_hwmon(struct hl_machine *machine, const char *directory)
{
	double milli = NAN;
	char **names;
	size_t nr;

	if (hl_machine_list(machine, directory, &names, &nr, NULL) < 0)
		return NAN;
	for (size_t i = 0; i < nr && isnan(milli); i++) {
		HL_FREE char *path = hl_printf("%s/%s/temp1_input", directory, names[i]);

		if (!strncmp(names[i], "hwmon", 5))
			milli = hl_sysfs_number(machine, path);
	}
	hl_machine_free_names(names, nr);
	return milli / MILLI;
}

static struct reading read_drive(struct hl_machine *machine, const struct drive *drive)
{
	static const char *const places[] = { "/sys/class/nvme/%s",
					      "/sys/class/nvme/%s/device/hwmon",
					      "/sys/class/block/%s/device/hwmon" };
	struct reading reading = { NAN, NAN, NAN };

	if (read_smart(drive, &reading))
		return reading;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && isnan(reading.celsius); i++) {
		char path[128];

		snprintf(path, sizeof(path), places[i], drive->name);
		reading.celsius = read_hwmon(machine, path);
	}
	return reading;
}

/* ---- which drives ---- */

static bool has_drive(const struct heat *heat, const char *name)
{
	for (size_t i = 0; i < heat->nr; i++) {
		if (!strcmp(heat->drives[i].name, name))
			return true;
	}
	return heat->nr == MAX_DRIVES;
}

static void add_drive(struct heat *heat, struct hl_machine *machine, const char *device)
{
	HL_FREE char *name = hl_drive_controller(device);
	HL_FREE char *node = hl_printf("/dev/%s", name);
	struct drive *drive;

	if (has_drive(heat, name) || (strncmp(name, "nvme", 4) != 0 && strncmp(name, "sd", 2) != 0))
		return;
	drive = &heat->drives[heat->nr++];
	*drive = (struct drive){ .name = hl_strdup(name), .fd = -1, .hottest = NAN };
	if (!strncmp(name, "nvme", 4))
		hl_machine_open_device(machine, node, &drive->fd, NULL);
}

/* What a device stands on; itself where that is nothing. */
static void add_below(struct heat *heat, struct hl_machine *machine, const char *device, int depth)
{
	HL_FREE char *path = hl_printf("/sys/class/block/%s/slaves", device);
	char **names = NULL;
	size_t nr = 0;

	if (depth > MAX_DEPTH || hl_machine_list(machine, path, &names, &nr, NULL) < 0)
		nr = 0;
	for (size_t i = 0; i < nr; i++)
		add_below(heat, machine, names[i], depth + 1);
	if (!nr)
		add_drive(heat, machine, device);
	if (names)
		hl_machine_free_names(names, nr);
}

static void find_drives(struct heat *heat, struct hl_machine *machine, const char *path)
{
	HL_FREE char *link = NULL;
	HL_FREE char *device = NULL;
	struct stat status;
	dev_t number;

	if (stat(path, &status) < 0)
		return;
	number = S_ISBLK(status.st_mode) ? status.st_rdev : status.st_dev;
	link = hl_printf("/sys/dev/block/%u:%u", major(number), minor(number));
	device = hl_sysfs_link(machine, link);
	if (device)
		add_below(heat, machine, device, 0);
}

/* ---- the meter ---- */

static void look(struct heat *heat, struct hl_machine *machine)
{
	for (size_t i = 0; i < heat->nr; i++) {
		struct drive *drive = &heat->drives[i];

		drive->last = read_drive(machine, drive);
		drive->hottest = fmax(drive->hottest, drive->last.celsius);
	}
	heat->looked_s = now_s();
}

static void free_heat(struct heat *heat)
{
	for (size_t i = 0; i < heat->nr; i++) {
		hl_close_fd(&heat->drives[i].fd);
		free(heat->drives[i].name);
	}
	free(heat);
}

static void *heat_begin(struct hl_machine *machine, const struct hl_meter_target *target)
{
	struct heat *heat;

	if (!target->path)
		return NULL;
	heat = hl_alloc(sizeof(*heat));
	find_drives(heat, machine, target->path);
	if (!heat->nr) {
		free_heat(heat);
		return NULL;
	}
	look(heat, machine);
	for (size_t i = 0; i < heat->nr; i++)
		heat->drives[i].before = heat->drives[i].last;
	return heat;
}

static void heat_tick(void *state, struct hl_machine *machine, struct hl_meter_points *points)
{
	struct heat *heat = state;

	if (now_s() - heat->looked_s < PERIOD_S)
		return;
	look(heat, machine);
	for (size_t i = 0; i < heat->nr; i++)
		hl_meter_point(points, heat->drives[i].name, "nvme.slot_throttled_s",
			       heat->drives[i].last.seconds - heat->drives[i].before.seconds);
}

/* The sum over the drives that have the counter; NAN = none has. */
static double plus(double sum, double more)
{
	return isnan(more) ? sum : (isnan(sum) ? 0 : sum) + more;
}

static void heat_end(void *state, struct hl_machine *machine, double seconds,
		     struct hl_graph *graph, const struct hl_origin *origin)
{
	struct heat *heat = state;
	struct hl_origin where = *origin;
	const struct drive *hottest = &heat->drives[0];
	double times = NAN, throttled_s = NAN;

	(void)seconds;
	look(heat, machine);
	for (size_t i = 0; i < heat->nr; i++) {
		const struct drive *drive = &heat->drives[i];

		times = plus(times, drive->last.times - drive->before.times);
		throttled_s = plus(throttled_s, drive->last.seconds - drive->before.seconds);
		if (!(drive->hottest <= hottest->hottest))
			hottest = drive;
	}
	where.source = hottest->name;
	hl_graph_add_number(graph, &where, "drive.temperature_max_c", hottest->hottest);
	hl_graph_add_number(graph, &where, "nvme.slot_throttles", times);
	hl_graph_add_number(graph, &where, "nvme.slot_throttled_s", throttled_s);
	free_heat(heat);
}

const struct hl_meter hl_meter_drive_heat = {
	.name = "drive-heat",
	.summary = "how hot the target's own drives get, and whether they throttle",
	.begin = heat_begin,
	.tick = heat_tick,
	.end = heat_end,
};
