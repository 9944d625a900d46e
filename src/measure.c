/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running a measurement for a person: see hoploss/measure.h.
 */
#include "hoploss/measure.h"
#include "hoploss/console.h"
#include "hoploss/diagnose.h"
#include "hoploss/experiment.h"
#include "hoploss/model.h"
#include "hoploss/progress.h"
#include "hoploss/unit.h"
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define EXPERIMENTS_SHARE 0.25 /* of the time, at most */
#define MOST_WISHES       8

static volatile sig_atomic_t nr_interrupts;

static void count_interrupt(int number)
{
	(void)number;
	nr_interrupts++;
}

bool hl_measure_is_interrupted(void)
{
	return nr_interrupts;
}

/* ---- the first lines ---- */

static void say_hosts(const struct hl_path *path)
{
	for (size_t i = 0; i < path->nr_hosts; i++) {
		const struct hl_path_host *host = &path->hosts[i];

		hl_console_put(stderr, "  host %s by:", host->name);
		for (size_t w = 0; host->via && host->via[w]; w++)
			hl_console_put(stderr, " %s", host->via[w]);
		hl_console_put(stderr, " hoploss worker\n");
	}
}

static void say_more(const struct hl_run_hop *hop)
{
	if (hop->hop->targets[1])
		hl_console_put(stderr,
			       "    all together, and in every third round each alone, too\n");
	if (hop->note)
		hl_console_put(stderr, "    %s\n", hop->note);
	if (hop->no_write)
		hl_console_put(stderr, "    is not written: %s\n", hop->no_write);
	if (hop->no_read)
		hl_console_put(stderr, "    is not read: %s\n", hop->no_read);
}

static void say_hop(const struct hl_run_hop *hop)
{
	char size[HL_UNIT_TEXT];

	hl_console_put(stderr, "  hop %s (%s) on %s: %s %s of", hop->hop->name,
		       hl_layer_name(hop->hop->layer), hop->hop->host->name,
		       hop->may_write ? "reads and WRITES" : "reads",
		       hl_unit_size(size, hop->size));
	for (size_t i = 0; hop->hop->targets[i]; i++)
		hl_console_put(stderr, " %s", hop->hop->targets[i]);
	hl_console_put(stderr, "%s%s%s\n",
		       hop->is_mapped ? ", the written extents of the file" : "",
		       hop->is_direct ? "" : ", through the page cache",
		       hop->is_disjoint ? "" : ", the same parts several times");
	say_more(hop);
}

/* What would fail, before anything is measured. */
static size_t say_misfits(const struct hl_measure *measure, size_t hop)
{
	const struct hl_plan *plan = hl_run_plan(measure->run);
	size_t nr = 0;

	for (size_t i = 0; i < plan->nr_workloads; i++) {
		const char *why = hl_run_misfit(measure->run, hop, i);

		if (why)
			hl_console_put(stderr, "    %s: NOT MEASURED: %s\n",
				       plan->workloads[i].name, why);
		nr += why != NULL;
	}
	return nr;
}

/* A target given as it is has no line. */
static void say_missing(const struct hl_measure *measure, const struct hl_run_hop *hop)
{
	hl_console_put(stderr, "  hop %s", hop->hop->name);
	if (strcmp(measure->name, hop->hop->targets[0]) != 0)
		hl_console_put(stderr, " (%s:%u)", measure->name, hop->hop->target_line);
	hl_console_put(stderr, ": NOT MEASURED: %s\n", hop->reason);
}

static size_t say_hops(const struct hl_measure *measure)
{
	const struct hl_run_hop *hop;
	size_t nr_missing = 0;

	for (size_t i = 0; (hop = hl_run_hop_at(measure->run, i)); i++) {
		if (hop->hop->layer == HL_LAYER_DATASHEET)
			continue;
		if (hop->reason) {
			say_missing(measure, hop);
			nr_missing++;
			continue;
		}
		say_hop(hop);
		nr_missing += say_misfits(measure, i);
	}
	return nr_missing;
}

static bool is_written(const struct hl_run *run)
{
	const struct hl_run_hop *hop;

	for (size_t i = 0; (hop = hl_run_hop_at(run, i)); i++) {
		if (hop->may_write && !hop->reason)
			return true;
	}
	return false;
}

static void say_time(const struct hl_measure *measure, double round_s, size_t nr_hops)
{
	const struct hl_plan *plan = hl_run_plan(measure->run);
	double rounds_s = round_s * plan->nr_rounds;
	double all_s = plan->wants_all ? rounds_s : fmin(measure->time_s, rounds_s);

	hl_console_put(stderr, "  %s%u rounds of %.1f s, slots of %.2f s, about %.0f s in all\n",
		       plan->wants_all ? "" : "up to ", plan->nr_rounds, round_s, plan->seconds,
		       all_s);
	hl_console_put(stderr, "  each hop is used for about %.0f s, as many bytes as it gives%s\n",
		       all_s / (double)nr_hops,
		       is_written(measure->run) ? "" : "; 0 bytes are written");
	hl_console_put(
		stderr,
		"  experiments where a cause is left open: at most %.0f s of that, reads and TCP "
		"streams between the ends of a hop\n",
		measure->time_s * EXPERIMENTS_SHARE);
}

static void say_workloads(const struct hl_measure *measure)
{
	const struct hl_plan *plan = hl_run_plan(measure->run);
	const struct hl_workset *workset = measure->workset;
	double round_s = hl_plan_round_seconds(plan);
	size_t nr_slots = hl_plan_nr_slots(plan);

	hl_console_put(stderr, "  workloads:");
	for (size_t i = 0; i < workset->nr_jobs; i++)
		hl_console_put(stderr, " %s", workset->jobs[i].name);
	hl_console_put(stderr, "\n");
	for (size_t i = 0; i < workset->nr_notes; i++)
		hl_console_put(stderr, "    %s\n", workset->notes[i]);
	if (nr_slots)
		say_time(measure, round_s, nr_slots / plan->nr_workloads - 1);
}

size_t hl_measure_say(const struct hl_measure *measure)
{
	size_t nr_missing;

	if (is_written(measure->run))
		hl_console_say("%s: WRITES, all behind the first MiB of what was given away",
			       measure->name);
	else
		hl_console_say("%s: reads only, writes nothing", measure->name);
	say_hosts(measure->path);
	nr_missing = say_hops(measure);
	say_workloads(measure);
	return nr_missing;
}

/* ---- measuring ---- */

void hl_measure_catch_interrupts(void)
{
	signal(SIGINT, count_interrupt);
}

static bool watch(void *progress, const struct hl_run_progress *now)
{
	hl_progress_show(progress, now);
	return nr_interrupts > 1;
}

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

/* The first clause of the headline is enough. */
static char *say_settled(const struct hl_graph *graph, unsigned rounds)
{
	const struct hl_verdict *first = graph->nr_verdicts ? graph->verdicts[0] : NULL;

	if (first && first->layers)
		return hl_printf("named at round %u: %.*s", rounds, (int)strcspn(first->text, ";"),
				 first->text);
	return hl_printf("settled at round %u: no layer loses enough to be named", rounds);
}

/* Why more rounds would change nothing, looked at after 6, 9, 14 and 20 of them; NULL = they may.
 */
static char *settled_reason(const struct hl_bundle *bundle, unsigned rounds)
{
	HL_GRAPH struct hl_graph *graph = NULL;

	if (hl_rounds_look(rounds) != rounds || hl_diagnose(bundle, NULL, &graph, NULL) < 0 ||
	    !hl_model_is_settled(graph, rounds))
		return NULL;
	return say_settled(graph, rounds);
}

static double precision_now(const struct hl_bundle *bundle)
{
	HL_GRAPH struct hl_graph *graph = NULL;

	return hl_diagnose(bundle, NULL, &graph, NULL) < 0 ? NAN : hl_model_precision(graph);
}

/* Why it is enough, looked at as settled_reason() does. */
static char *precise_reason(const struct hl_measure *measure, const struct hl_bundle *bundle,
			    unsigned rounds)
{
	double reached = hl_rounds_look(rounds) == rounds ? precision_now(bundle) : NAN;

	if (!(reached <= measure->precision))
		return NULL;
	return hl_printf("the binding layer is known to %.1f %% after round %u, %.3g %% were asked "
			 "for",
			 reached * 100, rounds, measure->precision * 100);
}

/* What was reached stands beside the reason. */
static char *imprecise_reason(const struct hl_measure *measure, const struct hl_bundle *bundle,
			      const char *why)
{
	double reached = precision_now(bundle);

	if (isnan(reached))
		return hl_printf("%s: there is no interval yet, %.3g %% were asked for", why,
				 measure->precision * 100);
	return hl_printf("%s: the binding layer is known to %.1f %%, %.3g %% were asked for", why,
			 reached * 100, measure->precision * 100);
}

/* Another round, if it may change something and there is time for it. To be freed. */
static char *stop_reason(const struct hl_measure *measure, const struct hl_bundle *bundle,
			 unsigned rounds_done, const struct timespec *start)
{
	const struct hl_plan *plan = hl_run_plan(measure->run);
	double passed = seconds_since(start);
	unsigned nr = rounds_done - measure->done; /* that took it */
	const char *why = NULL;
	char *enough;

	if (nr_interrupts)
		return hl_strdup("interrupted");
	if (rounds_done == plan->nr_rounds)
		why = "all rounds done";
	if (plan->wants_all)
		return why ? hl_strdup(why) : NULL;
	enough = measure->precision > 0 ? precise_reason(measure, bundle, rounds_done)
					: settled_reason(bundle, rounds_done);
	if (enough)
		return enough;
	if (!why && nr && rounds_done >= measure->at_least &&
	    passed + passed / nr > measure->time_s)
		why = "time used up";
	if (!why)
		return NULL;
	return measure->precision > 0 ? imprecise_reason(measure, bundle, why) : hl_strdup(why);
}

/* ---- experiments ---- */

static void say_experiment(const struct hl_wish *wish, double seconds)
{
	hl_console_say("experiment %s at %s: %s, about %.0f s", wish->kind->id, wish->hop->name,
		       wish->kind->summary, seconds);
}

/* What the causes leave open, as far as there is time for it; those asked for share it. */
static int try_out(const struct hl_measure *measure, struct hl_bundle *bundle,
		   struct hl_progress *progress, double left_s, struct hl_error *err)
{
	HL_GRAPH struct hl_graph *graph = NULL;
	struct hl_wish wishes[MOST_WISHES];
	struct timespec start;
	size_t nr;
	int rc = hl_diagnose(bundle, NULL, &graph, err);

	if (rc < 0)
		return rc;
	clock_gettime(CLOCK_MONOTONIC, &start);
	nr = hl_experiments_wanted(graph, wishes, MOST_WISHES);
	for (size_t i = 0; rc == 0 && i < nr && !nr_interrupts; i++) {
		double least = hl_run_experiment_seconds(wishes[i].kind);
		double left = left_s - seconds_since(&start);
		double seconds = fmax(least, left / (double)(nr - i));

		if (least > left)
			continue;
		hl_progress_end(progress);
		say_experiment(&wishes[i], seconds);
		rc = hl_run_experiment(measure->run, &wishes[i], seconds, bundle, watch, progress,
				       err);
	}
	return rc;
}

static int one_round(const struct hl_measure *measure, unsigned round, struct hl_bundle *bundle,
		     struct hl_progress *progress, struct hl_error *err)
{
	int rc = hl_run_round(measure->run, round, bundle, watch, progress, err);

	return rc == 0 && measure->keep ? measure->keep(measure->context, round, err) : rc;
}

int hl_measure_rounds(const struct hl_measure *measure, struct hl_bundle *bundle,
		      struct hl_error *err)
{
	struct hl_progress progress;
	HL_FREE char *reason = NULL;
	struct timespec start;
	int rc = 0;

	if (!measure->done)
		rc = hl_run_capture(measure->run, HL_CAPTURE_BEFORE, bundle, err);
	clock_gettime(CLOCK_MONOTONIC, &start);
	hl_progress_start(&progress);
	if (measure->done || nr_interrupts) /* by what came before */
		reason = stop_reason(measure, bundle, measure->done, &start);
	for (unsigned round = measure->done + 1; rc == 0 && !reason; round++) {
		rc = one_round(measure, round, bundle, &progress, err);
		if (rc == 0)
			reason = stop_reason(measure, bundle, round, &start);
	}
	if (rc == 0)
		rc = hl_bundle_set_stop_reason(bundle, reason, err);
	if (rc == 0 && !nr_interrupts)
		rc = try_out(measure, bundle, &progress,
			     fmin(measure->time_s - seconds_since(&start),
				  measure->time_s * EXPERIMENTS_SHARE),
			     err);
	hl_progress_end(&progress);
	if (rc == 0 && !measure->leaves_after)
		rc = hl_run_capture(measure->run, HL_CAPTURE_AFTER, bundle, err);
	return rc;
}
