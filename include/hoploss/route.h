/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where packets to an address leave a machine, and what shapes them there: rtnetlink by libnl.
 *
 * Source: rtnetlink(7); the kernel's answer to a route look-up, not a configuration.
 */
#ifndef HOPLOSS_ROUTE_H
#define HOPLOSS_ROUTE_H

#include "hoploss/error.h"
#include <stdbool.h>

struct hl_route {
	char device[16];   /* "veth0" */
	char source[64];   /* numeric address that packets will carry */
	bool is_local;     /* the address is this machine's own: no wire */
	double mtu;        /* bytes; NAN = unknown */
	char qdisc[16];    /* kind of the root qdisc: "tbf"; "" = none */
	double qdisc_rate; /* bytes/s that it lets through; NAN = no limit known */
};

/* address is numeric. -EINVAL, -ENETUNREACH … */
int hl_route_find(const char *address, struct hl_route *ret_route, struct hl_error *err);

#endif
