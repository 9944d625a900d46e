/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The drives of a graph: which nodes are names of one drive, and where it was measured.
 */
#ifndef ACCEPT_SUBJECT_H
#define ACCEPT_SUBJECT_H

#include "check.h"

/* All drives of the graph in order of their first fact or hop, or those that were asked for. */
int subjects_find(const struct hl_graph *graph, const struct hl_acceptance_how *how,
		  struct hl_arena *arena, struct subject **ret_subjects, size_t *ret_nr,
		  struct hl_error *err);

#endif
