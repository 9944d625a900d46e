/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pasted XML: see markup.h. Not a parser: it knows tags, attributes and comments by their looks,
 * and what it writes is parsed by libxml2.
 *
 * Surprising: a blog turns quotes into typographic ones; within a tag they count as quotes.
 */
#include "markup.h"
#include "hoploss/alloc.h"
#include "hoploss/entity.h"
#include "hoploss/text.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAG_MAX 8192 /* bytes of one tag, wrapped lines included */
#define OTHER_MAX                                                                                  \
	65536 /* of a comment: one without an end must not be looked through each time             \
	       */

static bool is_name_start(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.' || c == ':';
}

static size_t name_length(const char *bytes, size_t len)
{
	size_t nr = 0;

	if (!len || !is_name_start(*bytes))
		return 0;
	while (nr < len && is_name(bytes[nr]))
		nr++;
	return nr;
}

/* ' or ", 1 byte, or a typographic one, 3 bytes: U+2018, 2019, 201C, 201D. 0 = no quote. */
static size_t quote_length(const char *bytes, size_t len)
{
	if (len && (*bytes == '\'' || *bytes == '"'))
		return 1;
	if (len < 3 || memcmp(bytes, "\xe2\x80", 2) != 0)
		return 0;
	return strchr("\x98\x99\x9c\x9d", bytes[2]) && bytes[2] ? 3 : 0;
}

static bool is_same_kind(const char *open, const char *close, size_t len)
{
	return len == 1 ? *open == *close : (open[2] & 4) == (close[2] & 4);
}

/* The end of a quoted value that begins at at; at itself if it does not end in this tag. */
static size_t skip_quoted(const struct markup *markup, size_t at)
{
	const char *bytes = markup->bytes;
	size_t nr = quote_length(bytes + at, markup->len - at);

	for (size_t i = at + nr; nr && i < markup->len && bytes[i] != '<'; i++) {
		if (quote_length(bytes + i, markup->len - i) == nr &&
		    is_same_kind(bytes + at, bytes + i, nr))
			return i + nr;
	}
	return at;
}

/* Behind the tag that begins at at: its '>', or where it is cut off. */
static size_t skip_tag(const struct markup *markup, size_t at, bool *ret_is_whole)
{
	const char *bytes = markup->bytes;
	size_t end = at + TAG_MAX < markup->len ? at + TAG_MAX : markup->len;

	*ret_is_whole = false;
	for (size_t i = at + 1; i < end;) {
		size_t behind = i;

		if (bytes[i] == '<')
			return i;
		if (bytes[i] == '>') {
			*ret_is_whole = true;
			return i + 1;
		}
		if (i > at + 1 && bytes[i - 1] == '=')
			behind = skip_quoted(markup, i);
		i = behind > i ? behind : i + 1;
	}
	return end;
}

/*
 * Behind the first end from at on, whose last byte is '>'; 0 = none. at is behind the begin, which
 * is as long as the end and more, so looking back stays within. Not memmem, which is slow here.
 */
static size_t find_end(const char *bytes, size_t at, size_t len, const char *end)
{
	size_t nr = strlen(end);

	while (at < len) {
		const char *found = memchr(bytes + at, '>', len - at);

		if (!found)
			return 0;
		if (!memcmp(found + 1 - nr, end, nr))
			return (size_t)(found - bytes) + 1;
		at = (size_t)(found - bytes) + 1;
	}
	return 0;
}

size_t markup_skip_other(const struct markup *markup, size_t at)
{
	static const struct {
		const char *begin, *end;
	} rows[] = { { "<!--", "-->" }, { "<![CDATA[", "]]>" }, { "<!", ">" }, { "<?", ">" } };
	const char *bytes = markup->bytes + at;
	size_t len = markup->len - at < OTHER_MAX ? markup->len - at : OTHER_MAX;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t nr = strlen(rows[i].begin), end;

		if (len < nr || memcmp(bytes, rows[i].begin, nr) != 0)
			continue;
		end = find_end(bytes, nr, len, rows[i].end);
		return at + (end ? end : nr);
	}
	return 0;
}

bool markup_next(struct markup *markup, struct markup_tag *ret_tag)
{
	while (markup->at < markup->len) {
		const char *found = memchr(markup->bytes + markup->at, '<',
					   markup->len - markup->at);
		struct markup_tag tag = { 0 };
		size_t at, other;
		bool is_whole;

		markup->at = markup->len;
		if (!found)
			return false;
		at = (size_t)(found - markup->bytes);
		other = markup_skip_other(markup, at);
		tag.is_close = at + 1 < markup->len && found[1] == '/';
		tag.name = found + 1 + tag.is_close;
		tag.name_len = name_length(tag.name, markup->len - at - 1 - tag.is_close);
		if (!tag.name_len) {
			markup->at = other ? other : at + 1;
			continue;
		}
		tag.start = at;
		tag.attributes = (size_t)(tag.name - markup->bytes) + tag.name_len;
		tag.end = markup->at = skip_tag(markup, at, &is_whole);
		tag.is_empty = is_whole && markup->bytes[tag.end - 2] == '/';
		*ret_tag = tag;
		return true;
	}
	return false;
}

bool markup_tag_is(const struct markup_tag *tag, const char *name)
{
	return strlen(name) == tag->name_len && !memcmp(tag->name, name, tag->name_len);
}

/* The value that begins at at: in quotes, or up to a blank or the end of the tag. */
static size_t take_value(const struct markup *markup, size_t at, size_t end,
			 struct markup_attribute *attribute)
{
	size_t nr = quote_length(markup->bytes + at, end - at), behind = skip_quoted(markup, at);

	if (behind > at && behind <= end) {
		attribute->value = markup->bytes + at + nr;
		attribute->value_len = behind - at - 2 * nr;
		return behind;
	}
	attribute->value = markup->bytes + at + nr;
	for (behind = at + nr; behind < end; behind++) {
		if (isspace((unsigned char)markup->bytes[behind]) ||
		    strchr("<>", markup->bytes[behind]) ||
		    (behind + 1 < end && !memcmp(markup->bytes + behind, "/>", 2)))
			break;
	}
	attribute->value_len = behind - at - nr;
	return behind;
}

bool markup_attribute_next(const struct markup *markup, const struct markup_tag *tag, size_t *at,
			   struct markup_attribute *ret_attribute)
{
	const char *bytes = markup->bytes;

	while (*at < tag->end) {
		struct markup_attribute attribute = { .name = bytes + *at };
		size_t equals;

		attribute.name_len = name_length(attribute.name, tag->end - *at);
		equals = *at + attribute.name_len;
		if (!attribute.name_len || equals >= tag->end || bytes[equals] != '=') {
			*at += attribute.name_len ? attribute.name_len : 1;
			continue;
		}
		*at = take_value(markup, equals + 1, tag->end, &attribute);
		*ret_attribute = attribute;
		return true;
	}
	return false;
}

/* ---- "&lt;" ---- */

bool markup_is_escaped(const char *bytes, size_t len)
{
	return len > 4 && !memcmp(bytes, "&lt;", 4) && (is_name_start(bytes[4]) || bytes[4] == '!');
}

char *markup_unescape(const char *bytes, size_t len, size_t *ret_len)
{
	char *out = hl_alloc(len + 1);

	if (len)
		memcpy(out, bytes, len);
	*ret_len = hl_entity_replace(out, len);
	return out;
}
