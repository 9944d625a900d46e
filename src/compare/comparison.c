/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparing states: see hoploss/comparison.h. Each state with the one before it, hop by hop in the
 * order of the path.
 */
#include "hoploss/comparison.h"
#include "alone.h"
#include "change.h"
#include "changed_facts.h"
#include "conclusion.h"
#include "hoploss/model.h"
#include "match.h"
#include "sriov.h"
#include "suspects.h"
#include "warn.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_names[] = {
	[HL_CHANGE_BETTER] = "better",
	[HL_CHANGE_WORSE] = "worse",
	[HL_CHANGE_SAME] = "same",
	[HL_CHANGE_UNCLEAR] = "unclear",
};

const char *hl_change_state_name(enum hl_change_state state)
{
	return state_names[state];
}

/* ---- rows ---- */

struct step { /* from one state to the next */
	struct hl_comparison *comparison;
	const struct hl_compared *before, *after;
	size_t from, to;
	const struct hl_hop_match *matches;
	size_t nr_matches;
};

static const char *const metrics[] = { "bw", "iops", "mean", "p99", "p99_9", NULL };

static bool has_both(const struct pair *pair, const char *metric)
{
	return change_figure(pair->before, pair->dir, metric) > 0 &&
	       change_figure(pair->after, pair->dir, metric) > 0;
}

/* IOPS and bandwidth say the same: random I/O is told in the one, the rest in the other. */
static bool is_wanted(const struct pair *pair, const char *metric)
{
	bool is_random = hl_rw_is_random(pair->before->workload.rw);

	if (!strcmp(metric, "bw") && has_both(pair, "iops") && is_random)
		return false;
	if (!strcmp(metric, "iops") && has_both(pair, "bw") && !is_random)
		return false;
	return has_both(pair, metric);
}

static void add_rows(const struct step *step, const struct hl_hop *hop, const struct pair *pair)
{
	struct hl_comparison *comparison = step->comparison;

	for (size_t i = 0; metrics[i]; i++) {
		struct hl_change *change;

		if (!is_wanted(pair, metrics[i]))
			continue;
		if (!change_is_resolved(pair, metrics[i])) {
			comparison->nr_unresolved++;
			continue;
		}
		comparison->changes = hl_arena_extend(comparison->arena, comparison->changes,
						      comparison->nr_changes, sizeof(*change));
		change = &comparison->changes[comparison->nr_changes++];
		*change = (struct hl_change){
			.hop = hop->name,
			.hop_after = strcmp(hop->name, pair->after->hop->name) != 0
					     ? pair->after->hop->name
					     : NULL,
			.workload = pair->before->workload,
			.dir = pair->dir,
			.metric = metrics[i],
			.from = step->from,
			.to = step->to,
		};
		change_judge(comparison->arena, pair, change);
	}
}

/* The nearest hop before it that both states measured with this workload. */
static void find_control(const struct step *step, const struct hl_hop *hop, struct pair *pair)
{
	for (const struct hl_hop *control = hop->after; control; control = control->after) {
		const struct hl_hop *there = match_hop(step->after, control, step->matches,
						       step->nr_matches);
		const struct hl_measurement *before = match_find(step->before, control,
								 pair->before, pair->dir);
		const struct hl_measurement *after = there ? match_find(step->after, there,
									pair->before, pair->dir)
							   : NULL;

		if (before && after && before->dir[pair->dir]->nr_rounds &&
		    after->dir[pair->dir]->nr_rounds) {
			pair->control_before = before;
			pair->control_after = after;
			return;
		}
	}
}

/* A state between the two measured it too: then each is held against that. */
static bool is_measured_between(const struct step *step, const struct hl_hop *hop,
				const struct hl_measurement *at, enum hl_dir dir)
{
	for (size_t i = step->from + 1; i < step->to; i++) {
		const struct hl_compared *state = &step->comparison->states[i];
		const struct hl_hop *there = match_hop(state, hop, step->matches, step->nr_matches);

		if (there && match_find(state, there, at, dir))
			return true;
	}
	return false;
}

static void compare_measurement(const struct step *step, const struct hl_hop *hop,
				const struct hl_hop *there, const struct hl_measurement *before,
				enum hl_dir dir)
{
	struct pair pair = { .before = before, .dir = dir };
	const char *misfit;

	if (!match_is_usable(before, dir))
		return;
	pair.after = match_find(step->after, there, before, dir);
	if (!pair.after || is_measured_between(step, hop, before, dir))
		return;
	misfit = match_misfit(step->comparison->arena, before, pair.after);
	if (misfit) {
		comparison_warn(step->comparison, "%s, %s: %s", hop->name,
				before->workload.name ? before->workload.name : "a job", misfit);
		return;
	}
	find_control(step, hop, &pair);
	add_rows(step, hop, &pair);
}

/* One that was measured several times in a state is taken once. */
static bool is_repeated(const struct step *step, const struct hl_hop *hop, size_t index,
			enum hl_dir dir)
{
	const struct hl_measurement *at = hop->measurements[index];

	return match_find(step->before, hop, at, dir) != at;
}

static void compare_hop(const struct step *step, const struct hl_hop *hop)
{
	const struct hl_hop *there = match_hop(step->after, hop, step->matches, step->nr_matches);

	if (!there)
		return;
	for (size_t i = 0; i < hop->nr_measurements; i++) {
		const struct hl_measurement *at = hop->measurements[i];

		if (!match_is_of(step->before, at))
			continue;
		for (int dir = 0; dir < HL_NR_DIRS; dir++) {
			if (!is_repeated(step, hop, i, (enum hl_dir)dir))
				compare_measurement(step, hop, there, at, (enum hl_dir)dir);
		}
	}
}

static void compare_step(const struct step *step)
{
	const struct hl_graph *graph = step->before->graph;

	for (size_t i = 0; i < graph->nr_hops; i++)
		compare_hop(step, graph->hops[i]);
	if (step->to != step->from + 1)
		return;
	alone_tell(step->comparison, step->from, step->matches, step->nr_matches);
	changed_facts_add(step->comparison, step->from);
}

/* ---- the whole ---- */

static bool has_worse(const struct hl_comparison *comparison)
{
	for (size_t i = 0; i < comparison->nr_changes; i++) {
		if (comparison->changes[i].state == HL_CHANGE_WORSE)
			return true;
	}
	for (size_t i = 0; i < comparison->nr_facts; i++) {
		if (comparison->facts[i].is_worse)
			return true;
	}
	return false;
}

/* Given the other way round, what is better is called worse. */
static void check_order(struct hl_comparison *comparison)
{
	for (size_t i = 1; i < comparison->nr_states; i++) {
		const struct hl_compared *earlier = &comparison->states[i - 1];
		const struct hl_compared *later = &comparison->states[i];
		const char *first = earlier->graph->begun, *second = later->graph->begun;

		if (first && second && strcmp(second, first) < 0)
			comparison_warn(
				comparison,
				"\"%s\" began at %s, before \"%s\" at %s: states are given "
				"in the order of time, or better and worse are the other way "
				"round",
				later->name, second, earlier->name, first);
	}
}

static bool is_hop(const struct hl_compared *states, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++) {
		if (hl_graph_find_hop(states[i].graph, name))
			return true;
	}
	return false;
}

/* One place is one place: of two that took its own, which one is it held against? */
static bool is_matched_before(const struct hl_hop_match *matches, size_t index)
{
	for (size_t i = 0; i < index; i++) {
		if (!strcmp(matches[i].old_name, matches[index].old_name))
			return true;
	}
	return false;
}

static int check_matches(const struct hl_compared *states, size_t nr_states,
			 const struct hl_hop_match *matches, size_t nr, struct hl_error *err)
{
	for (size_t i = 0; i < nr; i++) {
		bool is_old = is_hop(states, nr_states, matches[i].old_name);

		if (!is_old || !is_hop(states, nr_states, matches[i].new_name))
			return hl_fail(err, EINVAL, "--match %s=%s: no hop is called %s",
				       matches[i].old_name, matches[i].new_name,
				       is_old ? matches[i].new_name : matches[i].old_name);
		if (is_matched_before(matches, i))
			return hl_fail(err, EINVAL,
				       "--match %s=%s: %s is matched twice: compare once with each",
				       matches[i].old_name, matches[i].new_name,
				       matches[i].old_name);
	}
	return 0;
}

int hl_comparison_make(const struct hl_compared *states, size_t nr_states,
		       const struct hl_hop_match *matches, size_t nr_matches,
		       struct hl_comparison **ret_comparison, struct hl_error *err)
{
	HL_COMPARISON struct hl_comparison *comparison = hl_alloc(sizeof(*comparison));
	int rc = check_matches(states, nr_states, matches, nr_matches, err);

	if (rc < 0)
		return rc;
	comparison->arena = hl_arena_new();
	comparison->states = states;
	comparison->nr_states = nr_states;
	check_order(comparison);
	for (size_t to = 1; to < nr_states; to++) {
		for (size_t from = to; from-- > 0;) {
			const struct step step = {
				.comparison = comparison,
				.before = &states[from],
				.after = &states[to],
				.from = from,
				.to = to,
				.matches = matches,
				.nr_matches = nr_matches,
			};

			compare_step(&step);
		}
	}
	if (nr_states > 1 && !comparison->nr_changes && !comparison->nr_shared)
		return hl_fail(
			err, ENODATA,
			"nothing to compare: no workload was measured in two of these states "
			"(pattern, block size, depth and jobs must be the same), and no fact "
			"is known of two");
	if (comparison->nr_unresolved)
		comparison_warn(comparison,
				"%zu percentile%s not listed: too few rounds have I/Os enough for "
				"%s; longer ones (--time) would",
				comparison->nr_unresolved,
				comparison->nr_unresolved == 1 ? " is" : "s are",
				comparison->nr_unresolved == 1 ? "it" : "them");
	if (comparison->nr_beside)
		comparison_warn(
			comparison,
			"%zu facts are not listed: of things that came or went beside the path",
			comparison->nr_beside);
	suspects_find(comparison);
	if (nr_states)
		sriov_judge(comparison, states[nr_states - 1].graph);
	comparison->has_worse = has_worse(comparison);
	comparison->verdict = conclusion_of(comparison);
	*ret_comparison = comparison;
	comparison = NULL;
	return 0;
}

void hl_comparison_free(struct hl_comparison *comparison)
{
	if (!comparison)
		return;
	hl_arena_free(comparison->arena);
	free(comparison);
}

/* ---- the states of one graph ---- */

static bool is_known(const struct hl_compared *states, size_t nr, const char *change)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(states[i].change, change))
			return true;
	}
	return false;
}

/* The first line that names a state which is not known yet; NULL. */
static const struct hl_measurement *find_next(const struct hl_graph *graph,
					      const struct hl_compared *states, size_t nr)
{
	const struct hl_measurement *next = NULL;

	for (size_t h = 0; h < graph->nr_hops; h++) {
		for (size_t i = 0; i < graph->hops[h]->nr_measurements; i++) {
			const struct hl_measurement *at = graph->hops[h]->measurements[i];

			if (at->change && !is_known(states, nr, at->change) &&
			    (!next || at->line < next->line))
				next = at;
		}
	}
	return next;
}

struct hl_compared *hl_compared_split(struct hl_arena *arena, const char *name,
				      const struct hl_graph *graph, size_t *ret_nr)
{
	const struct hl_measurement *next;
	struct hl_compared *states = NULL;
	size_t nr = 0;

	while ((next = find_next(graph, states, nr))) {
		states = hl_arena_extend(arena, states, nr, sizeof(*states));
		states[nr++] = (struct hl_compared){ next->change, graph, next->change };
	}
	if (!nr) {
		states = hl_arena_alloc(arena, sizeof(*states));
		states[nr++] = (struct hl_compared){ name, graph, NULL };
	}
	*ret_nr = nr;
	return states;
}
