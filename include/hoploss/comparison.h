/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparing states of a system: what changed per workload, whether that is real, and what else was
 * changed. Pure: reads finished graphs.
 *
 * Days lie between two runs, so hops that did not change are the controls: what is judged is the
 * ratio of a hop to the one before it, round by round, in one run against the other. One value
 * each, as imports have, says better or worse only beyond a factor of two, and never "same".
 *
 * Source of the interval of two samples: Hollander, Wolfe, Chicken: Nonparametric Statistical
 * Methods, 3rd ed., 4.1 and 4.3 (rank sum; Moses' interval).
 */
#ifndef HOPLOSS_COMPARISON_H
#define HOPLOSS_COMPARISON_H

#include "hoploss/acceptance.h"
#include "hoploss/graph.h"

enum hl_change_state { HL_CHANGE_BETTER, HL_CHANGE_WORSE, HL_CHANGE_SAME, HL_CHANGE_UNCLEAR };

struct hl_compared { /* one state of the system */
	const char *name;
	const struct hl_graph *graph;
	const char *change; /* only what a table says of this state; NULL = all of the graph */
};

/* One figure of one workload at one hop, in two states that follow each other in measuring it. */
struct hl_change {
	const char *hop;
	const char *hop_after; /* what took its place: --match; NULL = itself */
	struct hl_workload workload;
	enum hl_dir dir;
	const char *metric; /* "bw" bytes/s, "iops", "mean", "p99", "p99_9" ns */
	size_t from, to;    /* indexes of the states */
	double before, after;
	double change_pct, low_pct, high_pct; /* of the figure; NAN = no interval */
	enum hl_change_state state;
	const char *reason;    /* NULL = the interval says it */
	const char *control;   /* hop that it was held against; NULL */
	double needed_rounds;  /* that would tell, NAN */
	const char **suspects; /* what was changed and acts on this kind of I/O, likeliest first */
	size_t nr_suspects;
	const char *next; /* what to measure; NULL */
};

struct hl_changed_fact {
	const struct hl_fact *before, *after; /* one of them may be NULL: it came or went */
	size_t from, to;
	const struct hl_hop *hop; /* the first that stands on it; NULL = none, or not known */
	bool is_beside;           /* it is known what the hops stand on, and none does on this */
	unsigned weight;          /* how much it can matter, 0 = not known to */
	bool is_worse; /* it is what nobody wants more, or less, of: errors, a link's lanes */
};

/* The fact itself: as it was, or as it is where it came. */
static inline const struct hl_fact *hl_changed_fact_either(const struct hl_changed_fact *changed)
{
	return changed->before ? changed->before : changed->after;
}

struct hl_comparison {
	struct hl_arena *arena;
	const struct hl_compared *states;
	size_t nr_states;
	struct hl_change *changes;
	size_t nr_changes;
	struct hl_changed_fact *facts; /* weightiest first */
	size_t nr_facts;
	size_t nr_unresolved;    /* percentiles that too few rounds have, not listed */
	size_t nr_beside;        /* facts of things beside the path that came or went, not listed */
	size_t nr_shared;        /* facts that two states in a row both know */
	struct hl_check *checks; /* SR-IOV, of the last state */
	size_t nr_checks;
	const char *verdict; /* one paragraph */
	const char **warnings;
	size_t nr_warnings;
	bool has_worse;
};

struct hl_hop_match { /* --match OLD=NEW */
	const char *old_name, *new_name;
};

/*
 * The states are in time order; one alone is judged by the SR-IOV checks only. All must outlive the
 * result. -ENODATA: two states or more, and not one figure or fact that both have; -EINVAL: a match
 * names a hop that is in none of them.
 */
int hl_comparison_make(const struct hl_compared *states, size_t nr_states,
		       const struct hl_hop_match *matches, size_t nr_matches,
		       struct hl_comparison **ret_comparison, struct hl_error *err);
void hl_comparison_free(struct hl_comparison *comparison); /* NULL allowed */
__attribute__((unused)) static inline void hl_comparison_cleanup(struct hl_comparison **comparison)
{
	hl_comparison_free(*comparison);
}
#define HL_COMPARISON __attribute__((cleanup(hl_comparison_cleanup)))

/* Where its texts stand, for --anonymize; the facts are in the graphs. Lives in its arena. */
const char ***hl_comparison_texts(struct hl_comparison *comparison, size_t *ret_nr);

const char *hl_change_state_name(enum hl_change_state state);

/*
 * The states that one graph holds: those its measurements name ("change" of a table), in order of
 * appearance; one that names all of it where there is no such column. Lives in the arena.
 */
struct hl_compared *hl_compared_split(struct hl_arena *arena, const char *name,
				      const struct hl_graph *graph, size_t *ret_nr);

#endif
