/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which experiments the open verdicts ask for: those that speak for or against a cause that is not
 * confirmed at the hop that binds, or against one of its rivals; with no cause at all, those that
 * split a layer in general.
 */
#include "hoploss/experiment.h"
#include "hoploss/model.h"
#include <string.h>

#define BIT(layer) (1U << (layer))
#define NET_LAYERS (BIT(HL_LAYER_WIRE) | BIT(HL_LAYER_VNIC))

static bool is_in(const char *const *ids, const char *id)
{
	for (; *ids; ids++) {
		if (!strcmp(*ids, id))
			return true;
	}
	return false;
}

static bool speaks_of(const struct hl_experiment_kind *kind, const struct hl_finding *finding)
{
	if (is_in(kind->ids, finding->id))
		return true;
	for (size_t i = 0; i < finding->nr_rivals; i++) {
		if (is_in(kind->ids, finding->rivals[i]))
			return true;
	}
	return false;
}

struct question { /* of a verdict: what binds, and in which job */
	const struct hl_hop *hop;
	const struct hl_measurement *at; /* at that hop */
	enum hl_dir dir;
	uint32_t layers;
};

static bool question_of(const struct hl_graph *graph, const struct hl_verdict *verdict,
			struct question *ret_question)
{
	for (size_t i = 0; i < graph->nr_ladders; i++) {
		const struct hl_ladder *ladder = graph->ladders[i];

		if (ladder->leaf != verdict->leaf || ladder->at != verdict->at ||
		    ladder->dir != verdict->dir)
			continue;
		ret_question->hop = ladder->steps[0].hop;
		ret_question->at = hl_pair_find(ladder->steps[0].hop, verdict->at, verdict->dir);
		ret_question->dir = verdict->dir;
		ret_question->layers = ladder->steps[0].layers;
		return ret_question->at != NULL;
	}
	return false;
}

static bool is_asked(const struct hl_graph *graph, const struct hl_experiment_kind *kind,
		     const struct question *question)
{
	bool has_finding = false;

	for (size_t i = 0; i < graph->nr_findings; i++) {
		const struct hl_finding *finding = graph->findings[i];

		if (finding->hop != question->hop || finding->dir != question->dir ||
		    (finding->at && finding->at != question->at))
			continue;
		has_finding = true;
		if (finding->state != HL_CONFIRMED && speaks_of(kind, finding))
			return true;
	}
	return !has_finding && !kind->is_same_place;
}

static bool is_possible(const struct hl_experiment_kind *kind, const struct question *question)
{
	const struct hl_workload *workload = &question->at->workload;

	if (!workload->name || !hl_rw_reads(workload->rw) || hl_rw_writes(workload->rw))
		return false;
	if (!kind->is_network)
		return true;
	return (question->layers & NET_LAYERS) && question->hop->target && question->hop->after &&
	       !strncmp(question->hop->target, "iscsi://", 8);
}

static bool is_wished(const struct hl_wish *wishes, size_t nr,
		      const struct hl_experiment_kind *kind, const struct question *question)
{
	for (size_t i = 0; i < nr; i++) {
		if (wishes[i].kind == kind && wishes[i].hop == question->hop &&
		    (kind->is_network || wishes[i].at == question->at))
			return true;
	}
	return false;
}

size_t hl_experiments_wanted(const struct hl_graph *graph, struct hl_wish *wishes, size_t max)
{
	size_t nr = 0;

	for (size_t i = 0; i < graph->nr_verdicts; i++) {
		const struct hl_verdict *verdict = graph->verdicts[i];
		struct question question;

		if (verdict->state == HL_CONFIRMED || !verdict->layers ||
		    !question_of(graph, verdict, &question))
			continue;
		for (size_t k = 0; hl_experiments[k] && nr < max; k++) {
			const struct hl_experiment_kind *kind = hl_experiments[k];

			if (is_possible(kind, &question) && is_asked(graph, kind, &question) &&
			    !is_wished(wishes, nr, kind, &question) &&
			    !hl_experiment_result(graph, kind->id, question.hop, question.at))
				wishes[nr++] = (struct hl_wish){ kind, question.hop, question.at };
		}
	}
	return nr;
}
