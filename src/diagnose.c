/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The road from bundle to graph: read every input, join the hops to a path, run model and causes.
 *
 * Surprising: a hop may come of several inputs, and an input may bring no hop (facts only) or many
 * of its own (a table of results); only what hl_reading made takes its place in the path.
 */
#include "hoploss/diagnose.h"
#include "hoploss/anonymize.h"
#include "hoploss/apart.h"
#include "hoploss/cause.h"
#include "hoploss/decode.h"
#include "hoploss/experiment.h"
#include "hoploss/format.h"
#include "hoploss/guest.h"
#include "hoploss/model.h"
#include "hoploss/path.h"
#include "hoploss/pcie.h"
#include "hoploss/sample.h"
#include "hoploss/spec.h"
#include <stdlib.h>
#include <string.h>

struct path { /* as far as it has been read */
	struct hl_hop *last;
	size_t nr_plain; /* hops whose place was only taken from the command line */
};

static void free_spec(void *spec)
{
	hl_spec_free(spec);
}

/* What was recorded and is lost is told, and the rest is read. */
static void tell_loss(struct hl_graph *graph, const char *text)
{
	hl_graph_warn(graph, "%s", text);
	graph->is_partly_captured = true;
}

static int take_spec(struct hl_graph *graph, const struct hl_bundle_spec *used,
		     struct hl_error *err)
{
	struct hl_spec *spec;
	int r;

	if (!used)
		return 0;
	r = hl_spec_parse(used->name, used->text, used->len, &spec, err);
	if (r < 0)
		return r;
	hl_arena_adopt(graph->arena, spec, free_spec);
	graph->spec = spec;
	graph->drives = used->drives ? used->drives : 1;
	return 0;
}

/* "b.c.txt" gives "b.c"; ".txt" stays whole; what stands before tells two of one name apart. */
static char *file_stem(const char *file)
{
	const char *base = strrchr(file, '/');
	const char *dot;

	base = base ? base + 1 : file;
	dot = strrchr(base, '.');
	return dot && dot != base ? hl_strndup(file, (size_t)(dot - file)) : hl_strdup(file);
}

static void join_path(struct path *path, struct hl_hop *hop, bool is_ordered)
{
	hop->after = path->last;
	path->last = hop;
	path->nr_plain += !is_ordered;
}

/* Hops that a file made are of its machine. host NULL = nothing is known of it. */
static void place_hops(struct hl_graph *graph, size_t first, const char *host)
{
	for (size_t i = first; host && i < graph->nr_hops; i++) {
		if (!graph->hops[i]->host)
			graph->hops[i]->host = host;
	}
}

static void read_text(struct hl_graph *graph, struct path *path,
		      const struct hl_bundle_input *input, const struct hl_text *text)
{
	HL_FREE char *stem = file_stem(input->file);
	struct hl_hop *known = input->hop ? hl_graph_find_hop(graph, input->hop) : NULL;
	struct hl_reading reading = {
		.graph = graph,
		.hop = known,
		.hop_name = input->hop ? input->hop : stem,
		.layer = input->layer,
		.stem = stem,
	};
	size_t nr_hops = graph->nr_hops, nr_facts = graph->nr_facts;

	hl_formats_read(text, &reading, NULL); /* what went wrong stands in graph->inputs */
	place_hops(graph, nr_hops, hl_apart_tell(graph, nr_facts, input->file));
	if (known && known->layer == HL_LAYER_NONE)
		known->layer = input->layer;
	if (reading.hop && !known)
		join_path(path, reading.hop, input->is_ordered);
}

static void add_unreadable(struct hl_graph *graph, const char *file, const struct hl_error *err)
{
	struct hl_input *input = hl_graph_add_input(graph);

	input->file = hl_arena_strdup(graph->arena, file);
	input->status = HL_INPUT_UNUSABLE;
	input->reason = hl_arena_strdup(graph->arena, err->text);
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* The same file of the same hop, as where a bundle and its copy are joined. */
static bool is_repeat(const struct hl_bundle *bundle, size_t index, const char *bytes, size_t len)
{
	const struct hl_bundle_input *input = hl_bundle_input_at(bundle, index);

	for (size_t i = 0; i < index; i++) {
		const struct hl_bundle_input *other = hl_bundle_input_at(bundle, i);
		HL_FREE char *earlier = NULL;
		size_t earlier_len;

		if (other->len == len && is_same(other->file, input->file) &&
		    is_same(other->hop, input->hop) &&
		    hl_bundle_read_input(bundle, i, &earlier, &earlier_len, NULL) == 0 &&
		    earlier_len == len && !memcmp(earlier, bytes, len))
			return true;
	}
	return false;
}

/* The index-th of the bundle; read one by one, for a thousand need not be there at once. */
static void read_input(struct hl_graph *graph, struct path *path, const struct hl_bundle *bundle,
		       size_t index, bool is_nameless)
{
	struct hl_bundle_input input = *hl_bundle_input_at(bundle, index);
	HL_FREE char *name = hl_printf("input-%zu", index + 1);
	HL_FREE char *bytes = NULL;
	HL_FREE char *change = NULL;
	struct hl_text *text;
	struct hl_error err;

	if (is_nameless)
		input.file = name;
	if (is_nameless && !input.is_ordered)
		input.hop = name;
	if (hl_bundle_read_input(bundle, index, &bytes, &input.len, &err) < 0) {
		add_unreadable(graph, input.file, &err);
		return;
	}
	if (is_repeat(bundle, index, bytes, input.len)) {
		hl_graph_warn(graph, "%s was given twice; it counts once", input.file);
		return;
	}
	change = hl_bundle_check_input(bundle, index, bytes, input.len);
	text = hl_text_new(input.file, bytes, input.len);
	read_text(graph, path, &input, text);
	if (change)
		tell_loss(graph, hl_arena_printf(graph->arena, "%s: %s", input.file, change));
	hl_text_free(text);
}

static void add_hosts(struct hl_graph *graph, const struct hl_path *from)
{
	for (size_t i = 0; i < from->nr_hosts; i++) {
		struct hl_host *host = hl_graph_add_host(graph, from->hosts[i].name);

		host->on = hl_arena_strdup(graph->arena, from->hosts[i].on);
		host->vm = hl_arena_strdup(graph->arena, from->hosts[i].vm);
	}
}

/*
 * The hops of a run's path. A datasheet is no hop: the model puts it on top. Parents stand before
 * their children in a path.
 */
static void add_hops(struct hl_graph *graph, const struct hl_path *from)
{
	graph->path_name = hl_arena_strdup(graph->arena, from->name);
	for (size_t i = 0; i < from->nr_hops; i++) {
		const struct hl_path_hop *hop = &from->hops[i];
		struct hl_hop *added;

		if (hop->layer == HL_LAYER_DATASHEET)
			continue;
		added = hl_graph_add_hop(graph, hop->name);
		added->layer = hop->layer;
		added->host = hl_arena_strdup(graph->arena, hop->host->name);
		for (size_t j = 0; hop->targets[j]; j++)
			hl_hop_add_target(graph, added, hop->targets[j]);
		if (hop->after)
			added->after = hl_graph_find_hop(graph, hop->after->name);
	}
}

/* What a run recorded. */
static void take_run(struct hl_graph *graph, const struct hl_bundle *bundle)
{
	const struct hl_bundle_path *recorded = hl_bundle_path(bundle);
	size_t nr = hl_bundle_nr_samples(bundle);
	HL_FREE const char **lines = hl_alloc(nr * sizeof(*lines));
	struct hl_path *path;
	struct hl_error err;

	for (size_t i = 0; hl_bundle_note_at(bundle, i); i++)
		hl_graph_warn(graph, "%s", hl_bundle_note_at(bundle, i));
	if (!recorded)
		return;
	if (hl_path_parse(recorded->name, recorded->text, recorded->len, &path, &err) < 0) {
		tell_loss(graph, err.text);
		return;
	}
	add_hosts(graph, path);
	add_hops(graph, path);
	hl_path_free(path);
	for (size_t i = 0; i < nr; i++)
		lines[i] = hl_bundle_sample_at(bundle, i);
	graph->stop_reason = hl_arena_strdup(graph->arena, hl_bundle_stop_reason(bundle));
	hl_samples_read(graph, lines, nr);
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_facts(const void *a, const void *b)
{
	const struct hl_fact *left = *(struct hl_fact *const *)a;
	const struct hl_fact *right = *(struct hl_fact *const *)b;
	int order = compare_texts(left->host, right->host);

	if (!order)
		order = compare_texts(left->node, right->node);
	if (!order)
		order = compare_texts(left->key, right->key);
	return order ? order : compare_texts(left->source, right->source);
}

static void conclude(struct hl_graph *graph)
{
	hl_depth_fill(graph);
	hl_fit_fill(graph);
	hl_model_losses(graph);
	hl_model_residuals(graph);
	hl_ceiling_pcie_fill(graph);
	hl_ceiling_nic_fill(graph);
	hl_model_engine_ceilings(graph);
	hl_experiments_judge(graph);
	hl_causes_match(graph);
	hl_experiments_apply(graph);
	hl_model_ladders(graph);
	hl_model_verdicts(graph);
}

static void read_inputs(struct hl_graph *graph, const struct hl_bundle *bundle, bool is_nameless)
{
	struct path path = { 0 };

	for (size_t i = 0; i < hl_bundle_nr_inputs(bundle); i++)
		read_input(graph, &path, bundle, i, is_nameless);
	if (path.nr_plain > 1)
		hl_graph_warn(graph, "the order of the hops was taken from the order of the files; "
				     "--hop NAME:LAYER=FILE says it");
}

int hl_diagnose(const struct hl_bundle *bundle, const struct hl_diagnose_how *how,
		struct hl_graph **ret_graph, struct hl_error *err)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	bool has_spec = how && how->spec;
	struct hl_error why;
	int r = take_spec(graph, has_spec ? how->spec : hl_bundle_spec(bundle), &why);

	if (r < 0 && has_spec) {
		*err = why;
		return r;
	}
	for (size_t i = 0; hl_bundle_loss_at(bundle, i); i++)
		tell_loss(graph, hl_bundle_loss_at(bundle, i));
	if (r < 0)
		tell_loss(graph, why.text);
	graph->begun = hl_arena_strdup(graph->arena, hl_bundle_begun(bundle));
	take_run(graph, bundle);
	if (hl_bundle_nr_samples(bundle)) /* what was only imported has no order to be drawn */
		graph->seed = hl_bundle_seed(bundle);
	read_inputs(graph, bundle, how && how->is_nameless);
	hl_decode_captures(hl_bundle_captures(bundle), how && how->is_nameless, graph);
	hl_guest_find(graph);
	conclude(graph); /* adds facts of its own */
	if (graph->nr_facts)
		qsort(graph->facts, graph->nr_facts, sizeof(*graph->facts), compare_facts);
	graph->has_identities = !hl_bundle_is_scrubbed(bundle) && hl_anonymize_is_needed(graph);
	*ret_graph = graph;
	graph = NULL;
	return 0;
}

static bool is_empty(const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_hops; i++) {
		if (graph->hops[i]->nr_measurements)
			return false;
	}
	return !graph->nr_facts;
}

static bool has_gaps(const struct hl_hop *hop)
{
	for (size_t i = 0; i < hop->nr_measurements; i++) {
		enum hl_status status = hop->measurements[i]->status;

		if (hop->measurements[i]->experiment)
			continue; /* what it could not decide is told; the path is whole without */
		if (status != HL_STATUS_MEASURED && status != HL_STATUS_IMPORTED)
			return true;
	}
	return false;
}

static bool is_incomplete(const struct hl_graph *graph)
{
	if (graph->is_partly_captured)
		return true;
	for (size_t i = 0; i < graph->nr_inputs; i++) {
		enum hl_input_status status = graph->inputs[i]->status;

		if (status != HL_INPUT_READ && status != HL_INPUT_PROSE)
			return true;
		if (graph->inputs[i]->is_partial)
			return true;
	}
	for (size_t i = 0; i < graph->nr_hops; i++) {
		if (has_gaps(graph->hops[i]))
			return true;
	}
	return false;
}

static bool has_named_stage(const struct hl_chain *chain)
{
	for (size_t i = 0; i < chain->nr_stages; i++) {
		if (chain->stages[i].is_named)
			return true;
	}
	return false;
}

/* A stage that loses more than chance is something found, whether or not its cause is. */
static bool has_findings(const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_chains; i++) {
		if (has_named_stage(graph->chains[i]))
			return true;
	}
	return graph->nr_findings;
}

enum hl_exit hl_diagnose_exit(const struct hl_graph *graph)
{
	if (is_empty(graph))
		return HL_EXIT_UNABLE;
	if (is_incomplete(graph))
		return HL_EXIT_INCOMPLETE;
	return has_findings(graph) ? HL_EXIT_FINDINGS : HL_EXIT_OK;
}
