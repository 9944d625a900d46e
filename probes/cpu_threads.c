/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that carry I/O, "NAME/PID": where they may run and what they used so far. See cpu.h.
 *
 * Source: proc(5): /proc/PID/task/TID/{comm,status,stat}. The names of all threads are looked at,
 * but only those of these are recorded. Surprising: vhost-PID is a kernel thread before Linux 6.4
 * and a thread of the QEMU process since; PID is that of QEMU in both.
 */
#include "cpu.h"
#include "hoploss/number.h"
#include "sysfs.h"
#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX 512
#define GROUPS_MAX  32 /* names in one process */
#define TICK_NS     1e7
#define USER_TIME   14 /* field of stat; the next is system time */
#define LAST_CPU    39

/* Those of a hypervisor and its VMs, of iSCSI and NVMe targets, of md, of ZFS's volumes, of NFS. */
static const char *const names[] = {
	"vhost-*",
	"IO *",
	"iothread*",
	"qemu-system-*",
	"kvm",
	"tgtd",
	"iscsi_*",
	"iscsird*",
	"iscsiwr*",
	"scst*",
	"istgt",
	"istd*",
	"istiod*",
	"ctld",
	"md[0-9]*_*",
	"zvol*",
	"nfsd",
	"*nvmet*",
	"kworker/*loop*",
	"kworker/*kcryptd*",
	"kworker/*iscsi*",
	"iou-sqp-*",
	"ksmbd*",
};

static bool is_wanted(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!fnmatch(names[i], name, 0))
			return true;
	}
	return false;
}

/* The name, which other threads' are not recorded with; to be freed. NULL = not wanted. */
static char *wanted_name(const struct cpu_reader *reader, const char *directory)
{
	HL_FREE char *path = hl_printf("%s/comm", directory);
	HL_FREE char *bytes = NULL;
	size_t len;

	if (hl_machine_peek(reader->machine, path, &bytes, &len, NULL) < 0)
		return NULL;
	bytes[strcspn(bytes, "\n")] = '\0';
	if (!is_wanted(bytes))
		return NULL;
	return hl_sysfs_text(reader->machine, path);
}

/* Field of a stat line, counted as in proc(5); NAN. */
static double field_of(const char *stat, unsigned field)
{
	const char *at = strrchr(stat, ')'); /* the name may hold anything */
	uint64_t number;

	for (unsigned i = 2; at && i < field; i++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	if (!at || hl_number_u64(at, strcspn(at, " \n"), &number) < 0)
		return NAN;
	return (double)number;
}

/* All threads of one name in one process. */
struct group {
	char *name; /* NULL = it is not in use */
	unsigned nr;
	double ticks, last_cpu;
	char *cpus; /* where they may run; NULL = not the same for all, or not known */
	const char *source;
};

/* "0-3" of /proc/PID/task/TID/status, to be freed; NULL. */
static char *affinity_of(const struct cpu_reader *reader, const char *directory)
{
	static const char key[] = "Cpus_allowed_list:";
	HL_FREE char *path = hl_printf("%s/status", directory);
	HL_FREE char *text = hl_sysfs_text(reader->machine, path);
	const char *found = text ? strstr(text, key) : NULL;

	if (!found)
		return NULL;
	found += strlen(key);
	found += strspn(found, " \t");
	return hl_strndup(found, strcspn(found, "\n"));
}

static void add_to(const struct cpu_reader *reader, struct group *group, const char *directory)
{
	HL_FREE char *path = hl_printf("%s/stat", directory);
	HL_FREE char *stat = hl_sysfs_text(reader->machine, path);
	HL_FREE char *cpus = affinity_of(reader, directory);

	if (!group->nr++) {
		group->cpus = cpus;
		cpus = NULL;
		group->source = hl_arena_strdup(reader->graph->arena, directory);
	} else if (!group->cpus || !cpus || strcmp(group->cpus, cpus) != 0) {
		free(group->cpus);
		group->cpus = NULL;
	}
	if (stat) {
		group->ticks += field_of(stat, USER_TIME) + field_of(stat, USER_TIME + 1);
		group->last_cpu = field_of(stat, LAST_CPU);
	}
}

static void add_group(const struct cpu_reader *reader, const char *pid, const struct group *group)
{
	HL_FREE char *node = hl_printf("%s/%s", group->name, pid);
	struct hl_origin origin = cpu_origin(reader, node, group->source);
	struct hl_graph *graph = reader->graph;

	hl_graph_add_string(graph, &origin, "thread.name", group->name);
	hl_graph_add_number(graph, &origin, "thread.process", strtod(pid, NULL));
	hl_graph_add_number(graph, &origin, "thread.count", group->nr);
	hl_graph_add_number(graph, &origin, "thread.cpu_time_ns", group->ticks * TICK_NS);
	hl_graph_add_string(graph, &origin, "thread.cpus_allowed", group->cpus);
	if (group->nr == 1)
		hl_graph_add_number(graph, &origin, "thread.last_cpu", group->last_cpu);
}

/* The group of that name, or the first that is free; NULL = there are too many. */
static struct group *group_of(struct group *groups, const char *name)
{
	for (size_t i = 0; i < GROUPS_MAX; i++) {
		if (!groups[i].name || !strcmp(groups[i].name, name))
			return &groups[i];
	}
	return NULL;
}

static void add_groups(const struct cpu_reader *reader, const char *pid, struct group *groups)
{
	for (size_t i = 0; i < GROUPS_MAX && groups[i].name; i++) {
		add_group(reader, pid, &groups[i]);
		free(groups[i].name);
		free(groups[i].cpus);
	}
}

static unsigned add_process(const struct cpu_reader *reader, const char *pid)
{
	HL_FREE char *path = hl_printf("/proc/%s/task", pid);
	struct group groups[GROUPS_MAX] = { 0 };
	unsigned nr_added = 0;
	char **tids;
	size_t nr;

	if (hl_machine_peek_list(reader->machine, path, &tids, &nr, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *directory = hl_printf("%s/%s", path, tids[i]);
		char *name = wanted_name(reader, directory);
		struct group *group = name ? group_of(groups, name) : NULL;

		if (group) {
			add_to(reader, group, directory);
			nr_added++;
		}
		if (group && !group->name)
			group->name = name;
		else
			free(name);
	}
	hl_machine_free_names(tids, nr);
	add_groups(reader, pid, groups);
	return nr_added;
}

void cpu_add_threads(const struct cpu_reader *reader)
{
	unsigned nr_threads = 0;
	char **pids;
	size_t nr;

	if (hl_machine_peek_list(reader->machine, "/proc", &pids, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr && nr_threads < THREADS_MAX; i++) {
		if (isdigit((unsigned char)pids[i][0]))
			nr_threads += add_process(reader, pids[i]);
	}
	hl_machine_free_names(pids, nr);
}
