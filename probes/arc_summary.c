/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arc_summary and arcstat (arcstat(1)), which print what arcstats holds for people.
 *
 *   ARC size (current):                                    99.9 %   62.8 GiB
 *           Target size (adaptive):                       100.0 %   62.9 GiB
 *   ARC total accesses:                                                27.4M
 *           Total hits:                                    98.3 %      26.9M
 *
 *       time  read  ddread  ddh%  dmread  dmh%  pread  ph%   size      c  avail
 *   17:02:11    1k     812  99.1      40   100      0    0    63G    63G   8.1G
 *
 * Surprising: the words changed with the versions ("Cache hit ratio", "ARC Size: (Adaptive)"), the
 * amounts stayed at the end of the line. The last row of arcstat counts; it is of its interval.
 */
#include "arcstats.h"
#include "zfs_module.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- arc_summary ---- */

static const struct {
	const char *label; /* a line begins with it, in any case */
	const char *key;
	bool is_percent;
} labels[] = {
	{ "arc size (current):", "arc.size", false }, { "arc size:", "arc.size", false },
	{ "target size", "arc.target_size", false },  { "min size", "arc.min_size", false },
	{ "max size", "arc.max_size", false },        { "total hits:", "arc.hit_pct", true },
	{ "cache hit ratio:", "arc.hit_pct", true },
};

#define NR_LABELS (sizeof(labels) / sizeof(*labels))

static bool is_title(struct hl_line line)
{
	static const char *const titles[] = { "ARC status:", "ARC Summary:", "ARC size (current):",
					      "ARC Size:", "ZFS Subsystem Report" };

	line = hl_line_trim(line);
	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++) {
		if (hl_line_starts(line, titles[i]))
			return true;
	}
	return false;
}

/* "62.8 GiB", "62.8GiB" at the end of a line; a number without a unit is no size here. */
static double size_at_end(const struct hl_words *words)
{
	HL_FREE char *joined = NULL;
	struct hl_word unit, number;

	if (words->nr < 2)
		return NAN;
	unit = words->items[words->nr - 1];
	number = words->items[words->nr - 2];
	if (!memchr(unit.start, 'B', unit.len))
		return NAN;
	if (!isnan(hl_word_size(unit)))
		return hl_word_size(unit);
	joined = hl_printf("%.*s%.*s", (int)number.len, number.start, (int)unit.len, unit.start);
	return hl_word_size((struct hl_word){ joined, strlen(joined) });
}

/* "98.3 %" or "98.3%" somewhere in it. */
static double percent_in(const struct hl_words *words)
{
	for (size_t i = 1; i < words->nr; i++) {
		struct hl_word word = words->items[i];

		if (hl_word_is(word, "%"))
			return hl_word_number(words->items[i - 1]);
		if (word.len > 1 && word.start[word.len - 1] == '%')
			return hl_word_number(word);
	}
	return NAN;
}

static bool has_label(struct hl_line line, const char *label)
{
	line = hl_line_trim(line);
	return line.len >= strlen(label) && !strncasecmp(line.start, label, strlen(label));
}

static void read_summary_line(struct hl_line line, const struct hl_origin *origin,
			      struct hl_graph *graph)
{
	const struct hl_zfs_parameter *parameter;
	struct hl_words words;

	hl_words_split(line, &words);
	for (size_t i = 0; i < NR_LABELS; i++) {
		if (!has_label(line, labels[i].label))
			continue;
		hl_graph_add_number(graph, origin, labels[i].key,
				    labels[i].is_percent ? percent_in(&words)
							 : size_at_end(&words));
		return;
	}
	parameter = words.nr == 2 ? hl_zfs_parameter_find(words.items[0]) : NULL;
	if (parameter) {
		struct hl_origin module = *origin;

		module.node = HL_ZFS_MODULE_NODE;
		hl_graph_add_number(graph, &module, parameter->key, hl_word_number(words.items[1]));
	}
}

/* Its sections are apart by empty lines and rules; "label: value" or "name value" all the way. */
static bool is_summary_line(struct hl_line line)
{
	struct hl_words words;

	line = hl_line_trim(line);
	hl_words_split(line, &words);
	return !words.nr || memchr(line.start, ':', line.len) ||
	       hl_word_starts(words.items[0], "--") || words.nr <= 2;
}

static size_t summary_claim(const struct hl_text *text, size_t at)
{
	size_t end = at + 1;

	if (!is_title(text->lines[at]))
		return 0;
	for (size_t i = end; i < text->nr_lines && is_summary_line(text->lines[i]); i++) {
		if (hl_line_trim(text->lines[i]).len)
			end = i + 1;
	}
	return end - at;
}

static int summary_read(const struct hl_text *slice, struct hl_reading *reading,
			struct hl_error *err)
{
	struct hl_graph *graph = reading->graph;
	size_t before = graph->nr_facts;

	for (size_t at = 0; at < slice->nr_lines; at++) {
		const struct hl_origin origin = { .host = reading->host,
						  .node = HL_ARCSTATS_NODE,
						  .source = hl_text_source(graph, slice, at) };

		read_summary_line(slice->lines[at], &origin, graph);
	}
	if (graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s:%u: no sizes in it", slice->name,
			       slice->lines[0].number);
	return 0;
}

const struct hl_format hl_format_arc_summary = {
	.name = "arc-summary",
	.summary = "arc_summary",
	.claim = summary_claim,
	.read = summary_read,
};

/* ---- arcstat ---- */

static bool is_arcstat_header(const struct hl_words *words)
{
	return words->nr >= 5 && hl_word_is(words->items[0], "time") &&
	       (hl_word_is(words->items[1], "read") || hl_word_is(words->items[1], "hits"));
}

static bool is_arcstat_row(const struct hl_words *header, const struct hl_words *words)
{
	if (words->nr != header->nr || !memchr(words->items[0].start, ':', words->items[0].len))
		return false;
	for (size_t i = 1; i < words->nr; i++) {
		double number = hl_word_number(words->items[i]);
		struct hl_word word = words->items[i];

		if (word.len > 1 && word.start[word.len - 1] == 'k') /* its thousands */
			word.len--;
		if (isnan(number) && isnan(hl_word_size(word)))
			return false;
	}
	return true;
}

static size_t arcstat_claim(const struct hl_text *text, size_t at)
{
	struct hl_words header, words;
	size_t end = at + 1;

	hl_words_split(text->lines[at], &header);
	if (!is_arcstat_header(&header))
		return 0;
	for (; end < text->nr_lines; end++) {
		hl_words_split(text->lines[end], &words);
		if (words.nr && !is_arcstat_row(&header, &words) && !is_arcstat_header(&words))
			break;
	}
	while (end > at + 1 && !hl_line_trim(text->lines[end - 1]).len)
		end--;
	return end > at + 1 ? end - at : 0;
}

static void add_arcstat(const struct hl_words *header, const struct hl_words *row,
			const struct hl_origin *origin, struct hl_graph *graph)
{
	for (size_t i = 1; i < row->nr; i++) {
		struct hl_word name = header->items[i], value = row->items[i];

		if (hl_word_is(name, "size") || hl_word_is(name, "arcsz"))
			hl_graph_add_number(graph, origin, "arc.size", hl_word_size(value));
		else if (hl_word_is(name, "c"))
			hl_graph_add_number(graph, origin, "arc.target_size", hl_word_size(value));
		else if (hl_word_is(name, "miss%"))
			hl_graph_add_number(graph, origin, "arc.hit_pct",
					    100 - hl_word_number(value));
		else if (hl_word_is(name, "hit%"))
			hl_graph_add_number(graph, origin, "arc.hit_pct", hl_word_number(value));
		else if (hl_word_is(name, "ddh%"))
			hl_graph_add_number(graph, origin, "arc.demand_data_hit_pct",
					    hl_word_number(value));
	}
}

static int arcstat_read(const struct hl_text *slice, struct hl_reading *reading,
			struct hl_error *err)
{
	struct hl_graph *graph = reading->graph;
	struct hl_words header, row, words;
	size_t last = 0;

	hl_words_split(slice->lines[0], &header);
	for (size_t at = 1; at < slice->nr_lines; at++) {
		hl_words_split(slice->lines[at], &words);
		if (!is_arcstat_row(&header, &words))
			continue;
		row = words;
		last = at;
	}
	if (!last)
		return hl_fail(err, ENODATA, "%s:%u: no row in it", slice->name,
			       slice->lines[0].number);
	add_arcstat(&header, &row,
		    &(struct hl_origin){ .host = reading->host,
					 .node = HL_ARCSTATS_NODE,
					 .source = hl_text_source(graph, slice, last) },
		    graph);
	return 0;
}

const struct hl_format hl_format_arcstat = {
	.name = "arcstat",
	.summary = "arcstat",
	.claim = arcstat_claim,
	.read = arcstat_read,
};
