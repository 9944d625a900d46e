/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs that a file holds twice: a result pasted again, or printed as JSON and as text.
 */
#ifndef IMPORT_REPEAT_H
#define IMPORT_REPEAT_H

#include "hoploss/graph.h"
#include <stddef.h>

struct hl_repeat; /* the measurements of one file so far */

struct hl_repeat *hl_repeat_new(void);
void hl_repeat_free(struct hl_repeat *repeat); /* NULL allowed */
/*
 * Whether all measurements of hop from index first on say the same as ones added before. If so,
 * those take over what only these say, and the first of them is returned; else these are remembered
 * and NULL is returned.
 */
const struct hl_measurement *hl_repeat_add(struct hl_repeat *repeat, const struct hl_hop *hop,
					   size_t first);

#endif
