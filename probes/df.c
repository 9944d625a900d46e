/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * df (df(1)), with -h or -T: how large the mounted file systems are, and how full.
 *
 *   Filesystem     Type 1K-blocks      Used Available Use% Mounted on
 *   /dev/sda1      ext4 959786032 601234567 309722345  67% /
 *
 * Surprising: the header is in the language of the user, so a row is known by its figures; a long
 * name leaves the figures on the next line.
 */
#include "hoploss/format.h"
#include "mounts.h"
#include "zfs_text.h"
#include <errno.h>
#include <math.h>
#include <string.h>

struct row {
	struct hl_word device, type;
	struct hl_word size, available;
	const char *path, *end;
};

static bool is_percent(struct hl_word word)
{
	return word.len > 1 && word.start[word.len - 1] == '%' && !isnan(hl_word_number(word));
}

/* The word that is the share in use, three figures before it and a path behind it; 0 = none. */
static size_t find_share(const struct hl_words *words)
{
	for (size_t i = 3; i + 1 < words->nr; i++) {
		if (is_percent(words->items[i]) && words->items[i + 1].start[0] == '/' &&
		    !isnan(hl_word_size(words->items[i - 1])) &&
		    !isnan(hl_word_size(words->items[i - 2])) &&
		    !isnan(hl_word_size(words->items[i - 3])))
			return i;
	}
	return 0;
}

static bool read_row(struct hl_line line, struct row *ret_row)
{
	struct row row = { 0 };
	struct hl_words words;
	size_t share;

	line = hl_line_trim(line);
	hl_words_split(line, &words);
	share = find_share(&words);
	if (!share || share > 5)
		return false;
	row.size = words.items[share - 3];
	row.available = words.items[share - 1];
	row.path = words.items[share + 1].start;
	row.end = line.start + line.len;
	if (share > 3) /* else it stands on the line before */
		row.device = words.items[0];
	if (share == 5)
		row.type = words.items[1];
	*ret_row = row;
	return true;
}

/* The first word alone, before its figures. */
static bool is_wrapped(const struct hl_text *text, size_t at)
{
	struct hl_words words;
	struct row next;

	if (at + 1 >= text->nr_lines)
		return false;
	hl_words_split(text->lines[at], &words);
	return words.nr == 1 && read_row(text->lines[at + 1], &next) && !next.device.len;
}

/* A header: words, one of them with a percent sign, and no figures. */
static bool is_header(const struct hl_text *text, size_t at)
{
	struct hl_words words;
	bool has_percent = false;
	struct row row;

	hl_words_split(text->lines[at], &words);
	for (size_t i = 2; i < words.nr; i++) {
		struct hl_word word = words.items[i];

		has_percent = has_percent || (word.len > 1 && word.start[word.len - 1] == '%' &&
					      !is_percent(word));
	}
	return words.nr >= 5 && words.nr <= 10 && has_percent && at + 1 < text->nr_lines &&
	       (read_row(text->lines[at + 1], &row) || is_wrapped(text, at + 1));
}

static size_t df_claim(const struct hl_text *text, size_t at)
{
	size_t end = at + 1;
	struct row row;

	if (!is_header(text, at))
		return 0;
	while (end < text->nr_lines && (read_row(text->lines[end], &row) || is_wrapped(text, end)))
		end++;
	return end - at;
}

/* "1K-blocks", "1024-blocks", "512-blocks": bytes of one; 0 = sizes have letters. */
static double block_size(struct hl_line header)
{
	struct hl_words words;

	hl_words_split(header, &words);
	for (size_t i = 1; i < words.nr && i < 3; i++) {
		const char *dash = memchr(words.items[i].start, '-', words.items[i].len);
		struct hl_word number = { words.items[i].start,
					  dash ? (size_t)(dash - words.items[i].start) : 0 };

		if (!isnan(hl_word_size(number)))
			return hl_word_size(number);
	}
	return 0;
}

static double size_of(struct hl_word word, double block)
{
	bool has_letter = isnan(hl_word_number(word));

	if (has_letter)
		return hl_word_size(word);
	return block > 0 ? hl_word_size(word) * block : NAN;
}

static void report(const struct row *row, double block, const struct hl_reading *reading,
		   const char *source)
{
	struct hl_graph *graph = reading->graph;
	const char *path = hl_mounts_decode(graph, row->path, (size_t)(row->end - row->path));
	const struct hl_origin origin = { .host = reading->host, .node = path, .source = source };
	const struct hl_mount mount = {
		.target = path,
		.device = hl_word_keep(graph, row->device),
		.fs_type = row->type.len ? hl_word_keep(graph, row->type) : NULL,
		.source = source,
	};
	HL_MOUNTS struct hl_mounts mounts = { 0 };

	if (hl_word_is(row->device, "udev") || hl_word_is(row->device, "devtmpfs"))
		return;
	hl_mounts_add(&mounts, &mount);
	hl_mounts_report(&mounts, reading->host, graph);
	hl_graph_add_number(graph, &origin, "mount.size", size_of(row->size, block));
	hl_graph_add_number(graph, &origin, "mount.available", size_of(row->available, block));
}

static int df_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	double block = block_size(slice->lines[0]);
	size_t before = reading->graph->nr_facts;
	struct hl_word wrapped = { 0 };

	for (size_t at = 1; at < slice->nr_lines; at++) {
		struct hl_words words;
		struct row row;

		if (is_wrapped(slice, at)) {
			hl_words_split(slice->lines[at], &words);
			wrapped = words.items[0];
			continue;
		}
		if (!read_row(slice->lines[at], &row))
			continue;
		if (!row.device.len)
			row.device = wrapped;
		report(&row, block, reading, hl_text_source(reading->graph, slice, at));
	}
	if (reading->graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s:%u: no file system in it", slice->name,
			       slice->lines[0].number);
	return 0;
}

const struct hl_format hl_format_df = {
	.name = "df",
	.summary = "df, with -h or -T",
	.claim = df_claim,
	.read = df_read,
};
