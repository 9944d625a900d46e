/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON in pasted text: which lines a value spans, and the values of those lines one by one.
 *
 * What is right is parsed as it stands; only what the parser refuses is mended (json_scan.c).
 */
#include "hoploss/json_extent.h"
#include "hoploss/alloc.h"
#include "json_scan.h"
#include <errno.h>
#include <string.h>

/* An object with a member, or an array of such objects. */
static bool begins_here(const char *bytes, size_t len, size_t at)
{
	bool is_array = bytes[at] == '[';

	if (is_array)
		at = hl_json_skip_blanks(bytes, len, at + 1);
	if (at >= len || bytes[at] != '{')
		return false;
	at = hl_json_skip_blanks(bytes, len, at + 1);
	if (at >= len || bytes[at] != '"')
		return false;
	at = hl_json_skip_blanks(bytes, len, at + hl_json_string_length(bytes + at, len - at));
	return at < len && bytes[at] == ':';
}

/* Offset of the first value that begins before the offset stop, or len. */
static size_t find_value(const char *bytes, size_t len, size_t at, size_t stop)
{
	for (; at < stop; at++) {
		if ((bytes[at] == '{' || bytes[at] == '[') && begins_here(bytes, len, at))
			return at;
	}
	return len;
}

static size_t line_end(const char *bytes, size_t len, size_t at)
{
	const char *end = memchr(bytes + at, '\n', len - at);

	return end ? (size_t)(end - bytes) : len;
}

/* Index of the line that holds the byte at offset. */
static size_t line_of(const struct hl_text *slice, const char *bytes, size_t offset)
{
	size_t low = 0, high = slice->nr_lines;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (slice->lines[middle].start - bytes > (ptrdiff_t)offset)
			high = middle;
		else
			low = middle;
	}
	return low;
}

size_t hl_json_extent(const struct hl_text *text, size_t at)
{
	struct hl_text rest = hl_text_slice(text, at, text->nr_lines - at);
	size_t len = 0, end = 0;
	const char *bytes = NULL;

	if (!memchr(text->lines[at].start, '{', text->lines[at].len) &&
	    !hl_line_starts(hl_line_trim(text->lines[at]), "["))
		return 0;
	bytes = hl_text_bytes(&rest, &len);
	for (size_t from = 0, stop = text->lines[at].len;;) {
		struct hl_json_scan scan = { .bytes = bytes, .len = len };
		enum hl_json_outcome outcome;

		scan.at = find_value(bytes, len, from, stop);
		if (scan.at == len)
			break;
		outcome = hl_json_scan(&scan);
		end = scan.good;
		if (outcome != SCAN_DONE)
			break;
		from = end;
		stop = line_end(bytes, len, end);
	}
	return end ? line_of(&rest, bytes, end - 1) + 1 : 0;
}

bool hl_json_mentions(const struct hl_text *slice, const char *key)
{
	size_t len = 0, nr = strlen(key);
	const char *bytes = hl_text_bytes(slice, &len), *end = bytes + len;

	for (const char *at = bytes; (at = memmem(at, (size_t)(end - at), key, nr)); at++) {
		if (at > bytes && at[-1] == '"' && at + nr < end && at[nr] == '"')
			return true;
	}
	return false;
}

/* Parses a mended copy of the value at scan->at; -EBADMSG leaves the words to the caller. */
static int parse_mended(struct hl_json_scan *scan, struct hl_json **ret_root, bool *ret_is_cut)
{
	HL_FREE char *out = hl_alloc(scan->len - scan->at + HL_JSON_DEPTH);
	bool is_cut;

	scan->out = out;
	is_cut = hl_json_scan(scan) != SCAN_DONE;
	scan->out = NULL;
	if (is_cut) {
		scan->nr_out = scan->safe;
		while (scan->depth)
			out[scan->nr_out++] = scan->open[--scan->depth] == '{' ? '}' : ']';
	}
	if (hl_json_parse(out, scan->nr_out, ret_root, NULL, NULL))
		return -EBADMSG;
	*ret_is_cut = is_cut;
	return 0;
}

int hl_json_piece_next(const struct hl_text *slice, size_t *cursor, struct hl_json_piece *ret_piece,
		       struct hl_error *err)
{
	struct hl_json_piece piece = { 0 };
	size_t len = 0, used = 0;
	const char *bytes = hl_text_bytes(slice, &len);
	struct hl_json_scan scan = { .bytes = bytes, .len = len };
	size_t start = scan.at = find_value(bytes, len, *cursor, len);

	if (start == len)
		return -ENODATA;
	piece.first = line_of(slice, bytes, start);
	if (!hl_json_parse(bytes + start, len - start, &piece.root, &used, NULL)) {
		scan.good = start + used;
	} else if (parse_mended(&scan, &piece.root, &piece.is_cut)) {
		return hl_fail(err, EBADMSG, "%s:%u: broken JSON", slice->name,
			       slice->lines[line_of(slice, bytes, scan.good)].number);
	}
	*cursor = scan.good;
	piece.last = line_of(slice, bytes, scan.good - 1);
	*ret_piece = piece;
	return 0;
}
