/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Printing a diagnosis: what `diagnose`, `report` and whoever else ends in a report share.
 */
#ifndef HOPLOSS_SHOW_H
#define HOPLOSS_SHOW_H

#include "hoploss/bundle.h"
#include "hoploss/command.h"
#include "hoploss/report.h"

struct hl_show {
	const struct hl_report *report;
	struct hl_report_style style;
	const struct hl_bundle_spec *spec; /* in place of the recorded one; NULL = that one */
};

/* Rows for the option table of a command that shows a diagnosis. */
#define HL_SHOW_OPTIONS                                                                            \
	{ .name = "format",                                                                        \
	  .arg = "FORMAT",                                                                         \
	  .help = "text, json, html (one file, no script), md or svg (default text)",              \
	  .values = "text json html md svg" },                                                     \
		{ .name = "anonymize",                                                             \
		  .help = "replace serials, addresses, host names, paths and the names of "        \
			  "files" },                                                               \
		HL_COLOR_OPTION

/* The last of them, for commands whose report is no diagnosis. */
#define HL_COLOR_OPTION                                                                            \
	{                                                                                          \
		.name = "color", .arg = "WHEN",                                                    \
		.help = "colour the text: auto, always or never (default auto: on a terminal, "    \
			"unless NO_COLOR is set)",                                                 \
		.values = "auto always never"                                                      \
	}

/* What stands for all of them in the usage of such a command. */
#define HL_SHOW_USAGE "[--format FORMAT] [--anonymize] [--json] [--color WHEN]"

/* Reads those options and --json. -EINVAL: err says what is wrong. */
int hl_show_prepare(const struct hl_args *args, struct hl_show *ret_show, struct hl_error *err);

/*
 * Diagnoses bundle and prints the report, or, where nothing was readable, says on stderr why.
 * Gives the exit code of the command: hl_diagnose_exit's, or HL_EXIT_UNABLE.
 */
enum hl_exit hl_show_diagnosis(const struct hl_show *show, const struct hl_bundle *bundle);
/* The same of a finished graph, for who wants to look at it too. */
enum hl_exit hl_show_graph(const struct hl_show *show, struct hl_graph *graph);

#endif
