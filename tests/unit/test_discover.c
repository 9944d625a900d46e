/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From facts to a path file: graphs written by hand, a row a fact. Whatever is found, the text that
 * comes of it is read back as a path.
 */
#include "hoploss/alloc.h"
#include "hoploss/discover.h"
#include "hoploss/guest.h"
#include "hoploss/path.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define IQN    "iqn.2005-10.org.freenas.ctl:pvc-1"
#define PORTAL "10.0.0.2:3260"

struct row {
	const char *host, *node, *key, *value;
};

static void add(struct hl_graph *graph, const struct row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct hl_origin origin = { rows[i].host, rows[i].node, "source" };

		hl_graph_add_string(graph, &origin, rows[i].key, rows[i].value);
	}
}
#define ADD_ROWS(graph, rows) add(graph, rows, sizeof(rows) / sizeof(*(rows)))

/* A pod's volume on a worker VM: LUN of a NAS VM on the same server, drives passed through. */
static const struct row whole[] = {
	{ "worker", "/data", "mount.device", "sdb" },
	{ "worker", "/other", "mount.device", "sdc" },
	{ "worker", "sdb", "block.session", IQN "@" PORTAL },
	{ "worker", "sdc", "block.session", "iqn.x:other@" PORTAL },
	{ "worker", "sdb", "block.links",
	  "disk/by-id/wwn-0x1 disk/by-path/ip-" PORTAL "-iscsi-" IQN "-lun-0" },
	{ "worker", IQN "@" PORTAL, "iscsi.nic", "eth1" },
	{ "worker", IQN "@" PORTAL, "iscsi.initiator", "iqn.2024-01.example:worker1" },
	{ "worker", "eth1", "link.driver", "virtio_net" },
	{ "worker", "eth1", "link.mac", "bc:24:11:00:00:01" },
	{ "nas", "eth0", "link.mac", "bc:24:11:00:00:02" },
	{ "pve", "101/net1", "vnic.mac", "BC:24:11:00:00:01" },
	{ "pve", "101/net1", "vnic.bridge", "vmbr1" },
	{ "pve", "vmbr1", "link.below", "enp1s0f0" },
	{ "pve", "100/net0", "vnic.mac", "BC:24:11:00:00:02" },
	{ "nas", IQN "/lun0", "target.backing", "/dev/zvol/tank/pvc-1" },
	{ "nas", "iqn.x:other/lun0", "target.backing", "/dev/zvol/tank/pvc-2" },
	{ "nas", "tank/pvc-1", "zvol.pool", "tank" },
	{ "nas", "tank/pvc-2", "zvol.pool", "tank" },
	{ "nas", "tank", "zpool.devices", "a1 nvme1n1p1" },
	{ "nas", "nvme0n1", "block.links",
	  "disk/by-id/nvme-eui.1 disk/by-id/nvme-KCD61LUL7T68_A disk/by-partuuid/a1" },
	{ "nas", "nvme1n1", "block.links", "disk/by-id/nvme-KCD61LUL7T68_B" },
	{ "nas", "nvme0n1", "block.controller", "nvme0" },
	{ "nas", "nvme1n1", "block.controller", "nvme1" },
	{ "nas", "nvme0", "drive.model", "KCD61LUL7T68" },
	{ "nas", "nvme1", "drive.model", "KCD61LUL7T68" },
	{ "nas", "nvme0n1", "block.pci_address", "0000:06:10.0" },
	{ "pve", "100/hostpci0", "passthrough.guest_address", "0000:06:10.0" },
	{ "pve", "100/hostpci0", "passthrough.address", "0000:c1:00.0" },
};

static struct hl_discovered *discover(struct hl_graph *graph, const char *host, const char *path)
{
	static const struct hl_discover_via vias[] = { { "pve", "ssh root@pve" } };
	const struct hl_discover asked = { .host = host, .path = path, .vias = vias, .nr_vias = 1 };
	struct hl_discovered *discovered = NULL;
	struct hl_error err = { 0 };

	hl_guest_find(graph);
	assert_int_equal(hl_discover(graph, &asked, &discovered, &err), 0);
	return discovered;
}

static struct hl_path *path_of(const struct hl_discovered *discovered)
{
	struct hl_path *path = NULL;
	struct hl_error err = { 0 };

	if (hl_path_parse("x", discovered->text, strlen(discovered->text), &path, &err) < 0)
		fail_msg("%s in\n%s", err.text, discovered->text);
	return path;
}

static void assert_hop(const struct hl_path *path, size_t index, const char *name,
		       enum hl_layer layer, const char *host, const char *target)
{
	const struct hl_path_hop *hop = &path->hops[index];

	assert_true(index < path->nr_hops);
	assert_string_equal(hop->name, name);
	assert_int_equal(hop->layer, layer);
	if (host)
		assert_string_equal(hop->host->name, host);
	if (target)
		assert_string_equal(hop->targets[0], target);
	if (index)
		assert_ptr_equal(hop->after, hop - 1);
}

static void assert_has(const struct hl_discovered *discovered, const char *line)
{
	if (!strstr(discovered->text, line))
		fail_msg("no \"%s\" in\n%s", line, discovered->text);
}

static const struct hl_path_host *host_of(const struct hl_path *path, const char *name)
{
	for (size_t i = 0; i < path->nr_hosts; i++) {
		if (!strcmp(path->hosts[i].name, name))
			return &path->hosts[i];
	}
	fail_msg("no host %s", name);
	return NULL;
}

static void whole_path_is_found_among_many_volumes(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_discovered *found;
	struct hl_path *path;

	(void)state;
	ADD_ROWS(graph, whole);
	found = discover(graph, "worker", "/data");
	path = path_of(found);
	assert_int_equal(path->nr_hops, 7);
	assert_hop(path, 0, "sheet", HL_LAYER_DATASHEET, NULL, NULL);
	assert_string_equal(path->hops[0].spec, "KCD61LUL7T68");
	assert_int_equal(path->hops[0].drives, 2);
	assert_hop(path, 1, "drives", HL_LAYER_DRIVE, "nas", "/dev/disk/by-id/nvme-KCD61LUL7T68_A");
	assert_string_equal(path->hops[1].targets[1], "/dev/disk/by-id/nvme-KCD61LUL7T68_B");
	assert_hop(path, 2, "zvol", HL_LAYER_POOL, "nas", "/dev/zvol/tank/pvc-1");
	assert_hop(path, 3, "loopback", HL_LAYER_TARGET, "nas", "iscsi://10.0.0.2/" IQN "/0");
	assert_hop(path, 4, "virtio", HL_LAYER_VNIC, "worker", "iscsi://10.0.0.2/" IQN "/0");
	assert_hop(path, 5, "initiator", HL_LAYER_INITIATOR, "worker",
		   "/dev/disk/by-path/ip-" PORTAL "-iscsi-" IQN "-lun-0");
	assert_hop(path, 6, "file", HL_LAYER_FILESYSTEM, "worker", "file:/data/hoploss.bin");
	hl_path_free(path);
	hl_discovered_free(found);
}

static void hosts_have_what_they_run_on_and_how_they_are_reached(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_discovered *found;
	struct hl_path *path;

	(void)state;
	ADD_ROWS(graph, whole);
	found = discover(graph, "worker", "/data");
	path = path_of(found);
	assert_string_equal(host_of(path, "worker")->on, "pve");
	assert_string_equal(host_of(path, "worker")->vm, "101");
	assert_string_equal(host_of(path, "nas")->vm, "100");
	assert_string_equal(host_of(path, "pve")->via[1], "root@pve");
	assert_null(host_of(path, "nas")->via);
	assert_has(found, "# via = ssh root@nas\n");
	hl_path_free(path);
	hl_discovered_free(found);
}

static void lines_say_where_they_come_from(void **state)
{
	static const char *const notes[] = {
		"# /data is on sdb: mount.device of /data on worker, source\n",
		"# nas serves " IQN "/lun0: target.backing of " IQN "/lun0 on nas, source\n",
		"# it is 101/net1 on pve: vnic.mac of 101/net1 on pve, source\n",
		"# a port of bridge vmbr1: vnic.bridge of 101/net1 on pve, source\n",
		"# which has enp1s0f0: link.below of vmbr1 on pve, source\n",
		"# both ends run on pve: no wire between them\n",
		("# which is 0000:c1:00.0 on pve: passthrough.address of 100/hostpci0 on pve, "
		 "source\n"),
		"# link.mac of eth1 (source) is vnic.mac of 101/net1 on pve (source)\n",
		"# initiator = iqn.2024-01.example:worker1\n",
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_discovered *found;

	(void)state;
	ADD_ROWS(graph, whole);
	found = discover(graph, "worker", "/data");
	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++)
		assert_has(found, notes[i]);
	assert_true(found->nr_facts > 8);
	hl_discovered_free(found);
}

static void initiator_gets_the_lun_that_its_group_maps(void **state)
{
	static const struct row own[] = {
		{ "nas", IQN "/lun0@iqn.2024-01.example:worker1", "target.backing",
		  "/dev/zvol/tank/own" },
		{ "nas", IQN "/lun0@iqn.2024-01.example:worker2", "target.backing",
		  "/dev/zvol/tank/others" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_discovered *found;
	struct hl_path *path;

	(void)state;
	ADD_ROWS(graph, whole);
	ADD_ROWS(graph, own);
	found = discover(graph, "worker", "/data");
	path = path_of(found);
	assert_hop(path, 2, "zvol", HL_LAYER_POOL, "nas", "/dev/zvol/tank/own");
	hl_path_free(path);
	hl_discovered_free(found);
}

static void two_ends_on_two_servers_have_a_wire(void **state)
{
	static const struct row elsewhere[] = { { "pve2", "7/net0", "vnic.mac",
						  "52:54:00:00:00:01" },
						{ "far", "eth0", "link.mac", "52:54:00:00:00:01" },
						{ "far", "/d", "mount.device", "sdz" },
						{ "far", "sdz", "block.session", IQN "@" PORTAL } };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_discovered *found;
	struct hl_path *path;

	(void)state;
	ADD_ROWS(graph, whole);
	ADD_ROWS(graph, elsewhere);
	found = discover(graph, "far", "/d/sub/file");
	path = path_of(found);
	assert_hop(path, 4, "network", HL_LAYER_WIRE, "far", "iscsi://10.0.0.2/" IQN "/0");
	assert_hop(path, 5, "initiator", HL_LAYER_INITIATOR, "far", "/dev/sdz");
	hl_path_free(path);
	hl_discovered_free(found);
}

static void what_nobody_tells_is_to_be_filled_in(void **state)
{
	static const struct row rows[] = {
		{ "worker", "/data", "mount.device", "sdb" },
		{ "worker", "sdb", "block.session", IQN "@" PORTAL },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_discovered *found;
	struct hl_path *path;

	(void)state;
	ADD_ROWS(graph, rows);
	found = discover(graph, "worker", "/data");
	path = path_of(found);
	assert_int_equal(path->nr_hops, 2);
	assert_hop(path, 0, "initiator", HL_LAYER_INITIATOR, "worker", "/dev/sdb");
	assert_has(found, "# [hop zvol]\n");
	assert_has(found, "# target = /dev/zvol/POOL/VOLUME\n");
	assert_has(found, "# target = iscsi://10.0.0.2/" IQN "/LUN\n");
	assert_true(found->nr_open >= 4);
	hl_path_free(path);
	hl_discovered_free(found);
}

static void virtual_disk_is_found_by_its_address_not_its_name(void **state)
{
	static const struct row rows[] = {
		{ "g", "/", "mount.device", "vda1" },
		{ "g", "vda1", "block.below", "vda" },
		{ "g", "vda", "block.pci_address", "0000:00:05.0" },
		{ "g", "eth0", "link.mac", "52:54:00:00:00:01" },
		{ "h", "web/net0", "vnic.mac", "52:54:00:00:00:01" },
		{ "h", "web/vda", "vdisk.guest_address", "0000:00:06.0" },
		{ "h", "web/vda", "vdisk.source", "/dev/wrong" },
		{ "h", "web/vdb", "vdisk.guest_address", "0000:00:05.0" },
		{ "h", "web/vdb", "vdisk.source", "/dev/vg/web" },
		{ "h", "dm-3", "block.links", "mapper/vg-web vg/web" },
		{ "h", "dm-3", "block.below", "sda3" },
		{ "h", "sda3", "block.below", "sda" },
		{ "h", "sda", "block.links", "disk/by-id/ata-X" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_discovered *found;
	struct hl_path *path;

	(void)state;
	ADD_ROWS(graph, rows);
	found = discover(graph, "g", "/srv");
	path = path_of(found);
	assert_int_equal(path->nr_hops, 3);
	assert_hop(path, 0, "drive", HL_LAYER_DRIVE, "h", "/dev/disk/by-id/ata-X");
	assert_hop(path, 1, "vdisk", HL_LAYER_VDISK, "g", "/dev/vda");
	assert_hop(path, 2, "file", HL_LAYER_FILESYSTEM, "g", "file:/srv/hoploss.bin");
	hl_path_free(path);
	hl_discovered_free(found);
}

static void volume_of_proxmox_is_the_one_zvol_of_that_name(void **state)
{
	static const struct row rows[] = {
		{ "g", "/", "mount.device", "sda" },
		{ "g", "sda", "block.links", "disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-scsi0" },
		{ "g", "eth0", "link.mac", "52:54:00:00:00:01" },
		{ "h", "101/net0", "vnic.mac", "52:54:00:00:00:01" },
		{ "h", "101/scsi0", "vdisk.bus", "scsi" },
		{ "h", "101/scsi0", "vdisk.source", "local-zfs:vm-101-disk-0" },
		{ "h", "rpool/data/vm-101-disk-0", "zvol.pool", "rpool" },
		{ "h", "rpool/data/vm-101-disk-1", "zvol.pool", "rpool" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_discovered *found;
	struct hl_path *path;

	(void)state;
	ADD_ROWS(graph, rows);
	found = discover(graph, "g", "/");
	path = path_of(found);
	assert_hop(path, 0, "zvol", HL_LAYER_POOL, "h", "/dev/zvol/rpool/data/vm-101-disk-0");
	assert_hop(path, 1, "vdisk", HL_LAYER_VDISK, "g",
		   "/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-scsi0");
	assert_has(found, "# [hop drives]\n");
	hl_path_free(path);
	hl_discovered_free(found);
}

static void partition_of_a_lun_goes_by_its_disk(void **state)
{
	static const struct row rows[] = {
		{ "worker", "/part", "mount.device", "sdb1" },
		{ "worker", "sdb1", "block.below", "sdb" },
		{ "worker", "sdb1", "block.session", IQN "@" PORTAL },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_discovered *found;
	struct hl_path *path;

	(void)state;
	ADD_ROWS(graph, whole);
	ADD_ROWS(graph, rows);
	found = discover(graph, "worker", "/part");
	path = path_of(found);
	assert_hop(path, 5, "initiator", HL_LAYER_INITIATOR, "worker",
		   "/dev/disk/by-path/ip-" PORTAL "-iscsi-" IQN "-lun-0");
	hl_path_free(path);
	hl_discovered_free(found);
}

static void multipath_is_a_hop_above_one_of_its_paths(void **state)
{
	static const struct row rows[] = {
		{ "worker", "/multi", "mount.device", "dm-0" },
		{ "worker", "dm-0", "block.below", "sdb sdd" },
		{ "worker", "dm-0", "block.links", "disk/by-id/dm-uuid-mpath-1 mapper/mpatha" },
		{ "worker", "sdd", "block.session", IQN "@10.0.1.2:3260" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_discovered *found;
	struct hl_path *path;

	(void)state;
	ADD_ROWS(graph, whole);
	ADD_ROWS(graph, rows);
	found = discover(graph, "worker", "/multi");
	path = path_of(found);
	assert_hop(path, 5, "initiator", HL_LAYER_INITIATOR, "worker", NULL);
	assert_hop(path, 6, "multipath", HL_LAYER_INITIATOR, "worker", "/dev/mapper/mpatha");
	assert_hop(path, 7, "file", HL_LAYER_FILESYSTEM, "worker", "file:/multi/hoploss.bin");
	hl_path_free(path);
	hl_discovered_free(found);
}

static void pod_is_followed_into_the_host_of_its_kernel(void **state)
{
	static const struct row pod[] = {
		{ "pod", "/var/lib/db", "mount.device", "sdb" },
		{ "pod", "", "system.boot_id", "b0" },
		{ "worker", "", "system.boot_id", "b0" },
		{ "other", "", "system.boot_id", "b1" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_discovered *found;
	struct hl_path *path;

	(void)state;
	ADD_ROWS(graph, whole);
	ADD_ROWS(graph, pod);
	found = discover(graph, "pod", "/var/lib/db");
	path = path_of(found);
	assert_hop(path, 5, "initiator", HL_LAYER_INITIATOR, "worker",
		   "/dev/disk/by-path/ip-" PORTAL "-iscsi-" IQN "-lun-0");
	assert_hop(path, 6, "file", HL_LAYER_FILESYSTEM, "pod", "file:/var/lib/db/hoploss.bin");
	hl_path_free(path);
	hl_discovered_free(found);
}

static void guest_claimed_by_two_machines_is_left_open_unless_one_is_off(void **state)
{
	static const struct row rows[] = {
		{ "g", "eth0", "link.mac", "52:54:00:00:00:01" },
		{ "h", "a/net0", "vnic.mac", "52:54:00:00:00:01" },
		{ "h", "clone/net0", "vnic.mac", "52:54:00:00:00:01" },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_GRAPH struct hl_graph *running = hl_graph_new();
	const struct hl_origin clone = { "h", "clone", "source" };

	(void)state;
	ADD_ROWS(graph, rows);
	hl_guest_find(graph);
	assert_null(hl_guest_host(graph, "g")->on);
	ADD_ROWS(running, rows);
	hl_graph_add_boolean(running, &clone, "vm.is_running", false);
	hl_guest_find(running);
	assert_string_equal(hl_guest_host(running, "g")->vm, "a");
}

static void unknown_leaf_is_an_error_that_names_one(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_discover asked = { .host = "nas", .path = "/data" };
	const struct hl_discover nobody = { .host = "nobody", .path = "/data" };
	struct hl_discovered *discovered = NULL;
	struct hl_error err = { 0 };

	(void)state;
	ADD_ROWS(graph, whole);
	assert_int_equal(hl_discover(graph, &asked, &discovered, &err), -ENOENT);
	assert_int_equal(hl_discover(graph, &nobody, &discovered, &err), -ENOENT);
	assert_non_null(strstr(err.text, "nobody"));
	assert_null(discovered);
}

static void hostile_names_break_no_line(void **state)
{
	static const struct row rows[] = {
		{ "w", "/data", "mount.device", "sdb" },
		{ "w", "sdb", "block.session", "iqn.x\n[host evil]\nvia = rm:y@1.2.3.4:3260" },
		{ "w", "sdb", "block.links", "disk/by-id/ata-x;y" },
		{ "w", "iqn.x", "iscsi.initiator", "a\nvia = b" },
		{ "w", "sdc", "block.below", "sda1" },
		{ "w", "/c", "mount.device", "sdc" },
		{ "w", "sda1", "block.below", "sdc" },
		{ "w", "/e", "mount.device", "tank x/\ty" },
	};
	static const char *const leaves[] = { "/data", "/data/a b", "/c", "/e", "/data/\n[hop y]" };

	(void)state;
	for (size_t i = 0; i < sizeof(leaves) / sizeof(*leaves); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct hl_discover asked = { .host = "w", .path = leaves[i] };
		struct hl_discovered *discovered = NULL;
		struct hl_error err = { 0 };
		int rc;

		ADD_ROWS(graph, rows);
		rc = hl_discover(graph, &asked, &discovered, &err);
		if (rc == 0) {
			assert_null(strstr(discovered->text, "\nvia = rm"));
			assert_null(strstr(discovered->text, "\n[hop y]"));
			hl_path_free(path_of(discovered));
		} else {
			assert_int_equal(rc, -EINVAL);
		}
		hl_discovered_free(discovered);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_path_is_found_among_many_volumes),
		cmocka_unit_test(hosts_have_what_they_run_on_and_how_they_are_reached),
		cmocka_unit_test(lines_say_where_they_come_from),
		cmocka_unit_test(initiator_gets_the_lun_that_its_group_maps),
		cmocka_unit_test(two_ends_on_two_servers_have_a_wire),
		cmocka_unit_test(what_nobody_tells_is_to_be_filled_in),
		cmocka_unit_test(virtual_disk_is_found_by_its_address_not_its_name),
		cmocka_unit_test(volume_of_proxmox_is_the_one_zvol_of_that_name),
		cmocka_unit_test(partition_of_a_lun_goes_by_its_disk),
		cmocka_unit_test(multipath_is_a_hop_above_one_of_its_paths),
		cmocka_unit_test(pod_is_followed_into_the_host_of_its_kernel),
		cmocka_unit_test(guest_claimed_by_two_machines_is_left_open_unless_one_is_off),
		cmocka_unit_test(unknown_leaf_is_an_error_that_names_one),
		cmocka_unit_test(hostile_names_break_no_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
