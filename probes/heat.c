/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How hot NVMe drives and CPUs get while something runs.
 *
 * Source: /sys/class/hwmon (Documentation/hwmon/sysfs-interface.rst): temp1_input in m°C, of an
 * NVMe drive its composite temperature, of a CPU its package. Each is read once a second at most; a
 * drive's temperature is an admin command to it, which the kernel itself does no more often (nvme
 * hwmon). SATA drives are left alone, for asking wakes them.
 */
#include "hoploss/meter.h"
#include "hoploss/number.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HWMON        "/sys/class/hwmon"
#define TICKS_A_LOOK 10
#define SENSORS_MAX  64

struct sensor {
	char *dir, *node;
};

struct heat {
	struct sensor *sensors;
	size_t nr_sensors;
	unsigned nr_ticks;
};

static char *read_word(struct hl_machine *machine, const char *dir, const char *file)
{
	HL_FREE char *path = hl_printf("%s/%s", dir, file);
	char *bytes = NULL;
	size_t len;

	if (hl_machine_read(machine, path, &bytes, &len, NULL) < 0)
		return NULL;
	bytes[strcspn(bytes, "\n")] = '\0';
	return bytes;
}

/* "nvme0" of ".../nvme/nvme0"; the kernel's link from the sensor to what it is in. */
static char *device_of(struct hl_machine *machine, const char *dir)
{
	HL_FREE char *path = hl_printf("%s/device", dir);
	HL_FREE char *target = NULL;
	const char *slash;

	if (hl_machine_readlink(machine, path, &target, NULL) < 0)
		return NULL;
	slash = strrchr(target, '/');
	return hl_strdup(slash ? slash + 1 : target);
}

static bool is_cpu(const char *chip)
{
	return !strcmp(chip, "coretemp") || !strcmp(chip, "k10temp") || !strcmp(chip, "zenpower") ||
	       !strcmp(chip, "cpu_thermal");
}

/* The second package is "cpu-2". */
static char *cpu_node(const struct heat *heat)
{
	unsigned nr = 1;

	for (size_t i = 0; i < heat->nr_sensors; i++)
		nr += !strncmp(heat->sensors[i].node, "cpu", 3);
	return nr > 1 ? hl_printf("cpu-%u", nr) : hl_strdup("cpu");
}

static void add_sensor(struct heat *heat, struct hl_machine *machine, const char *dir)
{
	HL_FREE char *chip = read_word(machine, dir, "name");
	char *node = NULL;

	if (chip && is_cpu(chip))
		node = cpu_node(heat);
	else if (chip && !strcmp(chip, "nvme"))
		node = device_of(machine, dir);
	if (!node)
		return;
	heat->sensors = hl_grow(heat->sensors, heat->nr_sensors + 1, sizeof(*heat->sensors));
	heat->sensors[heat->nr_sensors++] = (struct sensor){ hl_strdup(dir), node };
}

static void heat_free(struct heat *heat)
{
	for (size_t i = 0; i < heat->nr_sensors; i++) {
		free(heat->sensors[i].dir);
		free(heat->sensors[i].node);
	}
	free(heat->sensors);
	free(heat);
}

static void *heat_begin(struct hl_machine *machine, const struct hl_meter_target *target)
{
	struct heat *heat = hl_alloc(sizeof(*heat));
	char **names;
	size_t nr;

	(void)target;
	if (hl_machine_list(machine, HWMON, &names, &nr, NULL) == 0) {
		for (size_t i = 0; i < nr && heat->nr_sensors < SENSORS_MAX; i++) {
			HL_FREE char *dir = hl_printf("%s/%s", HWMON, names[i]);

			add_sensor(heat, machine, dir);
		}
		hl_machine_free_names(names, nr);
	}
	if (heat->nr_sensors)
		return heat;
	heat_free(heat);
	return NULL;
}

static void heat_tick(void *state, struct hl_machine *machine, struct hl_meter_points *points)
{
	struct heat *heat = state;

	if (heat->nr_ticks++ % TICKS_A_LOOK)
		return;
	for (size_t i = 0; i < heat->nr_sensors; i++) {
		HL_FREE char *text = read_word(machine, heat->sensors[i].dir, "temp1_input");
		int64_t milli;

		if (text && hl_number_i64(text, strlen(text), &milli) == 0)
			hl_meter_point(points, heat->sensors[i].node, "thermal.temperature_c",
				       (double)milli / 1e3);
	}
}

static void heat_end(void *state, struct hl_machine *machine, double seconds,
		     struct hl_graph *graph, const struct hl_origin *origin)
{
	(void)machine;
	(void)seconds;
	(void)graph;
	(void)origin;
	heat_free(state);
}

const struct hl_meter hl_meter_heat = {
	.name = "heat",
	.summary = "temperatures of NVMe drives and CPUs",
	.begin = heat_begin,
	.tick = heat_tick,
	.end = heat_end,
};
