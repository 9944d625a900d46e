/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which PCI devices a mapping of a Proxmox cluster means: /etc/pve/mapping/pci.cfg.
 *
 * Source: qm(1), "resource mapping"; a section a mapping, whose lines "map id=…,node=…,path=…" name
 * one device (or functions, by ';') of one node of the cluster each. Which of several a VM got is
 * only known where it runs.
 */
#include "proxmox.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PROPERTIES_MAX 16

static bool is_map(struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);

	return hl_line_starts(trimmed, "map ") && hl_line_has(trimmed, "path=");
}

static bool is_name(struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);

	for (size_t i = 0; i < trimmed.len; i++) {
		if (!isalnum((unsigned char)trimmed.start[i]) && !strchr("_-", trimmed.start[i]))
			return false;
	}
	return trimmed.len > 0;
}

static bool is_property(struct hl_line line)
{
	struct hl_line trimmed = hl_line_trim(line);

	return is_map(line) || hl_line_starts(trimmed, "description ") ||
	       hl_line_starts(trimmed, "mdev ") || hl_line_starts(trimmed, "live-migration-");
}

/* A name with a device among the lines that follow at once. */
static bool is_section(const struct hl_text *text, size_t at)
{
	if (!is_name(text->lines[at]))
		return false;
	for (size_t i = at + 1; i < text->nr_lines && i < at + PROPERTIES_MAX; i++) {
		if (is_map(text->lines[i]))
			return true;
		if (!is_property(text->lines[i]))
			return false;
	}
	return false;
}

bool proxmox_is_mapping(const struct hl_text *text, size_t at)
{
	return is_section(text, at) || is_map(text->lines[at]);
}

static size_t mapping_claim(const struct hl_text *text, size_t at)
{
	size_t end = at;

	if (!is_section(text, at))
		return 0;
	for (size_t i = at; i < text->nr_lines; i++) {
		if (is_section(text, i) || is_property(text->lines[i]))
			end = i + 1;
		else if (hl_line_trim(text->lines[i]).len)
			break;
	}
	return end - at;
}

struct mapping {
	const char *name, *all, *nodes;
	const char *here; /* of the host that the file came from, or the only one */
	unsigned nr, nr_here;
	unsigned line;
};

static const char *join(struct hl_arena *arena, const char *list, const char *word)
{
	return hl_arena_printf(arena, "%s%s%s", list ? list : "", list ? " " : "", word);
}

static void add_map(const struct hl_reading *reading, struct mapping *mapping, struct hl_line line)
{
	struct hl_arena *arena = reading->graph->arena;
	struct hl_line trimmed = hl_line_trim(line);
	const char *options = hl_arena_strndup(arena, trimmed.start + 4, trimmed.len - 4);
	const char *path = proxmox_option(arena, options, "path");
	const char *node = proxmox_option(arena, options, "node");
	bool is_here = node && reading->host && !strcmp(node, reading->host);

	if (!path)
		return;
	mapping->nr++;
	mapping->all = join(arena, mapping->all, path);
	mapping->nodes = join(arena, mapping->nodes, node ? node : "?");
	if (is_here || !mapping->nr_here)
		mapping->here = path;
	mapping->nr_here += is_here;
}

static void add_facts(const struct hl_reading *reading, const struct hl_text *slice,
		      const struct mapping *mapping)
{
	struct hl_graph *graph = reading->graph;
	const struct hl_origin origin = {
		.host = reading->host,
		.node = mapping->name,
		.source = hl_arena_printf(graph->arena, "%s:%u", slice->name, mapping->line),
	};

	if (!mapping->name)
		return;
	hl_graph_add_string(graph, &origin, "mapping.addresses", mapping->all);
	hl_graph_add_string(graph, &origin, "mapping.nodes", mapping->nodes);
	if (mapping->nr == 1 || mapping->nr_here == 1)
		hl_graph_add_string(graph, &origin, "mapping.address", mapping->here);
}

static int mapping_read(const struct hl_text *slice, struct hl_reading *reading,
			struct hl_error *err)
{
	struct mapping mapping = { 0 };

	(void)err;
	for (size_t i = 0; i < slice->nr_lines; i++) {
		struct hl_line line = hl_line_trim(slice->lines[i]);

		if (is_section(slice, i)) {
			add_facts(reading, slice, &mapping);
			mapping = (struct mapping){ .line = line.number };
			mapping.name = hl_arena_strndup(reading->graph->arena, line.start,
							line.len);
		} else if (is_map(line)) {
			add_map(reading, &mapping, line);
		}
	}
	add_facts(reading, slice, &mapping);
	return 0;
}

const struct hl_format hl_format_proxmox_mapping = {
	.name = "proxmox-mapping",
	.summary = "PCI mappings of a Proxmox cluster, pci.cfg",
	.claim = mapping_claim,
	.read = mapping_read,
};
