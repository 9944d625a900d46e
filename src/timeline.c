/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Joining samples to lines of the timeline: see hoploss/timeline.h.
 */
#include "hoploss/timeline.h"
#include "hoploss/fact.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TICK_S      0.1 /* between two figures of hl_sample.timeline */
#define TICKS_DRAWN 5

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static struct hl_series *line_of(struct hl_graph *graph, const char *host, const char *node,
				 const char *key)
{
	const struct hl_fact_key *row = hl_fact_key_find(key);
	struct hl_series *line;

	for (size_t i = 0; i < graph->nr_timeline; i++) {
		line = graph->timeline[i];
		if (is_same(line->key, key) && is_same(line->node, node) &&
		    is_same(line->host, host))
			return line;
	}
	line = hl_graph_add_series(graph);
	line->host = host;
	line->node = node;
	line->key = key;
	line->unit = row ? row->unit : NULL;
	return line;
}

/* Hundredths of a second are enough to draw. */
static double rounded(double t_s)
{
	return round(t_s * 100) / 100;
}

void hl_timeline_add_bandwidth(struct hl_graph *graph, const struct hl_hop *hop,
			       const struct hl_sample *sample)
{
	double sum = 0;
	size_t nr = 0;

	if (isnan(sample->start_s))
		return;
	for (size_t i = 0; i < sample->nr_timeline; i++) {
		bool is_last = i + 1 == sample->nr_timeline;

		sum += sample->timeline[i];
		if (++nr < TICKS_DRAWN && !is_last)
			continue;
		hl_series_add_point(graph, line_of(graph, hop->host, hop->name, "run.bw"),
				    rounded(sample->start_s + (double)(i + 1) * TICK_S),
				    round(sum / (double)nr));
		sum = 0;
		nr = 0;
	}
}

void hl_timeline_add_series(struct hl_graph *graph, const struct hl_hop *hop,
			    const struct hl_sample *sample)
{
	if (isnan(sample->start_s))
		return;
	for (size_t i = 0; i < sample->nr_series; i++) {
		const struct hl_series *from = sample->series[i];
		const char *host = from->host ? from->host : hop->host;
		struct hl_series *line = line_of(graph, host, from->node, from->key);

		for (size_t j = 0; j < from->nr_points; j++)
			hl_series_add_point(graph, line,
					    rounded(sample->start_s + from->points[j].t_s),
					    from->points[j].value);
	}
}

static int compare(const void *a, const void *b)
{
	const struct hl_point *left = a, *right = b;

	return (left->t_s > right->t_s) - (left->t_s < right->t_s);
}

void hl_timeline_sort(struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_timeline; i++) {
		struct hl_series *line = graph->timeline[i];

		if (line->nr_points)
			qsort(line->points, line->nr_points, sizeof(*line->points), compare);
	}
}
