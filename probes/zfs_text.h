/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the output of zpool, zfs and the like have in common: lines of words, "-" for what is not
 * known, sizes in powers of 1,024 with one letter (zpool(8), zfs(8)), plain numbers with -p.
 *
 * Surprising: the tools follow the locale, so a decimal comma is a point; indentation carries
 * meaning and may be lost; a page copied as HTML has &nbsp; for it.
 */
#ifndef PROBES_ZFS_TEXT_H
#define PROBES_ZFS_TEXT_H

#include "hoploss/alloc.h"
#include "hoploss/format.h"

#define HL_WORDS_MAX 40

struct hl_word {
	const char *start; /* not NUL-terminated */
	size_t len;
};

struct hl_words {
	struct hl_word items[HL_WORDS_MAX];
	size_t nr;
	unsigned indent; /* columns before the first word */
};

void hl_words_split(struct hl_line line, struct hl_words *ret_words);
bool hl_word_is(struct hl_word word, const char *text);
bool hl_word_is_any(struct hl_word word, const char *const *texts); /* NULL-terminated */
bool hl_word_starts(struct hl_word word, const char *prefix);
bool hl_word_is_unknown(struct hl_word word); /* "-", "none" or nothing */
/* The words from first on as one text, with one blank between, to be freed. */
char *hl_words_join(const struct hl_words *words, size_t first, size_t end);
/* A copy in the arena; NULL for one that is unknown. */
const char *hl_word_keep(struct hl_graph *graph, struct hl_word word);

/* "9", "1.00x", "9%", "2,5"; NAN for "-" and what is no number. */
double hl_word_number(struct hl_word word);
double hl_word_size(struct hl_word word);   /* "2.89T", "128K", "0B", "131072": bytes; NAN */
double hl_word_time(struct hl_word word);   /* "5ms", "349us", "1s", or ns without a unit; NAN */
bool hl_word_is_state(struct hl_word word); /* ONLINE, DEGRADED … of a pool or device */

/* "FILE:LINE" of a fact, in the arena. */
const char *hl_text_source(struct hl_graph *graph, const struct hl_text *slice, size_t at);

#endif
