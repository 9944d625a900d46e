/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The change of one figure between two states. Used in src/compare.
 */
#ifndef COMPARE_CHANGE_H
#define COMPARE_CHANGE_H

#include "hoploss/comparison.h"

struct pair { /* one workload at one hop in two states, and at its control */
	const struct hl_measurement *before, *after;
	const struct hl_measurement *control_before, *control_after; /* NULL = none */
	enum hl_dir dir;
};

/* Fills before, after, the change and its state: change->metric, from and to are set. */
void change_judge(struct hl_arena *arena, const struct pair *pair, struct hl_change *change);
/* False: rounds were recorded, and too few of them have I/Os enough for this percentile. */
bool change_is_resolved(const struct pair *pair, const char *name);
bool change_is_rate(const char *name); /* more of it is better */
/* The figure of that metric ("bw", "iops", "mean", "p99", "p99_9"); NAN. */
double change_figure(const struct hl_measurement *at, enum hl_dir dir, const char *name);

#endif
