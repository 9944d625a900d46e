/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading lines with a deadline: see lines.h.
 */
#include "lines.h"
#include "hoploss/alloc.h"
#include "hoploss/engine.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_SIZE 65536

static char *take_line(struct lines *lines)
{
	char *start = lines->bytes + lines->used;
	char *end = lines->len > lines->used ? memchr(start, '\n', lines->len - lines->used) : NULL;

	if (!end)
		return NULL;
	*end = '\0';
	lines->used += (size_t)(end - start) + 1;
	return start;
}

static void make_room(struct lines *lines)
{
	lines->len -= lines->used;
	if (lines->used && lines->len)
		memmove(lines->bytes, lines->bytes + lines->used, lines->len);
	lines->used = 0;
	if (lines->room - lines->len >= READ_SIZE)
		return;
	lines->room = lines->len + 2 * READ_SIZE;
	lines->bytes = hl_grow(lines->bytes, lines->room, 1);
}

/* 1: bytes can be read; 0: not by the deadline. */
static int wait_readable(int fd, uint64_t deadline_ns)
{
	for (;;) {
		struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
		uint64_t now = hl_clock_ns();
		uint64_t left_ms = deadline_ns > now ? (deadline_ns - now) / 1000000 + 1 : 0;
		int nr = poll(&poll_fd, 1, left_ms > 60000 ? 60000 : (int)left_ms);

		if (nr > 0)
			return 1;
		if (nr < 0 && errno != EINTR)
			return -errno;
		if (hl_clock_ns() >= deadline_ns)
			return 0;
	}
}

int lines_next(struct lines *lines, uint64_t deadline_ns, char **ret_line)
{
	char *line;

	while (!(line = take_line(lines))) {
		ssize_t nr;
		int rc = wait_readable(lines->fd, deadline_ns);

		if (rc <= 0)
			return rc < 0 ? rc : deadline_ns ? -ETIMEDOUT : -EAGAIN;
		make_room(lines);
		if (lines->len > HL_LINE_MAX)
			return -EMSGSIZE;
		nr = read(lines->fd, lines->bytes + lines->len, READ_SIZE);
		if (nr < 0 && errno == EINTR)
			continue;
		if (nr <= 0)
			return -EPIPE;
		lines->len += (size_t)nr;
	}
	*ret_line = line;
	return 0;
}

void lines_clear(struct lines *lines)
{
	free(lines->bytes);
	*lines = (struct lines){ .fd = -1 };
}
