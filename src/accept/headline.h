/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first line of a certificate. A new drive is blank and its reads do not count, so that line
 * also says what would let them count, how long it takes and how much it writes.
 */
#ifndef ACCEPT_HEADLINE_H
#define ACCEPT_HEADLINE_H

#include "check.h"

/* Verdict and counts are there. Fills headline and what filling the drive would take. */
void headline_put(const struct subject *subject, struct hl_acceptance *acceptance);
void headline_put_set(struct hl_acceptance_set *set, const struct hl_acceptance_how *how,
		      const struct hl_graph *graph);

#endif
