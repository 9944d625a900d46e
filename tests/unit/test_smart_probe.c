/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which disks are asked for their health, with which words, and what is kept of the answer. A
 * script stands for smartctl.
 */
#include "hoploss/file.h"
#include "probe_tree.h"
#include <fcntl.h>

#define PCI  "-> ../devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/block/"
#define NET  "-> ../devices/platform/host3/session1/target3:0:0/3:0:0:0/block/"
#define DISK "/sys/devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/block/"
#define LUN  "/sys/devices/platform/host3/session1/target3:0:0/3:0:0:0/block/"

extern const struct hl_probe hl_probe_smart;

static const struct tree_row machine[] = {
	{ "/sys/block/sda", PCI "sda" },
	{ DISK "sda/size", "1000\n" },
	{ DISK "sda/device/vendor", "ATA\n" },
	{ "/sys/block/sdb", PCI "sdb" }, /* sleeps, by the kernel's will */
	{ DISK "sdb/size", "1000\n" },
	{ DISK "sdb/device/power/runtime_status", "suspended\n" },
	{ "/sys/block/sdc", NET "sdc" }, /* another machine's */
	{ LUN "sdc/size", "1000\n" },
	{ "/sys/block/sdd", PCI "sdd" }, /* a guest's */
	{ DISK "sdd/size", "1000\n" },
	{ DISK "sdd/device/vendor", "QEMU\n" },
	{ "/sys/block/sde", PCI "sde" }, /* an empty slot */
	{ DISK "sde/size", "0\n" },
	{ "/sys/block/nvme0n1/size", "1000\n" },
};

static const struct tree_row virtual[] = {
	{ "/sys/block/vda/size", "1000\n" },
};

/* smartctl that notes its words, prints that, and ends with that code. */
static void make_smartctl(const char *prints, int code)
{
	HL_FREE char *path = hl_printf("%s/bin/smartctl", tree_dir);
	FILE *file;

	mkdir("bin", 0755);
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\necho \"$*\" >>%s/words\necho '%s'\nexit %d\n", tree_dir, prints,
		code);
	assert_int_equal(0, fclose(file));
	assert_int_equal(0, chmod(path, 0755));
	unlink("words");
}

static int acquire(const char *root, const char *to, struct hl_error *err)
{
	HL_FREE char *kept = hl_printf("%s.kept", to);
	struct hl_capture_sink *sink = hl_record_dir_open(to, kept);
	struct hl_machine *opened = hl_machine_open_to(root, sink);
	struct hl_capture capture = { opened, sink };
	int r = hl_probe_smart.acquire(&capture, err);

	hl_machine_close(opened);
	hl_record_sink_close(sink);
	return r;
}

static void assert_file(const char *path, const char *expected)
{
	HL_FREE char *bytes = NULL;
	size_t len;

	assert_int_equal(0, hl_file_read_at(AT_FDCWD, path, 4096, &bytes, &len));
	assert_string_equal(expected, bytes);
}

static void only_drives_that_are_awake_and_here_are_asked(void **state)
{
	(void)state;
	make_smartctl("{ \"smartctl\": {} }", 4); /* that an attribute is bad is no failure */
	assert_int_equal(0, acquire("machine", "one", NULL));
	assert_file("words", "-x -j -n standby /dev/sda\n");
	assert_file("one.kept/sda/smartctl.json", "{ \"smartctl\": {} }\n");
}

static void without_privilege_nothing_is_kept(void **state)
{
	(void)state;
	make_smartctl("Smartctl open device: /dev/sda failed: Permission denied", 2);
	assert_int_equal(-EACCES, acquire("machine", "denied", NULL));
	assert_int_equal(-1, access("denied.kept/sda", F_OK));
}

static void a_machine_without_drives_has_no_such_layer(void **state)
{
	(void)state;
	assert_int_equal(-ENOENT, acquire("virtual", "none", NULL));
}

static int setup(void **state)
{
	int r = tree_setup(state);
	HL_FREE char *path = hl_printf("%s/bin:/usr/bin:/bin", tree_dir);

	tree_make("machine", machine, NR_ROWS(machine));
	tree_make("virtual", virtual, NR_ROWS(virtual));
	return r < 0 ? r : setenv("PATH", path, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_drives_that_are_awake_and_here_are_asked),
		cmocka_unit_test(without_privilege_nothing_is_kept),
		cmocka_unit_test(a_machine_without_drives_has_no_such_layer),
	};

	return cmocka_run_group_tests(tests, setup, tree_remove);
}
