/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The probe "pcie" on machines that are written down here: with root and without, with a device
 * that sleeps and one that is gone.
 */
#include "../../probes/pci.h"
#include "hoploss/meter.h"
#include "pci_maker.h"
#include "probe_tree.h"
#include <sys/sysmacros.h>

extern const struct hl_probe hl_probe_pcie;
extern const struct hl_meter hl_meter_pcie;

#define BUS    "/sys/bus/pci/devices/"
#define PORT   "/sys/devices/pci0000:00/0000:00:01.1"
#define DRIVE  PORT "/0000:01:00.0"
#define ASLEEP "/sys/devices/pci0000:00/0000:00:14.0"

static const struct made_function port = {
	.vendor = 0x1022,
	.device = 0x1483,
	.class = 0x0604,
	.type = PORT_ROOT,
	.secondary = 1,
	.subordinate = 1,
	.cap_speed = 4,
	.cap_width = 4,
	.speed = 3,
	.width = 2,
	.has_slot = true,
	.is_present = true,
};

static const struct made_function drive = {
	.vendor = 0x1e0f,
	.device = 1,
	.class = 0x0108,
	.cap_speed = 4,
	.cap_width = 4,
	.speed = 3,
	.width = 2,
	.target = 4,
	.correctable = 0x80000000 | 1,
};

static const struct tree_row rows[] = {
	{ PORT "/vendor", "0x1022\n" },
	{ PORT "/device", "0x1483\n" },
	{ PORT "/class", "0x060400\n" },
	{ PORT "/numa_node", "-1\n" },
	{ DRIVE "/vendor", "0x1e0f\n" },
	{ DRIVE "/device", "0x0001\n" },
	{ DRIVE "/class", "0x010802\n" },
	{ DRIVE "/numa_node", "1\n" },
	{ DRIVE "/max_link_speed", "16.0 GT/s PCIe\n" },
	{ DRIVE "/max_link_width", "4\n" },
	{ DRIVE "/current_link_speed", "8.0 GT/s PCIe\n" },
	{ DRIVE "/current_link_width", "2\n" },
	{ DRIVE "/power_state", "D0\n" },
	{ DRIVE "/power/runtime_status", "active\n" },
	{ DRIVE "/driver", "-> ../../../../bus/pci/drivers/nvme" },
	{ DRIVE "/iommu_group", "-> ../../../../kernel/iommu_groups/14" },
	{ DRIVE "/aer_dev_correctable",
	  "RxErr 12\nBadTLP 3\nBadDLLP 0\nNonFatalErr 5\nTOTAL_ERR_COR 20\n" },
	{ DRIVE "/aer_dev_nonfatal", "Undefined 0\nTOTAL_ERR_NONFATAL 0\n" },
	{ DRIVE "/aer_dev_fatal", "garbage\n\nTOTAL_ERR_FATAL many\n" },
	{ ASLEEP "/vendor", "0x10de\n" },
	{ ASLEEP "/device", "0x2684\n" },
	{ ASLEEP "/class", "0x030000\n" },
	{ ASLEEP "/power_state", "D3cold\n" },
	{ ASLEEP "/power/runtime_status", "suspended\n" },
	{ ASLEEP "/current_link_speed", "2.5 GT/s PCIe\n" },
	{ ASLEEP "/current_link_width", "16\n" },
	{ BUS "0000:00:01.1", "-> ../../../devices/pci0000:00/0000:00:01.1" },
	{ BUS "0000:01:00.0", "-> ../../../devices/pci0000:00/0000:00:01.1/0000:01:00.0" },
	{ BUS "0000:00:14.0", "-> ../../../devices/pci0000:00/0000:00:14.0" },
	{ "/sys/bus/pci/slots/7/address", "0000:01:00\n" },
	{ "/sys/bus/pci/slots/8/address", "0000:02:00\n" },
};

static void put_config(const char *root, const char *device, const struct made_function *made,
		       size_t len)
{
	struct made_space space = space_of(made);
	HL_FREE char *path = hl_printf("%s%s/config", root, device);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(len, fwrite(space.bytes, 1, len, file));
	assert_int_equal(0, fclose(file));
}

static void make_machine(const char *root, size_t config_len)
{
	tree_make(root, rows, NR_ROWS(rows));
	put_config(root, PORT, &port, config_len);
	put_config(root, DRIVE, &drive, config_len);
	put_config(root, ASLEEP, &drive, config_len);
}

static void root_sees_the_registers_of_both_ends(void **state)
{
	struct hl_graph *graph;

	(void)state;
	make_machine("as-root", 4096);
	graph = tree_decode(&hl_probe_pcie, "as-root");
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.speed_gts") == 8);
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.width") == 2);
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.best_width") == 4);
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.mps") == 256);
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.limit_width") == 2);
	assert_true(tree_number(graph, "0000:00:01.1", "pcie.width") == 2);
	assert_string_equal("0000:00:01.1", tree_text(graph, "0000:01:00.0", "pcie.limiting_hop"));
	assert_string_equal("Root Port", tree_text(graph, "0000:00:01.1", "pcie.port_type"));
	assert_string_equal("RxErr", tree_text(graph, "0000:01:00.0", "pcie.aer_correctable"));
	assert_string_equal("/sys/bus/pci/devices/0000:01:00.0/config",
			    hl_graph_find_fact(graph, "0000:01:00.0", "pcie.width")->source);
	hl_graph_free(graph);
}

static void who_is_not_root_still_knows_the_links(void **state)
{
	struct hl_graph *graph;

	(void)state;
	make_machine("as-user", 64);
	graph = tree_decode(&hl_probe_pcie, "as-user");
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.speed_gts") == 8);
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.width") == 2);
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.cap_width") == 4);
	assert_true(isnan(tree_number(graph, "0000:01:00.0", "pcie.mps")));
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.limit_width") == 2);
	assert_string_equal("/sys/bus/pci/devices/0000:01:00.0/current_link_width",
			    hl_graph_find_fact(graph, "0000:01:00.0", "pcie.width")->source);
	hl_graph_free(graph);
}

static void what_sysfs_says_of_a_device_is_a_fact(void **state)
{
	struct hl_graph *graph;

	(void)state;
	make_machine("facts", 4096);
	graph = tree_decode(&hl_probe_pcie, "facts");
	assert_string_equal("0000:00:01.1", tree_text(graph, "0000:01:00.0", "pcie.parent"));
	assert_string_equal("nvme", tree_text(graph, "0000:01:00.0", "pcie.driver"));
	assert_string_equal("7", tree_text(graph, "0000:01:00.0", "pcie.slot"));
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.numa_node") == 1);
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.iommu_group") == 14);
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.aer_correctable_count") == 20);
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.aer_link_count") == 15);
	assert_true(tree_number(graph, "0000:01:00.0", "pcie.aer_nonfatal_count") == 0);
	assert_true(isnan(tree_number(graph, "0000:01:00.0", "pcie.aer_fatal_count")));
	assert_string_equal("RxErr 12 BadTLP 3 NonFatalErr 5",
			    tree_text(graph, "0000:01:00.0", "pcie.aer_correctable_counted"));
	assert_true(isnan(tree_number(graph, "0000:00:01.1", "pcie.numa_node")));
	assert_string_equal("nas", graph->facts[0]->host);
	hl_graph_free(graph);
}

static void a_device_that_sleeps_is_not_woken(void **state)
{
	struct hl_graph *graph, *recorded;

	(void)state;
	make_machine("asleep", 4096);
	graph = tree_decode(&hl_probe_pcie, "asleep");
	assert_string_equal("D3cold", tree_text(graph, "0000:00:14.0", "pcie.power_state"));
	assert_true(isnan(tree_number(graph, "0000:00:14.0", "pcie.width")));
	recorded = tree_record(&hl_probe_pcie, "asleep", "asleep-recorded");
	assert_int_not_equal(0, access("asleep-recorded" ASLEEP "/config", F_OK));
	assert_int_not_equal(0, access("asleep-recorded" ASLEEP "/current_link_width", F_OK));
	assert_int_equal(0, access("asleep-recorded" DRIVE "/config", F_OK));
	hl_graph_free(graph);
	hl_graph_free(recorded);
}

static void a_record_gives_the_same_facts_as_the_machine(void **state)
{
	struct hl_graph *live, *recorded;

	(void)state;
	make_machine("live", 4096);
	live = tree_decode(&hl_probe_pcie, "live");
	recorded = tree_record(&hl_probe_pcie, "live", "recorded");
	assert_same_facts(live, recorded);
	assert_int_equal(0, access("recorded.kept/lspci.txt", F_OK));
	hl_graph_free(live);
	hl_graph_free(recorded);
}

/* The disk that holds this test's files is as good as any. */
static void the_link_is_read_again_while_the_drive_works(void **state)
{
	struct hl_meter_target target = { .path = "." };
	const struct hl_origin origin = { .node = "raw/job" };
	struct hl_graph *graph = hl_graph_new();
	struct hl_machine *machine;
	struct stat status;
	HL_FREE char *path = NULL;
	void *meter;

	(void)state;
	make_machine("loaded", 4096);
	assert_int_equal(0, stat(".", &status));
	path = hl_printf("/sys/dev/block/%u:%u", major(status.st_dev), minor(status.st_dev));
	tree_make("loaded",
		  &(struct tree_row){ path, "-> ../../devices/pci0000:00/0000:00:01.1/0000:01:00.0/"
					    "nvme/nvme0/nvme0n1/nvme0n1p1" },
		  1);
	machine = hl_machine_open("loaded", NULL);
	meter = hl_meter_pcie.begin(machine, &target);
	assert_non_null(meter);
	for (int i = 0; i < 20; i++)
		hl_meter_pcie.tick(meter, machine, NULL);
	hl_meter_pcie.end(meter, machine, 2, graph, &origin);
	assert_true(tree_number(graph, "raw/job", "pcie.loaded_speed_gts") == 8);
	assert_true(tree_number(graph, "raw/job", "pcie.loaded_width") == 2);
	hl_machine_close(machine);
	hl_graph_free(graph);
}

static void what_is_no_drive_behind_pcie_is_not_watched(void **state)
{
	struct hl_meter_target nothing = { .address = "10.0.0.2", .port = 3260 };
	struct hl_meter_target target = { .path = "." };
	struct hl_machine *machine = hl_machine_open("none", NULL);

	(void)state;
	assert_null(hl_meter_pcie.begin(machine, &nothing));
	assert_null(hl_meter_pcie.begin(machine, &target));
	hl_machine_close(machine);
}

static const char ids[] = "# list\n"
			  "1022  Advanced Micro Devices, Inc. [AMD]\n"
			  "\t1483  Starship/Matisse GPP Bridge\n"
			  "\t\t1022 1234  Board\n"
			  "# between\n"
			  "\t1484  Internal GPP Bridge 0 to bus[E:B]\n"
			  "1e0f  KIOXIA Corporation\n"
			  "\t0007  NVMe SSD Controller Cx6\n"
			  "C 01  Mass storage controller\n"
			  "\t08  Non-Volatile memory controller\n"
			  "\t\t02  NVM Express\n"
			  "C 06  Bridge\n"
			  "\t04  PCI bridge\n";

static void a_list_of_ids_names_devices_as_lspci_does(void **state)
{
	static const struct {
		double vendor, device, class;
		const char *name, *class_name;
	} cases[] = {
		{ 0x1022, 0x1484, 0x0604,
		  "Advanced Micro Devices, Inc. [AMD] Internal GPP Bridge 0 "
		  "to bus[E:B]",
		  "PCI bridge" },
		{ 0x1e0f, 0x0007, 0x0108, "KIOXIA Corporation NVMe SSD Controller Cx6",
		  "Non-Volatile memory controller" },
		{ 0x1e0f, 0x1234, 0x0199, "KIOXIA Corporation Device 1234",
		  "Mass storage controller" },
		{ 0xabcd, 0x1483, 0x0700, "Device abcd:1483", NULL },
		{ NAN, 0x0007, NAN, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < NR_ROWS(cases); i++) {
		struct pci_listing listing = { .arena = hl_arena_new() };
		struct pci_function *at = hl_pci_listing_add(&listing, &(struct pci_function){ 0 });

		at->numbers[PCI_VENDOR] = cases[i].vendor;
		at->numbers[PCI_DEVICE] = cases[i].device;
		at->numbers[PCI_CLASS_CODE] = cases[i].class;
		hl_pci_ids_name(&listing, ids);
		assert_string_equal(at->strings[PCI_NAME] ? at->strings[PCI_NAME] : "none",
				    cases[i].name ? cases[i].name : "none");
		assert_string_equal(at->strings[PCI_CLASS] ? at->strings[PCI_CLASS] : "none",
				    cases[i].class_name ? cases[i].class_name : "none");
		hl_arena_free(listing.arena);
	}
}

static void a_machine_without_pci_has_no_such_layer(void **state)
{
	static const struct tree_row none[] = { { "/sys/bus/pci/devices/.keep", "" } };
	struct hl_machine *machine;
	struct hl_capture capture;
	struct hl_graph *graph;

	(void)state;
	tree_make("none", none, 1);
	machine = hl_machine_open("none", NULL);
	capture = (struct hl_capture){ .machine = machine };
	assert_int_equal(-ENOENT, hl_probe_pcie.acquire(&capture, NULL));
	hl_machine_close(machine);
	graph = tree_decode(&hl_probe_pcie, "none");
	assert_int_equal(0, graph->nr_facts);
	hl_graph_free(graph);
}

static void a_bridge_above_itself_is_no_bridge(void **state)
{
	static const struct tree_row circle[] = {
		{ "/sys/devices/0000:01:00.0/0000:00:01.1/vendor", "0x1\n" },
		{ "/sys/devices/0000:00:01.1/0000:01:00.0/vendor", "0x1\n" },
		{ BUS "0000:00:01.1", "-> ../../../devices/0000:01:00.0/0000:00:01.1" },
		{ BUS "0000:01:00.0", "-> ../../../devices/0000:00:01.1/0000:01:00.0" },
	};
	struct hl_graph *graph;

	(void)state;
	tree_make("circle", circle, NR_ROWS(circle));
	graph = tree_decode(&hl_probe_pcie, "circle");
	assert_string_equal("0000:00:01.1", tree_text(graph, "0000:01:00.0", "pcie.parent"));
	hl_graph_free(graph);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(root_sees_the_registers_of_both_ends),
		cmocka_unit_test(who_is_not_root_still_knows_the_links),
		cmocka_unit_test(what_sysfs_says_of_a_device_is_a_fact),
		cmocka_unit_test(a_device_that_sleeps_is_not_woken),
		cmocka_unit_test(a_record_gives_the_same_facts_as_the_machine),
		cmocka_unit_test(the_link_is_read_again_while_the_drive_works),
		cmocka_unit_test(what_is_no_drive_behind_pcie_is_not_watched),
		cmocka_unit_test(a_list_of_ids_names_devices_as_lspci_does),
		cmocka_unit_test(a_machine_without_pci_has_no_such_layer),
		cmocka_unit_test(a_bridge_above_itself_is_no_bridge),
	};

	return cmocka_run_group_tests(tests, tree_setup, tree_remove);
}
