/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pure half of hoploss: bundle in, finished graph out. Same bundle, same graph, byte for byte.
 */
#ifndef HOPLOSS_DIAGNOSE_H
#define HOPLOSS_DIAGNOSE_H

#include "hoploss/bundle.h"
#include "hoploss/graph.h"

/* Another way than as it was recorded. */
struct hl_diagnose_how {
	const struct hl_bundle_spec *spec; /* in place of the recorded one; NULL = that one */
	bool is_nameless; /* files, and hops named after them, are called input-1, input-2 … */
};

/*
 * Reads every input of the bundle by its format, then runs model and causes. Unusable inputs are
 * listed in graph->inputs and fail nothing, even where nothing else was there: see
 * hl_diagnose_exit. Hops given in order follow each other; so do those of plain files, with a
 * warning; hops that a table of results brings along stand alone. -EBADMSG: the recorded datasheet
 * is broken. how may be NULL. The bundle must outlive the graph.
 */
int hl_diagnose(const struct hl_bundle *bundle, const struct hl_diagnose_how *how,
		struct hl_graph **ret_graph, struct hl_error *err);

/*
 * What the graph amounts to. HL_EXIT_UNABLE: not one measurement or fact in it. Else
 * HL_EXIT_INCOMPLETE when an input could not be used, whole or in part, or a job failed; it comes
 * before HL_EXIT_FINDINGS, for a script must not take half a diagnosis for a whole one.
 */
enum hl_exit hl_diagnose_exit(const struct hl_graph *graph);

#endif
