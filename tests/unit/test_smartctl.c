/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * smartctl's text and JSON of ATA, SCSI and NVMe drives, whole and in pieces.
 */
#include "drive_facts.h"
#include <errno.h>

#define BANNER                                                                                     \
	"smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0-18-amd64] (local build)\n"              \
	"Copyright (C) 2002-22, Bruce Allen, Christian Franke, www.smartmontools.org\n\n"

static const char nvme[] =
	"# smartctl -a /dev/nvme1\n" BANNER "=== START OF INFORMATION SECTION ===\n"
	"Model Number:                       SAMSUNG MZQL23T8HCLS-00A07\n"
	"Serial Number:                      S64HNE0R123456\n"
	"Firmware Version:                   GDC5602Q\n"
	"PCI Vendor/Subsystem ID:            0x144d\n"
	"Total NVM Capacity:                 3,840,755,982,336 [3.84 TB]\n"
	"Namespace 1 Size/Capacity:          3,840,755,982,336 [3.84 TB]\n"
	"Namespace 1 Formatted LBA Size:     512\n"
	"Warning  Comp. Temp. Threshold:     80 Celsius\n"
	"Critical Comp. Temp. Threshold:     83 Celsius\n\n"
	"=== START OF SMART DATA SECTION ===\n"
	"SMART overall-health self-assessment test result: FAILED!\n"
	"- NVM subsystem reliability has been degraded\n\n"
	"SMART/Health Information (NVMe Log 0x02)\n"
	"Critical Warning:                   0x04\n"
	"Temperature:                        39 Celsius\n"
	"Available Spare:                    98%\n"
	"Data Units Written:                 1,234,567 [632 GB]\n"
	"Power On Hours:                     9,025\n"
	"Media and Data Integrity Errors:    12\n"
	"Warning  Comp. Temperature Time:    3\n"
	"Critical Comp. Temperature Time:    4\n"
	"Temperature Sensor 2:               45 Celsius\n"
	"Thermal Temp. 1 Transition Count:   7\n"
	"Thermal Temp. 1 Total Time:         88\n\n"
	"Error Information (NVMe Log 0x01, 16 of 64 entries)\n"
	"Num   ErrCount  SQId   CmdId  Status  PELoc          LBA  NSID    VS\n"
	"  0         12     0  0x0014  0x4004      -            0     1     -\n\n"
	"Self-test Log (NVMe Log 0x06)\nSelf-test status: No self-test in progress\n"
	"Num  Test_Description  Status                       Power_on_Hours  Failing_LBA\n"
	" 0   Short             Completed without error                9020            -\n"
	" 1   Extended          Completed: failed segments             8000            -\n";

static void an_nvme_drive_is_read(void **state)
{
	struct import import = import_text(nvme);

	(void)state;
	assert_int_equal(1, import.rc);
	assert_int_equal(1, import.graph->nr_inputs);
	assert_string_equal("nvme1", fact_of(&import, NULL, "drive.model")->node);
	assert_string_equal("SAMSUNG MZQL23T8HCLS-00A07", string_of(&import, "drive.model"));
	assert_string_equal("S64HNE0R123456", string_of(&import, "drive.serial"));
	assert_string_equal("GDC5602Q", string_of(&import, "drive.firmware"));
	assert_fact(&import, 3840755982336, "drive.capacity_bytes");
	assert_fact(&import, 512, "drive.lba_bytes");
	assert_fact(&import, 80, "drive.temperature_warn_c");
	assert_fact(&import, 83, "drive.temperature_critical_c");
	assert_int_equal(0, boolean_of(&import, "smart.health_passed"));
	assert_fact(&import, 4, "smart.critical_warning");
	assert_int_equal(1, boolean_of(&import, "smart.warns_reliability"));
	assert_fact(&import, 39, "smart.temperature_c");
	assert_fact(&import, 45, "smart.temperature_sensor2_c");
	assert_fact(&import, 9025, "smart.power_on_hours");
	assert_fact(&import, 12, "smart.media_errors");
	assert_fact(&import, 3, "smart.warning_temp_time_min");
	assert_fact(&import, 4, "smart.critical_temp_time_min");
	assert_fact(&import, 7, "smart.thm_temp1_trans_count");
	assert_fact(&import, 88, "smart.thm_temp1_total_time_s");
	assert_no_fact(&import, "smart.thm_temp2_trans_count");
	assert_string_equal("Completed without error",
			    string_of(&import, "smart.self_test_result"));
	assert_fact(&import, 9020, "smart.self_test_hours");
	assert_fact(&import, 2, "smart.self_tests");
	assert_fact(&import, 1, "smart.self_test_failures");
	import_free(&import);
}

static const char ata[] = BANNER
	"=== START OF INFORMATION SECTION ===\n"
	"Device Model:     WDC WD40EFRX-68N32N0\n"
	"Serial Number:    WD-WCC7K0000000\n"
	"Firmware Version: 82.00A82\n"
	"User Capacity:    4.000.787.030.016 bytes [4,00 TB]\n"
	"Sector Sizes:     512 bytes logical, 4096 bytes physical\n"
	"Rotation Rate:    5400 rpm\n"
	"Device is:        In smartctl database [for details use: -P show]\n"
	"SATA Version is:  SATA 3.1, 6.0 Gb/s (current: 3.0 Gb/s)\n\n"
	"=== START OF READ SMART DATA SECTION ===\n"
	"SMART overall-health self-assessment test result: PASSED\n\n"
	"ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED "
	"RAW_VALUE\n"
	"  5 Reallocated_Sector_Ct   0x0033   200   200   140    Pre-fail  Always       -       8\n"
	"  9 Power_On_Hours          0x0032   062   062   000    Old_age   Always       -       "
	"28000h+17m+10.5s\n"
	"194 Temperature_Celsius     0x0022   118   107   000    Old_age   Always       -       32 "
	"(Min/Max 18/45)\n"
	"197 Current_Pending_Sector  0x0032   200   200   000    Old_age   Always       -       "
	"16\n"
	"198 Host_Reads_GiB          0x0030   100   253   000    Old_age   Offline      -       "
	"99\n"
	"199 UDMA_CRC_Error_Count    0x0032   200   200   000    Old_age   Always       -       2\n"
	"\n"
	"Error 2 [1] occurred at disk power-on lifetime: 27950 hours (1164 days + 14 hours)\n"
	"Error 1 [0] occurred at disk power-on lifetime: 11 hours (0 days + 11 hours)\n\n"
	"SMART Self-test log structure revision number 1\n"
	"Num  Test_Description    Status                  Remaining  LifeTime(hours)  "
	"LBA_of_first_error\n"
	"# 1  Extended offline    Completed: read failure       90%     27900         123456789\n"
	"# 2  Short offline       Completed without error       00%     27000         -\n\n"
	"Device Statistics (GP Log 0x04)\n"
	"Page  Offset Size        Value Flags Description\n"
	"0x01  =====  =               =  ===  == General Statistics (rev 1) ==\n"
	"0x01  0x010  4           28001  ---  Power-on Hours\n\n"
	"Seagate Field Access Reliability Metrics log (FARM) (GP Log 0xa6)\n"
	"\tFARM Log Page 1: Drive Information\n\t\tPower on Hours: 99999\n";

static void an_ata_drive_is_read(void **state)
{
	struct import import = import_text(ata);

	(void)state;
	assert_string_equal("WDC WD40EFRX-68N32N0", fact_of(&import, NULL, "smart.pending")->node);
	assert_int_equal(1, import.graph->nr_inputs);
	assert_fact(&import, 4000787030016, "drive.capacity_bytes");
	assert_fact(&import, 4096, "drive.physical_block_bytes");
	assert_fact(&import, 5400, "drive.rotation_rpm");
	assert_fact(&import, 6, "drive.link_max_gbps");
	assert_fact(&import, 3, "drive.link_gbps");
	assert_int_equal(1, boolean_of(&import, "smart.health_passed"));
	assert_fact(&import, 8, "smart.reallocated");
	assert_fact(&import, 28000, "smart.power_on_hours");
	assert_fact(&import, 32, "smart.temperature_c");
	assert_fact(&import, 16, "smart.pending");
	assert_no_fact(&import, "smart.offline_uncorrectable"); /* this maker's 198 is another */
	assert_fact(&import, 2, "smart.crc_errors");
	assert_fact(&import, 99999, "smart.log_power_on_hours"); /* the higher count */
	assert_fact(&import, 27950, "smart.error_log_max_hours");
	assert_fact(&import, 27900, "smart.self_test_max_hours");
	assert_string_equal("Completed: read failure",
			    string_of(&import, "smart.self_test_result"));
	assert_fact(&import, 27900, "smart.self_test_hours");
	assert_fact(&import, 1, "smart.self_test_failures");
	import_free(&import);
}

static void lines_that_a_mailer_quoted_and_broke_are_joined(void **state)
{
	struct import import = import_text(
		"> ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED\n"
		"> WHEN_FAILED RAW_VALUE\n"
		">   5 Reallocated_Sector_Ct   0x0033   200   200   140    Pre-fail  Always\n"
		">       -       8\n"
		"> 197 Current_Pending_Sector  0x0032   200   200   000    Old_age   Always\n"
		">       -       16\n");

	(void)state;
	assert_fact(&import, 8, "smart.reallocated");
	assert_fact(&import, 16, "smart.pending");
	import_free(&import);
}

static void a_scsi_drive_is_read_in_any_locale(void **state)
{
	struct import import = import_text(
		"smartctl -x /dev/sdag\n" BANNER "=== START OF INFORMATION SECTION ===\n"
		"Vendor:               HGST\nProduct:              HUS726040ALS214\n"
		"Revision:             AD05\n"
		"User Capacity:        4 000 787 030 016 bytes [4,00 TB]\n"
		"Rotation Rate:        7200 rpm\nTransport protocol:   SAS (SPL-3)\n\n"
		"=== START OF READ SMART DATA SECTION ===\n"
		"SMART Health Status: HARDWARE IMPENDING FAILURE GENERAL HARD DRIVE FAILURE "
		"[asc=5d, ascq=10]\n\n"
		"Current Drive Temperature:     46 C\nDrive Trip Temperature:        85 C\n\n"
		"Accumulated power on time, hours:minutes 22332:41 [1339961 minutes]\n"
		"Elements in grown defect list: 195\n\n"
		"Error counter log:\n"
		"read: 2959553965 0 0 2959553965 0 87202,134 3\n"
		"write: 0 0 0 0 0 296033,679 0\n\nNon-medium error count:      332\n\n"
		"Protocol Specific port log page for SAS SSP\nrelative target port id = 1\n"
		"  negotiated logical link rate: phy enabled; 6 Gbps\n"
		"relative target port id = 2\n"
		"  negotiated logical link rate: phy enabled; 12 Gbps\n"
		"  negotiated logical link rate: phy enabled; unknown\n");

	(void)state;
	assert_string_equal("sdag", fact_of(&import, NULL, "drive.model")->node);
	assert_string_equal("HGST HUS726040ALS214", string_of(&import, "drive.model"));
	assert_string_equal("AD05", string_of(&import, "drive.firmware"));
	assert_fact(&import, 4000787030016, "drive.capacity_bytes");
	assert_int_equal(0, boolean_of(&import, "smart.health_passed"));
	assert_fact(&import, 46, "smart.temperature_c");
	assert_fact(&import, 85, "drive.temperature_critical_c");
	assert_fact(&import, 22332, "smart.power_on_hours");
	assert_fact(&import, 195, "smart.grown_defects");
	assert_fact(&import, 3, "smart.uncorrected_reads");
	assert_fact(&import, 0, "smart.uncorrected_writes");
	assert_fact(&import, 332, "smart.non_medium_errors");
	assert_fact(&import, 6, "drive.link_gbps"); /* the slowest that is up */
	import_free(&import);
}

static void what_is_not_available_is_no_fact(void **state)
{
	struct import import = import_text(
		BANNER "=== START OF READ SMART DATA SECTION ===\n"
		       "SMART overall-health self-assessment test result: UNKNOWN!\n"
		       "Current Drive Temperature:     <not available>\n"
		       "Elements in grown defect list: 0\n");

	(void)state;
	assert_no_fact(&import, "smart.health_passed");
	assert_no_fact(&import, "smart.temperature_c");
	assert_fact(&import, 0, "smart.grown_defects");
	import_free(&import);
}

static void outputs_behind_each_other_are_different_drives(void **state)
{
	HL_FREE char *both = hl_printf("$ smartctl -a /dev/sda\n%s\n$ smartctl -a /dev/nvme1\n%s"
				       "root@h:~# uname -r\n6.1.0\n",
				       ata, nvme + strlen("# smartctl -a /dev/nvme1\n"));
	struct import import = import_text(both);

	(void)state;
	assert_near(32, fact_of(&import, "sda", "smart.temperature_c")->number);
	assert_near(39, fact_of(&import, "nvme1", "smart.temperature_c")->number);
	assert_int_equal(3, import.graph->nr_inputs);
	assert_int_equal(HL_INPUT_PROSE, import.graph->inputs[2]->status);
	import_free(&import);
}

static void a_second_information_section_is_another_drive(void **state)
{
	struct import import = import_text(
		"=== START OF INFORMATION SECTION ===\n"
		"Device Model:     M1\n\n"
		"=== START OF READ SMART DATA SECTION ===\n"
		"SMART overall-health self-assessment test result: PASSED\n\n"
		"=== START OF INFORMATION SECTION ===\n"
		"Device Model:     M2\n\n"
		"=== START OF READ SMART DATA SECTION ===\n"
		"SMART overall-health self-assessment test result: FAILED!\n");

	(void)state;
	assert_true(fact_of(&import, "M1", "smart.health_passed")->boolean);
	assert_false(fact_of(&import, "M2", "smart.health_passed")->boolean);
	import_free(&import);
}

static void a_table_with_bars_is_read(void **state)
{
	struct import import = import_text(
		"ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE\n"
		"| 5 | Reallocated_Sector_Ct | PO--CK | 100 | 100 | 010 | - | 3 |\n");

	(void)state;
	assert_fact(&import, 3, "smart.reallocated");
	import_free(&import);
}

static void json_of_every_kind_of_drive_is_read(void **state)
{
	struct import scsi = import_json(
		"{ 'device': { 'name': '/dev/sdb', 'type': 'scsi', 'protocol': 'SCSI' },\n"
		"'scsi_vendor': 'SEAGATE', 'scsi_product': 'ST1200MM0088', 'scsi_revision': "
		"'TT31',\n"
		"'user_capacity': { 'blocks': 1, 'bytes': 1200243695616 }, 'rotation_rate': "
		"10500,\n"
		"'smart_status': { 'passed': true }, 'temperature': { 'current': 31, 'drive_trip': "
		"60 },\n'scsi_grown_defect_list': 4, 'power_on_time': { 'hours': 5675 },\n"
		"'scsi_self_test_0': { 'result': { 'value': 15, 'string': 'Self test in progress "
		"...' } },\n"
		"'scsi_self_test_1': { 'result': { 'value': 3, 'string': 'Unknown error, "
		"incomplete' },\n'power_on_time': { 'hours': 5670 } },\n"
		"'scsi_sas_port_0': { 'phy_0': { 'negotiated_logical_link_rate': 'phy enabled; 12 "
		"Gbps' } },\n'scsi_sas_port_1': { 'phy_0': { 'negotiated_logical_link_rate': 'phy "
		"enabled; unknown' } },\n"
		"'scsi_error_counter_log': { 'write': { 'total_uncorrected_errors': 535 } } }\n");
	struct import ata_json = import_json(
		"{ 'smartctl': { 'version': [ 7, 3 ], 'argv': [ 'smartctl' ] },\n"
		"'device': { 'name': '/dev/bus/6', 'type': 'sat+megaraid,14' },\n"
		"'model_name': 'ST6000', 'interface_speed': { 'max': { 'units_per_second': 60,\n"
		"'bits_per_unit': 100000000 } }, 'ata_smart_attributes': { 'table': [\n"
		"{ 'id': 5, 'name': 'Reallocated_Sector_Ct', 'raw': { 'value': 304, 'string': "
		"'304' "
		"} },\n"
		"{ 'id': 190, 'name': 'Airflow_Temperature_Cel', 'raw': { 'value': 605552673,\n"
		"'string': '33 (Min/Max 24/36)' } } ] },\n"
		"'ata_smart_self_test_log': { 'standard': { 'table': [ { 'status': { 'string':\n"
		"'Completed without error' }, 'lifetime_hours': 7 } ] } },\n"
		"'ata_smart_data': { 'self_test': { 'status': { 'value': 249 } } },\n"
		"'ata_smart_error_log': { 'summary': { 'table': [ { 'lifetime_hours': 5 },\n"
		"{ 'lifetime_hours': 9 } ] } } }\n");

	(void)state;
	assert_string_equal("sdb", fact_of(&scsi, NULL, "drive.model")->node);
	assert_string_equal("SEAGATE ST1200MM0088", string_of(&scsi, "drive.model"));
	assert_string_equal("TT31", string_of(&scsi, "drive.firmware"));
	assert_fact(&scsi, 4, "smart.grown_defects");
	assert_fact(&scsi, 5675, "smart.power_on_hours");
	assert_fact(&scsi, 535, "smart.uncorrected_writes");
	assert_fact(&scsi, 12, "drive.link_gbps");
	assert_fact(&scsi, 31, "smart.temperature_c");
	assert_fact(&scsi, 1, "smart.self_tests");
	assert_fact(&scsi, 1, "smart.self_test_failures");
	assert_fact(&scsi, 5670, "smart.self_test_max_hours");
	assert_string_equal("ST6000 megaraid,14", fact_of(&ata_json, NULL, "drive.model")->node);
	assert_fact(&ata_json, 304, "smart.reallocated");
	assert_fact(&ata_json, 33, "smart.temperature_c");
	assert_fact(&ata_json, 6, "drive.link_max_gbps");
	assert_fact(&ata_json, 7, "smart.self_test_hours");
	assert_fact(&ata_json, 9, "smart.error_log_max_hours");
	assert_int_equal(1, boolean_of(&ata_json, "smart.self_test_is_running"));
	assert_int_equal(1, scsi.rc);
	import_free(&scsi);
	import_free(&ata_json);
}

static void a_drive_that_sleeps_says_so_and_nothing_else(void **state)
{
	struct import import = import_json(
		"{ 'smartctl': { 'version': [ 7, 3 ], 'argv': [ 'smartctl' ], 'messages': [\n"
		"{ 'string': 'Device is in STANDBY mode, exit(2)', 'severity': 'information' } ],\n"
		"'exit_status': 2 }, 'device': { 'name': '/dev/sdc' } }\n");

	(void)state;
	assert_int_equal(1, boolean_of(&import, "drive.is_asleep"));
	assert_int_equal(1, import.graph->nr_facts);
	assert_string_equal("sdc", fact_of(&import, NULL, "drive.is_asleep")->node);
	import_free(&import);
}

static void garbage_behind_a_banner_is_an_error(void **state)
{
	struct import import = import_text(BANNER "Hello, what now?\n");

	(void)state;
	assert_int_equal(-ENODATA, import.rc);
	assert_int_equal(0, import.graph->nr_facts);
	import_free(&import);
}

static void double_line_spacing_is_closed_up(void **state)
{
	struct import import = import_text(
		"smartctl 6.5 2016-05-07 r4318 [x86_64-w64-mingw32-win8.1] (sf-6.5-1)\n\n"
		"=== START OF READ SMART DATA SECTION ===\n\n"
		"SMART Attributes Data Structure revision number: 16\n\n"
		"Vendor Specific SMART Attributes with Thresholds:\n\n"
		"ID# ATTRIBUTE_NAME FLAG VALUE WORST THRESH TYPE UPDATED WHEN_FAILED RAW_VALUE\n\n"
		"1 Raw_Read_Error_Rate 0x002f 200 200 051 Pre-fail Always - 0\n\n"
		"5 Reallocated_Sector_Ct 0x0033 200 200 140 Pre-fail Always - 6\n\n"
		"9 Power_On_Hours 0x0032 077 077 000 Old_age Always - 812\n\n");

	(void)state;
	assert_int_equal(1, import.rc);
	assert_fact(&import, 6, "smart.reallocated");
	assert_string_equal("f.txt:15", fact_of(&import, NULL, "smart.power_on_hours")->source);
	import_free(&import);
}

static void old_output_without_sections_is_read(void **state)
{
	struct import import = import_text(
		"smartctl 5.43 2012-06-30 r3573 [x86_64-linux-2.6.32] (local build)\n"
		"Copyright (C) 2002-12 by Bruce Allen, http://smartmontools.sourceforge.net\n\n"
		"Vendor:               EXAMPLE\nProduct:              LUN\n"
		"Revision:             820a\nSMART Health Status: OK\n");

	(void)state;
	assert_int_equal(1, import.rc);
	assert_string_equal("EXAMPLE LUN", string_of(&import, "drive.model"));
	assert_int_equal(true, boolean_of(&import, "smart.health_passed"));
	import_free(&import);
}

static void lines_that_went_through_grep_are_read(void **state)
{
	struct import import = import_text(
		"Device Model: EXAMPLE 18T\nPower mode is: ACTIVE or IDLE\n"
		"SMART overall-health self-assessment test result: PASSED\n");

	(void)state;
	assert_string_equal("EXAMPLE 18T", string_of(&import, "drive.model"));
	assert_int_equal(true, boolean_of(&import, "smart.health_passed"));
	import_free(&import);
}

#define AIRFLOW "190 Airflow_Temperature_Cel -O--CK   064   051   000    -    36\n"
#define OWN     "194 Temperature_Celsius     -O---K   064   051   000    -    34\n"
#define SCT     "\nSCT Status Version:                  3\nCurrent Temperature: 38 Celsius\n"

static void the_temperature_of_the_air_is_the_last_resort(void **state)
{
	static const struct {
		const char *text;
		double celsius;
	} cases[] = { { AIRFLOW, 36 }, { AIRFLOW OWN, 34 }, { AIRFLOW SCT, 38 } };

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_text(cases[i].text);

		assert_fact(&import, cases[i].celsius, "smart.temperature_c");
		import_free(&import);
	}
}

static void the_zeros_of_a_raid_volume_are_no_temperature(void **state)
{
	struct import import = import_json("{ 'smart_status': { 'passed': true },"
					   "  'model_name': 'Raid 1 Volume',"
					   "  'temperature': { 'current': 0, 'drive_trip': 0 } }");

	(void)state;
	assert_string_equal("Raid 1 Volume", string_of(&import, "drive.model"));
	assert_no_fact(&import, "smart.temperature_c");
	import_free(&import);
}

static void output_that_is_cut_off_gives_what_is_whole_and_says_so(void **state)
{
	static const char *const ends[] = {
		"Model Number:     EXA",
		"SMART overall-health self-assessment test result: PAS",
		"Data Units Written:    12,3",
		"Data Units Written:    12,345 [6",
		"Data Units Written:    12\n",
		"Percentage Used:       1\n",
		"199 UDMA_CRC_Error_Count    0x003e   200   20",
	};

	(void)state;
	for (size_t i = 0; i < NR(ends); i++) {
		HL_FREE char *text = hl_printf("=== START OF INFORMATION SECTION ===\n"
					       "Firmware Version: EX12\n%s",
					       ends[i]);
		struct import import = import_text(text);

		assert_int_equal(1, import.graph->nr_inputs);
		assert_true(import.graph->inputs[0]->is_partial);
		assert_int_equal(1, import.graph->nr_facts);
		assert_string_equal("EX12", string_of(&import, "drive.firmware"));
		import_free(&import);
	}
}

static void every_cut_of_an_output_is_borne(void **state)
{
	(void)state;
	for (size_t len = 0; len < sizeof(ata); len += 7) {
		struct import import = import_bytes(ata, len);

		import_free(&import);
	}
	for (size_t len = 0; len < sizeof(nvme); len += 7) {
		struct import import = import_bytes(nvme, len);

		import_free(&import);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_nvme_drive_is_read),
		cmocka_unit_test(an_ata_drive_is_read),
		cmocka_unit_test(lines_that_a_mailer_quoted_and_broke_are_joined),
		cmocka_unit_test(a_scsi_drive_is_read_in_any_locale),
		cmocka_unit_test(what_is_not_available_is_no_fact),
		cmocka_unit_test(outputs_behind_each_other_are_different_drives),
		cmocka_unit_test(a_second_information_section_is_another_drive),
		cmocka_unit_test(a_table_with_bars_is_read),
		cmocka_unit_test(json_of_every_kind_of_drive_is_read),
		cmocka_unit_test(a_drive_that_sleeps_says_so_and_nothing_else),
		cmocka_unit_test(garbage_behind_a_banner_is_an_error),
		cmocka_unit_test(double_line_spacing_is_closed_up),
		cmocka_unit_test(old_output_without_sections_is_read),
		cmocka_unit_test(lines_that_went_through_grep_are_read),
		cmocka_unit_test(the_temperature_of_the_air_is_the_last_resort),
		cmocka_unit_test(the_zeros_of_a_raid_volume_are_no_temperature),
		cmocka_unit_test(output_that_is_cut_off_gives_what_is_whole_and_says_so),
		cmocka_unit_test(every_cut_of_an_output_is_borne),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
