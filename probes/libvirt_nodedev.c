/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Node devices, as virsh nodedev-dumpxml writes them: PCI functions and NICs of the host.
 *
 * Source: https://libvirt.org/formatnode.html. Speeds of a link are in GT/s there.
 */
#include "hoploss/number.h"
#include "libvirt.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct libvirt_row pci_rows[] = {
	{ "driver/name", NULL, "pcie.driver", LIBVIRT_TEXT },
	{ "capability/iommuGroup", "number", "pcie.iommu_group", LIBVIRT_COUNT },
	{ "capability/numa", "node", "pcie.numa_node", LIBVIRT_COUNT },
	{ NULL, NULL, NULL, LIBVIRT_TEXT },
};

static const struct libvirt_row net_rows[] = {
	{ "address", NULL, "link.mac", LIBVIRT_TEXT },
	{ "link", "speed", "link.speed_mbps", LIBVIRT_COUNT },
	{ "link", "state", "link.is_up", LIBVIRT_UP },
	{ NULL, NULL, NULL, LIBVIRT_TEXT },
};

static const struct hl_xml *capability(const struct hl_xml *parent, const char *type)
{
	const struct hl_xml *found = hl_xml_find(parent, "capability");

	for (; found; found = hl_xml_next(found, "capability")) {
		const char *its = hl_xml_attribute(found, "type");

		if (its && !strcmp(its, type))
			return found;
	}
	return NULL;
}

/* "0000:41:00.0" of "pci_0000_41_00_0"; NULL = no PCI function. */
static const char *address_of_name(const struct libvirt *in, const char *name)
{
	static const char prefix[] = "pci_";
	static const uint64_t most[] = { 0xffffffff, 0xff, 0x1f, 7 };
	uint64_t parts[4];

	if (!name || strncmp(name, prefix, strlen(prefix)) != 0)
		return NULL;
	name += strlen(prefix);
	for (int i = 0; i < 4; i++) {
		size_t len = strcspn(name, "_");

		if (hl_number_hex(name, len, &parts[i]) < 0 || parts[i] > most[i] ||
		    (i < 3 ? name[len] != '_' : name[len] != '\0'))
			return NULL;
		name += len + 1;
	}
	return hl_arena_printf(in->reading->graph->arena, "%04x:%02x:%02x.%x", (unsigned)parts[0],
			       (unsigned)parts[1], (unsigned)parts[2], (unsigned)parts[3]);
}

/* The number of an element; -1 = none is said. */
static int part_of(const struct hl_xml *pci, const char *name)
{
	const struct hl_xml *found = hl_xml_find(pci, name);
	uint64_t value;

	if (!found || !found->text || hl_number_u64(found->text, strlen(found->text), &value) < 0 ||
	    value > 0xffff)
		return -1;
	return (int)value;
}

static const char *address_of_parts(const struct libvirt *in, const struct hl_xml *pci)
{
	int domain = part_of(pci, "domain"), bus = part_of(pci, "bus");
	int slot = part_of(pci, "slot"), function = part_of(pci, "function");

	if (domain < 0 || bus < 0 || slot < 0 || function < 0)
		return NULL;
	return hl_arena_printf(in->reading->graph->arena, "%04x:%02x:%02x.%x", (unsigned)domain,
			       (unsigned)bus, (unsigned)slot, (unsigned)function);
}

static double decimal(const char *text)
{
	double number = NAN;

	if (text)
		hl_number_double(text, strlen(text), &number);
	return number;
}

/* What the link can do and does: "cap" and "sta". */
static void add_link(const struct libvirt *in, const struct hl_xml *pci, const char *node)
{
	static const char *const keys[][2] = { { "pcie.cap_speed_gts", "pcie.cap_width" },
					       { "pcie.speed_gts", "pcie.width" } };
	struct hl_graph *graph = in->reading->graph;
	const struct hl_xml *link = hl_xml_find(pci, "pci-express/link");
	double figures[2][2] = { { NAN, NAN }, { NAN, NAN } };
	struct hl_origin origin;

	if (!link)
		return;
	origin = libvirt_origin(in, link, node);
	for (; link; link = hl_xml_next(link, "link")) {
		const char *validity = hl_xml_attribute(link, "validity");
		bool is_now = validity && !strcmp(validity, "sta");

		figures[is_now][0] = decimal(hl_xml_attribute(link, "speed"));
		figures[is_now][1] = libvirt_number(hl_xml_attribute(link, "width"));
	}
	for (int i = 0; i < 4; i++) {
		double value = figures[i / 2][i % 2];

		if (value > 0) /* a VF has no link, and says 0 */
			hl_graph_add_number(graph, &origin, keys[i / 2][i % 2], value);
	}
	if (figures[1][0] > 0 && figures[1][1] > 0 && figures[0][0] > 0 && figures[0][1] > 0)
		hl_graph_add_boolean(graph, &origin, "pcie.is_downgraded",
				     figures[1][0] < figures[0][0] ||
					     figures[1][1] < figures[0][1]);
}

static void add_pci(const struct libvirt *in, const struct hl_xml *device, const struct hl_xml *pci)
{
	struct hl_graph *graph = in->reading->graph;
	const struct hl_xml *name = hl_xml_find(device, "name");
	const struct hl_xml *parent = hl_xml_find(device, "parent");
	const struct hl_xml *physfn = hl_xml_find(capability(pci, "phys_function"), "address");
	const char *node = address_of_name(in, name ? name->text : NULL);
	struct hl_origin origin;

	if (!node)
		node = address_of_parts(in, pci);
	if (!node)
		return;
	origin = libvirt_origin(in, device, node);
	libvirt_add_rows(in, device, node, pci_rows);
	hl_graph_add_string(graph, &origin, "pcie.parent",
			    address_of_name(in, parent ? parent->text : NULL));
	if (physfn)
		hl_graph_add_string(graph, &origin, "pcie.physfn", libvirt_pci_address(in, physfn));
	add_link(in, pci, node);
}

static void add_net(const struct libvirt *in, const struct hl_xml *device, const struct hl_xml *net)
{
	const struct hl_xml *parent = hl_xml_find(device, "parent");
	const struct hl_xml *interface = hl_xml_find(net, "interface");
	const char *node = interface ? interface->text : NULL;
	struct hl_origin origin;

	if (!node)
		return;
	origin = libvirt_origin(in, net, node);
	libvirt_add_rows(in, net, node, net_rows);
	hl_graph_add_string(in->reading->graph, &origin, "link.pci_address",
			    address_of_name(in, parent ? parent->text : NULL));
}

void libvirt_add_nodedev(struct libvirt *in, const struct hl_xml *device)
{
	const struct hl_xml *pci = capability(device, "pci"), *net = capability(device, "net");

	if (pci)
		add_pci(in, device, pci);
	if (net)
		add_net(in, device, net);
}
