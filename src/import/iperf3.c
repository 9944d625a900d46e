/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a test of iperf3 to measurements: see iperf3.h.
 *
 * Surprising: the sent and the received rate of one flow differ (the sender counts what it gave to
 * its kernel), and both are kept. A server knows only its own end and prints 0 for the other.
 */
#include "iperf3.h"
#include <errno.h>
#include <math.h>

void hl_iperf3_end_init(struct hl_iperf3_end *end)
{
	*end = (struct hl_iperf3_end){
		.bw = NAN,
		.bytes = NAN,
		.seconds = NAN,
		.retransmits = NAN,
		.jitter_ns = NAN,
		.lost = NAN,
		.packets = NAN,
	};
}

void hl_iperf3_test_init(struct hl_iperf3_test *test)
{
	*test = (struct hl_iperf3_test){ .block_bytes = NAN, .asked_s = NAN };
	for (int i = 0; i < 2; i++) {
		hl_iperf3_end_init(&test->flows[i].sent);
		hl_iperf3_end_init(&test->flows[i].received);
		test->flows[i].streams = NAN;
		test->cpu_user_pct[i] = test->cpu_system_pct[i] = NAN;
	}
}

/* What this side of the test counted of a flow, and in which direction it sees it. */
static const struct hl_iperf3_end *side_of(const struct hl_iperf3_flow *flow, bool is_far,
					   enum hl_dir *ret_dir)
{
	bool sends = flow->is_from_here != is_far;

	*ret_dir = sends ? HL_DIR_TX : HL_DIR_RX;
	return sends ? &flow->sent : &flow->received;
}

static bool has_figures(const struct hl_iperf3_test *test, bool is_far)
{
	enum hl_dir dir;

	for (size_t i = 0; i < test->nr_flows; i++) {
		if (side_of(&test->flows[i], is_far, &dir)->bw > 0)
			return true;
	}
	return false;
}

static void add_rate(struct hl_graph *graph, struct hl_measurement *at,
		     const struct hl_iperf3_test *test, const struct hl_iperf3_flow *flow,
		     bool is_far)
{
	enum hl_dir dir;
	const struct hl_iperf3_end *end = side_of(flow, is_far, &dir);
	struct hl_rate *rate;

	if (!(end->bw > 0))
		return;
	rate = hl_graph_add_rate(graph, at, dir);
	rate->bw = end->bw;
	rate->bytes = end->bytes;
	rate->runtime_ms = end->seconds * 1000;
	rate->retransmits = end->retransmits;
	rate->jitter_ns = end->jitter_ns;
	rate->lost = end->lost;
	rate->streams = flow->streams;
	rate->protocol = hl_arena_strdup(graph->arena, test->protocol);
}

static const char *name_of(const struct hl_iperf3_test *test, bool is_far)
{
	static const char *const names[2][3] = {
		{ "iperf3", "iperf3 (reverse)", "iperf3 (both ways)" },
		{ "iperf3 at the far end", "iperf3 (reverse) at the far end",
		  "iperf3 (both ways) at the far end" },
	};

	return names[is_far][test->nr_flows > 1 ? 2 : test->is_reverse];
}

static void add_side(struct hl_reading *reading, const struct hl_text *slice, unsigned line,
		     const struct hl_iperf3_test *test, bool is_far)
{
	struct hl_graph *graph = reading->graph;
	struct hl_measurement *at = hl_reading_measurement(reading, slice, line);

	at->workload.name = name_of(test, is_far);
	at->workload.bs = test->block_bytes;
	at->workload.numjobs = test->flows[0].streams;
	at->workload.runtime_s = test->asked_s;
	at->tool = hl_arena_strdup(graph->arena, test->tool);
	at->cpu_user_pct = test->cpu_user_pct[is_far];
	at->cpu_system_pct = test->cpu_system_pct[is_far];
	for (size_t i = 0; i < test->nr_flows; i++)
		add_rate(graph, at, test, &test->flows[i], is_far);
	if (test->error) {
		at->status = HL_STATUS_FAILED;
		at->reason = hl_arena_strdup(graph->arena, test->error);
	} else if (test->reason) {
		at->status = HL_STATUS_PARTIAL;
		at->reason = hl_arena_strdup(graph->arena, test->reason);
	}
}

int hl_iperf3_add(struct hl_reading *reading, const struct hl_text *slice, unsigned line,
		  const struct hl_iperf3_test *test)
{
	bool has_near = has_figures(test, false), has_far = has_figures(test, true);

	if (!has_near && !has_far && !test->error)
		return -ENODATA;
	reading->nr_runs++;
	if (has_near || !has_far)
		add_side(reading, slice, line, test, false);
	if (has_far)
		add_side(reading, slice, line, test, true);
	return 0;
}
