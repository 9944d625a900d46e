/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text for a terminal: see pen.h.
 */
#include "pen.h"
#include <string.h>

#define DEFAULT_WIDTH 100
#define MIN_WIDTH     40
#define LABEL_WIDTH   10

static const char *const inks[] = {
	[HL_INK_PLAIN] = "\033[0m",  [HL_INK_BOLD] = "\033[1m",     [HL_INK_DIM] = "\033[2m",
	[HL_INK_BAD] = "\033[1;31m", [HL_INK_DOUBT] = "\033[1;33m", [HL_INK_GOOD] = "\033[32m",
};

struct hl_pen hl_pen_new(FILE *out, const struct hl_report_style *style)
{
	size_t width = style->width ? style->width : DEFAULT_WIDTH;

	return (struct hl_pen){
		.out = out,
		.width = width < MIN_WIDTH ? MIN_WIDTH : width,
		.how = style->is_ascii ? HL_ESCAPE_ASCII : HL_ESCAPE_TEXT,
		.has_colour = style->has_colour,
	};
}

void hl_pen_ink(struct hl_pen *pen, enum hl_ink ink)
{
	if (pen->has_colour)
		fputs(inks[ink], pen->out);
}

enum hl_ink hl_pen_state_ink(enum hl_state state)
{
	return state == HL_CONFIRMED ? HL_INK_BAD : HL_INK_DOUBT;
}

void hl_pen_newline(struct hl_pen *pen)
{
	fputc('\n', pen->out);
	pen->at = 0;
	pen->owed = 0;
}

static void put_blanks(struct hl_pen *pen, size_t nr)
{
	pen->owed += nr;
	pen->at += nr;
}

void hl_pen_to(struct hl_pen *pen, size_t column)
{
	if (column > pen->at)
		put_blanks(pen, column - pen->at);
}

static void put_part(struct hl_pen *pen, const char *text, size_t len, size_t max)
{
	if (!len)
		return;
	fprintf(pen->out, "%*s", (int)pen->owed, "");
	pen->owed = 0;
	pen->at += hl_escape_put_part(pen->out, text, len, pen->how, max);
}

void hl_pen_text(struct hl_pen *pen, const char *text)
{
	put_part(pen, text, strlen(text), 0);
}

void hl_pen_field(struct hl_pen *pen, const char *text, size_t columns, bool is_number)
{
	size_t end = pen->at + columns;
	size_t taken = hl_escape_columns(text, pen->how);

	if (is_number && taken < columns)
		put_blanks(pen, columns - taken);
	put_part(pen, text, strlen(text), columns);
	hl_pen_to(pen, end);
}

static void put_break(struct hl_pen *pen, size_t indent)
{
	hl_pen_newline(pen);
	hl_pen_to(pen, indent);
}

/* One word, broken hard where it is longer than a line. */
static void put_word(struct hl_pen *pen, const char *word, size_t len, size_t indent)
{
	while (pen->at + hl_escape_columns_part(word, len, pen->how) > pen->width) {
		size_t part = hl_escape_fit(word, len, pen->how, pen->width - pen->at);

		put_part(pen, word, part, 0);
		put_break(pen, indent);
		word += part;
		len -= part;
	}
	put_part(pen, word, len, 0);
}

static void wrap_line(struct hl_pen *pen, const char *text, size_t len, size_t indent)
{
	const char *end = text + len;
	bool is_first = true;

	while (text < end) {
		const char *word = text + strspn(text, " ");
		size_t size = word < end ? strcspn(word, " \n") : 0;

		if (!size)
			return;
		if (!is_first) {
			size_t columns = hl_escape_columns_part(word, size, pen->how);

			if (pen->at + 1 + columns > pen->width)
				put_break(pen, indent);
			else
				put_blanks(pen, 1);
		}
		put_word(pen, word, size, indent);
		is_first = false;
		text = word + size;
	}
}

void hl_pen_wrap(struct hl_pen *pen, const char *text, size_t indent)
{
	for (;;) {
		size_t len = strcspn(text, "\n");

		wrap_line(pen, text, len, indent);
		text += len;
		if (!*text || !text[1])
			return;
		text++;
		put_break(pen, indent);
	}
}

void hl_pen_heading(struct hl_pen *pen, const char *title)
{
	hl_pen_newline(pen);
	hl_pen_ink(pen, HL_INK_BOLD);
	hl_pen_wrap(pen, title, 0);
	hl_pen_ink(pen, HL_INK_PLAIN);
	hl_pen_newline(pen);
}

void hl_pen_item(struct hl_pen *pen, const char *label, const char *text, size_t indent)
{
	if (!text)
		return;
	hl_pen_to(pen, indent);
	hl_pen_ink(pen, HL_INK_DIM);
	hl_pen_field(pen, label, LABEL_WIDTH, false);
	hl_pen_ink(pen, HL_INK_PLAIN);
	hl_pen_wrap(pen, text, indent + LABEL_WIDTH);
	hl_pen_newline(pen);
}

void hl_pen_lines(struct hl_pen *pen, const char *text, size_t indent)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		hl_pen_to(pen, indent);
		put_part(pen, text, len, 0);
		hl_pen_newline(pen);
		text += len + (text[len] == '\n');
	}
}
