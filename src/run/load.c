/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who else uses the disks of a path: looked at before anything is measured, for a benchmark can
 * starve a live system. What is after a busy disk reads it too, so it is not measured either. The
 * workers learn from the same look how long others' I/O takes without us: src/agent/guard.c.
 */
#include "run.h"
#include <math.h>
#include <string.h>
#include <time.h>

#define LOOK_S       10.0
#define SHORT_LOOK_S 2.0
#define SHORT_RUN_S  60.0
#define MOST_BUSY    5.0 /* % */
#define MOST_IOPS    100.0

static bool is_looked_at(const struct hl_run *run, size_t hop)
{
	return !isnan(run->sizes[hop]) && !strcmp(run->hops[hop].kind, "block");
}

/* Asks all at once; returns for how many. */
static size_t ask_all(struct hl_run *run, struct hl_agent_load *loads)
{
	size_t nr = 0;

	for (size_t hop = 0; hop < run->options.path->nr_hops; hop++) {
		loads[hop] = (struct hl_agent_load){ NAN, NAN, NAN, false };
		if (is_looked_at(run, hop) &&
		    hl_agent_load(run_agent_of(run, hop), run->hops[hop].hop->name, &loads[hop],
				  NULL) == 0)
			nr++;
	}
	return nr;
}

static void sleep_for(double seconds)
{
	const struct timespec time = { (time_t)seconds, (long)(fmod(seconds, 1) * 1e9) };

	nanosleep(&time, NULL);
}

/* Where it decides nothing, it is no longer than what it is for. */
static double look_of(const struct hl_run_options *options)
{
	if (options->may_be_busy)
		return fmin(options->time_s / 20, LOOK_S);
	return options->time_s > SHORT_RUN_S ? LOOK_S : SHORT_LOOK_S;
}

static bool is_busy(const struct hl_agent_load *load)
{
	return load->busy_pct > MOST_BUSY || load->iops > MOST_IOPS;
}

/* Everything after it, too. */
static void refuse_busy(struct hl_run *run, size_t busy, const struct hl_agent_load *load)
{
	HL_FREE char *reason = hl_printf("%s is in use: others did %.0f IOPS and kept it %.0f %% "
					 "busy over %.0f s; --busy-ok measures it all the same",
					 run->hops[busy].hop->targets[0], load->iops,
					 load->busy_pct, load->seconds);

	for (size_t hop = 0; hop < run->options.path->nr_hops; hop++) {
		const struct hl_path_hop *at = run->hops[hop].hop;

		while (at && at != run->hops[busy].hop)
			at = at->after;
		if (at && !isnan(run->sizes[hop]))
			run_refuse(run, hop, reason);
	}
}

/* Neither idle nor busy: nobody can tell. */
static void note_blind(struct hl_run *run, size_t hop)
{
	const char *said = run->hops[hop].note;

	run->loads[hop].is_blind = true;
	run->hops[hop].note = hl_arena_printf(
		run->arena,
		"%s%sits I/O is not counted (queue/iostats is 0, or there is no /sys): whether "
		"others use it is not known, and they are not spared while it is measured",
		said ? said : "", said ? "; " : "");
}

void run_look_at_load(struct hl_run *run)
{
	size_t nr = run->options.path->nr_hops;
	HL_FREE struct hl_agent_load *loads = hl_alloc(nr * sizeof(*loads));

	for (size_t hop = 0; hop < nr; hop++)
		run->loads[hop] = (struct run_load){ NAN, NAN, false };
	if (!ask_all(run, loads))
		return;
	sleep_for(look_of(&run->options));
	ask_all(run, loads);
	for (size_t hop = 0; hop < nr; hop++) {
		if (loads[hop].is_blind)
			note_blind(run, hop);
	}
	if (run->options.may_be_busy)
		return; /* too short a look to tell of; the workers have learnt from it */
	for (size_t hop = 0; hop < nr; hop++) {
		run->loads[hop].iops = loads[hop].iops;
		run->loads[hop].busy_pct = loads[hop].busy_pct;
		if (is_busy(&loads[hop]))
			refuse_busy(run, hop, &loads[hop]);
	}
}

void run_add_load(const struct hl_run *run, size_t hop, struct hl_graph *graph,
		  struct hl_sample *sample)
{
	const struct hl_origin origin = { .node = run->hops[hop].hop->name,
					  .source = "/sys/dev/block/*/stat" };
	size_t first = graph->nr_facts;

	hl_graph_add_number(graph, &origin, "block.others_iops", run->loads[hop].iops);
	hl_graph_add_number(graph, &origin, "block.others_busy_pct", run->loads[hop].busy_pct);
	if (run->loads[hop].is_blind)
		hl_graph_add_boolean(graph, &origin, "block.others_unseen", true);
	run_add_facts(graph, first, sample);
}
