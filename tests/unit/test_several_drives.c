/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outputs of several drives in one text: each is a node of its own, whether the text names it or
 * not, and none of its values takes the place of another's.
 */
#include "drive_facts.h"

#define TABLE(reallocated)                                                                         \
	"ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  RAW_VALUE\n"   \
	"  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always   -  "           \
	" " reallocated "\n"                                                                       \
	"199 UDMA_CRC_Error_Count    0x003e   200   200   000    Old_age   Always   -   0\n\n"

#define BANNER "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)\n\n"
#define INFO   "=== START OF INFORMATION SECTION ===\nDevice Model:     EXAMPLE 4000\n"

static void assert_reallocated(const struct import *import, double expected, const char *node)
{
	assert_float_equal(expected, fact_of(import, node, "smart.reallocated")->number, 0);
}

static void a_command_or_a_heading_names_the_drive_below(void **state)
{
	static const char *const texts[] = {
		"# smartctl -A /dev/sda\n" BANNER TABLE(
			"7") "# smartctl -A /dev/sdb\n" BANNER TABLE("2"),
		"=== /dev/sda ===\n" BANNER TABLE("7") "=== /dev/sdb ===\n" BANNER TABLE("2"),
		"sda:\n" TABLE("7") "sdb:\n" TABLE("2"),
		"### Drive sda ###\n```\n" TABLE("7") "```\n### Drive sdb ###\n```\n" TABLE("2"),
		"==> /dev/sda <==\n" BANNER TABLE("7") "==> /dev/sdb <==\n" BANNER TABLE("2"),
	};

	(void)state;
	for (size_t i = 0; i < NR(texts); i++) {
		struct import import = import_text(texts[i]);

		assert_reallocated(&import, 7, "sda");
		assert_reallocated(&import, 2, "sdb");
		import_free(&import);
	}
}

static void drives_that_nothing_names_are_numbered(void **state)
{
	struct import import = import_text(BANNER TABLE("7") BANNER TABLE("2") BANNER TABLE("0"));

	(void)state;
	assert_reallocated(&import, 7, "f");
	assert_reallocated(&import, 2, "f 2");
	assert_reallocated(&import, 0, "f 3");
	import_free(&import);
}

static void rows_that_begin_again_are_of_the_next_drive(void **state)
{
	struct import import = import_text(
		"  5 Reallocated_Sector_Ct 0x0033 100 100 010 Pre-fail Always - 1\n"
		"197 Current_Pending_Sector 0x0012 100 100 000 Old_age Always - 8\n"
		"  5 Reallocated_Sector_Ct 0x0033 100 100 010 Pre-fail Always - 0\n"
		"197 Current_Pending_Sector 0x0012 100 100 000 Old_age Always - 0\n");

	(void)state;
	assert_reallocated(&import, 1, "f");
	assert_reallocated(&import, 0, "f 2");
	assert_float_equal(8, fact_of(&import, "f", "smart.pending")->number, 0);
	import_free(&import);
}

static void drives_of_one_model_are_told_apart_by_serial_number(void **state)
{
	struct import import = import_text(INFO "Serial Number:    AB123\n" INFO
						"Serial Number:    AB456\n");

	(void)state;
	assert_string_equal("AB123", fact_of(&import, "EXAMPLE 4000", "drive.serial")->string);
	assert_string_equal("AB456", fact_of(&import, "EXAMPLE 4000 2", "drive.serial")->string);
	import_free(&import);
}

static void a_serial_number_that_is_blacked_out_tells_nothing(void **state)
{
	struct import import = import_text(INFO "Serial Number:    XXXXXXXX\n\n" TABLE("7") INFO
					   "Serial Number:    XXXXXXXX\n\n" TABLE("2"));

	(void)state;
	assert_reallocated(&import, 7, "EXAMPLE 4000");
	assert_reallocated(&import, 2, "EXAMPLE 4000 2");
	import_free(&import);
}

static void one_serial_number_is_one_drive(void **state)
{
	struct import import = import_text(INFO "Serial Number:    AB123\n\n" TABLE("2") INFO
					   "Serial Number:    AB123\n\n" TABLE("7"));

	(void)state;
	assert_null(hl_graph_find_fact(import.graph, "EXAMPLE 4000 2", "smart.reallocated"));
	import_free(&import);
}

static void json_documents_without_a_device_are_numbered(void **state)
{
	struct import import = import_json("{ 'critical_warning': 0, 'temperature': 310,"
					   "  'percent_used': 3 }\n"
					   "{ 'critical_warning': 0, 'temperature': 320,"
					   "  'percent_used': 4 }\n");

	(void)state;
	assert_float_equal(3, fact_of(&import, "f", "smart.percentage_used")->number, 0);
	assert_float_equal(4, fact_of(&import, "f 2", "smart.percentage_used")->number, 0);
	import_free(&import);
}

static void a_heading_names_the_json_below(void **state)
{
	struct import import = import_json("/dev/nvme1:\n"
					   "{ 'critical_warning': 0, 'temperature': 310,"
					   "  'percent_used': 3 }\n");

	(void)state;
	assert_float_equal(3, fact_of(&import, "nvme1", "smart.percentage_used")->number, 0);
	import_free(&import);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_or_a_heading_names_the_drive_below),
		cmocka_unit_test(drives_that_nothing_names_are_numbered),
		cmocka_unit_test(rows_that_begin_again_are_of_the_next_drive),
		cmocka_unit_test(drives_of_one_model_are_told_apart_by_serial_number),
		cmocka_unit_test(a_serial_number_that_is_blacked_out_tells_nothing),
		cmocka_unit_test(one_serial_number_is_one_drive),
		cmocka_unit_test(json_documents_without_a_device_are_numbered),
		cmocka_unit_test(a_heading_names_the_json_below),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
