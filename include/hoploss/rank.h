/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of paired rounds: what a set of differences allows to be said, without assuming a
 * shape for the noise beyond its symmetry. Exact for every sample size that occurs here.
 *
 * Source: Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 3rd ed., 3.1 to 3.3
 * (signed-rank test, Hodges-Lehmann estimate, Tukey's interval); Holm, Scand. J. Statist. 6 (1979).
 */
#ifndef HOPLOSS_RANK_H
#define HOPLOSS_RANK_H

#include <stdbool.h>
#include <stddef.h>

/* The numbers of rounds after which results are looked at, and only then. */
#define HL_NR_LOOKS 4
extern const unsigned hl_looks[HL_NR_LOOKS]; /* 6, 9, 14, 20 */

/* One-sided level of the test at each look; the sum over looks is 0.05. */
#define HL_LOOK_LEVEL 0.0125
/*
 * Missed on each side by an interval at one look, chosen so that the truth lies in the intervals of
 * all four looks in 95 % of runs (6 rounds can miss 1/64 on each side at best).
 */
#define HL_LOOK_TAIL 0.005

/*
 * The first look at which one of so many tests together can be rejected at all: with n rounds no p
 * is below 2^-n, and Holm multiplies it by the number of tests. 0 = at none.
 */
unsigned hl_rank_first_look(size_t nr_tests);

/* At most this many differences are taken. */
#define HL_RANK_MAX 64

struct hl_interval {
	double mid; /* Hodges-Lehmann: the median of the Walsh averages */
	double low, high;
};

/*
 * Interval of the pseudo-median of differences, with at most `tail` missed on each side where nr
 * allows that; where it does not (few rounds), the widest one there is: the range of the data.
 * All NAN for nr = 0; nr above HL_RANK_MAX is an error of the caller.
 */
struct hl_interval hl_rank_interval(const double *differences, size_t nr, double tail);

/*
 * One-sided signed-rank test of "the median is at most bound": the exact probability of rank sums
 * as large as seen. Ties share their mean rank, differences equal to the bound are left out
 * (Wilcoxon). 1 when nothing is left.
 */
double hl_rank_p_above(const double *differences, size_t nr, double bound);

/*
 * Interval of the shift from a to b, two samples that were not taken in pairs: the median of all
 * differences b - a, and the bounds that miss at most tail on each side (rank sum, exact without
 * ties; the range of the differences where so few cannot say more). All NAN for an empty sample.
 */
struct hl_interval hl_rank_shift(const double *a, size_t nr_a, const double *b, size_t nr_b,
				 double tail);

/* Holm's step-down: p is replaced by its adjusted values, which may be held against the level. */
void hl_rank_holm(double *p, size_t nr);

/*
 * Noise of the harness from A/A differences (log ratios of a hop with itself): the upper 95 % bound
 * of the absolute value of their median. NAN for nr = 0.
 */
double hl_rank_noise(const double *differences, size_t nr);

#endif
