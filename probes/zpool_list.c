/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zpool list, with -v, -p, -H or -o (zpool-list(8)): a row a pool, and with -v its devices.
 *
 *   NAME         SIZE  ALLOC   FREE  CKPOINT  EXPANDSZ   FRAG    CAP  DEDUP    HEALTH  ALTROOT
 *   tank        34.9T  12.1T  22.8T        -         -     7%    34%  1.00x    ONLINE  -
 *     raidz1-0  34.9T  12.1T  22.8T        -         -     7%  34.7%      -    ONLINE
 *   logs            -      -      -        -         -      -      -      -         -
 *
 * Surprising: rows of devices have no ALTROOT, which tells them from pools where the indentation is
 * lost; with -H there is no header, and a tab before each device; "-" is unknown, never 0.
 */
#include "zpool_tree.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define MAX_COLUMNS 24

/* With -H: the columns by default, of OpenZFS and of those before it had checkpoints. */
#define HEADER_NOW "NAME SIZE ALLOC FREE CKPOINT EXPANDSZ FRAG CAP DEDUP HEALTH ALTROOT"
#define HEADER_OLD "NAME SIZE ALLOC FREE EXPANDSZ FRAG CAP DEDUP HEALTH ALTROOT"

struct header {
	struct hl_words columns;
	unsigned indent;
	bool is_guessed; /* with -H */
};

static const struct {
	const char *column, *key;
	bool is_size;
} figures[] = {
	{ "SIZE", "zpool.size", true },         { "ALLOC", "zpool.alloc", true },
	{ "USED", "zpool.alloc", true },        { "FREE", "zpool.free", true },
	{ "AVAIL", "zpool.free", true },        { "FRAG", "zpool.fragmentation_pct", false },
	{ "CAP", "zpool.capacity_pct", false }, { "DEDUP", "zpool.dedup_ratio", false },
};

static bool is_header(const struct hl_words *words)
{
	static const char *const columns[] = { "SIZE",     "ALLOC", "FREE",   "CKPOINT",
					       "FRAG",     "CAP",   "HEALTH", "USED",
					       "EXPANDSZ", "AVAIL", NULL };
	bool has_pool_column = false;

	if (words->nr < 3 || words->nr > MAX_COLUMNS || !hl_word_is(words->items[0], "NAME"))
		return false;
	for (size_t i = 1; i < words->nr; i++) {
		has_pool_column = has_pool_column || hl_word_is(words->items[i], "HEALTH") ||
				  hl_word_is(words->items[i], "CAP") ||
				  hl_word_is(words->items[i], "FRAG") ||
				  hl_word_is(words->items[i], "ALLOC");
	}
	return has_pool_column && hl_word_is_any(words->items[1], columns);
}

static struct hl_line line_of(const char *text)
{
	return (struct hl_line){ .start = text, .len = (unsigned)strlen(text) };
}

static size_t column_of(const struct header *header, const char *name)
{
	size_t i = 0;

	while (i < header->columns.nr && !hl_word_is(header->columns.items[i], name))
		i++;
	return i;
}

static struct hl_word cell(const struct header *header, const struct hl_words *row,
			   const char *name)
{
	size_t column = column_of(header, name);

	return column < row->nr && column < header->columns.nr ? row->items[column]
							       : (struct hl_word){ "-", 1 };
}

static bool is_figure(struct hl_word word)
{
	return hl_word_is(word, "-") || !isnan(hl_word_size(word)) || !isnan(hl_word_number(word));
}

/* A row under that header: figures where it has figures, a state under HEALTH. */
static bool is_row(const struct header *header, const struct hl_words *words)
{
	size_t health = column_of(header, "HEALTH");

	if (words->nr < 3 || words->nr + 1 < header->columns.nr)
		return false;
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		if (!is_figure(cell(header, words, figures[i].column)))
			return false;
	}
	return health >= words->nr || hl_word_is_state(words->items[health]) ||
	       hl_word_is(words->items[health], "-");
}

/* The columns of a list without a header, by its first row. */
static bool guess_header(const struct hl_text *text, size_t at, struct header *ret_header)
{
	static const char *const lines[] = { HEADER_NOW, HEADER_OLD };
	struct hl_words words;

	hl_words_split(text->lines[at], &words);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct header header = { .is_guessed = true };

		hl_words_split(line_of(lines[i]), &header.columns);
		if (words.nr != header.columns.nr || !is_row(&header, &words) ||
		    !hl_word_is_state(cell(&header, &words, "HEALTH")))
			continue;
		*ret_header = header;
		return true;
	}
	return false;
}

static bool find_header(const struct hl_text *text, size_t at, struct header *ret_header)
{
	hl_words_split(text->lines[at], &ret_header->columns);
	ret_header->indent = ret_header->columns.indent;
	ret_header->is_guessed = false;
	return is_header(&ret_header->columns) || guess_header(text, at, ret_header);
}

static bool is_section(const struct hl_words *words)
{
	struct hl_vdevs scratch = { 0 };

	if (!words->nr || !hl_vdevs_enter(&scratch, words->items[0]))
		return false;
	for (size_t i = 1; i < words->nr; i++) {
		if (!hl_word_is(words->items[i], "-"))
			return false;
	}
	return true;
}

static size_t list_claim(const struct hl_text *text, size_t at)
{
	struct header header;
	struct hl_words words;
	size_t end = at + 1;

	if (!find_header(text, at, &header))
		return 0;
	for (size_t i = at + 1; i < text->nr_lines; i++) {
		hl_words_split(text->lines[i], &words);
		if (!words.nr)
			continue;
		if (!is_row(&header, &words) && !is_section(&words) && !is_header(&words))
			break;
		if (is_header(&words) || i > end)
			break;
		end = i + 1;
	}
	return end > at + 1 || header.is_guessed ? end - at : 0;
}

/* ---- reading ---- */

struct list {
	const struct hl_text *slice;
	const struct hl_reading *reading;
	struct header header;
	struct hl_vdevs vdevs;
	bool is_complete; /* -v shows all devices; without it there are none */
};

static void end_pool(struct list *list)
{
	list->vdevs.is_complete = list->is_complete;
	hl_vdevs_link(&list->vdevs);
	if (list->vdevs.nr)
		hl_vdevs_report(&list->vdevs, list->slice, list->reading);
	list->vdevs.nr = 0;
}

static void begin_pool(struct list *list, const struct hl_words *words, size_t at)
{
	struct hl_graph *graph = list->reading->graph;
	struct hl_word health = cell(&list->header, words, "HEALTH");
	const struct hl_origin origin = { .host = list->reading->host,
					  .node = hl_word_keep(graph, words->items[0]),
					  .source = hl_text_source(graph, list->slice, at) };

	end_pool(list);
	hl_vdevs_begin(&list->vdevs, words->items[0], at);
	hl_graph_add_string(graph, &origin, "zpool.state", hl_word_keep(graph, health));
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		struct hl_word word = cell(&list->header, words, figures[i].column);

		hl_graph_add_number(graph, &origin, figures[i].key,
				    figures[i].is_size ? hl_word_size(word) : hl_word_number(word));
	}
}

/* Of a pool: not indented, all columns there, or a deduplication ratio. */
static bool is_pool(const struct list *list, const struct hl_words *words)
{
	if (words->indent > list->header.indent || hl_vdev_is_group(words->items[0]))
		return false;
	if (column_of(&list->header, "ALTROOT") < list->header.columns.nr)
		return words->nr >= list->header.columns.nr;
	return column_of(&list->header, "DEDUP") == list->header.columns.nr ||
	       !hl_word_is(cell(&list->header, words, "DEDUP"), "-") || !list->vdevs.pool.len;
}

static void take_row(struct list *list, size_t at)
{
	struct hl_vdev *vdev;
	struct hl_words words;

	hl_words_split(list->slice->lines[at], &words);
	if (!words.nr || is_header(&words))
		return;
	if (is_section(&words) && list->vdevs.pool.len) {
		hl_vdevs_enter(&list->vdevs, words.items[0]);
		return;
	}
	if (is_pool(list, &words)) {
		begin_pool(list, &words, at);
		return;
	}
	if (!list->vdevs.pool.len)
		return;
	vdev = hl_vdevs_add(&list->vdevs, words.items[0], words.indent);
	if (!vdev)
		return;
	vdev->line = at;
	vdev->state = cell(&list->header, &words, "HEALTH");
	if (hl_word_is(vdev->state, "-"))
		vdev->state.len = 0;
}

static void free_list(struct list *list)
{
	hl_vdevs_free(&list->vdevs);
}

static int list_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	__attribute__((cleanup(free_list))) struct list list = { .slice = slice,
								 .reading = reading,
								 .is_complete = true };
	size_t before = reading->graph->nr_facts;

	if (!find_header(slice, 0, &list.header))
		return hl_fail(err, EBADMSG, "%s:%u: no header", slice->name,
			       slice->lines[0].number);
	for (size_t at = 0; at < slice->nr_lines; at++)
		take_row(&list, at);
	end_pool(&list);
	if (reading->graph->nr_facts == before)
		return hl_fail(err, EBADMSG, "%s:%u: no pool in it", slice->name,
			       slice->lines[0].number);
	return 0;
}

const struct hl_format hl_format_zpool_list = {
	.name = "zpool-list",
	.summary = "zpool list, with -v, -p or -H",
	.claim = list_claim,
	.read = list_read,
};
