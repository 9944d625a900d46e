/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that the kernel gives disks and their partitions (Documentation/admin-guide/devices.txt).
 */
#ifndef HOPLOSS_DISK_NAME_H
#define HOPLOSS_DISK_NAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * "sda1" and "nvme0n1p1" without the partition: "sda", "nvme0n1". False where there is none in the
 * name, as in "md1" or "zd16".
 */
bool hl_disk_name_cut(const char *device, char *ret_disk, size_t size);

#endif
