/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparison for a terminal: the verdict first, then a table for each step.
 */
#include "columns_changes.h"
#include "hoploss/comparison_report.h"
#include "pen.h"

static void put_grid(struct hl_pen *pen, const struct hl_grid *grid)
{
	if (!grid)
		return;
	hl_pen_heading(pen, grid->title);
	hl_pen_grid(pen, grid, 2);
}

static void put_steps(struct hl_pen *pen, const struct hl_comparison *comparison)
{
	for (size_t to = 1; to < comparison->nr_states; to++) {
		for (size_t from = to; from-- > 0;)
			put_grid(pen, hl_columns_changes(comparison, from, to));
		put_grid(pen, hl_columns_changed_facts(comparison, to - 1));
	}
}

static void text_render(const struct hl_comparison *comparison, const struct hl_report_style *style,
			FILE *out)
{
	struct hl_pen pen = hl_pen_new(out, style);
	const char *advice;

	hl_pen_wrap(&pen, comparison->verdict, 0);
	hl_pen_newline(&pen);
	put_steps(&pen, comparison);
	put_grid(&pen, hl_columns_sriov(comparison));
	hl_pen_newline(&pen);
	for (size_t i = 0; (advice = hl_columns_advice(comparison, i)); i++)
		hl_pen_item(&pen, "next", advice, 0);
	for (size_t i = 0; i < comparison->nr_warnings; i++)
		hl_pen_item(&pen, "warning", comparison->warnings[i], 0);
}

const struct hl_comparison_report hl_comparison_text = {
	.name = "text",
	.render = text_render,
};
