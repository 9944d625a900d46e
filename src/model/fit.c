/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One hop alone: time per I/O at saturation, fitted over its deep jobs as a + b × block size.
 *
 * Source: t = 1/IOPS of each deep job that had the device for itself. Surprising: the relative
 * error is what is minimised (weights 1/t²), else the largest block would decide alone; and a job
 * that ran beside another one shows a part of the rate only.
 */
#include "hoploss/model.h"
#include <errno.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEEP       16 /* in flight: taken to saturate whatever binds */
#define MAX_POINTS (sizeof(((struct hl_fit *)NULL)->points) / sizeof(void *))

struct point {
	const struct hl_measurement *at;
	double bs, t_ns;
};

struct points {
	struct point *items;
	size_t nr;
};

static void free_points(struct points *points)
{
	free(points->items);
}

/* Reads only or writes only: a mixed job says nothing about either. */
static bool is_pure(const struct hl_workload *workload, enum hl_dir dir)
{
	return (dir == HL_DIR_READ && hl_rw_reads(workload->rw) && !hl_rw_writes(workload->rw)) ||
	       (dir == HL_DIR_WRITE && hl_rw_writes(workload->rw) && !hl_rw_reads(workload->rw));
}

/* The point that the jobs [first, end) of hop make, which ran side by side; false = none. */
static bool read_point(const struct hl_hop *hop, size_t first, size_t end, enum hl_dir dir,
		       struct point *ret_point)
{
	const struct hl_measurement *at = hop->measurements[first];
	double iops = 0, depth = 0;

	for (size_t i = first; i < end; i++) {
		const struct hl_measurement *job = hop->measurements[i];

		if (job->experiment || !hl_figure_is_usable(job, dir) ||
		    !is_pure(&job->workload, dir) ||
		    !hl_workload_is_same(&job->workload, &at->workload))
			return false;
		iops += hl_figure_iops(job, dir);
		depth += hl_figure_depth(job);
	}
	*ret_point = (struct point){ .at = at, .bs = hl_figure_bs(at, dir), .t_ns = 1e9 / iops };
	return isfinite(ret_point->t_ns) && isfinite(ret_point->bs) && depth >= DEEP;
}

static bool is_same_state(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/*
 * Gathers the points of all block sizes but that of `but` (NULL = all of them). -ENODATA when they
 * belong to several states of the machine, or `but` is no point of its own.
 */
static int gather(const struct hl_hop *hop, enum hl_dir dir, const struct hl_measurement *but,
		  struct points *points)
{
	double but_bs = but ? hl_figure_bs(but, dir) : NAN;
	const char *change = NULL;
	bool has_but = !but, has_any = false;
	struct point point;

	points->items = hl_grow(NULL, hop->nr_measurements + 1, sizeof(*points->items));
	for (size_t i = 0, end; i < hop->nr_measurements; i = end) {
		end = hl_figure_group_end(hop, i);
		if (!read_point(hop, i, end, dir, &point))
			continue;
		if (but && point.at == but && end - i == 1)
			has_but = true;
		if (has_any && !is_same_state(change, point.at->change))
			return -ENODATA;
		has_any = true;
		change = point.at->change;
		if (point.bs != but_bs)
			points->items[points->nr++] = point;
	}
	return has_but ? 0 : -ENODATA;
}

static int compare_bs(const void *left, const void *right)
{
	const struct point *a = left, *b = right;

	if (a->bs != b->bs)
		return a->bs < b->bs ? -1 : 1;
	return (a->t_ns > b->t_ns) - (a->t_ns < b->t_ns);
}

/* Takes in the line through two points. */
static void widen(struct hl_fit *fit, const struct point *small, const struct point *large)
{
	double b = (large->t_ns - small->t_ns) / (large->bs - small->bs);
	double a = small->t_ns - b * small->bs;

	fit->a_low_ns = fmin(fit->a_low_ns, a);
	fit->a_high_ns = fmax(fit->a_high_ns, a);
	fit->b_low = fmin(fit->b_low, b);
	fit->b_high = fmax(fit->b_high, b);
}

/*
 * Spread over all pairs of block sizes. The extreme lines go through the fastest and the slowest
 * point of a size, so only those are paired; sorted by size, then time, they are the ends of a row.
 */
static void spread(struct hl_fit *fit, struct points *points)
{
	struct point *all = points->items;
	HL_FREE size_t *starts = hl_grow(NULL, points->nr + 1, sizeof(*starts));
	size_t nr_sizes = 0;

	qsort(all, points->nr, sizeof(*all), compare_bs);
	for (size_t i = 0; i < points->nr; i++) {
		if (!i || all[i].bs != all[i - 1].bs)
			starts[nr_sizes++] = i;
	}
	starts[nr_sizes] = points->nr;
	for (size_t large = 1; large < nr_sizes; large++) {
		for (size_t small = 0; small < large; small++) {
			widen(fit, &all[starts[small]], &all[starts[large + 1] - 1]);
			widen(fit, &all[starts[small + 1] - 1], &all[starts[large]]);
		}
	}
}

static bool has_two_sizes(const struct points *points)
{
	for (size_t i = 1; i < points->nr; i++) {
		if (points->items[i].bs != points->items[0].bs)
			return true;
	}
	return false;
}

static void solve(struct hl_fit *fit, const struct points *points)
{
	HL_FREE double *columns = hl_grow(NULL, points->nr * 3, sizeof(*columns));
	double *bs = columns, *t_ns = columns + points->nr, *weight = columns + 2 * points->nr;
	double ones = 1, cov00, cov01, cov11, chisq;

	for (size_t i = 0; i < points->nr; i++) {
		bs[i] = points->items[i].bs;
		t_ns[i] = points->items[i].t_ns;
		weight[i] = 1 / (t_ns[i] * t_ns[i]);
	}
	gsl_fit_wlinear(bs, 1, weight, 1, t_ns, 1, points->nr, &fit->a_ns, &fit->b_ns_per_byte,
			&cov00, &cov01, &cov11, &chisq);
	if (fit->a_ns < 0) {
		fit->a_ns = 0;
		gsl_fit_wmul(bs, 1, weight, 1, t_ns, 1, points->nr, &fit->b_ns_per_byte, &cov11,
			     &chisq);
	} else if (fit->b_ns_per_byte < 0) {
		fit->b_ns_per_byte = 0;
		gsl_fit_wmul(&ones, 0, weight, 1, t_ns, 1, points->nr, &fit->a_ns, &cov11, &chisq);
	}
}

/* How well it fits, and over which jobs. */
static void describe(struct hl_fit *fit, const struct points *points)
{
	size_t nr_random = 0;

	fit->nr_points = points->nr;
	fit->worst_error = 0;
	for (size_t i = 0; i < points->nr; i++) {
		const struct point *point = &points->items[i];
		double fitted = fit->a_ns + fit->b_ns_per_byte * point->bs;

		fit->worst_error = fmax(fit->worst_error, fabs(fitted / point->t_ns - 1));
		nr_random += hl_rw_is_random(point->at->workload.rw);
		if (i < MAX_POINTS)
			fit->points[i] = point->at;
	}
	fit->is_mixed = nr_random && nr_random < points->nr;
}

int hl_fit_hop(const struct hl_hop *hop, enum hl_dir dir, struct hl_fit *ret_fit)
{
	__attribute__((cleanup(free_points))) struct points points = { 0 };
	struct hl_fit fit = { .a_low_ns = INFINITY, .b_low = INFINITY };

	fit.a_high_ns = fit.b_high = -INFINITY;
	if (gather(hop, dir, NULL, &points) || !has_two_sizes(&points))
		return -ENODATA;
	spread(&fit, &points);
	solve(&fit, &points);
	describe(&fit, &points);
	*ret_fit = fit;
	return 0;
}

int hl_fit_others(const struct hl_hop *hop, const struct hl_measurement *at, enum hl_dir dir,
		  struct hl_fit *ret_fit)
{
	__attribute__((cleanup(free_points))) struct points points = { 0 };
	struct hl_fit fit = { .a_low_ns = NAN, .a_high_ns = NAN, .b_low = NAN, .b_high = NAN };

	if (gather(hop, dir, at, &points) || !has_two_sizes(&points))
		return -ENODATA;
	solve(&fit, &points);
	describe(&fit, &points);
	*ret_fit = fit;
	return 0;
}

bool hl_fit_is_point(const struct hl_hop *hop, size_t index, enum hl_dir dir)
{
	struct point point;

	return hl_figure_is_usable(hop->measurements[index], dir) &&
	       read_point(hop, index, index + 1, dir, &point);
}

double hl_fit_bw(const struct hl_fit *fit, double bs)
{
	return bs * 1e9 / (fit->a_ns + fit->b_ns_per_byte * bs);
}

static const struct {
	enum hl_dir dir;
	const char *per_io, *low, *high, *per_kib, *error, *mixed;
} keys[] = {
	{ HL_DIR_READ, "model.read_time_per_io_ns", "model.read_time_per_io_low_ns",
	  "model.read_time_per_io_high_ns", "model.read_time_per_kib_ns",
	  "model.read_fit_error_pct", "model.read_fit_is_mixed" },
	{ HL_DIR_WRITE, "model.write_time_per_io_ns", "model.write_time_per_io_low_ns",
	  "model.write_time_per_io_high_ns", "model.write_time_per_kib_ns",
	  "model.write_fit_error_pct", "model.write_fit_is_mixed" },
};

/* "fit over 4 jobs: a, b, c, d" */
static const char *name_source(struct hl_graph *graph, const struct hl_fit *fit)
{
	const char *text = hl_arena_printf(graph->arena, "fit over %zu jobs:", fit->nr_points);

	for (size_t i = 0; i < fit->nr_points && i < MAX_POINTS; i++) {
		const char *name = fit->points[i]->workload.name;

		text = hl_arena_printf(graph->arena, "%s%s %s", text, i ? "," : "",
				       name ? name : "?");
	}
	return fit->nr_points > MAX_POINTS ? hl_arena_printf(graph->arena, "%s …", text) : text;
}

void hl_fit_fill(struct hl_graph *graph)
{
	struct hl_fit fit;

	for (size_t i = 0; i < graph->nr_hops * 2; i++) {
		const struct hl_hop *hop = graph->hops[i / 2];
		struct hl_origin origin = { .host = hop->host, .node = hop->name };

		if (hl_fit_hop(hop, keys[i % 2].dir, &fit))
			continue;
		origin.source = name_source(graph, &fit);
		hl_graph_add_number(graph, &origin, keys[i % 2].per_io, fit.a_ns);
		hl_graph_add_number(graph, &origin, keys[i % 2].low, fit.a_low_ns);
		hl_graph_add_number(graph, &origin, keys[i % 2].high, fit.a_high_ns);
		hl_graph_add_number(graph, &origin, keys[i % 2].per_kib, fit.b_ns_per_byte * 1024);
		hl_graph_add_number(graph, &origin, keys[i % 2].error, fit.worst_error * 100);
		hl_graph_add_boolean(graph, &origin, keys[i % 2].mixed, fit.is_mixed);
	}
}
