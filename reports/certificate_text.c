/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The certificate for a terminal: the verdict is the first line.
 */
#include "columns_checks.h"
#include "hoploss/certificate.h"
#include "pen.h"

static const enum hl_ink inks[] = {
	[HL_ACCEPT_PASS] = HL_INK_GOOD,
	[HL_ACCEPT_INCOMPLETE] = HL_INK_DOUBT,
	[HL_ACCEPT_FAIL] = HL_INK_BAD,
};

static void put_device(struct hl_pen *pen, struct hl_arena *arena,
		       const struct hl_acceptance *device)
{
	struct hl_grid *checks = hl_columns_checks(arena, device);

	hl_pen_ink(pen, inks[device->verdict]);
	hl_pen_wrap(pen, device->headline, 2);
	hl_pen_ink(pen, HL_INK_PLAIN);
	hl_pen_newline(pen);
	hl_pen_wrap(pen, hl_columns_drive(arena, device), 2);
	hl_pen_newline(pen);
	if (checks)
		hl_pen_grid(pen, checks, 2);
	hl_pen_newline(pen);
}

static void put_lines(struct hl_pen *pen, const char *label, const char *const *lines, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		hl_pen_item(pen, label, lines[i], 0);
}

static void text_render(const struct hl_acceptance_set *set, const struct hl_report_style *style,
			FILE *out)
{
	struct hl_pen pen = hl_pen_new(out, style);
	struct hl_grid *drives = hl_columns_drives(set->arena, set);

	/* the verdict on all is the first line, also where one drive is well and another missing */
	if (drives || set->verdict != set->devices[0].verdict) {
		hl_pen_ink(&pen, inks[set->verdict]);
		hl_pen_wrap(&pen, set->headline, 2);
		hl_pen_ink(&pen, HL_INK_PLAIN);
		hl_pen_newline(&pen);
	}
	if (drives) {
		hl_pen_heading(&pen, drives->title);
		hl_pen_grid(&pen, drives, 2);
		hl_pen_newline(&pen);
	}
	put_lines(&pen, "finding", set->findings, set->nr_findings);
	for (size_t i = 0; i < set->nr_devices; i++)
		put_device(&pen, set->arena, &set->devices[i]);
	put_lines(&pen, "note", set->notes, set->nr_notes);
}

const struct hl_certificate hl_certificate_text = {
	.name = "text",
	.render = text_render,
};
