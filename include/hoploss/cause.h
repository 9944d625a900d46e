/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cause: a rule that names a reason inside a layer. Pure: reads the graph, adds findings.
 *
 * To add one: a const struct at the bottom of a file of its layer in src/causes/ and one line in
 * src/causes/table.c. Ids are API: never renamed, never reused.
 */
#ifndef HOPLOSS_CAUSE_H
#define HOPLOSS_CAUSE_H

#include "hoploss/graph.h"

struct hl_cause {
	const char *id;      /* "serial-stage" */
	const char *summary; /* one line */
	enum hl_layer layer; /* NONE: it can sit in any */
	const char *explain; /* paragraphs for `hoploss causes ID`: what, how it is recognised, */
			     /* what else looks like it, what decides, what to do */
	const char *const *rivals; /* ids of look-alikes, NULL-terminated */
	void (*match)(struct hl_graph *graph, const struct hl_cause *cause);
};

extern const struct hl_cause *const hl_causes[]; /* NULL-terminated */

const struct hl_cause *hl_cause_find(const char *id);
void hl_causes_match(struct hl_graph *graph); /* all of them, in table order */
/*
 * A finding with id, layer and rivals of the cause filled in. Of several runs of the workload of at
 * it gets the one that stands for all of them (hl_pair_find); at NULL = of the hop as a whole.
 * hop NULL: nobody knows whose path it is on, as of a saved lspci.
 */
struct hl_finding *hl_cause_found(struct hl_graph *graph, const struct hl_cause *cause,
				  const struct hl_hop *hop, const struct hl_measurement *at,
				  enum hl_dir dir);

#endif
