/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * numa-remote: the processors that a VM is kept to are of another NUMA node than the device that
 * it works with.
 *
 * Source: pinning and memory nodes of the VM, the processors of each node, the node of the device.
 * Surprising: a VM that is kept nowhere may run anywhere; then only where its threads were seen is
 * a hint.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/cpulist.h"
#include "hoploss/evidence.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "vm_said.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEVICE_NODE "pcie.numa_node"
#define NODE_CPUS   "numa.cpus"

/* A device, the processors that are near it, and the VM that uses it. */
struct remote {
	const struct hl_fact *device; /* its node */
	const struct hl_fact *near;   /* the processors of that node */
	const struct hl_fact *part;   /* of the VM: what it is passed or lent by */
	const struct hl_fact *kept;   /* what keeps the VM elsewhere */
};

static bool is_of_host(const struct hl_fact *a, const struct hl_fact *b)
{
	return a->host == b->host || (a->host && b->host && !strcmp(a->host, b->host));
}

/* The processors of the node that the device is at. */
static const struct hl_fact *near_cpus(const struct hl_graph *graph, const struct hl_fact *device)
{
	const struct hl_fact *fact;
	char name[32];

	snprintf(name, sizeof(name), "node%.0f", device->number);
	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, NODE_CPUS, i)); i++) {
		if (is_of_host(fact, device) && fact->type == HL_FACT_STRING &&
		    !strcmp(fact->node, name))
			return fact;
	}
	return NULL;
}

static unsigned nr_nodes(const struct hl_graph *graph, const struct hl_fact *device)
{
	const struct hl_fact *fact;
	unsigned nr = 0;

	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, NODE_CPUS, i)); i++)
		nr += is_of_host(fact, device);
	return nr;
}

/* The list of processors is all of another node. */
static bool is_elsewhere(const char *cpus, const struct hl_fact *near)
{
	struct hl_cpulist kept, close;

	return hl_cpulist_read(cpus, &kept) == 0 && hl_cpulist_read(near->string, &close) == 0 &&
	       !hl_cpulist_meets(&kept, &close);
}

/* "0:4 1:5": every vCPU is kept to processors of another node. */
static bool are_pins_elsewhere(const char *pins, const struct hl_fact *near)
{
	bool is_any = false;

	while (*(pins += strspn(pins, " "))) {
		size_t len = strcspn(pins, " ");
		const char *colon = memchr(pins, ':', len);
		char cpus[256];

		if (!colon)
			return false;
		snprintf(cpus, sizeof(cpus), "%.*s", (int)(len - (size_t)(colon + 1 - pins)),
			 colon + 1);
		if (!is_elsewhere(cpus, near))
			return false;
		is_any = true;
		pins += len;
	}
	return is_any;
}

/* What keeps the VM away from the device; NULL = nothing does. */
static const struct hl_fact *find_kept(const struct hl_graph *graph, const struct remote *remote)
{
	const struct hl_fact *pins = vm_fact(graph, remote->part, "vm.vcpu_pin");
	const struct hl_fact *cpuset = vm_fact(graph, remote->part, "vm.cpuset");
	const struct hl_fact *memory = vm_fact(graph, remote->part, "vm.numa_nodeset");
	struct hl_cpulist nodes;

	if (pins && pins->string && are_pins_elsewhere(pins->string, remote->near))
		return pins;
	if (!pins && cpuset && cpuset->string && is_elsewhere(cpuset->string, remote->near))
		return cpuset;
	if (memory && memory->string && hl_cpulist_read(memory->string, &nodes) == 0 &&
	    !hl_cpulist_has(&nodes, (unsigned)remote->device->number))
		return memory;
	return NULL;
}

/* Of one fact that says which device of the host a part of a VM is. */
static bool read_remote(const struct hl_graph *graph, const struct hl_fact *part,
			const struct hl_fact *device, struct remote *ret_remote)
{
	struct remote remote = { .device = device, .part = part };

	if (device->type != HL_FACT_NUMBER || device->number < 0 || nr_nodes(graph, device) < 2)
		return false;
	remote.near = near_cpus(graph, device);
	remote.kept = remote.near ? find_kept(graph, &remote) : NULL;
	if (!remote.kept)
		return false;
	*ret_remote = remote;
	return true;
}

/* "d0:13.0", "0000:d0:13.0" and "d0:13", which is all functions; of several the first counts. */
static bool is_address(const char *node, const char *address)
{
	size_t len = strcspn(address, " ,;"), end = strlen(node);
	size_t skip = 0;

	if (!memchr(address, '.', len))
		end = strcspn(node, ".");
	if (end == len + 5 && !strncmp(node, "0000:", 5))
		skip = 5;
	return end == len + skip && !strncasecmp(node + skip, address, len);
}

static const struct hl_fact *device_of(const struct hl_graph *graph, const struct hl_fact *part)
{
	const struct hl_fact *fact;

	for (size_t i = 0; (fact = hl_place_fact(graph, NULL, DEVICE_NODE, i)); i++) {
		if (is_of_host(fact, part) && part->type == HL_FACT_STRING &&
		    is_address(fact->node, part->string))
			return fact;
	}
	return NULL;
}

/* The first device of a VM among the places of hop (NULL = of all files) that is far from it. */
static bool find_remote(const struct hl_graph *graph, const struct hl_hop *hop,
			struct remote *ret_remote)
{
	static const char *const keys[] = { "vnic.host_address", "passthrough.address" };

	for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
		const struct hl_fact *part;

		for (size_t i = 0; (part = hl_place_fact(graph, hop, keys[k], i)); i++) {
			const struct hl_fact *device = part->node && strrchr(part->node, '/')
							       ? device_of(graph, part)
							       : NULL;

			if (device && read_remote(graph, part, device, ret_remote))
				return true;
		}
	}
	return false;
}

static bool is_far(const struct hl_graph *graph, const struct hl_trial *trial)
{
	struct remote remote;

	return !hl_trial_is_bound_below(trial) && find_remote(graph, trial->at->hop, &remote);
}

/* "0 1" of "0:0 1:1", where it is pins of vCPUs. */
static const char *say_kept(struct hl_graph *graph, const struct hl_fact *kept)
{
	const char *all = NULL;

	for (const char *at = kept->string; (at = strchr(at, ':')); at++)
		all = hl_arena_printf(graph->arena, "%s%s%.*s", all ? all : "", all ? " " : "",
				      (int)strcspn(at + 1, " "), at + 1);
	return all ? all : kept->string;
}

/* In the words of the tool that the part was read from. */
static const char *say_fix(struct hl_graph *graph, const struct remote *remote)
{
	const char *cpus = remote->near->string;
	double node = remote->device->number;

	switch (vm_tool_of(graph, remote->part)) {
	case VM_TOOL_PROXMOX:
		return hl_arena_printf(
			graph->arena,
			"qm set %s --affinity %s --numa 1 --numa0 cpus=…,memory=…,hostnodes=%.0f,"
			"policy=bind, then stop and start the VM. Or a device in a slot of the "
			"other node.",
			vm_id(graph, remote->part), cpus, node);
	case VM_TOOL_LIBVIRT:
		return hl_arena_printf(
			graph->arena,
			"virsh edit %s: <vcpupin> with cpuset='%s' and <numatune> with "
			"nodeset='%.0f', then stop and start the VM. Or a device in a slot of the "
			"other node.",
			vm_name(graph, remote->part), cpus, node);
	case VM_TOOL_UNKNOWN:
		break;
	}
	return hl_arena_printf(
		graph->arena,
		"Keep the VM to node %.0f, processors and memory: Proxmox affinity: %s and "
		"numa0: …,hostnodes=%.0f,policy=bind; libvirt <vcpupin> and <numatune>. Or a "
		"device in a slot of the other node.",
		node, cpus, node);
}

static void fill(struct hl_graph *graph, struct hl_finding *finding, const struct remote *remote,
		 const char *measured)
{
	hl_finding_add_evidence(graph, finding, remote->part);
	hl_finding_add_evidence(graph, finding, remote->device);
	hl_finding_add_evidence(graph, finding, remote->near);
	hl_finding_add_evidence(graph, finding, remote->kept);
	finding->text = hl_arena_printf(
		graph->arena,
		"%s of the VM %s is at NUMA node %.0f (processors %s), but the VM is kept to %s "
		"%s: every transfer crosses to the other node%s.",
		remote->device->node, vm_name(graph, remote->part), remote->device->number,
		remote->near->string,
		!strcmp(remote->kept->key, "vm.numa_nodeset") ? "memory of node" : "processors",
		say_kept(graph, remote->kept), measured);
	finding->fix = say_fix(graph, remote);
	finding->paste = "numactl --hardware\n"
			 "cat /sys/bus/pci/devices/*/numa_node\n"
			 "# which memory the VM has: node columns of the QEMU process\n"
			 "numastat -p PID\n";
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *matches)
{
	const struct hl_trial *trial = &matches->items[0];
	struct hl_finding *finding;
	struct remote remote;

	if (!find_remote(graph, trial->at->hop, &remote))
		return;
	finding = hl_trial_found(graph, cause, trial);
	if (trial->at->hop->layer != HL_LAYER_NONE)
		finding->layer = trial->at->hop->layer;
	/* where it loses nothing against the hop before, or there is none, the cost is not seen */
	if (hl_trial_is_bound_here(trial))
		finding->state = HL_CONFIRMED;
	else
		finding->next = "The same job with the VM kept to the node of the device.";
	fill(graph, finding, &remote,
	     hl_arena_printf(graph->arena, " (%s at %s%s)", hl_say_rate(trial->bw).text,
			     hl_beside_job(trial->at), hl_trials_say_others(graph, matches)));
	hl_evidence_add(graph, finding, trial, HL_FIGURE_BW);
	if (hl_trial_is_bound_here(trial))
		hl_beside_predict(finding, trial, hl_beside_before(trial));
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	struct hl_finding *finding;
	struct remote remote;

	hl_trials_match(graph, cause, is_far, found);
	if (!vm_is_unmeasured(graph) || !find_remote(graph, NULL, &remote))
		return;
	finding = hl_cause_found(graph, cause, NULL, NULL, HL_DIR_READ);
	fill(graph, finding, &remote, "; nothing was measured through it");
	finding->next = "A job through that device with the VM as it is, and kept to its node.";
}

static const char *const rivals[] = { "cpu-governor", "serial-stage", NULL };

const struct hl_cause hl_cause_numa_remote = {
	.id = "numa-remote",
	.summary = "a VM is kept to another NUMA node than the device it works with",
	.explain =
		"A server of several sockets has memory and slots at each of them. A VM that is "
		"kept to the processors or the memory of one node and uses a NIC or drive at the "
		"other sends every byte over the link between them, which costs latency, and "
		"bandwidth where that link is shared.\n\n"
		"Recognised by the device's node, the processors of that node, and the pinning, "
		"affinity or memory nodes of the VM, when they have nothing in common. Confirmed "
		"where the hop through the device is also slower than the one before.\n\n"
		"A VM that is kept nowhere is not told: the kernel moves it.\n\n"
		"Decided by the same job with the VM kept to the node of the device.\n\n"
		"What to do: processors, memory and device of one node.",
	.rivals = rivals,
	.match = match,
};
