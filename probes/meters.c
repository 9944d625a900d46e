/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The meters, one line each, and running all of them together.
 */
#include "hoploss/meter.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const struct hl_meter hl_meter_threads, hl_meter_flow, hl_meter_disk, hl_meter_throttle,
	hl_meter_arc, hl_meter_heat, hl_meter_pcie, hl_meter_drive_heat, hl_meter_nic,
	hl_meter_cpu_load;

const struct hl_meter *const hl_meters[] = {
	&hl_meter_threads, &hl_meter_flow,     &hl_meter_disk, &hl_meter_throttle,
	&hl_meter_arc,     &hl_meter_heat,     &hl_meter_pcie, &hl_meter_drive_heat,
	&hl_meter_nic,     &hl_meter_cpu_load, NULL,
};

#define NR_METERS (sizeof(hl_meters) / sizeof(*hl_meters) - 1)

struct hl_metering {
	struct hl_machine *machine;
	struct hl_meter_points points;
	void *states[NR_METERS];
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static struct hl_series *line_of(struct hl_graph *graph, const char *node, const char *key)
{
	struct hl_series *line;

	for (size_t i = 0; i < graph->nr_timeline; i++) {
		line = graph->timeline[i];
		if (is_same(line->key, key) && is_same(line->node, node))
			return line;
	}
	line = hl_graph_add_series(graph);
	line->key = key;
	line->node = hl_arena_strdup(graph->arena, node);
	return line;
}

/* To the millisecond: more only makes lines of samples longer. */
void hl_meter_point(struct hl_meter_points *points, const char *node, const char *key, double value)
{
	if (!isnan(value))
		hl_series_add_point(points->graph, line_of(points->graph, node, key),
				    round(points->now_s * 1e3) / 1e3, round(value * 1e3) / 1e3);
}

struct hl_metering *hl_metering_begin(const struct hl_meter_target *target)
{
	struct hl_metering *metering = hl_alloc(sizeof(*metering));

	metering->machine = hl_machine_open("/", NULL);
	metering->points = (struct hl_meter_points){ hl_graph_new(), now_s(), 0 };
	for (size_t i = 0; i < NR_METERS; i++)
		metering->states[i] = hl_meters[i]->begin(metering->machine, target);
	return metering;
}

void hl_metering_tick(struct hl_metering *metering)
{
	metering->points.now_s = now_s() - metering->points.started_at;
	for (size_t i = 0; i < NR_METERS; i++) {
		if (metering->states[i] && hl_meters[i]->tick)
			hl_meters[i]->tick(metering->states[i], metering->machine,
					   &metering->points);
	}
}

static void hand_out(struct hl_graph *graph, const struct hl_series *from)
{
	struct hl_series *line = line_of(graph, from->node, from->key);

	for (size_t i = 0; i < from->nr_points; i++)
		hl_series_add_point(graph, line, from->points[i].t_s, from->points[i].value);
}

void hl_metering_end(struct hl_metering *metering, double seconds, struct hl_graph *graph,
		     const char *node)
{
	const struct hl_origin origin = { .node = node };

	for (size_t i = 0; i < NR_METERS; i++) {
		if (metering->states[i])
			hl_meters[i]->end(metering->states[i], metering->machine, seconds, graph,
					  &origin);
	}
	for (size_t i = 0; i < metering->points.graph->nr_timeline; i++)
		hand_out(graph, metering->points.graph->timeline[i]);
	hl_graph_free(metering->points.graph);
	hl_machine_close(metering->machine);
	free(metering);
}
