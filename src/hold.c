/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Holding captures until they are scrubbed: see hoploss/hold.h.
 */
#include "hoploss/hold.h"
#include "hoploss/alloc.h"
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELD_MAX (256UL << 20) /* bytes of one host */

struct held { /* one capture */
	const char *host;
	enum hl_capture_stage stage;
	struct hl_record *records;
	size_t nr_records;
	struct hl_capture_status *statuses;
	size_t nr_statuses;
	size_t size;
};

struct hl_hold {
	struct hl_capture_sink sink;
	struct hl_scrub *scrub;
	struct hl_arena *arena; /* of what is held */
	struct held **items;
	size_t nr;
	struct held *begun; /* NULL = none */
};

static int hold_put(struct hl_capture_sink *sink, const struct hl_record *record)
{
	struct hl_hold *hold = (struct hl_hold *)sink;
	struct held *held = hold->begun;
	char *bytes;

	if (record->len + 512 > HELD_MAX - held->size)
		return -EFBIG;
	held->size += record->len + 512;
	bytes = hl_arena_alloc(hold->arena, record->len + 1);
	memcpy(bytes, record->bytes, record->len);
	held->records = hl_arena_extend(hold->arena, held->records, held->nr_records,
					sizeof(*held->records));
	held->records[held->nr_records++] = (struct hl_record){
		.kind = record->kind,
		.path = hl_arena_strdup(hold->arena, record->path),
		.node = hl_arena_strdup(hold->arena, record->node),
		.bytes = bytes,
		.len = record->len,
	};
	return 0;
}

struct hl_hold *hl_hold_new(void)
{
	struct hl_hold *hold = hl_alloc(sizeof(*hold));

	hold->sink.put = hold_put;
	hold->scrub = hl_scrub_new();
	hold->arena = hl_arena_new();
	return hold;
}

void hl_hold_free(struct hl_hold *hold)
{
	if (!hold)
		return;
	hl_scrub_free(hold->scrub);
	hl_arena_free(hold->arena);
	free(hold);
}

struct hl_scrub *hl_hold_scrub(struct hl_hold *hold)
{
	return hold->scrub;
}

struct hl_capture_sink *hl_hold_begin(struct hl_hold *hold, const char *host,
				      enum hl_capture_stage stage)
{
	assert(!hold->begun);
	hold->begun = hl_arena_alloc(hold->arena, sizeof(*hold->begun));
	hold->begun->host = hl_arena_strdup(hold->arena, host);
	hold->begun->stage = stage;
	return &hold->sink;
}

void hl_hold_say(struct hl_hold *hold, const struct hl_capture_status *status)
{
	struct held *held = hold->begun;

	held->statuses = hl_arena_extend(hold->arena, held->statuses, held->nr_statuses,
					 sizeof(*held->statuses));
	held->statuses[held->nr_statuses++] = (struct hl_capture_status){
		hl_arena_strdup(hold->arena, status->probe),
		hl_arena_strdup(hold->arena, status->status),
		hl_arena_strdup(hold->arena, status->reason),
	};
}

void hl_hold_end(struct hl_hold *hold)
{
	hold->items = hl_arena_extend(hold->arena, hold->items, hold->nr, sizeof(*hold->items));
	hold->items[hold->nr++] = hold->begun;
	hold->begun = NULL;
}

/* ---- releasing ---- */

static void learn(struct hl_scrub *scrub, const struct held *held)
{
	hl_scrub_learn_name(scrub, held->host);
	for (size_t i = 0; i < held->nr_records; i++)
		hl_scrub_learn(scrub, &held->records[i]);
}

static int put_scrubbed(struct hl_scrub *scrub, const struct hl_record *record,
			struct hl_capture_sink *sink)
{
	struct hl_record copy;
	int rc;

	hl_scrub_record(scrub, record, &copy);
	rc = sink->put(sink, &copy);
	hl_scrub_record_clear(&copy);
	return rc;
}

static int write_held(const struct hl_hold *hold, const struct held *held,
		      struct hl_captures *captures, int bundle_fd, struct hl_error *err)
{
	HL_FREE char *host = hl_scrub_name(hold->scrub, held->host);
	struct hl_capture_sink *sink;
	int rc = hl_captures_begin(captures, bundle_fd, host, held->stage, &sink, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < held->nr_records; i++)
		rc = put_scrubbed(hold->scrub, &held->records[i], sink);
	if (rc < 0)
		hl_fail(err, -rc, "record what %s said: %s", host, strerror(-rc));
	for (size_t i = 0; i < held->nr_statuses; i++) {
		HL_FREE char *reason = hl_scrub_text(hold->scrub, held->statuses[i].reason);
		const struct hl_capture_status status = { held->statuses[i].probe,
							  held->statuses[i].status, reason };

		hl_captures_say(captures, &status);
	}
	if (rc < 0)
		hl_captures_end(captures, NULL);
	return rc < 0 ? rc : hl_captures_end(captures, err);
}

int hl_hold_release(struct hl_hold *hold, struct hl_captures *captures, int bundle_fd,
		    struct hl_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < hold->nr; i++)
		learn(hold->scrub, hold->items[i]);
	for (size_t i = 0; rc == 0 && i < hold->nr; i++)
		rc = write_held(hold, hold->items[i], captures, bundle_fd, err);
	hl_arena_free(hold->arena);
	hold->arena = hl_arena_new();
	hold->items = NULL;
	hold->nr = 0;
	return rc;
}

/* ---- path files ---- */

/* The value of "key = value" in a line, or NULL. */
static const char *value_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	line += strspn(line, " \t");
	if (strncmp(line, key, len) != 0)
		return NULL;
	line += len;
	line += strspn(line, " \t");
	return *line == '=' || *line == ':' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

/* The name in "[host NAME]" or "[hop NAME]", to be freed; NULL = it is no such line. */
static char *section_of(const char *line, const char *kind)
{
	size_t len = strlen(kind);

	if (*line != '[' || strncmp(line + 1, kind, len) != 0 || line[1 + len] != ' ')
		return NULL;
	line += 2 + len;
	line += strspn(line, " \t");
	return hl_strndup(line, strcspn(line, "]\n"));
}

static bool is_program_word(const char *word)
{
	static const char *const words[] = { "exec", "netns", "run", "--" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!strcmp(word, words[i]))
			return true;
	}
	return strpbrk(word, "=/:") || *word == '-' || word[strspn(word, "0123456789.")] == '\0';
}

/* "ssh root@pve": each word but the program may be a name, without who logs in. */
static void learn_via(struct hl_scrub *scrub, const char *value)
{
	HL_FREE char *copy = hl_strndup(value, strcspn(value, "\n"));
	char *rest = copy, *word;
	bool is_first = true;

	while ((word = strsep(&rest, " \t\r"))) {
		const char *at = strchr(word, '@');

		if (*word && !is_first && !is_program_word(at ? at + 1 : word))
			hl_scrub_learn_name(scrub, at ? at + 1 : word);
		is_first &= !*word;
	}
}

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : NULL;
}

void hl_hold_learn_path(struct hl_hold *hold, const char *text)
{
	const struct hl_record as_record = {
		.kind = HL_RECORD_KEPT, .path = "path.conf", .bytes = text, .len = strlen(text)
	};

	for (const char *line = text; line; line = next_line(line)) {
		HL_FREE char *hop = section_of(line, "hop");

		if (hop)
			hl_scrub_keep_name(hold->scrub, hop);
	}
	for (const char *line = text; line; line = next_line(line)) {
		HL_FREE char *host = section_of(line, "host");
		const char *via = value_of(line, "via");

		if (host)
			hl_scrub_learn_name(hold->scrub, host);
		if (via && strncmp(via, "local\n", 6) != 0)
			learn_via(hold->scrub, via);
	}
	hl_scrub_learn(hold->scrub, &as_record);
}

char *hl_hold_path(struct hl_hold *hold, const char *text)
{
	HL_FREE char *without = NULL;
	size_t len;
	FILE *out = open_memstream(&without, &len);

	if (!out)
		return hl_alloc(SIZE_MAX);
	for (const char *line = text; line && *line; line = next_line(line)) {
		const char *via = value_of(line, "via"), *chap = value_of(line, "chap");
		size_t length = strcspn(line, "\n");

		if (line[strspn(line, " \t")] == '#' || line[strspn(line, " \t")] == ';')
			fputs("#", out); /* the line numbers stay */
		else if (via && strncmp(via, "local", 5) != 0)
			fputs("via = left-out", out);
		else if (chap)
			fputs("chap = left-out", out);
		else
			fwrite(line, 1, length, out);
		fputc('\n', out);
	}
	fclose(out);
	return hl_scrub_text(hold->scrub, without);
}
