/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The JSON report: keys, units, and that unknown is absent.
 */
#include "hoploss/json.h"
#include "report_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct parsed {
	char *text;
	struct hl_json *json;
};

static struct parsed report_of(const struct hl_graph *graph)
{
	struct hl_report_style style = { 0 };
	struct parsed parsed = { made_report("json", graph, &style), NULL };

	assert_int_equal(hl_json_parse(parsed.text, strlen(parsed.text), &parsed.json, NULL, NULL),
			 0);
	return parsed;
}

static void drop(struct parsed *parsed)
{
	hl_json_free(parsed->json);
	free(parsed->text);
}

static const struct hl_json *item(const struct hl_json *json, const char *list, size_t index)
{
	return hl_json_at(hl_json_get(json, list), index);
}

static void an_empty_graph_has_empty_lists_and_no_verdict(void **state)
{
	static const char *const lists[] = { "verdicts",    "hops",     "losses",   "ladders",
					     "residuals",   "ceilings", "findings", "timeline",
					     "experiments", "facts",    "probes",   "inputs",
					     "warnings" };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct parsed parsed = report_of(graph);

	(void)state;
	assert_string_equal(hl_json_string(hl_json_get(parsed.json, "schema")),
			    "hoploss.diagnosis/1");
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		assert_true(hl_json_is_array(hl_json_get(parsed.json, lists[i])));
		assert_int_equal(hl_json_length(hl_json_get(parsed.json, lists[i])), 0);
	}
	assert_null(hl_json_get(parsed.json, "verdict"));
	assert_null(hl_json_get(parsed.json, "seed"));
	assert_null(hl_json_get(parsed.json, "stop_reason"));
	drop(&parsed);
}

static void a_measurement_has_bytes_and_nanoseconds(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct parsed parsed = report_of(graph);
	const struct hl_json *hop = item(parsed.json, "hops", 4);
	const struct hl_json *at = item(hop, "measurements", 0);

	(void)state;
	assert_string_equal(hl_json_string(hl_json_get(hop, "name")), "pvc");
	assert_string_equal(hl_json_string(hl_json_get(hop, "layer")), "filesystem");
	assert_string_equal(hl_json_string(hl_json_get(hop, "after")), "loopback");
	assert_string_equal(hl_json_string(hl_json_get(at, "rw")), "read");
	assert_true(hl_json_number(hl_json_get(at, "bs")) == 131072);
	assert_true(hl_json_number(hl_json_get(at, "runtime")) == 60);
	assert_true(hl_json_number(hl_json_path(at, "read.bw")) == 863 * HL_MIB);
	assert_true(hl_json_number(hl_json_path(at, "read.lat.mean")) == 4530e3);
	assert_true(hl_json_number(hl_json_path(at, "source.run")) == 1);
	assert_true(hl_json_number(hl_json_path(at, "source.group")) == 0);
	assert_string_equal(hl_json_string(hl_json_get(at, "status")), "imported");
	drop(&parsed);
}

static void what_is_unknown_is_absent(void **state)
{
	static const char *const unknown[] = { "write",          "bs_write",     "rounds",
					       "reason",         "error",        "steady_state",
					       "change",         "cached_share", "device_depth",
					       "is_depth_of_run" };
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct parsed parsed = report_of(graph);
	const struct hl_json *at = item(item(parsed.json, "hops", 4), "measurements", 0);

	(void)state;
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_null(hl_json_get(at, unknown[i]));
	assert_null(hl_json_path(at, "read.clat"));
	assert_null(hl_json_path(at, "read.lat.min"));
	assert_null(hl_json_path(at, "read.per_round"));
	assert_null(strstr(parsed.text, "nan"));
	assert_null(strstr(parsed.text, "null"));
	drop(&parsed);
}

static void a_latency_without_a_figure_is_absent(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct hl_rate *rate = graph->hops[4]->measurements[0]->dir[HL_DIR_READ];
	struct parsed parsed;

	(void)state;
	rate->clat = hl_graph_new_latency(graph);
	parsed = report_of(graph);
	assert_null(strstr(parsed.text, "\"clat\""));
	drop(&parsed);
}

static void one_layer_is_a_string_and_a_span_is_a_list(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct parsed parsed = report_of(graph);
	const struct hl_json *one = item(parsed.json, "losses", 0);
	const struct hl_json *span = hl_json_get(item(parsed.json, "losses", 3), "layer");

	(void)state;
	assert_string_equal(hl_json_string(hl_json_get(one, "layer")), "drive");
	assert_int_equal(hl_json_length(span), 3);
	assert_string_equal(hl_json_string(hl_json_at(span, 0)), "vnic");
	assert_string_equal(hl_json_string(hl_json_at(span, 2)), "filesystem");
	graph->losses[0]->layers = 0;
	drop(&parsed);
	parsed = report_of(graph);
	assert_null(hl_json_get(item(parsed.json, "losses", 0), "layer"));
	drop(&parsed);
}

static void the_verdict_is_the_first_of_the_verdicts(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct parsed parsed = report_of(graph);
	const struct hl_json *verdict = hl_json_get(parsed.json, "verdict");

	(void)state;
	assert_string_equal(hl_json_string(hl_json_get(verdict, "leaf")), "pvc");
	assert_string_equal(hl_json_string(hl_json_get(verdict, "workload")), "seq-read-128k");
	assert_string_equal(hl_json_string(hl_json_get(verdict, "direction")), "read");
	assert_string_equal(hl_json_string(hl_json_get(verdict, "state")), "suspected");
	assert_string_equal(hl_json_string(hl_json_get(verdict, "text")), graph->verdicts[0]->text);
	drop(&parsed);
}

static void a_finding_brings_its_evidence_with_unit_and_source(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct parsed parsed = report_of(graph);
	const struct hl_json *finding = item(parsed.json, "findings", 0);
	const struct hl_json *evidence = item(finding, "evidence", 0);

	(void)state;
	assert_string_equal(hl_json_string(hl_json_get(evidence, "key")), "iscsi.max_burst");
	assert_true(hl_json_number(hl_json_get(evidence, "value")) == 262144);
	assert_string_equal(hl_json_string(hl_json_get(evidence, "unit")), "bytes");
	assert_string_equal(hl_json_string(hl_json_get(evidence, "source")), "made.txt:51");
	assert_string_equal(hl_json_string(hl_json_at(hl_json_get(finding, "rivals"), 0)),
			    "depth-limited");
	assert_string_equal(hl_json_string(hl_json_path(finding, "predicted.kind")), "at-most");
	assert_true(hl_json_number(hl_json_path(finding, "predicted.bw")) == 1180 * HL_MIB);
	assert_non_null(hl_json_string(hl_json_get(finding, "paste")));
	graph->findings[0]->predicted_bw = NAN;
	drop(&parsed);
	parsed = report_of(graph);
	assert_null(hl_json_get(item(parsed.json, "findings", 0), "predicted"));
	drop(&parsed);
}

static void latencies_of_a_loss_are_there_at_depth_one_only(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct parsed parsed = report_of(graph);

	(void)state;
	assert_null(hl_json_get(item(parsed.json, "losses", 3), "lat"));
	assert_true(hl_json_number(hl_json_get(item(parsed.json, "losses", 6), "lat")) == 240e3);
	assert_true(hl_json_number(hl_json_get(item(parsed.json, "losses", 6), "lat_from")) ==
		    190e3);
	drop(&parsed);
}

static void facts_keep_their_type(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_origin origin = { .node = "sda" };
	struct parsed parsed;

	(void)state;
	hl_graph_add_boolean(graph, &origin, "iscsi.immediate_data", false);
	hl_graph_add_string(graph, &origin, "drive.model", "quote \" and \033");
	parsed = report_of(graph);
	assert_int_equal(hl_json_boolean(hl_json_get(item(parsed.json, "facts", 0), "value")), 0);
	assert_string_equal(hl_json_string(hl_json_get(item(parsed.json, "facts", 1), "value")),
			    "quote \" and \033");
	assert_null(hl_json_get(item(parsed.json, "facts", 0), "host"));
	assert_null(strchr(parsed.text, '\033'));
	drop(&parsed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_graph_has_empty_lists_and_no_verdict),
		cmocka_unit_test(a_measurement_has_bytes_and_nanoseconds),
		cmocka_unit_test(what_is_unknown_is_absent),
		cmocka_unit_test(a_latency_without_a_figure_is_absent),
		cmocka_unit_test(one_layer_is_a_string_and_a_span_is_a_list),
		cmocka_unit_test(the_verdict_is_the_first_of_the_verdicts),
		cmocka_unit_test(a_finding_brings_its_evidence_with_unit_and_source),
		cmocka_unit_test(latencies_of_a_loss_are_there_at_depth_one_only),
		cmocka_unit_test(facts_keep_their_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
