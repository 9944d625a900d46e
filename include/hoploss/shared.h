/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Can another machine, or another path of this one, reach a block device? Then nothing on this
 * machine can prove that nobody uses it.
 *
 * Sources: /sys/dev/block (its place among the devices, transport of an NVMe controller,
 * controllers of an NVMe subsystem, dm/uuid), wwids of the other disks; by ioctl NVM Express
 * Base 2.0, 5.17.2.1 (NMIC) and 7.4 (Reservation Report), SPC-4 6.15 (PERSISTENT RESERVE IN).
 */
#ifndef HOPLOSS_SHARED_H
#define HOPLOSS_SHARED_H

#include "hoploss/machine.h"
#include <stdbool.h>
#include <sys/types.h>

/*
 * fd is open on that device; -1 = it is not asked. True: ret_how says how ("it is an iSCSI disk").
 * Only asks; false is no proof, for not every device tells.
 */
bool hl_shared_find(struct hl_machine *machine, dev_t device, int fd, char *ret_how, size_t size);

/* ---- for the file that looks in sysfs ---- */

/* What the drive itself answers. */
bool hl_shared_ask(int fd, char *ret_how, size_t size);

#endif
