/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a certificate: see columns_checks.h.
 */
#include "columns_checks.h"
#include "cell.h"

static const char *check_status(const struct hl_row *row)
{
	return hl_check_status_name(((const struct hl_check *)row->item)->status);
}

static const char *check_id(const struct hl_row *row)
{
	return ((const struct hl_check *)row->item)->id;
}

static const char *check_measured(const struct hl_row *row)
{
	const struct hl_check *check = row->item;

	return check->measured_text ? check->measured_text
				    : hl_cell_in_unit(row->arena, check->measured, check->unit);
}

static const char *check_required(const struct hl_row *row)
{
	const struct hl_check *check = row->item;

	return check->required_text ? check->required_text
				    : hl_cell_in_unit(row->arena, check->required, check->unit);
}

/* "/sys/…: PCIe link width now" of the first piece of evidence. */
static const char *source_of(const struct hl_row *row, const struct hl_check *check)
{
	const struct hl_fact *fact = check->nr_evidence ? check->evidence[0] : NULL;

	return fact && fact->source ? hl_arena_printf(row->arena, "(%s)", fact->source) : NULL;
}

static const char *check_why(const struct hl_row *row)
{
	const struct hl_check *check = row->item;
	const char *source = check->status == HL_CHECK_FAIL ? source_of(row, check) : NULL;
	const char *why = check->reason ? check->reason : check->title;

	if (check->mend)
		why = hl_arena_printf(row->arena, "%s: %s", why, check->mend);
	return source ? hl_arena_printf(row->arena, "%s %s", why, source) : why;
}

static const struct hl_column check_columns[] = {
	{ "status", check_status, .kind = HL_COLUMN_NAME },
	{ "check", check_id, .kind = HL_COLUMN_NAME },
	{ "measured", check_measured, .kind = HL_COLUMN_NUMBER },
	{ "required", check_required, .kind = HL_COLUMN_NUMBER, .drop = 1 },
	{ "what", check_why, .kind = HL_COLUMN_LONG },
	{ 0 },
};

struct hl_grid *hl_columns_checks(struct hl_arena *arena, const struct hl_acceptance *device)
{
	struct hl_row *rows = hl_arena_alloc(arena, device->nr_checks * sizeof(*rows));

	for (size_t i = 0; i < device->nr_checks; i++)
		rows[i] = (struct hl_row){ .arena = arena, .item = &device->checks[i] };
	return hl_grid_new(arena, "checks", "Checks", check_columns, rows, device->nr_checks);
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
	{ "failed", drive_failed, .kind = HL_COLUMN_LONG },
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

const char *hl_columns_drive(struct hl_arena *arena, const struct hl_acceptance *device)
{
	const struct {
		const char *label, *value;
	} parts[] = {
		{ "", device->device },
		{ "host ", device->host },
		{ "", device->model },
		{ "serial ", device->serial },
		{ "firmware ", device->firmware },
		{ "", device->bdf },
		{ "slot ", device->slot },
		{ "datasheet ", device->spec },
	};
	const char *text = "";

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (parts[i].value)
			text = hl_arena_printf(arena, "%s%s%s%s", text, *text ? ", " : "",
					       parts[i].label, parts[i].value);
	}
	return device->is_spec_by_model ? hl_arena_printf(arena, "%s (chosen by its model)", text)
					: text;
}
