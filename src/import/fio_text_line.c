/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines as fio printed them: those that a mailer or a terminal broke are joined again, and all
 * blanks are taken out, so that the readers need not care where a line was broken or indented.
 *
 * Surprising: whether a line goes on is told by what its kind must end with ("msec", "stdev=",
 * "iodepth="), never by its length. If the lines after it do not complete it, it was cut, and they
 * are left alone.
 */
#include "fio_text.h"
#include "hoploss/entity.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PARTS 8 /* lines that one may have been broken into */

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

char *fio_text_plain(const char *text, size_t len, struct hl_arena *arena)
{
	char *plain = hl_arena_alloc(arena, len + 1);
	size_t used;

	if (len)
		memcpy(plain, text, len);
	used = hl_entity_replace(plain, len);
	while (used && is_blank(plain[used - 1]))
		used--;
	plain[used] = '\0';
	while (is_blank(*plain))
		plain++;
	return plain;
}

/* ---- the text of a line ---- */

static void add_part(struct fio_lines *lines, const char *at, const char *end)
{
	char *out;

	if (lines->size < lines->used + (size_t)(end - at) + 1) {
		lines->size = (lines->used + (size_t)(end - at) + 1) * 2;
		lines->buffer = hl_grow(lines->buffer, lines->size, 1);
	}
	out = lines->buffer + lines->used;
	while (at < end) {
		char c = *at;
		size_t step = hl_entity(at, (size_t)(end - at), &c);

		if (!is_blank(c) && c)
			*out++ = c;
		at += step ? step : 1;
	}
	*out = '\0';
	lines->used = (size_t)(out - lines->buffer);
}

static void add_line(struct fio_lines *lines, size_t at)
{
	const struct hl_line *line = &lines->slice->lines[at];

	add_part(lines, line->start, line->start + line->len);
}

/* ---- is it whole? ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && !strcmp(text + len - end_len, end);
}

/* What a line of each kind ends with: this word, and behind it that one. */
static const struct {
	const char *word, *then;
} ends[FIO_NR_KINDS] = {
	[FIO_JOB] = { "iodepth=", "" },         [FIO_HOST] = { "fio=", "," },
	[FIO_ERROR] = { "error=", "" },         [FIO_RESULT] = { ":pid=", ":" },
	[FIO_LATENCY] = { "stdev=", "." },      [FIO_CPU] = { "ctx=", "" },
	[FIO_ISSUED] = { "short=", "" },        [FIO_TARGET] = { ",depth=", "" },
	[FIO_ERRORS] = { "first_error=", "/" }, [FIO_DISK] = { "util=", "%" },
	[FIO_GROUP_RATE] = { "run=", "msec" },
};

static bool ends_in(const char *text, const char *word, const char *then)
{
	const char *at = strstr(text, word);

	return at && at[strlen(word)] && strstr(at + strlen(word), then);
}

/* "; 11 zone resets", "; Cachehit=0.10%" */
static bool has_whole_note(const char *text)
{
	return strstr(text, "resets") || strchr(text, '%');
}

static bool is_whole(enum fio_kind kind, const char *text)
{
	if (kind == FIO_ROW)
		return ends_with(text, "]") || ends_with(text, "],");
	if (kind == FIO_RATE)
		return strchr(text, ';') ? has_whole_note(strchr(text, ';'))
					 : strstr(text, "msec") != NULL;
	if (kind == FIO_GROUP_RATE && strstr(text, "mint="))
		return ends_in(text, "maxt=", "msec");
	if (kind == FIO_DISK && strstr(text, "aggrios="))
		return ends_in(text, "aggrutil=", "%");
	return !ends[kind].word || ends_in(text, ends[kind].word, ends[kind].then);
}

/* ---- joining ---- */

static bool may_go_on(const struct hl_text *slice, size_t at)
{
	return fio_mark_at(slice, at).kind == FIO_NONE &&
	       !hl_line_starts(hl_line_trim(slice->lines[at]), "{");
}

/* The line behind at that may be its rest; nr_lines if none. */
static size_t next_part(const struct fio_lines *lines, size_t at)
{
	size_t next = at + 1;

	if (lines->is_doubled && next < lines->slice->nr_lines &&
	    fio_mark_at(lines->slice, next).kind == FIO_BLANK)
		next++;
	if (next < lines->slice->nr_lines && may_go_on(lines->slice, next))
		return next;
	return lines->slice->nr_lines;
}

/* A terminal of 80 columns may break "iodepth=32" behind the 3. */
static bool is_rest_of_number(const struct fio_lines *lines, const struct fio_line *line)
{
	size_t last = line->at + line->nr - 1;
	size_t next = last + 1;
	struct hl_line rest;

	if ((line->kind != FIO_JOB && line->kind != FIO_TARGET) || next >= lines->slice->nr_lines ||
	    lines->slice->lines[last].len < 72 ||
	    !isdigit((unsigned char)lines->buffer[lines->used - 1]))
		return false;
	rest = lines->slice->lines[next];
	for (unsigned i = 0; i < rest.len; i++) {
		if (!isdigit((unsigned char)rest.start[i]))
			return false;
	}
	return rest.len > 0 && rest.len < 4;
}

static void join_rest(struct fio_lines *lines, struct fio_line *line)
{
	size_t used = lines->used, at = line->at;

	for (int parts = 1; parts < MAX_PARTS && !is_whole(line->kind, lines->buffer); parts++) {
		at = next_part(lines, at);
		if (at == lines->slice->nr_lines)
			break;
		add_line(lines, at);
	}
	if (!is_whole(line->kind, lines->buffer)) { /* cut: what follows is something else */
		lines->used = used;
		lines->buffer[used] = '\0';
		return;
	}
	line->nr = at - line->at + 1;
	if (is_rest_of_number(lines, line)) {
		add_line(lines, line->at + line->nr);
		line->nr++;
	}
}

/* Nothing is taken from it, but its rest must be gone over. */
static void skip_detail(const struct fio_lines *lines, struct fio_line *line)
{
	size_t at = line->at;

	for (int parts = 1; parts < MAX_PARTS; parts++) {
		struct hl_line trimmed = hl_line_trim(lines->slice->lines[at]);

		if (!trimmed.len || trimmed.start[trimmed.len - 1] != ',')
			return;
		at = next_part(lines, at);
		if (at == lines->slice->nr_lines)
			return;
		line->nr = at - line->at + 1;
	}
}

static void read_line(struct fio_lines *lines, const struct fio_mark *mark,
		      struct fio_line *ret_line)
{
	const struct hl_line *raw = &lines->slice->lines[lines->at];

	*ret_line = (struct fio_line){
		.kind = mark->kind,
		.dir = mark->dir,
		.name = mark->name_end ? mark->start : NULL,
		.name_len = mark->name_end ? (size_t)(mark->name_end - mark->start) : 0,
		.at = lines->at,
		.nr = 1,
		.number = raw->number,
	};
	if (mark->kind == FIO_DETAIL || mark->kind == FIO_RATE_DETAIL) {
		skip_detail(lines, ret_line);
		return;
	}
	lines->used = 0;
	add_part(lines, mark->start, raw->start + raw->len);
	join_rest(lines, ret_line);
	ret_line->text = lines->buffer;
}

void fio_lines_begin(struct fio_lines *lines, const struct hl_text *slice)
{
	size_t nr_blank = 0;

	for (size_t i = 0; i < slice->nr_lines; i++)
		nr_blank += !hl_line_trim(slice->lines[i]).len;
	*lines = (struct fio_lines){
		.slice = slice,
		.is_doubled = nr_blank * 5 > slice->nr_lines * 2,
	};
}

bool fio_lines_next(struct fio_lines *lines, struct fio_line *ret_line)
{
	while (lines->at < lines->slice->nr_lines) {
		struct fio_mark mark = fio_mark_at(lines->slice, lines->at);

		if (mark.kind == FIO_NONE || mark.kind == FIO_BLANK) {
			lines->at++;
			continue;
		}
		read_line(lines, &mark, ret_line);
		lines->at += ret_line->nr;
		return true;
	}
	return false;
}

void fio_lines_end(struct fio_lines *lines)
{
	free(lines->buffer);
	lines->buffer = NULL;
}

char *fio_line_spaced(const struct fio_lines *lines, const struct fio_line *line,
		      struct hl_arena *arena)
{
	const struct hl_line *first = &lines->slice->lines[line->at];
	const struct hl_line *last = first + line->nr - 1;
	size_t len = (size_t)(last->start + last->len - first->start);
	char *text = fio_text_plain(first->start, len, arena);
	char *out = text;

	for (const char *in = text; *in; in++) {
		if (!is_blank(*in))
			*out++ = *in;
		else if (out > text && out[-1] != ' ')
			*out++ = ' ';
	}
	*out = '\0';
	return text;
}
