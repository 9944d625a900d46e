/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lsblk -P (lsblk(8)): a device a line, as pairs, for scripts:
 *
 *   NAME="sda1" MAJ:MIN="8:1" SIZE="1G" TYPE="part" MOUNTPOINT="/boot" PKNAME="sda"
 *
 * Surprising: the order of the pairs is the caller's, and they draw no tree; the types make up for
 * it. Newer versions write MAJ_MIN for MAJ:MIN.
 */
#include "hoploss/format.h"
#include "lsblk.h"
#include <errno.h>
#include <string.h>

#define LEAST_KNOWN 3 /* pairs, for a line of NAME="x" may be anything */

struct pair {
	struct hl_word name, value;
};

/* The next pair of the line from *at on. */
static bool next_pair(struct hl_line line, size_t *at, struct pair *ret_pair)
{
	const char *start, *equals, *quote, *end = line.start + line.len;

	while (*at < line.len && line.start[*at] == ' ')
		(*at)++;
	start = line.start + *at;
	equals = memchr(start, '=', (size_t)(end - start));
	if (!equals || equals == start || equals + 1 == end || equals[1] != '"' ||
	    memchr(start, ' ', (size_t)(equals - start)))
		return false;
	quote = memchr(equals + 2, '"', (size_t)(end - equals - 2));
	if (!quote)
		return false;
	ret_pair->name = (struct hl_word){ start, (size_t)(equals - start) };
	ret_pair->value = (struct hl_word){ equals + 2, (size_t)(quote - equals - 2) };
	while (ret_pair->value.len && ret_pair->value.start[ret_pair->value.len - 1] == ' ')
		ret_pair->value.len--;
	*at = (size_t)(quote + 1 - line.start);
	return true;
}

/* "MAJ_MIN" is MAJ:MIN, "LOG_SEC" LOG-SEC. */
static enum hl_lsblk_column column_of(struct hl_word name)
{
	char plain[32] = "";

	if (hl_word_is(name, "MAJ_MIN"))
		return HL_LSBLK_NUMBER;
	for (size_t i = 0; i < name.len && i < sizeof(plain) - 1; i++)
		plain[i] = name.start[i] == '_' ? '-' : name.start[i];
	return hl_lsblk_column((struct hl_word){ plain, strlen(plain) });
}

/* A line of pairs and nothing else, among them the name of a device. */
static bool read_row(struct hl_line line, struct hl_lsblk_row *ret_row)
{
	struct hl_lsblk_row row = { 0 };
	unsigned nr_known = 0;
	struct pair pair;
	size_t at = 0;

	line = hl_line_trim(line);
	while (next_pair(line, &at, &pair)) {
		enum hl_lsblk_column column = column_of(pair.name);

		if (hl_word_is(pair.name, "NAME"))
			row.name = pair.value;
		nr_known += column != HL_LSBLK_NONE;
		if (column != HL_LSBLK_NONE && pair.value.len &&
		    hl_lsblk_is_value(column, pair.value))
			row.values[column] = pair.value;
	}
	if (!row.name.len)
		row.name = row.values[HL_LSBLK_KNAME];
	*ret_row = row;
	return at == line.len && nr_known >= LEAST_KNOWN && row.name.len;
}

static size_t lsblk_pairs_claim(const struct hl_text *text, size_t at)
{
	struct hl_lsblk_row row;
	size_t end = at;

	while (end < text->nr_lines && read_row(text->lines[end], &row))
		end++;
	return end - at;
}

static int lsblk_pairs_read(const struct hl_text *slice, struct hl_reading *reading,
			    struct hl_error *err)
{
	HL_LSBLK struct hl_lsblk lsblk = { 0 };
	size_t before = reading->graph->nr_facts;

	for (size_t at = 0; at < slice->nr_lines; at++) {
		struct hl_lsblk_row row;

		if (!read_row(slice->lines[at], &row))
			continue;
		row.source = hl_text_source(reading->graph, slice, at);
		row.parent = hl_lsblk_parent(&lsblk, &row);
		hl_lsblk_add(&lsblk, &row);
	}
	hl_lsblk_report(&lsblk, reading);
	if (reading->graph->nr_facts > before)
		return 0;
	return hl_fail(err, EBADMSG, "%s:%u: no device in it", slice->name, slice->lines[0].number);
}

const struct hl_format hl_format_lsblk_pairs = {
	.name = "lsblk-pairs",
	.summary = "lsblk -P",
	.claim = lsblk_pairs_claim,
	.read = lsblk_pairs_read,
};
