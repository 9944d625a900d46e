/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What lives on a device or an image of one: partition tables, file systems, swap, RAID, LVM, LUKS,
 * ZFS, bcache and what else libblkid knows, behind src/signature.c, the only file that includes it.
 */
#ifndef HOPLOSS_SIGNATURE_H
#define HOPLOSS_SIGNATURE_H

#include "hoploss/error.h"
#include <stddef.h>

/*
 * 1: there is one, its name ("gpt", "LVM2_member"), and its label if it has one (zfs_member
 * "tank"), into ret_name; 0: there is none. Reads only. -EIO …: it cannot be told.
 */
int hl_signature_find(int fd, char *ret_name, size_t size, struct hl_error *err);

#endif
