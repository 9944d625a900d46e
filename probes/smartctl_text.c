/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * smartctl's text, 5.x to 7.x, with any of -i -H -A -a -x, of ATA, SCSI and NVMe drives.
 *
 * Surprising: the three kinds of drive share hardly a line. Sections are separated by empty lines,
 * and a paste may have any of them; a mailer breaks the attributes' long lines in two.
 */
#include "saved.h"
#include "smartctl.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#define MAX_LINE 200

struct reader {
	struct hl_drive drive;
	char vendor[MAX_LINE], product[MAX_LINE]; /* of SCSI; "" */
	bool is_in_tests;                         /* lines of a self-test log */
};

/* ---- values ---- */

static void copy_line(struct hl_line line, char text[MAX_LINE])
{
	struct hl_line trimmed = hl_line_trim(line);
	size_t len = trimmed.len < MAX_LINE - 1 ? trimmed.len : MAX_LINE - 1;

	memcpy(text, trimmed.start, len);
	text[len] = '\0';
}

static bool split(struct hl_line line, struct hl_line *ret_name, struct hl_line *ret_value)
{
	const char *colon;

	line = hl_line_trim(line);
	colon = memchr(line.start, ':', line.len);
	if (!colon || colon == line.start)
		return false;
	*ret_name = line;
	ret_name->len = (unsigned)(colon - line.start);
	*ret_name = hl_line_trim(*ret_name);
	*ret_value = line;
	ret_value->start = colon + 1;
	ret_value->len = line.len - (unsigned)(colon + 1 - line.start);
	*ret_value = hl_line_trim(*ret_value);
	return true;
}

static bool is_name(struct hl_line name, const char *wanted)
{
	return name.len == strlen(wanted) && !strncasecmp(name.start, wanted, name.len);
}

static double number(struct hl_line value)
{
	return hl_drive_number(value.start, value.len);
}

/* "PAS" of PASSED */
static bool is_begun(struct hl_line value, const char *word)
{
	return value.len && value.len < strlen(word) && !memcmp(word, value.start, value.len);
}

static bool is_verdict_cut(struct hl_line name, struct hl_line value)
{
	return (is_name(name, "SMART overall-health self-assessment test result") ||
		is_name(name, "SMART Health Status")) &&
	       (is_begun(value, "PASSED") || is_begun(value, "FAILED") || is_begun(value, "OK"));
}

static void put_passed(struct hl_drive *drive, struct hl_line value)
{
	if (hl_line_starts(value, "PASSED") || hl_line_starts(value, "OK"))
		hl_drive_put_boolean(drive, "smart.health_passed", true);
	else if (value.len && !hl_line_starts(value, "UNKNOWN") && value.start[0] != '<' &&
		 !hl_line_starts(value, "Not"))
		hl_drive_put_boolean(drive, "smart.health_passed", false);
}

/* "SATA 3.1, 6.0 Gb/s (current: 3.0 Gb/s)"; a comma may be the locale's point. */
static void put_link(struct hl_drive *drive, struct hl_line value)
{
	const char *current = memmem(value.start, value.len, "current:", 8);
	double most, now;

	for (const char *at = value.start; at + 4 < value.start + value.len; at++) {
		if (memcmp(at, " Gb/s", 5) != 0 || at - value.start < 3)
			continue;
		now = (at[-3] - '0') + (at[-1] - '0') / 10.0;
		most = current && at > current ? NAN : now;
		hl_drive_put_number(drive, "drive.link_max_gbps", most);
		if (current && at > current)
			hl_drive_put_number(drive, "drive.link_gbps", now);
	}
}

static void put_phy(struct hl_drive *drive, struct hl_line value)
{
	hl_smartctl_put_phy(drive, value.start, value.len);
}

/* "512 bytes logical, 4096 bytes physical", "512 bytes logical/physical", "512" */
static void put_sectors(struct hl_drive *drive, struct hl_line value)
{
	const char *comma = memchr(value.start, ',', value.len);

	hl_drive_put_number(drive, "drive.lba_bytes", number(value));
	if (comma)
		hl_drive_put_number(
			drive, "drive.physical_block_bytes",
			hl_drive_number(comma + 1, (size_t)(value.start + value.len - comma - 1)));
}

static void put_rotation(struct hl_drive *drive, struct hl_line value)
{
	if (hl_line_starts(value, "Solid State"))
		hl_drive_put_number(drive, "drive.rotation_rpm", 0);
	else if (hl_line_has(value, "rpm"))
		hl_drive_put_number(drive, "drive.rotation_rpm", number(value));
}

/* "hours:minutes 22332:41 [1339961 minutes]", cut at its first colon */
static void put_hours(struct hl_drive *drive, struct hl_line value)
{
	static const char minutes[] = "minutes";

	if (!hl_line_starts(value, minutes))
		return;
	hl_drive_put_number(
		drive, "smart.power_on_hours",
		hl_drive_number(value.start + strlen(minutes), value.len - strlen(minutes)));
}

static void put_temperature(struct hl_drive *drive, struct hl_line value)
{
	hl_drive_put_number(drive, "smart.temperature_c", hl_drive_celsius(value.start, value.len));
}

static void put_trip(struct hl_drive *drive, struct hl_line value)
{
	hl_drive_put_number(drive, "drive.temperature_critical_c",
			    hl_drive_celsius(value.start, value.len));
}

static void put_transport(struct hl_drive *drive, struct hl_line value)
{
	hl_drive_put_string(drive, "drive.transport", value.start, value.len);
}

static void put_grown(struct hl_drive *drive, struct hl_line value)
{
	hl_drive_put_number(drive, "smart.grown_defects", number(value));
}

static void put_non_medium(struct hl_drive *drive, struct hl_line value)
{
	hl_drive_put_number(drive, "smart.non_medium_errors", number(value));
}

static void put_ata_errors(struct hl_drive *drive, struct hl_line value)
{
	hl_drive_put_number(drive, "smart.ata_errors", number(value));
}

static void put_used(struct hl_drive *drive, struct hl_line value)
{
	hl_drive_put_number(drive, "smart.percentage_used", number(value));
}

/* Lines that NVMe's fields do not have: "name: value". */
static const struct {
	const char *name;
	void (*put)(struct hl_drive *drive, struct hl_line value);
} entries[] = {
	{ "SMART overall-health self-assessment test result", put_passed },
	{ "SMART Health Status", put_passed },
	{ "SATA Version is", put_link },
	{ "negotiated logical link rate", put_phy },
	{ "Sector Sizes", put_sectors },
	{ "Sector Size", put_sectors },
	{ "Logical block size", put_sectors },
	{ "Namespace 1 Formatted LBA Size", put_sectors },
	{ "Rotation Rate", put_rotation },
	{ "Accumulated power on time, hours", put_hours },
	{ "Current Drive Temperature", put_temperature },
	{ "Current Temperature", put_temperature },
	{ "Drive Trip Temperature", put_trip },
	{ "Transport protocol", put_transport },
	{ "Elements in grown defect list", put_grown },
	{ "Non-medium error count", put_non_medium },
	{ "ATA Error Count", put_ata_errors },
	{ "Device Error Count", put_ata_errors },
	{ "Percentage used endurance indicator", put_used },
};

/* "Namespace 1 Size/Capacity: 512,110,190,592 [512 GB]", "User Capacity: 2,000,398,934,016 bytes"
 */
static bool put_capacity(struct hl_drive *drive, struct hl_line name, struct hl_line value)
{
	if (!is_name(name, "User Capacity") && !is_name(name, "Namespace 1 Size/Capacity") &&
	    !is_name(name, "Namespace 1 Size"))
		return false;
	hl_drive_put_number(drive, "drive.capacity_bytes", number(value));
	return true;
}

static void keep_text(struct hl_line value, char text[MAX_LINE])
{
	if (!text[0])
		copy_line(value, text);
}

/*
 * Seagate's FARM log counts hours of its own, which stay where others were set back; NVMe's line is
 * spelled "Power On Hours".
 */
static bool put_farm_hours(struct hl_drive *drive, struct hl_line name, struct hl_line value)
{
	static const char label[] = "Power on Hours";

	if (name.len != strlen(label) || memcmp(name.start, label, name.len) != 0)
		return false;
	hl_smartctl_put_most(drive, "smart.log_power_on_hours", number(value));
	return true;
}

static bool read_entry(struct reader *reader, struct hl_line name, struct hl_line value)
{
	struct hl_drive *drive = &reader->drive;

	if (put_farm_hours(drive, name, value))
		return true;

	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++) {
		if (is_name(name, entries[i].name)) {
			entries[i].put(drive, value);
			return true;
		}
	}
	if (is_name(name, "Vendor"))
		keep_text(value, reader->vendor);
	else if (is_name(name, "Product"))
		keep_text(value, reader->product);
	else
		return put_capacity(drive, name, value) ||
		       hl_drive_put_identity(drive, name.start, name.len, value.start, value.len) ||
		       hl_drive_put_health(drive, name.start, name.len, value.start, value.len);
	return true;
}

/* ---- reading ---- */

/* "Error 12 [11] occurred at disk power-on lifetime: 1234 hours (51 days + 10 hours)" */
static bool read_error(struct hl_drive *drive, struct hl_line line)
{
	static const char label[] = "power-on lifetime:";
	const char *at = memmem(line.start, line.len, label, strlen(label));

	if (!at || !hl_line_starts(line, "Error "))
		return false;
	at += strlen(label);
	hl_smartctl_put_most(drive, "smart.error_log_max_hours",
			     hl_drive_number(at, (size_t)(line.start + line.len - at)));
	return true;
}

static void read_info_line(struct reader *reader, struct hl_line line)
{
	struct hl_line name, value;

	if (read_error(&reader->drive, line))
		return;
	if (hl_line_starts(line, "number of hours powered up")) {
		const char *equals = memchr(line.start, '=', line.len);

		if (equals)
			hl_drive_put_number(
				&reader->drive, "smart.log_power_on_hours",
				hl_drive_number(equals + 1,
						(size_t)(line.start + line.len - equals - 1)));
	} else if (hl_line_has(line, "Device is in STANDBY") ||
		   hl_line_has(line, "Device is in SLEEP")) {
		hl_drive_put_boolean(&reader->drive, "drive.is_asleep", true);
	} else if (split(line, &name, &value)) {
		read_entry(reader, name, value);
	}
}

static struct hl_line line_at(const struct hl_text *slice, size_t i)
{
	struct hl_line none = { .start = "" };

	return i < slice->nr_lines ? hl_line_trim(slice->lines[i]) : none;
}

static void read_line(struct reader *reader, const struct hl_text *slice, size_t i)
{
	struct hl_line line = line_at(slice, i), next = line_at(slice, i + 1);

	reader->drive.line = line.number;
	if (hl_line_starts(line, "Num "))
		reader->is_in_tests = hl_line_has(line, "Test");
	else if (!line.len)
		reader->is_in_tests = false;
	if (reader->is_in_tests && hl_smartctl_read_self_test(&reader->drive, line))
		return;
	if (!hl_smartctl_read_row(&reader->drive, line, next))
		read_info_line(reader, line);
}

static void finish_model(struct reader *reader)
{
	if (!reader->product[0])
		return;
	HL_FREE char *model = hl_printf("%s%s%s", reader->vendor, reader->vendor[0] ? " " : "",
					reader->product);

	hl_drive_put_string(&reader->drive, "drive.model", model, strlen(model));
}

/* "smartctl -x /dev/sda", "smartctl -a -d megaraid,14 /dev/bus/6" */
static bool read_command(struct hl_drive *drive, const struct hl_text *slice, size_t at)
{
	struct hl_line line = slice->lines[at];

	if (hl_smartctl_is_banner(line) || !hl_drive_take_command(drive, slice, at, "smartctl"))
		return false;
	hl_smartctl_put_type(drive, line.start, line.len);
	return true;
}

/* The text ends within its last line: a row, a name, or a value that may be longer. */
static bool is_cut(const struct hl_text *text)
{
	static const char *const infos[] = { "Model Family",
					     "Serial Number",
					     "User Capacity",
					     "Logical block size",
					     "Sector Size",
					     "Namespace 1 Size/Capacity",
					     NULL };
	struct hl_line line = saved_last_line(text), name, value;
	bool is_info = false;

	if (hl_smartctl_is_row_cut(line))
		return true;
	if (!split(line, &name, &value))
		return hl_drive_begins_health(line.start, line.len);
	if (hl_line_starts(name, "Data Units ") && number(value) > 0 && !hl_line_has(value, "["))
		return true;
	for (size_t i = 0; infos[i]; i++)
		is_info = is_info || is_name(name, infos[i]);
	return hl_drive_is_value_cut(name.start, name.len, value.start, value.len, text->is_open) ||
	       is_verdict_cut(name, value) ||
	       (text->is_open && (is_info || !hl_drive_may_end(name.start, name.len)));
}

static int read_whole(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	struct reader reader = { .is_in_tests = false };

	for (size_t i = 0; i < slice->nr_lines; i++) {
		if (!read_command(&reader.drive, slice, i))
			read_line(&reader, slice, i);
	}
	finish_model(&reader);
	if (hl_drive_finish(&reader.drive, reading, slice->name))
		return 0;
	return hl_fail(err, EBADMSG, "%s:%u: nothing readable in smartctl's output", slice->name,
		       slice->lines[0].number);
}

int hl_smartctl_read_text(const struct hl_text *slice, struct hl_reading *reading,
			  struct hl_error *err)
{
	HL_FREE struct hl_line *lines = NULL;
	struct hl_text rest;
	int r;

	if (!is_cut(slice))
		return read_whole(slice, reading, err);
	rest = saved_drop_end(slice, true, &lines);
	r = read_whole(&rest, reading, err);
	return r < 0 ? r
		     : hl_fail(err, EBADMSG, "%s:%u: it is cut off within a line", slice->name,
			       saved_last_line(slice).number);
}
