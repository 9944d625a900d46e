/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report format. Renderers read the finished graph only, know no fact by name, and write into a
 * memory stream that is printed whole, so an error leaves no half document.
 */
#ifndef HOPLOSS_REPORT_H
#define HOPLOSS_REPORT_H

#include "hoploss/error.h"
#include "hoploss/graph.h"
#include <stdbool.h>
#include <stdio.h>

/* Of the rules that make a diagnosis: raised when the same bundle would give another report. */
#define HL_ENGINE_VERSION 1

struct hl_report_style {
	unsigned width;     /* text columns, 100 unless stdout is a terminal; 0 = 100 */
	bool has_colour;    /* text only: escape sequences for states */
	bool is_ascii;      /* text only: the locale has no UTF-8, so bars of '#' */
	bool is_anonymised; /* names of the bundle were replaced: said in the report */
};

struct hl_report {
	const char *name; /* "text" */
	const char *summary;
	int (*render)(const struct hl_graph *graph, const struct hl_report_style *style, FILE *out,
		      struct hl_error *err);
};

extern const struct hl_report *const hl_reports[]; /* NULL-terminated */

const struct hl_report *hl_report_find(const char *name); /* or NULL */
/* Renders into memory, then writes it to out in one go. */
int hl_report_write(const struct hl_report *report, const struct hl_graph *graph,
		    const struct hl_report_style *style, FILE *out, struct hl_error *err);

#endif
