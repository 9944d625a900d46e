/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When more rounds would change nothing.
 */
#include "rounds_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static double precision(const struct path_row *rows, unsigned nr_hops, double noise,
			unsigned nr_rounds)
{
	struct simulation sim = { .rows = rows, .nr_hops = nr_hops, .nr_workloads = 1, .state = 4 };
	HL_GRAPH struct hl_graph *graph = NULL;
	struct drawn drawn;

	sim.noise = noise;
	draw(&sim, &drawn);
	graph = graph_after(&sim, &drawn, nr_rounds);
	hl_rounds_fill(graph);
	hl_model_ladders(graph);
	return hl_model_precision(graph);
}

static bool is_settled(const struct path_row *rows, unsigned nr_hops, double noise,
		       unsigned nr_rounds)
{
	struct simulation sim = { .rows = rows, .nr_hops = nr_hops, .nr_workloads = 1, .state = 4 };
	HL_GRAPH struct hl_graph *graph = NULL;
	struct drawn drawn;

	sim.noise = noise;
	draw(&sim, &drawn);
	graph = graph_after(&sim, &drawn, nr_rounds);
	hl_model_ladders(graph);
	return hl_model_is_settled(graph, nr_rounds);
}

static const struct path_row lossy[] = {
	{ "drive", HL_LAYER_DRIVE, 3000 },
	{ "target", HL_LAYER_TARGET, 500 },
	{ "vnic", HL_LAYER_VNIC, 40 },
};

static void a_named_binding_layer_settles_it_whatever_is_lost_above(void **state)
{
	(void)state;
	assert_false(is_settled(lossy, COUNT(lossy), 0.05, 6)); /* nothing is named yet */
	assert_true(is_settled(lossy, COUNT(lossy), 0.05, 9));
}

static void a_loss_behind_it_that_may_be_greater_leaves_it_open(void **state)
{
	static const struct path_row close[] = {
		{ "drive", HL_LAYER_DRIVE, 3000 },
		{ "vnic", HL_LAYER_VNIC, 2000 },
		{ "pvc", HL_LAYER_FILESYSTEM, 1800 },
	};

	static const struct path_row noisy[] = {
		{ "drive", HL_LAYER_DRIVE, 90000 },
		{ "target", HL_LAYER_TARGET, 1000 },
		{ "vnic", HL_LAYER_VNIC, 800 },
	};

	(void)state;
	assert_false(is_settled(close, COUNT(close), 0.4, 14));
	assert_true(is_settled(close, COUNT(close), 0.001, 14));
	/* a hundredth of the target's loss, but if it is one, it is the one that binds */
	assert_false(is_settled(noisy, COUNT(noisy), 0.25, 9));
	assert_true(is_settled(noisy, COUNT(noisy), 0.01, 9));
}

static void it_is_settled_that_nothing_is_lost(void **state)
{
	static const struct path_row same[] = {
		{ "drive", HL_LAYER_DRIVE, 500 },
		{ "vnic", HL_LAYER_VNIC, 500 },
	};

	(void)state;
	assert_true(is_settled(same, COUNT(same), 0.005, 9));
	assert_false(
		is_settled(same, 1, 0.005, 14)); /* nothing to compare: rounds are all there is */
}

static void after_twenty_rounds_it_is_over(void **state)
{
	static const struct path_row small[] = {
		{ "drive", HL_LAYER_DRIVE, 540 },
		{ "vnic", HL_LAYER_VNIC, 500 },
	};

	(void)state;
	assert_false(is_settled(small, COUNT(small), 0.4, 14));
	assert_true(is_settled(small, COUNT(small), 0.4, 20));
}

/*
 * At depth 1 the longest time binds, not the last: 160 us of 80, 240, 300. Of 20, 120, 216 the
 * first loss has the greater factor by far, but its time may be the shorter one.
 */
static void at_depth_one_times_are_compared(void **state)
{
	static const double noises[] = { 0.01, 0.4, 0.02 };
	static const double all[][3] = { { 80, 240, 300 }, { 80, 240, 300 }, { 20, 120, 216 } };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const double *latencies = all[i];
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_hop *hop = NULL;
		double rounds[14];
		uint64_t seed = 7;

		for (size_t h = 0; h < 3; h++) {
			hop = add_latency(graph, "hop", HL_LAYER_DRIVE + h, hop, latencies[h]);
			for (size_t r = 0; r < 14; r++)
				rounds[r] = 4096e6 / latencies[h] *
					    exp(noises[i] * next_gauss(&seed));
			set_rounds(graph, hop->measurements[0], rounds, NULL, 14);
		}
		hl_model_losses(graph);
		hl_model_ladders(graph);
		assert_int_equal(hl_model_is_settled(graph, 14), i == 0);
		if (i == 0)
			assert_ptr_equal(graph->ladders[0]->steps[0].hop, graph->hops[1]);
	}
}

static void precision_is_that_of_the_binding_layer(void **state)
{
	double coarse = precision(lossy, COUNT(lossy), 0.10, 9);
	double fine = precision(lossy, COUNT(lossy), 0.01, 9);

	(void)state;
	assert_true(isnan(precision(lossy, COUNT(lossy), 0.01, 5))); /* no interval yet */
	assert_true(fine > 0.001 && fine < 0.03);
	assert_true(coarse > 4 * fine && coarse < 0.3);
	assert_true(precision(lossy, COUNT(lossy), 0.10, 20) < coarse);
}

static void precision_of_one_hop_is_that_of_its_bandwidth(void **state)
{
	double fine = precision(lossy, 1, 0.01, 9);

	(void)state;
	assert_true(isnan(precision(lossy, 1, 0.01, 5)));
	assert_true(fine > 0.001 && fine < 0.03);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_named_binding_layer_settles_it_whatever_is_lost_above),
		cmocka_unit_test(a_loss_behind_it_that_may_be_greater_leaves_it_open),
		cmocka_unit_test(it_is_settled_that_nothing_is_lost),
		cmocka_unit_test(precision_is_that_of_the_binding_layer),
		cmocka_unit_test(precision_of_one_hop_is_that_of_its_bandwidth),
		cmocka_unit_test(after_twenty_rounds_it_is_over),
		cmocka_unit_test(at_depth_one_times_are_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
