/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zfs list (zfs-list(8)), also with -o: a dataset a line, the header names the properties.
 *
 *   NAME       USED  AVAIL  REFER  MOUNTPOINT
 *   tank       960K  34.2T   128K  /mnt/tank
 */
#include "zfs_property.h"
#include <errno.h>

static bool is_header(const struct hl_words *words)
{
	static const char *const telling[] = { "REFER",   "MOUNTPOINT",   "VOLSIZE",   "VOLBLOCK",
					       "RECSIZE", "COMPRESS",     "USEDSNAP",  "USEDDS",
					       "LOGBIAS", "PRIMARYCACHE", "REFRESERV", NULL };
	unsigned nr_telling = 0;

	if (words->nr < 2 || !hl_word_is(words->items[0], "NAME"))
		return false;
	for (size_t i = 1; i < words->nr; i++) {
		if (hl_word_is(words->items[i], "MAJ:MIN") || hl_word_is(words->items[i], "RM"))
			return false; /* lsblk, which has a MOUNTPOINT too */
		nr_telling += hl_word_is_any(words->items[i], telling);
	}
	return nr_telling && (hl_zfs_property_of_column(words->items[1]) || nr_telling > 1);
}

/* As many words as columns (a path may have blanks), and a value where a size is to be. */
static bool is_row(const struct hl_words *header, const struct hl_words *words)
{
	if (words->nr < header->nr)
		return false;
	for (size_t i = 1; i < header->nr; i++) {
		const struct hl_zfs_property *property = hl_zfs_property_of_column(
			header->items[i]);
		double size = hl_word_size(words->items[i]);

		if (property && property->kind == HL_ZFS_SIZE &&
		    !hl_word_is_unknown(words->items[i]) && !(size >= 0))
			return false;
	}
	return true;
}

static size_t list_claim(const struct hl_text *text, size_t at)
{
	struct hl_words header, words;
	size_t end = at + 1;

	hl_words_split(text->lines[at], &header);
	if (!is_header(&header))
		return 0;
	for (; end < text->nr_lines; end++) {
		hl_words_split(text->lines[end], &words);
		if (!is_row(&header, &words) || is_header(&words))
			break;
	}
	return end - at;
}

static int list_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	struct hl_graph *graph = reading->graph;
	size_t before = graph->nr_facts;
	struct hl_words header, words;

	hl_words_split(slice->lines[0], &header);
	for (size_t at = 1; at < slice->nr_lines; at++) {
		struct hl_origin origin = { .host = reading->host,
					    .source = hl_text_source(graph, slice, at) };

		hl_words_split(slice->lines[at], &words);
		origin.node = hl_word_keep(graph, words.items[0]);
		for (size_t i = 1; i < header.nr; i++) {
			const struct hl_zfs_property *property = hl_zfs_property_of_column(
				header.items[i]);

			if (property)
				hl_zfs_property_report(property, words.items[i], &origin, graph);
		}
	}
	if (graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s:%u: no dataset in it", slice->name,
			       slice->lines[0].number);
	return 0;
}

const struct hl_format hl_format_zfs_list = {
	.name = "zfs-list",
	.summary = "zfs list, with -o",
	.claim = list_claim,
	.read = list_read,
};
