/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lsblk as text and JSON, with its tree and without. The texts are made by hand in its format.
 */
#include "fact_reader.h"

#define IMPORT __attribute__((cleanup(import_free))) struct import

static const char tree[] = "root@host:~# lsblk\n"
			   "NAME               MAJ:MIN RM   SIZE RO TYPE  MOUNTPOINTS\n"
			   "sda                  8:0    0   3.6T  0 disk  \n"
			   "├─sda1               8:1    0     1G  0 part  /boot\n"
			   "└─sda2               8:2    0   3.6T  0 part  \n"
			   "  └─md0              9:0    0   3.6T  0 raid1 \n"
			   "    └─vg-data      253:0    0     3T  0 lvm   /srv/my data\n"
			   "sdb                  8:16   0   3.6T  0 disk  \n"
			   "└─sdb2               8:18   0   3.6T  0 part  \n"
			   "  └─md0              9:0    0   3.6T  0 raid1 \n"
			   "    └─vg-data      253:0    0     3T  0 lvm   /srv/my data\n"
			   "sr0                 11:0    1  1024M  1 rom   \n"
			   "nvme0n1            259:0    0     7T  0 disk  /run/netns\n"
			   "                                               /\n"
			   "root@host:~# exit\n";

static void the_tree_says_what_stands_on_what(void **unused)
{
	IMPORT import = import_text(tree);

	(void)unused;
	assert_text("sda", &import, "sda1", "block.below");
	assert_text("sda2 sdb2", &import, "md0", "block.below");
	assert_text("md0", &import, "vg-data", "block.below");
	assert_null(fact_of(&import, "sdb", "block.below"));
	assert_text("raid1", &import, "md0", "block.type");
	assert_near(7 * 1099511627776.0, number_of(&import, "nvme0n1", "block.size"));
	assert_int_equal(1, boolean_of(&import, "sr0", "block.is_read_only"));
	assert_text("sda1", &import, "/boot", "mount.device");
	assert_text("nvme0n1", &import, "/", "mount.device");
	assert_text("nvme0n1", &import, "/run/netns", "mount.device");
	assert_string_equal("f.txt:3", fact_of(&import, "sda", "block.size")->source);
}

static void a_tree_in_ascii_is_the_same(void **unused)
{
	IMPORT import = import_text("NAME     MAJ:MIN RM  SIZE RO TYPE MOUNTPOINT\n"
				    "sda        8:0    0  3,6T  0 disk \n"
				    "|-sda1     8:1    0    1G  0 part /boot\n"
				    "`-sda2     8:2    0  3,6T  0 part \n"
				    "  `-luks 253:0    0  3,6T  0 crypt /srv\n");

	(void)unused;
	assert_text("sda", &import, "sda2", "block.below");
	assert_text("sda2", &import, "luks", "block.below");
	assert_text("luks", &import, "/srv", "mount.device");
	assert_near(3.6 * 1099511627776.0, number_of(&import, "sda", "block.size"));
}

static void types_make_up_for_a_tree_that_was_lost(void **unused)
{
	IMPORT import = import_text("NAME MAJ:MIN RM SIZE RO TYPE MOUNTPOINT\n"
				    "sda 8:0 0 3.6T 0 disk\n"
				    "sda1 8:1 0 1G 0 part /boot\n"
				    "sda2 8:2 0 3.6T 0 part\n"
				    "vg-root 253:0 0 1T 0 lvm /\n"
				    "vg-swap 253:1 0 8G 0 lvm [SWAP]\n"
				    "sdb 8:16 0 3.6T 0 disk\n");

	(void)unused;
	assert_text("sda", &import, "sda2", "block.below");
	assert_text("sda2", &import, "vg-root", "block.below");
	assert_text("sda2", &import, "vg-swap", "block.below");
	assert_null(fact_of(&import, "sdb", "block.below"));
	assert_text("vg-root", &import, "/", "mount.device");
}

static void empty_cells_leave_the_others_in_their_columns(void **unused)
{
	IMPORT import = import_text("NAME    FSTYPE MOUNTPOINT ROTA SCHED       RQ-SIZE   RA MODEL "
				    "               SIZE\n"
				    "sda                          1 mq-deadline     256  128 "
				    "ST18000NM000J 2TV   16.4T\n"
				    "nvme0n1 ext4   /data         0 none           1023 4096 "
				    "KCD61LUL7T68           7T\n");

	(void)unused;
	assert_int_equal(1, boolean_of(&import, "sda", "block.is_rotational"));
	assert_text("mq-deadline", &import, "sda", "block.scheduler");
	assert_near(256, number_of(&import, "sda", "block.nr_requests"));
	assert_text("ST18000NM000J 2TV", &import, "sda", "drive.model");
	assert_near(4096 * 1024, number_of(&import, "nvme0n1", "block.read_ahead"));
	assert_text("nvme0n1", &import, "/data", "mount.device");
	assert_text("ext4", &import, "/data", "mount.fs_type");
	assert_null(fact_of(&import, "sda", "mount.device"));
}

static void json_of_old_and_new_versions_is_read(void **unused)
{
	IMPORT now = import_json("{'blockdevices':[{'name':'sda','maj:min':'8:0','rm':false,"
				 "'size':4000787030016,'ro':false,'type':'disk','rota':true,"
				 "'mountpoints':[null],'children':[{'name':'sda1','type':'part',"
				 "'size':'1G','mountpoints':['/boot',null]}]}]}");
	IMPORT old = import_json("{'blockdevices': [\n {'name': 'sda', 'maj:min': '8:0',"
				 " 'size': '3.6T', 'ro': '0', 'type': 'disk',"
				 " 'mountpoint': '/data'}\n]}\n");
	IMPORT mounts = import_json("{'filesystems': [{'target':'/', 'source':'/dev/sda2[/@]',"
				    "'fstype':'btrfs','options':'rw','children':["
				    "{'target':'/proc','source':'proc','fstype':'proc'},"
				    "{'target':'/data','source':'tank/data','fstype':'zfs'}]}]}");

	(void)unused;
	assert_near(4000787030016.0, number_of(&now, "sda", "block.size"));
	assert_int_equal(1, boolean_of(&now, "sda", "block.is_rotational"));
	assert_text("sda", &now, "sda1", "block.below");
	assert_text("sda1", &now, "/boot", "mount.device");
	assert_text("sda", &old, "/data", "mount.device");
	assert_int_equal(0, boolean_of(&old, "sda", "block.is_read_only"));
	assert_text("sda2", &mounts, "/", "mount.device");
	assert_text("/@", &mounts, "/", "mount.root");
	assert_text("tank/data", &mounts, "/data", "mount.device");
	assert_null(fact_of(&mounts, "/proc", "mount.device"));
}

static void pairs_are_read_in_any_order(void **unused)
{
	IMPORT import = import_text(
		"lsblk: dm-0: failed to get device path\n"
		"FSTYPE=\"\" KNAME=\"sda\" MAJ:MIN=\"8:0\" MODEL=\"EXAMPLE 1600  \" NAME=\"sda\" "
		"PHY-SEC=\"4096\" ROTA=\"1\" SIZE=\"149G\" TYPE=\"disk\" UUID=\"\"\n"
		"NAME=\"sda1\" MAJ_MIN=\"8:1\" SIZE=\"1G\" TYPE=\"part\" MOUNTPOINT=\"/boot\"\n"
		"NAME=\"my disk\" AND=\"more\"\n");

	(void)unused;
	assert_text("EXAMPLE 1600", &import, "sda", "drive.model");
	assert_int_equal(1, boolean_of(&import, "sda", "block.is_rotational"));
	assert_near(4096, number_of(&import, "sda", "block.physical_block_size"));
	assert_text("sda", &import, "sda1", "block.below");
	assert_text("sda1", &import, "/boot", "mount.device");
	assert_null(fact_of(&import, "my disk", "block.size"));
}

static void a_row_of_json_may_have_the_kernels_name_alone(void **unused)
{
	IMPORT import = import_text(
		"{ \"blockdevices\": [ { \"kname\": \"sda\", \"type\": \"disk\","
		" \"size\": 717046693650 } ] }\n");

	(void)unused;
	assert_near(717046693650., number_of(&import, "sda", "block.size"));
}

static void prefixes_and_other_tables_do_no_harm(void **unused)
{
	IMPORT other = import_text("NAME SIZE TYPE\nmy disk is big\nNAME RO SIZE\n");

	(void)unused;
	assert_int_equal(0, other.graph->nr_facts);
	for (size_t len = 0; len < sizeof(tree); len += 5) {
		IMPORT import = import_bytes(tree, len);

		assert_true(import.graph->nr_facts < 60);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tree_says_what_stands_on_what),
		cmocka_unit_test(a_tree_in_ascii_is_the_same),
		cmocka_unit_test(types_make_up_for_a_tree_that_was_lost),
		cmocka_unit_test(empty_cells_leave_the_others_in_their_columns),
		cmocka_unit_test(json_of_old_and_new_versions_is_read),
		cmocka_unit_test(pairs_are_read_in_any_order),
		cmocka_unit_test(a_row_of_json_may_have_the_kernels_name_alone),
		cmocka_unit_test(prefixes_and_other_tables_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
