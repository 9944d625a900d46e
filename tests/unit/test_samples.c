/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples of a run become measurements with rounds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/sample.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LINE(round, more, status, bw)                                                              \
	"{\"round\":" #round ",\"hop\":\"a\"," more                                                \
	"\"workload\":{\"name\":\"r\",\"rw\":\"read\","                                            \
	"\"bs\":4096},\"status\":\"" status "\",\"reason\":\"EIO\",\"read\":{\"bw\":" #bw          \
	",\"ios\":10,\"lat\":{\"mean\":" #bw ",\"p99\":" #bw "}}}"

static struct hl_measurement *read_lines(struct hl_graph *graph, const char *const *lines,
					 size_t nr)
{
	struct hl_hop *hop = hl_graph_add_hop(graph, "a");

	hl_samples_read(graph, lines, nr);
	return hop->nr_measurements ? hop->measurements[0] : NULL;
}

static void rounds_keep_their_place_and_are_averaged(void **unused)
{
	static const char *const lines[] = {
		LINE(3, "", "measured", 300),
		LINE(1, "", "measured", 100),
		LINE(1, "\"repeats\":\"a\",", "measured", 110),
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_measurement *at = read_lines(graph, lines, 3);
	struct hl_rate *rate = at->dir[HL_DIR_READ];

	(void)unused;
	assert_int_equal(at->status, HL_STATUS_MEASURED);
	assert_true(at->rounds == 2);
	assert_true(rate->bw == 200 && rate->ios == 20 && rate->lat->mean == 200);
	assert_int_equal(rate->nr_rounds, 3);
	assert_true(rate->per_round[0] == 100 && isnan(rate->per_round[1]) &&
		    rate->per_round[2] == 300);
	assert_true(rate->repeats[0] == 110 && isnan(rate->repeats[2]));
}

static void lost_round_is_partial_and_all_lost_is_not_measured(void **unused)
{
	static const char *const lines[] = {
		LINE(1, "", "measured", 100),
		LINE(2, "", "not-measured", 999),
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new(), *other = hl_graph_new();
	struct hl_measurement *at = read_lines(graph, lines, 2);

	(void)unused;
	assert_int_equal(at->status, HL_STATUS_PARTIAL);
	assert_string_equal(at->reason, "1 of 2 rounds lost: EIO");
	assert_true(at->dir[HL_DIR_READ]->bw == 100);
	at = read_lines(other, lines + 1, 1);
	assert_int_equal(at->status, HL_STATUS_NOT_MEASURED);
	assert_string_equal(at->reason, "EIO");
	assert_null(at->dir[HL_DIR_READ]);
}

static void experiment_is_a_measurement_of_its_own(void **unused)
{
	static const char *const lines[] = {
		LINE(1, "", "measured", 100),
		LINE(0, "\"experiment\":\"depth-double\",", "measured", 180),
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_measurement *at = read_lines(graph, lines, 2);

	(void)unused;
	assert_int_equal(at->hop->nr_measurements, 2);
	assert_null(at->experiment);
	assert_string_equal(at->hop->measurements[1]->experiment, "depth-double");
	assert_true(at->dir[HL_DIR_READ]->bw == 100);
}

#define FACT(round, thread, pct)                                                                   \
	"{\"round\":" #round ",\"hop\":\"a\",\"workload\":{\"name\":\"r\",\"rw\":\"read\","        \
	"\"bs\":4096},\"status\":\"measured\",\"read\":{\"bw\":1},\"facts\":["                     \
	"{\"node\":\"a/r\",\"key\":\"cpu.busiest_thread\",\"value\":\"" thread                     \
	"\",\"source\":\"s\"},"                                                                    \
	"{\"node\":\"a/r\",\"key\":\"cpu.busiest_thread_pct\",\"value\":" #pct                     \
	",\"source\":\"" thread "\"}]}"

static void facts_are_averaged_and_texts_are_those_of_most_rounds(void **unused)
{
	static const char *const lines[] = { FACT(1, "find", 20), FACT(2, "tgtd", 97),
					     FACT(3, "find", 40), FACT(4, "tgtd", 99) };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	read_lines(graph, lines, 4);
	assert_int_equal(graph->nr_facts, 2);
	/* two each: the first of them */
	assert_string_equal(hl_graph_find_fact(graph, "a/r", "cpu.busiest_thread")->string, "find");
	assert_true(hl_graph_find_fact(graph, "a/r", "cpu.busiest_thread_pct")->number == 64);
	/* what the greatest was read from */
	assert_string_equal(hl_graph_find_fact(graph, "a/r", "cpu.busiest_thread_pct")->source,
			    "tgtd");
}

#define HEAT(round, celsius)                                                                       \
	"{\"round\":" #round ",\"hop\":\"a\",\"workload\":{\"name\":\"r\",\"rw\":\"read\","        \
	"\"bs\":4096},\"status\":\"measured\",\"read\":{\"bw\":1},\"facts\":[{\"node\":\"a/r\","   \
	"\"key\":\"drive.temperature_max_c\",\"value\":" #celsius "}]}"

static void of_maxima_the_greatest_round_stands(void **unused)
{
	static const char *const lines[] = { HEAT(1, 50), HEAT(2, 81), HEAT(3, 60) };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	read_lines(graph, lines, 3);
	assert_true(hl_graph_find_fact(graph, "a/r", "drive.temperature_max_c")->number == 81);
}

#define CPU(round, engine, numbers)                                                                \
	"{\"round\":" #round ",\"hop\":\"a\",\"engine\":\"" engine                                 \
	"\",\"workload\":{\"name\":\"r\","                                                         \
	"\"rw\":\"read\",\"bs\":4096,\"iodepth\":4,\"numjobs\":2}," numbers                        \
	"\"status\":\"measured\",\"read\":{\"bw\":1}}"

static void cpu_is_that_of_a_thread_and_what_is_not_known_is_left_out(void **unused)
{
	static const struct {
		const char *lines[2];
		double cpu_pct;
	} cases[] = {
		{ { CPU(1, "io_uring", "\"idle_pct\":30,\"cpu_pct\":80,"), CPU(2, "io_uring", "") },
		  40 },
		{ { CPU(1, "psync", "\"idle_pct\":30,\"cpu_pct\":80,"), CPU(2, "psync", "") }, 10 },
	};

	(void)unused;
	for (size_t i = 0; i < 2; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		struct hl_measurement *at = read_lines(graph, cases[i].lines, 2);

		assert_true(at->idle_pct == 30);
		assert_true(at->cpu_pct == cases[i].cpu_pct);
		assert_true(isnan(at->cached_share));
	}
}

static void unknown_hop_and_broken_lines_are_warnings(void **unused)
{
	static const char *const lines[] = { LINE(1, "", "measured", 100), "{", "",
					     LINE(100001, "", "measured", 100) };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	hl_samples_read(graph, lines, 1);
	assert_int_equal(graph->nr_warnings, 1);
	assert_false(graph->is_partly_captured);
	hl_graph_add_hop(graph, "a");
	hl_samples_read(graph, lines, 4);
	assert_int_equal(graph->nr_warnings, 4);
	assert_non_null(strstr(graph->warnings[1], "samples.jsonl:2: "));
	assert_non_null(strstr(graph->warnings[2], "samples.jsonl:3: "));
	assert_non_null(strstr(graph->warnings[3], "samples.jsonl:4: there is no such round"));
	assert_true(graph->is_partly_captured);
	assert_int_equal(graph->hops[0]->nr_measurements, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounds_keep_their_place_and_are_averaged),
		cmocka_unit_test(lost_round_is_partial_and_all_lost_is_not_measured),
		cmocka_unit_test(experiment_is_a_measurement_of_its_own),
		cmocka_unit_test(facts_are_averaged_and_texts_are_those_of_most_rounds),
		cmocka_unit_test(of_maxima_the_greatest_round_stands),
		cmocka_unit_test(cpu_is_that_of_a_thread_and_what_is_not_known_is_left_out),
		cmocka_unit_test(unknown_hop_and_broken_lines_are_warnings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
