/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/alloc.h"
#include "hoploss/hold.h"
#include "hoploss/scrub.h"
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RECORD(how, where, text)                                                                   \
	(struct hl_record)                                                                         \
	{                                                                                          \
		.kind = (how), .path = (where), .bytes = (text), .len = sizeof(text) - 1           \
	}

static void free_scrub(struct hl_scrub **scrub)
{
	hl_scrub_free(*scrub);
}
#define SCRUB __attribute__((cleanup(free_scrub)))

/* A record as it comes out; to be cleared. */
static struct hl_record pass(struct hl_scrub *scrub, const struct hl_record *record)
{
	struct hl_record copy;

	hl_scrub_learn(scrub, record);
	hl_scrub_record(scrub, record, &copy);
	return copy;
}

static bool holds(const struct hl_record *record, const char *secret)
{
	return memmem(record->bytes, record->len, secret, strlen(secret)) ||
	       strstr(record->path, secret);
}

static void check_gone(const char *path, const char *text, const char *secret)
{
	SCRUB struct hl_scrub *scrub = hl_scrub_new();
	const struct hl_record record = {
		.kind = HL_RECORD_FILE, .path = path, .bytes = text, .len = strlen(text)
	};
	struct hl_record copy = pass(scrub, &record);

	if (holds(&copy, secret))
		fail_msg("\"%s\" is still in \"%s\"", secret, copy.bytes);
	hl_scrub_record_clear(&copy);
}

static void check_kept(const char *path, const char *text)
{
	SCRUB struct hl_scrub *scrub = hl_scrub_new();
	const struct hl_record record = { .kind = strchr(path, '/') ? HL_RECORD_FILE
								    : HL_RECORD_KEPT,
					  .path = path,
					  .bytes = text,
					  .len = strlen(text) };
	struct hl_record copy = pass(scrub, &record);

	assert_string_equal(text, copy.bytes);
	assert_string_equal(path, copy.path);
	hl_scrub_record_clear(&copy);
}

static void what_names_a_part_is_replaced_wherever_it_stands(void **state)
{
	static const struct {
		const char *path, *text, *secret;
	} cases[] = {
		{ "sys/block/sda/device/serial", "S3Z8NB0K123456\n", "S3Z8NB0K" },
		{ "sys/block/nvme0n1/wwid", "eui.002538b911b37a28\n", "b911b37a28" },
		{ "sys/block/sda/device/wwid", "t10.ATA     Samsung SSD 860  S3Z8NB0K1\n",
		  "S3Z8NB" },
		{ "a.json", "{\n  \"serial_number\" : \"Z1Z2Z3Z4\" }", "Z1Z2Z3Z4" },
		{ "a.json", "{\"sn\":\"61H0A0B1TAB8      \",\"mn\":\"X\"}", "61H0A0B1TAB8" },
		{ "a.json", "{\"wwn\": {\n\"naa\": 5, \"oui\": 3152, \"id\": 47114711471}}",
		  "4711471147" },
		{ "a.json", "{\"nguid\":\"01000000000000008ce38e1500a3bf01\"}", "8ce38e15" },
		{ "a.txt", "Serial Number:    WD-WCC4N7654321\n", "WCC4N765" },
		{ "a.txt", "LU WWN Device Id: 5 0014ee 20fbb1234\n", "20fbb1234" },
		{ "a.txt", "Serial number:        ZA20BCDE0000C918\n", "ZA20BCDE" },
		{ "a.txt", "sn        : S4EVNF0M123456K\n", "S4EVNF0M" },
		{ "a.xml", "<serial>WD-WCC4N7654321</serial>", "WCC4N765" },
		{ "a.conf", "scsi0: tank:vm-1,serial=ABCD12345,size=8G", "ABCD12345" },
		{ "a.txt", "ls /dev/disk/by-id/ata-ST4000_ZDH1ABCD-part1", "ZDH1ABCD" },
		{ "a.txt", "/dev/disk/by-id/nvme-KIOXIA_KCD61LUL7T68_61H0A0B1TAB8_1",
		  "61H0A0B1TAB8" },
		{ "dev/disk/by-id/wwn-0x50014ee20fbb1234", "", "20fbb1234" },
		{ "dev/disk/by-id/ata-ST4000_ZDH1ABCD", "", "ZDH1ABCD" },
		{ "a.txt", "link/ether 3c:ec:ef:12:34:56 brd ff:ff:ff:ff:ff:ff", "3c:ec:ef" },
		{ "a.txt", "MACAddress 3C-EC-EF-12-34-56", "12-34-56" },
		{ "a.txt", "inet 192.168.17.23/24", "192.168" },
		{ "a.txt", "inet6 fe80::3eec:efff:fe12:3456/64", "fe12:3456" },
		{ "a.txt", "2001:4dd0:af:12::7", "4dd0" },
		{ "a.txt", "UUID=\"3f2504e0-4f89-11d3-9a0c-0305e82c3301\"", "9a0c" },
		{ "a.txt", "iqn.2005-10.org.freenas.ctl:geheim", "geheim" },
		{ "a.txt", "nqn.2014-08.org.nvmexpress:uuid:3f2504e0", "3f2504e0" },
		{ "a.txt", "root@mail.example.de and host nas.geheim.lan", "geheim" },
		{ "proc/sys/kernel/hostname", "geheimserver\n", "geheimserver" },
		{ "etc/pve/qemu-server/100.conf", "cores: 2\nname: geheimvm\n", "geheimvm" },
		{ "a.xml", "<domain type='kvm'>\n <name>geheimvm</name>", "geheimvm" },
		{ "a.txt", "geheim@nas:~$ ls\n", "geheim" },
		{ "a.txt", "root@geheimnas:/mnt# ls\n", "geheim" },
		{ "a.txt", "Linux geheimnas 6.8.12-4-pve #1 SMP\n", "geheim" },
		{ "a.json", "{\"chap_password\": \"Geh3im\", \"x\": 1}", "Geh3im" },
		{ "a.conf", "node.session.auth.password = Geh3im\n", "Geh3im" },
		{ "a.conf", "\tIncomingUser \"alice Geh3im\"\n", "Geh3im" },
		{ "a.conf", "cipassword: Geh3im\nsshkeys: ssh-rsa%20AAAAGeh3im\n", "Geh3im" },
		{ "a.xml", "<graphics type='vnc' passwd='Geh3im'/>", "Geh3im" },
		{ "a.pem", "-----BEGIN PRIVATE KEY-----\nMIIGeh3im\n-----END PRIVATE KEY-----\n",
		  "Geh3im" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_gone(cases[i].path, cases[i].text, cases[i].secret);
}

static void what_names_nobody_stays(void **state)
{
	(void)state;
	check_kept("sys/block/sda/queue/nr_requests", "256\n");
	check_kept("sys/bus/pci/devices/0000:01:00.0/numa_node", "-1\n");
	check_kept("a.txt", "LnkSta: Speed 8GT/s (downgraded), Width x4 at 12:30:01, v2.2.10\n");
	check_kept("a.json", "{\"nguid\": \"00000000000000000000000000000000\", \"sn\": \"none\"}");
	check_kept("a.txt", "smartctl 7.4, www.smartmontools.org, Serial ATA 3008, 127.0.0.1");
	check_kept("a.conf", "serial0: socket\nscsihw: virtio-scsi-single\n");
	check_kept("a.txt", "link/ether 00:00:00:00:00:00 brd ff:ff:ff:ff:ff:ff");
	check_kept("etc/pve/storage.cfg", "6.8.12-4-pve /etc/pve/x pve-manager");
}

static void one_thing_has_one_stand_in_in_all_its_shapes(void **state)
{
	SCRUB struct hl_scrub *scrub = hl_scrub_new();
	const struct hl_record record = RECORD(
		HL_RECORD_KEPT, "ip.txt",
		"3c:ec:ef:12:34:56 enx3cecef123456 3C-EC-EF-12-34-56 10.1.2.3 10.1.2.77 10.1.2.3");
	struct hl_record copy = pass(scrub, &record);
	char mac[18], bare[13], upper[18], one[16], two[16], three[16];

	(void)state;
	assert_int_equal(6, sscanf(copy.bytes, "%17s enx%12s %17s %15s %15s %15s", mac, bare, upper,
				   one, two, three));
	for (int i = 0; i < 6; i++) {
		assert_memory_equal(mac + 3 * i, bare + 2 * i, 2);
		assert_int_equal(toupper((unsigned char)mac[3 * i]), upper[3 * i]);
	}
	assert_memory_equal("02:", mac, 3);
	assert_string_equal(one, three);
	assert_string_equal(".77", strrchr(two, '.'));
	assert_memory_equal(one, two, (size_t)(strrchr(two, '.') - two));
	hl_scrub_record_clear(&copy);
}

static void a_name_may_stand_before_what_tells_of_it(void **state)
{
	SCRUB struct hl_scrub *scrub = hl_scrub_new();
	const struct hl_record link = RECORD(
		HL_RECORD_LINK, "dev/disk/by-id/scsi-SATA_S3Z8NB0K123456", "../../sda");
	const struct hl_record serial = RECORD(HL_RECORD_FILE, "sys/block/sda/device/serial",
					       "S3Z8NB0K123456");
	const struct hl_record wwid = RECORD(HL_RECORD_FILE, "sys/block/nvme1n1/wwid",
					     "nvme.144d-53335a384e42304b313233343536-00-1");
	struct hl_record links, serials, wwids;

	(void)state;
	hl_scrub_learn(scrub, &link);
	hl_scrub_learn(scrub, &serial);
	hl_scrub_learn(scrub, &wwid);
	hl_scrub_record(scrub, &link, &links);
	hl_scrub_record(scrub, &serial, &serials);
	hl_scrub_record(scrub, &wwid, &wwids);
	assert_false(holds(&links, "S3Z8NB0K"));
	assert_non_null(strstr(links.path, serials.bytes));
	assert_string_equal("../../sda", links.bytes);
	assert_false(holds(&wwids, "53335a384e42304b"));
	assert_memory_equal("nvme.144d-", wwids.bytes, 10);
	hl_scrub_record_clear(&links);
	hl_scrub_record_clear(&serials);
	hl_scrub_record_clear(&wwids);
}

static void names_that_are_words_of_a_format_stay_there(void **state)
{
	SCRUB struct hl_scrub *scrub = hl_scrub_new();
	const struct hl_record record = RECORD(
		HL_RECORD_KEPT, "a.txt",
		"{\"client\" : \"client\", \"client\": 1}\n<client dev='client'/></client>\n"
		"client: x\n client = client\n");
	struct hl_record copy;

	(void)state;
	hl_scrub_learn_name(scrub, "client");
	copy = pass(scrub, &record);
	assert_string_equal(
		"{\"client\" : \"name-1\", \"client\": 1}\n<client dev='name-1'/></client>\n"
		"client: x\n client = name-1\n",
		copy.bytes);
	hl_scrub_record_clear(&copy);
}

/* A host may be called like a word of any format. */
static void a_host_called_like_a_word_goes_where_names_stand(void **state)
{
	static const char *const names[] = { "vm",   "host", "nas",  "data",
					     "pool", "node", "disk", "target" };
	static const char *const places[] = {
		"root@%s:~# zpool list\n",
		"Linux %s 6.8.12-4-pve #1 SMP\n",
		"Linux 6.1.0 (%s) \t12/01/26\n",
		"[path]\n[host %s]\nvia = ssh root@%s\n[hop a]\nhost = %s\non = %s\nvm = %s\n",
		"{\"host\": \"%s\", \"hostname\" : \"%s\"}",
		"cores: 2\nname: %s\nscsihw: lsi\n",
		"<domain type='kvm'>\n<name>%s</name>\n",
		"Domain: '%s'\n",
		"-name\nguest=%s,debug-threads=on\n",
		"1 2 0:5 / /mnt rw - nfs4 %s:/x rw,addr=::1\n",
		"1 2 0:5 / /mnt rw - cifs //%s/x rw\n",
	};

	(void)state;
	for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++) {
		for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
			SCRUB struct hl_scrub *scrub = hl_scrub_new();
			HL_FREE char *text = hl_strdup(places[i]);
			HL_FREE char *clean = NULL;
			HL_FREE char *expected = NULL;
			char *at;

			expected = hl_strdup(text);
			while ((at = strstr(text, "%s"))) {
				char *longer = hl_printf("%.*s%s%s", (int)(at - text), text,
							 names[n], at + 2);
				free(text);
				text = longer;
			}
			while ((at = strstr(expected, "%s"))) {
				char *longer = hl_printf("%.*sname-1%s", (int)(at - expected),
							 expected, at + 2);
				free(expected);
				expected = longer;
			}
			hl_scrub_learn_name(scrub, names[n]);
			clean = hl_scrub_text(scrub, text);
			if (!strstr(text, "/mnt")) /* of which the path goes, too */
				assert_string_equal(expected, clean);
			else if (!strstr(clean, " name-1:/") && !strstr(clean, "//name-1/"))
				fail_msg("%s", clean);
		}
	}
}

static void a_word_that_is_a_host_stays_where_it_is_a_word(void **state)
{
	static const char *const texts[] = {
		"{\"type\": \"disk\", \"disk\": \"disk\", \"vm\": 1}",
		"<disk type='block' device='disk'><target dev='vda'/></disk>\n",
		"sda 8:0 0 1G 0 disk /srv\n",
		"  pool: x\n state: ONLINE\n",
		"NAME pool data disk\n",
		"layer = pool\nmedium = ram\n",
		"vm: 3\nhost: 4\ndata = 5\n",
	};
	static const char *const names[] = {
		"vm", "host", "data", "pool", "disk", "target", "block"
	};
	SCRUB struct hl_scrub *scrub = hl_scrub_new();

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		hl_scrub_learn_name(scrub, names[i]);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		HL_FREE char *clean = hl_scrub_text(scrub, texts[i]);

		assert_string_equal(texts[i], clean);
	}
}

static void the_file_of_a_hosts_name_holds_its_stand_in(void **state)
{
	(void)state;
	check_gone("proc/sys/kernel/hostname", "pool\n", "pool");
	check_gone("etc/hostname", "vm.geheim.lan\n", "vm");
	check_kept("sys/class/usb_role/a/role", "host\n");
}

static void sources_of_mounts_go_though_they_are_no_paths(void **state)
{
	static const struct {
		const char *text, *secret;
	} cases[] = {
		{ "geheim:/export on /mnt type nfs4 (rw)\n", "geheim" },
		{ "nas:/geheim/x on /mnt type nfs (rw)\n", "geheim" },
		{ "36 25 0:52 / /mnt rw - nfs4 geheim:/export rw\n", "geheim" },
		{ "//geheim/share /mnt cifs rw 0 0\n", "geheim" },
		{ "//nas/geheim on /mnt type cifs (rw)\n", "geheim" },
		{ "//nas/share/geheim on /mnt type cifs (rw)\n", "geheim" },
		{ "36 25 0:52 / /mnt rw - cifs //nas/geheim rw\n", "geheim" },
		{ "alice@geheim:/x on /mnt type fuse.sshfs (rw)\n", "geheim" },
		{ "geheim@nas:/x on /mnt type fuse.sshfs (rw)\n", "geheim" },
		{ "LABEL=geheim /mnt ext4 rw 0 0\n", "geheim" },
		{ "PARTLABEL=geheim /mnt ext4 rw 0 0\n", "geheim" },
		{ "geheim/data on /mnt type zfs (rw)\n", "geheim" },
		{ "tank/geheim on /mnt type zfs (rw)\n", "geheim" },
		{ "geheim:/export  1000 500 500 50% /mnt\n", "geheim" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_gone("mount.txt", cases[i].text, cases[i].secret);
}

static void words_parted_by_nul_are_text(void **state)
{
	static const char text[] = "qemu\0-drive\0file=/dev/sda,serial=ABCD12345\0ip=10.1.2.3";
	SCRUB struct hl_scrub *scrub = hl_scrub_new();
	const struct hl_record record = RECORD(HL_RECORD_FILE, "proc/9/cmdline", text);
	struct hl_record copy = pass(scrub, &record);

	(void)state;
	assert_false(holds(&copy, "ABCD12345"));
	assert_false(holds(&copy, "10.1.2.3"));
	assert_memory_equal(text, copy.bytes, sizeof("qemu\0-drive\0file=/dev/sda,serial=") - 1);
	hl_scrub_record_clear(&copy);
}

static void by_path_names_keep_to_the_target_that_they_name(void **state)
{
	SCRUB struct hl_scrub *scrub = hl_scrub_new();
	const struct hl_record record = RECORD(
		HL_RECORD_LISTING, "dev/disk/by-path",
		"ip-10.0.0.2:3260-iscsi-iqn.2005-10.org.freenas.ctl:a-lun-0-part1\n"
		"iqn.2005-10.org.freenas.ctl:a\n");
	struct hl_record copy = pass(scrub, &record);
	HL_FREE char *first = NULL;
	const char *iqn = strstr(copy.bytes, "iqn.");
	const char *lun = strstr(copy.bytes, "-lun-0-part1\n");

	(void)state;
	assert_true(iqn && lun);
	first = hl_strndup(iqn, (size_t)(lun - iqn));
	assert_non_null(strstr(lun, first));
	hl_scrub_record_clear(&copy);
}

static void a_name_in_a_listing_is_that_of_its_path(void **state)
{
	SCRUB struct hl_scrub *scrub = hl_scrub_new();
	const struct hl_record host = RECORD(HL_RECORD_FILE, "proc/sys/kernel/hostname", "lab\n");
	const struct hl_record record = RECORD(HL_RECORD_LISTING, "sys/x",
					       "lab\niqn.2005-10.org:a\n");
	const struct hl_record file = RECORD(HL_RECORD_FILE, "sys/x/lab", "of lab\n");
	struct hl_record learned = pass(scrub, &host), listing = pass(scrub, &record);
	struct hl_record copy = pass(scrub, &file);

	(void)state;
	assert_false(holds(&copy, "of lab"));
	assert_string_equal("sys/x/lab", copy.path);
	assert_true(holds(&listing, "lab\n"));
	assert_false(holds(&listing, "2005-10"));
	hl_scrub_record_clear(&learned);
	hl_scrub_record_clear(&listing);
	hl_scrub_record_clear(&copy);
}

/* A config space whose second extended capability is the serial number. */
static void make_config(unsigned char *config)
{
	static const unsigned char serial[] = { 0x56, 0x34, 0x12, 0xff, 0xff, 0xef, 0xec, 0x3c };
	static const unsigned char first[] = { 1, 0, 1, 0x14 }, second[] = { 3, 0, 1, 0 };

	memset(config, 0, 512);
	memcpy(config + 0x100, first, sizeof(first));
	memcpy(config + 0x140, second, sizeof(second));
	memcpy(config + 0x144, serial, sizeof(serial));
}

static void device_serial_numbers_leave_config_space(void **state)
{
	SCRUB struct hl_scrub *scrub = hl_scrub_new();
	unsigned char config[512];
	struct hl_record record = { .kind = HL_RECORD_FILE,
				    .path = "sys/devices/pci0000:00/0000:01:00.0/config",
				    .bytes = (char *)config,
				    .len = sizeof(config) };
	struct hl_record copy;

	(void)state;
	make_config(config);
	copy = pass(scrub, &record);
	assert_int_equal(sizeof(config), copy.len);
	assert_memory_equal(config, copy.bytes, 0x144);
	assert_memory_not_equal(config + 0x144, copy.bytes + 0x144, 8);
	assert_memory_equal(config + 0x14c, copy.bytes + 0x14c, sizeof(config) - 0x14c);
	hl_scrub_record_clear(&copy);
	record.len = 0x148; /* cut short within it */
	copy = pass(scrub, &record);
	assert_memory_equal(config, copy.bytes, 0x148);
	hl_scrub_record_clear(&copy);
}

static void device_serial_numbers_leave_hex_dumps_too(void **state)
{
	SCRUB struct hl_scrub *scrub = hl_scrub_new();
	unsigned char config[512];
	char text[4096] = "01:00.0 Ethernet\n\tCapabilities: [140 v1] Device Serial Number "
			  "3c-ec-ef-ff-ff-12-34-56\n";
	struct hl_record record = { .kind = HL_RECORD_KEPT, .path = "lspci.txt", .bytes = text };
	struct hl_record copy;
	size_t at = strlen(text);

	(void)state;
	make_config(config);
	for (size_t i = 0; i < sizeof(config); i++) {
		if (i % 16 == 0)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%02zx:", i);
		at += (size_t)snprintf(text + at, sizeof(text) - at, " %02x%s", config[i],
				       i % 16 == 15 ? "\n" : "");
	}
	record.len = strlen(text);
	copy = pass(scrub, &record);
	assert_int_equal(record.len, copy.len);
	assert_false(holds(&copy, "3c-ec-ef-ff-ff-12-34-56"));
	assert_false(holds(&copy, "56 34 12 ff ff ef ec 3c"));
	assert_true(holds(&copy, "140: 03 00 01 00 "));
	hl_scrub_record_clear(&copy);
}

static void path_files_lose_the_way_to_their_hosts(void **state)
{
	static const char text[] = "[path]\n# my geheim note\n[host geheimnas]\n"
				   "via = ssh root@geheimway\n[host pve]\nvia = local\n"
				   "[hop raw]\nhost = geheimnas\nlayer = drive\n"
				   "target = /dev/disk/by-id/ata-ST4000_ZDH1ABCD\n"
				   "[hop lun]\nhost = pve\nlayer = wire\nchap = /root/geheim\n"
				   "target = iscsi://10.1.2.3/iqn.2005-10.org.x:geheim/0\n";
	struct hl_hold *hold = hl_hold_new();
	HL_FREE char *clean = NULL;

	(void)state;
	hl_hold_learn_path(hold, text);
	clean = hl_hold_path(hold, text);
	assert_null(strstr(clean, "geheim"));
	assert_null(strstr(clean, "ZDH1ABCD"));
	assert_null(strstr(clean, "pve"));
	assert_non_null(strstr(clean, "[hop raw]\nhost = name-"));
	assert_non_null(strstr(clean, "/dev/disk/by-id/ata-ST4000_"));
	assert_non_null(strstr(clean, "iscsi://198.1"));
	assert_non_null(strstr(clean, "layer = wire\nchap = left-out\n"));
	assert_non_null(strstr(clean, "via = local\n"));
	hl_hold_free(hold);
}

/* As hl_scrub_record gives it, of all that was learned from the records. */
static void check_all(const struct hl_record *records, size_t nr, const char *const *expected)
{
	SCRUB struct hl_scrub *scrub = hl_scrub_new();

	for (size_t i = 0; i < nr; i++)
		hl_scrub_learn(scrub, &records[i]);
	for (size_t i = 0; i < nr; i++) {
		struct hl_record copy;
		HL_FREE char *line = NULL;

		hl_scrub_record(scrub, &records[i], &copy);
		line = hl_printf("%s: %s", copy.path, copy.bytes);
		assert_string_equal(expected[i], line);
		hl_scrub_record_clear(&copy);
	}
}

static void a_pool_has_one_stand_in_in_tables_paths_and_listings(void **state)
{
	static const struct hl_record records[] = {
		RECORD(HL_RECORD_LISTING, "dev/zvol", "wolf\n"),
		RECORD(HL_RECORD_LISTING, "dev/zvol/wolf", "alice\nalice-part1\nalice@eve\n"),
		RECORD(HL_RECORD_LINK, "dev/zvol/wolf/alice", "../../zd0"),
		RECORD(HL_RECORD_FILE, "proc/spl/kstat/zfs/wolf/state", "ONLINE\n"),
		RECORD(HL_RECORD_KEPT, "zfs-get.txt",
		       "wolf\tsync\tstandard\tdefault\n"
		       "wolf/alice\tsync\tstandard\tinherited from wolf\n"),
		RECORD(HL_RECORD_KEPT, "zpool-status.txt",
		       "  pool: wolf\n state: ONLINE\nconfig:\n\n\tNAME     STATE\n\twolf     "
		       "ONLINE\n\t  sda    ONLINE\n\nerrors: No known data errors\n"),
		RECORD(HL_RECORD_FILE, "proc/9/mountinfo",
		       "9 2 0:5 / /srv/alice rw - zfs wolf/alice rw\n"),
	};
	static const char *const expected[] = {
		"dev/zvol: vol1\n",
		"dev/zvol/vol1: vol2\nvol2-part1\nvol2@vol3\n",
		"dev/zvol/vol1/vol2: ../../zd0",
		"proc/spl/kstat/zfs/vol1/state: ONLINE\n",
		"zfs-get.txt: vol1\tsync\tstandard\tdefault\n"
		"vol1/vol2\tsync\tstandard\tinherited from vol1\n",
		"zpool-status.txt:   pool: vol1\n state: ONLINE\nconfig:\n\n\tNAME     "
		"STATE\n\tvol1   "
		"  ONLINE\n\t  sda    ONLINE\n\nerrors: No known data errors\n",
		"proc/9/mountinfo: 9 2 0:5 / /srv/vol2 rw - zfs vol1/vol2 rw\n",
	};

	(void)state;
	check_all(records, sizeof(records) / sizeof(*records), expected);
}

static void a_mapped_volume_is_its_group_and_itself(void **state)
{
	static const struct hl_record records[] = {
		RECORD(HL_RECORD_LISTING, "dev/mapper", "control\nwolf-my--vm\n"),
		RECORD(HL_RECORD_LINK, "dev/mapper/wolf-my--vm", "../dm-3"),
		RECORD(HL_RECORD_KEPT, "domain.xml", "<source dev=\"/dev/wolf/my-vm\"/>"),
		RECORD(HL_RECORD_KEPT, "lsblk.txt",
		       "sda           8:0  0 8G 0 disk\n`-wolf-my--vm 253:3 0 8G 0 lvm  /srv\n"),
	};
	static const char *const expected[] = {
		"dev/mapper: control\nvol1-vol2\n",
		"dev/mapper/vol1-vol2: ../dm-3",
		"domain.xml: <source dev=\"/dev/vol1/vol2\"/>",
		"lsblk.txt: sda           8:0  0 8G 0 disk\n`-vol1-vol2 253:3 0 8G 0 lvm  /srv\n",
	};

	(void)state;
	check_all(records, sizeof(records) / sizeof(*records), expected);
}

static void what_a_target_serves_is_called_alike_in_link_and_directory(void **state)
{
	static const struct hl_record records[] = {
		RECORD(HL_RECORD_FILE, "sys/kernel/config/target/core/iblock_0/alice/udev_path",
		       "/dev/zvol/wolf/alice\n"),
		RECORD(HL_RECORD_LINK, "sys/kernel/config/target/iscsi/x/tpgt_1/lun/lun_0/ab",
		       "../../../../../core/iblock_0/alice"),
		RECORD(HL_RECORD_LINK, "sys/kernel/scst_tgt/targets/iscsi/x/luns/0/device",
		       "../../../../../devices/pvc-1"),
		RECORD(HL_RECORD_FILE, "sys/kernel/scst_tgt/devices/pvc-1/filename",
		       "/dev/zvol/wolf/pvc-1\n"),
		RECORD(HL_RECORD_FILE, "sys/class/block/sda/queue/scheduler",
		       "[none] mq-deadline\n"),
		RECORD(HL_RECORD_LINK, "sys/class/block/sda", "../../devices/pci0000:00/ata1/sda"),
	};
	static const char *const expected[] = {
		"sys/kernel/config/target/core/iblock_0/vol1/udev_path: /dev/zvol/vol2/vol1\n",
		("sys/kernel/config/target/iscsi/x/tpgt_1/lun/lun_0/ab: "
		 "../../../../../core/iblock_0/vol1"),
		"sys/kernel/scst_tgt/targets/iscsi/x/luns/0/device: ../../../../../devices/vol3",
		"sys/kernel/scst_tgt/devices/vol3/filename: /dev/zvol/vol2/vol3\n",
		"sys/class/block/sda/queue/scheduler: [none] mq-deadline\n",
		"sys/class/block/sda: ../../devices/pci0000:00/ata1/sda",
	};

	(void)state;
	check_all(records, sizeof(records) / sizeof(*records), expected);
}

static void a_virtual_machine_of_proxmox_tells_neither_its_name_nor_its_storage(void **state)
{
	static const struct hl_record records[] = {
		RECORD(HL_RECORD_KEPT, "vm.conf",
		       "name: db.alice.example\nscsi0: wolf-pool:vm-101-disk-0,iothread=1\n"
		       "scsi1: /dev/zvol/wolf/alice-vol,size=64G\nide2: "
		       "local:iso/alice.iso,media=cdrom\n"
		       "scsi2: local-zfs:vm-101-disk-1,size=8G\nnet0: virtio,bridge=vmbr0\n"),
	};
	static const char *const expected[] = {
		"vm.conf: name: name-1\nscsi0: vol2:vm-101-disk-0,iothread=1\n"
		"scsi1: /dev/zvol/vol1/vol4,size=64G\nide2: local:iso/vol3.iso,media=cdrom\n"
		"scsi2: local-zfs:vm-101-disk-1,size=8G\nnet0: virtio,bridge=vmbr0\n",
	};

	(void)state;
	check_all(records, 1, expected);
}

static void paths_of_a_person_go_and_those_of_every_linux_stay(void **state)
{
	static const struct hl_record records[] = {
		RECORD(HL_RECORD_KEPT, "a.txt",
		       "/home/alice/My\\040Vol/x.qcow2 \"/srv/My Vol/alice\" "
		       "file=/var/lib/vz/images/7/"
		       "vm-7-disk-0.qcow2,a=1 n/a 5 MiB/s </disk> /usr/bin/kvm /dev/vda1 /dev/null "
		       "https://x/alice 10.0.0.1:/alice /dev/disk/by-label/alice /mnt/wolf: busy "
		       "/\n"),
	};
	static const char *const expected[] = {
		"a.txt: /home/vol1/vol2/vol3.qcow2 \"/srv/vol2/vol1\" file=/var/lib/vz/images/7/"
		"vm-7-disk-0.qcow2,a=1 n/a 5 MiB/s </disk> /usr/bin/kvm /dev/vda1 /dev/null "
		"https://x/alice",
	};
	SCRUB struct hl_scrub *scrub = hl_scrub_new();
	struct hl_record copy = pass(scrub, &records[0]);

	(void)state;
	assert_memory_equal(expected[0] + 7, copy.bytes, strlen(expected[0] + 7));
	assert_non_null(strstr(copy.bytes, ":/vol1 /dev/disk/by-label/vol1 /mnt/vol4: busy /\n"));
	hl_scrub_record_clear(&copy);
}

static void garbage_passes(void **state)
{
	SCRUB struct hl_scrub *scrub = hl_scrub_new();
	char bytes[3000];
	unsigned seed = 1;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct hl_record record = { .kind = round % 4, .path = "a/config", .bytes = bytes };
		struct hl_record copy;

		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (char)(rand_r(&seed) >> (round % 2 ? 8 : 9));
		record.len = (size_t)rand_r(&seed) % sizeof(bytes);
		copy = pass(scrub, &record);
		hl_scrub_record_clear(&copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_names_a_part_is_replaced_wherever_it_stands),
		cmocka_unit_test(what_names_nobody_stays),
		cmocka_unit_test(one_thing_has_one_stand_in_in_all_its_shapes),
		cmocka_unit_test(a_name_may_stand_before_what_tells_of_it),
		cmocka_unit_test(names_that_are_words_of_a_format_stay_there),
		cmocka_unit_test(a_host_called_like_a_word_goes_where_names_stand),
		cmocka_unit_test(a_word_that_is_a_host_stays_where_it_is_a_word),
		cmocka_unit_test(the_file_of_a_hosts_name_holds_its_stand_in),
		cmocka_unit_test(sources_of_mounts_go_though_they_are_no_paths),
		cmocka_unit_test(words_parted_by_nul_are_text),
		cmocka_unit_test(a_name_in_a_listing_is_that_of_its_path),
		cmocka_unit_test(by_path_names_keep_to_the_target_that_they_name),
		cmocka_unit_test(device_serial_numbers_leave_config_space),
		cmocka_unit_test(device_serial_numbers_leave_hex_dumps_too),
		cmocka_unit_test(path_files_lose_the_way_to_their_hosts),
		cmocka_unit_test(a_pool_has_one_stand_in_in_tables_paths_and_listings),
		cmocka_unit_test(a_mapped_volume_is_its_group_and_itself),
		cmocka_unit_test(what_a_target_serves_is_called_alike_in_link_and_directory),
		cmocka_unit_test(
			a_virtual_machine_of_proxmox_tells_neither_its_name_nor_its_storage),
		cmocka_unit_test(paths_of_a_person_go_and_those_of_every_linux_stay),
		cmocka_unit_test(garbage_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
