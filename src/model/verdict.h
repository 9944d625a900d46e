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
	uint32_t layers;                /* that are named; 0 = none, or not said */
	const char *compared;           /* what is to be said of how the two hops were compared */
	bool is_capped;                 /* for that reason: suspected at most */
	double loss;                    /* ln(parent ÷ child) of what is named; 0 = none */
	double worst_of_leaf;           /* the greatest of the leaf's workloads */
	size_t index;                   /* in path order */
};

/* One or two sentences with numbers and units; lives in the graph's arena. */
const char *hl_verdict_text(struct hl_graph *graph, const struct hl_draft *draft);

/* The first sentence of what a cause says, without its stop; numbers have points too. */
const char *hl_verdict_sentence(struct hl_graph *graph, const char *text);

/* ---- what facts alone come to (verdict_facts.c) ---- */

/* The verdict of no path: the first of the most certain findings. None if nothing was found. */
void hl_verdict_add_of_facts(struct hl_graph *graph);
/* Ids of confirmed findings that no hop stands on, "a, b"; NULL = none. */
const char *hl_verdict_besides(struct hl_graph *graph);

/* ---- what rounds add to the words (verdict_rounds.c) ---- */

/* "93.6 % to 94.2 %, 9 rounds": the share that the stage takes; NULL without rounds. */
const char *hl_verdict_interval(struct hl_graph *graph, const struct hl_stage *stage);
/* Why no layer of a chain with rounds is named; NULL where a gain or a ladder says it better. */
const char *hl_verdict_unnamed(struct hl_graph *graph, const struct hl_chain *chain);
/*
 * What makes the two hops of a stage with rounds less comparable than they look: another engine,
 * another share from cache. NULL = nothing; ret_is_capped: the loss may be due to that.
 */
const char *hl_verdict_compared(struct hl_graph *graph, const struct hl_stage *stage,
				enum hl_dir dir, bool *ret_is_capped);
/* "vnic"; "what lies between loopback and virtio" for no layers. */
const char *hl_verdict_subject(struct hl_graph *graph, const struct hl_stage *stage,
			       uint32_t layers);

#endif
