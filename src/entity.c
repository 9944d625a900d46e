/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entities of HTML: see hoploss/entity.h. Only those that stand for what is in the outputs of
 * tools (HTML 4.01, section 24).
 */
#include "hoploss/entity.h"
#include <string.h>

static const struct {
	const char *name;
	char c;
} entities[] = {
	{ "&lt;", '<' },   { "&gt;", '>' },   { "&quot;", '"' },  { "&apos;", '\'' },
	{ "&#39;", '\'' }, { "&#34;", '"' },  { "&#039;", '\'' }, { "&#x27;", '\'' },
	{ "&#x22;", '"' }, { "&#160;", ' ' }, { "&nbsp;", ' ' },  { "&amp;", '&' },
};
#define NR_ENTITIES (sizeof(entities) / sizeof(*entities))

size_t hl_entity(const char *bytes, size_t len, char *ret_c)
{
	for (size_t i = 0; len && *bytes == '&' && i < NR_ENTITIES; i++) {
		size_t nr = strlen(entities[i].name);

		if (nr <= len && !memcmp(bytes, entities[i].name, nr)) {
			*ret_c = entities[i].c;
			return nr;
		}
	}
	return 0;
}

/* Behind the tags that begin at at: "<pre><code>". */
static size_t skip_tags(const char *line, size_t len, size_t at)
{
	while (at < len && line[at] == '<') {
		const char *end = memchr(line + at, '>', len - at);

		if (!end)
			break;
		at = (size_t)(end - line) + 1;
	}
	return at;
}

bool hl_entity_is_json(const char *line, size_t len)
{
	size_t at = 0;
	char c = 0;

	while (at < len && (line[at] == ' ' || line[at] == '\t'))
		at++;
	at = skip_tags(line, len, at);
	while (at < len && line[at] && strchr(" \t{}[],", line[at]))
		at++;
	return hl_entity(line + at, len - at, &c) && c == '"';
}

size_t hl_entity_replace(char *bytes, size_t len)
{
	size_t used = 0;

	for (size_t i = 0, step; i < len; i += step) {
		char c = bytes[i];

		step = hl_entity(bytes + i, len - i, &c);
		step = step ? step : 1;
		bytes[used++] = c;
	}
	return used;
}
