/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the tree of a pool's devices to facts: "raidz1 of 5", how many data disks, which device is
 * the log, what is broken.
 *
 * Surprising: a disk that is being replaced is a group of two, and counts as one; with draid each
 * stripe spans only part of the disks, so the data disks are those of one stripe ("draid2:4d:11c").
 */
#include "hoploss/number.h"
#include "zpool_tree.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parity of a group: the number of its disks that hold no data, per stripe. */
static unsigned parity_of(const struct hl_vdev *vdev)
{
	const size_t at = strlen("raidz"); /* draid is as long */

	if (vdev->kind == HL_VDEV_MIRROR)
		return vdev->nr_members ? (unsigned)vdev->nr_members - 1 : 0;
	if (vdev->kind != HL_VDEV_RAIDZ)
		return 0;
	if (vdev->name.len > at && vdev->name.start[at] >= '1' && vdev->name.start[at] <= '3')
		return (unsigned)(vdev->name.start[at] - '0');
	return 1;
}

/* "4d" of draid2:4d:11c:1s-0; 0 = it does not say. */
static uint64_t draid_data(const struct hl_vdev *vdev)
{
	const char *end = vdev->name.start + vdev->name.len, *at = vdev->name.start;
	uint64_t value;

	while ((at = memchr(at, ':', (size_t)(end - at)))) {
		const char *start = ++at;

		while (at < end && *at >= '0' && *at <= '9')
			at++;
		if (at < end && *at == 'd' && !hl_number_u64(start, (size_t)(at - start), &value))
			return value;
	}
	return 0;
}

static double data_disks_of(const struct hl_vdev *vdev)
{
	uint64_t data = vdev->kind == HL_VDEV_RAIDZ ? draid_data(vdev) : 0;

	if (vdev->kind == HL_VDEV_DISK || vdev->kind == HL_VDEV_REPLACING)
		return 1;
	if (data)
		return (double)data;
	return vdev->nr_members > parity_of(vdev) ? (double)vdev->nr_members - parity_of(vdev)
						  : NAN;
}

static bool is_top(const struct hl_vdev *vdev, enum hl_vdev_class class)
{
	return vdev->level == 1 && vdev->class == class && vdev->kind != HL_VDEV_GONE;
}

static bool is_leaf(const struct hl_vdev *vdev)
{
	return vdev->kind == HL_VDEV_DISK && !vdev->nr_members;
}

/* ---- "2 x mirror of 2 + raidz1 of 5" ---- */

static const char *say_kind(struct hl_graph *graph, const struct hl_vdev *vdev)
{
	struct hl_word word = vdev->name;
	const char *dash = memrchr(word.start, '-', word.len);

	if (vdev->kind == HL_VDEV_DISK || vdev->kind == HL_VDEV_REPLACING)
		return "disk";
	if (dash)
		word.len = (size_t)(dash - word.start);
	if (hl_word_is(word, "raidz"))
		return hl_arena_printf(graph->arena, "raidz1 of %zu", vdev->nr_members);
	return hl_arena_printf(graph->arena, "%.*s of %zu", (int)word.len, word.start,
			       vdev->nr_members);
}

static const char *say_layout(struct hl_graph *graph, const struct hl_vdevs *vdevs,
			      enum hl_vdev_class class)
{
	const char *text = NULL, *kind = NULL;
	unsigned nr = 0;

	for (size_t i = 0; i <= vdevs->nr; i++) {
		const char *next = NULL;

		if (i < vdevs->nr && !is_top(&vdevs->items[i], class))
			continue;
		if (i < vdevs->nr)
			next = say_kind(graph, &vdevs->items[i]);
		if (kind && next && !strcmp(kind, next)) {
			nr++;
			continue;
		}
		if (kind && nr > 1)
			kind = hl_arena_printf(graph->arena, "%u x %s", nr, kind);
		if (kind)
			text = text ? hl_arena_printf(graph->arena, "%s + %s", text, kind) : kind;
		kind = next;
		nr = 1;
	}
	return text;
}

static const char *list_devices(struct hl_graph *graph, const struct hl_vdevs *vdevs,
				enum hl_vdev_class class)
{
	const char *text = NULL;

	for (size_t i = 0; i < vdevs->nr; i++) {
		const struct hl_vdev *vdev = &vdevs->items[i];

		if (vdev->class != class || !is_leaf(vdev))
			continue;
		text = hl_arena_printf(graph->arena, "%s%s%.*s", text ? text : "", text ? " " : "",
				       (int)vdev->name.len, vdev->name.start);
	}
	return text;
}

/* "sdb UNAVAIL, sdc FAULTED": every row that does not do its work. */
static const char *list_broken(struct hl_graph *graph, const struct hl_vdevs *vdevs)
{
	static const char *const good[] = { "ONLINE", "AVAIL", "INUSE", NULL };
	const char *text = NULL;

	for (size_t i = 0; i < vdevs->nr; i++) {
		const struct hl_vdev *vdev = &vdevs->items[i];

		if (!vdev->state.len || hl_word_is_any(vdev->state, good))
			continue;
		text = hl_arena_printf(graph->arena, "%s%s%.*s %.*s", text ? text : "",
				       text ? ", " : "", (int)vdev->name.len, vdev->name.start,
				       (int)vdev->state.len, vdev->state.start);
	}
	return text;
}

/* ---- facts ---- */

static bool has_class(const struct hl_vdevs *vdevs, enum hl_vdev_class class)
{
	for (size_t i = 0; i < vdevs->nr; i++) {
		if (vdevs->items[i].class == class)
			return true;
	}
	return false;
}

static void report_sums(const struct hl_vdevs *vdevs, struct hl_graph *graph,
			const struct hl_origin *origin)
{
	double data_disks = 0, parity = 0, nr = 0, widest = 0;

	for (size_t i = 0; i < vdevs->nr; i++) {
		const struct hl_vdev *vdev = &vdevs->items[i];

		if (!is_top(vdev, HL_VDEV_DATA))
			continue;
		nr++;
		data_disks += data_disks_of(vdev);
		widest = fmax(widest, data_disks_of(vdev));
		parity = fmax(parity, vdev->kind == HL_VDEV_RAIDZ ? parity_of(vdev) : 0);
	}
	if (!(nr > 0))
		return;
	hl_graph_add_number(graph, origin, "zpool.vdevs", nr);
	hl_graph_add_number(graph, origin, "zpool.data_disks", data_disks);
	hl_graph_add_number(graph, origin, "zpool.vdev_data_disks", widest);
	hl_graph_add_number(graph, origin, "zpool.parity", parity);
}

static double sum_of(const struct hl_vdevs *vdevs, size_t offset)
{
	double sum = NAN;

	for (size_t i = 0; i < vdevs->nr; i++) {
		const char *vdev = (const char *)&vdevs->items[i];
		double value = *(const double *)(vdev + offset);

		if (is_leaf(&vdevs->items[i]) && !isnan(value))
			sum = isnan(sum) ? value : sum + value;
	}
	return sum;
}

static void report_errors(const struct hl_vdevs *vdevs, struct hl_graph *graph,
			  const struct hl_origin *origin)
{
	static const struct {
		const char *key;
		size_t offset;
	} rows[] = {
		{ "zpool.read_errors", offsetof(struct hl_vdev, read_errors) },
		{ "zpool.write_errors", offsetof(struct hl_vdev, write_errors) },
		{ "zpool.checksum_errors", offsetof(struct hl_vdev, checksum_errors) },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		hl_graph_add_number(graph, origin, rows[i].key, sum_of(vdevs, rows[i].offset));
}

/* A vdev's own facts, where there is something to tell of it. */
static void report_vdev(const struct hl_vdev *vdev, const char *pool, const struct hl_text *slice,
			const struct hl_reading *reading)
{
	struct hl_graph *graph = reading->graph;
	const struct hl_origin origin = {
		.host = reading->host,
		.node = hl_arena_printf(graph->arena, "%s/%.*s", pool, (int)vdev->name.len,
					vdev->name.start),
		.source = hl_text_source(graph, slice, vdev->line),
	};
	bool is_good = !vdev->state.len || hl_word_is(vdev->state, "ONLINE");

	if (is_good && !(vdev->checksum_errors > 0) && !(vdev->read_errors > 0) &&
	    !(vdev->write_errors > 0))
		return;
	hl_graph_add_string(graph, &origin, "vdev.state", hl_word_keep(graph, vdev->state));
	hl_graph_add_number(graph, &origin, "vdev.read_errors", vdev->read_errors);
	hl_graph_add_number(graph, &origin, "vdev.write_errors", vdev->write_errors);
	hl_graph_add_number(graph, &origin, "vdev.checksum_errors", vdev->checksum_errors);
}

void hl_vdevs_report(const struct hl_vdevs *vdevs, const struct hl_text *slice,
		     const struct hl_reading *reading)
{
	static const struct {
		enum hl_vdev_class class;
		const char *layout, *devices;
	} rows[] = {
		{ HL_VDEV_DATA, "zpool.layout", "zpool.devices" },
		{ HL_VDEV_SLOG, "zpool.slog_layout", "zpool.slog" },
		{ HL_VDEV_SPECIAL, "zpool.special_layout", "zpool.special" },
		{ HL_VDEV_DEDUP, NULL, "zpool.dedup_vdev" },
		{ HL_VDEV_CACHE, NULL, "zpool.cache" },
		{ HL_VDEV_SPARE, NULL, "zpool.spares" },
	};
	struct hl_graph *graph = reading->graph;
	const char *pool = hl_word_keep(graph, vdevs->pool);
	const struct hl_origin origin = { .host = reading->host,
					  .node = pool,
					  .source = hl_text_source(graph, slice, vdevs->line) };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].layout)
			hl_graph_add_string(graph, &origin, rows[i].layout,
					    say_layout(graph, vdevs, rows[i].class));
		hl_graph_add_string(graph, &origin, rows[i].devices,
				    list_devices(graph, vdevs, rows[i].class));
	}
	if (has_class(vdevs, HL_VDEV_SLOG) || vdevs->is_complete)
		hl_graph_add_boolean(graph, &origin, "zpool.has_slog",
				     has_class(vdevs, HL_VDEV_SLOG));
	report_sums(vdevs, graph, &origin);
	report_errors(vdevs, graph, &origin);
	hl_graph_add_string(graph, &origin, "zpool.broken", list_broken(graph, vdevs));
	for (size_t i = 0; i < vdevs->nr; i++)
		report_vdev(&vdevs->items[i], pool, slice, reading);
}
