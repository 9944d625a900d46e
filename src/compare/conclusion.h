/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict of a comparison, in one paragraph: did it work, what did it give, what got worse,
 * what to look at next.
 */
#ifndef COMPARE_CONCLUSION_H
#define COMPARE_CONCLUSION_H

#include "hoploss/comparison.h"

const char *conclusion_of(const struct hl_comparison *comparison); /* in its arena */

#endif
