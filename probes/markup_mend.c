/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Well-formed XML of what people paste, or of what may be kept: see markup.h.
 *
 * Surprising: prefixes of names are made part of them (qemu:commandline becomes qemu_commandline),
 * since a fragment does not say which namespace a prefix means.
 */
#include "hoploss/alloc.h"
#include "hoploss/entity.h"
#include "hoploss/text.h"
#include "markup.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX      48
#define ATTRIBUTES_MAX 64

struct mender {
	size_t *voids; /* offsets of tags that were never closed, though what is around them was */
	size_t nr_voids;
	struct markup markup;
	const struct markup_rules *rules;
	FILE *out;
	struct markup_tag open[DEPTH_MAX];
	unsigned depth;
	unsigned too_deep; /* elements open beyond that */
	bool is_value;     /* what is being written: lines in it are put behind its tag */
	unsigned dropped;  /* depth from which on nothing passes; 0 = all does */
};

static bool is_listed(const char *const *list, const char *name, size_t len)
{
	if (!list)
		return true;
	for (; *list; list++) {
		if (strlen(*list) == len && !memcmp(*list, name, len))
			return true;
	}
	return false;
}

static void put_name(struct mender *mender, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		fputc(name[i] == ':' ? '_' : name[i], mender->out);
}

static void put_lines(struct mender *mender, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (mender->markup.bytes[i] == '\n')
			fputc('\n', mender->out);
	}
}

static void put_char(struct mender *mender, char c)
{
	const char *escaped = c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : NULL;

	if (c == '\n' && !mender->is_value)
		fputc(c, mender->out);
	else if (escaped)
		fputs(escaped, mender->out);
	else
		fputc((unsigned char)c < ' ' || c == 0x7f ? ' ' : c, mender->out);
}

/* Text or a value: what XML does not allow is replaced. */
static void put_text(struct mender *mender, const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t nr = hl_text_utf8(text + i, len - i);
		char c = text[i];
		size_t entity = hl_entity(text + i, len - i, &c);

		if (nr <= 1)
			put_char(mender, nr ? c : '?');
		else if (nr == 3 && !memcmp(text + i, "\xef\xbf", 2) && text[i + 2] > '\xbd')
			fputc('?', mender->out); /* U+FFFE and U+FFFF are no characters */
		else
			fwrite(text + i, 1, nr, mender->out);
		i += entity ? entity : nr ? nr : 1;
	}
}

/* What lies between two tags. */
static void put_between(struct mender *mender, size_t from, size_t to)
{
	const char *bytes = mender->markup.bytes;

	while (from < to) {
		const char *found = memchr(bytes + from, '<', to - from);
		size_t stop = found ? (size_t)(found - bytes) : to;
		size_t behind = found ? markup_skip_other(&mender->markup, stop) : 0;

		if (mender->dropped || !mender->depth)
			put_lines(mender, from, stop);
		else
			put_text(mender, bytes + from, stop - from);
		from = behind ? behind : found ? stop + 1 : stop;
		if (from > to)
			from = to;
		put_lines(mender, stop, from);
	}
}

static void put_attributes(struct mender *mender, const struct markup_tag *tag)
{
	const char *const *allowed = mender->rules ? mender->rules->attributes : NULL;
	struct markup_attribute attribute, seen[ATTRIBUTES_MAX];
	size_t nr = 0, at = tag->attributes;

	mender->is_value = true;
	while (nr < ATTRIBUTES_MAX &&
	       markup_attribute_next(&mender->markup, tag, &at, &attribute)) {
		bool is_new = strncmp(attribute.name, "xmlns", 5) != 0;

		for (size_t i = 0; i < nr; i++)
			is_new &= seen[i].name_len != attribute.name_len ||
				  memcmp(seen[i].name, attribute.name, attribute.name_len) != 0;
		if (!is_new || !is_listed(allowed, attribute.name, attribute.name_len))
			continue;
		seen[nr++] = attribute;
		fputc(' ', mender->out);
		put_name(mender, attribute.name, attribute.name_len);
		fputs("=\"", mender->out);
		put_text(mender, attribute.value, attribute.value_len);
		fputc('"', mender->out);
	}
	mender->is_value = false;
}

static bool is_same_name(const struct markup_tag *a, const struct markup_tag *b)
{
	return a->name_len == b->name_len && !memcmp(a->name, b->name, a->name_len);
}

static int compare_offsets(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* "<snip>" and the like would else take in all that follows it. */
static void find_voids(struct mender *mender)
{
	struct markup markup = mender->markup;
	struct markup_tag tag;
	unsigned depth = 0;

	while (markup_next(&markup, &tag)) {
		unsigned at = depth;

		if (!tag.is_close && !tag.is_empty && depth < DEPTH_MAX)
			mender->open[depth++] = tag;
		while (tag.is_close && at && !is_same_name(&mender->open[at - 1], &tag))
			at--;
		while (tag.is_close && at && depth > at) {
			mender->voids = hl_grow(mender->voids, mender->nr_voids + 1,
						sizeof(*mender->voids));
			mender->voids[mender->nr_voids++] = mender->open[--depth].start;
		}
		if (tag.is_close && at)
			depth = at - 1;
	}
	if (mender->nr_voids)
		qsort(mender->voids, mender->nr_voids, sizeof(*mender->voids), compare_offsets);
}

static bool is_void(const struct mender *mender, const struct markup_tag *tag)
{
	return tag->is_empty ||
	       (mender->nr_voids && bsearch(&tag->start, mender->voids, mender->nr_voids,
					    sizeof(*mender->voids), compare_offsets));
}

static void put_close(struct mender *mender)
{
	const struct markup_tag *tag = &mender->open[--mender->depth];

	if (!mender->dropped) {
		fputs("</", mender->out);
		put_name(mender, tag->name, tag->name_len);
		fputc('>', mender->out);
	}
	if (mender->dropped > mender->depth)
		mender->dropped = 0;
}

static void open_tag(struct mender *mender, const struct markup_tag *tag)
{
	const char *const *allowed = mender->rules ? mender->rules->elements : NULL;

	if (mender->depth == DEPTH_MAX) {
		mender->too_deep += !is_void(mender, tag);
		return;
	}
	mender->open[mender->depth++] = *tag;
	if (!mender->dropped && !is_listed(allowed, tag->name, tag->name_len))
		mender->dropped = mender->depth;
	if (!mender->dropped) {
		fputc('<', mender->out);
		put_name(mender, tag->name, tag->name_len);
		put_attributes(mender, tag);
		fputc('>', mender->out);
	}
	if (is_void(mender, tag))
		put_close(mender);
}

static void close_tag(struct mender *mender, const struct markup_tag *tag)
{
	unsigned at = mender->depth;

	if (mender->too_deep) {
		mender->too_deep--;
		return;
	}
	while (at && !is_same_name(&mender->open[at - 1], tag))
		at--;
	while (at && mender->depth >= at)
		put_close(mender);
}

char *markup_mend(const char *bytes, size_t len, const struct markup_rules *rules, size_t *ret_len,
		  bool *ret_is_cut)
{
	struct mender mender = { .markup = { .bytes = bytes, .len = len }, .rules = rules };
	struct markup_tag tag;
	size_t at = 0;
	char *text = NULL;

	mender.out = open_memstream(&text, ret_len);
	if (!mender.out)
		return NULL;
	find_voids(&mender);
	if (!rules)
		fputs("<fragment>", mender.out);
	while (markup_next(&mender.markup, &tag)) {
		put_between(&mender, at, tag.start);
		if (tag.is_close)
			close_tag(&mender, &tag);
		else
			open_tag(&mender, &tag);
		put_lines(&mender, tag.start, tag.end);
		at = tag.end;
	}
	put_between(&mender, at, len);
	if (ret_is_cut)
		*ret_is_cut = mender.depth > 0;
	while (mender.depth)
		put_close(&mender);
	if (!rules)
		fputs("</fragment>\n", mender.out);
	fclose(mender.out);
	free(mender.voids);
	return text;
}
