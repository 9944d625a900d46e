/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Disks, NICs and host devices of a domain: see libvirt.h.
 *
 * Surprising: NICs have no name of their own in a definition, so they are net0, net1 … in the order
 * of the document, host devices among them included. A SCSI disk's queues and thread are those of
 * its controller; what stands at the disk itself has no effect.
 */
#include "hoploss/number.h"
#include "libvirt.h"
#include <stdlib.h>
#include <string.h>

static const struct libvirt_row disk_rows[] = {
	{ "target", "bus", "vdisk.bus", LIBVIRT_TEXT },
	{ "target", "dev", "vdisk.target", LIBVIRT_TEXT },
	{ "serial", NULL, "vdisk.serial", LIBVIRT_TEXT },
	{ "iotune/total_bytes_sec", NULL, "vdisk.limit_bw", LIBVIRT_COUNT },
	{ "iotune/read_bytes_sec", NULL, "vdisk.limit_read_bw", LIBVIRT_COUNT },
	{ "iotune/write_bytes_sec", NULL, "vdisk.limit_write_bw", LIBVIRT_COUNT },
	{ "iotune/total_iops_sec", NULL, "vdisk.limit_iops", LIBVIRT_COUNT },
	{ "iotune/read_iops_sec", NULL, "vdisk.limit_read_iops", LIBVIRT_COUNT },
	{ "iotune/write_iops_sec", NULL, "vdisk.limit_write_iops", LIBVIRT_COUNT },
	{ NULL, NULL, NULL, LIBVIRT_TEXT },
};

static const struct libvirt_row disk_driver_rows[] = {
	{ "", "type", "vdisk.format", LIBVIRT_TEXT },
	{ "", "cache", "vdisk.cache", LIBVIRT_TEXT },
	{ "", "io", "vdisk.io", LIBVIRT_TEXT },
	{ "", "iothread", "vdisk.iothread", LIBVIRT_COUNT },
	{ "", "queues", "vdisk.queues", LIBVIRT_COUNT },
	{ "", "queue_size", "vdisk.queue_size", LIBVIRT_COUNT },
	{ "", "discard", "vdisk.discard", LIBVIRT_TEXT },
	{ NULL, NULL, NULL, LIBVIRT_TEXT },
};

static const struct libvirt_row controller_rows[] = {
	{ "", "model", "vdisk.controller", LIBVIRT_TEXT },
	{ "driver", "queues", "vdisk.controller_queues", LIBVIRT_COUNT },
	{ "driver", "iothread", "vdisk.controller_iothread", LIBVIRT_COUNT },
	{ NULL, NULL, NULL, LIBVIRT_TEXT },
};

static const struct libvirt_row nic_rows[] = {
	{ "", "type", "vnic.type", LIBVIRT_TEXT },
	{ "model", "type", "vnic.model", LIBVIRT_TEXT },
	{ "source", "bridge", "vnic.bridge", LIBVIRT_TEXT },
	{ "source", "network", "vnic.network", LIBVIRT_TEXT },
	{ "source", "dev", "vnic.source", LIBVIRT_TEXT },
	{ "target", "dev", "vnic.host_device", LIBVIRT_TEXT },
	{ "mac", "address", "vnic.mac", LIBVIRT_TEXT },
	{ "mtu", "size", "vnic.mtu", LIBVIRT_COUNT },
	{ "link", "state", "vnic.is_up", LIBVIRT_UP },
	{ "virtualport", "type", "vnic.virtualport", LIBVIRT_TEXT },
	{ "teaming", "type", "vnic.teaming", LIBVIRT_TEXT },
	{ NULL, NULL, NULL, LIBVIRT_TEXT },
};

static const struct libvirt_row nic_driver_rows[] = {
	{ "", "name", "vnic.driver", LIBVIRT_TEXT },
	{ "", "queues", "vnic.queues", LIBVIRT_COUNT },
	{ "", "rx_queue_size", "vnic.rx_queue_size", LIBVIRT_COUNT },
	{ "", "tx_queue_size", "vnic.tx_queue_size", LIBVIRT_COUNT },
	{ NULL, NULL, NULL, LIBVIRT_TEXT },
};

static const char *node_of(const struct libvirt *in, const char *name)
{
	return hl_arena_printf(in->reading->graph->arena, "%s/%s", in->vm, name);
}

/* libvirt writes 0x42, and people 66 or 42. */
static bool read_part(const struct hl_xml *address, const char *name, uint64_t *ret_value)
{
	const char *text = hl_xml_attribute(address, name);

	if (!text)
		return false;
	if (!strncmp(text, "0x", 2))
		return hl_number_hex(text, strlen(text), ret_value) == 0;
	return hl_number_u64(text, strlen(text), ret_value) == 0;
}

const char *libvirt_pci_address(const struct libvirt *in, const struct hl_xml *address)
{
	uint64_t domain = 0, bus, slot, function;

	read_part(address, "domain", &domain);
	if (!read_part(address, "bus", &bus) || !read_part(address, "slot", &slot) ||
	    !read_part(address, "function", &function) || domain > 0xffffffff || bus > 0xff ||
	    slot > 0x1f || function > 7)
		return NULL;
	return hl_arena_printf(in->reading->graph->arena, "%04x:%02x:%02x.%x", (unsigned)domain,
			       (unsigned)bus, (unsigned)slot, (unsigned)function);
}

static void add_address(const struct libvirt *in, const struct hl_xml *device, const char *path,
			const char *node, const char *key)
{
	const struct hl_xml *address = hl_xml_find(device, path);
	const char *type = hl_xml_attribute(address, "type");
	struct hl_origin origin;

	if (!address || (type && strcmp(type, "pci") != 0))
		return;
	origin = libvirt_origin(in, address, node);
	hl_graph_add_string(in->reading->graph, &origin, key, libvirt_pci_address(in, address));
}

/* ---- disks ---- */

static const char *source_of(const struct libvirt *in, const struct hl_xml *source)
{
	static const char *const paths[] = { "file", "dev", "dir" };
	static const char *const prefixes[] = { "protocol", "pool" };
	static const char *const names[] = { "name", "volume" };
	struct hl_arena *arena = in->reading->graph->arena;

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		if (hl_xml_attribute(source, paths[i]))
			return hl_xml_attribute(source, paths[i]);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *prefix = hl_xml_attribute(source, prefixes[i]);
		const char *name = hl_xml_attribute(source, names[i]);

		if (prefix && name)
			return hl_arena_printf(arena, "%s%s%s", prefix, i ? "/" : ":", name);
	}
	return NULL;
}

/* The controller that a SCSI disk hangs on: that of its address, or the first. */
static const struct hl_xml *controller_of(const struct hl_xml *disk)
{
	const char *index = hl_xml_attribute(hl_xml_find(disk, "address"), "controller");
	const struct hl_xml *found = hl_xml_find(disk->parent, "controller");

	for (; found; found = hl_xml_next(found, "controller")) {
		const char *type = hl_xml_attribute(found, "type");
		const char *its_index = hl_xml_attribute(found, "index");

		if (type && !strcmp(type, "scsi") &&
		    !strcmp(its_index ? its_index : "0", index ? index : "0"))
			return found;
	}
	return NULL;
}

static void add_iothread_effect(const struct libvirt *in, const struct hl_xml *disk,
				const char *node, const struct hl_xml *controller)
{
	const struct hl_xml *driver = hl_xml_find(disk, "driver");
	const char *bus = hl_xml_attribute(hl_xml_find(disk, "target"), "bus");
	const struct hl_xml *its = hl_xml_find(controller, "driver");
	bool at_disk = hl_xml_attribute(driver, "iothread") || hl_xml_find(driver, "iothreads");
	bool at_controller = hl_xml_attribute(its, "iothread") || hl_xml_find(its, "iothreads");
	struct hl_origin origin;

	if (!bus || (!at_disk && !at_controller))
		return;
	origin = libvirt_origin(in, at_disk ? driver : its, node);
	hl_graph_add_boolean(in->reading->graph, &origin, "vdisk.iothread_has_effect",
			     !strcmp(bus, "virtio") || at_controller);
}

void libvirt_add_disk(struct libvirt *in, const struct hl_xml *disk)
{
	const char *device = hl_xml_attribute(disk, "device");
	const char *target = hl_xml_attribute(hl_xml_find(disk, "target"), "dev");
	const char *bus = hl_xml_attribute(hl_xml_find(disk, "target"), "bus");
	const struct hl_xml *source = hl_xml_find(disk, "source");
	const struct hl_xml *driver = hl_xml_find(disk, "driver");
	const struct hl_xml *controller = NULL;
	const char *node = node_of(in, target ? target : "?");

	if (device && strcmp(device, "disk") != 0 && strcmp(device, "lun") != 0)
		return;
	libvirt_add_rows(in, disk, node, disk_rows);
	if (driver)
		libvirt_add_rows(in, driver, node, disk_driver_rows);
	if (source) {
		struct hl_origin origin = libvirt_origin(in, source, node);

		hl_graph_add_string(in->reading->graph, &origin, "vdisk.source",
				    source_of(in, source));
	}
	if (bus && !strcmp(bus, "scsi"))
		controller = controller_of(disk);
	if (controller)
		libvirt_add_rows(in, controller, node, controller_rows);
	add_iothread_effect(in, disk, node, controller);
	add_address(in, disk, "address", node, "vdisk.guest_address");
}

/* ---- NICs ---- */

/* <driver><host csum='off'/><guest tso4='off'/>: "host.csum guest.tso4" */
static void add_offloads(const struct libvirt *in, const struct hl_xml *driver, const char *node)
{
	static const char *const sides[] = { "host", "guest" };
	struct hl_arena *arena = in->reading->graph->arena;
	const char *all = NULL;
	struct hl_origin origin;

	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
		const struct hl_xml *side = hl_xml_find(driver, sides[i]);
		const struct hl_xml_attribute *at = side ? side->attributes : NULL;

		for (; at; at = at->next) {
			if (!strcmp(at->value, "off"))
				all = hl_arena_printf(arena, "%s%s%s.%s", all ? all : "",
						      all ? " " : "", sides[i], at->name);
		}
	}
	if (!all)
		return;
	origin = libvirt_origin(in, driver, node);
	hl_graph_add_string(in->reading->graph, &origin, "vnic.offloads_off", all);
}

static void add_nic_driver(const struct libvirt *in, const struct hl_xml *driver, const char *node)
{
	libvirt_add_rows(in, driver, node, nic_driver_rows);
	add_offloads(in, driver, node);
}

static const char *next_nic(struct libvirt *in)
{
	struct hl_graph *graph = in->reading->graph;

	return hl_arena_printf(graph->arena, "%s/net%u", in->vm, in->nr_nics++);
}

void libvirt_add_nic(struct libvirt *in, const struct hl_xml *interface)
{
	const char *type = hl_xml_attribute(interface, "type");
	const struct hl_xml *driver = hl_xml_find(interface, "driver");
	const char *node = next_nic(in);

	libvirt_add_rows(in, interface, node, nic_rows);
	if (driver)
		add_nic_driver(in, driver, node);
	if (type && !strcmp(type, "hostdev"))
		add_address(in, interface, "source/address", node, "vnic.host_address");
	add_address(in, interface, "address", node, "vnic.guest_address");
}

/* ---- others ---- */

void libvirt_add_hostdev(struct libvirt *in, const struct hl_xml *hostdev)
{
	const char *type = hl_xml_attribute(hostdev, "type");
	const char *alias = hl_xml_attribute(hl_xml_find(hostdev, "alias"), "name");
	const char *node = hl_arena_printf(in->reading->graph->arena, "%s/hostdev%u", in->vm,
					   in->nr_hostdevs++);

	if (type && strcmp(type, "pci") != 0)
		return;
	if (alias && !strncmp(alias, "hostdev", strlen("hostdev")))
		node = node_of(in, alias);
	add_address(in, hostdev, "source/address", node, "passthrough.address");
	add_address(in, hostdev, "address", node, "passthrough.guest_address");
}

/* A line on its own that somebody changed: of a NIC by its name, else of a disk. */
void libvirt_add_driver(struct libvirt *in, const struct hl_xml *driver)
{
	const char *name = hl_xml_attribute(driver, "name");
	bool is_disk = hl_xml_attribute(driver, "type") || hl_xml_attribute(driver, "cache") ||
		       hl_xml_attribute(driver, "io") || hl_xml_attribute(driver, "iothread");

	if (!hl_xml_is(driver->parent, LIBVIRT_ROOT))
		return;
	if (name && (!strcmp(name, "vhost") || !strcmp(name, "vfio")))
		is_disk = false;
	if (is_disk)
		libvirt_add_rows(in, driver, node_of(in, "?"), disk_driver_rows);
	else
		add_nic_driver(in, driver, next_nic(in));
}
