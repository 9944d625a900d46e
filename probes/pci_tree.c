/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What lies above and below what: bridges by their bus numbers, VFs by the place that their PF
 * gives them, ports in which nothing is plugged, links that are no wires.
 *
 * Source: PCI-to-PCI Bridge Architecture Specification 1.2, 3.2.5 (bus numbers); PCI Express Base
 * Specification 6.0, 9.3.3 (VF offset and stride); vendor IDs of pci.ids. Surprising: a VF may sit
 * on a bus that no bridge names as its secondary one; it is below the bridge whose range of buses
 * holds it.
 */
#include "pci.h"
#include <math.h>
#include <string.h>

/* ---- parents ---- */

static bool is_bridge(const struct pci_function *at)
{
	return at->numbers[PCI_SECONDARY] > at->bus;
}

static bool holds(const struct pci_function *bridge, const struct pci_function *at)
{
	return is_bridge(bridge) && bridge->domain == at->domain &&
	       bridge->numbers[PCI_SECONDARY] <= at->bus &&
	       bridge->numbers[PCI_SUBORDINATE] >= at->bus;
}

/* The innermost one: that with the highest secondary bus. Its own bus is lower than that of at. */
static struct pci_function *find_parent(const struct pci_listing *listing,
					const struct pci_function *at)
{
	struct pci_function *parent = NULL;

	for (size_t i = 0; i < listing->nr; i++) {
		struct pci_function *bridge = listing->functions[i];

		if (holds(bridge, at) &&
		    (!parent || bridge->numbers[PCI_SECONDARY] > parent->numbers[PCI_SECONDARY]))
			parent = bridge;
	}
	return parent;
}

static struct pci_function *find_node(const struct pci_listing *listing, const char *node)
{
	for (size_t i = 0; node && i < listing->nr; i++) {
		if (!strcmp(listing->functions[i]->node, node))
			return listing->functions[i];
	}
	return NULL;
}

/* The kernel knows better than the bus numbers; but nothing may be above itself. */
static struct pci_function *known_parent(const struct pci_listing *listing,
					 const struct pci_function *at)
{
	struct pci_function *parent = find_node(listing, at->strings[PCI_PARENT]);

	return parent && parent->domain == at->domain && parent->bus < at->bus ? parent : NULL;
}

static void fill_parents(struct pci_listing *listing)
{
	for (size_t i = 0; i < listing->nr; i++) {
		struct pci_function *at = listing->functions[i];

		at->parent = at->strings[PCI_PARENT] ? known_parent(listing, at)
						     : find_parent(listing, at);
		if (at->parent && !at->strings[PCI_PARENT])
			hl_pci_set_string(listing, at, PCI_PARENT, at->parent->node,
					  at->parent->number_sources[PCI_SECONDARY]);
	}
}

/* ---- VFs ---- */

static double routing_id(const struct pci_function *at)
{
	return at->bus * 256.0 + at->device * 8.0 + at->function;
}

static bool is_vf_of(const struct pci_function *at, const struct pci_function *pf)
{
	double nr = pf->numbers[PCI_NR_VFS], stride = pf->numbers[PCI_VF_STRIDE];
	double distance = routing_id(at) - routing_id(pf) - pf->numbers[PCI_VF_OFFSET];

	if (at->domain != pf->domain || !(nr > 0) || !(distance >= 0) ||
	    !(pf->numbers[PCI_VF_OFFSET] > 0))
		return false;
	if (distance == 0)
		return true;
	return stride > 0 && fmod(distance, stride) == 0 && distance / stride < nr;
}

static void fill_physfn(struct pci_listing *listing, const struct pci_function *pf)
{
	for (size_t i = 0; i < listing->nr; i++) {
		struct pci_function *at = listing->functions[i];

		if (at->strings[PCI_PHYSFN] || !is_vf_of(at, pf))
			continue;
		hl_pci_set_string(listing, at, PCI_PHYSFN, pf->node,
				  pf->number_sources[PCI_NR_VFS]);
	}
}

static void fill_vfs(struct pci_listing *listing)
{
	for (size_t i = 0; i < listing->nr; i++)
		fill_physfn(listing, listing->functions[i]);
	for (size_t i = 0; i < listing->nr; i++) {
		struct pci_function *at = listing->functions[i];
		const char *name = at->strings[PCI_NAME];

		if (at->strings[PCI_PHYSFN])
			hl_pci_set_number(at, PCI_IS_VF, 1, at->string_sources[PCI_PHYSFN]);
		else if (name && strstr(name, "Virtual Function"))
			hl_pci_set_number(at, PCI_IS_VF, 1, at->string_sources[PCI_NAME]);
		if (hl_pci_is(at, PCI_IS_VF)) /* it has no link that could be told a speed */
			at->numbers[PCI_TARGET_SPEED] = NAN;
	}
}

/* ---- empty ports ---- */

static bool has_child(const struct pci_listing *listing, const struct pci_function *port)
{
	for (size_t i = 0; i < listing->nr; i++) {
		if (listing->functions[i]->parent == port)
			return true;
	}
	return false;
}

static bool looks_down(const struct pci_function *at)
{
	return hl_pci_is_type(at, "Root Port") || hl_pci_is_type(at, "Downstream Port");
}

/* A width above what the port has is what some leave in the register when nothing is plugged. */
static bool says_nothing_is_below(const struct pci_function *at)
{
	return at->numbers[PCI_SLOT_PRESENT] == 0 ||
	       (at->numbers[PCI_REPORTS_ACTIVE] == 1 && at->numbers[PCI_LINK_ACTIVE] == 0) ||
	       at->numbers[PCI_WIDTH] > at->numbers[PCI_CAP_WIDTH];
}

static void fill_empty(struct pci_listing *listing)
{
	for (size_t i = 0; i < listing->nr; i++) {
		struct pci_function *at = listing->functions[i];

		if (looks_down(at) && says_nothing_is_below(at) && !has_child(listing, at))
			hl_pci_set_number(at, PCI_IS_EMPTY, 1, at->source);
	}
}

/* ---- links that are no wires ---- */

static bool has_synthetic_vendor(const struct pci_function *at)
{
	static const double vendors[] = { 0x1b36, 0x1af4, 0x15ad }; /* QEMU, virtio, VMware */

	for (size_t i = 0; i < sizeof(vendors) / sizeof(*vendors); i++) {
		if (at->numbers[PCI_VENDOR] == vendors[i])
			return true;
	}
	return false;
}

static bool has_synthetic_name(const struct pci_function *at)
{
	static const char *const parts[] = { "QEMU", "Virtio", "VMware", "Thunderbolt", "USB4" };
	const char *name = at->strings[PCI_NAME];

	for (size_t i = 0; name && i < sizeof(parts) / sizeof(*parts); i++) {
		if (strcasestr(name, parts[i]))
			return true;
	}
	return false;
}

static bool is_synthetic(const struct pci_function *at)
{
	return has_synthetic_vendor(at) || has_synthetic_name(at) || hl_pci_is(at, PCI_IS_TUNNEL);
}

/* A real device can be passed through to below a made-up port, a real switch cannot. */
static bool is_made_up_switch(const struct pci_function *at)
{
	if (!is_bridge(at))
		return false;
	for (at = at->parent; at; at = at->parent) {
		if (is_synthetic(at))
			return true;
	}
	return false;
}

static void fill_synthetic(struct pci_listing *listing)
{
	for (size_t i = 0; i < listing->nr; i++) {
		struct pci_function *at = listing->functions[i];

		if (is_synthetic(at) || is_made_up_switch(at))
			hl_pci_set_number(at, PCI_IS_SYNTHETIC, 1, at->source);
	}
}

/* ---- downgraded ---- */

/*
 * One is lower: true; none is: false. A VF has no link: its status is zero, or made up by a
 * hypervisor.
 */
static double is_downgraded(const struct pci_function *at)
{
	const double *number = at->numbers;

	if (hl_pci_is(at, PCI_IS_VF))
		return NAN;
	if (number[PCI_SPEED] < number[PCI_CAP_SPEED] || number[PCI_WIDTH] < number[PCI_CAP_WIDTH])
		return 1;
	if (number[PCI_SPEED] >= number[PCI_CAP_SPEED] &&
	    number[PCI_WIDTH] >= number[PCI_CAP_WIDTH])
		return 0;
	return NAN;
}

static void fill_downgraded(struct pci_listing *listing)
{
	for (size_t i = 0; i < listing->nr; i++) {
		struct pci_function *at = listing->functions[i];
		const char *source = at->number_sources[PCI_SPEED];

		hl_pci_set_number(at, PCI_IS_DOWNGRADED, is_downgraded(at),
				  source ? source : at->number_sources[PCI_WIDTH]);
	}
}

/* ---- classes ---- */

/* Where no list of names was at hand, the code alone is known. */
static void fill_classes(struct pci_listing *listing)
{
	for (size_t i = 0; i < listing->nr; i++) {
		struct pci_function *at = listing->functions[i];

		if (!at->strings[PCI_CLASS])
			hl_pci_set_string(listing, at, PCI_CLASS,
					  hl_pci_class_name(at->numbers[PCI_CLASS_CODE]),
					  at->number_sources[PCI_CLASS_CODE]);
	}
}

void hl_pci_tree_fill(struct pci_listing *listing)
{
	fill_classes(listing);
	fill_parents(listing);
	fill_vfs(listing);
	fill_empty(listing);
	fill_synthetic(listing);
	fill_downgraded(listing);
}
