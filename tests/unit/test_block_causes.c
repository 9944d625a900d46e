/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * I/Os that are cut, and readahead that is too short: confirmed, suspected, and look-alikes on
 * which nothing is said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pool_maker.h"

#define SPLIT     "block-max-sectors-split"
#define READAHEAD "block-readahead-limited"
#define MB        1048576

#define assert_state(state_, finding)                                                              \
	do {                                                                                       \
		assert_non_null(finding);                                                          \
		assert_int_equal(state_, (finding)->state);                                        \
	} while (0)

static const struct fact_row disk[] = {
	NUMBER("sdb", "block.max_io_size", 131072),
	NUMBER("sdb", "block.max_hw_io_size", 4194304),
	NUMBER("sdb", "block.read_ahead", 131072),
};

static const struct run_row large = { "seq-1m",    .rw = HL_RW_READ, .bs = MB, .iodepth = 16,
				      .iops = 900, .lat = 17 * MS,   .run = 1 };
static const struct run_row large_before = { "seq-1m",      .rw = HL_RW_READ, .bs = MB,
					     .iodepth = 16, .iops = 2000,     .lat = 8 * MS };

/* A hop "lun" of those jobs on sdb, behind a hop "loopback" with the other ones, if any. */
static struct hl_hop *make_lun(struct hl_graph *graph, const struct run_row *rows, size_t nr,
			       const struct run_row *before)
{
	struct hl_hop *first = before ? add_runs(graph, "loopback", HL_LAYER_TARGET, before, 1)
				      : NULL;
	struct hl_hop *hop = add_runs(graph, "lun", HL_LAYER_INITIATOR, rows, nr);

	hop->after = first;
	put_on(graph, hop, "/dev/sdb");
	return hop;
}

static void add_requests(struct hl_graph *graph, struct hl_hop *hop, double per_io)
{
	struct hl_disk *counted = hl_graph_add_disk(graph, hop);

	counted->name = "sdb";
	counted->run = 1;
	counted->ios[0] = hop->measurements[0]->dir[HL_DIR_READ]->ios * per_io;
}

static void requests_that_were_counted_confirm_the_cut(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *finding;

	(void)state;
	add_requests(graph, make_lun(graph, &large, 1, &large_before), 7.9);
	ADD_FACTS(graph, disk);
	finding = match_one(graph, SPLIT);
	assert_state(HL_CONFIRMED, finding);
	assert_true(has_text(finding->text, "8 pieces (7.9 counted)"));
	assert_true(has_text(finding->fix, "echo 1024 > /sys/block/sdb/queue/max_sectors_kb"));
	assert_non_null(evidence_of(finding, "block.max_io_size"));
	assert_int_equal(HL_LAYER_INITIATOR, finding->layer);
	assert_true(finding->predicted_bw == 2000.0 * MB);
}

static void a_limit_below_the_block_size_is_suspected(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_GRAPH struct hl_graph *whole = hl_graph_new();

	(void)state;
	make_lun(graph, &large, 1, &large_before);
	ADD_FACTS(graph, disk);
	assert_state(HL_SUSPECTED, match_one(graph, SPLIT));
	add_requests(whole, make_lun(whole, &large, 1, &large_before), 1);
	ADD_FACTS(whole, disk);
	assert_null(match_one(whole, SPLIT)); /* counted: they go down whole */
}

static void small_blocks_full_devices_and_hard_limits_are_silent(void **state)
{
	static const struct fact_row hard[] = { NUMBER("sdb", "block.max_io_size", 131072),
						NUMBER("sdb", "block.max_hw_io_size", 131072) };
	const struct run_row small = { "seq",         .rw = HL_RW_READ, .bs = 131072,
				       .iodepth = 16, .iops = 7000,     .lat = 2 * MS };
	const struct run_row same = { "seq-1m",      .rw = HL_RW_READ, .bs = MB,
				      .iodepth = 16, .iops = 920,      .lat = 17 * MS };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_GRAPH struct hl_graph *bound = hl_graph_new();
	HL_GRAPH struct hl_graph *limit = hl_graph_new();

	(void)state;
	make_lun(graph, &small, 1, NULL);
	ADD_FACTS(graph, disk);
	assert_null(match_one(graph, SPLIT));
	make_lun(bound, &large, 1, &same);
	ADD_FACTS(bound, disk);
	assert_null(match_one(bound, SPLIT));
	make_lun(limit, &large, 1, &large_before);
	ADD_FACTS(limit, hard);
	assert_null(match_one(limit, SPLIT));
}

/* ---- readahead ---- */

static const struct run_row buffered = {
	"cat",          .engine = "psync", .rw = HL_RW_READ, .bs = 4096,
	.iops = 220000, .lat = 4.5 * US,   .clat = 4.4 * US, .p50 = 1 * US
};
static const struct run_row deep = { "deep",           .rw = HL_RW_READ, .bs = 131072,
				     .iodepth = 32,    .iops = 24000,    .lat = 1.3 * MS,
				     .is_direct = true };
static const struct run_row single = {
	"one",        .rw = HL_RW_READ, .bs = 131072,     .iodepth = 1,
	.iops = 6800, .lat = 145 * US,  .is_direct = true
};

static void deep_direct_reads_and_the_latency_confirm_the_window(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct run_row rows[] = { buffered, deep, single };
	const struct hl_finding *finding;

	(void)state;
	make_lun(graph, rows, 3, NULL);
	ADD_FACTS(graph, disk);
	finding = match_one(graph, READAHEAD);
	assert_state(HL_CONFIRMED, finding);
	assert_true(has_text(finding->text, "a window every 145 us, and one takes 145 us") ||
		    has_text(finding->text, "a window every 14"));
	assert_true(has_text(finding->text, "32 deep the same hop gives"));
	assert_true(finding->predicted_bw == 24000.0 * 131072);
	assert_non_null(evidence_of(finding, "block.read_ahead"));
}

static void deep_reads_alone_leave_it_suspected(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct run_row rows[] = { buffered, deep };
	const struct hl_finding *finding;

	(void)state;
	make_lun(graph, rows, 2, NULL);
	ADD_FACTS(graph, disk);
	finding = match_one(graph, READAHEAD);
	assert_state(HL_SUSPECTED, finding);
	assert_true(has_text(finding->next, "four times as large"));
}

static void direct_reads_cached_data_and_full_devices_are_silent(void **state)
{
	const struct run_row direct = { "cat",         .engine = "psync", .rw = HL_RW_READ,
					.bs = 4096,    .iops = 9000,      .lat = 110 * US,
					.p50 = 1 * US, .is_direct = true };
	const struct run_row cached = { "cat",          .engine = "psync", .rw = HL_RW_READ,
					.bs = 4096,     .iops = 900000,    .lat = 1.1 * US,
					.clat = 1 * US, .p50 = 1 * US };
	struct run_row as_fast = deep;
	const struct run_row *const rows[] = { &direct, &cached };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		const struct run_row both[] = { *rows[i], deep };

		make_lun(graph, both, 2, NULL);
		ADD_FACTS(graph, disk);
		assert_null(match_one(graph, READAHEAD));
	}
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	as_fast.iops = 7500;
	const struct run_row both[] = { buffered, as_fast };

	make_lun(graph, both, 2, NULL);
	ADD_FACTS(graph, disk);
	assert_null(match_one(graph, READAHEAD));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_that_were_counted_confirm_the_cut),
		cmocka_unit_test(a_limit_below_the_block_size_is_suspected),
		cmocka_unit_test(small_blocks_full_devices_and_hard_limits_are_silent),
		cmocka_unit_test(deep_direct_reads_and_the_latency_confirm_the_window),
		cmocka_unit_test(deep_reads_alone_leave_it_suspected),
		cmocka_unit_test(direct_reads_cached_data_and_full_devices_are_silent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
