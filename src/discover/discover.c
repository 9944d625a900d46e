/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Discovering a path: see hoploss/discover.h.
 */
#include "discovery.h"
#include "hoploss/text.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#define LONGEST_NOTE 300 /* bytes of foreign text in one comment */

/* Foreign text may not end a comment and begin a line. */
static char *one_line(char *text)
{
	for (char *at = text; *at;) {
		size_t len = hl_text_utf8(at, strlen(at));

		if (!len || (unsigned char)*at < 0x20 || *at == 0x7f)
			*at = '?';
		at += len ? len : 1;
	}
	return text;
}

const char *print(struct discovery *discovery, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = hl_arena_vprintf(discovery->arena, format, args);
	va_end(args);
	if (strlen(text) > LONGEST_NOTE)
		memcpy(text + LONGEST_NOTE - 3, "...", sizeof("..."));
	return one_line(text);
}

static void add_text(struct discovery *discovery, struct texts *texts, const char *text)
{
	texts->items = hl_arena_extend(discovery->arena, texts->items, texts->nr,
				       sizeof(const char *));
	texts->items[texts->nr++] = text;
}

struct found *add_hop(struct discovery *discovery, const char *name, enum hl_layer layer,
		      const char *host)
{
	struct found *hop = hl_arena_alloc(discovery->arena, sizeof(*hop));

	hop->name = name;
	hop->layer = layer;
	hop->host = host;
	for (size_t i = 0; i < discovery->nr_hops; i++) {
		if (!strcmp(discovery->hops[i]->name, name) && host)
			hop->name = print(discovery, "%s-%s", name, host);
	}
	discovery->hops = hl_arena_extend(discovery->arena, discovery->hops, discovery->nr_hops,
					  sizeof(struct found *));
	discovery->hops[discovery->nr_hops++] = hop;
	return hop;
}

void add_target(struct discovery *discovery, struct found *hop, const char *target)
{
	add_text(discovery, &hop->targets, target);
}

static void add_evidence(struct discovery *discovery, const struct hl_fact *fact)
{
	struct hl_discovered *result = discovery->result;

	for (size_t i = 0; i < result->nr_facts; i++) {
		if (result->facts[i] == fact)
			return;
	}
	result->facts = hl_arena_extend(discovery->arena, result->facts, result->nr_facts,
					sizeof(const struct hl_fact *));
	result->facts[result->nr_facts++] = fact;
}

void note(struct discovery *discovery, struct found *hop, const struct hl_fact *fact,
	  const char *format, ...)
{
	va_list args;
	const char *text;

	va_start(args, format);
	text = hl_arena_vprintf(discovery->arena, format, args);
	va_end(args);
	if (fact) {
		add_evidence(discovery, fact);
		text = print(discovery, "%s: %s of %s%s%s, %s", text, fact->key, fact->node,
			     fact->host ? " on " : "", fact->host ? fact->host : "",
			     fact->source ? fact->source : "?");
	}
	add_text(discovery, &hop->notes, print(discovery, "%s", text));
}

static void add_open_line(struct discovery *discovery, const char *text)
{
	struct hl_discovered *result = discovery->result;
	struct texts open = { result->open, result->nr_open };

	add_text(discovery, &open, text);
	result->open = open.items;
	result->nr_open = open.nr;
}

void offer(struct discovery *discovery, struct found *hop, const char *line, const char *why)
{
	add_text(discovery, &hop->asks, print(discovery, "%s", why));
	add_text(discovery, &hop->asks, print(discovery, "%s", line));
}

void ask(struct discovery *discovery, struct found *hop, const char *line, const char *why)
{
	offer(discovery, hop, line, print(discovery, "to fill in: %s", why));
	add_open_line(discovery, print(discovery, "%s: %s", hop->name, why));
}

struct found *add_open(struct discovery *discovery, const char *name, enum hl_layer layer,
		       const char *target, const char *why)
{
	struct found *hop = add_hop(discovery, name, layer, "HOST");

	hop->is_open = true;
	discovery->result->nr_open_hops += layer != HL_LAYER_DATASHEET;
	add_target(discovery, hop, target);
	note(discovery, hop, NULL, "to fill in: %s", why);
	add_open_line(discovery, print(discovery, "%s: %s", hop->name, why));
	return hop;
}

/* ---- the leaves there are ---- */

/* A disk, a data set or an export; tmpfs, overlay and their like stand on nothing. */
static bool is_on_device(const struct hl_graph *graph, const struct hl_fact *mount)
{
	if (strpbrk(mount->string, "/:"))
		return true;
	for (size_t i = 0; i < graph->nr_facts; i++) {
		const struct hl_fact *fact = graph->facts[i];

		if (!strncmp(fact->key, "block.", 6) && fact->node && fact->host && mount->host &&
		    !strcmp(fact->node, mount->string) && !strcmp(fact->host, mount->host))
			return true;
	}
	return false;
}

/* Not what a kernel or a container brings along. */
static bool is_worth_asking(const struct hl_graph *graph, const struct hl_fact *fact)
{
	static const char *const not_below[] = { "/proc", "/sys", "/dev", "/run", "/boot", "/etc" };

	if (strcmp(fact->key, "mount.device") || fact->type != HL_FACT_STRING || !fact->node ||
	    !strncmp(fact->string, "loop", 4))
		return false;
	for (size_t i = 0; i < sizeof(not_below) / sizeof(*not_below); i++) {
		size_t len = strlen(not_below[i]);

		if (!strncmp(fact->node, not_below[i], len) &&
		    (!fact->node[len] || fact->node[len] == '/'))
			return false;
	}
	return is_on_device(graph, fact);
}

const struct hl_fact *hl_discover_leaf_at(const struct hl_graph *graph, size_t index)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		if (is_worth_asking(graph, graph->facts[i]) && !index--)
			return graph->facts[i];
	}
	return NULL;
}

/* ---- the whole ---- */

void hl_discovered_free(struct hl_discovered *discovered)
{
	if (discovered)
		hl_arena_free(discovered->arena);
}

static bool knows_host(const struct hl_graph *graph, const char *host)
{
	for (size_t i = 0; i < graph->nr_facts; i++) {
		if (graph->facts[i]->host && !strcmp(graph->facts[i]->host, host))
			return true;
	}
	return false;
}

/* With those that are known, for a name is soon mistaken. */
static int fail_host(struct discovery *discovery, struct hl_error *err)
{
	const char *known = NULL, *last = NULL;

	for (size_t i = 0; i < discovery->graph->nr_facts; i++) { /* sorted by host */
		const char *host = discovery->graph->facts[i]->host;

		if (!host || (last && !strcmp(host, last)))
			continue;
		last = host;
		known = known ? print(discovery, "%s, %s", known, host) : host;
	}
	return hl_fail(err, ENOENT, "nothing is known of host %s%s%s", discovery->asked->host,
		       known ? "; known are " : "", known ? known : "");
}

int hl_discover(const struct hl_graph *graph, const struct hl_discover *asked,
		struct hl_discovered **ret_discovered, struct hl_error *err)
{
	struct hl_arena *arena = hl_arena_new();
	struct hl_discovered *result = hl_arena_alloc(arena, sizeof(*result));
	struct discovery discovery = {
		.arena = arena, .graph = graph, .asked = asked, .result = result
	};
	int rc = 0;

	result->arena = arena;
	if (!knows_host(graph, asked->host))
		rc = fail_host(&discovery, err);
	if (rc == 0)
		rc = take_leaf(&discovery, err);
	if (rc == 0)
		rc = path_out(&discovery, &result->text, err);
	if (rc < 0)
		hl_discovered_free(result);
	else
		*ret_discovered = result;
	return rc;
}
