/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of a run, shared by the files of this room.
 */
#ifndef HOPLOSS_RUN_RUN_H
#define HOPLOSS_RUN_RUN_H

#include "hoploss/agent.h"
#include "hoploss/alloc.h"
#include "hoploss/run.h"

struct run_host {
	struct hl_agent *agent; /* NULL: it does not answer */
	const char *reason;     /* why not */
};

struct hl_run {
	struct hl_arena *arena;
	struct hl_run_options options;
	struct run_host *hosts;  /* as in the path */
	struct hl_run_hop *hops; /* likewise */
	double *sizes;           /* of the hops, for the plan */
	struct hl_plan plan;
	bool *has_routes;  /* of the hops: they stand in the bundle */
	uint64_t start_ns; /* of the first round */
};

/*
 * Adds where the flows of an iSCSI hop leave their hosts, at both ends, to the facts of a sample
 * of that hop; their memory is the graph's. A host that cannot tell adds nothing.
 */
void run_add_routes(const struct hl_run *run, size_t hop, struct hl_graph *graph,
		    struct hl_sample *sample);

#endif
