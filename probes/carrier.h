/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does a process carry the I/O of a slot, or only run on the same machine? Live only.
 */
#ifndef PROBES_CARRIER_H
#define PROBES_CARRIER_H

#include "hoploss/machine.h"
#include "hoploss/meter.h"
#include <stdbool.h>
#include <stdint.h>

/*
 * True: it owns the socket of the portal, serves the file system behind a loop device, is a kernel
 * thread of a target, a RAID or a volume, is the virtual machine that the portal's MAC belongs to
 * or its vhost, or is this program. False: it does not, or that cannot be seen.
 */
bool carrier_is(struct hl_machine *machine, const struct hl_meter_target *target, uint64_t pid);

#endif
