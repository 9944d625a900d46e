/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graphs written down as rows of a table, for the tests of the model: what an importer would have
 * read from a fio file.
 */
#ifndef TESTS_GRAPH_MAKER_H
#define TESTS_GRAPH_MAKER_H

#include "hoploss/model.h"
#include <math.h>

struct job_row {
	const char *name;
	enum hl_rw rw;
	double bs, iodepth, numjobs;
	double iops;
	double lat_ns; /* 0 = unknown */
	unsigned run, group;
};

static inline enum hl_dir row_dir(const struct job_row *row)
{
	return hl_rw_writes(row->rw) ? HL_DIR_WRITE : HL_DIR_READ;
}

/* A job of 60 s with that many I/Os issued; 0 IOPS = a job without a result. */
static inline struct hl_measurement *add_job(struct hl_graph *graph, struct hl_hop *hop,
					     const struct job_row *row)
{
	struct hl_measurement *at = hl_graph_add_measurement(graph, hop);
	struct hl_rate *rate;

	at->workload.name = row->name;
	at->workload.rw = row->rw;
	at->workload.bs = row->bs;
	at->workload.iodepth = row->iodepth;
	at->workload.numjobs = row->numjobs;
	at->tool = "fio-3.33";
	at->file = "made.txt";
	at->run = row->run;
	at->group = row->group;
	at->status = HL_STATUS_IMPORTED;
	if (!(row->iops > 0))
		return at;
	rate = hl_graph_add_rate(graph, at, row_dir(row));
	rate->iops = row->iops;
	rate->bw = row->iops * row->bs;
	rate->runtime_ms = 60000;
	rate->ios = row->iops * 60;
	rate->bytes = rate->bw * 60;
	if (row->lat_ns > 0) {
		rate->lat = hl_graph_new_latency(graph);
		rate->lat->mean = row->lat_ns;
	}
	return at;
}

static inline struct hl_hop *add_hop(struct hl_graph *graph, const char *name, enum hl_layer layer,
				     struct hl_hop *after)
{
	struct hl_hop *hop = hl_graph_add_hop(graph, name);

	hop->layer = layer;
	hop->after = after;
	return hop;
}

#define MIB 1048576.0

/* Adds a hop after another that runs one job at that bandwidth; 0 = the job is missing there. */
static inline struct hl_hop *add_measured(struct hl_graph *graph, const char *name,
					  enum hl_layer layer, struct hl_hop *after,
					  double mib_per_s)
{
	struct hl_hop *hop = add_hop(graph, name, layer, after);
	struct job_row row = { .name = "seq-read", .rw = HL_RW_READ, .bs = 131072 };

	row.iodepth = 32;
	row.numjobs = 4;
	row.iops = mib_per_s * MIB / row.bs;
	if (mib_per_s > 0)
		add_job(graph, hop, &row);
	return hop;
}

/* The same at depth 1, by its latency. */
static inline struct hl_hop *add_latency(struct hl_graph *graph, const char *name,
					 enum hl_layer layer, struct hl_hop *after, double lat_us)
{
	struct hl_hop *hop = add_hop(graph, name, layer, after);
	struct job_row row = { .name = "qd1", .rw = HL_RW_RANDREAD, .bs = 4096 };

	row.iodepth = row.numjobs = 1;
	row.iops = 1e6 / lat_us;
	row.lat_ns = lat_us * 1000;
	add_job(graph, hop, &row);
	return hop;
}

#endif
