/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NVMe drives: identity, health, logs, formats and power of every controller of the machine.
 *
 * Source: attributes in /sys/class/nvme, and admin commands to /dev/nvmeN (nvme_ask.c), whose pages
 * are kept as nvme-cli prints them and are decoded as its saved output. Surprising: a controller
 * that sleeps or is gone is not asked; without privilege sysfs still says what it is.
 */
#include "hoploss/alloc.h"
#include "hoploss/probe.h"
#include "nvme_ask.h"
#include "sysfs.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CLASS "/sys/class/nvme"

/* ---- acquire ---- */

static const struct {
	const char *attribute, *key;
} attributes[] = {
	{ "model", "drive.model" },           { "serial", "drive.serial" },
	{ "firmware_rev", "drive.firmware" }, { "transport", "drive.transport" },
	{ "address", "block.pci_address" },
};

static char *read_attribute(struct hl_machine *machine, const char *name, const char *attribute)
{
	HL_FREE char *path = hl_printf(CLASS "/%s/%s", name, attribute);

	return hl_sysfs_text(machine, path);
}

static bool is_awake(struct hl_machine *machine, const char *name)
{
	HL_FREE char *state = read_attribute(machine, name, "state");
	HL_FREE char *power = read_attribute(machine, name, "device/power/runtime_status");

	return (!state || !strcmp(state, "live")) && (!power || strcmp(power, "suspended") != 0);
}

static int ask(struct hl_capture *capture, const char *name, struct hl_error *err)
{
	HL_FREE char *path = hl_printf("/dev/%s", name);
	HL_CLOSE int fd = -1;
	int r = hl_machine_open_device(capture->machine, path, &fd, err);

	return r < 0 ? r : hl_nvme_ask(capture, name, fd, err);
}

static int acquire_one(struct hl_capture *capture, const char *name, struct hl_error *err)
{
	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++)
		free(read_attribute(capture->machine, name, attributes[i].attribute));
	if (!is_awake(capture->machine, name))
		return 0;
	return ask(capture, name, err);
}

/* "nvme0", not "nvme0n1" or what else stands there. */
static bool is_controller(const char *name)
{
	return !strncmp(name, "nvme", 4) && name[4] && !name[4 + strspn(name + 4, "0123456789")];
}

static int nvme_acquire(struct hl_capture *capture, struct hl_error *err)
{
	char **names;
	size_t nr, nr_found = 0;
	int first = 0, r = hl_machine_list(capture->machine, CLASS, &names, &nr, NULL);

	if (r < 0)
		return hl_fail(err, ENOENT, "no NVMe controller");
	for (size_t i = 0; i < nr; i++) {
		if (!is_controller(names[i]))
			continue;
		nr_found++;
		r = acquire_one(capture, names[i], err);
		first = first < 0 ? first : r;
	}
	hl_machine_free_names(names, nr);
	if (!nr_found)
		return hl_fail(err, ENOENT, "no NVMe controller");
	return first == -ENODEV ? 0 : first; /* a recorded tree has no nodes to ask */
}

/* ---- decode ---- */

static void decode_one(struct hl_machine *recorded, const char *name,
		       const struct hl_origin *origin, struct hl_graph *graph)
{
	HL_FREE char *transport = read_attribute(recorded, name, "transport");

	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		HL_FREE char *source = hl_printf(CLASS "/%s/%s", name, attributes[i].attribute);
		HL_FREE char *text = read_attribute(recorded, name, attributes[i].attribute);
		struct hl_origin where = { .host = origin->host, .node = name, .source = source };

		/* over fabrics the address is no PCI function */
		if (strcmp(attributes[i].attribute, "address") != 0 ||
		    (transport && !strcmp(transport, "pcie")))
			hl_graph_add_string(graph, &where, attributes[i].key, text);
	}
}

static int nvme_decode(struct hl_machine *recorded, const struct hl_origin *origin,
		       struct hl_graph *graph, struct hl_error *err)
{
	char **names;
	size_t nr;

	(void)err;
	if (hl_machine_list(recorded, CLASS, &names, &nr, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		if (is_controller(names[i]))
			decode_one(recorded, names[i], origin, graph);
	}
	hl_machine_free_names(names, nr);
	return 0;
}

const struct hl_probe hl_probe_nvme = {
	.name = "nvme",
	.summary = "NVMe drives: health, logs, formats, temperature limits",
	.layer = HL_LAYER_DRIVE,
	.acquire = nvme_acquire,
	.decode = nvme_decode,
};
