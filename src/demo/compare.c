/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is it the same medium at every hop? Each is read from end to end once, in a child that enters the
 * hop's network namespace and has a deadline, and its checksum is held against that of the file in
 * RAM. The sum does not depend on the order in which blocks come back.
 */
#include "compare.h"
#include "hoploss/alloc.h"
#include "hoploss/engine.h"
#include "hoploss/iscsi.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCK      (256u << 10)
#define DEPTH      8
#define TIMEOUT_MS 60000
#define MULTIPLIER 0x9e3779b97f4a7c15u

struct outcome {
	int rc;
	struct hl_error err;
	uint64_t sum;
};

static uint64_t sum_of_block(const void *block, uint64_t offset)
{
	const uint64_t *words = block;
	uint64_t sum = offset + 1;

	for (size_t i = 0; i < BLOCK / sizeof(*words); i++) {
		sum = (sum ^ words[i]) * MULTIPLIER;
		sum ^= sum >> 29;
	}
	return sum;
}

/* ---- reading ---- */

static int sum_file(const char *path, uint64_t *ret_sum, struct hl_error *err)
{
	HL_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	HL_FREE char *block = hl_alloc(BLOCK);

	if (fd < 0)
		return hl_fail(err, errno, "%s: %s", path, strerror(errno));
	for (uint64_t offset = 0; offset < DEMO_DISK_SIZE; offset += BLOCK) {
		ssize_t nr = pread(fd, block, BLOCK, (off_t)offset);

		if (nr != BLOCK)
			return hl_fail(err, nr < 0 ? errno : ENODATA, "%s: reading at %llu: %s",
				       path, (unsigned long long)offset,
				       nr < 0 ? strerror(errno) : "short");
		*ret_sum += sum_of_block(block, offset);
	}
	return 0;
}

struct lun {
	char *blocks;
	uint64_t offsets[DEPTH], sum;
	unsigned idle[DEPTH], nr_idle;
	int rc;
};

static void take_block(void *context, unsigned tag, int rc)
{
	struct lun *lun = context;

	if (rc < 0)
		lun->rc = rc;
	else
		lun->sum += sum_of_block(lun->blocks + (size_t)tag * BLOCK, lun->offsets[tag]);
	lun->idle[lun->nr_idle++] = tag;
}

static int read_lun(struct hl_iscsi *session, struct lun *lun, struct hl_error *err)
{
	int rc = 0;

	for (uint64_t offset = 0; rc == 0 && (offset < DEMO_DISK_SIZE || lun->nr_idle < DEPTH);) {
		while (rc == 0 && lun->nr_idle && offset < DEMO_DISK_SIZE) {
			unsigned tag = lun->idle[--lun->nr_idle];

			lun->offsets[tag] = offset;
			rc = hl_iscsi_read(session, tag, offset, lun->blocks + (size_t)tag * BLOCK,
					   BLOCK, err);
			offset += BLOCK;
		}
		if (rc == 0)
			rc = hl_iscsi_poll(session, 1000, err);
		if (rc == 0 && lun->rc < 0)
			rc = hl_fail(err, -lun->rc, "reading the LUN: %s", strerror(-lun->rc));
	}
	return rc;
}

static int sum_lun(const char *url, uint64_t *ret_sum, struct hl_error *err)
{
	const struct hl_iscsi_login login = { .url = url, .timeout_s = TIMEOUT_MS / 1000 };
	HL_FREE char *blocks = hl_alloc((size_t)DEPTH * BLOCK);
	struct lun lun = { .blocks = blocks, .nr_idle = DEPTH };
	struct hl_iscsi *session;
	int rc = hl_iscsi_open(&login, &session, err);

	if (rc < 0)
		return rc;
	for (unsigned i = 0; i < DEPTH; i++)
		lun.idle[i] = i;
	hl_iscsi_on_done(session, take_block, &lun);
	if (hl_iscsi_size(session) != DEMO_DISK_SIZE)
		rc = hl_fail(err, EBADMSG, "the LUN has %llu bytes",
			     (unsigned long long)hl_iscsi_size(session));
	if (rc == 0)
		rc = read_lun(session, &lun, err);
	hl_iscsi_close(session);
	*ret_sum = lun.sum;
	return rc;
}

/* ---- in a child, with a deadline ---- */

static int enter(const char *ns, struct hl_error *err)
{
	HL_CLOSE int fd = ns ? open(ns, O_RDONLY | O_CLOEXEC) : -1;

	if (ns && (fd < 0 || setns(fd, CLONE_NEWNET) < 0))
		return hl_fail(err, errno, "%s: %s", ns, strerror(errno));
	return 0;
}

static void sum_in_child(const struct view *view, int to)
{
	struct outcome outcome = { 0 };

	outcome.rc = enter(view->ns, &outcome.err);
	if (outcome.rc == 0 && !strncmp(view->target, "iscsi://", 8))
		outcome.rc = sum_lun(view->target, &outcome.sum, &outcome.err);
	else if (outcome.rc == 0)
		outcome.rc = sum_file(view->target, &outcome.sum, &outcome.err);
	_exit(write(to, &outcome, sizeof(outcome)) == sizeof(outcome) ? 0 : 1);
}

/* What sleeps in the kernel is left behind: the end of the demo wakes it. */
static int collect(const struct view *view, pid_t pid, int from, struct outcome *ret_outcome,
		   struct hl_error *err)
{
	struct pollfd poll_fd = { .fd = from, .events = POLLIN };
	int nr;

	do
		nr = poll(&poll_fd, 1, TIMEOUT_MS);
	while (nr < 0 && errno == EINTR);
	if (nr == 0) {
		kill(pid, SIGKILL);
		return hl_fail(err, ETIMEDOUT, "hop %s: not read after %d s", view->hop,
			       TIMEOUT_MS / 1000);
	}
	nr = (int)read(from, ret_outcome, sizeof(*ret_outcome));
	waitpid(pid, NULL, 0);
	if (nr != sizeof(*ret_outcome))
		return hl_fail(err, EIO, "hop %s: the child that read it died", view->hop);
	if (ret_outcome->rc < 0)
		return hl_fail(err, ret_outcome->err.code, "hop %s: %s", view->hop,
			       ret_outcome->err.text);
	return 0;
}

static int sum_view(const struct view *view, uint64_t *ret_sum, struct hl_error *err)
{
	struct outcome outcome = { 0 };
	int ends[2], rc;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return hl_fail(err, errno, "pipe: %s", strerror(errno));
	pid = fork();
	if (pid == 0)
		sum_in_child(view, ends[1]);
	close(ends[1]);
	rc = pid < 0 ? hl_fail(err, errno, "fork: %s", strerror(errno))
		     : collect(view, pid, ends[0], &outcome, err);
	close(ends[0]);
	if (rc == 0)
		*ret_sum = outcome.sum;
	return rc;
}

int compare_views(const struct view *views, size_t nr, struct hl_error *err)
{
	uint64_t first = 0;

	for (size_t i = 0; i < nr; i++) {
		uint64_t sum = 0;
		int rc = sum_view(&views[i], &sum, err);

		if (rc < 0)
			return rc;
		if (i == 0)
			first = sum;
		else if (sum != first)
			return hl_fail(err, EBADMSG, "hop %s gives other bytes than hop %s",
				       views[i].hop, views[0].hop);
	}
	return 0;
}
