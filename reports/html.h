/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pieces of an HTML page: the one sheet of style, and what holds foreign text.
 */
#ifndef HOPLOSS_REPORTS_HTML_H
#define HOPLOSS_REPORTS_HTML_H

#include "grid.h"
#include <stdio.h>

extern const char hl_html_style[];

void hl_html_text(FILE *out, const char *text); /* escaped */
/* <TAG>text</TAG>; nothing for a NULL text. tag may carry a class: "p class=lead". */
void hl_html_element(FILE *out, const char *tag, const char *text);
void hl_html_grid(FILE *out, const struct hl_grid *grid); /* a table that scrolls by itself */
/* Heading and table, in a section of their own with the grid's id. */
void hl_html_section(FILE *out, const struct hl_grid *grid);

#endif
