/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that hoploss makes to be measured: full of data that does not compress, with a mark in the
 * first MiB and the mark's UUID in HL_MARK_XATTR, so that the gate lets runs write behind it.
 *
 * A journal in /var/lib/hoploss names the file while it is being made, so that "hoploss clean"
 * can remove what a killed run left.
 */
#ifndef HOPLOSS_LAYOUT_H
#define HOPLOSS_LAYOUT_H

#include "hoploss/error.h"
#include "hoploss/mark.h"

/*
 * May a file of so many bytes be made there? -EEXIST: there is one; -ENOSPC: less than 10 % of the
 * file system, or 20 % of the ZFS pool under it, would stay free; -EINVAL: too small for a mark.
 * Writes nothing.
 */
int hl_layout_check(const char *path, double size, struct hl_error *err);
/* Makes it; what cannot be finished is removed. -EOPNOTSUPP: no user xattrs there. */
int hl_layout_make(const char *path, double size, struct hl_mark *ret_mark, struct hl_error *err);

typedef void hl_layout_removed(void *context, const char *what, const char *name);
/* Removes files of killed processes that still carry the UUID of their journal. */
int hl_layout_clean(hl_layout_removed *removed, void *context, struct hl_error *err);

#endif
