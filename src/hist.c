/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The latency histogram: see hoploss/hist.h. Values below 64 have a bucket each; from there on each
 * power of two has 64 buckets, so a bucket is at most 1/64 of its values wide.
 */
#include "hoploss/hist.h"
#include "hoploss/alloc.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUB_BITS   6
#define NR_SUB     (1u << SUB_BITS)
#define TOP_BIT    47
#define LARGEST    ((UINT64_C(1) << TOP_BIT) - 1)
#define NR_BUCKETS ((TOP_BIT - SUB_BITS + 1) * NR_SUB)

struct hl_hist {
	uint64_t count, min, max;
	double sum, sum_of_squares; /* of exact values */
	uint64_t buckets[NR_BUCKETS];
};

size_t hl_hist_size(void)
{
	return sizeof(struct hl_hist);
}

struct hl_hist *hl_hist_place(void *memory)
{
	return memory;
}

struct hl_hist *hl_hist_new(void)
{
	return hl_alloc(sizeof(struct hl_hist));
}

void hl_hist_free(struct hl_hist *hist)
{
	free(hist);
}

static size_t bucket_of(uint64_t ns)
{
	unsigned shift;

	if (ns < NR_SUB)
		return ns;
	shift = 63u - (unsigned)__builtin_clzll(ns) - SUB_BITS;
	return (shift + 1) * NR_SUB + ((ns >> shift) - NR_SUB);
}

static void bucket_range(size_t bucket, uint64_t *ret_low, uint64_t *ret_high)
{
	size_t shift = bucket / NR_SUB ? bucket / NR_SUB - 1 : 0;
	uint64_t low = bucket < NR_SUB ? bucket : (NR_SUB + bucket % NR_SUB) << shift;

	*ret_low = low;
	*ret_high = low + (UINT64_C(1) << shift) - 1;
}

void hl_hist_add(struct hl_hist *hist, uint64_t ns, uint64_t count)
{
	double value = (double)ns;

	if (!count)
		return;
	if (!hist->count || ns < hist->min)
		hist->min = ns;
	if (ns > hist->max)
		hist->max = ns;
	hist->count += count;
	hist->sum += value * (double)count;
	hist->sum_of_squares += value * value * (double)count;
	hist->buckets[bucket_of(ns > LARGEST ? LARGEST : ns)] += count;
}

void hl_hist_record(struct hl_hist *hist, uint64_t ns)
{
	hl_hist_add(hist, ns, 1);
}

void hl_hist_merge(struct hl_hist *into, const struct hl_hist *from)
{
	if (!from->count)
		return;
	if (!into->count || from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	into->count += from->count;
	into->sum += from->sum;
	into->sum_of_squares += from->sum_of_squares;
	for (size_t i = 0; i < NR_BUCKETS; i++)
		into->buckets[i] += from->buckets[i];
}

uint64_t hl_hist_count(const struct hl_hist *hist)
{
	return hist->count;
}

double hl_hist_mean(const struct hl_hist *hist)
{
	return hist->count ? hist->sum / (double)hist->count : NAN;
}

/* The middle of the bucket, which the smallest and the largest value may cut. */
static double bucket_value(const struct hl_hist *hist, size_t bucket)
{
	uint64_t low, high;

	bucket_range(bucket, &low, &high);
	if (low < hist->min)
		low = hist->min;
	if (high > hist->max || bucket == NR_BUCKETS - 1)
		high = hist->max;
	return ((double)low + (double)high) / 2;
}

/* 99.9 has no exact double, so 99.9 % of 1,000 comes out as a bit more than 999. */
static double rank_of(double pct, uint64_t count)
{
	return ceil(pct / 100 * (double)count * (1 - 1e-12));
}

double hl_hist_percentile(const struct hl_hist *hist, double pct)
{
	double wanted = rank_of(pct, hist->count);
	uint64_t seen = 0;

	if (!hist->count)
		return NAN;
	for (size_t i = 0; i < NR_BUCKETS; i++) {
		seen += hist->buckets[i];
		if (hist->buckets[i] && (double)seen >= wanted)
			return bucket_value(hist, i);
	}
	return (double)hist->max;
}

void hl_hist_latency(const struct hl_hist *hist, struct hl_latency *ret_latency)
{
	double count = (double)hist->count, mean = hl_hist_mean(hist);

	*ret_latency = (struct hl_latency){
		.mean = mean,
		.min = hist->count ? (double)hist->min : NAN,
		.max = hist->count ? (double)hist->max : NAN,
		.stddev = sqrt(fmax(0, hist->sum_of_squares / count - mean * mean)),
		.p1 = hl_hist_percentile(hist, 1),
		.p50 = hl_hist_percentile(hist, 50),
		.p90 = hl_hist_percentile(hist, 90),
		.p99 = hl_hist_percentile(hist, 99),
		.p99_9 = hl_hist_percentile(hist, 99.9),
		.p99_99 = hl_hist_percentile(hist, 99.99),
	};
	if (!hist->count)
		ret_latency->stddev = NAN;
}

bool hl_hist_next(const struct hl_hist *hist, size_t *cursor, uint64_t *ret_low, uint64_t *ret_high,
		  uint64_t *ret_count)
{
	while (*cursor < NR_BUCKETS && !hist->buckets[*cursor])
		(*cursor)++;
	if (*cursor == NR_BUCKETS)
		return false;
	bucket_range(*cursor, ret_low, ret_high);
	*ret_count = hist->buckets[(*cursor)++];
	return true;
}
