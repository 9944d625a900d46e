/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a drive is called in the report: see drive.h.
 *
 * Surprising: most outputs do not say which device they are of, and a text, or a pile of files, may
 * hold those of many drives of one model. The serial number tells them apart; where that is blacked
 * out or missing, two that say different things are taken for two drives.
 */
#include "drive.h"
#include <ctype.h>
#include <string.h>

#define LEAST_DIGITS 3 /* of a serial number that is one */

/* Not "XXXXXXXX" or "REDACTED". */
static bool is_serial(const char *text)
{
	unsigned nr = 0;

	for (; *text; text++)
		nr += isdigit((unsigned char)*text) != 0;
	return nr >= LEAST_DIGITS;
}

static bool is_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_equal(const struct hl_fact *fact, const struct hl_drive_value *value)
{
	if (fact->type != value->type)
		return true; /* says nothing */
	if (value->type == HL_FACT_NUMBER)
		return fact->number == value->number;
	if (value->type == HL_FACT_BOOLEAN)
		return fact->boolean == value->boolean;
	return is_text(fact->string, value->string);
}

/* Whether what is known of that node cannot be of this drive. */
static bool is_another(const struct hl_drive *drive, const struct hl_reading *reading,
		       const char *node)
{
	const struct hl_graph *graph = reading->graph;
	bool differs = false;

	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];
		const struct hl_drive_value *value;

		if (!is_text(fact->node, node) || !is_text(fact->host, reading->host))
			continue;
		value = hl_drive_find(drive, fact->key);
		if (!value)
			continue;
		if (!strcmp(fact->key, "drive.serial") && is_serial(fact->string) &&
		    is_serial(value->string))
			return !is_equal(fact, value);
		differs = differs || !is_equal(fact, value);
	}
	return differs;
}

/* The name that the text itself gives the device; NULL = it does not. */
static char *own_name(const struct hl_drive *drive, const struct hl_reading *reading)
{
	if (reading->node)
		return hl_strdup(reading->node);
	if (!drive->name || drive->member)
		return NULL;
	return drive->is_namespace ? hl_strdup(drive->name) : hl_drive_controller(drive->name);
}

char *hl_drive_node(const struct hl_drive *drive, const struct hl_reading *reading)
{
	const struct hl_drive_value *model = hl_drive_find(drive, "drive.model");
	char *name = own_name(drive, reading);
	HL_FREE char *base = NULL;

	if (name)
		return name;
	if (model) /* many alike stand behind one controller */
		base = hl_printf("%s%s%s", model->string, drive->member ? " " : "",
				 drive->member ? drive->member : "");
	else
		base = hl_strdup(reading->stem ? reading->stem : "drive");
	name = hl_strdup(base);
	for (unsigned n = 2; is_another(drive, reading, name); n++) {
		hl_free_pointer(&name);
		name = hl_printf("%s %u", base, n);
	}
	return name;
}
