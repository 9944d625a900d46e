/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a LUN holds: see lun.h. libblkid wants a file: it is given one in memory of the LUN's size
 * that has the LUN's first and last MiB and holes between.
 */
#include "lun.h"
#include "hoploss/alloc.h"
#include "hoploss/digest.h"
#include "hoploss/give_away.h"
#include "hoploss/signature.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PIECE      65536u
#define PAGE       4096u
#define POLL_MS    100
#define NR_SAMPLES 1024

struct transfer {
	bool is_done;
	int rc;
};

static void done(void *context, unsigned tag, int rc)
{
	struct transfer *transfer = context;

	(void)tag;
	transfer->is_done = true;
	transfer->rc = rc;
}

static int finish(struct hl_iscsi *session, struct transfer *transfer, const char *doing,
		  struct hl_error *err)
{
	int rc = 0;

	while (rc == 0 && !transfer->is_done)
		rc = hl_iscsi_poll(session, POLL_MS, err);
	if (rc == 0 && transfer->rc < 0)
		return hl_fail(err, -transfer->rc, "%s the LUN: %s", doing,
			       strerror(-transfer->rc));
	return rc;
}

int lun_read(struct hl_iscsi *session, uint64_t offset, char *bytes, size_t len,
	     struct hl_error *err)
{
	int rc = 0;

	for (size_t at = 0; rc == 0 && at < len; at += PIECE) {
		struct transfer transfer = { 0 };

		hl_iscsi_on_done(session, done, &transfer);
		rc = hl_iscsi_read(session, 0, offset + at, bytes + at,
				   len - at < PIECE ? len - at : PIECE, err);
		if (rc == 0)
			rc = finish(session, &transfer, "reading", err);
	}
	return rc;
}

int lun_write(struct hl_iscsi *session, uint64_t offset, char *bytes, size_t len,
	      struct hl_error *err)
{
	struct transfer flush = { 0 };
	int rc = 0;

	for (size_t at = 0; rc == 0 && at < len; at += PIECE) {
		struct transfer transfer = { 0 };

		hl_iscsi_on_done(session, done, &transfer);
		rc = hl_iscsi_write(session, 0, offset + at, bytes + at,
				    len - at < PIECE ? len - at : PIECE, err);
		if (rc == 0)
			rc = finish(session, &transfer, "writing", err);
	}
	hl_iscsi_on_done(session, done, &flush);
	if (rc == 0)
		rc = hl_iscsi_flush(session, 0, err);
	return rc == 0 ? finish(session, &flush, "flushing", err) : rc;
}

static uint64_t last_mib(const struct hl_iscsi *session)
{
	return (hl_iscsi_size(session) - HL_MARK_AREA) / PAGE * PAGE;
}

static int check_size(const struct hl_iscsi *session, const char *url, struct hl_error *err)
{
	if (hl_iscsi_size(session) >= HL_MARK_LEAST)
		return 0;
	return hl_fail(err, EINVAL, "%s is smaller than %u MiB", url, HL_MARK_LEAST >> 20);
}

static int copy_end(struct hl_iscsi *session, uint64_t offset, int fd, struct hl_error *err)
{
	uint64_t left = hl_iscsi_size(session) - offset;
	size_t len = left < HL_MARK_AREA + PAGE ? (size_t)left : HL_MARK_AREA;
	HL_FREE char *bytes = hl_alloc(HL_MARK_AREA + PAGE);
	int rc = lun_read(session, offset, bytes, len, err);

	if (rc == 0 && pwrite(fd, bytes, len, (off_t)offset) != (ssize_t)len)
		rc = hl_fail(err, errno, "copying an end of the LUN: %s", strerror(errno));
	return rc;
}

int lun_check_signature(struct hl_iscsi *session, const char *url, struct hl_error *err)
{
	HL_CLOSE int fd = memfd_create("lun", MFD_CLOEXEC);
	char name[64];
	int rc = check_size(session, url, err);

	if (rc == 0 && (fd < 0 || ftruncate(fd, (off_t)hl_iscsi_size(session)) < 0))
		rc = hl_fail(err, errno, "a file in memory: %s", strerror(errno));
	if (rc == 0)
		rc = copy_end(session, 0, fd, err);
	if (rc == 0)
		rc = copy_end(session, last_mib(session), fd, err);
	if (rc == 0)
		rc = hl_signature_find(fd, name, sizeof(name), err);
	if (rc <= 0)
		return rc;
	return hl_fail(err, EEXIST, "%s holds data, nothing is written: libblkid says %s", url,
		       name);
}

static int check_zeros(struct hl_iscsi *session, uint64_t offset, char *bytes, size_t len,
		       const char *url, struct hl_error *err)
{
	int rc = lun_read(session, offset, bytes, len, err);

	if (rc < 0 || hl_digest_is_zero(bytes, len))
		return rc;
	return hl_fail(err, ENOTEMPTY,
		       "%s holds data, nothing is written: bytes %llu to %llu are not all zeros",
		       url, (unsigned long long)offset, (unsigned long long)offset + len);
}

int lun_check_empty(struct hl_iscsi *session, const char *url, struct hl_error *err)
{
	HL_FREE char *bytes = hl_alloc(HL_MARK_AREA);
	uint64_t last = last_mib(session);
	int rc = check_size(session, url, err);

	if (rc == 0)
		rc = check_zeros(session, 0, bytes, HL_MARK_AREA, url, err);
	if (rc == 0)
		rc = check_zeros(session, last, bytes, HL_MARK_AREA, url, err);
	for (uint64_t i = 0; rc == 0 && i < NR_SAMPLES; i++)
		rc = check_zeros(session, last / NR_SAMPLES * i / PAGE * PAGE, bytes, PAGE, url,
				 err);
	return rc;
}

int hl_lun_read_mark(struct hl_iscsi *session, const char *url, struct hl_mark *ret_mark,
		     struct hl_error *err)
{
	HL_FREE char *area = hl_alloc(HL_MARK_AREA);
	struct hl_error why;
	int rc = check_size(session, url, err);

	if (rc == 0)
		rc = lun_read(session, 0, area, HL_MARK_AREA, err);
	if (rc < 0)
		return rc;
	rc = hl_mark_read(area, hl_iscsi_size(session), ret_mark, &why);
	if (rc < 0)
		return hl_fail(err, -rc, "%s: nothing is written: %s", url, why.text);
	return lun_check_signature(session, url, err);
}
