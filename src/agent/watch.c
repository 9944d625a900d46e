/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Watching on the worker's host while a slot runs on another: the target's thread, the vhost thread
 * and their end of the flow are seen here only. Until the time is up or the coordinator says
 * anything.
 */
#include "hoploss/engine.h"
#include "hoploss/meter.h"
#include "worker.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define TICK_NS     100000000u
#define SECONDS_MAX 3600.0

static void tick_until(struct worker *worker, struct hl_metering *metering, double seconds)
{
	uint64_t end_ns = hl_clock_ns() + (uint64_t)(seconds * 1e9);
	int rc = -ETIMEDOUT;
	char *line;

	while (rc == -ETIMEDOUT && hl_clock_ns() < end_ns) {
		rc = lines_next(&worker->in, hl_clock_ns() + TICK_NS, &line);
		if (rc == -ETIMEDOUT)
			hl_metering_tick(metering);
	}
	worker->is_over |= rc == -EPIPE;
}

/* Nothing is measured by it: a sample with what was seen, and nothing else. */
static struct hl_sample sample_of(const struct hl_graph *graph)
{
	struct hl_sample sample = { .status = HL_STATUS_NOT_MEASURED };

	hl_workload_init(&sample.workload);
	sample.workload.rw = HL_RW_READ; /* a workload must have one */
	sample.start_s = sample.seconds = sample.cpu_pct = sample.idle_pct = NAN;
	sample.cached_share = NAN;
	sample.facts = graph->facts;
	sample.nr_facts = graph->nr_facts;
	sample.series = graph->timeline;
	sample.nr_series = graph->nr_timeline;
	return sample;
}

int serve_watch(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	const char *node = hl_json_string(hl_json_get(request, "node"));
	double seconds = hl_json_number(hl_json_get(request, "seconds"));
	double port = hl_json_number(hl_json_get(request, "port"));
	const struct hl_meter_target target = {
		.address = hl_json_string(hl_json_get(request, "address")),
		.port = port >= 1 && port <= 65535 ? (unsigned)port : 0,
	};
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	uint64_t start_ns = hl_clock_ns();
	struct hl_metering *metering;
	struct hl_json_out *out;
	struct hl_sample sample;

	if (!node || !(seconds > 0 && seconds <= SECONDS_MAX))
		return hl_fail(err, EBADMSG, "\"watch\" wants node and seconds");
	metering = hl_metering_begin(&target);
	tick_until(worker, metering, seconds);
	hl_metering_end(metering, (double)(hl_clock_ns() - start_ns) / 1e9, graph, node);
	sample = sample_of(graph);
	out = answer_begin(worker);
	hl_sample_put(out, "sample", &sample);
	answer_end(worker, out);
	return 0;
}
