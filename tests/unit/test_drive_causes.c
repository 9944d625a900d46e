/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hot, worn and wrongly formatted drives: confirmed, suspected, and the healthy look-alikes on
 * which nothing is said. The facts are those that nvme-cli and smartctl give.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "beside_maker.h"

#define HOT    "nvme-thermal-throttle"
#define WORN   "nvme-worn"
#define FORMAT "nvme-lba-format-slow"
#define COUNT1 "smart.thm_temp1_trans_count"
#define TIME2  "smart.thm_temp2_total_time_s"

#define NR_OF(array) (sizeof(array) / sizeof(*(array)))

struct row {
	const char *key;
	double number;
	double before; /* 0 = not known */
};

static void add_truth(struct beside *made, const char *node, const char *key, bool value)
{
	const struct hl_origin origin = { .node = node, .source = "made" };

	hl_graph_add_boolean(made->graph, &origin, key, value);
}

static void add_row(struct beside *made, const char *node, const struct row *row)
{
	const struct hl_origin origin = { .node = node, .source = "made" };
	struct hl_fact *fact = hl_graph_add_number(made->graph, &origin, row->key, row->number);

	if (row->before > 0)
		fact->before = row->before;
}

/* A hop on the drive nvme0n1 of the controller nvme0. */
static struct beside make_drive(void)
{
	struct beside made = make_beside(HL_LAYER_DRIVE, 0, 1000);

	made.hop->target = "/dev/nvme0n1";
	add_text(&made, "nvme0n1", "block.controller", "nvme0");
	add_text(&made, "nvme0", "drive.model", "M1");
	return made;
}

/* The finding of that id about a drive of these facts; -1 = none, else its state. */
static int judge(const char *id, const struct row *rows, size_t nr)
{
	BESIDE struct beside made = make_drive();
	const struct hl_finding *found;

	for (size_t i = 0; i < nr && rows[i].key; i++)
		add_row(&made, "nvme0", &rows[i]);
	found = match_one(made.graph, id);
	if (found)
		assert_ptr_equal(made.hop, found->hop);
	return found ? (int)found->state : -1;
}

static void a_throttle_counter_that_moved_during_a_run_is_confirmed(void **state)
{
	BESIDE struct beside made = make_drive();
	const struct hl_finding *found;

	(void)state;
	add_row(&made, "nvme0", &(struct row){ COUNT1, 12, 9 });
	add_row(&made, "nvme0", &(struct row){ TIME2, 130, 10 });
	add_row(&made, "nvme0", &(struct row){ "smart.temperature_c", 81, 0 });
	found = match_one(made.graph, HOT);
	assert_non_null(found);
	assert_int_equal(HL_CONFIRMED, found->state);
	assert_int_equal(HL_LAYER_DRIVE, found->layer);
	assert_ptr_equal(made.hop, found->hop);
	assert_true(
		has_text(found->text, "nvme0 (M1) throttled itself for heat 3 times for 120 s"));
	assert_true(has_text(found->text, "81 C"));
	assert_non_null(evidence_of(found, COUNT1));
	assert_null(found->next);
}

static void a_counter_that_differs_in_two_logs_is_confirmed(void **state)
{
	BESIDE struct beside made = make_drive();
	const struct hl_finding *found;

	(void)state;
	add_row(&made, "nvme0", &(struct row){ COUNT1, 40, 0 }); /* the later file first */
	add_row(&made, "nvme0", &(struct row){ COUNT1, 38, 0 });
	found = match_one(made.graph, HOT);
	assert_non_null(found);
	assert_int_equal(HL_CONFIRMED, found->state);
	assert_true(has_text(found->text, "2 times"));
}

static void a_slot_in_which_it_moved_names_the_workload(void **state)
{
	BESIDE struct beside made = make_drive();
	const struct hl_finding *found;

	(void)state;
	add_number(&made, "virtio/seq", "nvme.slot_throttles", 2);
	add_number(&made, "virtio/seq", "nvme.slot_throttled_s", 7);
	add_number(&made, "virtio/seq", "drive.temperature_max_c", 84);
	found = match_one(made.graph, HOT);
	assert_non_null(found);
	assert_int_equal(HL_CONFIRMED, found->state);
	assert_ptr_equal(made.hop->measurements[0], found->at);
	assert_true(has_text(found->text,
			     "while seq ran: 2 times and 7 s in the mean slot, at up to 84 C"));
}

static void one_log_only_makes_heat_suspected(void **state)
{
	static const struct row cases[][3] = {
		{ { COUNT1, 5, 0 } }, /* at some time since it was new */
		{ { TIME2, 500, 0 } },
		{ { "smart.temperature_c", 80, 0 }, { "drive.temperature_warn_c", 80, 0 } },
	};
	BESIDE struct beside warns = make_drive();

	(void)state;
	for (size_t i = 0; i < NR_OF(cases); i++)
		assert_int_equal(HL_SUSPECTED, judge(HOT, cases[i], 3));
	add_truth(&warns, "nvme0", "smart.warns_temperature", true);
	assert_int_equal(HL_SUSPECTED, match_one(warns.graph, HOT)->state);
}

static void sensors_alone_make_heat_suspected(void **state)
{
	BESIDE struct beside made = make_drive();
	const struct hl_finding *found;

	(void)state;
	add_text(&made, "0000:01:00.0", "thermal.chip", "nvme-pci-0100");
	add_number(&made, "0000:01:00.0", "thermal.temperature_c", 81);
	add_number(&made, "0000:01:00.0", "thermal.max_c", 80);
	add_text(&made, "0000:02:00.0", "thermal.chip", "nvme-pci-0200"); /* cool */
	add_number(&made, "0000:02:00.0", "thermal.temperature_c", 50);
	add_number(&made, "0000:02:00.0", "thermal.max_c", 80);
	add_text(&made, "cpu", "thermal.chip", "coretemp-isa-0000"); /* no drive */
	add_truth(&made, "cpu", "thermal.is_alarm", true);
	found = match_one(made.graph, HOT);
	assert_non_null(found);
	assert_int_equal(HL_SUSPECTED, found->state);
	assert_int_equal(1, made.graph->nr_findings);
	/* with a SMART log of the same drive, it is still one */
	add_text(&made, "nvme0", "block.pci_address", "0000:01:00.0");
	add_number(&made, "nvme0", "smart.temperature_c", 79);
	made.graph->nr_findings = 0;
	found = match_one(made.graph, HOT);
	assert_int_equal(1, made.graph->nr_findings);
	assert_true(has_text(found->text, "nvme0 (M1) is so hot"));
	assert_true(has_text(found->text, "81 C"));
}

static void warm_is_not_hot(void **state)
{
	static const struct row cases[][4] = {
		/* minutes above the warning temperature are no throttling */
		{ { "smart.warning_temp_time_min", 900, 0 },
		  { "smart.critical_temp_time_min", 6749, 0 },
		  { "smart.temperature_c", 50, 0 } },
		{ { COUNT1, 0, 0 }, { TIME2, 0, 0 } },
		{ { "smart.temperature_c", 79, 0 }, { "drive.temperature_warn_c", 80, 0 } },
		{ { "smart.temperature_c", 79, 0 } },  /* no limit is known */
		{ { COUNT1, 5, 5 }, { TIME2, 9, 9 } }, /* long ago, and not since */
	};

	(void)state;
	for (size_t i = 0; i < NR_OF(cases); i++)
		assert_int_equal(-1, judge(HOT, cases[i], 4));
}

static void a_drive_that_says_it_fails_is_confirmed(void **state)
{
	static const struct row cases[][2] = {
		{ { "smart.percentage_used", 106, 0 } },
		{ { "smart.available_spare_pct", 1, 0 },
		  { "smart.available_spare_threshold_pct", 10, 0 } },
		{ { "smart.media_errors", 9, 4 } }, /* new ones */
		{ { "smart.pending", 1272, 1200 } },
	};
	static const char *const bits[] = { "smart.warns_reliability", "smart.warns_read_only",
					    "smart.warns_backup", "smart.warns_spare" };

	(void)state;
	for (size_t i = 0; i < NR_OF(cases); i++)
		assert_int_equal(HL_CONFIRMED, judge(WORN, cases[i], 2));
	for (size_t i = 0; i < NR_OF(bits); i++) {
		BESIDE struct beside made = make_drive();

		add_truth(&made, "nvme0", bits[i], true);
		add_number(&made, "nvme0", "smart.critical_warning", 1);
		assert_int_equal(HL_CONFIRMED, match_one(made.graph, WORN)->state);
	}
}

static void errors_in_one_log_are_suspected(void **state)
{
	static const char *const keys[] = { "smart.media_errors",  "smart.reallocated",
					    "smart.pending",       "smart.offline_uncorrectable",
					    "smart.grown_defects", "smart.uncorrected_writes" };
	BESIDE struct beside made = make_drive();
	const struct hl_finding *found;

	(void)state;
	for (size_t i = 0; i < NR_OF(keys); i++)
		assert_int_equal(HL_SUSPECTED, judge(WORN, &(struct row){ keys[i], 7, 0 }, 1));
	add_number(&made, "sda", "smart.pending", 8);
	add_number(&made, "sda", "smart.reallocated", 0);
	found = match_one(made.graph, WORN);
	assert_null(found->hop); /* nothing measured stands on it */
	assert_true(has_text(found->text, "sda counts errors: 8 sectors that it cannot read."));
	assert_non_null(found->next);
}

static void a_used_drive_is_not_a_worn_one(void **state)
{
	static const struct row cases[][3] = {
		{ { "smart.percentage_used", 99, 0 } },
		{ { "smart.available_spare_pct", 10, 0 },
		  { "smart.available_spare_threshold_pct", 10, 0 } },
		{ { "smart.err_log_entries", 3211, 0 }, { "smart.media_errors", 0, 0 } },
		{ { "smart.crc_errors", 50, 0 }, { "smart.pending", 0, 0 } },
		{ { "smart.power_on_hours", 60000, 0 }, { "smart.critical_warning", 0, 0 } },
	};
	BESIDE struct beside heat = make_drive();

	(void)state;
	for (size_t i = 0; i < NR_OF(cases); i++)
		assert_int_equal(-1, judge(WORN, cases[i], 3));
	/* "failed" for being hot */
	add_truth(&heat, "nvme0", "smart.health_passed", false);
	add_number(&heat, "nvme0", "smart.critical_warning", 2);
	assert_null(match_one(heat.graph, WORN));
}

static void one_drive_is_told_once(void **state)
{
	BESIDE struct beside made = make_drive();

	(void)state;
	for (int i = 0; i < 3; i++) { /* the same log in three files */
		add_number(&made, "nvme0", "smart.percentage_used", 120);
		add_number(&made, "nvme0", "smart.media_errors", 3);
	}
	match_one(made.graph, WORN);
	assert_int_equal(1, made.graph->nr_findings);
}

static void add_format(struct beside *made, const char *node, double bytes, double used,
		       double best_bytes, double best)
{
	add_number(made, node, "drive.lba_bytes", bytes);
	add_number(made, node, "nvme.lba_relative_performance", used);
	add_number(made, node, "nvme.lba_best_bytes", best_bytes);
	add_number(made, node, "nvme.lba_best_relative_performance", best);
}

static void a_slow_format_is_suspected_and_confirmed_by_a_faster_peer(void **state)
{
	static const struct {
		double bw;
		const char *model;
		enum hl_state state;
	} peers[] = {
		{ 1500, "M1", HL_CONFIRMED },
		{ 1050, "M1", HL_SUSPECTED }, /* no faster */
		{ 1500, "M2", HL_SUSPECTED }, /* another kind of drive */
	};

	(void)state;
	for (size_t i = 0; i < NR_OF(peers); i++) {
		BESIDE struct beside made = make_beside(HL_LAYER_DRIVE, peers[i].bw, 1000);
		const struct hl_finding *found;

		made.hop->target = "/dev/nvme0n1";
		made.before->target = "/dev/nvme1n1";
		add_text(&made, "nvme0n1", "drive.model", "M1");
		add_text(&made, "nvme1n1", "drive.model", peers[i].model);
		add_format(&made, "nvme0n1", 512, 2, 4096, 0);
		add_format(&made, "nvme1n1", 4096, 0, 4096, 0);
		found = match_one(made.graph, FORMAT);
		assert_non_null(found);
		assert_int_equal(peers[i].state, found->state);
		assert_ptr_equal(made.hop, found->hop);
		assert_true(has_text(found->text,
				     "blocks of 512 bytes, which the drive itself rates "
				     "\"good\"; blocks of 4096 bytes it rates \"best\""));
		assert_int_equal(1, made.graph->nr_findings);
		if (found->state == HL_CONFIRMED)
			assert_true(found->predicted_bw > 1400 * HL_MIB);
	}
}

static void a_format_that_is_rated_as_well_is_left_alone(void **state)
{
	static const double cases[][4] = {
		{ 512, 0, 512, 0 },   /* all alike: the drive says nothing */
		{ 4096, 0, 4096, 0 }, /* the best is in use */
		{ 512, 1, 512, 1 },
	};

	(void)state;
	for (size_t i = 0; i < NR_OF(cases); i++) {
		BESIDE struct beside made = make_drive();

		add_format(&made, "nvme0n1", cases[i][0], cases[i][1], cases[i][2], cases[i][3]);
		assert_null(match_one(made.graph, FORMAT));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_throttle_counter_that_moved_during_a_run_is_confirmed),
		cmocka_unit_test(a_counter_that_differs_in_two_logs_is_confirmed),
		cmocka_unit_test(a_slot_in_which_it_moved_names_the_workload),
		cmocka_unit_test(one_log_only_makes_heat_suspected),
		cmocka_unit_test(sensors_alone_make_heat_suspected),
		cmocka_unit_test(warm_is_not_hot),
		cmocka_unit_test(a_drive_that_says_it_fails_is_confirmed),
		cmocka_unit_test(errors_in_one_log_are_suspected),
		cmocka_unit_test(a_used_drive_is_not_a_worn_one),
		cmocka_unit_test(one_drive_is_told_once),
		cmocka_unit_test(a_slow_format_is_suspected_and_confirmed_by_a_faster_peer),
		cmocka_unit_test(a_format_that_is_rated_as_well_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
