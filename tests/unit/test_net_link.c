/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NICs in a tree of sysfs that is made by hand after Documentation/ABI: a PF with a VF, a virtio
 * NIC that fails over to that VF, and a bond. The live parts are held against ip and ethtool by
 * tests/cli.
 */
#include "probe_tree.h"

extern const struct hl_probe hl_probe_link;

#define PF     "/sys/devices/pci0000:40/0000:40:01.1/0000:41:00.0"
#define VF     "/sys/devices/pci0000:40/0000:40:01.1/0000:41:02.0"
#define VIRTIO "/sys/devices/pci0000:00/0000:00:12.0"
#define GUEST  "/sys/devices/pci0000:00/0000:00:13.0"
#define IRQ    "/proc/irq/"

static const struct tree_row rows[] = {
	{ "/sys/class/net/bonding_masters", "bond0\n" },
	{ "/sys/class/net/ens1f0",
	  "-> ../../devices/pci0000:40/0000:40:01.1/0000:41:00.0/net/ens1f0" },
	{ PF "/net/ens1f0/mtu", "9000\n" },
	{ PF "/net/ens1f0/speed", "25000\n" },
	{ PF "/driver", "-> ../../../../bus/pci/drivers/ice" },
	{ PF "/numa_node", "1\n" },
	{ PF "/sriov_numvfs", "1\n" },
	{ PF "/sriov_totalvfs", "64\n" },
	{ PF "/virtfn0", "-> ../0000:41:02.0" },
	{ PF "/msi_irqs/120", "msix\n" },
	{ PF "/msi_irqs/121", "msix\n" },
	{ PF "/msi_irqs/122", "msix\n" },
	{ IRQ "120/effective_affinity_list", "3\n" },
	{ IRQ "120/smp_affinity_list", "0-31\n" },
	{ IRQ "121/smp_affinity_list", "4-5,8\n" },
	{ "/sys/class/net/ens1f0v0",
	  "-> ../../devices/pci0000:40/0000:40:01.1/0000:41:02.0/net/ens1f0v0" },
	{ VF "/net/ens1f0v0/speed", "-1\n" },
	{ VF "/driver", "-> ../../../../bus/pci/drivers/iavf" },
	{ VF "/numa_node", "-1\n" },
	{ VF "/physfn", "-> ../0000:41:00.0" },
	{ "/sys/class/net/eth0", "-> ../../devices/pci0000:00/0000:00:12.0/virtio3/net/eth0" },
	{ VIRTIO "/virtio3/net/eth0/device", "-> ../../../virtio3" },
	{ VIRTIO "/virtio3/net/eth0/lower_eth0nsby", "-> ../eth0nsby" },
	{ VIRTIO "/virtio3/net/eth0/lower_ens19", "-> ../../../../0000:00:13.0/net/ens19" },
	{ VIRTIO "/driver", "-> ../../../bus/pci/drivers/virtio-pci" },
	{ "/sys/class/net/eth0nsby",
	  "-> ../../devices/pci0000:00/0000:00:12.0/virtio3/net/eth0nsby" },
	{ VIRTIO "/virtio3/net/eth0nsby/device", "-> ../../../virtio3" },
	{ "/sys/class/net/ens19", "-> ../../devices/pci0000:00/0000:00:13.0/net/ens19" },
	{ GUEST "/net/ens19/device", "-> ../../../0000:00:13.0" },
	{ GUEST "/net/ens19/carrier", "1\n" },
	{ GUEST "/driver", "-> ../../../bus/pci/drivers/iavf" },
	{ "/sys/class/net/bond0", "-> ../../devices/virtual/net/bond0" },
	{ "/sys/devices/virtual/net/bond0/bonding/mode", "active-backup 1\n" },
	{ "/sys/devices/virtual/net/bond0/bonding/slaves", "ens1f0 ens1f1\n" },
	{ "/sys/devices/virtual/net/bond0/bonding/active_slave", "ens1f1\n" },
	{ "/sys/class/net/dom1", "-> ../../devices/pci10000:00/10000:e1:00.0/net/dom1" },
	{ "/sys/devices/pci10000:00/10000:e1:00.0/net/dom1/mtu", "1500\n" },
};

static struct hl_graph *decoded(void)
{
	static bool is_made;

	if (!is_made)
		tree_make("host", rows, NR_ROWS(rows));
	is_made = true;
	return tree_decode(&hl_probe_link, "host");
}

static void a_pf_has_driver_node_and_vfs(void **state)
{
	HL_GRAPH struct hl_graph *graph = decoded();

	(void)state;
	assert_string_equal("0000:41:00.0", tree_text(graph, "ens1f0", "link.pci_address"));
	assert_string_equal("ice", tree_text(graph, "ens1f0", "link.driver"));
	assert_true(tree_number(graph, "ens1f0", "link.speed_mbps") == 25000);
	assert_true(tree_number(graph, "ens1f0", "link.mtu") == 9000);
	assert_true(tree_number(graph, "ens1f0", "link.numa_node") == 1);
	assert_true(tree_number(graph, "ens1f0", "link.nr_vfs") == 1);
	assert_true(tree_number(graph, "ens1f0", "link.nr_vfs_max") == 64);
	assert_string_equal("0000:41:02.0", tree_text(graph, "ens1f0/vf0", "vf.pci_address"));
}

static void a_vf_names_its_pf_and_unknown_is_no_fact(void **state)
{
	HL_GRAPH struct hl_graph *graph = decoded();

	(void)state;
	assert_string_equal("ens1f0", tree_text(graph, "ens1f0v0", "link.pf"));
	assert_string_equal("iavf", tree_text(graph, "ens1f0v0", "link.driver"));
	assert_null(hl_graph_find_fact(graph, "ens1f0v0", "link.numa_node"));
	assert_null(hl_graph_find_fact(graph, "ens1f0v0", "link.speed_mbps"));
	assert_null(hl_graph_find_fact(graph, "ens1f0", "link.pf"));
	assert_null(hl_graph_find_fact(graph, "bonding_masters", "link.mtu"));
}

static void interrupts_are_where_they_are_really_served(void **state)
{
	HL_GRAPH struct hl_graph *graph = decoded();

	(void)state;
	assert_true(tree_number(graph, "ens1f0", "link.irqs") == 3);
	assert_string_equal("3-5,8", tree_text(graph, "ens1f0", "link.irq_cpus"));
}

static void a_failover_pair_is_known_by_its_device(void **state)
{
	HL_GRAPH struct hl_graph *graph = decoded();

	(void)state;
	assert_string_equal("net_failover", tree_text(graph, "eth0", "link.kind"));
	assert_string_equal("eth0nsby", tree_text(graph, "eth0", "link.standby"));
	assert_string_equal("ens19", tree_text(graph, "eth0", "link.primary"));
	assert_string_equal("ens19", tree_text(graph, "eth0", "link.active_slave"));
	assert_string_equal("0000:00:12.0", tree_text(graph, "eth0", "link.pci_address"));
	assert_null(hl_graph_find_fact(graph, "eth0", "link.driver"));
	assert_null(hl_graph_find_fact(graph, "eth0nsby", "link.kind"));
}

static void without_a_carrier_the_standby_is_active(void **state)
{
	HL_GRAPH struct hl_graph *graph = NULL;
	const struct tree_row down[] = {
		{ "/sys/class/net/eth0",
		  "-> ../../devices/pci0000:00/0000:00:12.0/virtio3/net/eth0" },
		{ VIRTIO "/virtio3/net/eth0/device", "-> ../../../virtio3" },
		{ VIRTIO "/virtio3/net/eth0/lower_eth0nsby", "-> ../eth0nsby" },
		{ VIRTIO "/virtio3/net/eth0/lower_ens19", "-> ../ens19" },
		{ "/sys/class/net/eth0nsby",
		  "-> ../../devices/pci0000:00/0000:00:12.0/virtio3/net/eth0nsby" },
		{ VIRTIO "/virtio3/net/eth0nsby/device", "-> ../../../virtio3" },
		{ "/sys/class/net/ens19/carrier", "0\n" },
	};

	(void)state;
	tree_make("down", down, NR_ROWS(down));
	graph = tree_decode(&hl_probe_link, "down");
	assert_string_equal("eth0nsby", tree_text(graph, "eth0", "link.active_slave"));
}

static void a_bond_names_its_mode_and_slaves(void **state)
{
	HL_GRAPH struct hl_graph *graph = decoded();

	(void)state;
	assert_string_equal("active-backup", tree_text(graph, "bond0", "link.mode"));
	assert_string_equal("ens1f0 ens1f1", tree_text(graph, "bond0", "link.below"));
	assert_string_equal("ens1f1", tree_text(graph, "bond0", "link.active_slave"));
	assert_null(hl_graph_find_fact(graph, "bond0", "link.pci_address"));
}

static void a_long_pci_domain_is_an_address_too(void **state)
{
	HL_GRAPH struct hl_graph *graph = decoded();

	(void)state;
	assert_string_equal("10000:e1:00.0", tree_text(graph, "dom1", "link.pci_address"));
}

static void what_ethtool_said_is_not_said_again(void **state)
{
	struct hl_machine *machine;
	HL_GRAPH struct hl_graph *graph = decoded(), *again = hl_graph_new();
	const struct hl_origin origin = { .host = "nas", .node = "ens1f0" };

	(void)state;
	hl_graph_add_number(again, &origin, "link.mtu", 1500);
	machine = hl_machine_open("host", NULL);
	assert_int_equal(0, hl_probe_link.decode(machine, &origin, again, NULL));
	hl_machine_close(machine);
	assert_int_equal(graph->nr_facts, again->nr_facts);
	assert_true(tree_number(again, "ens1f0", "link.mtu") == 1500);
}

static void what_is_recorded_decodes_alike(void **state)
{
	HL_GRAPH struct hl_graph *live = decoded();
	HL_GRAPH struct hl_graph *replayed = tree_record(&hl_probe_link, "host", "bundle");

	(void)state;
	assert_true(live->nr_facts > 20);
	assert_same_facts(live, replayed);
}

static void a_machine_without_a_network_has_no_facts(void **state)
{
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	tree_make("bare", NULL, 0);
	graph = tree_decode(&hl_probe_link, "bare");
	assert_int_equal(0, graph->nr_facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pf_has_driver_node_and_vfs),
		cmocka_unit_test(a_vf_names_its_pf_and_unknown_is_no_fact),
		cmocka_unit_test(interrupts_are_where_they_are_really_served),
		cmocka_unit_test(a_failover_pair_is_known_by_its_device),
		cmocka_unit_test(without_a_carrier_the_standby_is_active),
		cmocka_unit_test(a_bond_names_its_mode_and_slaves),
		cmocka_unit_test(a_long_pci_domain_is_an_address_too),
		cmocka_unit_test(what_ethtool_said_is_not_said_again),
		cmocka_unit_test(what_is_recorded_decodes_alike),
		cmocka_unit_test(a_machine_without_a_network_has_no_facts),
	};

	return cmocka_run_group_tests(tests, tree_setup, tree_remove);
}
