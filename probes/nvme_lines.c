/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of nvme id-ctrl, id-ns, error-log and self-test-log: see nvme_lines.h.
 *
 * Surprising: temperatures of id-ctrl are bare numbers in Kelvin, and 0 there means "not said".
 */
#include "nvme_lines.h"
#include <math.h>
#include <string.h>

/* The number behind a label within a line; NAN = no such label. */
static double behind(struct hl_line line, const char *label)
{
	const char *at = memmem(line.start, line.len, label, strlen(label));

	if (!at)
		return NAN;
	at += strlen(label);
	return hl_drive_number(at, (size_t)(line.start + line.len - at));
}

static double either(double a, double b)
{
	return isnan(a) ? b : a;
}

/* ---- id-ctrl ---- */

/* "ps    0 : mp:25.00W operational enlat:0 exlat:0 rrt:0 rrl:0" */
static void read_power_state(struct hl_line value, struct hl_nvme_log *log)
{
	const char *watts = memmem(value.start, value.len, "mp:", 3);
	double max_w = NAN;

	if (watts) {
		double whole = behind(value, "mp:");
		const char *point = memchr(watts, '.', (size_t)(value.start + value.len - watts));
		size_t rest = point ? (size_t)(value.start + value.len - point - 1) : 0;

		max_w = whole + (rest > 1 ? hl_drive_number(point + 1, 2) / 100 : 0);
	}
	hl_nvme_add_power_state(log, max_w, hl_line_has(value, "non-operational"),
				behind(value, "exlat:"));
}

void hl_nvme_read_id_ctrl(struct hl_line line, struct hl_drive *drive, struct hl_nvme_log *log)
{
	struct hl_line name, value;

	if (!hl_nvme_split(line, &name, &value) || name.start[0] == '[')
		return;
	if (hl_line_starts(name, "ps ") && hl_line_has(value, "mp:"))
		read_power_state(value, log);
	else if (!hl_drive_put_identity(drive, name.start, name.len, value.start, value.len))
		hl_nvme_put_controller(drive, name.start, name.len,
				       hl_drive_number(value.start, value.len));
}

/* ---- id-ns ---- */

/*
 * "lbaf  0 : ms:0   lbads:9  rp:0x2 (in use)", or with -H "LBA Format  0 : Metadata Size: 0 bytes -
 * Data Size: 512 bytes - Relative Performance: 0x2 Good (in use)".
 */
static void read_format(struct hl_line name, struct hl_line value, struct hl_nvme_log *log)
{
	double shift = either(behind(value, "lbads:"), behind(value, " ds:"));
	struct hl_nvme_lba format = {
		.index = behind(name, hl_line_starts(name, "lbaf") ? "lbaf" : "LBA Format"),
		.bytes = behind(value, "Data Size:"),
		.metadata = either(behind(value, "ms:"), behind(value, "Metadata Size:")),
		.performance = either(behind(value, "rp:"), behind(value, "Performance:")),
		.is_in_use = hl_line_has(value, "(in use)"),
	};

	if (shift > 0 && shift < 32)
		format.bytes = ldexp(1, (int)shift);
	hl_nvme_add_format(log, &format);
}

void hl_nvme_read_id_ns(struct hl_line line, struct hl_nvme_log *log)
{
	const struct {
		const char *name;
		double *ret;
	} rows[] = {
		{ "nsze", &log->nsze },   { "ncap", &log->ncap }, { "nuse", &log->nuse },
		{ "flbas", &log->flbas }, { "nmic", &log->nmic },
	};
	struct hl_line name, value;

	if (!hl_nvme_split(line, &name, &value))
		return;
	if (hl_line_starts(name, "lbaf") || hl_line_starts(name, "LBA Format"))
		read_format(name, value, log);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (strlen(rows[i].name) == name.len && hl_line_starts(name, rows[i].name) &&
		    isnan(*rows[i].ret))
			*rows[i].ret = hl_drive_number(value.start, value.len);
	}
}

/* ---- logs ---- */

static void read_error(struct hl_line name, struct hl_line value, struct hl_nvme_log *log)
{
	double number = hl_drive_number(value.start, value.len);

	if (hl_line_starts(name, "error_count"))
		hl_nvme_add_error(log, number, NAN);
	/* of the entry above, whose status comes behind its count */
	else if (hl_line_starts(name, "status_field") && log->nr_errors == 1 &&
		 isnan(log->newest_status))
		log->newest_status = number;
}

static void read_test(struct hl_line name, struct hl_line value, struct hl_nvme_log *log)
{
	double number = hl_drive_number(value.start, value.len);

	if (hl_line_starts(name, "Current operation"))
		log->running = number;
	else if (hl_line_starts(name, "Operation Result") || hl_line_starts(name, "Test Result"))
		hl_nvme_add_test(log, number, NAN);
	else if (hl_line_starts(name, "Power on hours"))
		hl_nvme_add_test_hours(log, number);
}

void hl_nvme_read_log(struct hl_line line, struct hl_nvme_log *log)
{
	struct hl_line name, value;

	if (!hl_nvme_split(line, &name, &value))
		return;
	if (log->output == HL_NVME_ERROR_LOG)
		read_error(name, value, log);
	else
		read_test(name, value, log);
}
