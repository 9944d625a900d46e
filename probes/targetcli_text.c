/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree that targetcli(8) prints of LIO's configuration ("targetcli ls"): what stands behind
 * each LUN.
 *
 *   o- backstores ................................................................... [...]
 *   | o- block ........................................................ [Storage Objects: 1]
 *   | | o- pvc ......................... [/dev/zvol/tank/pvc (10.0GiB) write-thru activated]
 *   o- iscsi .................................................................. [Targets: 1]
 *     o- iqn.2003-01.org.example:pvc ............................................. [TPGs: 1]
 *       o- tpg1 ................................................... [no-gen-acls, no-auth]
 *         o- luns ................................................................ [LUNs: 1]
 *           o- lun0 .............. [block/pvc (/dev/zvol/tank/pvc) (default_tg_pt_gp)]
 *
 * Read by names and by what stands in brackets, for a copy may have lost its indentation.
 * Surprising: an ACL is named like a target, by the initiator; its brackets say "Mapped LUNs".
 */
#include "hoploss/format.h"
#include "saved.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MAX_NAME   256
#define MAX_STORES 64

struct node { /* one line */
	char name[MAX_NAME], info[MAX_NAME];
};

struct store {
	char name[2 * MAX_NAME]; /* "block/pvc" */
	bool is_write_back;
};

struct reader {
	struct hl_reading *reading;
	const char *file;
	char plugin[MAX_NAME]; /* of the backstores that are being listed; "" = none */
	char target[MAX_NAME]; /* "" = none */
	struct store stores[MAX_STORES];
	size_t nr_stores;
};

static void copy(char to[MAX_NAME], const char *from, size_t len)
{
	if (len >= MAX_NAME)
		len = MAX_NAME - 1;
	memcpy(to, from, len);
	to[len] = '\0';
}

/* "| o- name ..... [info]" */
static bool parse(struct hl_line line, struct node *ret_node)
{
	const char *at, *end, *open;
	size_t len = 0;

	line = hl_line_trim(line);
	at = line.start;
	end = at + line.len;
	while (at < end && strchr("| \t`", *at))
		at++;
	if (end - at < 4 || memcmp(at, "o- ", 3) != 0 || end[-1] != ']')
		return false;
	at += 3;
	while (at + len < end && !isspace((unsigned char)at[len]))
		len++;
	open = memchr(at + len, '[', (size_t)(end - at) - len);
	if (!len || !open)
		return false;
	copy(ret_node->name, at, len);
	copy(ret_node->info, open + 1, (size_t)(end - open) - 2);
	return true;
}

static size_t targetcli_claim(const struct hl_text *text, size_t at)
{
	struct node node;
	size_t end = at;

	while (end < text->nr_lines && parse(text->lines[end], &node))
		end++;
	return end - at > 1 ? end - at : 0;
}

static bool starts(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/* "/dev/zvol/tank/pvc (10.0GiB) write-thru activated" */
static void take_store(struct reader *reader, const struct node *node)
{
	struct store *store;

	if (reader->nr_stores == MAX_STORES || !strstr(node->info, "write-"))
		return;
	store = &reader->stores[reader->nr_stores++];
	snprintf(store->name, sizeof(store->name), "%s/%s", reader->plugin, node->name);
	store->is_write_back = strstr(node->info, "write-back") != NULL;
}

static const struct store *find_store(const struct reader *reader, const char *name, size_t len)
{
	for (size_t i = 0; i < reader->nr_stores; i++) {
		if (strlen(reader->stores[i].name) == len &&
		    !memcmp(reader->stores[i].name, name, len))
			return &reader->stores[i];
	}
	return NULL;
}

/* "block/pvc (/dev/zvol/tank/pvc) (default_tg_pt_gp)" */
static void take_lun(struct reader *reader, const struct node *node, unsigned line)
{
	struct hl_graph *graph = reader->reading->graph;
	size_t len = strcspn(node->info, " "), plugin = strcspn(node->info, "/");
	const char *path = strstr(node->info, "(/");
	const struct store *store = find_store(reader, node->info, len);
	const struct hl_origin origin = {
		.host = reader->reading->host,
		.node = hl_arena_printf(graph->arena, "%s/%s", reader->target, node->name),
		.source = hl_arena_printf(graph->arena, "%s:%u", reader->file, line),
	};

	if (plugin >= len)
		return;
	if (path)
		hl_graph_add_string(
			graph, &origin, "target.backing",
			hl_arena_strndup(graph->arena, path + 1, strcspn(path + 1, ")")));
	hl_graph_add_string(graph, &origin, "target.backstore",
			    hl_arena_strndup(graph->arena, node->info, plugin));
	if (store)
		hl_graph_add_boolean(graph, &origin, "target.write_back", store->is_write_back);
}

static void take_target(struct reader *reader, const struct node *node, unsigned line)
{
	struct hl_graph *graph = reader->reading->graph;
	struct hl_origin origin = { .host = reader->reading->host, .node = node->name };

	copy(reader->target, node->name, strlen(node->name));
	origin.source = hl_arena_printf(graph->arena, "%s:%u", reader->file, line);
	hl_graph_add_string(graph, &origin, "target.kind", "LIO");
}

static void read_node(struct reader *reader, const struct node *node, unsigned line)
{
	if (starts(node->info, "Storage Objects")) {
		copy(reader->plugin, node->name, strlen(node->name));
	} else if (starts(node->info, "Targets")) { /* of a fabric: the backstores are over */
		reader->plugin[0] = reader->target[0] = '\0';
	} else if (strstr(node->info, "TPG")) {
		take_target(reader, node, line);
	} else if (reader->plugin[0]) {
		take_store(reader, node);
	} else if (reader->target[0] && starts(node->name, "lun") &&
		   isdigit((unsigned char)node->name[3])) {
		take_lun(reader, node, line);
	}
}

static int targetcli_read(const struct hl_text *slice, struct hl_reading *reading,
			  struct hl_error *err)
{
	HL_FREE struct reader *reader = hl_alloc(sizeof(*reader));
	size_t before = reading->graph->nr_facts;

	reader->reading = reading;
	reader->file = slice->name;
	for (size_t i = 0; i < slice->nr_lines; i++) {
		struct node node;

		if (parse(slice->lines[i], &node))
			read_node(reader, &node, slice->lines[i].number);
	}
	if (reading->graph->nr_facts == before)
		return hl_fail(err, ENODATA, "%s: no target in it", slice->name);
	return 0;
}

const struct hl_format hl_format_targetcli = {
	.name = "targetcli",
	.summary = "targetcli ls",
	.claim = targetcli_claim,
	.read = targetcli_read,
};
