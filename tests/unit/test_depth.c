/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define KIB 1024.0

static struct hl_disk *add_disk(struct hl_graph *graph, struct hl_hop *hop, const char *name,
				double ios, double in_queue_ms)
{
	struct hl_disk *disk = hl_graph_add_disk(graph, hop);

	disk->name = name;
	disk->file = "made.txt";
	disk->run = 1;
	disk->line = 99;
	disk->ios[0] = ios;
	disk->ios[1] = 0;
	disk->in_queue_ms = in_queue_ms;
	return disk;
}

/* A hop with one run of nr_groups groups of 60 s each. */
static struct hl_hop *add_run(struct hl_graph *graph, unsigned nr_groups)
{
	struct hl_hop *hop = add_hop(graph, "pvc", HL_LAYER_NONE, NULL);

	for (unsigned group = 0; group < nr_groups; group++) {
		struct job_row row = { "job", HL_RW_READ, 4 * KIB, 32, 4, 1000, 0, 1, group };

		add_job(graph, hop, &row);
	}
	return hop;
}

static double depth_of(const struct hl_hop *hop)
{
	return hop->measurements[0]->device_depth;
}

static void groups_run_one_after_another(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_run(graph, 4);
	struct hl_disk *disk = add_disk(graph, hop, "sdm", 240000, 112 * 240000.0);

	(void)state;
	assert_true(hl_depth_of_disk(hop, disk) == 112);
	hl_depth_fill(graph);
	for (size_t i = 0; i < 4; i++) {
		assert_true(hop->measurements[i]->device_depth == 112);
		assert_true(hop->measurements[i]->is_depth_of_run);
	}
}

static void jobs_of_one_group_run_side_by_side(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_run(graph, 2);

	(void)state;
	hop->measurements[1]->group = 0;
	hop->measurements[1]->dir[HL_DIR_READ]->runtime_ms = 20000;
	add_disk(graph, hop, "sdm", 120000, 60000 * 30.0);
	hl_depth_fill(graph);
	assert_true(depth_of(hop) == 30);
	assert_true(hl_graph_find_fact(graph, "pvc", "model.depth_asked")->number ==
		    128 + 128 / 3.0);
}

static void one_job_has_a_depth_of_its_own(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_run(graph, 1);
	const struct hl_fact *fact;

	(void)state;
	add_disk(graph, hop, "sdm", 60000, 60000 * 17.5);
	hl_depth_fill(graph);
	assert_true(depth_of(hop) == 17.5);
	assert_false(hop->measurements[0]->is_depth_of_run);
	fact = hl_graph_find_fact(graph, "pvc", "model.device_depth");
	assert_true(fact->number == 17.5);
	assert_string_equal(fact->source, "made.txt:99");
	assert_true(hl_graph_find_fact(graph, "pvc", "model.depth_asked")->number == 128);
}

static void without_disk_statistics_the_depth_is_unknown(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_run(graph, 2);

	(void)state;
	hl_depth_fill(graph);
	assert_true(isnan(depth_of(hop)));
	assert_int_equal(graph->nr_facts, 0);
	add_disk(graph, hop, "sdm", 1, 1)->run = 2; /* of another run */
	hl_depth_fill(graph);
	assert_true(isnan(depth_of(hop)));
	assert_false(hop->measurements[0]->is_depth_of_run);
}

static void without_run_time_the_depth_is_unknown(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_run(graph, 2);

	(void)state;
	hop->measurements[1]->dir[HL_DIR_READ]->runtime_ms = NAN;
	add_disk(graph, hop, "sdm", 60000, 60000);
	hl_depth_fill(graph);
	assert_true(isnan(depth_of(hop)));
}

static void a_job_that_failed_before_it_began_takes_no_time(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_run(graph, 1);
	struct job_row failed = { "job", HL_RW_READ, 4 * KIB, 32, 4, 0, 0, 1, 1 };

	(void)state;
	add_job(graph, hop, &failed)->status = HL_STATUS_FAILED;
	add_disk(graph, hop, "sdm", 60000, 60000);
	hl_depth_fill(graph);
	assert_true(depth_of(hop) == 1);
}

static void ticks_stand_in_for_a_missing_or_sampled_in_queue(void **state)
{
	static const double in_queue[] = { NAN, 1604 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_hop *hop = add_run(graph, 1);
		struct hl_disk *disk = add_disk(graph, hop, "nvme0n1", 60000, in_queue[i]);

		disk->ticks_ms[0] = 500000;
		disk->ticks_ms[1] = 100000;
		hl_depth_fill(graph);
		assert_true(depth_of(hop) == 10);
	}
}

static void a_stacked_device_stands_for_its_members(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_run(graph, 1);

	(void)state;
	add_disk(graph, hop, "dm-0", 60000, 60000 * 8.0);
	add_disk(graph, hop, "dm-0", 60000, 60000 * 7.0)->is_aggregate = true;
	add_disk(graph, hop, "sda", 60000, 60000 * 7.0);
	hl_depth_fill(graph);
	assert_true(depth_of(hop) == 8);
}

static void of_stacked_devices_on_each_other_the_top_counts(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_run(graph, 1);

	(void)state;
	add_disk(graph, hop, "dm-1", 61000, 60000 * 8.0);
	add_disk(graph, hop, "dm-1", 60000, 60000 * 7.0)->is_aggregate = true;
	add_disk(graph, hop, "dm-0", 60000, 60000 * 7.0);
	add_disk(graph, hop, "dm-0", 50000, 60000 * 6.0)->is_aggregate = true;
	add_disk(graph, hop, "sda", 50000, 60000 * 6.0);
	hl_depth_fill(graph);
	assert_true(depth_of(hop) == 8);
}

static void parallel_devices_add_up(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_run(graph, 1);

	(void)state;
	add_disk(graph, hop, "nvme0n1", 60000, 60000 * 3.0);
	add_disk(graph, hop, "nvme1n1", 60000, 60000 * 4.0);
	hl_depth_fill(graph);
	assert_true(depth_of(hop) == 7);
}

static void a_stacked_device_that_counts_no_time_is_replaced(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_run(graph, 1);

	(void)state;
	add_disk(graph, hop, "md127", 723, 0);
	add_disk(graph, hop, "md127", 183, 60000)->is_aggregate = true;
	hl_depth_fill(graph);
	assert_true(isnan(depth_of(hop))); /* the mean of members that nobody counted */
	add_disk(graph, hop, "sda", 361, 60000);
	add_disk(graph, hop, "sdb", 362, 60000);
	hl_depth_fill(graph);
	assert_true(depth_of(hop) == 2);
}

static void an_idle_device_has_depth_zero(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_run(graph, 1);

	(void)state;
	add_disk(graph, hop, "sda", 0, 0); /* all of it came from the page cache */
	hl_depth_fill(graph);
	assert_true(depth_of(hop) == 0);
}

static void runs_of_one_file_are_told_apart(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_run(graph, 2);

	(void)state;
	hop->measurements[1]->run = 2;
	add_disk(graph, hop, "sda", 1, 60000);
	add_disk(graph, hop, "sda", 1, 120000)->run = 2;
	hl_depth_fill(graph);
	assert_true(depth_of(hop) == 1);
	assert_true(hop->measurements[1]->device_depth == 2);
	assert_false(hop->measurements[1]->is_depth_of_run);
}

static void without_a_line_the_file_is_the_source(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_run(graph, 1);

	(void)state;
	add_disk(graph, hop, "sda", 1, 60000)->line = 0;
	hl_depth_fill(graph);
	assert_string_equal(hl_graph_find_fact(graph, "pvc", "model.device_depth")->source,
			    "made.txt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_run_one_after_another),
		cmocka_unit_test(jobs_of_one_group_run_side_by_side),
		cmocka_unit_test(one_job_has_a_depth_of_its_own),
		cmocka_unit_test(without_disk_statistics_the_depth_is_unknown),
		cmocka_unit_test(without_run_time_the_depth_is_unknown),
		cmocka_unit_test(a_job_that_failed_before_it_began_takes_no_time),
		cmocka_unit_test(ticks_stand_in_for_a_missing_or_sampled_in_queue),
		cmocka_unit_test(a_stacked_device_stands_for_its_members),
		cmocka_unit_test(of_stacked_devices_on_each_other_the_top_counts),
		cmocka_unit_test(parallel_devices_add_up),
		cmocka_unit_test(a_stacked_device_that_counts_no_time_is_replaced),
		cmocka_unit_test(an_idle_device_has_depth_zero),
		cmocka_unit_test(runs_of_one_file_are_told_apart),
		cmocka_unit_test(without_a_line_the_file_is_the_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
