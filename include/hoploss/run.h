/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run: the coordinator of a measurement. It opens a worker on every host of a path and every
 * target on it, measures rounds of slots, and records all of it in a bundle. It prints nothing and
 * judges nothing: the bundle is diagnosed as any other.
 */
#ifndef HOPLOSS_RUN_H
#define HOPLOSS_RUN_H

#include "hoploss/bundle.h"
#include "hoploss/error.h"
#include "hoploss/experiment.h"
#include "hoploss/path.h"
#include "hoploss/plan.h"
#include "hoploss/workload.h"
#include <stdbool.h>
#include <stdio.h>

struct hl_run_options {
	const struct hl_path *path;          /* must outlive the run, as all below */
	const struct hl_workload *workloads; /* that may run; those that write: with may_write */
	size_t nr_workloads;
	unsigned nr_rounds; /* at most */
	bool wants_all;     /* of them, however early the verdict is clear and time is up */
	double time_s;      /* for all rounds together; a slot's length follows from it */
	double max_bw;      /* bytes/s that a slot may use; 0 = no limit */
	uint64_t seed;
	double begun_s;    /* that rounds before the first one took, when it goes on; 0 = none */
	double probe_s;    /* that each probe has in a capture; 0 = the usual */
	bool may_write;    /* targets that were given away */
	bool may_be_busy;  /* others may be using the disks: do not look */
	bool may_be_empty; /* opens too when not one hop can be measured, to be shown */
};

struct hl_run;

/* What is to be known of one hop before it is measured. */
struct hl_run_hop {
	const struct hl_path_hop *hop;
	char kind[16];
	double size;        /* bytes to be used; NAN = it cannot be measured */
	const char *reason; /* why not; NULL = it can */
	bool is_disjoint;   /* each slot has a part of the medium of its own */
	bool is_direct;
	bool may_write;
	const char *no_write; /* why it is not written; NULL = it is, or nobody wants that */
	const char *no_read;  /* why it is not read, though it is written; NULL = it is */
	double block;         /* bytes, of which block sizes must be a multiple */
	bool is_mapped;       /* of a medium, it uses what a file on it has */
	const char *note;     /* what is to be said of it; NULL = nothing */
};

/* Where a run stands; given 10 times a second. Return true to stop the slot that is running. */
struct hl_run_progress {
	const char *hop, *workload;
	unsigned round, nr_rounds;
	double done;        /* of the whole run, 0..1 */
	double bytes_per_s; /* now */
	double left_s;
};
typedef bool hl_run_watch(void *context, const struct hl_run_progress *progress);

/*
 * Opens workers and targets. A host or a target that does not answer costs its hops only.
 * -ENODEV: not one hop can be measured; err has the first reason.
 */
int hl_run_open(const struct hl_run_options *options, struct hl_run **ret_run,
		struct hl_error *err);
void hl_run_close(struct hl_run *run); /* NULL allowed */

const struct hl_plan *hl_run_plan(const struct hl_run *run);
/* Why that workload will not be measured on a hop that can be; NULL = it will. The run owns it. */
const char *hl_run_misfit(const struct hl_run *run, size_t hop, size_t workload);
/* In the order of the path; NULL behind the last, and for a datasheet. */
const struct hl_run_hop *hl_run_hop_at(const struct hl_run *run, size_t index);

/*
 * One round into the bundle. 0, or -EINTR when the watcher stopped it; other errors are of the
 * bundle. A slot that fails is recorded as NOT MEASURED and the round goes on.
 */
int hl_run_round(struct hl_run *run, unsigned round, struct hl_bundle *bundle, hl_run_watch *watch,
		 void *context, struct hl_error *err);

/*
 * Captures every host of the path into the bundle: before the first round, and after the last.
 * What is wrong with a host stands in its capture; errors are of the bundle.
 */
int hl_run_capture(struct hl_run *run, enum hl_capture_stage stage, struct hl_bundle *bundle,
		   struct hl_error *err);

/* How long an experiment takes at least. */
double hl_run_experiment_seconds(const struct hl_experiment_kind *kind);
/*
 * An experiment that a diagnosis of this run asked for, into the bundle: its variants in turn, as
 * samples without a round, in about so many seconds. Variants that fail are recorded with the
 * reason. -ENOENT: that hop is not measured; else as hl_run_round.
 */
int hl_run_experiment(struct hl_run *run, const struct hl_wish *wish, double seconds,
		      struct hl_bundle *bundle, hl_run_watch *watch, void *context,
		      struct hl_error *err);

#endif
