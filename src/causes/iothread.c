/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iothread-missing: the I/Os of a virtual disk are handled by the main thread of QEMU, beside all
 * else that it has to do.
 *
 * Source: the configuration of the VM, and the busiest thread while a job ran. Surprising: on
 * Proxmox iothread=1 at a SCSI disk has no effect unless the controller is virtio-scsi-single.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/say.h"
#include "vm_said.h"
#include <math.h>
#include <string.h>

#define BUS    "vdisk.bus"
#define EFFECT "vdisk.iothread_has_effect"

/* As QEMU's main thread is called: the emulator itself. */
static const char *const mains[] = { "kvm", "qemu-system-", "qemu-kvm", NULL };

/* -1 = not asked for, 0 = asked for without effect, 1 = it has one. */
static int effect_of(const struct hl_graph *graph, const struct hl_fact *bus)
{
	const struct hl_fact *effect = vm_part_fact(graph, bus, EFFECT);

	return effect && effect->type == HL_FACT_BOOLEAN ? effect->boolean : -1;
}

/* Asked for, but where the controller is not known. */
static bool is_unclear(const struct hl_graph *graph, const struct hl_fact *bus)
{
	const struct hl_fact *asked = vm_part_fact(graph, bus, "vdisk.iothread");

	return effect_of(graph, bus) < 0 && asked &&
	       (asked->type != HL_FACT_BOOLEAN || asked->boolean);
}

static bool is_without(const struct hl_graph *graph, const struct hl_fact *bus)
{
	return (vm_says(bus, "virtio") || vm_says(bus, "scsi")) && effect_of(graph, bus) != 1 &&
	       !is_unclear(graph, bus);
}

static bool is_held_back(const struct hl_graph *graph, const struct hl_trial *trial)
{
	struct vm_part disk;

	return hl_trial_is_bound_here(trial) &&
	       vm_part_of(graph, trial->at->hop, BUS, HL_LAYER_VDISK, &disk) &&
	       is_without(graph, disk.fact);
}

static const char *say_thread(const struct hl_graph *graph, const struct hl_fact *bus)
{
	return effect_of(graph, bus) == 0
		       ? "asks for an I/O thread where it has no effect (a SCSI disk wants a "
			 "controller of its own, virtio-scsi-single)"
		       : "has no I/O thread";
}

/* In the words of the tool that the disk was read from. */
static const char *say_fix(struct hl_graph *graph, const struct hl_fact *bus)
{
	const char *disk = vm_part_name(bus);
	bool is_scsi = vm_says(bus, "scsi");

	switch (vm_tool_of(graph, bus)) {
	case VM_TOOL_PROXMOX:
		return hl_arena_printf(
			graph->arena,
			"qm set %s %s--%s …,iothread=1 (for … what \"qm config %s\" shows behind "
			"%s), then stop and start the VM.",
			vm_id(graph, bus), is_scsi ? "--scsihw virtio-scsi-single " : "", disk,
			vm_id(graph, bus), disk);
	case VM_TOOL_LIBVIRT:
		return hl_arena_printf(
			graph->arena,
			"virsh edit %s: <iothreads>1</iothreads> in <domain>, and iothread='1' in "
			"the <driver> of %s; then stop and start the VM.",
			vm_name(graph, bus), is_scsi ? "its virtio-scsi controller" : disk);
	case VM_TOOL_UNKNOWN:
		break;
	}
	return "Proxmox: scsihw: virtio-scsi-single and iothread=1 at the disk. libvirt: "
	       "<iothreads>N</iothreads>, and iothread='1' at the driver of a virtio disk or of "
	       "its virtio-scsi controller.";
}

static void fill(struct hl_graph *graph, struct hl_finding *finding, const struct hl_fact *bus)
{
	static const char *const keys[] = { "vdisk.iothread", EFFECT, "vdisk.controller" };

	hl_finding_add_evidence(graph, finding, bus);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		hl_finding_add_evidence(graph, finding, vm_part_fact(graph, bus, keys[i]));
	hl_finding_add_evidence(graph, finding, vm_fact(graph, bus, "vm.scsihw"));
	hl_finding_add_evidence(graph, finding, vm_fact(graph, bus, "vm.iothreads"));
	finding->fix = say_fix(graph, bus);
	finding->paste = "# on the hypervisor, while the job runs: the thread of QEMU at 100 %?\n"
			 "top -H -b -n 1 | grep -E 'kvm|qemu|IO '\n";
	finding->next = "The same job with an I/O thread for that disk, after a restart of the VM: "
			"it gets faster, if the main thread is what binds.";
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trial *trial)
{
	struct vm_part disk = { 0 };
	double busy = vm_thread_pct(graph, trial->at, mains);
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);

	vm_part_of(graph, trial->at->hop, BUS, HL_LAYER_VDISK, &disk);
	fill(graph, finding, disk.fact);
	vm_weigh_thread(graph, finding, trial->at, &disk, busy);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_IOPS);
	finding->text = hl_arena_printf(
		graph->arena,
		"The virtual disk %s %s, so QEMU's main thread handles its I/Os%s: %s I/Os a "
		"second at %s.",
		disk.fact->node, say_thread(graph, disk.fact),
		isnan(busy) ? ""
			    : hl_arena_printf(graph->arena, ", and used %.0f %% of a core", busy),
		hl_say_count(trial->iops).text, hl_beside_job(trial->at));
	hl_beside_predict(finding, trial, hl_beside_before(trial));
}

/* What was asked for in vain counts before what was not asked for. */
static int gravity_of(const struct hl_graph *graph, const struct hl_fact *bus)
{
	if (!is_without(graph, bus))
		return 0;
	return effect_of(graph, bus) == 0 ? 2 : 1;
}

static void match_configurations(struct hl_graph *graph, const struct hl_cause *cause)
{
	unsigned nr;
	const struct hl_fact *first = vm_gravest_part(graph, BUS, gravity_of, &nr);
	struct hl_finding *finding;

	if (!first)
		return;
	finding = hl_cause_found(graph, cause, NULL, NULL, HL_DIR_READ);
	fill(graph, finding, first);
	finding->text = hl_arena_printf(
		graph->arena, "The virtual disk %s %s%s; nothing was measured on it.", first->node,
		say_thread(graph, first),
		nr > 1 ? hl_arena_printf(graph->arena, ", and %u more are without one", nr - 1)
		       : "");
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match_each(graph, cause, is_held_back, found);
	if (vm_is_unmeasured(graph))
		match_configurations(graph, cause);
}

static const char *const rivals[] = { "serial-stage", "depth-limited", NULL };

const struct hl_cause hl_cause_iothread_missing = {
	.id = "iothread-missing",
	.summary = "a virtual disk has no I/O thread of its own, or asks for one in vain",
	.layer = HL_LAYER_VDISK,
	.explain = "Without an I/O thread, QEMU's main thread takes the requests of a virtual disk "
		   "from its queue, hands them to the host and signals their end, for all disks of "
		   "the VM, beside timers, the console and the monitor.\n\n"
		   "Recognised by the configuration of a virtio or SCSI disk without iothread, or "
		   "with one that has no effect (Proxmox: iothread=1 without virtio-scsi-single), "
		   "where the hop through that disk is slower than the one before. Confirmed where "
		   "the main thread of QEMU took 95 % of a core; without a measurement it is a "
		   "suspicion.\n\n"
		   "A cap on requests in flight (depth-limited) leaves the thread idle.\n\n"
		   "Decided by the same job with an I/O thread for that disk.\n\n"
		   "What to do: an I/O thread a disk; on Proxmox with virtio-scsi-single.",
	.rivals = rivals,
	.match = match,
};
