/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SR-IOV checks of what the guest shows: is the flow on the VF, and has the VF what it needs there.
 */
#include "sriov.h"
#include <math.h>
#include <string.h>
#include <strings.h>

static void judge_route(const struct sriov_vf *vf, struct hl_check *check)
{
	const char *driver;

	if (!vf->guest_nic || !vf->has_flow) {
		sriov_miss(vf, check, "no flow to a portal is known of a guest that has a VF");
		return;
	}
	sriov_evidence(vf, check, vf->flow);
	check->measured_text = sriov_text(vf->flow);
	check->required_text = vf->guest_nic;
	if (vf->is_in_path)
		return;
	driver = sriov_text(sriov_fact(vf, vf->guest, check->measured_text, "link.driver"));
	sriov_fail(vf, check, "the flow to the portal leaves by %s%s%s%s, not by the VF %s",
		   check->measured_text, driver ? " (" : "", driver ? driver : "",
		   driver ? ")" : "", vf->guest_nic);
}

static void judge_driver(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *driver = sriov_fact(vf, vf->guest, vf->guest_nic, "link.driver");

	if (!vf->guest_nic) {
		sriov_miss(vf, check, "no NIC of a guest is known that is a VF");
		return;
	}
	check->measured_text = sriov_text(driver);
	sriov_evidence(vf, check, driver);
	if (!check->measured_text)
		sriov_fail(vf, check, "no driver is bound to the VF in the guest");
}

static void judge_link(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *is_up = sriov_fact(vf, vf->guest, vf->guest_nic, "link.is_up");

	if (!is_up) {
		sriov_miss(vf, check, "nothing tells whether the VF has a link");
		return;
	}
	check->measured_text = sriov_number(is_up) == 1 ? "up" : "down";
	check->required_text = "up";
	sriov_evidence(vf, check, is_up);
	if (sriov_number(is_up) != 1)
		sriov_fail(vf, check, "the VF has no link: see the PF and the VF's link state");
}

static void judge_mtu(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *own = sriov_fact(vf, vf->guest, vf->guest_nic, "link.mtu");
	const struct hl_fact *of_pf = sriov_fact(vf, vf->host, vf->pf_nic, "link.mtu");
	double least = sriov_number(own), most = least;

	sriov_evidence(vf, check, own);
	sriov_evidence(vf, check, of_pf);
	if (!own || !of_pf) {
		sriov_miss(vf, check, "the MTU of VF and PF are not both known");
		return;
	}
	least = fmin(least, sriov_number(of_pf));
	most = fmax(most, sriov_number(of_pf));
	/* the other end of each flow, as a run asked its route */
	for (size_t i = 0; i < vf->graph->nr_facts; i++) {
		const struct hl_fact *fact = vf->graph->facts[i];

		if (strcmp(fact->key, "route.mtu") != 0 || !fact->node ||
		    !strstr(fact->node, "/target-end"))
			continue;
		sriov_evidence(vf, check, fact);
		least = fmin(least, sriov_number(fact));
		most = fmax(most, sriov_number(fact));
	}
	check->measured = least;
	check->required = most;
	check->unit = "bytes";
	if (least < most)
		sriov_fail(vf, check, "the MTU differs along the path: %.0f and %.0f", least, most);
}

static void judge_mac(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *own = sriov_fact(vf, vf->guest, vf->guest_nic, "link.mac");
	const struct hl_fact *set = sriov_fact(vf, vf->host, vf->node, "vf.mac");

	sriov_evidence(vf, check, own);
	sriov_evidence(vf, check, set);
	if (!sriov_text(own) || !sriov_text(set)) {
		sriov_miss(vf, check,
			   "no VF of a host is known that has the MAC of the guest's NIC");
		return;
	}
	check->measured_text = own->string;
	check->required_text = set->string;
	if (strcasecmp(own->string, set->string) != 0)
		sriov_fail(vf, check, "the guest's MAC is not the one the PF knows");
}

static bool has_upper(const struct sriov_vf *vf, const char *const *kinds)
{
	for (size_t i = 0; i < vf->graph->nr_facts; i++) {
		const struct hl_fact *fact = vf->graph->facts[i];
		const char *kind = sriov_text(sriov_fact(vf, vf->guest, fact->node, "link.kind"));
		const char *at;

		if (strcmp(fact->key, "link.below") != 0 || !sriov_text(fact) || !kind ||
		    !vf->guest || !fact->host || strcmp(fact->host, vf->guest) != 0)
			continue;
		at = strstr(fact->string, vf->guest_nic);
		for (size_t k = 0; at && kinds[k]; k++) {
			if (!strcmp(kind, kinds[k]))
				return true;
		}
	}
	return false;
}

static void judge_trust(const struct sriov_vf *vf, struct hl_check *check)
{
	static const char *const kinds[] = { "bond", "bridge", "macvlan", "ipvlan", "team", NULL };
	const struct hl_fact *trust = sriov_fact(vf, vf->host, vf->node, "vf.trust");
	bool wants = vf->guest_nic && has_upper(vf, kinds);

	sriov_evidence(vf, check, trust);
	if (!trust) {
		sriov_miss(vf, check, "nothing tells whether the VF is trusted");
		return;
	}
	check->measured_text = sriov_number(trust) == 1 ? "on" : "off";
	if (wants && sriov_number(trust) != 1)
		sriov_fail(vf, check,
			   "the guest has a bond, bridge or macvlan on the VF, which needs trust: "
			   "ip link set PF vf N trust on");
}

static void judge_vlan(const struct sriov_vf *vf, struct hl_check *check)
{
	static const char *const kinds[] = { "vlan", NULL };
	const struct hl_fact *vlan = sriov_fact(vf, vf->host, vf->node, "vf.vlan");

	if (!vf->node || !vf->guest_nic) {
		sriov_miss(vf, check, "the VF is not known on both sides");
		return;
	}
	sriov_evidence(vf, check, vlan);
	if (sriov_number(vlan) > 0 && has_upper(vf, kinds))
		sriov_fail(vf, check,
			   "the PF tags the VF with VLAN %.0f and the guest tags too: one of them",
			   sriov_number(vlan));
	else if (sriov_number(vlan) > 0)
		sriov_say(vf, check, "the PF tags it with VLAN %.0f", sriov_number(vlan));
}

static const struct hl_fact *find_vcpus(const struct sriov_vf *vf)
{
	const struct hl_fact *of_vm = sriov_fact(vf, vf->host, vf->vm, "vm.vcpus");

	return of_vm ? of_vm : sriov_fact(vf, vf->guest, "cpu", "cpu.online");
}

static void judge_queues(const struct sriov_vf *vf, struct hl_check *check)
{
	const struct hl_fact *used = sriov_fact(vf, vf->guest, vf->guest_nic,
						"link.channels_combined");
	const struct hl_fact *most = sriov_fact(vf, vf->guest, vf->guest_nic,
						"link.channels_combined_max");
	const struct hl_fact *vcpus = find_vcpus(vf);
	double wanted = isnan(sriov_number(vcpus)) || isnan(sriov_number(most))
				? NAN
				: fmin(sriov_number(most), sriov_number(vcpus));

	sriov_evidence(vf, check, used);
	sriov_evidence(vf, check, most);
	sriov_evidence(vf, check, vcpus);
	if (!used) {
		sriov_miss(vf, check, "nothing tells the queues of the VF");
		return;
	}
	check->measured = sriov_number(used);
	check->required = wanted;
	if (sriov_number(used) < wanted)
		sriov_fail(vf, check,
			   "%.0f of %.0f queues are used by %.0f vCPUs: ethtool -L %s combined "
			   "%.0f",
			   sriov_number(used), sriov_number(most), sriov_number(vcpus),
			   vf->guest_nic, wanted);
	else if (sriov_number(used) == 1 && sriov_number(vcpus) > 1)
		sriov_fail(vf, check, "one queue for %.0f vCPUs", sriov_number(vcpus));
}

static void judge_failover(const struct sriov_vf *vf, struct hl_check *check)
{
	for (size_t i = 0; i < vf->graph->nr_facts; i++) {
		const struct hl_fact *fact = vf->graph->facts[i];
		const char *active = sriov_text(fact);
		const char *driver;

		if (strcmp(fact->key, "link.active_slave") != 0 || !active || !vf->guest ||
		    !fact->host || strcmp(fact->host, vf->guest) != 0)
			continue;
		sriov_evidence(vf, check, fact);
		check->measured_text = active;
		check->required_text = vf->guest_nic;
		driver = sriov_text(sriov_fact(vf, vf->guest, active, "link.driver"));
		if (driver && !strncmp(driver, "virtio", 6))
			sriov_fail(vf, check,
				   "the standby %s carries the traffic of %s, not the VF", active,
				   fact->node);
		return;
	}
	sriov_say(vf, check, "there is no failover or bond in the guest");
}

static void judge_drops(const struct sriov_vf *vf, struct hl_check *check)
{
	static const char *const keys[] = { "link.rx_dropped", "link.tx_dropped",
					    "link.ring_drops", "link.spoof_drops",
					    "link.rx_missed",  NULL };
	bool is_known = false;

	for (size_t i = 0; keys[i]; i++) {
		const struct hl_fact *facts[] = {
			sriov_fact(vf, vf->guest, vf->guest_nic, keys[i]),
			sriov_fact(vf, vf->host, vf->pf_nic, keys[i]),
		};

		for (size_t k = 0; k < 2; k++) {
			if (!facts[k] || isnan(facts[k]->before))
				continue;
			is_known = true;
			if (facts[k]->number <= facts[k]->before)
				continue;
			sriov_evidence(vf, check, facts[k]);
			sriov_fail(vf, check,
				   "%.0f packets were dropped while it was measured (%s)",
				   facts[k]->number - facts[k]->before, keys[i]);
			return;
		}
	}
	if (!is_known)
		sriov_miss(vf, check, "drop counters were not read before and after a load");
}

const struct sriov_check sriov_guest_checks[] = {
	{ "sriov.route", "the flow to the portal leaves by the VF", judge_route },
	{ "sriov.driver", "a driver is bound to the VF", judge_driver },
	{ "sriov.link", "the VF has a link", judge_link },
	{ "sriov.mac", "the MAC is the one the PF knows", judge_mac },
	{ "sriov.vlan", "the VLAN is tagged once", judge_vlan },
	{ "sriov.trust", "trusted, if the guest needs that", judge_trust },
	{ "sriov.mtu", "one MTU at VF, PF and the other end", judge_mtu },
	{ "sriov.queues", "a queue for each vCPU, as far as the VF has them", judge_queues },
	{ "sriov.failover", "the VF is the active one", judge_failover },
	{ "sriov.drops", "no drops while it was measured", judge_drops },
	{ NULL, NULL, NULL },
};
