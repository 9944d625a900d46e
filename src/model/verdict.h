/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a verdict is made of before it is put into words.
 */
#ifndef HOPLOSS_MODEL_VERDICT_H
#define HOPLOSS_MODEL_VERDICT_H

#include "hoploss/model.h"

struct hl_draft {
	const struct hl_chain *chain;
	const struct hl_ladder *ladder; /* NULL = nothing to mend is seen */
	const struct hl_stage *binding; /* NULL = none is named */
	const struct hl_finding *cause; /* NULL = none matched */
	double loss;                    /* ln(parent ÷ child) of what is named; 0 = none */
	double worst_of_leaf;           /* the greatest of the leaf's workloads */
	size_t index;                   /* in path order */
};

/* One or two sentences with numbers and units; lives in the graph's arena. */
const char *hl_verdict_text(struct hl_graph *graph, const struct hl_draft *draft);

#endif
