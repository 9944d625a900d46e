/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine's temperature sensors by libsensors(3): see sensors_read.h.
 *
 * Surprising: the library keeps its state in globals, reads /sys and no other root, and prints its
 * complaints about configuration files to stderr unless it is given a function for them.
 */
#include "sensors_read.h"
#include "hoploss/alloc.h"
#include "hoploss/json.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sensors/error.h>
#include <sensors/sensors.h>

#define MAX_NAME 200

static void say_nothing(const char *error, int line)
{
	(void)error;
	(void)line;
}

static void say_nothing_of_file(const char *error, const char *file, int line)
{
	(void)file;
	say_nothing(error, line);
}

/* Their temperature comes by SMART (smartctl -n standby), which wakes none. */
static bool is_disk(const sensors_chip_name *chip)
{
	return !strcmp(chip->prefix, "drivetemp");
}

static void put_feature(struct hl_json_out *out, const sensors_chip_name *chip,
			const sensors_feature *feature)
{
	const sensors_subfeature *part;
	char *label = sensors_get_label(chip, feature);
	int nr = 0;

	hl_json_object(out, label ? label : feature->name);
	while ((part = sensors_get_all_subfeatures(chip, feature, &nr))) {
		double value;

		if (part->flags & SENSORS_MODE_R &&
		    sensors_get_value(chip, part->number, &value) == 0)
			hl_json_put_number(out, part->name, value);
	}
	hl_json_close(out);
	free(label);
}

static bool has_temperature(const sensors_chip_name *chip)
{
	const sensors_feature *feature;
	int nr = 0;

	while ((feature = sensors_get_features(chip, &nr))) {
		if (feature->type == SENSORS_FEATURE_TEMP)
			return true;
	}
	return false;
}

static bool put_chip(struct hl_json_out *out, const sensors_chip_name *chip)
{
	const sensors_feature *feature;
	char name[MAX_NAME];
	int nr = 0;

	if (is_disk(chip) || !has_temperature(chip) ||
	    sensors_snprintf_chip_name(name, sizeof(name), chip) < 0)
		return false;
	hl_json_object(out, name);
	hl_json_put_string(out, "Adapter", sensors_get_adapter_name(&chip->bus));
	while ((feature = sensors_get_features(chip, &nr))) {
		if (feature->type == SENSORS_FEATURE_TEMP)
			put_feature(out, chip, feature);
	}
	hl_json_close(out);
	return true;
}

static size_t put_chips(FILE *file)
{
	struct hl_json_out *out = hl_json_out_new(file);
	const sensors_chip_name *chip;
	size_t nr_found = 0;
	int nr = 0;

	hl_json_object(out, NULL);
	while ((chip = sensors_get_detected_chips(NULL, &nr)))
		nr_found += put_chip(out, chip);
	hl_json_close(out);
	hl_json_out_free(out);
	return nr_found;
}

int hl_sensors_json(char **ret_json)
{
	HL_FREE char *text = NULL;
	size_t len = 0, nr = 0;
	FILE *file;

	sensors_parse_error = say_nothing;
	sensors_parse_error_wfn = say_nothing_of_file;
	if (sensors_init(NULL) != 0)
		return -ENOENT;
	file = open_memstream(&text, &len);
	if (file) {
		nr = put_chips(file);
		fclose(file);
	}
	sensors_cleanup();
	if (!nr)
		return -ENOENT;
	*ret_json = text;
	text = NULL;
	return 0;
}
