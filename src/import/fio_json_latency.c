/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Latencies of fio's JSON: mean, extremes, percentiles, and the bins of JSON+.
 *
 * Surprising: a latency that fio was told not to take (gtod_reduce, disable_clat) is printed as
 * zeros. --percentile_list changes the keys, so a percentile is looked for by its number; one that
 * is not listed is taken from the bins, whose keys are ns and whose values are counts.
 */
#include "fio_json.h"
#include "hoploss/number.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USEC 1000.0

struct percentile {
	double pct;
	double *field;
};

struct bin {
	double ns, count;
};

static double known(double value)
{
	return value > 0 ? value : NAN;
}

static double number_of(const char *text)
{
	double value = NAN;

	hl_number_double(text, strlen(text), &value);
	return value;
}

static void read_percentiles(const struct hl_json *object, double unit,
			     const struct percentile *percentiles, size_t nr)
{
	const struct hl_json *value = NULL;
	const char *key = NULL;
	void *iter = NULL;

	while (hl_json_next(object, &iter, &key, &value)) {
		double pct = number_of(key);

		for (size_t i = 0; i < nr; i++) {
			if (fabs(pct - percentiles[i].pct) < 1e-6)
				*percentiles[i].field = known(hl_json_number_like(value) * unit);
		}
	}
}

static int compare_bins(const void *a, const void *b)
{
	const struct bin *left = a, *right = b;

	return (left->ns > right->ns) - (left->ns < right->ns);
}

/* The bins in order; free them. */
static struct bin *bins_dup(const struct hl_json *object, size_t *ret_nr, double *ret_total)
{
	const struct hl_json *value = NULL;
	const char *key = NULL;
	void *iter = NULL;
	struct bin *bins = NULL;
	size_t nr = 0;

	*ret_total = 0;
	while (hl_json_next(object, &iter, &key, &value)) {
		struct bin bin = { number_of(key), hl_json_number_like(value) };

		if (!(bin.ns >= 0 && bin.count > 0))
			continue;
		if (!(nr & (nr - 1))) /* full at each power of two */
			bins = hl_grow(bins, nr ? nr * 2 : 1, sizeof(*bins));
		bins[nr++] = bin;
		*ret_total += bin.count;
	}
	if (nr)
		qsort(bins, nr, sizeof(*bins), compare_bins);
	*ret_nr = nr;
	return bins;
}

static void read_bins(const struct hl_json *object, const struct percentile *percentiles, size_t nr)
{
	double total = 0, seen = 0;
	size_t nr_bins = 0, next = 0;
	HL_FREE struct bin *bins = bins_dup(object, &nr_bins, &total);

	for (size_t i = 0; i < nr_bins; i++) {
		seen += bins[i].count;
		for (; next < nr && seen >= ceil(percentiles[next].pct / 100 * total); next++) {
			if (isnan(*percentiles[next].field))
				*percentiles[next].field = known(bins[i].ns);
		}
	}
}

struct hl_latency *hl_fio_json_latency(struct hl_graph *graph, const struct hl_json *object,
				       const char *name)
{
	char key[16];
	const struct hl_json *taken = NULL;
	struct hl_latency *latency = NULL;
	double unit = 1;

	snprintf(key, sizeof(key), "%s_ns", name);
	taken = hl_json_get(object, key);
	if (!taken) {
		taken = hl_json_get(object, name);
		unit = USEC;
	}
	if (!(hl_json_number_like(hl_json_get(taken, "mean")) > 0))
		return NULL;
	latency = hl_graph_new_latency(graph);
	struct percentile percentiles[] = {
		/* in rising order */
		{ 1, &latency->p1 },   { 50, &latency->p50 },     { 90, &latency->p90 },
		{ 99, &latency->p99 }, { 99.9, &latency->p99_9 }, { 99.99, &latency->p99_99 },
	};
	size_t nr = sizeof(percentiles) / sizeof(*percentiles);

	latency->mean = hl_json_number_like(hl_json_get(taken, "mean")) * unit;
	latency->min = known(hl_json_number_like(hl_json_get(taken, "min")) * unit);
	latency->max = known(hl_json_number_like(hl_json_get(taken, "max")) * unit);
	latency->stddev = hl_json_number_like(hl_json_get(taken, "stddev")) * unit;
	read_percentiles(hl_json_get(taken, "percentile"), unit, percentiles, nr);
	read_bins(hl_json_get(taken, "bins"), percentiles, nr);
	return latency;
}
