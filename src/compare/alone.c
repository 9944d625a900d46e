/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands alone: see alone.h.
 */
#include "alone.h"
#include "hoploss/model.h"
#include "hoploss/unit.h"
#include "match.h"
#include "warn.h"
#include <math.h>
#include <string.h>

struct search {
	struct hl_comparison *comparison;
	size_t from;
	const struct hl_hop_match *matches;
	size_t nr_matches;
};

static const struct hl_compared *state_at(const struct search *search, size_t index)
{
	return &search->comparison->states[index];
}

static const struct hl_hop *hop_in(const struct search *search, size_t state,
				   const struct hl_hop *hop)
{
	return match_hop(state_at(search, state), hop, search->matches, search->nr_matches);
}

static bool has_later(const struct search *search, const struct hl_hop *hop)
{
	for (size_t to = search->from + 1; to < search->comparison->nr_states; to++) {
		if (match_is_measured(state_at(search, to), hop_in(search, to, hop)))
			return true;
	}
	return false;
}

static bool has_counterpart(const struct search *search, const struct hl_hop *hop,
			    const struct hl_measurement *at, enum hl_dir dir)
{
	for (size_t to = search->from + 1; to < search->comparison->nr_states; to++) {
		const struct hl_hop *there = hop_in(search, to, hop);

		if (there && match_find(state_at(search, to), there, at, dir))
			return true;
	}
	return false;
}

/* Measured in that state and in none before it: what may have taken the place of another. */
static bool is_new(const struct search *search, size_t state, const struct hl_hop *hop)
{
	if (!match_is_measured(state_at(search, state), hop))
		return false;
	for (size_t i = 0; i < state; i++) {
		if (match_is_measured(state_at(search, i),
				      hl_graph_find_hop(state_at(search, i)->graph, hop->name)))
			return false;
	}
	return true;
}

static const char *new_hops(const struct search *search)
{
	const struct hl_graph *graph = state_at(search, search->from + 1)->graph;
	const char *names = "";

	for (size_t i = 0; i < graph->nr_hops; i++) {
		if (is_new(search, search->from + 1, graph->hops[i]))
			names = hl_arena_printf(
				search->comparison->arena, "%s%s%s", names,
				*names ? ", " : "; new there: ", graph->hops[i]->name);
	}
	return names;
}

/* "randread, 4 KiB, depth 32" */
static const char *shape_of(struct hl_arena *arena, const struct hl_measurement *at,
			    enum hl_dir dir)
{
	double bs = hl_figure_bs(at, dir), depth = hl_figure_depth(at);
	const char *rw = hl_rw_name(at->workload.rw);
	char size[HL_UNIT_TEXT];
	const char *text = rw ? rw : "?";

	if (!isnan(bs))
		text = hl_arena_printf(arena, "%s, %s", text, hl_unit_size(size, bs));
	return isnan(depth) ? text : hl_arena_printf(arena, "%s, depth %.0f", text, depth);
}

/* A job of that name with another shape, in the next state; NULL. */
static const char *shape_there(const struct search *search, const struct hl_hop *hop,
			       const struct hl_measurement *at, enum hl_dir dir)
{
	const struct hl_compared *state = state_at(search, search->from + 1);
	const struct hl_hop *there = hop_in(search, search->from + 1, hop);

	for (size_t i = 0; there && at->workload.name && i < there->nr_measurements; i++) {
		const struct hl_measurement *other = there->measurements[i];

		if (match_is_of(state, other) && other->workload.name &&
		    !strcmp(other->workload.name, at->workload.name))
			return shape_of(search->comparison->arena, other, dir);
	}
	return NULL;
}

static void tell_workload(const struct search *search, const struct hl_hop *hop,
			  const struct hl_measurement *at, enum hl_dir dir)
{
	struct hl_arena *arena = search->comparison->arena;
	const char *shape = shape_of(arena, at, dir), *there = shape_there(search, hop, at, dir);
	const char *name = at->workload.name ? at->workload.name : shape;
	const char *before = state_at(search, search->from)->name;
	const char *after = state_at(search, search->from + 1)->name;

	if (there && strcmp(there, shape) != 0)
		comparison_warn(search->comparison,
				"%s at %s is not comparable: %s in %s, %s in %s", name, hop->name,
				shape, before, there, after);
	else
		comparison_warn(search->comparison, "%s at %s of %s was not measured in %s (%s)",
				name, hop->name, before, after, shape);
}

static void tell_workloads(const struct search *search, const struct hl_hop *hop)
{
	const struct hl_compared *state = state_at(search, search->from);

	for (size_t i = 0; i < hop->nr_measurements; i++) {
		const struct hl_measurement *at = hop->measurements[i];

		for (int dir = 0; match_is_of(state, at) && dir < HL_NR_DIRS; dir++) {
			if (!hl_figure_is_usable(at, (enum hl_dir)dir) ||
			    match_find(state, hop, at, (enum hl_dir)dir) != at ||
			    has_counterpart(search, hop, at, (enum hl_dir)dir))
				continue;
			tell_workload(search, hop, at, (enum hl_dir)dir);
			break;
		}
	}
}

static bool is_all_blank(const struct search *search)
{
	for (size_t to = search->from + 1; to < search->comparison->nr_states; to++) {
		const struct hl_compared *state = state_at(search, to);

		for (size_t i = 0; i < state->graph->nr_hops; i++) {
			if (match_is_measured(state, state->graph->hops[i]))
				return false;
		}
	}
	return true;
}

static void tell_hop(const struct search *search, const struct hl_hop *hop)
{
	const char *before = state_at(search, search->from)->name, *others = new_hops(search);
	const char *after = state_at(search, search->from + 1)->name;

	if (*others)
		comparison_warn(search->comparison,
				"hop %s of %s is not in %s: --match %s=NEW if it is called "
				"otherwise there%s",
				hop->name, before, after, hop->name, others);
	else
		comparison_warn(search->comparison, "hop %s of %s was not measured in %s",
				hop->name, before, after);
}

void alone_tell(struct hl_comparison *comparison, size_t from, const struct hl_hop_match *matches,
		size_t nr_matches)
{
	const struct search search = { comparison, from, matches, nr_matches };
	const struct hl_compared *state = &comparison->states[from];
	bool is_blank = is_all_blank(&search);

	for (size_t i = 0; i < state->graph->nr_hops; i++) {
		const struct hl_hop *hop = state->graph->hops[i];

		if (!match_is_measured(state, hop))
			continue;
		if (is_blank) {
			comparison_warn(comparison,
					"nothing was measured in %s: the figures of %s "
					"stand alone",
					comparison->states[from + 1].name, state->name);
			return;
		}
		if (has_later(&search, hop))
			tell_workloads(&search, hop);
		else
			tell_hop(&search, hop);
	}
}
