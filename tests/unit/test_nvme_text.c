/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvme-cli's text: every generation's way to write the same, and what a paste does to it.
 */
#include "drive_facts.h"
#include <errno.h>

#define NR_OF(array) (sizeof(array) / sizeof(*(array)))

static const char smart_log[] = "Smart Log for NVME device:nvme3 namespace-id:ffffffff\n"
				"critical_warning\t\t\t: 0\n"
				"temperature\t\t\t\t: 41 C\n"
				"available_spare\t\t\t\t: 98%\n"
				"available_spare_threshold\t\t: 10%\n"
				"percentage_used\t\t\t\t: 7%\n"
				"endurance group critical warning summary: 0\n"
				"data_units_read\t\t\t\t: 12,345,678\n"
				"data_units_written\t\t\t: 9,876\n"
				"power_on_hours\t\t\t\t: 1,234\n"
				"media_errors\t\t\t\t: 3\n"
				"num_err_log_entries\t\t\t: 14\n"
				"Warning Temperature Time\t\t: 5\n"
				"Critical Composite Temperature Time\t: 6\n"
				"Temperature Sensor 1           : 44 C\n"
				"Temperature Sensor 2           : 0 C\n"
				"Thermal Management T1 Trans Count\t: 8\n"
				"Thermal Management T2 Trans Count\t: 9\n"
				"Thermal Management T1 Total Time\t: 100\n"
				"Thermal Management T2 Total Time\t: 11\n";

static void a_smart_log_is_read_with_the_controller_as_node(void **state)
{
	struct import import = import_text(smart_log);

	(void)state;
	assert_int_equal(1, import.rc);
	assert_string_equal("nvme3", fact_of(&import, NULL, "smart.temperature_c")->node);
	assert_string_equal("f.txt:3", fact_of(&import, "nvme3", "smart.temperature_c")->source);
	assert_fact(&import, 41, "smart.temperature_c");
	assert_fact(&import, 98, "smart.available_spare_pct");
	assert_fact(&import, 10, "smart.available_spare_threshold_pct");
	assert_fact(&import, 7, "smart.percentage_used");
	assert_fact(&import, 12345678, "smart.data_units_read");
	assert_fact(&import, 9876, "smart.data_units_written");
	assert_fact(&import, 1234, "smart.power_on_hours");
	assert_fact(&import, 3, "smart.media_errors");
	assert_fact(&import, 14, "smart.err_log_entries");
	assert_fact(&import, 5, "smart.warning_temp_time_min");
	assert_fact(&import, 6, "smart.critical_temp_time_min");
	assert_fact(&import, 44, "smart.temperature_sensor1_c");
	assert_no_fact(&import, "smart.temperature_sensor2_c"); /* 0: there is none */
	assert_fact(&import, 8, "smart.thm_temp1_trans_count");
	assert_fact(&import, 9, "smart.thm_temp2_trans_count");
	assert_fact(&import, 100, "smart.thm_temp1_total_time_s");
	assert_fact(&import, 11, "smart.thm_temp2_total_time_s");
	import_free(&import);
}

static void a_missing_line_is_no_fact(void **state)
{
	struct import import = import_text("Smart Log for NVME device:nvme0 namespace-id:ffffffff\n"
					   "critical_warning : 0\n"
					   "Critical Composite Temperature Time : 0\n");

	(void)state;
	assert_fact(&import, 0, "smart.critical_temp_time_min");
	assert_no_fact(&import, "smart.warning_temp_time_min");
	assert_no_fact(&import, "smart.thm_temp1_trans_count");
	assert_no_fact(&import, "smart.temperature_c");
	import_free(&import);
}

static void temperatures_are_celsius_whatever_the_version_prints(void **state)
{
	static const struct {
		const char *printed;
		double celsius;
	} cases[] = {
		{ "34 C", 34 },
		{ "34 °C (307 K, 93 °F)", 34 },
		{ "34°C (307 Kelvin)", 34 },
		{ "93°F (307 Kelvin)", 34 },
		{ "93 °F (307 K)", 34 },
		{ "93 F", 34 },
		{ "307 K", 34 },
		{ "307", 34 },
		{ "-5 C", -5 },
		{ "-273 C", NAN },       /* 0 K: not said */
		{ "4294967023 C", NAN }, /* the same, unsigned */
		{ "hot", NAN },
	};

	(void)state;
	for (size_t i = 0; i < NR_OF(cases); i++) {
		HL_FREE char *text = hl_printf("Smart Log for NVME device:nvme0 namespace-id:1\n"
					       "critical_warning : 0\ntemperature : %s\n",
					       cases[i].printed);
		struct import import = import_text(text);

		if (isnan(cases[i].celsius))
			assert_no_fact(&import, "smart.temperature_c");
		else
			assert_fact(&import, cases[i].celsius, "smart.temperature_c");
		import_free(&import);
	}
}

static void numbers_are_grouped_as_any_locale_does(void **state)
{
	static const char *const printed[] = {
		"12,345,678",
		"12.345.678",
		"12 345 678",
		"12'345'678",
		"12\u2019345\u2019678",
		"12\u202f345\u202f678",
		"12\u00a0345\u00a0678",
		"12\240345\240678",
		"12?345?678",
		"12&nbsp;345&#160;678",
		"~12,345,678",
		"1,23,45,678",
		"12345678",
		"12,345,678 (6.32 TB)",
	};

	(void)state;
	for (size_t i = 0; i < NR_OF(printed); i++) {
		HL_FREE char *text = hl_printf("Smart Log for NVME device:nvme0 namespace-id:1\n"
					       "critical_warning : 0\nData Units Read : %s\n",
					       printed[i]);
		struct import import = import_text(text);

		assert_fact(&import, 12345678, "smart.data_units_read");
		import_free(&import);
	}
}

static void a_counter_of_128_bits_is_read(void **state)
{
	struct import import = import_text(
		"Smart Log for NVME device:nvme0 namespace-id:1\n"
		"critical_warning : 0x14\n"
		"host_read_commands : 340,282,366,920,938,463,463,374,607,431,768,211,455\n");

	(void)state;
	assert_fact(&import, 3.4028236692093846e38, "smart.host_reads");
	assert_fact(&import, 20, "smart.critical_warning");
	assert_int_equal(1, boolean_of(&import, "smart.warns_reliability"));
	assert_int_equal(1, boolean_of(&import, "smart.warns_backup"));
	assert_int_equal(0, boolean_of(&import, "smart.warns_spare"));
	import_free(&import);
}

static void the_command_above_names_the_device(void **state)
{
	struct import import = import_text("Hello,\n"
					   "root@host:~# nvme smart-log -H /dev/nvme2n1\n"
					   "critical_warning : 0\n"
					   "      Available Spare[0]             : 0\n"
					   "temperature : 30 C\n"
					   "available_spare : 100%\n"
					   "root@host:~# nvme list\n");

	(void)state;
	assert_string_equal("nvme2", fact_of(&import, NULL, "smart.temperature_c")->node);
	assert_int_equal(3, import.graph->nr_inputs);
	assert_int_equal(6, import.graph->inputs[1]->last_line);
	import_free(&import);
}

static void two_logs_in_one_file_are_two_drives(void **state)
{
	HL_FREE char *other = hl_strdup(smart_log);
	HL_FREE char *both = NULL;
	struct import import;

	(void)state;
	strstr(other, "nvme3")[4] = '5';

	both = hl_printf("%s%s", smart_log, other);
	import = import_text(both);
	fact_of(&import, "nvme3", "smart.temperature_c");
	fact_of(&import, "nvme5", "smart.temperature_c");
	import_free(&import);
}

static void id_ctrl_gives_identity_and_limits(void **state)
{
	struct import import = import_text(
		"NVME Identify Controller:\n"
		"vid       : 0x1e0f\n"
		"ssvid     : 0x1e0f\n"
		"sn        : Z0A1B2C3            \n"
		"mn        : KCD61LUL7T68                            \n"
		"fr        : 0104    \n"
		"mdts      : 9\n"
		"wctemp    : 343\n"
		"cctemp    : 0\n"
		"tnvmcap   : 7,681,501,126,656\n"
		"hctma     : 0x1\n"
		"mntmt     : 273\n"
		"mxtmt     : 348\n"
		"apsta     : 0\n"
		"vwc       : 0x6\n"
		"ps    0 : mp:25.00W operational enlat:0 exlat:0 rrt:0\n"
		"          rwt:0 rwl:0 idle_power:- active_power:-\n"
		"ps    1 : mp:0.0050W non-operational enlat:10 exlat:4500\n");

	(void)state;
	assert_string_equal("KCD61LUL7T68", string_of(&import, "drive.model"));
	assert_string_equal("0104", string_of(&import, "drive.firmware"));
	assert_string_equal("Z0A1B2C3", string_of(&import, "drive.serial"));
	assert_string_equal("KCD61LUL7T68", fact_of(&import, NULL, "drive.model")->node);
	assert_fact(&import, 70, "drive.temperature_warn_c");
	assert_no_fact(&import, "drive.temperature_critical_c");
	assert_fact(&import, 7681501126656, "drive.capacity_bytes");
	assert_int_equal(1, boolean_of(&import, "nvme.has_hctm"));
	assert_int_equal(0, boolean_of(&import, "nvme.has_apst"));
	assert_int_equal(0, boolean_of(&import, "nvme.has_write_cache"));
	assert_fact(&import, 0, "nvme.hctm_min_c");
	assert_fact(&import, 75, "nvme.hctm_max_c");
	assert_fact(&import, 2097152, "nvme.max_transfer_bytes");
	assert_fact(&import, 2, "nvme.power_states");
	assert_fact(&import, 25, "nvme.power_max_w");
	assert_fact(&import, 4500000, "nvme.idle_exit_ns");
	import_free(&import);
}

static void id_ns_tells_the_format_in_use_and_the_best(void **state)
{
	static const char *const texts[] = {
		"$ nvme id-ns /dev/nvme0n1\nNVME Identify Namespace 1:\n"
		"nsze    : 0x1000\nncap    : 0x1000\nnuse    : 0x800\nnlbaf   : 1\nflbas   : 0\n"
		"nmic    : 0x1\nanagrpid: 1\n"
		"lbaf  0 : ms:0   lbads:9  rp:0x2 (in use)\n"
		"lbaf  1 : ms:8   lbads:12 rp:0 \n"
		"lbaf  2 : ms:0   lbads:12 rp:0x1 \n",
		"$ nvme id-ns -H /dev/nvme0n1\nNVME Identify Namespace 1:\n"
		"nsze    : 0x1000\nnuse    : 0x800\nflbas   : 0\n"
		"  [6:5] : 0\tMost significant 2 bits of Current LBA Format Selected\n"
		"nmic    : 0x1\n"
		"LBA Format  0 : Metadata Size: 0   bytes - Data Size: 512 bytes - Relative "
		"Performance: 0x2 Good (in use)\n"
		"LBA Format  1 : Metadata Size: 8   bytes - Data Size: 4096 bytes - Relative "
		"Performance: 0 Best \n"
		"LBA Format  2 : Metadata Size: 0   bytes - Data Size: 4096 bytes - Relative "
		"Performance: 0x1 Better \n",
	};

	(void)state;
	for (size_t i = 0; i < NR_OF(texts); i++) {
		struct import import = import_text(texts[i]);

		assert_fact(&import, 512, "drive.lba_bytes");
		assert_fact(&import, 2, "nvme.lba_relative_performance");
		assert_fact(&import, 4096, "nvme.lba_best_bytes");
		assert_fact(&import, 1, "nvme.lba_best_relative_performance");
		assert_fact(&import, 4096 * 512, "drive.capacity_bytes");
		assert_fact(&import, 2048 * 512, "drive.allocated_bytes");
		assert_int_equal(1, boolean_of(&import, "nvme.is_shared"));
		assert_string_equal("nvme0n1", fact_of(&import, NULL, "drive.lba_bytes")->node);
		import_free(&import);
	}
}

static void logs_are_counted(void **state)
{
	struct import errors = import_text("Error Log Entries for device:nvme0 entries:3\n"
					   ".................\n Entry[ 0]   \n.................\n"
					   "error_count\t: 110\nsqid\t\t: 0\n"
					   "status_field\t: 0x2002(INVALID_FIELD)\n"
					   ".................\n Entry[ 1]   \n.................\n"
					   "error_count\t: 0\nstatus_field\t: 0\n");
	struct import tests = import_text(
		"Device Self Test Log for NVME device:nvme0\n"
		"Current operation  : 0\nCurrent Completion : 0%\n"
		"Self Test Result[0]:\n  Operation Result             : 0x7\n"
		"  Self Test Code               : 2\n"
		"  Power on hours (POH)         : 0x64\n"
		"Self Test Result[1]:\n  Operation Result             : 0\n"
		"  Power on hours (POH)         : 0x200\n"
		"Self Test Result[2]:\n  Operation Result             : 0xf\n"
		"  Power on hours (POH)         : 0xffffffff\n");

	(void)state;
	assert_fact(&errors, 1, "smart.error_log_held");
	assert_fact(&errors, 0x2002, "smart.error_log_status");
	assert_fact(&tests, 2, "smart.self_tests");
	assert_fact(&tests, 1, "smart.self_test_failures");
	assert_fact(&tests, 100, "smart.self_test_hours");
	assert_fact(&tests, 512, "smart.self_test_max_hours");
	assert_string_equal("failed in one part", string_of(&tests, "smart.self_test_result"));
	assert_int_equal(0, boolean_of(&tests, "smart.self_test_is_running"));
	import_free(&errors);
	import_free(&tests);
}

static void a_list_is_read_by_its_columns_and_without_them(void **state)
{
	static const char *const tables[] = {
		"Node             SN                   Model                    Namespace Usage   "
		"                   Format           FW Rev  \n"
		"---------------- -------------------- ------------------------ --------- --------"
		"------------------ ---------------- --------\n"
		"/dev/nvme0n1     S4EV NX0M            Samsung SSD 970 EVO Plus 1         500.11  "
		"GB /   1.00  TB    512   B +  0 B   2B2QEXM7\n",
		"Node SN Model\nNamespace Usage Format FW Rev\n"
		"---------------- --------------------\n"
		"/dev/nvme0n1 /dev/ng0n1 S4EVNX0M Samsung SSD 970 EVO Plus\n"
		"0x1 500.11 GB / 1.00 TB 4 KiB + 0 B\n2B2QEXM7\n",
		"Node SN Model Namespace Usage Format FW Rev\n"
		"/dev/nvme0n1 /dev/ng0n1 S4EVNX0M Samsung SSD 970 EVO Plus 0x1 500.11 GB / 1.00 TB "
		"4 KiB + 0 B 2B2QEXM7\n",
	};

	(void)state;
	for (size_t i = 0; i < NR_OF(tables); i++) {
		struct import import = import_text(tables[i]);

		assert_string_equal("Samsung SSD 970 EVO Plus", string_of(&import, "drive.model"));
		assert_string_equal(i ? "S4EVNX0M" : "S4EV NX0M",
				    string_of(&import, "drive.serial"));
		assert_string_equal("2B2QEXM7", string_of(&import, "drive.firmware"));
		assert_string_equal("nvme0", fact_of(&import, NULL, "drive.model")->node);
		assert_fact(&import, i ? 4096 : 512, "drive.lba_bytes");
		assert_string_equal("nvme0n1", fact_of(&import, NULL, "drive.lba_bytes")->node);
		import_free(&import);
	}
}

static void the_verbose_list_names_controllers_and_their_place(void **state)
{
	struct import import = import_text(
		"Subsystem        Subsystem-NQN                              Controllers\n"
		"---------------- ------------------------------------------ ----------------\n"
		"nvme-subsys1     nqn.2014.08.org.nvmexpress:1e0f             nvme1\n\n"
		"Device   SN                   MN                                       FR       "
		"TxPort "
		"Address        Subsystem    Namespaces\n"
		"-------- -------------------- ---------------------------------------- -------- "
		"------ "
		"-------------- ------------ ----------------\n"
		"nvme1    SERIAL01             KCD61LUL7T68                             0104     "
		"pcie   "
		"0000:c1:00.0   nvme-subsys1 nvme1n1\n\n"
		"Device       Generic      NSID     Usage                      Format           "
		"Controllers\n"
		"------------ ------------ -------- -------------------------- ---------------- "
		"----------------\n"
		"nvme1n1      ng1n1        1          7.68  TB /   7.68  TB    512   B +  0 B   "
		"nvme1\n");

	(void)state;
	assert_string_equal("KCD61LUL7T68", fact_of(&import, "nvme1", "drive.model")->string);
	assert_string_equal("SERIAL01", fact_of(&import, "nvme1", "drive.serial")->string);
	assert_string_equal("0104", fact_of(&import, "nvme1", "drive.firmware")->string);
	assert_string_equal("0000:c1:00.0", fact_of(&import, "nvme1", "block.pci_address")->string);
	assert_string_equal("nvme1", fact_of(&import, "nvme1n1", "block.controller")->string);
	assert_near(512, fact_of(&import, "nvme1n1", "drive.lba_bytes")->number);
	import_free(&import);
}

static void prose_about_drives_is_left_alone(void **state)
{
	static const char *const lines[] = {
		"I ran nvme smart-log /dev/nvme0 and all is well",
		"temperature : 40 C",
		"the critical_warning : 0 is fine",
		"Node and SN and Model are what I need",
	};

	(void)state;
	for (size_t i = 0; i < NR_OF(lines); i++) {
		struct import import = import_text(lines[i]);

		assert_int_equal(-ENODATA, import.rc);
		import_free(&import);
	}
}

static void a_log_that_is_cut_off_gives_what_is_whole_and_says_so(void **state)
{
	static const char *const ends[] = {
		"data_units_wri",           "data_units_written",     "data_units_written : ",
		"data_units_written : 9,8", "data_units_written : 9", "percentage_used : 1\n",
		"Temperature Sensor 1 : 4",
	};

	(void)state;
	for (size_t i = 0; i < NR_OF(ends); i++) {
		HL_FREE char *text = hl_printf("critical_warning : 0\ntemperature : 41 C\n"
					       "available_spare : 98%%\n%s",
					       ends[i]);
		struct import import = import_text(text);

		assert_int_equal(1, import.graph->nr_inputs);
		assert_true(import.graph->inputs[0]->is_partial);
		assert_fact(&import, 98, "smart.available_spare_pct");
		assert_no_fact(&import, "smart.data_units_written");
		assert_no_fact(&import, "smart.percentage_used");
		assert_no_fact(&import, "smart.temperature_sensor1_c");
		import_free(&import);
	}
}

static void a_log_that_merely_has_no_last_newline_is_whole(void **state)
{
	struct import import = import_text("critical_warning : 0\navailable_spare : 98%\n"
					   "Critical Composite Temperature Time : 12");

	(void)state;
	assert_false(import.graph->inputs[0]->is_partial);
	assert_fact(&import, 12, "smart.critical_temp_time_min");
	import_free(&import);
}

static void a_title_alone_is_an_error(void **state)
{
	struct import import = import_text(
		"Smart Log for NVME device:nvme0 namespace-id:1\n\nBye\n");

	(void)state;
	assert_int_equal(-ENODATA, import.rc);
	assert_int_equal(HL_INPUT_UNUSABLE, import.graph->inputs[0]->status);
	assert_non_null(strstr(import.err.text, "f.txt:1"));
	import_free(&import);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_smart_log_is_read_with_the_controller_as_node),
		cmocka_unit_test(a_missing_line_is_no_fact),
		cmocka_unit_test(temperatures_are_celsius_whatever_the_version_prints),
		cmocka_unit_test(numbers_are_grouped_as_any_locale_does),
		cmocka_unit_test(a_counter_of_128_bits_is_read),
		cmocka_unit_test(the_command_above_names_the_device),
		cmocka_unit_test(two_logs_in_one_file_are_two_drives),
		cmocka_unit_test(id_ctrl_gives_identity_and_limits),
		cmocka_unit_test(id_ns_tells_the_format_in_use_and_the_best),
		cmocka_unit_test(logs_are_counted),
		cmocka_unit_test(a_list_is_read_by_its_columns_and_without_them),
		cmocka_unit_test(the_verbose_list_names_controllers_and_their_place),
		cmocka_unit_test(prose_about_drives_is_left_alone),
		cmocka_unit_test(a_log_that_is_cut_off_gives_what_is_whole_and_says_so),
		cmocka_unit_test(a_log_that_merely_has_no_last_newline_is_whole),
		cmocka_unit_test(a_title_alone_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
