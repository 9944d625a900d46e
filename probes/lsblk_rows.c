/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of lsblk to facts: see probes/lsblk.h. The column names are those of lsblk(8).
 *
 * Surprising: a device with several below it comes several times, and is one node.
 */
#include "lsblk.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_BELOW 256  /* members of one device */
#define MAX_ROWS  4096 /* more are left out */

enum kind { NONE, TEXT, FLAG, NUMBER, SIZE, KIB };

static const struct {
	const char *name, *key;
	enum kind kind;
} columns[HL_NR_LSBLK_COLUMNS] = {
	[HL_LSBLK_KNAME] = { "KNAME", NULL, NONE },
	[HL_LSBLK_NUMBER] = { "MAJ:MIN", NULL, NONE },
	[HL_LSBLK_SIZE] = { "SIZE", "block.size", SIZE },
	[HL_LSBLK_RO] = { "RO", "block.is_read_only", FLAG },
	[HL_LSBLK_TYPE] = { "TYPE", "block.type", TEXT },
	[HL_LSBLK_MOUNTPOINT] = { "MOUNTPOINT", NULL, NONE },
	[HL_LSBLK_FSTYPE] = { "FSTYPE", NULL, NONE },
	[HL_LSBLK_ROTA] = { "ROTA", "block.is_rotational", FLAG },
	[HL_LSBLK_RQ_SIZE] = { "RQ-SIZE", "block.nr_requests", NUMBER },
	[HL_LSBLK_SCHED] = { "SCHED", "block.scheduler", TEXT },
	[HL_LSBLK_LOG_SEC] = { "LOG-SEC", "block.logical_block_size", NUMBER },
	[HL_LSBLK_PHY_SEC] = { "PHY-SEC", "block.physical_block_size", NUMBER },
	[HL_LSBLK_RA] = { "RA", "block.read_ahead", KIB },
	[HL_LSBLK_MODEL] = { "MODEL", "drive.model", TEXT },
	[HL_LSBLK_SERIAL] = { "SERIAL", "block.serial", TEXT },
	[HL_LSBLK_WWN] = { "WWN", "block.wwid", TEXT },
};

void hl_lsblk_free(struct hl_lsblk *lsblk)
{
	free(lsblk->rows);
	free(lsblk->mounts);
}

enum hl_lsblk_column hl_lsblk_column(struct hl_word name)
{
	if (name.len == strlen("MOUNTPOINTS") && !strncasecmp(name.start, "MOUNTPOINTS", name.len))
		return HL_LSBLK_MOUNTPOINT;
	for (size_t i = 0; i < HL_NR_LSBLK_COLUMNS; i++) {
		if (name.len == strlen(columns[i].name) &&
		    !strncasecmp(name.start, columns[i].name, name.len))
			return (enum hl_lsblk_column)i;
	}
	return HL_LSBLK_NONE;
}

static bool is_flag(struct hl_word value)
{
	static const char *const flags[] = { "0", "1", "true", "false", NULL };

	return hl_word_is_any(value, flags);
}

static bool is_device_number(struct hl_word value)
{
	const char *colon = memchr(value.start, ':', value.len);

	return colon && isdigit((unsigned char)value.start[0]) &&
	       isdigit((unsigned char)value.start[value.len - 1]);
}

bool hl_lsblk_is_value(enum hl_lsblk_column column, struct hl_word value)
{
	if (column == HL_LSBLK_NUMBER)
		return is_device_number(value);
	if (column == HL_LSBLK_MOUNTPOINT)
		return value.start[0] == '/' || value.start[0] == '[';
	switch (columns[column].kind) {
	case FLAG:
		return is_flag(value);
	case NUMBER:
	case KIB:
		return !isnan(hl_word_number(value));
	case SIZE:
		return !isnan(hl_word_size(value));
	default:
		return true;
	}
}

/* ---- the tree ---- */

static bool is_type(const struct hl_lsblk_row *row, const char *type)
{
	return hl_word_is(row->values[HL_LSBLK_TYPE], type);
}

static bool is_whole(const struct hl_lsblk_row *row)
{
	return is_type(row, "disk") || is_type(row, "loop") || is_type(row, "rom");
}

static bool has_depth(const struct hl_lsblk *lsblk, const struct hl_lsblk_row *row)
{
	return lsblk->nr && row->column > lsblk->rows[0].column;
}

size_t hl_lsblk_parent(const struct hl_lsblk *lsblk, const struct hl_lsblk_row *row)
{
	bool is_part = is_type(row, "part");
	bool is_by_type = !has_depth(lsblk, row) && row->values[HL_LSBLK_TYPE].len &&
			  !is_whole(row);

	for (size_t i = lsblk->nr; i-- > 0;) {
		const struct hl_lsblk_row *above = &lsblk->rows[i];

		if (is_by_type ? is_whole(above) || (!is_part && is_type(above, "part"))
			       : above->column < row->column)
			return i;
	}
	return HL_LSBLK_ROOT;
}

void hl_lsblk_add(struct hl_lsblk *lsblk, const struct hl_lsblk_row *row)
{
	if (lsblk->nr == MAX_ROWS)
		return;
	lsblk->rows = hl_grow(lsblk->rows, lsblk->nr + 1, sizeof(*lsblk->rows));
	lsblk->rows[lsblk->nr++] = *row;
	if (row->values[HL_LSBLK_MOUNTPOINT].len)
		hl_lsblk_add_mount(lsblk, row->values[HL_LSBLK_MOUNTPOINT]);
}

void hl_lsblk_add_mount(struct hl_lsblk *lsblk, struct hl_word path)
{
	if (!lsblk->nr)
		return;
	lsblk->mounts = hl_grow(lsblk->mounts, lsblk->nr_mounts + 1, sizeof(*lsblk->mounts));
	lsblk->mounts[lsblk->nr_mounts++] = (struct hl_lsblk_mount){ lsblk->nr - 1, path };
}

/* ---- facts ---- */

static struct hl_word node_of(const struct hl_lsblk_row *row)
{
	return row->values[HL_LSBLK_KNAME].len ? row->values[HL_LSBLK_KNAME] : row->name;
}

static bool is_same(const struct hl_lsblk_row *a, const struct hl_lsblk_row *b)
{
	struct hl_word left = node_of(a), right = node_of(b);

	return left.len == right.len && !memcmp(left.start, right.start, left.len);
}

/* The first row of that device. */
static size_t first_of(const struct hl_lsblk *lsblk, size_t index)
{
	size_t i = 0;

	while (!is_same(&lsblk->rows[i], &lsblk->rows[index]))
		i++;
	return i;
}

static void report_value(struct hl_graph *graph, const struct hl_origin *origin, size_t column,
			 struct hl_word value)
{
	const char *key = columns[column].key;

	if (!value.len)
		return;
	switch (columns[column].kind) {
	case TEXT:
		hl_graph_add_string(graph, origin, key, hl_word_keep(graph, value));
		break;
	case FLAG:
		hl_graph_add_boolean(graph, origin, key,
				     hl_word_is(value, "1") || hl_word_is(value, "true"));
		break;
	case NUMBER:
		hl_graph_add_number(graph, origin, key, hl_word_number(value));
		break;
	case SIZE:
		hl_graph_add_number(graph, origin, key, hl_word_size(value));
		break;
	case KIB:
		hl_graph_add_number(graph, origin, key, hl_word_number(value) * 1024);
		break;
	default:
		break;
	}
}

static bool is_told(const struct hl_lsblk *lsblk, size_t first, size_t index)
{
	const struct hl_lsblk_row *parent = &lsblk->rows[lsblk->rows[index].parent];

	for (size_t i = first; i < index; i++) {
		if (is_same(&lsblk->rows[i], &lsblk->rows[index]) &&
		    lsblk->rows[i].parent != HL_LSBLK_ROOT &&
		    is_same(&lsblk->rows[lsblk->rows[i].parent], parent))
			return true;
	}
	return false;
}

/* All that the rows of one device hang below. */
static const char *list_below(const struct hl_lsblk *lsblk, size_t index, struct hl_graph *graph)
{
	const char *text = NULL;
	unsigned nr = 0;

	for (size_t i = index; i < lsblk->nr && nr < MAX_BELOW; i++) {
		struct hl_word parent;

		if (!is_same(&lsblk->rows[i], &lsblk->rows[index]) ||
		    lsblk->rows[i].parent == HL_LSBLK_ROOT || is_told(lsblk, index, i))
			continue;
		nr++;
		parent = node_of(&lsblk->rows[lsblk->rows[i].parent]);
		text = hl_arena_printf(graph->arena, "%s%s%.*s", text ? text : "", text ? " " : "",
				       (int)parent.len, parent.start);
	}
	return text;
}

static void report_mounts(const struct hl_lsblk *lsblk, const struct hl_reading *reading)
{
	struct hl_graph *graph = reading->graph;

	for (size_t i = 0; i < lsblk->nr_mounts; i++) {
		const struct hl_lsblk_row *row = &lsblk->rows[lsblk->mounts[i].row];
		const struct hl_origin origin = { .host = reading->host,
						  .node = hl_word_keep(graph,
								       lsblk->mounts[i].path),
						  .source = row->source };

		if (*origin.node != '/' ||
		    first_of(lsblk, lsblk->mounts[i].row) != lsblk->mounts[i].row)
			continue;
		hl_graph_add_string(graph, &origin, "mount.device",
				    hl_word_keep(graph, node_of(row)));
		if (row->values[HL_LSBLK_FSTYPE].len)
			hl_graph_add_string(graph, &origin, "mount.fs_type",
					    hl_word_keep(graph, row->values[HL_LSBLK_FSTYPE]));
	}
}

void hl_lsblk_report(const struct hl_lsblk *lsblk, const struct hl_reading *reading)
{
	struct hl_graph *graph = reading->graph;

	for (size_t i = 0; i < lsblk->nr; i++) {
		const struct hl_lsblk_row *row = &lsblk->rows[i];
		const struct hl_origin origin = { .host = reading->host,
						  .node = hl_word_keep(graph, node_of(row)),
						  .source = row->source };

		if (first_of(lsblk, i) != i)
			continue;
		for (size_t k = 0; k < HL_NR_LSBLK_COLUMNS; k++)
			report_value(graph, &origin, k, row->values[k]);
		hl_graph_add_string(graph, &origin, "block.below", list_below(lsblk, i, graph));
	}
	report_mounts(lsblk, reading);
}
