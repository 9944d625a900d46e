/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The JSON report: the whole graph, for programs. Its schema is tests/schema/diagnosis.schema.json.
 *
 * Rates are bytes/s, latencies ns, sizes bytes, run times seconds. What is unknown is absent; lists
 * are always there, empty or not. Keys are only ever added.
 */
#include "formats.h"
#include "hoploss/fact.h"
#include "json_parts.h"
#include <errno.h>
#include <math.h>

#define SCHEMA "hoploss.diagnosis/1"

void hl_json_put_layers(struct hl_json_out *out, uint32_t layers)
{
	bool is_span = layers & (layers - 1);

	if (is_span)
		hl_json_array(out, "layer");
	for (int i = HL_LAYER_NONE + 1; i < HL_NR_LAYERS; i++) {
		if (layers & 1u << i)
			hl_json_put_string(out, is_span ? NULL : "layer", hl_layer_name(i));
	}
	if (is_span)
		hl_json_close(out);
}

void hl_json_put_texts(struct hl_json_out *out, const char *key, const char *const *texts,
		       size_t nr)
{
	hl_json_array(out, key);
	for (size_t i = 0; i < nr; i++)
		hl_json_put_string(out, NULL, texts[i]);
	hl_json_close(out);
}

void hl_json_put_fact(struct hl_json_out *out, const struct hl_fact *fact)
{
	const struct hl_fact_key *row = hl_fact_key_find(fact->key);

	hl_json_object(out, NULL);
	hl_json_put_string(out, "host", fact->host);
	hl_json_put_string(out, "node", fact->node);
	hl_json_put_string(out, "key", fact->key);
	switch (fact->type) {
	case HL_FACT_NUMBER:
		hl_json_put_number(out, "value", fact->number);
		hl_json_put_number(out, "before", fact->before);
		break;
	case HL_FACT_STRING:
		hl_json_put_string(out, "value", fact->string);
		break;
	case HL_FACT_BOOLEAN:
		hl_json_put_boolean(out, "value", fact->boolean);
		break;
	}
	hl_json_put_string(out, "unit", fact->unit ? fact->unit : row ? row->unit : NULL);
	hl_json_put_string(out, "source", fact->source);
	hl_json_close(out);
}

static void put_series(struct hl_json_out *out, const struct hl_series *series)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "host", series->host);
	hl_json_put_string(out, "node", series->node);
	hl_json_put_string(out, "key", series->key);
	hl_json_put_string(out, "unit", series->unit);
	hl_json_array(out, "points");
	for (size_t i = 0; i < series->nr_points; i++) {
		if (isnan(series->points[i].t_s) || isnan(series->points[i].value))
			continue;
		hl_json_array(out, NULL);
		hl_json_put_number(out, NULL, series->points[i].t_s);
		hl_json_put_number(out, NULL, series->points[i].value);
		hl_json_close(out);
	}
	hl_json_close(out);
	hl_json_close(out);
}

static void put_timeline(struct hl_json_out *out, const struct hl_graph *graph)
{
	hl_json_array(out, "timeline");
	for (size_t i = 0; i < graph->nr_timeline; i++)
		put_series(out, graph->timeline[i]);
	hl_json_close(out);
}

static void put_facts(struct hl_json_out *out, const struct hl_graph *graph)
{
	hl_json_array(out, "facts");
	for (size_t i = 0; i < graph->nr_facts; i++)
		hl_json_put_fact(out, graph->facts[i]);
	hl_json_close(out);
}

static void put_probes(struct hl_json_out *out, const struct hl_graph *graph)
{
	hl_json_array(out, "probes");
	for (size_t i = 0; i < graph->nr_probes; i++) {
		hl_json_object(out, NULL);
		hl_json_put_string(out, "host", graph->probes[i]->host);
		hl_json_put_string(out, "probe", graph->probes[i]->probe);
		hl_json_put_string(out, "status", graph->probes[i]->status);
		hl_json_put_string(out, "reason", graph->probes[i]->reason);
		hl_json_close(out);
	}
	hl_json_close(out);
}

static void put_inputs(struct hl_json_out *out, const struct hl_graph *graph)
{
	hl_json_array(out, "inputs");
	for (size_t i = 0; i < graph->nr_inputs; i++) {
		const struct hl_input *input = graph->inputs[i];

		hl_json_object(out, NULL);
		hl_json_put_string(out, "file", input->file);
		hl_json_put_number(out, "first_line", input->first_line ? input->first_line : NAN);
		hl_json_put_number(out, "last_line", input->last_line ? input->last_line : NAN);
		hl_json_put_string(out, "format", input->format);
		hl_json_put_string(out, "status", hl_input_status_name(input->status));
		hl_json_put_string(out, "reason", input->reason);
		hl_json_close(out);
	}
	hl_json_close(out);
}

static int json_render(const struct hl_graph *graph, const struct hl_report_style *style,
		       FILE *file, struct hl_error *err)
{
	struct hl_json_out *out = hl_json_out_new(file);

	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", SCHEMA);
	hl_json_put_number(out, "engine_version", HL_ENGINE_VERSION);
	hl_json_put_number(out, "seed", graph->seed ? (double)graph->seed : NAN);
	hl_json_put_string(out, "begun", graph->begun);
	hl_json_put_string(out, "path", graph->path_name);
	hl_json_put_boolean(out, "has_identities", graph->has_identities);
	hl_json_put_boolean(out, "is_anonymised", style->is_anonymised);
	hl_json_put_verdicts(out, graph);
	hl_json_put_hops(out, graph);
	hl_json_put_losses(out, graph);
	hl_json_put_ladders(out, graph);
	hl_json_put_residuals(out, graph);
	hl_json_put_ceilings(out, graph);
	hl_json_put_experiments(out, graph);
	hl_json_put_findings(out, graph);
	put_timeline(out, graph);
	put_facts(out, graph);
	put_probes(out, graph);
	put_inputs(out, graph);
	hl_json_put_string(out, "stop_reason", graph->stop_reason);
	hl_json_put_texts(out, "warnings", graph->warnings, graph->nr_warnings);
	hl_json_close(out);
	return hl_json_out_free(out) ? hl_fail(err, EIO, "write the report") : 0;
}

const struct hl_report hl_report_json = {
	.name = "json",
	.summary = "the whole diagnosis for programs, schema " SCHEMA,
	.render = json_render,
};
