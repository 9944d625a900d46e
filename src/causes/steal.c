/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu-steal: the processors of a virtual machine were ready and waited for one of the hypervisor.
 *
 * Source: the time that the guest's kernel counts as stolen, during the slots. Surprising: it is a
 * share of all its processors, so one vCPU of eight that never gets on is 12 %; and a hypervisor
 * need not tell its guests.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "vm_said.h"
#include <math.h>
#include <string.h>

#define PCT   "cpu.steal_pct"
#define MUCH  10 /* percent of the slot */
#define SOME  3
#define GROWS 2 /* times */

static bool is_of_same_host(const struct hl_hop *a, const struct hl_hop *b)
{
	return a->host == b->host || (a->host && b->host && !strcmp(a->host, b->host));
}

/* Taken at the hop before, too, and on the same machine: then it explains nothing here. */
static bool is_everywhere(const struct hl_graph *graph, const struct hl_trial *trial, double now)
{
	const struct hl_measurement *before = hl_beside_before(trial);

	return before && is_of_same_host(before->hop, trial->at->hop) &&
	       hl_beside_number(graph, before, PCT) * GROWS > now && hl_trial_is_bound_here(trial);
}

static bool is_stolen(const struct hl_graph *graph, const struct hl_trial *trial)
{
	double now = hl_beside_number(graph, trial->at, PCT);

	return now >= SOME && !hl_trial_is_bound_below(trial) && !is_everywhere(graph, trial, now);
}

/* What the hypervisor counted of the vCPUs, if its statistics were read before and after. */
static void add_delay(struct hl_graph *graph, struct hl_finding *finding, const struct hl_hop *hop)
{
	hl_finding_add_evidence(graph, finding, hl_place_fact(graph, hop, "vm.vcpu_delay_ns", 0));
	hl_finding_add_evidence(graph, finding, hl_place_fact(graph, hop, "vm.cpu_limit", 0));
}

/* In the words of the tool of that hypervisor. */
static const char *say_fix(enum vm_tool tool)
{
	switch (tool) {
	case VM_TOOL_PROXMOX:
		return "Fewer vCPUs than the hypervisor has processors, all machines taken "
		       "together; pin them (affinity) or raise the VM's limit and weight "
		       "(cpulimit, cpuunits).";
	case VM_TOOL_LIBVIRT:
		return "Fewer vCPUs than the hypervisor has processors, all machines taken "
		       "together; pin them (vcpupin) or raise the VM's limit and weight "
		       "(vcpu_quota, cpu_shares: virsh schedinfo).";
	case VM_TOOL_UNKNOWN:
		break;
	}
	return "Fewer vCPUs than the hypervisor has processors, all machines taken "
	       "together; pin them (vcpupin, affinity) or raise the VM's limit and weight "
	       "(cpulimit, cpuunits).";
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trial *trial)
{
	double pct = hl_beside_number(graph, trial->at, PCT);
	const struct hl_fact *limit = hl_place_fact(graph, trial->at->hop, "vm.cpu_limit", 0);
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);

	if (trial->at->hop->layer != HL_LAYER_NONE)
		finding->layer = trial->at->hop->layer;
	if (pct >= MUCH)
		finding->state = HL_CONFIRMED;
	else
		finding->next = "The same job while the other machines of the hypervisor rest, or "
				"with its vCPUs on processors of their own.";
	hl_finding_add_evidence(graph, finding, hl_beside_fact(graph, trial->at, PCT));
	add_delay(graph, finding, trial->at->hop);
	finding->text = hl_arena_printf(
		graph->arena,
		"The hypervisor took %.0f %% of this machine's processor time during %s (%s)%s.",
		pct, hl_beside_job(trial->at), hl_say_rate(trial->bw).text,
		limit ? hl_arena_printf(graph->arena, "; the VM may use %.3g processors",
					vm_number(limit))
		      : "");
	finding->fix = say_fix(vm_tool_below(graph, trial->at->hop));
	finding->paste = "# in the guest: column st\n"
			 "vmstat 1 5\n"
			 "# on the hypervisor: load, and who else runs\n"
			 "uptime; cat /proc/pressure/cpu\n";
	hl_beside_predict(finding, trial, hl_beside_before(trial));
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match_each(graph, cause, is_stolen, found);
}

static const char *const rivals[] = { "cgroup-throttled", "serial-stage", NULL };

const struct hl_cause hl_cause_cpu_steal = {
	.id = "cpu-steal",
	.summary = "the hypervisor gives the machine too little processor time",
	.explain =
		"A vCPU that is ready but has no processor under it answers nothing: neither "
		"interrupts nor requests. The guest's kernel counts that time as stolen.\n\n"
		"Recognised by the stolen time of the slot: 10 % of all its processors or more "
		"confirms it, 3 % is a suspicion; not where the hop loses nothing, and not where "
		"as much was stolen at the hop before on the same machine.\n\n"
		"A quota (cgroup-throttled) stops threads within the machine; a hypervisor that "
		"tells its guests nothing shows no stolen time at all.\n\n"
		"Decided by the same job while the neighbours rest.\n\n"
		"What to do: fewer vCPUs in all, pinning, a higher limit.",
	.rivals = rivals,
	.match = match,
};
