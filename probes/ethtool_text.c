/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ethtool's text output (ethtool(8)), with -i, -k, -g, -l, -c, -a, -S or -m or without: facts of
 * the NICs that it is about.
 *
 * Surprising: -i, -S and -m do not say which NIC they are of. The command above them does, if it
 * was pasted too; else the NIC of the output before, or, where such output comes first, of the
 * output after it; else the name of the file. A second one of the same kind is then of another NIC,
 * which nothing names: it is numbered.
 */
#include "ethtool_text.h"
#include "hoploss/format.h"
#include "saved.h"
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MAX_NAME 64

#define PATTERNS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* What each looks like: its title, and the lines that belong to it. */
static const struct {
	const char *title;       /* with the NIC's name behind it, or */
	const char *const *head; /* the first line itself, which names none */
	const char *const *body;
} sections[ETHTOOL_NR_SECTIONS] = {
	[ETHTOOL_SETTINGS] = { .title = "Settings for ",
			       .body = PATTERNS(
				       "Support*", "Advertised *", "Link *", "Speed:*", "Duplex:*",
				       "Auto-negotiation:*", "Port:*", "PHYAD:*", "Transceiver:*",
				       "MDI-X:*", "master-slave *", "Lanes:*", "*Wake-on:*",
				       "SecureOn *", "Current message level:*", "SQI*",
				       "[0-9]*base*", "Not reported*", "drv *", "link *", "probe *",
				       "netlink error*", "Cannot get *", "No data available*") },
	[ETHTOOL_DRIVER] = { .head = PATTERNS("driver: *"),
			     .body = PATTERNS("version:*", "firmware-version:*", "bus-info:*",
					      "expansion-rom-version:*", "supports-*:*") },
	[ETHTOOL_FEATURES] = { .title = "Features for ",
			       .body = PATTERNS("*: on*", "*: off*", "Cannot get *") },
	[ETHTOOL_OFFLOADS] = { .title = "Offload parameters for ",
			       .body = PATTERNS("*: on*", "*: off*", "Cannot get *") },
	[ETHTOOL_RINGS] = { .title = "Ring parameters for ",
			    .body = PATTERNS("Pre-set maximums:*", "Current hardware settings:*",
					     "*: [0-9]*", "*: n/a*", "*: on*", "*: off*") },
	[ETHTOOL_CHANNELS] = { .title = "Channel parameters for ",
			       .body = PATTERNS("Pre-set maximums:*", "Current hardware settings:*",
						"*: [0-9]*", "*: n/a*") },
	[ETHTOOL_COALESCE] = { .title = "Coalesce parameters for ",
			       .body = PATTERNS("Adaptive RX:*", "CQE mode *", "*-*: [0-9]*",
						"*-*: n/a*", "sample-interval:*") },
	[ETHTOOL_PAUSE] = { .title = "Pause parameters for ",
			    .body = PATTERNS("Autonegotiate:*", "RX:*", "TX:*", "RX negotiated:*",
					     "TX negotiated:*") },
	[ETHTOOL_STATISTICS] = { .head = PATTERNS("NIC statistics:"),
				 .body = PATTERNS("*: [0-9]*", "*: -[0-9]*", "*ueue#*",
						  "[[]*]:*") },
	[ETHTOOL_MODULE] = { .head = PATTERNS("Identifier *: 0x*(*)"),
			     .body = PATTERNS("* : *", "* :") },
	/* known, and nothing in it is of use here */
	[ETHTOOL_OTHER] = { .title = "Time stamping parameters for ",
			    .body = PATTERNS("*apabilities:*", "hardware-*", "software-*",
					     "PTP Hardware *", "Hardware *", "off*", "on*", "none*",
					     "all*") },
};

/* Which section begins in that line? ret_name (MAX_NAME bytes) is "" where it does not say. */
static enum ethtool_section section_of(struct hl_line line, char *ret_name)
{
	line = hl_line_trim(line);
	*ret_name = '\0';
	for (enum ethtool_section i = 0; i < ETHTOOL_NR_SECTIONS; i++) {
		size_t len = sections[i].title ? strlen(sections[i].title) : 0;

		if (!len && saved_is_like(line, sections[i].head))
			return i;
		if (!len || line.len < len + 2 || !hl_line_starts(line, sections[i].title) ||
		    line.start[line.len - 1] != ':' || line.len - len > MAX_NAME ||
		    memchr(line.start + len, ' ', line.len - len))
			continue;
		memcpy(ret_name, line.start + len, line.len - len - 1);
		ret_name[line.len - len - 1] = '\0';
		return i;
	}
	return ETHTOOL_NR_SECTIONS;
}

/* The NIC of "ethtool -i eth0"; "" = none. */
static void name_of_command(const char *args, char *ret_name)
{
	*ret_name = '\0';
	while (*args) {
		size_t len = strcspn(args, " \t");

		if (*args != '-' && len < MAX_NAME) {
			memcpy(ret_name, args, len);
			ret_name[len] = '\0';
			return;
		}
		args += len;
		args += strspn(args, " \t");
	}
}

/* ---- claiming ---- */

static size_t skip_blank(const struct hl_text *text, size_t at)
{
	while (at < text->nr_lines && saved_is_blank(text->lines[at]))
		at++;
	return at;
}

/* Where the section's first line is, if one begins here or behind its command; nr_lines = none. */
static size_t find_head(const struct hl_text *text, size_t at)
{
	char name[MAX_NAME];

	if (at < text->nr_lines && saved_is_command(text->lines[at], "ethtool", NULL, 0))
		at = skip_blank(text, at + 1);
	if (at < text->nr_lines && section_of(text->lines[at], name) < ETHTOOL_NR_SECTIONS)
		return at;
	return text->nr_lines;
}

/* A link mode list goes on in indented lines of any kind. */
static bool is_indented(struct hl_line line)
{
	return line.len > 8 && hl_line_trim(line).start - line.start >= 8;
}

static bool is_body(enum ethtool_section section, struct hl_line line)
{
	char name[MAX_NAME];

	if (section_of(line, name) < ETHTOOL_NR_SECTIONS)
		return false;
	return saved_is_like(line, sections[section].body) ||
	       (section == ETHTOOL_SETTINGS && is_indented(line));
}

static bool knows(const void *section, struct hl_line line)
{
	return is_body(*(const enum ethtool_section *)section, line);
}

/* Only where the keys are words that nothing else has. */
static bool is_broken_off(enum ethtool_section section, const struct hl_text *text, size_t at)
{
	return (section == ETHTOOL_SETTINGS || section == ETHTOOL_DRIVER) &&
	       !saved_is_command(text->lines[at], "ethtool", NULL, 0) &&
	       saved_is_broken_off(text, at, knows, &section);
}

static size_t end_of_section(const struct hl_text *text, size_t head)
{
	char name[MAX_NAME];
	enum ethtool_section section = section_of(text->lines[head], name);
	size_t end = head + 1;

	for (size_t i = end; i < text->nr_lines; i++) {
		if (saved_is_blank(text->lines[i]))
			continue;
		if (!is_body(section, text->lines[i]) &&
		    (i > end || !is_broken_off(section, text, i)))
			break;
		/* statistics have no blank lines, and much else looks like them */
		if (i > end && section == ETHTOOL_STATISTICS)
			break;
		end = i + 1;
	}
	return end;
}

static bool is_nameless(struct hl_line head)
{
	char name[MAX_NAME];

	section_of(head, name);
	return !*name;
}

static size_t ethtool_claim(const struct hl_text *text, size_t at)
{
	size_t end = at;

	for (size_t head = find_head(text, at); head < text->nr_lines;) {
		size_t section_end = end_of_section(text, head);

		/* "driver: the newest", alone, may be prose */
		if (section_end == head + 1 && is_nameless(text->lines[head]))
			break;
		end = section_end;
		head = find_head(text, skip_blank(text, end));
	}
	return end - at;
}

/* ---- reading ---- */

struct reader {
	struct hl_reading *reading;
	const struct hl_text *slice;
	char name[MAX_NAME]; /* of the NIC; "" = not known */
	bool is_told;        /* by the section or its command */
	bool is_stem;        /* a NIC is called as the file is */
	uint32_t seen;       /* sections of this NIC that did not say whose they are */
	unsigned nameless;   /* NICs before this one that nothing names */
	enum ethtool_section section;
	enum ethtool_block block;
	int list; /* of link modes that goes on; -1 = none */
	struct ethtool_gathered gathered;
};

/* The first NIC that anything in the slice names. */
static void first_name(const struct hl_text *slice, char *ret_name)
{
	char args[MAX_NAME * 2];

	*ret_name = '\0';
	for (size_t i = 0; i < slice->nr_lines && !*ret_name; i++) {
		if (saved_is_command(slice->lines[i], "ethtool", args, sizeof(args)))
			name_of_command(args, ret_name);
		else
			section_of(slice->lines[i], ret_name);
	}
}

static struct hl_origin origin_of(const struct reader *reader)
{
	const struct hl_reading *reading = reader->reading;
	struct hl_origin origin = { .host = reading->host, .node = reading->node };

	if (origin.node)
		return origin;
	if (*reader->name)
		origin.node = reader->name;
	else if (!reader->nameless)
		origin.node = reading->stem;
	else
		origin.node = hl_arena_printf(reading->graph->arena, "%s %u", reading->stem,
					      reader->nameless + 1);
	return origin;
}

/* What was gathered is of the NIC and section up to here. */
static void end_section(struct reader *reader)
{
	struct hl_origin origin = origin_of(reader);

	ethtool_add_gathered(reader->reading->graph, &origin, reader->slice->name,
			     &reader->gathered);
	reader->list = -1;
	reader->section = ETHTOOL_OTHER;
}

static void set_name(struct reader *reader, const char *name)
{
	end_section(reader);
	if (strcmp(reader->name, name) != 0)
		reader->seen = 0;
	snprintf(reader->name, sizeof(reader->name), "%s", name);
	reader->is_told = true;
	if (reader->reading->stem && !strcmp(name, reader->reading->stem))
		reader->is_stem = true;
}

/* The second of a kind is of another NIC, the first that nothing names or one more. */
static void begin_nameless(struct reader *reader)
{
	reader->nameless += !*reader->name;
	*reader->name = '\0';
	reader->seen = 0;
}

static void begin_section(struct reader *reader, enum ethtool_section section, const char *name)
{
	uint32_t bit = 1U << section;

	end_section(reader);
	if (*name)
		set_name(reader, name);
	reader->section = section;
	reader->block = ETHTOOL_NO_BLOCK;
	if (!reader->is_told && reader->seen & bit)
		begin_nameless(reader);
	reader->seen |= bit;
	reader->is_told = false;
}

/* A line of a list that goes on. */
static void read_modes(struct reader *reader, struct hl_line line)
{
	HL_FREE char *text = hl_strndup(line.start, line.len);

	if (reader->list >= 0)
		ethtool_take_modes(&reader->gathered, reader->list, text + strspn(text, " \t"),
				   line.number);
}

static void read_pair(struct reader *reader, const struct saved_pair *pair, unsigned line)
{
	struct hl_graph *graph = reader->reading->graph;
	struct hl_origin origin = origin_of(reader);

	reader->list = reader->section == ETHTOOL_SETTINGS ? ethtool_list(pair) : -1;
	if (reader->list >= 0)
		ethtool_take_modes(&reader->gathered, reader->list, pair->value, line);
	else if (reader->section == ETHTOOL_STATISTICS)
		ethtool_count(&reader->gathered, pair, line);
	origin.source = hl_arena_printf(graph->arena, "%s:%u", reader->slice->name, line);
	ethtool_add(graph, &origin, reader->section, reader->block, pair);
}

static void read_line(struct reader *reader, struct hl_line line)
{
	struct saved_pair pair;
	char args[MAX_NAME * 2], name[MAX_NAME];
	enum ethtool_section section = section_of(line, name);

	if (saved_is_command(line, "ethtool", args, sizeof(args))) {
		name_of_command(args, name);
		if (*name)
			set_name(reader, name);
		return;
	}
	if (section < ETHTOOL_NR_SECTIONS)
		begin_section(reader, section, name);
	if (!saved_pair_read(line, reader->section == ETHTOOL_STATISTICS, &pair))
		read_modes(reader, line);
	else if (!strcmp(pair.name, "Pre-set maximums"))
		reader->block = ETHTOOL_MAXIMUMS;
	else if (!strcmp(pair.name, "Current hardware settings"))
		reader->block = ETHTOOL_CURRENT;
	else
		read_pair(reader, &pair, line.number);
}

/* ---- outputs apart from each other ---- */

/* Whether node was told a key before that one of the facts from first on tells, too. */
static bool is_told_before(const struct hl_graph *graph, size_t first, const char *stem,
			   const char *node)
{
	for (size_t i = 0; i < first; i++) {
		if (!graph->facts[i]->node || strcmp(graph->facts[i]->node, node) != 0)
			continue;
		for (size_t k = first; k < graph->nr_facts; k++) {
			if (!strcmp(graph->facts[k]->node, stem) &&
			    !strcmp(graph->facts[k]->key, graph->facts[i]->key))
				return true;
		}
	}
	return false;
}

/* With something else between, the second of a kind is of another NIC just as well. */
static void number_nameless(const struct hl_reading *reading, size_t first)
{
	struct hl_graph *graph = reading->graph;
	const char *node = reading->stem;

	for (unsigned n = 2; is_told_before(graph, first, reading->stem, node); n++)
		node = hl_arena_printf(graph->arena, "%s %u", reading->stem, n);
	for (size_t i = first; node != reading->stem && i < graph->nr_facts; i++) {
		if (!strcmp(graph->facts[i]->node, reading->stem))
			graph->facts[i]->node = node;
	}
}

static int ethtool_read(const struct hl_text *slice, struct hl_reading *reading,
			struct hl_error *err)
{
	struct reader reader = {
		.reading = reading, .slice = slice, .section = ETHTOOL_OTHER, .list = -1
	};
	size_t before = reading->graph->nr_facts;

	first_name(slice, reader.name);
	for (size_t i = 0; i < slice->nr_lines; i++)
		read_line(&reader, slice->lines[i]);
	end_section(&reader);
	if (!reading->node && reading->stem && !reader.is_stem)
		number_nameless(reading, before);
	if (reading->graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s:%u: ethtool says nothing that is of use here",
			       slice->name, slice->nr_lines ? slice->lines[0].number : 0);
	return 0;
}

const struct hl_format hl_format_ethtool = {
	.name = "ethtool",
	.summary = "ethtool, plain or with -i, -k, -g, -l, -c, -a, -S or -m",
	.claim = ethtool_claim,
	.read = ethtool_read,
};
