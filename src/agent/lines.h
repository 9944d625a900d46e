/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of bounded length from a descriptor, with a deadline: both ends of the line to a worker.
 */
#ifndef HOPLOSS_AGENT_LINES_H
#define HOPLOSS_AGENT_LINES_H

#include "hoploss/error.h"
#include <stddef.h>
#include <stdint.h>

#define HL_LINE_MAX (8u << 20) /* a longer one is garbage */

struct lines {
	int fd;
	char *bytes;
	size_t len, used; /* filled, and handed out */
	size_t room;
};

/*
 * The next line without its newline, NUL-terminated, valid until the next call. deadline_ns is of
 * CLOCK_MONOTONIC; 0 = do not wait. -EAGAIN / -ETIMEDOUT: none by then; -EPIPE: the end;
 * -EMSGSIZE: longer than HL_LINE_MAX.
 */
int lines_next(struct lines *lines, uint64_t deadline_ns, char **ret_line);
void lines_clear(struct lines *lines);

#endif
