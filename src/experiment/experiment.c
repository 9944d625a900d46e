/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all experiments have in common: see hoploss/experiment.h.
 *
 * Surprising: the variants of one workload are found by name, "WORKLOAD/half-depth" beside
 * "WORKLOAD", for samples carry no other mark.
 */
#include "hoploss/experiment.h"
#include "hoploss/model.h"
#include <string.h>

const struct hl_experiment_kind *hl_experiment_find(const char *id)
{
	for (size_t i = 0; hl_experiments[i]; i++) {
		if (!strcmp(hl_experiments[i]->id, id))
			return hl_experiments[i];
	}
	return NULL;
}

bool hl_experiment_derive(struct hl_arena *arena, const struct hl_experiment_kind *kind,
			  unsigned variant, const struct hl_workload *base,
			  struct hl_workload *ret_workload)
{
	const char *suffix = kind->variants[variant].suffix;
	struct hl_workload workload = *base;

	if (suffix)
		workload.name = hl_arena_printf(arena, "%s/%s", base->name ? base->name : "job",
						suffix);
	if (!kind->derive(variant, &workload))
		return false;
	*ret_workload = workload;
	return true;
}

/* ---- finding the variants ---- */

/* Which variant a measurement is, by the end of its name; its stem is as long as ret_len. */
static unsigned variant_of(const struct hl_experiment_kind *kind, const char *name, size_t *ret_len)
{
	size_t len = strlen(name);

	for (unsigned i = 0; i < kind->nr_variants; i++) {
		const char *suffix = kind->variants[i].suffix;
		size_t suffix_len = suffix ? strlen(suffix) : 0;

		if (!suffix || suffix_len + 1 >= len || strcmp(name + len - suffix_len, suffix) ||
		    name[len - suffix_len - 1] != '/')
			continue;
		*ret_len = len - suffix_len - 1;
		return i;
	}
	*ret_len = len;
	return 0;
}

static bool is_of(const struct hl_measurement *at, const struct hl_experiment_kind *kind)
{
	return at->experiment && at->workload.name && !strcmp(at->experiment, kind->id);
}

struct set { /* the variants of one workload */
	const struct hl_measurement *variants[HL_EXPERIMENT_VARIANTS];
	const char *stem;
	size_t len;
};

static void add_variant(struct set *set, const struct hl_experiment_kind *kind,
			const struct hl_measurement *at)
{
	size_t len;
	unsigned variant = variant_of(kind, at->workload.name, &len);

	if (!set->stem) {
		set->stem = at->workload.name;
		set->len = len;
	}
	if (len == set->len && !memcmp(at->workload.name, set->stem, len) &&
	    !set->variants[variant])
		set->variants[variant] = at;
}

static bool has(const struct set *set, const struct hl_measurement *at)
{
	for (unsigned i = 0; i < HL_EXPERIMENT_VARIANTS; i++) {
		if (set->variants[i] == at)
			return true;
	}
	return false;
}

/* ---- judging ---- */

/* The workload as it was measured in rounds. */
static const struct hl_measurement *find_plain(const struct hl_hop *hop, const struct set *set)
{
	for (size_t i = 0; i < hop->nr_measurements; i++) {
		const struct hl_measurement *at = hop->measurements[i];

		if (!at->experiment && at->workload.name && strlen(at->workload.name) == set->len &&
		    !memcmp(at->workload.name, set->stem, set->len))
			return at;
	}
	return NULL;
}

static void judge_set(struct hl_graph *graph, const struct hl_hop *hop,
		      const struct hl_experiment_kind *kind, const struct set *set)
{
	const struct hl_measurement *base = set->variants[0];
	bool is_write = base && base->dir[HL_DIR_WRITE] && !base->dir[HL_DIR_READ];
	struct hl_experiment *result = hl_graph_add_experiment(graph);

	result->id = kind->id;
	result->hop = hop;
	result->at = find_plain(hop, set);
	kind->judge(graph, result, set->variants, is_write ? HL_DIR_WRITE : HL_DIR_READ);
	result->decided = hl_arena_printf(graph->arena, "%.*s at %s: %s", (int)set->len, set->stem,
					  hop->name, result->decided);
}

static void judge_hop(struct hl_graph *graph, const struct hl_hop *hop,
		      const struct hl_experiment_kind *kind)
{
	for (size_t i = 0; i < hop->nr_measurements; i++) {
		struct set set = { 0 };
		bool is_first = true;

		if (!is_of(hop->measurements[i], kind))
			continue;
		add_variant(&set, kind, hop->measurements[i]);
		for (size_t k = 0; k < hop->nr_measurements; k++) {
			if (!is_of(hop->measurements[k], kind))
				continue;
			add_variant(&set, kind, hop->measurements[k]);
			is_first &= k >= i || !has(&set, hop->measurements[k]);
		}
		if (is_first)
			judge_set(graph, hop, kind, &set);
	}
}

void hl_experiments_judge(struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		for (size_t k = 0; hl_experiments[k]; k++)
			judge_hop(graph, graph->hops[i], hl_experiments[k]);
	}
}

/* ---- asking results ---- */

const struct hl_experiment *hl_experiment_result(const struct hl_graph *graph, const char *id,
						 const struct hl_hop *hop,
						 const struct hl_measurement *at)
{
	for (size_t i = 0; i < graph->nr_experiments; i++) {
		const struct hl_experiment *result = graph->experiments[i];

		if (!strcmp(result->id, id) && result->hop == hop &&
		    (hl_experiment_find(id)->is_network || result->at == at))
			return result;
	}
	return NULL;
}

static bool is_in(const char *const *ids, size_t nr, const char *id)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(ids[i], id))
			return true;
	}
	return false;
}

bool hl_experiment_supports(const struct hl_experiment *result, const char *cause)
{
	return result && is_in(result->supports, result->nr_supports, cause);
}

bool hl_experiment_opposes(const struct hl_experiment *result, const char *cause)
{
	return result && is_in(result->against, result->nr_against, cause);
}

/* ---- applying them to findings ---- */

/* Of the finding's hop and job; one about the whole hop is spoken of by each of its jobs. */
static bool is_about(const struct hl_experiment *result, const struct hl_finding *finding)
{
	if (result->hop != finding->hop)
		return false;
	return hl_experiment_find(result->id)->is_network || !finding->at ||
	       result->at == finding->at;
}

static bool is_opposed(const struct hl_graph *graph, const struct hl_finding *about, const char *id)
{
	for (size_t i = 0; i < graph->nr_experiments; i++) {
		if (is_about(graph->experiments[i], about) &&
		    hl_experiment_opposes(graph->experiments[i], id))
			return true;
	}
	return false;
}

static const struct hl_experiment *support_of(const struct hl_graph *graph,
					      const struct hl_finding *finding)
{
	for (size_t i = 0; i < graph->nr_experiments; i++) {
		if (is_about(graph->experiments[i], finding) &&
		    hl_experiment_supports(graph->experiments[i], finding->id))
			return graph->experiments[i];
	}
	return NULL;
}

/* Leaves the rivals that are not ruled out. */
static void drop_rivals(const struct hl_graph *graph, struct hl_finding *finding)
{
	size_t nr = 0;

	for (size_t i = 0; i < finding->nr_rivals; i++) {
		if (!is_opposed(graph, finding, finding->rivals[i]))
			finding->rivals[nr++] = finding->rivals[i];
	}
	finding->nr_rivals = nr;
}

static void confirm(struct hl_graph *graph, struct hl_finding *finding)
{
	const struct hl_experiment *support = support_of(graph, finding);

	if (finding->state == HL_CONFIRMED || !support || !finding->nr_rivals)
		return;
	drop_rivals(graph, finding);
	if (finding->nr_rivals)
		return;
	finding->state = HL_CONFIRMED;
	finding->next = finding->paste = NULL;
	finding->text = hl_arena_printf(graph->arena,
					"%s The experiment %s rules out what else it "
					"may be: %s.",
					finding->text, support->id, support->decided);
}

void hl_experiments_apply(struct hl_graph *graph)
{
	size_t nr = 0;

	for (size_t i = 0; i < graph->nr_findings; i++) {
		struct hl_finding *finding = graph->findings[i];

		confirm(graph, finding);
		if (finding->state == HL_CONFIRMED || !is_opposed(graph, finding, finding->id))
			graph->findings[nr++] = finding;
	}
	graph->nr_findings = nr;
}
