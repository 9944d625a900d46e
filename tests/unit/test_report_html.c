/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reports with markup: HTML, SVG and Markdown hold no script, fetch nothing, and no name can
 * open a tag or break out of a table.
 */
#include "report_maker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const markup[] = { "html", "svg" };
#define NR_MARKUP (sizeof(markup) / sizeof(markup[0]))

static char *report_of(const char *format, const struct hl_graph *graph)
{
	struct hl_report_style style = { 0 };

	return made_report(format, graph, &style);
}

static void name_everything(struct hl_graph *graph, const char *name)
{
	graph->path_name = name;
	graph->verdicts[0]->text = name;
	graph->findings[0]->text = name;
	graph->findings[0]->paste = name;
	graph->inputs[0]->file = name;
	graph->warnings[0] = name;
	for (size_t i = 0; i < graph->nr_hops; i++) {
		graph->hops[i]->name = name;
		for (size_t k = 0; k < graph->hops[i]->nr_measurements; k++)
			graph->hops[i]->measurements[k]->workload.name = name;
	}
}

static void no_name_opens_a_tag_or_leaves_an_attribute(void **state)
{
	static const char hostile[] = "\"><script>alert(1)</script><img onerror='x'>&lt;]]>";

	(void)state;
	for (size_t i = 0; i < NR_MARKUP; i++) {
		HL_GRAPH struct hl_graph *graph = made_graph();
		char *text;

		name_everything(graph, hostile);
		text = report_of(markup[i], graph);
		assert_null(strstr(text, "<script"));
		assert_null(strstr(text, "<img"));
		assert_non_null(strstr(text, "&lt;script&gt;"));
		free(text);
	}
}

static void nothing_is_fetched_and_nothing_runs(void **state)
{
	static const char *const forbidden[] = { "<script", "<link", "<iframe", "src=",
						 "@import", "url(",  "onload",  "https:" };

	(void)state;
	for (size_t i = 0; i < NR_MARKUP; i++) {
		HL_GRAPH struct hl_graph *graph = made_graph();
		char *text = report_of(markup[i], graph);

		for (size_t k = 0; k < sizeof(forbidden) / sizeof(forbidden[0]); k++)
			assert_null(strstr(text, forbidden[k]));
		free(text);
	}
}

static size_t count(const char *text, const char *needle)
{
	size_t nr = 0;

	for (const char *at = text; (at = strstr(at, needle)); at += strlen(needle))
		nr++;
	return nr;
}

static void every_tag_that_opens_closes(void **state)
{
	static const char *const tags[] = { "svg",   "g",  "text", "tspan",   "title",  "table",
					    "tr",    "td", "th",   "section", "figure", "article",
					    "style", "dl", "pre",  "main",    "html" };

	(void)state;
	for (size_t i = 0; i < NR_MARKUP; i++) {
		HL_GRAPH struct hl_graph *graph = made_graph();
		char *text = report_of(markup[i], graph);

		for (size_t k = 0; k < sizeof(tags) / sizeof(tags[0]); k++) {
			char open[32], close[32], bare[32];

			snprintf(open, sizeof(open), "<%s ", tags[k]);
			snprintf(bare, sizeof(bare), "<%s>", tags[k]);
			snprintf(close, sizeof(close), "</%s>", tags[k]);
			assert_int_equal(count(text, open) + count(text, bare), count(text, close));
		}
		free(text);
	}
}

static void every_figure_of_a_drawing_is_in_a_table_too(void **state)
{
	static const char *const figures[] = { "29,564", "31,000", "24,000", "4,200",
					       "1,850",  "863",    "430 us", "240 us" };
	HL_GRAPH struct hl_graph *graph = made_graph();
	char *text = report_of("html", graph);

	(void)state;
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		char cell[64];

		snprintf(cell, sizeof(cell), "<td class=n>%s</td>", figures[i]);
		assert_non_null(strstr(text, cell));
	}
	free(text);
}

static void a_timeline_is_drawn_and_summed_up(void **state)
{
	static struct hl_point points[] = { { 0, 40 }, { 1, 62 }, { 2, NAN }, { 3, 60 } };
	HL_GRAPH struct hl_graph *graph = made_graph();
	struct hl_series *series = hl_graph_add_series(graph);
	char *text;

	(void)state;
	series->host = "nas";
	series->key = "smart.temperature_c";
	series->points = points;
	series->nr_points = 4;
	text = report_of("html", graph);
	assert_non_null(strstr(text, "points=\"0.0,98.0 333.3,2.0 1000.0,"));
	assert_non_null(strstr(text, "<td class=n>62 C</td>"));
	assert_null(strstr(text, "nan"));
	free(text);
}

static void an_empty_graph_makes_a_whole_page(void **state)
{
	static const char *const ends[] = { "</html>\n", "</svg>\n" };

	(void)state;
	for (size_t i = 0; i < NR_MARKUP; i++) {
		HL_GRAPH struct hl_graph *graph = hl_graph_new();
		char *text = report_of(markup[i], graph);

		assert_non_null(strstr(text, "No verdict"));
		assert_string_equal(text + strlen(text) - strlen(ends[i]), ends[i]);
		free(text);
	}
}

static void markdown_starts_with_six_lines_and_folds_the_rest(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	char *text = report_of("md", graph);
	size_t nr_lines = 0;

	(void)state;
	assert_non_null(strstr(text, "\n\n<details>"));
	for (const char *at = text; strncmp(at, "\n\n<details>", 11) != 0; at++)
		nr_lines += *at == '\n';
	assert_int_equal(nr_lines + 1, 6);
	assert_int_equal(count(text, "<details>"), count(text, "</details>"));
	free(text);
}

static void no_name_breaks_a_table_of_markdown(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	char *text;

	(void)state;
	name_everything(graph, "a|b\n<details>`x`");
	graph->findings[0]->paste = NULL; /* code shows it as it is */
	text = report_of("md", graph);
	assert_non_null(strstr(text, "a\\|b\\x0a&lt;details&gt;\\`x\\`"));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		assert_true(*line != '|' || !strstr(line, "a|b"));
	free(text);
}

static void the_fence_outgrows_what_it_holds(void **state)
{
	HL_GRAPH struct hl_graph *graph = made_graph();
	char *text;

	(void)state;
	graph->findings[0]->paste = "true\n````\n<b>not markup</b>";
	text = report_of("md", graph);
	assert_non_null(strstr(text, "\n`````\ntrue\n````\n<b>not markup</b>\n`````\n"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_name_opens_a_tag_or_leaves_an_attribute),
		cmocka_unit_test(nothing_is_fetched_and_nothing_runs),
		cmocka_unit_test(every_tag_that_opens_closes),
		cmocka_unit_test(every_figure_of_a_drawing_is_in_a_table_too),
		cmocka_unit_test(a_timeline_is_drawn_and_summed_up),
		cmocka_unit_test(an_empty_graph_makes_a_whole_page),
		cmocka_unit_test(markdown_starts_with_six_lines_and_folds_the_rest),
		cmocka_unit_test(no_name_breaks_a_table_of_markdown),
		cmocka_unit_test(the_fence_outgrows_what_it_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
