/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A migration as both sides show it, by facts written by hand after what their probes make, for
 * there is no such hardware here; and the same with one thing wrong.
 */
#include "hoploss/comparison.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NR(array) (sizeof(array) / sizeof(*(array)))
#define COUNTER   (-1.0) /* before: 0 */

struct given {
	const char *host, *node, *key, *text;
	double number;
};

/* Guest "worker" is VM worker1 on pve; VF 3 of enp1s0f0 is its eth1, which the session uses. */
static const struct given right[] = {
	{ "worker", "eth0", "link.driver", "virtio_net", NAN },
	{ "worker", "eth0", "link.mac", "52:54:00:00:00:01", NAN },
	{ "worker", "eth1", "link.driver", "iavf", NAN },
	{ "worker", "eth1", "link.mac", "02:00:00:00:00:03", NAN },
	{ "worker", "eth1", "link.is_up", NULL, 1 },
	{ "worker", "eth1", "link.mtu", NULL, 9000 },
	{ "worker", "eth1", "link.channels_combined", NULL, 4 },
	{ "worker", "eth1", "link.channels_combined_max", NULL, 16 },
	{ "worker", "eth1", "link.rx_dropped", NULL, COUNTER },
	{ "worker", "iqn.a@10.0.0.2:3260", "iscsi.nic", "eth1", NAN },
	{ "pve", "vf-hop", "cpu.busiest_thread", "kworker/0:1", NAN },
	{ "pve", "vf-hop", "cpu.busiest_thread_pct", NULL, 20 },
	{ "pve", "enp1s0f0", "link.pci_address", "0000:01:00.0", NAN },
	{ "pve", "enp1s0f0", "link.is_up", NULL, 1 },
	{ "pve", "enp1s0f0", "link.speed_mbps", NULL, 25000 },
	{ "pve", "enp1s0f0", "link.supported_mbps", NULL, 25000 },
	{ "pve", "enp1s0f0", "link.mtu", NULL, 9000 },
	{ "pve", "enp1s0f0", "link.spoof_drops", NULL, 0 },
	{ "pve", "enp1s0f0", "link.vfs_at_boot", NULL, 1 },
	{ "pve", "enp1s0f0/vf3", "vf.mac", "02:00:00:00:00:03", NAN },
	{ "pve", "enp1s0f0/vf3", "vf.trust", NULL, 0 },
	{ "pve", "enp1s0f0/vf3", "vf.spoofchk", NULL, 1 },
	{ "pve", "enp1s0f0/vf3", "vf.link_state", "auto", NAN },
	{ "pve", "enp1s0f0/vf3", "vf.pci_address", "0000:01:02.3", NAN },
	{ "pve", "enp1s0f0/vf3", "vf.max_tx_rate_mbps", NULL, 0 },
	{ "pve", "enp1s0f0/vf3", "vf.vlan", NULL, 0 },
	{ "pve", "0000:01:00.0", "pcie.speed_gts", NULL, 16 },
	{ "pve", "0000:01:00.0", "pcie.cap_speed_gts", NULL, 16 },
	{ "pve", "0000:01:00.0", "pcie.width", NULL, 8 },
	{ "pve", "0000:01:00.0", "pcie.cap_width", NULL, 8 },
	{ "pve", "0000:01:00.0", "pcie.numa_node", NULL, 0 },
	{ "pve", "0000:01:02.3", "pcie.driver", "vfio-pci", NAN },
	{ "pve", "0000:01:02.3", "pcie.iommu_group", NULL, 42 },
	{ "pve", "0000:02:00.0", "pcie.iommu_group", NULL, 43 },
	{ "pve", "worker1/hostpci0", "passthrough.address", "01:02.3", NAN },
	{ "pve", "worker1", "vm.vcpus", NULL, 4 },
	{ "pve", "worker1", "vm.numa_nodeset", "0", NAN },
};

static bool is_same_place(const struct given *a, const struct given *b)
{
	return !strcmp(a->host, b->host) && !strcmp(a->node, b->node) && !strcmp(a->key, b->key);
}

static void add(struct hl_graph *graph, const struct given *given)
{
	const struct hl_origin origin = { given->host, given->node, "test" };
	bool is_counter = given->number == COUNTER || given->number > 1e6;
	struct hl_fact *fact;

	hl_graph_add_string(graph, &origin, given->key, given->text);
	fact = hl_graph_add_number(graph, &origin, given->key,
				   given->number == COUNTER ? 0 : given->number);
	if (fact && is_counter)
		fact->before = 0;
}

/* The right one with so many facts changed, or added where there is no such place. */
static struct hl_graph *graph_with(const struct given *changes, size_t nr)
{
	struct hl_graph *graph = hl_graph_new();

	for (size_t i = 0; i < NR(right); i++) {
		bool is_changed = false;

		for (size_t k = 0; k < nr; k++)
			is_changed |= is_same_place(&right[i], &changes[k]);
		if (!is_changed)
			add(graph, &right[i]);
	}
	for (size_t k = 0; k < nr; k++)
		add(graph, &changes[k]);
	return graph;
}

static struct hl_comparison *compare(const struct hl_graph *graph)
{
	static struct hl_compared state;
	struct hl_comparison *comparison;
	struct hl_error err;

	state = (struct hl_compared){ "after", graph, NULL };
	if (hl_comparison_make(&state, 1, NULL, 0, &comparison, &err) < 0)
		fail_msg("%s", err.text);
	return comparison;
}

static const struct hl_check *find(const struct hl_comparison *comparison, const char *id)
{
	for (size_t i = 0; i < comparison->nr_checks; i++) {
		if (!strcmp(comparison->checks[i].id, id))
			return &comparison->checks[i];
	}
	fail_msg("there is no check %s", id);
	return NULL;
}

static size_t nr_failed(const struct hl_comparison *comparison)
{
	size_t nr = 0;

	for (size_t i = 0; i < comparison->nr_checks; i++)
		nr += comparison->checks[i].status == HL_CHECK_FAIL;
	return nr;
}

static void a_right_one_passes_all_that_can_be_told(void **state)
{
	HL_GRAPH struct hl_graph *graph = graph_with(NULL, 0);
	HL_COMPARISON struct hl_comparison *comparison = compare(graph);

	(void)state;
	for (size_t i = 0; i < comparison->nr_checks; i++) {
		const struct hl_check *check = &comparison->checks[i];

		if (check->status != HL_CHECK_FAIL)
			continue;
		fail_msg("%s: %s", check->id, check->reason);
	}
	assert_int_equal(HL_CHECK_PASS, find(comparison, "sriov.route")->status);
	assert_int_equal(HL_CHECK_PASS, find(comparison, "sriov.definition")->status);
	assert_int_equal(HL_CHECK_PASS, find(comparison, "sriov.binding")->status);
	assert_int_equal(HL_CHECK_NOT_MEASURED, find(comparison, "sriov.other-end")->status);
}

static void each_wrong_one_is_caught_by_its_own_check(void **state)
{
	static const struct {
		struct given changes[2];
		size_t nr;
		const char *id;
	} wrong[] = {
		{ { { "worker", "iqn.a@10.0.0.2:3260", "iscsi.nic", "eth0", NAN } },
		  1,
		  "sriov.route" },
		{ { { "worker", "eth1", "link.is_up", NULL, 0 } }, 1, "sriov.link" },
		{ { { "worker", "eth1", "link.mtu", NULL, 1500 } }, 1, "sriov.mtu" },
		{ { { "worker", "eth1", "link.channels_combined", NULL, 1 } }, 1, "sriov.queues" },
		{ { { "worker", "eth1", "link.rx_dropped", NULL, 2e6 } }, 1, "sriov.drops" },
		{ { { "worker", "bond0", "link.below", "eth0 eth1", NAN },
		    { "worker", "bond0", "link.kind", "bond", NAN } },
		  2,
		  "sriov.trust" },
		{ { { "worker", "bond0", "link.active_slave", "eth0", NAN } },
		  1,
		  "sriov.failover" },
		{ { { "pve", "vf-hop", "cpu.busiest_thread", "vhost-4711", NAN },
		    { "pve", "vf-hop", "cpu.busiest_thread_pct", NULL, 97 } },
		  2,
		  "sriov.vhost" },
		{ { { "pve", "enp1s0f0", "link.speed_mbps", NULL, 10000 } }, 1, "sriov.pf-link" },
		{ { { "pve", "0000:01:00.0", "pcie.width", NULL, 4 } }, 1, "sriov.pf-pcie" },
		{ { { "pve", "enp1s0f0/vf3", "vf.max_tx_rate_mbps", NULL, 1000 } },
		  1,
		  "sriov.rate" },
		{ { { "pve", "enp1s0f0/vf3", "vf.link_state", "disable", NAN } },
		  1,
		  "sriov.link-state" },
		{ { { "pve", "enp1s0f0", "link.spoof_drops", NULL, 2e6 } }, 1, "sriov.spoofchk" },
		{ { { "pve", "0000:01:02.3", "pcie.driver", "iavf", NAN } }, 1, "sriov.binding" },
		{ { { "pve", "0000:02:00.0", "pcie.iommu_group", NULL, 42 } }, 1, "sriov.iommu" },
		{ { { "pve", "worker1", "vm.numa_nodeset", "1-3", NAN } }, 1, "sriov.numa" },
		{ { { "pve", "worker1/hostpci0", "passthrough.address", "01:02.4", NAN } },
		  1,
		  "sriov.definition" },
		{ { { "pve", "enp1s0f0", "link.vfs_at_boot", NULL, 0 } }, 1, "sriov.reboot" },
		{ { { "pve", "enp1s0f0/vf3", "vf.vlan", NULL, 100 },
		    { "worker", "eth1.5", "link.below", "eth1", NAN } },
		  2,
		  NULL /* tagged once */ },
	};

	(void)state;
	for (size_t i = 0; i < NR(wrong); i++) {
		HL_GRAPH struct hl_graph *graph = graph_with(wrong[i].changes, wrong[i].nr);
		HL_COMPARISON struct hl_comparison *comparison = compare(graph);

		if (!wrong[i].id) {
			assert_int_equal(0, nr_failed(comparison));
			continue;
		}
		if (find(comparison, wrong[i].id)->status != HL_CHECK_FAIL)
			fail_msg("%s was not caught", wrong[i].id);
		/* one cause may be seen twice: spoofed packets are drops, too */
		if (nr_failed(comparison) > 1 + !strcmp(wrong[i].id, "sriov.spoofchk"))
			fail_msg("%s: %zu checks fail", wrong[i].id, nr_failed(comparison));
	}
}

static void where_no_vf_is_there_are_no_checks(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_COMPARISON struct hl_comparison *comparison = NULL;

	(void)state;
	add(graph, &right[0]);
	comparison = compare(graph);
	assert_int_equal(0, comparison->nr_checks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_right_one_passes_all_that_can_be_told),
		cmocka_unit_test(each_wrong_one_is_caught_by_its_own_check),
		cmocka_unit_test(where_no_vf_is_there_are_no_checks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
