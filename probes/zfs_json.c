/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zpool status -j, zpool list -j, zpool get -j, zfs list -j and zfs get -j (OpenZFS 2.3).
 *
 *   { "output_version": { "command": "zpool status", … }, "pools": { "tank": { "state": …,
 *     "vdevs": { "tank": { "vdevs": { "raidz1-0": { "vdevs": { "sda": … } } } } }, "logs": … } } }
 *   { …, "datasets": { "tank/vol": { "properties": { "volblocksize": { "value": "16K" } } } } }
 *
 * Surprising: numbers are strings unless --json-int was given; the cache is called "l2cache" here.
 */
#include "hoploss/json_extent.h"
#include "zfs_property.h"
#include "zpool_tree.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_DEPTH 8

struct place {
	const struct hl_text *slice;
	struct hl_graph *graph;
	struct hl_reading *reading;
};

static struct hl_word word_of(struct hl_graph *graph, const struct hl_json *value)
{
	double number = hl_json_number(value);
	const char *text = hl_arena_strdup(graph->arena, hl_json_string(value));

	if (!isnan(number))
		text = hl_arena_printf(graph->arena, "%.0f", number);
	return text ? (struct hl_word){ text, strlen(text) } : (struct hl_word){ 0 };
}

static struct hl_origin origin_of(const struct place *place, const char *node)
{
	return (struct hl_origin){ .host = place->reading->host,
				   .node = hl_arena_strdup(place->graph->arena, node),
				   .source = hl_text_source(place->graph, place->slice, 0) };
}

/* { "size": { "value": "34.9T", "source": … }, … } */
static void read_properties(const struct place *place, const struct hl_json *properties,
			    const struct hl_origin *origin)
{
	const struct hl_json *property;
	const char *name;
	void *iter = NULL;

	while (hl_json_next(properties, &iter, &name, &property)) {
		const struct hl_zfs_property *known = hl_zfs_property_find(
			(struct hl_word){ name, strlen(name) });
		struct hl_word value = word_of(place->graph, hl_json_get(property, "value"));

		if (known && value.len)
			hl_zfs_property_report(known, value, origin, place->graph);
	}
}

/* ---- devices ---- */

static void read_vdevs(const struct place *place, const struct hl_json *children, unsigned depth,
		       struct hl_vdevs *vdevs)
{
	const struct hl_json *child;
	const char *name;
	void *iter = NULL;

	while (depth < MAX_DEPTH && hl_json_next(children, &iter, &name, &child)) {
		const char *kept = hl_arena_strdup(place->graph->arena, name);
		struct hl_vdev *vdev = hl_vdevs_add(vdevs, (struct hl_word){ kept, strlen(kept) },
						    depth);

		if (!vdev)
			return;
		vdev->state = word_of(place->graph, hl_json_get(child, "state"));
		vdev->read_errors = hl_json_number_like(hl_json_get(child, "read_errors"));
		vdev->write_errors = hl_json_number_like(hl_json_get(child, "write_errors"));
		vdev->checksum_errors = hl_json_number_like(hl_json_get(child, "checksum_errors"));
		read_vdevs(place, hl_json_get(child, "vdevs"), depth + 1, vdevs);
	}
}

static void read_tree(const struct place *place, const struct hl_json *pool, const char *name)
{
	static const struct {
		const char *key, *section;
	} sections[] = { { "special", "special" },
			 { "dedup", "dedup" },
			 { "logs", "logs" },
			 { "l2cache", "cache" },
			 { "spares", "spares" } };
	HL_VDEVS struct hl_vdevs vdevs = { 0 };
	const struct hl_json *root = hl_json_get(hl_json_get(pool, "vdevs"), name);
	const char *kept = hl_arena_strdup(place->graph->arena, name);

	if (!root)
		return;
	hl_vdevs_begin(&vdevs, (struct hl_word){ kept, strlen(kept) }, 0);
	read_vdevs(place, hl_json_get(root, "vdevs"), 1, &vdevs);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		const char *section = sections[i].section;

		hl_vdevs_enter(&vdevs, (struct hl_word){ section, strlen(section) });
		read_vdevs(place, hl_json_get(pool, sections[i].key), 1, &vdevs);
	}
	vdevs.is_complete = true;
	hl_vdevs_link(&vdevs);
	if (vdevs.nr)
		hl_vdevs_report(&vdevs, place->slice, place->reading);
}

/* ---- pools ---- */

static bool is_text(const struct hl_json *value, const char *text)
{
	const char *string = hl_json_string(value);

	return string && !strcmp(string, text);
}

static void read_scan(const struct place *place, const struct hl_json *scan,
		      const struct hl_origin *origin)
{
	bool is_running = is_text(hl_json_get(scan, "state"), "SCANNING");
	const char *function = hl_json_string(hl_json_get(scan, "function"));

	if (!function)
		return;
	hl_graph_add_boolean(place->graph, origin, "zpool.is_scrubbing",
			     is_running && !strcmp(function, "SCRUB"));
	hl_graph_add_boolean(place->graph, origin, "zpool.is_resilvering",
			     is_running && !strcmp(function, "RESILVER"));
}

static void read_pool(const struct place *place, const char *key, const struct hl_json *pool)
{
	const char *name = hl_json_string(hl_json_get(pool, "name"));
	const struct hl_origin origin = origin_of(place, name ? name : key);
	double errors = hl_json_number_like(hl_json_get(pool, "error_count"));

	hl_graph_add_string(place->graph, &origin, "zpool.state",
			    hl_json_string(hl_json_get(pool, "state")));
	if (errors == 0)
		hl_graph_add_string(place->graph, &origin, "zpool.errors", "No known data errors");
	else if (errors > 0)
		hl_graph_add_string(
			place->graph, &origin, "zpool.errors",
			hl_arena_printf(place->graph->arena, "%.0f data errors", errors));
	read_scan(place, hl_json_get(pool, "scan_stats"), &origin);
	read_properties(place, hl_json_get(pool, "properties"), &origin);
	read_tree(place, pool, origin.node);
}

static void read_all(const struct place *place, const struct hl_json *root)
{
	const struct hl_json *item;
	const char *key;
	void *iter = NULL;

	while (hl_json_next(hl_json_get(root, "pools"), &iter, &key, &item))
		read_pool(place, key, item);
	iter = NULL;
	while (hl_json_next(hl_json_get(root, "datasets"), &iter, &key, &item)) {
		const char *name = hl_json_string(hl_json_get(item, "name"));
		const struct hl_origin origin = origin_of(place, name ? name : key);

		read_properties(place, hl_json_get(item, "properties"), &origin);
	}
}

static size_t zfs_json_claim(const struct hl_text *text, size_t at)
{
	size_t nr = hl_json_extent(text, at);
	struct hl_text slice = hl_text_slice(text, at, nr);

	return nr && hl_json_mentions(&slice, "output_version") &&
			       (hl_json_mentions(&slice, "pools") ||
				hl_json_mentions(&slice, "datasets"))
		       ? nr
		       : 0;
}

static int zfs_json_read(const struct hl_text *slice, struct hl_reading *reading,
			 struct hl_error *err)
{
	const struct place place = { slice, reading->graph, reading };
	size_t cursor = 0, before = reading->graph->nr_facts;
	struct hl_json_piece piece;
	bool is_cut;
	int rc = hl_json_piece_next(slice, &cursor, &piece, err);

	if (rc < 0)
		return rc;
	is_cut = piece.is_cut;
	read_all(&place, piece.root);
	hl_json_free(piece.root);
	if (is_cut || reading->graph->nr_facts == before)
		return hl_fail(err, EBADMSG, "%s:%u: %s", slice->name, slice->lines[0].number,
			       is_cut ? "it ends early" : "no pool or data set in it");
	return 0;
}

const struct hl_format hl_format_zfs_json = {
	.name = "zfs-json",
	.summary = "zpool and zfs with -j",
	.claim = zfs_json_claim,
	.read = zfs_json_read,
};
