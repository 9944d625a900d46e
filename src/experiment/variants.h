/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparing the variants of an experiment, shared by the files of this room.
 */
#ifndef HOPLOSS_EXPERIMENT_VARIANTS_H
#define HOPLOSS_EXPERIMENT_VARIANTS_H

#include "hoploss/experiment.h"

/* How many times as much one variant gives as another; all NAN where too few turns have both. */
struct contrast {
	double times, low, high;
};

/* Of b against a; each with its direction, for a TCP stream has another than a read. */
struct contrast contrast_of(const struct hl_measurement *a, enum hl_dir dir_a,
			    const struct hl_measurement *b, enum hl_dir dir_b);
/* Of two variants that do the same kind of I/O. */
struct contrast contrast_in(const struct hl_measurement *const *variants, unsigned a, unsigned b,
			    enum hl_dir dir);

bool contrast_is_known(const struct contrast *contrast);
bool contrast_is_more(const struct contrast *contrast);    /* more than 1.1 times, surely */
bool contrast_is_no_more(const struct contrast *contrast); /* surely not */
bool contrast_is_alike(const struct contrast *contrast);   /* neither more nor less, surely */

/* "1.02 times as much (0.98 to 1.05)" */
const char *contrast_text(struct hl_graph *graph, const struct contrast *contrast);

/* Adds ids, NULL-terminated, to what the result speaks for and against; NULL = none. */
void contrast_conclude(struct hl_graph *graph, struct hl_experiment *result,
		       const char *const *supports, const char *const *against);
/* "not decided: REASON": why one of the variants has no figures, or that they scatter too much. */
const char *contrast_undecided(struct hl_graph *graph, const struct hl_measurement *const *variants,
			       unsigned nr_variants);

#endif
