/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a slot to a sample, with the idle CPU of the machine beside it.
 *
 * Source of the idle time: /proc/stat, proc(5): the first line's fourth and fifth number are idle
 * and waiting for I/O, of all CPUs together.
 */
#include "outcome.h"
#include "hoploss/machine.h"
#include "hoploss/memory_room.h"
#include "hoploss/unit.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cpu_time {
	double idle, all;
};

/* Guest time is counted in user time already, so only eight columns count. */
static struct cpu_time read_cpu_time(void)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	HL_FREE char *bytes = NULL;
	size_t len;
	struct cpu_time time = { 0, 0 };
	int rc = hl_machine_read(machine, "/proc/stat", &bytes, &len, NULL);

	hl_machine_close(machine);
	if (rc < 0)
		return (struct cpu_time){ NAN, NAN };
	for (char *at = bytes + strcspn(bytes, " "), column = 0; column < 8; column++) {
		double ticks = strtod(at, &at);

		time.all += ticks;
		time.idle += column == 3 || column == 4 ? ticks : 0;
	}
	return time;
}

static double idle_percent(struct cpu_time before, struct cpu_time after)
{
	double all = after.all - before.all;

	return all > 0 ? (after.idle - before.idle) / all * 100 : NAN;
}

/* Which direction a kind of I/O is: over TCP, reading is receiving. */
static enum hl_dir dir_of(const struct hl_engine *engine, int io)
{
	if (engine == hl_engine_find("tcp"))
		return io == HL_IO_READ ? HL_DIR_RX : HL_DIR_TX;
	return io == HL_IO_READ ? HL_DIR_READ : HL_DIR_WRITE;
}

static struct hl_latency *latency_of(struct hl_graph *graph, const struct hl_hist *hist)
{
	struct hl_latency *latency = hl_graph_new_latency(graph);

	hl_hist_latency(hist, latency);
	return latency;
}

static struct hl_rate *rate_of(struct hl_graph *graph, const struct hl_slot *slot, int io)
{
	struct hl_rate *rate = hl_graph_new_rate(graph);

	rate->ios = (double)slot->ios[io];
	rate->bytes = (double)slot->bytes[io];
	rate->runtime_ms = slot->seconds * 1e3;
	rate->bw = rate->bytes / slot->seconds;
	rate->iops = rate->ios / slot->seconds;
	rate->lat = latency_of(graph, slot->latency[io]);
	return rate;
}

static void take_rates(struct hl_graph *graph, const struct hl_slot *slot, const struct hl_job *job,
		       struct hl_sample *sample)
{
	for (int io = HL_IO_READ; io <= HL_IO_WRITE; io++) {
		enum hl_dir dir = dir_of(slot->engine, io);

		if (!slot->ios[io])
			continue;
		sample->dir[dir] = rate_of(graph, slot, io);
		if (dir == HL_DIR_RX || dir == HL_DIR_TX) {
			sample->dir[dir]->streams = job->workload.numjobs;
			sample->dir[dir]->protocol = "TCP";
		}
	}
	if (slot->latency[HL_IO_SYNC] && sample->dir[HL_DIR_WRITE])
		sample->dir[HL_DIR_WRITE]->sync = latency_of(graph, slot->latency[HL_IO_SYNC]);
}

static void take_slot(struct hl_graph *graph, const struct hl_slot *slot, const struct hl_job *job,
		      struct hl_sample *sample)
{
	double *timeline = hl_arena_alloc(graph->arena, slot->nr_timeline * sizeof(*timeline));

	if (slot->nr_timeline)
		memcpy(timeline, slot->timeline, slot->nr_timeline * sizeof(*timeline));
	sample->timeline = timeline;
	sample->nr_timeline = slot->nr_timeline;
	sample->seconds = slot->seconds;
	sample->cpu_pct = slot->cpu_seconds / (job->warmup + job->seconds) * 100;
	if (slot->ios[HL_IO_READ] + slot->ios[HL_IO_WRITE]) {
		sample->status = HL_STATUS_MEASURED;
		take_rates(graph, slot, job, sample);
	} else {
		sample->reason = "not one I/O was done in the time of the slot";
	}
}

/* The meters tick with the watcher. */
struct watching {
	struct hl_metering *metering;
	hl_slot_watch *watch;
	void *context;
};

static bool watch_and_meter(void *context, double done, double bytes_per_s)
{
	struct watching *watching = context;

	hl_metering_tick(watching->metering);
	return watching->watch(watching->context, done, bytes_per_s);
}

/* What a pod's limit leaves belongs to its own program. */
static int check_memory(const struct hl_job *job, struct hl_error *err)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	const struct hl_workload *workload = &job->workload;
	double wanted = workload->iodepth * workload->numjobs * workload->bs *
			(1 + job->nr_more_fds);
	double room = hl_memory_room(machine);
	char wanted_text[HL_UNIT_TEXT], room_text[HL_UNIT_TEXT];

	hl_machine_close(machine);
	if (!(wanted > room))
		return 0;
	return hl_fail(
		err, ENOMEM,
		"its buffers would take %s (iodepth x numjobs x bs), and the memory limit of "
		"the control group leaves %s for them: raise the limit or lower the depth",
		hl_unit_size(wanted_text, wanted), hl_unit_size(room_text, room));
}

static int run_within_limits(const struct outcome_request *request, struct watching *watching,
			     struct hl_slot *slot, struct hl_error *err)
{
	int rc = check_memory(request->job, err);

	return rc < 0 ? rc
		      : hl_slot_run(request->engine, request->job, request->grace, watch_and_meter,
				    watching, slot, err);
}

void outcome_run(const struct outcome_request *request, struct hl_graph *graph,
		 struct hl_sample *ret_sample)
{
	const struct hl_job *job = request->job;
	struct hl_sample sample = {
		.workload = job->workload,
		.engine = request->engine->name,
		.status = HL_STATUS_NOT_MEASURED,
		.start_s = NAN,
		.seconds = NAN,
		.cpu_pct = NAN,
		.idle_pct = NAN,
		.cached_share = NAN,
	};
	struct watching watching = { hl_metering_begin(request->metered), request->watch,
				     request->context };
	struct cpu_time before = read_cpu_time();
	struct hl_error err = { 0 };
	struct hl_slot slot;

	if (run_within_limits(request, &watching, &slot, &err) == 0) {
		take_slot(graph, &slot, job, &sample);
		hl_slot_free(&slot);
		sample.idle_pct = idle_percent(before, read_cpu_time());
	} else {
		sample.reason = hl_arena_strdup(graph->arena, err.text);
		sample.error = err.code;
	}
	hl_metering_end(watching.metering, job->warmup + job->seconds, graph, request->node);
	sample.series = graph->timeline;
	sample.nr_series = graph->nr_timeline;
	sample.facts = graph->facts;
	sample.nr_facts = graph->nr_facts;
	*ret_sample = sample;
}
