/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NUMA nodes, "node0" and so on: see cpu.h.
 *
 * Source: Documentation/ABI/stable/sysfs-devices-node; numastat: Documentation/admin-guide/
 * numastat.rst. A machine without NUMA has one node.
 */
#include "cpu.h"
#include "hoploss/number.h"
#include "sysfs.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NODES "/sys/devices/system/node"

/* "Node 0 MemTotal:       65778348 kB" */
static double memory_of(const char *text, const char *name)
{
	const char *found = strstr(text, name);
	uint64_t kib;

	if (!found)
		return NAN;
	found += strlen(name);
	found += strspn(found, " ");
	if (hl_number_u64(found, strcspn(found, " \n"), &kib) < 0)
		return NAN;
	return (double)kib * 1024;
}

static void add_memory(const struct cpu_reader *reader, const char *node)
{
	HL_FREE char *path = hl_printf(NODES "/%s/meminfo", node);
	HL_FREE char *text = hl_sysfs_text(reader->machine, path);
	struct hl_origin origin = cpu_origin(reader, node, path);

	if (!text)
		return;
	hl_graph_add_number(reader->graph, &origin, "numa.memory", memory_of(text, "MemTotal:"));
	hl_graph_add_number(reader->graph, &origin, "numa.memory_free",
			    memory_of(text, "MemFree:"));
}

static void add_node(const struct cpu_reader *reader, const char *node)
{
	HL_FREE char *cpus = hl_printf(NODES "/%s/cpulist", node);
	HL_FREE char *distances = hl_printf(NODES "/%s/distance", node);

	cpu_add_text(reader, node, cpus, "numa.cpus");
	cpu_add_text(reader, node, distances, "numa.distances");
	add_memory(reader, node);
}

void cpu_add_nodes(const struct cpu_reader *reader)
{
	struct hl_origin origin = cpu_origin(reader, CPU_NODE, NODES);
	char **names;
	size_t nr, nr_nodes = 0;

	if (hl_machine_list(reader->machine, NODES, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		if (strncmp(names[i], "node", 4) != 0 || !isdigit((unsigned char)names[i][4]))
			continue;
		add_node(reader, names[i]);
		nr_nodes++;
	}
	hl_machine_free_names(names, nr);
	if (nr_nodes)
		hl_graph_add_number(reader->graph, &origin, "cpu.numa_nodes", (double)nr_nodes);
}
