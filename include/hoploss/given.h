/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was given on the command line as one state of a system: a bundle, or saved files.
 */
#ifndef HOPLOSS_GIVEN_H
#define HOPLOSS_GIVEN_H

#include "hoploss/bundle.h"
#include "hoploss/graph.h"

struct hl_given {
	const char *name; /* as it was given */
	struct hl_bundle *bundle;
	struct hl_graph *graph;
};

/*
 * Reads and diagnoses nr words: one bundle, or files; "-" is standard input. A file that cannot be
 * read is said on stderr and counted in *ret_missing. -ENODATA: nothing usable in any of them, and
 * each is named on stderr. Clear with hl_given_clear.
 */
int hl_given_read(const char *const *words, size_t nr, struct hl_given *ret_given,
		  size_t *ret_missing, struct hl_error *err);
void hl_given_clear(struct hl_given *given); /* of an empty one too */

#endif
