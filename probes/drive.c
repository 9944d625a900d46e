/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collecting what an output says of a drive, and making facts of it: see drive.h.
 *
 * The bits of the critical warning are facts of their own (NVM Express Base 2.0, figure 207), for
 * they are judged one by one.
 */
#include "drive.h"
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAME 64

/* ---- names ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Letters, then letters and digits, with at least one digit or an "sd" before: a kernel's name. */
static size_t name_length(const char *text, size_t len)
{
	size_t nr = 0;
	bool has_digit = false;

	for (; nr < len && isalnum((unsigned char)text[nr]); nr++)
		has_digit = has_digit || isdigit((unsigned char)text[nr]);
	if (!nr || !islower((unsigned char)text[0]) || nr >= MAX_NAME)
		return 0;
	if (nr < len && (text[nr] == '/' || text[nr] == '-' || text[nr] == '_'))
		return 0;
	return has_digit || (nr > 2 && (!memcmp(text, "sd", 2) || !memcmp(text, "hd", 2))) ? nr : 0;
}

void hl_drive_name(struct hl_drive *drive, const char *path, size_t len)
{
	static const char prefix[] = "/dev/";

	while (len && is_blank(*path)) {
		path++;
		len--;
	}
	if (len > strlen(prefix) && !memcmp(path, prefix, strlen(prefix))) {
		path += strlen(prefix);
		len -= strlen(prefix);
	}
	len = name_length(path, len);
	if (!len)
		return;
	free(drive->name);
	drive->name = hl_strndup(path, len);
}

/* Its number, of "nvme" or "ng", and what stands behind it. */
static const char *skip_number(const char *text)
{
	while (isdigit((unsigned char)*text))
		text++;
	return text;
}

char *hl_drive_controller(const char *name)
{
	size_t prefix = !strncmp(name, "nvme", 4) ? 4 : !strncmp(name, "ng", 2) ? 2 : 0;
	const char *number = name + prefix, *end = skip_number(number);
	size_t len = strlen(name);

	if (prefix && end > number) {
		if (*end == 'c' && isdigit((unsigned char)end[1])) { /* a path of a subsystem */
			number = end + 1;
			end = skip_number(number);
		}
		return hl_printf("nvme%.*s", (int)(end - number), number);
	}
	if (!strncmp(name, "sd", 2)) {
		while (len > 3 && isdigit((unsigned char)name[len - 1]))
			len--;
	}
	return hl_strndup(name, len);
}

/* ---- values ---- */

const struct hl_drive_value *hl_drive_find(const struct hl_drive *drive, const char *key)
{
	for (size_t i = 0; i < drive->nr; i++) {
		if (!strcmp(drive->values[i].key, key))
			return &drive->values[i];
	}
	return NULL;
}

static struct hl_drive_value *add_value(struct hl_drive *drive, const char *key,
					enum hl_fact_type type)
{
	struct hl_drive_value *value;

	if (hl_drive_find(drive, key))
		return NULL;
	drive->values = hl_grow(drive->values, drive->nr + 1, sizeof(*drive->values));
	value = &drive->values[drive->nr++];
	*value = (struct hl_drive_value){ .key = key, .type = type, .line = drive->line };
	return value;
}

void hl_drive_put_number(struct hl_drive *drive, const char *key, double value)
{
	struct hl_drive_value *new = isfinite(value) ? add_value(drive, key, HL_FACT_NUMBER) : NULL;

	if (new)
		new->number = value;
}

void hl_drive_put_boolean(struct hl_drive *drive, const char *key, bool value)
{
	struct hl_drive_value *new = add_value(drive, key, HL_FACT_BOOLEAN);

	if (new)
		new->boolean = value;
}

static bool is_empty(const char *text, size_t len)
{
	static const char *const nothing[] = { "",    "-",    "N/A",
					       "n/a", "null", "[No Information Found]" };

	for (size_t i = 0; i < sizeof(nothing) / sizeof(*nothing); i++) {
		if (strlen(nothing[i]) == len && !memcmp(text, nothing[i], len))
			return true;
	}
	return false;
}

void hl_drive_put_string(struct hl_drive *drive, const char *key, const char *text, size_t len)
{
	struct hl_drive_value *new;

	if (!text)
		return;
	for (; len && is_blank(*text); len--)
		text++;
	while (len && is_blank(text[len - 1]))
		len--;
	new = is_empty(text, len) ? NULL : add_value(drive, key, HL_FACT_STRING);
	if (new)
		new->string = hl_strndup(text, len);
}

/* ---- facts ---- */

static void put_warnings(struct hl_drive *drive)
{
	static const char *const bits[] = {
		"smart.warns_spare",     "smart.warns_temperature", "smart.warns_reliability",
		"smart.warns_read_only", "smart.warns_backup",      "smart.warns_pmr",
	};
	const struct hl_drive_value *warning = hl_drive_find(drive, "smart.critical_warning");
	unsigned mask;

	if (!warning || !(warning->number >= 0 && warning->number <= UINT8_MAX))
		return;
	mask = (unsigned)warning->number;
	drive->line = warning->line;
	for (unsigned i = 0; i < sizeof(bits) / sizeof(*bits); i++)
		hl_drive_put_boolean(drive, bits[i], mask >> i & 1);
}

static void put_airflow(struct hl_drive *drive)
{
	drive->line = drive->airflow_line;
	if (drive->airflow_c > 0)
		hl_drive_put_number(drive, "smart.temperature_c", drive->airflow_c);
}

/* What a RAID controller gives for its volumes: 0 C, with 0 C as the limit. */
static bool has_no_temperature(const struct hl_drive *drive)
{
	const struct hl_drive_value *now = hl_drive_find(drive, "smart.temperature_c");
	const struct hl_drive_value *limit = hl_drive_find(drive, "drive.temperature_critical_c");

	return now && limit && now->number == 0 && limit->number == 0;
}

static bool is_temperature(const char *key)
{
	return !strcmp(key, "smart.temperature_c") || !strcmp(key, "drive.temperature_critical_c");
}

static void add_fact(struct hl_graph *graph, const struct hl_origin *origin,
		     const struct hl_drive_value *value)
{
	if (value->type == HL_FACT_NUMBER)
		hl_graph_add_number(graph, origin, value->key, value->number);
	else if (value->type == HL_FACT_STRING)
		hl_graph_add_string(graph, origin, value->key, value->string);
	else
		hl_graph_add_boolean(graph, origin, value->key, value->boolean);
}

bool hl_drive_finish(struct hl_drive *drive, const struct hl_reading *reading, const char *file)
{
	HL_FREE char *node = NULL;
	bool has_values, is_cold;

	put_warnings(drive);
	put_airflow(drive);
	has_values = drive->nr > 0;
	is_cold = has_no_temperature(drive);
	node = hl_drive_node(drive, reading);
	for (size_t i = 0; i < drive->nr; i++) {
		HL_FREE char *source = hl_printf("%s:%u", file, drive->values[i].line);
		struct hl_origin origin = { .host = reading->host, .node = node, .source = source };

		if (!is_cold || !is_temperature(drive->values[i].key))
			add_fact(reading->graph, &origin, &drive->values[i]);
	}
	hl_drive_clear(drive);
	return has_values;
}

void hl_drive_clear(struct hl_drive *drive)
{
	for (size_t i = 0; i < drive->nr; i++)
		free(drive->values[i].string);
	free(drive->values);
	free(drive->name);
	free(drive->member);
	*drive = (struct hl_drive){ .line = drive->line };
}
