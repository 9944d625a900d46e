/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iostat, with -x (iostat(1) of sysstat): rates, waits and depth of block devices.
 *
 *   Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s … aqu-sz  %util
 *   nvme0n1       1203,00  38496,00     0,00   0,00    0,31    32,00   80,00 …   0,40  22,10
 *
 * Surprising: columns came and went with the versions, so each is found by its name; the numbers
 * follow the locale; the first sample is since boot, so of several the last one counts. "await" of
 * old versions is of reads and writes together and is left out.
 */
#include "hoploss/format.h"
#include "zfs_text.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define MAX_BETWEEN 5 /* lines from the figures of the processors to the header */

static const struct {
	const char *column, *key;
	double factor;
} figures[] = {
	{ "r/s", "block.read_iops", 1 },          { "w/s", "block.write_iops", 1 },
	{ "rkB/s", "block.read_bw", 1024 },       { "wkB/s", "block.write_bw", 1024 },
	{ "rMB/s", "block.read_bw", 1048576 },    { "wMB/s", "block.write_bw", 1048576 },
	{ "kB_read/s", "block.read_bw", 1024 },   { "kB_wrtn/s", "block.write_bw", 1024 },
	{ "rsec/s", "block.read_bw", 512 },       { "wsec/s", "block.write_bw", 512 },
	{ "r_await", "block.read_wait_ns", 1e6 }, { "w_await", "block.write_wait_ns", 1e6 },
	{ "rareq-sz", "block.read_size", 1024 },  { "wareq-sz", "block.write_size", 1024 },
	{ "aqu-sz", "block.mean_depth", 1 },      { "avgqu-sz", "block.mean_depth", 1 },
	{ "%util", "block.util_pct", 1 },
};

static bool is_header(const struct hl_words *words)
{
	static const char *const telling[] = { "r/s", "tps", NULL };

	if (words->nr < 3 ||
	    !(hl_word_is(words->items[0], "Device") || hl_word_is(words->items[0], "Device:")))
		return false;
	for (size_t i = 1; i < words->nr; i++) {
		if (hl_word_is_any(words->items[i], telling))
			return true;
	}
	return false;
}

static bool is_row(const struct hl_words *header, const struct hl_words *words)
{
	if (!words->nr || words->nr != header->nr)
		return false;
	for (size_t i = 1; i < words->nr; i++) {
		if (isnan(hl_word_number(words->items[i])))
			return false;
	}
	return true;
}

/* "avg-cpu:  %user …" and the figures below it, and the time of a sample. */
static bool is_between(const struct hl_words *words)
{
	size_t nr_numbers = 0;

	for (size_t i = 0; i < words->nr; i++)
		nr_numbers += !isnan(hl_word_number(words->items[i]));
	return !words->nr || hl_word_is(words->items[0], "avg-cpu:") ||
	       (words->nr <= 6 && nr_numbers == words->nr) ||
	       (words->nr <= 3 && memchr(words->items[0].start, '/', words->items[0].len));
}

/* The header at a line, or behind the figures of the processors that begin there. */
static bool find_header(const struct hl_text *text, size_t at, struct hl_words *ret_header)
{
	hl_words_split(text->lines[at], ret_header);
	if (is_header(ret_header))
		return true;
	if (!ret_header->nr || !hl_word_is(ret_header->items[0], "avg-cpu:"))
		return false;
	for (size_t i = at + 1; i < text->nr_lines && i < at + MAX_BETWEEN; i++) {
		hl_words_split(text->lines[i], ret_header);
		if (is_header(ret_header))
			return true;
	}
	return false;
}

static size_t iostat_claim(const struct hl_text *text, size_t at)
{
	struct hl_words header, words;
	size_t end = at + 1;
	bool has_row = false;

	if (!find_header(text, at, &header))
		return 0;
	for (size_t i = end; i < text->nr_lines; i++) {
		hl_words_split(text->lines[i], &words);
		if (is_header(&words)) {
			header = words;
		} else if (is_row(&header, &words)) {
			has_row = true;
			end = i + 1;
		} else if (!is_between(&words)) {
			break;
		}
	}
	return has_row ? end - at : 0;
}

/* Where the last sample begins: the last header. */
static size_t last_sample(const struct hl_text *slice)
{
	size_t last = 0;
	struct hl_words words;

	for (size_t at = 0; at < slice->nr_lines; at++) {
		hl_words_split(slice->lines[at], &words);
		last = is_header(&words) ? at : last;
	}
	return last;
}

static double find(const struct hl_words *header, const struct hl_words *row, const char *column)
{
	for (size_t i = 1; i < header->nr; i++) {
		if (hl_word_is(header->items[i], column))
			return hl_word_number(row->items[i]);
	}
	return NAN;
}

static int iostat_read(const struct hl_text *slice, struct hl_reading *reading,
		       struct hl_error *err)
{
	struct hl_graph *graph = reading->graph;
	size_t first = last_sample(slice), before = graph->nr_facts;
	struct hl_words header, row;

	hl_words_split(slice->lines[first], &header);
	for (size_t at = first + 1; at < slice->nr_lines; at++) {
		struct hl_origin origin = { .host = reading->host };

		hl_words_split(slice->lines[at], &row);
		if (!is_row(&header, &row))
			continue;
		origin.node = hl_word_keep(graph, row.items[0]);
		origin.source = hl_text_source(graph, slice, at);
		for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
			hl_graph_add_number(graph, &origin, figures[i].key,
					    find(&header, &row, figures[i].column) *
						    figures[i].factor);
	}
	if (graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s:%u: its last sample has no device", slice->name,
			       slice->lines[first].number);
	return 0;
}

const struct hl_format hl_format_iostat = {
	.name = "iostat",
	.summary = "iostat, with -x",
	.claim = iostat_claim,
	.read = iostat_read,
};
