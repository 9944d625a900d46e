/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one state measured and no later one did: a comparison that is not made must be seen. Used in
 * src/compare.
 */
#ifndef COMPARE_ALONE_H
#define COMPARE_ALONE_H

#include "hoploss/comparison.h"

/* Warns of what state "from" measured and is measured in none after it. */
void alone_tell(struct hl_comparison *comparison, size_t from, const struct hl_hop_match *matches,
		size_t nr_matches);

#endif
