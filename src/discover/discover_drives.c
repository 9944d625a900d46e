/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The drive end: the members of a pool, drives that are passed through or are themselves disks of
 * a virtual machine, and the datasheet for their model.
 */
#include "discovery.h"
#include "hoploss/guest.h"
#include "hoploss/spec.h"
#include <stdio.h>
#include <string.h>

static void add_text(struct discovery *discovery, struct texts *texts, const char *text)
{
	texts->items = hl_arena_extend(discovery->arena, texts->items, texts->nr,
				       sizeof(const char *));
	texts->items[texts->nr++] = text;
}

/* ---- the datasheet ---- */

/* Of the device, or of the controller that it belongs to. */
static const struct hl_fact *find_of_drive(const struct discovery *discovery, const char *host,
					   const char *device, const char *key)
{
	const struct hl_fact *fact = find_fact(discovery, host, device, key);
	const char *controller = find_text(discovery, host, device, "block.controller");

	return fact || !controller ? fact : find_fact(discovery, host, controller, key);
}

/* Name of the built-in sheet for a model; NULL. */
static const char *spec_of_model(const char *model)
{
	const char *name;

	for (size_t i = 0; (name = hl_spec_name_at(i)); i++) {
		struct hl_spec *spec;
		bool fits;

		if (hl_spec_load(name, &spec, NULL) < 0)
			continue;
		fits = hl_spec_is_model(spec, model);
		hl_spec_free(spec);
		if (fits)
			return name;
	}
	return NULL;
}

/* One model of all the drives; NULL = not known, or several. */
static const struct hl_fact *find_model(const struct discovery *discovery, const char *host,
					const struct texts *devices)
{
	const struct hl_fact *first = NULL;

	for (size_t i = 0; i < devices->nr; i++) {
		const struct hl_fact *model = find_of_drive(discovery, host, devices->items[i],
							    "drive.model");

		if (!model || model->type != HL_FACT_STRING ||
		    (first && strcmp(first->string, model->string) != 0))
			return NULL;
		first = first ? first : model;
	}
	return first;
}

static void add_sheet(struct discovery *discovery, const char *host, const struct texts *devices)
{
	const struct hl_fact *model = find_model(discovery, host, devices);
	const char *name = model ? spec_of_model(model->string) : NULL;
	struct found *hop;

	if (name) {
		hop = add_hop(discovery, "sheet", HL_LAYER_DATASHEET, NULL);
		note(discovery, hop, model, "model %s", model->string);
	} else {
		hop = add_open(discovery, "sheet", HL_LAYER_DATASHEET, "",
			       model ? print(discovery, "the datasheet of a %s (hoploss specs)",
					     model->string)
				     : "the datasheet of the drives (hoploss specs)");
		hop->targets.nr = 0;
		hop->host = NULL;
	}
	hop->spec = name ? name : "NAME";
	hop->drives = devices->nr;
}

/* ---- virtual disks ---- */

/* What the guest's machine calls that disk; NULL = nothing that both sides see is known. */
static const struct hl_fact *find_virtual(const struct discovery *discovery,
					  const struct hl_host *guest, const char *device)
{
	static const struct {
		const char *here, *there;
	} twins[] = {
		{ "block.pci_address", "vdisk.guest_address" },
		{ "block.serial", "vdisk.serial" },
		{ "drive.serial", "vdisk.serial" },
	};

	for (size_t i = 0; i < sizeof(twins) / sizeof(*twins); i++) {
		const char *value = find_text(discovery, guest->name, device, twins[i].here);
		const struct hl_fact *part = value ? find_part(discovery, guest, twins[i].there,
							       value)
						   : NULL;

		if (part)
			return part;
	}
	return NULL;
}

/* QEMU's own name of a SCSI disk of Proxmox, as udev has it: "…_drive-scsi0". */
static const struct hl_fact *find_named(const struct discovery *discovery,
					const struct hl_host *guest, const char *device)
{
	const char *links = find_text(discovery, guest->name, device, "block.links");
	const char *at = links ? strstr(links, "QEMU_QEMU_HARDDISK_drive-") : NULL;
	char node[128];

	if (!at)
		return NULL;
	at += strlen("QEMU_QEMU_HARDDISK_drive-");
	snprintf(node, sizeof(node), "%s/%.*s", guest->vm, (int)strcspn(at, " -"), at);
	return find_fact(discovery, guest->on, node, "vdisk.bus");
}

/* A path of the running machine before what its definition calls it. */
static const struct hl_fact *find_source(const struct discovery *discovery, const char *host,
					 const char *part)
{
	const struct hl_fact *found = NULL;

	for (size_t i = 0; i < discovery->graph->nr_facts; i++) {
		const struct hl_fact *fact = discovery->graph->facts[i];

		if (strcmp(fact->key, "vdisk.source") || fact->type != HL_FACT_STRING ||
		    !fact->host || !fact->node || strcmp(fact->host, host) ||
		    strcmp(fact->node, part) != 0)
			continue;
		if (!found || (fact->string[0] == '/' && found->string[0] != '/'))
			found = fact;
	}
	return found;
}

static bool take_virtual(struct discovery *discovery, const struct hl_host *guest,
			 const char *device)
{
	const struct hl_fact *part = find_virtual(discovery, guest, device), *source;
	struct found *hop;

	if (!part)
		part = find_named(discovery, guest, device);
	if (!part)
		return false;
	hop = add_hop(discovery, "vdisk", HL_LAYER_VDISK, guest->name);
	add_target(discovery, hop, find_stable(discovery, guest->name, device));
	note(discovery, hop, part, "%s is %s on %s", device, part->node, guest->on);
	source = find_source(discovery, guest->on, part->node);
	if (source)
		take_source(discovery, guest->on, source);
	else
		add_open(discovery, "volume", HL_LAYER_POOL, "/dev/NAME",
			 print(discovery, "what backs %s on %s", part->node, guest->on));
	return true;
}

/* ---- drives ---- */

/* Which function of the machine below a passed-through drive is. */
static void note_passthrough(struct discovery *discovery, struct found *hop,
			     const struct hl_host *guest, const char *device)
{
	const struct hl_fact *address = find_of_drive(discovery, guest->name, device,
						      "block.pci_address");
	const struct hl_fact *part, *there;
	const char *port;

	if (!address || address->type != HL_FACT_STRING)
		return;
	part = find_part(discovery, guest, "passthrough.guest_address", address->string);
	port = find_text(discovery, guest->name, address->string, "pcie.parent");
	if (!part && port)
		part = find_part(discovery, guest, "passthrough.guest_port", port);
	there = part ? find_fact(discovery, guest->on, part->node, "passthrough.address") : NULL;
	if (!there || there->type != HL_FACT_STRING)
		return;
	note(discovery, hop, part, "%s at %s is %s", device, address->string, part->node);
	note(discovery, hop, there, "which is %s on %s", there->string, guest->on);
}

static void note_drive(struct discovery *discovery, struct found *hop, const char *device)
{
	const struct hl_host *guest = hl_guest_host(discovery->graph, hop->host);
	const struct hl_fact *address = find_of_drive(discovery, hop->host, device,
						      "block.pci_address");

	if (guest && guest->on && guest->vm)
		note_passthrough(discovery, hop, guest, device);
	else if (address && address->type == HL_FACT_STRING)
		note(discovery, hop, address, "%s at %s", device, address->string);
}

void take_drives(struct discovery *discovery, const char *host, const struct texts *devices)
{
	const struct hl_host *guest = hl_guest_host(discovery->graph, host);
	struct found *hop;

	if (guest && guest->on && guest->vm && devices->nr == 1 &&
	    take_virtual(discovery, guest, devices->items[0]))
		return;
	hop = add_hop(discovery, devices->nr > 1 ? "drives" : "drive", HL_LAYER_DRIVE, host);
	for (size_t i = 0; i < devices->nr; i++) {
		const char *name = find_stable(discovery, host, devices->items[i]);

		add_target(discovery, hop, name);
		if (strncmp(name, "/dev/disk/", 10) != 0)
			note(discovery, hop, NULL, "no lasting name of %s is known",
			     devices->items[i]);
		note_drive(discovery, hop, devices->items[i]);
	}
	add_sheet(discovery, host, devices);
}

/* ---- pools ---- */

void take_pool(struct discovery *discovery, const char *host, const char *pool,
	       const struct hl_fact *fact)
{
	const struct hl_fact *members = find_fact(discovery, host, pool, "zpool.devices");
	struct found *above = discovery->hops[discovery->nr_hops - 1];
	struct texts devices = { 0 };
	const char *names = members && members->type == HL_FACT_STRING ? members->string : "";

	if (fact)
		note(discovery, above, fact, "of pool %s", pool);
	if (*names)
		note(discovery, above, members, "pool %s is on %s", pool, names);
	while (*(names += strspn(names, " "))) {
		size_t len = strcspn(names, " ");
		const char *name = hl_arena_strndup(discovery->arena, names, len);
		const char *device = find_device(discovery, host, name);

		if (device)
			add_text(discovery, &devices, device);
		else
			note(discovery, above, NULL, "not known: which drive %s is", name);
		names += len;
	}
	if (devices.nr)
		take_drives(discovery, host, &devices);
	else
		add_open(discovery, "drives", HL_LAYER_DRIVE, "/dev/disk/by-id/NAME",
			 print(discovery, "the drives of pool %s on %s", pool, host));
}
