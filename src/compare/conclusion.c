/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict of a comparison: see conclusion.h.
 */
#include "conclusion.h"
#include "change.h"
#include <math.h>
#include <string.h>

#define NAMED 6 /* checks, in the verdict */

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

/* Rates before latencies, which follow from them. */
static bool is_greater(const struct hl_change *a, const struct hl_change *b)
{
	bool is_rate = change_is_rate(a->metric);

	return is_rate == change_is_rate(b->metric) ? factor_of(a) > factor_of(b) : is_rate;
}

static const struct hl_change *greatest(const struct hl_comparison *comparison,
					enum hl_change_state state)
{
	const struct hl_change *best = NULL;

	for (size_t i = 0; i < comparison->nr_changes; i++) {
		const struct hl_change *change = &comparison->changes[i];

		if (change->state == state && (!best || is_greater(change, best)))
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

	return hl_arena_printf(arena, " Most %s: %s%s at %s (%s), %s, from \"%s\" to \"%s\"%s%s.",
			       word, name_of(change),
			       change_is_rate(change->metric)
				       ? ""
				       : hl_arena_printf(arena, " (%s latency)", change->metric),
			       change->hop, change->dir == HL_DIR_WRITE ? "writes" : "reads", how,
			       comparison->states[change->from].name,
			       comparison->states[change->to].name, change->next ? "; " : "",
			       change->next ? change->next : "");
}

/* What more rounds are for: the greatest difference that may be nothing. */
static const char *tell_unclear(const struct hl_comparison *comparison)
{
	const struct hl_change *change = greatest(comparison, HL_CHANGE_UNCLEAR);

	if (!change || !change->reason)
		return "";
	return hl_arena_printf(comparison->arena, " Unclear first: %s at %s (%s), %+.0f %%: %s.",
			       name_of(change), change->hop,
			       change->dir == HL_DIR_WRITE ? "writes" : "reads", change->change_pct,
			       change->reason);
}

/* How many have that status; those that failed by name, of others the first ones. */
static const char *list_of(const struct hl_comparison *comparison, enum hl_check_status status,
			   size_t *ret_nr)
{
	const char *list = "";

	*ret_nr = 0;
	for (size_t i = 0; i < comparison->nr_checks; i++) {
		const struct hl_check *check = &comparison->checks[i];

		if (check->status != status)
			continue;
		if (++*ret_nr <= NAMED || status == HL_CHECK_FAIL)
			list = hl_arena_printf(comparison->arena, "%s%s%s", list, *list ? ", " : "",
					       check->id);
		else if (*ret_nr == NAMED + 1)
			list = hl_arena_printf(comparison->arena, "%s …", list);
	}
	return list;
}

/* A check that could not be made is no PASS, and one state alone was not measured. */
static const char *tell_checks(const struct hl_comparison *comparison)
{
	struct hl_arena *arena = comparison->arena;
	size_t nr_failed, nr_missing, nr_passed;
	const char *failed = list_of(comparison, HL_CHECK_FAIL, &nr_failed);
	const char *missing = list_of(comparison, HL_CHECK_NOT_MEASURED, &nr_missing);
	const char *said = "";

	list_of(comparison, HL_CHECK_PASS, &nr_passed);
	if (!comparison->nr_checks)
		return "";
	if (nr_failed)
		said = hl_arena_printf(arena, " SR-IOV is not right: %s.", failed);
	else if (comparison->nr_states == 1 && nr_passed)
		said = " SR-IOV is configured right as far as that is known, not measured.";
	said = hl_arena_printf(arena, "%s Of %s checks %zu pass", said,
			       *said ? "its" : "the SR-IOV", nr_passed);
	if (nr_missing)
		said = hl_arena_printf(arena, "%s, %zu could not be made: %s", said, nr_missing,
				       missing);
	return hl_arena_printf(arena, "%s.", said);
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
		hl_changed_fact_either(first)->key, comparison->nr_facts == 1 ? "it" : "each");
}

/* Whether it did anything, and how many figures say so. */
static const char *tell_outcome(const struct hl_comparison *comparison)
{
	size_t nr_better = count(comparison, HL_CHANGE_BETTER);
	size_t nr_worse = count(comparison, HL_CHANGE_WORSE);
	size_t nr_unclear = count(comparison, HL_CHANGE_UNCLEAR);
	const char *outcome = nr_better && nr_worse ? "Figures got better and worse"
			      : nr_better           ? "Figures got better, none worse"
			      : nr_worse            ? "Figures got worse, none better"
			      : nr_unclear          ? "No change is proven"
						    : "No figure changed";

	return hl_arena_printf(comparison->arena,
			       "%s: %zu better, %zu worse, %zu same, %zu unclear.", outcome,
			       nr_better, nr_worse, count(comparison, HL_CHANGE_SAME), nr_unclear);
}

static const char *tell_why_none(const struct hl_comparison *comparison)
{
	if (comparison->nr_states > 1)
		return "Nothing was measured in two states.";
	return comparison->nr_checks
		       ? "One state alone: there is nothing to hold it against."
		       : "One state alone, and no SR-IOV VF in sight: nothing to check.";
}

const char *conclusion_of(const struct hl_comparison *comparison)
{
	const struct hl_change *worst = greatest(comparison, HL_CHANGE_WORSE);
	const struct hl_change *best = greatest(comparison, HL_CHANGE_BETTER);

	return hl_arena_printf(
		comparison->arena, "%s%s%s%s%s%s",
		comparison->nr_changes ? tell_outcome(comparison) : tell_why_none(comparison),
		worst ? tell(comparison, worst, "lost") : "",
		best ? tell(comparison, best, "gained") : "", tell_unclear(comparison),
		tell_checks(comparison), tell_facts(comparison));
}
