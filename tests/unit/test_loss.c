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

static bool is_near(double value, double wanted)
{
	return fabs(value - wanted) <= fabs(wanted) * 1e-9;
}

/* drive 6000 -> pool 1200 -> filesystem 240: the same factor twice */
static void shares_count_factors_not_differences(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 6000);
	struct hl_hop *pool = add_measured(graph, "zvol", HL_LAYER_POOL, drive, 1200);
	struct hl_hop *leaf = add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, pool, 240);

	(void)state;
	hl_model_losses(graph);
	assert_int_equal(graph->nr_losses, 2);
	assert_ptr_equal(graph->losses[0]->from, drive);
	assert_ptr_equal(graph->losses[0]->to, pool);
	assert_ptr_equal(graph->losses[1]->leaf, leaf);
	assert_ptr_equal(graph->losses[1]->at, leaf->measurements[0]);
	assert_int_equal(graph->losses[1]->layers, BIT(HL_LAYER_FILESYSTEM));
	assert_true(is_near(graph->losses[0]->factor, 5));
	assert_true(is_near(graph->losses[1]->factor, 5));
	assert_true(is_near(graph->losses[0]->bw, 4800 * MIB));
	assert_true(is_near(graph->losses[1]->bw, 960 * MIB));
	assert_true(is_near(graph->losses[0]->share_pct, 50));
	assert_true(is_near(graph->losses[1]->share_pct, 50));
	assert_false(graph->losses[0]->is_masked);
}

static void losses_close_and_shares_add_up_with_a_gain_between(void **state)
{
	static const double rates[] = { 5000, 900, 1500, 1450, 860, 855 };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *last = NULL;
	double lost = 0, share = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		last = add_measured(graph, "hop", HL_LAYER_DRIVE + i, last, rates[i]);
	hl_model_losses(graph);
	for (size_t i = 0; i < graph->nr_losses; i++) {
		lost += graph->losses[i]->bw;
		share += graph->losses[i]->share_pct;
	}
	assert_int_equal(graph->nr_losses, 5);
	assert_true(is_near(lost, (5000 - 855) * MIB));
	assert_true(is_near(share, 100));
	assert_true(graph->losses[1]->bw < 0 && graph->losses[1]->share_pct < 0);
	assert_false(graph->losses[1]->is_masked); /* a gain is seen */
	assert_true(graph->losses[2]->is_masked);
	assert_false(graph->losses[3]->is_masked);
	assert_true(graph->losses[4]->is_masked);
}

static void single_values_have_no_interval(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 6000);

	(void)state;
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, drive, 240);
	hl_model_losses(graph);
	assert_true(isnan(graph->losses[0]->bw_low) && isnan(graph->losses[0]->bw_high));
	assert_true(isnan(graph->losses[0]->factor_low) && isnan(graph->losses[0]->factor_high));
	assert_true(isnan(graph->losses[0]->lat_ns)); /* not at depth 32 */
}

static void the_datasheet_is_the_first_to_lose_from(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *pool = add_measured(graph, "zvol", HL_LAYER_POOL, NULL, 3000);

	(void)state;
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, pool, 860);
	graph->spec = spec;
	graph->drives = 5;
	hl_model_losses(graph);
	assert_int_equal(graph->nr_losses, 2);
	assert_string_equal(graph->losses[0]->from->name, "DRIVE7 x 5");
	assert_ptr_equal(graph->losses[0]->to, pool);
	assert_true(is_near(graph->losses[0]->bw, 31000e6 - 3000 * MIB));
	assert_int_equal(graph->losses[0]->layers,
			 BIT(HL_LAYER_LINK) | BIT(HL_LAYER_DRIVE) | BIT(HL_LAYER_POOL));
}

static void without_a_loss_in_all_there_are_no_shares(void **state)
{
	static const double leaves[] = { 1000, 995, 4000 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 1000);

		add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, drive, leaves[i]);
		hl_model_losses(graph);
		assert_int_equal(graph->nr_losses, 1);
		assert_true(isnan(graph->losses[0]->share_pct));
	}
}

static void at_depth_1_each_hop_adds_its_latency(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_latency(graph, "raw", HL_LAYER_DRIVE, NULL, 80);
	struct hl_hop *target = add_latency(graph, "loopback", HL_LAYER_TARGET, drive, 140);

	(void)state;
	add_latency(graph, "pvc", HL_LAYER_FILESYSTEM, target, 320);
	hl_model_losses(graph);
	assert_true(graph->losses[0]->lat_from_ns == 80e3);
	assert_true(graph->losses[0]->lat_ns == 60e3);
	assert_true(graph->losses[1]->lat_from_ns == 140e3);
	assert_true(graph->losses[1]->lat_ns == 180e3);
}

static void one_hop_loses_nothing(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	hl_model_losses(graph);
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, NULL, 860);
	hl_model_losses(graph);
	assert_int_equal(graph->nr_losses, 0);
	assert_int_equal(graph->nr_chains, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_count_factors_not_differences),
		cmocka_unit_test(losses_close_and_shares_add_up_with_a_gain_between),
		cmocka_unit_test(single_values_have_no_interval),
		cmocka_unit_test(the_datasheet_is_the_first_to_lose_from),
		cmocka_unit_test(without_a_loss_in_all_there_are_no_shares),
		cmocka_unit_test(at_depth_1_each_hop_adds_its_latency),
		cmocka_unit_test(one_hop_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
