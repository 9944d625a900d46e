/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvme-cli's JSON in all its shapes, and what monitors and pastes make of it.
 */
#include "drive_facts.h"
#include <errno.h>

#define NR_OF(array) (sizeof(array) / sizeof(*(array)))

static void numbers_come_plain_as_strings_and_as_objects(void **state)
{
	static const char *const texts[] = {
		"{ 'critical_warning': 16, 'temperature': 310, 'avail_spare': 100,\n"
		"'percent_used': 2, 'data_units_read': 9898518, 'temperature_sensor_1': 315,\n"
		"'temperature_sensor_2': 0, 'thm_temp1_trans_count': 4 }\n",
		"{ 'critical_warning': '16', 'temperature': '310', 'avail_spare': '100',\n"
		"'percent_used': '2', 'data_units_read': '9898518.000000',\n"
		"'temperature_sensor_1': '315', 'thm_temp1_trans_count': '4' }\n",
		"{ 'critical_warning': { 'value': 16, 'available_spare': 0, 'vmbu_failed': 1 },\n"
		"'temperature': { 'value': 310, 'string': '37 Celsius' }, 'avail_spare': 100,\n"
		"'percent_used': 2, 'data_units_read': { 'value': 9898518,\n"
		"'string': '9,898,518 [5.06 TB]' }, 'temperature_sensor_1': 315,\n"
		"'thm_temp1_trans_count': 4 }\n",
		"\t'smart_log': {\n\t\t'critical_warning': 16,\n\t\t'temperature': 310,\n"
		"\t\t'avail_spare': 100,\n\t\t'percent_used': 2,\n\t\t'data_units_read': 9898518,\n"
		"\t\t'temperature_sensor_1': 315,\n\t\t'thm_temp1_trans_count': 4\n\t},\n",
		"[ { 'nvme0': { 'smart_log': { 'critical_warning': 16, 'temperature': 310,\n"
		"'avail_spare': 100, 'percent_used': 2, 'data_units_read': 9898518,\n"
		"'temperature_sensor_1': 315, 'thm_temp1_trans_count': 4 } } } ]\n",
	};

	(void)state;
	for (size_t i = 0; i < NR_OF(texts); i++) {
		struct import import = import_json(texts[i]);

		assert_fact(&import, 16, "smart.critical_warning");
		assert_int_equal(1, boolean_of(&import, "smart.warns_backup"));
		assert_fact(&import, 37, "smart.temperature_c");
		assert_fact(&import, 100, "smart.available_spare_pct");
		assert_fact(&import, 2, "smart.percentage_used");
		assert_fact(&import, 9898518, "smart.data_units_read");
		assert_fact(&import, 42, "smart.temperature_sensor1_c");
		assert_no_fact(&import, "smart.temperature_sensor2_c");
		assert_fact(&import, 4, "smart.thm_temp1_trans_count");
		assert_no_fact(&import, "smart.warning_temp_time_min");
		import_free(&import);
	}
}

static void nulls_and_zero_kelvin_are_no_facts(void **state)
{
	struct import import = import_json(
		"{ 'critical_warning': 0, 'temperature': 0, 'avail_spare': null,\n"
		"'percent_used': 300000000000000000000000000000000000000,\n"
		"'warning_temp_time': null, 'data_units_read': "
		"340282366920938463463374607431768211455 "
		"}\n");

	(void)state;
	assert_fact(&import, 0, "smart.critical_warning");
	assert_no_fact(&import, "smart.temperature_c");
	assert_no_fact(&import, "smart.available_spare_pct");
	assert_no_fact(&import, "smart.warning_temp_time_min");
	assert_near(3.402823669e38, number_of(&import, "smart.data_units_read"));
	import_free(&import);
}

static void the_drive_is_named_by_what_stands_around(void **state)
{
	static const char *const texts[] = {
		"$ nvme smart-log -o json /dev/nvme7n1\n{ 'critical_warning': 0, 'avail_spare': 9 "
		"}\n",
		"nvme smart-log /dev/nvme7 -o json\n\n```json\n{ 'critical_warning': 0, "
		"'avail_spare': 9 }\n```\n",
		"{ '/dev/nvme7n1': { 'critical_warning': 0, 'avail_spare': 9 } }\n",
		"{ 'device': '/dev/nvme7', 'smart_log': { 'critical_warning': 0, 'avail_spare': 9 "
		"} "
		"}\n",
	};

	(void)state;
	for (size_t i = 0; i < NR_OF(texts); i++) {
		struct import import = import_json(texts[i]);

		assert_string_equal("nvme7",
				    fact_of(&import, NULL, "smart.available_spare_pct")->node);
		import_free(&import);
	}
}

static void several_documents_are_several_drives(void **state)
{
	struct import import = import_json(
		"nvme smart-log -o json /dev/nvme0\n{ 'critical_warning': 0, 'avail_spare': 1 }\n"
		"nvme smart-log -o json /dev/nvme1\n{ 'critical_warning': 0, 'avail_spare': 2 }\n");

	(void)state;
	assert_near(1, fact_of(&import, "nvme0", "smart.available_spare_pct")->number);
	assert_near(2, fact_of(&import, "nvme1", "smart.available_spare_pct")->number);
	import_free(&import);
}

static void every_shape_of_list_names_controller_and_namespace(void **state)
{
	static const char *const texts[] = {
		"{ 'Devices': [ { 'NameSpace': 1, 'DevicePath': '/dev/nvme2n1', 'Firmware': 'F1',\n"
		"'Index': 2, 'ModelNumber': 'M 1', 'SerialNumber': 'S1', 'UsedBytes': 1024,\n"
		"'MaximumLBA': 8, 'PhysicalSize': 4096, 'SectorSize': 512 } ] }\n",
		"{ 'Devices': [ { 'HostNQN': 'x', 'Subsystems': [ { 'Subsystem': 'nvme-subsys2',\n"
		"'Controllers': [ { 'Controller': 'nvme2', 'SerialNumber': 'S1', 'ModelNumber': 'M "
		"1',\n"
		"'Firmware': 'F1', 'Transport': 'pcie', 'Address': '0000:81:00.0', 'Namespaces': "
		"[\n"
		"{ 'NameSpace': 'nvme2n1', 'NSID': 1, 'UsedBytes': 1024, 'PhysicalSize': 4096,\n"
		"'SectorSize': 512 } ], 'Paths': [] } ], 'Namespaces': [] } ] } ] }\n",
	};

	(void)state;
	for (size_t i = 0; i < NR_OF(texts); i++) {
		struct import import = import_json(texts[i]);

		assert_string_equal("M 1", fact_of(&import, "nvme2", "drive.model")->string);
		assert_string_equal("S1", fact_of(&import, "nvme2", "drive.serial")->string);
		assert_string_equal("F1", fact_of(&import, "nvme2", "drive.firmware")->string);
		assert_string_equal("nvme2",
				    fact_of(&import, "nvme2n1", "block.controller")->string);
		assert_near(4096, fact_of(&import, "nvme2n1", "drive.capacity_bytes")->number);
		assert_near(1024, fact_of(&import, "nvme2n1", "drive.allocated_bytes")->number);
		assert_near(512, fact_of(&import, "nvme2n1", "drive.lba_bytes")->number);
		assert_int_equal(i ? 9 : 7, import.graph->nr_facts);
		import_free(&import);
	}
}

static void the_paths_of_a_shared_namespace_are_its_controllers(void **state)
{
	struct import import = import_json(
		"{ 'Devices': [ { 'Subsystems': [ { 'Subsystem': 'nvme-subsys0', 'Namespaces': [\n"
		"{ 'NameSpace': 'nvme0n1', 'NSID': 1, 'UsedBytes': 1, 'PhysicalSize': 4096,\n"
		"'SectorSize': 512, 'Paths': [ { 'Path': 'nvme0c1n1', 'Controller': 'nvme1',\n"
		"'ModelNumber': 'M', 'SerialNumber': 'S', 'Transport': 'tcp', 'Address':\n"
		"'traddr=10.0.0.1,trsvcid=4420' } ] } ] } ] } ] }\n");

	(void)state;
	assert_string_equal("M", fact_of(&import, "nvme1", "drive.model")->string);
	assert_near(4096, fact_of(&import, "nvme0n1", "drive.capacity_bytes")->number);
	assert_no_fact(&import, "block.pci_address");
	import_free(&import);
}

static void identify_and_logs_are_read(void **state)
{
	struct import ctrl = import_json(
		"{ 'vid': 7695, 'sn': 'Z1 ', 'mn': 'KCD61LUL7T68  ', 'fr': '0104', 'mdts': 0,\n"
		"'wctemp': 343, 'cctemp': 0, 'tnvmcap': '7681501126656', 'hctma': 1, 'vwc': 7,\n"
		"'psds': [ { 'max_power': 2500, 'flags': 0, 'exit_lat': 0 },\n"
		"{ 'max_power': 50, 'flags': 3, 'exit_lat': 800 } ] }\n");
	struct import space = import_json(
		"{ 'nsze': 100, 'nuse': 50, 'nlbaf': 1, 'flbas': 1, 'nmic': 0, 'lbafs': [\n"
		"{ 'ms': 0, 'ds': 12, 'rp': 0 }, { 'ms': 0, 'ds': 9, 'rp': 3 } ] }\n");
	struct import errors = import_json(
		"{ 'errors': [ { 'error_count': 7, 'status_field': 8194 },\n"
		"{ 'error_count': 0, 'status_field': 0 } ] }\n");
	struct import tests = import_json(
		"{ 'Current Device Self-Test Operation': 1, 'List of Valid Reports': [\n"
		"{ 'Self test result': 0, 'Power on hours': 12 }, { 'Self test result': 1,\n"
		"'Power on hours': 9000 }, { 'Self test result': 15, 'Power on hours': 99999 } ] "
		"}\n");

	(void)state;
	assert_string_equal("KCD61LUL7T68", string_of(&ctrl, "drive.model"));
	assert_fact(&ctrl, 70, "drive.temperature_warn_c");
	assert_no_fact(&ctrl, "drive.temperature_critical_c");
	assert_no_fact(&ctrl, "nvme.max_transfer_bytes"); /* 0 = no limit */
	assert_fact(&ctrl, 7681501126656, "drive.capacity_bytes");
	assert_int_equal(1, boolean_of(&ctrl, "nvme.has_write_cache"));
	assert_fact(&ctrl, 25, "nvme.power_max_w");
	assert_fact(&ctrl, 800000, "nvme.idle_exit_ns");
	assert_fact(&space, 512, "drive.lba_bytes");
	assert_fact(&space, 3, "nvme.lba_relative_performance");
	assert_fact(&space, 4096, "nvme.lba_best_bytes");
	assert_string_equal("4096+0:0 512+0:3", string_of(&space, "nvme.lba_formats"));
	assert_fact(&errors, 1, "smart.error_log_held");
	assert_fact(&tests, 2, "smart.self_tests");
	assert_fact(&tests, 9000, "smart.self_test_max_hours");
	assert_fact(&tests, 0, "smart.self_test_failures");
	assert_int_equal(1, boolean_of(&tests, "smart.self_test_is_running"));
	assert_string_equal("completed without error", string_of(&tests, "smart.self_test_result"));
	import_free(&ctrl);
	import_free(&space);
	import_free(&errors);
	import_free(&tests);
}

static void json_out_of_a_web_pages_source_is_read(void **state)
{
	struct import import = import_text(
		"<p>Hi</p>\n\n<pre>\n{\n  &quot;critical_warning&quot; : 0,\n"
		"  &quot;temperature&quot; : 310,\n"
		"  &quot;avail_spare&quot; : 99\n}\n</pre>\n");

	(void)state;
	assert_fact(&import, 37, "smart.temperature_c");
	assert_fact(&import, 99, "smart.available_spare_pct");
	assert_string_equal("f.txt:4", fact_of(&import, NULL, "smart.temperature_c")->source);
	assert_int_equal(8, import.graph->inputs[1]->last_line);
	import_free(&import);
}

static void figures_beyond_any_mask_are_no_masks(void **state)
{
	struct import import = import_json(
		"{ 'critical_warning': 281475000000000, 'avail_spare': 9 }\n"
		"{ 'vid': 1, 'sn': 'S', 'mn': 'M', 'fr': 'F', 'hctma': 1e30, 'psds': [ { 'flags': "
		"1e30 } ] }\n"
		"{ 'nsze': 1, 'flbas': 1e30, 'nmic': 1e30, 'lbafs': [ { 'ds': 1e30 }, { 'ds': 9 } "
		"] "
		"}\n"
		"{ 'Current Device Self-Test Operation': 1e30, 'List of Valid Reports': [\n"
		"{ 'Self test result': 1e30 } ] }\n");

	(void)state;
	assert_no_fact(&import, "smart.warns_spare");
	assert_fact(&import, 9, "smart.available_spare_pct");
	import_free(&import);
}

static void members_without_their_braces_are_read(void **state)
{
	struct import import = import_json(
		"It says:\n\n  'critical_warning' : '0',\n"
		"  'temperature' : '311',\n"
		"  'avail_spare' : { 'value': 98 },\n\nand that is all\n");

	(void)state;
	assert_fact(&import, 38, "smart.temperature_c");
	assert_fact(&import, 98, "smart.available_spare_pct");
	assert_int_equal(5, import.graph->inputs[1]->last_line);
	import_free(&import);
}

static void a_document_that_ends_early_keeps_what_was_read(void **state)
{
	struct import import = import_json("{ 'critical_warning': 0,\n'avail_spare': 100,\n"
					   "'percent_used': 2,\n'data_units_re");

	(void)state;
	assert_fact(&import, 100, "smart.available_spare_pct");
	assert_non_null(strstr(import.graph->inputs[0]->reason, "ends early"));
	import_free(&import);
}

static void other_json_is_left_alone(void **state)
{
	static const char *const texts[] = {
		"{ 'temperature': 20 }\n",
		"{ 'errors': [] }\n",
		"{ 'model_name': 'a phone' }\n",
		"{ 'Devices': [] }\n",
	};

	(void)state;
	for (size_t i = 0; i < NR_OF(texts); i++) {
		struct import import = import_json(texts[i]);

		assert_int_equal(0, import.graph->nr_facts);
		import_free(&import);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_come_plain_as_strings_and_as_objects),
		cmocka_unit_test(nulls_and_zero_kelvin_are_no_facts),
		cmocka_unit_test(the_drive_is_named_by_what_stands_around),
		cmocka_unit_test(several_documents_are_several_drives),
		cmocka_unit_test(every_shape_of_list_names_controller_and_namespace),
		cmocka_unit_test(the_paths_of_a_shared_namespace_are_its_controllers),
		cmocka_unit_test(identify_and_logs_are_read),
		cmocka_unit_test(json_out_of_a_web_pages_source_is_read),
		cmocka_unit_test(figures_beyond_any_mask_are_no_masks),
		cmocka_unit_test(members_without_their_braces_are_read),
		cmocka_unit_test(a_document_that_ends_early_keeps_what_was_read),
		cmocka_unit_test(other_json_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
