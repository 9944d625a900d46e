/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that look like the one a person mistyped.
 *
 * Start with the word that was given, offer every name there is, then ask for the hint.
 */
#ifndef HOPLOSS_NEAR_H
#define HOPLOSS_NEAR_H

#include <stddef.h>

#define HL_NEAR_MAX 3

struct hl_near {
	const char *wanted;
	const char *names[HL_NEAR_MAX]; /* nearest first; they must outlive the struct */
	size_t distance[HL_NEAR_MAX];
	size_t nr_names;
	char hint[160];
};

/* Insertions, deletions, replacements and swaps of neighbours from a to b, case ignored. */
size_t hl_near_distance(const char *a, const char *b);

void hl_near_start(struct hl_near *near, const char *wanted);
void hl_near_offer(struct hl_near *near, const char *name);
/* "; did you mean causes, cases?" to hang on a message, or "" when no name is near. */
const char *hl_near_hint(struct hl_near *near);

#endif
