/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The probe "libvirt", and what it may keep of libvirt's XML.
 *
 * The XML is asked for without passwords, and what is kept of it is elements and attributes by an
 * allow-list: free text, command lines for QEMU and what else a user put there stays where it is.
 */
#include "hoploss/probe.h"
#include "libvirt.h"
#include "markup.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define URI_VARIABLE "LIBVIRT_DEFAULT_URI" /* virsh(1) takes it, too */
#define URI          "qemu:///system"

static const char *const elements[] = {
	/* a domain */
	"domain", "name", "uuid", "memory", "currentMemory", "maxMemory", "memoryBacking",
	"hugepages", "page", "locked", "nosharepages", "source", "vcpu", "iothreads", "iothreadids",
	"iothread", "cputune", "vcpupin", "emulatorpin", "iothreadpin", "shares", "period", "quota",
	"numatune", "memnode", "os", "type", "cpu", "model", "topology", "numa", "cell", "devices",
	"disk", "driver", "target", "iotune", "total_bytes_sec", "read_bytes_sec",
	"write_bytes_sec", "total_iops_sec", "read_iops_sec", "write_iops_sec", "serial", "address",
	"alias", "controller", "interface", "mac", "host", "guest", "mtu", "link", "virtualport",
	"teaming", "vlan", "tag", "bandwidth", "inbound", "outbound", "hostdev", "queue",
	/* a node device */
	"device", "parent", "capability", "bus", "slot", "function", "product", "vendor",
	"iommuGroup", "pci-express", "class", NULL
};

static const char *const attributes[] = {
	"address",  "average",       "bridge",  "bus",      "cache",    "controller",
	"cores",    "cpus",          "cpuset",  "csum",     "current",  "dev",
	"device",   "dies",          "discard", "domain",   "ecn",      "emulator",
	"file",     "function",      "gso",     "id",       "index",    "io",
	"iothread", "machine",       "managed", "maxCount", "memory",   "mode",
	"model",    "mrg_rxbuf",     "name",    "network",  "node",     "nodeset",
	"number",   "placement",     "pool",    "port",     "protocol", "queue_size",
	"queues",   "rx_queue_size", "size",    "slot",     "sockets",  "speed",
	"state",    "target",        "threads", "tso4",     "tso6",     "tx_queue_size",
	"type",     "ufo",           "unit",    "validity", "vcpu",     "vcpus",
	"volume",   "width",         NULL
};

int libvirt_keep(struct hl_capture *capture, const char *name, const char *node, const char *xml,
		 size_t len, struct hl_error *err)
{
	static const struct markup_rules rules = { elements, attributes };
	size_t kept_len = 0;
	HL_FREE char *kept = markup_mend(xml, len, &rules, &kept_len, NULL);

	return kept ? hl_capture_keep(capture, name, node, kept, kept_len, err)
		    : hl_fail(err, ENOMEM, "no memory for %s", name);
}

/* One of the sockets is there while a daemon runs, or is started when somebody asks. */
static bool has_daemon(struct hl_machine *machine)
{
	static const char *const sockets[] = { "libvirt-sock-ro", "virtqemud-sock-ro" };
	bool is_there = false;
	char **names;
	size_t nr;

	if (hl_machine_list(machine, "/run/libvirt", &names, &nr, NULL) < 0)
		return false;
	for (size_t i = 0; i < nr; i++) {
		for (size_t k = 0; k < sizeof(sockets) / sizeof(*sockets); k++)
			is_there |= !strcmp(names[i], sockets[k]);
	}
	hl_machine_free_names(names, nr);
	return is_there;
}

static int libvirt_acquire(struct hl_capture *capture, struct hl_error *err)
{
	const char *uri = getenv(URI_VARIABLE);

	if (uri && *uri)
		return libvirt_capture(capture, uri, err);
	if (!has_daemon(capture->machine))
		return hl_fail(err, ENOENT, "no libvirt daemon");
	return libvirt_capture(capture, URI, err);
}

const struct hl_probe hl_probe_libvirt = {
	.name = "libvirt",
	.summary = "domains of libvirt, their disks, NICs, pinning and statistics",
	.layer = HL_LAYER_VDISK,
	.acquire = libvirt_acquire,
};
