/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoding captures: see hoploss/decode.h.
 *
 * Each capture is decoded into a graph of its own, which the graph then keeps for its strings; from
 * the last to the first, so that what an earlier one says again can be told.
 */
#include "hoploss/decode.h"
#include "hoploss/fact.h"
#include "hoploss/format.h"
#include "hoploss/probe.h"
#include "hoploss/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct decoding {
	const struct hl_captures *captures;
	bool is_nameless;
	struct hl_graph *graph;
	struct hl_graph **parts; /* one a capture */
};

/* ---- one capture ---- */

static void read_bytes(struct hl_graph *part, const struct hl_captured *captured,
		       const struct hl_kept *kept, const char *name, const char *bytes, size_t len)
{
	const char *dot = strrchr(kept->name, '.');
	HL_FREE char *stem = dot && dot > kept->name
				     ? hl_strndup(kept->name, (size_t)(dot - kept->name))
				     : hl_strdup(kept->name);
	struct hl_reading reading = {
		.graph = part,
		.hop_name = stem,
		.host = captured->host,
		.node = kept->node,
		.stem = stem,
	};
	struct hl_text *text = hl_text_new(name, bytes, len);

	hl_formats_read(text, &reading, NULL); /* what went wrong stands in the inputs */
	hl_text_free(text);
}

static void add_unreadable(struct hl_graph *part, const char *name, const struct hl_error *err)
{
	struct hl_input *input = hl_graph_add_input(part);

	input->file = hl_arena_strdup(part->arena, name);
	input->status = HL_INPUT_UNUSABLE;
	input->reason = hl_arena_strdup(part->arena, err->text);
}

static void read_kept(const struct decoding *decoding, size_t index, size_t which,
		      struct hl_graph *part)
{
	const struct hl_captured *captured = hl_captures_at(decoding->captures, index);
	const struct hl_kept *kept = &captured->kept[which];
	const char *name = decoding->is_nameless ? kept->name : kept->file;
	HL_FREE char *bytes = NULL;
	struct hl_error err;
	size_t len;

	if (hl_captures_read_kept(decoding->captures, index, which, &bytes, &len, &err) < 0)
		add_unreadable(part, name, &err);
	else
		read_bytes(part, captured, kept, name, bytes, len);
}

static bool has_status(const struct hl_captured *captured, const char *probe, const char *status)
{
	for (size_t i = 0; i < captured->nr_statuses; i++) {
		if (!strcmp(captured->statuses[i].probe, probe))
			return !strcmp(captured->statuses[i].status, status);
	}
	return false;
}

static void decode_recorded(const struct decoding *decoding, size_t index, struct hl_graph *part)
{
	struct hl_machine *machine = hl_captures_machine(decoding->captures, index);
	const struct hl_captured *captured = hl_captures_at(decoding->captures, index);
	const struct hl_origin origin = { .host = captured->host };

	for (const struct hl_probe *const *probe = hl_probes; *probe; probe++) {
		const char *name = (*probe)->name;
		size_t nr_facts = part->nr_facts;
		struct hl_error err;
		int rc = (*probe)->decode ? (*probe)->decode(machine, &origin, part, &err) : 0;

		if (rc < 0 && !has_status(captured, name, "failed")) /* that is told already */
			hl_graph_warn(part, "%s: %s: %s", captured->host, name, err.text);
		else if (rc == 0 && (*probe)->decode && part->nr_facts == nr_facts &&
			 captured->nr_losses && has_status(captured, name, "ok"))
			hl_graph_warn(part,
				      "%s: %s: it was captured, but its files say nothing: they "
				      "are missing or were changed",
				      captured->host, name);
	}
	hl_machine_close(machine);
}

static void free_graph(void *graph)
{
	hl_graph_free(graph);
}

static struct hl_graph *decode(const struct decoding *decoding, size_t index)
{
	const struct hl_captured *captured = hl_captures_at(decoding->captures, index);
	struct hl_graph *part = hl_graph_new();

	hl_arena_adopt(decoding->graph->arena, part, free_graph);
	for (size_t i = 0; i < captured->nr_kept; i++)
		read_kept(decoding, index, i, part);
	decode_recorded(decoding, index, part);
	for (size_t i = 0; i < captured->nr_losses; i++) {
		hl_graph_warn(decoding->graph, "%s", captured->losses[i]);
		decoding->graph->is_partly_captured = true;
	}
	return part;
}

/* ---- what of it counts ---- */

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* The capture after the run before which this one was taken; NULL = none. */
static const struct hl_captured *after_of(const struct hl_captures *captures, size_t index)
{
	const struct hl_captured *captured = hl_captures_at(captures, index);

	for (size_t i = index + 1; i < hl_captures_nr(captures); i++) {
		const struct hl_captured *later = hl_captures_at(captures, i);

		if (captured->stage == HL_CAPTURE_BEFORE && later->stage == HL_CAPTURE_AFTER &&
		    is_same_text(later->host, captured->host) &&
		    is_same_text(later->from, captured->from))
			return later;
	}
	return NULL;
}

/* Every probe said what it knows: what is not in it is not there. */
static bool is_whole(const struct hl_captured *captured)
{
	for (size_t i = 0; i < captured->nr_statuses; i++) {
		const char *status = captured->statuses[i].status;

		if (!strcmp(status, "failed") || !strcmp(status, "hung"))
			return false;
	}
	return true;
}

static void add_status(struct hl_graph *graph, const struct hl_captured *captured, size_t which)
{
	struct hl_probe_status *status = hl_graph_add_probe_status(graph);

	status->host = hl_arena_strdup(graph->arena, captured->host);
	status->probe = hl_arena_strdup(graph->arena, captured->statuses[which].probe);
	status->status = hl_arena_strdup(graph->arena, captured->statuses[which].status);
	status->reason = hl_arena_strdup(graph->arena, captured->statuses[which].reason);
}

/* What is beside the facts. */
static void take_rest(struct hl_graph *graph, const struct hl_captured *captured,
		      const struct hl_graph *part)
{
	for (size_t i = 0; i < captured->nr_statuses; i++)
		add_status(graph, captured, i);
	if (captured->stage == HL_CAPTURE_ONLY && !is_whole(captured))
		graph->is_partly_captured = true;
	for (size_t i = 0; i < part->nr_inputs; i++)
		*hl_graph_add_input(graph) = *part->inputs[i];
	for (size_t i = 0; i < part->nr_warnings; i++)
		hl_graph_warn(graph, "%s", part->warnings[i]);
}

/* ---- facts ---- */

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare(const void *a, const void *b)
{
	const struct hl_fact *left = *(struct hl_fact *const *)a;
	const struct hl_fact *right = *(struct hl_fact *const *)b;
	int order = compare_texts(left->host, right->host);

	if (!order)
		order = compare_texts(left->node, right->node);
	return order ? order : compare_texts(left->key, right->key);
}

static void push_fact(struct hl_graph *graph, struct hl_fact *fact)
{
	graph->facts = hl_arena_extend(graph->arena, graph->facts, graph->nr_facts,
				       sizeof(*graph->facts));
	graph->facts[graph->nr_facts++] = fact;
}

static void set_before(struct hl_fact *fact, const struct hl_fact *earlier)
{
	if (hl_fact_key_is_counter(fact->key) && fact->type == HL_FACT_NUMBER &&
	    earlier->type == HL_FACT_NUMBER && isnan(fact->before))
		fact->before = earlier->number;
}

/* known: of later captures, sorted. after: the one after the same run; NULL */
static void merge_facts(struct hl_graph *graph, struct hl_fact *const *known, size_t nr_known,
			const struct hl_graph *part, const struct hl_captured *after)
{
	for (size_t i = 0; i < part->nr_facts; i++) {
		struct hl_fact *const *found = nr_known ? bsearch(&part->facts[i], known, nr_known,
								  sizeof(*known), compare)
							: NULL;

		if (found && after)
			set_before(*found, part->facts[i]);
		if (found || (after && is_whole(after)))
			continue;
		part->facts[i]->is_earlier = after != NULL;
		push_fact(graph, part->facts[i]);
	}
}

/* Facts that were there before are of files, and no capture takes their place. */
static void merge_all_facts(const struct decoding *decoding)
{
	struct hl_graph *graph = decoding->graph;
	size_t first = graph->nr_facts;

	for (size_t i = hl_captures_nr(decoding->captures); i-- > 0;) {
		size_t nr = graph->nr_facts - first;
		HL_FREE struct hl_fact **known = hl_alloc((nr + 1) * sizeof(*known));

		if (nr) {
			memcpy(known, graph->facts + first, nr * sizeof(*known));
			qsort(known, nr, sizeof(*known), compare);
		}
		merge_facts(graph, known, nr, decoding->parts[i], after_of(decoding->captures, i));
	}
}

static const char *name_of(const struct hl_captured *captured)
{
	return captured->from ? captured->from : "this bundle";
}

/* Two machines, or one twice, that go by one name become one: the later says what counts. */
static void warn_of_namesakes(struct hl_graph *graph, const struct hl_captures *captures)
{
	for (size_t i = 1; i < hl_captures_nr(captures); i++) {
		const struct hl_captured *later = hl_captures_at(captures, i);

		for (size_t k = 0; k < i; k++) {
			const struct hl_captured *first = hl_captures_at(captures, k);

			if (first->stage != later->stage || !is_same_text(first->host, later->host))
				continue;
			hl_graph_warn(graph,
				      "a host %s was captured in %s and in %s: taken for one "
				      "machine, and what both tell is of the second",
				      later->host, name_of(first), name_of(later));
			break;
		}
	}
}

void hl_decode_captures(const struct hl_captures *captures, bool is_nameless,
			struct hl_graph *graph)
{
	size_t nr = hl_captures_nr(captures);
	HL_FREE struct hl_graph **parts = hl_alloc((nr + 1) * sizeof(*parts));
	const struct decoding decoding = { captures, is_nameless, graph, parts };

	for (size_t i = 0; i < nr; i++) {
		parts[i] = decode(&decoding, i);
		if (!after_of(captures, i))
			take_rest(graph, hl_captures_at(captures, i), parts[i]);
	}
	merge_all_facts(&decoding);
	warn_of_namesakes(graph, captures);
}
