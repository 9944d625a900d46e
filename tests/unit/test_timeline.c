/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoploss/timeline.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct hl_graph *read_lines(const char *const *lines, size_t nr)
{
	struct hl_graph *graph = hl_graph_new();

	hl_graph_add_hop(graph, "raw")->host = "nas";
	hl_graph_add_hop(graph, "pod")->host = "worker";
	hl_samples_read(graph, lines, nr);
	return graph;
}

#define SAMPLE(hop, start, rest)                                                                   \
	"{\"round\":1,\"hop\":\"" hop "\",\"workload\":{\"name\":\"w\",\"rw\":\"read\"},"          \
	"\"status\":\"measured\",\"start\":" start ",\"read\":{\"bw\":1}," rest "}"
#define HEAT(node, points)                                                                         \
	"\"series\":[{\"node\":\"" node "\",\"key\":\"thermal.temperature_c\",\"points\":" points  \
	"}]"

static const struct hl_series *find(const struct hl_graph *graph, const char *host,
				    const char *node, const char *key)
{
	for (size_t i = 0; i < graph->nr_timeline; i++) {
		const struct hl_series *series = graph->timeline[i];

		if (!strcmp(series->host, host) && !strcmp(series->node, node) &&
		    !strcmp(series->key, key))
			return series;
	}
	fail_msg("no line %s %s %s", host, node, key);
	return NULL;
}

static void bandwidth_is_drawn_twice_a_second_from_its_start(void **state)
{
	static const char *const lines[] = {
		SAMPLE("raw", "10", "\"timeline\":[1,2,3,4,5,10,20]"),
	};
	HL_GRAPH struct hl_graph *graph = read_lines(lines, 1);
	const struct hl_series *line = find(graph, "nas", "raw", "run.bw");

	(void)state;
	assert_int_equal(2, line->nr_points);
	assert_true(line->points[0].t_s == 10.5 && line->points[0].value == 3);
	assert_true(line->points[1].t_s == 10.7 && line->points[1].value == 15);
	assert_string_equal("bytes/s", line->unit);
}

static void what_meters_saw_is_joined_by_host_node_and_time(void **state)
{
	static const char *const lines[] = {
		SAMPLE("raw", "10", HEAT("nvme0", "[[0.1,50],[1.1,60]]")),
		SAMPLE("pod", "5", HEAT("nvme0", "[[0.1,40]]")),
		SAMPLE("raw", "2", HEAT("nvme0", "[[0.1,30]]")),
		SAMPLE("raw", "3", HEAT("nvme1", "[[0.1,31]]")),
	};
	HL_GRAPH struct hl_graph *graph = read_lines(lines, 4);
	const struct hl_series *line = find(graph, "nas", "nvme0", "thermal.temperature_c");

	(void)state;
	assert_int_equal(3, graph->nr_timeline);
	assert_int_equal(3, line->nr_points);
	assert_true(line->points[0].t_s == 2.1 && line->points[0].value == 30);
	assert_true(line->points[2].t_s == 11.1 && line->points[2].value == 60);
	assert_string_equal("C", line->unit);
	find(graph, "worker", "nvme0", "thermal.temperature_c");
	find(graph, "nas", "nvme1", "thermal.temperature_c");
}

static void what_has_no_time_or_is_no_line_is_not_drawn(void **state)
{
	static const char *const lines[] = {
		"{\"hop\":\"raw\",\"workload\":{\"name\":\"w\",\"rw\":\"read\"},\"status\":"
		"\"measured\",\"timeline\":[1,2]," HEAT("nvme0", "[[0.1,50]]") "}",
		SAMPLE("raw", "1", "\"series\":[{\"key\":\"no.such\",\"points\":[[1,2]]}]"),
		SAMPLE("raw", "1", "\"series\":[1,{\"key\":7},{\"points\":[[1,2]]}]"),
		SAMPLE("raw", "1", HEAT("nvme0", "[[1],[null,2],7,[1,\"x\"],{}]")),
		SAMPLE("raw", "1", "\"series\":{\"key\":\"run.bw\"}"),
	};
	HL_GRAPH struct hl_graph *graph = read_lines(lines, 5);

	(void)state;
	for (size_t i = 0; i < graph->nr_timeline; i++)
		assert_int_equal(0, graph->timeline[i]->nr_points);
}

static void lines_of_a_sample_come_back_from_its_text(void **state)
{
	static const char line[] = SAMPLE("raw", "1", HEAT("nvme0", "[[0.1,50],[1.1,60.5]]"));
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_sample sample, again;
	char *text;

	(void)state;
	assert_int_equal(0, hl_sample_parse(graph, line, &sample, NULL));
	text = hl_sample_print(&sample);
	assert_int_equal(0, hl_sample_parse(graph, text, &again, NULL));
	assert_int_equal(1, again.nr_series);
	assert_string_equal("nvme0", again.series[0]->node);
	assert_int_equal(2, again.series[0]->nr_points);
	assert_true(again.series[0]->points[1].t_s == 1.1 &&
		    again.series[0]->points[1].value == 60.5);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bandwidth_is_drawn_twice_a_second_from_its_start),
		cmocka_unit_test(what_meters_saw_is_joined_by_host_node_and_time),
		cmocka_unit_test(what_has_no_time_or_is_no_line_is_not_drawn),
		cmocka_unit_test(lines_of_a_sample_come_back_from_its_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
