/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples as lines of JSON, there and back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/sample.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char plain[] =
	"{\"round\":3,\"hop\":\"zvol\",\"workload\":{\"name\":\"r\",\"rw\":\"randread\",\"bs\":"
	"4096,"
	"\"iodepth\":32,\"numjobs\":1,\"ramp\":2,\"direct\":false},\"engine\":\"io_uring\","
	"\"status\":\"measured\",\"start\":1."
	"5,"
	"\"seconds\":0.8,\"read\":{\"bw\":100000000,\"ios\":19531,\"lat\":{\"mean\":1310000,"
	"\"p99\":2500000}},\"timeline\":[1,2.5],\"facts\":[{\"node\":\"sda\",\"key\":"
	"\"drive.model\",\"value\":\"X\"}]}";

static void what_is_printed_reads_back_the_same(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	HL_FREE char *line = NULL;
	struct hl_sample sample;
	struct hl_error err = { 0 };

	(void)unused;
	if (hl_sample_parse(graph, plain, &sample, &err) < 0)
		fail_msg("%s", err.text);
	line = hl_sample_print(&sample);
	assert_string_equal(line, plain);
}

static void values_are_where_they_belong(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_sample sample;

	(void)unused;
	assert_int_equal(hl_sample_parse(graph, plain, &sample, NULL), 0);
	assert_int_equal(sample.round, 3);
	assert_string_equal(sample.hop, "zvol");
	assert_int_equal(sample.workload.rw, HL_RW_RANDREAD);
	assert_true(sample.workload.iodepth == 32);
	assert_int_equal(sample.workload.direct, 0);
	assert_true(sample.workload.ramp_s == 2);
	assert_true(sample.dir[HL_DIR_READ]->bw == 100000000);
	assert_true(sample.dir[HL_DIR_READ]->lat->p99 == 2500000);
	assert_true(isnan(sample.dir[HL_DIR_READ]->lat->p50));
	assert_null(sample.dir[HL_DIR_READ]->clat);
	assert_null(sample.dir[HL_DIR_WRITE]);
	assert_int_equal(sample.nr_timeline, 2);
	assert_int_equal(sample.nr_facts, 1);
	assert_int_equal(graph->nr_facts, 0);
	assert_true(isnan(sample.cpu_pct));
}

static void line_break_in_a_reason_stays_one_line(void **unused)
{
	HL_FREE char *line = NULL;
	struct hl_sample sample = { .hop = "x", .reason = "gone\nfor good" };

	(void)unused;
	hl_workload_init(&sample.workload);
	sample.workload.rw = HL_RW_READ;
	sample.status = HL_STATUS_NOT_MEASURED;
	line = hl_sample_print(&sample);
	assert_null(strchr(line, '\n'));
	assert_non_null(strstr(line, "not-measured"));
}

static void broken_lines_are_refused(void **unused)
{
	static const char *const lines[] = {
		"",
		"{",
		"[]",
		"{\"status\":\"measured\"}",
		"{\"workload\":{\"rw\":\"sideways\"},\"status\":\"measured\"}",
		"{\"workload\":{\"rw\":\"read\"},\"status\":\"fine\"}",
		"{\"workload\":{\"rw\":\"read\"}}",
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct hl_sample sample = { .round = 77 };

		assert_int_equal(hl_sample_parse(graph, lines[i], &sample, NULL), -EBADMSG);
		assert_int_equal(sample.round, 77);
	}
}

static void fact_of_an_unknown_key_is_left_out(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_sample sample;

	(void)unused;
	assert_int_equal(
		hl_sample_parse(graph,
				"{\"workload\":{\"rw\":\"read\"},\"status\":\"failed\","
				"\"facts\":[{\"node\":\"a\",\"key\":\"no.such\",\"value\":1}]}",
				&sample, NULL),
		0);
	assert_int_equal(sample.nr_facts, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_printed_reads_back_the_same),
		cmocka_unit_test(values_are_where_they_belong),
		cmocka_unit_test(line_break_in_a_reason_stays_one_line),
		cmocka_unit_test(broken_lines_are_refused),
		cmocka_unit_test(fact_of_an_unknown_key_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
