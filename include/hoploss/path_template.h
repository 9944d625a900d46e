/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A path file to fill in: the hops that would have to be measured before a leaf, for a person who
 * has measured that one only. Used by src/causes.
 */
#ifndef HOPLOSS_PATH_TEMPLATE_H
#define HOPLOSS_PATH_TEMPLATE_H

#include "hoploss/graph.h"

/*
 * Whole lines, in the arena of graph. What a person has to fill in is in capitals; it parses as it
 * stands (hl_path_parse). Datasheet and number of drives are those of graph.
 */
const char *hl_path_template(struct hl_graph *graph, const struct hl_hop *leaf);

#endif
