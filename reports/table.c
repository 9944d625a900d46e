/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of report formats. To add one: a const struct at the bottom of its own file and a line
 * here.
 */
#include "formats.h"
#include <string.h>

const struct hl_report *const hl_reports[] = {
	&hl_report_text, &hl_report_json, &hl_report_html, &hl_report_md, &hl_report_svg, NULL,
};

const struct hl_report *hl_report_find(const char *name)
{
	for (size_t i = 0; hl_reports[i]; i++) {
		if (!strcmp(hl_reports[i]->name, name))
			return hl_reports[i];
	}
	return NULL;
}
