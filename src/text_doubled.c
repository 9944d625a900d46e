/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Double line spacing: see text_doubled.h.
 *
 * Surprising: such a copy often has no more than one blank line where there was one before, so that
 * paragraphs run together; who reads them must know them by how they begin.
 */
#include "text_doubled.h"

#define LEAST 8 /* lines in a row that are not so by chance */

static bool is_blank(const struct hl_line *line)
{
	return !hl_line_trim(*line).len;
}

/* How many lines from at on are alternately something and blank; it ends with something. */
static size_t stretch(const struct hl_line *lines, size_t nr, size_t at)
{
	size_t end = at;

	if (at >= nr || is_blank(&lines[at]))
		return 0;
	while (end + 2 < nr && is_blank(&lines[end + 1]) && !is_blank(&lines[end + 2]))
		end += 2;
	return end - at + 1;
}

size_t hl_text_close_up(struct hl_line *lines, size_t nr)
{
	size_t kept = 0;

	for (size_t at = 0; at < nr;) {
		size_t end = at + stretch(lines, nr, at);
		size_t step = end >= at + 2 * LEAST - 1 ? 2 : 1;

		for (end = step == 2 ? end : at + 1; at < end; at += step)
			lines[kept++] = lines[at];
		at = end;
	}
	return kept;
}
