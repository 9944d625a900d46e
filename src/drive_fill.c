/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filling the drives of a test: see drive_session.h.
 */
#include "drive_session.h"
#include "hoploss/blockdev.h"
#include "hoploss/console.h"
#include "hoploss/gate.h"
#include "hoploss/mark.h"
#include "hoploss/unit.h"
#include <errno.h>
#include <linux/fs.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- whose it is ---- */

static const char *find_given(const struct hl_drive_test *test, const char *serial)
{
	for (size_t i = 0; *serial && i < test->nr_purchases; i++) {
		if (!strcasecmp(test->purchases[i].serial, serial))
			return hl_arena_strdup(test->arena, serial);
	}
	return NULL;
}

/* One whose own serial number was not given may be known by its mark. */
static int find_mark_given(const struct hl_drive_test *test, const char *path, const char *own,
			   const char **ret_serial, struct hl_error *err)
{
	const struct hl_gate_request request = { .target = path };
	struct hl_gate_pass pass;
	struct hl_mark mark;
	int rc = hl_gate_open_marked(&request, &pass, &mark, err);

	if (rc < 0 && rc != -ENOMSG)
		return rc;
	if (rc < 0 && *own)
		return hl_fail(err, EPERM,
			       "%s has the serial number %s, which was not given: nothing is "
			       "written",
			       path, own);
	if (rc < 0) { /* it shows none: the gate says so, or better why not */
		*ret_serial = test->purchases[0].serial;
		return 0;
	}
	close(pass.fd);
	*ret_serial = find_given(test, mark.uuid);
	return *ret_serial ? 0
			   : hl_fail(err, EPERM,
				     "%s carries the mark %s, which was not given: nothing is "
				     "written",
				     path, mark.uuid);
}

/* The serial number that the person gave for that drive: its own, or that of its mark. */
static int find_serial(const struct hl_drive_test *test, struct hl_machine *machine,
		       const char *path, const char **ret_serial, struct hl_error *err)
{
	struct hl_blockdev_identity identity = { 0 };
	struct stat status;

	if (stat(path, &status) == 0)
		hl_blockdev_identify(machine, status.st_rdev, &identity);
	*ret_serial = find_given(test, identity.serial);
	if (!*ret_serial)
		*ret_serial = find_given(test, identity.wwid);
	if (*ret_serial)
		return 0;
	return find_mark_given(test, path, *identity.serial ? identity.serial : identity.wwid,
			       ret_serial, err);
}

static struct hl_fill_drive closed_fill(const char *path)
{
	return (struct hl_fill_drive){ .path = path,
				       .fd = -1,
				       .written = NAN,
				       .write_bw = NAN,
				       .read_back = NAN,
				       .read_bw = NAN };
}

static int open_one(const struct hl_drive_test *test, struct hl_machine *machine,
		    const struct hl_accept_drive *drive, struct hl_fill_drive *fill,
		    struct hl_error *err)
{
	int rc = find_serial(test, machine, drive->path, &fill->serial, err);

	return rc < 0 ? rc : hl_fill_open(fill, err);
}

/* One that shows no serial number is known by its name only. */
static void know_one(const struct hl_drive_test *test, struct hl_machine *machine,
		     struct hl_fill_drive *fill)
{
	struct hl_blockdev_identity identity = { 0 };
	HL_CLOSE int fd = -1;
	struct stat status;

	if (hl_machine_open_device(machine, fill->path, &fd, NULL) == 0 && fstat(fd, &status) == 0)
		hl_blockdev_identify(machine, status.st_rdev, &identity);
	if (fd < 0 || ioctl(fd, BLKGETSIZE64, &fill->size) < 0)
		fill->size = 0;
	fill->serial = hl_arena_strdup(test->arena, *identity.serial ? identity.serial
						    : *identity.wwid ? identity.wwid
								     : fill->path);
}

static void make_fills(struct drive_session *session)
{
	struct hl_drive_test *test = session->test;

	session->fills = hl_arena_alloc(test->arena, test->nr_drives * sizeof(*session->fills));
	for (size_t i = 0; i < test->nr_drives; i++)
		session->fills[i] = closed_fill(test->drives[i].path);
}

void drive_know_fills(struct drive_session *session)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);

	make_fills(session);
	for (size_t i = 0; i < session->test->nr_drives; i++)
		know_one(session->test, machine, &session->fills[i]);
	hl_machine_close(machine);
}

void drive_close_fills(struct drive_session *session)
{
	for (size_t i = 0; session->fills && i < session->test->nr_drives; i++)
		hl_fill_close(&session->fills[i]);
}

int drive_open_fills(struct drive_session *session, struct hl_error *err)
{
	struct hl_drive_test *test = session->test;
	struct hl_machine *machine = hl_machine_open("/", NULL);
	int rc = 0;

	make_fills(session);
	for (size_t i = 0; rc == 0 && i < test->nr_drives; i++)
		rc = open_one(test, machine, &test->drives[i], &session->fills[i], err);
	hl_machine_close(machine);
	if (rc < 0)
		drive_close_fills(session);
	return rc;
}

static void say_plan(const struct drive_session *session)
{
	char size[HL_UNIT_TEXT];
	double longest = 0;

	for (size_t i = 0; i < session->test->nr_drives; i++) {
		const struct hl_fill_drive *fill = &session->fills[i];
		double bytes = (double)(fill->size - fill->from);

		longest = fmax(longest,
			       hl_accept_fill_seconds(session->test->drives[i].spec, bytes));
		hl_console_say("OVERWRITES %s (serial %s): 2 x %s, and what the rounds write",
			       fill->path, fill->serial, hl_unit_size_sheet(size, bytes));
	}
	if (longest > 0)
		hl_console_say("filling twice and reading back takes about %s",
			       hl_accept_span(session->test->arena, longest));
}

const struct drive_pass drive_passes[DRIVE_PASSES] = {
	{ "filling", true },
	{ "reading back", false },
	{ "filling again, for a steady state", true },
};

static int keep(void *context, const struct hl_fill *fill, struct hl_error *err)
{
	struct drive_showing *showing = context;

	showing->session->position.at = fill->at;
	return drive_keep_position(showing->session, err);
}

/* What a pass gave, also one that was interrupted. */
static void take_pass(struct drive_session *session, bool writes)
{
	for (size_t i = 0; i < session->test->nr_drives; i++) {
		struct hl_fill_drive *drive = &session->fills[i];

		*(writes ? &drive->written : &drive->read_back) = drive->bytes;
		*(writes ? &drive->write_bw : &drive->read_bw) = drive->bytes / drive->seconds;
		drive->filled += writes ? drive->bytes : 0;
		drive->bytes = drive->seconds = 0;
	}
}

static int pass(struct drive_session *session, struct hl_error *err)
{
	unsigned nr = session->position.pass;
	struct drive_showing showing = { .session = session, .begun = drive_share_done(session) };
	struct hl_fill fill = {
		.drives = session->fills,
		.nr = (unsigned)session->test->nr_drives,
		.writes = drive_passes[nr].writes,
		.seed = session->position.seed,
		.at = session->position.at,
		.watch = drive_show,
		.keep = keep,
		.context = &showing,
	};
	int rc;

	drive_show_begin(&showing, drive_passes[nr].what);
	rc = hl_fill_pass(&fill, err);
	hl_progress_end(&showing.progress);
	take_pass(session, fill.writes);
	if (rc < 0)
		return rc;
	session->position.pass++;
	session->position.at = HL_MARK_AREA;
	return drive_keep_position(session, err);
}

int drive_fill_all(struct drive_session *session, struct hl_error *err)
{
	struct hl_error why;
	int rc;

	if (session->position.pass < DRIVE_PASSES)
		say_plan(session);
	rc = drive_keep_position(session, err); /* before the first byte, so that it can be kept */
	while (rc == 0 && session->position.pass < DRIVE_PASSES) {
		rc = pass(session, &why);
		if (rc == -EINTR)
			return 0;
		if (rc < 0)
			return hl_fail(err, -rc, "%s", why.text);
	}
	return rc;
}
