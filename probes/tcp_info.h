/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel's struct tcp_info as bytes, decoded. Pure.
 */
#ifndef HOPLOSS_PROBES_TCP_INFO_H
#define HOPLOSS_PROBES_TCP_INFO_H

#include <stddef.h>

struct tcp_counters { /* since the connection began; NAN: this kernel does not say */
	double rtt_us, retransmits, delivery_rate; /* bytes/s */
	double busy_us, rwnd_us, sndbuf_us;        /* sending, and what held it up */
	double segments;                           /* with data, sent */
	double cwnd_bytes;                         /* what may be under way */
	double mss;                                /* bytes of a segment that it sends */
	double window_scale;                       /* of the window that the other end offers */
	double pacing_rate;                        /* bytes/s; NAN: not paced, too */
};

struct tcp_counters tcp_info_decode(const void *bytes, size_t len);

#endif
