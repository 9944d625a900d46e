/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * depth-limited by the generator itself: it asks for few I/Os at a time and gets each at once.
 * Used by src/causes.
 */
#ifndef HOPLOSS_SHALLOW_H
#define HOPLOSS_SHALLOW_H

#include "hoploss/cause.h"

/* Adds at most one finding of cause for hop and direction. */
void hl_shallow_match(struct hl_graph *graph, const struct hl_cause *cause,
		      const struct hl_hop *hop, enum hl_dir dir);

#endif
