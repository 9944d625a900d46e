/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who holds a block device or a file on this machine: mounts in all namespaces, swap, partitions,
 * devices stacked on it, loop devices, exports, processes that have it open or mapped, and what
 * is configured to use it later (fstab, crypttab, virtual machines).
 *
 * Sources: /proc/PID/mountinfo, /proc/swaps, /sys/dev/block, LOOP_GET_STATUS64, configfs of LIO and
 * nvmet, sysfs of SCST, /proc/PID/fd and map_files.
 */
#ifndef HOPLOSS_HOLDER_H
#define HOPLOSS_HOLDER_H

#include "hoploss/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/*
 * status is fstat(2) of the target; what this process itself has open does not count. 1: somebody
 * holds it, and ret_who says who ("it is mounted on /srv"); 0: nobody does; -EPERM: not root, so it
 * cannot be told; -EXDEV: a container, which does not see all processes of its machine.
 */
int hl_holder_find(const struct stat *status, char *ret_who, size_t size, struct hl_error *err);

/* ---- for the files that look ---- */

struct hl_machine;

struct hl_holder_look {
	struct hl_machine *machine;
	struct stat target;
	struct stat backing; /* of a loop device: the file under it; st_nlink 0 = none */
	char *who;
	size_t size;
};

/* Does that path lead to the target, or to the file under it? */
bool hl_holder_leads_to_target(const struct hl_holder_look *look, const char *path);

/* Each: 1 = found and told, 0 = not. */
int hl_holder_in_kernel(struct hl_holder_look *look);
int hl_holder_in_exports(struct hl_holder_look *look);
int hl_holder_in_processes(struct hl_holder_look *look);

#endif
