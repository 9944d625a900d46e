/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvme-cli's output as text, from 0.x to 2.x: smart-log, id-ctrl, id-ns, error-log, self-test-log.
 * nvme(1). Lines are "name : value" below a title that names the device; nvme list is a table and
 * stands in nvme_table.c.
 *
 * Surprising: a paste often lacks the title, or its end. What is not said is no fact. With -H there
 * are lines of explanation in between.
 */
#include "nvme_text.h"
#include "drive.h"
#include "nvme_lines.h"
#include "saved.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>

#define MAX_HEAD 6 /* lines in which a second name must come, where there is no title */

struct output {
	const char *title;        /* begins its first line */
	const char *first, *then; /* names that tell it without a title; NULL */
};

static const struct output outputs[HL_NR_NVME_OUTPUTS] = {
	[HL_NVME_SMART_LOG] = { "Smart Log for NVME device", "critical_warning",
				"available_spare" },
	[HL_NVME_ID_CTRL] = { "NVME Identify Controller", "vid", "mn" },
	[HL_NVME_ID_NS] = { "NVME Identify Namespace", "nsze", "flbas" },
	[HL_NVME_ERROR_LOG] = { "Error Log Entries for device", NULL, NULL },
	[HL_NVME_SELF_TEST_LOG] = { "Device Self Test Log for NVME device", NULL, NULL },
	[HL_NVME_LIST] = { "Node ", NULL, NULL },
};

/* ---- lines ---- */

bool hl_nvme_split(struct hl_line line, struct hl_line *ret_name, struct hl_line *ret_value)
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
	return ret_name->len > 0;
}

static bool is_title(struct hl_line line, enum hl_nvme_output output)
{
	const char *title = outputs[output].title;

	line = hl_line_trim(line);
	return line.len >= strlen(title) && !strncasecmp(line.start, title, strlen(title));
}

static bool is_any_title(struct hl_line line)
{
	for (int i = 0; i < HL_NR_NVME_OUTPUTS; i++) {
		if (is_title(line, (enum hl_nvme_output)i))
			return true;
	}
	return hl_line_starts(hl_line_trim(line), "smartctl ");
}

static bool is_blank(struct hl_line line)
{
	return !hl_line_trim(line).len;
}

static bool has_name(struct hl_line line, const char *wanted)
{
	struct hl_line name, value;

	return hl_nvme_split(line, &name, &value) && name.len == strlen(wanted) &&
	       !memcmp(name.start, wanted, name.len) && value.len;
}

/* A line of "name : value" with a blank before the colon, or a name that fills its column. */
static bool is_entry(struct hl_line line)
{
	struct hl_line name, value;

	if (!hl_nvme_split(line, &name, &value) || name.len > 40)
		return false;
	return isspace((unsigned char)name.start[name.len]) || name.len == 8 ||
	       name.start[0] == '[';
}

static bool is_of_smart(struct hl_line line)
{
	struct hl_line name, value;

	if (!hl_nvme_split(line, &name, &value))
		return false;
	return hl_drive_is_health(name.start, name.len) || name.start[name.len - 1] == ']' ||
	       hl_line_starts(name, "endurance group") || hl_line_starts(name, "Operational") ||
	       hl_line_starts(name, "Interval");
}

static bool is_rest(struct hl_line line)
{
	line = hl_line_trim(line);
	return hl_line_starts(line, "....") || hl_line_starts(line, "Entry[") ||
	       hl_line_starts(line, "Self Test Result[") || hl_line_starts(line, "rwt:") ||
	       hl_line_starts(line, "active_power") || hl_line_starts(line, "vs[]") ||
	       hl_line_starts(line, "ps ") || hl_line_starts(line, "lbaf") ||
	       hl_line_starts(line, "LBA Format") || hl_line_starts(line, "Ps") ||
	       (line.len > 5 && line.start[4] == ':' && isxdigit((unsigned char)line.start[0]));
}

static bool belongs(struct hl_line line, enum hl_nvme_output output)
{
	if (hl_drive_is_prompt(line) || is_any_title(line))
		return false;
	if (output == HL_NVME_SMART_LOG)
		return is_of_smart(line);
	return is_entry(line) || is_rest(line);
}

/* ---- claims ---- */

static bool is_headless(const struct hl_text *text, size_t at, const struct output *output)
{
	if (!output->first || !has_name(text->lines[at], output->first))
		return false;
	for (size_t i = at + 1; i < text->nr_lines && i <= at + MAX_HEAD; i++) {
		if (has_name(text->lines[i], output->then))
			return true;
	}
	return false;
}

/* The text ends within its last line: a name without a value, or a value that may be longer. */
static bool is_cut(const struct hl_text *text)
{
	struct hl_line line = saved_last_line(text), name, value;

	if (!hl_nvme_split(line, &name, &value))
		return hl_drive_begins_health(line.start, line.len);
	return hl_drive_is_value_cut(name.start, name.len, value.start, value.len, text->is_open) ||
	       (text->is_open && !hl_drive_may_end(name.start, name.len));
}

static bool is_end_of_text(const struct hl_text *text, size_t at)
{
	return at < text->nr_lines && text->lines[at].number == saved_last_line(text).number;
}

size_t hl_nvme_claim_text(const struct hl_text *text, size_t at, enum hl_nvme_output output)
{
	size_t start = hl_drive_skip_command(text, at, "nvme"), end;

	if (output == HL_NVME_LIST) {
		end = hl_nvme_table_end(text, start);
		return end ? end - at : 0;
	}
	if (!is_title(text->lines[start], output) && !is_headless(text, start, &outputs[output]))
		return 0;
	end = start + 1;
	for (size_t i = end; i < text->nr_lines && i <= end + 2; i++) {
		if (belongs(text->lines[i], output))
			end = i + 1;
		else if (!is_blank(text->lines[i]))
			break;
	}
	if (output == HL_NVME_SMART_LOG && is_end_of_text(text, end) && is_cut(text))
		end++;
	return end - at;
}

/* ---- reading ---- */

/* "Smart Log for NVME device:nvme0 namespace-id:ffffffff", "… device:/dev/nvme0n1 …" */
static void read_title(struct hl_line line, struct hl_drive *drive)
{
	struct hl_line name, value;

	if (hl_nvme_split(line, &name, &value))
		hl_drive_name(drive, value.start, value.len);
}

static void read_line(struct hl_line line, struct hl_drive *drive, enum hl_nvme_output output,
		      struct hl_nvme_log *log)
{
	struct hl_line name, value;
	bool is_entry_line = hl_nvme_split(line, &name, &value);

	drive->line = line.number;
	if (output == HL_NVME_SMART_LOG && is_entry_line)
		hl_drive_put_health(drive, name.start, name.len, value.start, value.len);
	else if (output == HL_NVME_ID_CTRL)
		hl_nvme_read_id_ctrl(line, drive, log);
	else if (output == HL_NVME_ID_NS)
		hl_nvme_read_id_ns(line, log);
	else if (output == HL_NVME_ERROR_LOG || output == HL_NVME_SELF_TEST_LOG)
		hl_nvme_read_log(line, log);
}

static int read_whole(const struct hl_text *slice, struct hl_reading *reading,
		      enum hl_nvme_output output, struct hl_error *err)
{
	struct hl_drive drive = { .is_namespace = output == HL_NVME_ID_NS };
	struct hl_nvme_log log;

	if (output == HL_NVME_LIST)
		return hl_nvme_read_table(slice, reading, err);
	hl_nvme_log_begin(&log, output);
	for (size_t i = 0; i < slice->nr_lines; i++) {
		struct hl_line line = slice->lines[i];

		if (is_title(line, output))
			read_title(line, &drive);
		else if (!hl_drive_take_command(&drive, slice, i, "nvme"))
			read_line(line, &drive, output, &log);
	}
	hl_nvme_log_end(&log, &drive);
	if (hl_drive_finish(&drive, reading, slice->name))
		return 0;
	return hl_fail(err, EBADMSG, "%s:%u: nothing readable in nvme's output", slice->name,
		       slice->lines[0].number);
}

int hl_nvme_read_text(const struct hl_text *slice, struct hl_reading *reading,
		      enum hl_nvme_output output, struct hl_error *err)
{
	HL_FREE struct hl_line *lines = NULL;
	struct hl_text rest;
	int r;

	if (output != HL_NVME_SMART_LOG || !is_cut(slice))
		return read_whole(slice, reading, output, err);
	rest = saved_drop_end(slice, true, &lines);
	r = read_whole(&rest, reading, output, err);
	return r < 0 ? r
		     : hl_fail(err, EBADMSG, "%s:%u: it is cut off within a line", slice->name,
			       saved_last_line(slice).number);
}
