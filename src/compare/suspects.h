/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may have caused a change: what was changed at the same time and acts on that kind of I/O.
 */
#ifndef COMPARE_SUSPECTS_H
#define COMPARE_SUSPECTS_H

#include "hoploss/comparison.h"

/* Fills suspects and next of every row that is better or worse. */
void suspects_find(struct hl_comparison *comparison);

#endif
