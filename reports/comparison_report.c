/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of formats of a comparison, and writing one in one go.
 */
#include "hoploss/comparison_report.h"
#include "hoploss/alloc.h"
#include <errno.h>
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
	HL_FREE char *bytes = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&bytes, &len);

	if (!memory)
		return hl_fail(err, errno, "make room for the comparison: %s", strerror(errno));
	report->render(comparison, style, memory);
	if (fclose(memory))
		return hl_fail(err, errno, "make room for the comparison: %s", strerror(errno));
	if (fwrite(bytes, 1, len, out) != len || fflush(out))
		return hl_fail(err, errno, "write the comparison: %s", strerror(errno));
	return 0;
}
