/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU quotas that were used up during a slot: how long the groups of the machine were throttled.
 *
 * Source: cpu.stat of each control group, Documentation/admin-guide/cgroup-v2.rst (throttled_usec)
 * and sched-bwc.rst (v1: throttled_time, ns). Every group is looked at, for a target's or a
 * hypervisor's service has one of its own; the one that was throttled most is named, of those with
 * a process that carries the I/O if there is one.
 */
#include "carrier.h"
#include "hoploss/meter.h"
#include "hoploss/number.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_GROUPS 4096
#define MAX_DEPTH  8

struct group {
	char *path;
	double throttled_s;
};

struct groups {
	struct hl_meter_target target; /* of the slot */
	struct group *items;
	size_t nr;
};

/* The group that was stopped longest; of those on the path, if there are any. */
struct worst {
	const char *path;
	double throttled_s;
	bool is_on_path;
};

static double throttled_seconds(struct hl_machine *machine, const char *directory)
{
	static const struct {
		const char *key;
		double unit;
	} rows[] = { { "throttled_usec ", 1e-6 }, { "throttled_time ", 1e-9 } };
	HL_FREE char *path = hl_printf("%s/cpu.stat", directory);
	HL_FREE char *bytes = NULL;
	size_t len;

	if (hl_machine_read(machine, path, &bytes, &len, NULL) < 0)
		return NAN;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *found = strstr(bytes, rows[i].key);

		if (found)
			return strtod(found + strlen(rows[i].key), NULL) * rows[i].unit;
	}
	return NAN;
}

/* Files of the controllers are "cpu.stat" and the like. */
static bool is_group(const char *name)
{
	return !strchr(name, '.') || strstr(name, ".slice") || strstr(name, ".service") ||
	       strstr(name, ".scope");
}

static void add_groups(struct hl_machine *machine, const char *directory, int depth,
		       struct groups *groups)
{
	double throttled = throttled_seconds(machine, directory);
	char **names;
	size_t nr;

	if (!isnan(throttled) && groups->nr < MAX_GROUPS) {
		groups->items = hl_grow(groups->items, groups->nr + 1, sizeof(*groups->items));
		groups->items[groups->nr++] = (struct group){ .path = hl_strdup(directory),
							      .throttled_s = throttled };
	}
	if (depth == MAX_DEPTH || hl_machine_list(machine, directory, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *below = hl_printf("%s/%s", directory, names[i]);

		if (is_group(names[i]))
			add_groups(machine, below, depth + 1, groups);
	}
	hl_machine_free_names(names, nr);
}

static struct groups read_groups(struct hl_machine *machine)
{
	/* version 1's controller, which is a link to one of its mounts, or version 2's only tree */
	static const char *const roots[] = { "/sys/fs/cgroup/cpu", "/sys/fs/cgroup" };
	struct groups groups = { 0 };

	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots) && !groups.nr; i++)
		add_groups(machine, roots[i], 0, &groups);
	return groups;
}

static void groups_clear(struct groups *groups)
{
	for (size_t i = 0; i < groups->nr; i++)
		free(groups->items[i].path);
	free(groups->items);
}

static void *throttle_begin(struct hl_machine *machine, const struct hl_meter_target *target)
{
	struct groups *before = hl_alloc(sizeof(*before));

	*before = read_groups(machine);
	before->target = *target;
	return before;
}

static double seconds_before(const struct groups *before, const char *path)
{
	for (size_t i = 0; i < before->nr; i++) {
		if (!strcmp(before->items[i].path, path))
			return before->items[i].throttled_s;
	}
	return 0;
}

/* A process of the group, or of a group below, carries the I/O. */
static bool is_on_path(struct hl_machine *machine, const struct hl_meter_target *target,
		       const char *group, int depth)
{
	HL_FREE char *path = hl_printf("%s/cgroup.procs", group);
	HL_FREE char *bytes = NULL;
	char **names, *rest, *line;
	bool is_found = false;
	size_t nr, len;

	if (hl_machine_read(machine, path, &bytes, &len, NULL) == 0) {
		rest = bytes;
		while (!is_found && (line = strsep(&rest, "\n"))) {
			uint64_t pid;

			is_found = hl_number_u64(line, strlen(line), &pid) == 0 &&
				   carrier_is(machine, target, pid);
		}
	}
	if (is_found || depth == MAX_DEPTH ||
	    hl_machine_list(machine, group, &names, &nr, NULL) < 0)
		return is_found;
	for (size_t i = 0; i < nr && !is_found; i++) {
		HL_FREE char *below = hl_printf("%s/%s", group, names[i]);

		is_found = is_group(names[i]) && is_on_path(machine, target, below, depth + 1);
	}
	hl_machine_free_names(names, nr);
	return is_found;
}

static struct worst find_worst(struct hl_machine *machine, const struct groups *before,
			       const struct groups *after)
{
	struct worst worst = { 0 };

	for (size_t i = 0; i < after->nr; i++) {
		struct worst one = { .path = after->items[i].path };

		one.throttled_s = after->items[i].throttled_s - seconds_before(before, one.path);
		if (!(one.throttled_s > 0))
			continue;
		one.is_on_path = is_on_path(machine, &before->target, one.path, 0);
		if (one.is_on_path == worst.is_on_path ? one.throttled_s > worst.throttled_s
						       : one.is_on_path)
			worst = one;
	}
	return worst;
}

static void throttle_end(void *state, struct hl_machine *machine, double seconds,
			 struct hl_graph *graph, const struct hl_origin *origin)
{
	struct groups *before = state, after = read_groups(machine);
	struct worst worst = find_worst(machine, before, &after);
	struct hl_origin where = *origin;

	/* none at all is a fact too: means over slots must count it */
	where.source = worst.path ? worst.path : "cpu.stat";
	if (after.nr)
		hl_graph_add_number(graph, &where, "cgroup.throttled_pct",
				    worst.throttled_s / seconds * 100);
	if (worst.path)
		hl_graph_add_boolean(graph, &where, "cgroup.is_on_path", worst.is_on_path);
	groups_clear(before);
	free(before);
	groups_clear(&after);
}

const struct hl_meter hl_meter_throttle = {
	.name = "throttle",
	.summary = "control groups whose CPU quota was used up",
	.begin = throttle_begin,
	.end = throttle_end,
};
