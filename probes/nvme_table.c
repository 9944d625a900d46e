/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables that nvme list prints: a row for each namespace, or with -v one for each controller
 * and then one for each namespace. nvme-list(1).
 *
 * Surprising: a line of dashes gives the columns, but copies lose runs of blanks; then the row is
 * read from both ends, for only the model has blanks of its own. Usage is rounded: no capacity
 * comes of it.
 */
#include "nvme_lines.h"
#include "nvme_text.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 12
#define MAX_WORDS   40
#define MAX_BROKEN  4 /* lines that were one */

struct columns { /* by the line of dashes */
	unsigned start[MAX_COLUMNS], len[MAX_COLUMNS];
	size_t nr;
};

struct row {
	struct hl_line device, serial, model, format, firmware;
	struct hl_line address, controllers; /* of -v */
};

static bool is_dashes(struct hl_line line)
{
	line = hl_line_trim(line);
	for (unsigned i = 0; i < line.len; i++) {
		if (line.start[i] != '-' && line.start[i] != ' ')
			return false;
	}
	return line.len > 3;
}

static bool is_row(struct hl_line line)
{
	line = hl_line_trim(line);
	return hl_line_starts(line, "/dev/nvme") || (hl_line_starts(line, "nvme") && line.len > 4 &&
						     isdigit((unsigned char)line.start[4]));
}

/* ---- by columns ---- */

static void find_columns(struct hl_line dashes, struct columns *ret)
{
	*ret = (struct columns){ .nr = 0 };
	for (unsigned i = 0; i < dashes.len && ret->nr < MAX_COLUMNS;) {
		unsigned start = i;

		while (i < dashes.len && dashes.start[i] == '-')
			i++;
		if (i > start) {
			ret->start[ret->nr] = start;
			ret->len[ret->nr++] = i - start;
		}
		while (i < dashes.len && dashes.start[i] != '-')
			i++;
	}
}

static struct hl_line part(struct hl_line line, unsigned start, unsigned len)
{
	struct hl_line cut = line;

	start = start < line.len ? start : line.len;
	cut.start += start;
	cut.len = line.len - start < len ? line.len - start : len;
	return hl_line_trim(cut);
}

/* The cell of the column that title calls so. */
static struct hl_line cell(const struct columns *columns, struct hl_line title, struct hl_line line,
			   const char *name)
{
	for (size_t i = 0; i < columns->nr; i++) {
		unsigned len = i + 1 < columns->nr ? columns->len[i] : line.len;

		if (hl_line_starts(part(title, columns->start[i], columns->len[i] + 1), name))
			return part(line, columns->start[i], len);
	}
	return (struct hl_line){ .number = line.number, .start = line.start };
}

static struct hl_line first_of(const struct columns *columns, struct hl_line title,
			       struct hl_line line, const char *name, const char *other)
{
	struct hl_line found = cell(columns, title, line, name);

	return found.len ? found : cell(columns, title, line, other);
}

/* Whether blanks stand between the columns of that row, as they do in the line of dashes. */
static bool is_aligned(const struct columns *columns, struct hl_line line)
{
	for (size_t i = 1; i < columns->nr; i++) {
		if (columns->start[i] >= line.len || line.start[columns->start[i] - 1] != ' ')
			return false;
	}
	return columns->nr >= 5;
}

static bool read_aligned(const struct columns *columns, struct hl_line title, struct hl_line line,
			 struct row *ret)
{
	if (!is_aligned(columns, line))
		return false;
	*ret = (struct row){
		.device = first_of(columns, title, line, "Node", "Device"),
		.serial = cell(columns, title, line, "SN"),
		.model = first_of(columns, title, line, "Model", "MN"),
		.format = cell(columns, title, line, "Format"),
		.firmware = first_of(columns, title, line, "FW Rev", "FR"),
		.address = first_of(columns, title, line, "Address", "Asdress"),
		.controllers = cell(columns, title, line, "Controllers"),
	};
	return (ret->format.len || ret->model.len) && ret->device.len;
}

/* ---- by words ---- */

static size_t cut_words(struct hl_line line, struct hl_line words[MAX_WORDS])
{
	size_t nr = 0;

	for (unsigned i = 0; i < line.len && nr < MAX_WORDS;) {
		unsigned start = i;

		while (i < line.len && line.start[i] != ' ' && line.start[i] != '\t')
			i++;
		if (i > start)
			words[nr++] = part(line, start, i - start);
		while (i < line.len && (line.start[i] == ' ' || line.start[i] == '\t'))
			i++;
	}
	return nr;
}

static bool is_word(struct hl_line word, const char *wanted)
{
	return word.len == strlen(wanted) && !memcmp(word.start, wanted, word.len);
}

static struct hl_line span(struct hl_line first, struct hl_line last)
{
	first.len = (unsigned)(last.start + last.len - first.start);
	return first;
}

/*
 * "/dev/nvme0n1 [/dev/ng0n1] SERIAL MODEL … 1 500.11 GB / 1.00 TB 512 B + 0 B FIRMWARE": the slash
 * stands at least 4 words before the end, a namespace and two words of usage before it.
 */
static bool read_words(struct hl_line line, struct row *ret)
{
	struct hl_line words[MAX_WORDS];
	size_t nr = cut_words(line, words), serial = 1, slash = 0;

	for (size_t i = 0; i < nr; i++) {
		if (is_word(words[i], "/"))
			slash = i;
	}
	if (nr > 1 && hl_line_starts(words[1], "/dev/"))
		serial = 2;
	if (!slash || slash < serial + 5 || slash + 8 >= nr || !is_word(words[slash + 5], "+"))
		return false;
	*ret = (struct row){
		.device = words[0],
		.serial = words[serial],
		.model = span(words[serial + 1], words[slash - 4]),
		.format = span(words[slash + 3], words[slash + 7]),
		.firmware = span(words[slash + 8], words[nr - 1]),
	};
	return true;
}

/* ---- lines that a mailer broke ---- */

/* Goes on with the row or the title above: no row, title or prompt of its own. */
static bool is_rest(struct hl_line line)
{
	line = hl_line_trim(line);
	return line.len && !is_row(line) && !is_dashes(line) && !hl_line_starts(line, "Node ") &&
	       !hl_line_starts(line, "Device ") && !hl_drive_is_prompt(line);
}

/*
 * How many lines one row takes from at on, joined into *ret_text, to be freed; it is whole as soon
 * as it can be read by its words. A row that stays broken takes one.
 */
static size_t join_row(const struct hl_text *text, size_t at, char **ret_text)
{
	char *joined = hl_strndup(text->lines[at].start, text->lines[at].len);

	for (size_t nr = 1; nr <= MAX_BROKEN; nr++) {
		struct hl_line line = { .start = joined, .len = (unsigned)strlen(joined) };
		struct hl_line next;
		struct row row;
		char *longer;

		if (read_words(line, &row)) {
			*ret_text = joined;
			return nr;
		}
		if (at + nr >= text->nr_lines || !is_rest(text->lines[at + nr]))
			break;
		next = hl_line_trim(text->lines[at + nr]);
		longer = hl_printf("%s %.*s", joined, (int)next.len, next.start);
		free(joined);
		joined = longer;
	}
	free(joined);
	*ret_text = hl_strndup(text->lines[at].start, text->lines[at].len);
	return 1;
}

static bool is_title(struct hl_line line)
{
	line = hl_line_trim(line);
	if (hl_line_starts(line, "Node "))
		return hl_line_has(line, "SN ") && hl_line_has(line, "Model");
	return hl_line_starts(line, "Device ") &&
	       ((hl_line_has(line, " SN ") && hl_line_has(line, " MN ")) ||
		(hl_line_has(line, " NSID ") && hl_line_has(line, " Usage ")));
}

size_t hl_nvme_table_end(const struct hl_text *text, size_t start)
{
	struct hl_line title = hl_line_trim(text->lines[start]);
	size_t end = start + 1;

	if (!is_title(title))
		return 0;
	while (end < text->nr_lines && end <= start + MAX_BROKEN &&
	       (hl_line_has(text->lines[end], "Usage") || hl_line_has(text->lines[end], "FW Rev")))
		end++;
	while (end < text->nr_lines && is_dashes(text->lines[end]))
		end++;
	while (end < text->nr_lines && is_row(text->lines[end])) {
		HL_FREE char *joined = NULL;

		end += join_row(text, end, &joined);
	}
	return end;
}

/* ---- facts ---- */

/* "512   B +  0 B", "4 KiB +  0 B" */
static double format_bytes(struct hl_line format)
{
	double bytes = hl_drive_number(format.start, format.len);
	const char *unit = memchr(format.start, 'K', format.len);
	const char *plus = memchr(format.start, '+', format.len);

	return unit && plus && unit < plus ? bytes * 1024 : bytes;
}

/* Of "nvme0, nvme1", how long the first is. */
static size_t first_name(struct hl_line names)
{
	size_t nr = 0;

	while (nr < names.len && names.start[nr] != ',' && names.start[nr] != ' ')
		nr++;
	return nr;
}

static void add_row(const struct row *row, struct hl_line line, const struct hl_text *slice,
		    struct hl_reading *reading)
{
	struct hl_drive drive = { .line = line.number };

	hl_drive_name(&drive, row->device.start, row->device.len);
	hl_drive_put_string(&drive, "drive.model", row->model.start, row->model.len);
	hl_drive_put_string(&drive, "drive.serial", row->serial.start, row->serial.len);
	hl_drive_put_string(&drive, "drive.firmware", row->firmware.start, row->firmware.len);
	if (row->address.len && memchr(row->address.start, '.', row->address.len) &&
	    !memchr(row->address.start, '=', row->address.len))
		hl_drive_put_string(&drive, "block.pci_address", row->address.start,
				    row->address.len);
	hl_drive_finish(&drive, reading, slice->name);
	hl_drive_name(&drive, row->device.start, row->device.len);
	drive.is_namespace = true;
	hl_drive_put_string(&drive, "block.controller", row->controllers.start,
			    first_name(row->controllers));
	if (row->format.len)
		hl_drive_put_number(&drive, "drive.lba_bytes", format_bytes(row->format));
	hl_drive_finish(&drive, reading, slice->name);
}

/* False: a row that cannot be read. */
static bool read_row(const struct columns *columns, struct hl_line title,
		     const struct hl_text *slice, size_t at, struct hl_reading *reading)
{
	struct hl_line line = slice->lines[at];
	HL_FREE char *joined = NULL;
	struct row row;

	if (!read_aligned(columns, title, line, &row)) {
		join_row(slice, at, &joined);
		line.start = joined;
		line.len = (unsigned)strlen(joined);
		if (!read_words(line, &row))
			return false;
	}
	add_row(&row, line, slice, reading);
	return true;
}

int hl_nvme_read_table(const struct hl_text *slice, struct hl_reading *reading,
		       struct hl_error *err)
{
	struct hl_line title = { .len = 0 };
	struct columns columns = { .nr = 0 };
	size_t nr_rows = 0;

	for (size_t i = 0; i < slice->nr_lines; i++) {
		struct hl_line line = slice->lines[i];

		if (is_title(line))
			title = line;
		else if (is_dashes(line))
			find_columns(line, &columns);
		else if (is_row(line))
			nr_rows += read_row(&columns, title, slice, i, reading);
	}
	if (nr_rows)
		return 0;
	return hl_fail(err, EBADMSG, "%s:%u: nvme list names no drive", slice->name,
		       slice->lines[0].number);
}
