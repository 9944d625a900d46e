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
	uint64_t start_ns; /* of the first round */
};

#endif
