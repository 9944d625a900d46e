/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "acceptance_maker.h"
#include <errno.h>

/* A SATA disk whose link is to be judged. */
static struct hl_graph *disk_with(double now_gbps, double most_gbps)
{
	const struct given facts[] = {
		{ "sda", "drive.model", NAN, "Samsung SSD 870 EVO 1TB" },
		{ "sda", "smart.crc_errors", 0, NULL },
		{ "sda", "drive.link_gbps", now_gbps, NULL },
		{ "sda", "drive.link_max_gbps", most_gbps, NULL },
	};
	struct hl_graph *graph = hl_graph_new();

	for (size_t i = 0; i < NR(facts); i++) {
		if (facts[i].string || !isnan(facts[i].number))
			add(graph, &facts[i]);
	}
	return graph;
}

static void a_sata_link_is_held_against_what_drive_and_sheet_can(void **state)
{
	static const struct {
		double now, most;
		enum hl_check_status expected;
	} rows[] = {
		{ 6, 6, HL_CHECK_PASS },   { 3, 6, HL_CHECK_FAIL },
		{ 3, NAN, HL_CHECK_FAIL }, /* its sheet says 6 */
		{ 3, 3, HL_CHECK_FAIL },   { NAN, 6, HL_CHECK_NOT_MEASURED },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct hl_acceptance_how how = { 0 };
		HL_GRAPH struct hl_graph *graph = disk_with(rows[i].now, rows[i].most);
		HL_ACCEPTANCE struct hl_acceptance_set *set = judge(graph, &how);
		const struct hl_check *check = find(&set->devices[0], "link.rate");

		if (check->status != rows[i].expected)
			fail_msg("row %zu: %s", i, hl_check_status_name(check->status));
		assert_true(check->required == 6);
		assert_string_equal(">=", hl_relation_name(check->relation));
	}
}

static void a_sas_link_without_a_sheet_is_shown(void **state)
{
	static const struct given facts[] = {
		{ "sdb", "smart.grown_defects", 0, NULL },
		{ "sdb", "drive.link_gbps", 6, NULL },
	};
	struct hl_acceptance_how how = { 0 };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
	const struct hl_check *check;

	(void)state;
	for (size_t i = 0; i < NR(facts); i++)
		add(graph, &facts[i]);
	set = judge(graph, &how);
	check = find(&set->devices[0], "link.rate");
	assert_int_equal(HL_CHECK_SHOWN, check->status);
	assert_true(check->measured == 6);
}

/* 3 Gb/s carry 300 MB/s; 4 KiB at 98,000 IOPS are 401. */
static void a_slow_sata_link_explains_what_was_not_reached(void **state)
{
	static const struct job_row jobs[] = {
		{ "seq", HL_RW_READ, 131072, 32, 1, .iops = 2200 },
		{ "rand", HL_RW_RANDREAD, 4096, 32, 1, .iops = 70000 },
	};
	static const double links[] = { 3, 6 };

	(void)state;
	for (size_t i = 0; i < NR(links); i++) {
		struct hl_acceptance_how how = { 0 };
		HL_GRAPH struct hl_graph *graph = disk_with(links[i], 6);
		HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
		struct hl_hop *hop = add_hop(graph, "sda", HL_LAYER_DRIVE, NULL);
		const char *ids[] = { "speed.read-128k", "speed.randread-4k" };

		for (size_t k = 0; k < NR(jobs); k++)
			add_job(graph, hop, &jobs[k]);
		set = judge(graph, &how);
		for (size_t k = 0; k < NR(ids); k++) {
			const struct hl_check *check = find(&set->devices[0], ids[k]);

			assert_int_equal(HL_CHECK_FAIL, check->status);
			assert_int_equal(links[i] == 3,
					 strstr(check->reason, "explained by the link") != NULL);
		}
	}
}

/* ---- functions ---- */

#define NVME "Non-Volatile memory controller"

static void add_function(struct hl_graph *graph, const char *bdf)
{
	const struct given facts[] = {
		{ bdf, "pcie.class", NAN, NVME },        { bdf, "pcie.name", NAN, "KIOXIA CD6" },
		{ bdf, "pcie.cap_speed_gts", 16, NULL }, { bdf, "pcie.cap_width", 4, NULL },
		{ bdf, "pcie.speed_gts", 8, NULL },      { bdf, "pcie.width", 4, NULL },
	};

	for (size_t i = 0; i < NR(facts); i++)
		add(graph, &facts[i]);
}

static void one_nvme_function_alone_is_the_drive(void **state)
{
	static const struct given nic = { "0000:05:00.0", "pcie.class", NAN,
					  "Ethernet controller" };
	struct hl_acceptance_how how = { 0 };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;

	(void)state;
	add(graph, &nic);
	add_function(graph, "0000:41:00.0");
	set = judge(graph, &how);
	assert_int_equal(1, set->nr_devices);
	assert_string_equal("0000:41:00.0", set->devices[0].bdf);
	assert_int_equal(HL_CHECK_FAIL, find(&set->devices[0], "link.speed")->status);
	assert_int_equal(1, set->nr_notes);
	assert_non_null(strstr(set->notes[0], "0000:41:00.0 is taken for the drive"));
	for (size_t i = 0; i < set->devices[0].nr_checks; i++)
		assert_string_not_equal("health.pending", set->devices[0].checks[i].id);
}

static void among_several_nvme_functions_none_is_guessed(void **state)
{
	struct hl_acceptance_how how = { 0 };
	struct hl_arena *arena = hl_arena_new();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_acceptance_function *functions;
	struct hl_acceptance_set *set;
	struct hl_error err;
	size_t nr;

	(void)state;
	add_function(graph, "0000:41:00.0");
	add_function(graph, "0000:42:00.0");
	add_function(graph, "0000:42:00.0"); /* of a second file */
	assert_int_equal(-ENODATA, hl_acceptance_judge(graph, &how, &set, &err));
	assert_non_null(strstr(err.text, "several NVMe functions: --bdf"));
	functions = hl_acceptance_functions(graph, arena, &nr);
	assert_int_equal(2, nr);
	assert_string_equal("0000:42:00.0", functions[1].bdf);
	assert_string_equal("KIOXIA CD6", functions[1].name);
	how.bdf = "0000:99:00.0";
	assert_int_equal(-ENODATA, hl_acceptance_judge(graph, &how, &set, &err));
	assert_non_null(strstr(err.text, "nothing is known of --bdf 0000:99:00.0"));
	hl_arena_free(arena);
}

static void a_smart_log_beside_lspci_takes_the_one_function_unless_the_kernel_told(void **state)
{
	static const struct given log = { "nvme0", "smart.critical_warning", 0, NULL };
	static const struct given relation = { "nvme9", "nvme.pci_address", NAN, "0000:41:00.0" };

	(void)state;
	for (unsigned is_told = 0; is_told < 2; is_told++) {
		struct hl_acceptance_how how = { 0 };
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;

		add(graph, &log);
		add_function(graph, "0000:41:00.0");
		if (is_told)
			add(graph, &relation);
		set = judge(graph, &how);
		assert_int_equal(is_told ? HL_CHECK_NOT_MEASURED : HL_CHECK_FAIL,
				 find(&set->devices[0], "link.speed")->status);
		assert_int_equal(!is_told, set->nr_notes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sata_link_is_held_against_what_drive_and_sheet_can),
		cmocka_unit_test(a_sas_link_without_a_sheet_is_shown),
		cmocka_unit_test(a_slow_sata_link_explains_what_was_not_reached),
		cmocka_unit_test(one_nvme_function_alone_is_the_drive),
		cmocka_unit_test(among_several_nvme_functions_none_is_guessed),
		cmocka_unit_test(
			a_smart_log_beside_lspci_takes_the_one_function_unless_the_kernel_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
