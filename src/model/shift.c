/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shift between two samples: see hl_rank_shift in hoploss/rank.h. The distribution of the rank
 * sum is counted, never approximated.
 */
#include "hoploss/alloc.h"
#include "hoploss/rank.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * ret[u] = probability that u of the nr_a × nr_b pairs are in order, when all orders are alike: the
 * largest of all is of a with probability nr_a ÷ (nr_a + nr_b), and then no pair is won by it.
 */
static void null_distribution(size_t nr_a, size_t nr_b, double *ret)
{
	size_t most = nr_a * nr_b, width = most + 1, row = (nr_b + 1) * width;
	HL_FREE double *rows = hl_alloc(2 * row * sizeof(*rows)); /* of a - 1 and of a */

	for (size_t a = 0; a <= nr_a; a++) {
		for (size_t b = 0; b <= nr_b; b++) {
			double *here = rows + a % 2 * row + b * width;
			const double *less_a = rows + (a + 1) % 2 * row + b * width;
			const double *less_b = here - width;
			double share = a + b ? (double)a / (double)(a + b) : 0;

			here[0] = 1;
			for (size_t u = 0; a && b && u <= a * b; u++)
				here[u] = share * (u <= (a - 1) * b ? less_a[u] : 0) +
					  (1 - share) * (u >= a ? less_b[u - a] : 0);
		}
	}
	for (size_t u = 0; u <= most; u++)
		ret[u] = rows[nr_a % 2 * row + nr_b * width + u];
}

/* How many differences may be cut off at each end. */
static size_t nr_cut(size_t nr_a, size_t nr_b, double tail)
{
	HL_FREE double *probability = hl_alloc((nr_a * nr_b + 1) * sizeof(*probability));
	double below = 0;
	size_t cut = 0;

	null_distribution(nr_a, nr_b, probability);
	while (cut < nr_a * nr_b / 2 && below + probability[cut] <= tail)
		below += probability[cut++];
	return cut;
}

struct hl_interval hl_rank_shift(const double *a, size_t nr_a, const double *b, size_t nr_b,
				 double tail)
{
	struct hl_interval interval = { NAN, NAN, NAN };
	size_t nr = nr_a * nr_b, cut;
	HL_FREE double *differences = NULL;

	assert(nr_a <= HL_RANK_MAX && nr_b <= HL_RANK_MAX);
	if (!nr)
		return interval;
	differences = hl_alloc(nr * sizeof(*differences));
	for (size_t i = 0; i < nr_a; i++) {
		for (size_t k = 0; k < nr_b; k++)
			differences[i * nr_b + k] = b[k] - a[i];
	}
	qsort(differences, nr, sizeof(*differences), compare);
	cut = nr_cut(nr_a, nr_b, tail);
	interval.mid = (differences[(nr - 1) / 2] + differences[nr / 2]) / 2;
	/* the interval of level 1 - 2 P(U < cut) is open at the cut-th from each end */
	interval.low = differences[cut ? cut - 1 : 0];
	interval.high = differences[nr - (cut ? cut : 1)];
	return interval;
}
