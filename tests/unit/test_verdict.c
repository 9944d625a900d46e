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

static void judge(struct hl_graph *graph)
{
	hl_model_losses(graph);
	hl_model_ladders(graph);
	hl_model_verdicts(graph);
}

static struct hl_finding *add_finding(struct hl_graph *graph, const char *id,
				      const struct hl_hop *hop, enum hl_layer layer,
				      enum hl_state state)
{
	struct hl_finding *finding = hl_graph_add_finding(graph);

	finding->id = id;
	finding->hop = hop;
	finding->layer = layer;
	finding->dir = HL_DIR_READ;
	finding->state = state;
	return finding;
}

static bool says(const struct hl_verdict *verdict, const char *words)
{
	return strstr(verdict->text, words) != NULL;
}

static void the_binding_layer_is_suspected_with_its_figures(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 3000);
	struct hl_hop *target = add_measured(graph, "loopback", HL_LAYER_TARGET, drive, 1000);
	struct hl_hop *leaf = add_measured(graph, "virtio", HL_LAYER_VNIC, target, 800);

	(void)state;
	judge(graph);
	assert_int_equal(graph->nr_verdicts, 1);
	assert_ptr_equal(graph->verdicts[0]->leaf, leaf);
	assert_ptr_equal(graph->verdicts[0]->at, leaf->measurements[0]);
	assert_int_equal(graph->verdicts[0]->layers, BIT(HL_LAYER_VNIC));
	assert_int_equal(graph->verdicts[0]->state, HL_SUSPECTED);
	assert_null(graph->verdicts[0]->cause);
	assert_string_equal(graph->verdicts[0]->text,
			    "vnic takes 20.0 % (1000 MiB/s at loopback, 800 MiB/s at virtio); "
			    "mended alone, it gives virtio about 1000 MiB/s. "
			    "One value each, no interval: suspected at most");
}

static void single_values_are_never_confirmed(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 3000);
	struct hl_hop *leaf = add_measured(graph, "virtio", HL_LAYER_VNIC, drive, 800);

	(void)state;
	hl_model_losses(graph);
	hl_model_ladders(graph);
	add_finding(graph, "link-shaped", leaf, HL_LAYER_VNIC, HL_CONFIRMED);
	hl_model_verdicts(graph);
	assert_int_equal(graph->verdicts[0]->state, HL_SUSPECTED);
	assert_string_equal(graph->verdicts[0]->cause, "link-shaped");
	assert_string_equal(graph->ladders[0]->steps[0].cause, "link-shaped");
	graph->nr_verdicts = 0;
	leaf->measurements[0]->dir[HL_DIR_READ]->bw_low = 790 * MIB; /* from rounds */
	hl_model_verdicts(graph);
	assert_int_equal(graph->verdicts[0]->state, HL_CONFIRMED);
}

static void a_finding_of_another_hop_layer_job_or_direction_is_no_cause(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 3000);
	struct hl_hop *leaf = add_measured(graph, "virtio", HL_LAYER_VNIC, drive, 800);

	(void)state;
	add_finding(graph, "a", drive, HL_LAYER_VNIC, HL_SUSPECTED);
	add_finding(graph, "b", leaf, HL_LAYER_POOL, HL_SUSPECTED);
	add_finding(graph, "c", leaf, HL_LAYER_VNIC, HL_SUSPECTED)->at = drive->measurements[0];
	add_finding(graph, "d", leaf, HL_LAYER_VNIC, HL_SUSPECTED)->dir = HL_DIR_WRITE;
	judge(graph);
	assert_null(graph->verdicts[0]->cause);
}

static void the_surest_and_closest_finding_is_the_cause(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 3000);
	struct hl_hop *leaf = add_measured(graph, "virtio", HL_LAYER_VNIC, drive, 800);

	(void)state;
	add_finding(graph, "unsure", leaf, HL_LAYER_VNIC, HL_AMBIGUOUS)->at = leaf->measurements[0];
	add_finding(graph, "of-the-hop", leaf, HL_LAYER_NONE, HL_SUSPECTED);
	add_finding(graph, "of-the-job", leaf, HL_LAYER_VNIC, HL_SUSPECTED)->at =
		leaf->measurements[0];
	judge(graph);
	assert_string_equal(graph->verdicts[0]->cause, "of-the-job");
}

static void a_finding_about_the_hop_says_nothing_of_a_shallow_job(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_latency(graph, "pvc", HL_LAYER_FILESYSTEM, NULL, 300);

	(void)state;
	add_finding(graph, "serial-stage", hop, HL_LAYER_NONE, HL_AMBIGUOUS);
	judge(graph);
	assert_null(graph->verdicts[0]->cause);
	graph->nr_verdicts = 0;
	hop->measurements[0]->workload.iodepth = 64;
	hl_model_verdicts(graph);
	assert_string_equal(graph->verdicts[0]->cause, "serial-stage");
	assert_int_equal(graph->verdicts[0]->state, HL_AMBIGUOUS);
	assert_int_equal(graph->verdicts[0]->layers, 0);
}

static void what_would_explain_it_is_said_with_its_rivals(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, NULL, 863);
	struct hl_finding *finding = add_finding(graph, "serial-stage", hop, HL_LAYER_NONE,
						 HL_AMBIGUOUS);

	(void)state;
	judge(graph);
	assert_true(says(graph->verdicts[0], "863 MiB/s at pvc; serial-stage would explain it; "));
	hl_finding_add_rival(graph, finding, "a");
	hl_finding_add_rival(graph, finding, "b");
	hl_model_verdicts(graph);
	assert_true(says(graph->verdicts[1], "; serial-stage, a or b would explain it; "));
	finding->state = HL_SUSPECTED;
	finding->layer = HL_LAYER_INITIATOR;
	finding->text = "35.4 us each. And more.";
	hl_model_verdicts(graph);
	assert_string_equal(graph->verdicts[2]->text, "863 MiB/s at pvc: 35.4 us each");
	finding->text = "35.4 us each.";
	hl_model_verdicts(graph);
	assert_string_equal(graph->verdicts[3]->text, "863 MiB/s at pvc: 35.4 us each");
	assert_int_equal(graph->verdicts[2]->layers, BIT(HL_LAYER_INITIATOR));
	assert_int_equal(graph->verdicts[2]->state, HL_SUSPECTED);
}

static void one_hop_alone_names_no_layer(void **state)
{
	SPEC struct hl_spec *spec = make_spec();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, NULL, 863);
	judge(graph);
	assert_int_equal(graph->verdicts[0]->layers, 0);
	assert_int_equal(graph->verdicts[0]->state, HL_AMBIGUOUS);
	assert_true(says(graph->verdicts[0], "863 MiB/s at pvc; one hop alone does not tell"));
	graph->nr_verdicts = graph->nr_chains = 0;
	graph->spec = spec;
	graph->drives = 5;
	judge(graph);
	assert_int_equal(graph->nr_verdicts, 1);
	assert_int_equal(graph->verdicts[0]->layers, 0);
	assert_int_equal(graph->verdicts[0]->state, HL_AMBIGUOUS);
	assert_true(says(graph->verdicts[0], "863 MiB/s at pvc is 14.6 % of one drive's sheet, "
					     "2.9 % of that of 5; one hop alone does not tell"));
}

static void a_drive_alone_is_held_against_its_sheet(void **state)
{
	static const struct {
		double mib_per_s;
		uint32_t layers;
		const char *words;
	} cases[] = {
		{ 2000, BIT(HL_LAYER_LINK) | BIT(HL_LAYER_DRIVE), "link+drive takes 66.2 %" },
		{ 5400, 0, "91.3 % of the drive's sheet: nothing is named" },
		{ 7000, 0, "nothing is named" },
	};
	SPEC struct hl_spec *spec = make_spec();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();

		add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, cases[i].mib_per_s);
		graph->spec = spec;
		judge(graph);
		assert_int_equal(graph->verdicts[0]->layers, cases[i].layers);
		assert_int_equal(graph->verdicts[0]->state,
				 cases[i].layers ? HL_SUSPECTED : HL_AMBIGUOUS);
		assert_true(says(graph->verdicts[0], cases[i].words));
	}
}

static void on_a_healthy_path_nothing_is_named(void **state)
{
	static const double leaves[] = { 960, 1000, 3000 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 1000);
		struct hl_hop *leaf = add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, drive,
						   leaves[i]);

		add_finding(graph, "x", leaf, HL_LAYER_FILESYSTEM, HL_AMBIGUOUS);
		judge(graph);
		assert_int_equal(graph->verdicts[0]->layers, 0);
		assert_int_equal(graph->verdicts[0]->state, HL_AMBIGUOUS);
		assert_true(says(graph->verdicts[0], "nothing is named"));
	}
}

static void small_losses_that_add_up_are_told_but_not_named(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *last = NULL;

	(void)state;
	for (int i = 0; i < 5; i++)
		last = add_measured(graph, "hop", HL_LAYER_DRIVE + i, last, 1000 * pow(0.93, i));
	judge(graph);
	assert_int_equal(graph->verdicts[0]->layers, 0);
	assert_true(says(graph->verdicts[0], "25.2 % less at the leaf than at the top"));
}

static void hops_without_layers_are_named_by_where_they_lie(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *upper = add_measured(graph, "nvme", HL_LAYER_NONE, NULL, 3000);

	(void)state;
	add_measured(graph, "sata", HL_LAYER_NONE, upper, 800);
	judge(graph);
	assert_int_equal(graph->verdicts[0]->layers, 0);
	assert_int_equal(graph->verdicts[0]->state, HL_SUSPECTED);
	assert_true(says(graph->verdicts[0], "what lies between nvme and sata takes 73.3 %"));
}

static void what_was_not_measured_between_is_told(void **state)
{
	static const struct {
		enum hl_layer upper, lower;
		bool is_told;
	} cases[] = {
		{ HL_LAYER_DRIVE, HL_LAYER_FILESYSTEM, true },
		{ HL_LAYER_DRIVE, HL_LAYER_TARGET, true },
		{ HL_LAYER_DRIVE, HL_LAYER_POOL, false },
		{ HL_LAYER_TARGET, HL_LAYER_VNIC, false }, /* no I/O at the wire */
		{ HL_LAYER_VNIC, HL_LAYER_INITIATOR, false },
		{ HL_LAYER_NONE, HL_LAYER_FILESYSTEM, false },
		{ HL_LAYER_FILESYSTEM, HL_LAYER_DRIVE, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_hop *upper = add_measured(graph, "a", cases[i].upper, NULL, 3000);

		add_measured(graph, "b", cases[i].lower, upper, 800);
		judge(graph);
		assert_true(says(graph->verdicts[0], "Nothing was measured between a and b") ==
			    cases[i].is_told);
	}
}

static void states_of_a_series_are_said(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_measured(graph, "zfs", HL_LAYER_POOL, NULL, 800);

	(void)state;
	hop->measurements[0]->change = "change 1";
	judge(graph);
	assert_true(says(graph->verdicts[0], "800 MiB/s at zfs (change 1); one hop alone"));
}

static void at_depth_1_the_verdict_speaks_of_time(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *upper = add_latency(graph, "raw", HL_LAYER_DRIVE, NULL, 80);

	(void)state;
	add_latency(graph, "pvc", HL_LAYER_FILESYSTEM, upper, 320);
	judge(graph);
	assert_true(says(graph->verdicts[0], "filesystem adds 240 us to each I/O "
					     "(80.0 us at raw, 320 us at pvc)"));
}

static void a_leaf_without_a_result_gets_no_verdict(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_measured(graph, "raw", HL_LAYER_DRIVE, NULL, 3000);
	struct hl_hop *pool = add_measured(graph, "zvol", HL_LAYER_POOL, drive, 800);

	(void)state;
	add_measured(graph, "pvc", HL_LAYER_FILESYSTEM, pool, 0);
	judge(graph);
	assert_int_equal(graph->nr_losses, 1);
	assert_int_equal(graph->nr_ladders, 1);
	assert_int_equal(graph->nr_verdicts, 0);
}

static void add_pair(struct hl_graph *graph, struct hl_hop *upper, struct hl_hop *lower, double bs,
		     double factor)
{
	struct job_row row = { "pair", HL_RW_READ, bs, 32, 1, 9000 * factor, 0, 1, 1 };

	add_job(graph, upper, &row);
	row.iops = 9000;
	add_job(graph, lower, &row);
}

/* By leaf, then by loss; and what is named goes before what is not, wherever that is. */
static void the_gravest_verdict_goes_first(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *drive = add_hop(graph, "raw", HL_LAYER_DRIVE, NULL);
	struct hl_hop *mild = add_hop(graph, "vf", HL_LAYER_VNIC, drive);
	struct hl_hop *worse = add_hop(graph, "virtio", HL_LAYER_VNIC, drive);

	(void)state;
	add_pair(graph, drive, mild, 4096, 2);
	add_pair(graph, drive, worse, 8192, 1); /* no loss at all */
	add_pair(graph, drive, worse, 16384, 1.5);
	add_pair(graph, drive, worse, 65536, 10);
	judge(graph);
	assert_int_equal(graph->nr_verdicts, 4);
	assert_ptr_equal(graph->verdicts[0]->at, worse->measurements[2]);
	assert_ptr_equal(graph->verdicts[1]->at, worse->measurements[1]);
	assert_ptr_equal(graph->verdicts[2]->at, mild->measurements[0]);
	assert_ptr_equal(graph->verdicts[3]->at, worse->measurements[0]);
}

static void nothing_measured_needs_no_verdict(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)state;
	judge(graph);
	assert_int_equal(graph->nr_verdicts, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_binding_layer_is_suspected_with_its_figures),
		cmocka_unit_test(single_values_are_never_confirmed),
		cmocka_unit_test(a_finding_of_another_hop_layer_job_or_direction_is_no_cause),
		cmocka_unit_test(the_surest_and_closest_finding_is_the_cause),
		cmocka_unit_test(a_finding_about_the_hop_says_nothing_of_a_shallow_job),
		cmocka_unit_test(what_would_explain_it_is_said_with_its_rivals),
		cmocka_unit_test(one_hop_alone_names_no_layer),
		cmocka_unit_test(a_drive_alone_is_held_against_its_sheet),
		cmocka_unit_test(on_a_healthy_path_nothing_is_named),
		cmocka_unit_test(small_losses_that_add_up_are_told_but_not_named),
		cmocka_unit_test(hops_without_layers_are_named_by_where_they_lie),
		cmocka_unit_test(what_was_not_measured_between_is_told),
		cmocka_unit_test(states_of_a_series_are_said),
		cmocka_unit_test(at_depth_1_the_verdict_speaks_of_time),
		cmocka_unit_test(a_leaf_without_a_result_gets_no_verdict),
		cmocka_unit_test(the_gravest_verdict_goes_first),
		cmocka_unit_test(nothing_measured_needs_no_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
