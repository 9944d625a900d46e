/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * target-cpu-bound and vhost-thread-saturated: the one thread that every I/O passes through has no
 * time left.
 *
 * Source: the busiest thread during the slots, by name: of those that carry the I/O, or, where none
 * is known to, of the machine, and then it is at most suspected. Surprising: the same thread is as
 * busy at every hop behind it, so it is told of the first hop at which it is.
 */
#include "hoploss/beside.h"
#include "hoploss/cause.h"
#include "hoploss/evidence.h"
#include "hoploss/place.h"
#include "hoploss/say.h"
#include "vm_said.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THREAD    "cpu.busiest_thread"
#define PCT       "cpu.busiest_thread_pct"
#define WAIT      "cpu.busiest_thread_wait_pct"
#define ON_PATH   "cpu.busiest_is_on_path" /* absent: recorded before that was asked */
#define SATURATED 95                       /* of a core: the rest goes into being woken and moved */
#define NEAR      80

/* How the names of threads begin; those of SPDK are left out, for they poll and are always busy. */
static const char *const targets[] = {
	"tgtd",  "iscsi_trx", "iscsi_ttx", "iscsird", "iscsiwr", "scst",
	"istgt", "istd",      "istiod",    "ctld",    NULL,
};
static const char *const vhosts[] = { "vhost-", NULL };

static bool begins_with_one(const char *name, const char *const *starts)
{
	for (; *starts; starts++) {
		if (!strncmp(name, *starts, strlen(*starts)))
			return true;
	}
	return false;
}

static bool is_one_of(const char *name, const char *const *starts)
{
	/* kworker/3:1H-nvmet_tcp_wq */
	return begins_with_one(name, starts) || (starts == targets && strstr(name, "nvmet"));
}

/* Percent of the time that it ran, or could have run and waited for a CPU; NAN. */
static double pct_of(const struct hl_graph *graph, const struct hl_fact *thread)
{
	const struct hl_fact *pct = thread ? hl_place_beside(graph, thread, PCT) : NULL;
	const struct hl_fact *wait = thread ? hl_place_beside(graph, thread, WAIT) : NULL;

	if (!pct || pct->type != HL_FACT_NUMBER)
		return NAN;
	return pct->number + (wait && wait->type == HL_FACT_NUMBER ? wait->number : 0);
}

/* The busiest of any host of the path, if that is one of them; NULL. */
static const struct hl_fact *thread_of(const struct hl_graph *graph,
				       const struct hl_measurement *at, const char *const *starts)
{
	const struct hl_fact *thread, *busiest = NULL;

	for (size_t i = 0; (thread = hl_beside_fact_at(graph, at, THREAD, i)); i++) {
		if (!thread->string || !is_one_of(thread->string, starts) ||
		    isnan(pct_of(graph, thread)))
			continue;
		if (!busiest || pct_of(graph, thread) > pct_of(graph, busiest))
			busiest = thread;
	}
	return busiest;
}

/* The same of that one; NAN = there is none. */
static double busy_pct(const struct hl_graph *graph, const struct hl_measurement *at,
		       const char *const *starts)
{
	return pct_of(graph, thread_of(graph, at, starts));
}

/* It has no time left, though it does not get a whole core. */
static bool is_starved(const struct hl_fact *pct, const struct hl_fact *wait)
{
	return wait && pct->number < NEAR && pct->number + wait->number >= NEAR;
}

static const char *say_use(struct hl_graph *graph, const struct hl_fact *thread,
			   const struct hl_fact *pct, const struct hl_fact *wait)
{
	const char *on = thread->host ? " on " : "", *host = thread->host ? thread->host : "";

	if (is_starved(pct, wait))
		return hl_arena_printf(
			graph->arena,
			"The thread %s%s%s ran %.0f %% of the time and waited %.0f %% of it for a "
			"CPU",
			thread->string, on, host, pct->number, wait->number);
	return hl_arena_printf(graph->arena, "The thread %s%s%s used %.0f %% of a core",
			       thread->string, on, host, pct->number);
}

static bool is_busy(const struct hl_graph *graph, const struct hl_trial *trial,
		    const char *const *starts)
{
	const struct hl_measurement *before = hl_beside_before(trial);

	if (!(busy_pct(graph, trial->at, starts) >= NEAR) || hl_trial_is_bound_below(trial))
		return false;
	return !before || !(busy_pct(graph, before, starts) >= NEAR);
}

static bool is_target_busy(const struct hl_graph *graph, const struct hl_trial *trial)
{
	return is_busy(graph, trial, targets);
}

static bool is_vhost_busy(const struct hl_graph *graph, const struct hl_trial *trial)
{
	return is_busy(graph, trial, vhosts);
}

static struct hl_finding *found_one(struct hl_graph *graph, const struct hl_cause *cause,
				    const struct hl_trial *trial, const char *const *starts)
{
	const struct hl_fact *thread = thread_of(graph, trial->at, starts);
	const struct hl_fact *pct = hl_place_beside(graph, thread, PCT);
	const struct hl_fact *wait = hl_place_beside(graph, thread, WAIT);
	const struct hl_fact *on_path = hl_place_beside(graph, thread, ON_PATH);
	const struct hl_measurement *before = hl_beside_before(trial);
	bool is_bystander = on_path && !on_path->boolean;
	struct hl_finding *finding = hl_trial_found(graph, cause, trial);

	finding->state = pct->number >= SATURATED && !is_bystander ? HL_CONFIRMED : HL_SUSPECTED;
	hl_finding_add_evidence(graph, finding, thread);
	hl_finding_add_evidence(graph, finding, pct);
	if (is_starved(pct, wait))
		hl_finding_add_evidence(graph, finding, wait);
	hl_finding_add_evidence(graph, finding, on_path);
	hl_evidence_add(graph, finding, trial, HL_FIGURE_IOPS);
	finding->text = hl_arena_printf(
		graph->arena, "%s during %s: %s I/Os a second %s.%s",
		say_use(graph, thread, pct, wait), hl_beside_job(trial->at),
		hl_say_count(trial->iops).text,
		pct->number >= SATURATED ? "are all that it can handle"
		: is_starved(pct, wait)
			? "are nearly all that it can handle with the processors it is left"
			: "are nearly all that it can handle",
		is_bystander ? " It is the busiest of the machine; whether it carries this I/O "
			       "could not be seen."
			     : "");
	if (finding->state != HL_CONFIRMED)
		finding->next =
			"The same job at twice the depth: a thread at its end gives no more, and "
			"takes all of a core.";
	hl_beside_predict(finding, trial, before);
	return finding;
}

/* The VM whose process the thread is named after; NULL. */
static const struct hl_fact *vm_of(const struct hl_graph *graph, const char *thread)
{
	const struct hl_fact *pid;
	double number = strtod(thread + strlen(vhosts[0]), NULL);

	for (size_t i = 0; (pid = hl_place_fact(graph, NULL, "vm.pid", i)); i++) {
		if (vm_number(pid) == number)
			return pid;
	}
	return NULL;
}

/* What else is known of the processors that the thread runs on. */
static void add_machine(struct hl_graph *graph, struct hl_finding *finding,
			const struct hl_trial *trial)
{
	static const char *const keys[] = { "cpu.model", "cpu.governor", "cpu.mitigations" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		hl_finding_add_evidence(graph, finding,
					hl_place_fact(graph, trial->at->hop, keys[i], 0));
}

static void found_target(struct hl_graph *graph, const struct hl_cause *cause,
			 const struct hl_trial *trial)
{
	struct hl_finding *finding = found_one(graph, cause, trial, targets);

	add_machine(graph, finding, trial);
	finding->fix = "Larger I/Os, or more threads that serve: several sessions or targets "
		       "(tgtd has one thread for all of them, LIO and SCST one or more a "
		       "session), a kernel target in place of tgtd, a faster core.";
}

/* Whose thread it is, and how many of them the NIC has. */
static void add_vm(struct hl_graph *graph, struct hl_finding *finding, const struct hl_trial *trial)
{
	const char *thread = thread_of(graph, trial->at, vhosts)->string;
	const struct hl_fact *vm = vm_of(graph, thread);
	struct vm_part nic = { 0 };
	double queues;

	hl_finding_add_evidence(graph, finding, vm);
	if (vm)
		finding->text = hl_arena_printf(graph->arena, "%s It is of the VM %s.",
						finding->text, vm->node);
	if (!vm_part_of(graph, trial->at->hop, "vnic.model", HL_LAYER_VNIC, &nic))
		return;
	hl_finding_add_evidence(graph, finding, nic.fact);
	hl_finding_add_evidence(graph, finding, vm_part_fact(graph, nic.fact, "vnic.queues"));
	hl_finding_add_evidence(graph, finding, vm_fact(graph, nic.fact, "vm.vcpus"));
	queues = vm_number(vm_part_fact(graph, nic.fact, "vnic.queues"));
	if (queues > 1)
		finding->fix = hl_arena_printf(
			graph->arena,
			"The NIC has %.0f queues, and one thread had all the work: several "
			"sessions, so that the flows spread; jumbo frames, or a VF in its place.",
			queues);
}

static void found_vhost(struct hl_graph *graph, const struct hl_cause *cause,
			const struct hl_trial *trial)
{
	struct hl_finding *finding = found_one(graph, cause, trial, vhosts);

	finding->fix = "More queues for the virtual NIC (queues=N) together with several "
		       "sessions, jumbo frames, or a VF in its place.";
	add_vm(graph, finding, trial);
	add_machine(graph, finding, trial);
}

static void target_match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match_each(graph, cause, is_target_busy, found_target);
}

static void vhost_match(struct hl_graph *graph, const struct hl_cause *cause)
{
	hl_trials_match_each(graph, cause, is_vhost_busy, found_vhost);
}

static const char *const rivals[] = { "serial-stage", "depth-limited", NULL };

const struct hl_cause hl_cause_target_cpu_bound = {
	.id = "target-cpu-bound",
	.summary = "the target's thread needs all of a core",
	.layer = HL_LAYER_TARGET,
	.explain =
		"An iSCSI or NVMe target handles I/Os in threads; some, as tgtd, in one thread for "
		"all of them. When that takes a whole core, no depth, no drive and no line gives "
		"more.\n\n"
		"Recognised by the busiest thread of the machine while the job ran: a thread of "
		"tgtd, LIO, SCST, istgt, IET or nvmet at 95 % of a core or more (80 % is told as "
		"a suspicion), at the first hop of the path where it is so. Where the thread could "
		"not be tied to the portal, its socket or its device, it stays a suspicion; so "
		"does "
		"one that ran or waited for a CPU 80 % of the time, for then there are too few "
		"CPUs for all that wants them.\n\n"
		"A thread that waits for its drives is not busy, and a thread that polls (SPDK) is "
		"always busy: neither is taken for it.\n\n"
		"Decided by twice the depth: a thread at its end gives no more; and by larger "
		"blocks, which carry more with the same I/Os.\n\n"
		"What to do: larger I/Os, more threads or sessions, a kernel target, a faster "
		"core.",
	.rivals = rivals,
	.match = target_match,
};

const struct hl_cause hl_cause_vhost_thread_saturated = {
	.id = "vhost-thread-saturated",
	.summary = "the vhost thread of a virtual NIC needs all of a core",
	.layer = HL_LAYER_VNIC,
	.explain =
		"Packets of a virtio NIC are copied by a vhost thread of the host, one for each "
		"queue. When it takes a whole core, that queue carries no more.\n\n"
		"Recognised by the busiest thread of the host while the job ran: a vhost thread at "
		"95 % of a core or more (80 % is told as a suspicion), at the first hop of the "
		"path where it is so.\n\n"
		"A shaped line leaves the thread idle; a single TCP stream uses one queue, however "
		"many there are.\n\n"
		"Decided by 1 and 4 TCP streams between the same addresses: with several queues, "
		"four carry more.\n\n"
		"What to do: more queues and sessions, jumbo frames, or a VF.",
	.rivals = rivals,
	.match = vhost_match,
};
