/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lsblk -J and findmnt -J (lsblk(8), findmnt(8)): the same as their text, in a tree of JSON.
 *
 * Surprising: old versions write all values as strings, new ones numbers and booleans;
 * "mountpoints" is an array that may hold null.
 */
#include "hoploss/json_extent.h"
#include "lsblk.h"
#include "mounts.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_DEPTH 16

static struct hl_word word_of(const char *text)
{
	return text ? (struct hl_word){ text, strlen(text) } : (struct hl_word){ 0 };
}

/* A value as the text of lsblk would have it; "" for null. */
static struct hl_word value_of(const struct hl_json *value, struct hl_graph *graph)
{
	int boolean = hl_json_boolean(value);
	double number = hl_json_number(value);

	if (boolean >= 0)
		return word_of(boolean ? "1" : "0");
	if (!isnan(number))
		return word_of(hl_arena_printf(graph->arena, "%.0f", number));
	return word_of(hl_arena_strdup(graph->arena, hl_json_string(value)));
}

static void read_members(const struct hl_json *device, struct hl_graph *graph,
			 struct hl_lsblk_row *row)
{
	const struct hl_json *value;
	const char *key;
	void *iter = NULL;

	while (hl_json_next(device, &iter, &key, &value)) {
		enum hl_lsblk_column column = hl_lsblk_column(word_of(key));
		struct hl_word word;

		if (!strcmp(key, "name"))
			row->name = value_of(value, graph);
		if (column == HL_LSBLK_NONE || hl_json_is_array(value))
			continue;
		word = value_of(value, graph);
		if (word.len && hl_lsblk_is_value(column, word))
			row->values[column] = word;
	}
}

static void read_devices(const struct hl_json *array, size_t parent, unsigned depth,
			 const char *source, struct hl_lsblk *lsblk, struct hl_graph *graph)
{
	for (size_t i = 0; depth && i < hl_json_length(array); i++) {
		const struct hl_json *device = hl_json_at(array, i);
		const struct hl_json *mounts = hl_json_get(device, "mountpoints");
		struct hl_lsblk_row row = { .parent = parent, .source = source };
		size_t self = lsblk->nr;

		read_members(device, graph, &row);
		if (!row.name.len) /* lsblk -o KNAME,... */
			row.name = row.values[HL_LSBLK_KNAME];
		if (!row.name.len)
			continue;
		hl_lsblk_add(lsblk, &row);
		if (lsblk->nr == self)
			return; /* there are too many */
		for (size_t k = 0; k < hl_json_length(mounts); k++) {
			struct hl_word path = value_of(hl_json_at(mounts, k), graph);

			if (path.len)
				hl_lsblk_add_mount(lsblk, path);
		}
		read_devices(hl_json_get(device, "children"), self, depth - 1, source, lsblk,
			     graph);
	}
}

static void read_mounts(const struct hl_json *array, unsigned depth, const char *source,
			struct hl_mounts *mounts, struct hl_graph *graph)
{
	for (size_t i = 0; depth && i < hl_json_length(array); i++) {
		const struct hl_json *item = hl_json_at(array, i);
		const char *device = hl_json_string(hl_json_get(item, "source"));
		const char *open = device ? strchr(device, '[') : NULL;
		struct hl_mount mount = { .source = source };

		mount.target = hl_arena_strdup(graph->arena,
					       hl_json_string(hl_json_get(item, "target")));
		mount.fs_type = hl_arena_strdup(graph->arena,
						hl_json_string(hl_json_get(item, "fstype")));
		mount.options = hl_arena_strdup(graph->arena,
						hl_json_string(hl_json_get(item, "options")));
		if (open && open > device && device[strlen(device) - 1] == ']')
			mount.root = hl_arena_strndup(graph->arena, open + 1, strlen(open) - 2);
		mount.device = device ? hl_arena_strndup(graph->arena, device,
							 mount.root ? (size_t)(open - device)
								    : strlen(device))
				      : NULL;
		hl_mounts_add(mounts, &mount);
		read_mounts(hl_json_get(item, "children"), depth - 1, source, mounts, graph);
	}
}

static size_t lsblk_json_claim(const struct hl_text *text, size_t at)
{
	size_t nr = hl_json_extent(text, at);
	struct hl_text slice = hl_text_slice(text, at, nr);

	return nr && (hl_json_mentions(&slice, "blockdevices") ||
		      hl_json_mentions(&slice, "filesystems"))
		       ? nr
		       : 0;
}

static int lsblk_json_read(const struct hl_text *slice, struct hl_reading *reading,
			   struct hl_error *err)
{
	HL_LSBLK struct hl_lsblk lsblk = { 0 };
	HL_MOUNTS struct hl_mounts mounts = { 0 };
	struct hl_graph *graph = reading->graph;
	const char *source = hl_text_source(graph, slice, 0);
	struct hl_json_piece piece;
	size_t cursor = 0, before = graph->nr_facts;
	bool is_cut;
	int rc = hl_json_piece_next(slice, &cursor, &piece, err);

	if (rc < 0)
		return rc;
	is_cut = piece.is_cut;
	read_devices(hl_json_get(piece.root, "blockdevices"), HL_LSBLK_ROOT, MAX_DEPTH, source,
		     &lsblk, graph);
	read_mounts(hl_json_get(piece.root, "filesystems"), MAX_DEPTH, source, &mounts, graph);
	hl_lsblk_report(&lsblk, reading);
	hl_mounts_report(&mounts, reading->host, graph);
	hl_json_free(piece.root);
	if (is_cut || graph->nr_facts == before)
		return hl_fail(err, EBADMSG, "%s:%u: %s", slice->name, slice->lines[0].number,
			       is_cut ? "it ends early" : "no device in it");
	return 0;
}

const struct hl_format hl_format_lsblk_json = {
	.name = "lsblk-json",
	.summary = "lsblk -J and findmnt -J",
	.claim = lsblk_json_claim,
	.read = lsblk_json_read,
};
