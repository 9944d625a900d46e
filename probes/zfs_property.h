/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Properties of pools and datasets (zpoolprops(7), zfsprops(7)) and the facts they become: an
 * allow-list, which is also what is asked for on a live machine.
 */
#ifndef PROBES_ZFS_PROPERTY_H
#define PROBES_ZFS_PROPERTY_H

#include "zfs_text.h"

enum hl_zfs_sort {
	HL_ZFS_DATASET,
	HL_ZFS_DATASET_NEW, /* not known before OpenZFS 2.2: asking for one fails there */
	HL_ZFS_POOL,
};

struct hl_zfs_property {
	const char *name;   /* "volblocksize" */
	const char *column; /* as zfs list heads it: "VOLBLOCK" */
	const char *key;    /* of the fact */
	enum { HL_ZFS_TEXT, HL_ZFS_SIZE, HL_ZFS_NUMBER } kind;
	enum hl_zfs_sort sort;
};

/* NULL = none that becomes a fact. */
const struct hl_zfs_property *hl_zfs_property_find(struct hl_word name);
const struct hl_zfs_property *hl_zfs_property_of_column(struct hl_word column);
/* Is it a word that names a property at all? "com.example:tag" is one too. */
bool hl_zfs_property_is_name(struct hl_word word);
/* All names of that sort with commas between, to be freed. */
char *hl_zfs_property_names(enum hl_zfs_sort sort);
/* Adds the fact; a snapshot, bookmark or vdev as node, or an unknown value, adds none. */
void hl_zfs_property_report(const struct hl_zfs_property *property, struct hl_word value,
			    const struct hl_origin *origin, struct hl_graph *graph);

#endif
