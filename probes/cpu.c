/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The probe "cpu": processors, what slows them down, who waits for them, and the IOMMU.
 *
 * Source: proc(5) (/proc/cpuinfo, /proc/stat, /proc/pressure: Documentation/accounting/psi.rst) and
 * sysfs (Documentation/ABI/testing/sysfs-devices-system-cpu, sysfs-kernel-iommu_groups). Reading is
 * the same live and recorded: acquiring is decoding into nothing.
 */
#include "cpu.h"
#include "hoploss/number.h"
#include "hoploss/probe.h"
#include "sysfs.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPUINFO  "/proc/cpuinfo"
#define STAT     "/proc/stat"
#define CPUS     "/sys/devices/system/cpu/"
#define GROUPS   "/sys/kernel/iommu_groups"
#define TICK_NS  1e7 /* of /proc/stat, on every architecture of today */
#define NR_TYPES 8

struct hl_origin cpu_origin(const struct cpu_reader *reader, const char *node, const char *source)
{
	return (struct hl_origin){ .host = reader->origin.host, .node = node, .source = source };
}

void cpu_add_text(const struct cpu_reader *reader, const char *node, const char *path,
		  const char *key)
{
	HL_FREE char *text = hl_sysfs_text(reader->machine, path);
	struct hl_origin origin = cpu_origin(reader, node, path);

	if (text && strcmp(text, "(null)") != 0) /* a mask that the kernel never made */
		hl_graph_add_string(reader->graph, &origin, key, text);
}

void cpu_add_number(const struct cpu_reader *reader, const char *node, const char *path,
		    const char *key, double unit)
{
	struct hl_origin origin = cpu_origin(reader, node, path);

	hl_graph_add_number(reader->graph, &origin, key,
			    hl_sysfs_number(reader->machine, path) * unit);
}

/* ---- /proc/cpuinfo ---- */

/* "model name\t: AMD EPYC"; NULL = another line. */
static const char *value_of(const char *line, const char *name)
{
	size_t len = strlen(name);
	const char *colon = strchr(line, ':');

	if (strncmp(line, name, len) != 0 || !strchr("\t :", line[len]) || !line[len] || !colon)
		return NULL;
	return colon[1] == ' ' ? colon + 2 : colon + 1;
}

struct cpuinfo {
	const char *model;
	unsigned nr;     /* that are online */
	double cores;    /* of one socket */
	double sockets;  /* highest number, plus 1 */
	double siblings; /* threads of one socket */
};

static double number_of(const char *text)
{
	uint64_t number;

	return hl_number_u64(text, strlen(text), &number) == 0 ? (double)number : NAN;
}

static void read_line(const char *line, struct cpuinfo *info)
{
	const char *value;

	if (value_of(line, "processor"))
		info->nr++;
	if ((value = value_of(line, "model name")) && !info->model)
		info->model = value;
	if ((value = value_of(line, "cpu cores")))
		info->cores = number_of(value);
	if ((value = value_of(line, "siblings")))
		info->siblings = number_of(value);
	if ((value = value_of(line, "physical id")))
		info->sockets = fmax(info->sockets, number_of(value) + 1);
}

static void add_processors(const struct cpu_reader *reader)
{
	struct cpuinfo info = { .cores = NAN, .sockets = NAN, .siblings = NAN };
	struct hl_origin origin = cpu_origin(reader, CPU_NODE, CPUINFO);
	struct hl_graph *graph = reader->graph;
	HL_FREE char *text = NULL;
	char *rest, *line;
	size_t len;

	if (hl_machine_read(reader->machine, CPUINFO, &text, &len, NULL) < 0)
		return;
	rest = text;
	while ((line = strsep(&rest, "\n")))
		read_line(line, &info);
	hl_graph_add_string(graph, &origin, "cpu.model", info.model);
	if (info.nr)
		hl_graph_add_number(graph, &origin, "cpu.count", info.nr);
	hl_graph_add_number(graph, &origin, "cpu.sockets", info.sockets);
	hl_graph_add_number(graph, &origin, "cpu.cores_per_socket", info.cores);
	hl_graph_add_number(graph, &origin, "cpu.threads_per_core", info.siblings / info.cores);
}

/* ---- /proc/stat, /proc/pressure ---- */

static void add_times(const struct cpu_reader *reader)
{
	static const struct {
		unsigned column; /* behind "cpu", from 0: proc(5) */
		const char *key;
	} rows[] = { { 3, "cpu.idle_time_ns" },
		     { 4, "cpu.iowait_time_ns" },
		     { 6, "cpu.softirq_time_ns" },
		     { 7, "cpu.steal_time_ns" } };
	struct hl_origin origin = cpu_origin(reader, CPU_NODE, STAT);
	HL_FREE char *text = NULL;
	size_t len;
	char *at;

	if (hl_machine_read(reader->machine, STAT, &text, &len, NULL) < 0 ||
	    strncmp(text, "cpu ", 4) != 0)
		return;
	at = text + 4;
	for (unsigned column = 0, row = 0; row < sizeof(rows) / sizeof(*rows); column++) {
		char *end;
		double ticks = strtod(at, &end);

		if (end == at)
			return;
		if (column == rows[row].column)
			hl_graph_add_number(reader->graph, &origin, rows[row++].key,
					    ticks * TICK_NS);
		at = end;
	}
}

/* "some avg10=0.00 avg60=1.25 avg300=0.00 total=1234" */
static void add_pressure(const struct cpu_reader *reader)
{
	static const struct {
		const char *path, *key;
	} rows[] = { { "/proc/pressure/cpu", "psi.cpu_avg60_pct" },
		     { "/proc/pressure/io", "psi.io_avg60_pct" },
		     { "/proc/pressure/memory", "psi.memory_avg60_pct" } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		HL_FREE char *text = hl_sysfs_text(reader->machine, rows[i].path);
		const char *found = text ? strstr(text, "avg60=") : NULL;
		struct hl_origin origin = cpu_origin(reader, CPU_NODE, rows[i].path);
		double pct;

		if (found && hl_number_double(found + 6, strcspn(found + 6, " \n"), &pct) == 0)
			hl_graph_add_number(reader->graph, &origin, rows[i].key, pct);
	}
}

/* ---- what makes it safer and slower ---- */

static void add_vulnerabilities(const struct cpu_reader *reader)
{
	static const char directory[] = CPUS "vulnerabilities";
	struct hl_origin origin = cpu_origin(reader, CPU_NODE, directory);
	struct hl_arena *arena = reader->graph->arena;
	const char *mitigated = NULL, *open = NULL;
	char **names;
	size_t nr;

	if (hl_machine_list(reader->machine, directory, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf("%s/%s", directory, names[i]);
		HL_FREE char *text = hl_sysfs_text(reader->machine, path);
		const char **list = text && !strncmp(text, "Mitigation", 10)   ? &mitigated
				    : text && !strncmp(text, "Vulnerable", 10) ? &open
									       : NULL;

		if (list)
			*list = hl_arena_printf(arena, "%s%s%s", *list ? *list : "",
						*list ? " " : "", names[i]);
	}
	hl_machine_free_names(names, nr);
	hl_graph_add_string(reader->graph, &origin, "cpu.mitigations", mitigated);
	hl_graph_add_string(reader->graph, &origin, "cpu.vulnerable", open);
}

/* ---- IOMMU ---- */

static bool add_type(char types[NR_TYPES][16], size_t *nr, const char *type)
{
	for (size_t i = 0; i < *nr; i++) {
		if (!strcmp(types[i], type))
			return false;
	}
	if (*nr == NR_TYPES)
		return false;
	snprintf(types[(*nr)++], sizeof(types[0]), "%s", type);
	return true;
}

/* No groups while the kernel has the directory: the IOMMU is off, or there is none. */
static void add_iommu(const struct cpu_reader *reader)
{
	struct hl_origin origin = cpu_origin(reader, CPU_NODE, GROUPS);
	char types[NR_TYPES][16], **names;
	const char *all = NULL;
	size_t nr, nr_types = 0;

	if (hl_machine_list(reader->machine, GROUPS, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf(GROUPS "/%s/type", names[i]);
		HL_FREE char *type = hl_sysfs_text(reader->machine, path);

		if (type && add_type(types, &nr_types, type))
			all = hl_arena_printf(reader->graph->arena, "%s%s%s", all ? all : "",
					      all ? " " : "", type);
	}
	hl_machine_free_names(names, nr);
	hl_graph_add_number(reader->graph, &origin, "iommu.groups", (double)nr);
	hl_graph_add_string(reader->graph, &origin, "iommu.mode", all);
}

/* ---- the whole ---- */

static void add_attributes(const struct cpu_reader *reader)
{
	static const struct {
		const char *path, *key;
	} texts[] = {
		{ CPUS "online", "cpu.online" },
		{ CPUS "isolated", "cpu.isolated" },
		{ CPUS "nohz_full", "cpu.nohz_full" },
		{ CPUS "smt/control", "cpu.smt" },
		{ "/sys/devices/system/clocksource/clocksource0/current_clocksource",
		  "cpu.clocksource" },
		{ "/sys/hypervisor/type", "cpu.hypervisor" },
		{ "/sys/module/kvm_amd/parameters/avic", "kvm.avic" },
		{ "/sys/module/kvm_intel/parameters/enable_apicv", "kvm.apicv" },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		cpu_add_text(reader, CPU_NODE, texts[i].path, texts[i].key);
	cpu_add_number(reader, CPU_NODE, "/sys/module/kvm/parameters/halt_poll_ns",
		       "kvm.halt_poll_ns", 1);
}

static void read_all(const struct cpu_reader *reader)
{
	add_processors(reader);
	add_times(reader);
	add_pressure(reader);
	add_attributes(reader);
	add_vulnerabilities(reader);
	add_iommu(reader);
	cpu_add_clocks(reader);
	cpu_add_nodes(reader);
	cpu_add_threads(reader);
}

static int cpu_acquire(struct hl_capture *capture, struct hl_error *err)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct cpu_reader reader = { .machine = capture->machine, .graph = graph };

	read_all(&reader);
	return graph->nr_facts ? 0 : hl_fail(err, ENOENT, "neither /proc nor /sys can be read");
}

static int cpu_decode(struct hl_machine *recorded, const struct hl_origin *origin,
		      struct hl_graph *graph, struct hl_error *err)
{
	const struct cpu_reader reader = { .machine = recorded, .graph = graph, .origin = *origin };

	(void)err;
	read_all(&reader);
	return 0;
}

const struct hl_probe hl_probe_cpu = {
	.name = "cpu",
	.summary = "processors, NUMA, clocks, who waits for them, threads that carry I/O",
	.acquire = cpu_acquire,
	.decode = cpu_decode,
};
