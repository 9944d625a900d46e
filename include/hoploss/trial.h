/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trial: one workload of one hop and direction, as the rules look at it. Jobs of one fio group
 * that ran the same workload side by side, printed one by one, are one trial. Used by src/causes.
 */
#ifndef HOPLOSS_TRIAL_H
#define HOPLOSS_TRIAL_H

#include "hoploss/graph.h"

struct hl_trial {
	const struct hl_measurement *at; /* the first of its jobs */
	enum hl_dir dir;
	bool is_pure;     /* reads only or writes only */
	bool is_alone;    /* no other workload ran at the same time */
	double bs;        /* bytes */
	double depth;     /* asked for, all jobs */
	double jobs;      /* processes or threads of the generator */
	double bw, iops;  /* of this direction */
	double all_iops;  /* of all directions */
	double lat_ns;    /* mean: lat, or slat + clat, or clat */
	double submit_ns; /* mean slat */
	/* Share of a job's time that went into submitting, all directions; NAN without slat. */
	double submitting;
	double cpu_pct; /* user + system per job */
};

struct hl_trials {
	struct hl_trial *items;
	size_t nr;
};

/* All usable ones of hop with that direction, in order; free with hl_trials_free. */
void hl_trials_read(const struct hl_hop *hop, enum hl_dir dir, struct hl_trials *ret_trials);
void hl_trials_free(struct hl_trials *trials);
#define HL_TRIALS __attribute__((cleanup(hl_trials_free)))

/*
 * Same pattern, block size, way by or past the page cache (where both are known) and state of the
 * machine ("change"): only depth and jobs may differ.
 */
bool hl_trial_is_same_kind(const struct hl_trial *a, const struct hl_trial *b);
/* The latency that its percentiles are of: clat, or lat; NULL. */
const struct hl_latency *hl_trial_latency(const struct hl_trial *trial);
/* The fastest I/O of it: lat, or clat where lat is not known; NAN. */
double hl_trial_least_latency(const struct hl_trial *trial);
/*
 * Bandwidth ÷ what the datasheet promises at any depth, times the drives; of random I/O on hard
 * disks IOPS ÷ their best case. NAN without a sheet or promise.
 */
double hl_trial_share_of_sheet(const struct hl_graph *graph, const struct hl_trial *trial);
/* The drives give what they can: 80 % of the sheet (30 % of a best case), and not beyond it. */
bool hl_trial_is_at_sheet(const struct hl_graph *graph, const struct hl_trial *trial);
/*
 * The nearest hop before it that measured the same was hardly faster (at most 1.1 times), so what
 * binds lies further down. False when there is no such hop.
 */
bool hl_trial_is_bound_below(const struct hl_trial *trial);
/* A hop before it measured the same and was faster: what binds lies between the two. */
bool hl_trial_is_bound_here(const struct hl_trial *trial);
/* I/O that no medium answers so fast: an average below 8 us, or completed while submitting. */
bool hl_trial_is_from_memory(const struct hl_trial *trial);
bool hl_trial_is_generator_busy(const struct hl_trial *trial); /* a core a job, 90 % or more */
/*
 * All percentiles alike and a round number of I/Os (or bytes) a second: that number, as a throttle
 * would have it written in; else NAN.
 */
double hl_trial_rate_cap(const struct hl_trial *trial, bool *ret_is_iops);

struct hl_cause;

/*
 * The frame of most rules: for each hop and direction, found is called once with the trials that
 * fulfil is_one, if there are any. A mixed job counts for the direction of most of its I/Os only.
 */
void hl_trials_match(struct hl_graph *graph, const struct hl_cause *cause,
		     bool (*is_one)(const struct hl_graph *graph, const struct hl_trial *trial),
		     void (*found)(struct hl_graph *graph, const struct hl_cause *cause,
				   const struct hl_trials *matches));
/* The same, but found is called with each of them. */
void hl_trials_match_each(struct hl_graph *graph, const struct hl_cause *cause,
			  bool (*is_one)(const struct hl_graph *graph,
					 const struct hl_trial *trial),
			  void (*found)(struct hl_graph *graph, const struct hl_cause *cause,
					const struct hl_trial *trial));
/* hl_cause_found of that trial. */
struct hl_finding *hl_trial_found(struct hl_graph *graph, const struct hl_cause *cause,
				  const struct hl_trial *trial);
/* " and 3 more jobs", " and another job" or "": the trials behind the one that is told. */
const char *hl_trials_say_others(struct hl_graph *graph, const struct hl_trials *matches);

#endif
