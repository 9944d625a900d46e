/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A measurement as a person sees it: what it will do, its progress on stderr, and rounds until the
 * time is up or Ctrl-C. What `run`, `demo` and whoever else measures share.
 */
#ifndef HOPLOSS_MEASURE_H
#define HOPLOSS_MEASURE_H

#include "hoploss/run.h"
#include "hoploss/workset.h"

struct hl_measure {
	struct hl_run *run;
	const char *name; /* of what is measured, for the first line */
	const struct hl_path *path;
	const struct hl_workset *workset;
	double time_s;
	unsigned at_least; /* rounds, though the time be up */
	double precision;  /* go on until the verdict is known so well, 0.02 = 2 %; 0 = not asked */
	unsigned done;     /* rounds that stand in the bundle already, with the captures before */
	bool leaves_after; /* the caller takes the captures after the last round, later */
	/* After each round, when it stands in the bundle; NULL. Its error ends the measurement. */
	int (*keep)(void *context, unsigned round, struct hl_error *err);
	void *context;
};

/* One Ctrl-C ends the rounds after the one that is running, a second one stops at once. */
void hl_measure_catch_interrupts(void);
bool hl_measure_is_interrupted(void); /* since then */

/*
 * The first lines: hosts, commands, what is read, how long, and what will not be measured. Returns
 * how many hops and workloads of hops those are.
 */
size_t hl_measure_say(const struct hl_measure *measure);

/*
 * Rounds into the bundle, and why they ended; then the experiments that what is left open asks for,
 * within the time. -EINTR: stopped at once.
 */
int hl_measure_rounds(const struct hl_measure *measure, struct hl_bundle *bundle,
		      struct hl_error *err);

#endif
