/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LIO's configuration as targetcli saves it: /etc/target/saveconfig.json, /etc/rtslib-fb-target.
 *
 * Source: saveconfig.json(5) of rtslib-fb. The same facts as of the live kernel (iscsi_lio.c) and
 * of `targetcli ls`; users and passwords stand in "node_acls" and "auth_attrs", which are not
 * looked at. Surprising: parameters are strings ("65536", "Yes"), attributes are numbers; and
 * "write_back" is said of files only, the attribute "emulate_write_cache" of all.
 */
#include "hoploss/format.h"
#include "hoploss/json.h"
#include "hoploss/json_extent.h"
#include "saved.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct reader {
	struct hl_reading *reading;
	const char *source;
	const struct hl_json *stores;
};

struct row {
	const char *name, *key;
	bool is_flag;
};

static const struct row parameters[] = {
	{ "MaxRecvDataSegmentLength", "target.max_recv", false },
	{ "MaxXmitDataSegmentLength", "target.max_xmit", false },
	{ "FirstBurstLength", "target.first_burst", false },
	{ "MaxBurstLength", "target.max_burst", false },
	{ "MaxOutstandingR2T", "target.max_outstanding_r2t", false },
	{ "ImmediateData", "target.immediate_data", true },
	{ "InitialR2T", "target.initial_r2t", true },
	{ NULL, NULL, false },
};

static const struct row group_attributes[] = {
	{ "default_cmdsn_depth", "target.queued_commands", false },
	{ NULL, NULL, false },
};

static const struct row store_attributes[] = {
	{ "block_size", "target.block_size", false },
	{ "queue_depth", "target.queue_depth", false },
	{ NULL, NULL, false },
};

/* 1, "1", true or "Yes"; -1 where it is none of them. */
static int flag_of(const struct hl_json *value)
{
	const char *text = hl_json_string(value);
	double number = hl_json_number_like(value);
	int flag = hl_json_boolean(value);

	if (flag < 0 && !isnan(number))
		flag = number != 0;
	return flag < 0 && text ? saved_boolean(text) : flag;
}

static void add_rows(const struct reader *reader, const char *node, const struct hl_json *object,
		     const struct row *rows)
{
	const struct hl_origin origin = { reader->reading->host, node, reader->source };

	for (; rows->name; rows++) {
		const struct hl_json *value = hl_json_get(object, rows->name);
		int flag = rows->is_flag ? flag_of(value) : -1;

		if (flag >= 0)
			hl_graph_add_boolean(reader->reading->graph, &origin, rows->key, flag);
		else if (!rows->is_flag)
			hl_graph_add_number(reader->reading->graph, &origin, rows->key,
					    hl_json_number_like(value));
	}
}

/* "/backstores/block/disk1" is plugin "block", name "disk1". */
static const struct hl_json *find_store(const struct reader *reader, const char *path)
{
	for (size_t i = 0; i < hl_json_length(reader->stores); i++) {
		const struct hl_json *store = hl_json_at(reader->stores, i);
		const char *plugin = hl_json_string(hl_json_get(store, "plugin"));
		const char *name = hl_json_string(hl_json_get(store, "name"));
		HL_FREE char *own = plugin && name ? hl_printf("/backstores/%s/%s", plugin, name)
						   : NULL;

		if (own && !strcmp(own, path))
			return store;
	}
	return NULL;
}

static void add_lun(const struct reader *reader, const char *iqn, const struct hl_json *lun)
{
	struct hl_graph *graph = reader->reading->graph;
	const char *path = hl_json_string(hl_json_get(lun, "storage_object"));
	const struct hl_json *store = path ? find_store(reader, path) : NULL;
	const struct hl_json *attributes = hl_json_get(store, "attributes");
	double index = hl_json_number_like(hl_json_get(lun, "index"));
	int cached = flag_of(hl_json_get(attributes, "emulate_write_cache"));
	struct hl_origin origin = { .host = reader->reading->host, .source = reader->source };

	if (!store || isnan(index))
		return;
	origin.node = hl_arena_printf(graph->arena, "%s/lun%.0f", iqn, index);
	hl_graph_add_string(graph, &origin, "target.backing",
			    hl_json_string(hl_json_get(store, "dev")));
	hl_graph_add_string(graph, &origin, "target.backstore",
			    hl_json_string(hl_json_get(store, "plugin")));
	if (cached < 0)
		cached = flag_of(hl_json_get(store, "write_back"));
	if (cached >= 0)
		hl_graph_add_boolean(graph, &origin, "target.write_back", cached);
	add_rows(reader, origin.node, attributes, store_attributes);
}

static void add_group(const struct reader *reader, const char *iqn, const struct hl_json *group)
{
	const struct hl_json *luns = hl_json_get(group, "luns");

	add_rows(reader, iqn, hl_json_get(group, "parameters"), parameters);
	add_rows(reader, iqn, hl_json_get(group, "attributes"), group_attributes);
	for (size_t i = 0; i < hl_json_length(luns); i++)
		add_lun(reader, iqn, hl_json_at(luns, i));
}

static void add_target(const struct reader *reader, const struct hl_json *target)
{
	struct hl_graph *graph = reader->reading->graph;
	const char *fabric = hl_json_string(hl_json_get(target, "fabric"));
	const char *wwn = hl_json_string(hl_json_get(target, "wwn"));
	const struct hl_json *groups = hl_json_get(target, "tpgs");
	struct hl_origin origin = { .host = reader->reading->host, .source = reader->source };

	if (!fabric || strcmp(fabric, "iscsi") != 0 || !wwn)
		return;
	origin.node = hl_arena_strdup(graph->arena, wwn);
	hl_graph_add_string(graph, &origin, "target.kind", "LIO");
	for (size_t i = 0; i < hl_json_length(groups); i++)
		add_group(reader, origin.node, hl_json_at(groups, i));
}

static size_t saveconfig_claim(const struct hl_text *text, size_t at)
{
	size_t nr = hl_json_extent(text, at);
	struct hl_text slice = hl_text_slice(text, at, nr);

	return nr && hl_json_mentions(&slice, "storage_objects") &&
			       hl_json_mentions(&slice, "targets")
		       ? nr
		       : 0;
}

static int saveconfig_read(const struct hl_text *slice, struct hl_reading *reading,
			   struct hl_error *err)
{
	struct reader reader = { .reading = reading };
	size_t before = reading->graph->nr_facts, cursor = 0;
	const struct hl_json *targets;
	struct hl_json_piece piece;
	int rc = hl_json_piece_next(slice, &cursor, &piece, err);

	if (rc < 0)
		return rc;
	reader.source = hl_arena_printf(reading->graph->arena, "%s:%u", slice->name,
					slice->lines[0].number);
	reader.stores = hl_json_get(piece.root, "storage_objects");
	targets = hl_json_get(piece.root, "targets");
	for (size_t i = 0; i < hl_json_length(targets); i++)
		add_target(&reader, hl_json_at(targets, i));
	hl_json_free(piece.root);
	if (piece.is_cut || reading->graph->nr_facts == before)
		return hl_fail(err, EBADMSG, "%s:%u: %s", slice->name, slice->lines[0].number,
			       piece.is_cut ? "it ends early" : "no iSCSI target in it");
	return 0;
}

const struct hl_format hl_format_target_saveconfig = {
	.name = "target-saveconfig",
	.summary = "LIO's saveconfig.json, as targetcli saves it",
	.claim = saveconfig_claim,
	.read = saveconfig_read,
};
