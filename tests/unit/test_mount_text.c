/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mount, findmnt and mountinfo as text. Made by hand in their formats.
 */
#include "fact_reader.h"

#define IMPORT __attribute__((cleanup(import_free))) struct import

static void what_mount_prints_is_read(void **unused)
{
	IMPORT import = import_text("sysfs on /sys type sysfs (rw,nosuid)\n"
				    "/dev/sda1 on / type ext4 (rw,relatime,errors=remount-ro)\n"
				    "/dev/mapper/vg-data on /srv/my data type xfs (rw)\n"
				    "tank/data on /mnt/tank type zfs (rw,xattr,posixacl)\n"
				    "nas:/export on /net type nfs4 (rw,vers=4.2)\n"
				    "and this is not one (no)\n");

	(void)unused;
	assert_text("sda1", &import, "/", "mount.device");
	assert_text("ext4", &import, "/", "mount.fs_type");
	assert_text("rw,relatime,errors=remount-ro", &import, "/", "mount.options");
	assert_text("mapper/vg-data", &import, "/srv/my data", "mount.device");
	assert_text("tank/data", &import, "/mnt/tank", "mount.device");
	assert_text("nas:/export", &import, "/net", "mount.device");
	assert_null(fact_of(&import, "/sys", "mount.fs_type"));
	assert_string_equal("f.txt:2", fact_of(&import, "/", "mount.device")->source);
}

static void a_bsd_puts_the_type_among_the_options(void **unused)
{
	IMPORT import = import_text("tank/data on /mnt/tank (zfs, local, nfsv4acls)\n");

	(void)unused;
	assert_text("zfs", &import, "/mnt/tank", "mount.fs_type");
}

static void mountinfo_names_the_volume_of_a_pod(void **unused)
{
	static const char csi[] =
		"1201 30 8:32 / "
		"/var/lib/kubelet/pods/5e-1/volumes/kubernetes.io~csi/pvc-4f2a/mount "
		"rw,relatime shared:9 - ext4 /dev/sdc rw\n"
		"31 30 8:16 / /my\\040data rw,noatime - xfs /dev/sdb rw,attr2\n"
		"32 30 8:16 /sub /bind rw,noatime shared:3 master:1 - xfs /dev/sdb rw,attr2\n"
		"33 30 0:20 / /bind rw - tmpfs tmpfs rw\n";
	IMPORT import = import_text(csi);
	const char *path = "/var/lib/kubelet/pods/5e-1/volumes/kubernetes.io~csi/pvc-4f2a/mount";

	(void)unused;
	assert_text("sdc", &import, path, "mount.device");
	assert_text("pvc-4f2a", &import, path, "mount.volume");
	assert_text("csi", &import, path, "mount.volume_plugin");
	assert_text("sdb", &import, "/my data", "mount.device");
	assert_text("tmpfs", &import, "/bind", "mount.device"); /* hides the one before */
	assert_null(fact_of(&import, "/bind", "mount.root"));
}

static void findmnt_draws_a_tree(void **unused)
{
	IMPORT import = import_text("TARGET                SOURCE           FSTYPE OPTIONS\n"
				    "/                     /dev/vda2[/@]    btrfs  rw,subvol=/@\n"
				    "├─/proc               proc             proc   rw\n"
				    "│ └─/proc/bus         systemd-1        autofs rw\n"
				    "├─/boot               /dev/vda1        ext4   rw\n"
				    "`-/data               /dev/sdb         xfs    rw,noatime\n");

	(void)unused;
	assert_text("vda2", &import, "/", "mount.device");
	assert_text("/@", &import, "/", "mount.root");
	assert_text("vda1", &import, "/boot", "mount.device");
	assert_text("rw,noatime", &import, "/data", "mount.options");
	assert_null(fact_of(&import, "/proc/bus", "mount.device"));
}

static void sentences_and_broken_lines_are_no_mounts(void **unused)
{
	IMPORT import = import_text("the disk on /data is slow (very)\nx on / (\n"
				    "36 25 8:1 / / rw - ext4\n36 25 81 / / rw - ext4 x y\n"
				    "TARGET SOURCE FSTYPE\n a b \\7\n");

	(void)unused;
	assert_int_equal(0, import.graph->nr_facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_mount_prints_is_read),
		cmocka_unit_test(a_bsd_puts_the_type_among_the_options),
		cmocka_unit_test(mountinfo_names_the_volume_of_a_pod),
		cmocka_unit_test(findmnt_draws_a_tree),
		cmocka_unit_test(sentences_and_broken_lines_are_no_mounts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
