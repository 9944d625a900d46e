/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pure half of hoploss: bundle in, finished graph out. Same bundle, same graph, byte for byte.
 */
#ifndef HOPLOSS_DIAGNOSE_H
#define HOPLOSS_DIAGNOSE_H

#include "hoploss/bundle.h"
#include "hoploss/graph.h"

/*
 * Reads every input of the bundle by its format, then runs model and causes. Unusable inputs are
 * listed in graph->inputs and do not fail the whole; -ENODATA when nothing was readable.
 * The bundle must outlive the graph.
 */
int hl_diagnose(const struct hl_bundle *bundle, struct hl_graph **ret_graph, struct hl_error *err);

/* HL_EXIT_OK, _FINDINGS or _INCOMPLETE, by what the graph holds. */
enum hl_exit hl_diagnose_exit(const struct hl_graph *graph);

#endif
