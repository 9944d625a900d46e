/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What lies above and below what, from a listing alone: bridges, limits, VFs, shared links, ports
 * that are empty or no wires. The dumps are made here, byte by byte.
 */
#include "fact_reader.h"
#include "pci_maker.h"

#define ROOT_HEAD   "PCI bridge: Acme Root Port"
#define SWITCH_HEAD "PCI bridge: Acme Switch"
#define NVME_HEAD   "Non-Volatile memory controller: Acme NVMe SSD"
#define NIC_HEAD    "Ethernet controller: Acme Ten"

#define ROOT_PORT(its_address, from, to)                                                           \
	.address = (its_address), .head = ROOT_HEAD, .vendor = 0x1022, .device = 0x1483,           \
	.class = 0x0604, .type = PORT_ROOT, .secondary = (from), .subordinate = (to),              \
	.has_slot = true, .is_present = true

#define DRIVE(its_address)                                                                         \
	.address = (its_address), .head = NVME_HEAD, .vendor = 0x1e0f, .device = 1, .class = 0x0108

#define CAN(gen, lanes) .cap_speed = (gen), .cap_width = (lanes)
#define NOW(gen, lanes) .speed = (gen), .width = (lanes)

static struct import import_made(const struct made_function *made, size_t nr)
{
	HL_FREE char *dump = dump_of(made, nr);

	return import_text(dump);
}

/* A Gen3 x4 uplink into a switch, with two Gen4 x4 drives behind it. */
static const struct made_function behind_a_switch[] = {
	{ ROOT_PORT("00:01.1", 1, 5), CAN(4, 8), NOW(3, 4) },
	{ .address = "01:00.0",
	  .head = SWITCH_HEAD,
	  .vendor = 0x10b5,
	  .device = 0x9765,
	  .class = 0x0604,
	  .type = PORT_UPSTREAM,
	  .secondary = 2,
	  .subordinate = 5,
	  CAN(3, 8),
	  NOW(3, 4) },
	{ .address = "02:00.0",
	  .head = SWITCH_HEAD,
	  .vendor = 0x10b5,
	  .device = 0x9765,
	  .class = 0x0604,
	  .type = PORT_DOWNSTREAM,
	  .secondary = 3,
	  .subordinate = 3,
	  CAN(3, 4),
	  NOW(3, 4) },
	{ .address = "02:01.0",
	  .head = SWITCH_HEAD,
	  .vendor = 0x10b5,
	  .device = 0x9765,
	  .class = 0x0604,
	  .type = PORT_DOWNSTREAM,
	  .secondary = 4,
	  .subordinate = 4,
	  CAN(3, 4),
	  NOW(2, 2) },
	{ DRIVE("03:00.0"), CAN(4, 4), NOW(3, 4) },
	{ DRIVE("04:00.0"), CAN(4, 4), NOW(2, 2) },
};

static void bridges_are_found_by_their_bus_numbers(void **unused)
{
	struct import import = import_made(behind_a_switch, NR(behind_a_switch));

	(void)unused;
	assert_string_equal(text_of(&import, "0000:03:00.0", "pcie.parent"), "0000:02:00.0");
	assert_string_equal(text_of(&import, "0000:02:00.0", "pcie.parent"), "0000:01:00.0");
	assert_string_equal(text_of(&import, "0000:01:00.0", "pcie.parent"), "0000:00:01.1");
	assert_string_equal(text_of(&import, "0000:00:01.1", "pcie.parent"), "");
	import_free(&import);
}

static void the_slowest_link_of_the_chain_limits_and_of_equal_ones_the_topmost(void **unused)
{
	struct import import = import_made(behind_a_switch, NR(behind_a_switch));

	(void)unused;
	assert_near(8, number_of(&import, "0000:03:00.0", "pcie.limit_speed_gts"));
	assert_near(4, number_of(&import, "0000:03:00.0", "pcie.limit_width"));
	assert_string_equal(text_of(&import, "0000:03:00.0", "pcie.limiting_hop"), "0000:00:01.1");
	assert_near(5, number_of(&import, "0000:04:00.0", "pcie.limit_speed_gts"));
	assert_near(2, number_of(&import, "0000:04:00.0", "pcie.limit_width"));
	assert_string_equal(text_of(&import, "0000:04:00.0", "pcie.limiting_hop"), "0000:02:01.0");
	assert_unknown(number_of(&import, "0000:02:00.0", "pcie.limit_width"));
	import_free(&import);
}

static void a_chain_that_does_not_reach_a_root_port_has_no_limit(void **unused)
{
	struct import import = import_made(behind_a_switch + 1, NR(behind_a_switch) - 1);

	(void)unused;
	assert_string_equal(text_of(&import, "0000:03:00.0", "pcie.parent"), "0000:02:00.0");
	assert_unknown(number_of(&import, "0000:03:00.0", "pcie.limit_width"));
	import_free(&import);
}

static void both_ends_say_what_a_link_can_do(void **unused)
{
	struct import import = import_made(behind_a_switch, NR(behind_a_switch));

	(void)unused;
	assert_near(8, number_of(&import, "0000:04:00.0", "pcie.best_speed_gts"));
	assert_near(4, number_of(&import, "0000:02:01.0", "pcie.best_width"));
	assert_near(8, number_of(&import, "0000:00:01.1", "pcie.best_width"));
	import_free(&import);
}

static void drives_behind_one_uplink_share_it(void **unused)
{
	struct import import = import_made(behind_a_switch, NR(behind_a_switch));

	(void)unused;
	assert_string_equal(text_of(&import, "0000:03:00.0", "pcie.shared_uplink"), "0000:01:00.0");
	assert_string_equal(text_of(&import, "0000:03:00.0", "pcie.uplink_shared_by"),
			    "0000:04:00.0");
	assert_string_equal(text_of(&import, "0000:04:00.0", "pcie.uplink_shared_by"),
			    "0000:03:00.0");
	import_free(&import);
}

static void a_vf_is_found_by_its_place_and_counts_on_its_pf(void **unused)
{
	static const struct made_function made[] = {
		{ ROOT_PORT("00:03.1", 0x81, 0x82), CAN(3, 8), NOW(3, 8) },
		{ .address = "81:00.0",
		  .head = NIC_HEAD,
		  .vendor = 0x8086,
		  .device = 0x1572,
		  .class = 0x0200,
		  CAN(3, 8),
		  NOW(3, 8),
		  .nr_vfs = 2,
		  .vf_offset = 0x10,
		  .vf_stride = 0xf0 },
		{ .address = "81:02.0",
		  .head = NIC_HEAD,
		  .vendor = 0xffff,
		  .device = 0xffff,
		  .class = 0x0200,
		  CAN(3, 8) },
		{ .address = "82:00.0",
		  .head = NIC_HEAD,
		  .vendor = 0xffff,
		  .device = 0xffff,
		  .class = 0x0200,
		  CAN(3, 8),
		  NOW(1, 1) },
		{ .address = "81:00.1",
		  .head = NIC_HEAD,
		  .vendor = 0x8086,
		  .device = 0x1572,
		  .class = 0x0200,
		  CAN(3, 8),
		  NOW(3, 8) },
	};
	static const char *const vfs[] = { "0000:81:02.0", "0000:82:00.0" };
	struct import import = import_made(made, NR(made));

	(void)unused;
	for (size_t i = 0; i < NR(vfs); i++) {
		assert_int_equal(1, boolean_of(&import, vfs[i], "pcie.is_vf"));
		assert_string_equal(text_of(&import, vfs[i], "pcie.physfn"), "0000:81:00.0");
		assert_string_equal(text_of(&import, vfs[i], "pcie.parent"), "0000:00:03.1");
		assert_null(hl_graph_find_fact(import.graph, vfs[i], "pcie.is_downgraded"));
		assert_near(8, number_of(&import, vfs[i], "pcie.limit_width"));
	}
	assert_int_equal(-1, boolean_of(&import, "0000:81:00.1", "pcie.is_vf"));
	assert_string_equal(text_of(&import, "0000:81:00.1", "pcie.uplink_shared_by"),
			    "0000:81:00.0");
	import_free(&import);
}

static void a_port_with_nothing_in_it_is_empty(void **unused)
{
	static const struct {
		struct made_function port;
		bool is_empty;
	} cases[] = {
		{ { ROOT_PORT("00:01.1", 1, 1), CAN(5, 4), NOW(1, 16) }, true }, /* "strange" */
		{ { ROOT_PORT("00:01.1", 1, 1), CAN(5, 4), NOW(1, 0) }, true },
		{ { ROOT_PORT("00:01.1", 1, 1), CAN(5, 4), NOW(1, 1) }, false },
	};

	(void)unused;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_made(&cases[i].port, 1);

		assert_int_equal(boolean_of(&import, "0000:00:01.1", "pcie.is_empty"),
				 cases[i].is_empty ? 1 : -1);
		import_free(&import);
	}
}

static void links_that_are_no_wires_are_marked_and_limit_nothing(void **unused)
{
	static const struct made_function made[] = {
		{ .address = "00:04.0",
		  .head = "PCI bridge: Red Hat, Inc. QEMU PCIe Root port",
		  .vendor = 0x1b36,
		  .device = 0x000c,
		  .class = 0x0604,
		  .type = PORT_ROOT,
		  .secondary = 1,
		  .subordinate = 1,
		  CAN(4, 32),
		  NOW(1, 1) },
		{ DRIVE("01:00.0"), CAN(4, 4), NOW(4, 4) },
		{ .address = "00:05.0",
		  .head = "PCI bridge: Intel Corporation JHL7540 Thunderbolt 3 Bridge",
		  .vendor = 0x8086,
		  .device = 0x15e7,
		  .class = 0x0604,
		  .type = PORT_ROOT,
		  CAN(1, 4),
		  NOW(1, 4) },
	};
	struct import import = import_made(made, NR(made));

	(void)unused;
	assert_int_equal(1, boolean_of(&import, "0000:00:04.0", "pcie.is_synthetic"));
	assert_int_equal(1, boolean_of(&import, "0000:00:05.0", "pcie.is_synthetic"));
	assert_int_equal(-1, boolean_of(&import, "0000:01:00.0", "pcie.is_synthetic"));
	assert_unknown(number_of(&import, "0000:01:00.0", "pcie.best_width"));
	assert_string_equal(text_of(&import, "0000:01:00.0", "pcie.limiting_hop"), "0000:01:00.0");
	import_free(&import);
}

/* Of all chains: the minimum of speed x width over every function from the device to the root. */
static void the_rule_of_the_kernel_holds_on_every_chain(void **unused)
{
	static const unsigned gens[] = { 1, 2, 3, 4, 5 }, lanes[] = { 1, 2, 4, 8, 16 };
	static const double mbs[] = { 2000, 4000, 7876.9, 15753.8, 31507.7 };
	unsigned seed = 1;

	(void)unused;
	for (int round = 0; round < 200; round++) {
		struct made_function made[NR(behind_a_switch)];
		double least = INFINITY;
		struct import import;
		double speed, width;

		memcpy(made, behind_a_switch, sizeof(made));
		for (size_t i = 0; i < NR(made); i++) {
			unsigned gen, lane;

			seed = seed * 1103515245 + 12345;
			gen = (seed >> 16) % 5;
			lane = (seed >> 20) % 5;
			made[i].cap_speed = 5;
			made[i].cap_width = 16;
			made[i].speed = gens[gen];
			made[i].width = lanes[lane];
			if (i < 3 || i == 4)
				least = fmin(least, mbs[gen] * lanes[lane]);
		}
		import = import_made(made, NR(made));
		speed = number_of(&import, "0000:03:00.0", "pcie.limit_speed_gts");
		width = number_of(&import, "0000:03:00.0", "pcie.limit_width");
		for (size_t i = 0; i < NR(mbs); i++) {
			static const double gts[] = { 2.5, 5, 8, 16, 32 };

			if (gts[i] == speed)
				assert_true(fabs(mbs[i] * width - least) < 0.01 * least);
		}
		import_free(&import);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bridges_are_found_by_their_bus_numbers),
		cmocka_unit_test(
			the_slowest_link_of_the_chain_limits_and_of_equal_ones_the_topmost),
		cmocka_unit_test(a_chain_that_does_not_reach_a_root_port_has_no_limit),
		cmocka_unit_test(both_ends_say_what_a_link_can_do),
		cmocka_unit_test(drives_behind_one_uplink_share_it),
		cmocka_unit_test(a_vf_is_found_by_its_place_and_counts_on_its_pf),
		cmocka_unit_test(a_port_with_nothing_in_it_is_empty),
		cmocka_unit_test(links_that_are_no_wires_are_marked_and_limit_nothing),
		cmocka_unit_test(the_rule_of_the_kernel_holds_on_every_chain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
