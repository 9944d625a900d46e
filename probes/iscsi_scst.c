/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Targets of SCST, as TrueNAS SCALE has it: see iscsi_probe.h.
 *
 * Source: /sys/kernel/scst_tgt, README of SCST and of its iSCSI target. Surprising: an initiator
 * gets the LUNs of the group that admits it, else those of the target itself; IncomingUser and
 * OutgoingUser beside the attributes are CHAP and are not read.
 */
#include "attribute.h"
#include "hoploss/alloc.h"
#include "iscsi_probe.h"
#include "sysfs.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TARGETS "/sys/kernel/scst_tgt/targets/iscsi"
#define DEVICES "/sys/kernel/scst_tgt/devices"

static const struct attribute target_attributes[] = {
	{ "QueuedCommands", "target.queued_commands", ATTRIBUTE_NUMBER },
	{ "MaxRecvDataSegmentLength", "target.max_recv", ATTRIBUTE_NUMBER },
	{ "MaxXmitDataSegmentLength", "target.max_xmit", ATTRIBUTE_NUMBER },
	{ "FirstBurstLength", "target.first_burst", ATTRIBUTE_NUMBER },
	{ "MaxBurstLength", "target.max_burst", ATTRIBUTE_NUMBER },
	{ "ImmediateData", "target.immediate_data", ATTRIBUTE_FLAG },
	{ "InitialR2T", "target.initial_r2t", ATTRIBUTE_FLAG },
	{ "MaxOutstandingR2T", "target.max_outstanding_r2t", ATTRIBUTE_NUMBER },
};

static const struct attribute device_attributes[] = {
	{ "filename", "target.backing", ATTRIBUTE_TEXT },
	{ "threads_num", "target.threads", ATTRIBUTE_NUMBER },
	{ "threads_pool_type", "target.threads_pool", ATTRIBUTE_TEXT },
	{ "nv_cache", "target.nv_cache", ATTRIBUTE_FLAG },
	{ "o_direct", "target.has_direct_io", ATTRIBUTE_FLAG },
	{ "blocksize", "target.block_size", ATTRIBUTE_NUMBER },
};

#define NR(array) (sizeof(array) / sizeof(*(array)))

static void add_cache(const struct iscsi_place *place, const struct hl_origin *origin,
		      const char *device)
{
	HL_FREE char *through = attribute_text(place->machine, device, "write_through");
	HL_FREE char *path = hl_printf("%s/write_through", device);
	struct hl_origin where = *origin;

	where.source = path;
	if (through)
		hl_graph_add_boolean(place->graph, &where, "target.write_back", *through == '0');
}

/* LUN "…/luns/0" is device NAME. */
static void decode_lun(const struct iscsi_place *place, const char *iqn, const char *lun,
		       const char *path)
{
	HL_FREE char *link = hl_printf("%s/device", path);
	HL_FREE char *name = hl_sysfs_link(place->machine, link);
	HL_FREE char *device = name ? hl_printf(DEVICES "/%s", name) : NULL;
	HL_FREE char *handler_link = device ? hl_printf("%s/handler", device) : NULL;
	HL_FREE char *handler = device ? hl_sysfs_link(place->machine, handler_link) : NULL;
	HL_FREE char *node = hl_printf("%s/lun%s", iqn, lun);
	const struct hl_origin origin = { .host = place->host, .node = node, .source = device };

	if (!device)
		return;
	hl_graph_add_string(place->graph, &origin, "target.backstore", handler);
	attribute_add_facts(place->machine, place->graph, &origin, device, device_attributes,
			    NR(device_attributes));
	add_cache(place, &origin, device);
}

static void decode_luns(const struct iscsi_place *place, const char *iqn, const char *directory)
{
	char **names;
	size_t nr;

	if (hl_machine_list(place->machine, directory, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *path = hl_printf("%s/%s", directory, names[i]);

		if (isdigit((unsigned char)names[i][0]))
			decode_lun(place, iqn, names[i], path);
	}
	hl_machine_free_names(names, nr);
}

/* One LUN is often in several groups: the first that has it tells of it. */
static bool has_luns(const struct iscsi_place *place, const char *iqn)
{
	HL_FREE char *start = hl_printf("%s/lun", iqn);

	for (size_t i = 0; i < place->graph->nr_facts; i++) {
		const struct hl_fact *fact = place->graph->facts[i];

		if (fact->node && !strncmp(fact->node, start, strlen(start)) &&
		    !strncmp(fact->key, "target.", 7))
			return true;
	}
	return false;
}

static void decode_groups(const struct iscsi_place *place, const char *iqn, const char *target)
{
	HL_FREE char *own = hl_printf("%s/luns", target);
	HL_FREE char *groups = hl_printf("%s/ini_groups", target);
	char **names;
	size_t nr;

	decode_luns(place, iqn, own);
	if (hl_machine_list(place->machine, groups, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr && !has_luns(place, iqn); i++) {
		HL_FREE char *luns = hl_printf("%s/%s/luns", groups, names[i]);

		decode_luns(place, iqn, luns);
	}
	hl_machine_free_names(names, nr);
}

/* The LUNs that a session sees are those of the group that admitted it. */
static void decode_session(const struct iscsi_place *place, const char *iqn, const char *initiator,
			   const char *luns)
{
	char **names;
	size_t nr;

	if (hl_machine_list(place->machine, luns, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *link = hl_printf("%s/%s/device", luns, names[i]);
		HL_FREE char *name = hl_sysfs_link(place->machine, link);
		HL_FREE char *device = name ? hl_printf(DEVICES "/%s", name) : NULL;
		HL_FREE char *backing = device ? attribute_text(place->machine, device, "filename")
					       : NULL;

		if (backing && isdigit((unsigned char)names[i][0]))
			iscsi_add_own_lun(place, iqn, names[i], initiator, backing, link);
	}
	hl_machine_free_names(names, nr);
}

static void decode_target(const struct iscsi_place *place, const char *iqn)
{
	HL_FREE char *target = hl_printf(TARGETS "/%s", iqn);
	HL_FREE char *sessions = hl_printf("%s/sessions", target);
	struct hl_origin origin = { .host = place->host, .node = iqn, .source = target };
	char **names;
	size_t nr;

	hl_graph_add_string(place->graph, &origin, "target.kind", "SCST");
	attribute_add_facts(place->machine, place->graph, &origin, target, target_attributes,
			    NR(target_attributes));
	decode_groups(place, iqn, target);
	if (hl_machine_list(place->machine, sessions, &names, &nr, NULL) < 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *luns = hl_printf("%s/%s/luns", sessions, names[i]);

		decode_session(place, iqn, names[i], luns);
	}
	hl_machine_free_names(names, nr);
	origin.source = sessions;
	hl_graph_add_number(place->graph, &origin, "target.sessions", (double)nr);
}

size_t iscsi_scst_decode(const struct iscsi_place *place)
{
	char **names;
	size_t nr, nr_targets = 0;

	if (hl_machine_list(place->machine, TARGETS, &names, &nr, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		if (strncmp(names[i], "iqn.", 4) != 0 && strncmp(names[i], "eui.", 4) != 0)
			continue;
		decode_target(place, names[i]);
		nr_targets++;
	}
	hl_machine_free_names(names, nr);
	return nr_targets;
}
