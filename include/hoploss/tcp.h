/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Raw TCP between two hosts of the path: what the network alone carries, without iSCSI. One end
 * serves for a bounded time and only whom shows the one-time token; the other is an engine.
 */
#ifndef HOPLOSS_TCP_H
#define HOPLOSS_TCP_H

#include "hoploss/error.h"
#include <stdint.h>

#define HL_TCP_TOKEN_LEN 32

struct hl_tcp_peer {
	char address[64]; /* numeric, IPv4 or IPv6 */
	uint16_t port;
	char token[HL_TCP_TOKEN_LEN + 1]; /* hex */
};

struct hl_tcp_server;

/*
 * Listens on address (numeric) at a port that the kernel chooses, makes a token, and serves up to
 * nr_streams connections in a child process for at most `seconds`. ret_peer is what the other end
 * needs. -EADDRNOTAVAIL …
 */
int hl_tcp_serve(const char *address, unsigned nr_streams, double seconds,
		 struct hl_tcp_server **ret_server, struct hl_tcp_peer *ret_peer,
		 struct hl_error *err);
void hl_tcp_stop(struct hl_tcp_server *server); /* NULL allowed */

#endif
