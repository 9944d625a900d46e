/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stopping before a benchmark starves those whose disk it is: see guard.h.
 *
 * Source: /sys/dev/block/MAJOR:MINOR/stat counts I/Os and the time that they took, ours and
 * everybody's. What we do not do at all, as writes in a run that only reads, is others' alone; of
 * what we do too, ours is subtracted, and where little is left that says nothing. Surprising: I/Os
 * larger than a device takes at once are counted in pieces, so with large blocks nothing can be
 * subtracted.
 */
#include "guard.h"
#include "hoploss/alloc.h"
#include <math.h>
#include <stdio.h>

#define LEAST_BEFORE 10     /* I/Os of others, for a latency to compare with */
#define LEAST        20     /* I/Os of others, to be judged */
#define LEAST_SHARE  0.05   /* of all that the device did, else the difference is noise */
#define LARGEST      131072 /* bytes that every device takes at once */
#define GROWS        5      /* times */
#define NOTICED_MS   1.0    /* that it must have grown by, too */
#define FEEL_NS      1000000000u

void guard_learn(struct guard *guard, const struct hl_blockdev_counters *before,
		 const struct hl_blockdev_counters *after)
{
	for (int io = HL_IO_READ; io <= HL_IO_WRITE; io++) {
		double ios = after->of[io] - before->of[io];

		guard->has_base[io] = ios >= LEAST_BEFORE;
		guard->base_ms[io] = (after->ms[io] - before->ms[io]) / ios;
	}
}

/* ---- what the devices did, all together ---- */

static void count(struct hl_machine *machine, const struct guarded *devices, size_t nr, double *ios,
		  double *ms)
{
	for (int io = HL_IO_READ; io <= HL_IO_WRITE; io++)
		ios[io] = ms[io] = 0;
	for (size_t i = 0; i < nr; i++) {
		struct hl_blockdev_counters counters = { .ios = NAN };

		if (hl_blockdev_count(machine, devices[i].device, &counters) < 0)
			continue;
		for (int io = HL_IO_READ; io <= HL_IO_WRITE; io++) {
			ios[io] += counters.of[io];
			ms[io] += counters.ms[io];
		}
	}
}

static double paths_of(struct hl_machine *machine, const struct guarded *devices, size_t nr)
{
	double sum = NAN;

	for (size_t i = 0; i < nr; i++) {
		double paths = hl_blockdev_paths(machine, devices[i].device);

		if (!isnan(paths))
			sum = (isnan(sum) ? 0 : sum) + paths;
	}
	return sum;
}

/* ---- judging ---- */

static bool stop_if_hot(struct guard *guard, struct hl_machine *machine,
			const struct guarded *devices, size_t nr)
{
	uint64_t now = hl_clock_ns();

	if (guard->felt_ns && now - guard->felt_ns < FEEL_NS)
		return false;
	guard->felt_ns = now;
	for (size_t i = 0; i < nr; i++) {
		struct hl_blockdev_heat heat;

		hl_blockdev_feel(machine, devices[i].device, &heat);
		if (!(heat.celsius >= heat.critical))
			continue;
		snprintf(guard->why, sizeof(guard->why),
			 "%s is at %.0f degrees C, and %.0f is critical: stopped; cool it before "
			 "it is measured",
			 devices[i].path, heat.celsius, heat.critical);
		return true;
	}
	return false;
}

static bool stop_if_path_lost(struct guard *guard, struct hl_machine *machine,
			      const struct guarded *devices, size_t nr)
{
	double paths = paths_of(machine, devices, nr);

	if (!(paths < guard->nr_paths))
		return false;
	snprintf(guard->why, sizeof(guard->why),
		 "%s: %.0f of %.0f paths to it were lost while it was measured: stopped",
		 devices[0].path, guard->nr_paths - paths, guard->nr_paths);
	return true;
}

static bool stop_if_slow(struct guard *guard, const struct guarded *devices, int io,
			 const struct guard_sum *sum)
{
	static const char *const names[] = { "reads", "writes" };
	double ms = sum->ms / sum->others, base = guard->base_ms[io];

	if (!guard->has_base[io] || ms < GROWS * base || ms < base + NOTICED_MS)
		return false;
	snprintf(guard->why, sizeof(guard->why),
		 "%s: others' %s took %.1f ms each while it was measured, %.2f ms before: stopped "
		 "to spare them; --max-bw holds us back",
		 devices[0].path, names[io], ms, base);
	return true;
}

/* Since counting began, with what is left of slots before. */
static struct guard_sum sum_of(const struct guard *guard, int io, const double *ios,
			       const double *ms, const struct hl_tally *ours)
{
	const struct guard_sum *earlier = &guard->earlier[io];
	double all = ios[io] - guard->ios[io], own = ours->ios[io] - guard->ours.ios[io];
	double took = ms[io] - guard->ms[io] - (ours->ms[io] - guard->ours.ms[io]);

	return (struct guard_sum){
		.all = earlier->all + all,
		.others = earlier->others + all - own,
		.ms = earlier->ms + took,
	};
}

/* A target above the devices may read ahead, or answer from a cache. */
static bool can_subtract(const struct guard *guard, const struct hl_job *job, int io)
{
	if (job->tally->ios[io] == 0)
		return true;
	return !guard->is_beside && job->workload.bs <= LARGEST;
}

/* Enough that what is in flight, counted there and not yet here, makes no difference. */
static bool can_judge(const struct guard *guard, const struct hl_job *job, int io,
		      const struct guard_sum *sum)
{
	double in_flight = job->tally->ios[io] > 0 ? hl_workload_depth(&job->workload) : 0;

	return can_subtract(guard, job, io) && sum->others >= LEAST + in_flight &&
	       sum->others >= LEAST_SHARE * sum->all;
}

static void count_from(struct guard *guard, int io, const double *ios, const double *ms,
		       const struct hl_tally *ours)
{
	guard->ios[io] = ios[io];
	guard->ms[io] = ms[io];
	guard->ours.ios[io] = ours->ios[io];
	guard->ours.ms[io] = ours->ms[io];
}

static void judge(struct guard *guard, const struct guarded *devices, const double *ios,
		  const double *ms, const struct hl_job *job)
{
	for (int io = HL_IO_READ; io <= HL_IO_WRITE; io++) {
		struct guard_sum sum = sum_of(guard, io, ios, ms, job->tally);

		if (!can_judge(guard, job, io, &sum))
			continue;
		if (stop_if_slow(guard, devices, io, &sum))
			return;
		guard->earlier[io] = (struct guard_sum){ 0 };
		count_from(guard, io, ios, ms, job->tally);
	}
}

/* ---- a slot ---- */

static struct hl_machine *open_machine(const struct guard *guard)
{
	return hl_machine_open(guard->directory ? guard->directory : "/", NULL);
}

bool guard_begin(struct guard *guard, const struct guarded *devices, size_t nr)
{
	const struct hl_tally none = { 0 };
	struct hl_machine *machine;
	double ios[2], ms[2];

	if (guard->why[0] || !nr)
		return !guard->why[0];
	machine = open_machine(guard);
	count(machine, devices, nr, ios, ms);
	for (int io = HL_IO_READ; io <= HL_IO_WRITE; io++)
		count_from(guard, io, ios, ms, &none);
	guard->nr_paths = paths_of(machine, devices, nr);
	stop_if_hot(guard, machine, devices, nr);
	hl_machine_close(machine);
	return !guard->why[0];
}

bool guard_tick(struct guard *guard, const struct guarded *devices, size_t nr,
		const struct hl_job *job)
{
	struct hl_machine *machine;
	double ios[2], ms[2];

	if (!nr)
		return false;
	machine = open_machine(guard);
	count(machine, devices, nr, ios, ms);
	if (!stop_if_path_lost(guard, machine, devices, nr) &&
	    !stop_if_hot(guard, machine, devices, nr))
		judge(guard, devices, ios, ms, job);
	hl_machine_close(machine);
	return guard->why[0] != '\0';
}

void guard_end(struct guard *guard, const struct guarded *devices, size_t nr,
	       const struct hl_job *job)
{
	struct hl_machine *machine;
	double ios[2], ms[2];

	if (!nr)
		return;
	machine = open_machine(guard);
	count(machine, devices, nr, ios, ms);
	hl_machine_close(machine);
	for (int io = HL_IO_READ; io <= HL_IO_WRITE; io++) {
		if (can_subtract(guard, job, io))
			guard->earlier[io] = sum_of(guard, io, ios, ms, job->tally);
	}
}
