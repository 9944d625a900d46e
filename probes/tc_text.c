/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What shapes packets on their way out: "tc qdisc show" and "tc class show" (tc(8)).
 *
 *   qdisc tbf 8001: dev veth0 root refcnt 2 rate 300Mbit burst 128Kb lat 50ms
 *   class htb 1:1 dev eth0 root rate 100Mbit ceil 100Mbit burst 1600b
 *
 * Only the root counts: what is below one that shapes nothing is left out. Surprising: asked for
 * one device, tc does not name it again; then the command above does. Rates are decimal.
 */
#include "hoploss/format.h"
#include "saved.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE 256

static const char *const lines[] = { "qdisc [a-z]* [0-9a-f]*:* *", "class [a-z]* [0-9a-f]*:*",
				     NULL };

static bool is_tc(struct hl_line line)
{
	return saved_is_like(line, lines);
}

static size_t tc_claim(const struct hl_text *text, size_t at)
{
	size_t end = at + saved_is_command(text->lines[at], "tc", NULL, 0);

	if (end == text->nr_lines || !is_tc(text->lines[end]))
		return 0;
	/* with -s, counters stand below each, indented */
	while (end < text->nr_lines &&
	       (is_tc(text->lines[end]) ||
		(text->lines[end].len && isspace((unsigned char)text->lines[end].start[0]) &&
		 !saved_is_blank(text->lines[end]))))
		end++;
	return end - at;
}

/* The word behind key, cut off in place; NULL. */
static char *word_behind(char *text, const char *key)
{
	char *rest = text, *word;
	bool is_next = false;

	while ((word = strsep(&rest, " \t"))) {
		if (!*word)
			continue;
		if (is_next)
			return word;
		is_next = !strcmp(word, key);
	}
	return NULL;
}

/* "300Mbit" in bytes/s; NAN. */
static double rate_of(const char *word)
{
	static const struct {
		const char *unit;
		double factor;
	} units[] = {
		{ "bit", 1 }, { "Kbit", 1e3 }, { "Mbit", 1e6 }, { "Gbit", 1e9 }, { "Tbit", 1e12 }
	};
	char *unit = NULL;
	double value = word ? strtod(word, &unit) : NAN;

	for (size_t i = 0; unit && value > 0 && i < sizeof(units) / sizeof(*units); i++) {
		if (!strcmp(unit, units[i].unit))
			return value * units[i].factor / 8;
	}
	return NAN;
}

struct reader {
	struct hl_reading *reading;
	const char *file;
	const char *device; /* that the command asked for; NULL */
	/* of classes of one device, the largest counts */
	const char *classes_of;
	double most;
	unsigned most_line;
};

static char *copy_word(struct hl_line line, const char *key)
{
	HL_FREE char *text = hl_strndup(line.start, line.len);
	const char *word = word_behind(text, key);

	return word ? hl_strdup(word) : NULL;
}

static struct hl_origin origin_of(const struct reader *reader, const char *node, unsigned line)
{
	return (struct hl_origin){
		.host = reader->reading->host,
		.node = node,
		.source = hl_arena_printf(reader->reading->graph->arena, "%s:%u", reader->file,
					  line),
	};
}

static void end_classes(struct reader *reader)
{
	struct hl_origin origin;

	if (reader->classes_of) {
		origin = origin_of(reader, reader->classes_of, reader->most_line);
		hl_graph_add_number(reader->reading->graph, &origin, "link.qdisc_rate",
				    reader->most);
	}
	reader->classes_of = NULL;
	reader->most = NAN;
}

static void take_class(struct reader *reader, struct hl_line line, const char *device)
{
	HL_FREE char *word = copy_word(line, "ceil");
	double rate = rate_of(word);

	if (reader->classes_of && strcmp(reader->classes_of, device) != 0)
		end_classes(reader);
	if (isnan(rate) || rate <= reader->most)
		return;
	reader->classes_of = hl_arena_strdup(reader->reading->graph->arena, device);
	reader->most = rate;
	reader->most_line = line.number;
}

static void take_qdisc(struct reader *reader, struct hl_line line, const char *device)
{
	HL_FREE char *kind = copy_word(line, "qdisc");
	HL_FREE char *rate = copy_word(line, "rate");
	const struct hl_origin origin = origin_of(reader, device, line.number);

	if (!hl_line_has(line, " root"))
		return;
	hl_graph_add_string(reader->reading->graph, &origin, "link.qdisc", kind);
	hl_graph_add_number(reader->reading->graph, &origin, "link.qdisc_rate", rate_of(rate));
}

static void read_line(struct reader *reader, struct hl_line line)
{
	HL_FREE char *device = copy_word(line, "dev");
	const char *node = device ? device : reader->device;

	line = hl_line_trim(line);
	if (!node)
		node = reader->reading->node ? reader->reading->node : reader->reading->stem;
	if (hl_line_starts(line, "qdisc "))
		take_qdisc(reader, line, node);
	else if (hl_line_starts(line, "class "))
		take_class(reader, line, node);
}

static int tc_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	struct reader reader = { .reading = reading, .file = slice->name, .most = NAN };
	size_t before = reading->graph->nr_facts;
	char args[MAX_LINE];

	for (size_t i = 0; i < slice->nr_lines; i++) {
		if (saved_is_command(slice->lines[i], "tc", args, sizeof(args)))
			reader.device = hl_arena_strdup(reading->graph->arena,
							word_behind(args, "dev"));
		else if (is_tc(slice->lines[i]))
			read_line(&reader, slice->lines[i]);
	}
	end_classes(&reader);
	if (reading->graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s: no root qdisc in it", slice->name);
	return 0;
}

const struct hl_format hl_format_tc = {
	.name = "tc",
	.summary = "tc qdisc show and tc class show",
	.claim = tc_claim,
	.read = tc_read,
};
