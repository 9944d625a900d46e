/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sensors -j: whose temperature it is, its limits, and what a chip says when it has none.
 */
#include "drive_facts.h"
#include <errno.h>

static const char text[] =
	"{\n   'nvme-pci-0100':{\n      'Adapter': 'PCI adapter',\n"
	"      'Composite':{\n         'temp1_input': 81.850,\n         'temp1_max': 79.850,\n"
	"         'temp1_min': -273.150,\n         'temp1_crit': 84.850,\n"
	"         'temp1_alarm': 1.000\n      },\n"
	"      'Sensor 1':{\n         'temp2_input': 90.850,\n         'temp2_max': 65261.850\n    "
	"  "
	"}\n   },\n"
	"   'mlx5-pci-c301':{\n      'Adapter': 'PCI adapter',\n"
	"      'asic':{\n         'temp1_input': 61.000,\n         'temp1_highest': 70.000\n      "
	"}\n   "
	"},\n"
	"   'coretemp-isa-0000':{\n      'Adapter': 'ISA adapter',\n"
	"      'Package id 0':{\n         'temp1_input': 55.000,\n         'temp1_crit': 100.000,\n"
	"         'temp1_crit_alarm': 0.000\n      },\n"
	"      'Core 0':{\n         'temp2_input': 53.000\n      }\n   },\n"
	"   'ucsi-isa-0000':{\n      'Adapter': 'ISA adapter',\n      'in0':{\n         "
	"'in0_input': "
	"5.0\n      }\n   }\n}\n";

static void temperatures_stand_where_their_chip_sits(void **state)
{
	struct import import = import_json(text);

	(void)state;
	assert_int_equal(1, import.rc);
	assert_near(81.85, fact_of(&import, "0000:01:00.0", "thermal.temperature_c")->number);
	assert_near(79.85, fact_of(&import, "0000:01:00.0", "thermal.max_c")->number);
	assert_near(84.85, fact_of(&import, "0000:01:00.0", "thermal.critical_c")->number);
	assert_true(fact_of(&import, "0000:01:00.0", "thermal.is_alarm")->boolean);
	assert_near(90.85,
		    fact_of(&import, "0000:01:00.0/Sensor 1", "thermal.temperature_c")->number);
	assert_near(61, fact_of(&import, "0000:c3:00.1", "thermal.temperature_c")->number);
	assert_near(70, fact_of(&import, "0000:c3:00.1", "thermal.highest_c")->number);
	assert_near(55, fact_of(&import, "cpu", "thermal.temperature_c")->number);
	assert_false(fact_of(&import, "cpu", "thermal.is_alarm")->boolean);
	assert_near(53, fact_of(&import, "cpu/Core 0", "thermal.temperature_c")->number);
	import_free(&import);
}

static void a_limit_that_none_can_reach_is_no_fact(void **state)
{
	struct import import = import_json(text);

	(void)state;
	assert_null(hl_graph_find_fact(import.graph, "0000:01:00.0/Sensor 1", "thermal.max_c"));
	import_free(&import);
}

static void a_second_socket_does_not_hide_the_first(void **state)
{
	struct import import = import_json(
		"{ 'coretemp-isa-0000': { 'Adapter': 'ISA adapter', 'Package id 0': { "
		"'temp1_input': 40 } },\n"
		"'coretemp-isa-0001': { 'Adapter': 'ISA adapter', 'Package id 1': { "
		"'temp1_input': 90 } } }\n");

	(void)state;
	assert_near(40, fact_of(&import, "cpu", "thermal.temperature_c")->number);
	assert_near(90, fact_of(&import, "cpu/Package id 1", "thermal.temperature_c")->number);
	import_free(&import);
}

static void garbage_and_cuts_are_borne(void **state)
{
	HL_FREE char *json = json_of(text);

	(void)state;
	for (size_t len = 1; len < strlen(json); len += 5) {
		struct import import = import_bytes(json, len);

		import_free(&import);
	}
	struct import import = import_json("{ 'a': { 'Adapter': 3, 'x': { 'temp1_input': 'hot' } } "
					   "}\n");

	assert_int_equal(0, import.graph->nr_facts);
	import_free(&import);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(temperatures_stand_where_their_chip_sits),
		cmocka_unit_test(a_limit_that_none_can_reach_is_no_fact),
		cmocka_unit_test(a_second_socket_does_not_hide_the_first),
		cmocka_unit_test(garbage_and_cuts_are_borne),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
