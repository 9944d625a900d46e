/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which facts speak of which hop: graphs written by hand, a row a fact.
 */
#include "hoploss/place.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

struct row {
	const char *host, *node, *key, *value;
};

static void add(struct hl_graph *graph, const struct row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct hl_origin origin = { rows[i].host, rows[i].node, "file" };

		hl_graph_add_string(graph, &origin, rows[i].key, rows[i].value);
	}
}
#define ADD_ROWS(graph, rows) add(graph, rows, sizeof(rows) / sizeof(*(rows)))

static struct hl_hop *add_hop(struct hl_graph *graph, const char *name, const char *host,
			      const char *target)
{
	struct hl_hop *hop = hl_graph_add_hop(graph, name);

	hop->host = host;
	if (target)
		hl_hop_add_target(graph, hop, target);
	return hop;
}

static struct hl_host *add_host(struct hl_graph *graph, const char *name, const char *on,
				const char *vm)
{
	struct hl_host *host = hl_graph_add_host(graph, name);

	host->on = on;
	host->vm = vm;
	return host;
}

static void assert_fact(const struct hl_graph *graph, const struct hl_hop *hop, const char *key,
			size_t index, const char *value)
{
	const struct hl_fact *fact = hl_place_fact(graph, hop, key, index);

	if (value) {
		assert_non_null(fact);
		assert_string_equal(fact->string, value);
	} else {
		assert_null(fact);
	}
}

static const struct row nvme[] = {
	{ "h", "nvme0n1", "block.controller", "nvme0" },
	{ "h", "nvme0n1", "block.pci_address", "0000:01:00.0" },
	{ "h", "nvme0n1", "block.links", "disk/by-id/nvme-KCD6_X1 disk/by-partuuid/4e-01" },
	{ "h", "nvme0", "smart.note", "worn" },
	{ "h", "0000:01:00.0", "pcie.note", "drive" },
	{ "h", "0000:01:00.0", "pcie.parent", "0000:00:01.1" },
	{ "h", "0000:00:01.1", "pcie.note", "port" },
	{ "h", "0000:00:02.1", "pcie.note", "another port" },
	{ "h", "0000:01:00.0/Composite", "thermal.temperature_c", "warm" },
	{ "other", "0000:01:00.0", "pcie.note", "of another host" },
};

static void drive_leads_to_its_pcie_chain_nearest_first(void **state)
{
	static const char *const targets[] = {
		"/dev/nvme0n1",
		"/dev/nvme0n1p3",
		"/dev/disk/by-id/nvme-KCD6_X1",
		"/dev/disk/by-partuuid/4e-01",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct hl_hop *hop = add_hop(graph, "raw", "h", targets[i]);

		ADD_ROWS(graph, nvme);
		assert_fact(graph, hop, "pcie.note", 0, "drive");
		assert_fact(graph, hop, "pcie.note", 1, "port");
		assert_fact(graph, hop, "pcie.note", 2, NULL);
		assert_fact(graph, hop, "smart.note", 0, "worn");
		assert_fact(graph, hop, "thermal.temperature_c", 0, "warm");
		assert_fact(graph, NULL, "pcie.note", 3, "of another host");
		assert_fact(graph, NULL, "pcie.note", 4, NULL);
	}
}

static void partition_is_cut_off_only_where_it_is_one(void **state)
{
	static const struct row rows[] = {
		{ "h", "sda", "note", "disk" },
		{ "h", "sda1", "block.below", "sda" },
		{ "h", "md1", "note", "array" },
		{ "h", "md12", "note", "another array" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *part = add_hop(graph, "part", "h", "/dev/sda1");
	const struct hl_hop *array = add_hop(graph, "array", "h", "/dev/md12");
	const struct hl_hop *unknown = add_hop(graph, "unknown", "h", "/dev/md13");

	(void)state;
	ADD_ROWS(graph, rows);
	assert_fact(graph, part, "note", 0, "disk");
	assert_fact(graph, array, "note", 0, "another array");
	assert_fact(graph, unknown, "note", 0, NULL);
}

static void drive_is_found_by_the_serial_in_its_name(void **state)
{
	static const struct row rows[] = {
		{ "h", "nvme0n1", "drive.serial", "S1" },
		{ "h", "nvme1n1", "drive.serial", "S2" },
		{ "h", "nvme1n1", "note", "second" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *hop = add_hop(graph, "raw", "h", "/dev/disk/by-id/nvme-KIOXIA_CD6_S2");

	(void)state;
	ADD_ROWS(graph, rows);
	assert_fact(graph, hop, "note", 0, "second");
}

static void zvol_leads_to_pool_and_drives(void **state)
{
	static const struct row rows[] = {
		{ "nas", "tank/vol", "zvol.pool", "tank" },
		{ "nas", "zd16", "block.zvol", "tank/vol" },
		{ "nas", "zd16", "note", "queue" },
		{ "nas", "tank", "zpool.devices", "sda nvme-KCD6_X1 4e-01" },
		{ "nas", "sda", "note", "first" },
		{ "nas", "sdb", "note", "second" },
		{ "nas", "sdb", "block.links", "disk/by-partuuid/4e-01" },
		{ "nas", "sdc", "note", "not in the pool" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *hop = add_hop(graph, "zvol", "nas", "/dev/zvol/tank/vol");

	(void)state;
	ADD_ROWS(graph, rows);
	assert_fact(graph, hop, "note", 0, "queue");
	assert_fact(graph, hop, "note", 1, "first");
	assert_fact(graph, hop, "note", 2, "second");
	assert_fact(graph, hop, "note", 3, NULL);
}

static void all_targets_of_a_hop_count(void **state)
{
	static const struct row rows[] = { { "h", "sda", "note", "a" },
					   { "h", "sdb", "note", "b" } };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "raw", "h", "/dev/sda");

	(void)state;
	hl_hop_add_target(graph, hop, "/dev/sdb");
	ADD_ROWS(graph, rows);
	assert_fact(graph, hop, "note", 1, "b");
}

static void file_stands_on_the_longest_mount_point(void **state)
{
	static const struct row rows[] = {
		{ "w", "/", "mount.device", "vda1" },      { "w", "/data", "mount.device", "sdb" },
		{ "w", "/data/x", "mount.device", "sdc" }, { "w", "sdb", "note", "volume" },
		{ "w", "sdc", "note", "beside" },          { "w", "vda", "note", "system" },
		{ "v", "/data", "mount.device", "sdc" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *data = add_hop(graph, "data", "w", "file:/data/hoploss.bin");
	const struct hl_hop *near_miss = add_hop(graph, "database", "w", "file:/database/x");
	const struct hl_hop *itself = add_hop(graph, "itself", "w", "/data");

	(void)state;
	ADD_ROWS(graph, rows);
	assert_fact(graph, data, "note", 0, "volume");
	assert_fact(graph, itself, "note", 0, "volume");
	assert_fact(graph, near_miss, "note", 0, "system");
	assert_fact(graph, near_miss, "note", 1, NULL);
}

static void data_set_stands_in_its_pool(void **state)
{
	static const struct row rows[] = {
		{ "h", "/data", "mount.device", "tank/data/set" },
		{ "h", "tank", "zpool.state", "ONLINE" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *hop = add_hop(graph, "fs", "h", "file:/data/x");

	(void)state;
	ADD_ROWS(graph, rows);
	assert_fact(graph, hop, "zpool.state", 0, "ONLINE");
}

#define IQN "iqn.2005-10.org.freenas.ctl:pvc-1"

static const struct row iscsi[] = {
	{ "w", "sdb", "block.session", IQN "@10.0.0.2:3260" },
	{ "w", IQN "@10.0.0.2:3260", "iscsi.note", "session" },
	{ "w", IQN "@10.0.0.2:3260", "iscsi.nic", "eth1" },
	{ "w", "eth1", "link.note", "nic" },
	{ "nas", IQN "/lun0", "target.backing", "/dev/zvol/tank/pvc-1" },
	{ "nas", "tank/pvc-1", "zvol.pool", "tank" },
	{ "nas", "tank", "zpool.state", "ONLINE" },
};

static void session_leads_to_nic_and_to_the_zvol_of_its_target(void **state)
{
	static const char *const targets[] = {
		"/dev/sdb",
		"/dev/disk/by-path/ip-10.0.0.2:3260-iscsi-" IQN "-lun-0",
		"iscsi://10.0.0.2/" IQN "/0",
		"iscsi://10.0.0.2:3260/" IQN "/0",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct hl_hop *hop = add_hop(graph, "pvc", "w", targets[i]);

		ADD_ROWS(graph, iscsi);
		assert_fact(graph, hop, "iscsi.note", 0, "session");
		assert_fact(graph, hop, "link.note", 0, "nic");
		assert_fact(graph, hop, "zpool.state", 0, "ONLINE");
	}
}

static void target_without_a_session_goes_by_the_route(void **state)
{
	static const struct row rows[] = {
		{ "nas", "10.0.0.2", "route.device", "lo" },
		{ "nas", "fe80::2", "route.device", "lo" },
		{ "nas", "lo", "link.note", "loopback" },
	};
	static const char *const targets[] = {
		"iscsi://10.0.0.2/" IQN "/0",
		"iscsi://10.0.0.2:3260/" IQN "/0",
		"iscsi://[fe80::2]/" IQN "/0",
		"iscsi://[fe80::2]:3261/" IQN "/0",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct hl_hop *hop = add_hop(graph, "loopback", "nas", targets[i]);

		ADD_ROWS(graph, rows);
		assert_fact(graph, hop, "link.note", 0, "loopback");
	}
}

static void one_of_two_luns_is_not_guessed(void **state)
{
	static const struct row second[] = {
		{ "nas", IQN "/lun1", "target.backing", "/dev/zvol/fast/other" },
		{ "nas", "fast/other", "zvol.pool", "fast" },
		{ "nas", "fast", "zpool.state", "DEGRADED" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *disk = add_hop(graph, "disk", "w", "/dev/sdb");
	const struct hl_hop *lun = add_hop(graph, "lun", "w", "iscsi://10.0.0.2/" IQN "/1");
	const struct hl_origin sdb = { "w", "sdb", "file" };

	(void)state;
	ADD_ROWS(graph, iscsi);
	ADD_ROWS(graph, second);
	assert_fact(graph, disk, "zpool.state", 0, NULL);
	assert_fact(graph, lun, "zpool.state", 0, "DEGRADED");
	assert_fact(graph, lun, "zpool.state", 1, NULL);
	hl_graph_add_number(graph, &sdb, "block.lun", 1);
	assert_fact(graph, disk, "zpool.state", 0, "DEGRADED");
	assert_fact(graph, disk, "zpool.state", 1, NULL);
}

static void initiator_gets_the_lun_that_its_group_maps(void **state)
{
	static const struct row rows[] = {
		{ "w", IQN "@10.0.0.2:3260", "iscsi.initiator", "iqn.a:w" },
		{ "nas", IQN "/lun0@iqn.a:w", "target.backing", "/dev/zvol/fast/own" },
		{ "nas", IQN "/lun0@iqn.a:x", "target.backing", "/dev/zvol/slow/others" },
		{ "nas", "fast/own", "zvol.note", "own" },
		{ "nas", "tank/pvc-1", "zvol.note", "of all" },
		{ "nas", "slow/others", "zvol.note", "of another" },
	};
	static const char *const targets[] = { "/dev/sdb", "iscsi://10.0.0.2/" IQN "/0" };

	(void)state;
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct hl_origin sdb = { "w", "sdb", "file" };
		const struct hl_hop *hop = add_hop(graph, "lun", "w", targets[i]);

		ADD_ROWS(graph, iscsi);
		ADD_ROWS(graph, rows);
		hl_graph_add_number(graph, &sdb, "block.lun", 0);
		assert_fact(graph, hop, "zvol.note", 0, "own");
		assert_fact(graph, hop, "zvol.note", 1, NULL);
	}
}

static void broken_targets_lead_nowhere(void **state)
{
	static const char *const targets[] = {
		"",           "/",           "/dev/",
		"iscsi://",   "iscsi://a/b", "/dev/disk/by-path/ip-1-iscsi-x",
		"file:",      "null",        "/dev/disk/by-id/",
		"local-lvm:", ":",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct hl_hop *hop = add_hop(graph, "x", "w", targets[i]);

		ADD_ROWS(graph, iscsi);
		assert_fact(graph, hop, "iscsi.note", 0, NULL);
	}
}

static void guest_disk_leads_to_its_definition_and_source(void **state)
{
	static const struct row rows[] = {
		{ "g", "vda", "block.pci_address", "0000:04:00.0" },
		{ "h", "web/vda", "vdisk.cache", "none" },
		{ "h", "web/vda", "vdisk.bus", "virtio" },
		{ "h", "web/vda", "vdisk.guest_address", "0000:05:00.0" },
		{ "h", "web/vdb", "vdisk.cache", "writeback" },
		{ "h", "web/vdb", "vdisk.bus", "virtio" },
		{ "h", "web/vdb", "vdisk.guest_address", "0000:04:00.0" },
		{ "h", "web/vdb", "vdisk.source", "/dev/zvol/tank/web" },
		{ "h", "web", "vm.note", "machine" },
		{ "h", "tank/web", "zvol.pool", "tank" },
		{ "h", "tank", "zpool.state", "ONLINE" },
		{ "h", "cpu", "cpu.governor", "powersave" },
		{ "g", "cpu", "cpu.governor", "none" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *hop = add_hop(graph, "vda", "g", "/dev/vda");

	(void)state;
	add_host(graph, "h", NULL, NULL);
	add_host(graph, "g", "h", "web");
	ADD_ROWS(graph, rows);
	assert_fact(graph, hop, "vdisk.cache", 0, "writeback");
	assert_fact(graph, hop, "vdisk.cache", 1, NULL);
	assert_fact(graph, hop, "zpool.state", 0, "ONLINE");
	assert_fact(graph, hop, "vm.note", 0, "machine");
	assert_fact(graph, hop, "cpu.governor", 0, "none");
	assert_fact(graph, hop, "cpu.governor", 1, "powersave");
}

static void guest_disk_without_an_address_goes_by_serial_or_name(void **state)
{
	static const struct row rows[] = {
		{ "g", "sda", "block.links", "disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-scsi1" },
		{ "g", "vdb", "block.serial", "ABC" },
		{ "g", "vdc", "note", "by name" },
		{ "h", "web/scsi0", "vdisk.bus", "scsi" },
		{ "h", "web/scsi1", "vdisk.bus", "scsi" },
		{ "h", "web/scsi1", "vdisk.cache", "none" },
		{ "h", "web/vdz", "vdisk.serial", "ABC" },
		{ "h", "web/vdz", "vdisk.cache", "unsafe" },
		{ "h", "web/vdc", "vdisk.bus", "virtio" },
		{ "h", "web/vdc", "vdisk.cache", "directsync" },
		{ "h", "web", "vm.id", "101" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *sda = add_hop(graph, "sda", "g", "/dev/sda");
	const struct hl_hop *vdb = add_hop(graph, "vdb", "g", "/dev/vdb");
	const struct hl_hop *vdc = add_hop(graph, "vdc", "g", "/dev/vdc");

	(void)state;
	add_host(graph, "h", NULL, NULL);
	add_host(graph, "g", "h", "101");
	ADD_ROWS(graph, rows);
	assert_fact(graph, sda, "vdisk.cache", 0, "none");
	assert_fact(graph, vdb, "vdisk.cache", 0, "unsafe");
	assert_fact(graph, vdc, "vdisk.cache", 0, "directsync");
	assert_fact(graph, vdc, "vdisk.cache", 1, NULL);
}

static void passed_through_drive_leads_to_the_chain_of_the_host(void **state)
{
	static const struct row rows[] = {
		{ "g", "nvme0n1", "block.pci_address", "0000:06:00.0" },
		{ "g", "0000:06:00.0", "pcie.note", "in the guest" },
		{ "h", "nas/hostpci0", "passthrough.guest_address", "0000:06:00.0" },
		{ "h", "nas/hostpci0", "passthrough.address", "c1:00.0" },
		{ "h", "0000:c1:00.0", "pcie.note", "on the host" },
		{ "h", "0000:c1:00.0", "pcie.parent", "0000:c0:01.1" },
		{ "h", "0000:c0:01.1", "pcie.note", "port" },
		{ "h", "nas", "vm.id", "100" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *hop = add_hop(graph, "raw", "g", "/dev/nvme0n1");

	(void)state;
	add_host(graph, "h", NULL, NULL);
	add_host(graph, "g", "h", "100");
	ADD_ROWS(graph, rows);
	assert_fact(graph, hop, "pcie.note", 0, "in the guest");
	assert_fact(graph, hop, "pcie.note", 1, "on the host");
	assert_fact(graph, hop, "pcie.note", 2, "port");
}

static void root_port_tells_which_drive_was_passed_through(void **state)
{
	static const struct row rows[] = {
		{ "g", "nvme0n1", "block.pci_address", "0000:02:00.0" },
		{ "g", "0000:02:00.0", "pcie.parent", "0000:00:1c.1" },
		{ "h", "nas/hostpci0", "passthrough.guest_port", "0000:00:1c.0" },
		{ "h", "nas/hostpci0", "passthrough.address", "c1:00.0" },
		{ "h", "nas/hostpci1", "passthrough.guest_port", "0000:00:1c.1" },
		{ "h", "nas/hostpci1", "passthrough.address", "0000:c2:00" },
		{ "h", "0000:c1:00.0", "pcie.note", "first" },
		{ "h", "0000:c2:00.0", "pcie.note", "second" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *hop = add_hop(graph, "raw", "g", "/dev/nvme0n1");

	(void)state;
	add_host(graph, "h", NULL, NULL);
	add_host(graph, "g", "h", "nas");
	ADD_ROWS(graph, rows);
	assert_fact(graph, hop, "pcie.note", 0, "second");
	assert_fact(graph, hop, "pcie.note", 1, NULL);
}

static void pci_address_is_read_as_definitions_write_it(void **state)
{
	static const struct {
		const char *address;
		const char *first, *second;
	} cases[] = {
		{ "d0:13.1", "1", NULL },
		{ "0000:d0:13.1", "1", NULL },
		{ "d0:13", "0", "1" },
		{ "0000:d0:13", "0", "1" },
		{ "0000:d0:13.1;0000:d0:13.0", "1", "0" },
		{ "d0:13.", NULL, NULL },
		{ "pcie", NULL, NULL },
		{ "", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct row rows[] = {
			{ "h", "x", "passthrough.address", cases[i].address },
			{ "h", "0000:d0:13.0", "note", "0" },
			{ "h", "0000:d0:13.1", "note", "1" },
		};
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct hl_hop *hop = add_hop(graph, "x", "h", "/dev/x");

		ADD_ROWS(graph, rows);
		assert_fact(graph, hop, "note", 0, cases[i].first);
		assert_fact(graph, hop, "note", 1, cases[i].second);
	}
}

static void guest_nic_leads_to_vf_and_card(void **state)
{
	static const struct row rows[] = {
		{ "g", "s@p:1", "iscsi.nic", "eth1" },
		{ "g", "sdb", "block.session", "s@p:1" },
		{ "g", "eth1", "link.mac", "52:54:00:AA:00:01" },
		{ "h", "enp1/vf2", "vf.mac", "52:54:00:aa:00:01" },
		{ "h", "enp1/vf2", "vf.note", "two" },
		{ "h", "enp1/vf1", "vf.note", "one" },
		{ "h", "enp1", "link.pci_address", "0000:81:00.0" },
		{ "h", "0000:81:00.0", "pcie.note", "card" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *hop = add_hop(graph, "disk", "g", "/dev/sdb");

	(void)state;
	add_host(graph, "h", NULL, NULL);
	add_host(graph, "g", "h", "9");
	ADD_ROWS(graph, rows);
	assert_fact(graph, hop, "vf.note", 0, "two");
	assert_fact(graph, hop, "vf.note", 1, NULL);
	assert_fact(graph, hop, "pcie.note", 0, "card");
}

static void pod_shares_disks_but_no_network_with_its_host(void **state)
{
	static const struct row rows[] = {
		{ "p", "/data", "mount.device", "sdb" },
		{ "p", "sdb", "block.note", "as the pod sees it" },
		{ "w", "sdb", "block.session", "s@p:1" },
		{ "w", "s@p:1", "iscsi.note", "session" },
		{ "p", "s@p:1", "iscsi.nic", "eth0" },
		{ "p", "eth0", "link.note", "pod" },
		{ "w", "eth0", "link.note", "worker" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *hop = add_hop(graph, "pvc", "p", "file:/data/x");

	(void)state;
	add_host(graph, "w", NULL, NULL);
	add_host(graph, "p", "w", NULL);
	ADD_ROWS(graph, rows);
	assert_fact(graph, hop, "iscsi.note", 0, "session");
	assert_fact(graph, hop, "link.note", 0, NULL);
}

static void imported_result_stands_on_the_disks_that_it_names(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "fio", NULL, NULL);

	(void)state;
	hl_graph_add_disk(graph, hop)->name = "nvme0n1";
	ADD_ROWS(graph, nvme);
	assert_fact(graph, hop, "smart.note", 0, "worn");
}

static void disk_of_two_hosts_is_not_guessed(void **state)
{
	static const struct row rows[] = { { "a", "sda", "note", "a" },
					   { "b", "sda", "note", "b" } };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_hop(graph, "fio", NULL, NULL);

	(void)state;
	hl_graph_add_disk(graph, hop)->name = "sda";
	ADD_ROWS(graph, rows);
	assert_fact(graph, hop, "note", 0, NULL);
}

static void fact_belongs_to_the_first_hop_that_stands_on_it(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *raw, *file;

	(void)state;
	ADD_ROWS(graph, nvme);
	assert_null(hl_place_hop(graph, graph->facts[0]));
	raw = add_hop(graph, "raw", "h", "/dev/nvme0n1");
	file = add_hop(graph, "part", "h", "/dev/nvme0n1p1");
	file->after = raw;
	assert_ptr_equal(hl_place_hop(graph, hl_place_fact(graph, NULL, "smart.note", 0)), raw);
	assert_ptr_equal(hl_place_hop(graph, hl_place_fact(graph, file, "pcie.note", 1)), raw);
	assert_null(hl_place_hop(graph, hl_place_fact(graph, NULL, "pcie.note", 2)));
}

static void fact_beside_another_is_of_the_same_host_and_node(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_fact *fact;

	(void)state;
	ADD_ROWS(graph, nvme);
	fact = hl_place_beside(graph, graph->facts[4], "pcie.parent");
	assert_string_equal(fact->string, "0000:00:01.1");
	assert_null(hl_place_beside(graph, graph->facts[9], "pcie.parent"));
}

static void facts_added_later_are_found(void **state)
{
	static const struct row of_job[] = { { "h", "raw/job", "run.note", "measured" } };
	static const struct row way[] = { { "h", "nvme0n1", "block.below", "sdx" },
					  { "h", "sdx", "run.note", "below" },
					  { "h", "sdx", "pcie.note", "far" } };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *hop = add_hop(graph, "raw", "h", "/dev/nvme0n1");

	(void)state;
	ADD_ROWS(graph, nvme);
	assert_fact(graph, hop, "pcie.note", 1, "port");
	ADD_ROWS(graph, of_job);
	assert_fact(graph, NULL, "run.note", 0, "measured");
	assert_fact(graph, NULL, "run.note", 1, NULL);
	assert_fact(graph, hop, "run.note", 0, NULL);
	ADD_ROWS(graph, way);
	assert_fact(graph, hop, "run.note", 0, "below");
	assert_fact(graph, NULL, "run.note", 1, "below");
	assert_fact(graph, NULL, "pcie.note", 4, "far");
}

static void circles_end(void **state)
{
	static const struct row rows[] = {
		{ "h", "a", "block.below", "b a" },
		{ "h", "b", "block.below", "c" },
		{ "h", "c", "block.below", "a" },
		{ "h", "c", "note", "there" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *hop = add_hop(graph, "x", "h", "/dev/a");

	(void)state;
	add_host(graph, "h", "i", NULL);
	add_host(graph, "i", "h", "h");
	ADD_ROWS(graph, rows);
	assert_fact(graph, hop, "note", 0, "there");
	assert_fact(graph, hop, "note", 1, NULL);
}

static void ten_thousand_facts_are_asked_in_no_time(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_hop *hop = add_hop(graph, "x", "h", "/dev/n0");
	clock_t start = clock();
	size_t nr = 0;

	(void)state;
	for (size_t i = 0; i < 5000; i++) {
		char name[32], next[32];
		const struct hl_origin origin = { "h", name, "file" };

		snprintf(name, sizeof(name), "n%zu", i);
		snprintf(next, sizeof(next), "n%zu", i + 1);
		hl_graph_add_string(graph, &origin, "block.below", next);
		hl_graph_add_number(graph, &origin, "note", (double)i);
	}
	for (size_t i = 0; i < 1000; i++)
		nr += hl_place_fact(graph, hop, "note", i) != NULL;
	while (hl_place_fact(graph, NULL, "note", nr))
		nr++;
	assert_int_equal(nr, 5000);
	assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 2);
}

/* A configuration that is pasted a thousand times; and evidence, which comes later. */
static void disk_that_is_told_of_often_is_asked_in_no_time(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_origin origin = { "h", "sda", "file" };
	clock_t start = clock();

	(void)state;
	for (size_t i = 0; i < 50000; i++) {
		hl_graph_add_number(graph, &origin, i < 25000 ? "note" : "run.read_bw", 1);
		if (i == 25000)
			assert_null(hl_place_fact(graph, NULL, "run.write_bw", 0));
	}
	for (size_t i = 0; i < 100000; i++) {
		assert_null(hl_place_beside(graph, graph->facts[0], "block.model"));
		assert_null(hl_place_fact(graph, NULL, "run.write_bw", 0));
	}
	assert_non_null(hl_place_fact(graph, NULL, "run.read_bw", 24999));
	assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drive_leads_to_its_pcie_chain_nearest_first),
		cmocka_unit_test(partition_is_cut_off_only_where_it_is_one),
		cmocka_unit_test(drive_is_found_by_the_serial_in_its_name),
		cmocka_unit_test(zvol_leads_to_pool_and_drives),
		cmocka_unit_test(all_targets_of_a_hop_count),
		cmocka_unit_test(file_stands_on_the_longest_mount_point),
		cmocka_unit_test(data_set_stands_in_its_pool),
		cmocka_unit_test(session_leads_to_nic_and_to_the_zvol_of_its_target),
		cmocka_unit_test(target_without_a_session_goes_by_the_route),
		cmocka_unit_test(one_of_two_luns_is_not_guessed),
		cmocka_unit_test(initiator_gets_the_lun_that_its_group_maps),
		cmocka_unit_test(broken_targets_lead_nowhere),
		cmocka_unit_test(guest_disk_leads_to_its_definition_and_source),
		cmocka_unit_test(guest_disk_without_an_address_goes_by_serial_or_name),
		cmocka_unit_test(passed_through_drive_leads_to_the_chain_of_the_host),
		cmocka_unit_test(root_port_tells_which_drive_was_passed_through),
		cmocka_unit_test(pci_address_is_read_as_definitions_write_it),
		cmocka_unit_test(guest_nic_leads_to_vf_and_card),
		cmocka_unit_test(pod_shares_disks_but_no_network_with_its_host),
		cmocka_unit_test(imported_result_stands_on_the_disks_that_it_names),
		cmocka_unit_test(disk_of_two_hosts_is_not_guessed),
		cmocka_unit_test(fact_belongs_to_the_first_hop_that_stands_on_it),
		cmocka_unit_test(fact_beside_another_is_of_the_same_host_and_node),
		cmocka_unit_test(facts_added_later_are_found),
		cmocka_unit_test(circles_end),
		cmocka_unit_test(ten_thousand_facts_are_asked_in_no_time),
		cmocka_unit_test(disk_that_is_told_of_often_is_asked_in_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
