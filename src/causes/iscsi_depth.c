/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iscsi-depth-limited: the session takes fewer commands at once than the job asks for.
 *
 * Source: can_queue and cmds_max of the initiator's sessions, queue_depth of their disks, and the
 * window that the target grants (QueuedCommands of SCST, default_cmdsn_depth of LIO); the depth
 * that the disk really saw. Surprising: the least of them counts, for each session, and open-iscsi
 * keeps 15 of cmds_max for itself: of 128 are left 113.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "iscsi_said.h"
#include "net_said.h"
#include <math.h>
#include <string.h>

#define FULL     0.85 /* of the commands that it takes */
#define OVERFULL 1.1  /* a disk counts what waits in its own queue, too */
#define ASKED    1.2  /* times as much, to be held up */

struct window {                      /* of all sessions of a hop */
	double commands;             /* NAN = not known */
	const struct hl_fact *least; /* that decides, of the last session */
	size_t nr_sessions;
};

static void take_least(const struct hl_fact *fact, double number, double *least,
		       const struct hl_fact **ret_fact)
{
	if (!(number > 0) || !(isnan(*least) || number < *least))
		return;
	*least = number;
	*ret_fact = fact;
}

/* Of the disks of that session that hop stands on, together. */
static double disks_depth(const struct hl_graph *graph, const struct hl_hop *hop,
			  const char *session, const struct hl_fact **ret_fact)
{
	const struct hl_fact *depth;
	double sum = NAN;

	for (size_t i = 0; (depth = hl_place_fact(graph, hop, "block.queue_depth", i)); i++) {
		const struct hl_fact *of = hl_place_beside(graph, depth, "block.session");

		if (!of || !of->string || strcmp(of->string, session) != 0)
			continue;
		sum = isnan(sum) ? depth->number : sum + depth->number;
		*ret_fact = depth;
	}
	return sum;
}

static double session_commands(const struct hl_graph *graph, const struct hl_hop *hop,
			       const struct hl_fact *session, const struct hl_fact **ret_least)
{
	const struct hl_fact *takes = hl_place_beside(graph, session, "iscsi.can_queue");
	const struct hl_fact *disk = hl_place_beside(graph, session, "iscsi.queue_depth");
	const struct hl_fact *grants = iscsi_target_fact(graph, session, "target.queued_commands");
	double least = NAN, depth;

	/* an initiator in userspace is bound by the target alone */
	if (hop->target && !strncmp(hop->target, "iscsi://", 8)) {
		*ret_least = grants;
		return net_number(grants);
	}
	if (!takes)
		takes = hl_place_beside(graph, session, "iscsi.cmds_max");
	take_least(takes, net_number(takes), &least, ret_least);
	take_least(grants, net_number(grants), &least, ret_least);
	depth = net_number(disk);
	if (isnan(depth))
		depth = disks_depth(graph, hop, session->node, &disk);
	take_least(disk, depth, &least, ret_least);
	return least;
}

static struct window window_of(const struct hl_graph *graph, const struct hl_hop *hop)
{
	struct window window = { .commands = 0 };
	const struct hl_fact *session;

	while ((session = iscsi_session_at(graph, hop, window.nr_sessions))) {
		window.commands += session_commands(graph, hop, session, &window.least);
		window.nr_sessions++;
	}
	if (!window.nr_sessions)
		window.commands = NAN;
	return window;
}

/* What was really in flight below the job: the disk's own count. NAN. */
static double depth_seen(const struct hl_graph *graph, const struct hl_measurement *at)
{
	double depth = hl_beside_number(graph, at, "block.mean_depth");

	return isnan(depth) ? at->device_depth : depth;
}

static bool is_limited(const struct hl_graph *graph, const struct hl_trial *trial)
{
	double commands = window_of(graph, trial->at->hop).commands;
	double seen = depth_seen(graph, trial->at);

	if (!(trial->depth >= ASKED * commands) || hl_trial_is_bound_below(trial))
		return false;
	return isnan(seen) || seen >= FULL * commands;
}

static void found(struct hl_graph *graph, const struct hl_cause *cause,
		  const struct hl_trial *trial)
{
	const struct hl_measurement *before = hl_beside_before(trial);
	struct window window = window_of(graph, trial->at->hop);
	double seen = depth_seen(graph, trial->at);
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);

	finding->state = seen <= OVERFULL * window.commands ? HL_CONFIRMED : HL_SUSPECTED;
	hl_evidence_add(graph, finding, trial, HL_FIGURE_DEPTH);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_IOPS);
	hl_finding_add_evidence(graph, finding, window.least);
	hl_finding_add_evidence(graph, finding,
				hl_beside_fact(graph, trial->at, "block.mean_depth"));
	finding->text = hl_arena_printf(
		graph->arena, "%s asks for %.0f I/Os at once, and %s %.0f%s.",
		hl_beside_job(trial->at), trial->depth,
		window.nr_sessions == 1 ? "its session takes"
					: hl_arena_printf(graph->arena, "its %zu sessions take",
							  window.nr_sessions),
		window.commands,
		isnan(seen)
			? ""
			: hl_arena_printf(graph->arena, ": %.0f were in flight on average", seen));
	finding->fix = "More commands: node.session.cmds_max and node.session.queue_depth of "
		       "open-iscsi (then log in again), QueuedCommands of SCST or "
		       "default_cmdsn_depth of LIO; or more sessions (MPIO). More in flight only "
		       "helps while the target is faster for it.";
	if (finding->state != HL_CONFIRMED)
		finding->next = "The same job at the depth that the session takes: if it gives as "
				"many I/Os a second, the rest only waits.";
	hl_beside_predict(finding, trial, before);
}

static void match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match_each(graph, cause, is_limited, found);
}

static const char *const rivals[] = { "depth-limited", "serial-stage", "target-cpu-bound", NULL };

const struct hl_cause hl_cause_iscsi_depth_limited = {
	.id = "iscsi-depth-limited",
	.summary = "the iSCSI session takes fewer commands than are asked for",
	.layer = HL_LAYER_INITIATOR,
	.explain =
		"What is in flight to a target is the least of what the job asks for, what the "
		"session takes (cmds_max, less 15 for management), what its disks take "
		"(queue_depth) and what the target grants (QueuedCommands, default_cmdsn_depth), "
		"added up over all sessions. Bandwidth is that number times the block size, "
		"divided by the response time: more depth above it only waits in the host.\n\n"
		"Recognised by a job that asks for 1.2 times that number or more; confirmed where "
		"the disk's own statistics show it full (85 to 110 %).\n\n"
		"A stage that handles one I/O after the other (serial-stage, target-cpu-bound) "
		"gives a plateau too, but with more in flight than the session takes. A disk that "
		"is not full is not limited by it.\n\n"
		"Decided by the same job at just that depth, and by a second session.\n\n"
		"What to do: raise the least of them, or log in twice.",
	.rivals = rivals,
	.match = match,
};
