/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is mounted where, in a tree made by hand after proc(5) and in this machine's own.
 */
#include "probe_tree.h"

extern const struct hl_probe hl_probe_mount;

static const struct tree_row rows[] = {
	{ "/proc/self", "-> 42" },
	{ "/proc/42/mountinfo", "21 30 0:20 / /proc rw - proc proc rw\n"
				"30 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n"
				"31 30 8:32 / /data rw - xfs /dev/disk/by-id/x rw\n"
				"32 30 0:51 / /tank rw - zfs tank/data rw,xattr\n"
				"33 30 8:32 / /old rw - xfs /dev/sdc rw\n"
				"cut off 8:1\n"
				"34 30 8:48 / /old ro - ext4 /dev/sdd ro\n" },
	{ "/sys/dev/block/8:1", "-> ../../devices/virtual/block/sda/sda1" },
	{ "/sys/dev/block/8:32", "-> ../../devices/virtual/block/sdc" },
};

static void devices_have_the_names_of_the_kernel(void **state)
{
	HL_GRAPH struct hl_graph *graph = tree_decode(&hl_probe_mount, "made");

	(void)state;
	assert_string_equal("sda1", tree_text(graph, "/", "mount.device"));
	assert_string_equal("ext4", tree_text(graph, "/", "mount.fs_type"));
	assert_string_equal("rw,relatime", tree_text(graph, "/", "mount.options"));
	assert_string_equal("sdc", tree_text(graph, "/data", "mount.device"));
	assert_string_equal("tank/data", tree_text(graph, "/tank", "mount.device"));
	assert_string_equal("sdd", tree_text(graph, "/old", "mount.device"));
	assert_null(hl_graph_find_fact(graph, "/proc", "mount.device"));
	assert_string_equal("/proc/self/mountinfo",
			    hl_graph_find_fact(graph, "/", "mount.device")->source);
}

static void a_recording_gives_the_same_facts(void **state)
{
	HL_GRAPH struct hl_graph *direct = tree_decode(&hl_probe_mount, "made");
	HL_GRAPH struct hl_graph *recorded = tree_record(&hl_probe_mount, "made", "copy");

	(void)state;
	assert_same_facts(direct, recorded);
}

static void this_machine_has_a_root(void **state)
{
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	if (access("/proc/self/mountinfo", R_OK) < 0)
		skip();
	graph = tree_record(&hl_probe_mount, "/", "live");
	assert_string_not_equal("", tree_text(graph, "/", "mount.device"));
	assert_string_not_equal("", tree_text(graph, "/", "mount.fs_type"));
}

static void a_machine_without_proc_cannot_tell(void **state)
{
	struct hl_machine *machine;
	struct hl_capture capture = { 0 };
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	tree_make("nothing", rows, 0);
	capture.machine = machine = hl_machine_open("nothing", NULL);
	assert_int_equal(-ENOENT, hl_probe_mount.acquire(&capture, NULL));
	hl_machine_close(machine);
	graph = tree_decode(&hl_probe_mount, "nothing");
	assert_int_equal(0, graph->nr_facts);
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
		cmocka_unit_test(devices_have_the_names_of_the_kernel),
		cmocka_unit_test(a_recording_gives_the_same_facts),
		cmocka_unit_test(this_machine_has_a_root),
		cmocka_unit_test(a_machine_without_proc_cannot_tell),
	};

	return cmocka_run_group_tests(tests, setup, tree_remove);
}
