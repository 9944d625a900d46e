/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Foreign text cut into lines: what every importer and decoder of text reads.
 *
 * Cleaning is done once, here; numbers of lines stay those of the file. Taken away are CR LF, what
 * a lone CR overwrote (progress bars), mail quotes ("> " on most lines of a block), a byte order
 * mark, NUL bytes, the escape sequences of a terminal and the blank lines of double line spacing.
 * UTF-16 becomes UTF-8, a no-break space a blank; quoted-printable lines of a raw mail are decoded,
 * and joined where they were broken; lines of JSON with "&quot;" for its quotes, as a web page has
 * them, get their quotes back, and tags that set text ("<pre>", "<b>") go. The lines point into one
 * buffer, in order, each followed by '\n', so that a slice can also be read as one string.
 */
#ifndef HOPLOSS_TEXT_H
#define HOPLOSS_TEXT_H

#include "hoploss/error.h"
#include <stdbool.h>
#include <stddef.h>

struct hl_line {
	const char *start; /* not NUL-terminated; ends before its '\n' */
	unsigned len;
	unsigned number; /* in the file, from 1 */
};

struct hl_text {
	const char *name; /* file name, for messages */
	const struct hl_line *lines;
	size_t nr_lines;
	bool is_open;          /* no newline behind its last line, which may be cut off */
	char *buffer;          /* owned by the text, NULL in a slice */
	struct hl_line *owned; /* likewise */
};

struct hl_text *hl_text_new(const char *name, const char *bytes, size_t len);
void hl_text_free(struct hl_text *text); /* NULL allowed */

/* Lines [first, first + nr) of text; points into it and must not outlive it. */
struct hl_text hl_text_slice(const struct hl_text *text, size_t first, size_t nr);
/* The bytes of a whole slice, with its newlines. */
const char *hl_text_bytes(const struct hl_text *slice, size_t *ret_len);

/* The line without blanks at both ends. */
struct hl_line hl_line_trim(struct hl_line line);
bool hl_line_starts(struct hl_line line, const char *prefix);
bool hl_line_has(struct hl_line line, const char *needle);

/* Bytes of the valid UTF-8 sequence that text starts with; 0 = none, or cut short. */
size_t hl_text_utf8(const char *text, size_t len);

#endif
