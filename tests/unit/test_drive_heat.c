/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The meter of heat, on temperatures of a tree made by hand: the disk under this directory's file
 * system is said to be an NVMe drive, or two below a device mapper.
 */
#include "hoploss/meter.h"
#include "probe_tree.h"
#include <sys/sysmacros.h>

extern const struct hl_meter hl_meter_drive_heat;

static void write_to(const char *path, const char *bytes)
{
	const struct tree_row row = { path, bytes };

	tree_make("root", &row, 1);
}

/* The device that tree_dir lies on is called so. */
static void call_it(const char *device)
{
	HL_FREE char *bytes = hl_printf("-> ../../devices/x/%s", device);
	HL_FREE char *path = NULL;
	HL_FREE char *whole = NULL;
	struct stat status;

	assert_int_equal(0, stat(tree_dir, &status));
	path = hl_printf("/sys/dev/block/%u:%u", major(status.st_dev), minor(status.st_dev));
	whole = hl_printf("root%s", path);
	unlink(whole);
	write_to(path, bytes);
}

/* What the meter says when a drive goes from one temperature to another. */
static struct hl_graph *measure(const char *file, const char *before, const char *after)
{
	struct hl_machine *machine = hl_machine_open("root", NULL);
	const struct hl_meter_target target = { .path = tree_dir };
	const struct hl_origin origin = { .node = "raw/seq" };
	struct hl_graph *graph = hl_graph_new();
	void *state;

	write_to(file, before);
	state = hl_meter_drive_heat.begin(machine, &target);
	write_to(file, after);
	if (state) {
		hl_meter_drive_heat.tick(state, machine, NULL); /* too early to look */
		hl_meter_drive_heat.end(state, machine, 1, graph, &origin);
	}
	hl_machine_close(machine);
	return graph;
}

static void the_hottest_moment_counts(void **state)
{
	HL_GRAPH struct hl_graph *warming = NULL;
	HL_GRAPH struct hl_graph *cooling = NULL;

	(void)state;
	call_it("nvme3n1p2");
	warming = measure("/sys/class/nvme/nvme3/hwmon5/temp1_input", "40000\n", "71000\n");
	cooling = measure("/sys/class/nvme/nvme3/hwmon5/temp1_input", "80000\n", "71000\n");
	assert_true(tree_number(warming, "raw/seq", "drive.temperature_max_c") == 71);
	assert_true(tree_number(cooling, "raw/seq", "drive.temperature_max_c") == 80);
	assert_string_equal(
		"nvme3", hl_graph_find_fact(warming, "raw/seq", "drive.temperature_max_c")->source);
	/* hwmon has no counters */
	assert_null(hl_graph_find_fact(warming, "raw/seq", "nvme.slot_throttles"));
}

static void of_several_drives_the_hottest_is_named(void **state)
{
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	call_it("dm-0");
	write_to("/sys/class/block/dm-0/slaves/sdb1", "");
	write_to("/sys/class/block/dm-0/slaves/nvme3n1", "");
	write_to("/sys/class/nvme/nvme3/hwmon5/temp1_input", "35000\n");
	graph = measure("/sys/class/block/sdb/device/hwmon/hwmon1/temp1_input", "30000\n",
			"52000\n");
	assert_true(tree_number(graph, "raw/seq", "drive.temperature_max_c") == 52);
	assert_string_equal(
		"sdb", hl_graph_find_fact(graph, "raw/seq", "drive.temperature_max_c")->source);
}

static void what_is_no_drive_says_nothing(void **state)
{
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)state;
	call_it("zram0");
	graph = measure("/sys/class/block/zram0/hwmon1/temp1_input", "1\n", "2\n");
	assert_int_equal(0, graph->nr_facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hottest_moment_counts),
		cmocka_unit_test(of_several_drives_the_hottest_is_named),
		cmocka_unit_test(what_is_no_drive_says_nothing),
	};

	return cmocka_run_group_tests(tests, tree_setup, tree_remove);
}
