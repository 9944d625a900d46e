/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Experiments: extra measurements at one hop that tell suspects apart. Each has variants of one
 * workload, measured in turn, so that they can be compared pair by pair. Pure; what measures them
 * is src/run/turns.c, which stores samples with the experiment's id and without a round.
 *
 * To add one: a const struct at the bottom of its own file in src/experiment/ and one line in
 * src/experiment/table.c.
 */
#ifndef HOPLOSS_EXPERIMENT_H
#define HOPLOSS_EXPERIMENT_H

#include "hoploss/graph.h"

#define HL_EXPERIMENT_VARIANTS 3
#define HL_EXPERIMENT_TURNS    6 /* of every variant: the least that gives an interval */

struct hl_variant {
	const char *suffix; /* of the workload's name: "half-depth"; NULL = none, as it was */
	unsigned streams;   /* TCP streams between the two ends instead of I/O; 0 = I/O */
};

struct hl_experiment_kind {
	const char *id; /* "depth" */
	const char *summary;
	struct hl_variant variants[HL_EXPERIMENT_VARIANTS];
	unsigned nr_variants;
	bool is_network;        /* a question about the two ends, whatever the workload */
	bool is_same_place;     /* all variants of one turn read the same region, in this order */
	const char *const *ids; /* causes that it speaks for or against; NULL-terminated */
	/*
	 * The workload of a variant; name and everything that stays is set. False: it cannot be
	 * had, as half of depth 1.
	 */
	bool (*derive)(unsigned variant, struct hl_workload *workload);
	/* What the variants say: fills decided, supports and against. */
	void (*judge)(struct hl_graph *graph, struct hl_experiment *result,
		      const struct hl_measurement *const *variants, enum hl_dir dir);
};

extern const struct hl_experiment_kind *const hl_experiments[]; /* NULL-terminated */

const struct hl_experiment_kind *hl_experiment_find(const char *id); /* or NULL */

/* One that an open verdict asks for: at the hop that binds, with that workload. */
struct hl_wish {
	const struct hl_experiment_kind *kind;
	const struct hl_hop *hop;
	const struct hl_measurement *at; /* the workload as it was measured in rounds */
};
/*
 * Experiments that could decide what the causes leave open, the gravest verdict first; those that
 * stand in the graph already are left out. Reads only. Returns how many of at most max.
 */
size_t hl_experiments_wanted(const struct hl_graph *graph, struct hl_wish *wishes, size_t max);
/*
 * The workload of one variant of an experiment on base, its name in the arena. False: that variant
 * cannot be had.
 */
bool hl_experiment_derive(struct hl_arena *arena, const struct hl_experiment_kind *kind,
			  unsigned variant, const struct hl_workload *base,
			  struct hl_workload *ret_workload);

/* Fills graph->experiments from the measurements that belong to one. Before the causes. */
void hl_experiments_judge(struct hl_graph *graph);
/* The result of that experiment at hop; of at, unless it is a network's. NULL = none. */
const struct hl_experiment *hl_experiment_result(const struct hl_graph *graph, const char *id,
						 const struct hl_hop *hop,
						 const struct hl_measurement *at);
bool hl_experiment_supports(const struct hl_experiment *result, const char *cause);
bool hl_experiment_opposes(const struct hl_experiment *result, const char *cause);
/*
 * After the causes: a finding that an experiment speaks for while it rules out all its rivals is
 * confirmed, one that it speaks against is dropped.
 */
void hl_experiments_apply(struct hl_graph *graph);

#endif
