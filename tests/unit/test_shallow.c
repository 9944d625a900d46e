/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A generator that asks for few at a time and gets each at once limits itself; a latency test, a
 * device at its best and a stream do not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cause_maker.h"

#define LIMIT "depth-limited"

static const struct run_row ten = { "ten",          .engine = "psync", .rw = HL_RW_RANDREAD,
				    .bs = 4096,     .iodepth = 1,      .numjobs = 10,
				    .iops = 125000, .lat = 80 * US,    .lat_min = 50 * US };

static bool is_limited(struct run_row row)
{
	return is_found(LIMIT, HL_LAYER_NONE, &row, 1);
}

static void ten_at_a_time_that_come_back_at_once_saturate_nothing(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *limit;

	(void)unused;
	add_runs(graph, "nvme", HL_LAYER_NONE, &ten, 1);
	limit = match_one(graph, LIMIT);
	assert_non_null(limit);
	assert_int_equal(limit->state, HL_SUSPECTED);
	assert_true(has_text(limit->text, "10 in flight at 80.0 us each are 125k IOPS"));
	assert_true(has_text(limit->text, "The fastest took 50.0 us"));
	assert_true(evidence_of(limit, "run.depth_asked")->number == 10);
	assert_true(isnan(limit->predicted_bw));
}

/* A shaped line: 32 in flight, each waits for 31 others, the first and the last alike. */
static void a_queue_that_stands_is_not_taken_for_a_fast_answer(void **unused)
{
	static const double rounds[9] = { 36e6, 36e6, 36e6, 36e6, 36e6, 36e6, 36e6, 36e6, 36e6 };
	struct run_row rows[2] = {
		{ "seq", "iscsi", .rw = HL_RW_READ, .bs = 131072, .iodepth = 32, .iops = 275,
		  .lat = 117 * MS, .lat_min = 108 * MS },
		{ "qd1", "iscsi", .rw = HL_RW_READ, .bs = 131072, .iodepth = 1, .iops = 250,
		  .lat = 4 * MS, .lat_min = 3.7 * MS },
	};

	(void)unused;
	for (size_t nr = 1; nr <= 2; nr++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_hop *hop = add_runs(graph, "shaped", HL_LAYER_VNIC, rows, nr);

		for (size_t i = 0; i < nr; i++) {
			hop->measurements[i]->dir[HL_DIR_READ]->per_round = rounds;
			hop->measurements[i]->dir[HL_DIR_READ]->nr_rounds = 9;
		}
		/* at depth 1 it is as fast: a plateau, whatever makes it */
		assert_int_equal(match_one(graph, LIMIT) != NULL, nr == 2);
		if (nr == 2)
			assert_int_equal(finding_of(graph, LIMIT)->state, HL_AMBIGUOUS);
	}
}

static void depth_one_tells_what_an_answer_alone_takes(void **unused)
{
	static const double rounds[9] = { 5e8, 5e8, 5e8, 5e8, 5e8, 5e8, 5e8, 5e8, 5e8 };
	struct run_row rows[2] = { ten, ten };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop;

	(void)unused;
	rows[1].numjobs = 1;
	rows[1].lat = 60 * US;
	rows[1].iops = 16000;
	hop = ADD_RUNS(graph, "nvme", HL_LAYER_NONE, rows);
	hop->measurements[0]->dir[HL_DIR_READ]->per_round = rounds;
	hop->measurements[0]->dir[HL_DIR_READ]->nr_rounds = 9;
	assert_true(has_text(match_one(graph, LIMIT)->text,
			     "Alone, at depth 1, one takes 60.0 us: hardly any"));
}

static void io_that_queues_is_not_limited_by_who_asks(void **unused)
{
	struct run_row row = ten;

	(void)unused;
	row.lat = 800 * US;
	assert_false(is_limited(row));
}

static void a_latency_test_is_no_mistake(void **unused)
{
	struct run_row row = ten;

	(void)unused;
	row.numjobs = 1;
	assert_false(is_limited(row));
}

static void iodepth_with_a_synchronous_engine_is_told(void **unused)
{
	struct run_row row = ten;
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	row.numjobs = 1;
	row.iodepth = 64;
	add_runs(graph, "nvme", HL_LAYER_NONE, &row, 1);
	assert_true(has_text(match_one(graph, LIMIT)->text,
			     "iodepth=64 has no effect: psync has one I/O in flight a job"));
	row.engine = "libaio";
	row.lat = 1 * MS;
	assert_false(is_limited(row));
}

static void a_deeper_run_says_what_depth_gives(void **unused)
{
	struct run_row rows[2] = { ten, ten };

	(void)unused;
	rows[1].engine = "libaio";
	rows[1].iodepth = 64;
	rows[1].iops = 600e3;
	rows[1].lat = 1 * MS;
	assert_false(IS_FOUND(LIMIT, HL_LAYER_NONE, rows));
}

static void below_the_sheet_with_less_depth_than_it_the_sheet_is_the_promise(void **unused)
{
	struct run_row row = ten;
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "870-EVO-1TB", 1);
	const struct hl_finding *limit;

	(void)unused;
	row.iops = 39000;
	row.lat = 256 * US;
	row.lat_min = 20 * US;
	add_runs(graph, "ssd", HL_LAYER_NONE, &row, 1);
	limit = match_one(graph, LIMIT);
	assert_int_equal(limit->state, HL_SUSPECTED);
	assert_true(has_text(limit->text, "40 % of the datasheet, whose figure was taken with 32"));
	assert_true(limit->predicted_bw == 98000 * 4096.);
	assert_int_equal(limit->predicted_kind, HL_AT_MOST);
	assert_non_null(spec);
}

static void at_the_sheet_nothing_is_left_to_gain(void **unused)
{
	struct run_row row = ten;
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "870-EVO-1TB", 1);

	(void)unused;
	row.iops = 90000;
	row.lat = 110 * US;
	row.lat_min = 70 * US;
	add_runs(graph, "ssd", HL_LAYER_NONE, &row, 1);
	assert_null(match_one(graph, LIMIT));
	assert_non_null(spec);
}

static void a_device_that_holds_all_that_was_asked_is_not_known_to_be_full(void **unused)
{
	struct run_row row = ten;
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *limit;

	(void)unused;
	row.lat = 256 * US;
	row.lat_min = 20 * US;
	row.device_depth = 9.3;
	add_runs(graph, "ssd", HL_LAYER_NONE, &row, 1);
	limit = match_one(graph, LIMIT);
	assert_int_equal(limit->state, HL_AMBIGUOUS);
	assert_true(has_text(limit->text, "The device held 9.3 of them"));
	row.bs = 131072; /* a stream fills it */
	assert_false(is_limited(row));
	row.bs = 4096;
	row.lat = 4 * MS; /* busy itself */
	assert_false(is_limited(row));
	row.lat = 256 * US;
	row.device_depth = 4;
	assert_false(is_limited(row));
}

static void synced_writes_and_memory_have_causes_of_their_own(void **unused)
{
	struct run_row row = ten;

	(void)unused;
	row.lat = 2 * US;
	row.lat_min = 1.5 * US;
	assert_false(is_limited(row));
	row = ten;
	row.rw = HL_RW_WRITE;
	assert_true(is_limited(row));
	row.sync = 5 * MS;
	assert_false(is_limited(row));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_at_a_time_that_come_back_at_once_saturate_nothing),
		cmocka_unit_test(a_queue_that_stands_is_not_taken_for_a_fast_answer),
		cmocka_unit_test(depth_one_tells_what_an_answer_alone_takes),
		cmocka_unit_test(io_that_queues_is_not_limited_by_who_asks),
		cmocka_unit_test(a_latency_test_is_no_mistake),
		cmocka_unit_test(iodepth_with_a_synchronous_engine_is_told),
		cmocka_unit_test(a_deeper_run_says_what_depth_gives),
		cmocka_unit_test(below_the_sheet_with_less_depth_than_it_the_sheet_is_the_promise),
		cmocka_unit_test(at_the_sheet_nothing_is_left_to_gain),
		cmocka_unit_test(a_device_that_holds_all_that_was_asked_is_not_known_to_be_full),
		cmocka_unit_test(synced_writes_and_memory_have_causes_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
