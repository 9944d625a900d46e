/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparison as a page.
 */
#include "columns_changes.h"
#include "hoploss/comparison_report.h"
#include "html.h"

static const char *heading_of(const struct hl_comparison *comparison)
{
	if (comparison->has_worse)
		return "Something got worse";
	for (size_t i = 0; i < comparison->nr_checks; i++) {
		if (comparison->checks[i].status == HL_CHECK_FAIL)
			return "SR-IOV is not right";
	}
	if (comparison->nr_states == 1)
		return "One state alone, not measured";
	return "Nothing is known to have got worse";
}

static void put_head(FILE *out, const struct hl_comparison *comparison)
{
	fprintf(out,
		"<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
		"<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
		"<title>hoploss compare</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n"
		"<p class=over>hoploss · comparison</p>\n",
		hl_html_style);
	hl_html_element(out, "h1", heading_of(comparison));
	hl_html_element(out, "p", comparison->verdict);
	fputs("</header>\n<main>\n", out);
}

static void html_render(const struct hl_comparison *comparison, const struct hl_report_style *style,
			FILE *out)
{
	const char *advice;

	(void)style;
	put_head(out, comparison);
	for (size_t to = 1; to < comparison->nr_states; to++) {
		for (size_t from = to; from-- > 0;)
			hl_html_section(out, hl_columns_changes(comparison, from, to));
		hl_html_section(out, hl_columns_changed_facts(comparison, to - 1));
	}
	for (size_t i = 0; (advice = hl_columns_advice(comparison, i)); i++)
		hl_html_element(out, "p", advice);
	hl_html_section(out, hl_columns_sriov(comparison));
	for (size_t i = 0; i < comparison->nr_warnings; i++)
		hl_html_element(out, "p", comparison->warnings[i]);
	fputs("</main>\n</body>\n</html>\n", out);
}

const struct hl_comparison_report hl_comparison_html = {
	.name = "html",
	.render = html_render,
};
