/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of properties: see probes/zfs_property.h.
 *
 * Surprising: the pool property ashift is what was asked for at its creation, and 0 then says
 * nothing of what the vdevs have; a volume has no recordsize and a file system no volblocksize,
 * both are "-".
 */
#include "zfs_property.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

#define ASHIFT "zpool.ashift"

static const struct hl_zfs_property properties[] = {
	{ "type", "TYPE", "zfs.type", HL_ZFS_TEXT, HL_ZFS_DATASET },
	{ "used", "USED", "zfs.used", HL_ZFS_SIZE, HL_ZFS_DATASET },
	{ "available", "AVAIL", "zfs.available", HL_ZFS_SIZE, HL_ZFS_DATASET },
	{ "referenced", "REFER", "zfs.referenced", HL_ZFS_SIZE, HL_ZFS_DATASET },
	{ "logicalused", "LUSED", "zfs.logicalused", HL_ZFS_SIZE, HL_ZFS_DATASET },
	{ "compressratio", "RATIO", "zfs.compressratio", HL_ZFS_NUMBER, HL_ZFS_DATASET },
	{ "volsize", "VOLSIZE", "zfs.volsize", HL_ZFS_SIZE, HL_ZFS_DATASET },
	{ "volblocksize", "VOLBLOCK", "zfs.volblocksize", HL_ZFS_SIZE, HL_ZFS_DATASET },
	{ "recordsize", "RECSIZE", "zfs.recordsize", HL_ZFS_SIZE, HL_ZFS_DATASET },
	{ "refreservation", "REFRESERV", "zfs.refreservation", HL_ZFS_SIZE, HL_ZFS_DATASET },
	{ "special_small_blocks", "SPECIAL_SMALL_BLOCKS", "zfs.special_small_blocks", HL_ZFS_SIZE,
	  HL_ZFS_DATASET },
	{ "compression", "COMPRESS", "zfs.compression", HL_ZFS_TEXT, HL_ZFS_DATASET },
	{ "checksum", "CHECKSUM", "zfs.checksum", HL_ZFS_TEXT, HL_ZFS_DATASET },
	{ "copies", "COPIES", "zfs.copies", HL_ZFS_NUMBER, HL_ZFS_DATASET },
	{ "sync", "SYNC", "zfs.sync", HL_ZFS_TEXT, HL_ZFS_DATASET },
	{ "logbias", "LOGBIAS", "zfs.logbias", HL_ZFS_TEXT, HL_ZFS_DATASET },
	{ "primarycache", "PRIMARYCACHE", "zfs.primarycache", HL_ZFS_TEXT, HL_ZFS_DATASET },
	{ "secondarycache", "SECONDARYCACHE", "zfs.secondarycache", HL_ZFS_TEXT, HL_ZFS_DATASET },
	{ "prefetch", "PREFETCH", "zfs.prefetch", HL_ZFS_TEXT, HL_ZFS_DATASET_NEW },
	{ "dedup", NULL, "zfs.dedup", HL_ZFS_TEXT, HL_ZFS_DATASET },
	{ "direct", "DIRECT", "zfs.direct", HL_ZFS_TEXT, HL_ZFS_DATASET_NEW },
	{ "encryption", "ENCRYPTION", "zfs.encryption", HL_ZFS_TEXT, HL_ZFS_DATASET },
	{ "redundant_metadata", "REDUND_MD", "zfs.redundant_metadata", HL_ZFS_TEXT,
	  HL_ZFS_DATASET },
	{ "dnodesize", "DNSIZE", "zfs.dnodesize", HL_ZFS_TEXT, HL_ZFS_DATASET },
	{ "volmode", "VOLMODE", "zfs.volmode", HL_ZFS_TEXT, HL_ZFS_DATASET },
	{ "atime", "ATIME", "zfs.atime", HL_ZFS_TEXT, HL_ZFS_DATASET },
	{ "xattr", "XATTR", "zfs.xattr", HL_ZFS_TEXT, HL_ZFS_DATASET },
	/* of pools */
	{ "size", NULL, "zpool.size", HL_ZFS_SIZE, HL_ZFS_POOL },
	{ "allocated", NULL, "zpool.alloc", HL_ZFS_SIZE, HL_ZFS_POOL },
	{ "free", NULL, "zpool.free", HL_ZFS_SIZE, HL_ZFS_POOL },
	{ "fragmentation", NULL, "zpool.fragmentation_pct", HL_ZFS_NUMBER, HL_ZFS_POOL },
	{ "capacity", NULL, "zpool.capacity_pct", HL_ZFS_NUMBER, HL_ZFS_POOL },
	{ "dedupratio", NULL, "zpool.dedup_ratio", HL_ZFS_NUMBER, HL_ZFS_POOL },
	{ "health", NULL, "zpool.state", HL_ZFS_TEXT, HL_ZFS_POOL },
	{ "ashift", NULL, ASHIFT, HL_ZFS_NUMBER, HL_ZFS_POOL },
	{ "autotrim", NULL, "zpool.autotrim", HL_ZFS_TEXT, HL_ZFS_POOL },
};

#define NR_PROPERTIES (sizeof(properties) / sizeof(*properties))

const struct hl_zfs_property *hl_zfs_property_find(struct hl_word name)
{
	for (size_t i = 0; i < NR_PROPERTIES; i++) {
		if (hl_word_is(name, properties[i].name))
			return &properties[i];
	}
	return NULL;
}

const struct hl_zfs_property *hl_zfs_property_of_column(struct hl_word column)
{
	for (size_t i = 0; i < NR_PROPERTIES; i++) {
		if (properties[i].column && hl_word_is(column, properties[i].column))
			return &properties[i];
	}
	return NULL;
}

bool hl_zfs_property_is_name(struct hl_word word)
{
	if (!word.len || !islower((unsigned char)word.start[0]))
		return false;
	for (size_t i = 0; i < word.len; i++) {
		char c = word.start[i];

		if (!islower((unsigned char)c) && !isdigit((unsigned char)c) &&
		    (!c || !strchr("_:.-@", c)))
			return false;
	}
	return true;
}

char *hl_zfs_property_names(enum hl_zfs_sort sort)
{
	char *names = hl_strdup("");

	for (size_t i = 0; i < NR_PROPERTIES; i++) {
		char *longer;

		if (properties[i].sort != sort)
			continue;
		longer = hl_printf("%s%s%s", names, *names ? "," : "", properties[i].name);
		hl_free_pointer(&names);
		names = longer;
	}
	return names;
}

/* "tank/vol@snap", "tank/vol#mark", "raidz1-0" */
static bool is_other_thing(const char *node)
{
	const struct hl_word word = { node, strlen(node) };
	const char *const names[] = { "mirror-", "raidz", "draid", "root-0" };

	if (strpbrk(node, "@#"))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (hl_word_starts(word, names[i]))
			return strchr(node, '/') == NULL;
	}
	return false;
}

/* Which pool a dataset belongs to: the name up to the first slash. */
static void report_pool(const struct hl_zfs_property *property, const struct hl_origin *origin,
			struct hl_graph *graph)
{
	const char *slash = strchr(origin->node, '/');
	bool is_volume = !strcmp(property->name, "volblocksize");

	if (slash)
		hl_graph_add_string(graph, origin, is_volume ? "zvol.pool" : "zfs.pool",
				    hl_arena_strndup(graph->arena, origin->node,
						     (size_t)(slash - origin->node)));
}

void hl_zfs_property_report(const struct hl_zfs_property *property, struct hl_word value,
			    const struct hl_origin *origin, struct hl_graph *graph)
{
	double number;

	if (!origin->node || is_other_thing(origin->node) || hl_word_is(value, "-"))
		return;
	if (property->kind == HL_ZFS_TEXT) {
		hl_graph_add_string(graph, origin, property->key, hl_word_keep(graph, value));
		return;
	}
	number = property->kind == HL_ZFS_SIZE ? hl_word_size(value) : hl_word_number(value);
	if (isnan(number) || (!strcmp(property->key, ASHIFT) && !(number > 0)))
		return;
	hl_graph_add_number(graph, origin, property->key, number);
	if (!strcmp(property->name, "volblocksize") || !strcmp(property->name, "recordsize"))
		report_pool(property, origin, graph);
}
