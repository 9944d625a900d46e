/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples as lines of JSON: written by workers and the coordinator, read by every diagnosis. Each
 * number has one row in a table below, used both ways.
 */
#include "hoploss/sample.h"
#include "hoploss/fact.h"
#include "hoploss/json.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct number_field {
	const char *key;
	size_t offset;
};

#define FIELD(type, key, member)                                                                   \
	{                                                                                          \
		key, offsetof(struct type, member)                                                 \
	}

static const struct number_field latency_fields[] = {
	FIELD(hl_latency, "mean", mean),
	FIELD(hl_latency, "min", min),
	FIELD(hl_latency, "max", max),
	FIELD(hl_latency, "stddev", stddev),
	FIELD(hl_latency, "p1", p1),
	FIELD(hl_latency, "p50", p50),
	FIELD(hl_latency, "p90", p90),
	FIELD(hl_latency, "p99", p99),
	FIELD(hl_latency, "p99_9", p99_9),
	FIELD(hl_latency, "p99_99", p99_99),
	{ NULL, 0 },
};

static const struct number_field rate_fields[] = {
	FIELD(hl_rate, "bw", bw),
	FIELD(hl_rate, "iops", iops),
	FIELD(hl_rate, "ios", ios),
	FIELD(hl_rate, "bytes", bytes),
	FIELD(hl_rate, "runtime_ms", runtime_ms),
	FIELD(hl_rate, "retransmits", retransmits),
	FIELD(hl_rate, "streams", streams),
	{ NULL, 0 },
};

static const struct number_field workload_fields[] = {
	FIELD(hl_workload, "bs", bs),
	FIELD(hl_workload, "bs_write", bs_write),
	FIELD(hl_workload, "iodepth", iodepth),
	FIELD(hl_workload, "numjobs", numjobs),
	FIELD(hl_workload, "size", size),
	FIELD(hl_workload, "size_pct", size_pct),
	FIELD(hl_workload, "offset", offset),
	FIELD(hl_workload, "offset_pct", offset_pct),
	FIELD(hl_workload, "runtime", runtime_s),
	FIELD(hl_workload, "ramp", ramp_s),
	FIELD(hl_workload, "rwmixread", rwmixread),
	FIELD(hl_workload, "fsync", fsync),
	{ NULL, 0 },
};

static const struct number_field sample_fields[] = {
	FIELD(hl_sample, "start", start_s),
	FIELD(hl_sample, "seconds", seconds),
	FIELD(hl_sample, "cpu_pct", cpu_pct),
	FIELD(hl_sample, "idle_pct", idle_pct),
	FIELD(hl_sample, "cached_share", cached_share),
	{ NULL, 0 },
};

static const struct {
	const char *key;
	size_t offset;
} latencies[] = {
	FIELD(hl_rate, "lat", lat),
	FIELD(hl_rate, "clat", clat),
	FIELD(hl_rate, "slat", slat),
	FIELD(hl_rate, "sync", sync),
};

#define NR_LATENCIES (sizeof(latencies) / sizeof(*latencies))

/* ---- printing ---- */

static void put_fields(struct hl_json_out *out, const struct number_field *fields, const void *from)
{
	for (; fields->key; fields++)
		hl_json_put_number(out, fields->key,
				   *(const double *)((const char *)from + fields->offset));
}

static void put_rate(struct hl_json_out *out, const char *key, const struct hl_rate *rate)
{
	hl_json_object(out, key);
	put_fields(out, rate_fields, rate);
	hl_json_put_string(out, "protocol", rate->protocol);
	for (size_t i = 0; i < NR_LATENCIES; i++) {
		const struct hl_latency *latency = *(
			struct hl_latency *const *)((const char *)rate + latencies[i].offset);

		if (!latency)
			continue;
		hl_json_object(out, latencies[i].key);
		put_fields(out, latency_fields, latency);
		hl_json_close(out);
	}
	hl_json_close(out);
}

void hl_workload_print(struct hl_json_out *out, const struct hl_workload *workload)
{
	hl_json_object(out, "workload");
	hl_json_put_string(out, "name", workload->name);
	hl_json_put_string(out, "rw", hl_rw_name(workload->rw));
	put_fields(out, workload_fields, workload);
	if (workload->direct >= 0)
		hl_json_put_boolean(out, "direct", workload->direct);
	if (workload->is_data_only)
		hl_json_put_boolean(out, "is_data_only", true);
	hl_json_close(out);
}

static void put_fact(struct hl_json_out *out, const struct hl_fact *fact)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "host", fact->host);
	hl_json_put_string(out, "node", fact->node);
	hl_json_put_string(out, "key", fact->key);
	if (fact->type == HL_FACT_NUMBER)
		hl_json_put_number(out, "value", fact->number);
	else if (fact->type == HL_FACT_STRING)
		hl_json_put_string(out, "value", fact->string);
	else
		hl_json_put_boolean(out, "value", fact->boolean);
	hl_json_put_string(out, "source", fact->source);
	hl_json_close(out);
}

static void put_series(struct hl_json_out *out, const struct hl_series *series)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "node", series->node);
	hl_json_put_string(out, "key", series->key);
	hl_json_array(out, "points");
	for (size_t i = 0; i < series->nr_points; i++) {
		hl_json_array(out, NULL);
		hl_json_put_number(out, NULL, series->points[i].t_s);
		hl_json_put_number(out, NULL, series->points[i].value);
		hl_json_close(out);
	}
	hl_json_close(out);
	hl_json_close(out);
}

static void put_lists(struct hl_json_out *out, const struct hl_sample *sample)
{
	if (sample->nr_timeline) {
		hl_json_array(out, "timeline");
		for (size_t i = 0; i < sample->nr_timeline; i++)
			hl_json_put_number(out, NULL, sample->timeline[i]);
		hl_json_close(out);
	}
	if (sample->nr_series) {
		hl_json_array(out, "series");
		for (size_t i = 0; i < sample->nr_series; i++)
			put_series(out, sample->series[i]);
		hl_json_close(out);
	}
	if (sample->nr_facts) {
		hl_json_array(out, "facts");
		for (size_t i = 0; i < sample->nr_facts; i++)
			put_fact(out, sample->facts[i]);
		hl_json_close(out);
	}
}

void hl_sample_put(struct hl_json_out *out, const char *key, const struct hl_sample *sample)
{
	hl_json_object(out, key);
	if (sample->round)
		hl_json_put_number(out, "round", sample->round);
	hl_json_put_string(out, "hop", sample->hop);
	hl_json_put_string(out, "repeats", sample->repeats);
	hl_json_put_string(out, "experiment", sample->experiment);
	hl_json_put_string(out, "drive", sample->drive);
	hl_workload_print(out, &sample->workload);
	hl_json_put_string(out, "engine", sample->engine);
	hl_json_put_string(out, "engine_note", sample->engine_note);
	hl_json_put_string(out, "status", hl_status_name(sample->status));
	hl_json_put_string(out, "reason", sample->reason);
	if (sample->error)
		hl_json_put_number(out, "error", sample->error);
	put_fields(out, sample_fields, sample);
	for (int dir = 0; dir < HL_NR_DIRS; dir++) {
		if (sample->dir[dir])
			put_rate(out, hl_dir_name(dir), sample->dir[dir]);
	}
	put_lists(out, sample);
	hl_json_close(out);
}

char *hl_sample_print(const struct hl_sample *sample)
{
	char *line = NULL;
	size_t len;
	FILE *file = open_memstream(&line, &len);
	struct hl_json_out *out = hl_json_out_new_line(file);

	hl_sample_put(out, NULL, sample);
	hl_json_out_free(out);
	fclose(file);
	return line;
}

/* ---- reading ---- */

static void read_fields(const struct hl_json *object, const struct number_field *fields, void *to)
{
	for (; fields->key; fields++)
		*(double *)((char *)to +
			    fields->offset) = hl_json_number(hl_json_get(object, fields->key));
}

static const char *read_string(struct hl_graph *graph, const struct hl_json *object,
			       const char *key)
{
	return hl_arena_strdup(graph->arena, hl_json_string(hl_json_get(object, key)));
}

static unsigned read_count(const struct hl_json *object, const char *key)
{
	double number = hl_json_number(hl_json_get(object, key));

	return number >= 0 && number <= 1e9 ? (unsigned)number : 0;
}

static struct hl_rate *read_rate(struct hl_graph *graph, const struct hl_json *object)
{
	struct hl_rate *rate = hl_graph_new_rate(graph);

	read_fields(object, rate_fields, rate);
	rate->protocol = read_string(graph, object, "protocol");
	for (size_t i = 0; i < NR_LATENCIES; i++) {
		const struct hl_json *value = hl_json_get(object, latencies[i].key);
		struct hl_latency *latency;

		if (!value)
			continue;
		latency = hl_graph_new_latency(graph);
		read_fields(value, latency_fields, latency);
		*(struct hl_latency **)((char *)rate + latencies[i].offset) = latency;
	}
	return rate;
}

int hl_workload_read(struct hl_arena *arena, const struct hl_json *object,
		     struct hl_workload *ret_workload, struct hl_error *err)
{
	const char *rw = hl_json_string(hl_json_get(object, "rw"));

	struct hl_workload workload;

	hl_workload_init(&workload);
	if (!rw || hl_rw_parse(rw, &workload.rw) < 0)
		return hl_fail(err, EBADMSG, "a workload without a known \"rw\"");
	workload.name = hl_arena_strdup(arena, hl_json_string(hl_json_get(object, "name")));
	read_fields(object, workload_fields, &workload);
	workload.direct = hl_json_boolean(hl_json_get(object, "direct"));
	workload.is_data_only = hl_json_boolean(hl_json_get(object, "is_data_only")) == 1;
	*ret_workload = workload;
	return 0;
}

static int read_status(const struct hl_json *object, enum hl_status *ret_status,
		       struct hl_error *err)
{
	const char *name = hl_json_string(hl_json_get(object, "status"));

	for (int i = HL_STATUS_MEASURED; name && i <= HL_STATUS_NOT_MEASURED; i++) {
		if (!strcmp(hl_status_name(i), name)) {
			*ret_status = i;
			return 0;
		}
	}
	return hl_fail(err, EBADMSG, "a sample without a known \"status\"");
}

static void read_timeline(struct hl_graph *graph, const struct hl_json *array,
			  struct hl_sample *sample)
{
	size_t nr = hl_json_length(array);
	double *timeline = hl_arena_alloc(graph->arena, nr * sizeof(*timeline));

	for (size_t i = 0; i < nr; i++)
		timeline[i] = hl_json_number(hl_json_at(array, i));
	sample->timeline = timeline;
	sample->nr_timeline = nr;
}

/*
 * A fact of the sample alone: it is no fact of the graph until somebody makes it one. Keys are
 * looked up in the table of fact keys, so that a foreign string is never one.
 */
static struct hl_fact *read_fact(struct hl_graph *graph, const struct hl_json *object)
{
	const char *key_text = hl_json_string(hl_json_get(object, "key"));
	const struct hl_fact_key *key = key_text ? hl_fact_key_find(key_text) : NULL;
	const struct hl_json *value = hl_json_get(object, "value");
	struct hl_fact *fact;

	if (!key)
		return NULL;
	fact = hl_arena_alloc(graph->arena, sizeof(*fact));
	fact->key = key->key;
	fact->host = read_string(graph, object, "host");
	fact->node = read_string(graph, object, "node");
	fact->source = read_string(graph, object, "source");
	fact->string = hl_arena_strdup(graph->arena, hl_json_string(value));
	fact->number = hl_json_number(value);
	fact->before = NAN;
	fact->boolean = hl_json_boolean(value) == 1;
	fact->type = fact->string                  ? HL_FACT_STRING
		     : hl_json_boolean(value) >= 0 ? HL_FACT_BOOLEAN
						   : HL_FACT_NUMBER;
	return fact;
}

static void read_facts(struct hl_graph *graph, const struct hl_json *array,
		       struct hl_sample *sample)
{
	for (size_t i = 0; i < hl_json_length(array); i++) {
		struct hl_fact *fact = read_fact(graph, hl_json_at(array, i));

		if (!fact)
			continue;
		sample->facts = hl_arena_extend(graph->arena, sample->facts, sample->nr_facts,
						sizeof(*sample->facts));
		sample->facts[sample->nr_facts++] = fact;
	}
}

/* Likewise lines: they are none of the graph's timeline yet. */
static void read_one_series(struct hl_graph *graph, const struct hl_json *object,
			    struct hl_sample *sample)
{
	const char *key_text = hl_json_string(hl_json_get(object, "key"));
	const struct hl_fact_key *key = key_text ? hl_fact_key_find(key_text) : NULL;
	const struct hl_json *points = hl_json_get(object, "points");
	struct hl_series *series;

	if (!key)
		return;
	series = hl_arena_alloc(graph->arena, sizeof(*series));
	series->key = key->key;
	series->unit = key->unit;
	series->node = read_string(graph, object, "node");
	for (size_t i = 0; i < hl_json_length(points); i++) {
		const struct hl_json *point = hl_json_at(points, i);
		double t_s = hl_json_number(hl_json_at(point, 0));
		double value = hl_json_number(hl_json_at(point, 1));

		if (!isnan(t_s) && !isnan(value))
			hl_series_add_point(graph, series, t_s, value);
	}
	sample->series = hl_arena_extend(graph->arena, sample->series, sample->nr_series,
					 sizeof(*sample->series));
	sample->series[sample->nr_series++] = series;
}

static void read_series(struct hl_graph *graph, const struct hl_json *array,
			struct hl_sample *sample)
{
	for (size_t i = 0; i < hl_json_length(array); i++)
		read_one_series(graph, hl_json_at(array, i), sample);
}

int hl_sample_read(struct hl_graph *graph, const struct hl_json *object,
		   struct hl_sample *ret_sample, struct hl_error *err)
{
	struct hl_sample sample = { 0 };
	int rc = hl_workload_read(graph->arena, hl_json_get(object, "workload"), &sample.workload,
				  err);

	if (rc == 0)
		rc = read_status(object, &sample.status, err);
	if (rc < 0)
		return rc;
	sample.round = read_count(object, "round");
	sample.hop = read_string(graph, object, "hop");
	sample.repeats = read_string(graph, object, "repeats");
	sample.experiment = read_string(graph, object, "experiment");
	sample.drive = read_string(graph, object, "drive");
	sample.engine = read_string(graph, object, "engine");
	sample.engine_note = read_string(graph, object, "engine_note");
	sample.reason = read_string(graph, object, "reason");
	sample.error = (int)read_count(object, "error");
	read_fields(object, sample_fields, &sample);
	for (int dir = 0; dir < HL_NR_DIRS; dir++) {
		const struct hl_json *rate = hl_json_get(object, hl_dir_name(dir));

		sample.dir[dir] = rate ? read_rate(graph, rate) : NULL;
	}
	read_timeline(graph, hl_json_get(object, "timeline"), &sample);
	read_series(graph, hl_json_get(object, "series"), &sample);
	read_facts(graph, hl_json_get(object, "facts"), &sample);
	*ret_sample = sample;
	return 0;
}

int hl_sample_parse(struct hl_graph *graph, const char *line, struct hl_sample *ret_sample,
		    struct hl_error *err)
{
	struct hl_json *json = NULL;
	int rc = hl_json_parse(line, strlen(line), &json, NULL, err);

	if (rc == 0)
		rc = hl_sample_read(graph, json, ret_sample, err);
	hl_json_free(json);
	return rc;
}
