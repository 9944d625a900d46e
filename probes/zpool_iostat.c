/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zpool iostat, with -v, -l, -q and -p (zpool-iostat(8)): rates of pools and vdevs, how long I/Os
 * wait and how many are in the queues.
 *
 *                 capacity     operations     bandwidth    total_wait     disk_wait   ...
 *   pool        alloc   free   read  write   read  write   read  write   read  write  ...
 *   ----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----
 *   tank        12.1T  22.8T    310    205  38.7M  11.2M    5ms    2ms    4ms    1ms
 *
 * Surprising: columns go read, write, read, write …; only the line above says of what, so the
 * groups there are counted, not their places. The first sample is since boot: of several the last
 * one counts. Waits are since boot, too, and mean little on an idle pool.
 */
#include "zpool_tree.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 40
#define MAX_NODES   4096 /* pools and vdevs; more are left out */

struct column {
	const char *of_pool, *of_vdev; /* fact keys; NULL = none */
	double (*read)(struct hl_word word);
};

/* The groups of the upper header line and the columns below each. */
static const struct {
	const char *name;
	unsigned nr;
	struct column columns[2];
} groups[] = {
	{ "capacity",
	  2,
	  { { "zpool.alloc", NULL, hl_word_size }, { "zpool.free", NULL, hl_word_size } } },
	{ "operations",
	  2,
	  { { "zpool.read_iops", "vdev.read_iops", hl_word_size },
	    { "zpool.write_iops", "vdev.write_iops", hl_word_size } } },
	{ "bandwidth",
	  2,
	  { { "zpool.read_bw", "vdev.read_bw", hl_word_size },
	    { "zpool.write_bw", "vdev.write_bw", hl_word_size } } },
	{ "total_wait",
	  2,
	  { { "zpool.read_wait_ns", NULL, hl_word_time },
	    { "zpool.write_wait_ns", NULL, hl_word_time } } },
	{ "disk_wait",
	  2,
	  { { "zpool.disk_read_wait_ns", "vdev.disk_read_wait_ns", hl_word_time },
	    { "zpool.disk_write_wait_ns", "vdev.disk_write_wait_ns", hl_word_time } } },
	{ "syncq_wait",
	  2,
	  { { "zpool.syncq_read_wait_ns", NULL, hl_word_time },
	    { "zpool.syncq_write_wait_ns", NULL, hl_word_time } } },
	{ "asyncq_wait",
	  2,
	  { { "zpool.asyncq_read_wait_ns", NULL, hl_word_time },
	    { "zpool.asyncq_write_wait_ns", NULL, hl_word_time } } },
	{ "scrub", 1, { { NULL, NULL, NULL } } },
	{ "trim", 1, { { NULL, NULL, NULL } } },
	{ "rebuild", 1, { { NULL, NULL, NULL } } },
	{ "syncq_read", 2, { { NULL, NULL, NULL } } },
	{ "syncq_write", 2, { { NULL, NULL, NULL } } },
	{ "asyncq_read", 2, { { NULL, NULL, NULL } } },
	{ "asyncq_write", 2, { { NULL, NULL, NULL } } },
	{ "scrubq_read", 2, { { NULL, NULL, NULL } } },
	{ "trimq_write", 2, { { NULL, NULL, NULL } } },
	{ "rebuildq_write", 2, { { NULL, NULL, NULL } } },
};

#define NR_GROUPS (sizeof(groups) / sizeof(*groups))

struct columns {
	struct column items[MAX_COLUMNS];
	size_t nr;
};

static size_t find_group(struct hl_word word)
{
	size_t i = 0;

	while (i < NR_GROUPS && !hl_word_is(word, groups[i].name))
		i++;
	return i;
}

static void add_group(struct columns *columns, size_t group)
{
	for (unsigned i = 0; i < groups[group].nr && columns->nr < MAX_COLUMNS; i++)
		columns->items[columns->nr++] = groups[group].columns[i];
}

/* The upper line of the header: nothing but names of groups. */
static bool read_upper(const struct hl_words *words, struct columns *ret_columns)
{
	struct columns columns = { .nr = 0 };

	if (words->nr < 2)
		return false;
	for (size_t i = 0; i < words->nr; i++) {
		size_t group = find_group(words->items[i]);

		if (group == NR_GROUPS)
			return false;
		add_group(&columns, group);
	}
	*ret_columns = columns;
	return true;
}

static bool is_lower(const struct hl_words *words)
{
	return words->nr >= 3 && hl_word_is(words->items[0], "pool") &&
	       hl_word_is(words->items[1], "alloc") && hl_word_is(words->items[2], "free");
}

static bool is_rule(const struct hl_words *words)
{
	return words->nr && hl_word_starts(words->items[0], "--");
}

static bool is_row(const struct hl_words *words)
{
	if (words->nr < 7)
		return false;
	for (size_t i = 1; i < words->nr; i++) {
		if (!hl_word_is(words->items[i], "-") && isnan(hl_word_size(words->items[i])) &&
		    isnan(hl_word_time(words->items[i])))
			return false;
	}
	return true;
}

/* Without the upper line: the first six are what they always are. */
static void default_columns(struct columns *ret_columns)
{
	ret_columns->nr = 0;
	for (size_t i = 0; i < 3; i++)
		add_group(ret_columns, i);
}

static bool begins(const struct hl_text *text, size_t at, struct columns *ret_columns)
{
	struct hl_words words, next;

	hl_words_split(text->lines[at], &words);
	if (is_lower(&words)) {
		default_columns(ret_columns);
		return true;
	}
	if (!read_upper(&words, ret_columns) || at + 1 >= text->nr_lines)
		return false;
	hl_words_split(text->lines[at + 1], &next);
	return is_lower(&next);
}

/* "Mon Nov 30 12:00:00 UTC 2026" or seconds since 1970, of -T. */
static bool is_time(const struct hl_words *words)
{
	return (words->nr >= 5 && words->nr <= 7 &&
		memchr(words->items[3].start, ':', words->items[3].len)) ||
	       (words->nr == 1 && words->items[0].len == 10 && hl_word_number(words->items[0]) > 0);
}

static size_t iostat_claim(const struct hl_text *text, size_t at)
{
	struct columns columns, again;
	struct hl_words words;
	size_t end = at + 1;
	bool has_row = false, has_upper;

	if (!begins(text, at, &columns))
		return 0;
	hl_words_split(text->lines[at], &words);
	has_upper = !is_lower(&words); /* both lines of a header are known without a row */
	for (size_t i = at + 1; i < text->nr_lines; i++) {
		hl_words_split(text->lines[i], &words);
		if (!words.nr || is_time(&words))
			continue;
		if (!is_row(&words) && !is_rule(&words) && !is_lower(&words) &&
		    !begins(text, i, &again))
			break;
		has_row = has_row || is_row(&words);
		end = i + 1;
	}
	return has_row || has_upper ? end - at : 0;
}

/* ---- reading ---- */

struct sample { /* the last row of one node */
	struct hl_words words;
	struct hl_word pool;
	bool is_pool;
	size_t line;
	struct columns columns;
};

struct iostat {
	struct sample *items;
	size_t nr;
	struct columns columns;
	struct hl_word pool;
	unsigned indent;
	bool is_next_pool; /* behind a rule */
	bool is_flat;      /* with -v, but without its indentation: only rules tell pools apart */
};

static bool is_same(struct hl_word a, struct hl_word b)
{
	return a.len == b.len && (!a.len || !memcmp(a.start, b.start, a.len));
}

/* The node's own, or a new one; NULL: there are too many. */
static struct sample *find_sample(struct iostat *iostat, struct hl_word name)
{
	for (size_t i = 0; i < iostat->nr; i++) {
		if (is_same(iostat->items[i].words.items[0], name) &&
		    is_same(iostat->items[i].pool, iostat->pool))
			return &iostat->items[i];
	}
	if (iostat->nr == MAX_NODES)
		return NULL;
	iostat->items = hl_grow(iostat->items, iostat->nr + 1, sizeof(*iostat->items));
	return &iostat->items[iostat->nr++];
}

static bool is_section(const struct hl_words *words)
{
	struct hl_vdevs scratch = { 0 };

	for (size_t i = 1; i < words->nr; i++) {
		if (!hl_word_is(words->items[i], "-"))
			return false;
	}
	return hl_vdevs_enter(&scratch, words->items[0]);
}

/*
 * Devices among the rows, and all at one indentation: then a pool is what follows a rule. Where no
 * name tells that there are devices, several blocks do, unless they are samples of the same pools.
 */
static bool is_flat(const struct hl_text *slice)
{
	unsigned nr_rules = 0, nr_rows = 0, indent = 0;
	bool has_group = false, is_again = false, is_first = false;
	struct hl_word first = { 0 };
	struct hl_words words;

	for (size_t at = 0; at < slice->nr_lines; at++) {
		hl_words_split(slice->lines[at], &words);
		is_first = is_first || is_rule(&words);
		nr_rules += is_rule(&words);
		if (!is_row(&words))
			continue;
		if (nr_rows++ && words.indent != indent)
			return false;
		indent = words.indent;
		has_group = has_group || hl_vdev_is_group(words.items[0]);
		is_again = is_again || (is_first && is_same(words.items[0], first));
		if (!first.len)
			first = words.items[0];
		is_first = false;
	}
	return has_group || (nr_rules > 2 && nr_rows >= nr_rules && !is_again);
}

static void take_row(struct iostat *iostat, const struct hl_words *words, size_t at)
{
	bool is_pool = iostat->is_next_pool ||
		       (words->indent <= iostat->indent && !iostat->is_flat);
	struct sample *sample;

	if (is_section(words))
		return;
	if (is_pool) {
		iostat->pool = words->items[0];
		iostat->indent = words->indent;
	}
	iostat->is_next_pool = false;
	sample = find_sample(iostat, words->items[0]);
	if (!sample)
		return;
	*sample = (struct sample){ .words = *words,
				   .pool = iostat->pool,
				   .is_pool = is_pool,
				   .line = at,
				   .columns = iostat->columns };
}

static void take_line(struct iostat *iostat, const struct hl_text *slice, size_t at)
{
	struct columns columns;
	struct hl_words words;

	hl_words_split(slice->lines[at], &words);
	if (read_upper(&words, &columns)) {
		iostat->columns = columns;
	} else if (is_lower(&words)) {
		iostat->indent = words.indent;
		iostat->is_next_pool = true;
	} else if (is_rule(&words)) {
		iostat->is_next_pool = true;
	} else if (is_row(&words) && !is_time(&words)) {
		take_row(iostat, &words, at);
	}
}

static void report(const struct sample *sample, const struct hl_text *slice,
		   const struct hl_reading *reading)
{
	struct hl_graph *graph = reading->graph;
	struct hl_word pool = sample->pool, name = sample->words.items[0];
	const struct hl_origin origin = {
		.host = reading->host,
		.node = sample->is_pool ? hl_word_keep(graph, name)
					: hl_arena_printf(graph->arena, "%.*s/%.*s", (int)pool.len,
							  pool.start, (int)name.len, name.start),
		.source = hl_text_source(graph, slice, sample->line),
	};

	for (size_t i = 0; i < sample->columns.nr && i + 1 < sample->words.nr; i++) {
		const struct column *column = &sample->columns.items[i];
		const char *key = sample->is_pool ? column->of_pool : column->of_vdev;

		if (key)
			hl_graph_add_number(graph, &origin, key,
					    column->read(sample->words.items[i + 1]));
	}
}

static void free_iostat(struct iostat *iostat)
{
	free(iostat->items);
}

static int iostat_read(const struct hl_text *slice, struct hl_reading *reading,
		       struct hl_error *err)
{
	__attribute__((cleanup(free_iostat))) struct iostat iostat = { .is_next_pool = true };
	size_t before = reading->graph->nr_facts;

	default_columns(&iostat.columns);
	iostat.is_flat = is_flat(slice);
	for (size_t at = 0; at < slice->nr_lines; at++)
		take_line(&iostat, slice, at);
	for (size_t i = 0; i < iostat.nr; i++)
		report(&iostat.items[i], slice, reading);
	if (reading->graph->nr_facts == before)
		return hl_fail(err, EBADMSG, "%s:%u: no pool in it", slice->name,
			       slice->lines[0].number);
	return 0;
}

const struct hl_format hl_format_zpool_iostat = {
	.name = "zpool-iostat",
	.summary = "zpool iostat, with -v, -l and -q",
	.claim = iostat_claim,
	.read = iostat_read,
};
