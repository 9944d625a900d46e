/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line of a running QEMU: which device of the host is which in the guest.
 *
 * Source: qemu(1), as `qm showcmd`, a log of libvirt and ps(1) print it. What a configuration only
 * names is told here: the path of a volume, the device that a mapping gave. Surprising: on a bus
 * that is not the root's, the address in the guest is what the guest's firmware made of it; then
 * only the bus is known.
 */
#include "hoploss/number.h"
#include "proxmox.h"
#include "qemu.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 4096
#define LINES_MAX 1024

/* ---- lines ---- */

static bool ends_open(struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);

	return trimmed.len && trimmed.start[trimmed.len - 1] == '\\';
}

/* Where the emulator's path begins in a line that starts it; NULL = nowhere. */
static const char *find_emulator(struct hl_line line)
{
	const char *at = line.start, *end = line.start + line.len;

	while (at < end) {
		const char *stop = at;
		HL_FREE char *word = NULL;

		while (stop < end && !strchr(" \t'\"", *stop))
			stop++;
		word = hl_strndup(at, (size_t)(stop - at));
		if (qemu_is_emulator(word)) {
			while (stop < end && strchr(" \t'\"", *stop))
				stop++;
			if (stop + 1 < end && (*stop == '-' || *stop == '\\'))
				return at;
			if (stop + 1 == end && *stop == '\\')
				return at;
		}
		at = stop + 1;
	}
	return NULL;
}

static size_t command_claim(const struct hl_text *text, size_t at)
{
	size_t end = at + 1;
	bool has_device = false;

	/* the words that every emulator's path has: cheap, for each line of each file comes here */
	if ((!hl_line_has(text->lines[at], "kvm") && !hl_line_has(text->lines[at], "qemu")) ||
	    !find_emulator(text->lines[at]))
		return 0;
	while (end < text->nr_lines && end - at < LINES_MAX && ends_open(text->lines[end - 1]))
		end++;
	for (size_t i = at; i < end && !has_device; i++)
		has_device = hl_line_has(text->lines[i], "-device ") ||
			     hl_line_has(text->lines[i], "-drive ") ||
			     hl_line_has(text->lines[i], "-netdev ");
	return has_device ? end - at : 0;
}

/* ---- words, as a shell reads them ---- */

struct words {
	const char *items[WORDS_MAX];
	unsigned lines[WORDS_MAX];
	size_t nr;
};

/* One word from *at on; behind it *at stands. */
static char *take_word(struct hl_arena *arena, const char **at, const char *end)
{
	char *word = hl_arena_alloc(arena, (size_t)(end - *at) + 1);
	size_t nr = 0;
	char quote = '\0';

	for (; *at < end && (quote || !isspace((unsigned char)**at)); ++*at) {
		char c = **at;

		if (quote && c == quote) {
			quote = '\0';
		} else if (!quote && (c == '\'' || c == '"')) {
			quote = c;
		} else if (c == '\\' && quote != '\'' && *at + 1 < end) {
			word[nr++] = *++*at;
		} else if (c != '\\' || quote) {
			word[nr++] = c;
		}
	}
	return word;
}

static void add_words(struct hl_arena *arena, struct words *words, struct hl_line line)
{
	const char *at = line.start, *end = line.start + line.len;

	while (at < end && words->nr < WORDS_MAX) {
		char *word;

		while (at < end && isspace((unsigned char)*at))
			at++;
		if (at == end || (*at == '\\' && at + 1 == end))
			return;
		word = take_word(arena, &at, end);
		words->lines[words->nr] = line.number;
		words->items[words->nr++] = qemu_flatten(arena, word);
	}
}

/* ---- facts ---- */

struct command {
	struct hl_reading *reading;
	struct hl_arena *arena;
	const struct hl_text *slice;
	struct words words;
	const char *vm;
	unsigned nr_iothreads;
};

static struct hl_origin origin_of(const struct command *command, unsigned line, const char *part)
{
	return (struct hl_origin){
		.host = command->reading->host,
		.node = part ? hl_arena_printf(command->arena, "%s/%s", command->vm, part)
			     : command->vm,
		.source = hl_arena_printf(command->arena, "%s:%u", command->slice->name, line),
	};
}

enum kind { TEXT, NUMBER };

struct row {
	const char *option, *key;
	enum kind kind;
};

static double number_of(const char *text)
{
	uint64_t number;

	return text && hl_number_u64(text, strlen(text), &number) == 0 ? (double)number : NAN;
}

static void add_rows(const struct command *command, const struct hl_origin *origin,
		     const char *value, const struct row *rows)
{
	struct hl_graph *graph = command->reading->graph;

	for (; rows->key; rows++) {
		const char *text = proxmox_option(command->arena, value, rows->option);

		if (rows->kind == TEXT)
			hl_graph_add_string(graph, origin, rows->key, text);
		else
			hl_graph_add_number(graph, origin, rows->key, number_of(text));
	}
}

/* "0x10", "10.1", "0x2.0x1" on the root's bus: hexadecimal all. */
static const char *guest_address(const struct command *command, const char *value)
{
	const char *bus = proxmox_option(command->arena, value, "bus");
	const char *addr = proxmox_option(command->arena, value, "addr");
	unsigned long slot, function = 0;
	char *end;

	if (!bus || !addr || (strcmp(bus, "pci.0") != 0 && strcmp(bus, "pcie.0") != 0))
		return NULL;
	slot = strtoul(addr, &end, 16);
	if (end != addr && *end == '.')
		function = strtoul(end + 1, &end, 16);
	if (end == addr || *end || slot > 31 || function > 7)
		return NULL;
	return hl_arena_printf(command->arena, "0000:00:%02lx.%lx", slot, function);
}

/*
 * Where the root port of Proxmox's q35 machines stands in the guest, whose buses its firmware
 * numbers as it likes: ports 1 to 4 in pve-q35-4.0.cfg, the others in print_pcie_root_port of its
 * PVE/QemuServer/PCI.pm.
 */
static const char *guest_port(const struct command *command, const char *value)
{
	static const char name[] = "ich9-pcie-port-";
	const char *bus = proxmox_option(command->arena, value, "bus");
	size_t len = strlen(name);
	double number = bus && !strncmp(bus, name, len) ? number_of(bus + len) : NAN;
	unsigned port;

	if (!(number >= 1 && number <= 16))
		return NULL;
	port = (unsigned)number;
	if (port <= 4)
		return hl_arena_printf(command->arena, "0000:00:1c.%u", port - 1);
	return hl_arena_printf(command->arena, "0000:00:%02x.%u", 0x10 + (port - 5) / 8,
			       (port - 5) % 8);
}

static void add_vfio(const struct command *command, const char *value, unsigned line)
{
	static const struct row rows[] = { { "host", "passthrough.address", TEXT },
					   { "bus", "passthrough.guest_bus", TEXT },
					   { NULL, NULL, TEXT } };
	const char *id = proxmox_option(command->arena, value, "id");
	struct hl_origin origin = origin_of(command, line, id ? id : "?");

	add_rows(command, &origin, value, rows);
	hl_graph_add_string(command->reading->graph, &origin, "passthrough.guest_address",
			    guest_address(command, value));
	hl_graph_add_string(command->reading->graph, &origin, "passthrough.guest_port",
			    guest_port(command, value));
}

static void add_nic(const struct command *command, const char *value, unsigned line)
{
	static const struct row rows[] = { { "mac", "vnic.mac", TEXT },
					   { "rx_queue_size", "vnic.rx_queue_size", NUMBER },
					   { "tx_queue_size", "vnic.tx_queue_size", NUMBER },
					   { "host_mtu", "vnic.mtu", NUMBER },
					   { NULL, NULL, TEXT } };
	const char *id = proxmox_option(command->arena, value, "id");
	struct hl_origin origin = origin_of(command, line, id ? id : "?");

	add_rows(command, &origin, value, rows);
	hl_graph_add_string(command->reading->graph, &origin, "vnic.guest_address",
			    guest_address(command, value));
}

/* libvirt calls the back end of net0 "hostnet0". */
static void add_netdev(const struct command *command, const char *value, unsigned line)
{
	static const struct row rows[] = { { "ifname", "vnic.host_device", TEXT },
					   { "queues", "vnic.queues", NUMBER },
					   { NULL, NULL, TEXT } };
	const char *id = proxmox_option(command->arena, value, "id");
	const char *vhost = proxmox_option(command->arena, value, "vhost");
	const char *fds = proxmox_option(command->arena, value, "fds");
	struct hl_origin origin;
	double queues = 1;

	if (!id)
		return;
	origin = origin_of(command, line, !strncmp(id, "hostnet", 7) ? id + 4 : id);
	add_rows(command, &origin, value, rows);
	if (vhost)
		hl_graph_add_string(command->reading->graph, &origin, "vnic.driver",
				    !strcmp(vhost, "on") ? "vhost" : "qemu");
	for (const char *fd = fds; fd && (fd = strchr(fd, ':')); fd++)
		queues++;
	if (fds)
		hl_graph_add_number(command->reading->graph, &origin, "vnic.queues", queues);
}

/* The slot of a disk of Proxmox: "scsi0" of "drive-scsi0". */
static const char *slot_of(const char *id)
{
	return id && !strncmp(id, "drive-", 6) ? id + 6 : NULL;
}

static void add_source(const struct command *command, const struct hl_origin *origin,
		       const char *source)
{
	size_t len = source ? qemu_source_length(source, strlen(source)) : 0;

	if (len)
		hl_graph_add_string(command->reading->graph, origin, "vdisk.source",
				    hl_arena_strndup(command->arena, source, len));
}

static void add_drive(const struct command *command, const char *value, unsigned line)
{
	static const struct row rows[] = { { "cache", "vdisk.cache", TEXT },
					   { "aio", "vdisk.io", TEXT },
					   { "format", "vdisk.format", TEXT },
					   { NULL, NULL, TEXT } };
	const char *slot = slot_of(proxmox_option(command->arena, value, "id"));
	const char *media = proxmox_option(command->arena, value, "media");
	struct hl_origin origin;

	if (!slot || (media && !strcmp(media, "cdrom")))
		return;
	origin = origin_of(command, line, slot);
	add_rows(command, &origin, value, rows);
	add_source(command, &origin, proxmox_option(command->arena, value, "file"));
}

/* A tree of nodes, of which the innermost has the path. */
static void add_blockdev(const struct command *command, const char *value, unsigned line)
{
	static const char *const files[] = { "filename", "file.filename", "file.file.filename",
					     "file.file.file.filename" };
	static const char *const aios[] = { "aio", "file.aio", "file.file.aio",
					    "file.file.file.aio" };
	const char *slot = slot_of(proxmox_option(command->arena, value, "node-name"));
	struct hl_origin origin;

	if (!slot)
		return;
	origin = origin_of(command, line, slot);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		add_source(command, &origin, proxmox_option(command->arena, value, files[i]));
		hl_graph_add_string(command->reading->graph, &origin, "vdisk.io",
				    proxmox_option(command->arena, value, aios[i]));
	}
}

static void add_virtio_disk(const struct command *command, const char *value, unsigned line)
{
	static const struct row rows[] = { { "num-queues", "vdisk.queues", NUMBER },
					   { "queue-size", "vdisk.queue_size", NUMBER },
					   { "serial", "vdisk.serial", TEXT },
					   { NULL, NULL, TEXT } };
	const char *slot = slot_of(proxmox_option(command->arena, value, "drive"));
	struct hl_origin origin;

	if (!slot)
		return;
	origin = origin_of(command, line, slot);
	add_rows(command, &origin, value, rows);
	hl_graph_add_string(command->reading->graph, &origin, "vdisk.guest_address",
			    guest_address(command, value));
}

static void add_device(struct command *command, const char *value, unsigned line)
{
	static const struct {
		const char *driver;
		void (*add)(const struct command *command, const char *value, unsigned line);
	} rows[] = {
		{ "vfio-pci", add_vfio },
		{ "virtio-net", add_nic },
		{ "e1000", add_nic },
		{ "vmxnet3", add_nic },
		{ "rtl8139", add_nic },
		{ "igb", add_nic },
		{ "virtio-blk", add_virtio_disk },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!strncmp(value, rows[i].driver, strlen(rows[i].driver)))
			rows[i].add(command, value, line);
	}
}

/* qemu(1): "8", "cpus=8", or, without that, the product of what is said, where 1 is left out. */
static void add_smp(const struct command *command, const char *value, unsigned line)
{
	struct hl_origin origin = origin_of(command, line, NULL);
	static const char *const parts[] = { "sockets", "dies", "cores", "threads" };
	const char *first = proxmox_option(command->arena, value, NULL);
	double number = number_of(first ? first : proxmox_option(command->arena, value, "cpus"));
	double product = 1, part;

	for (size_t i = 0; isnan(number) && i < sizeof(parts) / sizeof(*parts); i++) {
		part = number_of(proxmox_option(command->arena, value, parts[i]));
		product *= part >= 1 ? part : 1;
	}
	hl_graph_add_number(command->reading->graph, &origin, "vm.vcpus",
			    isnan(number) ? product : number);
}

static void add_machine(const struct command *command, const char *value, unsigned line)
{
	struct hl_origin origin = origin_of(command, line, NULL);
	const char *first = proxmox_option(command->arena, value, NULL);

	if (!first)
		first = proxmox_option(command->arena, value, "type");
	hl_graph_add_string(command->reading->graph, &origin, "vm.machine", first);
}

static void add_id(const struct command *command, const char *value, unsigned line)
{
	struct hl_origin origin = origin_of(command, line, NULL);

	hl_graph_add_number(command->reading->graph, &origin, "vm.id", number_of(value));
}

static void add_option(struct command *command, const char *option, const char *value,
		       unsigned line)
{
	static const struct {
		const char *option;
		void (*add)(const struct command *command, const char *value, unsigned line);
	} rows[] = {
		{ "-id", add_id },
		{ "-smp", add_smp },
		{ "-machine", add_machine },
		{ "-M", add_machine },
		{ "-drive", add_drive },
		{ "-netdev", add_netdev },
		{ "-blockdev", add_blockdev },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!strcmp(option, rows[i].option))
			rows[i].add(command, value, line);
	}
	if (!strcmp(option, "-device"))
		add_device(command, value, line);
	else if (!strcmp(option, "-object"))
		command->nr_iothreads += !strncmp(value, "iothread", strlen("iothread"));
}

/* The value that follows an option; NULL. */
static const char *value_of(const struct command *command, const char *option)
{
	for (size_t i = 1; i + 1 < command->words.nr; i++) {
		if (!strcmp(command->words.items[i], option))
			return command->words.items[i + 1];
	}
	return NULL;
}

/*
 * "truenas,debug-threads=on" or "guest=truenas,…". A VM of Proxmox without a name is called vm101
 * here, and 101 after its configuration.
 */
static const char *name_of(const struct command *command)
{
	const char *value = value_of(command, "-name"), *id = value_of(command, "-id");
	const char *name = value ? proxmox_option(command->arena, value, "guest") : NULL;

	if (value && !name)
		name = proxmox_option(command->arena, value, NULL);
	if (name && id && !strncmp(name, "vm", 2) && !strcmp(name + 2, id))
		return id;
	return name;
}

/* ps(1) prints the process in front: "4711 /usr/bin/kvm …", or "root 4711 1 …". */
static void add_process(const struct command *command, const struct hl_origin *origin,
			struct hl_line line)
{
	const char *emulator = find_emulator(line), *at = line.start;
	const char *words[2] = { NULL, NULL };
	unsigned nr = 0;

	while (at < emulator) {
		const char *word = take_word(command->arena, &at, emulator);

		if (*word && nr++ < 2)
			words[nr - 1] = word;
		at++;
	}
	at = nr == 1 ? words[0] : nr > 6 ? words[1] : NULL;
	if (isnan(number_of(at)))
		return;
	hl_graph_add_number(command->reading->graph, origin, "vm.pid", number_of(at));
	hl_graph_add_boolean(command->reading->graph, origin, "vm.is_running", true);
}

static int command_read(const struct hl_text *slice, struct hl_reading *reading,
			struct hl_error *err)
{
	struct command *command = hl_arena_alloc(reading->graph->arena, sizeof(*command));
	size_t before = reading->graph->nr_facts;
	struct hl_origin origin;

	command->reading = reading;
	command->arena = reading->graph->arena;
	command->slice = slice;
	for (size_t i = 0; i < slice->nr_lines; i++) {
		struct hl_line line = slice->lines[i];
		const char *start = i ? line.start : find_emulator(line);

		line.len -= (unsigned)(start - line.start);
		line.start = start;
		add_words(command->arena, &command->words, line);
	}
	command->vm = name_of(command);
	if (!command->vm)
		command->vm = reading->node ? reading->node : reading->stem;
	for (size_t i = 1; i + 1 < command->words.nr; i++)
		add_option(command, command->words.items[i], command->words.items[i + 1],
			   command->words.lines[i]);
	origin = origin_of(command, slice->lines[0].number, NULL);
	add_process(command, &origin, slice->lines[0]);
	if (command->nr_iothreads)
		hl_graph_add_number(reading->graph, &origin, "vm.iothreads", command->nr_iothreads);
	if (reading->graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s: a command line without a device", slice->name);
	return 0;
}

const struct hl_format hl_format_qemu_command = {
	.name = "qemu-command",
	.summary = "command line of QEMU, as qm showcmd and ps print it",
	.claim = command_claim,
	.read = command_read,
};
