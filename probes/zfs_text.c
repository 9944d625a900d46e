/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words and quantities of zpool and zfs: see probes/zfs_text.h.
 */
#include "zfs_text.h"
#include "hoploss/number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NBSP      "&nbsp;"
#define TAB_WIDTH 8
#define MAX_WORD  64 /* of a number */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static size_t blank_at(const char *at, const char *end)
{
	size_t len = strlen(NBSP);

	if (is_blank(*at))
		return 1;
	return (size_t)(end - at) >= len && !memcmp(at, NBSP, len) ? len : 0;
}

void hl_words_split(struct hl_line line, struct hl_words *ret_words)
{
	const char *at = line.start, *end = line.start + line.len;
	unsigned column = 0;

	ret_words->nr = 0;
	ret_words->indent = 0;
	while (at < end && ret_words->nr < HL_WORDS_MAX) {
		struct hl_word *word = &ret_words->items[ret_words->nr];
		size_t blank;

		for (; at < end && (blank = blank_at(at, end)); at += blank)
			column = *at == '\t' ? (column / TAB_WIDTH + 1) * TAB_WIDTH : column + 1;
		if (at == end)
			break;
		if (!ret_words->nr++)
			ret_words->indent = column;
		for (word->start = at; at < end && !blank_at(at, end); at++)
			column++;
		word->len = (size_t)(at - word->start);
	}
}

bool hl_word_is(struct hl_word word, const char *text)
{
	return word.len == strlen(text) && !memcmp(word.start, text, word.len);
}

bool hl_word_is_any(struct hl_word word, const char *const *texts)
{
	for (; *texts; texts++) {
		if (hl_word_is(word, *texts))
			return true;
	}
	return false;
}

bool hl_word_starts(struct hl_word word, const char *prefix)
{
	size_t len = strlen(prefix);

	return word.len >= len && !memcmp(word.start, prefix, len);
}

bool hl_word_is_unknown(struct hl_word word)
{
	return !word.len || hl_word_is(word, "-") || hl_word_is(word, "none");
}

char *hl_words_join(const struct hl_words *words, size_t first, size_t end)
{
	char *text = hl_strdup("");

	for (size_t i = first; i < end && i < words->nr; i++) {
		char *longer = hl_printf("%s%s%.*s", text, *text ? " " : "",
					 (int)words->items[i].len, words->items[i].start);

		hl_free_pointer(&text);
		text = longer;
	}
	return text;
}

const char *hl_word_keep(struct hl_graph *graph, struct hl_word word)
{
	return hl_word_is(word, "-") || !word.len
		       ? NULL
		       : hl_arena_strndup(graph->arena, word.start, word.len);
}

/* The number at the front of word; ret_rest is what follows it. NAN: none. */
static double leading_number(struct hl_word word, struct hl_word *ret_rest)
{
	char text[MAX_WORD];
	double value;
	size_t len = 0;

	while (len < word.len && len < sizeof(text) && strchr("0123456789.,", word.start[len])) {
		text[len] = word.start[len] == ',' ? '.' : word.start[len];
		len++;
	}
	*ret_rest = (struct hl_word){ word.start + len, word.len - len };
	return hl_number_double(text, len, &value) ? NAN : value;
}

double hl_word_number(struct hl_word word)
{
	struct hl_word rest;
	double value = leading_number(word, &rest);

	return !rest.len || hl_word_is(rest, "%") || hl_word_is(rest, "x") ? value : NAN;
}

double hl_word_size(struct hl_word word)
{
	static const char letters[] = "KMGTPEZ";
	struct hl_word rest;
	double value = leading_number(word, &rest);
	const char *letter = rest.len && *rest.start ? strchr(letters, *rest.start) : NULL;

	if (letter) {
		value *= pow(1024, (double)(letter - letters + 1));
		rest.start++;
		rest.len--;
	}
	return !rest.len || hl_word_is(rest, "B") || (letter && hl_word_is(rest, "iB")) ? value
											: NAN;
}

double hl_word_time(struct hl_word word)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "", 1 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	struct hl_word rest;
	double value = leading_number(word, &rest);

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (hl_word_is(rest, units[i].unit))
			return value * units[i].ns;
	}
	return NAN;
}

bool hl_word_is_state(struct hl_word word)
{
	static const char *const states[] = { "ONLINE",  "DEGRADED",  "FAULTED", "OFFLINE",
					      "UNAVAIL", "SUSPENDED", "REMOVED", "CANT_OPEN",
					      "CLOSED",  "AVAIL",     "INUSE",   "SPLIT",
					      NULL };

	return hl_word_is_any(word, states);
}

const char *hl_text_source(struct hl_graph *graph, const struct hl_text *slice, size_t at)
{
	return hl_arena_printf(graph->arena, "%s:%u", slice->name, slice->lines[at].number);
}
