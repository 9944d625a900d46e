/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report formats there are, each at the bottom of its own file; reports/table.c lists them.
 */
#ifndef HOPLOSS_REPORTS_FORMATS_H
#define HOPLOSS_REPORTS_FORMATS_H

#include "hoploss/report.h"

extern const struct hl_report hl_report_text;
extern const struct hl_report hl_report_json;
extern const struct hl_report hl_report_html;
extern const struct hl_report hl_report_md;
extern const struct hl_report hl_report_svg;

#endif
