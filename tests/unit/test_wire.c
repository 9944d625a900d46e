/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An Ethernet line is suspected where the figures lie at its end and it may be in the path, and
 * only listed with its share where they do not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cause_maker.h"

#define LINE "ethernet-ceiling"

/* 10 Gb/s: 1,122 MiB/s at an MTU of 1500 */
static const struct run_row at_the_end = { "stream",      .rw = HL_RW_READ, .bs = 131072,
					   .iodepth = 32, .iops = 8900,     .lat = 3.6 * MS };

static bool is_line(enum hl_layer layer, struct run_row row)
{
	return is_found(LINE, layer, &row, 1);
}

static void reads_at_the_end_of_a_line_are_suspected(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_finding *line;

	(void)unused;
	add_runs(graph, "virtio", HL_LAYER_VNIC, &at_the_end, 1);
	line = match_one(graph, LINE);
	assert_int_equal(line->state, HL_SUSPECTED);
	assert_int_equal(line->layer, HL_LAYER_WIRE);
	assert_true(has_text(line->text, "Reads reach 1112 MiB/s, 99 % of what a line of 10 Gb/s"));
	assert_int_equal(line->nr_rivals, 3);
	assert_non_null(evidence_of(line, "run.read_bw"));
	assert_int_equal(graph->nr_ceilings, 1);
}

static void jumbo_frames_carry_more(void **unused)
{
	struct run_row row = at_the_end;

	(void)unused;
	row.iops = 9450; /* 1,181 MiB/s */
	assert_true(is_line(HL_LAYER_VNIC, row));
	row.iops = 9600; /* more than 1 % beyond */
	assert_false(is_line(HL_LAYER_VNIC, row));
	row.iops = 8500; /* 94.7 % of 1,122 */
	assert_false(is_line(HL_LAYER_VNIC, row));
}

static void a_line_that_is_not_at_its_end_is_listed_with_its_share(void **unused)
{
	struct run_row rows[2] = { at_the_end, at_the_end };
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	rows[0].iops = 6904;
	rows[1].bs = 4096; /* a later, slower job does not make it a slower line */
	ADD_RUNS(graph, "pvc", HL_LAYER_FILESYSTEM, rows);
	assert_null(match_one(graph, LINE));
	assert_int_equal(graph->nr_ceilings, 1);
	assert_int_equal(graph->ceilings[0]->layer, HL_LAYER_WIRE);
	assert_true(fabs(graph->ceilings[0]->bw / HL_MIB - 1122) < 1);
	assert_true(has_text(graph->ceilings[0]->name, "10 Gb/s"));
	assert_true(has_text(graph->ceilings[0]->formula, "863 MiB/s is 77 % of it"));
}

static void a_faster_figure_of_the_hop_rules_a_line_out(void **unused)
{
	static const struct run_row rows[] = {
		{ "small", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 128, .iops = 28000 },
		{ "stream", .rw = HL_RW_READ, .bs = 131072, .iodepth = 32, .iops = 6900 },
		{ "again", .rw = HL_RW_RANDREAD, .bs = 4096, .iodepth = 128, .iops = 28000 },
	};

	(void)unused;
	/* 109 MiB/s would be 98 % of 1 Gb/s */
	assert_true(is_found(LINE, HL_LAYER_VNIC, rows, 1));
	assert_false(is_found(LINE, HL_LAYER_VNIC, rows, 2));
	assert_false(IS_FOUND(LINE, HL_LAYER_VNIC, rows));
}

static void writes_rule_a_line_out_for_reads(void **unused)
{
	struct run_row rows[2] = { at_the_end, at_the_end };

	(void)unused;
	rows[1].rw = HL_RW_WRITE;
	rows[1].iops = 12000;
	assert_false(IS_FOUND(LINE, HL_LAYER_VNIC, rows));
	rows[1].iops = 6000;
	assert_true(IS_FOUND(LINE, HL_LAYER_VNIC, rows));
}

static void a_hop_without_a_wire_has_no_line(void **unused)
{
	static const enum hl_layer layers[] = { HL_LAYER_DRIVE, HL_LAYER_POOL, HL_LAYER_VDISK,
						HL_LAYER_TARGET, HL_LAYER_LINK };

	(void)unused;
	for (size_t i = 0; i < sizeof(layers) / sizeof(*layers); i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();

		add_runs(graph, "hop", layers[i], &at_the_end, 1);
		assert_null(match_one(graph, LINE));
		assert_int_equal(graph->nr_ceilings, 0);
	}
}

static void where_no_layer_is_said_it_is_a_question(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *hop = add_runs(graph, "file", HL_LAYER_NONE, &at_the_end, 1);

	(void)unused;
	assert_int_equal(match_one(graph, LINE)->state, HL_AMBIGUOUS);
	assert_true(has_text(graph->findings[0]->text, "if this volume is reached over one"));
	graph->nr_findings = 0;
	hl_graph_add_disk(graph, hop)->name = "nvme0n1";
	assert_null(match_one(graph, LINE));
	hl_graph_add_disk(graph, hop)->name = "sda";
	assert_non_null(match_one(graph, LINE));
}

static void a_pcie_link_that_looks_the_same_is_named(void **unused)
{
	struct run_row row = at_the_end;
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	(void)unused;
	row.iops = 23300; /* 2,912 MiB/s: 25 Gb/s, and nearly Gen2 x8 */
	add_runs(graph, "virtio", HL_LAYER_VNIC, &row, 1);
	assert_non_null(match_one(graph, LINE));
	assert_false(has_text(graph->findings[0]->text, "PCIe"));
	row.iops = 27470; /* 3,434 MiB/s: Gen3 x4 and Gen4 x2, no line */
	assert_false(is_line(HL_LAYER_VNIC, row));
	row.iops = 888; /* 111 MiB/s: 1 Gb/s */
	assert_true(is_line(HL_LAYER_VNIC, row));
}

static void other_reasons_come_first(void **unused)
{
	struct run_row row = at_the_end;

	(void)unused;
	row.cpu_system = 97;
	assert_false(is_line(HL_LAYER_VNIC, row));
	row = at_the_end;
	row.iodepth = 1; /* latency decides */
	assert_false(is_line(HL_LAYER_VNIC, row));
	row = at_the_end;
	row.lat = 5 * US;
	assert_false(is_line(HL_LAYER_VNIC, row));
}

static void a_drive_that_gives_no_more_needs_no_line(void **unused)
{
	struct run_row row = at_the_end;
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	SHEET struct hl_spec *spec = sheet(graph, "HC550", 4);

	(void)unused;
	row.iops = 8550; /* 1,121 MB/s of 4 x 269 */
	add_runs(graph, "nas", HL_LAYER_FILESYSTEM, &row, 1);
	assert_null(match_one(graph, LINE));
	assert_non_null(spec);
}

static void the_same_before_the_wire_clears_it(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_hop *zvol = add_runs(graph, "zvol", HL_LAYER_POOL, &at_the_end, 1);
	struct hl_hop *virtio = add_runs(graph, "virtio", HL_LAYER_VNIC, &at_the_end, 1);

	(void)unused;
	virtio->after = zvol;
	assert_null(match_one(graph, LINE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_at_the_end_of_a_line_are_suspected),
		cmocka_unit_test(jumbo_frames_carry_more),
		cmocka_unit_test(a_line_that_is_not_at_its_end_is_listed_with_its_share),
		cmocka_unit_test(a_faster_figure_of_the_hop_rules_a_line_out),
		cmocka_unit_test(writes_rule_a_line_out_for_reads),
		cmocka_unit_test(a_hop_without_a_wire_has_no_line),
		cmocka_unit_test(where_no_layer_is_said_it_is_a_question),
		cmocka_unit_test(a_pcie_link_that_looks_the_same_is_named),
		cmocka_unit_test(other_reasons_come_first),
		cmocka_unit_test(a_drive_that_gives_no_more_needs_no_line),
		cmocka_unit_test(the_same_before_the_wire_clears_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
