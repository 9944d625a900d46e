/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entities of HTML: see hoploss/entity.h. Only those that stand for what is in the outputs of
 * tools (HTML 4.01, section 24).
 */
#include "hoploss/entity.h"
#include <string.h>
#include <strings.h>

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

/* ---- tags ---- */

/* Those that a page sets text with; no XML that a tool prints has one of them. */
static const char *const tags[] = { "pre",  "code", "strong", "span", "div", "br", "font",
				    "samp", "kbd",  "tt",     "em",   "p",   "b",  "i" };
#define NR_TAGS (sizeof(tags) / sizeof(*tags))

/* "<b>" and "</b>" are both in it: a lone one may be fio's name of a host. */
static bool has_pair(const char *line, size_t len, char letter)
{
	const char open[] = { '<', letter }, close[] = { '<', '/', letter, '>' };

	return memmem(line, len, open, sizeof(open)) && memmem(line, len, close, sizeof(close));
}

/* Length of the tag of that name that at begins with; 0 = it does not. */
static size_t tag_len(const char *at, const char *end, const char *name)
{
	const char *word = at + 1 + (at + 1 < end && at[1] == '/');
	size_t nr = strlen(name);
	const char *close;

	if ((size_t)(end - word) <= nr || strncasecmp(word, name, nr) != 0 ||
	    !strchr("> /", word[nr]))
		return 0;
	close = memchr(word, '>', (size_t)(end - word));
	if (!close || memchr(word, '<', (size_t)(close - word)))
		return 0;
	return (size_t)(close - at) + 1;
}

static size_t any_tag_len(const char *at, const char *end, const bool *is_tag)
{
	size_t nr = 0;

	for (size_t i = 0; !nr && i < NR_TAGS; i++)
		nr = is_tag[i] ? tag_len(at, end, tags[i]) : 0;
	return nr;
}

size_t hl_entity_drop_tags(char *line, size_t len)
{
	char *at = memchr(line, '<', len);
	bool is_tag[NR_TAGS];
	size_t nr;

	for (size_t i = 0; at && i < NR_TAGS; i++)
		is_tag[i] = tags[i][1] || has_pair(line, len, tags[i][0]);
	while (at) {
		nr = any_tag_len(at, line + len, is_tag);
		len -= nr;
		if (nr)
			memmove(at, at + nr, (size_t)(line + len - at));
		else
			at++;
		at = memchr(at, '<', (size_t)(line + len - at));
	}
	return len;
}

/* ---- tags of a forum ---- */

static const char *const forum_tags[] = { "code", "icode", "quote", "spoiler", "pre" };
#define NR_FORUM_TAGS (sizeof(forum_tags) / sizeof(*forum_tags))

unsigned hl_forum_tags(const char *text, size_t len)
{
	const char *end = text + len;
	unsigned found = 0;

	for (const char *at = text; (at = memmem(at, (size_t)(end - at), "[/", 2)); at++) {
		for (size_t i = 0; i < NR_FORUM_TAGS; i++) {
			size_t nr = strlen(forum_tags[i]);

			if ((size_t)(end - at) > nr + 2 && at[nr + 2] == ']' &&
			    !strncasecmp(at + 2, forum_tags[i], nr))
				found |= 1u << i;
		}
	}
	return found;
}

/* Length of "[CODE]", "[/CODE]" or "[CODE=bash]" at at; 0 = none of those in found. */
static size_t forum_tag_len(const char *at, const char *end, unsigned found)
{
	const char *word = at + 1 + (at + 1 < end && at[1] == '/');
	const char *close = memchr(at, ']', (size_t)(end - at));

	for (size_t i = 0; close && i < NR_FORUM_TAGS; i++) {
		size_t nr = strlen(forum_tags[i]);

		if (found & 1u << i && word + nr <= close &&
		    !strncasecmp(word, forum_tags[i], nr) && strchr("]= ", word[nr]))
			return (size_t)(close - at) + 1;
	}
	return 0;
}

size_t hl_forum_drop_tags(char *line, size_t len, unsigned found)
{
	char *at = memchr(line, '[', len);

	while (at) {
		size_t nr = forum_tag_len(at, line + len, found);

		len -= nr;
		if (nr)
			memmove(at, at + nr, (size_t)(line + len - at));
		else
			at++;
		at = memchr(at, '[', (size_t)(line + len - at));
	}
	return len;
}

size_t hl_entity_plain_blanks(char *line, size_t len)
{
	size_t used = 0;

	for (size_t i = 0, step; i < len; i += step) {
		char c = line[i];

		step = hl_entity(line + i, len - i, &c);
		if (c != ' ' || !step) {
			c = line[i];
			step = 1;
		}
		line[used++] = c;
	}
	return used;
}
