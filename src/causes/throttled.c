/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cgroup-throttled: a CPU quota that somebody set is used up while the job runs.
 *
 * Source: cpu.stat of the control groups of the machine, before and after each slot; the one that
 * was stopped longest is named, of those with a process that carries the I/O if there is one.
 * Surprising: another may belong to something that is not in the path, and then it is as long at
 * the hop before; so only what grows from one hop to the next is sure.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/say.h"
#include <math.h>

#define PCT       "cgroup.throttled_pct"
#define ON_PATH   "cgroup.is_on_path" /* absent: recorded before that was asked */
#define THROTTLED 10                  /* of the slot */
#define GROWS     2                   /* times */

static bool is_throttled(const struct hl_graph *graph, const struct hl_trial *trial)
{
	const struct hl_measurement *before = hl_beside_before(trial);
	double now = hl_beside_number(graph, trial->at, PCT);

	if (!(now >= THROTTLED) || hl_trial_is_bound_below(trial))
		return false;
	return !before || !(hl_beside_number(graph, before, PCT) * GROWS > now);
}

/* Sure where a process of the group carries the I/O; with nothing before it, it may be anybody's.
 */
static enum hl_state state_of(const struct hl_fact *on_path, const struct hl_measurement *before)
{
	if (on_path && on_path->boolean)
		return HL_CONFIRMED;
	if (!before)
		return HL_AMBIGUOUS;
	return on_path ? HL_SUSPECTED : HL_CONFIRMED;
}

static const char *say_where(struct hl_graph *graph, const struct hl_fact *on_path,
			     const struct hl_measurement *before)
{
	const char *what = before ? hl_arena_printf(graph->arena, ", and was not at %s",
						    before->hop->name)
				  : "";

	if (on_path && on_path->boolean)
		return hl_arena_printf(graph->arena, "%s; a process of it carries this I/O", what);
	if (before && !on_path)
		return what;
	return hl_arena_printf(graph->arena, "%s; whether it is in the path is not known", what);
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trial *trial)
{
	const struct hl_fact *pct = hl_beside_fact(graph, trial->at, PCT);
	const struct hl_fact *on_path = hl_beside_fact(graph, trial->at, ON_PATH);
	const struct hl_measurement *before = hl_beside_before(trial);
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);

	finding->state = state_of(on_path, before);
	hl_finding_add_evidence(graph, finding, pct);
	hl_finding_add_evidence(graph, finding, on_path);
	if (before)
		hl_finding_add_evidence(graph, finding, hl_beside_fact(graph, before, PCT));
	finding->text = hl_arena_printf(
		graph->arena,
		"A CPU quota was used up: the group %s was stopped for %.0f %% of the time of "
		"%s%s.",
		pct->source ? pct->source : "?", pct->number, hl_beside_job(trial->at),
		say_where(graph, on_path, before));
	finding->fix = "Raise or remove the quota: cpu.max or CPUQuota= of that group, the CPU "
		       "limit of the container or pod.";
	if (finding->state != HL_CONFIRMED)
		finding->next =
			"The same job without the quota, or with twice of it: the rate follows.";
	hl_beside_predict(finding, trial, before);
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match_each(graph, cause, is_throttled, found);
}

static const char *const rivals[] = { "rate-capped", "serial-stage", NULL };

const struct hl_cause hl_cause_cgroup_throttled = {
	.id = "cgroup-throttled",
	.summary = "a control group is out of CPU quota while the job runs",
	.explain =
		"A control group with a CPU quota is stopped for the rest of each period once it "
		"has used it up. A target, a container or a virtual machine in it then answers "
		"late, however idle the machine is.\n\n"
		"Recognised by the time that the kernel counts as throttled: 10 % of the slot or "
		"more, and at least twice what it was at the hop before; confirmed where a process "
		"of the group carries the I/O. Else, without a hop before, it may belong to "
		"something else on the machine, and stays ambiguous.\n\n"
		"A thread that is busy by itself (target-cpu-bound) looks the same from outside, "
		"but is not stopped.\n\n"
		"Decided by the same job without the quota, or with twice of it.\n\n"
		"What to do: raise or remove the quota.",
	.rivals = rivals,
	.match = match,
};
