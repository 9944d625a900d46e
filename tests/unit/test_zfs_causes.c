/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What ZFS does to a path: confirmed, suspected, and look-alikes on which nothing is said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pool_maker.h"

#define RMW   "zfs-volblocksize-rmw"
#define ARC   "zfs-served-from-arc"
#define SYNC  "zfs-sync-no-slog"
#define CACHE "zfs-primarycache-metadata"
#define RAIDZ "zfs-raidz-small-block"

#define assert_state(state_, finding)                                                              \
	do {                                                                                       \
		assert_non_null(finding);                                                          \
		assert_int_equal(state_, (finding)->state);                                        \
	} while (0)

static void assert_about(double expected, double actual)
{
	if (!(actual > expected * 0.99 && actual < expected * 1.01))
		fail_msg("%g, not %g", actual, expected);
}

/* ---- read, modify, write ---- */

static const struct run_row small = { "rand-write-4k", .rw = HL_RW_RANDWRITE, .bs = 4096,
				      .iodepth = 32,   .iops = 2000,          .lat = 16 * MS };
static const struct run_row whole = { "rand-write-16k", .rw = HL_RW_RANDWRITE, .bs = 16384,
				      .iodepth = 32,    .iops = 5200,          .lat = 6 * MS };
static const struct run_row raw_small = { "rand-write-4k", .rw = HL_RW_RANDWRITE, .bs = 4096,
					  .iodepth = 32,   .iops = 80000,         .lat = 400 * US };

static void whole_blocks_that_are_faster_than_parts_confirm_it(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct run_row rows[] = { small, whole };
	const struct hl_finding *finding;

	(void)state;
	make_zvol(graph, rows, 2, &raw_small, 1);
	ADD_FACTS(graph, pool_facts);
	finding = match_one(graph, RMW);
	assert_state(HL_CONFIRMED, finding);
	assert_true(has_text(finding->text, "16.0 KiB of tank/vol") ||
		    has_text(finding->text, "16 KiB of tank/vol"));
	/* 16 KiB read, 24 KiB written: 4 data and 1 parity sector, padded to 6 */
	assert_true(has_text(finding->text, "10.0 bytes on the disks"));
	assert_non_null(evidence_of(finding, "zfs.volblocksize"));
	assert_non_null(evidence_of(finding, "zpool.layout"));
	/* a block of 4 KiB takes 8 KiB: 10 / 2 times as much */
	assert_about(2000 * 4096 * 5.0, finding->predicted_bw);
	assert_null(finding->next);
}

static void small_writes_alone_are_suspected(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_GRAPH struct hl_graph *import = hl_graph_new();
	const struct run_row rows[] = { small,
					{ .name = "w",
					  .rw = HL_RW_RANDWRITE,
					  .bs = 16384,
					  .iodepth = 32,
					  .iops = 2000,
					  .lat = 16 * MS } };
	const struct hl_finding *finding;

	(void)state;
	make_zvol(graph, rows, 2, &raw_small, 1);
	ADD_FACTS(graph, pool_facts);
	finding = match_one(graph, RMW);
	assert_state(HL_SUSPECTED, finding);
	assert_true(has_text(finding->text, "no faster than parts"));
	assert_true(has_text(finding->next, "bs=16k"));
	/* a saved result of which nothing says where it ran: the only volume there is */
	add_runs(import, "fio", HL_LAYER_NONE, rows, 1);
	ADD_FACTS(import, pool_facts);
	assert_state(HL_SUSPECTED, match_one(import, RMW));
}

static void writes_that_fit_stream_or_lose_nothing_are_left_alone(void **state)
{
	const struct run_row stream = { "seq",         .rw = HL_RW_WRITE, .bs = 4096,
					.iodepth = 32, .iops = 2000,      .lat = 16 * MS };
	const struct run_row as_fast = { "rand-write-4k", .rw = HL_RW_RANDWRITE, .bs = 4096,
					 .iodepth = 32,   .iops = 2050,          .lat = 16 * MS };
	const struct run_row *const rows[] = { &whole, &stream };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();

		make_zvol(graph, rows[i], 1, NULL, 0);
		ADD_FACTS(graph, pool_facts);
		assert_null(match_one(graph, RMW));
	}
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	make_zvol(graph, &small, 1, &as_fast, 1);
	ADD_FACTS(graph, pool_facts);
	assert_null(match_one(graph, RMW));
}

static void whole_blocks_at_a_greater_depth_prove_nothing(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct run_row deeper = whole;

	(void)state;
	deeper.iodepth = 128;
	const struct run_row rows[] = { small, deeper };

	make_zvol(graph, rows, 2, &raw_small, 1);
	ADD_FACTS(graph, pool_facts);
	assert_state(HL_SUSPECTED, match_one(graph, RMW));
}

static void only_the_first_hop_on_the_volume_is_told(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct run_row slower = { "rand-write-4k", .rw = HL_RW_RANDWRITE, .bs = 4096,
					.iodepth = 32,   .iops = 1000,          .lat = 32 * MS };
	struct hl_hop *zvol, *lun;

	(void)state;
	zvol = make_zvol(graph, &small, 1, &raw_small, 1);
	lun = add_runs(graph, "lun", HL_LAYER_TARGET, &slower, 1);
	lun->after = zvol;
	put_on(graph, lun, "/dev/zvol/tank/vol");
	ADD_FACTS(graph, pool_facts);
	assert_ptr_equal(zvol, match_one(graph, RMW)->hop);
	assert_int_equal(1, graph->nr_findings);
}

static void two_volumes_without_a_place_are_not_guessed(void **state)
{
	static const struct fact_row other[] = { NUMBER("tank/other", "zfs.volblocksize", 8192) };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	add_runs(graph, "fio", HL_LAYER_NONE, &small, 1);
	ADD_FACTS(graph, pool_facts);
	ADD_FACTS(graph, other);
	assert_null(match_one(graph, RMW));
}

/* ---- the ARC ---- */

static const struct run_row reads = { "rand-read-4k",    .rw = HL_RW_RANDREAD, .bs = 4096,
				      .iodepth = 32,     .iops = 60000,        .lat = 500 * US,
				      .size = 1073741824 };
static const struct run_row raw_reads = { "rand-read-4k", .rw = HL_RW_RANDREAD, .bs = 4096,
					  .iodepth = 32,  .iops = 800,          .lat = 40 * MS };

static void hits_that_were_counted_confirm_the_arc(void **state)
{
	static const struct fact_row hits[] = { NUMBER("zvol/rand-read-4k", "arc.slot_hit_pct",
						       97) };
	static const struct fact_row some[] = { NUMBER("zvol/rand-read-4k", "arc.slot_hit_pct",
						       40) };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_GRAPH struct hl_graph *partly = hl_graph_new();
	const struct hl_finding *finding;

	(void)state;
	make_zvol(graph, &reads, 1, &raw_reads, 1);
	ADD_FACTS(graph, pool_facts);
	ADD_FACTS(graph, hits);
	finding = match_one(graph, ARC);
	assert_state(HL_CONFIRMED, finding);
	assert_true(has_text(finding->text, "97 % of what rand-read-4k read"));
	assert_non_null(evidence_of(finding, "arc.slot_hit_pct"));
	assert_true(isnan(finding->predicted_bw));
	make_zvol(partly, &reads, 1, NULL, 0);
	ADD_FACTS(partly, some);
	assert_state(HL_SUSPECTED, match_one(partly, ARC));
}

static void a_file_that_fits_and_is_too_fast_is_suspected(void **state)
{
	static const struct fact_row arc[] = { NUMBER("arc", "arc.size", 64e9) };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_GRAPH struct hl_graph *alone = hl_graph_new();

	(void)state;
	make_zvol(graph, &reads, 1, &raw_reads, 1);
	ADD_FACTS(graph, pool_facts);
	ADD_FACTS(graph, arc);
	assert_state(HL_SUSPECTED, match_one(graph, ARC));
	make_zvol(alone, &reads, 1, NULL, 0); /* but the disks turn */
	ADD_FACTS(alone, pool_facts);
	ADD_FACTS(alone, arc);
	assert_state(HL_SUSPECTED, match_one(alone, ARC));
}

static void misses_large_files_and_metadata_only_are_no_arc(void **state)
{
	static const struct fact_row misses[] = { NUMBER("zvol/rand-read-4k", "arc.slot_hit_pct",
							 3) };
	static const struct fact_row little[] = { NUMBER("arc", "arc.size", 1e9) };
	static const struct fact_row metadata[] = {
		NUMBER("arc", "arc.size", 64e9),
		TEXT("tank/vol", "zfs.primarycache", "metadata"),
	};
	const struct {
		const struct fact_row *rows;
		size_t nr;
	} cases[] = { { misses, 1 }, { little, 1 }, { metadata, 2 } };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();

		make_zvol(graph, &reads, 1, &raw_reads, 1);
		ADD_FACTS(graph, pool_facts);
		add_fact_rows(graph, cases[i].rows, cases[i].nr);
		assert_null(match_one(graph, ARC));
	}
}

/* ---- synchronous writes ---- */

static const struct run_row synced = { "mytest",   .engine = "sync", .rw = HL_RW_WRITE, .bs = 4096,
				       .iops = 95, .lat = 28 * US,   .sync = 10.4 * MS };
static const struct run_row quick = { "mytest",     .engine = "sync", .rw = HL_RW_WRITE, .bs = 4096,
				      .iops = 1100, .lat = 28 * US,   .sync = 880 * US };

static void syncs_that_wait_for_turning_disks_confirm_the_missing_log(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *finding;

	(void)state;
	make_zvol(graph, &synced, 1, NULL, 0);
	ADD_FACTS(graph, pool_facts);
	finding = match_one(graph, SYNC);
	assert_state(HL_CONFIRMED, finding);
	assert_true(has_text(finding->text, "10.4 ms"));
	assert_non_null(evidence_of(finding, "zpool.has_slog"));
	assert_non_null(evidence_of(finding, "block.is_rotational"));
	assert_about(4096 / 28e-6, finding->predicted_bw);
}

static void shorter_waits_and_sync_always_are_suspected(void **state)
{
	static const struct fact_row always[] = { NUMBER("tank/vol", "zfs.volblocksize", 16384),
						  TEXT("tank/vol", "zfs.sync", "always"),
						  TEXT("tank", "zpool.has_slog", "no") };
	const struct run_row plain = { "w",        .engine = "psync", .rw = HL_RW_WRITE,
				       .bs = 4096, .iops = 500,       .lat = 2 * MS };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_GRAPH struct hl_graph *set = hl_graph_new();

	(void)state;
	make_zvol(graph, &quick, 1, NULL, 0);
	ADD_FACTS(graph, pool_facts);
	assert_state(HL_SUSPECTED, match_one(graph, SYNC));
	make_zvol(set, &plain, 1, NULL, 0);
	ADD_FACTS(set, always);
	assert_state(HL_SUSPECTED, match_one(set, SYNC));
}

static void a_virtual_disk_that_says_it_turns_confirms_nothing(void **state)
{
	static const struct fact_row virtual[] = {
		TEXT("sda", "drive.model", "QEMU HARDDISK"),
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	make_zvol(graph, &synced, 1, NULL, 0);
	ADD_FACTS(graph, pool_facts);
	ADD_FACTS(graph, virtual);
	assert_state(HL_SUSPECTED, match_one(graph, SYNC));
}

static void a_log_sync_disabled_or_an_unknown_log_is_silent(void **state)
{
	static const struct fact_row base = NUMBER("tank/vol", "zfs.volblocksize", 16384);
	static const struct fact_row log = TEXT("tank", "zpool.has_slog", "yes");
	static const struct fact_row no_log = TEXT("tank", "zpool.has_slog", "no");
	static const struct fact_row disabled = TEXT("tank/vol", "zfs.sync", "disabled");
	const struct fact_row cases[3][3] = { { base, log, log },
					      { base, no_log, disabled },
					      { base, base, base } };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();

		make_zvol(graph, &synced, 1, NULL, 0);
		add_fact_rows(graph, cases[i], 3);
		assert_null(match_one(graph, SYNC));
	}
}

/* ---- primarycache ---- */

static const struct fact_row metadata_only[] = {
	NUMBER("tank/vol", "zfs.volblocksize", 131072),
	TEXT("tank/vol", "zfs.primarycache", "metadata"),
};
static const struct run_row stream_4k = { "bw-r",         .rw = HL_RW_READ, .bs = 4096,
					  .iodepth = 128, .iops = 57000,    .lat = 2 * MS };
static const struct run_row raw_stream = { "bw-r",         .rw = HL_RW_READ, .bs = 4096,
					   .iodepth = 128, .iops = 400000,   .lat = 300 * US };

static void reads_of_whole_blocks_for_parts_are_told(void **state)
{
	static const struct fact_row no_hits[] = { NUMBER("zvol/bw-r", "arc.slot_hit_pct", 1) };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_GRAPH struct hl_graph *counted = hl_graph_new();
	const struct hl_finding *finding;

	(void)state;
	make_zvol(graph, &stream_4k, 1, &raw_stream, 1);
	ADD_FACTS(graph, metadata_only);
	finding = match_one(graph, CACHE);
	assert_state(HL_SUSPECTED, finding);
	assert_true(has_text(finding->text, "32 times what is asked for"));
	assert_about(400000 * 4096.0, finding->predicted_bw); /* the drives give no more */
	make_zvol(counted, &stream_4k, 1, &raw_stream, 1);
	ADD_FACTS(counted, metadata_only);
	ADD_FACTS(counted, no_hits);
	assert_state(HL_CONFIRMED, match_one(counted, CACHE));
}

static void the_property_alone_is_told_where_nothing_was_measured(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *finding;

	(void)state;
	ADD_FACTS(graph, metadata_only);
	finding = match_one(graph, CACHE);
	assert_state(HL_SUSPECTED, finding);
	assert_null(finding->hop);
	assert_true(has_text(finding->text, "tank/vol keeps no data in memory"));
}

static void caching_or_whole_blocks_are_silent(void **state)
{
	static const struct fact_row all[] = { NUMBER("tank/vol", "zfs.volblocksize", 131072),
					       TEXT("tank/vol", "zfs.primarycache", "all") };
	const struct run_row blocks = { "bw-r",         .rw = HL_RW_READ, .bs = 131072,
					.iodepth = 128, .iops = 5000,     .lat = 25 * MS };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_GRAPH struct hl_graph *large = hl_graph_new();
	HL_GRAPH struct hl_graph *alone = hl_graph_new();

	(void)state;
	make_zvol(graph, &stream_4k, 1, &raw_stream, 1);
	ADD_FACTS(graph, all);
	assert_null(match_one(graph, CACHE));
	make_zvol(large, &blocks, 1, NULL, 0);
	ADD_FACTS(large, metadata_only);
	assert_null(match_one(large, CACHE));
	ADD_FACTS(alone, all);
	assert_null(match_one(alone, CACHE));
}

/* ---- raidz ---- */

static void padding_that_zfs_counts_is_confirmed(void **state)
{
	static const struct fact_row space[] = { NUMBER("tank/vol", "zfs.referenced", 12e9),
						 NUMBER("tank/vol", "zfs.logicalused", 10e9) };
	const struct run_row write = { "seq",         .rw = HL_RW_WRITE, .bs = 131072,
				       .iodepth = 32, .iops = 4000,      .lat = 8 * MS };
	const struct run_row raw = { "seq",         .rw = HL_RW_WRITE, .bs = 131072,
				     .iodepth = 32, .iops = 16000,     .lat = 2 * MS };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *finding;

	(void)state;
	make_zvol(graph, &write, 1, &raw, 1);
	ADD_FACTS(graph, pool_facts);
	ADD_FACTS(graph, space);
	finding = match_one(graph, RAIDZ);
	assert_state(HL_CONFIRMED, finding);
	assert_true(has_text(finding->text, "raidz1 of 5"));
	assert_true(has_text(finding->text, "1.50 bytes for each byte"));
	assert_true(has_text(finding->text, "take 1.25"));
	assert_about(4000 * 131072 * 1.2, finding->predicted_bw);
}

static void arithmetic_alone_is_suspected_where_it_is_extreme(void **state)
{
	static const struct fact_row eight[] = {
		NUMBER("tank/vol", "zfs.volblocksize", 8192),
		NUMBER("tank", "zpool.parity", 1),
		NUMBER("tank", "zpool.vdev_data_disks", 4),
		NUMBER("tank", "zpool.ashift", 12),
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_GRAPH struct hl_graph *usual = hl_graph_new();
	const struct hl_finding *finding;

	(void)state;
	ADD_FACTS(graph, eight);
	finding = match_one(graph, RAIDZ);
	assert_state(HL_SUSPECTED, finding);
	assert_null(finding->hop);
	assert_true(isnan(finding->predicted_bw));
	ADD_FACTS(usual, pool_facts); /* 16 KiB: 1.2 times, and nothing lost */
	assert_null(match_one(usual, RAIDZ));
}

static void large_blocks_and_mirrors_are_silent(void **state)
{
	static const struct fact_row large[] = {
		NUMBER("tank/vol", "zfs.volblocksize", 65536),
		NUMBER("tank", "zpool.parity", 1),
		NUMBER("tank", "zpool.vdev_data_disks", 4),
		NUMBER("tank", "zpool.ashift", 12),
	};
	static const struct fact_row mirror[] = {
		NUMBER("tank/vol", "zfs.volblocksize", 8192),
		NUMBER("tank", "zpool.parity", 0),
		NUMBER("tank", "zpool.vdev_data_disks", 1),
		TEXT("tank", "zpool.layout", "2 x mirror of 2"),
	};
	static const struct fact_row unknown[] = { NUMBER("tank/vol", "zfs.volblocksize", 8192) };
	struct hl_graph *graphs[] = { hl_graph_new(), hl_graph_new(), hl_graph_new() };

	(void)state;
	ADD_FACTS(graphs[0], large);
	ADD_FACTS(graphs[1], mirror);
	ADD_FACTS(graphs[2], unknown);
	for (size_t i = 0; i < 3; i++) {
		assert_null(match_one(graphs[i], RAIDZ));
		hl_graph_free(graphs[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_blocks_that_are_faster_than_parts_confirm_it),
		cmocka_unit_test(small_writes_alone_are_suspected),
		cmocka_unit_test(writes_that_fit_stream_or_lose_nothing_are_left_alone),
		cmocka_unit_test(whole_blocks_at_a_greater_depth_prove_nothing),
		cmocka_unit_test(only_the_first_hop_on_the_volume_is_told),
		cmocka_unit_test(two_volumes_without_a_place_are_not_guessed),
		cmocka_unit_test(hits_that_were_counted_confirm_the_arc),
		cmocka_unit_test(a_file_that_fits_and_is_too_fast_is_suspected),
		cmocka_unit_test(misses_large_files_and_metadata_only_are_no_arc),
		cmocka_unit_test(syncs_that_wait_for_turning_disks_confirm_the_missing_log),
		cmocka_unit_test(shorter_waits_and_sync_always_are_suspected),
		cmocka_unit_test(a_virtual_disk_that_says_it_turns_confirms_nothing),
		cmocka_unit_test(a_log_sync_disabled_or_an_unknown_log_is_silent),
		cmocka_unit_test(reads_of_whole_blocks_for_parts_are_told),
		cmocka_unit_test(the_property_alone_is_told_where_nothing_was_measured),
		cmocka_unit_test(caching_or_whole_blocks_are_silent),
		cmocka_unit_test(padding_that_zfs_counts_is_confirmed),
		cmocka_unit_test(arithmetic_alone_is_suspected_where_it_is_extreme),
		cmocka_unit_test(large_blocks_and_mirrors_are_silent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
