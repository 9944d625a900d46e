/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * uname -a of Linux (uname(1)): the host's name and its kernel.
 *
 *   Linux pve 6.8.12-4-pve #1 SMP PREEMPT_DYNAMIC PMX 6.8.12-4 (2024-11-06T15:04Z) x86_64 GNU/Linux
 */
#include "hoploss/format.h"
#include "zfs_text.h"
#include <ctype.h>

static bool read_line(struct hl_line line, struct hl_words *ret_words)
{
	hl_words_split(line, ret_words);
	return ret_words->nr >= 5 && hl_word_is(ret_words->items[0], "Linux") &&
	       isdigit((unsigned char)ret_words->items[2].start[0]) &&
	       ret_words->items[3].start[0] == '#';
}

static size_t uname_claim(const struct hl_text *text, size_t at)
{
	struct hl_words words;

	return read_line(text->lines[at], &words);
}

static int uname_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	struct hl_graph *graph = reading->graph;
	const char *source = hl_text_source(graph, slice, 0);
	struct hl_origin origin = { .host = reading->host, .source = source };
	struct hl_words words;

	(void)err;
	read_line(slice->lines[0], &words);
	if (!origin.host)
		origin.host = hl_word_keep(graph, words.items[1]);
	hl_graph_add_string(graph, &origin, "system.hostname", hl_word_keep(graph, words.items[1]));
	hl_graph_add_string(graph, &origin, "system.kernel_release",
			    hl_word_keep(graph, words.items[2]));
	return 0;
}

const struct hl_format hl_format_uname = {
	.name = "uname",
	.summary = "uname -a",
	.claim = uname_claim,
	.read = uname_read,
};
