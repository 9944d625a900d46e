/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../../src/compare/influence.h"
#include "hoploss/comparison.h"
#include "hoploss/comparison_report.h"
#include "hoploss/fact.h"
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NR_ROUNDS 14

/* Rounds that scatter by 3 %, the same way every time. */
static void add_rounds(struct hl_graph *graph, struct hl_hop *hop, double bw, unsigned phase)
{
	struct hl_measurement *at = hl_graph_add_measurement(graph, hop);
	struct hl_rate *rate = hl_graph_add_rate(graph, at, HL_DIR_READ);
	double *rounds = hl_arena_alloc(graph->arena, NR_ROUNDS * sizeof(*rounds));

	at->workload.name = "seq";
	at->workload.rw = HL_RW_READ;
	at->workload.bs = 131072;
	at->workload.iodepth = 32;
	at->workload.numjobs = 1;
	for (unsigned i = 0; i < NR_ROUNDS; i++)
		rounds[i] = bw * (1 + 0.03 * sin(2.4 * i + phase));
	rate->bw = bw;
	rate->per_round = rounds;
	rate->nr_rounds = NR_ROUNDS;
}

/* raw, and vnic after it. */
static struct hl_graph *graph_of(double raw, double vnic, unsigned phase)
{
	struct hl_graph *graph = hl_graph_new();
	struct hl_hop *first = hl_graph_add_hop(graph, "raw");
	struct hl_hop *second = hl_graph_add_hop(graph, "vnic");

	second->after = first;
	add_rounds(graph, first, raw, phase);
	add_rounds(graph, second, vnic, phase + 1);
	return graph;
}

static const struct hl_change *find(const struct hl_comparison *comparison, const char *hop)
{
	for (size_t i = 0; i < comparison->nr_changes; i++) {
		if (!strcmp(comparison->changes[i].hop, hop))
			return &comparison->changes[i];
	}
	fail_msg("nothing is said of %s", hop);
	return NULL;
}

static void a_hop_is_judged_by_its_ratio_to_the_one_before(void **state)
{
	static const struct {
		double raw, vnic; /* after; before it was 1000 and 800 */
		enum hl_change_state raw_state, vnic_state;
	} cases[] = {
		{ 1000, 800, HL_CHANGE_SAME, HL_CHANGE_SAME },
		{ 1000, 1000, HL_CHANGE_SAME, HL_CHANGE_BETTER },
		{ 1000, 600, HL_CHANGE_SAME, HL_CHANGE_WORSE },
		/* everything is faster that day: nothing can be said of the vnic */
		{ 1500, 1200, HL_CHANGE_BETTER, HL_CHANGE_UNCLEAR },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		HL_GRAPH struct hl_graph *before = graph_of(1000, 800, 0);
		HL_GRAPH struct hl_graph *after = graph_of(cases[i].raw, cases[i].vnic, 3);
		const struct hl_compared states[] = { { "before", before, NULL },
						      { "after", after, NULL } };
		HL_COMPARISON struct hl_comparison *comparison = NULL;

		assert_int_equal(0, hl_comparison_make(states, 2, NULL, 0, &comparison, NULL));
		assert_int_equal(cases[i].raw_state, find(comparison, "raw")->state);
		assert_int_equal(cases[i].vnic_state, find(comparison, "vnic")->state);
		if (cases[i].vnic_state != HL_CHANGE_SAME)
			assert_string_equal("raw", find(comparison, "vnic")->control);
		assert_int_equal(cases[i].vnic_state == HL_CHANGE_WORSE, comparison->has_worse);
	}
}

/* Latencies that scatter as the rates do; p99 by another factor than the mean. */
static void add_latency(struct hl_graph *graph, double mean, double p99)
{
	struct hl_rate *rate = graph->hops[1]->measurements[0]->dir[HL_DIR_READ];
	struct hl_latency *rounds = hl_arena_alloc(graph->arena, NR_ROUNDS * sizeof(*rounds));

	for (unsigned i = 0; i < NR_ROUNDS; i++) {
		rounds[i] = *hl_graph_new_latency(graph);
		rounds[i].mean = mean * (1 + 0.03 * sin(2.4 * i));
		rounds[i].p99 = p99 * (1 + 0.03 * sin(2.4 * i));
	}
	rate->latency_per_round = rounds;
	rate->lat = hl_graph_new_latency(graph);
	rate->lat->mean = mean;
	rate->lat->p99 = p99;
}

static void latencies_of_rounds_are_judged_by_their_interval_too(void **state)
{
	HL_GRAPH struct hl_graph *before = graph_of(1000, 800, 0);
	HL_GRAPH struct hl_graph *after = graph_of(1000, 800, 3);
	const struct hl_compared states[] = { { "before", before, NULL },
					      { "after", after, NULL } };
	HL_COMPARISON struct hl_comparison *comparison = NULL;
	const struct hl_change *mean;

	(void)state;
	before->hops[1]->after = after->hops[1]->after = NULL;
	add_latency(before, 6.25e6, 12e6);
	add_latency(after, 8e6, 12e6);
	assert_int_equal(0, hl_comparison_make(states, 2, NULL, 0, &comparison, NULL));
	mean = find(comparison, "vnic") + 1;
	assert_string_equal("mean", mean[0].metric);
	assert_int_equal(HL_CHANGE_WORSE, mean[0].state);
	assert_true(mean[0].low_pct > 20 && mean[0].high_pct < 36);
	assert_string_equal("p99", mean[1].metric);
	assert_int_equal(HL_CHANGE_SAME, mean[1].state);
}

/* The line that binds it stands still: what its control did is nothing to it. */
static void a_hop_that_its_own_line_binds_is_the_same_though_its_control_moved(void **state)
{
	HL_GRAPH struct hl_graph *before = graph_of(1000, 80, 0);
	HL_GRAPH struct hl_graph *after = graph_of(1300, 80, 3);
	const struct hl_compared states[] = { { "before", before, NULL },
					      { "after", after, NULL } };
	HL_COMPARISON struct hl_comparison *comparison = NULL;

	(void)state;
	assert_int_equal(0, hl_comparison_make(states, 2, NULL, 0, &comparison, NULL));
	assert_int_equal(HL_CHANGE_BETTER, find(comparison, "raw")->state);
	assert_int_equal(HL_CHANGE_SAME, find(comparison, "vnic")->state);
	assert_null(find(comparison, "vnic")->control);
	assert_true(fabs(find(comparison, "vnic")->change_pct) < 1);
}

static void add_latencies(struct hl_graph *graph, size_t hop, double p99, double p99_9)
{
	struct hl_rate *rate = graph->hops[hop]->measurements[0]->dir[HL_DIR_READ];
	struct hl_latency *rounds = hl_arena_alloc(graph->arena, NR_ROUNDS * sizeof(*rounds));

	for (unsigned i = 0; i < NR_ROUNDS; i++) {
		rounds[i] = *hl_graph_new_latency(graph);
		rounds[i].p99 = p99 * (1 + 0.03 * sin(1.7 * i));
		rounds[i].p99_9 = i < 5 ? p99_9 : NAN; /* fewer than an interval takes */
	}
	rate->latency_per_round = rounds;
	rate->lat = hl_graph_new_latency(graph);
	rate->lat->p99 = p99;
	rate->lat->p99_9 = p99_9;
}

static void percentiles_are_judged_by_round_and_left_out_where_too_few_have_them(void **state)
{
	HL_GRAPH struct hl_graph *before = graph_of(1000, 800, 0);
	HL_GRAPH struct hl_graph *after = graph_of(1000, 800, 3);
	const struct hl_compared states[] = { { "before", before, NULL },
					      { "after", after, NULL } };
	HL_COMPARISON struct hl_comparison *comparison = NULL;
	unsigned nr = 0;

	(void)state;
	for (int i = 0; i < 2; i++) {
		add_latencies(i ? after : before, 0, 1e6, 2e6);
		add_latencies(i ? after : before, 1, i ? 3e6 : 1e6, i ? 9e6 : 2e6);
	}
	assert_int_equal(0, hl_comparison_make(states, 2, NULL, 0, &comparison, NULL));
	for (size_t i = 0; i < comparison->nr_changes; i++) {
		const struct hl_change *change = &comparison->changes[i];

		assert_string_not_equal("p99_9", change->metric);
		if (strcmp(change->metric, "p99") != 0)
			continue;
		nr++;
		assert_int_equal(!strcmp(change->hop, "raw") ? HL_CHANGE_SAME : HL_CHANGE_WORSE,
				 change->state);
		assert_false(isnan(change->low_pct));
	}
	assert_int_equal(2, nr);
	assert_int_equal(2, comparison->nr_unresolved);
	assert_non_null(strstr(comparison->warnings[0], "2 percentiles are not listed"));
}

static void a_renamed_hop_wants_a_match_and_is_told(void **state)
{
	static const struct hl_hop_match match = { "vnic", "vf" };
	HL_GRAPH struct hl_graph *before = graph_of(1000, 800, 0);
	HL_GRAPH struct hl_graph *after = graph_of(1000, 990, 3);
	const struct hl_compared states[] = { { "before", before, NULL },
					      { "after", after, NULL } };
	HL_COMPARISON struct hl_comparison *without = NULL;
	HL_COMPARISON struct hl_comparison *with = NULL;

	(void)state;
	after->hops[1]->name = "vf";
	assert_int_equal(0, hl_comparison_make(states, 2, NULL, 0, &without, NULL));
	assert_int_equal(1, without->nr_warnings);
	assert_non_null(strstr(without->warnings[0], "--match vnic=NEW"));
	assert_int_equal(0, hl_comparison_make(states, 2, &match, 1, &with, NULL));
	assert_int_equal(HL_CHANGE_BETTER, find(with, "vnic")->state);
	assert_string_equal("vf", find(with, "vnic")->hop_after);
}

static void facts_that_changed_stand_by_weight_and_moving_ones_do_not(void **state)
{
	struct hl_graph *graphs[2] = { graph_of(1000, 800, 0), graph_of(1000, 500, 3) };
	const struct hl_compared states[] = { { "before", graphs[0], NULL },
					      { "after", graphs[1], NULL } };
	HL_COMPARISON struct hl_comparison *comparison = NULL;

	(void)state;
	for (int i = 0; i < 2; i++) {
		const struct hl_origin origin = { "host", "eth0", "test:1" };

		hl_graph_add_string(graphs[i], &origin, "link.alias", i ? "b" : "a");
		hl_graph_add_number(graphs[i], &origin, "link.mtu", i ? 1500 : 9000);
		hl_graph_add_number(graphs[i], &origin, "model.noise_pct", i);
	}
	assert_int_equal(0, hl_comparison_make(states, 2, NULL, 0, &comparison, NULL));
	assert_int_equal(2, comparison->nr_facts);
	assert_string_equal("link.mtu", comparison->facts[0].before->key);
	assert_int_equal(1, find(comparison, "vnic")->nr_suspects);
	assert_string_equal("MTU", find(comparison, "vnic")->suspects[0]);
	for (int i = 0; i < 2; i++)
		hl_graph_free(graphs[i]);
}

/* raw stands on sda, and vnic on eth0; both are of one machine. */
static void add_places(struct hl_graph *graph, const char *scheduler, double mtu, bool has_other)
{
	const struct hl_origin disk = { "host", "sda", "test:1" };
	const struct hl_origin nic = { "host", "eth0", "test:2" };
	const struct hl_origin other = { "host", "sdz", "test:3" };

	for (int i = 0; i < 2; i++) {
		graph->hops[i]->host = "host";
		graph->hops[i]->target = i ? "/dev/eth0" : "/dev/sda";
	}
	hl_graph_add_string(graph, &disk, "block.scheduler", scheduler);
	hl_graph_add_number(graph, &nic, "link.mtu", mtu);
	if (has_other)
		hl_graph_add_string(graph, &other, "block.scheduler", "bfq");
}

static void only_what_a_hop_stands_on_and_its_control_does_not_is_suspected(void **state)
{
	HL_GRAPH struct hl_graph *before = graph_of(1000, 800, 0);
	HL_GRAPH struct hl_graph *after = graph_of(1000, 500, 3);
	const struct hl_compared states[] = { { "before", before, NULL },
					      { "after", after, NULL } };
	HL_COMPARISON struct hl_comparison *comparison = NULL;
	const struct hl_change *change;

	(void)state;
	add_places(before, "none", 9000, false);
	add_places(after, "mq-deadline", 1500, true);
	assert_int_equal(0, hl_comparison_make(states, 2, NULL, 0, &comparison, NULL));
	change = find(comparison, "vnic");
	assert_int_equal(1, change->nr_suspects);
	assert_string_equal("MTU", change->suspects[0]);
	assert_non_null(strstr(change->next, "MTU (MTU of eth0) is all that was changed"));
	/* the disk that came is beside the path */
	assert_int_equal(2, comparison->nr_facts);
	assert_int_equal(1, comparison->nr_beside);
}

static void what_can_act_is_named_by_keys_that_there_are(void **state)
{
	const struct influence *influence;

	(void)state;
	for (size_t i = 0; (influence = influence_at(i)); i++) {
		for (size_t k = 0; influence->keys[k]; k++) {
			const struct hl_fact_key *key = NULL;
			size_t at = 0;

			while ((key = hl_fact_key_at(at++)) &&
			       fnmatch(influence->keys[k], key->key, 0) != 0)
				;
			if (!key)
				fail_msg("no fact is called %s", influence->keys[k]);
		}
	}
}

static void a_drive_that_got_ill_is_worse_and_a_warm_one_is_not(void **state)
{
	static const struct {
		const char *key;
		double before, after;
		bool is_worse;
	} cases[] = {
		{ "smart.media_errors", 0, 7, true },
		{ "smart.media_errors", 7, 7, false },
		{ "smart.critical_warning", 0, 4, true },
		{ "smart.critical_warning", 4, 0, false },
		{ "smart.temperature_c", 30, 60, false },
		{ "smart.percentage_used", 3, 4, false },
		{ "smart.available_spare_pct", 100, 9, true },
		{ "pcie.width", 4, 2, true },
		{ "pcie.width", 2, 4, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct hl_origin origin = { "host", "nvme0", "test:1" };
		struct hl_graph *graphs[2] = { hl_graph_new(), hl_graph_new() };
		const struct hl_compared states[] = { { "before", graphs[0], NULL },
						      { "after", graphs[1], NULL } };
		HL_COMPARISON struct hl_comparison *comparison = NULL;

		hl_graph_add_number(graphs[0], &origin, cases[i].key, cases[i].before);
		hl_graph_add_number(graphs[1], &origin, cases[i].key, cases[i].after);
		assert_int_equal(0, hl_comparison_make(states, 2, NULL, 0, &comparison, NULL));
		if (comparison->has_worse != cases[i].is_worse)
			fail_msg("%s from %g to %g", cases[i].key, cases[i].before, cases[i].after);
		hl_graph_free(graphs[0]);
		hl_graph_free(graphs[1]);
	}
}

static void what_has_nothing_in_common_is_not_compared(void **state)
{
	HL_GRAPH struct hl_graph *before = graph_of(1000, 800, 0);
	HL_GRAPH struct hl_graph *after = hl_graph_new();
	const struct hl_compared states[] = { { "before", before, NULL },
					      { "after", after, NULL } };
	static const struct hl_hop_match match = { "vnic", "nowhere" };
	struct hl_comparison *comparison;
	struct hl_error err;

	(void)state;
	assert_int_equal(-ENODATA, hl_comparison_make(states, 2, NULL, 0, &comparison, &err));
	assert_int_equal(-EINVAL, hl_comparison_make(states, 2, &match, 1, &comparison, &err));
	assert_non_null(strstr(err.text, "no hop is called nowhere"));
}

static void add_single(struct hl_graph *graph, struct hl_hop *hop, const char *change,
		       unsigned line, double bw)
{
	struct hl_measurement *at = hl_graph_add_measurement(graph, hop);

	at->workload.name = "j";
	at->workload.rw = HL_RW_READ;
	at->change = change;
	at->line = line;
	hl_graph_add_rate(graph, at, HL_DIR_READ)->bw = bw;
}

static void single_values_are_never_the_same_and_a_series_stays_in_order(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_arena *arena = hl_arena_new();
	HL_COMPARISON struct hl_comparison *comparison = NULL;
	struct hl_hop *a = hl_graph_add_hop(graph, "a"), *b = hl_graph_add_hop(graph, "b");
	struct hl_compared *states;
	size_t nr;

	(void)state;
	add_single(graph, a, "start", 2, 100);
	add_single(graph, a, "third", 5, 30);
	add_single(graph, b, "start", 3, 100);
	add_single(graph, b, "second", 4, 100);
	states = hl_compared_split(arena, "t", graph, &nr);
	assert_int_equal(3, nr);
	assert_string_equal("second", states[1].name);
	assert_int_equal(0, hl_comparison_make(states, nr, NULL, 0, &comparison, NULL));
	assert_int_equal(2, comparison->nr_changes);
	assert_int_equal(HL_CHANGE_UNCLEAR, find(comparison, "b")->state);
	assert_int_equal(HL_CHANGE_WORSE, find(comparison, "a")->state);
	assert_int_equal(0, find(comparison, "a")->from); /* the last state that measured it */
	assert_int_equal(2, find(comparison, "a")->to);
	hl_arena_free(arena);
}

/* What one state measured and the next one did not, or otherwise, is no silent gap. */
static void what_is_not_compared_is_said(void **state)
{
	HL_GRAPH struct hl_graph *before = graph_of(1000, 800, 0);
	HL_GRAPH struct hl_graph *after = graph_of(1000, 800, 3);
	const struct hl_compared states[] = { { "before", before, NULL },
					      { "after", after, NULL } };
	HL_COMPARISON struct hl_comparison *comparison = NULL;

	(void)state;
	after->hops[0]->measurements[0]->workload.bs = 8192;
	after->hops[1]->measurements[0]->workload.name = "other";
	after->hops[1]->measurements[0]->workload.rw = HL_RW_RANDREAD;
	add_rounds(after, hl_graph_add_hop(after, "raw2"), 1, 0);
	add_rounds(before, hl_graph_add_hop(before, "raw2"), 1, 0);
	assert_int_equal(0, hl_comparison_make(states, 2, NULL, 0, &comparison, NULL));
	assert_int_equal(2, comparison->nr_warnings);
	assert_string_equal(
		"seq at raw is not comparable: read, 128 KiB, depth 32 in before, read, 8 "
		"KiB, depth 32 in after",
		comparison->warnings[0]);
	assert_string_equal(
		"seq at vnic of before was not measured in after (read, 128 KiB, depth 32)",
		comparison->warnings[1]);
}

static void figures_of_ios_alone_are_compared_too(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_arena *arena = hl_arena_new();
	HL_COMPARISON struct hl_comparison *comparison = NULL;
	struct hl_hop *a = hl_graph_add_hop(graph, "a");
	struct hl_compared *states;
	size_t nr;

	(void)state;
	add_single(graph, a, "start", 2, NAN);
	add_single(graph, a, "end", 3, NAN);
	for (int i = 0; i < 2; i++) {
		a->measurements[i]->status = HL_STATUS_IMPORTED;
		a->measurements[i]->dir[HL_DIR_READ]->iops = 1000 + 4000 * i;
	}
	states = hl_compared_split(arena, "t", graph, &nr);
	assert_int_equal(0, hl_comparison_make(states, nr, NULL, 0, &comparison, NULL));
	assert_int_equal(1, comparison->nr_changes);
	assert_string_equal("iops", comparison->changes[0].metric);
	assert_int_equal(HL_CHANGE_BETTER, comparison->changes[0].state);
	hl_arena_free(arena);
}

/* A terminal of 60 to 120 columns: the figure, its direction and its reason are all there. */
static void narrow_text_keeps_the_change_and_its_reason(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_arena *arena = hl_arena_new();
	HL_COMPARISON struct hl_comparison *comparison = NULL;
	struct hl_hop *hop = hl_graph_add_hop(graph, "nvme (single)");
	struct hl_compared *states;
	size_t nr;

	(void)state;
	add_single(graph, hop, "start", 2, 100);
	add_single(graph, hop, "second", 4, 151);
	states = hl_compared_split(arena, "t", graph, &nr);
	assert_int_equal(0, hl_comparison_make(states, nr, NULL, 0, &comparison, NULL));
	for (unsigned width = 40; width <= 120; width += 20) {
		const struct hl_report_style style = { .width = width };
		char *text = NULL;
		size_t len;
		FILE *out = open_memstream(&text, &len);

		assert_int_equal(0, hl_comparison_report_write(hl_comparison_report_find("text"),
							       comparison, &style, out, NULL));
		fclose(out);
		if (!strstr(text, "+51 %") || !strstr(text, "read") || !strstr(text, "unclear") ||
		    !strstr(text, "6 alternated rounds"))
			fail_msg("%u: %s", width, text);
		free(text);
	}
	hl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hop_is_judged_by_its_ratio_to_the_one_before),
		cmocka_unit_test(latencies_of_rounds_are_judged_by_their_interval_too),
		cmocka_unit_test(
			a_hop_that_its_own_line_binds_is_the_same_though_its_control_moved),
		cmocka_unit_test(
			percentiles_are_judged_by_round_and_left_out_where_too_few_have_them),
		cmocka_unit_test(only_what_a_hop_stands_on_and_its_control_does_not_is_suspected),
		cmocka_unit_test(what_can_act_is_named_by_keys_that_there_are),
		cmocka_unit_test(a_renamed_hop_wants_a_match_and_is_told),
		cmocka_unit_test(facts_that_changed_stand_by_weight_and_moving_ones_do_not),
		cmocka_unit_test(a_drive_that_got_ill_is_worse_and_a_warm_one_is_not),
		cmocka_unit_test(what_has_nothing_in_common_is_not_compared),
		cmocka_unit_test(what_is_not_compared_is_said),
		cmocka_unit_test(figures_of_ios_alone_are_compared_too),
		cmocka_unit_test(narrow_text_keeps_the_change_and_its_reason),
		cmocka_unit_test(single_values_are_never_the_same_and_a_series_stays_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
