/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libiscsi, held to an allow-list: see hoploss/iscsi.h.
 *
 * Surprising: iscsi_full_connect_sync() would send commands of its own choice and iscsi reconnects
 * by itself unless told not to, so connecting and logging in are separate steps here. The reason of
 * a refused login is only in the library's text, as a number in parentheses at its end.
 */
#include "hoploss/iscsi.h"
#include "hoploss/alloc.h"
#include <errno.h>
#include <iscsi/iscsi.h>
#include <iscsi/scsi-lowlevel.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define MAX_UNIT_ATTENTIONS 10
#define VPD_LEN             255
#define REPORT_LEN          1024
#define USUAL_PORT          3260

struct command { /* in flight */
	struct hl_iscsi *session;
	struct scsi_iovec data;
	unsigned tag;
	struct command *next_idle;
};

struct hl_iscsi {
	struct iscsi_context *context;
	struct iscsi_url *url;
	char *initiator;
	bool may_write, is_logged_in;
	uint64_t nr_blocks;
	uint32_t block;
	char serial[128];
	hl_iscsi_done *done;
	void *done_context;
	struct command *idle;
};

/* ---- login ---- */

static const struct {
	unsigned status; /* RFC 7143, 11.13.5: class and detail */
	int code;
	const char *text;
} refusals[] = {
	{ 0x0201, EACCES,
	  "CHAP is wanted, or user or password are wrong: set \"chap = FILE\" at the hop" },
	{ 0x0202, EPERM,
	  "this initiator is not admitted: add it to the target's initiators, or set "
	  "\"initiator = IQN\" to one that is" },
	{ 0x0203, ENOENT, "the portal has no such target: check the IQN in \"target\"" },
	{ 0x0204, ENOENT, "the target was removed" },
	{ 0x0206, EUSERS,
	  "too many sessions: raise the target's session limit, or log out an idle initiator" },
	{ 0x0301, EAGAIN, "the target is not serving now: enable the target or its portal group" },
	{ 0x0302, EUSERS,
	  "the target is out of sessions: raise its session limit, or log out an idle initiator" },
};

static int refused(const struct hl_iscsi *session, struct hl_error *err)
{
	const char *text = iscsi_get_error(session->context);
	const char *number = strrchr(text, '(');
	unsigned status = number ? (unsigned)strtoul(number + 1, NULL, 10) : 0;

	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		if (refusals[i].status == status)
			return hl_fail(err, refusals[i].code, "login as %s refused: %s",
				       session->initiator, refusals[i].text);
	}
	/* with CHAP forced, some targets just name no method that we have */
	if (strstr(text, "AuthMethod") || strstr(text, "CHAP"))
		return hl_fail(err, EACCES, "login as %s refused: %s", session->initiator,
			       refusals[0].text);
	return hl_fail(err, ECONNABORTED, "login as %s failed: %s", session->initiator, text);
}

/* Of a connection that nobody took, libiscsi only tells that it does not try again. */
static int unreachable(const struct hl_iscsi *session, struct hl_error *err)
{
	const char *text = iscsi_get_error(session->context);

	if (strstr(text, "reconnect"))
		text = "no connection: check its address and port, and that the target listens "
		       "there";
	return hl_fail(err, ECONNREFUSED, "portal %s: %s", session->url->portal, text);
}

static int read_url(struct hl_iscsi *session, const struct hl_iscsi_login *login,
		    struct hl_error *err)
{
	session->url = iscsi_parse_full_url(session->context, login->url);
	if (!session->url)
		return hl_fail(err, EINVAL, "\"%s\" is not iscsi://ADDRESS[:PORT]/IQN/LUN",
			       login->url);
	if (session->url->user[0])
		return hl_fail(err, EINVAL,
			       "a user in an iscsi:// target would be seen by everybody: set "
			       "\"chap = FILE\" instead");
	return 0;
}

static int log_in(struct hl_iscsi *session, const struct hl_iscsi_login *login,
		  struct hl_error *err)
{
	struct iscsi_context *context = session->context;
	uint32_t isid = 0;

	iscsi_set_noautoreconnect(context, 1);
	iscsi_set_targetname(context, session->url->target);
	iscsi_set_session_type(context, ISCSI_SESSION_NORMAL);
	iscsi_set_header_digest(context, ISCSI_HEADER_DIGEST_NONE_CRC32C);
	iscsi_set_timeout(context, (int)login->timeout_s);
	if (getrandom(&isid, sizeof(isid), 0) != sizeof(isid) ||
	    iscsi_set_isid_random(context, isid & 0xffffff, isid >> 24))
		return hl_fail(err, EIO, "no random session id");
	if (login->user && iscsi_set_initiator_username_pwd(context, login->user, login->password))
		return hl_fail(err, EINVAL, "CHAP user or password is too long");
	if (iscsi_connect_sync(context, session->url->portal))
		return unreachable(session, err);
	if (iscsi_login_sync(context))
		return refused(session, err);
	session->is_logged_in = true;
	return 0;
}

/* ---- what the LUN is ---- */

static int check_status(const struct scsi_task *task, int lun, const char *command,
			struct hl_error *err)
{
	if (!task)
		return hl_fail(err, EPIPE, "%s: the session was lost", command);
	if (task->status == SCSI_STATUS_GOOD)
		return 0;
	if (task->status == SCSI_STATUS_RESERVATION_CONFLICT)
		return hl_fail(
			err, EBUSY,
			"LUN %d is reserved by another initiator: release its reservation, or "
			"measure from the initiator that holds it",
			lun);
	if (task->status == SCSI_STATUS_CHECK_CONDITION &&
	    task->sense.key == SCSI_SENSE_ILLEGAL_REQUEST &&
	    task->sense.ascq == SCSI_SENSE_ASCQ_LOGICAL_UNIT_NOT_SUPPORTED)
		return hl_fail(err, ENXIO,
			       "the target has no LUN %d for this initiator: map one to it", lun);
	return hl_fail(err, EIO, "%s: %s, %s", command, scsi_sense_key_str(task->sense.key),
		       scsi_sense_ascq_str(task->sense.ascq));
}

/* A LUN tells every new session of resets before it: that is not an error. */
static int wait_ready(struct hl_iscsi *session, struct hl_error *err)
{
	int rc = -EAGAIN;

	for (int i = 0; i < MAX_UNIT_ATTENTIONS && rc == -EAGAIN; i++) {
		struct scsi_task *task = iscsi_testunitready_sync(session->context,
								  session->url->lun);

		if (task && task->status == SCSI_STATUS_CHECK_CONDITION &&
		    task->sense.key == SCSI_SENSE_UNIT_ATTENTION)
			rc = -EAGAIN;
		else
			rc = check_status(task, session->url->lun, "TEST UNIT READY", err);
		if (task)
			scsi_free_scsi_task(task);
	}
	return rc == -EAGAIN ? hl_fail(err, EAGAIN, "LUN %d: unit attention without end",
				       session->url->lun)
			     : rc;
}

static int check_luns(struct hl_iscsi *session, struct hl_error *err)
{
	struct scsi_task *task = iscsi_reportluns_sync(session->context, 0, REPORT_LEN);
	const struct scsi_reportluns_list *list = task && task->status == SCSI_STATUS_GOOD
							  ? scsi_datain_unmarshall(task)
							  : NULL;
	int rc = 0;

	if (list && list->num == 0)
		rc = hl_fail(err, ENXIO, "the target shows no LUN to %s: map one to this initiator",
			     session->initiator);
	if (task)
		scsi_free_scsi_task(task);
	return rc;
}

static int ask_size(struct hl_iscsi *session, struct hl_error *err)
{
	struct scsi_task *task = iscsi_readcapacity16_sync(session->context, session->url->lun);
	int rc = check_status(task, session->url->lun, "READ CAPACITY(16)", err);
	const struct scsi_readcapacity16 *capacity = rc == 0 ? scsi_datain_unmarshall(task) : NULL;

	if (capacity && capacity->block_length >= 512) {
		session->nr_blocks = capacity->returned_lba + 1;
		session->block = capacity->block_length;
	} else if (rc == 0) {
		rc = hl_fail(err, EPROTO, "LUN %d: READ CAPACITY(16) gave no size",
			     session->url->lun);
	}
	if (task)
		scsi_free_scsi_task(task);
	return rc;
}

/* NAA designators are binary; printed as the kernel does in /dev/disk/by-id. */
static void take_designator(struct hl_iscsi *session,
			    const struct scsi_inquiry_device_designator *designator)
{
	size_t len = (size_t)designator->designator_length, used;

	if (designator->designator_type != SCSI_DESIGNATOR_TYPE_NAA ||
	    designator->association != SCSI_ASSOCIATION_LOGICAL_UNIT ||
	    4 + 2 * len >= sizeof(session->serial))
		return;
	used = (size_t)snprintf(session->serial, sizeof(session->serial), "naa.");
	for (size_t i = 0; i < len; i++, used += 2)
		snprintf(session->serial + used, sizeof(session->serial) - used, "%02x",
			 (unsigned char)designator->designator[i]);
}

static void *ask_page(struct hl_iscsi *session, int page, struct scsi_task **ret_task)
{
	struct scsi_task *task = iscsi_inquiry_sync(session->context, session->url->lun, 1, page,
						    VPD_LEN);

	*ret_task = task;
	return task && task->status == SCSI_STATUS_GOOD ? scsi_datain_unmarshall(task) : NULL;
}

/* A LUN need not tell who it is: then the serial stays empty. */
static void ask_serial(struct hl_iscsi *session)
{
	struct scsi_task *task;
	const struct scsi_inquiry_device_identification *ids = ask_page(
		session, SCSI_INQUIRY_PAGECODE_DEVICE_IDENTIFICATION, &task);

	for (const struct scsi_inquiry_device_designator *d = ids ? ids->designators : NULL; d;
	     d = d->next)
		take_designator(session, d);
	if (task)
		scsi_free_scsi_task(task);
	if (!session->serial[0]) {
		const struct scsi_inquiry_unit_serial_number *unit = ask_page(
			session, SCSI_INQUIRY_PAGECODE_UNIT_SERIAL_NUMBER, &task);

		if (unit && unit->usn)
			snprintf(session->serial, sizeof(session->serial), "%s", unit->usn);
		if (task)
			scsi_free_scsi_task(task);
	}
}

int hl_iscsi_open(const struct hl_iscsi_login *login, struct hl_iscsi **ret_session,
		  struct hl_error *err)
{
	struct hl_iscsi *session = hl_alloc(sizeof(*session));
	int rc;

	session->initiator = hl_strdup(login->initiator ? login->initiator : HL_ISCSI_INITIATOR);
	session->may_write = login->may_write;
	session->context = iscsi_create_context(session->initiator);
	if (!session->context) {
		hl_iscsi_close(session);
		return hl_fail(err, EINVAL, "\"%s\" is no initiator name", login->initiator);
	}
	rc = read_url(session, login, err);
	if (rc == 0)
		rc = log_in(session, login, err);
	if (rc == 0)
		rc = check_luns(session, err);
	if (rc == 0)
		rc = wait_ready(session, err);
	if (rc == 0)
		rc = ask_size(session, err);
	if (rc < 0) {
		hl_iscsi_close(session);
		return rc;
	}
	ask_serial(session);
	*ret_session = session;
	return 0;
}

void hl_iscsi_close(struct hl_iscsi *session)
{
	if (!session)
		return;
	if (session->is_logged_in)
		iscsi_logout_sync(session->context);
	if (session->url)
		iscsi_destroy_url(session->url);
	if (session->context)
		iscsi_destroy_context(session->context);
	while (session->idle) {
		struct command *command = session->idle;

		session->idle = command->next_idle;
		free(command);
	}
	free(session->initiator);
	free(session);
}

uint64_t hl_iscsi_size(const struct hl_iscsi *session)
{
	return session->nr_blocks * session->block;
}

uint32_t hl_iscsi_block(const struct hl_iscsi *session)
{
	return session->block;
}

const char *hl_iscsi_serial(const struct hl_iscsi *session)
{
	return session->serial;
}

unsigned hl_iscsi_portal(const struct hl_iscsi *session, char *ret_address, size_t size)
{
	const char *portal = session->url->portal;
	const char *colon = strrchr(portal, ':'), *bracket = strchr(portal, ']');
	bool has_port = colon && (bracket ? colon > bracket : strchr(portal, ':') == colon);
	size_t len = has_port ? (size_t)(colon - portal) : strlen(portal);
	unsigned long port = has_port ? strtoul(colon + 1, NULL, 10) : USUAL_PORT;

	if (bracket) {
		portal++;
		len = (size_t)(bracket - portal);
	}
	snprintf(ret_address, size, "%.*s", (int)len, portal);
	return (unsigned)port;
}

/* ---- I/O ---- */

void hl_iscsi_on_done(struct hl_iscsi *session, hl_iscsi_done *done, void *context)
{
	session->done = done;
	session->done_context = context;
}

static struct command *command_take(struct hl_iscsi *session, unsigned tag)
{
	struct command *command = session->idle;

	if (command)
		session->idle = command->next_idle;
	else
		command = hl_alloc(sizeof(*command));
	command->session = session;
	command->tag = tag;
	return command;
}

static int code_of(int status, const struct scsi_task *task)
{
	if (status == SCSI_STATUS_GOOD)
		return task && task->residual_status == SCSI_RESIDUAL_NO_RESIDUAL ? 0 : -EIO;
	if (status == SCSI_STATUS_RESERVATION_CONFLICT)
		return -EBUSY;
	return status == SCSI_STATUS_TIMEOUT ? -ETIMEDOUT : -EIO;
}

static void command_done(struct iscsi_context *context, int status, void *data, void *private)
{
	struct command *command = private;
	struct hl_iscsi *session = command->session;
	struct scsi_task *task = data;
	int rc = code_of(status, task);

	(void)context;
	command->next_idle = session->idle;
	session->idle = command;
	if (task)
		scsi_free_scsi_task(task);
	session->done(session->done_context, command->tag, rc);
}

static int queued(struct hl_iscsi *session, const struct scsi_task *task, struct command *command,
		  struct hl_error *err)
{
	if (task)
		return 0;
	command->next_idle = session->idle;
	session->idle = command;
	return hl_fail(err, EPIPE, "iSCSI command not queued: %s",
		       iscsi_get_error(session->context));
}

int hl_iscsi_read(struct hl_iscsi *session, unsigned tag, uint64_t offset, void *buffer, size_t len,
		  struct hl_error *err)
{
	struct command *command = command_take(session, tag);

	command->data = (struct scsi_iovec){ .iov_base = buffer, .iov_len = len };
	return queued(session,
		      iscsi_read16_iov_task(session->context, session->url->lun,
					    offset / session->block, (uint32_t)len,
					    (int)session->block, 0, 0, 0, 0, 0, command_done,
					    command, &command->data, 1),
		      command, err);
}

int hl_iscsi_write(struct hl_iscsi *session, unsigned tag, uint64_t offset, void *buffer,
		   size_t len, struct hl_error *err)
{
	struct command *command;

	if (!session->may_write)
		return hl_fail(err, EPERM, "this session was opened for reading");
	command = command_take(session, tag);
	command->data = (struct scsi_iovec){ .iov_base = buffer, .iov_len = len };
	return queued(session,
		      iscsi_write16_iov_task(session->context, session->url->lun,
					     offset / session->block, NULL, (uint32_t)len,
					     (int)session->block, 0, 0, 0, 0, 0, command_done,
					     command, &command->data, 1),
		      command, err);
}

int hl_iscsi_flush(struct hl_iscsi *session, unsigned tag, struct hl_error *err)
{
	struct command *command;

	if (!session->may_write)
		return hl_fail(err, EPERM, "this session was opened for reading");
	command = command_take(session, tag);
	return queued(session,
		      iscsi_synchronizecache10_task(session->context, session->url->lun, 0, 0, 0, 0,
						    command_done, command),
		      command, err);
}

int hl_iscsi_poll(struct hl_iscsi *session, int timeout_ms, struct hl_error *err)
{
	struct pollfd poll_fd = {
		.fd = iscsi_get_fd(session->context),
		.events = (short)iscsi_which_events(session->context),
	};
	int nr = poll(&poll_fd, 1, timeout_ms);

	if (nr < 0 && errno != EINTR)
		return hl_fail(err, errno, "poll: %s", strerror(errno));
	if (iscsi_service(session->context, nr > 0 ? poll_fd.revents : 0) < 0)
		return hl_fail(err, EPIPE, "the iSCSI session was lost: %s",
			       iscsi_get_error(session->context));
	return 0;
}
