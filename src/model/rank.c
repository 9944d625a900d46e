/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signed-rank statistics, exact: the null distribution is counted, never approximated. Ranks are
 * doubled so that the mean rank of a tie is still a whole number.
 */
#include "hoploss/rank.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WALSH (HL_RANK_MAX * (HL_RANK_MAX + 1) / 2)
#define MAX_SUM   (HL_RANK_MAX * (HL_RANK_MAX + 1)) /* of doubled ranks */

const unsigned hl_looks[HL_NR_LOOKS] = { 6, 9, 14, 20 };

unsigned hl_rank_first_look(size_t nr_tests)
{
	for (int i = 0; i < HL_NR_LOOKS; i++) {
		if (ldexp((double)nr_tests, -(int)hl_looks[i]) <= HL_LOOK_LEVEL)
			return hl_looks[i];
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int compare_absolute(const void *a, const void *b)
{
	double x = fabs(*(const double *)a), y = fabs(*(const double *)b);

	return (x > y) - (x < y);
}

/* ret[s] = probability that the signed doubled ranks sum to s, for all sums that so many can have.
 */
static void null_distribution(const unsigned *ranks, size_t nr, double *ret)
{
	unsigned sum = 0;

	memset(ret, 0, (nr * (nr + 1) + 1) * sizeof(*ret));
	ret[0] = 1;
	for (size_t i = 0; i < nr; i++) {
		sum += ranks[i];
		for (unsigned s = sum + 1; s-- > 0;)
			ret[s] = ret[s] / 2 + (s >= ranks[i] ? ret[s - ranks[i]] / 2 : 0);
	}
}

/* How many Walsh averages may be cut off at each end so that at most tail is missed there. */
static size_t nr_cut(size_t nr, double tail)
{
	unsigned ranks[HL_RANK_MAX];
	double probability[MAX_SUM + 1], below = 0;
	size_t cut = 0;

	for (size_t i = 0; i < nr; i++)
		ranks[i] = 2 * ((unsigned)i + 1);
	null_distribution(ranks, nr, probability);
	for (unsigned s = 0; s <= nr * (nr + 1); s += 2) {
		below += probability[s];
		if (below > tail)
			break;
		cut++;
	}
	return cut;
}

static size_t fill_walsh(const double *differences, size_t nr, double *walsh)
{
	size_t nr_walsh = 0;

	for (size_t i = 0; i < nr; i++) {
		for (size_t j = i; j < nr; j++)
			walsh[nr_walsh++] = (differences[i] + differences[j]) / 2;
	}
	qsort(walsh, nr_walsh, sizeof(*walsh), compare);
	return nr_walsh;
}

struct hl_interval hl_rank_interval(const double *differences, size_t nr, double tail)
{
	double walsh[MAX_WALSH];
	size_t nr_walsh, cut;

	assert(nr <= HL_RANK_MAX);
	if (nr == 0)
		return (struct hl_interval){ NAN, NAN, NAN };
	nr_walsh = fill_walsh(differences, nr, walsh);
	cut = nr_cut(nr, tail);
	if (cut > 0)
		cut--; /* the bound itself is the first average that is not cut off */
	return (struct hl_interval){
		.mid = (walsh[(nr_walsh - 1) / 2] + walsh[nr_walsh / 2]) / 2,
		.low = walsh[cut],
		.high = walsh[nr_walsh - 1 - cut],
	};
}

/* Doubled mean ranks of values that are sorted by magnitude. */
static void fill_ranks(const double *sorted, size_t nr, unsigned *ret_ranks)
{
	for (size_t i = 0, end; i < nr; i = end) {
		for (end = i + 1; end < nr && fabs(sorted[end]) == fabs(sorted[i]);)
			end++;
		for (size_t j = i; j < end; j++)
			ret_ranks[j] = (unsigned)(i + 1 + end);
	}
}

double hl_rank_p_above(const double *differences, size_t nr, double bound)
{
	double shifted[HL_RANK_MAX], probability[MAX_SUM + 1], p = 0;
	unsigned ranks[HL_RANK_MAX], seen = 0;
	size_t nr_left = 0;

	assert(nr <= HL_RANK_MAX);
	for (size_t i = 0; i < nr; i++) {
		if (differences[i] != bound)
			shifted[nr_left++] = differences[i] - bound;
	}
	if (nr_left == 0)
		return 1;
	qsort(shifted, nr_left, sizeof(*shifted), compare_absolute);
	fill_ranks(shifted, nr_left, ranks);
	for (size_t i = 0; i < nr_left; i++)
		seen += shifted[i] > 0 ? ranks[i] : 0;
	null_distribution(ranks, nr_left, probability);
	for (unsigned s = seen; s <= nr_left * (nr_left + 1); s++)
		p += probability[s];
	return p < 1 ? p : 1;
}

void hl_rank_holm(double *p, size_t nr)
{
	double floor_p = 0;

	/* Quadratic, but nr is layers × workloads; adjusted values never fall. */
	for (size_t step = 0; step < nr; step++) {
		size_t least = nr;

		for (size_t i = 0; i < nr; i++) {
			if (!signbit(p[i]) && (least == nr || p[i] < p[least]))
				least = i;
		}
		floor_p = fmax(floor_p, fmin(1, p[least] * (double)(nr - step)));
		p[least] = -floor_p; /* negative: done */
	}
	for (size_t i = 0; i < nr; i++)
		p[i] = -p[i];
}

double hl_rank_noise(const double *differences, size_t nr)
{
	struct hl_interval interval = hl_rank_interval(differences, nr, 0.05);

	return fmax(fabs(interval.low), fabs(interval.high));
}
