/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that control groups leave: see hoploss/memory_room.h. Pages of files that are not in use
 * are given back when memory is short, so they count as free.
 */
#include "hoploss/memory_room.h"
#include "hoploss/alloc.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST  (64.0 * 1024 * 1024)
#define SHARE 0.1
#define NONE  4e18 /* version 1 says "no limit" by a number of about 2^63 */

static const struct version {
	const char *controller; /* in its line of /proc/self/cgroup */
	const char *root, *limit, *usage, *reclaimable;
} versions[] = {
	{ "::", "/sys/fs/cgroup", "memory.max", "memory.current", "\ninactive_file " },
	{ ":memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
	  "\ntotal_inactive_file " },
};

static char *read_file(struct hl_machine *machine, const char *directory, const char *name)
{
	HL_FREE char *path = hl_printf("%s/%s", directory, name);
	char *bytes;
	size_t len;

	return hl_machine_read(machine, path, &bytes, &len, NULL) == 0 ? bytes : NULL;
}

/* NAN: it does not say, or "max". */
static double read_number(struct hl_machine *machine, const char *directory, const char *name)
{
	HL_FREE char *bytes = read_file(machine, directory, name);
	char *end = bytes;
	double number = bytes ? strtod(bytes, &end) : NAN;

	return end == bytes ? NAN : number;
}

static double left_of(struct hl_machine *machine, const char *directory,
		      const struct version *version)
{
	double limit = read_number(machine, directory, version->limit);
	double used = read_number(machine, directory, version->usage);
	HL_FREE char *stat = read_file(machine, directory, "memory.stat");
	const char *at = stat ? strstr(stat, version->reclaimable) : NULL;

	if (isnan(limit) || isnan(used) || limit > NONE)
		return NAN;
	used -= at ? strtod(at + strlen(version->reclaimable), NULL) : 0;
	return fmax(limit - fmax(used, 0), 0);
}

/* The group of the process and all above it. In a container the tree may begin at its own group. */
static double least_left(struct hl_machine *machine, char *group, const struct version *version)
{
	double least = NAN;

	for (;;) {
		HL_FREE char *directory = hl_printf("%s%s", version->root, group);
		char *slash = strrchr(group, '/');

		least = fmin(least, left_of(machine, directory, version));
		if (!slash)
			return least;
		*slash = '\0';
	}
}

static char *group_of(struct hl_machine *machine, const struct version *version)
{
	HL_FREE char *bytes = read_file(machine, "/proc/self", "cgroup");
	char *at = bytes ? strstr(bytes, version->controller) : NULL;

	if (!at)
		return NULL;
	at += strlen(version->controller);
	return hl_strndup(at, strcspn(at, "\n"));
}

double hl_memory_room(struct hl_machine *machine)
{
	double left = NAN;

	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		HL_FREE char *group = group_of(machine, &versions[i]);

		if (group)
			left = fmin(left, least_left(machine, group, &versions[i]));
	}
	return isnan(left) ? NAN : fmin(left * SHARE, MOST);
}
