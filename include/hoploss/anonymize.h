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

#include "hoploss/graph.h"

/* Serials, addresses or host names are in the strings of graph. File and hop names do not count. */
bool hl_anonymize_is_needed(const struct hl_graph *graph);

/*
 * Replaces identities in every string of a finished graph, and forgets the seed. Names of files,
 * and of hops named after them, are kept out of the graph by hl_diagnose (is_nameless).
 */
void hl_anonymize_graph(struct hl_graph *graph);
/*
 * Several, and texts made of them (each may be NULL), with one stand-in for one thing in all; to be
 * freed together.
 */
void hl_anonymize_graphs(struct hl_graph *const *graphs, size_t nr, const char **const *texts,
			 size_t nr_texts);

#endif
