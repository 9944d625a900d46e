/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Causes that lie in a hypervisor: each confirmed by evidence, only suspected without it, and
 * silent on a look-alike that is healthy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "beside_maker.h"
#include "hoploss/place.h"

#define NONE (-1)

/* Facts of a host, and what stands at one node of it. */
static void say(struct beside *made, const char *host, const char *node, const char *key,
		const char *text)
{
	const struct hl_origin origin = { .host = host, .node = node, .source = "made" };

	hl_graph_add_string(made->graph, &origin, key, text);
}

static void count(struct beside *made, const char *host, const char *node, const char *key,
		  double number)
{
	const struct hl_origin origin = { .host = host, .node = node, .source = "made" };

	hl_graph_add_number(made->graph, &origin, key, number);
}

static void yes(struct beside *made, const char *host, const char *node, const char *key, bool is)
{
	const struct hl_origin origin = { .host = host, .node = node, .source = "made" };

	hl_graph_add_boolean(made->graph, &origin, key, is);
}

/* The second hop is on the guest "worker" of "pve". */
static struct beside make_guest(enum hl_layer layer, double before, double bw)
{
	struct beside made = make_beside(layer, before, bw);
	struct hl_host *pve = hl_graph_add_host(made.graph, "pve");
	struct hl_host *worker = hl_graph_add_host(made.graph, "worker");

	(void)pve;
	worker->on = "pve";
	worker->vm = "worker";
	made.hop->host = "worker";
	return made;
}

/* Its flow leaves by eth0, which is net0 of the VM. */
static void add_nic(struct beside *made, const char *model, double queues, double vcpus)
{
	add_text(made, "virtio", "route.device", "eth0");
	say(made, "worker", "eth0", "link.mac", "02:00:00:00:00:01");
	say(made, "pve", "worker/net0", "vnic.mac", "02:00:00:00:00:01");
	say(made, "pve", "worker/net0", "vnic.model", model);
	if (queues > 0)
		count(made, "pve", "worker/net0", "vnic.queues", queues);
	count(made, "pve", "worker", "vm.vcpus", vcpus);
}

static void add_thread(struct beside *made, const char *name, double pct)
{
	add_text(made, "virtio/seq", "cpu.busiest_thread", name);
	add_number(made, "virtio/seq", "cpu.busiest_thread_pct", pct);
}

static int state_of(const struct hl_finding *finding)
{
	return finding ? (int)finding->state : NONE;
}

/* ---- virtio-single-queue ---- */

static void one_queue_of_a_nic_is_told_by_its_thread(void **state)
{
	static const struct {
		const char *model, *thread;
		double queues, vcpus, pct, before;
		int state;
	} cases[] = {
		{ "virtio", "vhost-4711", 0, 8, 99, 900, HL_CONFIRMED },
		{ "virtio", "vhost-4711", 1, 8, 96, 900, HL_CONFIRMED },
		{ "virtio", "vhost-4711", 0, 8, 60, 900, HL_SUSPECTED },
		{ "virtio", "tgtd", 0, 8, 99, 900, HL_SUSPECTED },
		{ "virtio", "vhost-4711", 4, 8, 99, 900, NONE },
		{ "virtio", "vhost-4711", 0, 1, 99, 900, NONE },
		{ "e1000", "vhost-4711", 0, 8, 99, 900, NONE },
		{ "virtio", "vhost-4711", 0, 8, 99, 102, NONE }, /* it loses nothing */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_guest(HL_LAYER_VNIC, cases[i].before, 100);
		const struct hl_finding *found;

		add_nic(&made, cases[i].model, cases[i].queues, cases[i].vcpus);
		add_thread(&made, cases[i].thread, cases[i].pct);
		found = match_one(made.graph, "virtio-single-queue");
		assert_int_equal(cases[i].state, state_of(found));
		if (!found)
			continue;
		assert_int_equal(HL_LAYER_VNIC, found->layer);
		assert_true(has_text(found->text, "worker/net0 has one queue for 8 vCPUs"));
		assert_non_null(evidence_of(found, "vm.vcpus"));
		assert_true(found->predicted_bw == 900 * HL_MIB);
	}
}

static void a_nic_that_nobody_says_is_on_the_path_is_only_suspected(void **state)
{
	BESIDE struct beside made = make_beside(HL_LAYER_VNIC, 900, 100);

	(void)state;
	say(&made, NULL, "a/net0", "vnic.model", "virtio");
	count(&made, NULL, "a", "vm.vcpus", 4);
	add_thread(&made, "vhost-1", 99);
	assert_int_equal(HL_SUSPECTED, state_of(match_one(made.graph, "virtio-single-queue")));
	say(&made, NULL, "b/net0", "vnic.model", "virtio"); /* which of the two? */
	made.graph->nr_findings = 0;
	assert_null(match_one(made.graph, "virtio-single-queue"));
}

static void configurations_alone_are_a_suspicion_without_a_hop(void **state)
{
	BESIDE struct beside made = { .graph = hl_graph_new() };
	const struct hl_finding *found;

	(void)state;
	say(&made, NULL, "a/net0", "vnic.model", "virtio");
	say(&made, NULL, "a/net1", "vnic.model", "virtio");
	say(&made, NULL, "a/net2", "vnic.model", "e1000");
	count(&made, NULL, "a", "vm.vcpus", 4);
	found = match_one(made.graph, "virtio-single-queue");
	assert_int_equal(HL_SUSPECTED, state_of(found));
	assert_null(found->hop);
	assert_true(has_text(found->text, "and 1 more are alike"));
}

static void a_busy_vhost_thread_is_told_with_its_vm_and_queues(void **state)
{
	BESIDE struct beside made = make_guest(HL_LAYER_VNIC, 900, 100);
	const struct hl_finding *found;

	(void)state;
	add_nic(&made, "virtio", 4, 8);
	add_thread(&made, "vhost-4711", 99);
	count(&made, "pve", "worker", "vm.pid", 4711);
	count(&made, "pve", "other", "vm.pid", 4712);
	say(&made, "pve", "cpu", "cpu.governor", "performance");
	found = match_one(made.graph, "vhost-thread-saturated");
	assert_int_equal(HL_CONFIRMED, state_of(found));
	assert_true(has_text(found->text, "It is of the VM worker."));
	assert_true(has_text(found->fix, "The NIC has 4 queues"));
	assert_non_null(evidence_of(found, "vnic.queues"));
	assert_non_null(evidence_of(found, "cpu.governor"));
}

/* ---- iothread-missing ---- */

static void add_disk(struct beside *made, const char *bus)
{
	made->hop->target = "/dev/vda";
	hl_hop_add_target(made->graph, made->hop, "/dev/vda");
	count(made, "worker", "vda", "block.size", 1e9);
	say(made, "pve", "worker/vda", "vdisk.bus", bus);
}

static void a_disk_without_a_thread_is_told_by_the_main_thread(void **state)
{
	static const struct {
		const char *bus, *thread;
		double pct, before;
		int effect; /* -1 = none asked for */
		int state;
	} cases[] = {
		{ "virtio", "kvm", 99, 900, -1, HL_CONFIRMED },
		{ "scsi", "qemu-system-x86", 97, 900, 0, HL_CONFIRMED },
		{ "virtio", "kvm", 50, 900, -1, HL_SUSPECTED },
		{ "virtio", "IO iothread1", 99, 900, -1, HL_SUSPECTED },
		{ "virtio", "kvm", 99, 900, 1, NONE },
		{ "sata", "kvm", 99, 900, -1, NONE },
		{ "virtio", "kvm", 99, 102, -1, NONE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_guest(HL_LAYER_VDISK, cases[i].before, 100);
		const struct hl_finding *found;

		add_disk(&made, cases[i].bus);
		if (cases[i].effect >= 0) {
			yes(&made, "pve", "worker/vda", "vdisk.iothread", true);
			yes(&made, "pve", "worker/vda", "vdisk.iothread_has_effect",
			    cases[i].effect);
		}
		add_thread(&made, cases[i].thread, cases[i].pct);
		found = match_one(made.graph, "iothread-missing");
		assert_int_equal(cases[i].state, state_of(found));
		if (found && !cases[i].effect)
			assert_true(has_text(found->text, "asks for an I/O thread where it has no "
							  "effect"));
	}
}

static void a_thread_asked_for_in_vain_is_told_of_a_configuration(void **state)
{
	BESIDE struct beside made = { .graph = hl_graph_new() };
	const struct hl_finding *found;

	(void)state;
	say(&made, NULL, "a/scsi0", "vdisk.bus", "scsi");
	yes(&made, NULL, "a/scsi0", "vdisk.iothread", true); /* of which controller? */
	assert_null(match_one(made.graph, "iothread-missing"));
	yes(&made, NULL, "a/scsi0", "vdisk.iothread_has_effect", false);
	found = match_one(made.graph, "iothread-missing");
	assert_int_equal(HL_SUSPECTED, state_of(found));
	assert_true(has_text(found->text, "virtio-scsi-single"));
}

/* ---- numa-remote ---- */

static void add_nodes(struct beside *made, unsigned nr)
{
	say(made, "pve", "node0", "numa.cpus", nr > 1 ? "0-15" : "0-31");
	if (nr > 1)
		say(made, "pve", "node1", "numa.cpus", "16-31");
}

static void add_vf(struct beside *made, double node)
{
	add_text(made, "virtio", "route.device", "eth0");
	say(made, "worker", "eth0", "link.mac", "02:00:00:00:00:01");
	say(made, "pve", "worker/net0", "vnic.mac", "02:00:00:00:00:01");
	say(made, "pve", "worker/net0", "vnic.host_address", "0000:41:02.5");
	count(made, "pve", "0000:41:02.5", "pcie.numa_node", node);
}

static void a_vm_kept_to_the_other_node_is_told(void **state)
{
	static const struct {
		const char *key, *value;
		unsigned nodes;
		double node, before;
		int state;
	} cases[] = {
		{ "vm.vcpu_pin", "0:2 1:3", 2, 1, 900, HL_CONFIRMED },
		{ "vm.cpuset", "0-7", 2, 1, 900, HL_CONFIRMED },
		{ "vm.numa_nodeset", "0", 2, 1, 900, HL_CONFIRMED },
		{ "vm.cpuset", "0-7", 2, 1, 0, HL_SUSPECTED }, /* nothing to compare with */
		{ "vm.vcpu_pin", "0:2 1:16", 2, 1, 900, NONE },
		{ "vm.cpuset", "0-31", 2, 1, 900, NONE },
		{ "vm.cpuset", "0-7", 2, 0, 900, NONE },
		{ "vm.cpuset", "0-7", 1, 0, 900, NONE },
		{ "vm.cpuset", "0-7", 2, 1, 102, NONE }, /* it loses nothing */
		{ "vm.cpuset", "garbage", 2, 1, 900, NONE },
		{ "vm.machine", "q35", 2, 1, 900, NONE }, /* kept nowhere */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_guest(HL_LAYER_VNIC, cases[i].before, 100);
		const struct hl_finding *found;

		add_nodes(&made, cases[i].nodes);
		add_vf(&made, cases[i].node);
		say(&made, "pve", "worker", cases[i].key, cases[i].value);
		found = match_one(made.graph, "numa-remote");
		assert_int_equal(cases[i].state, state_of(found));
		if (found)
			assert_true(has_text(found->text,
					     "0000:41:02.5 of the VM worker is at NUMA "
					     "node 1"));
	}
}

static void a_short_address_of_a_configuration_is_the_same_device(void **state)
{
	static const struct {
		const char *address;
		int state;
	} cases[] = {
		{ "D0:13.0;d0:13.1", HL_SUSPECTED },
		{ "0000:d0:13.0", HL_SUSPECTED },
		{ "d0:13", HL_SUSPECTED },
		{ "0000:d0:13", HL_SUSPECTED },
		{ "d0:13.1", NONE },
		{ "0:13.0", NONE },
		{ "e0:13.0", NONE }, /* that is at the node of the VM */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = { .graph = hl_graph_new() };

		add_nodes(&made, 2);
		count(&made, "pve", "0000:d0:13.0", "pcie.numa_node", 1);
		count(&made, "pve", "0000:e0:13.0", "pcie.numa_node", 0);
		say(&made, "pve", "a/hostpci0", "passthrough.address", cases[i].address);
		say(&made, "pve", "a", "vm.cpuset", "0-3");
		assert_int_equal(cases[i].state, state_of(match_one(made.graph, "numa-remote")));
	}
}

/* ---- cpu-steal ---- */

static void time_that_is_taken_is_told_by_how_much(void **state)
{
	static const struct {
		double pct, at_before, before;
		int state;
	} cases[] = {
		{ 25, 0, 900, HL_CONFIRMED },
		{ 5, 0, 900, HL_SUSPECTED },
		{ 1, 0, 900, NONE },
		{ 25, 0, 102, NONE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_guest(HL_LAYER_INITIATOR, cases[i].before, 100);
		const struct hl_finding *found;

		made.before->host = "worker";
		add_number(&made, "virtio/seq", "cpu.steal_pct", cases[i].pct);
		add_number(&made, "loopback/seq", "cpu.steal_pct", cases[i].at_before);
		found = match_one(made.graph, "cpu-steal");
		assert_int_equal(cases[i].state, state_of(found));
		if (found)
			assert_int_equal(HL_LAYER_INITIATOR, found->layer);
	}
}

static void what_is_taken_at_both_hops_is_told_of_the_first(void **state)
{
	BESIDE struct beside made = make_guest(HL_LAYER_INITIATOR, 900, 100);

	(void)state;
	made.before->host = "worker";
	add_number(&made, "virtio/seq", "cpu.steal_pct", 25);
	add_number(&made, "loopback/seq", "cpu.steal_pct", 24);
	assert_ptr_equal(made.before, match_one(made.graph, "cpu-steal")->hop);
	assert_int_equal(1, made.graph->nr_findings);
	made.before->host = "truenas"; /* another machine, of which as much was taken */
	made.graph->nr_findings = 0;
	match_one(made.graph, "cpu-steal");
	assert_int_equal(2, made.graph->nr_findings);
}

static void a_machine_that_does_not_count_it_has_no_finding(void **state)
{
	BESIDE struct beside made = make_guest(HL_LAYER_INITIATOR, 900, 100);

	(void)state;
	assert_null(match_one(made.graph, "cpu-steal"));
}

/* ---- cpu-governor ---- */

static void a_governor_that_saves_power_is_told_by_the_frequency(void **state)
{
	static const struct {
		const char *governor, *driver, *preference;
		double seen, before; /* 0 = not known */
		int state;
	} cases[] = {
		{ "powersave", "acpi-cpufreq", NULL, 30, 900, HL_CONFIRMED },
		{ "performance powersave", "acpi-cpufreq", NULL, 30, 900, HL_CONFIRMED },
		{ "powersave", "intel_pstate", "power", 40, 900, HL_CONFIRMED },
		{ "powersave", "acpi-cpufreq", NULL, 0, 900, HL_SUSPECTED },
		{ "powersave", "acpi-cpufreq", NULL, 95, 900, NONE },
		{ "powersave", "intel_pstate", "balance_performance", 0, 900, NONE },
		{ "performance", "intel_pstate", "power", 0, 900, NONE },
		{ "schedutil", "acpi-cpufreq", NULL, 0, 900, NONE },
		{ "powersave", "acpi-cpufreq", NULL, 0, 102, NONE },
		{ NULL, NULL, NULL, 30, 900, NONE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BESIDE struct beside made = make_guest(HL_LAYER_VNIC, cases[i].before, 100);

		say(&made, "worker", "cpu", "cpu.governor", cases[i].governor);
		say(&made, "worker", "cpu", "cpu.frequency_driver", cases[i].driver);
		say(&made, "worker", "cpu", "cpu.energy_preference", cases[i].preference);
		if (cases[i].seen > 0)
			add_number(&made, "virtio/seq", "cpu.frequency_pct", cases[i].seen);
		assert_int_equal(cases[i].state, state_of(match_one(made.graph, "cpu-governor")));
	}
}

static void the_governor_of_the_machine_below_is_only_suspected(void **state)
{
	BESIDE struct beside made = make_guest(HL_LAYER_VNIC, 900, 100);
	const struct hl_finding *found;

	(void)state;
	add_nic(&made, "virtio", 4, 8);
	say(&made, "pve", "cpu", "cpu.governor", "powersave");
	found = match_one(made.graph, "cpu-governor");
	assert_int_equal(HL_SUSPECTED, state_of(found));
	assert_true(has_text(found->text, "The frequency governor of pve is \"powersave\""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_queue_of_a_nic_is_told_by_its_thread),
		cmocka_unit_test(a_nic_that_nobody_says_is_on_the_path_is_only_suspected),
		cmocka_unit_test(configurations_alone_are_a_suspicion_without_a_hop),
		cmocka_unit_test(a_busy_vhost_thread_is_told_with_its_vm_and_queues),
		cmocka_unit_test(a_disk_without_a_thread_is_told_by_the_main_thread),
		cmocka_unit_test(a_thread_asked_for_in_vain_is_told_of_a_configuration),
		cmocka_unit_test(a_vm_kept_to_the_other_node_is_told),
		cmocka_unit_test(a_short_address_of_a_configuration_is_the_same_device),
		cmocka_unit_test(time_that_is_taken_is_told_by_how_much),
		cmocka_unit_test(what_is_taken_at_both_hops_is_told_of_the_first),
		cmocka_unit_test(a_machine_that_does_not_count_it_has_no_finding),
		cmocka_unit_test(a_governor_that_saves_power_is_told_by_the_frequency),
		cmocka_unit_test(the_governor_of_the_machine_below_is_only_suspected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
