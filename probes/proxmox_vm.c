/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configuration of a Proxmox VM: /etc/pve/qemu-server/N.conf, or what `qm config N` prints.
 *
 * Source: qm.conf(5), qm(1): cores and sockets are 1 where they are not said, smp is the old name
 * of sockets, vcpus is how many of all are plugged in, and a cpulimit of 0 is none. Only what
 * stands before the first section is the VM as it is now; sections are snapshots, what waits for a
 * restart
 * ([PENDING]) and what is of something else ([special:…]). `qm config` without --current has
 * applied [PENDING] already. Surprising: iothread=1 at a SCSI disk has no effect unless every disk
 * has a controller of its own (virtio-scsi-single), and none at all at IDE and SATA disks.
 */
#include "hoploss/number.h"
#include "proxmox.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 512

/* What is in force; values are in the arena, and whole. */
struct vm {
	struct hl_reading *reading;
	struct hl_arena *arena;
	const struct hl_text *slice;
	struct {
		const char *key, *value;
		unsigned number;
	} lines[LINES_MAX];
	size_t nr;
	const char *pending; /* keys that wait, by blanks */
	unsigned nr_snapshots, vmid;
	const char *node;
};

const char *proxmox_option(struct hl_arena *arena, const char *value, const char *key)
{
	size_t nr = key ? strlen(key) : 0;
	const char *word = value;

	while (word) {
		const char *comma = strchr(word, ',');
		size_t len;

		word += strspn(word, " \t");
		len = strcspn(word, ", \t");
		if (!key)
			return memchr(word, '=', len) || !len ? NULL
							      : hl_arena_strndup(arena, word, len);
		if (len > nr && !strncmp(word, key, nr) && word[nr] == '=')
			return hl_arena_strndup(arena, word + nr + 1, len - nr - 1);
		word = comma ? comma + 1 : NULL;
	}
	return NULL;
}

static const char *find_value(const struct vm *vm, const char *key, unsigned *ret_number)
{
	for (size_t i = 0; i < vm->nr; i++) {
		if (strcmp(vm->lines[i].key, key) != 0)
			continue;
		if (ret_number)
			*ret_number = vm->lines[i].number;
		return vm->lines[i].value;
	}
	return NULL;
}

static double number_of(const char *text)
{
	double number = NAN;

	if (text)
		hl_number_double(text, strlen(text), &number);
	return number >= 0 ? number : NAN;
}

static bool is_yes(const char *text)
{
	return text && (!strcmp(text, "1") || !strcmp(text, "on") || !strcmp(text, "yes") ||
			!strcmp(text, "true"));
}

static struct hl_origin origin_of(const struct vm *vm, unsigned number, const char *node)
{
	return (struct hl_origin){
		.host = vm->reading->host,
		.node = node,
		.source = hl_arena_printf(vm->arena, "%s:%u", vm->slice->name, number),
	};
}

/* ---- facts of options ---- */

enum kind { TEXT, NUMBER, MIB_PER_S, YES };

struct option_row {
	const char *option, *key;
	enum kind kind;
};

static const struct option_row disk_options[] = {
	{ "cache", "vdisk.cache", TEXT },
	{ "aio", "vdisk.io", TEXT },
	{ "format", "vdisk.format", TEXT },
	{ "discard", "vdisk.discard", TEXT },
	{ "serial", "vdisk.serial", TEXT },
	{ "queues", "vdisk.queues", NUMBER },
	{ "bps", "vdisk.limit_bw", NUMBER },
	{ "bps_rd", "vdisk.limit_read_bw", NUMBER },
	{ "bps_wr", "vdisk.limit_write_bw", NUMBER },
	{ "mbps", "vdisk.limit_bw", MIB_PER_S },
	{ "mbps_rd", "vdisk.limit_read_bw", MIB_PER_S },
	{ "mbps_wr", "vdisk.limit_write_bw", MIB_PER_S },
	{ "iops", "vdisk.limit_iops", NUMBER },
	{ "iops_rd", "vdisk.limit_read_iops", NUMBER },
	{ "iops_wr", "vdisk.limit_write_iops", NUMBER },
	{ NULL, NULL, TEXT },
};

static const struct option_row nic_options[] = {
	{ "bridge", "vnic.bridge", TEXT },
	{ "queues", "vnic.queues", NUMBER },
	{ "mtu", "vnic.mtu", NUMBER },
	{ "rate", "vnic.limit_bw", MIB_PER_S },
	{ "tag", "vnic.vlan", NUMBER },
	{ "firewall", "vnic.has_firewall", YES },
	{ NULL, NULL, TEXT },
};

static const struct option_row passthrough_options[] = {
	{ "host", "passthrough.address", TEXT },
	{ "mapping", "passthrough.mapping", TEXT },
	{ "mdev", "passthrough.mdev", TEXT },
	{ "pcie", "passthrough.is_pcie", YES },
	{ NULL, NULL, TEXT },
};

static void add_options(const struct vm *vm, const struct hl_origin *origin, const char *value,
			const struct option_row *rows)
{
	struct hl_graph *graph = vm->reading->graph;

	for (; rows->key; rows++) {
		const char *text = proxmox_option(vm->arena, value, rows->option);

		if (!text || !*text)
			continue;
		if (rows->kind == TEXT)
			hl_graph_add_string(graph, origin, rows->key, text);
		else if (rows->kind == YES)
			hl_graph_add_boolean(graph, origin, rows->key, is_yes(text));
		else
			hl_graph_add_number(graph, origin, rows->key,
					    number_of(text) *
						    (rows->kind == MIB_PER_S ? 1048576 : 1));
	}
}

/* ---- devices ---- */

/* "scsi" of "scsi0", if that is all before the number. */
static bool is_slot(const char *key, const char *bus)
{
	size_t len = strlen(bus);

	return !strncmp(key, bus, len) && isdigit((unsigned char)key[len]);
}

/* Does the disk have a thread, asked for as it is? Known where the controller is. */
static void add_thread(const struct vm *vm, const struct hl_origin *origin, const char *key,
		       const char *value)
{
	struct hl_graph *graph = vm->reading->graph;
	bool is_asked = is_yes(proxmox_option(vm->arena, value, "iothread"));
	const char *controller = find_value(vm, "scsihw", NULL);

	hl_graph_add_boolean(graph, origin, "vdisk.iothread", is_asked);
	if (!is_asked || (is_slot(key, "scsi") && !controller))
		return;
	hl_graph_add_boolean(graph, origin, "vdisk.iothread_has_effect",
			     is_slot(key, "virtio") || (is_slot(key, "scsi") &&
							!strcmp(controller, "virtio-scsi-single")));
}

static void add_disk(const struct vm *vm, const struct hl_origin *origin, const char *key,
		     const char *value)
{
	const char *volume = proxmox_option(vm->arena, value, NULL);
	const char *media = proxmox_option(vm->arena, value, "media");
	struct hl_graph *graph = vm->reading->graph;

	if (!volume)
		volume = proxmox_option(vm->arena, value, "file");
	if ((media && !strcmp(media, "cdrom")) || !volume || !strcmp(volume, "none") ||
	    !strcmp(volume, "cdrom"))
		return;
	hl_graph_add_string(graph, origin, "vdisk.bus",
			    hl_arena_strndup(vm->arena, key, strcspn(key, "0123456789")));
	hl_graph_add_string(graph, origin, "vdisk.source", volume);
	add_options(vm, origin, value, disk_options);
	add_thread(vm, origin, key, value);
}

/* "virtio=BC:24:11:00:53:01,bridge=vmbr0", "model=virtio,macaddr=…", "virtio,bridge=vmbr0" */
static void add_nic(const struct vm *vm, const struct hl_origin *origin, const char *key,
		    const char *value)
{
	struct hl_graph *graph = vm->reading->graph;
	const char *model = proxmox_option(vm->arena, value, "model");
	const char *mac = proxmox_option(vm->arena, value, "macaddr");
	size_t len = strcspn(value, ",=");

	(void)key;
	if (!model && len) {
		model = hl_arena_strndup(vm->arena, value, len);
		if (value[len] == '=')
			mac = proxmox_option(vm->arena, value, model);
	}
	hl_graph_add_string(graph, origin, "vnic.model", model);
	hl_graph_add_string(graph, origin, "vnic.mac", mac);
	add_options(vm, origin, value, nic_options);
	if (is_yes(proxmox_option(vm->arena, value, "link_down")))
		hl_graph_add_boolean(graph, origin, "vnic.is_up", false);
}

static void add_passthrough(const struct vm *vm, const struct hl_origin *origin, const char *key,
			    const char *value)
{
	(void)key;
	hl_graph_add_string(vm->reading->graph, origin, "passthrough.address",
			    proxmox_option(vm->arena, value, NULL));
	add_options(vm, origin, value, passthrough_options);
}

/* "cpus=0-3,hostnodes=0,memory=2048,policy=bind" */
static void add_numa(const struct vm *vm, const struct hl_origin *origin, const char *key,
		     const char *value)
{
	static const struct option_row rows[] = {
		{ "hostnodes", "vm.numa_nodeset", TEXT },
		{ "policy", "vm.numa_mode", TEXT },
		{ NULL, NULL, TEXT },
	};
	struct hl_origin of_vm = *origin;

	(void)key;
	of_vm.node = vm->node;
	add_options(vm, &of_vm, value, rows);
}

static void add_devices(const struct vm *vm)
{
	static const struct {
		const char *bus;
		void (*add)(const struct vm *vm, const struct hl_origin *origin, const char *key,
			    const char *value);
	} rows[] = {
		{ "scsi", add_disk }, { "virtio", add_disk }, { "sata", add_disk },
		{ "ide", add_disk },  { "net", add_nic },     { "hostpci", add_passthrough },
		{ "numa", add_numa },
	};

	for (size_t i = 0; i < vm->nr; i++) {
		const char *key = vm->lines[i].key;
		const char *node = hl_arena_printf(vm->arena, "%s/%s", vm->node, key);
		struct hl_origin origin = origin_of(vm, vm->lines[i].number, node);

		const char *value = vm->lines[i].value;

		for (size_t k = 0; value && *value && k < sizeof(rows) / sizeof(*rows); k++) {
			if (is_slot(key, rows[k].bus))
				rows[k].add(vm, &origin, key, value);
		}
	}
}

/* ---- the VM ---- */

static void add_count(const struct vm *vm, const char *name, const char *key)
{
	unsigned number = 0;
	const char *value = find_value(vm, name, &number);
	struct hl_origin origin = origin_of(vm, number, vm->node);

	hl_graph_add_number(vm->reading->graph, &origin, key, number_of(value));
}

/* What is said as it stands, or as the first word or an option of that name. */
static void add_word(const struct vm *vm, const char *name, const char *option, const char *key)
{
	unsigned number = 0;
	const char *value = find_value(vm, name, &number), *word = NULL;
	struct hl_origin origin = origin_of(vm, number, vm->node);

	if (value && option)
		word = proxmox_option(vm->arena, value, option);
	if (value && !word)
		word = proxmox_option(vm->arena, value, NULL);
	hl_graph_add_string(vm->reading->graph, &origin, key, word);
}

/* A count of at least 1; 0 and what is no number are as good as not said. */
static double count_of(const struct vm *vm, const char *name, unsigned *number)
{
	double count = number_of(find_value(vm, name, number));

	return count > 0 ? count : NAN;
}

/*
 * As many as are plugged in; else all sockets' cores, where the one that is not said is 1. Of a VM
 * that says none of them, as in a part of its configuration, nothing is known.
 */
static void add_vcpus(const struct vm *vm)
{
	static const char *const sockets_names[] = { "sockets", "smp" };
	unsigned number = 0;
	double cores = count_of(vm, "cores", &number), sockets = NAN, most, said;
	struct hl_origin origin;

	for (size_t i = 0; i < 2 && isnan(sockets); i++)
		sockets = count_of(vm, sockets_names[i], isnan(cores) ? &number : NULL);
	most = (isnan(cores) ? 1 : cores) * (isnan(sockets) ? 1 : sockets);
	said = count_of(vm, "vcpus", &number);
	if (isnan(cores) && isnan(sockets))
		most = said;
	origin = origin_of(vm, number, vm->node);
	hl_graph_add_number(vm->reading->graph, &origin, "vm.vcpus", fmin(said, most));
}

static void add_limit(const struct vm *vm)
{
	unsigned number = 0;
	double limit = count_of(vm, "cpulimit", &number);
	struct hl_origin origin = origin_of(vm, number, vm->node);

	hl_graph_add_number(vm->reading->graph, &origin, "vm.cpu_limit", limit);
}

static void add_memory(const struct vm *vm)
{
	unsigned number = 0;
	const char *value = find_value(vm, "memory", &number);
	const char *current = value ? proxmox_option(vm->arena, value, "current") : NULL;
	struct hl_origin origin = origin_of(vm, number, vm->node);

	hl_graph_add_number(vm->reading->graph, &origin, "vm.memory",
			    number_of(current ? current : value) * 1048576);
	value = find_value(vm, "hugepages", &number);
	if (!value)
		return;
	origin = origin_of(vm, number, vm->node);
	hl_graph_add_boolean(vm->reading->graph, &origin, "vm.has_hugepages", true);
	hl_graph_add_number(vm->reading->graph, &origin, "vm.hugepage_size",
			    number_of(value) * 1048576);
}

static void add_flags(const struct vm *vm)
{
	struct hl_graph *graph = vm->reading->graph;
	unsigned number = 0;
	const char *value = find_value(vm, "numa", &number);
	struct hl_origin origin = origin_of(vm, number, vm->node);

	if (value)
		hl_graph_add_boolean(graph, &origin, "vm.has_numa", is_yes(value));
	value = find_value(vm, "kvm", &number);
	origin = origin_of(vm, number, vm->node);
	if (value)
		hl_graph_add_string(graph, &origin, "vm.type", is_yes(value) ? "kvm" : "qemu");
}

/* What the configuration as a whole says: its number, what waits, what can be gone back to. */
static void add_whole(const struct vm *vm)
{
	struct hl_graph *graph = vm->reading->graph;
	const char *kept = vm->reading->node ? vm->reading->node : vm->reading->stem;
	struct hl_origin origin = origin_of(vm, vm->slice->lines[0].number, vm->node);
	double id = vm->vmid ? vm->vmid : number_of(kept);

	hl_graph_add_number(graph, &origin, "vm.id", id);
	hl_graph_add_string(graph, &origin, "vm.pending", vm->pending);
	if (vm->nr_snapshots)
		hl_graph_add_number(graph, &origin, "vm.snapshots", vm->nr_snapshots);
}

static void add_vm(const struct vm *vm)
{
	static const struct {
		const char *name, *key;
	} counts[] = { { "cores", "vm.cores" }, { "sockets", "vm.sockets" } };

	add_whole(vm);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		add_count(vm, counts[i].name, counts[i].key);
	add_vcpus(vm);
	add_limit(vm);
	add_memory(vm);
	add_word(vm, "scsihw", NULL, "vm.scsihw");
	add_word(vm, "machine", "type", "vm.machine");
	add_word(vm, "cpu", "cputype", "vm.cpu_model");
	if (find_value(vm, "affinity", NULL)) {
		unsigned number = 0;
		const char *cpus = find_value(vm, "affinity", &number);
		struct hl_origin origin = origin_of(vm, number, vm->node);

		hl_graph_add_string(vm->reading->graph, &origin, "vm.cpuset", cpus);
	}
	add_flags(vm);
}

/* ---- reading ---- */

enum section { CURRENT, PENDING, ELSEWHERE };

static enum section begin_section(struct vm *vm, const char *name, size_t len)
{
	if (len == strlen("PENDING") && !memcmp(name, "PENDING", len))
		return PENDING;
	if (!memchr(name, ':', len)) /* "special:cloudinit" is no snapshot */
		vm->nr_snapshots++;
	return ELSEWHERE;
}

static void add_pending(struct vm *vm, const struct proxmox_line *line)
{
	const char *word = strcmp(line->key, "delete")
				   ? line->key
				   : hl_arena_strndup(vm->arena, line->value, line->len);

	vm->pending = hl_arena_printf(vm->arena, "%s%s%s", vm->pending ? vm->pending : "",
				      vm->pending ? " " : "", word);
}

static void add_line(struct vm *vm, const struct proxmox_line *line)
{
	if (vm->nr == LINES_MAX)
		return;
	vm->lines[vm->nr].key = hl_arena_strdup(vm->arena, line->key);
	vm->lines[vm->nr].value = hl_arena_strndup(vm->arena, line->value, line->len);
	vm->lines[vm->nr++].number = line->number;
}

static void continue_line(struct vm *vm, struct hl_line line)
{
	struct hl_line more = hl_line_trim(line);

	vm->lines[vm->nr - 1].value = hl_arena_printf(
		vm->arena, "%s%.*s", vm->lines[vm->nr - 1].value, (int)more.len, more.start);
}

static void read_lines(struct vm *vm)
{
	struct proxmox_line line, before = { .value = "", .len = 1 };
	enum section section = CURRENT;

	for (size_t i = 0; i < vm->slice->nr_lines; i++) {
		const char *name;
		size_t len;

		if (proxmox_is_section(vm->slice->lines[i], &name, &len)) {
			section = begin_section(vm, name, len);
		} else if (proxmox_is_setting(vm->slice->lines[i], &line)) {
			if (section == CURRENT)
				add_line(vm, &line);
			else if (section == PENDING)
				add_pending(vm, &line);
			before = line;
		} else if (section == CURRENT && vm->nr &&
			   proxmox_is_continued(&before, vm->slice->lines[i])) {
			continue_line(vm, vm->slice->lines[i]);
		}
	}
}

static int proxmox_read(const struct hl_text *slice, struct hl_reading *reading,
			struct hl_error *err)
{
	HL_FREE struct vm *vm = hl_alloc(sizeof(*vm));
	const char *name;

	vm->reading = reading;
	vm->arena = reading->graph->arena;
	vm->slice = slice;
	vm->vmid = proxmox_vmid_of(slice->lines[0]);
	read_lines(vm);
	if (!vm->nr)
		return hl_fail(err, ENODATA, "%s:%u: nothing of the VM as it is now", slice->name,
			       slice->lines[0].number);
	name = find_value(vm, "name", NULL);
	vm->node = name && *name ? name : reading->node ? reading->node : reading->stem;
	add_vm(vm);
	add_devices(vm);
	return 0;
}

const struct hl_format hl_format_proxmox = {
	.name = "proxmox-vm",
	.summary = "configuration of a Proxmox VM, N.conf or qm config",
	.claim = proxmox_claim,
	.read = proxmox_read,
};
