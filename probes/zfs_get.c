/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zfs get and zpool get, with -H and -p (zfs-set(8), zpool-get(8)): a property a line.
 *
 *   NAME       PROPERTY      VALUE     SOURCE
 *   tank/vol   volblocksize  16K       default
 *
 * Surprising: the header is easily lost, and then a line is known by its property and its source;
 * with -o property,value it does not say what it is of: that is the node that a capture kept it
 * under, or the file's name. "zpool get ashift POOL all-vdevs" names vdevs; a capture keeps that
 * under the pool, whose sector size it tells.
 */
#include "zfs_property.h"
#include <errno.h>
#include <string.h>

#define NR_ANONYMOUS 2   /* lines without a header that make it one */
#define MAX_SEEK     100 /* lines in which a property that matters must come */

struct header {
	size_t name, property, value; /* columns; SIZE_MAX = not there */
	bool has_source;
};

/* "NAME PROPERTY VALUE SOURCE", or some of them in another order (-o). */
static bool read_header(const struct hl_words *words, struct header *ret_header)
{
	static const char *const known[] = {
		"NAME", "PROPERTY", "VALUE", "RECEIVED", "SOURCE", NULL
	};
	struct header header = { SIZE_MAX, SIZE_MAX, SIZE_MAX, false };

	for (size_t i = 0; i < words->nr; i++) {
		if (!hl_word_is_any(words->items[i], known))
			return false;
		if (hl_word_is(words->items[i], "NAME"))
			header.name = i;
		if (hl_word_is(words->items[i], "PROPERTY"))
			header.property = i;
		if (hl_word_is(words->items[i], "VALUE"))
			header.value = i;
		header.has_source = header.has_source || hl_word_is(words->items[i], "SOURCE");
	}
	if (header.property == SIZE_MAX || header.value == SIZE_MAX)
		return false;
	*ret_header = header;
	return true;
}

static const struct header usual = { 0, 1, 2, true };

/* default, local, "inherited from tank", received, temporary, -: behind the value, which is one
 * word of all properties that matter here. */
static bool has_source(const struct hl_words *words)
{
	static const char *const sources[] = { "default", "local", "received", "temporary",
					       "none",    "-",     NULL };
	bool is_known = hl_zfs_property_find(words->items[1]) != NULL;

	if (hl_word_is_any(words->items[words->nr - 1], sources))
		return !is_known || words->nr == 4;
	for (size_t i = 3; i + 2 < words->nr && (i == 3 || !is_known); i++) {
		if (hl_word_is(words->items[i], "inherited") &&
		    hl_word_is(words->items[i + 1], "from"))
			return true;
	}
	return false;
}

static bool is_row(const struct header *header, const struct hl_words *words)
{
	if (words->nr <= header->property || words->nr <= header->value)
		return false;
	if (!hl_zfs_property_is_name(words->items[header->property]))
		return false;
	return !header->has_source || (words->nr >= 4 && has_source(words)) ||
	       (words->nr == 3 && hl_zfs_property_find(words->items[header->property]));
}

/* Lines without a header: of one dataset, each with a property and where its value is from. */
static bool begins_without_header(const struct hl_text *text, size_t at)
{
	bool has_known = false;
	struct hl_words words;
	struct hl_word name = { 0 };

	for (size_t i = at; i < at + NR_ANONYMOUS; i++) {
		if (i >= text->nr_lines)
			return false;
		hl_words_split(text->lines[i], &words);
		if (words.nr < 4 || !is_row(&usual, &words) || !has_source(&words))
			return false;
		if (i > at && (words.items[0].len != name.len ||
			       memcmp(words.items[0].start, name.start, name.len) != 0))
			return false;
		name = words.items[0];
	}
	for (size_t i = at; i < text->nr_lines && i < at + MAX_SEEK && !has_known; i++) {
		hl_words_split(text->lines[i], &words);
		if (!is_row(&usual, &words))
			break;
		has_known = hl_zfs_property_find(words.items[1]) != NULL;
	}
	return has_known;
}

/* One line is enough where the property is well known and tabs stand between (-H). */
static bool is_single(const struct hl_text *text, size_t at)
{
	struct hl_words words;

	hl_words_split(text->lines[at], &words);
	return words.nr >= 4 && memchr(text->lines[at].start, '\t', text->lines[at].len) &&
	       hl_zfs_property_find(words.items[1]) && is_row(&usual, &words) && has_source(&words);
}

static bool begins(const struct hl_text *text, size_t at, struct header *ret_header)
{
	struct hl_words words;

	hl_words_split(text->lines[at], &words);
	if (read_header(&words, ret_header))
		return true;
	*ret_header = usual;
	return words.nr >= 4 && (begins_without_header(text, at) || is_single(text, at));
}

static size_t get_claim(const struct hl_text *text, size_t at)
{
	struct header header, again;
	struct hl_words words;
	size_t end = at + 1;

	if (!begins(text, at, &header))
		return 0;
	for (size_t i = at + 1; i < text->nr_lines; i++) {
		hl_words_split(text->lines[i], &words);
		if (!words.nr)
			continue;
		if (!is_row(&header, &words) || read_header(&words, &again) || i > end + 1)
			break;
		end = i + 1;
	}
	return end - at;
}

static void read_row(const struct hl_text *slice, size_t at, const struct header *header,
		     const struct hl_reading *reading)
{
	struct hl_graph *graph = reading->graph;
	const struct hl_zfs_property *property;
	struct hl_origin origin = { .host = reading->host,
				    .node = reading->node ? reading->node : reading->stem };
	struct hl_words words;

	hl_words_split(slice->lines[at], &words);
	if (!is_row(header, &words))
		return;
	property = hl_zfs_property_find(words.items[header->property]);
	if (!property)
		return;
	if (header->name != SIZE_MAX && !reading->node)
		origin.node = hl_word_keep(graph, words.items[header->name]);
	origin.source = hl_text_source(graph, slice, at);
	hl_zfs_property_report(property, words.items[header->value], &origin, graph);
}

static int get_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	size_t before = reading->graph->nr_facts;
	struct header header;

	begins(slice, 0, &header);
	for (size_t at = 0; at < slice->nr_lines; at++)
		read_row(slice, at, &header, reading);
	if (reading->graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s:%u: no property that matters here", slice->name,
			       slice->lines[0].number);
	return 0;
}

const struct hl_format hl_format_zfs_get = {
	.name = "zfs-get",
	.summary = "zfs get and zpool get, with -H and -p",
	.claim = get_claim,
	.read = get_read,
};
