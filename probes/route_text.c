/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where packets to an address leave, as "ip route get" prints it (ip-route(8)):
 *
 *   10.0.0.2 via 10.1.0.1 dev eth0 src 10.1.0.7 uid 0
 *       cache
 *   local 10.1.0.7 dev lo table local src 10.1.0.7 uid 0
 *
 * Facts of the address as node. A line of "ip route" looks similar, but is of a network.
 */
#include "hoploss/format.h"
#include "saved.h"
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define MAX_LINE 256

struct route { /* words of the line, in one buffer */
	char buffer[MAX_LINE];
	const char *address, *device, *source;
	bool is_local, is_got;
};

static bool is_address(const char *word)
{
	size_t len = strlen(word);

	return len >= 3 && strspn(word, "0123456789abcdefABCDEF.:") == len && strpbrk(word, ".:");
}

/* An address comes first; words of a table do not come at all. */
static bool may_stand(const struct route *route, const char *key, const char *word)
{
	if (!route->address)
		return !strcmp(word, "local") || is_address(word);
	return strcmp(key, "proto") != 0 && strcmp(key, "scope") != 0;
}

/* False: no answer to a look-up. */
static bool parse(struct hl_line line, struct route *route)
{
	char *rest = route->buffer, *word;
	const char *key = "";

	line = hl_line_trim(line);
	if (line.len >= MAX_LINE)
		return false;
	memset(route, 0, sizeof(*route));
	memcpy(route->buffer, line.start, line.len);
	while ((word = strsep(&rest, " \t"))) {
		if (!*word)
			continue;
		if (!may_stand(route, key, word))
			return false;
		if (!strcmp(word, "local") && !route->address)
			route->is_local = true;
		else if (!route->address)
			route->address = word;
		else if (!strcmp(key, "dev"))
			route->device = word;
		else if (!strcmp(key, "src"))
			route->source = word;
		route->is_got |= !strcmp(word, "uid") || !strcmp(word, "cache");
		key = word;
	}
	return route->address && route->device && route->source;
}

static size_t route_claim(const struct hl_text *text, size_t at)
{
	static const char *const cache[] = { "cache*", NULL };
	bool has_cache = at + 1 < text->nr_lines && saved_is_like(text->lines[at + 1], cache);
	struct route route;

	if (!parse(text->lines[at], &route) || (!route.is_got && !has_cache))
		return 0;
	return has_cache ? 2 : 1;
}

static int route_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	struct hl_graph *graph = reading->graph;
	struct hl_origin origin = { .host = reading->host };
	struct route route;

	if (!slice->nr_lines || !parse(slice->lines[0], &route))
		return hl_fail(err, EBADMSG, "%s: no route in it", slice->name);
	origin.node = route.address;
	origin.source = hl_arena_printf(graph->arena, "%s:%u", slice->name, slice->lines[0].number);
	hl_graph_add_string(graph, &origin, "route.device", route.device);
	hl_graph_add_string(graph, &origin, "route.source", route.source);
	hl_graph_add_boolean(graph, &origin, "route.is_local", route.is_local);
	return 0;
}

const struct hl_format hl_format_ip_route = {
	.name = "ip-route-get",
	.summary = "ip route get ADDRESS",
	.claim = route_claim,
	.read = route_read,
};
