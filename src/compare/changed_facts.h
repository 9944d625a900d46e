/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts that differ between two states. Used in src/compare.
 */
#ifndef COMPARE_CHANGED_FACTS_H
#define COMPARE_CHANGED_FACTS_H

#include "hoploss/comparison.h"

/* Adds those between the states from and from + 1, weightiest first. */
void changed_facts_add(struct hl_comparison *comparison, size_t from);

#endif
