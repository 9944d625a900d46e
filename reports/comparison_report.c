/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of formats of a comparison, and writing one in one go.
 */
#include "hoploss/comparison_report.h"
#include "document.h"
#include <string.h>

extern const struct hl_comparison_report hl_comparison_text, hl_comparison_json, hl_comparison_html;

const struct hl_comparison_report *const hl_comparison_reports[] = {
	&hl_comparison_text,
	&hl_comparison_json,
	&hl_comparison_html,
	NULL,
};

const struct hl_comparison_report *hl_comparison_report_find(const char *name)
{
	for (size_t i = 0; hl_comparison_reports[i]; i++) {
		if (!strcmp(hl_comparison_reports[i]->name, name))
			return hl_comparison_reports[i];
	}
	return NULL;
}

int hl_comparison_report_write(const struct hl_comparison_report *report,
			       const struct hl_comparison *comparison,
			       const struct hl_report_style *style, FILE *out, struct hl_error *err)
{
	struct hl_document document;
	int rc = hl_document_begin(&document, "comparison", err);

	if (rc < 0)
		return rc;
	report->render(comparison, style, document.memory);
	return hl_document_end(&document, 0, out, err);
}
