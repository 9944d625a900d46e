/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "spec_maker.h"

#define BIT(layer) (1U << (layer))

static void climb(struct hl_graph *graph)
{
	hl_model_losses(graph);
	hl_model_ladders(graph);
}

static void check_step(const struct hl_ladder *ladder, size_t index, const char *hop,
		       double mib_per_s, enum hl_prediction kind)
{
	const struct hl_step *step = &ladder->steps[index];

	assert_true(index < ladder->nr_steps);
	assert_string_equal(step->hop->name, hop);
	assert_true(fabs(step->bw / MIB - mib_per_s) < 1e-6 * mib_per_s);
	assert_int_equal(step->kind, kind);
}

/* The greatest loss is not the one that binds. */
static void the_last_loss_binds_when_hops_pipeline(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 6000);
	struct hl_hop *target = add_measured(graph, "loopback", HL_LAYER_TARGET, drive, 1200);
	struct hl_hop *vnic = add_measured(graph, "virtio", HL_LAYER_VNIC, target, 860);
	struct hl_hop *leaf = add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, vnic, 855);

	(void)state;
	climb(graph);
	assert_int_equal(graph->nr_ladders, 1);
	assert_ptr_equal(graph->ladders[0]->leaf, leaf);
	assert_ptr_equal(graph->ladders[0]->at, leaf->measurements[0]);
	assert_int_equal(graph->ladders[0]->nr_steps, 2);
	check_step(graph->ladders[0], 0, "virtio", 1200, HL_AT_MOST);
	check_step(graph->ladders[0], 1, "loopback", 6000, HL_AT_MOST);
	assert_int_equal(graph->ladders[0]->steps[0].layers, BIT(HL_LAYER_VNIC));
}

static void the_ladder_ends_at_the_datasheet(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *pool = add_measured(graph, "zvol", HL_LAYER_POOL, NULL, 3000);

	(void)state;
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, pool, 860);
	graph->spec = spec;
	climb(graph);
	assert_int_equal(graph->ladders[0]->nr_steps, 2);
	/* nothing lies below the leaf that could bind instead */
	check_step(graph->ladders[0], 0, "pvc", 3000, HL_ESTIMATE);
	check_step(graph->ladders[0], 1, "zvol", 6200e6 / MIB, HL_AT_MOST);
}

static const char *keys[] = { "link.speed_mbps", "link.mtu" };

static struct hl_ceiling *add_ceiling(struct hl_graph *graph, const struct hl_hop *hop,
				      enum hl_dir dir, double mib_per_s)
{
	struct hl_ceiling *ceiling = hl_graph_add_ceiling(graph);

	ceiling->hop = hop;
	ceiling->layer = HL_LAYER_WIRE;
	ceiling->dir = dir;
	ceiling->bw = mib_per_s * MIB;
	ceiling->from = keys;
	ceiling->nr_from = 2;
	return ceiling;
}

static void a_known_ceiling_below_makes_an_estimate(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 6000);
	struct hl_hop *pool = add_measured(graph, "zvol", HL_LAYER_POOL, drive, 860);
	struct hl_hop *leaf = add_measured(graph, "nic", HL_LAYER_WIRE, pool, 850);
	struct hl_ceiling *ceiling = add_ceiling(graph, leaf, HL_DIR_READ, 1122);

	(void)state;
	climb(graph);
	assert_int_equal(graph->ladders[0]->nr_steps, 1);
	check_step(graph->ladders[0], 0, "zvol", 1122, HL_ESTIMATE);
	graph->nr_ladders = 0;
	ceiling->bw = 845 * MIB; /* within the error of a ceiling */
	hl_model_ladders(graph);
	assert_int_equal(graph->nr_ladders, 0);
	ceiling->bw = 700 * MIB; /* refuted: more than that went through */
	hl_model_ladders(graph);
	assert_int_equal(graph->nr_ladders, 1);
	check_step(graph->ladders[0], 0, "zvol", 6000, HL_AT_MOST);
}

static void a_ceiling_of_another_job_or_direction_says_nothing(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 6000);
	struct hl_hop *pool = add_measured(graph, "zvol", HL_LAYER_POOL, drive, 860);
	struct hl_hop *leaf = add_measured(graph, "nic", HL_LAYER_WIRE, pool, 850);
	struct hl_ceiling *ceiling = add_ceiling(graph, leaf, HL_DIR_WRITE, 1122);

	(void)state;
	climb(graph);
	check_step(graph->ladders[0], 0, "zvol", 6000, HL_AT_MOST);
	ceiling->dir = HL_DIR_READ;
	ceiling->at = pool->measurements[0];
	hl_model_ladders(graph);
	assert_int_equal(graph->nr_ladders, 2);
	check_step(graph->ladders[1], 0, "zvol", 6000, HL_AT_MOST);
}

/* "a line of 10 Gb/s, if there is one": no fact says so */
static void a_ceiling_without_a_fact_bounds_nothing(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 6000);
	struct hl_hop *pool = add_measured(graph, "zvol", HL_LAYER_POOL, drive, 860);
	struct hl_hop *leaf = add_measured(graph, "nic", HL_LAYER_WIRE, pool, 850);

	(void)state;
	add_ceiling(graph, leaf, HL_DIR_READ, 1122)->nr_from = 0;
	climb(graph);
	check_step(graph->ladders[0], 0, "zvol", 6000, HL_AT_MOST);
}

static void behind_a_gain_a_loss_gives_nothing(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 1000);
	struct hl_hop *pool = add_measured(graph, "zvol", HL_LAYER_POOL, drive, 600);

	(void)state;
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, pool, 995); /* a cache */
	climb(graph);
	assert_int_equal(graph->nr_ladders, 0);
}

static void a_healthy_path_has_no_ladder(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 1000);
	struct hl_hop *pool = add_measured(graph, "zvol", HL_LAYER_POOL, drive, 960);

	(void)state;
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, pool, 930);
	climb(graph);
	assert_int_equal(graph->nr_ladders, 0);
}

static void one_measured_hop_has_no_ladder(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, NULL, 860);
	graph->spec = spec;
	climb(graph);
	assert_int_equal(graph->nr_losses, 1);
	assert_int_equal(graph->nr_ladders, 0);
}

/* 80 us, 140 us, 320 us, 350 us: the longest stage binds, wherever it stands. */
static void the_longest_stage_binds_at_depth_1(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_latency(graph, "raw", HL_LAYER_DRIVE, NULL, 80);
	struct hl_hop *pool = add_latency(graph, "zvol", HL_LAYER_POOL, drive, 260);
	struct hl_hop *target = add_latency(graph, "loopback", HL_LAYER_TARGET, pool, 340);
	double bw;

	(void)state;
	add_latency(graph, "pvc", HL_LAYER_FILESYSTEM, target, 350);
	climb(graph);
	bw = 4096 / 350e-6 / MIB;
	assert_int_equal(graph->ladders[0]->nr_steps, 2);
	check_step(graph->ladders[0], 0, "zvol", bw * 350 / (350 - 180), HL_ESTIMATE);
	check_step(graph->ladders[0], 1, "loopback", bw * 350 / (350 - 180 - 80), HL_ESTIMATE);
}

static void times_that_do_not_add_up_end_the_ladder(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_latency(graph, "raw", HL_LAYER_DRIVE, NULL, 80);
	struct hl_hop *pool = add_latency(graph, "zvol", HL_LAYER_POOL, drive, 1000);

	(void)state;
	add_latency(graph, "cached", HL_LAYER_FILESYSTEM, pool, 10);
	climb(graph);
	assert_int_equal(graph->nr_ladders, 0);
}

static void each_leaf_has_a_ladder_of_its_own(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 6000);
	struct hl_hop *target = add_measured(graph, "loopback", HL_LAYER_TARGET, drive, 1200);

	(void)state;
	add_measured(graph, "virtio", HL_LAYER_VNIC, target, 860);
	add_measured(graph, "vf", HL_LAYER_VNIC, target, 1180);
	climb(graph);
	assert_int_equal(graph->nr_ladders, 2);
	check_step(graph->ladders[0], 0, "virtio", 1200, HL_ESTIMATE);
	check_step(graph->ladders[1], 0, "loopback", 6000, HL_AT_MOST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_loss_binds_when_hops_pipeline),
		cmocka_unit_test(the_ladder_ends_at_the_datasheet),
		cmocka_unit_test(a_known_ceiling_below_makes_an_estimate),
		cmocka_unit_test(a_ceiling_of_another_job_or_direction_says_nothing),
		cmocka_unit_test(a_ceiling_without_a_fact_bounds_nothing),
		cmocka_unit_test(behind_a_gain_a_loss_gives_nothing),
		cmocka_unit_test(a_healthy_path_has_no_ladder),
		cmocka_unit_test(one_measured_hop_has_no_ladder),
		cmocka_unit_test(the_longest_stage_binds_at_depth_1),
		cmocka_unit_test(times_that_do_not_add_up_end_the_ladder),
		cmocka_unit_test(each_leaf_has_a_ladder_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
