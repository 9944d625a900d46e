/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * virtio-single-queue: all packets of a virtual NIC go through one queue, though the VM has several
 * processors.
 *
 * Source: the configuration of the VM, and the busiest thread while a job ran. Surprising: a queue
 * that is not asked for is one, in libvirt as in Proxmox; and one TCP stream uses one queue however
 * many there are, so queues help several sessions.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/say.h"
#include "vm_said.h"
#include <math.h>
#include <string.h>

#define MODEL  "vnic.model"
#define QUEUES "vnic.queues"
#define VCPUS  "vm.vcpus"

static const char *const vhosts[] = { "vhost-", NULL };

static bool has_one_queue(const struct hl_graph *graph, const struct hl_fact *model)
{
	double queues = vm_number(vm_part_fact(graph, model, QUEUES));

	return model->type == HL_FACT_STRING && !strncmp(model->string, "virtio", 6) &&
	       !(queues > 1) && vm_number(vm_fact(graph, model, VCPUS)) > 1;
}

static bool is_held_back(const struct hl_graph *graph, const struct hl_trial *trial)
{
	struct vm_part nic;

	return hl_trial_is_bound_here(trial) &&
	       vm_part_of(graph, trial->at->hop, MODEL, HL_LAYER_VNIC, &nic) &&
	       has_one_queue(graph, nic.fact);
}

/* In the words of the tool that the NIC was read from. */
static const char *say_fix(struct hl_graph *graph, const struct hl_fact *model, double queues)
{
	static const char then[] = "and as many sessions as shall use them; or a VF in its place";
	const char *nic = vm_part_name(model);

	switch (vm_tool_of(graph, model)) {
	case VM_TOOL_PROXMOX:
		return hl_arena_printf(graph->arena,
				       "qm set %s --%s …,queues=%.0f (for … what \"qm config %s\" "
				       "shows behind %s), %s.",
				       vm_id(graph, model), nic, queues, vm_id(graph, model), nic,
				       then);
	case VM_TOOL_LIBVIRT:
		return hl_arena_printf(graph->arena,
				       "virsh edit %s: <driver name='vhost' queues='%.0f'/> in the "
				       "<interface>, %s.",
				       vm_name(graph, model), queues, then);
	case VM_TOOL_UNKNOWN:
		break;
	}
	return hl_arena_printf(graph->arena,
			       "queues=%.0f for that NIC (Proxmox: qm set VMID --%s …,queues=%.0f; "
			       "libvirt: <driver name='vhost' queues='%.0f'/>), %s.",
			       queues, nic, queues, queues, then);
}

static void fill(struct hl_graph *graph, struct hl_finding *finding, const struct hl_fact *model)
{
	double vcpus = vm_number(vm_fact(graph, model, VCPUS));

	hl_finding_add_evidence(graph, finding, model);
	hl_finding_add_evidence(graph, finding, vm_part_fact(graph, model, QUEUES));
	hl_finding_add_evidence(graph, finding, vm_fact(graph, model, VCPUS));
	finding->fix = say_fix(graph, model, fmin(vcpus, 8));
	finding->paste = "# in the guest: queues in use, and possible\n"
			 "ethtool -l DEVICE\n"
			 "# on the hypervisor, while the job runs: threads vhost-PID at 100 %?\n"
			 "top -H -b -n 1 | grep -E 'vhost|CPU'\n";
	finding->next = "The same job with more queues and as many sessions: it gets faster, if "
			"the queue is what binds.";
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trial *trial)
{
	struct vm_part nic = { 0 };
	double busy = vm_thread_pct(graph, trial->at, vhosts);
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);

	vm_part_of(graph, trial->at->hop, MODEL, HL_LAYER_VNIC, &nic);
	fill(graph, finding, nic.fact);
	vm_weigh_thread(graph, finding, trial->at, &nic, busy);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_BW);
	finding->text = hl_arena_printf(
		graph->arena, "The virtual NIC %s has one queue for %.0f vCPUs%s; %s gives %s.",
		nic.fact->node, vm_number(vm_fact(graph, nic.fact, VCPUS)),
		isnan(busy) ? ""
			    : hl_arena_printf(graph->arena,
					      "; its vhost thread used %.0f %% of a core", busy),
		hl_beside_job(trial->at), hl_say_rate(trial->bw).text);
	hl_beside_predict(finding, trial, hl_beside_before(trial));
}

static int gravity_of(const struct hl_graph *graph, const struct hl_fact *model)
{
	return has_one_queue(graph, model);
}

static void match_configurations(struct hl_graph *graph, const struct hl_cause *cause)
{
	unsigned nr;
	const struct hl_fact *first = vm_gravest_part(graph, MODEL, gravity_of, &nr);
	struct hl_finding *finding;

	if (!first)
		return;
	finding = hl_cause_found(graph, cause, NULL, NULL, HL_DIR_READ);
	fill(graph, finding, first);
	finding->text = hl_arena_printf(
		graph->arena,
		"The virtual NIC %s has one queue for %.0f vCPUs%s; nothing was "
		"measured through it.",
		first->node, vm_number(vm_fact(graph, first, VCPUS)),
		nr > 1 ? hl_arena_printf(graph->arena, ", and %u more are alike", nr - 1) : "");
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match_each(graph, cause, is_held_back, found);
	if (vm_is_unmeasured(graph))
		match_configurations(graph, cause);
}

static const char *const rivals[] = { "vhost-thread-saturated", "tcp-window-limited",
				      "serial-stage", NULL };

const struct hl_cause hl_cause_virtio_single_queue = {
	.id = "virtio-single-queue",
	.summary = "a virtual NIC has one queue for a VM of several processors",
	.layer = HL_LAYER_VNIC,
	.explain =
		"A virtio NIC has one queue unless more are asked for. One vhost thread of the "
		"host copies all its packets, and one processor of the guest takes them in: about "
		"10 to 20 Gbit/s with large packets, a few with small ones.\n\n"
		"Recognised by the configuration (virtio, no queues= or 1, several vCPUs), where "
		"the hop through that NIC is slower than the one before. Confirmed where its vhost "
		"thread took 95 % of a core; without a measurement it is a suspicion.\n\n"
		"A single TCP stream uses one queue however many there are; a short window "
		"(tcp-window-limited) leaves the thread idle.\n\n"
		"Decided by the same job with queues=4 and four sessions.\n\n"
		"What to do: queues=N with several sessions, or a VF.",
	.rivals = rivals,
	.match = match,
};
