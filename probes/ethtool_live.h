/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel says of a NIC by its ethtool interfaces, in ethtool's own words. Live only.
 */
#ifndef PROBES_ETHTOOL_LIVE_H
#define PROBES_ETHTOOL_LIVE_H

#include "hoploss/error.h"
#include <stdio.h>

struct ethtool_live;

/* -EOPNOTSUPP: a kernel before 5.6. Close with ethtool_live_close. */
int ethtool_live_open(struct ethtool_live **ret_live, struct hl_error *err);
void ethtool_live_close(struct ethtool_live *live); /* NULL allowed */

/* Prints as ethtool NIC and its options -g, -l, -c, -a and -k do; what is not there is left out. */
void ethtool_live_print(struct ethtool_live *live, const char *nic, FILE *file);

/*
 * Prints as ethtool -i and -S do, by the older interface, the only one that has these; fd is any
 * socket. Of the driver's own counters only those of drops, errors and pauses.
 */
void ethtool_driver_print(int fd, const char *nic, FILE *file);
void ethtool_statistics_print(int fd, const char *nic, FILE *file);

/* A socket of live, for the two above. */
int ethtool_live_fd(const struct ethtool_live *live);

#endif
