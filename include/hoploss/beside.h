/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What meters saw beside the slots of one measurement: facts of node "HOP/WORKLOAD". Used by
 * src/causes.
 */
#ifndef HOPLOSS_BESIDE_H
#define HOPLOSS_BESIDE_H

#include "hoploss/trial.h"

/* NULL when no meter saw it. */
const struct hl_fact *hl_beside_fact(const struct hl_graph *graph, const struct hl_measurement *at,
				     const char *key);
/* The index-th of them: each host of the path may have seen one, the hop's own comes first. */
const struct hl_fact *hl_beside_fact_at(const struct hl_graph *graph,
					const struct hl_measurement *at, const char *key,
					size_t index);
/* NAN when no meter saw it. */
double hl_beside_number(const struct hl_graph *graph, const struct hl_measurement *at,
			const char *key);
/* The nearest hop before it that measured the same; NULL = none. */
const struct hl_measurement *hl_beside_before(const struct hl_trial *trial);
/*
 * That finding mended, trial gives at most what the hop before it did; before NULL = nothing is
 * known.
 */
void hl_beside_predict(struct hl_finding *finding, const struct hl_trial *trial,
		       const struct hl_measurement *before);
/* Name of the job, for a sentence. */
const char *hl_beside_job(const struct hl_measurement *at);

#endif
