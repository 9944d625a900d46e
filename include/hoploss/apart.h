/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of different machines told apart: two that do not say where they come from, but say that
 * one node is two things (nvme0 with two serial numbers), are not of one machine.
 */
#ifndef HOPLOSS_APART_H
#define HOPLOSS_APART_H

#include "hoploss/graph.h"

/*
 * After the facts from first on were read from file: those of no known host get one of their own,
 * called after the file, if they contradict what was read before; the same host as an earlier file
 * that is told apart if they are of that. A warning says so. Returns the host, NULL = as it was.
 */
const char *hl_apart_tell(struct hl_graph *graph, size_t first, const char *file);
/*
 * May facts of host a be of host b? NULL = not known, which may be any but one that was told apart.
 */
bool hl_apart_may_be_one(const struct hl_graph *graph, const char *a, const char *b);

#endif
