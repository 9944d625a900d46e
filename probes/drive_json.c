/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON about drives: see drive_json.h.
 *
 * Surprising: the outputs come nested (by a monitor, under the drive's name), in pieces of a
 * document, several in one file, with numbers as strings or as objects. So a document is walked,
 * and each object is known by the members it has; the nearest key that is a kernel's name above
 * says which drive it is about.
 */
#include "drive_json.h"
#include "hoploss/json_extent.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_DEPTH 12
#define MAX_ABOVE 3 /* lines between a command and what it printed */

/* ---- numbers ---- */

static double number_of(const struct hl_json *value)
{
	const char *text = hl_json_string(value);

	if (text)
		return hl_drive_number(text, strlen(text));
	return hl_json_boolean(value) >= 0 ? hl_json_boolean(value) : hl_json_number(value);
}

double hl_drive_json_number(const struct hl_json *value)
{
	static const char *const inner[] = { "value", "raw", "current", "string" };
	double number = number_of(value);

	for (size_t i = 0; i < sizeof(inner) / sizeof(*inner) && isnan(number); i++) {
		const struct hl_json *member = hl_json_get(value, inner[i]);

		number = hl_json_is_object(member) ? number_of(hl_json_get(member, "value"))
						   : number_of(member);
	}
	return number;
}

/* As text, for what reads text: a temperature may have its unit with it. */
static void put_field(struct hl_drive *drive, const char *key, const struct hl_json *value)
{
	const char *text = hl_json_string(value);
	char number[40];

	if (hl_json_is_object(value) && !text)
		text = hl_json_string(hl_json_get(value, "string"));
	if (!text || isnan(hl_drive_number(text, strlen(text)))) {
		double known = hl_drive_json_number(value);

		snprintf(number, sizeof(number), known == floor(known) ? "%.0f" : "%.1f", known);
		text = number;
	}
	hl_drive_put_health(drive, key, strlen(key), text, strlen(text));
}

void hl_drive_put_object(struct hl_drive *drive, const struct hl_json *object)
{
	const struct hl_json *value;
	const char *key;
	void *iter = NULL;

	while (hl_json_next(object, &iter, &key, &value))
		put_field(drive, key, value);
}

void hl_drive_put_sensors(struct hl_drive *drive, const struct hl_json *sensors)
{
	static const char *const keys[] = {
		"smart.temperature_sensor1_c", "smart.temperature_sensor2_c",
		"smart.temperature_sensor3_c", "smart.temperature_sensor4_c",
		"smart.temperature_sensor5_c", "smart.temperature_sensor6_c",
		"smart.temperature_sensor7_c", "smart.temperature_sensor8_c",
	};

	for (size_t i = 0; i < hl_json_length(sensors) && i < sizeof(keys) / sizeof(*keys); i++) {
		double celsius = hl_json_number(hl_json_at(sensors, i));

		if (celsius) /* at 0 there is none */
			hl_drive_put_number(drive, keys[i], celsius);
	}
}

/* ---- walking a document ---- */

struct walk {
	const struct hl_text *slice;
	struct hl_reading *reading;
	unsigned line;
	char *device; /* of the command above; NULL */
	size_t nr_found;
};

static bool read_object(struct walk *walk, const struct hl_json *object, const char *name)
{
	struct hl_drive drive = { .line = walk->line };
	bool is_found;

	if (walk->device)
		hl_drive_name(&drive, walk->device, strlen(walk->device));
	if (name)
		hl_drive_name(&drive, name, strlen(name));
	is_found = hl_smartctl_read_object(object, &drive, walk->reading, walk->slice->name) ||
		   hl_nvme_read_object(object, &drive, walk->reading, walk->slice->name);
	hl_drive_clear(&drive);
	return is_found;
}

static bool is_device(const char *key)
{
	return !strncmp(key, "nvme", 4) || !strncmp(key, "/dev/", 5) || !strncmp(key, "sd", 2);
}

/* A monitor's record names the drive beside the output it holds. */
static const char *own_name(const struct hl_json *object, const char *above)
{
	static const char *const keys[] = { "device", "Device", "dev", "path", "name" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *text = hl_json_string(hl_json_get(object, keys[i]));

		if (text && is_device(text))
			return text;
	}
	return above;
}

static void walk_value(struct walk *walk, const struct hl_json *value, const char *name, int depth)
{
	const struct hl_json *member;
	const char *key;
	void *iter = NULL;

	if (depth > MAX_DEPTH)
		return;
	if (hl_json_is_object(value)) {
		name = own_name(value, name);
		walk->nr_found += read_object(walk, value, name);
		if (hl_smartctl_is_object(value) || hl_json_get(value, "Controller"))
			return; /* its parts are read, and look like others */
	}
	for (size_t i = 0; i < hl_json_length(value); i++)
		walk_value(walk, hl_json_at(value, i), name, depth + 1);
	while (hl_json_is_object(value) && hl_json_next(value, &iter, &key, &member))
		walk_value(walk, member, is_device(key) ? key : name, depth + 1);
}

/* The device of a command above the first document. */
static char *find_device(const struct hl_text *slice)
{
	for (size_t i = 0; i < slice->nr_lines && i <= MAX_ABOVE; i++) {
		struct hl_line line = hl_line_trim(slice->lines[i]);
		size_t len;
		const char *device;

		if (hl_line_starts(line, "{") || hl_line_starts(line, "\""))
			return NULL;
		device = hl_drive_device(line, &len);
		if (!device)
			device = hl_drive_headline(line, &len);
		if (device)
			return hl_strndup(device, len);
	}
	return NULL;
}

int hl_drive_read_json(const struct hl_text *slice, struct hl_reading *reading,
		       struct hl_error *err)
{
	HL_FREE char *device = find_device(slice);
	struct walk walk = { .slice = slice, .reading = reading, .device = device };
	struct hl_json_piece piece;
	size_t cursor = 0;
	unsigned cut_line = 0;
	int rc;

	while (!(rc = hl_json_piece_next(slice, &cursor, &piece, err))) {
		walk.line = slice->lines[piece.first].number;
		walk_value(&walk, piece.root, NULL, 0);
		if (piece.is_cut)
			cut_line = slice->lines[piece.last].number;
		hl_json_free(piece.root);
	}
	if (rc != -ENODATA)
		return rc;
	if (cut_line)
		return hl_fail(err, EBADMSG, "%s:%u: the JSON ends early", slice->name, cut_line);
	if (!walk.nr_found)
		return hl_fail(err, EBADMSG, "%s:%u: nothing about a drive in the JSON",
			       slice->name, slice->lines[0].number);
	return 0;
}

/* ---- claim ---- */

static bool mentions_all(const struct hl_text *slice, const char *const *keys)
{
	for (; *keys; keys++) {
		if (!hl_json_mentions(slice, *keys))
			return false;
	}
	return true;
}

size_t hl_drive_claim_json(const struct hl_text *text, size_t at, const char *tool,
			   const char *const *const *keys)
{
	size_t start = at, nr = hl_json_extent(text, at);
	struct hl_text slice;

	if (!nr) {
		start = hl_drive_skip_command(text, at, tool);
		nr = start > at ? hl_json_extent(text, start) : 0;
	}
	slice = hl_text_slice(text, start, nr);
	for (; nr && *keys; keys++) {
		if (mentions_all(&slice, *keys))
			return start - at + nr;
	}
	return 0;
}
