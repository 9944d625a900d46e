/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Foreign text made harmless, once for all that people read: reports, tables and messages.
 *
 * Names of jobs, hosts, files and devices come from outside. Control characters, escape sequences,
 * broken UTF-8 and the invisible characters that turn or hide text are shown as \x1b or \u202e in
 * all of them; on top of that each format has characters of its own.
 */
#ifndef HOPLOSS_ESCAPE_H
#define HOPLOSS_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

enum hl_escape {
	HL_ESCAPE_TEXT,  /* UTF-8 terminal */
	HL_ESCAPE_ASCII, /* anything past ASCII as \u.... too */
	HL_ESCAPE_XML,   /* element text and quoted attributes of HTML and SVG */
	HL_ESCAPE_MD,    /* GitHub's Markdown, also within a table */
};

/* The longest name that a report prints in full. */
#define HL_ESCAPE_NAME 120

/*
 * Writes text, at most max columns of it: what is longer is cut and ends in an ellipsis. max 0 = no
 * limit. Returns the columns written. NULL writes nothing.
 */
size_t hl_escape_put(FILE *out, const char *text, enum hl_escape how, size_t max);
/* The same for the first len bytes of text. */
size_t hl_escape_put_part(FILE *out, const char *text, size_t len, enum hl_escape how, size_t max);
/* Columns that hl_escape_put would take without a limit. */
size_t hl_escape_columns(const char *text, enum hl_escape how);
size_t hl_escape_columns_part(const char *text, size_t len, enum hl_escape how);
/* Bytes of text, in whole characters, that take at most max columns. */
size_t hl_escape_fit(const char *text, size_t len, enum hl_escape how, size_t max);

#endif
