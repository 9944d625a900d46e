/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marking an empty target: see hoploss/give_away.h. Nothing is written before all checks are done,
 * and then through the descriptor or the session that was checked.
 */
#include "hoploss/give_away.h"
#include "hoploss/alloc.h"
#include "hoploss/chap.h"
#include "hoploss/gate.h"
#include "lun.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ISCSI     "iscsi://"
#define PAGE      4096u
#define TIMEOUT_S 10

static int check_back(const char *area, uint64_t size, const char *target, struct hl_error *err)
{
	struct hl_mark mark;

	if (hl_mark_read(area, size, &mark, NULL) == 0)
		return 0;
	return hl_fail(err, EIO, "%s: the mark is not there when it is read back", target);
}

/* The area belongs to direct I/O, so it is page-aligned. */
static int mark_device(const struct hl_gate_pass *pass, const char *target,
		       const struct hl_mark *mark, struct hl_error *err)
{
	HL_FREE char *area = aligned_alloc(PAGE, HL_MARK_AREA);

	if (!area)
		return hl_fail(err, ENOMEM, "%s: no memory", target);
	hl_mark_write(mark, area);
	if (pwrite(pass->fd, area, HL_MARK_AREA, 0) != HL_MARK_AREA || fsync(pass->fd) < 0)
		return hl_fail(err, errno, "%s: writing the mark: %s", target, strerror(errno));
	memset(area, 0, HL_MARK_AREA);
	if (pread(pass->fd, area, HL_MARK_AREA, 0) != HL_MARK_AREA)
		return hl_fail(err, errno, "%s: reading the mark: %s", target, strerror(errno));
	return check_back(area, pass->size, target, err);
}

static int give_device(const struct hl_give_away *what, struct hl_mark *ret_mark,
		       struct hl_error *err)
{
	const struct hl_gate_request request = { .target = what->target,
						 .must_be_local = what->must_be_local };
	struct hl_gate_pass pass;
	int rc = hl_gate_open_empty(&request, what->serial, &pass, err);

	if (rc < 0)
		return rc;
	rc = hl_mark_new(pass.size, ret_mark, err);
	if (rc == 0)
		rc = mark_device(&pass, what->target, ret_mark, err);
	close(pass.fd);
	return rc;
}

static int check_serial(const struct hl_iscsi *session, const struct hl_give_away *what,
			struct hl_error *err)
{
	const char *serial = hl_iscsi_serial(session);

	if (!what->serial || !strcmp(what->serial, serial))
		return 0;
	if (!*serial)
		return hl_fail(err, EPERM,
			       "%s shows no serial number: confirm it by typing its name",
			       what->target);
	return hl_fail(err, EPERM, "%s has another serial number than %s", what->target,
		       what->serial);
}

static int mark_lun(struct hl_iscsi *session, const char *target, const struct hl_mark *mark,
		    struct hl_error *err)
{
	HL_FREE char *area = hl_alloc(HL_MARK_AREA);
	int rc;

	hl_mark_write(mark, area);
	rc = lun_write(session, 0, area, HL_MARK_AREA, err);
	memset(area, 0, HL_MARK_AREA);
	if (rc == 0)
		rc = lun_read(session, 0, area, HL_MARK_AREA, err);
	return rc == 0 ? check_back(area, mark->size, target, err) : rc;
}

static int give_lun(const struct hl_give_away *what, struct hl_mark *ret_mark, struct hl_error *err)
{
	HL_CHAP struct hl_chap chap = { 0 };
	struct hl_iscsi_login login = { .url = what->target,
					.initiator = what->initiator,
					.may_write = true,
					.timeout_s = TIMEOUT_S };
	struct hl_iscsi *session = NULL;
	int rc = what->chap_file ? hl_chap_read(what->chap_file, &chap, err) : 0;

	login.user = chap.user;
	login.password = chap.password;
	if (rc == 0)
		rc = hl_iscsi_open(&login, &session, err);
	if (!session)
		return rc;
	rc = check_serial(session, what, err);
	if (rc == 0)
		rc = lun_check_signature(session, what->target, err);
	if (rc == 0)
		rc = lun_check_empty(session, what->target, err);
	if (rc == 0)
		rc = hl_mark_new(hl_iscsi_size(session), ret_mark, err);
	if (rc == 0)
		rc = mark_lun(session, what->target, ret_mark, err);
	hl_iscsi_close(session);
	return rc;
}

int hl_give_away(const struct hl_give_away *what, struct hl_mark *ret_mark, struct hl_error *err)
{
	struct hl_mark mark;
	int rc = strncmp(what->target, ISCSI, strlen(ISCSI)) ? give_device(what, &mark, err)
							     : give_lun(what, &mark, err);

	if (rc == 0)
		*ret_mark = mark;
	return rc;
}
