/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Guarding the service of others while a target is measured: their latency, the drive's
 * temperature, its paths. One guard for each target that was opened; once it has stopped, nothing
 * is measured there any more in this run.
 */
#ifndef HOPLOSS_AGENT_GUARD_H
#define HOPLOSS_AGENT_GUARD_H

#include "hoploss/blockdev.h"
#include "hoploss/engine.h"

struct guarded { /* a block device */
	const char *path;
	dev_t device;
};

/* I/Os of one direction. */
struct guard_sum {
	double all, others; /* how many */
	double ms;          /* that those of others took, all added up */
};

struct guard {
	char why[240];               /* it has stopped; "" = it has not */
	const char *directory;       /* that /sys is in; NULL = "/" */
	bool is_beside;              /* the slot reaches the devices through a target above them */
	double base_ms[2];           /* others' mean latency before the run, reads and writes */
	bool has_base[2];            /* they did some then */
	struct guard_sum earlier[2]; /* of slots before, not judged yet: too few */
	double nr_paths;             /* that worked at the slot's start, all devices; NAN */
	uint64_t felt_ns;            /* when the temperature was looked at */
	/* Where counting begins: the slot's start, or the last judgement. */
	double ios[2], ms[2]; /* of the devices */
	struct hl_tally ours;
};

/* Others' I/O alone, before the first slot: what the device did between two looks at it. */
void guard_learn(struct guard *guard, const struct hl_blockdev_counters *before,
		 const struct hl_blockdev_counters *after);
/* A slot on these devices begins. False: it must not, see why. */
bool guard_begin(struct guard *guard, const struct guarded *devices, size_t nr);
/* Looks, 10 times a second while job runs. True: the slot must stop now, see why. */
bool guard_tick(struct guard *guard, const struct guarded *devices, size_t nr,
		const struct hl_job *job);
/* The slot has ended, nothing is in flight: what is not judged yet counts in the next. */
void guard_end(struct guard *guard, const struct guarded *devices, size_t nr,
	       const struct hl_job *job);

#endif
