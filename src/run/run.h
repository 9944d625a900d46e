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
	bool is_watching;       /* while a slot runs on another */
};

struct run_load {
	double iops, busy_pct; /* NAN = not known */
	bool is_blind;         /* for the device's I/O is not counted */
};

struct run_owner; /* of an initiator's name that a hop borrows */

struct hl_run {
	struct hl_arena *arena;
	struct hl_run_options options;
	struct run_host *hosts;    /* as in the path */
	struct hl_run_hop *hops;   /* likewise */
	double *sizes;             /* of the hops, for the plan; NAN = not measured */
	double *whole_sizes;       /* of their targets */
	const char **serials;      /* likewise; "" = none */
	struct run_load *loads;    /* of others, before the first round */
	struct run_owner **owners; /* of the hops; NULL = nobody else's, or it cannot be seen */
	const char **stops;        /* why a hop is not measured any more; NULL = it is */
	struct hl_plan plan;
	bool *is_told;     /* of the hops: routes and load stand in the bundle */
	uint64_t start_ns; /* of the first round */
	unsigned round;    /* the last one that began */
};

/* A sample that says why there is none. */
struct hl_sample run_sample_of_failure(const struct hl_workload *workload, const char *reason,
				       int error);
/* The address in iscsi://ADDRESS[:PORT]/… without brackets; false = no such URL. */
bool run_portal_of(const char *target, char *ret_address, size_t size);

/*
 * Adds where the flows of an iSCSI hop leave their hosts, at both ends, to the facts of a sample
 * of that hop; their memory is the graph's. A host that cannot tell adds nothing.
 */
void run_add_routes(const struct hl_run *run, size_t hop, struct hl_graph *graph,
		    struct hl_sample *sample);

/* Has the other machines of the path look on while a slot runs on that hop. */
void run_watch_others(struct hl_run *run, size_t hop, const struct hl_job *job);
/* Adds what they saw to the sample; NULL: it is forgotten. */
void run_take_others(struct hl_run *run, struct hl_graph *graph, struct hl_sample *sample);

/* Refuses hops that do not show the medium that they are said to, or one that is not written. */
void run_prove_media(struct hl_run *run);

/*
 * Looks for some seconds at what others do to the block devices. Refuses those that are in use and
 * the hops after them, unless options say that they may be.
 */
void run_look_at_load(struct hl_run *run);
/* The same as facts of a hop's first sample. */
void run_add_load(const struct hl_run *run, size_t hop, struct hl_graph *graph,
		  struct hl_sample *sample);
/* Adds the facts of the graph from number first on to those of a sample. */
void run_add_facts(struct hl_graph *graph, size_t first, struct hl_sample *sample);
/* The nearest block device under a hop, on its own host, whose others are spared; NULL = itself. */
const char *run_beside(const struct hl_run *run, size_t hop);
/* Slots of so many rounds beside those of the plan: drives of a hop, each alone. */
size_t run_nr_alone(const struct hl_run *run, unsigned nr_rounds);
/*
 * Finds the owner of the name that a hop logs in by. Returns what is to be said where its session
 * cannot be seen; NULL = nothing.
 */
const char *run_owner_open(struct hl_run *run, size_t index);
void run_owner_close(struct run_owner *owner); /* NULL allowed */
/* Is its session up? -ENOTCONN, -EHOSTUNREACH: do not log in. NULL allowed: yes. */
int run_owner_check(struct run_owner *owner, struct hl_error *err);
/* While we are logged in: has its session ended? NULL allowed: no. */
bool run_owner_is_gone(struct run_owner *owner);
const char *run_owner_gone_text(struct hl_arena *arena, const struct run_owner *owner);
/*
 * Measures what the iSCSI engine itself can do, for each hop before which another engine measured,
 * into the bundle.
 */
int run_calibrate(struct hl_run *run, struct hl_bundle *bundle, struct hl_error *err);
void run_refuse(struct hl_run *run, size_t hop, const char *reason);
struct hl_agent *run_agent_of(const struct hl_run *run, size_t hop);

#endif
