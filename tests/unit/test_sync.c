/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes that wait for syncs: told when the wait is most of the time and not short.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cause_maker.h"

#define WAIT "sync-latency-bound"

static const struct run_row disks = { "sync",     .engine = "sync", .rw = HL_RW_WRITE, .bs = 4096,
				      .iops = 95, .lat = 28 * US,   .sync = 10.4 * MS };

static bool is_waiting(struct run_row row)
{
	return is_found(WAIT, HL_LAYER_NONE, &row, 1);
}

static void syncs_that_take_all_of_the_time_are_told(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *wait;

	(void)unused;
	add_runs(graph, "zfs", HL_LAYER_NONE, &disks, 1);
	wait = match_one(graph, WAIT);
	assert_int_equal(wait->state, HL_SUSPECTED);
	assert_true(
		has_text(wait->text, "99 % of the time goes into waiting for syncs, 10.4 ms each"));
	assert_true(has_text(wait->text, "a hard disk that has to seek and turn"));
	assert_true(evidence_of(wait, "run.sync_mean_ns")->number == 10.4 * MS);
	/* as many writes as 28 us allow */
	assert_true(fabs(wait->predicted_bw / (4096 / 28e-6) - 1) < 1e-9);
	assert_int_equal(wait->predicted_kind, HL_AT_MOST);
}

static void what_takes_so_long_depends_on_how_long(void **unused)
{
	struct run_row row = disks;
	HL_GRAPH struct hl_graph *one = hl_graph_new();
	HL_GRAPH struct hl_graph *two = hl_graph_new();

	(void)unused;
	row.sync = 1 * MS;
	row.iops = 970;
	add_runs(one, "ntfs", HL_LAYER_NONE, &row, 1);
	assert_true(has_text(match_one(one, WAIT)->text, "without protection against power loss"));
	row.sync = 190 * US;
	row.iops = 4800;
	add_runs(two, "slog", HL_LAYER_NONE, &row, 1);
	assert_true(has_text(match_one(two, WAIT)->text, "flash or a log device"));
}

static void a_protected_cache_is_fast_enough(void **unused)
{
	struct run_row row = disks;

	(void)unused;
	row.sync = 40 * US;
	row.iops = 14000;
	assert_false(is_waiting(row));
}

static void a_sync_now_and_then_decides_nothing(void **unused)
{
	struct run_row row = disks;

	(void)unused;
	row.iops = 40; /* 40 x 10.4 ms */
	assert_false(is_waiting(row));
	row.iops = 9500; /* a hundred times more writes than syncs: their share is not known */
	assert_false(is_waiting(row));
	row.fsync = 100;
	assert_true(is_waiting(row));
}

static void several_writers_share_the_time(void **unused)
{
	struct run_row row = disks;

	(void)unused;
	row.numjobs = 8;
	row.iops = 95 * 8;
	assert_true(is_waiting(row));
	row.iops = 95;
	assert_false(is_waiting(row));
}

static void writes_without_sync_latencies_are_silent(void **unused)
{
	struct run_row row = disks;

	(void)unused;
	row.sync = 0;
	assert_false(is_waiting(row));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(syncs_that_take_all_of_the_time_are_told),
		cmocka_unit_test(what_takes_so_long_depends_on_how_long),
		cmocka_unit_test(a_protected_cache_is_fast_enough),
		cmocka_unit_test(a_sync_now_and_then_decides_nothing),
		cmocka_unit_test(several_writers_share_the_time),
		cmocka_unit_test(writes_without_sync_latencies_are_silent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
