/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a session with the LUN in RAM. Nobody reads its answers: what does not fit into the
 * socket ends the session.
 */
#include "../../src/engine/ram_session.h"
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct timeval at_once = { .tv_usec = 1 };
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) < 0)
		abort();
	setsockopt(fds[0], SOL_SOCKET, SO_SNDTIMEO, &at_once, sizeof(at_once));
	setsockopt(fds[1], SOL_SOCKET, SO_SNDTIMEO, &at_once, sizeof(at_once));
	if (write(fds[1], data, size) >= 0)
		shutdown(fds[1], SHUT_WR);
	ram_session_serve(fds[0], "iqn.2026-11.net.hoploss:ram-0123456789abcdef01234567");
	close(fds[0]);
	close(fds[1]);
	return 0;
}
