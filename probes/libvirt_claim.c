/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines are libvirt's XML: a whole document, or elements without their root, as people paste
 * the part that they changed.
 *
 * An element ends with its last tag, however the lines are broken. One that is cut short ends with
 * the last tag before the next document, or before many lines without any.
 */
#include "libvirt.h"
#include "markup.h"
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX   48
#define LEADS_MAX   8  /* comments and declarations in front */
#define QUIET_LINES 40 /* without a tag, in an element: it was cut short */
#define NOT_A_START SIZE_MAX
#define WINDOW      8192 /* bytes in which an escaped document must begin */

/* Elements that are known by name, and the attributes of which they have one. */
static const struct start {
	const char *name;
	const char *attributes[6]; /* none: any do */
	const char *never;         /* attribute that is of another kind of file */
	bool is_document;
} starts[] = {
	{ .name = "domain", .attributes = { "type", "id" }, .is_document = true },
	{ .name = "domstatus", .is_document = true },
	{ .name = "domainsnapshot", .is_document = true },
	{ .name = "device", .is_document = true },
	{ .name = "disk", .attributes = { "type", "device" } },
	{ .name = "interface", .attributes = { "type" }, .never = "name" },
	{ .name = "hostdev", .attributes = { "mode", "type" } },
	{ .name = "driver", .attributes = { "name", "cache", "io", "iothread", "queues", "type" } },
	{ .name = "controller", .attributes = { "type" } },
	{ .name = "devices" },
	{ .name = "vcpu" },
	{ .name = "iothreads" },
	{ .name = "iothreadids" },
	{ .name = "cputune" },
	{ .name = "numatune" },
	{ .name = "memoryBacking" },
};

static bool has_attribute(const struct markup *markup, const struct markup_tag *tag,
			  const char *name)
{
	size_t at = tag->attributes;
	struct markup_attribute attribute;

	while (markup_attribute_next(markup, tag, &at, &attribute)) {
		if (attribute.name_len == strlen(name) &&
		    !memcmp(attribute.name, name, attribute.name_len))
			return true;
	}
	return false;
}

static bool fits(const struct markup *markup, const struct markup_tag *tag,
		 const struct start *start)
{
	const size_t nr = sizeof(start->attributes) / sizeof(*start->attributes);

	if (!markup_tag_is(tag, start->name) ||
	    (start->never && has_attribute(markup, tag, start->never)))
		return false;
	for (size_t i = 0; i < nr && start->attributes[i]; i++) {
		if (has_attribute(markup, tag, start->attributes[i]))
			return true;
	}
	return !start->attributes[0];
}

/* A device of a node is one with a name in front and a capability. */
static bool is_nodedev(const struct markup *markup)
{
	struct markup ahead = *markup;
	struct markup_tag tag;

	if (!markup_next(&ahead, &tag) || !markup_tag_is(&tag, "name"))
		return false;
	for (unsigned i = 0; i < 32 && markup_next(&ahead, &tag); i++) {
		if (markup_tag_is(&tag, "capability"))
			return true;
	}
	return false;
}

static const struct start *find_start(const struct markup *markup, const struct markup_tag *tag)
{
	for (size_t i = 0; !tag->is_close && i < sizeof(starts) / sizeof(*starts); i++) {
		if (!fits(markup, tag, &starts[i]))
			continue;
		if (!strcmp(starts[i].name, "device") && !is_nodedev(markup))
			return NULL;
		return &starts[i];
	}
	return NULL;
}

/* Where the tag is that follows at once, behind blanks and comments. */
static size_t skip_leads(const struct markup *markup, size_t at)
{
	for (unsigned leads = 0; leads <= LEADS_MAX; leads++) {
		size_t behind;

		while (at < markup->len && isspace((unsigned char)markup->bytes[at]))
			at++;
		behind = at < markup->len ? markup_skip_other(markup, at) : 0;
		if (behind && markup->bytes[behind - 1] != '>')
			return NOT_A_START; /* it has no end */
		if (!behind)
			return at < markup->len && markup->bytes[at] == '<' ? at : NOT_A_START;
		at = behind;
	}
	return NOT_A_START;
}

/* The known element that follows at once; markup stands behind its tag then. */
static const struct start *next_start(struct markup *markup, struct markup_tag *ret_tag)
{
	size_t at = skip_leads(markup, markup->at);
	struct markup ahead = *markup;
	const struct start *start;

	if (at == NOT_A_START)
		return NULL;
	ahead.at = at;
	if (!markup_next(&ahead, ret_tag) || ret_tag->start != at)
		return NULL;
	start = find_start(&ahead, ret_tag);
	if (start)
		*markup = ahead;
	return start;
}

static size_t count_lines(const char *bytes, size_t len)
{
	size_t nr = 0;

	for (const char *at = bytes; (at = memchr(at, '\n', len - (size_t)(at - bytes))); at++)
		nr++;
	return nr;
}

static void close_element(struct markup_tag *open, unsigned *depth, const struct markup_tag *tag)
{
	for (unsigned i = *depth; i > 0; i--) {
		if (open[i - 1].name_len != tag->name_len ||
		    memcmp(open[i - 1].name, tag->name, tag->name_len) != 0)
			continue;
		*depth = i - 1;
		return;
	}
}

/* Not the <domain> of a PCI address, which has no attributes. */
static bool begins_another(const struct markup_tag *tag, const struct markup_tag *outermost)
{
	return !tag->is_close && tag->end - tag->attributes > 1 &&
	       (markup_tag_is(tag, "domain") || markup_tag_is(tag, "domstatus")) &&
	       !markup_tag_is(outermost, "domstatus") &&
	       !markup_tag_is(outermost, "domainsnapshot");
}

/* Where the element ends whose first tag markup has just passed; markup stands there then. */
static void skip_element(struct markup *markup, const struct markup_tag *first)
{
	struct markup_tag open[DEPTH_MAX], tag = *first;
	unsigned depth = 0, too_deep = 0;
	size_t end = first->end;

	do {
		if (depth && (begins_another(&tag, &open[0]) ||
			      count_lines(markup->bytes + end, tag.start - end) > QUIET_LINES))
			break;
		if (!tag.is_close && !tag.is_empty && depth == DEPTH_MAX)
			too_deep++;
		else if (!tag.is_close && !tag.is_empty)
			open[depth++] = tag;
		else if (tag.is_close && too_deep)
			too_deep--;
		else if (tag.is_close)
			close_element(open, &depth, &tag);
		end = tag.end;
	} while (depth && markup_next(markup, &tag));
	markup->at = end;
}

/* Ends of elements whose begin was not pasted. */
static void skip_stray_ends(struct markup *markup)
{
	for (;;) {
		struct markup ahead = *markup;
		struct markup_tag tag;

		ahead.at = skip_leads(markup, markup->at);
		if (ahead.at == NOT_A_START || !markup_next(&ahead, &tag) || !tag.is_close ||
		    !(markup_tag_is(&tag, "devices") || markup_tag_is(&tag, "domain")))
			return;
		*markup = ahead;
	}
}

/* Bytes of libvirt's XML from the begin of markup on; 0 = none. */
static size_t extent(struct markup markup)
{
	struct markup_tag tag;
	const struct start *start = next_start(&markup, &tag);

	if (!start)
		return 0;
	skip_element(&markup, &tag);
	while (!start->is_document) {
		struct markup ahead = markup;
		const struct start *next;

		skip_stray_ends(&ahead);
		markup = ahead;
		next = next_start(&ahead, &tag);
		if (!next || next->is_document)
			break;
		skip_element(&ahead, &tag);
		markup = ahead;
	}
	return markup.at;
}

/* The column at which a document begins in a line, behind a prompt or a page's own tags; or 0. */
static size_t find_column(struct hl_line line)
{
	static const char *const begins[] = { "<", "&lt;" };
	const char *word = memmem(line.start, line.len, "domain ", strlen("domain "));
	size_t before = word ? (size_t)(word - line.start) : 0;

	if (!word || (!hl_line_has(line, " type=") && !hl_line_has(line, " id=")) ||
	    !strchr(">;", line.start[line.len - 1]))
		return 0;
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		size_t nr = strlen(begins[i]);

		if (before >= nr && !memcmp(word - nr, begins[i], nr))
			return before - nr;
	}
	return 0;
}

/* The text that is meant by an escaped one, up to the next domain in it. To be freed. */
static char *unescape(const char *bytes, size_t len, struct markup *ret_markup)
{
	static const char next[] = "&lt;domain ";
	const char *found = len > 1 ? memmem(bytes + 1, len - 1, next, strlen(next)) : NULL;
	char *plain = markup_unescape(bytes, found ? (size_t)(found - bytes) : len,
				      &ret_markup->len);

	ret_markup->bytes = plain;
	ret_markup->at = 0;
	return plain;
}

/* Cheap, for each line of a page comes here: is it the name of a start, or a whole comment? */
static bool may_begin(const char *bytes, size_t len)
{
	static const char end[] = "&gt;";
	const char *word = bytes + strlen("&lt;");
	size_t window = len < WINDOW ? len : WINDOW;

	if (*word == '!' || *word == '?')
		return memmem(word, window - strlen("&lt;"), end, strlen(end)) != NULL;
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		size_t nr = strlen(starts[i].name);

		if (window > nr + 4 && !memcmp(word, starts[i].name, nr) &&
		    !isalnum((unsigned char)word[nr]))
			return true;
	}
	return false;
}

/* The same for sure. */
static bool does_begin(const char *bytes, size_t len)
{
	struct markup markup = { 0 };
	struct markup_tag tag;
	HL_FREE __attribute__((unused)) char *plain = unescape(bytes, len < WINDOW ? len : WINDOW,
							       &markup);

	return next_start(&markup, &tag) != NULL;
}

/* Lines from a column of the first line of text on; 0 = nothing begins there. */
static size_t claim_at(const struct hl_text *text, size_t column)
{
	struct markup markup = { .at = column };
	HL_FREE char *plain = NULL;
	size_t end;

	markup.bytes = hl_text_bytes(text, &markup.len);
	if (markup.bytes[column] == '&') {
		if (!may_begin(markup.bytes + column, markup.len - column) ||
		    !does_begin(markup.bytes + column, markup.len - column))
			return 0;
		plain = unescape(markup.bytes + column, markup.len - column, &markup);
	}
	end = extent(markup);
	if (!end)
		return 0;
	return count_lines(markup.bytes, end) + (markup.bytes[end - 1] != '\n');
}

size_t libvirt_claim(const struct hl_text *text, size_t at)
{
	struct hl_line line = hl_line_trim(text->lines[at]);
	struct hl_text rest = hl_text_slice(text, at, text->nr_lines - at);
	size_t indent, column, nr = 0;

	if (!line.len)
		return 0;
	indent = (size_t)(line.start - text->lines[at].start);
	column = find_column(line);
	if (*line.start == '<' || markup_is_escaped(line.start, line.len))
		nr = claim_at(&rest, indent);
	return nr || !column ? nr : claim_at(&rest, indent + column);
}
