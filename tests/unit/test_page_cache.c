/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that answered instead of a path: latencies that no medium has, and I/O that is done when
 * its submission returns.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cause_maker.h"

#define CACHE "readahead-or-page-cache"

/* libaio on FUSE */
static const struct run_row at_once = {
	"fuse",         .rw = HL_RW_RANDREAD, .bs = 16384, .iodepth = 16, .iops = 40000,
	.lat = 24 * US, .slat = 23.6 * US,    .clat = 400, .p50 = 380
};
static const struct run_row hit = { "hit",          .engine = "psync", .rw = HL_RW_RANDREAD,
				    .bs = 4096,     .iops = 400e3,     .lat = 2.1 * US,
				    .clat = 2 * US, .p50 = 2 * US };
static const struct run_row ahead = { "ahead",         .engine = "psync", .rw = HL_RW_READ,
				      .bs = 4096,      .iops = 80000,     .lat = 12 * US,
				      .clat = 12 * US, .p50 = 2 * US,     .p99 = 300 * US };
static const struct run_row flash = { "nvme",          .engine = "psync", .rw = HL_RW_RANDREAD,
				      .bs = 4096,      .iops = 12000,     .lat = 80 * US,
				      .clat = 80 * US, .p50 = 79 * US };
static const struct run_row flash_write = {
	"nvme",        .engine = "psync", .rw = HL_RW_RANDWRITE, .bs = 4096,
	.iops = 64000, .lat = 15 * US,    .clat = 15 * US,       .p50 = 15 * US
};

static bool is_cached(struct run_row row)
{
	return is_found(CACHE, HL_LAYER_NONE, &row, 1);
}

static void io_that_is_done_when_submitted_never_stood_in_a_queue(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *found;

	(void)unused;
	add_runs(graph, "mount", HL_LAYER_NONE, &at_once, 1);
	found = match_one(graph, CACHE);
	assert_non_null(found);
	assert_int_equal(found->state, HL_SUSPECTED);
	assert_true(has_text(found->text, "24.0 us, 23.6 us of it in the submission and 400 ns"));
	assert_true(has_text(found->text, "Whether direct=1 was given is not in this output."));
	assert_non_null(evidence_of(found, "run.read_clat_mean_ns"));
}

static void even_direct_io_can_be_done_at_once(void **unused)
{
	struct run_row row = at_once;
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	row.is_direct = true;
	add_runs(graph, "mount", HL_LAYER_NONE, &row, 1);
	assert_false(has_text(match_one(graph, CACHE)->text, "Whether direct=1"));
}

static void a_slow_submission_is_not_a_hit(void **unused)
{
	struct run_row row = at_once;

	(void)unused;
	row.slat = row.lat = 600 * US; /* buffered, and read from the medium */
	assert_false(is_cached(row));
	row.rw = HL_RW_RANDWRITE; /* writes go into the cache however long they wait for room */
	assert_true(is_cached(row));
}

static void two_microseconds_are_no_medium(void **unused)
{
	struct run_row row = hit;

	(void)unused;
	assert_true(is_cached(row));
	row.is_direct = true; /* a RAM disk, or polling: direct all the same */
	assert_false(is_cached(row));
	row = hit;
	row.engine = "null";
	assert_false(is_cached(row));
}

static void large_blocks_take_time_to_copy(void **unused)
{
	struct run_row row = hit;

	(void)unused;
	row.bs = 1048576;
	row.lat = row.clat = 90 * US; /* 11 GB/s */
	assert_true(is_cached(row));
	row.lat = row.clat = 200 * US; /* 5 GB/s: a drive can */
	assert_false(is_cached(row));
}

static void readahead_serves_most_and_lets_some_wait(void **unused)
{
	struct run_row row = ahead;
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	add_runs(graph, "mount", HL_LAYER_NONE, &ahead, 1);
	assert_true(has_text(match_one(graph, CACHE)->text,
			     "half of them 2.00 us: readahead fetches them before they are asked "
			     "for, 128 KiB in 400 us"));
	row.rw = HL_RW_RANDREAD;
	assert_false(is_cached(row));
	row = ahead;
	row.is_direct = true;
	assert_false(is_cached(row));
}

static void a_stream_whose_reads_are_nearly_alike_is_not_read_ahead(void **unused)
{
	struct run_row row = ahead;

	(void)unused;
	row.p50 = 7 * US;
	row.lat = row.clat = 11 * US;
	assert_false(is_cached(row));
}

static void flash_is_not_memory(void **unused)
{
	(void)unused;
	assert_false(is_cached(flash));
	assert_false(is_cached(flash_write));
}

static void synced_writes_are_meant_to_go_through_the_cache(void **unused)
{
	struct run_row row = hit;

	(void)unused;
	row.rw = HL_RW_WRITE;
	assert_true(is_cached(row));
	row.sync = 200 * US;
	assert_false(is_cached(row));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(io_that_is_done_when_submitted_never_stood_in_a_queue),
		cmocka_unit_test(even_direct_io_can_be_done_at_once),
		cmocka_unit_test(a_slow_submission_is_not_a_hit),
		cmocka_unit_test(two_microseconds_are_no_medium),
		cmocka_unit_test(large_blocks_take_time_to_copy),
		cmocka_unit_test(readahead_serves_most_and_lets_some_wait),
		cmocka_unit_test(a_stream_whose_reads_are_nearly_alike_is_not_read_ahead),
		cmocka_unit_test(flash_is_not_memory),
		cmocka_unit_test(synced_writes_are_meant_to_go_through_the_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
