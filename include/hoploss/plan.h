/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run will do, slot by slot: which hop, which workload, which part of the medium, in which
 * order. Pure and a function of the seed, so a dry run shows exactly what a run does.
 *
 * Rounds: every hop once for each workload, hops in random order; in each round one hop is measured
 * twice (A/A), in turn. Parts: hops of one path read the same medium, so one would warm the next;
 * each (round, hop, workload) has a part of its own, until the medium is used up. Where workloads
 * have an offset or a size, their parts lie inside.
 */
#ifndef HOPLOSS_PLAN_H
#define HOPLOSS_PLAN_H

#include "hoploss/error.h"
#include "hoploss/path.h"
#include "hoploss/workload.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hl_plan {
	const struct hl_path *path;
	const struct hl_workload *workloads;
	size_t nr_workloads;
	const double *sizes; /* bytes of each hop's target that may be used; NAN = not measured */
	unsigned nr_rounds;  /* at most */
	bool wants_all;      /* exactly, whatever they say */
	double warmup, seconds; /* of a slot */
	double longest_warmup;  /* that a workload's ramp time may ask for */
	uint64_t seed;          /* at most 2^53 */
};

struct hl_plan_slot {
	unsigned round; /* from 1 */
	size_t hop, workload;
	bool is_repeat;          /* A/A */
	uint64_t offset, length; /* bytes */
	uint64_t seed;
	bool is_reused; /* the medium was used up: this part has been read before */
};

/* Slots in one round. 0 when no hop can be measured. */
size_t hl_plan_nr_slots(const struct hl_plan *plan);
/* Fills the slots of a round in the order of measuring. */
void hl_plan_round(const struct hl_plan *plan, unsigned round, struct hl_plan_slot *slots);
/* Bytes of the hop's target that the workload's offset and size leave to it. */
double hl_plan_room(const struct hl_plan *plan, size_t hop, size_t workload);
/* Seconds of a slot of that workload that are not counted. */
double hl_plan_warmup(const struct hl_plan *plan, size_t workload);
/* Seconds that one round takes, without what lies between slots. */
double hl_plan_round_seconds(const struct hl_plan *plan);
/* Do all slots of all rounds have a part of their own on that hop? */
bool hl_plan_is_disjoint(const struct hl_plan *plan, size_t hop);

#endif
