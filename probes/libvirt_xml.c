/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libvirt's XML: domains, parts of them, and node devices.
 *
 * Source: `virsh dumpxml`, `virsh nodedev-dumpxml`, and what people paste of them; the elements are
 * described at https://libvirt.org/formatdomain.html and formatnode.html. Surprising: the name of
 * the VM may stand in no element but only in a comment of libvirt's own files; a comment is not
 * read, and the name of the file stands for the VM. The XML of a running domain and that of its
 * definition differ.
 */
#include "hoploss/number.h"
#include "libvirt.h"
#include "markup.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct libvirt_row domain_rows[] = {
	{ "vcpu", "cpuset", "vm.cpuset", LIBVIRT_TEXT },
	{ "iothreads", NULL, "vm.iothreads", LIBVIRT_COUNT },
	{ "memory", NULL, "vm.memory", LIBVIRT_SIZE },
	{ "os/type", "machine", "vm.machine", LIBVIRT_TEXT },
	{ "cpu", "mode", "vm.cpu_model", LIBVIRT_TEXT },
	{ "cpu/model", NULL, "vm.cpu_model", LIBVIRT_TEXT },
	{ "cpu/topology", "sockets", "vm.sockets", LIBVIRT_COUNT },
	{ "cpu/topology", "cores", "vm.cores", LIBVIRT_COUNT },
	{ "cpu/topology", "threads", "vm.threads", LIBVIRT_COUNT },
	{ "numatune/memory", "mode", "vm.numa_mode", LIBVIRT_TEXT },
	{ "numatune/memory", "nodeset", "vm.numa_nodeset", LIBVIRT_TEXT },
	{ "cputune/emulatorpin", "cpuset", "vm.emulator_pin", LIBVIRT_TEXT },
	{ "memoryBacking/hugepages/page", "size", "vm.hugepage_size", LIBVIRT_SIZE },
	{ NULL, NULL, NULL, LIBVIRT_TEXT },
};

double libvirt_number(const char *text)
{
	uint64_t number;

	return text && hl_number_u64(text, strlen(text), &number) == 0 ? (double)number : NAN;
}

struct hl_origin libvirt_origin(const struct libvirt *in, const struct hl_xml *element,
				const char *node)
{
	const struct hl_text *slice = in->slice;
	size_t index = element->line - 1;
	struct hl_origin origin = { .host = in->reading->host,
				    .node = node,
				    .source = slice->name };

	if (index < slice->nr_lines)
		origin.source = hl_arena_printf(in->reading->graph->arena, "%s:%u", slice->name,
						slice->lines[index].number);
	return origin;
}

/* https://libvirt.org/formatdomain.html#memory-allocation: KiB unless a unit is named. */
static double size_of(const struct hl_xml *element, const char *number)
{
	static const struct {
		const char *unit;
		double bytes;
	} units[] = {
		{ "b", 1 },
		{ "bytes", 1 },
		{ "KB", 1e3 },
		{ "k", 1024 },
		{ "KiB", 1024 },
		{ "MB", 1e6 },
		{ "M", 1048576 },
		{ "MiB", 1048576 },
		{ "GB", 1e9 },
		{ "G", 1073741824 },
		{ "GiB", 1073741824 },
		{ "TB", 1e12 },
		{ "T", 1099511627776 },
		{ "TiB", 1099511627776 },
	};
	const char *unit = hl_xml_attribute(element, "unit");

	if (!unit)
		unit = "KiB";
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!strcmp(units[i].unit, unit))
			return libvirt_number(number) * units[i].bytes;
	}
	return NAN;
}

static void add_row(const struct libvirt *in, const struct hl_xml *element, const char *node,
		    const struct libvirt_row *row)
{
	struct hl_graph *graph = in->reading->graph;
	const char *value = row->attribute ? hl_xml_attribute(element, row->attribute)
					   : element->text;
	struct hl_origin origin;

	if (!value || !*value)
		return;
	origin = libvirt_origin(in, element, node);
	switch (row->kind) {
	case LIBVIRT_TEXT:
		hl_graph_add_string(graph, &origin, row->key, value);
		break;
	case LIBVIRT_COUNT:
		hl_graph_add_number(graph, &origin, row->key, libvirt_number(value));
		break;
	case LIBVIRT_SIZE:
		hl_graph_add_number(graph, &origin, row->key, size_of(element, value));
		break;
	case LIBVIRT_YES:
		hl_graph_add_boolean(graph, &origin, row->key,
				     !strcmp(value, "yes") || !strcmp(value, "on"));
		break;
	case LIBVIRT_UP:
		hl_graph_add_boolean(graph, &origin, row->key, !strcmp(value, "up"));
		break;
	}
}

void libvirt_add_rows(const struct libvirt *in, const struct hl_xml *element, const char *node,
		      const struct libvirt_row *rows)
{
	for (; rows->key; rows++) {
		const struct hl_xml *found = *rows->path ? hl_xml_find(element, rows->path)
							 : element;

		if (found)
			add_row(in, found, node, rows);
	}
}

/* "0:4 1:5" of <vcpupin vcpu='0' cpuset='4'/> … */
static void add_pins(const struct libvirt *in, const struct hl_xml *domain, const char *name,
		     const char *attribute, const char *key)
{
	const struct hl_xml *tune = hl_xml_find(domain, "cputune");
	const struct hl_xml *pin = hl_xml_find(tune, name);
	struct hl_arena *arena = in->reading->graph->arena;
	const char *all = NULL;
	struct hl_origin origin;

	if (!pin)
		return;
	origin = libvirt_origin(in, pin, in->vm);
	for (; pin; pin = hl_xml_next(pin, name)) {
		const char *index = hl_xml_attribute(pin, attribute);
		const char *cpus = hl_xml_attribute(pin, "cpuset");

		if (index && cpus)
			all = hl_arena_printf(arena, "%s%s%s:%s", all ? all : "", all ? " " : "",
					      index, cpus);
	}
	hl_graph_add_string(in->reading->graph, &origin, key, all);
}

static void add_memory_backing(const struct libvirt *in, const struct hl_xml *domain)
{
	static const struct {
		const char *path, *key;
	} rows[] = {
		{ "memoryBacking/hugepages", "vm.has_hugepages" },
		{ "memoryBacking/locked", "vm.is_memory_locked" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct hl_xml *found = hl_xml_find(domain, rows[i].path);
		struct hl_origin origin;

		if (!found)
			continue;
		origin = libvirt_origin(in, found, in->vm);
		hl_graph_add_boolean(in->reading->graph, &origin, rows[i].key, true);
	}
}

/* What a domain element says of itself: its number while it runs, and what runs it. */
static void add_state(const struct libvirt *in, const struct hl_xml *domain)
{
	struct hl_graph *graph = in->reading->graph;
	const char *id = hl_xml_attribute(domain, "id");
	struct hl_origin origin = libvirt_origin(in, domain, in->vm);

	hl_graph_add_string(graph, &origin, "vm.type", hl_xml_attribute(domain, "type"));
	if (id)
		hl_graph_add_boolean(graph, &origin, "vm.is_running", true);
	if (hl_xml_is(domain->parent, "domstatus"))
		hl_graph_add_number(graph, &origin, "vm.pid",
				    libvirt_number(hl_xml_attribute(domain->parent, "pid")));
}

/* As many as it starts with; more may be plugged in: <vcpu current='2'>4</vcpu>. */
static void add_vcpus(const struct libvirt *in, const struct hl_xml *domain)
{
	const struct hl_xml *vcpu = hl_xml_find(domain, "vcpu");
	const char *current = vcpu ? hl_xml_attribute(vcpu, "current") : NULL;
	struct hl_origin origin;

	if (!vcpu)
		return;
	origin = libvirt_origin(in, vcpu, in->vm);
	hl_graph_add_number(in->reading->graph, &origin, "vm.vcpus",
			    libvirt_number(current ? current : vcpu->text));
}

/* The domain, or the fragment's root, which stands for one. */
static void add_vm(struct libvirt *in, const struct hl_xml *domain)
{
	const struct hl_xml *name = hl_xml_find(domain, "name");

	in->nr_nics = in->nr_hostdevs = 0;
	in->vm = in->reading->node ? in->reading->node : in->reading->stem;
	if (name && name->text)
		in->vm = hl_arena_strdup(in->reading->graph->arena, name->text);
	if (hl_xml_is(domain, "domain"))
		add_state(in, domain);
	add_vcpus(in, domain);
	libvirt_add_rows(in, domain, in->vm, domain_rows);
	add_pins(in, domain, "vcpupin", "vcpu", "vm.vcpu_pin");
	add_pins(in, domain, "iothreadpin", "iothread", "vm.iothread_pin");
	add_memory_backing(in, domain);
}

/* Devices stand where they are found: under devices, or alone. */
static void visit(struct libvirt *in, const struct hl_xml *element)
{
	static const struct {
		const char *name;
		void (*add)(struct libvirt *in, const struct hl_xml *element);
	} rows[] = {
		{ "disk", libvirt_add_disk },       { "interface", libvirt_add_nic },
		{ "hostdev", libvirt_add_hostdev }, { "driver", libvirt_add_driver },
		{ "device", libvirt_add_nodedev },  { "metadata", NULL },
		{ "inactiveDomain", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!hl_xml_is(element, rows[i].name))
			continue;
		if (rows[i].add)
			rows[i].add(in, element);
		return;
	}
	if (hl_xml_is(element, "domain"))
		add_vm(in, element);
	for (const struct hl_xml *child = element->first; child; child = child->next)
		visit(in, child);
}

static char *mended(const struct hl_text *slice, size_t *ret_len, bool *ret_is_cut)
{
	size_t len;
	const char *bytes = hl_text_bytes(slice, &len);
	const char *tag = memchr(bytes, '<', len), *escaped = memmem(bytes, len, "&lt;", 4);
	HL_FREE char *plain = NULL;

	if (escaped && (!tag || escaped < tag)) {
		plain = markup_unescape(bytes, len, &len);
		bytes = plain;
	}
	return markup_mend(bytes, len, NULL, ret_len, ret_is_cut);
}

static int libvirt_read(const struct hl_text *slice, struct hl_reading *reading,
			struct hl_error *err)
{
	struct libvirt in = { .reading = reading, .slice = slice };
	size_t before = reading->graph->nr_facts, len = 0;
	struct hl_arena *arena = hl_arena_new();
	bool is_cut = false;
	HL_FREE char *xml = mended(slice, &len, &is_cut);
	struct hl_xml *root;
	int rc = hl_xml_parse(arena, xml, len, &root, err);

	if (rc == 0) {
		add_vm(&in, root); /* of no domain element: the file's name */
		visit(&in, root);
		if (is_cut)
			rc = hl_fail(err, EBADMSG, "%s:%u: XML ends early", slice->name,
				     slice->lines[slice->nr_lines - 1].number);
		else if (reading->graph->nr_facts == before)
			rc = hl_fail(err, ENODATA,
				     "%s:%u: XML without a device or figure that counts",
				     slice->name, slice->lines[0].number);
	}
	hl_arena_free(arena);
	return rc;
}

const struct hl_format hl_format_libvirt = {
	.name = "libvirt-xml",
	.summary = "virsh dumpxml and nodedev-dumpxml, whole or in part",
	.claim = libvirt_claim,
	.read = libvirt_read,
};
