/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of one function in the text of lspci: its head, its fields, the rows of a hex dump.
 *
 * Surprising: a field goes on over several lines, and a mailer may have wrapped each of them, so a
 * field is read up to the next line that begins with a name and a colon.
 */
#include "hoploss/number.h"
#include "lspci.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MAX_FIELD     640
#define MAX_NAME      40 /* of a field */
#define LEAST_WRAPPED 45
#define ROW           16

bool lspci_is_hex(struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);
	size_t digits = 0;

	while (digits < trimmed.len && isxdigit((unsigned char)trimmed.start[digits]))
		digits++;
	return (digits == 2 || digits == 3) && trimmed.len >= digits + 4 &&
	       trimmed.start[digits] == ':' && trimmed.start[digits + 1] == ' ' &&
	       isxdigit((unsigned char)trimmed.start[digits + 2]) &&
	       isxdigit((unsigned char)trimmed.start[digits + 3]) &&
	       (trimmed.len == digits + 4 || trimmed.start[digits + 4] == ' ');
}

/* "Name:" or "Name of it:" at its start: another field begins. */
static bool begins_field(struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);
	unsigned i = 0;

	if (!trimmed.len || !isalpha((unsigned char)trimmed.start[0]))
		return false;
	while (i < trimmed.len && i < MAX_NAME &&
	       (isalnum((unsigned char)trimmed.start[i]) || strchr(" /.", trimmed.start[i])))
		i++;
	return i < trimmed.len && trimmed.start[i] == ':';
}

/* The lines from first on as one text, up to the next field. */
static void join(const struct hl_text *text, size_t first, size_t end, char joined[MAX_FIELD])
{
	struct pci_function other;
	size_t used = 0;

	for (size_t i = first; i < end; i++) {
		struct hl_line line = hl_line_trim(text->lines[i]);

		if (i > first &&
		    (begins_field(line) || lspci_is_hex(line) || lspci_is_head(line, &other)))
			break;
		used += (size_t)snprintf(joined + used, MAX_FIELD - used, "%s%.*s", used ? " " : "",
					 (int)line.len, line.start);
		if (used >= MAX_FIELD - 1)
			break;
	}
}

static const char *source_of(const struct hl_text *text, size_t line, struct pci_listing *listing)
{
	return hl_arena_printf(listing->arena, "%s:%u", text->name, text->lines[line].number);
}

static void read_field(const struct hl_text *text, size_t first, size_t end,
		       struct pci_listing *listing, struct pci_function *at)
{
	struct lspci_field field = { .listing = listing, .at = at };
	char joined[MAX_FIELD] = "";
	size_t row, skip;

	if (!lspci_find_field(hl_line_trim(text->lines[first]), &row, &skip))
		return;
	join(text, first, lspci_is_one_line(row) ? first + 1 : end, joined);
	field.text = joined + skip;
	field.source = source_of(text, first, listing);
	lspci_read_field(row, &field);
}

/* Bytes of a row; returns the offset behind the last. A byte that is cut off is not known. */
static size_t read_bytes(struct hl_line line, size_t skip, size_t offset, struct pci_config *config)
{
	for (size_t i = skip; i + 1 < line.len;) {
		uint64_t byte;

		if (line.start[i] == ' ' || line.start[i] == '\t') {
			i++;
			continue;
		}
		if (i + 2 < line.len && !isblank((unsigned char)line.start[i + 2]))
			break;
		if (hl_number_hex(line.start + i, 2, &byte) < 0)
			break;
		hl_pci_config_set(config, offset++, (uint8_t)byte);
		i += 2;
	}
	return offset;
}

/* What a mailer wrapped off a row: pairs of digits and nothing else. */
static bool is_rest_of_row(struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);

	for (unsigned i = 0; i < trimmed.len; i++) {
		if (i % 3 == 2 ? trimmed.start[i] != ' '
			       : !isxdigit((unsigned char)trimmed.start[i]))
			return false;
	}
	return trimmed.len % 3 == 2;
}

static size_t read_row(struct hl_line line, struct pci_config *config)
{
	struct hl_line trimmed = hl_line_trim(line);
	size_t digits = trimmed.start[2] == ':' ? 2 : 3;
	uint64_t offset = PCI_CONFIG_SIZE;

	hl_number_hex(trimmed.start, digits, &offset);
	return read_bytes(trimmed, digits + 1, (size_t)offset, config);
}

/*
 * A mailer broke the line: what follows is no field and stands at its very start, as "Device a824"
 * or "[ConnectX-5]"; "[...]" is somebody's mark that there was more.
 */
static bool is_rest_of_head(const struct hl_text *text, size_t first)
{
	struct hl_line line = text->lines[first + 1];
	const char *start = line.start;

	if (text->lines[first].len < LEAST_WRAPPED || !line.len)
		return false;
	if (line.len > 1 && (*start == '[' || *start == '('))
		start++;
	return isalnum((unsigned char)*start);
}

static void read_header(const struct hl_text *text, size_t first, size_t end,
			struct pci_listing *listing, struct pci_function *at)
{
	char joined[MAX_FIELD] = "";
	struct lspci_field field = { .listing = listing, .at = at, .source = at->source };
	size_t len;

	if (first + 1 < end && is_rest_of_head(text, first))
		end = first + 2;
	else
		end = first + 1;
	join(text, first, end, joined);
	at->is_record = hl_line_starts(hl_line_trim(text->lines[first]), "Slot:");
	len = hl_pci_read_address(joined, strlen(joined), &(struct pci_function){ 0 });
	if (!len)
		return;
	len += strspn(joined + len, " \t");
	lspci_read_head(&field, joined + len);
}

void lspci_read_function(const struct hl_text *text, size_t first, size_t nr,
			 struct pci_listing *listing, struct pci_function *at)
{
	size_t end = first + nr, row_end = 0;

	at->source = source_of(text, first, listing);
	read_header(text, first, end, listing, at);
	for (size_t i = first + 1; i < end; i++) {
		struct hl_line line = text->lines[i];

		if (lspci_is_hex(line)) {
			row_end = read_row(
				line, hl_pci_config_of(listing, at, source_of(text, i, listing)));
		} else if (row_end % ROW && is_rest_of_row(line)) {
			row_end = read_bytes(hl_line_trim(line), 0, row_end, at->config);
		} else {
			read_field(text, i, end, listing, at);
			row_end = 0;
		}
	}
}
