/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The links of this network namespace, asked of the kernel: rtnetlink(7) by libnl. Live only.
 */
#ifndef PROBES_LINKS_H
#define PROBES_LINKS_H

#include "hoploss/error.h"
#include <stddef.h>

/* All of them with their VFs and counters, as "ip -d -s -j link" prints them; to be freed. */
int hl_links_json(char **ret_json, size_t *ret_len, struct hl_error *err);

/* Name (16 bytes) and MTU of one. -ENODEV. */
int hl_links_find(int ifindex, char *ret_name, double *ret_mtu, struct hl_error *err);

#endif
