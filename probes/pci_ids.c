/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of PCI ids as a text: names for who has no libpci to ask.
 *
 * Source: pci.ids(5). A vendor's line begins with its four digits, its devices stand below it with
 * a tab, classes come behind a "C". The words are put together as lspci does.
 */
#include "hoploss/number.h"
#include "pci.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_NAME 200

/* The line after that one; NULL at the end. */
static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end && end[1] ? end + 1 : NULL;
}

/* The first line that begins with start, which begins with '\n'. */
static const char *find_line(const char *ids, const char *start)
{
	const char *found = strstr(ids, start);

	return found ? found + 1 : NULL;
}

/* The line with that start among those below parent, which begin with a tab. */
static const char *find_below(const char *parent, const char *start)
{
	const char *line = parent ? next_line(parent) : NULL;

	for (; line && (*line == '\t' || *line == '#'); line = next_line(line)) {
		if (!strncmp(line, start, strlen(start)))
			return line;
	}
	return NULL;
}

/* What stands behind the two blanks of a line. */
static const char *copy_name(struct hl_arena *arena, const char *line)
{
	const char *name = line ? strstr(line, "  ") : NULL;
	size_t len = name ? strcspn(name + 2, "\n") : 0;

	return name && len < MAX_NAME ? hl_arena_strndup(arena, name + 2, len) : NULL;
}

static const char *device_name(const struct pci_listing *listing, const struct pci_function *at,
			       const char *ids)
{
	unsigned vendor = (unsigned)at->numbers[PCI_VENDOR];
	unsigned device = (unsigned)at->numbers[PCI_DEVICE];
	const char *line, *vendor_name, *name;
	char start[16];

	snprintf(start, sizeof(start), "\n%04x  ", vendor);
	line = find_line(ids, start);
	vendor_name = copy_name(listing->arena, line);
	if (!vendor_name)
		return hl_arena_printf(listing->arena, "Device %04x:%04x", vendor, device);
	snprintf(start, sizeof(start), "\t%04x  ", device);
	name = copy_name(listing->arena, find_below(line, start));
	return name ? hl_arena_printf(listing->arena, "%s %s", vendor_name, name)
		    : hl_arena_printf(listing->arena, "%s Device %04x", vendor_name, device);
}

static const char *class_name(const struct pci_listing *listing, const struct pci_function *at,
			      const char *ids)
{
	unsigned class = (unsigned)at->numbers[PCI_CLASS_CODE];
	const char *line, *name;
	char start[16];

	snprintf(start, sizeof(start), "\nC %02x  ", class >> 8);
	line = find_line(ids, start);
	snprintf(start, sizeof(start), "\t%02x  ", class & 0xff);
	name = copy_name(listing->arena, find_below(line, start));
	return name ? name : copy_name(listing->arena, line);
}

void hl_pci_ids_name(struct pci_listing *listing, const char *ids)
{
	for (size_t i = 0; i < listing->nr; i++) {
		struct pci_function *at = listing->functions[i];

		if (at->numbers[PCI_VENDOR] >= 0 && at->numbers[PCI_DEVICE] >= 0)
			hl_pci_set_string(listing, at, PCI_NAME, device_name(listing, at, ids),
					  at->source);
		if (at->numbers[PCI_CLASS_CODE] >= 0)
			hl_pci_set_string(listing, at, PCI_CLASS, class_name(listing, at, ids),
					  at->source);
	}
}
