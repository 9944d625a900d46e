/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The head line of a function in the text of lspci: address, class, name, with -n, -nn or -mm.
 */
#include "hoploss/number.h"
#include "lspci.h"
#include <ctype.h>
#include <string.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))

static bool has_class(struct hl_line rest)
{
	return rest.len && (rest.start[0] == '"' || memchr(rest.start, ':', rest.len));
}

/* "Slot:	01:00.0" of lspci -vmm */
static bool is_record_head(struct hl_line trimmed, struct pci_function *ret_at)
{
	size_t skip = strlen("Slot:");

	if (!hl_line_starts(trimmed, "Slot:"))
		return false;
	trimmed.start += skip;
	trimmed.len -= (unsigned)skip;
	trimmed = hl_line_trim(trimmed);
	return trimmed.len &&
	       hl_pci_read_address(trimmed.start, trimmed.len, ret_at) == trimmed.len;
}

/* A word behind "lspci" is a whole address. */
bool lspci_is_command(struct hl_line line, struct pci_function *ret_at)
{
	const char *at = memmem(line.start, line.len, "lspci ", strlen("lspci "));
	const char *end = line.start + line.len;

	while (at && at < end) {
		size_t len = 0;

		while (at + len < end && !isblank((unsigned char)at[len]))
			len++;
		if (len && hl_pci_read_address(at, len, ret_at) == len)
			return true;
		at += len;
		while (at < end && isblank((unsigned char)*at))
			at++;
	}
	return false;
}

bool lspci_is_head(struct hl_line line, struct pci_function *ret_at)
{
	struct hl_line trimmed = hl_line_trim(line);
	size_t len = hl_pci_read_address(trimmed.start, trimmed.len, ret_at);
	struct hl_line rest = trimmed;

	if (is_record_head(trimmed, ret_at))
		return true;
	if (!len || len >= trimmed.len || !isblank((unsigned char)trimmed.start[len]))
		return false;
	rest.start += len;
	rest.len -= (unsigned)len;
	return has_class(hl_line_trim(rest));
}

/* Takes "[144d:a80a]" or "[0108]" off the end of text. */
static void take_ids(const struct lspci_field *field, char *text, bool is_class)
{
	char *open = strrchr(text, '[');
	size_t len = open ? strlen(open) : 0;

	if (!open || strspn(open + 1, "0123456789abcdef") != 4 || open[len - 1] != ']')
		return;
	if (is_class && len == strlen("[0108]")) {
		lspci_set_number(field, PCI_CLASS_CODE, lspci_number(open, "[", 16));
	} else if (!is_class && len == strlen("[144d:a80a]") && open[5] == ':') {
		lspci_set_number(field, PCI_VENDOR, lspci_number(open, "[", 16));
		lspci_set_number(field, PCI_DEVICE, lspci_number(open, ":", 16));
	} else {
		return;
	}
	while (open > text && open[-1] == ' ')
		open--;
	*open = '\0';
}

static void set_class(const struct lspci_field *field, char *class)
{
	uint64_t code;

	if (!strncmp(class, "Class ", strlen("Class "))) /* lspci -n of 2008 */
		class += strlen("Class ");
	take_ids(field, class, true);
	if (strlen(class) == 4 && !hl_number_hex(class, 4, &code)) {
		lspci_set_number(field, PCI_CLASS_CODE, (double)code); /* lspci -n */
		if (hl_pci_class_name((double)code))
			lspci_set_text(field, PCI_CLASS, hl_pci_class_name((double)code),
				       strlen(hl_pci_class_name((double)code)));
		return;
	}
	lspci_set_text(field, PCI_CLASS, class, strlen(class));
	lspci_set_number(field, PCI_CLASS_CODE, hl_pci_class_code(class));
}

/* "144d:a80a" of lspci -n is no name */
static bool take_numeric(const struct lspci_field *field, const char *name)
{
	if (strlen(name) != 9 || name[4] != ':' || strspn(name, "0123456789abcdef:") != 9)
		return false;
	lspci_set_number(field, PCI_VENDOR, lspci_number(name, "", 16));
	lspci_set_number(field, PCI_DEVICE, lspci_number(name, ":", 16));
	return true;
}

static void set_name(const struct lspci_field *field, char *name)
{
	static const char *const ends[] = { " (rev ", " (prog-if " };

	for (size_t i = 0; i < NR(ends); i++) {
		char *end = strstr(name, ends[i]);

		if (end)
			*end = '\0';
	}
	take_ids(field, name, false);
	if (!take_numeric(field, name))
		lspci_set_text(field, PCI_NAME, name, strlen(name));
}

/* "Class: Vendor Device (rev 01)" */
static void read_head(const struct lspci_field *field, char *text)
{
	char *name = strstr(text, ": ");

	if (!name)
		return;
	*name = '\0';
	name += 2;
	set_class(field, text);
	set_name(field, name + strspn(name, " "));
}

/* "Class" "Vendor" "Device" of lspci -mm */
static void read_quoted_head(const struct lspci_field *field, char *text)
{
	char *parts[3] = { NULL, NULL, NULL };
	char *name;

	for (size_t i = 0; i < NR(parts); i++) {
		char *open = text ? strchr(text, '"') : NULL;
		char *close = open ? strchr(open + 1, '"') : NULL;

		if (!close)
			return;
		*close = '\0';
		parts[i] = open + 1;
		text = close + 1;
	}
	name = hl_arena_printf(field->listing->arena, "%s %s", parts[1], parts[2]);
	set_class(field, parts[0]);
	lspci_set_text(field, PCI_NAME, name, strlen(name));
}

void lspci_read_head(const struct lspci_field *field, char *text)
{
	if (*text == '"')
		read_quoted_head(field, text);
	else
		read_head(field, text);
}
