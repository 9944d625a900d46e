/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Targets of LIO, the kernel's own: see iscsi_probe.h.
 *
 * Source: /sys/kernel/config/target, Documentation/target/tcm_mod_builder.rst and the attributes as
 * drivers/target shows them; CHAP stands in directories "auth", which are not entered. Surprising:
 * a LUN is a directory with a link of any name in it, which leads to its backstore; how many
 * commands a session may have in flight is said by each portal group, and again by each ACL.
 */
#include "attribute.h"
#include "hoploss/alloc.h"
#include "iscsi_probe.h"
#include "sysfs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TARGETS "/sys/kernel/config/target/iscsi"
#define CORE    "/sys/kernel/config/target/core"

static const struct attribute group_attributes[] = {
	{ "attrib/default_cmdsn_depth", "target.queued_commands", ATTRIBUTE_NUMBER },
	{ "param/MaxRecvDataSegmentLength", "target.max_recv", ATTRIBUTE_NUMBER },
	{ "param/MaxXmitDataSegmentLength", "target.max_xmit", ATTRIBUTE_NUMBER },
	{ "param/FirstBurstLength", "target.first_burst", ATTRIBUTE_NUMBER },
	{ "param/MaxBurstLength", "target.max_burst", ATTRIBUTE_NUMBER },
	{ "param/ImmediateData", "target.immediate_data", ATTRIBUTE_FLAG },
	{ "param/InitialR2T", "target.initial_r2t", ATTRIBUTE_FLAG },
	{ "param/MaxOutstandingR2T", "target.max_outstanding_r2t", ATTRIBUTE_NUMBER },
};

static const struct attribute store_attributes[] = {
	{ "udev_path", "target.backing", ATTRIBUTE_TEXT },
	{ "attrib/emulate_write_cache", "target.write_back", ATTRIBUTE_FLAG },
	{ "attrib/queue_depth", "target.queue_depth", ATTRIBUTE_NUMBER },
	{ "attrib/block_size", "target.block_size", ATTRIBUTE_NUMBER },
};

#define NR(array) (sizeof(array) / sizeof(*(array)))

struct target {
	const struct iscsi_place *place;
	const char *iqn;
	double sessions;
	const char *initiator, *number; /* of the mapped LUN that is looked at */
};

/* Calls each with the path of every name in directory that begins with prefix. */
static void walk(const struct iscsi_place *place, const char *directory, const char *prefix,
		 void (*each)(void *context, const char *path, const char *name), void *context)
{
	char **names;
	size_t nr;

	if (hl_machine_list(place->machine, directory, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf("%s/%s", directory, names[i]);

		if (!strncmp(names[i], prefix, strlen(prefix)))
			each(context, path, names[i]);
	}
	hl_machine_free_names(names, nr);
}

/* ---- LUNs ---- */

/* "iblock_0": iblock */
static void add_store_type(const struct iscsi_place *place, const struct hl_origin *origin,
			   const char *store)
{
	const char *hba = store + strlen(CORE) + 1;
	size_t len = strcspn(hba, "/");
	HL_FREE char *type = NULL;

	while (len && hba[len - 1] != '_')
		len--;
	type = hl_strndup(hba, len ? len - 1 : strcspn(hba, "/"));
	hl_graph_add_string(place->graph, origin, "target.backstore", type);
}

/* fileio's "Mode: Buffered-WCE" says what its attribute only may. */
static void add_file_mode(const struct iscsi_place *place, const struct hl_origin *origin,
			  const char *store)
{
	HL_FREE char *path = hl_printf("%s/info", store);
	HL_FREE char *info = hl_sysfs_text(place->machine, path);
	struct hl_origin where = *origin;

	where.source = path;
	if (info && strstr(info, "Mode: "))
		hl_graph_add_boolean(place->graph, &where, "target.is_buffered",
				     strstr(info, "Mode: Buffered") != NULL);
}

/* "../../../../../../target/core/iblock_0/disk0" to the store's own path; NULL. */
static char *store_of(const struct iscsi_place *place, const char *path)
{
	HL_FREE char *link = NULL;
	const char *core;

	if (hl_machine_readlink(place->machine, path, &link, NULL) < 0)
		return NULL;
	core = strstr(link, "target/core/");
	return core ? hl_printf(CORE "/%s", core + strlen("target/core/")) : NULL;
}

static void decode_store(void *context, const char *path, const char *name)
{
	struct target *target = context;
	HL_FREE char *store = store_of(target->place, path);
	const char *lun = strstr(path, "/lun_");
	HL_FREE char *node = NULL;
	struct hl_origin origin = { .host = target->place->host, .source = store };

	(void)name;
	if (!store || !lun)
		return;
	node = hl_printf("%s/lun%.*s", target->iqn, (int)strcspn(lun + 5, "/"), lun + 5);
	origin.node = node;
	add_store_type(target->place, &origin, store);
	attribute_add_facts(target->place->machine, target->place->graph, &origin, store,
			    store_attributes, NR(store_attributes));
	add_file_mode(target->place, &origin, store);
}

static void decode_lun(void *context, const char *path, const char *name)
{
	struct target *target = context;

	(void)name;
	walk(target->place, path, "", decode_store, target);
}

/* ---- LUNs of one initiator, which may have other numbers ---- */

/* ".../tpgt_1/lun/lun_3" is LUN 3 of the group. */
static void decode_mapped_link(void *context, const char *path, const char *name)
{
	struct target *target = context;
	HL_FREE char *link = NULL;
	const char *number, *backing;

	(void)name;
	if (hl_machine_readlink(target->place->machine, path, &link, NULL) < 0)
		return;
	number = strstr(link, "/lun/lun_");
	number = number ? number + strlen("/lun/lun_") : NULL;
	backing = number ? iscsi_backing_of(target->place, target->iqn, number) : NULL;
	if (backing)
		iscsi_add_own_lun(target->place, target->iqn, target->number, target->initiator,
				  backing, path);
}

static void decode_mapped(void *context, const char *path, const char *name)
{
	struct target *target = context;

	target->number = name + strlen("lun_");
	walk(target->place, path, "", decode_mapped_link, target);
}

static void decode_acl(void *context, const char *path, const char *name)
{
	struct target *target = context;

	target->initiator = name;
	walk(target->place, path, "lun_", decode_mapped, target);
}

/* ---- sessions ---- */

static void count_acl(void *context, const char *path, const char *name)
{
	struct target *target = context;
	HL_FREE char *info = attribute_text(target->place->machine, path, "info");

	(void)name;
	target->sessions += info && strncmp(info, "No active", 9) != 0;
}

/* Initiators that no ACL names are listed, one a line. */
static void count_dynamic(struct target *target, const char *group)
{
	HL_FREE char *path = hl_printf("%s/dynamic_sessions", group);
	HL_FREE char *list = hl_sysfs_text(target->place->machine, path);

	for (const char *at = list; at && *at; at += strspn(at, "\n")) {
		target->sessions++;
		at += strcspn(at, "\n");
	}
}

static void decode_group(void *context, const char *path, const char *name)
{
	struct target *target = context;
	HL_FREE char *luns = hl_printf("%s/lun", path);
	HL_FREE char *acls = hl_printf("%s/acls", path);
	const struct hl_origin origin = { .host = target->place->host,
					  .node = target->iqn,
					  .source = path };

	(void)name;
	attribute_add_facts(target->place->machine, target->place->graph, &origin, path,
			    group_attributes, NR(group_attributes));
	walk(target->place, luns, "lun_", decode_lun, target);
	walk(target->place, acls, "", decode_acl, target);
	target->sessions = 0;
	walk(target->place, acls, "", count_acl, target);
	count_dynamic(target, path);
	hl_graph_add_number(target->place->graph, &origin, "target.sessions", target->sessions);
}

static void decode_target(void *context, const char *path, const char *name)
{
	const struct iscsi_place *place = context;
	struct target target = { .place = place, .iqn = name };
	const struct hl_origin origin = { .host = place->host, .node = name, .source = path };

	hl_graph_add_string(place->graph, &origin, "target.kind", "LIO");
	walk(place, path, "tpgt_", decode_group, &target);
}

/* Beside the targets stands a directory of discovery's CHAP, which is not entered. */
static bool is_name(const char *name)
{
	return !strncmp(name, "iqn.", 4) || !strncmp(name, "eui.", 4) || !strncmp(name, "naa.", 4);
}

static void decode_named(void *context, const char *path, const char *name)
{
	size_t *nr = ((void **)context)[1];

	if (!is_name(name))
		return;
	decode_target(((void **)context)[0], path, name);
	++*nr;
}

size_t iscsi_lio_decode(const struct iscsi_place *place)
{
	size_t nr = 0;
	void *context[] = { (void *)place, &nr };

	walk(place, TARGETS, "", decode_named, context);
	return nr;
}
