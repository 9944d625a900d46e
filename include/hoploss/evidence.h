/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evidence: the figures that a finding rests on, as facts of the graph with the file and line they
 * were read from, so that a person can check them by hand. Used by src/causes.
 */
#ifndef HOPLOSS_EVIDENCE_H
#define HOPLOSS_EVIDENCE_H

#include "hoploss/trial.h"

enum hl_figure {
	HL_FIGURE_IOPS,
	HL_FIGURE_BW,
	HL_FIGURE_LAT,
	HL_FIGURE_LAT_MIN,
	HL_FIGURE_CLAT,
	HL_FIGURE_P1,
	HL_FIGURE_P50,
	HL_FIGURE_P99,
	HL_FIGURE_SLAT,
	HL_FIGURE_SYNC,
	HL_FIGURE_DEPTH,
	HL_FIGURE_CPU,
	HL_FIGURE_SIZE,
	HL_NR_FIGURES,
};

/*
 * Adds that figure of a trial to the evidence of finding: a fact of node "HOP/JOB" and source
 * "FILE:LINE"; at most once a graph. An unknown figure adds nothing.
 */
void hl_evidence_add(struct hl_graph *graph, struct hl_finding *finding,
		     const struct hl_trial *trial, enum hl_figure figure);
/* Adds the fact of that key that the model found out about hop: that of value, NAN = the first. */
void hl_evidence_add_model(struct hl_graph *graph, struct hl_finding *finding,
			   const struct hl_hop *hop, const char *key, double value);

/* Those figures of each of the first three trials. */
void hl_evidence_add_all(struct hl_graph *graph, struct hl_finding *finding,
			 const struct hl_trials *trials, const enum hl_figure *figures, size_t nr);

#endif
