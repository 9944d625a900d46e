/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was given on the command line as one state of a system, diagnosed.
 */
#ifndef HOPLOSS_GIVEN_H
#define HOPLOSS_GIVEN_H

#include "hoploss/bundle.h"
#include "hoploss/graph.h"
#include "hoploss/sources.h"

struct hl_given {
	const char *name; /* of the first source */
	struct hl_bundle *bundle;
	struct hl_graph *graph;
	bool is_missing; /* a file could not be read, or not to its end, and that was said */
};

struct hl_given_how {
	const char *out;  /* directory of the bundle; NULL = none is written */
	bool is_nameless; /* of files: see hl_diagnose_how */
};

/*
 * Reads sources, bundles and files together, and records them as a bundle where how says.
 * What is unusable is named on stderr; -ENODATA: all of it is. Clear with hl_given_clear.
 */
int hl_given_read(const struct hl_sources *sources, const struct hl_given_how *how,
		  struct hl_given *ret_given, struct hl_error *err);
void hl_given_clear(struct hl_given *given); /* of an empty one too */

#endif
