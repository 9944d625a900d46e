/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which verdicts the demo takes for the ones that were built in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/demo.h"
#include <errno.h>
#include <string.h>

#define VNIC   (1U << HL_LAYER_VNIC)
#define TARGET (1U << HL_LAYER_TARGET)

static void add_verdict(struct hl_graph *graph, const char *leaf, const char *workload,
			uint32_t layers)
{
	struct hl_hop *hop = hl_graph_add_hop(graph, leaf);
	struct hl_measurement *at = hl_graph_add_measurement(graph, hop);
	struct hl_verdict *verdict = hl_graph_add_verdict(graph);

	at->workload.name = workload;
	verdict->leaf = hop;
	verdict->at = at;
	verdict->dir = HL_DIR_READ;
	verdict->layers = layers;
	verdict->cause = layers == VNIC ? "link-shaped" : NULL;
	verdict->state = layers == VNIC ? HL_CONFIRMED : HL_SUSPECTED;
	verdict->text = "as it is said";
}

static void only_the_vnic_of_the_shaped_line_is_what_was_built_in(void **unused)
{
	static const struct {
		const char *workload;
		uint32_t shaped, unshaped;
		int code;
		const char *says;
	} rows[] = {
		{ "seq-read-128k", VNIC, TARGET, 0, "" },
		{ "seq-read-128k", VNIC, 0, 0, "" },
		{ "seq-read-128k", TARGET, TARGET, -EBADMSG,
		  "by link-shaped; the verdict: as it is" },
		{ "seq-read-128k", VNIC | TARGET, TARGET, -EBADMSG, "at shaped" },
		{ "seq-read-128k", 0, TARGET, -EBADMSG, "at shaped" },
		{ "seq-read-128k", VNIC, VNIC, -EBADMSG, "at unshaped; the verdict: as it is" },
		{ "rand-read-4k", VNIC, TARGET, -EBADMSG, "there is none" },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_error err = { 0 };

		add_verdict(graph, "unshaped", rows[i].workload, rows[i].unshaped);
		add_verdict(graph, "shaped", rows[i].workload, rows[i].shaped);
		assert_int_equal(hl_demo_judge(graph, &err), rows[i].code);
		if (!strstr(err.text, rows[i].says))
			fail_msg("\"%s\" does not say \"%s\"", err.text, rows[i].says);
	}
}

static void another_cause_or_a_suspicion_is_not_what_was_built_in(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_error err = { 0 };

	(void)unused;
	add_verdict(graph, "unshaped", "seq-read-128k", TARGET);
	add_verdict(graph, "shaped", "seq-read-128k", VNIC);
	assert_int_equal(hl_demo_judge(graph, &err), 0);
	graph->verdicts[1]->state = HL_SUSPECTED;
	assert_int_equal(hl_demo_judge(graph, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "confirmed by link-shaped"));
	graph->verdicts[1]->state = HL_CONFIRMED;
	graph->verdicts[1]->cause = "serial-stage";
	assert_int_equal(hl_demo_judge(graph, &err), -EBADMSG);
	graph->verdicts[1]->cause = NULL;
	assert_int_equal(hl_demo_judge(graph, &err), -EBADMSG);
}

static void an_empty_diagnosis_is_not_what_was_built_in(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	assert_int_equal(hl_demo_judge(graph, NULL), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_vnic_of_the_shaped_line_is_what_was_built_in),
		cmocka_unit_test(another_cause_or_a_suspicion_is_not_what_was_built_in),
		cmocka_unit_test(an_empty_diagnosis_is_not_what_was_built_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
