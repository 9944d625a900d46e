/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steady state of a series of rounds.
 *
 * Source: SNIA Solid State Storage Performance Test Specification (PTS) 2.0.2, definition of steady
 * state: over the measurement window of the last 5 rounds, range <= 20 % of the average, and the
 * excursion of the least-squares line over the window (slope × 4) <= 10 % of the average.
 */
#ifndef HOPLOSS_STEADY_H
#define HOPLOSS_STEADY_H

#include <stdbool.h>
#include <stddef.h>

#define HL_STEADY_WINDOW 5

struct hl_steady {
	double average;
	double range_pct;     /* (max - min) / average */
	double excursion_pct; /* |slope| × 4 / average */
	bool is_steady;
};

/* Judges the last five of nr values. -ENODATA: fewer than five, or an average that is not > 0. */
int hl_steady_judge(const double *values, size_t nr, struct hl_steady *ret_steady);

#endif
