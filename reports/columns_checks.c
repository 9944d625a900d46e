/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a certificate: see columns_checks.h.
 */
#include "columns_checks.h"
#include "cell.h"
#include "hoploss/unit.h"
#include <math.h>
#include <string.h>

struct shown {
	const struct hl_check *check;
	bool is_of_one_file; /* and that stands with the drive */
};

static const struct hl_check *check_of(const struct hl_row *row)
{
	return ((const struct shown *)row->item)->check;
}

static const char *check_status(const struct hl_row *row)
{
	return hl_check_status_name(check_of(row)->status);
}

static const char *check_id(const struct hl_row *row)
{
	return check_of(row)->id;
}

/* As datasheets count, so that both can be held beside each other. */
static const char *number_of(struct hl_arena *arena, double value, const char *unit)
{
	char text[HL_UNIT_TEXT];

	if (isnan(value))
		return NULL;
	if (unit && !strcmp(unit, "bytes"))
		return hl_arena_strdup(arena, hl_unit_size_sheet(text, value));
	if (unit && !strcmp(unit, "bytes/s"))
		return hl_arena_strdup(arena, hl_unit_rate_sheet(text, value));
	return hl_cell_in_unit(arena, value, unit);
}

#define SHORT 16 /* characters: a longer word stands with the text beside it */

static bool is_short(const char *text)
{
	return strlen(text) <= SHORT;
}

static const char *check_measured(const struct hl_row *row)
{
	const struct hl_check *check = check_of(row);
	const char *text = check->measured_text;

	if (!text)
		return number_of(row->arena, check->measured, check->unit);
	return is_short(text) ? text : NULL;
}

/* "≤ 48 h"; what a word must be, only where it is another one. */
static const char *required_of(struct hl_arena *arena, const struct hl_check *check)
{
	static const char *const signs[HL_NR_RELATIONS] = {
		[HL_RELATION_AT_MOST] = "≤",     [HL_RELATION_AT_LEAST] = "≥",
		[HL_RELATION_BELOW] = "<",       [HL_RELATION_EQUAL] = "=",
		[HL_RELATION_ONE_OF] = "one of",
	};
	bool is_pass = check->status == HL_CHECK_PASS && !check->required_text;
	const char *value = check->required_text;

	if (!check->relation || !(is_pass || check->status == HL_CHECK_FAIL))
		return NULL;
	if (!value)
		value = number_of(arena, check->required, check->unit);
	return value ? hl_arena_printf(arena, "%s %s", signs[check->relation], value) : NULL;
}

/* The file that all evidence was read from: it stands with the drive, once. NULL = several. */
static const char *only_file(struct hl_arena *arena, const struct hl_acceptance *device)
{
	const char *first = NULL;
	size_t len = 0;

	for (size_t i = 0; i < device->nr_checks; i++) {
		const struct hl_check *check = &device->checks[i];

		for (size_t k = 0; k < check->nr_evidence; k++) {
			const char *source = check->evidence[k]->source;

			if (!source || (first && (hl_cell_file_len(source) != len ||
						  strncmp(source, first, len) != 0)))
				return NULL;
			first = first ? first : source;
			len = hl_cell_file_len(first);
		}
	}
	return first && first[len] == ':' ? hl_arena_strndup(arena, first, len) : NULL;
}

/* "from a.txt:12" of the first piece of evidence. */
static const char *source_of(const struct hl_row *row)
{
	const struct hl_check *check = check_of(row);
	const struct hl_fact *fact = check->nr_evidence ? check->evidence[0] : NULL;

	if (!fact || !fact->source || check->status != HL_CHECK_FAIL)
		return NULL;
	if (((const struct shown *)row->item)->is_of_one_file)
		return hl_arena_printf(row->arena, "line %s",
				       fact->source + hl_cell_file_len(fact->source) + 1);
	return hl_arena_printf(row->arena, "from %s", fact->source);
}

/* "reason; required ≤ 48 h; line 12", as far as there is something to say */
static const char *check_what(const struct hl_row *row)
{
	const struct hl_check *check = check_of(row);
	const char *required = required_of(row->arena, check), *source = source_of(row);
	const char *what = check->reason ? check->reason : check->title;

	if (check->measured_text && !is_short(check->measured_text))
		what = hl_arena_printf(row->arena, "%s, %s", check->measured_text, what);
	if (check->mend)
		what = hl_arena_printf(row->arena, "%s: %s", what, check->mend);
	if (required)
		what = hl_arena_printf(row->arena, "%s; required %s", what, required);
	return source ? hl_arena_printf(row->arena, "%s; %s", what, source) : what;
}

static const struct hl_column check_columns[] = {
	{ "status", check_status, .kind = HL_COLUMN_NAME },
	{ "check", check_id, .kind = HL_COLUMN_NAME, .is_kept = true },
	{ "measured", check_measured, .kind = HL_COLUMN_NUMBER },
	{ "what", check_what, .kind = HL_COLUMN_LONG, .is_below = true },
	{ 0 },
};

/* What needs the reader first. */
static const enum hl_check_status order[] = { HL_CHECK_FAIL, HL_CHECK_NOT_MEASURED, HL_CHECK_PASS,
					      HL_CHECK_SHOWN, HL_CHECK_NOT_ASKED };

struct hl_grid *hl_columns_checks(struct hl_arena *arena, const struct hl_acceptance *device)
{
	struct hl_row *rows = hl_arena_alloc(arena, device->nr_checks * sizeof(*rows));
	struct shown *shown = hl_arena_alloc(arena, device->nr_checks * sizeof(*shown));
	bool is_of_one_file = only_file(arena, device);
	size_t nr = 0;

	for (size_t k = 0; k < sizeof(order) / sizeof(*order); k++) {
		for (size_t i = 0; i < device->nr_checks; i++) {
			if (device->checks[i].status != order[k])
				continue;
			shown[nr] = (struct shown){ &device->checks[i], is_of_one_file };
			rows[nr] = (struct hl_row){ .arena = arena, .item = &shown[nr] };
			nr++;
		}
	}
	return hl_grid_new(arena, "checks", "Checks", check_columns, rows, nr);
}

#define DRIVE_CELL(name)                                                                           \
	static const char *drive_##name(const struct hl_row *row)                                  \
	{                                                                                          \
		return ((const struct hl_acceptance *)row->item)->name;                            \
	}

DRIVE_CELL(device)
DRIVE_CELL(host)
DRIVE_CELL(serial)
DRIVE_CELL(bdf)
DRIVE_CELL(slot)
DRIVE_CELL(model)
DRIVE_CELL(firmware)

static const char *drive_verdict(const struct hl_row *row)
{
	return hl_acceptance_verdict_name(((const struct hl_acceptance *)row->item)->verdict);
}

static const char *drive_failed(const struct hl_row *row)
{
	const struct hl_acceptance *device = row->item;
	const char *list = NULL;

	for (size_t i = 0; i < device->nr_checks; i++) {
		const struct hl_check *check = &device->checks[i];

		if (check->status == HL_CHECK_FAIL)
			list = list ? hl_arena_printf(row->arena, "%s, %s", list, check->id)
				    : check->id;
	}
	return list;
}

static const struct hl_column drive_columns[] = {
	{ "drive", drive_device, .kind = HL_COLUMN_NAME },
	{ "host", drive_host, .kind = HL_COLUMN_NAME, .drop = 3 },
	{ "verdict", drive_verdict, .kind = HL_COLUMN_NAME },
	{ "serial", drive_serial, .kind = HL_COLUMN_NAME },
	{ "slot", drive_slot, .kind = HL_COLUMN_NAME },
	{ "function", drive_bdf, .kind = HL_COLUMN_NAME, .drop = 2 },
	{ "model", drive_model, .kind = HL_COLUMN_NAME, .drop = 4 },
	{ "firmware", drive_firmware, .kind = HL_COLUMN_NAME, .drop = 5 },
	{ "failed", drive_failed, .kind = HL_COLUMN_LONG, .is_below = true },
	{ 0 },
};

struct hl_grid *hl_columns_drives(struct hl_arena *arena, const struct hl_acceptance_set *set)
{
	struct hl_row *rows = hl_arena_alloc(arena, set->nr_devices * sizeof(*rows));

	if (set->nr_devices < 2)
		return NULL;
	for (size_t i = 0; i < set->nr_devices; i++)
		rows[i] = (struct hl_row){ .arena = arena, .item = &set->devices[i] };
	return hl_grid_new(arena, "drives", "Drives", drive_columns, rows, set->nr_devices);
}

/* Saved output of a tool may know a drive by its model or its function only. */
static const char *beside(const struct hl_acceptance *device, const char *text)
{
	return text && device->device && !strcmp(text, device->device) ? NULL : text;
}

const char *hl_columns_drive(struct hl_arena *arena, const struct hl_acceptance *device)
{
	const struct {
		const char *label, *value;
	} parts[] = {
		{ "", device->device },
		{ "host ", device->host },
		{ "", beside(device, device->model) },
		{ "serial ", device->serial },
		{ "firmware ", device->firmware },
		{ "", beside(device, device->bdf) },
		{ "slot ", device->slot },
		{ "datasheet ", device->spec },
	};
	const char *text = "", *file = NULL;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (parts[i].value)
			text = hl_arena_printf(arena, "%s%s%s%s", text, *text ? ", " : "",
					       parts[i].label, parts[i].value);
	}
	if (device->count[HL_CHECK_FAIL])
		file = only_file(arena, device);
	if (device->is_spec_by_model)
		text = hl_arena_printf(arena, "%s (chosen by its model)", text);
	return file ? hl_arena_printf(arena, "%s; lines are of %s", text, file) : text;
}
