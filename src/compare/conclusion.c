/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict of a comparison: see conclusion.h.
 */
#include "conclusion.h"
#include <math.h>
#include <string.h>

static size_t count(const struct hl_comparison *comparison, enum hl_change_state state)
{
	size_t nr = 0;

	for (size_t i = 0; i < comparison->nr_changes; i++)
		nr += comparison->changes[i].state == state;
	return nr;
}

static double factor_of(const struct hl_change *change)
{
	double factor = change->after / change->before;

	return factor < 1 ? 1 / factor : factor;
}

static bool is_rate(const struct hl_change *change)
{
	return !strcmp(change->metric, "bw") || !strcmp(change->metric, "iops");
}

/* The greatest change of a state; rates before latencies, which follow from them. */
static const struct hl_change *greatest(const struct hl_comparison *comparison,
					enum hl_change_state state)
{
	const struct hl_change *best = NULL;

	for (size_t i = 0; i < comparison->nr_changes; i++) {
		const struct hl_change *change = &comparison->changes[i];

		if (change->state != state)
			continue;
		if (!best || is_rate(change) > is_rate(best) ||
		    (is_rate(change) == is_rate(best) && factor_of(change) > factor_of(best)))
			best = change;
	}
	return best;
}

static const char *name_of(const struct hl_change *change)
{
	return change->workload.name ? change->workload.name : hl_rw_name(change->workload.rw);
}

static const char *tell(const struct hl_comparison *comparison, const struct hl_change *change,
			const char *word)
{
	struct hl_arena *arena = comparison->arena;
	double factor = factor_of(change);
	const char *how = factor >= 2 ? hl_arena_printf(arena, "%.3gx", factor)
				      : hl_arena_printf(arena, "%+.0f %%", change->change_pct);

	return hl_arena_printf(
		arena, " Most %s: %s%s at %s (%s), %s, from \"%s\" to \"%s\"%s%s.", word,
		name_of(change),
		is_rate(change) ? "" : hl_arena_printf(arena, " (%s latency)", change->metric),
		change->hop, change->dir == HL_DIR_WRITE ? "writes" : "reads", how,
		comparison->states[change->from].name, comparison->states[change->to].name,
		change->next ? "; " : "", change->next ? change->next : "");
}

static const char *tell_checks(const struct hl_comparison *comparison)
{
	struct hl_arena *arena = comparison->arena;
	const char *failed = "";
	size_t passed = 0;

	for (size_t i = 0; i < comparison->nr_checks; i++) {
		const struct hl_check *check = &comparison->checks[i];

		passed += check->status == HL_CHECK_PASS;
		if (check->status == HL_CHECK_FAIL)
			failed = hl_arena_printf(arena, "%s%s%s", failed, *failed ? ", " : "",
						 check->id);
	}
	if (*failed)
		return hl_arena_printf(arena, " SR-IOV is not right: %s.", failed);
	return passed ? " The SR-IOV checks that could be made pass." : "";
}

static const char *tell_facts(const struct hl_comparison *comparison)
{
	const struct hl_changed_fact *first = comparison->facts;
	size_t nr_worse = 0;

	if (!comparison->nr_facts)
		return "";
	for (size_t i = 0; i < comparison->nr_facts; i++)
		nr_worse += comparison->facts[i].is_worse;
	if (nr_worse)
		return hl_arena_printf(comparison->arena, " %zu fact%s got worse, %s of %s first.",
				       nr_worse, nr_worse == 1 ? "" : "s", first->before->key,
				       first->before->node ? first->before->node : "the machine");
	return hl_arena_printf(
		comparison->arena, " %zu fact%s too, %s first: look whether %s was meant.",
		comparison->nr_facts, comparison->nr_facts == 1 ? " differs" : "s differ",
		(first->before ? first->before : first->after)->key,
		comparison->nr_facts == 1 ? "it" : "each");
}

const char *conclusion_of(const struct hl_comparison *comparison)
{
	const struct hl_change *worst = greatest(comparison, HL_CHANGE_WORSE);
	const struct hl_change *best = greatest(comparison, HL_CHANGE_BETTER);
	const char *counts =
		comparison->nr_states == 1 && !comparison->nr_checks
			? "One state alone, and no SR-IOV VF in sight: nothing to check."
		: comparison->nr_states == 1 ? "One state alone: only SR-IOV is checked."
					     : "Nothing was measured in two states.";

	if (comparison->nr_changes)
		counts = hl_arena_printf(
			comparison->arena, "%zu figures better, %zu worse, %zu same, %zu unclear.",
			count(comparison, HL_CHANGE_BETTER), count(comparison, HL_CHANGE_WORSE),
			count(comparison, HL_CHANGE_SAME), count(comparison, HL_CHANGE_UNCLEAR));
	return hl_arena_printf(comparison->arena, "%s%s%s%s%s", counts,
			       worst ? tell(comparison, worst, "lost") : "",
			       best ? tell(comparison, best, "gained") : "",
			       tell_checks(comparison), tell_facts(comparison));
}
