/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scrubbing: what names a person's machines is replaced on its way into a bundle, so that the
 * bundle itself can be given away. (A report of a whole bundle is anonymised by
 * hoploss/anonymize.h.)
 *
 * What is replaced: serial numbers and world-wide names (files of sysfs, keys of JSON and of text,
 * names in /dev/disk/by-id), UUIDs, MAC and IP addresses, iSCSI and NVMe names, mail addresses and
 * domains, names of hosts and VMs, and the Device Serial Number of PCI config spaces. The same
 * thing gets the same stand-in all through one bundle, drawn at random: of the same length and
 * kinds of characters where it is a number, so that columns and lengths stay; addresses of one /24
 * stay in one. Pools, data sets, volume groups, storages and directories are "vol1", "vol2", …,
 * part by part of a path, so that what lay in something still does. Names of interfaces and
 * devices stay, and words that anybody has.
 *
 * First all is learned from, then all is applied to: a name may stand before what tells of it.
 */
#ifndef HOPLOSS_SCRUB_H
#define HOPLOSS_SCRUB_H

#include "hoploss/record.h"
#include <stdbool.h>

struct hl_scrub;

struct hl_scrub *hl_scrub_new(void);
void hl_scrub_free(struct hl_scrub *scrub); /* NULL allowed */

/* What in a record names something. */
void hl_scrub_learn(struct hl_scrub *scrub, const struct hl_record *record);
/* A serial number or the like; too short and too common ones (no digit, "0000") are none. */
void hl_scrub_learn_serial(struct hl_scrub *scrub, const char *serial, size_t len);
/* A host's or a VM's name: replaced as a word, and, if it is no common one, within others. */
void hl_scrub_learn_name(struct hl_scrub *scrub, const char *name);
/* A word that is never taken for a name: of a hop, for it stays what it is called. */
void hl_scrub_keep_name(struct hl_scrub *scrub, const char *name);

/* The text without them, NUL-terminated, to be freed. */
char *hl_scrub_apply(struct hl_scrub *scrub, const char *text, size_t len, size_t *ret_len);
char *hl_scrub_text(struct hl_scrub *scrub, const char *text); /* likewise; NULL gives NULL */
/* Its stand-in, to be freed; the same text, if that is no known name. */
char *hl_scrub_name(struct hl_scrub *scrub, const char *name);

/* Everything in a record; strings of the copy are freed with hl_scrub_record_clear. */
void hl_scrub_record(struct hl_scrub *scrub, const struct hl_record *record,
		     struct hl_record *ret_copy);
void hl_scrub_record_clear(struct hl_record *copy);

#endif
