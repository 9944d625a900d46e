/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measurements written down as rows, for the tests of the causes; and one cause run on them.
 */
#ifndef TESTS_CAUSE_MAKER_H
#define TESTS_CAUSE_MAKER_H

#include "hoploss/cause.h"
#include "hoploss/spec.h"
#include "hoploss/unit.h"
#include <math.h>
#include <string.h>

#define US 1e3
#define MS 1e6

struct run_row { /* 0 = unknown; times in ns */
	const char *name, *engine, *change;
	enum hl_rw rw;
	double bs, iodepth, numjobs, iops;
	double write_iops; /* of a mixed job, whose reads are iops */
	double lat, lat_min, clat, slat, p1, p50, p99, stddev, sync;
	double cpu_user, cpu_system, size, fsync, device_depth;
	bool is_direct;
	unsigned group, run;
};

static inline double or_unknown(double value)
{
	return value > 0 ? value : NAN;
}

static inline struct hl_latency *latency_of(struct hl_graph *graph, double mean)
{
	struct hl_latency *latency;

	if (!(mean > 0))
		return NULL;
	latency = hl_graph_new_latency(graph);
	latency->mean = mean;
	return latency;
}

static inline void add_rate_of(struct hl_graph *graph, struct hl_measurement *at, enum hl_dir dir,
			       double iops, const struct run_row *row)
{
	struct hl_rate *rate = hl_graph_add_rate(graph, at, dir);

	rate->iops = iops;
	rate->bw = iops * row->bs;
	rate->runtime_ms = 60000;
	rate->ios = iops * 60;
	rate->bytes = rate->bw * 60;
	rate->lat = latency_of(graph, row->lat);
	rate->clat = latency_of(graph, row->clat);
	rate->slat = latency_of(graph, row->slat);
	rate->sync = latency_of(graph, row->sync);
	if (rate->lat)
		rate->lat->min = or_unknown(row->lat_min);
	if (!rate->clat && !rate->lat)
		return;
	struct hl_latency *percentiles = rate->clat ? rate->clat : rate->lat;

	percentiles->min = or_unknown(row->lat_min);
	percentiles->p1 = or_unknown(row->p1);
	percentiles->p50 = or_unknown(row->p50);
	percentiles->p99 = or_unknown(row->p99);
	percentiles->stddev = or_unknown(row->stddev);
}

/* A job of 60 s; each row is a group of its own unless it says which. */
static inline struct hl_measurement *add_run(struct hl_graph *graph, struct hl_hop *hop,
					     const struct run_row *row)
{
	struct hl_measurement *at = hl_graph_add_measurement(graph, hop);
	enum hl_dir dir = HL_DIR_READ;

	at->workload.name = row->name;
	at->workload.engine = row->engine ? row->engine : "libaio";
	at->workload.rw = row->rw;
	at->workload.bs = row->bs;
	at->workload.iodepth = row->iodepth > 0 ? row->iodepth : 1;
	at->workload.numjobs = row->numjobs > 0 ? row->numjobs : 1;
	at->workload.size = or_unknown(row->size);
	at->workload.fsync = or_unknown(row->fsync);
	at->workload.direct = row->is_direct ? 1 : -1;
	at->change = row->change;
	at->tool = "fio-3.33";
	at->file = "made.txt";
	at->line = (unsigned)hop->nr_measurements;
	at->run = row->run ? row->run : 1;
	at->group = row->group ? row->group : 100 + (unsigned)hop->nr_measurements;
	at->status = HL_STATUS_IMPORTED;
	at->cpu_user_pct = row->cpu_user;
	at->cpu_system_pct = row->cpu_system;
	at->device_depth = or_unknown(row->device_depth);
	if (row->rw == HL_RW_TRIM || row->rw == HL_RW_RANDTRIM)
		dir = HL_DIR_TRIM;
	else if (!hl_rw_reads(row->rw))
		dir = HL_DIR_WRITE;
	add_rate_of(graph, at, dir, row->iops, row);
	if (row->write_iops > 0)
		add_rate_of(graph, at, HL_DIR_WRITE, row->write_iops, row);
	return at;
}

static inline struct hl_hop *add_runs(struct hl_graph *graph, const char *name, enum hl_layer layer,
				      const struct run_row *rows, size_t nr)
{
	struct hl_hop *hop = hl_graph_add_hop(graph, name);

	hop->layer = layer;
	for (size_t i = 0; i < nr; i++)
		add_run(graph, hop, &rows[i]);
	return hop;
}

#define ADD_RUNS(graph, name, layer, rows)                                                         \
	add_runs(graph, name, layer, rows, sizeof(rows) / sizeof(*(rows)))

static inline const struct hl_finding *finding_of(const struct hl_graph *graph, const char *id)
{
	for (size_t i = 0; i < graph->nr_findings; i++) {
		if (!strcmp(graph->findings[i]->id, id))
			return graph->findings[i];
	}
	return NULL;
}

/* Runs that cause alone; its first finding or NULL. */
static inline const struct hl_finding *match_one(struct hl_graph *graph, const char *id)
{
	const struct hl_cause *cause = hl_cause_find(id);

	cause->match(graph, cause);
	return finding_of(graph, id);
}

/* One hop of those rows: does the cause find anything? */
static inline bool is_found(const char *id, enum hl_layer layer, const struct run_row *rows,
			    size_t nr)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();

	add_runs(graph, "pvc", layer, rows, nr);
	return match_one(graph, id) != NULL;
}

#define IS_FOUND(id, layer, rows) is_found(id, layer, rows, sizeof(rows) / sizeof(*(rows)))

static inline const struct hl_fact *evidence_of(const struct hl_finding *finding, const char *key)
{
	for (size_t i = 0; i < finding->nr_evidence; i++) {
		if (!strcmp(finding->evidence[i]->key, key))
			return finding->evidence[i];
	}
	return NULL;
}

static inline bool has_text(const char *text, const char *part)
{
	return text && strstr(text, part);
}

static inline void free_sheet(struct hl_spec **spec)
{
	hl_spec_free(*spec);
}

#define SHEET __attribute__((cleanup(free_sheet)))

static inline struct hl_spec *sheet(struct hl_graph *graph, const char *name, unsigned drives)
{
	struct hl_spec *spec = NULL;

	if (hl_spec_load(name, &spec, NULL))
		return NULL;
	graph->spec = spec;
	graph->drives = drives;
	return spec;
}

#endif
