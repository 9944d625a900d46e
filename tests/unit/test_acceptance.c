/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "acceptance_maker.h"
#include "hoploss/accept_plan.h"
#include <errno.h>

static void each_fault_fails_its_own_check_and_no_other(void **state)
{
	static const struct {
		struct given change;
		const char *id;
	} faults[] = {
		{ { "nvme0", "smart.critical_warning", 1, NULL }, "health.warning-spare" },
		{ { "nvme0", "smart.critical_warning", 2, NULL }, "heat.temperature" },
		{ { "nvme0", "smart.critical_warning", 4, NULL }, "health.warning-reliability" },
		{ { "nvme0", "smart.critical_warning", 8, NULL }, "health.warning-read-only" },
		{ { "nvme0", "smart.critical_warning", 16, NULL }, "health.warning-backup" },
		{ { "nvme0", "smart.critical_warning", 32, NULL },
		  "health.warning-persistent-memory" },
		{ { "nvme0", "smart.temperature_c", 71, NULL }, "heat.temperature" },
		{ { "nvme0", "smart.available_spare_pct", 9, NULL }, "health.spare" },
		{ { "nvme0", "smart.media_errors", 1, NULL }, "health.media-errors" },
		{ { "nvme0", "smart.power_on_hours", 900, NULL }, "newness.power-on-hours" },
		{ { "nvme0", "smart.power_cycles", 101, NULL }, "newness.power-cycles" },
		{ { "nvme0", "smart.percentage_used", 3, NULL }, "newness.percentage-used" },
		{ { "nvme0", "smart.critical_temp_time_min", 6749, NULL }, "heat.critical-time" },
		{ { "nvme0", "drive.capacity_bytes", 3.84e12, NULL }, "identity.capacity" },
		{ { "nvme0", "drive.capacity_bytes", 15.36e12, NULL }, "identity.capacity" },
		{ { "nvme0", "drive.model", NAN, "OTHER" }, "identity.model" },
		{ { "0000:01:00.0", "pcie.speed_gts", 8, NULL }, "link.speed" },
		{ { "0000:01:00.0", "pcie.width", 2, NULL }, "link.width" },
	};
	struct hl_spec *spec;

	(void)state;
	assert_int_equal(0, hl_spec_load("KCD61LUL7T68", &spec, NULL));
	for (size_t i = 0; i < NR(faults); i++) {
		struct hl_acceptance_how how = { .spec = spec, .bdf = "0000:01:00.0" };
		HL_GRAPH struct hl_graph *graph = graph_with(&faults[i].change);
		HL_ACCEPTANCE struct hl_acceptance_set *set = judge(graph, &how);

		assert_int_equal(1, set->nr_devices);
		assert_int_equal(HL_CHECK_FAIL, find(&set->devices[0], faults[i].id)->status);
		if (set->devices[0].count[HL_CHECK_FAIL] != 1)
			fail_msg("%s: %s", faults[i].id, set->devices[0].headline);
		assert_int_equal(HL_ACCEPT_FAIL, set->verdict);
	}
	hl_spec_free(spec);
}

static void a_healthy_drive_fails_nothing_and_what_is_missing_is_no_pass(void **state)
{
	struct hl_acceptance_how how = { .bdf = "0000:01:00.0" };
	HL_GRAPH struct hl_graph *graph = graph_with(NULL);
	HL_ACCEPTANCE struct hl_acceptance_set *set = judge(graph, &how);
	HL_ACCEPTANCE struct hl_acceptance_set *lenient = NULL;

	(void)state;
	if (set->devices[0].count[HL_CHECK_FAIL])
		fail_msg("%s", set->devices[0].headline);
	assert_int_equal(HL_ACCEPT_INCOMPLETE, set->verdict);
	assert_int_equal(HL_CHECK_NOT_MEASURED, find(&set->devices[0], "format.lba")->status);
	assert_string_equal("KCD61LUL7T68", set->devices[0].spec);
	assert_true(set->devices[0].is_spec_by_model);
	how.may_miss = true;
	lenient = judge(graph, &how);
	assert_int_equal(HL_ACCEPT_PASS, lenient->verdict);
}

static void add_tested(struct hl_graph *graph, const char *name, const char *target)
{
	struct hl_hop *hop = add_hop(graph, name, HL_LAYER_DRIVE, NULL);

	hop->target = target;
}

static void what_was_read_before_the_test_only_does_not_pass(void **state)
{
	struct hl_acceptance_how how = { .bdf = "0000:01:00.0" };
	HL_GRAPH struct hl_graph *graph = graph_with(NULL);
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
	struct hl_probe_status *hung = hl_graph_add_probe_status(graph);

	(void)state;
	*hung = (struct hl_probe_status){ "local", "nvme", "hung", "given up" };
	for (size_t i = 0; i < graph->nr_facts; i++)
		graph->facts[i]->is_earlier = true;
	set = judge(graph, &how);
	assert_int_equal(HL_CHECK_NOT_MEASURED,
			 find(&set->devices[0], "health.warning-spare")->status);
	assert_int_equal(HL_CHECK_NOT_MEASURED, find(&set->devices[0], "heat.temperature")->status);
	assert_int_equal(HL_CHECK_NOT_MEASURED, find(&set->devices[0], "link.width")->status);
	/* who it is does not change */
	assert_int_equal(HL_CHECK_PASS, find(&set->devices[0], "identity.model")->status);
	assert_string_equal("local: the probe nvme hung: given up", set->notes[0]);
}

static void only_drives_that_were_tested_are_judged(void **state)
{
	static const struct given other[] = {
		{ "nvme1", "drive.model", NAN, "KCD61LUL7T68" },
		{ "nvme1", "smart.critical_warning", 4, NULL },
		{ "sdc", "smart.temperature_c", 30, NULL },
	};
	struct hl_acceptance_how how = { 0 };
	HL_GRAPH struct hl_graph *graph = graph_with(NULL);
	HL_ACCEPTANCE struct hl_acceptance_set *all = NULL, *set = NULL;

	(void)state;
	for (size_t i = 0; i < NR(other); i++)
		add(graph, &other[i]);
	all = judge(graph, &how);
	assert_int_equal(3, all->nr_devices);
	add_tested(graph, "nvme0n1", "/dev/nvme0n1");
	set = judge(graph, &how);
	assert_int_equal(1, set->nr_devices);
	assert_string_equal("nvme0n1", set->devices[0].device);
	assert_string_equal("S1", set->devices[0].serial);
}

static void the_hottest_of_all_workloads_counts(void **state)
{
	static const struct given seen[] = {
		{ "sda", "smart.temperature_c", 40, NULL },
		{ "sda/read-128k", "drive.temperature_max_c", 45, NULL },
		{ "sda/write-128k", "drive.temperature_max_c", 75, NULL },
	};
	struct hl_acceptance_how how = { 0 };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
	const struct hl_check *check;

	(void)state;
	for (size_t i = 0; i < NR(seen); i++)
		add(graph, &seen[i]);
	add_tested(graph, "sda", "/dev/sda");
	set = judge(graph, &how);
	assert_int_equal(1, set->nr_devices);
	check = find(&set->devices[0], "heat.temperature");
	assert_int_equal(HL_CHECK_FAIL, check->status);
	assert_true(check->measured == 75);
}

static void second_hand_shows_its_age_and_still_must_be_well(void **state)
{
	static const struct given worn = { "nvme0", "smart.percentage_used", 100, NULL };
	struct hl_acceptance_how how = { .is_second_hand = true };
	HL_GRAPH struct hl_graph *graph = graph_with(&worn);
	HL_ACCEPTANCE struct hl_acceptance_set *set = judge(graph, &how);

	(void)state;
	assert_int_equal(HL_CHECK_SHOWN, find(&set->devices[0], "newness.percentage-used")->status);
	assert_int_equal(HL_CHECK_FAIL, find(&set->devices[0], "health.wear")->status);
}

static void a_counter_that_was_set_back_is_seen(void **state)
{
	static const struct given reset[] = {
		{ "nvme0", "smart.data_units_written", 1e9, NULL }, /* 512 TB in 4 hours */
		{ "nvme0", "smart.data_units_written", 3e6, NULL }, /* 1.5 TB: 106 MB/s */
	};
	static const enum hl_check_status expected[] = { HL_CHECK_FAIL, HL_CHECK_PASS };

	(void)state;
	for (size_t i = 0; i < NR(reset); i++) {
		struct hl_acceptance_how how = { 0 };
		HL_GRAPH struct hl_graph *graph = graph_with(&reset[i]);
		HL_ACCEPTANCE struct hl_acceptance_set *set = judge(graph, &how);

		assert_int_equal(expected[i],
				 find(&set->devices[0], "newness.counters-agree")->status);
	}
}

static void a_self_test_is_judged_by_how_it_ended(void **state)
{
	static const struct {
		struct given facts[3];
		bool is_asked;
		enum hl_check_status expected;
		const char *reason;
	} rows[] = {
		{ .expected = HL_CHECK_NOT_ASKED, .reason = "its log has no self-test" },
		{ .is_asked = true,
		  .expected = HL_CHECK_NOT_MEASURED,
		  .reason = "no self-test was run" },
		{ { { "nvme0", "smart.self_test_result", NAN, "completed without error" } },
		  false,
		  HL_CHECK_PASS,
		  NULL },
		{ { { "nvme0", "smart.self_test_result", NAN, "aborted by a command" } },
		  false,
		  HL_CHECK_NOT_ASKED,
		  "the newest in its log tells nothing" },
		{ { { "nvme0", "accept.self_test_state", NAN, "passed" },
		    { "nvme0", "accept.self_test_result", NAN, "completed without error" } },
		  true,
		  HL_CHECK_PASS,
		  NULL },
		{ { { "nvme0", "accept.self_test_state", NAN, "passed" },
		    { "nvme0", "smart.self_test_failures", 1, NULL } },
		  true,
		  HL_CHECK_FAIL,
		  "a self-test in its log failed" },
		{ { { "nvme0", "accept.self_test_state", NAN, "failed" },
		    { "nvme0", "accept.self_test_result", NAN, "failed in segment 3" } },
		  true,
		  HL_CHECK_FAIL,
		  "its self-test failed: failed in segment 3" },
		{ { { "nvme0", "accept.self_test_state", NAN, "aborted" },
		    { "nvme0", "accept.self_test_result", NAN, "aborted by a reset" },
		    { "nvme0", "smart.self_test_result", NAN, "completed without error" } },
		  true,
		  HL_CHECK_NOT_MEASURED,
		  "aborted by a reset" },
		{ { { "nvme0", "accept.self_test_state", NAN, "not-run" },
		    { "nvme0", "accept.self_test_result", NAN, "the drive has no self-test" } },
		  false,
		  HL_CHECK_NOT_MEASURED,
		  "the drive has no self-test" },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct hl_acceptance_how how = { .wants_self_test = rows[i].is_asked };
		HL_GRAPH struct hl_graph *graph = graph_with(NULL);
		HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
		const struct hl_check *check;

		for (size_t k = 0; k < NR(rows[i].facts) && rows[i].facts[k].node; k++)
			add(graph, &rows[i].facts[k]);
		set = judge(graph, &how);
		check = find(&set->devices[0], "health.self-test");
		if (check->status != rows[i].expected)
			fail_msg("row %zu: %s", i, hl_check_status_name(check->status));
		if (rows[i].reason)
			assert_string_equal(rows[i].reason, check->reason);
	}
}

/* The healthy drive claims 4 hours. */
static void a_log_that_is_older_than_the_counter_is_seen(void **state)
{
	static const struct {
		struct given other;
		enum hl_check_status expected;
	} rows[] = {
		{ { "nvme0", "smart.self_test_max_hours", 4, NULL }, HL_CHECK_PASS },
		{ { "nvme0", "smart.self_test_max_hours", 5, NULL }, HL_CHECK_PASS },
		{ { "nvme0", "smart.self_test_max_hours", 28001, NULL }, HL_CHECK_FAIL },
		{ { "nvme0", "smart.error_log_max_hours", 28001, NULL }, HL_CHECK_FAIL },
		{ { "nvme0", "smart.log_power_on_hours", 20, NULL }, HL_CHECK_PASS },
		{ { "nvme0", "smart.log_power_on_hours", 28001, NULL }, HL_CHECK_FAIL },
		{ { "nvme0", "smart.self_tests", 0, NULL }, HL_CHECK_NOT_ASKED },
	};
	struct hl_acceptance_how how = { .is_second_hand = true }; /* it is no excuse */

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		HL_GRAPH struct hl_graph *graph = graph_with(NULL);
		HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
		const struct hl_check *check;

		add(graph, &rows[i].other);
		set = judge(graph, &how);
		check = find(&set->devices[0], "newness.clocks-agree");
		if (check->status != rows[i].expected)
			fail_msg("row %zu: %s: %s", i, hl_check_status_name(check->status),
				 check->reason ? check->reason : "");
		if (check->status == HL_CHECK_FAIL)
			assert_non_null(strstr(check->reason, "28001 h, and it claims to have run "
							      "for 4 h: the counter was set back"));
	}
}

static void drives_are_held_against_the_purchase_list_and_each_other(void **state)
{
	static const struct given second[] = {
		{ "nvme1", "drive.model", NAN, "KCD61LUL7T68" },
		{ "nvme1", "drive.serial", NAN, "S2" },
		{ "nvme1", "drive.firmware", NAN, "0105" },
	};
	static const char list[] = "Serial;Capacity\ns1;7.68TB\n\"S3\";7.68TB\n";
	struct hl_acceptance_how how = { 0 };
	struct hl_arena *arena = hl_arena_new();
	HL_GRAPH struct hl_graph *graph = graph_with(NULL);
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
	struct hl_purchase *purchases;

	(void)state;
	for (size_t i = 0; i < NR(second); i++)
		add(graph, &second[i]);
	assert_int_equal(0, hl_purchases_read("l", list, strlen(list), arena, &purchases,
					      &how.nr_purchases, NULL));
	how.purchases = purchases;
	set = judge(graph, &how);
	assert_int_equal(2, set->nr_devices);
	assert_int_equal(HL_CHECK_PASS, find(&set->devices[0], "identity.serial")->status);
	assert_int_equal(HL_CHECK_FAIL, find(&set->devices[1], "identity.serial")->status);
	assert_int_equal(2, set->nr_findings);
	assert_non_null(strstr(set->findings[0], "missing: S3"));
	assert_non_null(strstr(set->findings[1], "mixed firmware"));
	hl_arena_free(arena);
}

static void without_a_sheet_what_was_measured_is_shown_and_speed_is_missing(void **state)
{
	static const struct given other = { "nvme0", "drive.model", NAN, "OTHER" };
	static const struct job_row rows[] = {
		{ "seq", HL_RW_READ, 131072, 32, 1, .iops = 1000 },
		{ "rand", HL_RW_RANDREAD, 4096, 32, 1, .iops = 5000 },
		{ "one", HL_RW_RANDREAD, 4096, 1, 1, .iops = 100, .lat_ns = 8e4 },
	};
	struct hl_acceptance_how how = { .bdf = "0000:01:00.0" };
	HL_GRAPH struct hl_graph *graph = graph_with(&other);
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
	struct hl_hop *hop = add_hop(graph, "nvme0", HL_LAYER_DRIVE, NULL);
	const struct hl_check *check;

	(void)state;
	for (size_t i = 0; i < NR(rows); i++)
		add_job(graph, hop, &rows[i]);
	set = judge(graph, &how);
	assert_int_equal(HL_CHECK_NOT_MEASURED, find(&set->devices[0], "speed")->status);
	check = find(&set->devices[0], "speed.read-128k");
	assert_int_equal(HL_CHECK_SHOWN, check->status);
	assert_true(check->measured == 131072e3 && isnan(check->required));
	check = find(&set->devices[0], "speed.randread-4k");
	assert_true(check->measured == 5000);
	assert_string_equal("IOPS", check->unit);
	check = find(&set->devices[0], "speed.randread-4k-qd1");
	assert_true(check->measured == 8e4);
	assert_string_equal("ns", check->unit);
	assert_non_null(strstr(check->reason, "no datasheet to hold it against"));
}

static void namespace_is_its_controllers_by_name_unless_a_fact_says_otherwise(void **state)
{
	static const struct given of_namespace = { "nvme0n1", "drive.lba_bytes", 512, NULL };
	static const struct given relation = { "nvme0n1", "block.controller", NAN, "nvme7" };
	struct hl_acceptance_how how = { 0 };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		HL_GRAPH struct hl_graph *graph = graph_with(NULL);
		HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;

		add(graph, &of_namespace);
		if (i)
			add(graph, &relation);
		set = judge(graph, &how);
		assert_int_equal(1 + i, set->nr_devices);
		assert_string_equal("nvme0", set->devices[0].device);
	}
}

static void spans_are_as_exact_as_estimates_are(void **state)
{
	static const struct {
		double seconds;
		const char *text;
	} rows[] = {
		{ 0.2, "1 s" },      { 59, "59 s" },         { 61, "2 min" },
		{ 3599, "1 h" },     { 3601, "1 h 10 min" }, { 18600, "5 h 10 min" },
		{ 360000, "100 h" },
	};
	struct hl_arena *arena = hl_arena_new();

	(void)state;
	for (size_t i = 0; i < NR(rows); i++)
		assert_string_equal(rows[i].text, hl_accept_span(arena, rows[i].seconds));
	hl_arena_free(arena);
}

static void one_drive_that_is_well_does_not_hide_one_that_is_missing(void **state)
{
	static const char list[] = "serial\nS1\nS9\n";
	struct hl_acceptance_how how = { .may_miss = true, .is_second_hand = true };
	struct hl_arena *arena = hl_arena_new();
	HL_GRAPH struct hl_graph *graph = graph_with(NULL);
	HL_ACCEPTANCE struct hl_acceptance_set *set = NULL;
	struct hl_purchase *purchases;

	(void)state;
	assert_int_equal(0, hl_purchases_read("l", list, strlen(list), arena, &purchases,
					      &how.nr_purchases, NULL));
	how.purchases = purchases;
	set = judge(graph, &how);
	assert_int_equal(HL_ACCEPT_PASS, set->devices[0].verdict);
	assert_int_equal(HL_ACCEPT_FAIL, set->verdict);
	assert_non_null(strstr(set->headline, "FAIL: missing: S9"));
	hl_arena_free(arena);
}

static void a_broken_purchase_list_names_the_line(void **state)
{
	static const struct {
		const char *text, *says;
	} lists[] = {
		{ "", "no serial" },
		{ "serial,model\n", "no serial" },
		{ "serial,model\nA,x\n,y\n", "l:3: no serial" },
		{ "A\nB\na\n", "l:3: serial number a stands in line 1" },
		{ "serial,capacity\nA,lots\n", "l:2: capacity" },
		{ "serial,capacity\nA,500\n", "l:2: capacity" },
		{ "serial,capacity\nA,0\n", "l:2: capacity" },
		{ "serial,capacity\nA,7,68TB\n", "l:2: 3 cells under 2 titles" },
	};
	struct hl_arena *arena = hl_arena_new();

	(void)state;
	for (size_t i = 0; i < NR(lists); i++) {
		struct hl_purchase *purchases;
		struct hl_error err;
		size_t nr;

		assert_int_equal(-EBADMSG,
				 hl_purchases_read("l", lists[i].text, strlen(lists[i].text), arena,
						   &purchases, &nr, &err));
		if (!strstr(err.text, lists[i].says))
			fail_msg("%s", err.text);
	}
	hl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_fault_fails_its_own_check_and_no_other),
		cmocka_unit_test(a_healthy_drive_fails_nothing_and_what_is_missing_is_no_pass),
		cmocka_unit_test(what_was_read_before_the_test_only_does_not_pass),
		cmocka_unit_test(only_drives_that_were_tested_are_judged),
		cmocka_unit_test(the_hottest_of_all_workloads_counts),
		cmocka_unit_test(second_hand_shows_its_age_and_still_must_be_well),
		cmocka_unit_test(a_counter_that_was_set_back_is_seen),
		cmocka_unit_test(a_self_test_is_judged_by_how_it_ended),
		cmocka_unit_test(a_log_that_is_older_than_the_counter_is_seen),
		cmocka_unit_test(drives_are_held_against_the_purchase_list_and_each_other),
		cmocka_unit_test(without_a_sheet_what_was_measured_is_shown_and_speed_is_missing),
		cmocka_unit_test(namespace_is_its_controllers_by_name_unless_a_fact_says_otherwise),
		cmocka_unit_test(spans_are_as_exact_as_estimates_are),
		cmocka_unit_test(one_drive_that_is_well_does_not_hide_one_that_is_missing),
		cmocka_unit_test(a_broken_purchase_list_names_the_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
