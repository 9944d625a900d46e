/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The busiest thread of those that carry the I/O: a target, a vhost or an iothread at 100 % of a
 * core is a ceiling that no other counter shows. Where none of the busy ones is known to carry it,
 * the busiest of the machine is told, and that it may be a bystander.
 *
 * A hypervisor has thousands of threads, and watching must cost next to nothing: so the processes
 * are looked at twice, before the slot and early in it, and only the threads of the few that were
 * busy in between are read, then and after the slot. The engine's own process is gone by then, so
 * it is never the busiest.
 *
 * Source: proc(5): /proc/PID/stat, fields 14 and 15 (CPU time in ticks), and
 * /proc/PID/task/TID/schedstat (Documentation/scheduler/sched-stats.rst: ns on a CPU, and ns that
 * it could have run but waited for one).
 */
#include "carrier.h"
#include "hoploss/meter.h"
#include "hoploss/number.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BUSY_SHARE  0.25 /* of a core, for a process to be looked into */
#define TICKS_DRAWN 3    /* three times a second */
#define USER_TIME   14   /* field of stat; the next is system time */

struct process {
	uint64_t pid;
	double seconds; /* of CPU, all threads */
};

struct thread {
	uint64_t pid, tid, ns;
	uint64_t wait_ns;
	uint64_t drawn_ns; /* when it was drawn last */
	bool is_carrier;
};

struct threads {
	struct hl_meter_target target;
	struct process *processes; /* sorted by pid */
	size_t nr_processes;
	double read_at;        /* when they were */
	struct thread *picked; /* of the busy ones */
	size_t nr_picked;
	double picked_at; /* 0 = not yet */
	double drawn_at;
	unsigned nr_ticks;
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- processes ---- */

static bool read_process(struct hl_machine *machine, const char *name, struct process *ret_process)
{
	HL_FREE char *bytes = NULL;
	struct process process;
	char *rest;
	char path[64];
	size_t len;

	if (hl_number_u64(name, strlen(name), &process.pid) < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/stat", process.pid);
	if (hl_machine_read(machine, path, &bytes, &len, NULL) < 0)
		return false;
	rest = strrchr(bytes, ')'); /* the name may hold anything, blanks and brackets too */
	for (int field = 2; rest && field < USER_TIME; field++)
		rest = strchr(rest + 1, ' ');
	if (!rest)
		return false;
	process.seconds = strtod(rest, &rest);
	process.seconds += strtod(rest, NULL);
	process.seconds /= (double)sysconf(_SC_CLK_TCK);
	*ret_process = process;
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static struct process *read_processes(struct hl_machine *machine, size_t *ret_nr)
{
	struct process *processes = NULL;
	char **names;
	size_t nr_names, nr = 0;

	*ret_nr = 0;
	if (hl_machine_list(machine, "/proc", &names, &nr_names, NULL) < 0)
		return NULL;
	processes = hl_alloc(nr_names * sizeof(*processes));
	for (size_t i = 0; i < nr_names; i++)
		nr += read_process(machine, names[i], &processes[nr]);
	hl_machine_free_names(names, nr_names);
	if (nr)
		qsort(processes, nr, sizeof(*processes), compare);
	*ret_nr = nr;
	return processes;
}

static void *threads_begin(struct hl_machine *machine, const struct hl_meter_target *target)
{
	struct threads *threads = hl_alloc(sizeof(*threads));

	threads->target = *target;
	threads->processes = read_processes(machine, &threads->nr_processes);
	threads->read_at = now_s();
	return threads;
}

/* ---- threads of the busy ones ---- */

static bool read_run_time(struct hl_machine *machine, struct thread *thread)
{
	HL_FREE char *bytes = NULL;
	char path[96], *second;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/task/%" PRIu64 "/schedstat", thread->pid,
		 thread->tid);
	if (hl_machine_read(machine, path, &bytes, &len, NULL) < 0)
		return false;
	second = bytes + strcspn(bytes, " ");
	return hl_number_u64(bytes, (size_t)(second - bytes), &thread->ns) == 0 && *second &&
	       hl_number_u64(second + 1, strcspn(second + 1, " "), &thread->wait_ns) == 0;
}

static void pick_threads(struct hl_machine *machine, uint64_t pid, struct threads *threads)
{
	char path[64], **tids;
	bool is_carrier = carrier_is(machine, &threads->target, pid);
	size_t nr;

	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/task", pid);
	if (hl_machine_list(machine, path, &tids, &nr, NULL) < 0)
		return; /* ended meanwhile */
	for (size_t i = 0; i < nr; i++) {
		struct thread thread = { .pid = pid, .is_carrier = is_carrier };

		if (hl_number_u64(tids[i], strlen(tids[i]), &thread.tid) < 0 ||
		    !read_run_time(machine, &thread))
			continue;
		threads->picked = hl_grow(threads->picked, threads->nr_picked + 1, sizeof(thread));
		threads->picked[threads->nr_picked++] = thread;
	}
	hl_machine_free_names(tids, nr);
}

static void pick_busy(struct threads *threads, struct hl_machine *machine)
{
	struct process *now;
	double passed;
	size_t nr;

	now = read_processes(machine, &nr);
	passed = now_s() - threads->read_at;
	for (size_t i = 0; i < nr; i++) {
		const struct process *before = threads->nr_processes
						       ? bsearch(&now[i], threads->processes,
								 threads->nr_processes,
								 sizeof(*now), compare)
						       : NULL;

		if (now[i].seconds - (before ? before->seconds : 0) >= BUSY_SHARE * passed)
			pick_threads(machine, now[i].pid, threads);
	}
	free(now);
	threads->picked_at = threads->drawn_at = now_s();
	for (size_t i = 0; i < threads->nr_picked; i++)
		threads->picked[i].drawn_ns = threads->picked[i].ns;
}

static bool has_carrier(const struct threads *threads)
{
	for (size_t i = 0; i < threads->nr_picked; i++) {
		if (threads->picked[i].is_carrier)
			return true;
	}
	return false;
}

/* The share of a core of the one that ran most since it was drawn last. */
static void draw_busiest(struct threads *threads, struct hl_machine *machine,
			 struct hl_meter_points *points)
{
	double passed = now_s() - threads->drawn_at;
	uint64_t most_ns = 0;
	bool has_any = false, is_choosy = has_carrier(threads);

	for (size_t i = 0; i < threads->nr_picked; i++) {
		struct thread *thread = &threads->picked[i], now = *thread;

		if ((is_choosy && !thread->is_carrier) || !read_run_time(machine, &now) ||
		    now.ns < thread->drawn_ns)
			continue;
		if (now.ns - thread->drawn_ns > most_ns)
			most_ns = now.ns - thread->drawn_ns;
		thread->drawn_ns = now.ns;
		has_any = true;
	}
	if (has_any)
		hl_meter_point(points, NULL, "cpu.busiest_thread_pct",
			       (double)most_ns / passed / 1e7);
	threads->drawn_at += passed;
}

static void threads_tick(void *state, struct hl_machine *machine, struct hl_meter_points *points)
{
	struct threads *threads = state;

	if (threads->picked_at <= 0)
		pick_busy(threads, machine);
	else if (++threads->nr_ticks % TICKS_DRAWN == 0)
		draw_busiest(threads, machine, points);
}

static bool is_busier(const struct thread *thread, const struct thread *than)
{
	if (!than || thread->is_carrier != than->is_carrier)
		return !than || thread->is_carrier;
	return thread->ns > than->ns;
}

/* The picked thread that ran longest since, of those that carry if any does; its time is ns. */
static struct thread *find_busiest(struct hl_machine *machine, struct threads *threads)
{
	struct thread *busiest = NULL;

	for (size_t i = 0; i < threads->nr_picked; i++) {
		struct thread *thread = &threads->picked[i], now = *thread;

		if (!read_run_time(machine, &now) || now.ns < thread->ns)
			continue; /* ended, as the engine has */
		thread->ns = now.ns - thread->ns;
		thread->wait_ns = now.wait_ns - thread->wait_ns;
		if (is_busier(thread, busiest))
			busiest = thread;
	}
	return busiest;
}

static void threads_end(void *state, struct hl_machine *machine, double seconds,
			struct hl_graph *graph, const struct hl_origin *origin)
{
	struct threads *threads = state;
	double passed = now_s() - threads->picked_at;
	struct thread *thread = find_busiest(machine, threads);
	struct hl_origin where = *origin;
	HL_FREE char *name = NULL;
	char path[96];
	size_t len;

	(void)seconds;
	if (thread) {
		snprintf(path, sizeof(path), "/proc/%" PRIu64 "/task/%" PRIu64 "/comm", thread->pid,
			 thread->tid);
		if (hl_machine_read(machine, path, &name, &len, NULL) == 0) {
			name[strcspn(name, "\n")] = '\0';
			where.source = "/proc/PID/task/TID/schedstat";
			hl_graph_add_string(graph, &where, "cpu.busiest_thread", name);
			hl_graph_add_number(graph, &where, "cpu.busiest_thread_pct",
					    (double)thread->ns / passed / 1e7);
			hl_graph_add_number(graph, &where, "cpu.busiest_thread_wait_pct",
					    (double)thread->wait_ns / passed / 1e7);
			hl_graph_add_boolean(graph, &where, "cpu.busiest_is_on_path",
					     thread->is_carrier);
		}
	}
	free(threads->processes);
	free(threads->picked);
	free(threads);
}

const struct hl_meter hl_meter_threads = {
	.name = "threads",
	.summary = "the busiest thread",
	.begin = threads_begin,
	.tick = threads_tick,
	.end = threads_end,
};
