/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Findings and ceilings on no hop: what saved files tell of a machine that nobody measured.
 */
#include "hoploss/diagnose.h"
#include "hoploss/model.h"
#include "report_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct hl_finding *add_finding(struct hl_graph *graph, const char *id, enum hl_state state,
				      const char *text)
{
	const struct hl_origin origin = { "pve", "0000:01:00.0", "lspci.txt:3" };
	struct hl_finding *finding = hl_graph_add_finding(graph);

	finding->id = id;
	finding->layer = HL_LAYER_LINK;
	finding->state = state;
	finding->text = text;
	hl_finding_add_evidence(graph, finding,
				hl_graph_add_number(graph, &origin, "pcie.width", 2));
	return finding;
}

static void add_ceiling(struct hl_graph *graph)
{
	struct hl_ceiling *ceiling = hl_graph_add_ceiling(graph);

	ceiling->name = "PCIe Gen3 x2";
	ceiling->layer = HL_LAYER_LINK;
	ceiling->dir = HL_DIR_READ;
	ceiling->bw = 1800e6;
	ceiling->formula = "8 GT/s x 2";
}

static struct hl_graph *facts_only(void)
{
	struct hl_graph *graph = hl_graph_new();

	add_finding(graph, "other", HL_SUSPECTED, "Perhaps. Perhaps not.");
	add_finding(graph, "narrow", HL_CONFIRMED, "2 lanes of 4.5 in use. More is said here.");
	add_ceiling(graph);
	hl_model_losses(graph);
	hl_model_ladders(graph);
	hl_model_verdicts(graph);
	return graph;
}

static void most_certain_finding_is_the_verdict_where_nothing_was_measured(void **state)
{
	HL_GRAPH struct hl_graph *graph = facts_only();

	(void)state;
	assert_int_equal(graph->nr_verdicts, 1);
	assert_null(graph->verdicts[0]->leaf);
	assert_int_equal(graph->verdicts[0]->state, HL_CONFIRMED);
	assert_int_equal(graph->verdicts[0]->layers, 1U << HL_LAYER_LINK);
	assert_string_equal(graph->verdicts[0]->cause, "narrow");
	assert_string_equal(graph->verdicts[0]->text,
			    "2 lanes of 4.5 in use. 1 more finding below. Nothing was measured, so "
			    "what it costs is not known");
	assert_int_equal(hl_diagnose_exit(graph), HL_EXIT_FINDINGS);
}

static void facts_without_a_finding_have_no_verdict(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_origin origin = { NULL, "eth0", "ethtool.txt:1" };
	struct hl_report_style style = { .width = 100 };
	char *text;

	(void)state;
	hl_graph_add_number(graph, &origin, "link.mtu", 1500);
	hl_model_verdicts(graph);
	assert_int_equal(graph->nr_verdicts, 0);
	assert_int_equal(hl_diagnose_exit(graph), HL_EXIT_OK);
	text = made_report("text", graph, &style);
	assert_memory_equal(text, "Nothing found: ", 15);
	free(text);
}

static void every_format_bears_what_is_on_no_hop(void **state)
{
	HL_GRAPH struct hl_graph *graph = facts_only();

	(void)state;
	for (size_t i = 0; hl_reports[i]; i++) {
		struct hl_report_style style = { .width = 100 };
		char *text = made_report(hl_reports[i]->name, graph, &style);

		assert_non_null(strstr(text, "2 lanes of 4.5"));
		free(text);
	}
}

static void text_says_where_it_stands_that_no_hop_is_known_for(void **state)
{
	HL_GRAPH struct hl_graph *graph = facts_only();
	struct hl_report_style style = { .width = 100 };
	char *text = made_report("text", graph, &style);

	(void)state;
	assert_non_null(strstr(text, "confirmed narrow  pve 0000:01:00.0, link\n"));
	assert_non_null(strstr(text, "PCIe Gen3 x2"));
	free(text);
}

static void measured_path_bears_findings_of_no_hop_and_names_the_confirmed(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = hl_graph_add_hop(graph, "pvc");
	struct hl_measurement *at = hl_graph_add_measurement(graph, hop);

	(void)state;
	at->workload.name = "job";
	at->status = HL_STATUS_IMPORTED;
	hl_graph_add_rate(graph, at, HL_DIR_READ)->bw = 1e9;
	add_finding(graph, "narrow", HL_CONFIRMED, "2 lanes of 4 in use.");
	add_finding(graph, "narrow", HL_CONFIRMED, "1 lane of 4 in use.");
	add_finding(graph, "other", HL_SUSPECTED, "Perhaps.");
	add_ceiling(graph);
	hl_model_losses(graph);
	hl_model_ladders(graph);
	hl_model_verdicts(graph);
	assert_int_equal(graph->nr_verdicts, 1);
	assert_ptr_equal(graph->verdicts[0]->leaf, hop);
	assert_non_null(strstr(graph->verdicts[0]->text,
			       ". Found besides, on no hop that is known: narrow"));
	assert_null(strstr(graph->verdicts[0]->text, "other"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(most_certain_finding_is_the_verdict_where_nothing_was_measured),
		cmocka_unit_test(facts_without_a_finding_have_no_verdict),
		cmocka_unit_test(every_format_bears_what_is_on_no_hop),
		cmocka_unit_test(text_says_where_it_stands_that_no_hop_is_known_for),
		cmocka_unit_test(measured_path_bears_findings_of_no_hop_and_names_the_confirmed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
