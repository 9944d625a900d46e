/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measuring a round: slot after slot in the order of the plan, each recorded as soon as it is done.
 * What a hop cannot give is recorded too, once a round, with its reason.
 */
#include "run.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALONE_EVERY 3 /* rounds: the drives of a hop are measured each alone, too */

struct watching {
	struct hl_run *run;
	struct hl_bundle *bundle;
	hl_run_watch *watch;
	void *context;
	struct hl_run_progress progress;
	double slots_done;       /* of all rounds */
	struct run_owner *owner; /* of the slot that runs */
	bool is_stopped, is_owner_gone;
};

static bool watch_slot(void *context, double done, double bytes_per_s)
{
	struct watching *watching = context;
	struct hl_run_progress *progress = &watching->progress;
	const struct hl_plan *plan = &watching->run->plan;
	double all = (double)hl_plan_nr_slots(plan) * plan->nr_rounds;
	double passed = (double)(hl_clock_ns() - watching->run->start_ns) / 1e9;

	progress->bytes_per_s = bytes_per_s;
	progress->done = fmin((watching->slots_done + done) / all, 1);
	progress->left_s = progress->done > 0 ? passed / progress->done - passed : NAN;
	watching->is_stopped |= watching->watch(watching->context, progress);
	watching->is_owner_gone |= run_owner_is_gone(watching->owner);
	return watching->is_stopped || watching->is_owner_gone;
}

struct hl_sample run_sample_of_failure(const struct hl_workload *workload, const char *reason,
				       int error)
{
	return (struct hl_sample){
		.workload = *workload,
		.status = HL_STATUS_NOT_MEASURED,
		.reason = reason,
		.error = error,
		.start_s = NAN,
		.seconds = NAN,
		.cpu_pct = NAN,
		.idle_pct = NAN,
		.cached_share = NAN,
	};
}

static int record(const struct hl_run *run, struct hl_bundle *bundle, struct hl_sample *sample,
		  const struct hl_plan_slot *slot, struct hl_error *err)
{
	HL_FREE char *line = NULL;

	sample->round = slot->round;
	sample->hop = run->hops[slot->hop].hop->name;
	sample->repeats = slot->is_repeat ? sample->hop : NULL;
	line = hl_sample_print(sample);
	return hl_bundle_add_sample(bundle, line, err);
}

const char *run_beside(const struct hl_run *run, size_t hop)
{
	const struct hl_path_hop *first = run->options.path->hops, *at = run->hops[hop].hop;

	for (; at && at->host == run->hops[hop].hop->host; at = at->after) {
		if (!strcmp(run->hops[at - first].kind, "block"))
			return at == run->hops[hop].hop ? NULL : at->name;
	}
	return NULL;
}

static const char *why_not_done(const struct hl_run_hop *hop, const struct hl_workload *workload)
{
	if (hl_rw_writes(workload->rw) && hop->no_write)
		return hop->no_write;
	return hl_rw_reads(workload->rw) ? hop->no_read : NULL;
}

static struct hl_job job_of(const struct hl_run *run, const struct hl_plan_slot *slot)
{
	const struct hl_workload *workload = &run->plan.workloads[slot->workload];

	return (struct hl_job){
		.workload = *workload,
		.offset = slot->offset,
		.length = slot->length,
		.seed = slot->seed,
		.warmup = hl_plan_warmup(&run->plan, slot->workload),
		.seconds = run->plan.seconds,
		.max_bw = run->options.max_bw,
		.sync_every = workload->fsync > 0 ? (unsigned)workload->fsync : 0,
		.is_data_only = workload->is_data_only,
		.may_write = run->hops[slot->hop].may_write && hl_rw_writes(workload->rw),
	};
}

/* Errors after which there is no path to the target any more, or no session with it. */
static bool is_path_lost(const struct hl_run_hop *hop, int error)
{
	static const int of_device[] = { ENODEV, ENXIO, ENOLINK, ENOTCONN, ESHUTDOWN, 0 };
	static const int of_session[] = { EPIPE,  ECONNREFUSED, ECONNABORTED, ECONNRESET, ETIMEDOUT,
					  ENOENT, ENXIO,        EACCES,       EPERM,      EUSERS,
					  0 };
	const int *codes = !strcmp(hop->kind, "iscsi") ? of_session : of_device;

	while (*codes && *codes != error)
		codes++;
	return *codes != 0;
}

/* What broke is not tried again: its owner may be repairing it. */
static void stop_if_lost(struct hl_run *run, size_t hop, const struct hl_sample *sample)
{
	if (sample->status != HL_STATUS_NOT_MEASURED ||
	    !is_path_lost(&run->hops[hop], sample->error))
		return;
	run->stops[hop] = hl_arena_printf(run->arena, "stopped after this: %s",
					  sample->reason ? sample->reason : "no reason given");
}

/* Runs it, unless its owner is away. */
static struct hl_sample run_slot(struct watching *watching, const struct hl_slot_request *asked,
				 size_t hop, struct hl_graph *graph)
{
	struct hl_run *run = watching->run;
	const struct hl_workload *workload = &asked->job->workload;
	struct hl_sample sample;
	struct hl_error why;
	int rc;

	watching->owner = run->owners[hop];
	watching->is_owner_gone = false;
	if (run_owner_check(watching->owner, &why) < 0)
		return run_sample_of_failure(workload, hl_arena_strdup(graph->arena, why.text),
					     why.code);
	run_watch_others(run, hop, asked->job);
	rc = hl_agent_slot(run_agent_of(run, hop), asked, graph, &sample, &why);
	run_take_others(run, graph, rc < 0 ? NULL : &sample);
	if (rc < 0)
		return run_sample_of_failure(workload, hl_arena_strdup(graph->arena, why.text),
					     why.code);
	if (watching->is_owner_gone)
		return run_sample_of_failure(
			workload, run_owner_gone_text(graph->arena, watching->owner), ENOTCONN);
	stop_if_lost(run, hop, &sample);
	return sample;
}

/* One slot on a hop, or on one of its drives. -EINTR: it was stopped. */
static int measure(struct watching *watching, const struct hl_plan_slot *slot, unsigned drive,
		   struct hl_graph *graph, struct hl_sample *ret_sample, struct hl_error *err)
{
	struct hl_run *run = watching->run;
	const struct hl_run_hop *hop = &run->hops[slot->hop];
	const struct hl_workload *workload = &run->plan.workloads[slot->workload];
	struct hl_job job = job_of(run, slot);
	const struct hl_slot_request asked = {
		.hop = hop->hop->name,
		.beside = run_beside(run, slot->hop),
		.job = &job,
		.watch = watch_slot,
		.context = watching,
	};
	const char *why_not = run->stops[slot->hop] ? run->stops[slot->hop]
						    : why_not_done(hop, workload);
	double start_s = (double)(hl_clock_ns() - run->start_ns) / 1e9;
	struct hl_sample sample;

	job.drive = drive;
	watching->progress.hop = hop->hop->name;
	watching->progress.workload = workload->name;
	if (why_not)
		sample = run_sample_of_failure(workload, why_not, 0);
	else
		sample = run_slot(watching, &asked, slot->hop, graph);
	if (watching->is_stopped)
		return hl_fail(err, EINTR, "stopped");
	sample.start_s = start_s;
	*ret_sample = sample;
	return 0;
}

static int measure_hop(struct watching *watching, const struct hl_plan_slot *slot,
		       struct hl_error *err)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_run *run = watching->run;
	struct hl_sample sample;
	int rc = measure(watching, slot, 0, graph, &sample, err);

	if (rc < 0)
		return rc;
	if (!run->is_told[slot->hop]) {
		run_add_routes(run, slot->hop, graph, &sample);
		run_add_load(run, slot->hop, graph, &sample);
	}
	run->is_told[slot->hop] = true;
	return record(run, watching->bundle, &sample, slot, err);
}

/* ---- drives, each alone ---- */

static unsigned nr_drives(const struct hl_run *run, size_t hop)
{
	const char *const *targets = run->hops[hop].hop->targets;
	unsigned nr = 0;

	while (!isnan(run->sizes[hop]) && targets[nr])
		nr++;
	return nr;
}

/* Slots of a round in which drives are measured alone; of several, only reads are measured. */
static bool is_measured_alone(const struct hl_run *run, size_t hop, size_t workload)
{
	const struct hl_workload *of = &run->plan.workloads[workload];

	return nr_drives(run, hop) > 1 && !hl_rw_writes(of->rw) && of->direct != 0 &&
	       !hl_run_misfit(run, hop, workload);
}

size_t run_nr_alone(const struct hl_run *run, unsigned nr_rounds)
{
	size_t nr = 0;

	for (size_t hop = 0; hop < run->options.path->nr_hops; hop++) {
		for (size_t w = 0; w < run->plan.nr_workloads; w++)
			nr += is_measured_alone(run, hop, w) ? nr_drives(run, hop) : 0;
	}
	return nr * ((nr_rounds + ALONE_EVERY - 1) / ALONE_EVERY);
}

static int measure_drive(struct watching *watching, const struct hl_plan_slot *slot, unsigned drive,
			 struct hl_error *err)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct hl_run *run = watching->run;
	struct hl_sample sample = { 0 };
	int rc = measure(watching, slot, drive, graph, &sample, err);

	if (rc < 0)
		return rc;
	sample.experiment = HL_DRIVES_ALONE;
	sample.drive = run->hops[slot->hop].hop->targets[drive - 1];
	/* its number only: a name may hold a serial number */
	sample.workload.name = hl_arena_printf(graph->arena, "%s/drive-%u", sample.workload.name,
					       drive);
	return record(run, watching->bundle, &sample, slot, err);
}

/* Where no other slot of the run reads; in a turned order each time. */
static int measure_drives(struct watching *watching, unsigned round, struct hl_error *err)
{
	const struct hl_plan *plan = &watching->run->plan;
	size_t nr = hl_plan_nr_slots(plan);
	HL_FREE struct hl_plan_slot *slots = hl_alloc(nr * sizeof(*slots));
	int rc = 0;

	hl_plan_round(plan, plan->nr_rounds + round, slots);
	for (size_t i = 0; rc == 0 && i < nr; i++) {
		unsigned of = nr_drives(watching->run, slots[i].hop);

		slots[i].round = round;
		if (slots[i].is_repeat ||
		    !is_measured_alone(watching->run, slots[i].hop, slots[i].workload))
			continue;
		for (unsigned d = 0; rc == 0 && d < of; d++)
			rc = measure_drive(watching, &slots[i], (round + d) % of + 1, err);
	}
	return rc;
}

/* ---- all of a round ---- */

/* Hops that could not be opened: the reason, for each workload. */
static int record_missing(struct hl_run *run, unsigned round, struct hl_bundle *bundle,
			  struct hl_error *err)
{
	int rc = 0;

	for (size_t hop = 0; hop < run->options.path->nr_hops; hop++) {
		for (size_t w = 0; rc == 0 && run->hops[hop].reason && w < run->plan.nr_workloads;
		     w++) {
			const struct hl_plan_slot slot = { .round = round, .hop = hop };
			struct hl_sample sample = run_sample_of_failure(&run->plan.workloads[w],
									run->hops[hop].reason, 0);

			rc = record(run, bundle, &sample, &slot, err);
		}
	}
	return rc;
}

int hl_run_round(struct hl_run *run, unsigned round, struct hl_bundle *bundle, hl_run_watch *watch,
		 void *context, struct hl_error *err)
{
	size_t nr = hl_plan_nr_slots(&run->plan);
	HL_FREE struct hl_plan_slot *slots = hl_alloc(nr * sizeof(*slots));
	struct watching watching = {
		.run = run,
		.bundle = bundle,
		.watch = watch,
		.context = context,
		.progress = { .round = round, .nr_rounds = run->plan.nr_rounds },
		.slots_done = (double)nr * (round - 1),
	};
	int rc;

	if (!run->start_ns)
		run->start_ns = hl_clock_ns() - (uint64_t)(run->options.begun_s * 1e9);
	run->round = round;
	hl_plan_round(&run->plan, round, slots);
	rc = record_missing(run, round, bundle, err);
	for (size_t i = 0; rc == 0 && i < nr; i++) {
		rc = measure_hop(&watching, &slots[i], err);
		watching.slots_done++;
	}
	if (rc == 0 && round == 1)
		rc = run_calibrate(run, bundle, err);
	if (rc == 0 && (round - 1) % ALONE_EVERY == 0)
		rc = measure_drives(&watching, round, err);
	return rc;
}
