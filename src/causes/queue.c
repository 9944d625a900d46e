/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * serial-stage and depth-limited: the two readings of I/Os that do not rise with depth, told
 * together because one hop alone can seldom tell them apart.
 *
 * Source: src/causes/plateau.c. Surprising: the device may hold 128 requests and still give no more
 * than nine at a time would: a cap that is seen need not be the one that binds.
 */
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/path_template.h"
#include "hoploss/plateau.h"
#include "hoploss/say.h"
#include "hoploss/shallow.h"
#include "hoploss/wire.h"
#include <math.h>
#include <string.h>

#define CAP_BINDS   0.7 /* of the requests in flight are as many as depth 1's latency needs */
#define SLAT_GROWS  3   /* times, to be worth telling */
#define LEAST_USUAL 8
#define NEAR_USUAL  0.1
#define STREAM_FROM (64 * HL_KIB)
#define MOST_SIZES  6

static const char *what(const struct hl_trial *trial)
{
	return trial->dir == HL_DIR_READ ? "reads" : "writes";
}

/* What the device holds at the plateau, where that is known for the plateau itself. */
static double in_flight(const struct hl_plateau *plateau)
{
	if (!isnan(plateau->cap) || plateau->deep.at->is_depth_of_run)
		return plateau->cap;
	return plateau->device_depth;
}

/* Nothing queues beyond the cap: raising it raises the IOPS. */
static bool is_cap_alone(const struct hl_plateau *plateau)
{
	return plateau->slots >= CAP_BINDS * in_flight(plateau);
}

/* ---- sentences ---- */

static const char *say_plateau(struct hl_graph *graph, const struct hl_plateau *plateau)
{
	const struct hl_trial *shallow = &plateau->shallow, *deep = &plateau->deep;

	return hl_arena_printf(
		graph->arena,
		"%s %s of %s do not gain from depth: %s IOPS with %.0f asked for, %s with %.0f.",
		hl_rw_is_random(deep->at->workload.rw) ? "Random" : "Sequential", what(deep),
		hl_say_size(deep->bs).text, hl_say_count(shallow->iops).text, shallow->depth,
		hl_say_count(deep->iops).text, deep->depth);
}

static const char *say_stage(struct hl_graph *graph, const struct hl_plateau *plateau)
{
	const struct hl_fit *fit = &plateau->fit;

	if (!plateau->has_fit)
		return hl_arena_printf(graph->arena, " A stage of %s per I/O would explain it.",
				       hl_say_time(1e9 / plateau->shallow.iops).text);
	return hl_arena_printf(
		graph->arena,
		" A stage of %s per I/O would explain it; by relative fit over %zu deep pure jobs "
		"%s per I/O and %s per KiB (pairs of block sizes give %s to %s per I/O%s).",
		hl_say_time(1e9 / plateau->shallow.iops).text, fit->nr_points,
		hl_say_time(fit->a_ns).text, hl_say_time(fit->b_ns_per_byte * HL_KIB).text,
		hl_say_time(fit->a_low_ns).text, hl_say_time(fit->a_high_ns).text,
		fit->is_mixed ? "; random and sequential together" : "");
}

static const char *say_slots(struct hl_graph *graph, const struct hl_plateau *plateau)
{
	if (isnan(plateau->slots))
		return " How many at a time would explain it too is not known: depth 1 was not "
		       "measured.";
	return hl_arena_printf(
		graph->arena,
		" About %.0f at a time explain it equally (%s IOPS x the %s of depth "
		"1).",
		plateau->slots, hl_say_count(plateau->shallow.iops).text,
		hl_say_time(plateau->one.lat_ns).text);
}

/* ", near the usual 128": limits are powers of two more often than not. */
static const char *say_usual(struct hl_graph *graph, double cap)
{
	double usual = exp2(round(log2(cap)));

	if (usual < LEAST_USUAL || fabs(cap / usual - 1) > NEAR_USUAL)
		return "";
	return hl_arena_printf(graph->arena, ", near a limit of %.0f", usual);
}

static const char *say_device(struct hl_graph *graph, const struct hl_plateau *plateau)
{
	if (isnan(plateau->device_depth))
		return "";
	if (isnan(plateau->cap))
		return hl_arena_printf(graph->arena, " The device saw %.0f in flight%s.",
				       plateau->device_depth,
				       plateau->deep.at->is_depth_of_run ? " on average" : "");
	return hl_arena_printf(
		graph->arena,
		" Over the run %.0f were asked for on average and the device saw %.0f: as if "
		"something below the generator let %.0f through%s.",
		plateau->depth_asked, plateau->device_depth, plateau->cap,
		say_usual(graph, plateau->cap));
}

static const char *say_blocked(struct hl_graph *graph, const struct hl_plateau *plateau)
{
	const struct hl_trial *blocked = &plateau->blocked;
	double before = plateau->shallow.submit_ns, after = plateau->deep.submit_ns;
	const char *text = "";

	if (after >= SLAT_GROWS * before)
		text = hl_arena_printf(graph->arena, " Submission blocks: slat grows from %s to %s",
				       hl_say_time(before).text, hl_say_time(after).text);
	if (!blocked->at)
		return *text ? hl_arena_printf(graph->arena, "%s.", text) : "";
	if (!*text)
		text = " Submission blocks: slat is long";
	return hl_arena_printf(graph->arena, "%s; at %.0f asked for it is %s, %s of a job's time.",
			       text, blocked->depth, hl_say_time(blocked->submit_ns).text,
			       hl_say_share(fmin(blocked->submitting, 1)).text);
}

/* The fastest trial of each size that streams, in order of appearance; returns how many. */
static size_t streams_of(const struct hl_trials *trials, const struct hl_trial **streams)
{
	size_t nr = 0;

	for (size_t i = 0; i < trials->nr; i++) {
		const struct hl_trial *trial = &trials->items[i];
		size_t at = 0;

		if (!trial->is_pure || !(trial->bs >= STREAM_FROM))
			continue;
		while (at < nr && streams[at]->bs != trial->bs)
			at++;
		if (at == MOST_SIZES)
			continue;
		if (at == nr)
			streams[nr++] = trial;
		else if (trial->bw > streams[at]->bw)
			streams[at] = trial;
	}
	return nr;
}

static const char *say_wire(struct hl_graph *graph, const struct hl_plateau *plateau)
{
	HL_TRIALS struct hl_trials trials = { 0 };
	const struct hl_trial *streams[MOST_SIZES];
	const char *text = "";
	struct hl_wire wire;
	size_t nr;

	if (!hl_wire_may_be_in(plateau->hop) || !hl_wire_for(hl_wire_load(plateau->hop), &wire))
		return "";
	hl_trials_read(plateau->hop, plateau->dir, &trials);
	nr = streams_of(&trials, streams);
	for (size_t i = 0; i < nr; i++)
		text = hl_arena_printf(graph->arena, "%s%s%s with %s", text, i ? ", " : "",
				       hl_say_share(streams[i]->bw / wire.usual).text,
				       hl_say_size(streams[i]->bs).text);
	if (!nr)
		return "";
	return hl_arena_printf(graph->arena,
			       " A line of %s, if there is one, would be at %s; slower ones are "
			       "ruled out.",
			       wire.name, text);
}

/* ---- what both findings carry ---- */

static const char *disk_name(const struct hl_plateau *plateau)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "_-";

	for (size_t i = 0; i < plateau->hop->nr_disks; i++) {
		const char *name = plateau->hop->disks[i]->name;

		if (name && *name && strspn(name, safe) == strlen(name))
			return name;
	}
	return "DISK";
}

static bool is_pasted(const struct hl_graph *graph, const struct hl_hop *hop)
{
	for (size_t i = 0; i < graph->nr_findings; i++) {
		const struct hl_finding *finding = graph->findings[i];

		if (finding->hop == hop && finding->paste && strstr(finding->paste, "[path]"))
			return true;
	}
	return false;
}

/* Once a hop: the findings of reads and writes ask for the same. */
static const char *paste(struct hl_graph *graph, const struct hl_plateau *plateau)
{
	const char *disk = disk_name(plateau);

	if (is_pasted(graph, plateau->hop))
		return NULL;
	return hl_arena_printf(
		graph->arena,
		"# where the job runs, as root: the limits on commands in flight\n"
		"grep . /sys/block/%s/device/queue_depth /sys/block/%s/queue/nr_requests "
		"/sys/block/%s/queue/scheduler\n"
		"iscsiadm -m node -o show | grep -E 'cmds_max|queue_depth|nr_sessions'\n"
		"# there, on the hypervisor and on the storage, while the job runs: a thread at "
		"100 %%?\n"
		"top -b -H -n 1 | head -25\n"
		"# on the storage, while the job runs: what its drives hold (aqu-sz)\n"
		"iostat -x 2 3\n"
		"# the next hops as a path file: put what is in capitals in, leave out what your "
		"path\n"
		"# has not, save as path.conf; then: hoploss run path.conf\n"
		"cat <<'END'\n%sEND\n",
		disk, disk, disk, hl_path_template(graph, plateau->hop));
}

static void add_evidence(struct hl_graph *graph, struct hl_finding *finding,
			 const struct hl_plateau *plateau)
{
	const struct hl_trial *two[] = { &plateau->shallow, &plateau->deep };

	for (size_t i = 0; i < 2; i++) {
		hl_evidence_add(graph, finding, two[i], HL_FIGURE_DEPTH);
		hl_evidence_add(graph, finding, two[i], HL_FIGURE_IOPS);
	}
	if (plateau->one.at)
		hl_evidence_add(graph, finding, &plateau->one, HL_FIGURE_LAT);
}

static void add_fit(struct hl_graph *graph, struct hl_finding *finding,
		    const struct hl_plateau *plateau)
{
	static const char *const keys[][4] = {
		{ "model.read_time_per_io_ns", "model.read_time_per_io_low_ns",
		  "model.read_time_per_io_high_ns", "model.read_time_per_kib_ns" },
		{ "model.write_time_per_io_ns", "model.write_time_per_io_low_ns",
		  "model.write_time_per_io_high_ns", "model.write_time_per_kib_ns" },
	};

	for (size_t i = 0; i < 4; i++)
		hl_evidence_add_model(graph, finding, plateau->hop,
				      keys[plateau->dir == HL_DIR_WRITE][i], NAN);
}

static void add_submission(struct hl_graph *graph, struct hl_finding *finding,
			   const struct hl_plateau *plateau)
{
	hl_evidence_add_model(graph, finding, plateau->hop, "model.depth_asked", NAN);
	hl_evidence_add_model(graph, finding, plateau->hop, "model.device_depth",
			      plateau->device_depth);
	hl_evidence_add(graph, finding, &plateau->shallow, HL_FIGURE_SLAT);
	hl_evidence_add(graph, finding, &plateau->deep, HL_FIGURE_SLAT);
	if (plateau->blocked.at)
		hl_evidence_add(graph, finding, &plateau->blocked, HL_FIGURE_SLAT);
}

static struct hl_finding *found(struct hl_graph *graph, const struct hl_cause *cause,
				const struct hl_plateau *plateau)
{
	/* a fit over several block sizes speaks for the hop as a whole */
	const struct hl_measurement *at = plateau->has_fit ? NULL : plateau->deep.at;
	struct hl_finding *finding = hl_cause_found(graph, cause, plateau->hop, at, plateau->dir);

	finding->state = HL_AMBIGUOUS;
	add_evidence(graph, finding, plateau);
	if (hl_trial_is_bound_here(&plateau->deep)) {
		finding->layer = plateau->hop->layer;
		finding->next =
			"Watch the threads of this layer while the job runs: one at 100 % is the "
			"stage; if none is, look for the limit on commands in flight.";
	} else {
		finding->next =
			"Which layer it is cannot be known from one hop. Measure the hops before "
			"it, as the path file says: the layer is where the plateau begins; a "
			"thread "
			"at 100 % there makes it a stage, none a limit on commands in flight.";
	}
	finding->paste = paste(graph, plateau);
	return finding;
}

/* ---- serial-stage ---- */

static void serial_stage_match(struct hl_graph *graph, const struct hl_cause *cause)
{
	struct hl_plateau plateau;

	for (size_t i = 0; i < graph->nr_hops * 2; i++) {
		enum hl_dir dir = i % 2 ? HL_DIR_WRITE : HL_DIR_READ;
		struct hl_finding *finding;

		if (!hl_plateau_find(graph, graph->hops[i / 2], dir, &plateau) ||
		    is_cap_alone(&plateau))
			continue;
		finding = found(graph, cause, &plateau);
		add_fit(graph, finding, &plateau);
		finding->text = hl_arena_printf(
			graph->arena, "%s%s%s%s", say_plateau(graph, &plateau),
			say_stage(graph, &plateau), say_slots(graph, &plateau),
			say_wire(graph, &plateau));
		finding->fix =
			"More workers for the stage: queues of the virtual NIC, I/O threads, "
			"target threads, sessions; or fewer, larger I/Os.";
	}
}

/* ---- depth-limited ---- */

static void found_limit(struct hl_graph *graph, const struct hl_cause *cause,
			const struct hl_plateau *plateau)
{
	struct hl_finding *finding = found(graph, cause, plateau);

	add_submission(graph, finding, plateau);
	finding->fix = "Raise the limit: node.session.queue_depth and cmds_max of the initiator, "
		       "queue_depth and nr_requests of the disk, QueuedCommands of the target; or "
		       "open more sessions.";
	finding->text = hl_arena_printf(graph->arena, "%s%s%s%s", say_plateau(graph, plateau),
					say_device(graph, plateau), say_blocked(graph, plateau),
					say_slots(graph, plateau));
	if (!is_cap_alone(plateau))
		return;
	finding->state = HL_SUSPECTED;
	finding->next = "Double the limit on commands in flight and run the job again: its IOPS "
			"double with it, as nothing queues further down.";
}

static void depth_limited_match(struct hl_graph *graph, const struct hl_cause *cause)
{
	struct hl_plateau plateau;

	for (size_t i = 0; i < graph->nr_hops * 2; i++) {
		const struct hl_hop *hop = graph->hops[i / 2];
		enum hl_dir dir = i % 2 ? HL_DIR_WRITE : HL_DIR_READ;

		if (hl_plateau_find(graph, hop, dir, &plateau))
			found_limit(graph, cause, &plateau);
		else
			hl_shallow_match(graph, cause, hop, dir);
	}
}

static const char *const stage_rivals[] = { "depth-limited", NULL };
static const char *const limit_rivals[] = { "serial-stage", NULL };

const struct hl_cause hl_cause_serial_stage = {
	.id = "serial-stage",
	.summary = "one worker somewhere handles the I/Os one after another",
	.explain =
		"Somewhere on the path one thread, queue or lock takes every I/O in turn: a vhost "
		"or "
		"I/O thread, the target's thread, one TCP connection's receive path, a RAID "
		"thread. "
		"It takes a time per I/O and a time per byte, and no depth makes it faster.\n\n"
		"Recognised by I/Os a second that do not rise although at least twice the depth "
		"was "
		"asked for. The time of the stage is fitted over all deep jobs that only read (or "
		"only write): least squares on the relative error of time per I/O = a + b x block "
		"size; the spread over all pairs of block sizes says how far to trust it.\n\n"
		"A limit on commands in flight looks the same (depth-limited), and so do a "
		"throttle "
		"(rate-capped) and a drive at its best, which is why a datasheet helps: at 80 % of "
		"it "
		"nothing is said. A generator that uses a whole core is named instead "
		"(generator-bound).\n\n"
		"Decided by the next hops: the layer is where the plateau begins. A thread of that "
		"layer at 100 % while the job runs is the stage; if none is, it is a limit.\n\n"
		"What to do: more queues, threads or sessions for that layer, or larger I/Os.",
	.rivals = stage_rivals,
	.match = serial_stage_match,
};

const struct hl_cause hl_cause_depth_limited = {
	.id = "depth-limited",
	.summary = "too few commands are in flight to use what is there",
	.explain =
		"Throughput is commands in flight divided by latency. Somewhere their number is "
		"limited: by the generator (a synchronous engine has one a job), by cmds_max and "
		"queue_depth of an iSCSI session, nr_requests of the block layer, the target's "
		"command window, the tags or rings of a driver.\n\n"
		"Recognised in two ways. Either IOPS do not rise although twice the depth or more "
		"was "
		"asked for: then the depth that the device saw (its own statistics over the run), "
		"submission that blocks (slat grows with the depth) and IOPS times the latency at "
		"depth 1 (how many at a time are enough) tell what they can. Or the generator "
		"itself "
		"asks for few, and each comes back as fast as if it were alone.\n\n"
		"A serial stage looks the same as the first (serial-stage). A cap that is seen "
		"need "
		"not be the one that binds: if a few at a time would give the same IOPS, more of "
		"them "
		"queue further down.\n\n"
		"Decided by doubling the limit: IOPS double with it, or it was not the one.\n\n"
		"What to do: raise that limit, open more sessions, ask for more depth.",
	.rivals = limit_rivals,
	.match = depth_limited_match,
};
