/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Latency histogram: log-linear buckets (the HDR kind), relative error at most 1/64 (1.6 %),
 * 1 ns to 2^47 ns (39 h), values beyond clamped and counted there. Recording allocates and locks
 * nothing; one per worker, merged after. min, max and mean are exact.
 *
 * Source of the scheme: G. Tene, HdrHistogram; fio's stat.h uses the same grouping.
 */
#ifndef HOPLOSS_HIST_H
#define HOPLOSS_HIST_H

#include "hoploss/graph.h"
#include <stddef.h>
#include <stdint.h>

struct hl_hist;

struct hl_hist *hl_hist_new(void);
void hl_hist_free(struct hl_hist *hist); /* NULL allowed */
/* An empty histogram in zeroed memory of hl_hist_size() bytes, such as memory shared by processes.
 */
size_t hl_hist_size(void);
struct hl_hist *hl_hist_place(void *memory);
void hl_hist_record(struct hl_hist *hist, uint64_t ns);
void hl_hist_merge(struct hl_hist *into, const struct hl_hist *from);
uint64_t hl_hist_count(const struct hl_hist *hist);
double hl_hist_mean(const struct hl_hist *hist); /* NAN when empty */
/*
 * The smallest recorded value v (bucket-rounded, never past max) such that at least pct percent
 * of the values are <= v: exact rank ceil(pct/100 × n), so right on small counts. NAN when empty.
 */
double hl_hist_percentile(const struct hl_hist *hist, double pct);
void hl_hist_latency(const struct hl_hist *hist, struct hl_latency *ret_latency);

/* Non-empty buckets, in order: false at the end. *cursor starts at 0. */
bool hl_hist_next(const struct hl_hist *hist, size_t *cursor, uint64_t *ret_low, uint64_t *ret_high,
		  uint64_t *ret_count);
/* Adds count values at ns (to read back a recorded histogram). */
void hl_hist_add(struct hl_hist *hist, uint64_t ns, uint64_t count);

#endif
