/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session with one LUN of an iSCSI target, from userspace: libiscsi behind src/iscsi.c, the only
 * file that includes it. It harms no data of the LUN's owner: nothing but Login, NOP, INQUIRY,
 * REPORT LUNS, READ CAPACITY(16), TEST UNIT READY, READ(16) and Logout is ever sent, and WRITE(16)
 * and SYNCHRONIZE CACHE(10) only on a session that was opened for writing. It never logs in again
 * by itself. The ISID is random, so no session of anybody is reinstated.
 *
 * Source: RFC 7143 (iSCSI), SPC-4 and SBC-3 (commands).
 */
#ifndef HOPLOSS_ISCSI_H
#define HOPLOSS_ISCSI_H

#include "hoploss/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HL_ISCSI_INITIATOR "iqn.2026-11.net.hoploss:initiator" /* unless a hop names another */

struct hl_iscsi_login {
	const char *url;             /* iscsi://ADDRESS[:PORT]/IQN/LUN; no user or password in it */
	const char *initiator;       /* NULL = HL_ISCSI_INITIATOR */
	const char *user, *password; /* CHAP; NULL = none */
	bool may_write;
	unsigned timeout_s; /* of every command; 0 = none */
};

struct hl_iscsi;

/*
 * Logs in and asks size and serial number. Errors say which setting to change: -EACCES CHAP wanted
 * or wrong, -EPERM initiator not admitted, -ENOENT no such target, -EUSERS no session left, -ENXIO
 * no such LUN, -EBUSY reserved by another initiator, -ECONNREFUSED …
 */
int hl_iscsi_open(const struct hl_iscsi_login *login, struct hl_iscsi **ret_session,
		  struct hl_error *err);
void hl_iscsi_close(struct hl_iscsi *session); /* logs out; NULL allowed */

uint64_t hl_iscsi_size(const struct hl_iscsi *session);      /* bytes */
uint32_t hl_iscsi_block(const struct hl_iscsi *session);     /* logical block, bytes */
const char *hl_iscsi_serial(const struct hl_iscsi *session); /* NAA or unit serial; "" = none */

/* The portal's address without brackets into ret_address; returns its port. */
unsigned hl_iscsi_portal(const struct hl_iscsi *session, char *ret_address, size_t size);

/* Called for each command that ended; rc: 0 or -errno. tag is the one it was submitted with. */
typedef void hl_iscsi_done(void *context, unsigned tag, int rc);

/*
 * Queue one command; offset and len are bytes, whole blocks. done is called from hl_iscsi_poll.
 * -EPERM: a write on a session that may not.
 */
int hl_iscsi_read(struct hl_iscsi *session, unsigned tag, uint64_t offset, void *buffer, size_t len,
		  struct hl_error *err);
int hl_iscsi_write(struct hl_iscsi *session, unsigned tag, uint64_t offset, void *buffer,
		   size_t len, struct hl_error *err);
int hl_iscsi_flush(struct hl_iscsi *session, unsigned tag, struct hl_error *err);
/* Who is told; set before the first command. */
void hl_iscsi_on_done(struct hl_iscsi *session, hl_iscsi_done *done, void *context);
/*
 * Sends what is queued and takes what has come, waiting at most timeout_ms for it. -EPIPE … when
 * the session is lost.
 */
int hl_iscsi_poll(struct hl_iscsi *session, int timeout_ms, struct hl_error *err);

#endif
