/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Addresses, names and paths are found in text; what only looks like them is left.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/identity.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What is found in text, each in brackets. */
static void mark(const char *text, char *result, size_t size)
{
	size_t used = 0;

	result[0] = '\0';
	for (const char *at = text; *at;) {
		size_t len = 0;

		if (hl_identity_at(at, text, false, &len))
			used += (size_t)snprintf(result + used, size - used, "[%.*s]", (int)len,
						 at);
		at += len ? len : 1;
	}
}

static void every_notation_is_found(void **unused)
{
	static const struct {
		const char *text, *found;
	} cases[] = {
		{ "to 10.0.0.2:3260,1", "[10.0.0.2]" },
		{ "ip-192.168.1.20.", "[192.168.1.20]" },
		{ "link/ether 52:54:00:AB:cd:ef brd", "[52:54:00:AB:cd:ef]" },
		{ "52-54-00-ab-cd-ef", "[52-54-00-ab-cd-ef]" },
		{ "from fe80::5054:ff:feab:cdef%eth0", "[fe80::5054:ff:feab:cdef]" },
		{ "[2001:db8:0:0:1:0:0:1]:3260", "[2001:db8:0:0:1:0:0:1]" },
		{ "iqn.2005-10.org.freenas.ctl:pvc-1@10.0.0.2",
		  "[iqn.2005-10.org.freenas.ctl:pvc-1][10.0.0.2]" },
		{ "nqn.2014-08.org.nvmexpress:uuid:1b4e28ba-2fa1-11d2-883f-0016d3cca427",
		  "[nqn.2014-08.org.nvmexpress:uuid:1b4e28ba-2fa1-11d2-883f-0016d3cca427]" },
		{ "UUID=1b4e28ba-2fa1-11d2-883f-0016d3cca427",
		  "[1b4e28ba-2fa1-11d2-883f-0016d3cca427]" },
		{ "wwn-0x5000c500a1b2c3d4 naa.5000c500a1b2c3d4",
		  "[wwn-0x5000c500a1b2c3d4][naa.5000c500a1b2c3d4]" },
		{ "0x5000c500a1b2c3d4", "[0x5000c500a1b2c3d4]" },
		{ "eui.0025385b21404321", "[eui.0025385b21404321]" },
		{ "file=/mnt/acme/test.bin, size", "[/mnt/acme/test.bin]" },
		{ "/dev/disk/by-id/nvme-KIOXIA_X9A0A0", "[/dev/disk/by-id/nvme-KIOXIA_X9A0A0]" },
		{ "/dev/zvol/tank/pvc-1", "[/dev/zvol/tank/pvc-1]" },
		{ "ata-WDC_WD40EFRX-68WT0N0_WD-WCC4E1234567 ONLINE",
		  "[ata-WDC_WD40EFRX-68WT0N0_WD-WCC4E1234567]" },
		{ "tank/nvme-Samsung_SSD_970_EVO_500GB_S466NX0K123456_1-part3",
		  "[nvme-Samsung_SSD_970_EVO_500GB_S466NX0K123456_1]" },
		{ "scsi-35000c500a1b2c3d4 scsi-SATA_ST4000VN008-2DR1_ZDH0ABC1",
		  "[scsi-35000c500a1b2c3d4][scsi-SATA_ST4000VN008-2DR1_ZDH0ABC1]" },
		{ "usb-SanDisk_Cruzer_4C530001230815-0:0",
		  "[usb-SanDisk_Cruzer_4C530001230815-0:0]" },
		{ "nvme.144d-53343636-53616d73756e67-00000001",
		  "[nvme.144d-53343636-53616d73756e67-00000001]" },
		{ "nvme-eui.0025385b21404321-part1", "[eui.0025385b21404321]" },
		{ "C:\\bench\\test.dat", "[C:\\bench\\test.dat]" },
		{ "ask ann.o@acme.example.com.", "[ann.o@acme.example.com]" },
		{ "on storage1.acme.lan now", "[storage1.acme.lan]" },
	};
	char found[256];

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		mark(cases[i].text, found, sizeof(found));
		assert_string_equal(found, cases[i].found);
	}
}

static void what_names_nobody_is_left(void **unused)
{
	static const char *const texts[] = {
		"0000:01:00.0",
		"12:30:01",
		"2024-01-02 03:04:05",
		"fio-2.2.10 and fio-3.36",
		"iperf 3.12",
		"1.2.3",
		"1.2.3.4.5",
		"1.2.3.400",
		"127.0.0.1 0.0.0.0 255.255.255.0 ::1",
		"00:00:00:00:00:00 ff:ff:ff:ff:ff:ff",
		"863 MiB/s, 28.2k IOPS / drive",
		"1070 / 457",
		"/dev/sda1 /dev/nvme0n1p2 /dev/dm-3 /dev/loop0 /dev/md127 /dev/null /dev/vdb",
		"/sys/block/sda/queue/nr_requests /proc/diskstats /etc/fstab",
		"ls -l /dev/disk/by-id/ and /dev/disk/by-id",
		"pvc.fio.txt:12",
		"lat (usec): min=18, max=1203",
		"rw=randread, bs=(R) 4096B-4096B, ioengine=libaio",
		"a::",
		"nvme-cli nvme-thermal-throttle nvme-worn virtio-scsi-pci scsi-mod ata-piix",
		"scsi-0QEMU_QEMU_HARDDISK_drive nvme.c ata-Samsung_SSD_870_EVO usb-storage",
		"30-scrutiny-smart-nvme-failed.json smartctl-ata_disk.txt:12",
		"user@host",
		"",
	};
	char found[256];

	(void)unused;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		mark(texts[i], found, sizeof(found));
		if (found[0])
			fail_msg("found %s in: %s", found, texts[i]);
	}
}

static void paths_do_not_count_where_they_are_examples(void **unused)
{
	static const char text[] = "target = file:/MOUNTED/AT/x at 10.0.0.2";
	size_t len = 0;

	(void)unused;
	assert_null(hl_identity_at(strchr(text, '/'), text, true, &len));
	assert_non_null(hl_identity_at(strstr(text, "10."), text, true, &len));
	assert_int_equal(len, 8);
}

static void every_kind_says_how_its_stand_in_looks(void **unused)
{
	(void)unused;
	for (const struct hl_identity *kind = hl_identities; kind->name; kind++) {
		size_t nr_places = 0;

		for (const char *c = kind->format; *c; c++)
			nr_places += *c == '%';
		assert_int_equal(nr_places, kind->is_pair ? 2 : 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_notation_is_found),
		cmocka_unit_test(what_names_nobody_is_left),
		cmocka_unit_test(paths_do_not_count_where_they_are_examples),
		cmocka_unit_test(every_kind_says_how_its_stand_in_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
