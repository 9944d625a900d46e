/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SR-IOV checks of what the host shows: the PF, its PCIe link, the definition of the VM, IOMMU and
 * NUMA, and what still works on the old way.
 */
#include "sriov.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BUSY_PCT 30.0 /* of a core, for a vhost thread that should have nothing to do */

static void judge_pf_link(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *is_up = sriov_fact(vf, vf->host, vf->pf_nic, "link.is_up");
	const struct hl_fact *speed = sriov_fact(vf, vf->host, vf->pf_nic, "link.speed_mbps");
	const struct hl_fact *can = sriov_fact(vf, vf->host, vf->pf_nic, "link.supported_mbps");

	sriov_evidence(vf, check, is_up);
	sriov_evidence(vf, check, speed);
	if (!is_up && !speed) {
		sriov_miss(vf, check, "nothing tells the link of the PF");
		return;
	}
	check->measured = sriov_number(speed);
	check->required = sriov_number(can);
	check->unit = "Mbit/s";
	if (sriov_number(is_up) == 0)
		sriov_fail(vf, check, "the PF has no link");
	else if (sriov_number(speed) < sriov_number(can))
		sriov_fail(vf, check, "the PF runs below what it can");
}

static void judge_pf_pcie(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *speed = sriov_fact(vf, vf->host, vf->pf_function, "pcie.speed_gts");
	const struct hl_fact *width = sriov_fact(vf, vf->host, vf->pf_function, "pcie.width");
	const struct hl_fact *can_speed = sriov_fact(vf, vf->host, vf->pf_function,
						     "pcie.cap_speed_gts");
	const struct hl_fact *can_width = sriov_fact(vf, vf->host, vf->pf_function,
						     "pcie.cap_width");

	if (sriov_number(sriov_fact(vf, vf->host, vf->pf_function, "pcie.is_synthetic")) == 1) {
		sriov_miss(vf, check, "the PF's link is emulated: the register says nothing");
		return;
	}
	if (!speed || !width) {
		sriov_miss(vf, check, "nothing tells the PCIe link of the PF");
		return;
	}
	sriov_evidence(vf, check, speed);
	sriov_evidence(vf, check, width);
	check->measured_text = hl_arena_printf(vf->arena, "%g GT/s x%g", sriov_number(speed),
					       sriov_number(width));
	check->required_text = hl_arena_printf(vf->arena, "%g GT/s x%g", sriov_number(can_speed),
					       sriov_number(can_width));
	if (sriov_number(speed) < sriov_number(can_speed) ||
	    sriov_number(width) < sriov_number(can_width))
		sriov_fail(vf, check, "the PF's PCIe link is below what it can, for all its VFs");
}

static void judge_definition(const struct sriov_vf *vf, struct hl_check *check)
{
	bool has_vms = false;

	for (size_t i = 0; i < vf->graph->nr_facts && !has_vms; i++)
		has_vms = !strcmp(vf->graph->facts[i]->key, "vm.vcpus") ||
			  !strncmp(vf->graph->facts[i]->key, "vnic.", 5);
	check->measured_text = vf->vm;
	if (vf->vm)
		return;
	if (!has_vms || !vf->function)
		sriov_miss(vf, check, "no definition of a VM and function of the VF are known");
	else
		sriov_fail(vf, check, "no VM's definition has the function %s", vf->function);
}

static void judge_binding(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *driver = sriov_fact(vf, vf->host, vf->function, "pcie.driver");
	bool is_same_machine = vf->guest && vf->host && !strcmp(vf->guest, vf->host);

	sriov_evidence(vf, check, driver);
	check->measured_text = sriov_text(driver);
	if (!check->measured_text) {
		sriov_miss(vf, check, "nothing tells the driver of the VF on the host");
		return;
	}
	if (is_same_machine) {
		sriov_say(vf, check, "the host itself uses the VF");
		return;
	}
	check->required_text = "vfio-pci";
	if (!strstr(check->measured_text, "vfio"))
		sriov_fail(vf, check, "the VF is bound to the host's %s, not given to the guest",
			   check->measured_text);
}

static void judge_spoofchk(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *spoofchk = sriov_fact(vf, vf->host, vf->node, "vf.spoofchk");
	const struct hl_fact *drops = sriov_fact(vf, vf->host, vf->pf_nic, "link.spoof_drops");

	sriov_evidence(vf, check, spoofchk);
	sriov_evidence(vf, check, drops);
	if (!spoofchk && !drops) {
		sriov_miss(vf, check, "nothing tells the spoof check of the VF");
		return;
	}
	check->measured_text = !spoofchk ? NULL : sriov_number(spoofchk) == 1 ? "on" : "off";
	if (drops && sriov_number(drops) > (isnan(drops->before) ? 0 : drops->before))
		sriov_fail(vf, check,
			   "%.0f packets of VFs were dropped as spoofed: the guest sends with "
			   "another MAC or VLAN",
			   sriov_number(drops) - (isnan(drops->before) ? 0 : drops->before));
}

static void judge_rate(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *rate = sriov_fact(vf, vf->host, vf->node, "vf.max_tx_rate_mbps");

	if (!vf->node) {
		sriov_miss(vf, check, "the VF is not known on the host");
		return;
	}
	sriov_evidence(vf, check, rate);
	check->measured = sriov_number(rate);
	check->unit = "Mbit/s";
	if (sriov_number(rate) > 0)
		sriov_fail(vf, check, "the PF holds the VF back to %.0f Mbit/s",
			   sriov_number(rate));
}

static void judge_link_state(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *state = sriov_fact(vf, vf->host, vf->node, "vf.link_state");

	sriov_evidence(vf, check, state);
	check->measured_text = sriov_text(state);
	if (!check->measured_text)
		sriov_miss(vf, check, "nothing tells the link state of the VF");
	else if (strstr(check->measured_text, "disable"))
		sriov_fail(vf, check, "the PF has the VF's link disabled");
}

/* Another function in its group goes to the guest with it, or keeps it from going. */
static void judge_iommu(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *group = sriov_fact(vf, vf->host, vf->function, "pcie.iommu_group");
	size_t others = 0;

	sriov_evidence(vf, check, group);
	if (!group) {
		sriov_miss(vf, check, "no IOMMU group of the VF is known");
		return;
	}
	check->measured = sriov_number(group);
	for (size_t i = 0; i < vf->graph->nr_facts; i++) {
		const struct hl_fact *fact = vf->graph->facts[i];

		others += fact != group && !strcmp(fact->key, "pcie.iommu_group") && fact->host &&
			  vf->host && !strcmp(fact->host, vf->host) &&
			  sriov_number(fact) == sriov_number(group);
	}
	if (others)
		sriov_fail(vf, check,
			   "%zu other functions are in IOMMU group %.0f of the VF: they go with it",
			   others, sriov_number(group));
}

/* "0-3,8" holds n. */
static bool list_has(const char *list, double n)
{
	while (*list) {
		char *end;
		double first = strtod(list, &end), last = first;

		if (end == list)
			return false;
		if (*end == '-')
			last = strtod(end + 1, &end);
		if (n >= first && n <= last)
			return true;
		list = *end == ',' ? end + 1 : end;
		if (*end && *end != ',')
			return false;
	}
	return false;
}

static void judge_numa(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *node = sriov_fact(vf, vf->host, vf->pf_function, "pcie.numa_node");
	const struct hl_fact *set = sriov_fact(vf, vf->host, vf->vm, "vm.numa_nodeset");
	const struct hl_fact *nr = sriov_fact(vf, vf->host, "cpu", "cpu.numa_nodes");

	if (!node)
		node = sriov_fact(vf, vf->host, vf->pf_nic, "link.numa_node");
	sriov_evidence(vf, check, node);
	sriov_evidence(vf, check, set);
	if (sriov_number(nr) == 1) {
		sriov_say(vf, check, "the host has one NUMA node");
		return;
	}
	if (!node || !sriov_text(set)) {
		sriov_miss(vf, check, "the NUMA nodes of PF and VM are not both known");
		return;
	}
	check->measured_text = set->string;
	check->required = sriov_number(node);
	if (!list_has(set->string, sriov_number(node)))
		sriov_fail(vf, check, "the PF is at NUMA node %.0f, the VM's memory at %s",
			   sriov_number(node), set->string);
}

/* Said of another hop than the one whose flow leaves by the VF. */
static bool is_of_other_hop(const struct sriov_vf *vf, const char *hop)
{
	return vf->is_in_path && hop && !strcmp(vf->flow->key, "route.device") &&
	       strcmp(hop, vf->flow->node) != 0;
}

static void judge_vhost(const struct sriov_vf *vf, struct hl_check *check)
{
	bool is_known = false;

	for (size_t i = 0; i < vf->graph->nr_facts; i++) {
		const struct hl_fact *name = vf->graph->facts[i];
		const struct hl_fact *pct;

		if (strcmp(name->key, "cpu.busiest_thread") != 0 || !sriov_text(name))
			continue;
		is_known = true;
		pct = sriov_fact(vf, name->host, name->node, "cpu.busiest_thread_pct");
		if (strncmp(name->string, "vhost-", 6) != 0 || !(sriov_number(pct) >= BUSY_PCT) ||
		    is_of_other_hop(vf, name->node))
			continue;
		sriov_evidence(vf, check, name);
		sriov_evidence(vf, check, pct);
		sriov_fail(vf, check, "%s still takes %.0f %% of a core: traffic goes the old way",
			   name->string, sriov_number(pct));
		return;
	}
	if (!is_known)
		sriov_miss(vf, check, "no threads were watched under load");
}

/* The other guests' NICs on bridges: one end on a VF, the other still on vhost. */
static void judge_other_end(const struct sriov_vf *vf, struct hl_check *check)
{
	for (size_t i = 0; i < vf->graph->nr_facts; i++) {
		const struct hl_fact *fact = vf->graph->facts[i];
		const struct hl_hop *hop;
		const char *nic, *driver;
		HL_FREE char *far = NULL;

		if (strcmp(fact->key, "route.device") != 0 || !sriov_text(fact) || !fact->node ||
		    !strstr(fact->node, "/target-end"))
			continue;
		far = hl_strndup(fact->node,
				 (size_t)(strstr(fact->node, "/target-end") - fact->node));
		hop = hl_graph_find_hop(vf->graph, far);
		if (!hop || !hop->after || is_of_other_hop(vf, far))
			continue;
		nic = fact->string;
		driver = sriov_text(sriov_fact(vf, hop->after->host, nic, "link.driver"));
		sriov_evidence(vf, check, fact);
		check->measured_text = driver ? driver : nic;
		if (driver && !strncmp(driver, "virtio", 6))
			sriov_fail(
				vf, check,
				"the target's end leaves by %s (%s): half of the path is still on "
				"vhost",
				nic, driver);
		else if (sriov_is_vf_driver(driver))
			sriov_say(vf, check,
				  "both ends are on VFs: on one PF, its PCIe link is the limit and "
				  "not "
				  "the wire");
		return;
	}
	sriov_miss(vf, check, "nothing tells by which NIC the target answers");
}

static void judge_reboot(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *is_kept = sriov_fact(vf, vf->host, vf->pf_nic, "link.vfs_at_boot");

	sriov_evidence(vf, check, is_kept);
	if (!is_kept)
		sriov_miss(vf, check,
			   "nothing tells whether the VFs are made again at boot: look for "
			   "sriov_numvfs in udev, systemd, ifupdown or the NIC's firmware");
	else if (sriov_number(is_kept) == 0)
		sriov_fail(vf, check, "nothing makes the VFs again at boot");
}

/* What a VM gives away for a device that it owns. */
static void judge_migration(const struct sriov_vf *vf, struct hl_check *check)
{
	check->status = HL_CHECK_NOT_ASKED;
	sriov_say(vf, check,
		  "lost with the VF: live migration and snapshots with memory, unless it is paired "
		  "with a standby (net_failover); the host's bridge and its firewall no longer see "
		  "the traffic; the VM's memory is pinned");
}

const struct sriov_check sriov_host_checks[] = {
	{ "sriov.pf-link", "the PF has its link, at its speed", judge_pf_link },
	{ "sriov.pf-pcie", "the PF's PCIe link is whole", judge_pf_pcie },
	{ "sriov.definition", "the VM's definition has the VF", judge_definition },
	{ "sriov.binding", "the VF is given to the guest", judge_binding },
	{ "sriov.link-state", "the PF lets the VF's link be up", judge_link_state },
	{ "sriov.spoofchk", "nothing is dropped as spoofed", judge_spoofchk },
	{ "sriov.rate", "no rate limit on the VF", judge_rate },
	{ "sriov.iommu", "the VF is alone in its IOMMU group", judge_iommu },
	{ "sriov.numa", "PF and VM at one NUMA node", judge_numa },
	{ "sriov.vhost", "no vhost thread is busy for it any more", judge_vhost },
	{ "sriov.other-end", "the target's end is on a VF too", judge_other_end },
	{ "sriov.reboot", "the VFs are made again at boot", judge_reboot },
	{ "sriov.migration", "what the VM loses", judge_migration },
	{ NULL, NULL, NULL },
};
