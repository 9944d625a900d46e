/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which measurement is held against which: see match.h.
 */
#include "match.h"
#include "hoploss/model.h"
#include "hoploss/unit.h"
#include <math.h>
#include <string.h>

bool match_is_of(const struct hl_compared *state, const struct hl_measurement *at)
{
	if (at->experiment)
		return false;
	if (!state->change)
		return true;
	return at->change && !strcmp(at->change, state->change);
}

bool match_is_measured(const struct hl_compared *state, const struct hl_hop *hop)
{
	for (size_t i = 0; hop && i < hop->nr_measurements; i++) {
		if (match_is_of(state, hop->measurements[i]))
			return true;
	}
	return false;
}

const struct hl_hop *match_hop(const struct hl_compared *state, const struct hl_hop *hop,
			       const struct hl_hop_match *matches, size_t nr_matches)
{
	const char *name = hop->name;
	const struct hl_hop *found;

	found = hl_graph_find_hop(state->graph, name);
	for (size_t i = 0; i < nr_matches; i++) {
		const struct hl_hop *there;

		if (strcmp(matches[i].old_name, name) != 0)
			continue;
		name = matches[i].new_name;
		there = hl_graph_find_hop(state->graph, name);
		/* of a chain a=b, b=c the state may know b only, and a table holds all of them */
		if (there && match_is_measured(state, there))
			found = there;
	}
	/* files that were given alone are hops named after them: one each is the same place */
	if (!found && name == hop->name && state->graph->nr_hops == 1 && !hop->after)
		found = state->graph->hops[0];
	return found;
}

static bool is_equal(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool is_like(const struct hl_measurement *a, const struct hl_measurement *b, enum hl_dir dir)
{
	const struct hl_workload *x = &a->workload, *y = &b->workload;
	bool is_known = x->rw != HL_RW_UNKNOWN && !isnan(hl_figure_bs(a, dir));

	if (x->rw != y->rw || !is_equal(hl_figure_bs(a, dir), hl_figure_bs(b, dir)) ||
	    !is_equal(hl_figure_depth(a), hl_figure_depth(b)))
		return false;
	return is_known || (x->name && y->name && !strcmp(x->name, y->name));
}

static bool is_namesake(const struct hl_measurement *a, const struct hl_measurement *b)
{
	return a->workload.name && b->workload.name && !strcmp(a->workload.name, b->workload.name);
}

bool match_is_usable(const struct hl_measurement *at, enum hl_dir dir)
{
	const struct hl_rate *rate = at->dir[dir];

	return hl_figure_is_usable(at, dir) ||
	       (rate && at->status == HL_STATUS_IMPORTED && isnan(rate->bw) && rate->iops > 0);
}

const struct hl_measurement *match_find(const struct hl_compared *state, const struct hl_hop *hop,
					const struct hl_measurement *at, enum hl_dir dir)
{
	const struct hl_measurement *found = NULL;

	for (size_t i = 0; i < hop->nr_measurements; i++) {
		const struct hl_measurement *other = hop->measurements[i];

		if (!match_is_of(state, other) || !match_is_usable(other, dir) ||
		    !is_like(at, other, dir))
			continue;
		if (!found || (!is_namesake(at, found) && is_namesake(at, other)))
			found = other;
	}
	return found;
}

static bool differs(double a, double b)
{
	return !isnan(a) && !isnan(b) && fabs(a - b) > 0.01 * fmax(a, b);
}

const char *match_misfit(struct hl_arena *arena, const struct hl_measurement *before,
			 const struct hl_measurement *after)
{
	char was[HL_UNIT_TEXT], is[HL_UNIT_TEXT];

	if (differs(before->workload.size, after->workload.size))
		return hl_arena_printf(arena, "not comparable: %s was read before, %s after",
				       hl_unit_size(was, before->workload.size),
				       hl_unit_size(is, after->workload.size));
	return NULL;
}
