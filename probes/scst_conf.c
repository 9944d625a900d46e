/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SCST's configuration, /etc/scst.conf, as scstadmin writes it: what stands behind each LUN.
 *
 *   HANDLER vdisk_blockio {
 *           DEVICE pvc {
 *                   filename /dev/zvol/tank/pvc
 *           }
 *   }
 *   TARGET_DRIVER iscsi {
 *           TARGET iqn.2005-10.org.example:pvc {
 *                   QueuedCommands 32
 *                   LUN 0 pvc
 *           }
 *   }
 *
 * Source: scst.conf(5). The same facts as of the live kernel (iscsi_scst.c). Surprising: a LUN may
 * stand in the target or in a group of initiators, often in several; the first tells of it. Names
 * and passwords (IncomingUser) are attributes like others, and are in no list here.
 */
#include "hoploss/format.h"
#include "saved.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_WORD    256
#define MAX_DEPTH   8
#define MAX_DEVICES 256

enum block { OTHER, HANDLER, DEVICE, DRIVER, TARGET, GROUP, LUN };

struct row {
	const char *name, *key;
	enum { NUMBER, TEXT, FLAG, NOT_FLAG } kind;
};

static const struct row of_target[] = {
	{ "QueuedCommands", "target.queued_commands", NUMBER },
	{ "MaxRecvDataSegmentLength", "target.max_recv", NUMBER },
	{ "MaxXmitDataSegmentLength", "target.max_xmit", NUMBER },
	{ "FirstBurstLength", "target.first_burst", NUMBER },
	{ "MaxBurstLength", "target.max_burst", NUMBER },
	{ "MaxOutstandingR2T", "target.max_outstanding_r2t", NUMBER },
	{ "ImmediateData", "target.immediate_data", FLAG },
	{ "InitialR2T", "target.initial_r2t", FLAG },
};

static const struct row of_device[] = {
	{ "filename", "target.backing", TEXT },
	{ "threads_num", "target.threads", NUMBER },
	{ "threads_pool_type", "target.threads_pool", TEXT },
	{ "nv_cache", "target.nv_cache", FLAG },
	{ "o_direct", "target.has_direct_io", FLAG },
	{ "blocksize", "target.block_size", NUMBER },
	{ "write_through", "target.write_back", NOT_FLAG },
};

#define NR(array) (sizeof(array) / sizeof(*(array)))

struct words { /* of one line, without quotes */
	char word[3][MAX_WORD];
	size_t nr;
	bool opens, closes;
};

struct device {
	char name[MAX_WORD], handler[MAX_WORD];
	const char *values[NR(of_device)]; /* in the arena; NULL = not said */
};

struct reader {
	struct hl_reading *reading;
	const char *file;
	enum block blocks[MAX_DEPTH];
	size_t depth;
	char handler[MAX_WORD];
	bool is_iscsi;
	const char *iqn; /* NULL = in no target */
	struct device devices[MAX_DEVICES];
	size_t nr_devices;
};

static bool is_gap(char c)
{
	return c == ' ' || c == '\t';
}

/* The next word, perhaps in quotes; false at the end. */
static bool take_word(const char **at, const char *end, char ret_word[MAX_WORD])
{
	size_t used = 0;
	bool is_quoted;

	while (*at < end && is_gap(**at))
		++*at;
	if (*at == end || **at == '#')
		return false;
	is_quoted = **at == '"';
	*at += is_quoted;
	while (*at < end && (is_quoted ? **at != '"' : !is_gap(**at))) {
		if (used < MAX_WORD - 1)
			ret_word[used++] = **at;
		++*at;
	}
	*at += is_quoted && *at < end;
	ret_word[used] = '\0';
	return true;
}

static void split(struct hl_line line, struct words *ret_words)
{
	const char *at, *end;
	char word[MAX_WORD];

	*ret_words = (struct words){ 0 };
	line = hl_line_trim(line);
	at = line.start;
	end = at + line.len;
	while (take_word(&at, end, word)) {
		if (!strcmp(word, "{"))
			ret_words->opens = true;
		else if (!strcmp(word, "}"))
			ret_words->closes = true;
		else if (ret_words->nr < NR(ret_words->word))
			memcpy(ret_words->word[ret_words->nr++], word, MAX_WORD);
	}
}

static enum block block_of(const char *word)
{
	static const struct {
		const char *name;
		enum block block;
	} rows[] = {
		{ "HANDLER", HANDLER }, { "DEVICE", DEVICE }, { "TARGET_DRIVER", DRIVER },
		{ "TARGET", TARGET },   { "GROUP", GROUP },   { "LUN", LUN },
	};

	for (size_t i = 0; i < NR(rows); i++) {
		if (!strcmp(word, rows[i].name))
			return rows[i].block;
	}
	return OTHER;
}

/* ---- claim ---- */

static bool begins(struct hl_line line)
{
	struct words words;
	enum block block;

	line = hl_line_trim(line);
	if (!hl_line_starts(line, "HANDLER ") && !hl_line_starts(line, "TARGET_DRIVER "))
		return false;
	split(line, &words);
	block = block_of(words.word[0]);
	return (block == HANDLER || block == DRIVER) && words.nr == 2 && words.opens;
}

/* Behind the brace that closes the block that begins at at, or the end of the text. */
static size_t block_end(const struct hl_text *text, size_t at)
{
	size_t depth = 0;

	for (; at < text->nr_lines; at++) {
		struct words words;

		split(text->lines[at], &words);
		depth += words.opens;
		depth -= words.closes && depth;
		if (!depth)
			return at + 1;
	}
	return at;
}

static size_t scst_claim(const struct hl_text *text, size_t at)
{
	size_t end = at, next = at;

	while (next < text->nr_lines && begins(text->lines[next])) {
		end = next = block_end(text, next);
		while (next < text->nr_lines && saved_is_blank(text->lines[next]))
			next++;
	}
	return end - at;
}

/* ---- facts ---- */

static void add_value(const struct reader *reader, const struct hl_origin *origin,
		      const struct row *row, const char *value)
{
	struct hl_graph *graph = reader->reading->graph;
	double number = value ? saved_number(value) : NAN;
	int flag = !value ? -1 : isnan(number) ? saved_boolean(value) : number != 0;

	if (row->kind == TEXT)
		hl_graph_add_string(graph, origin, row->key, value);
	else if (row->kind == NUMBER)
		hl_graph_add_number(graph, origin, row->key, number);
	else if (flag >= 0)
		hl_graph_add_boolean(graph, origin, row->key, flag != (row->kind == NOT_FLAG));
}

static const struct device *find_device(const struct reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->nr_devices; i++) {
		if (!strcmp(reader->devices[i].name, name))
			return &reader->devices[i];
	}
	return NULL;
}

/* "LUN 0 pvc" */
static void add_lun(const struct reader *reader, const struct words *words, const char *source)
{
	struct hl_graph *graph = reader->reading->graph;
	const struct device *device = words->nr == 3 ? find_device(reader, words->word[2]) : NULL;
	struct hl_origin origin = { .host = reader->reading->host, .source = source };

	if (!reader->iqn || !device)
		return;
	origin.node = hl_arena_printf(graph->arena, "%s/lun%s", reader->iqn, words->word[1]);
	if (hl_graph_find_fact(graph, origin.node, "target.backstore"))
		return;
	hl_graph_add_string(graph, &origin, "target.backstore", device->handler);
	for (size_t i = 0; i < NR(of_device); i++)
		add_value(reader, &origin, &of_device[i], device->values[i]);
}

static void begin_target(struct reader *reader, const char *name, const char *source)
{
	struct hl_graph *graph = reader->reading->graph;
	struct hl_origin origin = { .host = reader->reading->host, .source = source };

	reader->iqn = reader->is_iscsi ? hl_arena_strdup(graph->arena, name) : NULL;
	origin.node = reader->iqn;
	if (reader->iqn)
		hl_graph_add_string(graph, &origin, "target.kind", "SCST");
}

static void begin_device(struct reader *reader, const char *name)
{
	struct device *device = &reader->devices[reader->nr_devices];

	if (reader->nr_devices == MAX_DEVICES)
		return;
	reader->nr_devices++;
	memcpy(device->name, name, MAX_WORD);
	memcpy(device->handler, reader->handler, MAX_WORD);
}

static void take_attribute(struct reader *reader, const struct words *words, const char *source)
{
	enum block block = reader->depth ? reader->blocks[reader->depth - 1] : OTHER;
	struct hl_arena *arena = reader->reading->graph->arena;
	const struct hl_origin origin = { reader->reading->host, reader->iqn, source };

	for (size_t i = 0; block == TARGET && reader->iqn && i < NR(of_target); i++) {
		if (!strcmp(words->word[0], of_target[i].name))
			add_value(reader, &origin, &of_target[i], words->word[1]);
	}
	for (size_t i = 0; block == DEVICE && reader->nr_devices && i < NR(of_device); i++) {
		if (!strcmp(words->word[0], of_device[i].name))
			reader->devices[reader->nr_devices - 1].values[i] = hl_arena_strdup(
				arena, words->word[1]);
	}
}

static void take_line(struct reader *reader, struct hl_line line)
{
	const char *source = hl_arena_printf(reader->reading->graph->arena, "%s:%u", reader->file,
					     line.number);
	struct words words;
	enum block block;

	split(line, &words);
	block = words.nr ? block_of(words.word[0]) : OTHER;
	if (block == HANDLER)
		memcpy(reader->handler, words.word[1], MAX_WORD);
	else if (block == DRIVER)
		reader->is_iscsi = !strcmp(words.word[1], "iscsi");
	else if (block == DEVICE && words.opens)
		begin_device(reader, words.word[1]);
	else if (block == TARGET && words.nr == 2)
		begin_target(reader, words.word[1], source);
	else if (block == LUN)
		add_lun(reader, &words, source);
	else if (words.nr > 1)
		take_attribute(reader, &words, source);
	if (words.opens && reader->depth < MAX_DEPTH)
		reader->blocks[reader->depth++] = block;
	if (words.closes && reader->depth)
		reader->depth--;
}

static int scst_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	HL_FREE struct reader *reader = hl_alloc(sizeof(*reader));
	size_t before = reading->graph->nr_facts;

	reader->reading = reading;
	reader->file = slice->name;
	for (size_t i = 0; i < slice->nr_lines; i++)
		take_line(reader, slice->lines[i]);
	if (reading->graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s:%u: no iSCSI target in it", slice->name,
			       slice->lines[0].number);
	return 0;
}

const struct hl_format hl_format_scst_conf = {
	.name = "scst-conf",
	.summary = "SCST's /etc/scst.conf, as scstadmin writes it",
	.claim = scst_claim,
	.read = scst_read,
};
