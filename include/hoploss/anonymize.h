/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Taking what names people's machines out of a report: serials, addresses, world-wide names, host
 * and file names, paths.
 *
 * The same thing gets the same stand-in all through one report; stand-ins are numbered in order of
 * appearance, so nothing of the original is in them, and the same bundle still gives the same
 * bytes. They come from ranges kept for documentation and tests: RFC 2544, RFC 3849, RFC 2606.
 */
#ifndef HOPLOSS_ANONYMIZE_H
#define HOPLOSS_ANONYMIZE_H

#include "hoploss/bundle.h"
#include "hoploss/graph.h"

/* Serials, addresses or host names are in the strings of graph. File and hop names do not count. */
bool hl_anonymize_is_needed(const struct hl_graph *graph);

/*
 * A copy in memory whose inputs are called input-1, input-2 …, and so are the hops that were named
 * after them. What a person called a hop by --hop stays. Free with hl_bundle_free.
 */
int hl_anonymize_bundle(const struct hl_bundle *bundle, struct hl_bundle **ret_bundle,
			struct hl_error *err);

/* Replaces identities in every string of a finished graph, and forgets the seed. */
void hl_anonymize_graph(struct hl_graph *graph);

#endif
