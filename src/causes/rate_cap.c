/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rate-capped: a throttle that somebody set.
 *
 * Source: percentiles of the latency and the rate. Surprising: a device has fast and slow I/Os; a
 * throttle makes all of them wait for their turn alike, so that the first percentile is the 99th.
 */
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/say.h"
#include "vm_said.h"
#include <math.h>
#include <string.h>

#define PLAIN "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._+-"

static bool is_capped(const struct hl_graph *graph, const struct hl_trial *trial)
{
	bool is_iops;

	return !isnan(hl_trial_rate_cap(trial, &is_iops)) && !hl_trial_is_bound_below(trial) &&
	       !hl_trial_is_generator_busy(trial) && !hl_trial_is_at_sheet(graph, trial);
}

static const char *say_cap(struct hl_graph *graph, const struct hl_trial *trial)
{
	bool is_iops;
	double cap = hl_trial_rate_cap(trial, &is_iops);

	if (is_iops)
		return hl_arena_printf(graph->arena, "%.1f I/Os a second, as a limit of %.0f gives",
				       trial->all_iops, cap);
	return hl_arena_printf(graph->arena, "%s, as a limit of %s (%.0f MB/s) gives",
			       hl_say_rate(trial->bw).text, hl_say_rate(cap).text, cap / 1e6);
}

static const char *say_alike(struct hl_graph *graph, const struct hl_trial *trial)
{
	const struct hl_latency *latency = hl_trial_latency(trial);

	if (isnan(latency->p1))
		return hl_arena_printf(graph->arena, "%s on average, with a deviation of %s",
				       hl_say_time(latency->mean).text,
				       hl_say_time(latency->stddev).text);
	return hl_arena_printf(graph->arena, "1st percentile %s, 99th %s",
			       hl_say_time(latency->p1).text, hl_say_time(latency->p99).text);
}

/* The words of each kind of hypervisor; both where it is not known which. */
static const char *say_limits(enum vm_tool tool)
{
	switch (tool) {
	case VM_TOOL_PROXMOX:
		return "iops and mbps of the virtual disk (qm config, qm set)";
	case VM_TOOL_LIBVIRT:
		return "<iotune> of the virtual disk (virsh blkdeviotune)";
	case VM_TOOL_UNKNOWN:
		break;
	}
	return "iops and mbps (Proxmox) or <iotune> (libvirt) of the virtual disk";
}

/* A name may be anybody's: what would be more than a word in a shell is left to be filled in. */
static const char *shell_word(const char *name, const char *otherwise)
{
	bool is_plain = *name && *name != '-' && !name[strspn(name, PLAIN)];

	return is_plain ? name : otherwise;
}

static const char *say_commands(struct hl_graph *graph, enum vm_tool tool,
				const struct hl_fact *disk)
{
	const char *qm = hl_arena_printf(graph->arena, "qm config %s | grep -E 'iops|mbps'\n",
					 disk ? vm_id(graph, disk) : "VMID");
	const char *virsh = hl_arena_printf(graph->arena, "virsh blkdeviotune %s %s\n",
					    disk ? shell_word(vm_name(graph, disk), "DOMAIN")
						 : "DOMAIN",
					    disk ? shell_word(vm_part_name(disk), "DISK") : "DISK");

	return hl_arena_printf(graph->arena, "%s%s", tool == VM_TOOL_LIBVIRT ? "" : qm,
			       tool == VM_TOOL_PROXMOX ? "" : virsh);
}

static void say_fix(struct hl_graph *graph, struct hl_finding *finding, const struct hl_hop *hop)
{
	struct vm_part part;
	bool is_known = vm_part_of(graph, hop, "vdisk.bus", HL_LAYER_VDISK, &part);
	enum vm_tool tool = is_known ? vm_tool_of(graph, part.fact) : VM_TOOL_UNKNOWN;
	const struct hl_fact *disk = tool == VM_TOOL_UNKNOWN ? NULL : part.fact;

	if (!disk)
		tool = vm_tool_below(graph, hop);
	finding->fix = hl_arena_printf(
		graph->arena,
		"Ask who runs the storage for the limit, or raise it: %s, io.max of the cgroup, "
		"the class of the cloud volume.",
		say_limits(tool));
	finding->paste = hl_arena_printf(
		graph->arena,
		"# where the job runs, as root\n"
		"cat /sys/fs/cgroup/io.max /sys/fs/cgroup/*/io.max 2>/dev/null\n"
		"grep . /sys/fs/cgroup/blkio/blkio.throttle.*_device 2>/dev/null\n"
		"# on %s%s\n%s",
		tool == VM_TOOL_UNKNOWN ? "a hypervisor of yours" : "the hypervisor",
		disk ? "" : " (which VM and disk: to fill in)", say_commands(graph, tool, disk));
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *matches)
{
	static const enum hl_figure figures[] = { HL_FIGURE_IOPS, HL_FIGURE_P1, HL_FIGURE_P50,
						  HL_FIGURE_P99 };
	const struct hl_trial *first = &matches->items[0];
	struct hl_finding *finding = hl_trial_found(graph, cause, first);

	hl_evidence_add_all(graph, finding, matches, figures, 4);
	if (hl_trial_is_bound_here(first))
		finding->layer = first->at->hop->layer;
	finding->text = hl_arena_printf(
		graph->arena,
		"A round rate, and all I/Os wait alike: %s; %s. A device has fast and slow ones; a "
		"throttle has not (%s%s).",
		say_cap(graph, first), say_alike(graph, first),
		first->at->workload.name ? first->at->workload.name : "one job",
		hl_trials_say_others(graph, matches));
	say_fix(graph, finding, first->at->hop);
	finding->next =
		"The same job at half and at twice the depth, and at twice the block size: "
		"behind a limit on I/Os the IOPS stay, and the latency goes with the depth.";
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match(graph, cause, is_capped, found);
}

static const char *const rivals[] = { "serial-stage", NULL };

const struct hl_cause hl_cause_rate_capped = {
	.id = "rate-capped",
	.summary = "a throttle on I/Os or bytes a second",
	.explain =
		"Somebody set a limit: the provider of a virtual server, the hypervisor's virtual "
		"disk, a cgroup, a storage class. I/Os are held back until their turn comes.\n\n"
		"Recognised by latencies that are all alike (the 99th percentile at most 1.2 times "
		"the first) at 100 us or more, together with a rate that a person would write "
		"down: "
		"1,000, 3,000 or 16,000 I/Os, 100 MB/s or 125 MiB/s, within 0.5 %.\n\n"
		"A serial stage with a constant service time looks the same if its rate happens to "
		"be "
		"round.\n\n"
		"Decided by other depths and block sizes: a limit on I/Os keeps the IOPS at any of "
		"them, one on bytes the bandwidth.\n\n"
		"What to do: find the limit and raise it, or live with it.",
	.rivals = rivals,
	.match = match,
};
