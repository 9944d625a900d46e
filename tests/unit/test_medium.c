/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures that the drives cannot give are told, with the caches that latency and working set leave;
 * figures that they can give are not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cause_maker.h"

#define CACHE "faster-than-medium"

static const struct run_row cached = { "rand-read",         .rw = HL_RW_RANDREAD, .bs = 4096,
				       .iodepth = 64,       .iops = 50000,        .lat = 1.3 * MS,
				       .lat_min = 300 * US, .clat = 1.3 * MS,     .slat = 10 * US,
				       .p1 = 590 * US,      .size = 1 * HL_GIB };

/* The finding about that row on four hard disks of 512 MiB cache each; its text or "". */
static const char *told(struct hl_graph *graph, enum hl_layer layer, struct run_row row)
{
	const struct hl_finding *finding;

	add_runs(graph, "nas", layer, &row, 1);
	finding = match_one(graph, CACHE);
	return finding ? finding->text : "";
}

static void fifty_thousand_random_reads_are_not_four_hard_disks(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "HC550", 4);
	const char *text = told(graph, HL_LAYER_NONE, cached);

	(void)unused;
	assert_true(
		has_text(text, "50.0k random reads a second are not 4 hard disks (822 at best"));
	assert_true(has_text(text, "Not the page cache where the job ran: submitting took 10.0 us, "
				   "the answer 300 us at least and more than 590 us in 99 %."));
	assert_true(has_text(text,
			     "Left are the RAM of the storage (page cache, ARC), an SSD cache "
			     "of it and the drives' own caches (4 x 512 MiB for a file of 1 "
			     "GiB)."));
	assert_int_equal(graph->findings[0]->state, HL_SUSPECTED);
	assert_non_null(evidence_of(graph->findings[0], "run.size"));
	assert_true(has_text(graph->findings[0]->paste, "iostat"));
	assert_non_null(spec);
}

static void what_the_drives_can_give_is_silent(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "HC550", 4);
	struct run_row row = cached;

	(void)unused;
	row.iops = 800;
	assert_string_equal(told(graph, HL_LAYER_NONE, row), "");
	row.rw = HL_RW_READ; /* in order, 600 MB/s of 4 x 269 */
	row.bs = 131072;
	row.iops = 4600;
	assert_string_equal(told(graph, HL_LAYER_NONE, row), "");
	assert_non_null(spec);
}

static void without_a_sheet_nothing_is_known(void **unused)
{
	(void)unused;
	assert_false(is_found(CACHE, HL_LAYER_NONE, &cached, 1));
}

static void a_file_larger_than_the_drives_caches_excludes_them(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "HC550", 4);
	struct run_row row = cached;
	const char *text;

	(void)unused;
	row.size = 64 * HL_GIB;
	text = told(graph, HL_LAYER_NONE, row);
	assert_true(has_text(text, "Not the drives' own caches: 2 GiB are too small for 64 GiB."));
	assert_true(has_text(text, "Left are the RAM of the storage (page cache, ARC) and an SSD "
				   "cache of it."));
	assert_non_null(spec);
}

static void an_unknown_size_leaves_more_open(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "HC550", 4);
	struct run_row row = cached;
	const char *text;

	(void)unused;
	row.size = 0;
	text = told(graph, HL_LAYER_NONE, row);
	assert_true(has_text(text, "the size of the file is not known"));
	assert_true(has_text(text, "blocks that were never written"));
	assert_non_null(spec);
}

static void fast_answers_leave_the_page_cache_and_no_flash(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "HC550", 4);
	struct run_row row = cached;
	const char *text;

	(void)unused;
	row.lat = row.clat = 9 * US;
	row.p1 = row.lat_min = 3 * US;
	text = told(graph, HL_LAYER_NONE, row);
	assert_false(has_text(text, "Not the page cache"));
	assert_true(has_text(text, "Left are the page cache where the job ran"));
	assert_false(has_text(text, "SSD"));
	assert_non_null(spec);
}

static void a_raw_drive_has_no_storage_around_it(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "HC550", 1);
	const char *text = told(graph, HL_LAYER_DRIVE, cached);

	(void)unused;
	assert_false(has_text(text, "storage"));
	assert_true(has_text(text, "not 1 hard disk ("));
	assert_non_null(spec);
}

static void writes_may_be_taken_by_an_ssd(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "HC550", 4);
	struct run_row row = cached;

	(void)unused;
	row.rw = HL_RW_RANDWRITE;
	assert_true(has_text(told(graph, HL_LAYER_NONE, row), "an SSD that takes its writes"));
	assert_non_null(spec);
}

static void a_stream_beyond_the_sheet_is_told_in_bytes(void **unused)
{
	static const struct run_row stream = { "seq",         .rw = HL_RW_READ, .bs = 1048576,
					       .iodepth = 16, .iops = 9000,     .lat = 1.7 * MS };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "KCD61LUL7T68", 1);

	(void)unused;
	assert_true(has_text(told(graph, HL_LAYER_NONE, stream),
			     "9000 MiB/s are not 1 drive (5913 MiB/s by the datasheet)"));
	assert_non_null(spec);
}

static void one_finding_tells_of_all_jobs_of_a_direction(void **unused)
{
	struct run_row rows[3] = { cached, cached, cached };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "HC550", 4);
	struct hl_hop *hop;

	(void)unused;
	rows[1].iops = 70000;
	rows[1].iodepth = 128;
	rows[2].rw = HL_RW_RANDWRITE;
	hop = ADD_RUNS(graph, "nas", HL_LAYER_NONE, rows);
	match_one(graph, CACHE);
	assert_int_equal(graph->nr_findings, 2);
	assert_ptr_equal(graph->findings[0]->at, hop->measurements[1]);
	assert_int_equal(graph->findings[1]->dir, HL_DIR_WRITE);
	assert_non_null(spec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fifty_thousand_random_reads_are_not_four_hard_disks),
		cmocka_unit_test(what_the_drives_can_give_is_silent),
		cmocka_unit_test(without_a_sheet_nothing_is_known),
		cmocka_unit_test(a_file_larger_than_the_drives_caches_excludes_them),
		cmocka_unit_test(an_unknown_size_leaves_more_open),
		cmocka_unit_test(fast_answers_leave_the_page_cache_and_no_flash),
		cmocka_unit_test(a_raw_drive_has_no_storage_around_it),
		cmocka_unit_test(writes_may_be_taken_by_an_ssd),
		cmocka_unit_test(a_stream_beyond_the_sheet_is_told_in_bytes),
		cmocka_unit_test(one_finding_tells_of_all_jobs_of_a_direction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
