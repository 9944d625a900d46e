/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mail quotes taken away: see hoploss/mail_quote.h.
 *
 * Surprising: a mailer may have wrapped a line so that it starts with fio's ">=64=0.0%", which is
 * no quote. A wrapped line also splits a quoted block; each part is then judged alone.
 */
#include "hoploss/mail_quote.h"

static size_t nr_blanks(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && (text[n] == ' ' || text[n] == '\t'))
		n++;
	return n;
}

/* A '>' that quotes, not that of ">=64=0.0%". */
static bool is_mark(const char *text, size_t len)
{
	return len && text[0] == '>' && !(len > 1 && text[1] == '=');
}

static bool is_marked(const struct hl_line *line)
{
	size_t skip = nr_blanks(line->start, line->len);

	return is_mark(line->start + skip, line->len - skip);
}

/* "> text", ">" and ">> text", but not ">text". */
static bool is_spaced(const struct hl_line *line)
{
	const char *at = line->start + nr_blanks(line->start, line->len);
	const char *end = line->start + line->len;

	while (at < end && *at == '>')
		at++;
	return at == end || *at == ' ' || *at == '\t';
}

/* A lone line must be plainly a quote: "> text". (A lone ">" can be a bit of wrapped XML.) */
static bool is_quoted(const struct hl_line *lines, size_t nr)
{
	size_t nr_spaced = 0;

	if (nr == 1)
		return is_spaced(lines) && hl_line_trim(*lines).len > 1;
	for (size_t i = 0; i < nr; i++)
		nr_spaced += is_spaced(&lines[i]);
	return nr_spaced * 2 >= nr || nr > 2;
}

/* Takes all levels of quotes away: "> > text" and ">> text" become "text". */
static void unquote(struct hl_line *line)
{
	const char *at = line->start + nr_blanks(line->start, line->len);
	const char *end = line->start + line->len;

	while (is_mark(at, (size_t)(end - at))) {
		at++;
		/* a blank belongs to the mark; more of them are indentation, unless a mark follows
		 */
		if (at < end && (*at == ' ' || *at == '\t'))
			at++;
	}
	line->start = at;
	line->len = (unsigned)(end - at);
}

bool hl_mail_unquote(struct hl_line *lines, size_t nr)
{
	bool is_changed = false;
	size_t block;

	for (size_t i = 0; i < nr; i += block ? block : 1) {
		block = 0;
		while (i + block < nr && is_marked(&lines[i + block]))
			block++;
		if (!block || !is_quoted(&lines[i], block))
			continue;
		for (size_t k = 0; k < block; k++)
			unquote(&lines[i + k]);
		is_changed = true;
	}
	return is_changed;
}
