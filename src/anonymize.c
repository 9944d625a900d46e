/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Anonymising a graph: see hoploss/anonymize.h. Two kinds of things are replaced: what the notation
 * gives away (src/identity.c), anywhere, and words that the graph itself says are names (hosts,
 * machines, serials), anywhere else they appear.
 */
#include "hoploss/anonymize.h"
#include "hoploss/identity.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define END       SIZE_MAX
#define MAX_TEXTS 6

struct texts { /* offsets of the strings in one kind of item */
	size_t at[MAX_TEXTS];
};

struct items { /* an array of pointers in the graph */
	size_t array, nr;
	struct texts texts;
};

#define IN(type, member) offsetof(struct hl_##type, member)
#define ITEMS(array, ...)                                                                          \
	{                                                                                          \
		IN(graph, array), IN(graph, nr_##array),                                           \
		{                                                                                  \
			{                                                                          \
				__VA_ARGS__, END                                                   \
			}                                                                          \
		}                                                                                  \
	}

static const struct items graph_items[] = {
	ITEMS(facts, IN(fact, host), IN(fact, node), IN(fact, string), IN(fact, source)),
	ITEMS(hops, IN(hop, name), IN(hop, host), IN(hop, target)),
	ITEMS(ceilings, IN(ceiling, name), IN(ceiling, formula)),
	ITEMS(findings, IN(finding, text), IN(finding, fix), IN(finding, next)),
	ITEMS(verdicts, IN(verdict, text)),
	ITEMS(experiments, IN(experiment, decided)),
	ITEMS(timeline, IN(series, host), IN(series, node)),
	ITEMS(probes, IN(probe_status, host), IN(probe_status, reason)),
	ITEMS(inputs, IN(input, file), IN(input, reason)),
};

static const struct texts graph_texts = { { IN(graph, path_name), IN(graph, stop_reason), END } };
static const struct texts disk_texts = { { IN(disk, name), IN(disk, file), END } };
static const struct texts measurement_texts = {
	{ IN(measurement, workload.name), IN(measurement, file), IN(measurement, reason),
	  IN(measurement, change), IN(measurement, drive), END }
};

/* Keys whose string is a name of one machine or part. */
static const char *const naming_suffixes[] = { ".serial", ".wwn", ".hostname", ".guid", ".user" };

/* Words that may be a host's name too, but that a report cannot do without. */
static const char *const common_words[] = { "local", "host", "read", "write", "mixed", "trim" };

struct stand_in {
	const char *from, *to;
	size_t len;    /* of from */
	bool is_named; /* by the graph: looked for as a word */
};

struct mapper {
	struct hl_arena *arena;
	struct stand_in *stand_ins;
	size_t nr_stand_ins;
	unsigned nr_of_kind[32];
	bool has_found;   /* for look_at */
	bool keeps_paths; /* in commands: they name what is to be filled in */
};

typedef void see_text(struct mapper *mapper, const char **text);

/* ---- every string of the graph ---- */

static void see_texts(struct mapper *mapper, void *item, const struct texts *texts, see_text *see)
{
	for (size_t i = 0; texts->at[i] != END; i++) {
		const char **text = (const char **)((char *)item + texts->at[i]);

		if (*text)
			see(mapper, text);
	}
}

static void see_hop(struct mapper *mapper, struct hl_hop *hop, see_text *see)
{
	for (size_t i = 0; i < hop->nr_measurements; i++)
		see_texts(mapper, hop->measurements[i], &measurement_texts, see);
	for (size_t i = 0; i < hop->nr_disks; i++)
		see_texts(mapper, hop->disks[i], &disk_texts, see);
}

static void see_graph(struct mapper *mapper, struct hl_graph *graph, see_text *see)
{
	see_texts(mapper, graph, &graph_texts, see);
	for (size_t i = 0; i < sizeof(graph_items) / sizeof(graph_items[0]); i++) {
		void **array = *(void ***)((char *)graph + graph_items[i].array);
		size_t nr = *(size_t *)((char *)graph + graph_items[i].nr);

		for (size_t j = 0; j < nr; j++)
			see_texts(mapper, array[j], &graph_items[i].texts, see);
	}
	for (size_t i = 0; i < graph->nr_hops; i++)
		see_hop(mapper, graph->hops[i], see);
	for (size_t i = 0; i < graph->nr_warnings; i++)
		see(mapper, &graph->warnings[i]);
	mapper->keeps_paths = true;
	for (size_t i = 0; i < graph->nr_findings; i++) {
		if (graph->findings[i]->paste)
			see(mapper, &graph->findings[i]->paste);
	}
	mapper->keeps_paths = false;
}

/* ---- stand-ins ---- */

static const char *find_stand_in(const struct mapper *mapper, const char *from, size_t len)
{
	for (size_t i = 0; i < mapper->nr_stand_ins; i++) {
		const struct stand_in *known = &mapper->stand_ins[i];

		if (known->len == len && !memcmp(known->from, from, len))
			return known->to;
	}
	return NULL;
}

static const char *add_stand_in(struct mapper *mapper, const char *from, size_t len, const char *to,
				bool is_named)
{
	mapper->stand_ins = hl_arena_extend(mapper->arena, mapper->stand_ins, mapper->nr_stand_ins,
					    sizeof(*mapper->stand_ins));
	mapper->stand_ins[mapper->nr_stand_ins++] = (struct stand_in){
		hl_arena_strndup(mapper->arena, from, len),
		to,
		len,
		is_named,
	};
	return to;
}

static const char *stand_in_of(struct mapper *mapper, const struct hl_identity *kind,
			       const char *from, size_t len)
{
	const char *known = find_stand_in(mapper, from, len);
	unsigned n;

	if (known)
		return known;
	n = ++mapper->nr_of_kind[kind - hl_identities];
	known = kind->is_pair ? hl_arena_printf(mapper->arena, kind->format, n / 256, n % 256)
			      : hl_arena_printf(mapper->arena, kind->format, n);
	return add_stand_in(mapper, from, len, known, false);
}

static bool is_common_word(const char *word)
{
	enum hl_layer layer;

	if (strlen(word) < 2 || hl_layer_parse(word, &layer) == 0)
		return true;
	for (size_t i = 0; i < sizeof(common_words) / sizeof(common_words[0]); i++) {
		if (!strcmp(common_words[i], word))
			return true;
	}
	return false;
}

static void name_word(struct mapper *mapper, const char *word, const char *format)
{
	if (!word || is_common_word(word) || find_stand_in(mapper, word, strlen(word)))
		return;
	add_stand_in(mapper, word, strlen(word),
		     hl_arena_printf(mapper->arena, format, (unsigned)mapper->nr_stand_ins + 1),
		     true);
}

static bool has_suffix(const char *text, const char *suffix)
{
	size_t len = strlen(text), suffix_len = strlen(suffix);

	return len > suffix_len && !strcmp(text + len - suffix_len, suffix);
}

static void name_fact(struct mapper *mapper, const struct hl_fact *fact)
{
	name_word(mapper, fact->host, "host-%u");
	if (!strncmp(fact->key, "vm.", 3))
		name_word(mapper, fact->node, "machine-%u");
	for (size_t i = 0; i < sizeof(naming_suffixes) / sizeof(naming_suffixes[0]); i++) {
		if (fact->type == HL_FACT_STRING && has_suffix(fact->key, naming_suffixes[i]))
			name_word(mapper, fact->string, "name-%u");
	}
}

/* A name that is a word of reports, too, is replaced where it is all of a text that names a host.
 */
static void name_host(struct mapper *mapper, const char **host)
{
	const char *known;

	if (!*host || !is_common_word(*host))
		return;
	known = find_stand_in(mapper, *host, strlen(*host));
	if (!known)
		known = add_stand_in(mapper, *host, strlen(*host),
				     hl_arena_printf(mapper->arena, "host-%u",
						     (unsigned)mapper->nr_stand_ins + 1),
				     false);
	*host = known;
}

static void name_hosts(struct mapper *mapper, struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_facts; i++)
		name_host(mapper, &graph->facts[i]->host);
	for (size_t i = 0; i < graph->nr_hops; i++)
		name_host(mapper, &graph->hops[i]->host);
	for (size_t i = 0; i < graph->nr_timeline; i++)
		name_host(mapper, &graph->timeline[i]->host);
	for (size_t i = 0; i < graph->nr_probes; i++)
		name_host(mapper, &graph->probes[i]->host);
}

static void name_words(struct mapper *mapper, const struct hl_graph *graph)
{
	for (size_t i = 0; i < graph->nr_facts; i++)
		name_fact(mapper, graph->facts[i]);
	for (size_t i = 0; i < graph->nr_hops; i++)
		name_word(mapper, graph->hops[i]->host, "host-%u");
	for (size_t i = 0; i < graph->nr_timeline; i++)
		name_word(mapper, graph->timeline[i]->host, "host-%u");
	for (size_t i = 0; i < graph->nr_probes; i++)
		name_word(mapper, graph->probes[i]->host, "host-%u");
}

/* ---- one text ---- */

static bool is_word_end(const char *at)
{
	return !isalnum((unsigned char)*at) && *at != '_';
}

static const struct stand_in *find_name_at(const struct mapper *mapper, const char *at,
					   const char *start)
{
	if (at > start && !is_word_end(at - 1))
		return NULL;
	for (size_t i = 0; i < mapper->nr_stand_ins; i++) {
		const struct stand_in *name = &mapper->stand_ins[i];

		if (name->is_named && !strncmp(at, name->from, name->len) &&
		    is_word_end(at + name->len))
			return name;
	}
	return NULL;
}

/* What stands at "at" in the report instead; *ret_len: how much of the text it takes. Or NULL. */
static const char *replace_at(struct mapper *mapper, const char *at, const char *start,
			      size_t *ret_len)
{
	const struct stand_in *name = find_name_at(mapper, at, start);
	const struct hl_identity *kind;

	if (name) {
		*ret_len = name->len;
		return name->to;
	}
	kind = hl_identity_at(at, start, mapper->keeps_paths, ret_len);
	return kind ? stand_in_of(mapper, kind, at, *ret_len) : NULL;
}

static void replace_in(struct mapper *mapper, const char **text)
{
	HL_FREE char *result = NULL;
	size_t result_len = 0, len = 0;
	HL_FCLOSE FILE *out = open_memstream(&result, &result_len);
	const char *start = *text;
	bool has_changed = false;

	for (const char *at = start; out && *at;) {
		const char *to = replace_at(mapper, at, start, &len);

		if (to) {
			fputs(to, out);
			at += len;
			has_changed = true;
		} else {
			fputc(*at++, out);
		}
	}
	if (out && fflush(out) == 0 && has_changed)
		*text = hl_arena_strndup(mapper->arena, result, result_len);
}

static void look_at(struct mapper *mapper, const char **text)
{
	size_t len;

	for (const char *at = *text; *at && !mapper->has_found; at++)
		mapper->has_found = hl_identity_at(at, *text, mapper->keeps_paths, &len);
}

/* ---- the whole ---- */

bool hl_anonymize_is_needed(const struct hl_graph *graph)
{
	struct hl_arena *arena = hl_arena_new();
	struct mapper mapper = { .arena = arena };

	name_words(&mapper, graph);
	mapper.has_found = mapper.nr_stand_ins > 0;
	see_graph(&mapper, (struct hl_graph *)graph, look_at);
	hl_arena_free(arena);
	return mapper.has_found;
}

void hl_anonymize_graphs(struct hl_graph *const *graphs, size_t nr, const char **const *texts,
			 size_t nr_texts)
{
	struct mapper mapper = { .arena = nr ? graphs[0]->arena : NULL };

	for (size_t i = 0; i < nr; i++)
		name_words(&mapper, graphs[i]);
	for (size_t i = 0; i < nr; i++) {
		name_hosts(&mapper, graphs[i]);
		see_graph(&mapper, graphs[i], replace_in);
		graphs[i]->seed = 0;
		graphs[i]->has_identities = false;
	}
	for (size_t i = 0; i < nr_texts; i++) {
		if (*texts[i])
			replace_in(&mapper, texts[i]);
	}
}

void hl_anonymize_graph(struct hl_graph *graph)
{
	hl_anonymize_graphs(&graph, 1, NULL, 0);
}
