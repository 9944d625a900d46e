/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the causes about ZFS have in common: which data set a hop stands on, its pool, and how many
 * bytes a block of it takes on the disks.
 */
#ifndef CAUSES_ZFS_SAID_H
#define CAUSES_ZFS_SAID_H

#include "hoploss/trial.h"

struct zfs_said {
	const struct hl_graph *graph;
	const struct hl_fact *block; /* its volblocksize or recordsize; never NULL */
	bool is_placed;              /* the hop stands on it; else it is the only one there is */
	double block_bytes;
	double sector;     /* of the pool's disks: 2^ashift, or 4096 where that is not known */
	double parity;     /* 0 for mirrors and single disks, NAN = not known */
	double copies;     /* of a mirror, else 1 */
	double data_disks; /* of a vdev */
};

/*
 * The data set that hop stands on, or, where nothing says what a hop stands on, the only one that
 * the facts know. False: none, or several.
 */
bool zfs_said_of_hop(const struct hl_graph *graph, const struct hl_hop *hop,
		     struct zfs_said *ret_said);
/* The same of a fact zfs.volblocksize or zfs.recordsize. */
bool zfs_said_of_fact(const struct hl_graph *graph, const struct hl_fact *block,
		      struct zfs_said *ret_said);

/* No hop before it that measured the same stands on that data set, too: it begins here. */
bool zfs_said_begins(const struct zfs_said *said, const struct hl_trial *trial);

/* A fact of the data set, of its pool, or of its machine's ARC; NULL. */
const struct hl_fact *zfs_said_fact(const struct zfs_said *said, const char *key);
const struct hl_fact *zfs_said_pool(const struct zfs_said *said, const char *key);
const struct hl_fact *zfs_said_arc(const struct zfs_said *said, const char *key);
/* Is a text property that value? false when it is not known. */
bool zfs_said_is(const struct zfs_said *said, const char *key, const char *value);
double zfs_said_number(const struct hl_fact *fact); /* NAN */

/*
 * Is that fact block.is_rotational of a disk that turns? A virtual disk says so, too, whatever is
 * below it.
 */
bool zfs_said_turns(const struct hl_graph *graph, const struct hl_fact *fact);

/* Bytes written to all disks for one block of that size: with copies, parity and padding. */
double zfs_said_stored(const struct zfs_said *said, double block);
/* Adds the facts of the data set and of its pool with those keys; both lists end with NULL. */
void zfs_said_evidence(struct hl_graph *graph, struct hl_finding *finding,
		       const struct zfs_said *said, const char *const *keys,
		       const char *const *pool_keys);
/* What a hop before it can give bounds what mending gives. */
double zfs_said_bounded(const struct hl_trial *trial, double bw);

#endif
