/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of different machines are told apart; what only is written in another way is not.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hoploss/apart.h"

#define NR(array) (sizeof(array) / sizeof(*(array)))

struct said {
	const char *node, *key, *text;
	double number; /* where text is NULL */
};

/* Adds what a file says; the host that it is given. */
static const char *read_file(struct hl_graph *graph, const char *file, const struct said *said,
			     size_t nr)
{
	const struct hl_origin origin = { .source = file };
	size_t first = graph->nr_facts;

	for (size_t i = 0; i < nr; i++) {
		struct hl_origin of_node = origin;

		of_node.node = said[i].node;
		hl_graph_add_string(graph, &of_node, said[i].key, said[i].text);
		hl_graph_add_number(graph, &of_node, said[i].key,
				    said[i].text ? NAN : said[i].number);
	}
	return hl_apart_tell(graph, first, file);
}

#define READ(graph, file, said) read_file(graph, file, said, NR(said))

static const struct said one[] = { { "nvme0", "drive.serial", "S1", 0 },
				   { "nvme0", "drive.capacity_bytes", NULL, 500107862016 },
				   { "nvme0", "smart.media_errors", NULL, 0 } };
static const struct said other[] = { { "nvme0", "drive.serial", "S2", 0 },
				     { "nvme0", "drive.capacity_bytes", NULL, 500107862016 },
				     { "nvme0", "smart.media_errors", NULL, 7 } };

static void another_serial_number_is_another_machine(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	assert_null(READ(graph, "a.txt", one));
	assert_string_equal("b.txt", READ(graph, "b.txt", other));
	for (size_t i = 0; i < NR(one); i++)
		assert_null(graph->facts[i]->host);
	for (size_t i = NR(one); i < graph->nr_facts; i++)
		assert_string_equal("b.txt", graph->facts[i]->host);
	assert_int_equal(1, graph->nr_warnings);
	assert_non_null(strstr(graph->warnings[0], "b.txt is not of the machine of a.txt"));
	assert_false(hl_apart_may_be_one(graph, NULL, "b.txt"));
	assert_true(hl_apart_may_be_one(graph, NULL, "pve"));
}

static void two_logs_of_one_drive_stay_together(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	READ(graph, "a.txt", one);
	READ(graph, "b.txt", other);
	assert_null(READ(graph, "a-after.txt", one));
	assert_string_equal("b.txt", READ(graph, "b-after.txt", other));
}

static void a_third_drive_of_the_same_file_name_has_a_host_of_its_own(void **state)
{
	static const struct said third[] = { { "nvme0", "drive.serial", "S3", 0 } };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	READ(graph, "a.txt", one);
	READ(graph, "b.txt", other);
	assert_string_equal("b.txt-2", READ(graph, "b.txt", third));
}

static void every_key_that_makes_a_node_what_it_is_counts(void **state)
{
	static const struct said pairs[][2] = {
		{ { "sda", "drive.model", "WDC WD40EFRX-68WT0N0", 0 },
		  { "sda", "drive.model", "ST4000VN008-2DR166", 0 } },
		{ { "sda", "drive.capacity_bytes", NULL, 4e12 },
		  { "sda", "drive.capacity_bytes", NULL, 2e12 } },
		{ { "0000:01:00.0", "pcie.class", "Ethernet controller", 0 },
		  { "0000:01:00.0", "pcie.class", "Non-Volatile memory controller", 0 } },
		{ { "0000:01:00.0", "pcie.name", "Intel Corporation Device 0b60", 0 },
		  { "0000:01:00.0", "pcie.name", "Samsung Electronics Co Ltd Device a824", 0 } },
		{ { "eth0", "link.mac", "52:54:00:00:00:01", 0 },
		  { "eth0", "link.mac", "52:54:00:00:00:02", 0 } },
		{ { "tank", "zpool.layout", "mirror of 2", 0 },
		  { "tank", "zpool.layout", "raidz1 of 5", 0 } },
		{ { "tank", "zpool.devices", "sda sdb", 0 },
		  { "tank", "zpool.devices", "sdc sdd", 0 } },
	};

	(void)state;
	for (size_t i = 0; i < NR(pairs); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();

		assert_null(read_file(graph, "a", &pairs[i][0], 1));
		assert_non_null(read_file(graph, "b", &pairs[i][1], 1));
	}
}

static void one_thing_written_in_two_ways_is_one(void **state)
{
	static const struct said pairs[][2] = {
		{ { "sda", "drive.model", "Samsung_SSD_870_EVO_2TB", 0 },
		  { "sda", "drive.model", "ATA Samsung SSD 870", 0 } },
		{ { "sda", "drive.capacity_bytes", NULL, 512110190592 },
		  { "sda", "drive.capacity_bytes", NULL, 477e9 } },
		{ { "0000:01:00.0", "pcie.name", "Samsung Electronics Co Ltd Device a824", 0 },
		  { "0000:01:00.0", "pcie.name", "Samsung Electronics Co Ltd NVMe PM1733", 0 } },
		{ { "0000:01:00.0", "pcie.class", "0108", 0 },
		  { "0000:01:00.0", "pcie.class", "Non-Volatile memory controller", 0 } },
		{ { "eth0", "link.mac", "52:54:00:ab:00:01", 0 },
		  { "eth0", "link.mac", "52-54-00-AB-00-01", 0 } },
		{ { "tank", "zpool.devices", "sda sdb sdc", 0 },
		  { "tank", "zpool.devices", "sdd sdb sdc", 0 } },
		{ { "tank", "zpool.devices", "sda sdb", 0 },
		  { "tank", "zpool.devices", "ata-ONE_1 ata-ONE_2", 0 } },
		{ { "nvme0", "smart.temperature_c", NULL, 30 },
		  { "nvme0", "smart.temperature_c", NULL, 70 } },
		{ { "nvme0", "drive.serial", "S1", 0 }, { "nvme1", "drive.serial", "S2", 0 } },
	};

	(void)state;
	for (size_t i = 0; i < NR(pairs); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();

		assert_null(read_file(graph, "a", &pairs[i][0], 1));
		assert_null(read_file(graph, "b", &pairs[i][1], 1));
		assert_int_equal(0, graph->nr_warnings);
	}
}

static void a_file_that_names_its_host_is_left_alone(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_origin origin = { .host = "pve", .node = "nvme0", .source = "b.txt" };
	size_t first;

	(void)state;
	READ(graph, "a.txt", one);
	first = graph->nr_facts;
	hl_graph_add_string(graph, &origin, "drive.serial", "S2");
	assert_null(hl_apart_tell(graph, first, "b.txt"));
	assert_string_equal("pve", graph->facts[first]->host);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_serial_number_is_another_machine),
		cmocka_unit_test(two_logs_of_one_drive_stay_together),
		cmocka_unit_test(a_third_drive_of_the_same_file_name_has_a_host_of_its_own),
		cmocka_unit_test(every_key_that_makes_a_node_what_it_is_counts),
		cmocka_unit_test(one_thing_written_in_two_ways_is_one),
		cmocka_unit_test(a_file_that_names_its_host_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
