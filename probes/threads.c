/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The busiest thread of the machine: a target, a vhost or an iothread at 100 % of a core is a
 * ceiling that no other counter shows.
 *
 * Source: /proc/PID/task/TID/schedstat (Documentation/scheduler/sched-stats.rst): the first number
 * is the time on a CPU in ns. The engine's own threads are gone when the slot is over, so they are
 * never the busiest.
 */
#include "hoploss/meter.h"
#include "hoploss/number.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct thread {
	uint64_t pid, tid, ns;
};

struct threads {
	struct thread *items; /* sorted by tid */
	size_t nr;
};

static bool read_run_time(struct hl_machine *machine, uint64_t pid, const char *tid,
			  uint64_t *ret_ns)
{
	HL_FREE char *bytes = NULL;
	char path[96];
	size_t len;

	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/task/%s/schedstat", pid, tid);
	return hl_machine_read(machine, path, &bytes, &len, NULL) == 0 &&
	       hl_number_u64(bytes, strcspn(bytes, " "), ret_ns) == 0;
}

static void add_process(struct hl_machine *machine, const char *name, struct threads *threads)
{
	char path[64], **tids;
	uint64_t pid;
	size_t nr;

	if (hl_number_u64(name, strlen(name), &pid) < 0)
		return; /* no process */
	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/task", pid);
	if (hl_machine_list(machine, path, &tids, &nr, NULL) < 0)
		return; /* ended meanwhile */
	for (size_t i = 0; i < nr; i++) {
		struct thread thread = { .pid = pid };

		if (hl_number_u64(tids[i], strlen(tids[i]), &thread.tid) < 0 ||
		    !read_run_time(machine, pid, tids[i], &thread.ns))
			continue;
		threads->items = hl_grow(threads->items, threads->nr + 1, sizeof(thread));
		threads->items[threads->nr++] = thread;
	}
	hl_machine_free_names(tids, nr);
}

static int compare(const void *a, const void *b)
{
	const struct thread *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static struct threads read_threads(struct hl_machine *machine)
{
	struct threads threads = { 0 };
	char **names;
	size_t nr;

	if (hl_machine_list(machine, "/proc", &names, &nr, NULL) < 0)
		return threads;
	for (size_t i = 0; i < nr; i++)
		add_process(machine, names[i], &threads);
	hl_machine_free_names(names, nr);
	if (threads.nr)
		qsort(threads.items, threads.nr, sizeof(*threads.items), compare);
	return threads;
}

static void *threads_begin(struct hl_machine *machine, const struct hl_meter_target *target)
{
	struct threads *before = hl_alloc(sizeof(*before));

	(void)target;
	*before = read_threads(machine);
	return before;
}

/* The thread that ran longest since before, and how long. */
static const struct thread *busiest(const struct threads *before, const struct threads *after,
				    uint64_t *ret_ns)
{
	const struct thread *found = NULL;

	*ret_ns = 0;
	for (size_t i = 0; i < after->nr; i++) {
		const struct thread *now = &after->items[i];
		const struct thread *then = before->nr ? bsearch(now, before->items, before->nr,
								 sizeof(*now), compare)
						       : NULL;
		uint64_t ns = then ? now->ns - then->ns : now->ns;

		if (ns > *ret_ns) {
			*ret_ns = ns;
			found = now;
		}
	}
	return found;
}

static void threads_end(void *state, struct hl_machine *machine, double seconds,
			struct hl_graph *graph, const struct hl_origin *origin)
{
	struct threads *before = state, after = read_threads(machine);
	struct hl_origin where = *origin;
	HL_FREE char *name = NULL;
	char path[96];
	uint64_t ns;
	size_t len;
	const struct thread *thread = busiest(before, &after, &ns);

	if (thread) {
		snprintf(path, sizeof(path), "/proc/%" PRIu64 "/task/%" PRIu64 "/comm", thread->pid,
			 thread->tid);
		if (hl_machine_read(machine, path, &name, &len, NULL) == 0) {
			name[strcspn(name, "\n")] = '\0';
			where.source = "/proc/PID/task/TID/schedstat";
			hl_graph_add_string(graph, &where, "cpu.busiest_thread", name);
			hl_graph_add_number(graph, &where, "cpu.busiest_thread_pct",
					    (double)ns / seconds / 1e7);
		}
	}
	free(before->items);
	free(before);
	free(after.items);
}

const struct hl_meter hl_meter_threads = {
	.name = "threads",
	.summary = "the busiest thread",
	.begin = threads_begin,
	.end = threads_end,
};
