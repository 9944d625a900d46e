/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cgroup-throttled: a CPU quota that somebody set is used up while the job runs.
 *
 * Source: cpu.stat of the control groups of the machine, before and after each slot; the one that
 * was stopped longest is named. Surprising: it may belong to something that is not in the path, and
 * then it is as long at the hop before; so only what grows from one hop to the next is sure.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/say.h"
#include <math.h>

#define PCT       "cgroup.throttled_pct"
#define THROTTLED 10 /* of the slot */
#define GROWS     2  /* times */

static bool is_throttled(const struct hl_graph *graph, const struct hl_trial *trial)
{
	const struct hl_measurement *before = hl_beside_before(trial);
	double now = hl_beside_number(graph, trial->at, PCT);

	if (!(now >= THROTTLED) || hl_trial_is_bound_below(trial))
		return false;
	return !before || !(hl_beside_number(graph, before, PCT) * GROWS > now);
}

static void found_one(struct hl_graph *graph, const struct hl_cause *cause,
		      const struct hl_trial *trial)
{
	const struct hl_fact *pct = hl_beside_fact(graph, trial->at, PCT);
	const struct hl_measurement *before = hl_beside_before(trial);
	struct hl_finding *finding = hl_cause_found(graph, cause, trial->at->hop, trial->at,
						    trial->dir);

	/* with nothing before it, it may be anybody's */
	finding->state = before ? HL_CONFIRMED : HL_AMBIGUOUS;
	hl_finding_add_evidence(graph, finding, pct);
	if (before)
		hl_finding_add_evidence(graph, finding, hl_beside_fact(graph, before, PCT));
	finding->text = hl_arena_printf(
		graph->arena,
		"A CPU quota was used up: the group %s was stopped for %.0f %% of the time of "
		"%s%s.",
		pct->source ? pct->source : "?", pct->number, hl_beside_job(trial->at),
		before ? hl_arena_printf(graph->arena, ", and was not at %s", before->hop->name)
		       : "; whether it is in the path is not known");
	finding->fix = "Raise or remove the quota: cpu.max or CPUQuota= of that group, the CPU "
		       "limit of the container or pod.";
	if (finding->state != HL_CONFIRMED)
		finding->next =
			"The same job without the quota, or with twice of it: the rate follows.";
	if (!before)
		return;
	finding->predicted_bw = before->dir[trial->dir]->bw;
	finding->predicted_kind = HL_AT_MOST;
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *matches)
{
	for (size_t i = 0; i < matches->nr; i++)
		found_one(graph, cause, &matches->items[i]);
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match(graph, cause, is_throttled, found);
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
		"more, and at least twice what it was at the hop before. Without a hop before, it "
		"may belong to something else on the machine, and stays ambiguous.\n\n"
		"A thread that is busy by itself (target-cpu-bound) looks the same from outside, "
		"but is not stopped.\n\n"
		"Decided by the same job without the quota, or with twice of it.\n\n"
		"What to do: raise or remove the quota.",
	.rivals = rivals,
	.match = match,
};
