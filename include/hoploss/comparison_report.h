/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report of a comparison, in a format. Renderers read the finished comparison only.
 */
#ifndef HOPLOSS_COMPARISON_REPORT_H
#define HOPLOSS_COMPARISON_REPORT_H

#include "hoploss/comparison.h"
#include "hoploss/report.h"

struct hl_comparison_report {
	const char *name; /* "text" */
	void (*render)(const struct hl_comparison *comparison, const struct hl_report_style *style,
		       FILE *out);
};

extern const struct hl_comparison_report *const hl_comparison_reports[]; /* NULL-terminated */

const struct hl_comparison_report *hl_comparison_report_find(const char *name); /* or NULL */
/* Renders into memory, then writes it to out in one go. */
int hl_comparison_report_write(const struct hl_comparison_report *report,
			       const struct hl_comparison *comparison,
			       const struct hl_report_style *style, FILE *out,
			       struct hl_error *err);

#endif
