/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the captures of a bundle to facts: what was kept by the formats, what was recorded by the
 * probes. Pure.
 */
#ifndef HOPLOSS_DECODE_H
#define HOPLOSS_DECODE_H

#include "hoploss/captures.h"
#include "hoploss/graph.h"

/*
 * Adds facts, inputs, warnings and statuses of all captures. Of a host that was captured more than
 * once the later one counts; what only an earlier one knows is added, but not what was read before
 * a run and is gone after it. Counters that stand in both get what they were before.
 * is_nameless: kept texts are called by their names alone.
 */
void hl_decode_captures(const struct hl_captures *captures, bool is_nameless,
			struct hl_graph *graph);

#endif
