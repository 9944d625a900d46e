/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control groups that hold back a part of the demo, to see other verdicts. They outlive what is in
 * them, so a kill leaves them; their names carry the UUID of the demo.
 *
 * Source: cgroups(7); Documentation/admin-guide/cgroup-v1 (cpu.cfs_quota_us,
 * blkio.throttle.read_bps_device) and cgroup-v2.rst (cpu.max, io.max). A process is in one group of
 * each hierarchy: under version 2 the target's CPU and the disk cannot both be limited.
 */
#include "demo.h"
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define PERIOD_US     100000
#define SELF_MAX      (64u << 10)
#define CGROUP_PREFIX "hoploss-"

enum kind { CPU, DISK, NR_KINDS };

/* A hierarchy that has the controller, and how a line of /proc/self/cgroup names it. */
static const struct hierarchy {
	const char *root, *line;
	bool is_v2;
} hierarchies[NR_KINDS][2] = {
	[CPU] = { { "/sys/fs/cgroup/cpu", ":cpu", false }, { "/sys/fs/cgroup", "0::", true } },
	[DISK] = { { "/sys/fs/cgroup/blkio", ":blkio", false }, { "/sys/fs/cgroup", "0::", true } },
};

static int put(const char *group, const char *name, const char *text, struct hl_error *err)
{
	HL_FREE char *path = hl_printf("%s/%s", group, name);
	HL_CLOSE int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		return hl_fail(err, errno, "%s: %s", path, strerror(errno));
	return 0;
}

static int put_pid(const char *group, pid_t pid, struct hl_error *err)
{
	HL_FREE char *text = hl_printf("%d", (int)pid); /* 0 = the one that writes */

	return put(group, "cgroup.procs", text, err);
}

static const struct hierarchy *find_hierarchy(enum kind kind)
{
	const struct hierarchy *found = hierarchies[kind];

	return access(found->root, F_OK) == 0 ? found : found + 1;
}

static int make_group(const struct hierarchy *hierarchy, const char *id, char *ret_group,
		      size_t size, struct hl_error *err)
{
	snprintf(ret_group, size, "%s/" CGROUP_PREFIX "%s", hierarchy->root, id);
	if (mkdir(ret_group, 0700) < 0)
		return hl_fail(err, errno, "control group %s: %s", ret_group, strerror(errno));
	return 0;
}

int limit_cpu(const char *id, double pct, pid_t pid, struct hl_error *err)
{
	const struct hierarchy *hierarchy = find_hierarchy(CPU);
	HL_FREE char *quota = hl_printf("%.0f", pct / 100 * PERIOD_US);
	HL_FREE char *both = hl_printf("%s %d", quota, PERIOD_US);
	char group[128];
	int rc = make_group(hierarchy, id, group, sizeof(group), err);

	if (rc == 0 && hierarchy->is_v2)
		rc = put(group, "cpu.max", both, err);
	else if (rc == 0)
		rc = put(group, "cpu.cfs_quota_us", quota, err);
	return rc < 0 ? rc : put_pid(group, pid, err);
}

/* The group that this process is in now: "5:blkio:/system.slice". */
static void find_home(const struct hierarchy *hierarchy, char *ret_home, size_t size)
{
	HL_FREE char *bytes = NULL;
	const char *line, *path;
	size_t len;

	snprintf(ret_home, size, "%s", hierarchy->root);
	if (hl_file_read_at(AT_FDCWD, "/proc/self/cgroup", SELF_MAX, &bytes, &len) < 0)
		return;
	line = strstr(bytes, hierarchy->line);
	path = line ? strchr(line, '/') : NULL;
	if (path)
		snprintf(ret_home, size, "%s%.*s", hierarchy->root, (int)strcspn(path, "\n"), path);
}

int limit_disk_begin(const char *id, struct limit *ret_limit, struct hl_error *err)
{
	const struct hierarchy *hierarchy = find_hierarchy(DISK);
	int rc;

	find_home(hierarchy, ret_limit->home, sizeof(ret_limit->home));
	rc = make_group(hierarchy, id, ret_limit->group, sizeof(ret_limit->group), err);
	return rc < 0 ? rc : put_pid(ret_limit->group, 0, err);
}

int limit_disk_set(const struct limit *limit, const char *device, double rate, struct hl_error *err)
{
	bool is_v2 = find_hierarchy(DISK)->is_v2;
	HL_FREE char *line = NULL;
	struct stat status;

	if (stat(device, &status) < 0)
		return hl_fail(err, errno, "%s: %s", device, strerror(errno));
	line = hl_printf("%u:%u %s%.0f", major(status.st_rdev), minor(status.st_rdev),
			 is_v2 ? "rbps=" : "", rate);
	return put(limit->group, is_v2 ? "io.max" : "blkio.throttle.read_bps_device", line, err);
}

void limit_disk_end(const struct limit *limit)
{
	if (limit->group[0])
		put_pid(limit->home, 0, NULL);
}

void limit_each(const char *id, void (*each)(void *context, const char *group), void *context)
{
	for (int kind = 0; kind < NR_KINDS; kind++) {
		const struct hierarchy *hierarchy = find_hierarchy(kind);
		HL_FREE char *group = hl_printf("%s/" CGROUP_PREFIX "%s", hierarchy->root, id);

		if (access(group, F_OK) == 0)
			each(context, group);
	}
}
