/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arcstats as the kernel module prints it, live and as a saved file.
 *
 *   13 1 0x01 147 39984 8372338451 350735470000000
 *   name                            type data
 *   hits                            4    27352344
 *   size                            4    67432108032
 *
 * Surprising: since OpenZFS 2.2 a read that waits for another's I/O is an "iohit", neither hit nor
 * miss. Hits count reads of blocks by whoever reads, prefetch included.
 */
#include "arcstats.h"
#include "hoploss/number.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define LEAST_LINES 3 /* that make it one, without the header */

const struct hl_arcstat hl_arcstats[] = {
	{ "hits", "arc.hits" },
	{ "iohits", "arc.iohits" },
	{ "misses", "arc.misses" },
	{ "demand_data_hits", "arc.demand_data_hits" },
	{ "demand_data_iohits", "arc.demand_data_iohits" },
	{ "demand_data_misses", "arc.demand_data_misses" },
	{ "prefetch_data_hits", "arc.prefetch_data_hits" },
	{ "prefetch_data_misses", "arc.prefetch_data_misses" },
	{ "size", "arc.size" },
	{ "c", "arc.target_size" },
	{ "c_min", "arc.min_size" },
	{ "c_max", "arc.max_size" },
	{ "data_size", "arc.data_size" },
	{ "metadata_size", "arc.metadata_size" },
	{ "compressed_size", "arc.compressed_size" },
	{ "uncompressed_size", "arc.uncompressed_size" },
	{ "memory_throttle_count", "arc.memory_throttle_count" },
	{ "l2_hits", "arc.l2_hits" },
	{ "l2_misses", "arc.l2_misses" },
	{ "l2_size", "arc.l2_size" },
	{ NULL, NULL },
};

/* A line "hits  4  12345": the row of the table and the number; NULL for others. */
static const struct hl_arcstat *read_line(struct hl_line line, double *ret_value)
{
	struct hl_words words;
	uint64_t value;

	hl_words_split(line, &words);
	if (words.nr != 3 || !hl_word_is(words.items[1], "4") ||
	    hl_number_u64(words.items[2].start, words.items[2].len, &value))
		return NULL;
	for (const struct hl_arcstat *stat = hl_arcstats; stat->name; stat++) {
		if (!hl_word_is(words.items[0], stat->name))
			continue;
		*ret_value = (double)value;
		return stat;
	}
	return NULL;
}

double hl_arcstats_find(const char *text, const char *name)
{
	double value;

	while (*text) {
		size_t len = strcspn(text, "\n");
		const struct hl_arcstat *stat = read_line(
			(struct hl_line){ text, (unsigned)len, 0 }, &value);

		if (stat && !strcmp(stat->name, name))
			return value;
		text += len + (text[len] != '\0');
	}
	return NAN;
}

/* Any line of a kstat of this kind. */
static bool is_row(struct hl_line line)
{
	struct hl_words words;

	hl_words_split(line, &words);
	return words.nr == 3 && words.items[1].len == 1 && words.items[1].start[0] >= '1' &&
	       words.items[1].start[0] <= '9' && !isnan(hl_word_number(words.items[2]));
}

static bool is_header(struct hl_line line)
{
	struct hl_words words;

	hl_words_split(line, &words);
	return (words.nr == 3 && hl_word_is(words.items[0], "name") &&
		hl_word_is(words.items[1], "type") && hl_word_is(words.items[2], "data")) ||
	       (words.nr >= 6 && hl_word_starts(words.items[2], "0x"));
}

static size_t arcstats_claim(const struct hl_text *text, size_t at)
{
	size_t end = at, nr_known = 0;
	double value;

	while (end < text->nr_lines && (is_row(text->lines[end]) || is_header(text->lines[end]))) {
		nr_known += read_line(text->lines[end], &value) != NULL;
		end++;
	}
	return nr_known >= LEAST_LINES ? end - at : 0;
}

static int arcstats_read(const struct hl_text *slice, struct hl_reading *reading,
			 struct hl_error *err)
{
	(void)err;
	for (size_t at = 0; at < slice->nr_lines; at++) {
		double value;
		const struct hl_arcstat *stat = read_line(slice->lines[at], &value);
		const struct hl_origin origin = {
			.host = reading->host,
			.node = HL_ARCSTATS_NODE,
			.source = hl_text_source(reading->graph, slice, at),
		};

		if (stat)
			hl_graph_add_number(reading->graph, &origin, stat->key, value);
	}
	return 0;
}

const struct hl_format hl_format_arcstats = {
	.name = "arcstats",
	.summary = "/proc/spl/kstat/zfs/arcstats",
	.claim = arcstats_claim,
	.read = arcstats_read,
};
