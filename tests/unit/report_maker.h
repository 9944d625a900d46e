/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A finished graph written by hand, for the tests of the reports: a path of four hops below a
 * datasheet, two jobs, one finding of everything that a finding can have.
 */
#ifndef TESTS_REPORT_MAKER_H
#define TESTS_REPORT_MAKER_H

#include "hoploss/report.h"
#include "hoploss/unit.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MADE_HOPS 4

static const struct {
	const char *name;
	enum hl_layer layer;
	double mib[2]; /* 128 KiB at depth 128, 4 KiB at depth 1 */
	double lat_us; /* at depth 1 */
} made_hops[MADE_HOPS] = {
	{ "raw", HL_LAYER_DRIVE, { 24000, 40 }, 95 },
	{ "zvol", HL_LAYER_POOL, { 4200, 30 }, 130 },
	{ "loopback", HL_LAYER_TARGET, { 1850, 20 }, 190 },
	{ "pvc", HL_LAYER_FILESYSTEM, { 863, 9 }, 430 },
};

static inline struct hl_measurement *made_job(struct hl_graph *graph, struct hl_hop *hop, bool deep,
					      double mib, double lat_us)
{
	struct hl_measurement *at = hl_graph_add_measurement(graph, hop);
	struct hl_rate *rate = hl_graph_add_rate(graph, at, HL_DIR_READ);

	at->workload.name = deep ? "seq-read-128k" : "rand-read-4k-qd1";
	at->workload.rw = deep ? HL_RW_READ : HL_RW_RANDREAD;
	at->workload.bs = deep ? 128 * HL_KIB : 4 * HL_KIB;
	at->workload.iodepth = deep ? 32 : 1;
	at->workload.numjobs = deep ? 4 : 1;
	at->workload.engine = "libaio";
	at->status = HL_STATUS_IMPORTED;
	at->file = "made.txt";
	at->run = 1;
	at->line = deep ? 10 : 40;
	rate->bw = mib * HL_MIB;
	rate->iops = rate->bw / at->workload.bs;
	rate->runtime_ms = 60000;
	rate->lat = hl_graph_new_latency(graph);
	rate->lat->mean = lat_us * 1e3;
	rate->lat->p99 = lat_us * 3e3;
	return at;
}

static inline void made_loss(struct hl_graph *graph, const struct hl_chain *chain, size_t i)
{
	const struct hl_stage *above = &chain->stages[i - 1], *stage = &chain->stages[i];
	double whole = log(chain->stages[0].bw / chain->stages[chain->nr_stages - 1].bw);
	struct hl_loss *loss = hl_graph_add_loss(graph);

	loss->leaf = chain->leaf;
	loss->at = stage->at;
	loss->dir = chain->dir;
	loss->layers = stage->layers;
	loss->from = above->hop;
	loss->to = stage->hop;
	loss->bw = above->bw - stage->bw;
	loss->factor = above->bw / stage->bw;
	loss->share_pct = 100 * log(loss->factor) / whole;
	loss->lat_ns = stage->lat_ns - above->lat_ns;
	loss->lat_from_ns = above->lat_ns;
}

static inline struct hl_chain *made_chain(struct hl_graph *graph, struct hl_hop *sheet, bool deep)
{
	struct hl_chain *chain = hl_graph_add_chain(graph);
	struct hl_stage *stage;

	chain->dir = HL_DIR_READ;
	chain->is_series = !deep;
	if (deep) {
		stage = hl_graph_add_stage(graph, chain);
		stage->hop = sheet;
		stage->bw = 5 * 6.2e9;
	}
	for (size_t i = 0; i < MADE_HOPS; i++) {
		struct hl_hop *hop = graph->hops[i + 1];

		stage = hl_graph_add_stage(graph, chain);
		stage->hop = hop;
		stage->at = hop->measurements[deep ? 0 : 1];
		stage->bw = stage->at->dir[HL_DIR_READ]->bw;
		stage->layers = 1u << hop->layer;
		if (!deep)
			stage->lat_ns = made_hops[i].lat_us * 1e3;
		chain->leaf = hop;
		chain->at = stage->at;
	}
	/* The last hop crosses what could not be measured in between. */
	stage->layers |= 1u << HL_LAYER_VNIC | 1u << HL_LAYER_INITIATOR;
	for (size_t i = 1; i < chain->nr_stages; i++)
		made_loss(graph, chain, i);
	return chain;
}

static inline void made_conclusions(struct hl_graph *graph, const struct hl_chain *chain)
{
	struct hl_verdict *verdict = hl_graph_add_verdict(graph);
	struct hl_ladder *ladder = hl_graph_add_ladder(graph);
	struct hl_step *step = hl_graph_add_step(graph, ladder);

	verdict->leaf = ladder->leaf = chain->leaf;
	verdict->at = ladder->at = chain->at;
	verdict->dir = ladder->dir = chain->dir;
	verdict->layers = chain->stages[chain->nr_stages - 1].layers;
	verdict->cause = "serial-stage";
	verdict->state = HL_SUSPECTED;
	verdict->text = "between loopback and pvc half of what seq-read-128k could have is lost";
	*step = (struct hl_step){ verdict->layers, chain->leaf, "serial-stage", 1850 * HL_MIB,
				  HL_AT_MOST };
}

static inline void made_finding(struct hl_graph *graph, const struct hl_chain *chain)
{
	struct hl_origin origin = { .host = "worker", .node = "sda", .source = "made.txt:51" };
	struct hl_finding *finding = hl_graph_add_finding(graph);

	finding->id = "serial-stage";
	finding->layer = HL_LAYER_VNIC;
	finding->hop = chain->leaf;
	finding->at = chain->at;
	finding->dir = chain->dir;
	finding->state = HL_SUSPECTED;
	finding->text = "Every I/O waits 32 us for one stage.";
	finding->fix = "more queues";
	hl_finding_add_evidence(graph, finding,
				hl_graph_add_number(graph, &origin, "iscsi.max_burst", 262144));
	hl_finding_add_evidence(graph, finding,
				hl_graph_add_string(graph, &origin, "drive.model", "ACME 1"));
	hl_finding_add_rival(graph, finding, "depth-limited");
	finding->next = "the same job with 1 and 4 TCP streams";
	finding->paste = "cat /sys/block/sda/queue/nr_requests\nip -s link";
	finding->predicted_bw = 1180 * HL_MIB;
	finding->predicted_kind = HL_AT_MOST;
}

/* To be freed. */
static inline struct hl_graph *made_graph(void)
{
	struct hl_graph *graph = hl_graph_new();
	struct hl_hop *before = hl_graph_add_hop(graph, "ACME x 5");
	struct hl_hop *sheet = before;
	struct hl_input *input;

	sheet->layer = HL_LAYER_DATASHEET;
	for (size_t i = 0; i < MADE_HOPS; i++) {
		struct hl_hop *hop = hl_graph_add_hop(graph, made_hops[i].name);

		hop->layer = made_hops[i].layer;
		hop->after = before;
		before = hop;
		made_job(graph, hop, true, made_hops[i].mib[0], 4530);
		made_job(graph, hop, false, made_hops[i].mib[1], made_hops[i].lat_us);
	}
	graph->path_name = "a made path";
	made_conclusions(graph, made_chain(graph, sheet, true));
	made_chain(graph, sheet, false);
	made_finding(graph, graph->chains[0]);
	input = hl_graph_add_input(graph);
	*input = (struct hl_input){ "made.txt", 60, 80, "lspci", HL_INPUT_RECOGNISED, false, NULL };
	hl_graph_warn(graph, "%s", "one hop was busy");
	return graph;
}

/* The whole report, to be freed. */
static inline char *made_report(const char *format, const struct hl_graph *graph,
				const struct hl_report_style *style)
{
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);

	if (hl_report_write(hl_report_find(format), graph, style, file, NULL))
		abort();
	fclose(file);
	return text;
}

#endif
