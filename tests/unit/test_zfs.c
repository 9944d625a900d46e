/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ZFS of a tree made by hand after zfs(4) and the kstats, with programs called zpool and zfs that
 * print what they were asked for.
 */
#include "probe_tree.h"

extern const struct hl_probe hl_probe_zfs;

static const struct tree_row rows[] = {
	{ "/proc/spl/kstat/zfs/arcstats", "13 1 0x01 147 39984 8372338451 350735470000000\n"
					  "name                            type data\n"
					  "hits                            4    900\n"
					  "misses                          4    100\n"
					  "size                            4    67400000000\n" },
	{ "/proc/spl/kstat/zfs/tank/state", "ONLINE\n" },
	{ "/sys/module/zfs/parameters/zvol_threads", "32\n" },
	{ "/sys/module/zfs/parameters/zfs_arc_max", "0\n" },
	{ "/sys/module/zfs/parameters/zfs_flags", "1\n" },
};

static const struct tree_row suspended[] = {
	{ "/proc/spl/kstat/zfs/tank/state", "SUSPENDED\n" },
};

static const struct tree_row tools[] = {
	{ "/zpool", "#!/bin/sh\necho zpool \"$@\"\n" },
	{ "/zfs", "#!/bin/sh\ncase \"$*\" in *direct*) exit 2;; esac\necho zfs \"$@\"\n" },
};

/* The bytes of a file that was recorded or kept; NULL when there is none. */
static char *read_file(const char *path)
{
	struct hl_machine *machine = hl_machine_open(tree_dir, NULL);
	char *bytes = NULL;
	size_t len;

	hl_machine_read(machine, path, &bytes, &len, NULL);
	hl_machine_close(machine);
	return bytes;
}

static void kernel_counters_and_parameters_are_facts(void **state)
{
	HL_GRAPH struct hl_graph *graph = tree_decode(&hl_probe_zfs, "made");

	(void)state;
	assert_true(tree_number(graph, "arc", "arc.hits") == 900);
	assert_true(tree_number(graph, "arc", "arc.size") == 67400000000.0);
	assert_true(tree_number(graph, "zfs", "zfs_module.zvol_threads") == 32);
	assert_true(tree_number(graph, "zfs", "zfs_module.zfs_arc_max") == 0);
	assert_string_equal("ONLINE", tree_text(graph, "tank", "zpool.state"));
	assert_string_equal("/sys/module/zfs/parameters/zvol_threads",
			    hl_graph_find_fact(graph, "zfs", "zfs_module.zvol_threads")->source);
}

static void tools_are_asked_for_known_properties_only(void **state)
{
	HL_GRAPH struct hl_graph *direct = tree_decode(&hl_probe_zfs, "made");
	HL_GRAPH struct hl_graph *recorded = tree_record(&hl_probe_zfs, "made", "copy");
	HL_FREE char *list = read_file("/copy.kept/zpool-list.txt");
	HL_FREE char *get = read_file("/copy.kept/zfs-get.txt");
	HL_FREE char *prefetch = read_file("/copy.kept/zfs-get-prefetch.txt");
	HL_FREE char *refused = read_file("/copy.kept/zfs-get-direct.txt");
	HL_FREE char *flags = read_file("/copy/sys/module/zfs/parameters/zfs_flags");

	(void)state;
	assert_same_facts(direct, recorded);
	assert_string_equal("zpool list -v -p\n", list);
	assert_non_null(strstr(get, "zfs get -H -p -t filesystem,volume type,used,"));
	assert_non_null(strstr(get, ",volblocksize,"));
	assert_null(strstr(get, "direct"));
	assert_null(strstr(get, " all"));
	assert_non_null(prefetch);
	assert_null(refused);
	assert_null(flags);
}

static void a_suspended_pool_is_left_alone(void **state)
{
	struct hl_capture_sink *sink = hl_record_dir_open("rest", "rest.kept");
	struct hl_machine *machine = hl_machine_open_to("suspended", sink);
	struct hl_capture capture = { machine, sink };
	HL_FREE char *status = NULL;
	struct hl_error err;

	(void)state;
	assert_int_equal(-EIO, hl_probe_zfs.acquire(&capture, &err));
	assert_non_null(strstr(err.text, "suspended"));
	status = read_file("/rest.kept/zpool-status.txt");
	assert_null(status);
	hl_machine_close(machine);
	hl_record_sink_close(sink);
}

static void a_kernel_without_zfs_has_no_such_layer(void **state)
{
	struct hl_machine *machine;
	struct hl_capture capture = { 0 };

	(void)state;
	tree_make("nothing", rows, 0);
	capture.machine = machine = hl_machine_open("nothing", NULL);
	assert_int_equal(-ENOENT, hl_probe_zfs.acquire(&capture, NULL));
	hl_machine_close(machine);
}

static int setup(void **state)
{
	HL_FREE char *path = NULL;

	if (tree_setup(state) < 0)
		return -1;
	tree_make("made", rows, NR_ROWS(rows));
	tree_make("suspended", suspended, NR_ROWS(suspended));
	tree_make("tools", tools, NR_ROWS(tools));
	chmod("tools/zpool", 0755);
	chmod("tools/zfs", 0755);
	path = hl_printf("%s/tools:%s", tree_dir, getenv("PATH"));
	return setenv("PATH", path, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_counters_and_parameters_are_facts),
		cmocka_unit_test(tools_are_asked_for_known_properties_only),
		cmocka_unit_test(a_suspended_pool_is_left_alone),
		cmocka_unit_test(a_kernel_without_zfs_has_no_such_layer),
	};

	return cmocka_run_group_tests(tests, setup, tree_remove);
}
