/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Latencies and percentiles.
 *
 *   clat (usec): min=48, max=1203.4k, avg=4512.45, stdev=3147.47
 *   clat percentiles (usec):
 *    |  1.00th=[ 1004],  5.00th=[ 1467], …
 *
 * Surprising: 0 means "not kept" (gtod_reduce, disable_clat) or "less than the unit": either way
 * unknown. "k" multiplies the unit: 1203.4k usec is 1.2 s. Percentiles of some I/Os only (by
 * priority) are nobody's.
 */
#include "fio_text.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

static const struct {
	const char *word;
	double ns;
} units[] = { { "(nsec)", 1 }, { "(usec)", 1e3 }, { "(msec)", 1e6 } };

/* ns, or NAN when the line does not say. */
static double scan_unit(const char **at)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (fio_scan_word(at, units[i].word))
			return units[i].ns;
	}
	return NAN;
}

static struct hl_latency *new_latency(struct fio_run *run, struct hl_latency **at)
{
	if (!*at) {
		*at = hl_arena_alloc(run->arena, sizeof(**at));
		**at = (struct hl_latency){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	}
	return *at;
}

/* The latency that a line speaks of; made if new. NULL: of none that is kept. */
static struct hl_latency *scan_name(struct fio_run *run, const char **at)
{
	if (!run->result)
		return NULL;
	if (fio_scan_word(at, "sync"))
		return new_latency(run, &run->result->sync);
	if (!run->rate)
		return NULL;
	if (fio_scan_word(at, "slat"))
		return new_latency(run, &run->rate->slat);
	if (fio_scan_word(at, "clat"))
		return new_latency(run, &run->rate->clat);
	if (fio_scan_word(at, "lat"))
		return new_latency(run, &run->rate->lat);
	return NULL;
}

static double in_ns(double value, double unit)
{
	return value > 0 ? value * unit : NAN;
}

/* "min=80239," or "max=1203.4k,"; NAN when it is cut. */
static double scan_bound(const char *text, const char *key, double unit)
{
	static const char prefixes[] = "kMG";
	const char *at = fio_find(text, key), *found;
	double value;

	if (!at || !fio_scan_number(&at, &value))
		return NAN;
	if (fio_scan_word(&at, "K")) /* 2.x */
		value *= 1e3;
	found = *at ? strchr(prefixes, *at) : NULL;
	if (found) {
		at++;
		value *= found == prefixes ? 1e3 : found == prefixes + 1 ? 1e6 : 1e9;
	}
	return *at == ',' ? in_ns(value, unit) : NAN;
}

static double scan_mean(const char *text, const char *key, char stop, double unit)
{
	const char *at = fio_find(text, key);
	double value;

	if (!at || !fio_scan_number(&at, &value) || (stop && *at != stop))
		return NAN;
	return in_ns(value, unit);
}

void fio_take_latency(struct fio_run *run, const struct fio_line *line)
{
	const char *at = line->text;
	struct hl_latency *latency = scan_name(run, &at);
	double unit = scan_unit(&at);

	if (!latency || isnan(unit))
		return;
	latency->min = scan_bound(at, "min=", unit);
	latency->max = scan_bound(at, "max=", unit);
	latency->mean = scan_mean(at, "avg=", ',', unit);
	latency->stddev = scan_mean(at, "stdev=", '\0', unit);
	run->result->last_line = line->number;
}

void fio_take_percentiles(struct fio_run *run, const struct fio_line *line)
{
	const char *at = line->text;
	struct hl_latency *latency = scan_name(run, &at);

	run->row_of = NULL;
	if (!latency || !fio_scan_word(&at, "percentiles"))
		return;
	run->row_unit = scan_unit(&at);
	run->row_percent = 0;
	if (isnan(run->row_unit))
		return;
	run->row_of = latency;
	run->has_more_rows = true;
}

double *fio_percentile(struct hl_latency *latency, double percent)
{
	const struct {
		double percent;
		double *at;
	} kept[] = {
		{ 1, &latency->p1 },   { 50, &latency->p50 },     { 90, &latency->p90 },
		{ 99, &latency->p99 }, { 99.9, &latency->p99_9 }, { 99.99, &latency->p99_99 },
	};

	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
		if (fabs(kept[i].percent - percent) < 1e-6)
			return kept[i].at;
	}
	return NULL;
}

/* "|1.00th=[1004],5.00th=[1467]," A value without its "]" was cut. */
void fio_take_row(struct fio_run *run, const struct fio_line *line)
{
	const char *at = line->text;
	double percent, value;

	if (!run->row_of)
		return;
	fio_scan_word(&at, "|");
	while (fio_scan_number(&at, &percent) && fio_scan_word(&at, "th=[") &&
	       fio_scan_number(&at, &value) && fio_scan_word(&at, "]")) {
		double *kept = fio_percentile(run->row_of, percent);

		if (percent <= run->row_percent) { /* of another, whose head is missing */
			run->row_of = NULL;
			run->result->is_cut = true;
			return;
		}
		run->row_percent = percent;
		if (kept)
			*kept = in_ns(value, run->row_unit);
		run->has_more_rows = fio_scan_word(&at, ",");
	}
	run->result->last_line = line->number;
}

/* Head of the section with the latency of fsync and its like: a result's, not a direction's. */
void fio_take_sync(struct fio_run *run, const struct fio_line *line)
{
	(void)line;
	run->row_of = NULL;
}

bool fio_latency_is_known(const struct hl_latency *latency)
{
	const double *values = (const double *)latency;

	for (size_t i = 0; i < sizeof(*latency) / sizeof(*values); i++) {
		if (!isnan(values[i]))
			return true;
	}
	return false;
}
