/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameters of the ZFS kernel modules (zfs(4)) that bear on speed: an allow-list.
 */
#ifndef PROBES_ZFS_MODULE_H
#define PROBES_ZFS_MODULE_H

#include "zfs_text.h"

#define HL_ZFS_MODULE_NODE "zfs"

struct hl_zfs_parameter {
	const char *name; /* "zvol_threads" */
	const char *key;  /* "zfs_module.zvol_threads" */
};

extern const struct hl_zfs_parameter hl_zfs_parameters[]; /* ends with a NULL name */

const struct hl_zfs_parameter *hl_zfs_parameter_find(struct hl_word name); /* or NULL */

#endif
