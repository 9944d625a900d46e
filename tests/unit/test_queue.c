/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * I/Os that do not rise with depth: told as ambiguous where they are, silent where a reason is
 * known or nothing is wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cause_maker.h"
#include "hoploss/model.h"

#define STAGE "serial-stage"
#define LIMIT "depth-limited"

/* A stage of 25 us, or ten at a time of 250 us. */
static const struct run_row flat[] = {
	{ "one", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 1, .iops = 4000, .lat = 250 * US },
	{ "some", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 64, .iops = 40000, .lat = 1.6 * MS,
	  .slat = 10 * US },
	{ "many", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 64, .numjobs = 8, .iops = 39000,
	  .lat = 13 * MS, .slat = 200 * US },
};

static const struct run_row rising[] = {
	{ "one", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 1, .iops = 4000, .lat = 250 * US },
	{ "some", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 16, .iops = 40000, .lat = 400 * US },
	{ "many", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 64, .iops = 90000, .lat = 700 * US },
};

static void flat_iops_are_a_stage_or_a_limit_and_both_are_told(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *stage, *limit;

	(void)unused;
	ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, flat);
	stage = match_one(graph, STAGE);
	limit = match_one(graph, LIMIT);
	assert_non_null(stage);
	assert_non_null(limit);
	assert_int_equal(graph->nr_findings, 2);
	assert_int_equal(stage->state, HL_AMBIGUOUS);
	assert_int_equal(limit->state, HL_AMBIGUOUS);
	assert_int_equal(stage->layer, HL_LAYER_NONE);
	assert_string_equal(stage->rivals[0], LIMIT);
	assert_string_equal(limit->rivals[0], STAGE);
	assert_true(has_text(stage->text, "40.0k IOPS with 64 asked for, 39.0k with 512"));
	assert_true(has_text(stage->text, "25.0 us per I/O"));
	assert_true(has_text(stage->text, "About 10 at a time explain it equally"));
	assert_true(has_text(limit->text, "slat grows from 10.0 us to 200 us"));
	assert_true(evidence_of(stage, "run.read_lat_mean_ns")->number == 250 * US);
	assert_string_equal(evidence_of(stage, "run.read_iops")->node, "pvc/some");
	assert_string_equal(evidence_of(stage, "run.read_iops")->source, "made.txt:2");
}

static void the_next_hops_come_as_a_path_file_once_a_hop(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, flat);
	assert_true(has_text(match_one(graph, STAGE)->paste, "\n[hop pvc]\n"));
	assert_null(match_one(graph, LIMIT)->paste);
}

static void iops_that_rise_with_depth_are_silent(void **unused)
{
	(void)unused;
	assert_false(IS_FOUND(STAGE, HL_LAYER_FILESYSTEM, rising));
	assert_false(IS_FOUND(LIMIT, HL_LAYER_FILESYSTEM, rising));
}

static void without_depth_1_the_slots_are_not_known(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	add_runs(graph, "pvc", HL_LAYER_FILESYSTEM, flat + 1, 2);
	assert_true(has_text(match_one(graph, STAGE)->text, "depth 1 was not measured"));
}

static void without_disk_statistics_no_depth_is_told(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *limit;

	(void)unused;
	ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, flat);
	hl_depth_fill(graph);
	limit = match_one(graph, LIMIT);
	assert_false(has_text(limit->text, "device"));
	assert_null(evidence_of(limit, "model.device_depth"));
}

/* 60 s each at min(depth, 100): (1 + 64 + 100) / 3 = 55 in flight on average. */
static void a_cap_is_solved_for_from_the_mean_over_a_run(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, flat);
	struct hl_disk *disk = hl_graph_add_disk(graph, hop);
	const struct hl_finding *limit;

	(void)unused;
	disk->name = "sdx";
	disk->file = "made.txt";
	disk->run = 1;
	disk->line = 99;
	disk->in_queue_ms = 55 * 180e3;
	hl_depth_fill(graph);
	assert_true(has_text(match_one(graph, STAGE)->paste, "/sys/block/sdx/device/queue_depth"));
	limit = match_one(graph, LIMIT);
	assert_true(has_text(limit->text, "the device saw 55: as if something below the generator "
					  "let 100 through."));
	assert_string_equal(evidence_of(limit, "model.device_depth")->source, "made.txt:99");
	assert_int_equal(limit->state, HL_AMBIGUOUS);
}

static void a_device_that_sees_what_was_asked_for_has_no_cap(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, flat);
	struct hl_disk *disk = hl_graph_add_disk(graph, hop);

	(void)unused;
	disk->name = "sd; rm -rf";
	disk->file = "made.txt";
	disk->run = 1;
	disk->in_queue_ms = (1 + 64 + 512) * 60e3;
	hl_depth_fill(graph);
	assert_false(has_text(match_one(graph, LIMIT)->text, "let"));
	assert_true(has_text(match_one(graph, STAGE)->text, "stage"));
	assert_true(has_text(finding_of(graph, LIMIT)->paste, "/sys/block/DISK/device"));
}

/* 32 in the device, and 32 at the latency of depth 1 give as much: nothing queues beyond. */
static void a_cap_that_binds_alone_is_suspected(void **unused)
{
	static const struct run_row capped[] = {
		{ "one", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 1, .iops = 1000,
		  .lat = 1 * MS, .run = 1 },
		{ "some", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 64, .iops = 31000,
		  .lat = 2 * MS, .device_depth = 31, .run = 2 },
		{ "many", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 256, .iops = 31500,
		  .lat = 8 * MS, .device_depth = 32, .run = 3 },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *limit;

	(void)unused;
	ADD_RUNS(graph, "lun", HL_LAYER_INITIATOR, capped);
	assert_null(match_one(graph, STAGE));
	limit = match_one(graph, LIMIT);
	assert_int_equal(limit->state, HL_SUSPECTED);
	assert_true(has_text(limit->next, "Double the limit"));
}

static void blocked_submission_is_told_with_its_share_of_the_time(void **unused)
{
	static const struct run_row blocked = {
		"mix",        .rw = HL_RW_RANDRW, .bs = 131072,    .iodepth = 128, .numjobs = 32,
		.iops = 4000, .write_iops = 2000, .lat = 700 * MS, .slat = 5 * MS,
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, flat);

	(void)unused;
	add_run(graph, hop, &blocked);
	/* 6000 x 5 ms / 32 jobs */
	assert_true(has_text(match_one(graph, LIMIT)->text,
			     "at 4096 asked for it is 5.00 ms, 94 % of a job's time"));
}

static void a_fit_over_block_sizes_speaks_for_the_hop(void **unused)
{
	static const struct run_row large = { "stream",      .rw = HL_RW_READ, .bs = 131072,
					      .iodepth = 32, .numjobs = 4,     .iops = 6500,
					      .lat = 19 * MS };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, flat);
	const struct hl_finding *stage;

	(void)unused;
	assert_ptr_equal(match_one(graph, STAGE)->at, hop->measurements[2]);
	graph->nr_findings = 0;
	add_run(graph, hop, &large);
	hl_fit_fill(graph);
	stage = match_one(graph, STAGE);
	assert_null(stage->at);
	assert_true(has_text(stage->text, "random and sequential together"));
	assert_true(has_text(stage->text,
			     "A line of 10 Gb/s, if there is one, would be at 72 % with "
			     "128 KiB"));
	assert_non_null(evidence_of(stage, "model.read_time_per_io_ns"));
	assert_non_null(evidence_of(stage, "model.read_time_per_kib_ns"));
}

static void writes_are_told_apart_from_reads(void **unused)
{
	struct run_row rows[2] = { flat[1], flat[2] };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	rows[0].rw = rows[1].rw = HL_RW_RANDWRITE;
	ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, rows);
	assert_int_equal(match_one(graph, STAGE)->dir, HL_DIR_WRITE);
	assert_int_equal(graph->nr_findings, 1);
	assert_true(has_text(graph->findings[0]->text, "Random writes of 4 KiB"));
}

static void a_drive_at_its_sheet_may_be_flat(void **unused)
{
	static const struct run_row at_sheet[] = {
		{ "a", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 32, .iops = 95000 },
		{ "b", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 128, .iops = 96000 },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "870-EVO-1TB", 1);

	(void)unused;
	ADD_RUNS(graph, "ssd", HL_LAYER_NONE, at_sheet);
	assert_null(match_one(graph, STAGE));
	assert_null(match_one(graph, LIMIT));
	graph->drives = 8;
	assert_non_null(match_one(graph, STAGE));
	assert_non_null(spec);
}

static void a_hard_disk_at_its_seeks_may_be_flat(void **unused)
{
	static const struct run_row seeking[] = {
		{ "a", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 16, .iops = 160 },
		{ "b", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 64, .iops = 170 },
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "HC550", 1);

	(void)unused;
	ADD_RUNS(graph, "hdd", HL_LAYER_NONE, seeking);
	assert_null(match_one(graph, STAGE));
	assert_non_null(spec);
}

static void a_lone_drive_without_a_sheet_may_be_flat(void **unused)
{
	(void)unused;
	assert_false(IS_FOUND(STAGE, HL_LAYER_DRIVE, flat));
	assert_false(IS_FOUND(LIMIT, HL_LAYER_DRIVE, flat));
}

static void beyond_200k_iops_flat_is_no_bottleneck(void **unused)
{
	static const struct run_row fast[] = {
		{ "a", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 64, .iops = 900e3 },
		{ "b", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 256, .iops = 910e3 },
	};

	(void)unused;
	assert_false(IS_FOUND(STAGE, HL_LAYER_NONE, fast));
}

static void a_busy_generator_is_the_stage_itself(void **unused)
{
	struct run_row rows[3];

	(void)unused;
	memcpy(rows, flat, sizeof(rows));
	rows[2].cpu_user = 40;
	rows[2].cpu_system = 58;
	assert_false(IS_FOUND(STAGE, HL_LAYER_FILESYSTEM, rows));
	rows[2].cpu_system = 20;
	assert_true(IS_FOUND(STAGE, HL_LAYER_FILESYSTEM, rows));
}

static void what_binds_further_down_is_told_there(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *zvol = ADD_RUNS(graph, "zvol", HL_LAYER_POOL, flat);
	struct hl_hop *pvc = ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, flat);

	(void)unused;
	pvc->after = zvol;
	assert_ptr_equal(match_one(graph, STAGE)->hop, zvol);
	assert_int_equal(graph->nr_findings, 1);
}

static void what_binds_between_two_hops_has_a_layer(void **unused)
{
	struct run_row faster[3];
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *zvol, *vnic;
	const struct hl_finding *stage;

	(void)unused;
	memcpy(faster, flat, sizeof(faster));
	faster[2].iops = 150000;
	zvol = ADD_RUNS(graph, "zvol", HL_LAYER_POOL, faster);
	vnic = ADD_RUNS(graph, "virtio", HL_LAYER_VNIC, flat);
	vnic->after = zvol;
	stage = match_one(graph, STAGE);
	assert_ptr_equal(stage->hop, vnic);
	assert_int_equal(stage->layer, HL_LAYER_VNIC);
	assert_true(has_text(stage->next, "threads of this layer"));
}

static void jobs_that_shared_the_device_are_no_pair(void **unused)
{
	struct run_row rows[3];

	(void)unused;
	memcpy(rows, flat, sizeof(rows));
	rows[1].group = rows[2].group = 7;
	assert_false(IS_FOUND(STAGE, HL_LAYER_FILESYSTEM, rows));
}

static void a_bad_run_among_good_ones_is_no_plateau(void **unused)
{
	struct run_row rows[4];

	(void)unused;
	memcpy(rows, rising, sizeof(rising));
	rows[3] = rising[2];
	rows[3].iops = 30000;
	rows[3].run = 2;
	assert_false(IS_FOUND(STAGE, HL_LAYER_FILESYSTEM, rows));
}

static void a_cap_near_a_power_of_two_is_told_as_one(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, flat);
	struct hl_disk *disk = hl_graph_add_disk(graph, hop);

	(void)unused;
	disk->name = "sdx";
	disk->file = "made.txt";
	disk->run = 1;
	disk->in_queue_ms = (1 + 64 + 122) * 60e3;
	hl_depth_fill(graph);
	assert_true(
		has_text(match_one(graph, LIMIT)->text, "let 122 through, near a limit of 128."));
}

static void the_depths_that_are_furthest_apart_are_told(void **unused)
{
	struct run_row rows[4];
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	memcpy(rows, flat, sizeof(flat));
	rows[3] = flat[2];
	rows[2].numjobs = 2;
	ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, rows);
	assert_true(has_text(match_one(graph, STAGE)->text, "with 64 asked for, 39.0k with 512"));
}

static void a_stream_and_random_reads_are_no_pair(void **unused)
{
	struct run_row rows[3];

	(void)unused;
	memcpy(rows, flat, sizeof(rows));
	rows[2].rw = HL_RW_READ;
	assert_false(IS_FOUND(STAGE, HL_LAYER_FILESYSTEM, rows));
}

static void reads_by_and_past_the_page_cache_are_no_pair(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, flat);

	(void)unused;
	hop->measurements[1]->workload.direct = 0;
	hop->measurements[2]->workload.direct = 1;
	assert_null(match_one(graph, STAGE));
	hop->measurements[1]->workload.direct = -1; /* not known */
	assert_non_null(match_one(graph, STAGE));
}

static void states_of_the_machine_are_not_compared(void **unused)
{
	struct run_row rows[3];

	(void)unused;
	memcpy(rows, flat, sizeof(rows));
	rows[1].change = "before";
	rows[2].change = "after";
	assert_false(IS_FOUND(STAGE, HL_LAYER_FILESYSTEM, rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flat_iops_are_a_stage_or_a_limit_and_both_are_told),
		cmocka_unit_test(the_next_hops_come_as_a_path_file_once_a_hop),
		cmocka_unit_test(iops_that_rise_with_depth_are_silent),
		cmocka_unit_test(without_depth_1_the_slots_are_not_known),
		cmocka_unit_test(without_disk_statistics_no_depth_is_told),
		cmocka_unit_test(a_cap_is_solved_for_from_the_mean_over_a_run),
		cmocka_unit_test(a_device_that_sees_what_was_asked_for_has_no_cap),
		cmocka_unit_test(a_cap_that_binds_alone_is_suspected),
		cmocka_unit_test(blocked_submission_is_told_with_its_share_of_the_time),
		cmocka_unit_test(a_fit_over_block_sizes_speaks_for_the_hop),
		cmocka_unit_test(writes_are_told_apart_from_reads),
		cmocka_unit_test(a_drive_at_its_sheet_may_be_flat),
		cmocka_unit_test(a_hard_disk_at_its_seeks_may_be_flat),
		cmocka_unit_test(a_lone_drive_without_a_sheet_may_be_flat),
		cmocka_unit_test(beyond_200k_iops_flat_is_no_bottleneck),
		cmocka_unit_test(a_busy_generator_is_the_stage_itself),
		cmocka_unit_test(what_binds_further_down_is_told_there),
		cmocka_unit_test(what_binds_between_two_hops_has_a_layer),
		cmocka_unit_test(jobs_that_shared_the_device_are_no_pair),
		cmocka_unit_test(a_bad_run_among_good_ones_is_no_plateau),
		cmocka_unit_test(a_cap_near_a_power_of_two_is_told_as_one),
		cmocka_unit_test(the_depths_that_are_furthest_apart_are_told),
		cmocka_unit_test(a_stream_and_random_reads_are_no_pair),
		cmocka_unit_test(reads_by_and_past_the_page_cache_are_no_pair),
		cmocka_unit_test(states_of_the_machine_are_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
