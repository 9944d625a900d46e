/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conclusions in the JSON report: verdicts, losses, ladders, residuals, ceilings, experiments
 * and findings.
 */
#include "json_parts.h"
#include <math.h>

/* Which path, job and direction something is said of. */
static void put_where(struct hl_json_out *out, const struct hl_hop *leaf,
		      const struct hl_measurement *at, enum hl_dir dir)
{
	hl_json_put_string(out, "leaf", leaf ? leaf->name : NULL);
	if (!at)
		return;
	hl_json_put_string(out, "workload", at->workload.name);
	hl_json_put_string(out, "direction", hl_dir_name(dir));
}

static void put_verdict(struct hl_json_out *out, const char *key, const struct hl_verdict *verdict)
{
	hl_json_object(out, key);
	put_where(out, verdict->leaf, verdict->at, verdict->dir);
	hl_json_put_layers(out, verdict->layers);
	hl_json_put_string(out, "cause", verdict->cause);
	hl_json_put_string(out, "state", hl_state_name(verdict->state));
	hl_json_put_string(out, "text", verdict->text);
	hl_json_close(out);
}

void hl_json_put_verdicts(struct hl_json_out *out, const struct hl_graph *graph)
{
	hl_json_array(out, "verdicts");
	for (size_t i = 0; i < graph->nr_verdicts; i++)
		put_verdict(out, NULL, graph->verdicts[i]);
	hl_json_close(out);
	if (graph->nr_verdicts)
		put_verdict(out, "verdict", graph->verdicts[0]);
}

static void put_loss(struct hl_json_out *out, const struct hl_loss *loss)
{
	hl_json_object(out, NULL);
	put_where(out, loss->leaf, loss->at, loss->dir);
	hl_json_put_layers(out, loss->layers);
	hl_json_put_string(out, "from", loss->from ? loss->from->name : NULL);
	hl_json_put_string(out, "to", loss->to ? loss->to->name : NULL);
	hl_json_put_number(out, "bw", loss->bw);
	hl_json_put_number(out, "bw_low", loss->bw_low);
	hl_json_put_number(out, "bw_high", loss->bw_high);
	hl_json_put_number(out, "factor", loss->factor);
	hl_json_put_number(out, "factor_low", loss->factor_low);
	hl_json_put_number(out, "factor_high", loss->factor_high);
	hl_json_put_number(out, "share_pct", loss->share_pct);
	hl_json_put_number(out, "lat", loss->lat_ns);
	hl_json_put_number(out, "lat_from", loss->lat_from_ns);
	hl_json_put_boolean(out, "masked", loss->is_masked);
	hl_json_close(out);
}

void hl_json_put_losses(struct hl_json_out *out, const struct hl_graph *graph)
{
	hl_json_array(out, "losses");
	for (size_t i = 0; i < graph->nr_losses; i++)
		put_loss(out, graph->losses[i]);
	hl_json_close(out);
}

static void put_step(struct hl_json_out *out, const struct hl_step *step)
{
	hl_json_object(out, NULL);
	hl_json_put_layers(out, step->layers);
	hl_json_put_string(out, "hop", step->hop ? step->hop->name : NULL);
	hl_json_put_string(out, "cause", step->cause);
	hl_json_put_number(out, "bw", step->bw);
	hl_json_put_string(out, "kind", hl_prediction_name(step->kind));
	hl_json_close(out);
}

void hl_json_put_ladders(struct hl_json_out *out, const struct hl_graph *graph)
{
	hl_json_array(out, "ladders");
	for (size_t i = 0; i < graph->nr_ladders; i++) {
		const struct hl_ladder *ladder = graph->ladders[i];

		hl_json_object(out, NULL);
		put_where(out, ladder->leaf, ladder->at, ladder->dir);
		hl_json_array(out, "steps");
		for (size_t k = 0; k < ladder->nr_steps; k++)
			put_step(out, &ladder->steps[k]);
		hl_json_close(out);
		hl_json_close(out);
	}
	hl_json_close(out);
}

void hl_json_put_residuals(struct hl_json_out *out, const struct hl_graph *graph)
{
	hl_json_array(out, "residuals");
	for (size_t i = 0; i < graph->nr_residuals; i++) {
		const struct hl_residual *residual = graph->residuals[i];

		hl_json_object(out, NULL);
		put_where(out, residual->leaf, residual->at, residual->dir);
		hl_json_put_number(out, "bw", residual->bw);
		hl_json_close(out);
	}
	hl_json_close(out);
}

static void put_ceiling(struct hl_json_out *out, const struct hl_ceiling *ceiling)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "name", ceiling->name);
	hl_json_put_string(out, "layer", hl_layer_name(ceiling->layer));
	hl_json_put_string(out, "hop", ceiling->hop ? ceiling->hop->name : NULL);
	hl_json_put_string(out, "workload", ceiling->at ? ceiling->at->workload.name : NULL);
	hl_json_put_string(out, "direction", hl_dir_name(ceiling->dir));
	hl_json_put_number(out, "bw", ceiling->bw);
	hl_json_put_string(out, "formula", ceiling->formula);
	hl_json_put_texts(out, "from", ceiling->from, ceiling->nr_from);
	hl_json_close(out);
}

void hl_json_put_ceilings(struct hl_json_out *out, const struct hl_graph *graph)
{
	hl_json_array(out, "ceilings");
	for (size_t i = 0; i < graph->nr_ceilings; i++)
		put_ceiling(out, graph->ceilings[i]);
	hl_json_close(out);
}

void hl_json_put_experiments(struct hl_json_out *out, const struct hl_graph *graph)
{
	hl_json_array(out, "experiments");
	for (size_t i = 0; i < graph->nr_experiments; i++) {
		const struct hl_experiment *experiment = graph->experiments[i];

		hl_json_object(out, NULL);
		hl_json_put_string(out, "id", experiment->id);
		hl_json_put_string(out, "decided", experiment->decided);
		hl_json_put_texts(out, "for", experiment->supports, experiment->nr_supports);
		hl_json_put_texts(out, "against", experiment->against, experiment->nr_against);
		hl_json_close(out);
	}
	hl_json_close(out);
}

static void put_evidence(struct hl_json_out *out, const struct hl_finding *finding)
{
	hl_json_array(out, "evidence");
	for (size_t i = 0; i < finding->nr_evidence; i++)
		hl_json_put_fact(out, finding->evidence[i]);
	hl_json_close(out);
}

static void put_prediction(struct hl_json_out *out, const struct hl_finding *finding)
{
	if (isnan(finding->predicted_bw))
		return;
	hl_json_object(out, "predicted");
	hl_json_put_number(out, "bw", finding->predicted_bw);
	hl_json_put_string(out, "kind", hl_prediction_name(finding->predicted_kind));
	hl_json_close(out);
}

static void put_finding(struct hl_json_out *out, const struct hl_finding *finding)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "id", finding->id);
	hl_json_put_string(out, "layer", hl_layer_name(finding->layer));
	hl_json_put_string(out, "hop", finding->hop ? finding->hop->name : NULL);
	put_where(out, NULL, finding->at, finding->dir);
	hl_json_put_string(out, "state", hl_state_name(finding->state));
	hl_json_put_string(out, "text", finding->text);
	hl_json_put_string(out, "fix", finding->fix);
	put_evidence(out, finding);
	hl_json_put_texts(out, "rivals", finding->rivals, finding->nr_rivals);
	hl_json_put_string(out, "next", finding->next);
	hl_json_put_string(out, "paste", finding->paste);
	put_prediction(out, finding);
	hl_json_close(out);
}

void hl_json_put_findings(struct hl_json_out *out, const struct hl_graph *graph)
{
	hl_json_array(out, "findings");
	for (size_t i = 0; i < graph->nr_findings; i++)
		put_finding(out, graph->findings[i]);
	hl_json_close(out);
}
