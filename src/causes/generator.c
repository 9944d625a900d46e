/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * generator-bound: the program that measures is itself at its end.
 *
 * Source: fio's "cpu" line, which is the time of one job, so 100 % is one core. Surprising: with
 * buffered I/O the copying is counted here too.
 */
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/say.h"
#include <math.h>

static bool is_busy(const struct hl_graph *graph, const struct hl_trial *trial)
{
	(void)graph;
	return hl_trial_is_generator_busy(trial);
}

/* " (42 % user, 55 % system)", where the source tells them apart */
static const char *say_split(struct hl_graph *graph, const struct hl_measurement *at)
{
	if (isnan(at->cpu_user_pct) || isnan(at->cpu_system_pct))
		return "";
	return hl_arena_printf(graph->arena, " (%.0f %% user, %.0f %% system)", at->cpu_user_pct,
			       at->cpu_system_pct);
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trials *matches)
{
	static const enum hl_figure figures[] = { HL_FIGURE_CPU, HL_FIGURE_IOPS };
	const struct hl_trial *busiest = &matches->items[0];
	struct hl_finding *finding;

	for (size_t i = 1; i < matches->nr; i++) {
		if (matches->items[i].cpu_pct > busiest->cpu_pct)
			busiest = &matches->items[i];
	}
	finding = hl_trial_found(graph, cause, busiest);
	hl_evidence_add_all(graph, finding, matches, figures, 2);
	finding->text = hl_arena_printf(
		graph->arena,
		"The generator used %.0f %% of a core a job%s in %s%s: %s IOPS may be all that it "
		"can ask for.",
		busiest->cpu_pct, say_split(graph, busiest->at),
		busiest->at->workload.name ? busiest->at->workload.name : "its job",
		hl_trials_say_others(graph, matches), hl_say_count(busiest->iops).text);
	finding->fix = "More jobs, larger blocks, io_uring with registered buffers, gtod_reduce=1; "
		       "direct=1 where the copying of buffered I/O is the work.";
	finding->next =
		"The same job with twice the jobs: IOPS that rise with them clear all that is "
		"below.";
	finding->paste = "# where the job runs, while it runs: is each job's thread at 100 %?\n"
			 "top -b -H -n 1 | head -25\n"
			 "nproc\n";
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match(graph, cause, is_busy, found);
}

static const char *const rivals[] = { "serial-stage", NULL };

const struct hl_cause hl_cause_generator_bound = {
	.id = "generator-bound",
	.summary = "the program that measures needs all of its CPU time",
	.explain =
		"A job is one thread, and a thread is one core at most. Where it spends all of it "
		"on "
		"asking and reaping, the figures are those of the generator, not of the path.\n\n"
		"Recognised by user and system time of 90 % or more of a core a job.\n\n"
		"A serial stage further down looks the same in IOPS, but leaves the generator "
		"idle. "
		"With buffered I/O the time goes into copying: that is the page cache's "
		"figure.\n\n"
		"Decided by twice the jobs: IOPS that rise with them clear all that is below.\n\n"
		"What to do: more jobs, larger blocks, a cheaper engine.",
	.rivals = rivals,
	.match = match,
};
