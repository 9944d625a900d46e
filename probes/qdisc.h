/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What shapes the packets that leave a device: its root queueing discipline, by libnl. Live only.
 */
#ifndef PROBES_QDISC_H
#define PROBES_QDISC_H

#include "hoploss/error.h"
#include <stddef.h>

struct qdisc {
	char kind[16]; /* "tbf"; "" = none */
	double rate;   /* bytes/s that it lets through; NAN = no limit known */
};

void qdisc_find(int ifindex, struct qdisc *ret_qdisc);

/* The roots of all devices, as "tc qdisc show" prints them; to be freed. */
int qdisc_text(char **ret_text, size_t *ret_len, struct hl_error *err);

#endif
