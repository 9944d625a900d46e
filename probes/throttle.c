/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU quotas that were used up during a slot: how long the groups of the machine were throttled.
 *
 * Source: cpu.stat of each control group, Documentation/admin-guide/cgroup-v2.rst (throttled_usec)
 * and sched-bwc.rst (v1: throttled_time, ns). Every group is looked at, for a target's or a
 * hypervisor's service has one of its own; the one that was throttled most is named.
 */
#include "hoploss/meter.h"
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
	struct group *items;
	size_t nr;
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

		if (!strchr(names[i], '.') || strstr(names[i], ".slice") ||
		    strstr(names[i], ".service") || strstr(names[i], ".scope"))
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

	(void)target;
	*before = read_groups(machine);
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

static void throttle_end(void *state, struct hl_machine *machine, double seconds,
			 struct hl_graph *graph, const struct hl_origin *origin)
{
	struct groups *before = state, after = read_groups(machine);
	struct hl_origin where = *origin;
	double most = 0;
	const char *group = NULL;

	for (size_t i = 0; i < after.nr; i++) {
		double throttled = after.items[i].throttled_s -
				   seconds_before(before, after.items[i].path);

		if (throttled > most) {
			most = throttled;
			group = after.items[i].path;
		}
	}
	/* none at all is a fact too: means over slots must count it */
	where.source = group ? group : "cpu.stat";
	if (after.nr)
		hl_graph_add_number(graph, &where, "cgroup.throttled_pct", most / seconds * 100);
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
