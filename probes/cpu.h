/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside of the probe "cpu".
 */
#ifndef PROBES_CPU_H
#define PROBES_CPU_H

#include "hoploss/graph.h"
#include "hoploss/machine.h"

#define CPU_NODE "cpu" /* of facts of the processors as a whole */

struct cpu_reader {
	struct hl_machine *machine;
	struct hl_graph *graph;
	struct hl_origin origin; /* of the machine; node CPU_NODE */
};

/* The same with another node and source. */
struct hl_origin cpu_origin(const struct cpu_reader *reader, const char *node, const char *source);
void cpu_add_text(const struct cpu_reader *reader, const char *node, const char *path,
		  const char *key);
void cpu_add_number(const struct cpu_reader *reader, const char *node, const char *path,
		    const char *key, double unit);

void cpu_add_clocks(const struct cpu_reader *reader);  /* governor, frequencies, idle states */
void cpu_add_nodes(const struct cpu_reader *reader);   /* NUMA */
void cpu_add_threads(const struct cpu_reader *reader); /* those that carry I/O */

#endif
