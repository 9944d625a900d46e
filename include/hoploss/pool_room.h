/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How full the ZFS pool under a file system is: a pool that is nearly full gets slow for all that
 * is on it, and a dataset alone does not show it.
 *
 * Source: /proc/self/mountinfo, proc(5); zfs-list(8): used and available of the pool's root
 * dataset.
 */
#ifndef HOPLOSS_POOL_ROOM_H
#define HOPLOSS_POOL_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct hl_pool_room { /* bytes */
	double used, available;
};

/* The pool of the ZFS dataset that is mounted as that device; false = it is none. */
bool hl_pool_of_mount(const char *mountinfo, dev_t device, char *ret_pool, size_t size);
/* -EBADMSG: text is not what "zfs list -Hp -o used,avail POOL" prints. */
int hl_pool_room_read(const char *text, struct hl_pool_room *ret_room);

#endif
