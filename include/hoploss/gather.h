/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything that was named on the command line in one bundle: files as inputs, other bundles
 * joined to the one that holds a run.
 */
#ifndef HOPLOSS_GATHER_H
#define HOPLOSS_GATHER_H

#include "hoploss/bundle.h"
#include "hoploss/sources.h"

bool hl_source_is_bundle(const struct hl_source *source);

/*
 * out: the directory of a new bundle on disk; NULL = in memory. is_scrubbed: nothing that names a
 * person's machines goes into that, see hl_bundle_scrub. A file that cannot be read is said
 * on stderr and sets *ret_is_missing. *ret_bundle stays NULL when not one file could be read.
 * -EEXIST: two of the bundles hold a run, or out cannot be made: see hl_bundle_record.
 */
int hl_gather(const struct hl_sources *sources, const char *out, bool is_scrubbed,
	      struct hl_bundle **ret_bundle, bool *ret_is_missing, struct hl_error *err);

#endif
