/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much memory this process may take where its control groups limit it, as in a pod: what a
 * benchmark takes too much there gets the pod's own program killed.
 *
 * Source: memory.max, memory.current and inactive_file of memory.stat, cgroup-v2.rst, or version
 * 1's memory.limit_in_bytes, memory.usage_in_bytes and total_inactive_file.
 */
#ifndef HOPLOSS_MEMORY_ROOM_H
#define HOPLOSS_MEMORY_ROOM_H

#include "hoploss/machine.h"

/* Bytes: the least of 64 MiB and 10 % of what any limit leaves; NAN = no limit. */
double hl_memory_room(struct hl_machine *machine);

#endif
