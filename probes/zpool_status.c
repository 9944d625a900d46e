/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zpool status (zpool-status(8)) of one or more pools, and zpool import's list of what there is:
 *
 *     pool: tank
 *    state: ONLINE
 *     scan: scrub in progress since ...
 *   config:
 *           NAME        STATE     READ WRITE CKSUM
 *           tank        ONLINE       0     0     0
 *             raidz1-0  ONLINE       0     0     0
 *   errors: No known data errors
 *
 * Surprising: people cut lines out ("..."), begin in the middle and lose the indentation; old
 * versions say "scrub:" and "mirror" without a number. A pool whose end is cut off may have more
 * devices than are shown.
 */
#include "hoploss/text.h"
#include "zpool_tree.h"
#include <errno.h>
#include <math.h>
#include <string.h>

#define MAX_SEEK 40 /* lines in which state or config must follow */
#define MAX_GAP  8  /* lines of something else before the table: explanations */
#define MAX_WRAP 1  /* and in it: what did not fit */

enum label {
	LABEL_NONE,
	LABEL_POOL,
	LABEL_STATE,
	LABEL_SCAN,
	LABEL_ERRORS,
	LABEL_CONFIG,
	LABEL_ID,
	LABEL_OTHER,
};

static enum label label_of(struct hl_word word)
{
	static const struct {
		const char *text;
		enum label label;
	} rows[] = {
		{ "pool:", LABEL_POOL },        { "state:", LABEL_STATE },
		{ "scan:", LABEL_SCAN },        { "scrub:", LABEL_SCAN },
		{ "errors:", LABEL_ERRORS },    { "config:", LABEL_CONFIG },
		{ "status:", LABEL_OTHER },     { "action:", LABEL_OTHER },
		{ "see:", LABEL_OTHER },        { "id:", LABEL_ID },
		{ "comment:", LABEL_OTHER },    { "remove:", LABEL_OTHER },
		{ "checkpoint:", LABEL_OTHER }, { "expand:", LABEL_OTHER },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (hl_word_is(word, rows[i].text))
			return rows[i].label;
	}
	return LABEL_NONE;
}

static enum label label_at(const struct hl_text *text, size_t at)
{
	struct hl_words words;

	hl_words_split(text->lines[at], &words);
	return words.nr ? label_of(words.items[0]) : LABEL_NONE;
}

static bool is_header(const struct hl_words *words)
{
	return words->nr >= 4 && hl_word_is(words->items[0], "NAME") &&
	       hl_word_is(words->items[1], "STATE") && hl_word_is(words->items[2], "READ");
}

static bool is_elision(const struct hl_words *words)
{
	static const char *const dots[] = { ".", "..",   "...",    "[...]",  "[..]", "(...)",
					    "…", "....", "[snip]", "<snip>", NULL };

	return words->nr && words->nr <= 5 && hl_word_is_any(words->items[0], dots);
}

/* A row of the table of devices: the name, its state, and mostly three counts. */
static bool is_row(const struct hl_words *words)
{
	return words->nr >= 2 && hl_word_is_state(words->items[1]);
}

/* Such a row stands in no other place, whatever was left out before it. */
static bool is_counted_row(const struct hl_words *words)
{
	return is_row(words) && words->nr >= 5 && !isnan(hl_word_size(words->items[2])) &&
	       !isnan(hl_word_size(words->items[3])) && !isnan(hl_word_size(words->items[4]));
}

/* What a long name that was wrapped leaves on the next line: state and counts. */
static bool is_rest(const struct hl_words *words)
{
	return words->nr >= 4 && hl_word_is_state(words->items[0]) &&
	       !isnan(hl_word_size(words->items[1]));
}

static bool is_section(const struct hl_words *words)
{
	struct hl_vdevs scratch = { 0 };

	return words->nr == 1 && hl_vdevs_enter(&scratch, words->items[0]);
}

/* ---- the claim ---- */

static bool has_state_below(const struct hl_text *text, size_t at)
{
	for (size_t i = at + 1; i < text->nr_lines && i < at + MAX_SEEK; i++) {
		enum label label = label_at(text, i);
		struct hl_words words;

		if (label == LABEL_STATE || label == LABEL_CONFIG)
			return true;
		if (label == LABEL_POOL)
			return false;
		hl_words_split(text->lines[i], &words);
		if (is_header(&words))
			return true;
	}
	return false;
}

static bool begins(const struct hl_text *text, size_t at)
{
	struct hl_words words, next;

	hl_words_split(text->lines[at], &words);
	if (words.nr == 2 && label_of(words.items[0]) == LABEL_POOL)
		return has_state_below(text, at);
	if (words.nr == 2 && label_of(words.items[0]) == LABEL_STATE)
		return hl_word_is_state(words.items[1]) && has_state_below(text, at);
	if (!is_header(&words) || at + 1 >= text->nr_lines)
		return false;
	hl_words_split(text->lines[at + 1], &next);
	return is_row(&next);
}

static bool is_part(const struct hl_text *text, size_t at)
{
	struct hl_words words;

	hl_words_split(text->lines[at], &words);
	return words.nr && (label_of(words.items[0]) || is_row(&words) || is_section(&words) ||
			    is_header(&words) || is_elision(&words) || is_rest(&words));
}

/* Once the errors are told, only the files that have them follow, or the next pool. */
static size_t end_of_errors(const struct hl_text *text, size_t at)
{
	size_t end = at + 1;
	struct hl_words words;

	if (!hl_line_has(text->lines[at], "Permanent errors"))
		return end;
	for (size_t i = end; i < text->nr_lines; i++) {
		hl_words_split(text->lines[i], &words);
		if (words.nr && !words.indent)
			break;
		end = words.nr ? i + 1 : end;
	}
	return end;
}

/* Nothing but the next pool follows what was told to its end. */
static bool is_over(const struct hl_text *text, size_t at, bool is_told)
{
	enum label label = label_at(text, at);

	if (label == LABEL_POOL || (is_told && label == LABEL_STATE))
		return !begins(text, at);
	/* "List of errors unavailable: permission denied" has their number behind it */
	return is_told && label != LABEL_ERRORS && hl_line_trim(text->lines[at]).len;
}

static size_t status_claim(const struct hl_text *text, size_t at)
{
	size_t end = at + 1, gap = 0, most = MAX_GAP;
	bool is_told = false;

	if (!begins(text, at))
		return 0;
	for (size_t i = at; i < text->nr_lines && !(i > at && is_over(text, i, is_told)); i++) {
		enum label label = label_at(text, i);

		if (is_part(text, i)) {
			is_told = label == LABEL_ERRORS;
			most = label ? MAX_GAP : MAX_WRAP;
			end = is_told ? end_of_errors(text, i) : i + 1;
			i = end - 1;
			gap = 0;
		} else if (hl_line_trim(text->lines[i]).len && ++gap > most) {
			break;
		}
	}
	return end - at;
}

/* ---- reading ---- */

struct status {
	const struct hl_text *slice;
	const struct hl_reading *reading;
	struct hl_vdevs vdevs;
	const char *pool; /* NULL until it is known */
	const char *state, *scan, *errors;
	size_t state_line, scan_line, errors_line;
	bool is_in_table, is_elided;
	bool is_open; /* it began with its name, so that its errors must follow */
	unsigned nr_pools;
};

static void add_text(const struct status *status, const char *key, const char *value, size_t line)
{
	struct hl_graph *graph = status->reading->graph;
	const struct hl_origin origin = { .host = status->reading->host,
					  .node = status->pool,
					  .source = hl_text_source(graph, status->slice, line) };

	hl_graph_add_string(graph, &origin, key, value);
}

static void add_scan(const struct status *status)
{
	struct hl_graph *graph = status->reading->graph;
	const struct hl_origin origin = {
		.host = status->reading->host,
		.node = status->pool,
		.source = hl_text_source(graph, status->slice, status->scan_line),
	};
	bool is_running;

	if (!status->scan)
		return;
	is_running = strstr(status->scan, "in progress") && !strstr(status->scan, "paused");
	hl_graph_add_string(graph, &origin, "zpool.scan", status->scan);
	hl_graph_add_boolean(graph, &origin, "zpool.is_scrubbing",
			     is_running && strstr(status->scan, "scrub"));
	hl_graph_add_boolean(graph, &origin, "zpool.is_resilvering",
			     is_running && strstr(status->scan, "resilver"));
}

/* What was gathered of one pool. */
static void end_pool(struct status *status)
{
	if (status->pool) {
		status->nr_pools++;
		add_text(status, "zpool.state", status->state, status->state_line);
		add_text(status, "zpool.errors", status->errors, status->errors_line);
		add_scan(status);
		status->vdevs.is_complete = status->errors && !status->is_elided;
		hl_vdevs_link(&status->vdevs);
		if (status->vdevs.nr)
			hl_vdevs_report(&status->vdevs, status->slice, status->reading);
	}
	status->pool = status->state = status->scan = status->errors = NULL;
	status->is_in_table = status->is_elided = false;
	status->vdevs.nr = 0;
	status->vdevs.pool.len = 0;
}

static const char *value_of(const struct status *status, const struct hl_words *words)
{
	HL_FREE char *value = hl_words_join(words, 1, words->nr);

	return hl_arena_strdup(status->reading->graph->arena, value);
}

static void take_label(struct status *status, enum label label, const struct hl_words *words,
		       size_t at)
{
	const char *value = value_of(status, words);

	if (label == LABEL_POOL || (label == LABEL_STATE && status->state)) {
		end_pool(status);
		status->pool = label == LABEL_POOL && *value ? value : NULL;
	}
	status->is_in_table = label == LABEL_CONFIG;
	status->is_open = label == LABEL_POOL ||
			  (status->is_open && label != LABEL_ERRORS && label != LABEL_ID);
	if (label == LABEL_STATE && hl_word_is_state(words->items[1])) {
		status->state = hl_word_keep(status->reading->graph, words->items[1]);
		status->state_line = at;
	} else if (label == LABEL_SCAN && !status->scan) {
		status->scan = value;
		status->scan_line = at;
	} else if (label == LABEL_ERRORS) {
		status->errors = value;
		status->errors_line = at;
	}
}

/* The table's first row is the pool. */
static void take_first(struct status *status, const struct hl_words *words, size_t at)
{
	struct hl_graph *graph = status->reading->graph;

	if (!status->pool)
		status->pool = hl_word_keep(graph, words->items[0]);
	hl_vdevs_begin(&status->vdevs, words->items[0], at);
	if (status->state)
		return;
	status->state = hl_word_keep(graph, words->items[1]);
	status->state_line = at;
}

static void take_row(struct status *status, const struct hl_words *words, size_t at)
{
	struct hl_vdev *vdev;

	if (!status->vdevs.pool.len) {
		take_first(status, words, at);
		return;
	}
	vdev = hl_vdevs_add(&status->vdevs, words->items[0], words->indent);
	if (!vdev)
		return;
	vdev->state = words->items[1];
	vdev->line = at;
	if (words->nr < 5)
		return;
	vdev->read_errors = hl_word_size(words->items[2]);
	vdev->write_errors = hl_word_size(words->items[3]);
	vdev->checksum_errors = hl_word_size(words->items[4]);
}

static bool join_wrapped(const struct status *status, struct hl_words *words, size_t at)
{
	struct hl_words next;

	if (words->nr != 1 || !status->is_in_table || at + 1 >= status->slice->nr_lines)
		return false;
	hl_words_split(status->slice->lines[at + 1], &next);
	if (!is_rest(&next))
		return false;
	for (size_t i = 0; i < next.nr && words->nr < HL_WORDS_MAX; i++)
		words->items[words->nr++] = next.items[i];
	return true;
}

static void take_line(struct status *status, size_t at)
{
	struct hl_words words;
	enum label label;

	hl_words_split(status->slice->lines[at], &words);
	if (!words.nr)
		return;
	label = label_of(words.items[0]);
	if (label == LABEL_CONFIG || (label && words.nr > 1)) {
		take_label(status, label, &words, at);
	} else if (is_header(&words)) {
		status->is_in_table = true;
	} else if (is_elision(&words)) {
		status->is_elided = status->is_elided || status->is_in_table;
		status->is_open = false; /* who leaves something out may leave out that */
	} else if (status->is_in_table && words.nr == 1 && status->vdevs.pool.len &&
		   hl_vdevs_enter(&status->vdevs, words.items[0])) {
		return;
	} else if (is_counted_row(&words) ||
		   (status->is_in_table && (is_row(&words) || join_wrapped(status, &words, at)))) {
		take_row(status, &words, at);
	}
}

static void free_status(struct status *status)
{
	hl_vdevs_free(&status->vdevs);
}

static int status_read(const struct hl_text *slice, struct hl_reading *reading,
		       struct hl_error *err)
{
	__attribute__((cleanup(free_status))) struct status status = { .slice = slice,
								       .reading = reading };
	bool is_cut;

	for (size_t at = 0; at < slice->nr_lines; at++)
		take_line(&status, at);
	if (!status.pool && status.state)
		status.pool = reading->node;
	is_cut = status.is_open;
	end_pool(&status);
	if (!status.nr_pools)
		return hl_fail(err, EBADMSG, "%s:%u: no pool in it", slice->name,
			       slice->lines[0].number);
	if (is_cut)
		return hl_fail(err, EBADMSG, "%s:%u: it is cut off before the pool's errors",
			       slice->name, slice->lines[slice->nr_lines - 1].number);
	return 0;
}

const struct hl_format hl_format_zpool_status = {
	.name = "zpool-status",
	.summary = "zpool status",
	.claim = status_claim,
	.read = status_read,
};
