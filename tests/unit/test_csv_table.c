/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import_reader.h"
#include <errno.h>

static void a_tuning_table_is_read_per_change_and_store(void **state)
{
	struct import import = import_text("change,store,bw-r [MB/s],iops-r [IOPS],iops-mixed\n"
					   "as found,local-zfs,679MB/S,24K,1070 / 457\n"
					   "as found,nvme,746,24.6K,5.3K / 2.27K\n"
					   "no compression,local-zfs,233,220,-\n");
	const struct hl_hop *local = hl_graph_find_hop(import.graph, "local-zfs");
	const struct hl_measurement *at;

	(void)state;
	assert_int_equal(1, import.rc);
	assert_int_equal(2, import.graph->nr_hops);
	assert_int_equal(5, local->nr_measurements);
	assert_null(local->after);
	at = local->measurements[0];
	assert_string_equal("bw-r", at->workload.name);
	assert_string_equal("as found", at->change);
	assert_int_equal(HL_STATUS_IMPORTED, at->status);
	assert_int_equal(HL_RW_READ, at->workload.rw);
	assert_near(128, at->workload.iodepth);
	assert_near(679e6, at->dir[HL_DIR_READ]->bw);
	assert_near(679e6 / 4096, at->dir[HL_DIR_READ]->iops);
	assert_int_equal(2, at->line);
	assert_near(24e3, local->measurements[1]->dir[HL_DIR_READ]->iops);
	assert_near(24e3 * 4096, local->measurements[1]->dir[HL_DIR_READ]->bw);
	assert_near(1070, local->measurements[2]->dir[HL_DIR_READ]->iops);
	assert_near(457, local->measurements[2]->dir[HL_DIR_WRITE]->iops);
	assert_null(local->measurements[2]->dir[HL_DIR_MIXED]);
	at = local->measurements[3];
	assert_string_equal("no compression", at->change);
	assert_near(233e6, at->dir[HL_DIR_READ]->bw);
	assert_unknown(at->dir[HL_DIR_READ]->runtime_ms);
	import_free(&import);
}

static void every_way_to_separate_cells_gives_the_same(void **state)
{
	static const char *const cases[] = {
		"change,hop,bw-r,bw-w\na,b,59.6,281\n",
		"change;hop;bw-r;bw-w\na;b;59,6;281\n",
		"change\thop\tbw-r\tbw-w\na\tb\t59.6\t281\n",
		"|change|hop|bw-r|bw-w|\n| --- | :-: | ---: | --- |\n| a | b | 59.6 | 281 |\n",
		"change | hop | bw-r | bw-w\n--- | --- | --- | ---\na | b | 59.6 | 281\n",
		"\xef\xbb\xbf\"change\",\"hop\",bw-r,bw-w\r\n\"a\",b,\"59,6\",\"281\"\r\n",
		"# about\n# the table\nchange,hop,bw-r,bw-w\n# a row\n\na,b,59.6,281\n",
		"State,Store,BW-R,BW-W\na,b,59.6 MB/s,281MB/s\n",
		"change,hop,bw-r [kB/s],bw-w (KB/s)\na,b,\"59,600\",281'000\n",
		"change,hop,bw-r,bw-w,,\na,b,59.6,281,,\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_text(cases[i]);

		if (import.rc != 1 || nr_measurements(&import) != 2)
			fail_msg("case %zu: %d, %zu: %s", i, import.rc, nr_measurements(&import),
				 import.err.text);
		assert_string_equal("b", import.graph->hops[0]->name);
		assert_string_equal("a", measurement(&import, 0)->change);
		assert_near(59.6e6, measurement(&import, 0)->dir[HL_DIR_READ]->bw);
		assert_near(281e6, measurement(&import, 1)->dir[HL_DIR_WRITE]->bw);
		import_free(&import);
	}
}

static void a_decimal_comma_and_thousands_are_told_apart(void **state)
{
	struct import import = import_text("change;hop;bw-r;iops-r [KIOPS]\na;b;1,234;24\n");

	(void)state;
	assert_near(1.234e6, measurement(&import, 0)->dir[HL_DIR_READ]->bw);
	assert_near(24000, measurement(&import, 1)->dir[HL_DIR_READ]->iops);
	import_free(&import);
	import = import_text("change;hop;bw-r;bw-w\na;b;1,234;5.5\n");
	assert_near(1234e6, measurement(&import, 0)->dir[HL_DIR_READ]->bw);
	import_free(&import);
}

/* The one figure of a table with that heading and cell. */
static void check_figure(const char *heading, const char *cell, double bw, double iops)
{
	HL_FREE char *text = hl_printf("| change | %s |\n|---|---|\n| **a** | %s |\n", heading,
				       cell);
	struct import import = import_text(text);
	const struct hl_rate *rate = NULL;

	if (nr_measurements(&import) != 1)
		fail_msg("%s: %s: %s", heading, cell, import.err.text);
	assert_string_equal("a", measurement(&import, 0)->change);
	for (int dir = 0; dir < HL_NR_DIRS; dir++)
		rate = rate ? rate : measurement(&import, 0)->dir[dir];
	assert_near(bw ? bw : iops, bw ? rate->bw : rate->iops);
	import_free(&import);
}

static void figures_may_be_written_as_people_do(void **state)
{
	(void)state;
	check_figure("Seq read MB/s", "1 180", 1180e6, 0);
	check_figure("Seq read, MB/s", "1'180", 1180e6, 0);
	check_figure("seq read", "ca. 1,18 GB/s (+15 %)", 1180e6, 0);
	check_figure("seq read [MB/s]", "`600 \u00b1 20`", 600e6, 0);
	check_figure("read kIOPS", "12,5", 0, 12500);
	check_figure("read IOPS (k)", "12.5", 0, 12500);
	check_figure("read [M IOPS]", "1.25", 0, 1.25e6);
	check_figure("read IOPS", "~ 12.5K", 0, 12500);
	check_figure("read", "1\u202f200 IOPS", 0, 1200);
}

static void figures_of_a_table_tell_its_decimal_point(void **state)
{
	struct import import = import_text(
		"change;bw-r (MB/s);iops-r\na;863,5;28.200\nb;1.650,2;5\n");

	(void)state;
	assert_near(863.5e6, measurement(&import, 0)->dir[HL_DIR_READ]->bw);
	assert_near(28200, measurement(&import, 1)->dir[HL_DIR_READ]->iops);
	assert_near(1650.2e6, measurement(&import, 2)->dir[HL_DIR_READ]->bw);
	import_free(&import);
	import = import_text("change;bw-r (MB/s);iops-r\na;863.5;28,200\n");
	assert_near(863.5e6, measurement(&import, 0)->dir[HL_DIR_READ]->bw);
	assert_near(28200, measurement(&import, 1)->dir[HL_DIR_READ]->iops);
	import_free(&import);
}

static void a_table_may_lie_on_its_side(void **state)
{
	struct import import = import_text("| Test | Before [IOPS] | After [IOPS] | Change |\n"
					   "|---|---|---|---|\n"
					   "| bw-r [MB/s] | 500 | 1.2 GB/s | +140 % |\n"
					   "| 4k random read | 12.5k | - | |\n");

	(void)state;
	assert_int_equal(1, import.rc);
	assert_int_equal(3, nr_measurements(&import));
	assert_string_equal("bw-r", measurement(&import, 0)->workload.name);
	assert_string_equal("Before", measurement(&import, 0)->change);
	assert_near(500e6, measurement(&import, 0)->dir[HL_DIR_READ]->bw);
	assert_int_equal(HL_RW_READ, measurement(&import, 0)->workload.rw);
	assert_string_equal("After", measurement(&import, 1)->change);
	assert_near(1.2e9, measurement(&import, 1)->dir[HL_DIR_READ]->bw);
	assert_string_equal("4k random read", measurement(&import, 2)->workload.name);
	assert_near(12500, measurement(&import, 2)->dir[HL_DIR_READ]->iops);
	import_free(&import);
}

static void a_heading_can_describe_a_workload(void **state)
{
	struct import import = import_text("change,hop,layer,\"mine [MiB/s rw=randrw bs=8k,32k "
					   "iodepth=4 numjobs=2]\",odd (4k)\n"
					   "a,b,pool,10 / 20,5 MB/s\n");
	const struct hl_measurement *at = measurement(&import, 0);

	(void)state;
	assert_string_equal("mine", at->workload.name);
	assert_int_equal(HL_LAYER_POOL, at->hop->layer);
	assert_near(8192, at->workload.bs);
	assert_near(32768, at->workload.bs_write);
	assert_near(8, hl_workload_depth(&at->workload));
	assert_near(10 * 1048576, at->dir[HL_DIR_READ]->bw);
	assert_near(20 * 1048576, at->dir[HL_DIR_WRITE]->bw);
	assert_near(640, at->dir[HL_DIR_WRITE]->iops);
	assert_string_equal("odd (4k)", measurement(&import, 1)->workload.name);
	assert_unknown(measurement(&import, 1)->workload.bs);
	assert_unknown(measurement(&import, 1)->dir[HL_DIR_MIXED]->iops);
	import_free(&import);
}

static void empty_cells_repeat_the_place_and_measure_nothing(void **state)
{
	struct import import = import_text("change,hop,bw-r,bw-w,note\n"
					   "one,x,1,n/a,fine\n"
					   ",y,2,?,\n"
					   "two,,3,,\n");

	(void)state;
	assert_int_equal(3, nr_measurements(&import));
	assert_string_equal("one", import.graph->hops[1]->measurements[0]->change);
	assert_string_equal("two", import.graph->hops[1]->measurements[1]->change);
	assert_near(3e6, import.graph->hops[1]->measurements[1]->dir[HL_DIR_READ]->bw);
	import_free(&import);
}

static void without_a_hop_column_the_file_is_the_hop(void **state)
{
	struct import import = import_text("change,bw-r\none,5\n");

	(void)state;
	assert_string_equal("f", import.graph->hops[0]->name);
	import_free(&import);
}

static void what_cannot_be_read_is_named_with_line_and_column(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "change,hop,bw-r\na,b,1\na,b,fast\n", "f.txt:3: column 3: \"fast\"" },
		{ "change,hop,bw-r\na,b,1\na,b,0\n", "f.txt:3: column 3: \"0\"" },
		{ "change,hop,bw-r\na,b,1\na,b,-5\n", "f.txt:3: column 3: \"-5\"" },
		/* 24 thousand what? */
		{ "change,hop,bw-r\na,b,1\na,b,24K\n", "f.txt:3: column 3: \"24K\"" },
		/* a column that says no unit */
		{ "change,hop,bw-r,x\na,b,1,24K\na,b,1,24\n", "f.txt:3: column 4: \"24\"" },
		{ "change,hop,bw-r\na,b,1\na,b,1,2\n",
		  "f.txt:3: column 4: \"2\" is under no heading" },
		{ "change,hop,layer,bw-r\na,b,disk,1\n",
		  "f.txt:2: column 3: \"disk\" is no layer" },
		{ "change,hop,x [MB/s rw=up]\na,b,1\n", "f.txt:1: column 3: \"x\" has an option" },
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_text(cases[i].text);
		const char *reason = import.graph->inputs[0]->reason;

		if (!reason || strncmp(reason, cases[i].message, strlen(cases[i].message)) != 0)
			fail_msg("case %zu: %s", i, reason ? reason : "no reason");
		assert_true(nr_measurements(&import) >= 1); /* the rest is read */
		import_free(&import);
	}
}

static void an_empty_table_is_an_error(void **state)
{
	struct import import = import_text("change,hop,bw-r [MB/s],iops-r [IOPS]\nas found,,,\n");

	(void)state;
	assert_int_equal(-ENODATA, import.rc);
	assert_non_null(strstr(import.err.text, "f.txt:1: the table has no figures"));
	import_free(&import);
}

static void prose_and_other_tables_are_left_alone(void **state)
{
	static const char *const cases[] = {
		"| Test | Expected | Actual |\n|---|---|---|\n| read 4k | 100 MB/s | 90 MB/s |\n",
		"| Test | Before | Change |\n|---|---|---|\n| read 4k | 100 MB/s | 9 % |\n",
		"| Test | Before | After |\n|---|---|---|\n| boot | 12 s | 9 s |\n",
		"I made one change, then hop, skip and jump.\nIt was fast, 5 times.\n",
		"change,hop\na,b\n",
		"name,state,size\ntank,ONLINE,24K\n\n",
		"bw-r,bw-w\n1,2\n",
	};

	(void)state;
	for (size_t i = 0; i < NR(cases); i++) {
		struct import import = import_text(cases[i]);

		if (import.rc != -ENODATA)
			fail_msg("case %zu: %d", i, import.rc);
		import_free(&import);
	}
}

static void a_table_ends_where_its_rows_do(void **state)
{
	struct import import = import_text(
		"before\nchange,hop,bw-r\na,b,1\n\na,c,2\n\n\nafter, all\n");

	(void)state;
	assert_int_equal(3, import.graph->nr_inputs);
	assert_int_equal(2, import.graph->inputs[1]->first_line);
	assert_int_equal(5, import.graph->inputs[1]->last_line);
	import_free(&import);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tuning_table_is_read_per_change_and_store),
		cmocka_unit_test(every_way_to_separate_cells_gives_the_same),
		cmocka_unit_test(a_decimal_comma_and_thousands_are_told_apart),
		cmocka_unit_test(figures_may_be_written_as_people_do),
		cmocka_unit_test(figures_of_a_table_tell_its_decimal_point),
		cmocka_unit_test(a_table_may_lie_on_its_side),
		cmocka_unit_test(a_heading_can_describe_a_workload),
		cmocka_unit_test(empty_cells_repeat_the_place_and_measure_nothing),
		cmocka_unit_test(without_a_hop_column_the_file_is_the_hop),
		cmocka_unit_test(what_cannot_be_read_is_named_with_line_and_column),
		cmocka_unit_test(an_empty_table_is_an_error),
		cmocka_unit_test(prose_and_other_tables_are_left_alone),
		cmocka_unit_test(a_table_ends_where_its_rows_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
