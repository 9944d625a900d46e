/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the causes about drives have in common: facts by drive, and how a drive is called.
 */
#ifndef CAUSES_DRIVE_SAID_H
#define CAUSES_DRIVE_SAID_H

#include "hoploss/graph.h"

/*
 * The index-th drive that has a fact of any of those keys, NULL-terminated: the first such fact of
 * it; NULL = no more. Each host and node once.
 */
const struct hl_fact *drive_next(const struct hl_graph *graph, const char *const *keys,
				 size_t index);
/* Facts of that key at the drive; NAN and false = not known, or not so. */
double drive_number(const struct hl_graph *graph, const struct hl_fact *at, const char *key);
bool drive_is(const struct hl_graph *graph, const struct hl_fact *at, const char *key);
/*
 * How far a counter moved: from the capture before a run to that after it, or between several
 * readings of the drive that were given. NAN = there is only one reading.
 */
double drive_moved(const struct hl_graph *graph, const struct hl_fact *at, const char *key);
/* The greatest of several readings; for a truth, whether any of them says so. */
double drive_most(const struct hl_graph *graph, const struct hl_fact *at, const char *key);
/* "nvme0 (KCD61LUL7T68)" */
const char *drive_say(struct hl_graph *graph, const struct hl_fact *at);
/* Adds the drive's facts of those keys, NULL-terminated. */
void drive_add_evidence(struct hl_graph *graph, struct hl_finding *finding,
			const struct hl_fact *at, const char *const *keys);
/* "A; B; C": adds a part, with a semicolon where there is one before. */
const char *drive_join(struct hl_graph *graph, const char *parts, const char *part);

#endif
