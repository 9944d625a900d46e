/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Foreign text cut into lines and cleaned: see hoploss/text.h.
 *
 * All cleaning shrinks, so it is done in place in one copy of the text: lines are moved down as
 * those before them get shorter. Each kind of dirt is first looked for in the whole text, since
 * most texts have none.
 */
#include "hoploss/text.h"
#include "hoploss/alloc.h"
#include "hoploss/entity.h"
#include "hoploss/logged.h"
#include "hoploss/mail_quote.h"
#include "hoploss/quoted_printable.h"
#include "text_doubled.h"
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ESC 0x1b

/* ---- UTF ---- */

static bool is_continuation(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF. */
size_t hl_text_utf8(const char *text, size_t len)
{
	const unsigned char *c = (const unsigned char *)text;
	unsigned char low = 0x80, high = 0xbf;
	size_t need;

	if (!len)
		return 0;
	if (c[0] < 0x80)
		return 1;
	if (c[0] < 0xc2 || c[0] > 0xf4)
		return 0;
	need = c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
	if (c[0] == 0xe0)
		low = 0xa0;
	if (c[0] == 0xf0)
		low = 0x90;
	if (c[0] == 0xed)
		high = 0x9f;
	if (c[0] == 0xf4)
		high = 0x8f;
	if (len < need || c[1] < low || c[1] > high)
		return 0;
	for (size_t i = 2; i < need; i++) {
		if (!is_continuation(c[i]))
			return 0;
	}
	return need;
}

static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

static uint32_t utf16_unit(const char *bytes, bool is_big)
{
	const unsigned char *c = (const unsigned char *)bytes;

	return is_big ? (uint32_t)c[0] << 8 | c[1] : (uint32_t)c[1] << 8 | c[0];
}

/* What "fio > file" in a Windows PowerShell leaves. A lone surrogate becomes U+FFFD. */
static char *from_utf16(const char *bytes, size_t len, bool is_big, size_t *ret_len)
{
	char *out = hl_grow(NULL, len / 2 + 1, 3); /* a unit gives at most 3 bytes */
	size_t used = 0;

	for (size_t i = 0; i + 1 < len; i += 2) {
		uint32_t c = utf16_unit(bytes + i, is_big);
		bool is_pair = c >= 0xd800 && c < 0xdc00 && i + 3 < len;
		uint32_t next = is_pair ? utf16_unit(bytes + i + 2, is_big) : 0;

		if (next >= 0xdc00 && next < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (next - 0xdc00);
			i += 2;
		} else if (c >= 0xd800 && c < 0xe000) {
			c = 0xfffd;
		}
		used += put_utf8(out + used, c);
	}
	*ret_len = used;
	return out;
}

/* A private copy with room for a last newline, as UTF-8 and without byte order mark. */
static char *copy_as_utf8(const char *bytes, size_t len, size_t *ret_len)
{
	char *copy;

	if (len >= 2 && (!memcmp(bytes, "\xff\xfe", 2) || !memcmp(bytes, "\xfe\xff", 2)))
		return from_utf16(bytes + 2, len - 2, bytes[0] == '\xfe', ret_len);
	if (len >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3)) {
		bytes += 3;
		len -= 3;
	}
	copy = hl_grow(NULL, len + 1, 1);
	if (len)
		memcpy(copy, bytes, len);
	*ret_len = len;
	return copy;
}

/* ---- one line ---- */

struct dirt {
	bool has_cr, has_nul, has_escape, has_no_break, has_qp;
};

static struct dirt look_for_dirt(const char *text, size_t len)
{
	struct dirt dirt = { 0 };

	if (!len)
		return dirt;
	dirt.has_cr = memchr(text, '\r', len);
	dirt.has_nul = memchr(text, '\0', len);
	dirt.has_escape = memchr(text, ESC, len);
	dirt.has_qp = hl_qp_is_in(text, len);
	/* a NUL or an escape sequence may stand in the middle of one; it may be encoded */
	dirt.has_no_break = dirt.has_nul || dirt.has_escape || dirt.has_qp ||
			    memmem(text, len, "\u00a0", 2);
	return dirt;
}

/* What a terminal would show: the last part that is not empty. */
static size_t keep_after_cr(char *line, size_t len)
{
	size_t skip;

	while (len && line[len - 1] == '\r')
		len--;
	skip = len;
	while (skip && line[skip - 1] != '\r')
		skip--;
	if (skip)
		memmove(line, line + skip, len - skip);
	return len - skip;
}

static size_t drop_nuls(char *line, size_t len)
{
	size_t used = 0;

	for (size_t i = 0; i < len; i++) {
		if (line[i])
			line[used++] = line[i];
	}
	return used;
}

/* ECMA-48: ESC [ parameters final byte; of the others (ESC 7) the one byte after. */
static size_t escape_len(const char *text, size_t len)
{
	size_t i = 2;

	if (len < 2)
		return len;
	if (text[1] != '[')
		return 2;
	while (i < len && text[i] >= 0x20 && text[i] < 0x40)
		i++;
	return i < len ? i + 1 : len;
}

static size_t drop_escapes(char *line, size_t len)
{
	size_t used = 0;

	for (size_t i = 0; i < len;) {
		if (line[i] == ESC)
			i += escape_len(line + i, len - i);
		else
			line[used++] = line[i++];
	}
	return used;
}

static size_t plain_blanks(char *line, size_t len)
{
	size_t used = 0;

	for (size_t i = 0; i < len; i++) {
		bool is_no_break = i + 1 < len && !memcmp(line + i, "\u00a0", 2);

		line[used++] = is_no_break ? ' ' : line[i];
		i += is_no_break;
	}
	return used;
}

/* The rest of a broken line may start in the middle of a no-break space: takes that half away. */
static size_t join_no_break(char *end, char *rest, size_t rest_len)
{
	if (!rest_len || end[-1] != "\u00a0"[0] || rest[0] != "\u00a0"[1])
		return rest_len;
	end[-1] = ' ';
	memmove(rest, rest + 1, rest_len - 1);
	return rest_len - 1;
}

static size_t clean_line(char *line, size_t len, const struct dirt *dirt, bool *ret_goes_on)
{
	*ret_goes_on = false;
	if (dirt->has_nul)
		len = drop_nuls(line, len);
	if (dirt->has_escape)
		len = drop_escapes(line, len);
	if (dirt->has_cr)
		len = keep_after_cr(line, len);
	if (dirt->has_qp)
		len = hl_qp_decode(line, len, ret_goes_on);
	if (dirt->has_no_break)
		len = plain_blanks(line, len);
	return len;
}

/* ---- the whole ---- */

/* Moves the lines together again, so that a slice stays one string. */
static void close_gaps(struct hl_line *lines, size_t nr, char *buffer)
{
	for (size_t i = 0; i < nr; i++) {
		memmove(buffer, lines[i].start, lines[i].len);
		lines[i].start = buffer;
		buffer += lines[i].len;
		*buffer++ = '\n';
	}
}

static struct hl_line *add_line(struct hl_text *text, size_t *capacity)
{
	if (text->nr_lines == *capacity) {
		*capacity = *capacity ? *capacity * 2 : 64;
		text->owned = hl_grow(text->owned, *capacity, sizeof(*text->owned));
	}
	return &text->owned[text->nr_lines++];
}

/* Cuts the buffer into clean lines. */
static void cut_lines(struct hl_text *text, size_t len)
{
	struct dirt dirt = look_for_dirt(text->buffer, len);
	bool has_lf = len && memchr(text->buffer, '\n', len);
	char end_of_line = dirt.has_cr && !has_lf ? '\r' : '\n'; /* an old Mac's text */
	char *in = text->buffer, *out = text->buffer;
	char *end = text->buffer + len;
	bool goes_on = false;
	struct hl_line *line = NULL;
	unsigned number = 0;
	size_t capacity = 0;

	while (in < end) {
		char *stop = memchr(in, end_of_line, (size_t)(end - in));
		size_t line_len = (size_t)((stop ? stop : end) - in);
		bool is_rest = goes_on;
		size_t clean_len = clean_line(in, line_len, &dirt, &goes_on);

		number++;
		if (is_rest) {
			out--; /* the newline */
			if (line->len)
				clean_len = join_no_break(out, in, clean_len);
		} else {
			line = add_line(text, &capacity);
			*line = (struct hl_line){ out, 0, number };
		}
		if (clean_len > UINT_MAX - line->len)
			clean_len = UINT_MAX - line->len;
		if (out != in)
			memmove(out, in, clean_len);
		line->len += (unsigned)clean_len;
		in += line_len + 1;
		out += clean_len;
		*out++ = '\n';
	}
}

/* Text out of the source of a web page. Lines that are quotes in a mail are no longer marked. */
static void clean_page(struct hl_line *lines, size_t nr, char *buffer, unsigned forum_tags)
{
	for (size_t i = 0; i < nr; i++) {
		char *start = buffer + (lines[i].start - buffer);
		size_t len = hl_entity_drop_tags(start, lines[i].len);

		if (forum_tags)
			len = hl_forum_drop_tags(start, len, forum_tags);
		if (len < lines[i].len) /* a tag may have stood in a no-break space */
			len = plain_blanks(start, len);
		if (memchr(start, '&', len)) {
			len = hl_entity_plain_blanks(start, len);
			if (hl_entity_is_json(start, len))
				len = hl_entity_replace(start, len);
		}
		lines[i].len = (unsigned)len;
	}
	close_gaps(lines, nr, buffer);
}

/* "`scsi0: local:1`": a line that a page sets as code. */
static bool unmark_code(struct hl_line *lines, size_t nr)
{
	bool is_changed = false;

	for (size_t i = 0; i < nr; i++) {
		struct hl_line line = hl_line_trim(lines[i]);

		if (line.len < 3 || line.start[0] != '`' ||
		    memchr(line.start + 1, '`', line.len - 1) != line.start + line.len - 1)
			continue;
		lines[i].start = line.start + 1;
		lines[i].len = line.len - 2;
		is_changed = true;
	}
	return is_changed;
}

struct hl_text *hl_text_new(const char *name, const char *bytes, size_t len)
{
	struct hl_text *text = hl_alloc(sizeof(*text));
	bool has_gaps = false;
	unsigned forum_tags;
	size_t nr;

	text->name = hl_strdup(name);
	text->buffer = copy_as_utf8(bytes, len, &len);
	text->is_open = len && text->buffer[len - 1] != '\n' && text->buffer[len - 1] != '\r';
	cut_lines(text, len);
	text->lines = text->owned;
	if (len && memchr(text->buffer, '>', len))
		has_gaps = hl_mail_unquote(text->owned, text->nr_lines);
	has_gaps |= hl_logged_strip(text->owned, text->nr_lines);
	has_gaps |= len && memchr(text->buffer, '`', len) &&
		    unmark_code(text->owned, text->nr_lines);
	if (has_gaps)
		close_gaps(text->owned, text->nr_lines, text->buffer);
	forum_tags = len ? hl_forum_tags(text->buffer, len) : 0;
	if (len && (forum_tags || memchr(text->buffer, '&', len) || memchr(text->buffer, '<', len)))
		clean_page(text->owned, text->nr_lines, text->buffer, forum_tags);
	nr = hl_text_close_up(text->owned, text->nr_lines);
	if (nr < text->nr_lines)
		close_gaps(text->owned, nr, text->buffer);
	text->nr_lines = nr;
	return text;
}

void hl_text_free(struct hl_text *text)
{
	if (!text)
		return;
	free((char *)text->name);
	free(text->owned);
	free(text->buffer);
	free(text);
}

struct hl_text hl_text_slice(const struct hl_text *text, size_t first, size_t nr)
{
	if (first > text->nr_lines)
		first = text->nr_lines;
	if (nr > text->nr_lines - first)
		nr = text->nr_lines - first;
	return (struct hl_text){
		.name = text->name,
		.lines = nr ? text->lines + first : NULL,
		.nr_lines = nr,
		.is_open = text->is_open && first + nr == text->nr_lines,
	};
}

const char *hl_text_bytes(const struct hl_text *slice, size_t *ret_len)
{
	const struct hl_line *last;

	if (!slice->nr_lines) {
		*ret_len = 0;
		return "";
	}
	last = &slice->lines[slice->nr_lines - 1];
	*ret_len = (size_t)(last->start + last->len + 1 - slice->lines[0].start);
	return slice->lines[0].start;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct hl_line hl_line_trim(struct hl_line line)
{
	while (line.len && is_blank(line.start[0])) {
		line.start++;
		line.len--;
	}
	while (line.len && is_blank(line.start[line.len - 1]))
		line.len--;
	return line;
}

bool hl_line_starts(struct hl_line line, const char *prefix)
{
	size_t len = strlen(prefix);

	return line.len >= len && !memcmp(line.start, prefix, len);
}

bool hl_line_has(struct hl_line line, const char *needle)
{
	return memmem(line.start, line.len, needle, strlen(needle)) != NULL;
}
