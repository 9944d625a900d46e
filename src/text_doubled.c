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

/* Is line at blank, and what follows it something, or a blank line of the text and one more? */
static bool goes_on(const struct hl_line *lines, size_t nr, size_t at)
{
	if (at + 1 >= nr || !is_blank(&lines[at]))
		return false;
	return !is_blank(&lines[at + 1]) ||
	       (at + 3 < nr && is_blank(&lines[at + 2]) && !is_blank(&lines[at + 3]));
}

/*
 * How many lines from at on are alternately something and blank; it ends with something. A line
 * that was blank before has become a second blank one, with its own behind it.
 */
static size_t stretch(const struct hl_line *lines, size_t nr, size_t at, size_t *ret_nr_filled)
{
	size_t end = at;

	*ret_nr_filled = 1;
	if (at >= nr || is_blank(&lines[at]))
		return 0;
	while (goes_on(lines, nr, end + 1)) {
		end += is_blank(&lines[end + 2]) ? 4 : 2;
		++*ret_nr_filled;
	}
	return end - at + 1;
}

size_t hl_text_close_up(struct hl_line *lines, size_t nr)
{
	size_t kept = 0;

	for (size_t at = 0; at < nr;) {
		size_t nr_filled, end = at + stretch(lines, nr, at, &nr_filled);
		size_t step = end > at && nr_filled >= LEAST ? 2 : 1;

		for (end = step == 2 ? end : at + 1; at < end; at += step)
			lines[kept++] = lines[at];
		at = end;
	}
	return kept;
}
