/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions of one machine: kept, found, and joined when two texts speak of the same ones.
 */
#include "hoploss/number.h"
#include "pci.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DOMAIN_DIGITS 8

/* ---- addresses ---- */

static size_t count_hex(const char *text, size_t len)
{
	size_t nr = 0;

	while (nr < len && isxdigit((unsigned char)text[nr]))
		nr++;
	return nr;
}

static unsigned hex(const char *text, size_t len)
{
	uint64_t value = 0;

	hl_number_hex(text, len, &value);
	return (unsigned)value;
}

/* "01:00.0" */
static size_t read_bus_address(const char *text, size_t len, struct pci_function *ret_at)
{
	if (len < 7 || count_hex(text, 3) != 2 || text[2] != ':' || count_hex(text + 3, 3) != 2 ||
	    text[5] != '.' || text[6] < '0' || text[6] > '7')
		return 0;
	if (hex(text + 3, 2) > 0x1f || (len > 7 && isalnum((unsigned char)text[7])))
		return 0;
	ret_at->bus = hex(text, 2);
	ret_at->device = hex(text + 3, 2);
	ret_at->function = (unsigned)(text[6] - '0');
	return 7;
}

size_t hl_pci_read_address(const char *text, size_t len, struct pci_function *ret_at)
{
	size_t digits = count_hex(text, len);
	size_t used;

	ret_at->domain = 0;
	used = read_bus_address(text, len, ret_at);
	if (used || digits < 4 || digits > MAX_DOMAIN_DIGITS || digits >= len ||
	    text[digits] != ':')
		return used;
	ret_at->domain = hex(text, digits);
	used = read_bus_address(text + digits + 1, len - digits - 1, ret_at);
	return used ? digits + 1 + used : 0;
}

/* ---- the listing ---- */

struct pci_function *hl_pci_listing_add(struct pci_listing *listing, const struct pci_function *at)
{
	struct pci_function *added = hl_arena_alloc(listing->arena, sizeof(*added));

	added->domain = at->domain;
	added->bus = at->bus;
	added->device = at->device;
	added->function = at->function;
	snprintf(added->node, sizeof(added->node), "%04x:%02x:%02x.%u", at->domain, at->bus,
		 at->device, at->function);
	for (int i = 0; i < PCI_NR_NUMBERS; i++)
		added->numbers[i] = NAN;
	listing->functions = hl_arena_extend(listing->arena, listing->functions, listing->nr,
					     sizeof(*listing->functions));
	listing->functions[listing->nr++] = added;
	return added;
}

static int compare(const struct pci_function *a, const struct pci_function *b)
{
	if (a->domain != b->domain)
		return a->domain < b->domain ? -1 : 1;
	if (a->bus != b->bus)
		return a->bus < b->bus ? -1 : 1;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return (int)a->function - (int)b->function;
}

struct pci_function *hl_pci_listing_find(const struct pci_listing *listing,
					 const struct pci_function *at)
{
	for (size_t i = listing->nr; i-- > 0;) {
		if (!compare(listing->functions[i], at))
			return listing->functions[i];
	}
	return NULL;
}

static int compare_items(const void *a, const void *b)
{
	return compare(*(struct pci_function *const *)a, *(struct pci_function *const *)b);
}

void hl_pci_listing_sort(struct pci_listing *listing)
{
	if (listing->nr)
		qsort(listing->functions, listing->nr, sizeof(*listing->functions), compare_items);
}

/* ---- what is known of one ---- */

void hl_pci_set_number(struct pci_function *at, enum pci_number which, double value,
		       const char *source)
{
	if (!isfinite(value))
		return;
	at->numbers[which] = value;
	at->number_sources[which] = source;
}

void hl_pci_set_string(struct pci_listing *listing, struct pci_function *at, enum pci_string which,
		       const char *value, const char *source)
{
	if (!value)
		return;
	at->strings[which] = hl_arena_strdup(listing->arena, value);
	at->string_sources[which] = source;
}

bool hl_pci_is(const struct pci_function *at, enum pci_number which)
{
	return at->numbers[which] > 0;
}

bool hl_pci_is_type(const struct pci_function *at, const char *type)
{
	return at->strings[PCI_PORT_TYPE] && !strcmp(at->strings[PCI_PORT_TYPE], type);
}

struct pci_config *hl_pci_config_of(struct pci_listing *listing, struct pci_function *at,
				    const char *source)
{
	if (!at->config) {
		at->config = hl_arena_alloc(listing->arena, sizeof(*at->config));
		at->config->source = source;
	}
	return at->config;
}

void hl_pci_config_set(struct pci_config *config, size_t at, uint8_t byte)
{
	if (at >= PCI_CONFIG_SIZE)
		return;
	config->bytes[at] = byte;
	config->is_known[at] = true;
	if (at >= config->len)
		config->len = at + 1;
}

/* ---- two texts of one machine ---- */

static bool is_same_text(const char *a, const char *b)
{
	return !a || !b || !strcmp(a, b);
}

static bool contradicts(const struct pci_function *a, const struct pci_function *b)
{
	for (int i = 0; i < PCI_NR_NUMBERS; i++) {
		if (!isnan(a->numbers[i]) && !isnan(b->numbers[i]) &&
		    a->numbers[i] != b->numbers[i])
			return true;
	}
	for (int i = 0; i < PCI_NR_STRINGS; i++) {
		if (!is_same_text(a->strings[i], b->strings[i]))
			return true;
	}
	return a->config && b->config &&
	       memcmp(a->config->bytes, b->config->bytes,
		      a->config->len < b->config->len ? a->config->len : b->config->len) != 0;
}

static void take_over(struct pci_function *at, const struct pci_function *other)
{
	for (int i = 0; i < PCI_NR_NUMBERS; i++) {
		if (isnan(at->numbers[i]))
			hl_pci_set_number(at, i, other->numbers[i], other->number_sources[i]);
	}
	for (int i = 0; i < PCI_NR_STRINGS; i++) {
		if (at->strings[i])
			continue;
		at->strings[i] = other->strings[i];
		at->string_sources[i] = other->string_sources[i];
	}
	if (other->config && (!at->config || other->config->len > at->config->len))
		at->config = other->config;
}

bool hl_pci_listing_merge(struct pci_listing *listing, const struct pci_listing *other)
{
	for (size_t i = 0; i < other->nr; i++) {
		const struct pci_function *at = hl_pci_listing_find(listing, other->functions[i]);

		if (at && contradicts(at, other->functions[i]))
			return false;
	}
	for (size_t i = 0; i < other->nr; i++) {
		struct pci_function *at = hl_pci_listing_find(listing, other->functions[i]);

		if (!at) {
			at = hl_pci_listing_add(listing, other->functions[i]);
			at->source = other->functions[i]->source;
		}
		take_over(at, other->functions[i]);
	}
	return true;
}
