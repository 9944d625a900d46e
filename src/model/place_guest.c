/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ways from a guest to the machine that it runs on: its disks, NICs and passed-through functions
 * are found there as parts of the virtual machine, nodes "VM/scsi0".
 *
 * By what both sides see of one thing: the PCI address in the guest, a serial number, a MAC. The
 * name "vda" is only believed where the definition gives no address, for it is a wish there: the
 * guest numbers its disks as it finds them.
 */
#include "place_map.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Facts of one value in the guest and on the machine below that mean the same thing. */
static const struct twin {
	const char *guest_key; /* NULL: the name of the node itself */
	const char *host_key;
} twins[] = {
	{ NULL, "vdisk.guest_address" },
	{ NULL, "vnic.guest_address" },
	{ NULL, "passthrough.guest_address" },
	{ "block.serial", "vdisk.serial" },
	{ "drive.serial", "vdisk.serial" },
	{ "link.mac", "vnic.mac" },
	{ "link.mac", "vf.mac" },
	{ "pcie.parent", "passthrough.guest_port" },
};

const struct hl_host *place_guest_host(const struct hl_places *map, const char *name)
{
	for (size_t i = 0; i < map->graph->nr_hosts; i++) {
		if (!strcmp(map->graph->hosts[i]->name, name))
			return map->graph->hosts[i];
	}
	return NULL;
}

static bool is_number(const struct hl_fact *fact, const char *text)
{
	char number[32];

	if (fact->type == HL_FACT_STRING)
		return !strcmp(fact->string, text);
	snprintf(number, sizeof(number), "%.0f", fact->number);
	return !strcmp(number, text);
}

struct place *place_guest_machine(const struct hl_places *map, const struct hl_host *guest)
{
	size_t nr;
	const struct place_sorted *ids = place_map_of_key(map, "vm.id", &nr);

	if (!guest->on || !guest->vm)
		return NULL;
	for (size_t i = 0; i < nr; i++) {
		const struct hl_fact *fact = ids[i].fact;

		if (fact->host && !strcmp(fact->host, guest->on) && is_number(fact, guest->vm))
			return place_map_find(map, fact->host, fact->node);
	}
	return place_map_find(map, guest->on, guest->vm);
}

/* Is of that machine, or of a VF, which belongs to none. */
static bool is_part(const struct place *machine, const struct hl_fact *fact)
{
	size_t len = strlen(machine->node);

	if (!fact->node || !fact->host || strcmp(fact->host, machine->host) != 0)
		return false;
	return !strncmp(fact->key, "vf.", 3) ||
	       (!strncmp(fact->node, machine->node, len) && fact->node[len] == '/');
}

static void join_value(struct hl_places *map, struct place *place, const char *value,
		       const struct place *machine, const char *key)
{
	size_t nr;
	const struct place_sorted *facts = place_map_of_key(map, key, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct hl_fact *fact = facts[i].fact;

		if (is_part(machine, fact) && *value && !strcasecmp(place_text(fact), value))
			place_map_join(map, place, place_map_get(map, fact->host, fact->node));
	}
}

static void join_by_key(struct hl_places *map, const struct hl_host *guest,
			const struct place *machine, const struct twin *twin)
{
	size_t nr;
	const struct place_sorted *facts = place_map_of_key(map, twin->guest_key, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct hl_fact *fact = facts[i].fact;

		if (fact->host && !strcmp(fact->host, guest->name))
			join_value(map, place_map_get(map, fact->host, fact->node),
				   place_text(fact), machine, twin->host_key);
	}
}

/* The address that the definition gives a device is a place of the guest. */
static void join_by_node(struct hl_places *map, const struct hl_host *guest,
			 const struct place *machine, const char *host_key)
{
	size_t nr;
	const struct place_sorted *facts = place_map_of_key(map, host_key, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct hl_fact *fact = facts[i].fact;
		struct place *place;

		if (!is_part(machine, fact))
			continue;
		place = place_map_find(map, guest->name, place_text(fact));
		if (place)
			place_map_join(map, place, place_map_get(map, fact->host, fact->node));
	}
}

/* QEMU calls a disk of Proxmox "drive-scsi0" in the guest, and libvirt's target may be its name. */
static void join_by_name(struct hl_places *map, const struct hl_host *guest,
			 const struct place *machine)
{
	size_t nr;
	const struct place_sorted *facts = place_map_of_key(map, "vdisk.bus", &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct hl_fact *fact = facts[i].fact;
		struct place *part, *disk;
		const char *slot;
		char path[128];

		if (!is_part(machine, fact))
			continue;
		part = place_map_get(map, fact->host, fact->node);
		slot = fact->node + strlen(machine->node) + 1;
		snprintf(path, sizeof(path), "/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-%s",
			 slot);
		disk = place_map_find(map, guest->name, path);
		if (disk && disk->nr_below)
			place_map_join(map, disk->below[0], part);
		disk = place_map_find(map, guest->name, slot);
		if (disk && !place_map_fact(part, "vdisk.guest_address"))
			place_map_join(map, disk, part);
	}
}

static void draw_guest(struct hl_places *map, const struct hl_host *guest)
{
	struct place *machine = place_guest_machine(map, guest);

	if (!machine) /* its VFs can be known without its definition */
		machine = place_map_get(map, guest->on, guest->vm);
	for (size_t i = 0; i < sizeof(twins) / sizeof(*twins); i++) {
		if (twins[i].guest_key)
			join_by_key(map, guest, machine, &twins[i]);
		else
			join_by_node(map, guest, machine, twins[i].host_key);
	}
	join_by_name(map, guest, machine);
	for (size_t i = 0; i < map->nr_slots; i++) { /* a part stands on its machine */
		struct place *place = map->slots[i];
		size_t len = strlen(machine->node);

		if (place && !strcmp(place->host, machine->host) &&
		    !strncmp(place->node, machine->node, len) && place->node[len] == '/')
			place_map_join(map, place, machine);
	}
}

/* A network or a mount of a pod is its own, though it may be called as one of its host's. */
static bool is_own(const struct place *place)
{
	for (size_t i = 0; i < place->nr_facts; i++) {
		if (!strncmp(place->facts[i]->key, "link.", 5) ||
		    !strncmp(place->facts[i]->key, "mount.", 6))
			return true;
	}
	return place->node[0] == '/' || !*place->node;
}

/* A pod shares the kernel of its host: a disk of its is that of the same name there. */
static void draw_pod(struct hl_places *map, const struct hl_host *pod)
{
	for (size_t i = 0; i < map->nr_slots; i++) {
		struct place *place = map->slots[i], *same;

		if (!place || strcmp(place->host, pod->name) || is_own(place))
			continue;
		same = place_map_find(map, pod->on, place->node);
		if (same && !is_own(same))
			place_map_join(map, place, same);
	}
}

void place_guest_draw(struct hl_places *map)
{
	for (size_t i = 0; i < map->graph->nr_hosts; i++) {
		const struct hl_host *host = map->graph->hosts[i];

		if (host->on && host->vm)
			draw_guest(map, host);
		else if (host->on)
			draw_pod(map, host);
	}
}
