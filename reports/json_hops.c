/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "hops" of the JSON report: where I/O was timed, and every figure that came of it.
 *
 * A run of one job may have several directions, each an object of its own under the direction's
 * name; latencies are nested under the name of what they time.
 */
#include "json_parts.h"
#include <math.h>

static const struct {
	const char *key;
	size_t offset;
} latency_figures[] = {
	{ "mean", offsetof(struct hl_latency, mean) },
	{ "min", offsetof(struct hl_latency, min) },
	{ "max", offsetof(struct hl_latency, max) },
	{ "p50", offsetof(struct hl_latency, p50) },
	{ "p90", offsetof(struct hl_latency, p90) },
	{ "p99", offsetof(struct hl_latency, p99) },
	{ "p99_9", offsetof(struct hl_latency, p99_9) },
	{ "p99_99", offsetof(struct hl_latency, p99_99) },
};

#define NR_FIGURES (sizeof(latency_figures) / sizeof(latency_figures[0]))

static double latency_figure(const struct hl_latency *latency, size_t i)
{
	return *(const double *)((const char *)latency + latency_figures[i].offset);
}

static void put_latency(struct hl_json_out *out, const char *key, const struct hl_latency *latency)
{
	bool is_open = false;

	for (size_t i = 0; latency && i < NR_FIGURES; i++) {
		double value = latency_figure(latency, i);

		if (isnan(value))
			continue;
		if (!is_open)
			hl_json_object(out, key);
		is_open = true;
		hl_json_put_number(out, latency_figures[i].key, value);
	}
	if (is_open)
		hl_json_close(out);
}

static void put_rounds(struct hl_json_out *out, const struct hl_rate *rate)
{
	if (!rate->nr_rounds)
		return;
	hl_json_array(out, "per_round");
	for (size_t i = 0; i < rate->nr_rounds; i++)
		hl_json_put_number(out, NULL, rate->per_round[i]);
	hl_json_close(out);
}

static void put_rate(struct hl_json_out *out, const char *key, const struct hl_rate *rate)
{
	hl_json_object(out, key);
	hl_json_put_number(out, "bw", rate->bw);
	hl_json_put_number(out, "bw_low", rate->bw_low);
	hl_json_put_number(out, "bw_high", rate->bw_high);
	hl_json_put_number(out, "iops", rate->iops);
	hl_json_put_number(out, "ios", rate->ios);
	hl_json_put_number(out, "bytes", rate->bytes);
	put_rounds(out, rate);
	hl_json_put_number(out, "zone_resets", rate->zone_resets);
	hl_json_put_number(out, "retransmits", rate->retransmits);
	hl_json_put_number(out, "streams", rate->streams);
	hl_json_put_string(out, "protocol", rate->protocol);
	hl_json_put_number(out, "jitter", rate->jitter_ns);
	hl_json_put_number(out, "lost", rate->lost);
	put_latency(out, "lat", rate->lat);
	put_latency(out, "clat", rate->clat);
	put_latency(out, "slat", rate->slat);
	put_latency(out, "sync", rate->sync);
	hl_json_close(out);
}

/* Seconds that the job really ran, or was asked to run; NAN. */
static double runtime_s(const struct hl_measurement *at)
{
	double longest = NAN;

	for (int i = 0; i < HL_NR_DIRS; i++) {
		if (at->dir[i])
			longest = fmax(longest, at->dir[i]->runtime_ms / 1e3);
	}
	return isnan(longest) ? at->workload.runtime_s : longest;
}

static void put_source(struct hl_json_out *out, const struct hl_measurement *at)
{
	if (!at->file)
		return;
	hl_json_object(out, "source");
	hl_json_put_string(out, "file", at->file);
	hl_json_put_number(out, "run", at->run);
	hl_json_put_number(out, "group", at->group);
	hl_json_put_number(out, "line", at->line ? at->line : NAN);
	hl_json_close(out);
}

static void put_workload(struct hl_json_out *out, const struct hl_workload *workload)
{
	hl_json_put_string(out, "workload", workload->name);
	hl_json_put_string(out, "rw", hl_rw_name(workload->rw));
	hl_json_put_number(out, "bs", workload->bs);
	hl_json_put_number(out, "bs_write", workload->bs_write);
	hl_json_put_number(out, "iodepth", workload->iodepth);
	hl_json_put_number(out, "numjobs", workload->numjobs);
	hl_json_put_string(out, "engine", workload->engine);
}

static void put_measurement(struct hl_json_out *out, const struct hl_measurement *at)
{
	hl_json_object(out, NULL);
	put_workload(out, &at->workload);
	hl_json_put_number(out, "runtime", runtime_s(at));
	hl_json_put_string(out, "change", at->change);
	hl_json_put_string(out, "experiment", at->experiment);
	hl_json_put_string(out, "drive", at->drive);
	put_source(out, at);
	hl_json_put_string(out, "status", hl_status_name(at->status));
	hl_json_put_string(out, "reason", at->reason);
	hl_json_put_number(out, "error", at->error ? at->error : NAN);
	hl_json_put_number(out, "rounds", at->rounds);
	if (at->steady_state >= 0)
		hl_json_put_boolean(out, "steady_state", at->steady_state);
	hl_json_put_number(out, "cached_share", at->cached_share);
	hl_json_put_number(out, "device_depth", at->device_depth);
	if (!isnan(at->device_depth))
		hl_json_put_boolean(out, "is_depth_of_run", at->is_depth_of_run);
	for (int i = 0; i < HL_NR_DIRS; i++) {
		if (at->dir[i])
			put_rate(out, hl_dir_name(i), at->dir[i]);
	}
	hl_json_close(out);
}

static void put_hop(struct hl_json_out *out, const struct hl_hop *hop)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "name", hop->name);
	hl_json_put_string(out, "layer", hl_layer_name(hop->layer));
	hl_json_put_string(out, "host", hop->host);
	hl_json_put_string(out, "target", hop->target);
	hl_json_put_string(out, "after", hop->after ? hop->after->name : NULL);
	hl_json_array(out, "measurements");
	for (size_t i = 0; i < hop->nr_measurements; i++)
		put_measurement(out, hop->measurements[i]);
	hl_json_close(out);
	hl_json_close(out);
}

void hl_json_put_hops(struct hl_json_out *out, const struct hl_graph *graph)
{
	hl_json_array(out, "hops");
	for (size_t i = 0; i < graph->nr_hops; i++)
		put_hop(out, graph->hops[i]);
	hl_json_close(out);
}
