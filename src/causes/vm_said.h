/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the causes about virtual machines have in common: the part of a VM that a hop goes through,
 * and what is known of that VM. A part is a fact of its node, "VM/net0".
 */
#ifndef CAUSES_VM_SAID_H
#define CAUSES_VM_SAID_H

#include "hoploss/trial.h"

struct vm_part {
	const struct hl_fact *fact; /* that it was found by: vnic.model, vdisk.bus */
	bool is_placed;             /* the hop stands on it; else it is the only one there is */
};

/*
 * The first part of the VM, by a fact of that key, that the hop stands on and the hop before does
 * not; or, where nothing says what a hop of that layer stands on, the only one of all files.
 */
bool vm_part_of(const struct hl_graph *graph, const struct hl_hop *hop, const char *key,
		enum hl_layer layer, struct vm_part *ret_part);
/* A fact of the same part, and of its VM; NULL. */
const struct hl_fact *vm_part_fact(const struct hl_graph *graph, const struct hl_fact *part,
				   const char *key);
const struct hl_fact *vm_fact(const struct hl_graph *graph, const struct hl_fact *part,
			      const char *key);
/* "worker" of "worker/net0", in the graph's arena. */
const char *vm_name(struct hl_graph *graph, const struct hl_fact *part);

/* Whose files told of the part, which is whose words the user needs. */
enum vm_tool { VM_TOOL_UNKNOWN, VM_TOOL_PROXMOX, VM_TOOL_LIBVIRT };
enum vm_tool vm_tool_of(const struct hl_graph *graph, const struct hl_fact *part);
/*
 * The same of whatever machine the hop runs on: of the definitions on the host below it, or, where
 * none is known, of all there are; UNKNOWN: they are of several kinds, or there is none.
 */
enum vm_tool vm_tool_below(const struct hl_graph *graph, const struct hl_hop *hop);
/* What qm(1) calls the VM: "101", or "VMID" if that is not known; in the graph's arena. */
const char *vm_id(struct hl_graph *graph, const struct hl_fact *part);
/* "net0" of "worker/net0". */
const char *vm_part_name(const struct hl_fact *part);

double vm_number(const struct hl_fact *fact); /* NAN: not known, or no number */
bool vm_says(const struct hl_fact *fact, const char *text);
/* Nothing was measured: what is known are configurations. */
bool vm_is_unmeasured(const struct hl_graph *graph);
/*
 * How long the thread that such a name begins with was busy during the slot, in percent of a core;
 * NAN: another one was the busiest, or it may be a bystander.
 */
double vm_thread_pct(const struct hl_graph *graph, const struct hl_measurement *at,
		     const char *const *names);
/*
 * What that says of a finding at part, for busy percent: evidence, unless it is NAN; confirmed
 * where the hop stands on the part and the thread had no time left.
 */
void vm_weigh_thread(struct hl_graph *graph, struct hl_finding *finding,
		     const struct hl_measurement *at, const struct vm_part *part, double busy);

/*
 * Of all configurations, the first of the gravest parts that a fact of that key stands at, and how
 * many there are in all; NULL = none. gravity_of: 0 = nothing is wrong with it.
 */
const struct hl_fact *vm_gravest_part(const struct hl_graph *graph, const char *key,
				      int (*gravity_of)(const struct hl_graph *graph,
							const struct hl_fact *part),
				      unsigned *ret_nr);

#endif
