/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ARC's counters, /proc/spl/kstat/zfs/arcstats: a name, a type and a number a line.
 */
#ifndef PROBES_ARCSTATS_H
#define PROBES_ARCSTATS_H

#include "hoploss/text.h"
#include "zfs_text.h"

#define HL_ARCSTATS_PATH "/proc/spl/kstat/zfs/arcstats"
#define HL_ARCSTATS_NODE "arc"

struct hl_arcstat {
	const char *name; /* "demand_data_hits" */
	const char *key;  /* of its fact */
};

extern const struct hl_arcstat hl_arcstats[]; /* ends with a NULL name */

/* The number of that name in the whole text; NAN. */
double hl_arcstats_find(const char *text, const char *name);

#endif
