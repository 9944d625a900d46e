/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the JSON report: each writes one member of the diagnosis object, in the order of its
 * schema (tests/schema/diagnosis.schema.json).
 */
#ifndef HOPLOSS_REPORTS_JSON_PARTS_H
#define HOPLOSS_REPORTS_JSON_PARTS_H

#include "hoploss/graph.h"
#include "hoploss/json.h"

/* A string for one layer, an array for a span, nothing when no layer is said. */
void hl_json_put_layers(struct hl_json_out *out, uint32_t layers);
void hl_json_put_texts(struct hl_json_out *out, const char *key, const char *const *texts,
		       size_t nr);
void hl_json_put_fact(struct hl_json_out *out, const struct hl_fact *fact);

void hl_json_put_hops(struct hl_json_out *out, const struct hl_graph *graph);

void hl_json_put_verdicts(struct hl_json_out *out, const struct hl_graph *graph);
void hl_json_put_losses(struct hl_json_out *out, const struct hl_graph *graph);
void hl_json_put_ladders(struct hl_json_out *out, const struct hl_graph *graph);
void hl_json_put_residuals(struct hl_json_out *out, const struct hl_graph *graph);
void hl_json_put_ceilings(struct hl_json_out *out, const struct hl_graph *graph);
void hl_json_put_experiments(struct hl_json_out *out, const struct hl_graph *graph);
void hl_json_put_findings(struct hl_json_out *out, const struct hl_graph *graph);

#endif
