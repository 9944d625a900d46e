/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What makes VFs again at boot: by the lines that people have for it, in trees made by hand with
 * their formats; what cannot be told is no fact, and nothing else of a file is recorded.
 */
#include "probe_tree.h"

extern const struct hl_probe hl_probe_sriov;

#define KEY  "link.vfs_at_boot"
#define ONE  "/sys/devices/pci0000:40/0000:41:00.0"
#define TWO  "/sys/devices/pci0000:40/0000:42:00.0"
#define RULE "/etc/udev/rules.d/70-vf.rules"
#define UNIT "/etc/systemd/system/multi-user.target.wants"

/* ens1f0 has VFs, ens2f0 could have some. */
static const struct tree_row cards[] = {
	{ "/sys/class/net/ens1f0/device", "-> ../../../devices/pci0000:40/0000:41:00.0" },
	{ "/sys/class/net/ens2f0/device", "-> ../../../devices/pci0000:40/0000:42:00.0" },
	{ "/sys/class/net/lo/mtu", "65536\n" },
	{ ONE "/sriov_totalvfs", "7\n" },
	{ ONE "/sriov_numvfs", "2\n" },
	{ ONE "/driver", "-> ../../../bus/pci/drivers/igb" },
	{ TWO "/sriov_totalvfs", "64\n" },
	{ TWO "/sriov_numvfs", "0\n" },
	{ TWO "/driver", "-> ../../../bus/pci/drivers/ice" },
	{ "/etc/modprobe.d/blacklist.conf", "blacklist nouveau\n" },
};

enum { NOT_KNOWN = -1 };

struct scene {
	const char *path, *text;
	int one, two; /* of ens1f0 and ens2f0: 1, 0 or not known */
};

static int truth_of(const struct hl_graph *graph, const char *nic)
{
	const struct hl_fact *fact = hl_graph_find_fact(graph, nic, KEY);

	return fact ? fact->boolean : NOT_KNOWN;
}

static struct hl_graph *look(const char *root, const char *to, const struct scene *scene)
{
	const struct tree_row row = { scene->path, scene->text };

	tree_make(root, cards, NR_ROWS(cards));
	tree_make(root, &row, scene->path != NULL);
	return tree_record(&hl_probe_sriov, root, to);
}

static void assert_scenes(const char *name, const struct scene *scenes, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *root = hl_printf("%s%zu", name, i), *to = hl_printf("%s.to", root);
		HL_GRAPH struct hl_graph *graph = look(root, to, &scenes[i]);
		int one = truth_of(graph, "ens1f0"), two = truth_of(graph, "ens2f0");

		if (one != scenes[i].one || two != scenes[i].two)
			fail_msg("%zu: %d, %d: %s", i, one, two, scenes[i].text);
	}
}

static void a_line_that_names_the_nic_makes_its_vfs(void **state)
{
	static const struct scene scenes[] = {
		{ RULE,
		  "ACTION==\"add\", SUBSYSTEM==\"net\", KERNEL==\"ens1f0\", "
		  "ATTR{device/sriov_numvfs}=\"2\"\n",
		  1, NOT_KNOWN },
		{ RULE,
		  "ACTION==\"add\", KERNELS==\"0000:41:00.0\", ATTR{sriov_numvfs}==\"0\", "
		  "ATTR{sriov_numvfs}=\"2\"\n",
		  1, NOT_KNOWN },
		{ "/etc/network/interfaces",
		  "auto ens1f0\niface ens1f0 inet manual\n\tpost-up echo 2 > "
		  "/sys/class/net/ens1f0/device/sriov_numvfs\n",
		  1, NOT_KNOWN },
		{ "/etc/network/interfaces",
		  "iface ens1f0 inet manual\n\tpost-up echo 2 > "
		  "/sys/class/net/$IFACE/device/sriov_numvfs\n",
		  1, NOT_KNOWN },
		{ "/etc/network/interfaces.d/vf",
		  "iface ens2f0 inet manual\n\tpre-up echo 2 | tee "
		  "/sys/class/net/$IFACE/device/sriov_numvfs\n",
		  0, 1 },
		{ UNIT "/vfs.service",
		  "[Service]\nExecStart=/bin/sh -c 'echo 2 > "
		  "/sys/class/net/ens1f0/device/sriov_numvfs'\n",
		  1, NOT_KNOWN },
		{ UNIT "/vfs@ens2f0.service",
		  "ExecStart=/bin/sh -c 'echo 2 > /sys/class/net/%i/device/sriov_numvfs'\n", 0, 1 },
		{ "/etc/modprobe.d/igb.conf", "options igb max_vfs=7\n", 1, NOT_KNOWN },
		{ "/etc/systemd/network/10-vf.link",
		  "[Match]\nPath=pci-0000:41:00.0\n[Link]\nSR-IOVVirtualFunctions=2\n", 1,
		  NOT_KNOWN },
		{ "/etc/NetworkManager/system-connections/a.nmconnection",
		  "[connection]\ninterface-name=ens1f0\n[sriov]\ntotal-vfs=2\n", 1, NOT_KNOWN },
		{ "/etc/netplan/01.yaml",
		  "network:\n  ethernets:\n    ens1f0:\n      virtual-function-count: 2\n", 1,
		  NOT_KNOWN },
		{ "/etc/tmpfiles.d/vf.conf",
		  "w /sys/class/net/ens1f0/device/sriov_numvfs - - - - 2\n", 1, NOT_KNOWN },
		{ "/etc/sysfs.conf", "class/net/ens1f0/device/sriov_numvfs = 2\n", 1, NOT_KNOWN },
		{ "/etc/cron.d/vf",
		  "@reboot root echo 2 > /sys/bus/pci/devices/0000:41:00.0/sriov_numvfs\n", 1,
		  NOT_KNOWN },
		/* of the only one that has any */
		{ RULE, "ATTR{vendor}==\"0x8086\", ATTR{sriov_numvfs}=\"2\"\n", 1, NOT_KNOWN },
	};

	(void)state;
	assert_scenes("named", scenes, NR_ROWS(scenes));
}

static void where_all_was_looked_at_and_nothing_found_nothing_makes_them(void **state)
{
	static const struct scene scenes[] = {
		{ NULL, "", 0, NOT_KNOWN },
		{ RULE, "# KERNEL==\"ens1f0\", ATTR{device/sriov_numvfs}=\"2\"\n", 0, NOT_KNOWN },
		{ RULE, "KERNEL==\"ens1f0\", ATTR{device/sriov_numvfs}=\"0\"\n", 0, NOT_KNOWN },
		{ RULE, "KERNEL==\"ens1f0\", ATTR{device/sriov_numvfs}==\"2\", NAME=\"pf\"\n", 0,
		  NOT_KNOWN },
		{ "/etc/rc.local", "echo 0 > /sys/class/net/ens1f0/device/sriov_numvfs\n", 0,
		  NOT_KNOWN },
		{ "/etc/modprobe.d/igb.conf", "options igb max_vfs=0\n", 0, NOT_KNOWN },
		{ "/etc/tmpfiles.d/vf.conf",
		  "w /sys/class/net/ens1f0/device/sriov_numvfs - - - - 0\n", 0, NOT_KNOWN },
		/* a unit that is not enabled */
		{ "/etc/systemd/system/vfs.service",
		  "ExecStart=/bin/sh -c 'echo 2 > /sys/class/net/ens1f0/device/sriov_numvfs'\n", 0,
		  NOT_KNOWN },
		/* of the other one */
		{ RULE, "KERNEL==\"ens2f0\", ATTR{device/sriov_numvfs}=\"2\"\n", 0, 1 },
	};

	(void)state;
	assert_scenes("none", scenes, NR_ROWS(scenes));
}

static void what_something_may_call_or_a_database_holds_is_not_known(void **state)
{
	static const struct scene scenes[] = {
		{ "/usr/local/sbin/vfs", "echo 2 > /sys/class/net/ens1f0/device/sriov_numvfs\n",
		  NOT_KNOWN, NOT_KNOWN },
		{ "/var/lib/vz/snippets/hook.sh", "echo 2 > $DEV/sriov_numvfs\n", NOT_KNOWN,
		  NOT_KNOWN },
		{ "/data/freenas-v1.db/not-a-file", "", NOT_KNOWN, NOT_KNOWN },
	};

	(void)state;
	assert_scenes("script", scenes, NR_ROWS(scenes));
}

/* Without privilege: recorded as a file where a directory is, and the other way round. */
static void what_could_not_be_looked_at_is_not_known(void **state)
{
	static const struct tree_row denied[] = {
		{ "/var/spool/cron/crontabs", "" },
		{ "/etc/udev/rules.d/.listing", "" },
	};
	static const struct tree_row made[] = {
		{ "/var/spool/cron/crontabs", "" },
		{ RULE, "KERNEL==\"ens1f0\", ATTR{device/sriov_numvfs}=\"2\"\n" },
	};

	(void)state;
	tree_make("denied", cards, NR_ROWS(cards));
	tree_make("denied", denied, NR_ROWS(denied));
	tree_make("made", cards, NR_ROWS(cards));
	tree_make("made", made, NR_ROWS(made));
	for (int i = 0; i < 2; i++) {
		HL_GRAPH struct hl_graph *graph = tree_decode(&hl_probe_sriov,
							      i ? "made" : "denied");

		assert_int_equal(truth_of(graph, "ens1f0"), i ? 1 : NOT_KNOWN);
	}
}

static void a_recording_from_before_there_was_such_a_probe_says_nothing(void **state)
{
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	tree_make("old", cards, NR_ROWS(cards) - 1);
	graph = tree_decode(&hl_probe_sriov, "old");
	assert_int_equal(truth_of(graph, "ens1f0"), NOT_KNOWN);
}

static char *read_whole(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = hl_alloc(4096);

	assert_non_null(file);
	text[fread(text, 1, 4095, file)] = '\0';
	fclose(file);
	return text;
}

static void nothing_else_of_a_file_is_recorded(void **state)
{
	static const struct scene scene = {
		"/etc/NetworkManager/system-connections/a.nmconnection",
		"[connection]\nid=secret name\ninterface-name=ens1f0\n[wifi-security]\npsk=secret\n"
		"[sriov]\ntotal-vfs=2\n",
		1, NOT_KNOWN
	};
	static const struct tree_row others[] = {
		{ "/etc/cron.d/x", "PASS=secret\n@reboot root curl -u secret; echo 2 > "
				   "/sys/class/net/ens1f0/device/sriov_numvfs && secret\n" },
		{ "/etc/cron.d/y", "secret\n" },
	};
	HL_GRAPH struct hl_graph *graph = NULL;
	HL_FREE char *text = NULL, *part = NULL;

	(void)state;
	tree_make("secret", others, NR_ROWS(others));
	graph = look("secret", "secret.to", &scene);
	assert_int_equal(truth_of(graph, "ens1f0"), 1);
	text = read_whole("secret.to/etc/NetworkManager/system-connections/a.nmconnection");
	assert_string_equal("\n\ninterface-name=ens1f0\n\n\n\ntotal-vfs=2\n\n", text);
	part = read_whole("secret.to/etc/cron.d/x");
	assert_string_equal("\n echo 2 > /sys/class/net/ens1f0/device/sriov_numvfs \n\n", part);
	assert_int_equal(-1, access("secret.to/etc/cron.d/y", F_OK));
	assert_int_equal(0, system("! grep -rq secret secret.to"));
	assert_string_equal("/etc/NetworkManager/system-connections/a.nmconnection:7",
			    hl_graph_find_fact(graph, "ens1f0", KEY)->source);
}

static void a_machine_without_such_a_nic_has_no_such_probe(void **state)
{
	static const struct tree_row rows[] = { { "/sys/class/net/lo/mtu", "65536\n" } };
	struct hl_capture_sink *sink;
	struct hl_machine *machine;
	struct hl_capture capture;

	(void)state;
	tree_make("plain", rows, NR_ROWS(rows));
	sink = hl_record_dir_open("plain.to", "plain.kept");
	machine = hl_machine_open_to("plain", sink);
	capture = (struct hl_capture){ machine, sink };
	assert_int_equal(-ENOENT, hl_probe_sriov.acquire(&capture, NULL));
	hl_machine_close(machine);
	hl_record_sink_close(sink);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_that_names_the_nic_makes_its_vfs),
		cmocka_unit_test(where_all_was_looked_at_and_nothing_found_nothing_makes_them),
		cmocka_unit_test(what_something_may_call_or_a_database_holds_is_not_known),
		cmocka_unit_test(what_could_not_be_looked_at_is_not_known),
		cmocka_unit_test(a_recording_from_before_there_was_such_a_probe_says_nothing),
		cmocka_unit_test(nothing_else_of_a_file_is_recorded),
		cmocka_unit_test(a_machine_without_such_a_nic_has_no_such_probe),
	};

	return cmocka_run_group_tests(tests, tree_setup, tree_remove);
}
