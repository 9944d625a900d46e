/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Block devices in a tree of sysfs that is made by hand after Documentation/ABI, and in the real
 * one of this machine.
 */
#include "probe_tree.h"

extern const struct hl_probe hl_probe_block;

#define NVME  "/devices/pci0000:00/0000:00:01.1/0000:01:00.0/nvme/nvme0/nvme0n1"
#define ISCSI "/devices/platform/host7/session1/target7:0:0/7:0:0:3/block/sdb"
#define PATH2 "/devices/virtual/nvme-subsystem/nvme-subsys1/nvme1n1"
#define LOOP  "/devices/virtual/block/loop0"
#define MD    "/devices/virtual/block/md0"
#define DM    "/devices/virtual/block/dm-3"
#define ZVOL  "/devices/virtual/block/zd16"

static const struct tree_row rows[] = {
	{ "/sys/class/block/nvme0n1", "-> ../.." NVME },
	{ "/sys" NVME "/size", "15002931888\n" },
	{ "/sys" NVME "/queue/scheduler", "[none] mq-deadline kyber\n" },
	{ "/sys" NVME "/queue/nr_requests", "1023\n" },
	{ "/sys" NVME "/queue/max_sectors_kb", "128\n" },
	{ "/sys" NVME "/queue/max_hw_sectors_kb", "2048\n" },
	{ "/sys" NVME "/queue/read_ahead_kb", "128\n" },
	{ "/sys" NVME "/queue/rotational", "0\n" },
	{ "/sys" NVME "/queue/write_cache", "write back\n" },
	{ "/sys" NVME "/queue/wbt_lat_usec", "2000\n" },
	{ "/sys" NVME "/wwid", "eui.00000000000000008ce38ee20abc1201\n" },
	{ "/sys" NVME "/device/model", "KIOXIA KCD61LUL7T68                     \n" },
	{ "/sys" NVME "/device/serial", "71F0A00ZTEST        \n" },
	{ "/sys" NVME "/device/firmware_rev", "0105    \n" },
	{ "/sys" NVME "/nvme0n1p2/partition", "2\n" },
	{ "/sys" NVME "/nvme0n1p2/size", "2048\n" },
	{ "/sys/class/block/nvme0n1p2", "-> ../.." NVME "/nvme0n1p2" },
	{ "/sys/class/block/nvme1n1", "-> ../.." PATH2 },
	{ "/sys" PATH2 "/size", "100\n" },
	{ "/sys/class/nvme-subsystem/nvme-subsys1/model", "x\n" },
	{ "/sys/class/nvme-subsystem/nvme-subsys1/nvme1", "-> ../../nvme/nvme1" },
	{ "/sys/class/nvme/nvme1",
	  "-> ../../devices/pci0000:00/0000:00:03.0/0000:02:00.0/nvme/nvme1" },
	{ "/sys/class/block/sdb", "-> ../.." ISCSI },
	{ "/sys" ISCSI "/size", "134217728\n" },
	{ "/sys" ISCSI "/device", "-> ../../../7:0:0:3" },
	{ "/sys/devices/platform/host7/session1/target7:0:0/7:0:0:3/queue_depth", "32\n" },
	{ "/sys/class/iscsi_session/session1/targetname", "iqn.2005-10.org.freenas.ctl:pvc-1\n" },
	{ "/sys/class/iscsi_connection/connection1:0/address", "10.0.0.2\n" },
	{ "/sys/class/iscsi_connection/connection1:0/port", "3260\n" },
	{ "/sys/class/block/loop0", "-> ../.." LOOP },
	{ "/sys" LOOP "/size", "2048\n" },
	{ "/sys" LOOP "/loop/backing_file", "/srv/disk.img\n" },
	{ "/sys" LOOP "/loop/dio", "1\n" },
	{ "/sys/class/block/loop1", "-> ../../devices/virtual/block/loop1" },
	{ "/sys/devices/virtual/block/loop1/size", "0\n" },
	{ "/sys/class/block/md0", "-> ../.." MD },
	{ "/sys" MD "/size", "4096\n" },
	{ "/sys" MD "/md/level", "raid1\n" },
	{ "/sys" MD "/md/sync_action", "check\n" },
	{ "/sys" MD "/slaves/sdc", "" },
	{ "/sys" MD "/slaves/sdd", "" },
	{ "/sys" MD "/holders/dm-3", "" },
	{ "/sys/class/block/dm-3", "-> ../.." DM },
	{ "/sys" DM "/size", "4096\n" },
	{ "/sys" DM "/dm/uuid", "mpath-360000000000000000e00000000010001\n" },
	{ "/sys" DM "/slaves/md0", "" },
	{ "/sys/class/block/zd16", "-> ../.." ZVOL },
	{ "/sys" ZVOL "/size", "134217728\n" },
	{ "/dev/zvol/tank/k8s/pvc-1", "-> ../../../zd16" },
	{ "/dev/zvol/tank/k8s/pvc-1-part1", "-> ../../../zd16p1" },
	{ "/dev/disk/by-id/nvme-KIOXIA_KCD61LUL7T68_71F0A00ZTEST", "-> ../../nvme0n1" },
	{ "/dev/disk/by-id/nvme-eui.8ce38ee20abc1201", "-> ../../nvme0n1" },
	{ "/dev/disk/by-partuuid/4e2b-02", "-> ../../nvme0n1p2" },
	{ "/dev/mapper/mpatha", "-> ../dm-3" },
};

static void queue_limits_are_facts_in_base_units(void **state)
{
	HL_GRAPH struct hl_graph *graph = tree_decode(&hl_probe_block, "made");

	(void)state;
	assert_true(tree_number(graph, "nvme0n1", "block.size") == 15002931888.0 * 512);
	assert_string_equal("none", tree_text(graph, "nvme0n1", "block.scheduler"));
	assert_true(tree_number(graph, "nvme0n1", "block.nr_requests") == 1023);
	assert_true(tree_number(graph, "nvme0n1", "block.max_io_size") == 131072);
	assert_true(tree_number(graph, "nvme0n1", "block.max_hw_io_size") == 2097152);
	assert_true(tree_number(graph, "nvme0n1", "block.read_ahead") == 131072);
	assert_true(tree_number(graph, "nvme0n1", "block.wbt_lat_ns") == 2e6);
	assert_string_equal("write back", tree_text(graph, "nvme0n1", "block.write_cache"));
	assert_string_equal("KIOXIA KCD61LUL7T68", tree_text(graph, "nvme0n1", "drive.model"));
	assert_string_equal("0105", tree_text(graph, "nvme0n1", "drive.firmware"));
	assert_string_equal("71F0A00ZTEST", tree_text(graph, "nvme0n1", "block.serial"));
	assert_string_equal("/sys/class/block/nvme0n1/queue/nr_requests",
			    hl_graph_find_fact(graph, "nvme0n1", "block.nr_requests")->source);
	assert_null(hl_graph_find_fact(graph, "loop1", "block.size"));
}

static void each_device_says_what_it_stands_on(void **state)
{
	static const struct {
		const char *node, *key, *value;
	} expected[] = {
		{ "nvme0n1", "block.controller", "nvme0" },
		{ "nvme0n1", "block.pci_address", "0000:01:00.0" },
		{ "nvme0n1p2", "block.below", "nvme0n1" },
		{ "nvme1n1", "block.controller", "nvme1" },
		{ "nvme1n1", "block.pci_address", "0000:02:00.0" },
		{ "sdb", "block.session", "iqn.2005-10.org.freenas.ctl:pvc-1@10.0.0.2:3260" },
		{ "loop0", "block.below", "/srv/disk.img" },
		{ "md0", "block.below", "sdc sdd" },
		{ "md0", "block.holders", "dm-3" },
		{ "md0", "block.md_level", "raid1" },
		{ "dm-3", "block.below", "md0" },
		{ "dm-3", "block.dm_kind", "mpath" },
		{ "dm-3", "block.links", "mapper/mpatha" },
		{ "zd16", "block.zvol", "tank/k8s/pvc-1" },
		{ "tank/k8s/pvc-1", "zvol.pool", "tank" },
		{ "nvme0n1p2", "block.links", "disk/by-partuuid/4e2b-02" },
		{ "nvme0n1", "block.links",
		  "disk/by-id/nvme-KIOXIA_KCD61LUL7T68_71F0A00ZTEST "
		  "disk/by-id/nvme-eui.8ce38ee20abc1201" },
	};
	HL_GRAPH struct hl_graph *graph = tree_decode(&hl_probe_block, "made");

	(void)state;
	for (size_t i = 0; i < NR_ROWS(expected); i++)
		assert_string_equal(expected[i].value,
				    tree_text(graph, expected[i].node, expected[i].key));
	assert_true(tree_number(graph, "sdb", "block.lun") == 3);
	assert_true(tree_number(graph, "sdb", "block.queue_depth") == 32);
	assert_null(hl_graph_find_fact(graph, "zd16p1", "block.zvol"));
}

static void a_recording_gives_the_same_facts(void **state)
{
	HL_GRAPH struct hl_graph *direct = tree_decode(&hl_probe_block, "made");
	HL_GRAPH struct hl_graph *recorded = tree_record(&hl_probe_block, "made", "copy");

	(void)state;
	assert_same_facts(direct, recorded);
}

static void this_machine_gives_the_same_facts_again(void **state)
{
	HL_GRAPH struct hl_graph *recorded = NULL;

	(void)state;
	if (access("/sys/class/block", R_OK) < 0)
		skip();
	recorded = tree_record(&hl_probe_block, "/", "live");
	for (size_t i = 0; i < recorded->nr_facts; i++) {
		const struct hl_fact *fact = recorded->facts[i];

		assert_true(fact->type != HL_FACT_NUMBER || fact->number >= 0);
		assert_string_equal("nas", fact->host);
	}
}

static void garbage_and_a_machine_without_sysfs_give_no_facts(void **state)
{
	static const struct tree_row garbage[] = {
		{ "/sys/class/block/sda/size", "many" },
		{ "/sys/class/block/sdb/size", "8" },
		{ "/sys/class/block/sdb/queue/nr_requests", "-1\n" },
		{ "/sys/class/block/sdb/queue/scheduler", "[" },
		{ "/sys/class/block/sdb/queue/rotational", "2" },
		{ "/sys/class/block/sdb/queue/read_ahead_kb", "" },
	};
	HL_GRAPH struct hl_graph *graph = NULL, *none = NULL;
	struct hl_machine *machine;
	struct hl_capture capture = { 0 };

	(void)state;
	tree_make("garbage", garbage, NR_ROWS(garbage));
	graph = tree_decode(&hl_probe_block, "garbage");
	assert_null(hl_graph_find_fact(graph, "sda", "block.size"));
	assert_null(hl_graph_find_fact(graph, "sdb", "block.nr_requests"));
	assert_null(hl_graph_find_fact(graph, "sdb", "block.is_rotational"));
	assert_null(hl_graph_find_fact(graph, "sdb", "block.read_ahead"));
	tree_make("nothing", garbage, 0);
	none = tree_decode(&hl_probe_block, "nothing");
	assert_int_equal(0, none->nr_facts);
	capture.machine = machine = hl_machine_open("nothing", NULL);
	assert_int_equal(-ENOENT, hl_probe_block.acquire(&capture, NULL));
	hl_machine_close(machine);
}

static int setup(void **state)
{
	if (tree_setup(state) < 0)
		return -1;
	tree_make("made", rows, NR_ROWS(rows));
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queue_limits_are_facts_in_base_units),
		cmocka_unit_test(each_device_says_what_it_stands_on),
		cmocka_unit_test(a_recording_gives_the_same_facts),
		cmocka_unit_test(this_machine_gives_the_same_facts_again),
		cmocka_unit_test(garbage_and_a_machine_without_sysfs_give_no_facts),
	};

	return cmocka_run_group_tests(tests, setup, tree_remove);
}
