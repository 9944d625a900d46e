/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/meter.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

extern const struct hl_meter hl_meter_heat;

static char scratch[] = "/tmp/hoploss-test-XXXXXX";

static const char make_tree[] = "set -e; h=root/sys/class/hwmon; mkdir -p $h/hwmon0 $h/hwmon1 "
				"$h/hwmon2 $h/hwmon3 empty/sys;"
				"echo nvme >$h/hwmon0/name; echo 50850 >$h/hwmon0/temp1_input;"
				"ln -s ../../../../devices/pci/nvme/nvme3 $h/hwmon0/device;"
				"echo k10temp >$h/hwmon1/name; echo 61000 >$h/hwmon1/temp1_input;"
				"echo drivetemp >$h/hwmon2/name; echo 30000 >$h/hwmon2/temp1_input;"
				"echo coretemp >$h/hwmon3/name; echo hot >$h/hwmon3/temp1_input";

static int make_scratch(void **state)
{
	(void)state;
	return mkdtemp(scratch) && chdir(scratch) == 0 ? system(make_tree) : -1;
}

static int remove_scratch(void **state)
{
	HL_FREE char *command = hl_printf("rm -rf %s", scratch);

	(void)state;
	return chdir("/") == 0 ? system(command) : -1;
}

static void drives_and_cpus_are_read_once_a_second(void **state)
{
	struct hl_machine *machine = hl_machine_open("root", NULL);
	const struct hl_meter_target target = { .path = "/dev/null" };
	const struct hl_origin origin = { .node = "raw/w" };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_meter_points points = { .graph = graph };
	void *heat = hl_meter_heat.begin(machine, &target);

	(void)state;
	assert_non_null(heat);
	for (int tick = 1; tick <= 20; tick++) {
		points.now_s = tick / 10.0;
		hl_meter_heat.tick(heat, machine, &points);
	}
	hl_meter_heat.end(heat, machine, 2, graph, &origin);
	assert_int_equal(2, graph->nr_timeline); /* no disk that may sleep, and no garbage */
	assert_string_equal("nvme3", graph->timeline[0]->node);
	assert_string_equal("thermal.temperature_c", graph->timeline[0]->key);
	assert_int_equal(2, graph->timeline[0]->nr_points);
	assert_true(graph->timeline[0]->points[1].t_s == 1.1);
	assert_true(graph->timeline[0]->points[1].value == 50.85);
	assert_string_equal("cpu", graph->timeline[1]->node);
	hl_machine_close(machine);
}

static void a_machine_without_sensors_is_not_watched(void **state)
{
	struct hl_machine *machine = hl_machine_open("empty", NULL);

	(void)state;
	assert_null(hl_meter_heat.begin(machine, &(struct hl_meter_target){ 0 }));
	hl_machine_close(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drives_and_cpus_are_read_once_a_second),
		cmocka_unit_test(a_machine_without_sensors_is_not_watched),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
