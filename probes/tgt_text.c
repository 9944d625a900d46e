/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Targets as tgtadm(8) shows them ("--mode target --op show"): what stands behind each LUN, and how
 * many sessions a target has. Accounts are passed over.
 *
 * Surprising: LUN 0 is tgtd's controller, which has no disk. A copy may have lost its indentation,
 * so it is read by its words alone: "LUN: 1" begins a LUN, "I_T nexus: 3" a session.
 */
#include "hoploss/format.h"
#include "saved.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAME 256

static const char *const begins[] = { "Target [0-9]*: iqn.*", "Target [0-9]*: eui.*", NULL };

static const char *const more[] = {
	"System information:*",
	"Driver: *",
	"State: *",
	"I_T nexus*",
	"Initiator: *",
	"Connection: *",
	"IP Address: *",
	"LUN*: *",
	"LUN information:*",
	"Type: *",
	"SCSI *: *",
	"Size: *",
	"Online: *",
	"Removable *",
	"Prevent *",
	"Readonly: *",
	"SWP: *",
	"Thin-prov*: *",
	"Backing store *:*",
	"Account information:*",
	"ACL information:*",
	"RDMA IP *",
	NULL,
};

static bool is_indented(struct hl_line line)
{
	return line.len > 4 && !strncmp(line.start, "    ", 4);
}

static size_t tgt_claim(const struct hl_text *text, size_t at)
{
	size_t end = at + 1;

	if (!saved_is_like(text->lines[at], begins))
		return 0;
	for (size_t i = end; i < text->nr_lines; i++) {
		struct hl_line line = text->lines[i];

		if (saved_is_blank(line))
			continue;
		if (!saved_is_like(line, begins) && !saved_is_like(line, more) &&
		    (i > end || !is_indented(line)))
			break;
		end = i + 1;
	}
	return end > at + 1 ? end - at : 0;
}

struct reader {
	struct hl_reading *reading;
	const char *file;
	char target[MAX_NAME]; /* "" before the first */
	unsigned target_line;
	char lun[MAX_NAME + 32]; /* node of the LUN; "" = before the first */
	double sessions;
};

static void add_text(struct reader *reader, const char *node, const char *key, const char *value,
		     unsigned line)
{
	struct hl_graph *graph = reader->reading->graph;
	const struct hl_origin origin = {
		.host = reader->reading->host,
		.node = node,
		.source = hl_arena_printf(graph->arena, "%s:%u", reader->file, line),
	};

	if (*value && strcmp(value, "None") != 0)
		hl_graph_add_string(graph, &origin, key, value);
}

static void end_target(struct reader *reader)
{
	struct hl_graph *graph = reader->reading->graph;
	struct hl_origin origin = { .host = reader->reading->host, .node = reader->target };

	if (!reader->target[0])
		return;
	origin.source = hl_arena_printf(graph->arena, "%s:%u", reader->file, reader->target_line);
	hl_graph_add_string(graph, &origin, "target.kind", "tgtd");
	hl_graph_add_number(graph, &origin, "target.sessions", reader->sessions);
}

static void begin_target(struct reader *reader, const char *iqn, unsigned line)
{
	end_target(reader);
	snprintf(reader->target, sizeof(reader->target), "%s", iqn);
	reader->target_line = line;
	reader->lun[0] = '\0';
	reader->sessions = 0;
}

/* "Backing store flags" is not read: it is empty but for a special device. */
static void take_pair(struct reader *reader, const struct saved_pair *pair, unsigned line)
{
	static const struct {
		const char *name, *key;
	} rows[] = {
		{ "Backing store path", "target.backing" },
		{ "Backing store type", "target.backstore" },
	};

	if (!strcmp(pair->name, "I_T nexus")) {
		reader->sessions++;
	} else if (!strcmp(pair->name, "LUN")) {
		snprintf(reader->lun, sizeof(reader->lun), "%s/lun%.16s", reader->target,
			 pair->value);
	} else if (!strcmp(pair->name, "Backing store type") && !strcmp(pair->value, "null")) {
		return; /* the controller */
	}
	for (size_t i = 0; reader->lun[0] && i < sizeof(rows) / sizeof(*rows); i++) {
		if (!strcmp(pair->name, rows[i].name))
			add_text(reader, reader->lun, rows[i].key, pair->value, line);
	}
}

static int tgt_read(const struct hl_text *slice, struct hl_reading *reading, struct hl_error *err)
{
	struct reader reader = { .reading = reading, .file = slice->name };
	size_t before = reading->graph->nr_facts;

	for (size_t i = 0; i < slice->nr_lines; i++) {
		struct saved_pair pair;

		if (!saved_pair_read(slice->lines[i], false, &pair))
			continue;
		if (saved_is_like(slice->lines[i], begins))
			begin_target(&reader, pair.value, slice->lines[i].number);
		else if (reader.target[0])
			take_pair(&reader, &pair, slice->lines[i].number);
	}
	end_target(&reader);
	if (reading->graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s: no target in it", slice->name);
	return 0;
}

const struct hl_format hl_format_tgtadm = {
	.name = "tgtadm",
	.summary = "tgtadm --mode target --op show",
	.claim = tgt_claim,
	.read = tgt_read,
};
