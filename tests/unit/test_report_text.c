/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text report: the verdict first, within the width, harmless whatever the names are.
 */
#include "hoploss/escape.h"
#include "report_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static char *text_of(const struct hl_graph *graph, unsigned width)
{
	struct hl_report_style style = { .width = width };

	return made_report("text", graph, &style);
}

static void the_verdict_is_the_first_line(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	char *text = text_of(graph, 100);

	(void)state;
	assert_memory_equal(text, "suspected: between loopback and pvc half ", 41);
	free(text);
}

static void an_empty_graph_says_that_there_is_no_verdict(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	char *text = text_of(graph, 100);

	(void)state;
	assert_memory_equal(text, "No verdict", 10);
	assert_non_null(strstr(text, "Holds serials or addresses: no."));
	free(text);
}

static void assert_lines_fit(char *text, unsigned width)
{
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		size_t len = strlen(line);

		assert_true(hl_escape_columns(line, HL_ESCAPE_TEXT) <= width);
		assert_true(!len || line[len - 1] != ' ');
	}
}

static void no_line_is_wider_than_the_terminal(void **state)
{
	static const unsigned widths[] = { 40, 60, 80, 100, 160 };

	(void)state;
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		HL_GRAPH struct hl_graph *graph = made_graph();
		char *text;

		graph->findings[0]->paste = NULL; /* never wrapped */
		graph->verdicts[0]->text =
			"averylongwordthatnoterminalcanholdonaline_"
			"averylongwordthatnoterminalcanhold"
			"onaline_averylongwordthatnoterminalcanholdonaline and more of it";
		text = text_of(graph, widths[i]);
		assert_lines_fit(text, widths[i]);
		free(text);
	}
}

static void words_fill_a_line_to_its_last_column(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	char *text;

	(void)state;
	hl_graph_warn(graph, "%s", "aaaaaaaaaaaaaaaaaaaaaaaaaa bbb cc");
	text = text_of(graph, 40); /* ten columns of label, 26 + 1 + 3 of text */
	assert_non_null(strstr(text, "aaaa bbb\n          cc\n"));
	free(text);
}

static void a_layer_that_binds_is_marked_and_masked_ones_too(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	char *text;

	(void)state;
	graph->losses[1]->is_masked = true;
	text = text_of(graph, 120);
	assert_non_null(strstr(text, "binds"));
	assert_non_null(strstr(text, "masked"));
	free(text);
}

static void figures_stand_with_their_units(void **state)
{
	static const char *const expected[] = { "29,564",
						"31,000",
						"at most  1,850",
						"240 us",
						"made.txt:51",
						"256 KiB",
						"32x4",
						"at most 1,180 MiB/s",
						"warning   one hop was busy" };
	HL_GRAPH struct hl_graph *graph = made_graph();
	char *text = text_of(graph, 100);

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_non_null(strstr(text, expected[i]));
	free(text);
}

static void the_commands_to_paste_are_not_wrapped(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	char *text = text_of(graph, 40);

	(void)state;
	assert_non_null(strstr(text, "\n    cat /sys/block/sda/queue/nr_requests\n"));
	free(text);
}

static void unknown_figures_are_not_printed_as_numbers(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct hl_rate *rate = graph->hops[1]->measurements[0]->dir[HL_DIR_READ];
	char *text;

	(void)state;
	rate->bw = rate->iops = rate->lat->mean = rate->lat->p99 = NAN;
	graph->ladders[0]->steps[0].bw = NAN;
	graph->losses[2]->factor = graph->losses[2]->share_pct = NAN;
	text = text_of(graph, 100);
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, "NAN"));
	free(text);
}

static void colour_comes_only_when_asked_for(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct hl_report_style style = { .width = 100, .has_colour = true };
	char *plain = text_of(graph, 100);
	char *coloured = made_report("text", graph, &style);

	(void)state;
	assert_null(strchr(plain, '\033'));
	assert_non_null(strchr(coloured, '\033'));
	free(plain);
	free(coloured);
}

static void ascii_style_writes_ascii_only(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct hl_report_style style = { .width = 100, .is_ascii = true };
	char *text;

	(void)state;
	graph->hops[4]->name = "größe";
	text = made_report("text", graph, &style);
	for (const char *at = text; *at; at++)
		assert_true(*at == '\n' || (*at >= 0x20 && *at < 0x7f));
	assert_non_null(strchr(text, '#'));
	free(text);
}

static void hostile_names_reach_no_terminal(void **state)
{
	static const char hostile[] = "\033]0;title\a\033[2J\xe2\x80\xae evil \xff\r\n- x";
	HL_GRAPH struct hl_graph *graph = made_graph();
	char *text;

	(void)state;
	graph->hops[2]->name = hostile;
	graph->hops[4]->measurements[0]->workload.name = hostile;
	graph->findings[0]->text = hostile;
	graph->inputs[0]->file = hostile;
	text = text_of(graph, 100);
	for (const char *at = text; *at; at++)
		assert_true(*at == '\n' || ((unsigned char)*at >= 0x20 && *at != 0x7f));
	assert_null(strstr(text, "\xe2\x80\xae"));
	assert_null(strchr(text, '\xff'));
	free(text);
}

static void inputs_that_were_read_as_a_whole_are_not_listed(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	char *text;

	(void)state;
	graph->inputs[0]->status = HL_INPUT_READ;
	text = text_of(graph, 100);
	assert_null(strstr(text, "What was given"));
	free(text);
}

static void text_between_results_is_named_by_its_lines(void **state)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	char *text;

	(void)state;
	for (unsigned i = 0; i < 40; i++) {
		struct hl_input *input = hl_graph_add_input(graph);

		input->file = i < 20 ? "post.txt" : "other.txt";
		input->first_line = 10 * i + 1;
		input->last_line = 10 * i + (i == 2 ? 1 : 5);
		input->status = i % 2 ? HL_INPUT_READ : HL_INPUT_PROSE;
	}
	graph->inputs[19]->status = HL_INPUT_PROSE;
	text = text_of(graph, 200);
	assert_non_null(strstr(text, "not read  post.txt: lines 1-5, 21, 41-45, 61-65"));
	assert_non_null(strstr(text, "not read  other.txt: lines 201-205"));
	assert_null(strstr(text, "What was given"));
	free(text);
}

static void the_same_graph_gives_the_same_bytes(void **state)
{
	(void)state;
	for (size_t i = 0; hl_reports[i]; i++) {
		HL_GRAPH struct hl_graph *a = made_graph();
		HL_GRAPH struct hl_graph *b = made_graph();
		struct hl_report_style style = { .width = 100 };
		char *first = made_report(hl_reports[i]->name, a, &style);
		char *again = made_report(hl_reports[i]->name, a, &style);
		char *other = made_report(hl_reports[i]->name, b, &style);

		assert_string_equal(first, again);
		assert_string_equal(first, other);
		free(first);
		free(again);
		free(other);
	}
}

static void every_report_says_whether_it_holds_identities(void **state)
{
	static const char *const words[] = { "addresses: yes", "\"has_identities\": true" };

	(void)state;
	for (size_t i = 0; hl_reports[i]; i++) {
		HL_GRAPH struct hl_graph *graph = made_graph();
		struct hl_report_style style = { .width = 100 };
		char *text;

		graph->has_identities = true;
		text = made_report(hl_reports[i]->name, graph, &style);
		assert_true(strstr(text, words[0]) || strstr(text, words[1]));
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_verdict_is_the_first_line),
		cmocka_unit_test(an_empty_graph_says_that_there_is_no_verdict),
		cmocka_unit_test(no_line_is_wider_than_the_terminal),
		cmocka_unit_test(words_fill_a_line_to_its_last_column),
		cmocka_unit_test(a_layer_that_binds_is_marked_and_masked_ones_too),
		cmocka_unit_test(figures_stand_with_their_units),
		cmocka_unit_test(the_commands_to_paste_are_not_wrapped),
		cmocka_unit_test(unknown_figures_are_not_printed_as_numbers),
		cmocka_unit_test(colour_comes_only_when_asked_for),
		cmocka_unit_test(ascii_style_writes_ascii_only),
		cmocka_unit_test(hostile_names_reach_no_terminal),
		cmocka_unit_test(inputs_that_were_read_as_a_whole_are_not_listed),
		cmocka_unit_test(text_between_results_is_named_by_its_lines),
		cmocka_unit_test(the_same_graph_gives_the_same_bytes),
		cmocka_unit_test(every_report_says_whether_it_holds_identities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
