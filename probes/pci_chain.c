/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the chain of links from a device up to the root gives: what both ends of a link can do, the
 * slowest link, and who shares one.
 *
 * Source: the rule of Linux (pcie_bandwidth_available): every function's own LnkSta on the way up
 * counts, and of equal ones the topmost is named. Surprising: a link that is no wire (QEMU's root
 * port, a tunnel) says nothing, so it limits nothing here. A VF has no link of its own: the chain
 * begins at its PF.
 */
#include "pci.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_SHARERS 512 /* bytes of their names */

static bool has_wire(const struct pci_function *at)
{
	return !hl_pci_is(at, PCI_IS_SYNTHETIC);
}

/* ---- both ends ---- */

/* The least of two, NAN if one is not known. */
static double least(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : fmin(a, b);
}

static void fill_best(struct pci_function *at)
{
	struct pci_function *port = at->parent;
	double speed, width;

	if (!port || !has_wire(at) || !has_wire(port) || hl_pci_is(at, PCI_IS_VF))
		return;
	speed = least(at->numbers[PCI_CAP_SPEED], port->numbers[PCI_CAP_SPEED]);
	width = least(at->numbers[PCI_CAP_WIDTH], port->numbers[PCI_CAP_WIDTH]);
	hl_pci_set_number(at, PCI_BEST_SPEED, speed, at->number_sources[PCI_CAP_SPEED]);
	hl_pci_set_number(at, PCI_BEST_WIDTH, width, at->number_sources[PCI_CAP_WIDTH]);
	if (at->function)
		return;
	hl_pci_set_number(port, PCI_BEST_SPEED, speed, port->number_sources[PCI_CAP_SPEED]);
	hl_pci_set_number(port, PCI_BEST_WIDTH, width, port->number_sources[PCI_CAP_WIDTH]);
}

/* ---- the slowest link ---- */

static const struct pci_function *start_of(const struct pci_listing *listing,
					   const struct pci_function *at)
{
	if (!at->strings[PCI_PHYSFN])
		return hl_pci_is(at, PCI_IS_VF) ? NULL : at;
	for (size_t i = 0; i < listing->nr; i++) {
		if (!strcmp(listing->functions[i]->node, at->strings[PCI_PHYSFN]))
			return listing->functions[i];
	}
	return NULL;
}

/* Nothing is above the topmost one that is known. */
static bool reaches_root(const struct pci_function *at)
{
	while (at->parent)
		at = at->parent;
	return hl_pci_is_type(at, "Root Port") || hl_pci_is(at, PCI_AT_ROOT);
}

static const struct pci_function *find_limit(const struct pci_function *start)
{
	const struct pci_function *limit = NULL;
	double lowest = NAN;

	for (const struct pci_function *at = start; at; at = at->parent) {
		double bw = hl_pci_link_bw(at->numbers[PCI_SPEED], at->numbers[PCI_WIDTH]);

		if (!has_wire(at) || isnan(bw) || bw > lowest)
			continue;
		lowest = bw;
		limit = at;
	}
	return limit;
}

/* Only where the chain reaches the root: else what lies above is not known. */
static void fill_limit(struct pci_listing *listing, struct pci_function *at)
{
	const struct pci_function *start = start_of(listing, at);
	const struct pci_function *limit;

	if (!start || !start->parent || !has_wire(start) || at->numbers[PCI_SECONDARY] > 0 ||
	    !reaches_root(start))
		return;
	limit = find_limit(start);
	if (!limit)
		return;
	hl_pci_set_number(at, PCI_LIMIT_SPEED, limit->numbers[PCI_SPEED],
			  limit->number_sources[PCI_SPEED]);
	hl_pci_set_number(at, PCI_LIMIT_WIDTH, limit->numbers[PCI_WIDTH],
			  limit->number_sources[PCI_WIDTH]);
	hl_pci_set_string(listing, at, PCI_LIMITING_HOP, limit->node,
			  limit->number_sources[PCI_SPEED]);
}

/* ---- who shares a link ---- */

static bool is_below(const struct pci_function *at, const struct pci_function *port)
{
	for (at = at->parent; at; at = at->parent) {
		if (at == port)
			return true;
	}
	return false;
}

static bool is_sharer(const struct pci_function *at)
{
	return hl_pci_moves_data(at) && !hl_pci_is(at, PCI_IS_VF) &&
	       !(at->numbers[PCI_SECONDARY] > 0);
}

/* The others below port, separated by blanks; "" = none. */
static void list_sharers(const struct pci_listing *listing, const struct pci_function *port,
			 const struct pci_function *at, char text[MAX_SHARERS])
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < listing->nr; i++) {
		const struct pci_function *other = listing->functions[i];

		if (other == at || !is_sharer(other) || !is_below(other, port) ||
		    used + PCI_NODE + 1 > MAX_SHARERS)
			continue;
		used += (size_t)snprintf(text + used, MAX_SHARERS - used, "%s%s", used ? " " : "",
					 other->node);
	}
}

/* The lowest link on the way up that others use as well. */
static void fill_shared(struct pci_listing *listing, struct pci_function *at)
{
	char text[MAX_SHARERS];

	if (!is_sharer(at))
		return;
	for (const struct pci_function *port = at->parent; port; port = port->parent) {
		list_sharers(listing, port, at, text);
		if (!*text)
			continue;
		hl_pci_set_string(listing, at, PCI_SHARED_UPLINK, port->node, port->source);
		hl_pci_set_string(listing, at, PCI_UPLINK_SHARED_BY, text, port->source);
		return;
	}
}

void hl_pci_chain_fill(struct pci_listing *listing)
{
	for (size_t i = 0; i < listing->nr; i++)
		fill_best(listing->functions[i]);
	for (size_t i = 0; i < listing->nr; i++) {
		fill_limit(listing, listing->functions[i]);
		fill_shared(listing, listing->functions[i]);
	}
}
