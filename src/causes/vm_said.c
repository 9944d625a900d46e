/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of virtual machines: see vm_said.h.
 */
#include "vm_said.h"
#include "hoploss/beside.h"
#include "hoploss/guest.h"
#include "hoploss/place.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PARTS 1000 /* of configurations that are looked at */
#define SATURATED  95   /* percent of a core */

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_same_node(const struct hl_fact *a, const struct hl_fact *b)
{
	return is_same_text(a->host, b->host) && is_same_text(a->node, b->node);
}

static bool stands_on(const struct hl_graph *graph, const struct hl_hop *hop,
		      const struct hl_fact *part)
{
	const struct hl_fact *fact;

	for (size_t i = 0; (fact = hl_place_fact(graph, hop, part->key, i)); i++) {
		if (is_same_node(fact, part))
			return true;
	}
	return false;
}

/* The only part of that kind in all files; NULL = none, or several. */
static const struct hl_fact *only_part(const struct hl_graph *graph, const char *key)
{
	const struct hl_fact *found = hl_place_fact(graph, NULL, key, 0), *other;

	for (size_t i = 1; found && (other = hl_place_fact(graph, NULL, key, i)); i++) {
		if (!is_same_node(found, other))
			return NULL;
	}
	return found;
}

/* Something says which NIC or disk of a VM the hop goes through. */
static bool is_known(const struct hl_graph *graph, const struct hl_hop *hop)
{
	static const char *const keys[] = { "vnic.mac", "vnic.type", "vdisk.bus", "vdisk.source" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (hl_place_fact(graph, hop, keys[i], 0))
			return true;
	}
	return false;
}

bool vm_part_of(const struct hl_graph *graph, const struct hl_hop *hop, const char *key,
		enum hl_layer layer, struct vm_part *ret_part)
{
	const struct hl_fact *fact = hl_place_fact(graph, hop, key, 0);
	bool is_placed = fact != NULL;

	if (fact && hop->after && stands_on(graph, hop->after, fact))
		return false;
	if (!fact && hop->layer == layer && !is_known(graph, hop))
		fact = only_part(graph, key);
	if (!fact || !fact->node || !strrchr(fact->node, '/'))
		return false;
	*ret_part = (struct vm_part){ fact, is_placed };
	return true;
}

const struct hl_fact *vm_part_fact(const struct hl_graph *graph, const struct hl_fact *part,
				   const char *key)
{
	return hl_place_beside(graph, part, key);
}

const struct hl_fact *vm_fact(const struct hl_graph *graph, const struct hl_fact *part,
			      const char *key)
{
	HL_FREE char *name = hl_strndup(part->node,
					(size_t)(strrchr(part->node, '/') - part->node));
	const struct hl_fact at = { .host = part->host, .node = name };

	return hl_place_beside(graph, &at, key);
}

const char *vm_name(struct hl_graph *graph, const struct hl_fact *part)
{
	return hl_arena_strndup(graph->arena, part->node,
				(size_t)(strrchr(part->node, '/') - part->node));
}

/* Is the source "FILE:LINE" of that file? */
static bool is_source_in(const char *source, const char *file)
{
	size_t len = strlen(file);

	return !strncmp(source, file, len) && (source[len] == ':' || !source[len]);
}

enum vm_tool vm_tool_of(const struct hl_graph *graph, const struct hl_fact *part)
{
	for (size_t i = 0; part->source && i < graph->nr_inputs; i++) {
		const struct hl_input *input = graph->inputs[i];

		if (!input->format || !input->file || !is_source_in(part->source, input->file))
			continue;
		if (!strcmp(input->format, "proxmox-vm"))
			return VM_TOOL_PROXMOX;
		if (!strcmp(input->format, "libvirt-xml"))
			return VM_TOOL_LIBVIRT;
	}
	return VM_TOOL_UNKNOWN;
}

/* Of all definitions on that host; NULL = on any. */
static enum vm_tool tool_on(const struct hl_graph *graph, const char *host)
{
	enum vm_tool found = VM_TOOL_UNKNOWN;

	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];
		bool is_of_vm = !strncmp(fact->key, "vm.", 3) || !strncmp(fact->key, "vdisk.", 6);
		enum vm_tool tool;

		if (!is_of_vm || (host && !is_same_text(fact->host, host)))
			continue;
		tool = vm_tool_of(graph, fact);
		if (found != VM_TOOL_UNKNOWN && tool != VM_TOOL_UNKNOWN && tool != found)
			return VM_TOOL_UNKNOWN;
		found = tool == VM_TOOL_UNKNOWN ? found : tool;
	}
	return found;
}

enum vm_tool vm_tool_below(const struct hl_graph *graph, const struct hl_hop *hop)
{
	const struct hl_host *at = hop && hop->host ? hl_guest_host(graph, hop->host) : NULL;

	for (size_t i = 0; at && at->on && i < graph->nr_hosts; i++) { /* a circle ends */
		enum vm_tool tool = tool_on(graph, at->on);

		if (tool != VM_TOOL_UNKNOWN)
			return tool;
		at = hl_guest_host(graph, at->on);
	}
	return tool_on(graph, NULL);
}

const char *vm_id(struct hl_graph *graph, const struct hl_fact *part)
{
	double id = vm_number(vm_fact(graph, part, "vm.id"));

	return isnan(id) ? "VMID" : hl_arena_printf(graph->arena, "%.0f", id);
}

const char *vm_part_name(const struct hl_fact *part)
{
	const char *slash = part->node ? strrchr(part->node, '/') : NULL;

	return slash ? slash + 1 : "DEVICE";
}

double vm_number(const struct hl_fact *fact)
{
	return fact && fact->type == HL_FACT_NUMBER ? fact->number : NAN;
}

bool vm_says(const struct hl_fact *fact, const char *text)
{
	return fact && fact->type == HL_FACT_STRING && !strcmp(fact->string, text);
}

bool vm_is_unmeasured(const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		if (graph->hops[i]->nr_measurements)
			return false;
	}
	return true;
}

double vm_thread_pct(const struct hl_graph *graph, const struct hl_measurement *at,
		     const char *const *names)
{
	const struct hl_fact *thread = hl_beside_fact(graph, at, "cpu.busiest_thread");
	const struct hl_fact *on_path = hl_beside_fact(graph, at, "cpu.busiest_is_on_path");

	if (!thread || !thread->string || (on_path && !on_path->boolean))
		return NAN;
	for (; *names; names++) {
		if (!strncmp(thread->string, *names, strlen(*names)))
			return hl_beside_number(graph, at, "cpu.busiest_thread_pct");
	}
	return NAN;
}

void vm_weigh_thread(struct hl_graph *graph, struct hl_finding *finding,
		     const struct hl_measurement *at, const struct vm_part *part, double busy)
{
	if (isnan(busy))
		return;
	if (part->is_placed && busy >= SATURATED) {
		finding->state = HL_CONFIRMED;
		finding->next = NULL;
	}
	hl_finding_add_evidence(graph, finding, hl_beside_fact(graph, at, "cpu.busiest_thread"));
	hl_finding_add_evidence(graph, finding,
				hl_beside_fact(graph, at, "cpu.busiest_thread_pct"));
}

const struct hl_fact *vm_gravest_part(const struct hl_graph *graph, const char *key,
				      int (*gravity_of)(const struct hl_graph *graph,
							const struct hl_fact *part),
				      unsigned *ret_nr)
{
	const struct hl_fact *part, *gravest = NULL;
	unsigned nr = 0;
	int most = 0;

	for (size_t i = 0; i < MOST_PARTS && (part = hl_place_fact(graph, NULL, key, i)); i++) {
		int gravity = part->node && strrchr(part->node, '/') ? gravity_of(graph, part) : 0;

		nr += gravity > 0;
		if (gravity <= most)
			continue;
		most = gravity;
		gravest = part;
	}
	*ret_nr = nr;
	return gravest;
}
