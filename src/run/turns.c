/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measuring an experiment: its variants in turn, so that whatever changes meanwhile changes all of
 * them. Recorded as samples without a round.
 *
 * Surprising: TCP streams are served by the worker of the target's host, on the portal's own
 * address, and asked for by the worker of the hop: the way is that of the iSCSI flow, the port is
 * another, which a firewall may not let through.
 */
#include "hoploss/experiment.h"
#include "run.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define SHORTEST_S 0.2 /* of a slot */
#define LONGEST_S  1.0
#define WARMUP_S   0.2
#define OVERHEAD_S 0.1
#define SERVE_S    10.0 /* that a server waits beyond the slot */
#define LEAST      16   /* blocks of a job, in a region */
#define ALIGNMENT  1048576.0

struct turns {
	struct hl_run *run;
	const struct hl_wish *wish;
	struct hl_bundle *bundle;
	struct hl_arena *arena;
	size_t hop;
	struct hl_workload workloads[HL_EXPERIMENT_VARIANTS];
	bool is_there[HL_EXPERIMENT_VARIANTS];
	hl_run_watch *watch;
	void *context;
	struct hl_run_progress progress;
	unsigned nr_done, nr_slots;
	double slot_s; /* counted time of each */
	bool is_stopped, is_owner_gone;
};

static double seconds_of(unsigned nr_slots, double slot_s)
{
	return nr_slots * (WARMUP_S + slot_s + OVERHEAD_S);
}

static bool watch_turn(void *context, double done, double bytes_per_s)
{
	struct turns *turns = context;
	struct hl_run_progress *progress = &turns->progress;

	progress->bytes_per_s = bytes_per_s;
	progress->done = fmin((turns->nr_done + done) / turns->nr_slots, 1);
	progress->left_s = seconds_of(turns->nr_slots, turns->slot_s) * (1 - progress->done);
	turns->is_stopped |= turns->watch(turns->context, progress);
	turns->is_owner_gone |= run_owner_is_gone(turns->run->owners[turns->hop]);
	return turns->is_stopped || turns->is_owner_gone;
}

/* ---- regions ---- */

/* What the plan would read there next: it has not been read for long. */
static struct hl_plan_slot place_of(const struct turns *turns, unsigned turn)
{
	const struct hl_plan *plan = &turns->run->plan;
	size_t nr = hl_plan_nr_slots(plan);
	HL_FREE struct hl_plan_slot *slots = hl_alloc(nr * sizeof(*slots));

	hl_plan_round(plan, plan->nr_rounds + 1 + turn, slots);
	for (size_t i = 0; i < nr; i++) {
		if (slots[i].hop == turns->hop)
			return slots[i];
	}
	return slots[0];
}

/* Where the same is read again, it must be so little that all of it is. */
static uint64_t length_of(const struct turns *turns, const struct hl_plan_slot *place)
{
	const struct hl_workload *workload = &turns->wish->at->workload;
	const struct hl_rate *rate = turns->wish->at->dir[HL_DIR_READ];
	double least = workload->bs * workload->numjobs * LEAST, wanted;

	if (!turns->wish->kind->is_same_place || !rate)
		return place->length;
	wanted = fmax(rate->bw * (WARMUP_S + turns->slot_s), least);
	wanted = ceil(wanted / ALIGNMENT) * ALIGNMENT;
	return wanted < (double)place->length ? (uint64_t)wanted : place->length;
}

/* ---- one slot ---- */

static int measure_streams(struct turns *turns, unsigned nr_streams, struct hl_job *job,
			   struct hl_graph *graph, struct hl_sample *ret_sample,
			   struct hl_error *err)
{
	const struct hl_path_hop *hop = turns->run->hops[turns->hop].hop;
	const struct hl_path_hop *target = hop->after;
	struct hl_agent *server = NULL;
	struct hl_tcp_peer peer;
	char portal[64];
	int rc;

	if (target && target->host)
		server = turns->run->hosts[target->host - turns->run->options.path->hosts].agent;
	if (!server || !run_portal_of(hop->targets[0], portal, sizeof(portal)))
		return hl_fail(err, EHOSTUNREACH, "the target's host is not known, or not there");
	rc = hl_agent_serve(server, portal, nr_streams, job->warmup + job->seconds + SERVE_S, &peer,
			    err);
	if (rc < 0)
		return rc;
	job->offset = 0;
	job->length = (uint64_t)(job->workload.bs * job->workload.numjobs * LEAST);
	job->peer = &peer;
	rc = hl_agent_tcp(
		run_agent_of(turns->run, turns->hop),
		&(struct hl_slot_request){ .job = job, .watch = watch_turn, .context = turns },
		graph, ret_sample, err);
	job->peer = NULL;
	return rc;
}

static int may_measure(const struct turns *turns, struct hl_error *err)
{
	const char *why_not = turns->run->stops[turns->hop];

	if (why_not)
		return hl_fail(err, ENOTCONN, "%s", why_not);
	return run_owner_check(turns->run->owners[turns->hop], err);
}

static int measure(struct turns *turns, unsigned variant, const struct hl_plan_slot *place,
		   struct hl_error *err)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	unsigned nr_streams = turns->wish->kind->variants[variant].streams;
	struct hl_job job = {
		.workload = turns->workloads[variant],
		.offset = place->offset,
		.length = length_of(turns, place),
		.seed = place->seed,
		.warmup = WARMUP_S,
		.seconds = turns->slot_s,
		.max_bw = turns->run->options.max_bw,
	};
	const struct hl_slot_request asked = {
		.hop = turns->progress.hop,
		.beside = run_beside(turns->run, turns->hop),
		.job = &job,
		.watch = watch_turn,
		.context = turns,
	};
	double start_s = (double)(hl_clock_ns() - turns->run->start_ns) / 1e9;
	HL_FREE char *line = NULL;
	struct hl_sample sample;
	struct hl_error why;
	int rc;

	turns->progress.workload = job.workload.name;
	turns->is_owner_gone = false;
	rc = may_measure(turns, &why);
	if (rc == 0 && nr_streams)
		rc = measure_streams(turns, nr_streams, &job, graph, &sample, &why);
	else if (rc == 0)
		rc = hl_agent_slot(run_agent_of(turns->run, turns->hop), &asked, graph, &sample,
				   &why);
	if (rc == 0 && turns->is_owner_gone)
		rc = hl_fail(&why, ENOTCONN, "%s",
			     run_owner_gone_text(graph->arena, turns->run->owners[turns->hop]));
	if (rc < 0)
		sample = run_sample_of_failure(&job.workload, why.text, why.code);
	if (turns->is_stopped)
		return hl_fail(err, EINTR, "stopped");
	sample.start_s = start_s;
	sample.hop = turns->progress.hop;
	sample.experiment = turns->wish->kind->id;
	line = hl_sample_print(&sample);
	return hl_bundle_add_sample(turns->bundle, line, err);
}

/* Each variant once; the order goes round, unless one must follow the other. */
static int take_turn(struct turns *turns, unsigned turn, struct hl_error *err)
{
	const struct hl_experiment_kind *kind = turns->wish->kind;
	const struct hl_plan_slot place = place_of(turns, turn);
	unsigned first = kind->is_same_place ? 0 : turn;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < kind->nr_variants; i++) {
		unsigned variant = (first + i) % kind->nr_variants;

		if (!turns->is_there[variant])
			continue;
		rc = measure(turns, variant, &place, err);
		turns->nr_done++;
	}
	return rc;
}

/* ---- all of it ---- */

static bool find_hop(struct turns *turns)
{
	const struct hl_path *path = turns->run->options.path;

	for (size_t i = 0; i < path->nr_hops; i++) {
		if (strcmp(path->hops[i].name, turns->wish->hop->name) != 0 ||
		    isnan(turns->run->sizes[i]))
			continue;
		turns->hop = i;
		turns->progress.hop = path->hops[i].name;
		return true;
	}
	return false;
}

static void derive_all(struct turns *turns)
{
	const struct hl_experiment_kind *kind = turns->wish->kind;

	for (unsigned i = 0; i < kind->nr_variants; i++) {
		turns->is_there[i] = hl_experiment_derive(
			turns->arena, kind, i, &turns->wish->at->workload, &turns->workloads[i]);
		turns->nr_slots += turns->is_there[i] * HL_EXPERIMENT_TURNS;
	}
}

double hl_run_experiment_seconds(const struct hl_experiment_kind *kind)
{
	return seconds_of(HL_EXPERIMENT_TURNS * kind->nr_variants, SHORTEST_S);
}

int hl_run_experiment(struct hl_run *run, const struct hl_wish *wish, double seconds,
		      struct hl_bundle *bundle, hl_run_watch *watch, void *context,
		      struct hl_error *err)
{
	struct turns turns = {
		.run = run,
		.wish = wish,
		.bundle = bundle,
		.watch = watch,
		.context = context,
		.progress = { .round = run->round, .nr_rounds = run->plan.nr_rounds },
	};
	int rc = 0;

	if (!find_hop(&turns))
		return hl_fail(err, ENOENT, "no hop %s that can be measured", wish->hop->name);
	turns.arena = hl_arena_new();
	derive_all(&turns);
	turns.slot_s = fmin(fmax(seconds / turns.nr_slots - WARMUP_S - OVERHEAD_S, SHORTEST_S),
			    LONGEST_S);
	for (unsigned turn = 0; rc == 0 && turn < HL_EXPERIMENT_TURNS; turn++)
		rc = take_turn(&turns, turn, err);
	hl_arena_free(turns.arena);
	return rc;
}
