/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of CPUs and of NUMA nodes, as the kernel and hypervisors write them: "0-3,8", and libvirt's
 * "0-7,^2".
 *
 * Source: cpuset(7), "List format"; libvirt's domain format, attribute cpuset.
 */
#ifndef HOPLOSS_CPULIST_H
#define HOPLOSS_CPULIST_H

#include <stdbool.h>

#define HL_CPULIST_MAX 4096

struct hl_cpulist {
	unsigned char is_in[HL_CPULIST_MAX / 8];
	unsigned nr;
};

/* -EINVAL: no such list, or one of none; ret untouched. */
int hl_cpulist_read(const char *text, struct hl_cpulist *ret_list);
bool hl_cpulist_has(const struct hl_cpulist *list, unsigned cpu);
bool hl_cpulist_meets(const struct hl_cpulist *a, const struct hl_cpulist *b); /* one in both */

#endif
