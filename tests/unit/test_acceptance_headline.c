/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "acceptance_maker.h"

/* A hop of that drive with the two reads of its sheet, which could not be measured. */
static void add_reads(struct hl_graph *graph, const char *reason)
{
	static const struct job_row rows[] = {
		{ .name = "seq", .rw = HL_RW_READ, .bs = 131072, .iodepth = 32, .numjobs = 1 },
		{ .name = "rand", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 256, .numjobs = 1 },
	};
	struct hl_hop *hop = add_hop(graph, "nvme0n1", HL_LAYER_DRIVE, NULL);
	const struct given relation = { "nvme0n1", "block.controller", NAN, "nvme0" };

	add(graph, &relation);
	hop->target = "/dev/nvme0n1";
	for (size_t i = 0; i < NR(rows); i++) {
		struct hl_measurement *at = add_job(graph, hop, &rows[i]);

		at->status = HL_STATUS_NOT_MEASURED;
		at->reason = reason;
	}
}

static void a_blank_drive_says_first_what_would_let_it_be_measured(void **state)
{
	struct hl_acceptance_how how = { .bdf = "0000:01:00.0" };
	HL_GRAPH struct hl_graph *graph = graph_with(NULL);
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
	const char *want = "2 need written blocks: accept /dev/nvme0n1 --write --serial S1, about "
			   "1 h 30 min, writes 15.4 TB; 4 not measured";

	(void)state;
	add_reads(graph, HL_NEVER_WRITTEN ": 64 of 64 sampled blocks are zeros; measure a file");
	set = judge(graph, &how);
	if (!strstr(set->headline, want) || strncmp(set->headline, "INCOMPLETE: ", 12) != 0)
		fail_msg("%s", set->headline);
	assert_true(find(&set->devices[0], "speed.read-128k")->needs_written);
	assert_string_equal(HL_NEVER_WRITTEN ": 64 of 64 sampled blocks are zeros",
			    find(&set->devices[0], "speed.read-128k")->reason);
	assert_string_equal("--write", find(&set->devices[0], "speed.read-128k")->mend);
	assert_false(find(&set->devices[0], "format.lba")->needs_written);
}

static void a_drive_that_failed_otherwise_is_not_told_to_be_filled(void **state)
{
	struct hl_acceptance_how how = { .bdf = "0000:01:00.0" };
	HL_GRAPH struct hl_graph *graph = graph_with(NULL);
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;

	(void)state;
	add_reads(graph, "Input/output error");
	set = judge(graph, &how);
	assert_null(strstr(set->headline, "written blocks"));
	assert_non_null(strstr(set->headline, "6 not measured"));
	assert_true(isnan(set->devices[0].fill_bytes));
}

/* The sheet is what tells how long it takes, and nothing else. */
static void without_a_sheet_a_blank_drive_says_it_too(void **state)
{
	static const struct given other = { "nvme0", "drive.model", NAN, "OTHER" };
	struct hl_acceptance_how how = { .bdf = "0000:01:00.0" };
	HL_GRAPH struct hl_graph *graph = graph_with(&other);
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
	const char *want = "2 need written blocks: accept /dev/nvme0n1 --write --serial S1, "
			   "writes 15.4 TB; 5 not measured";

	(void)state;
	add_reads(graph, HL_NEVER_WRITTEN ": 64 of 64 sampled blocks are nothing but zeros");
	set = judge(graph, &how);
	if (!strstr(set->headline, want))
		fail_msg("%s", set->headline);
}

/* What a second drive of that kind would tell. */
static void add_second(struct hl_graph *graph, const char *reason)
{
	static const struct given facts[] = {
		{ "nvme1n1", "drive.model", NAN, "OTHER" },
		{ "nvme1n1", "drive.serial", NAN, "S2" },
		{ "nvme1n1", "drive.capacity_bytes", 3.84e12, NULL },
	};
	static const struct job_row row = { "seq", HL_RW_READ, 131072, 32, 1, .iops = 0 };
	struct hl_hop *hop = add_hop(graph, "nvme1n1", HL_LAYER_DRIVE, NULL);
	struct hl_measurement *at = add_job(graph, hop, &row);

	for (size_t i = 0; i < NR(facts); i++)
		add(graph, &facts[i]);
	hop->target = "/dev/nvme1n1";
	at->status = HL_STATUS_NOT_MEASURED;
	at->reason = reason;
}

static void many_blank_drives_say_once_what_would_let_them_be_measured(void **state)
{
	static const struct {
		struct hl_purchase purchases[2];
		size_t nr;
		const char *want;
	} rows[] = {
		{ .want = "3 need written blocks: accept /dev/nvme0n1 /dev/nvme1n1 --write "
			  "--serials FILE, about 1 h 30 min, writes 15.4 TB per drive" },
		{ { { "S1", .capacity = NAN, .line = 1 }, { "S2", .capacity = NAN, .line = 2 } },
		  2,
		  "3 need written blocks: the same with --write, about 1 h 30 min, writes 15.4 TB "
		  "per drive" },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct hl_acceptance_how how = { .purchases = rows[i].purchases,
						 .nr_purchases = rows[i].nr };
		HL_GRAPH struct hl_graph *graph = graph_with(NULL);
		HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;

		add_reads(graph, HL_NEVER_WRITTEN ": blank");
		add_second(graph, HL_NEVER_WRITTEN ": blank");
		set = judge(graph, &how);
		if (!strstr(set->headline, rows[i].want) ||
		    strncmp(set->headline, "INCOMPLETE: 2 drives, ", 22) != 0)
			fail_msg("%s", set->headline);
	}
}

static void the_first_line_of_many_names_the_drives_that_fail(void **state)
{
	static const struct given bad = { "nvme0", "smart.media_errors", 3, NULL };
	static const struct hl_purchase purchases[] = {
		{ "S1", .capacity = NAN, .line = 1 },
		{ "S2", .capacity = NAN, .line = 2 },
		{ "S3", .capacity = NAN, .line = 3 },
	};
	struct hl_acceptance_how how = { .purchases = purchases, .nr_purchases = NR(purchases) };
	HL_GRAPH struct hl_graph *graph = graph_with(&bad);
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;

	(void)state;
	add_reads(graph, "Input/output error");
	add_second(graph, "Input/output error");
	set = judge(graph, &how);
	if (strncmp(set->headline, "FAIL: 1 of 2 drives fails (S1), 1 missing; ", 43) != 0)
		fail_msg("%s", set->headline);
	assert_null(strstr(set->headline, "written blocks"));
}

/* It has no serial number that could be given, until it is marked. */
static void a_drive_without_a_serial_number_is_to_be_marked_first(void **state)
{
	static const struct job_row row = { "seq", HL_RW_READ, 131072, 32, 1, .iops = 0 };
	struct hl_acceptance_how how = { 0 };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
	struct hl_hop *hop = add_hop(graph, "loop0", HL_LAYER_DRIVE, NULL);
	struct hl_measurement *at = add_job(graph, hop, &row);

	(void)state;
	hop->target = "/dev/loop0";
	at->reason = HL_NEVER_WRITTEN ": blank";
	set = judge(graph, &how);
	if (!strstr(set->headline, "1 needs written blocks: mark /dev/loop0, then accept "
				   "/dev/loop0 --write --serial UUID"))
		fail_msg("%s", set->headline);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_blank_drive_says_first_what_would_let_it_be_measured),
		cmocka_unit_test(a_drive_that_failed_otherwise_is_not_told_to_be_filled),
		cmocka_unit_test(without_a_sheet_a_blank_drive_says_it_too),
		cmocka_unit_test(many_blank_drives_say_once_what_would_let_them_be_measured),
		cmocka_unit_test(the_first_line_of_many_names_the_drives_that_fail),
		cmocka_unit_test(a_drive_without_a_serial_number_is_to_be_marked_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
