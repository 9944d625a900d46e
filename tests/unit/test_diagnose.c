/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a bundle to a graph: hops join to a path, what is broken costs itself only, and the exit
 * code says how much of it was usable.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/diagnose.h"
#include "hoploss/spec.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char fio[] =
	"seq: (g=0): rw=read, bs=(R) 128KiB-128KiB, (W) 128KiB-128KiB, (T) 128KiB-128KiB, "
	"ioengine=libaio, iodepth=8\n"
	"fio-3.33\n"
	"Starting 1 process\n"
	"\n"
	"seq: (groupid=0, jobs=1): err= 0: pid=7: Mon Nov 30 17:23:20 2026\n"
	"  read: IOPS=1598, BW=200MiB/s (210MB/s)(1001MiB/5010msec)\n"
	"    clat (usec): min=39, max=104849, avg=4996.37, stdev=20196.81\n"
	"     lat (usec): min=41, max=104850, avg=5003.66, stdev=20196.82\n";

static void add(struct hl_bundle *bundle, const char *file, const char *hop, enum hl_layer layer,
		const char *text)
{
	struct hl_bundle_input input = {
		.file = file,
		.hop = hop,
		.layer = layer,
		.is_ordered = layer != HL_LAYER_NONE,
		.bytes = text,
		.len = strlen(text),
	};

	assert_int_equal(hl_bundle_add_input(bundle, &input, NULL), 0);
}

static struct hl_graph *diagnose(const struct hl_bundle *bundle)
{
	struct hl_graph *graph = NULL;

	assert_int_equal(hl_diagnose(bundle, NULL, &graph, NULL), 0);
	return graph;
}

static bool has_warning(const struct hl_graph *graph, const char *text)
{
	for (size_t i = 0; i < graph->nr_warnings; i++) {
		if (strstr(graph->warnings[i], text))
			return true;
	}
	return false;
}

static void hops_follow_each_other(void **unused)
{
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)unused;
	add(bundle, "a.txt", "raw", HL_LAYER_DRIVE, fio);
	add(bundle, "b.txt", "pvc", HL_LAYER_FILESYSTEM, fio);
	add(bundle, "c.txt", "raw", HL_LAYER_DRIVE, fio);
	graph = diagnose(bundle);
	assert_int_equal(graph->nr_hops, 2);
	assert_null(graph->hops[0]->after);
	assert_ptr_equal(graph->hops[1]->after, graph->hops[0]);
	assert_int_equal(graph->hops[0]->nr_measurements, 2);
	assert_int_equal(graph->hops[1]->layer, HL_LAYER_FILESYSTEM);
	assert_false(has_warning(graph, "order of the files"));
}

static void the_order_of_plain_files_is_a_guess_and_said_to_be(void **unused)
{
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)unused;
	add(bundle, "a.txt", "a", HL_LAYER_NONE, fio);
	add(bundle, "b.txt", "b", HL_LAYER_NONE, fio);
	graph = diagnose(bundle);
	assert_ptr_equal(graph->hops[1]->after, graph->hops[0]);
	assert_true(has_warning(graph, "order of the files"));
}

static void a_layer_that_comes_with_a_later_file_is_taken(void **unused)
{
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)unused;
	add(bundle, "a.txt", "x", HL_LAYER_NONE, fio);
	add(bundle, "b.txt", "x", HL_LAYER_POOL, fio);
	graph = diagnose(bundle);
	assert_int_equal(graph->nr_hops, 1);
	assert_int_equal(graph->hops[0]->layer, HL_LAYER_POOL);
}

static void a_broken_input_costs_itself_only(void **unused)
{
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	HL_GRAPH struct hl_graph *graph = NULL;

	(void)unused;
	add(bundle, "empty.json", "empty", HL_LAYER_NONE, "");
	add(bundle, "prose.txt", "prose", HL_LAYER_NONE, "It is slow.\n");
	add(bundle, "good.txt", "good", HL_LAYER_NONE, fio);
	graph = diagnose(bundle);
	assert_int_equal(graph->nr_hops, 1);
	assert_null(graph->hops[0]->after);
	assert_false(has_warning(graph, "order of the files"));
	assert_int_equal(graph->inputs[0]->status, HL_INPUT_UNKNOWN);
	assert_int_equal(hl_diagnose_exit(graph), HL_EXIT_INCOMPLETE);
}

static void an_empty_bundle_gives_an_empty_graph(void **unused)
{
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	HL_GRAPH struct hl_graph *graph = diagnose(bundle);

	(void)unused;
	assert_int_equal(graph->nr_hops, 0);
	assert_int_equal(hl_diagnose_exit(graph), HL_EXIT_UNABLE);
}

static void the_recorded_datasheet_is_used(void **unused)
{
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	HL_GRAPH struct hl_graph *graph = NULL;
	struct hl_spec *spec = NULL;
	struct hl_bundle_spec used = { .name = "HC550", .drives = 4 };

	(void)unused;
	assert_int_equal(hl_spec_load("HC550", &spec, NULL), 0);
	used.text = spec->text;
	used.len = spec->text_len;
	hl_bundle_set_spec(bundle, &used, NULL);
	hl_spec_free(spec);
	add(bundle, "a.txt", "a", HL_LAYER_DRIVE, fio);
	graph = diagnose(bundle);
	assert_string_equal(graph->spec->name, "HC550");
	assert_int_equal(graph->drives, 4);
}

static void names_of_files_can_be_kept_out_but_those_of_hops_stay(void **unused)
{
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	HL_GRAPH struct hl_graph *graph = NULL;
	struct hl_diagnose_how how = { .is_nameless = true };

	(void)unused;
	add(bundle, "acme.txt", "acme", HL_LAYER_NONE, fio);
	add(bundle, "b.acme", "raw", HL_LAYER_DRIVE, fio);
	add(bundle, "acme.html", "acme-2", HL_LAYER_NONE, "");
	assert_int_equal(hl_diagnose(bundle, &how, &graph, NULL), 0);
	assert_string_equal(graph->hops[0]->name, "input-1");
	assert_string_equal(graph->hops[0]->measurements[0]->file, "input-1");
	assert_string_equal(graph->hops[1]->name, "raw");
	assert_string_equal(graph->hops[1]->measurements[0]->file, "input-2");
	assert_string_equal(graph->inputs[2]->file, "input-3");
}

static void another_datasheet_can_be_used(void **unused)
{
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	HL_GRAPH struct hl_graph *graph = NULL;
	struct hl_spec *spec = NULL;
	struct hl_bundle_spec used = { .name = "HC550", .drives = 3 };
	struct hl_bundle_spec broken = { "X", "[drive\n", 7, 1 };
	struct hl_diagnose_how how = { .spec = &used };

	(void)unused;
	hl_bundle_set_spec(bundle, &broken, NULL);
	assert_int_equal(hl_spec_load("HC550", &spec, NULL), 0);
	used.text = spec->text;
	used.len = spec->text_len;
	assert_int_equal(hl_diagnose(bundle, &how, &graph, NULL), 0);
	hl_spec_free(spec);
	assert_string_equal(graph->spec->name, "HC550");
	assert_int_equal(graph->drives, 3);
}

static void a_file_that_vanished_costs_itself_only(void **unused)
{
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	HL_GRAPH struct hl_graph *graph = NULL;
	struct hl_bundle_input input = { .file = "gone.txt", .hop = "gone" };
	char path[] = "/tmp/hoploss-test-XXXXXX";
	int fd = mkstemp(path);

	(void)unused;
	close(fd);
	assert_int_equal(hl_bundle_add_file(bundle, &input, path, NULL), 0);
	unlink(path);
	add(bundle, "a.txt", "a", HL_LAYER_NONE, fio);
	graph = diagnose(bundle);
	assert_int_equal(graph->nr_hops, 1);
	assert_int_equal(graph->inputs[0]->status, HL_INPUT_UNUSABLE);
	assert_non_null(strstr(graph->inputs[0]->reason, "No such file"));
	assert_int_equal(hl_diagnose_exit(graph), HL_EXIT_INCOMPLETE);
}

static void a_broken_datasheet_is_an_error_where_it_was_asked_for(void **unused)
{
	HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
	const struct hl_bundle_spec broken = { "X", "[drive\n", 7, 1 };
	const struct hl_diagnose_how how = { .spec = &broken };
	struct hl_graph *graph = NULL;
	struct hl_error err = { 0 };

	(void)unused;
	assert_int_equal(hl_diagnose(bundle, &how, &graph, &err), -EBADMSG);
	assert_null(graph);
	assert_non_null(strstr(err.text, "X"));
	hl_bundle_set_spec(bundle, &broken, NULL);
	assert_int_equal(hl_diagnose(bundle, NULL, &graph, &err), 0);
	assert_true(graph->is_partly_captured);
	assert_non_null(strstr(graph->warnings[0], "X"));
	hl_graph_free(graph);
}

static void a_status_decides_over_the_exit_code(void **unused)
{
	static const struct {
		enum hl_status status;
		enum hl_exit code;
	} cases[] = {
		{ HL_STATUS_MEASURED, HL_EXIT_FINDINGS },
		{ HL_STATUS_IMPORTED, HL_EXIT_FINDINGS },
		{ HL_STATUS_FAILED, HL_EXIT_INCOMPLETE },
		{ HL_STATUS_PARTIAL, HL_EXIT_INCOMPLETE },
		{ HL_STATUS_NOT_MEASURED, HL_EXIT_INCOMPLETE },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_hop *hop = hl_graph_add_hop(graph, "x");

		hl_graph_add_finding(graph);
		hl_graph_add_measurement(graph, hop)->status = cases[i].status;
		assert_int_equal(hl_diagnose_exit(graph), cases[i].code);
	}
}

static void an_input_decides_over_the_exit_code(void **unused)
{
	static const struct {
		enum hl_input_status status;
		enum hl_exit code;
	} cases[] = {
		{ HL_INPUT_READ, HL_EXIT_OK },
		{ HL_INPUT_PROSE, HL_EXIT_OK },
		{ HL_INPUT_RECOGNISED, HL_EXIT_INCOMPLETE },
		{ HL_INPUT_UNUSABLE, HL_EXIT_INCOMPLETE },
		{ HL_INPUT_UNKNOWN, HL_EXIT_INCOMPLETE },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();

		hl_graph_add_measurement(graph, hl_graph_add_hop(graph, "x"))->status =
			HL_STATUS_IMPORTED;
		hl_graph_add_input(graph)->status = cases[i].status;
		assert_int_equal(hl_diagnose_exit(graph), cases[i].code);
	}
}

static void a_stage_that_loses_is_something_found(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = hl_graph_add_hop(graph, "x");
	struct hl_chain *chain = hl_graph_add_chain(graph);

	(void)unused;
	hl_graph_add_measurement(graph, hop)->status = HL_STATUS_IMPORTED;
	hl_graph_add_stage(graph, chain);
	assert_int_equal(hl_diagnose_exit(graph), HL_EXIT_OK);
	hl_graph_add_stage(graph, chain)->is_named = true;
	assert_int_equal(hl_diagnose_exit(graph), HL_EXIT_FINDINGS);
}

static void facts_alone_are_something(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_origin origin = { .node = "nvme0n1" };

	(void)unused;
	assert_int_equal(hl_diagnose_exit(graph), HL_EXIT_UNABLE);
	hl_graph_add_hop(graph, "x");
	assert_int_equal(hl_diagnose_exit(graph), HL_EXIT_UNABLE);
	hl_graph_add_number(graph, &origin, "smart.media_errors", 0);
	assert_int_equal(hl_diagnose_exit(graph), HL_EXIT_OK);
}

/* What was cut off may be what is ill. */
static void state_that_is_cut_off_is_incomplete(void **unused)
{
	static const struct {
		const char *text;
		bool is_whole;
	} cases[] = {
		{ "{\"critical_warning\": 0, \"temperature\": 310, \"avail_spare\": 100,\n"
		  "\"percent_used\": 2}\n",
		  true },
		{ "{\"critical_warning\": 0, \"temperature\": 310, \"avail_spare\": 100,\n"
		  "\"percent_used\": 2, \"power_cycl",
		  false },
		{ "\"smart_log\": {\"critical_warning\": 0, \"temperature\": 310,\n"
		  "\"avail_spare\": 100, \"percent_used\": 2},\n",
		  true }, /* a piece that was pasted */
		{ "  pool: tank\n state: ONLINE\nconfig:\n\n"
		  "\tNAME  STATE   READ WRITE CKSUM\n\ttank  ONLINE  0 0 0\n"
		  "\t  sda ONLINE  0 0 0\n\nerrors: No known data errors\n",
		  true },
		{ "  pool: tank\n state: ONLINE\nconfig:\n\n"
		  "\tNAME  STATE   READ WRITE CKSUM\n\ttank  ONLINE  0 0 0\n"
		  "\t  sda ONLINE",
		  false },
		{ "\tNAME  STATE   READ WRITE CKSUM\n\ttank  ONLINE  0 0 0\n"
		  "\t  sda ONLINE  0 0 0\n",
		  true }, /* only the table was pasted */
		{ "   pool: tank\n     id: 1234\n  state: ONLINE\n"
		  " action: The pool can be imported.\n config:\n\n"
		  "\ttank  ONLINE\n\t  sda ONLINE\n",
		  true }, /* zpool import has no errors to tell */
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_BUNDLE struct hl_bundle *bundle = hl_bundle_new();
		HL_GRAPH struct hl_graph *graph = NULL;

		add(bundle, "f.txt", "f", HL_LAYER_NONE, cases[i].text);
		graph = diagnose(bundle);
		assert_int_equal(cases[i].is_whole ? HL_EXIT_OK : HL_EXIT_INCOMPLETE,
				 hl_diagnose_exit(graph));
		if (!cases[i].is_whole)
			assert_non_null(graph->inputs[0]->reason);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hops_follow_each_other),
		cmocka_unit_test(the_order_of_plain_files_is_a_guess_and_said_to_be),
		cmocka_unit_test(a_layer_that_comes_with_a_later_file_is_taken),
		cmocka_unit_test(a_broken_input_costs_itself_only),
		cmocka_unit_test(an_empty_bundle_gives_an_empty_graph),
		cmocka_unit_test(the_recorded_datasheet_is_used),
		cmocka_unit_test(names_of_files_can_be_kept_out_but_those_of_hops_stay),
		cmocka_unit_test(another_datasheet_can_be_used),
		cmocka_unit_test(a_file_that_vanished_costs_itself_only),
		cmocka_unit_test(a_broken_datasheet_is_an_error_where_it_was_asked_for),
		cmocka_unit_test(a_status_decides_over_the_exit_code),
		cmocka_unit_test(an_input_decides_over_the_exit_code),
		cmocka_unit_test(a_stage_that_loses_is_something_found),
		cmocka_unit_test(facts_alone_are_something),
		cmocka_unit_test(state_that_is_cut_off_is_incomplete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
