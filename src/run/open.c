/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening a run: workers first, then targets, then the plan. Passwords are read here, on the
 * coordinator, and travel by the worker's stdin only.
 */
#include "hoploss/chap.h"
#include "hoploss/rank.h"
#include "run.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define WARMUP_S     0.2
#define SHORTEST_S   0.1
#define LONGEST_S    10.0
#define ROUNDS_SHARE 0.8  /* of the time: the rest is for experiments */
#define OVERHEAD_S   0.06 /* between two slots: a child is made, threads start and end */

/* ---- hosts ---- */

static void open_hosts(struct hl_run *run)
{
	const struct hl_path *path = run->options.path;

	run->hosts = hl_arena_alloc(run->arena, path->nr_hosts * sizeof(*run->hosts));
	for (size_t i = 0; i < path->nr_hosts; i++) {
		struct hl_error err;

		if (hl_agent_open(path->hosts[i].name, path->hosts[i].via, &run->hosts[i].agent,
				  &err) < 0)
			run->hosts[i].reason = hl_arena_strdup(run->arena, err.text);
	}
}

static struct run_host *host_of(const struct hl_run *run, const struct hl_path_hop *hop)
{
	return &run->hosts[hop->host - run->options.path->hosts];
}

struct hl_agent *run_agent_of(const struct hl_run *run, size_t hop)
{
	return host_of(run, run->hops[hop].hop)->agent;
}

void run_refuse(struct hl_run *run, size_t hop, const char *reason)
{
	run->hops[hop].reason = hl_arena_strdup(run->arena, reason);
	run->hops[hop].size = NAN;
	run->sizes[hop] = NAN;
}

/* ---- targets ---- */

static int open_target(struct hl_run *run, const struct hl_path_hop *hop,
		       struct hl_target_info *info, struct hl_error *err)
{
	const struct run_host *host = host_of(run, hop);
	HL_CHAP struct hl_chap chap = { 0 };
	struct hl_target_request request = {
		.hop = hop->name,
		.targets = hop->targets,
		.initiator = hop->initiator,
		.may_write = run->options.may_write,
	};

	if (!host->agent)
		return hl_fail(err, EHOSTUNREACH, "%s", host->reason);
	if (hop->chap_file) {
		int rc = hl_chap_read(hop->chap_file, &chap, err);

		if (rc < 0)
			return rc;
		request.chap_user = chap.user;
		request.chap_password = chap.password;
	}
	return hl_agent_target(host->agent, &request, info, err);
}

/* What to do about it, where the system's own words do not say. */
static const char *hint_of(int code)
{
	static const struct {
		int code;
		const char *hint;
	} hints[] = {
		{ ENOENT, ": write a target that is there on host " },
		{ EACCES, ": hoploss must be root there: see \"via\" of host " },
		{ EPERM, ": hoploss must be root there: see \"via\" of host " },
	};

	for (size_t i = 0; i < sizeof(hints) / sizeof(*hints); i++) {
		if (hints[i].code == code)
			return hints[i].hint;
	}
	return "";
}

/* Why a hop cannot be opened, and what to do about it; in the arena. */
static const char *say_reason(struct hl_run *run, const struct hl_path_hop *hop,
			      const struct hl_error *err)
{
	const char *file = hop->targets ? hop->targets[0] : NULL, *hint = hint_of(err->code);

	if (file && !strncmp(file, "file:", 5))
		file += 5;
	if (err->code == ENOENT && hop->layer == HL_LAYER_FILESYSTEM && file && *file == '/')
		return hl_arena_printf(run->arena,
				       "%s: make it on host %s: hoploss run --layout %s --size 64G",
				       err->text, hop->host->name, file);
	return hl_arena_printf(run->arena, "%s%s%s", err->text, hint, *hint ? hop->host->name : "");
}

static void open_hop(struct hl_run *run, size_t index)
{
	const struct hl_path_hop *hop = &run->options.path->hops[index];
	struct hl_run_hop *opened = &run->hops[index];
	struct hl_target_info info = { 0 };
	struct hl_error err;

	opened->hop = hop;
	opened->size = NAN;
	if (hop->layer == HL_LAYER_DATASHEET)
		return;
	opened->note = run_owner_open(run, index);
	if (run_owner_check(run->owners[index], &err) < 0) {
		opened->reason = hl_arena_strdup(run->arena, err.text);
		return;
	}
	if (open_target(run, hop, &info, &err) < 0) {
		opened->reason = say_reason(run, hop, &err);
		return;
	}
	run->whole_sizes[index] = info.size;
	run->serials[index] = hl_arena_strdup(run->arena, info.serial);
	memcpy(opened->kind, info.kind, sizeof(opened->kind));
	opened->is_direct = info.is_direct;
	opened->block = info.block;
	opened->may_write = info.may_write;
	if (run->options.may_write && !info.may_write)
		opened->no_write = hl_arena_strdup(
			run->arena, hop->targets[1] ? "several targets of one hop are not written"
						    : info.why_not_write);
	opened->size = isnan(hop->size) ? info.size : fmin(hop->size, info.size);
	if (!(opened->size > 0)) {
		opened->size = NAN;
		opened->reason = "it has no bytes";
	}
}

static void open_hops(struct hl_run *run)
{
	size_t nr = run->options.path->nr_hops;
	double *sizes = hl_arena_alloc(run->arena, nr * sizeof(*sizes));

	run->hops = hl_arena_alloc(run->arena, nr * sizeof(*run->hops));
	run->whole_sizes = hl_arena_alloc(run->arena, nr * sizeof(*run->whole_sizes));
	run->serials = hl_arena_alloc(run->arena, nr * sizeof(*run->serials));
	run->loads = hl_arena_alloc(run->arena, nr * sizeof(*run->loads));
	run->owners = hl_arena_alloc(run->arena, nr * sizeof(*run->owners));
	run->stops = hl_arena_alloc(run->arena, nr * sizeof(*run->stops));
	run->is_told = hl_arena_alloc(run->arena, nr * sizeof(*run->is_told));
	for (size_t i = 0; i < nr; i++) {
		open_hop(run, i);
		sizes[i] = run->hops[i].size;
	}
	run->sizes = sizes;
}

/* ---- plan ---- */

/* Hops before one that can be compared with each other and with it; a datasheet is one. */
static size_t nr_compared(const struct hl_run *run, size_t hop)
{
	const struct hl_path_hop *first = run->options.path->hops, *at = first[hop].after;
	size_t nr = 0;

	for (; at && !isnan(run->sizes[hop]); at = at->after)
		nr += at->layer == HL_LAYER_DATASHEET || !isnan(run->sizes[at - first]);
	return nr;
}

/* Fewer rounds name nothing, so time is spent on these first. */
static unsigned rounds_to_name(const struct hl_run *run)
{
	size_t most = 1;
	unsigned rounds;

	for (size_t i = 0; i < run->options.path->nr_hops; i++) {
		size_t nr = nr_compared(run, i);

		most = nr > most ? nr : most;
	}
	rounds = hl_rank_first_look(most * run->options.nr_workloads);
	return rounds && rounds < run->options.nr_rounds ? rounds : run->options.nr_rounds;
}

/* At most half of a slot warms up. */
static void share_time(struct hl_plan *plan, double slot_s)
{
	double warmups = 0;

	plan->longest_warmup = slot_s / 2;
	for (size_t i = 0; i < plan->nr_workloads; i++)
		warmups += hl_plan_warmup(plan, i);
	plan->seconds = fmax(slot_s - warmups / (double)plan->nr_workloads, SHORTEST_S);
}

/* Time is shared by the rounds that are wanted at least; what is over gives more rounds. */
static void make_plan(struct hl_run *run)
{
	const struct hl_run_options *options = &run->options;
	unsigned at_least = options->wants_all ? options->nr_rounds : rounds_to_name(run);
	double slots;

	run->plan = (struct hl_plan){
		.path = options->path,
		.workloads = options->workloads,
		.nr_workloads = options->nr_workloads,
		.sizes = run->sizes,
		.nr_rounds = options->nr_rounds,
		.wants_all = options->wants_all,
		.warmup = WARMUP_S,
		.seed = options->seed,
	};
	slots = (double)hl_plan_nr_slots(&run->plan) * at_least +
		(double)run_nr_alone(run, at_least);
	share_time(&run->plan,
		   fmin(ROUNDS_SHARE * options->time_s / slots - OVERHEAD_S, LONGEST_S + WARMUP_S));
	for (size_t i = 0; i < options->path->nr_hops; i++) {
		if (!isnan(run->sizes[i]))
			run->hops[i].is_disjoint = hl_plan_is_disjoint(&run->plan, i);
	}
}

static int check_any(const struct hl_run *run, struct hl_error *err)
{
	if (hl_plan_nr_slots(&run->plan))
		return 0;
	for (size_t i = 0; i < run->options.path->nr_hops; i++) {
		if (run->hops[i].reason)
			return hl_fail(err, ENODEV, "not one hop can be measured: %s: %s",
				       run->hops[i].hop->name, run->hops[i].reason);
	}
	return hl_fail(err, ENODEV, "there is nothing to measure");
}

/* Whoever wants to write is told at once why nothing is. */
static int check_any_written(const struct hl_run *run, struct hl_error *err)
{
	const char *why = "no hop of the path";

	for (size_t i = run->options.path->nr_hops; i-- > 0;) {
		if (run->hops[i].may_write && !run->hops[i].reason)
			return 0;
		why = run->hops[i].no_write ? run->hops[i].no_write : why;
	}
	return hl_fail(err, EPERM, "--write, but nothing may be written: %s", why);
}

int hl_run_open(const struct hl_run_options *options, struct hl_run **ret_run, struct hl_error *err)
{
	struct hl_arena *arena = hl_arena_new();
	struct hl_run *run = hl_arena_alloc(arena, sizeof(*run));
	int rc;

	run->arena = arena;
	run->options = *options;
	open_hosts(run);
	open_hops(run);
	run_prove_media(run);
	run_look_at_load(run);
	make_plan(run);
	rc = options->may_write ? check_any_written(run, err) : 0;
	if (rc == 0 && !options->may_be_empty)
		rc = check_any(run, err);
	if (rc < 0) {
		hl_run_close(run);
		return rc;
	}
	*ret_run = run;
	return 0;
}

void hl_run_close(struct hl_run *run)
{
	if (!run)
		return;
	for (size_t i = 0; i < run->options.path->nr_hops; i++)
		run_owner_close(run->owners[i]);
	for (size_t i = 0; i < run->options.path->nr_hosts; i++)
		hl_agent_close(run->hosts[i].agent);
	hl_arena_free(run->arena);
}

const struct hl_plan *hl_run_plan(const struct hl_run *run)
{
	return &run->plan;
}

const struct hl_run_hop *hl_run_hop_at(const struct hl_run *run, size_t index)
{
	if (index >= run->options.path->nr_hops)
		return NULL;
	return &run->hops[index];
}

const char *hl_run_misfit(const struct hl_run *run, size_t hop, size_t workload)
{
	const struct hl_workload *of = &run->plan.workloads[workload];
	double least = of->bs * of->numjobs, room = hl_plan_room(&run->plan, hop, workload);
	const char *kind = run->hops[hop].kind;
	/* of a file it is only a block size that surely works */
	bool has_blocks = !strcmp(kind, "iscsi") || (!strcmp(kind, "block") && of->direct != 0);

	if (room < least)
		return hl_arena_printf(run->arena,
				       "offset and size leave %.0f bytes of it, and %.0f jobs of "
				       "%.0f bytes need %.0f",
				       room, of->numjobs, of->bs, least);
	if (has_blocks && fmod(of->bs, run->hops[hop].block) != 0)
		return hl_arena_printf(run->arena,
				       "bs=%.0f is no multiple of its blocks of %.0f bytes: write "
				       "another bs",
				       of->bs, run->hops[hop].block);
	return NULL;
}
