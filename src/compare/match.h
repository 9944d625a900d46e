/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which measurement of one state is to be held against which of the other. Used in src/compare.
 */
#ifndef COMPARE_MATCH_H
#define COMPARE_MATCH_H

#include "hoploss/comparison.h"

/* The measurement belongs to that state, and is no experiment's. */
bool match_is_of(const struct hl_compared *state, const struct hl_measurement *at);
/* Something was measured there in that state; false for NULL. */
bool match_is_measured(const struct hl_compared *state, const struct hl_hop *hop);
/* The hop of a state that a hop of an earlier one is called there; NULL. */
const struct hl_hop *match_hop(const struct hl_compared *state, const struct hl_hop *hop,
			       const struct hl_hop_match *matches, size_t nr_matches);
/*
 * The measurement of hop that is of the same workload: pattern, block size, depth and jobs; where
 * these are not known, the name. NULL when there is none.
 */
/* It has a bandwidth, or a number of I/Os alone, as a table of IOPS has. */
bool match_is_usable(const struct hl_measurement *at, enum hl_dir dir);
const struct hl_measurement *match_find(const struct hl_compared *state, const struct hl_hop *hop,
					const struct hl_measurement *at, enum hl_dir dir);
/* Why two of one workload cannot be compared nevertheless; NULL when they can. */
const char *match_misfit(struct hl_arena *arena, const struct hl_measurement *before,
			 const struct hl_measurement *after);

#endif
