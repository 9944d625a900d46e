/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filling drives and reading them back: see hoploss/fill.h.
 *
 * Surprising: what a block holds follows from the piece it is in, so both passes must cut the same
 * pieces: they depend on the sizes of all drives that were opened, never on which are still well.
 */
#include "hoploss/fill.h"
#include "hoploss/alloc.h"
#include "hoploss/blockdev.h"
#include "hoploss/gate.h"
#include "hoploss/give_away.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE   (1ull << 30)
#define BLOCK   (1u << 20)
#define LANES   4
#define SLOWEST 1e6 /* bytes/s: a piece that takes longer is given up */
#define GRACE_S 60.0

extern const struct hl_engine hl_engine_pass;

/* ---- opening ---- */

/* Of a marked drive, too, the descriptor is asked whose it is. */
static bool has_serial(int fd, const char *serial)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	struct hl_blockdev_identity identity = { 0 };
	struct stat status;

	if (fstat(fd, &status) == 0 && S_ISBLK(status.st_mode))
		hl_blockdev_identify(machine, status.st_rdev, &identity);
	hl_machine_close(machine);
	return !strcmp(serial, identity.serial) || !strcmp(serial, identity.wwid);
}

static int check_mark(const struct hl_fill_drive *drive, const struct hl_mark *mark,
		      struct hl_error *err)
{
	if (!strcmp(mark->uuid, drive->serial) || has_serial(drive->fd, drive->serial))
		return 0;
	return hl_fail(err, EPERM,
		       "%s carries the mark %s, which was not given: nothing is written",
		       drive->path, mark->uuid);
}

static int open_marked(struct hl_fill_drive *drive, struct hl_mark *ret_mark, struct hl_error *err)
{
	const struct hl_gate_request request = { .target = drive->path };
	struct hl_gate_pass pass;
	int rc = hl_gate_open_marked(&request, &pass, ret_mark, err);

	if (rc < 0)
		return rc;
	drive->fd = pass.fd;
	memcpy(drive->mark, ret_mark->uuid, sizeof(drive->mark));
	drive->from = HL_MARK_AREA;
	drive->size = pass.size / pass.block * pass.block;
	return 0;
}

int hl_fill_open(struct hl_fill_drive *drive, struct hl_error *err)
{
	const struct hl_give_away what = { .target = drive->path,
					   .serial = drive->serial,
					   .must_be_local = true };
	struct hl_mark mark;
	int rc;

	drive->fd = -1;
	rc = open_marked(drive, &mark, err);
	if (rc == 0) {
		rc = check_mark(drive, &mark, err);
		if (rc < 0)
			hl_fill_close(drive);
		return rc;
	}
	if (rc != -ENOMSG)
		return rc;
	rc = hl_give_away(&what, &mark, err);
	return rc < 0 ? rc : open_marked(drive, &mark, err);
}

void hl_fill_close(struct hl_fill_drive *drive)
{
	if (drive->fd >= 0)
		close(drive->fd);
	drive->fd = -1;
}

/* ---- a pass ---- */

struct piece {
	uint64_t offset, end;
};

/* Ends where a drive ends, so that every piece lies whole on each drive that has it. */
static bool next_piece(const struct hl_fill_drive *drives, unsigned nr, uint64_t at,
		       struct piece *ret_piece)
{
	uint64_t end = at + PIECE;
	bool is_any = false;

	for (unsigned i = 0; i < nr; i++) {
		if (drives[i].size <= at)
			continue;
		is_any = true;
		if (drives[i].size < end)
			end = drives[i].size;
	}
	*ret_piece = (struct piece){ at, end };
	return is_any;
}

struct team { /* the drives that take part in a piece */
	const char **targets;
	int *fds;
	unsigned nr;
};

static void team_clear(struct team *team)
{
	hl_free_pointer(&team->targets);
	hl_free_pointer(&team->fds);
}
#define TEAM __attribute__((cleanup(team_clear)))

static void gather(const struct hl_fill_drive *drives, unsigned nr, const struct piece *piece,
		   struct team *team)
{
	team->targets = hl_alloc(nr * sizeof(*team->targets));
	team->fds = hl_alloc(nr * sizeof(*team->fds));
	for (unsigned i = 0; i < nr; i++) {
		if (*drives[i].failure || drives[i].fd < 0 || drives[i].size < piece->end)
			continue;
		team->targets[team->nr] = drives[i].path;
		team->fds[team->nr++] = drives[i].fd;
	}
}

static struct hl_job job_of(const struct team *team, const struct piece *piece, bool writes,
			    uint64_t seed)
{
	uint64_t length = piece->end - piece->offset;
	struct hl_job job = {
		.target = team->targets[0],
		.fd = team->fds[0],
		.more_fds = team->fds + 1,
		.more_targets = team->targets + 1,
		.nr_more_fds = team->nr - 1,
		.offset = piece->offset,
		.length = length,
		.seed = seed,
		.seconds = (double)length / SLOWEST,
		.may_write = writes,
		.log_fd = -1,
	};

	hl_workload_init(&job.workload);
	job.workload.rw = writes ? HL_RW_WRITE : HL_RW_READ;
	job.workload.bs = length < (uint64_t)LANES * BLOCK ? (double)length : BLOCK;
	job.workload.numjobs = length < (uint64_t)LANES * BLOCK ? 1 : LANES;
	job.workload.iodepth = 1;
	return job;
}

/* The drive that an error names is left out from then on. */
static bool note_failure(struct hl_fill_drive *drives, unsigned nr, const struct hl_error *why)
{
	for (unsigned i = 0; i < nr; i++) {
		size_t len = strlen(drives[i].path);

		if (*drives[i].failure || strncmp(why->text, drives[i].path, len) != 0 ||
		    why->text[len] != ':')
			continue;
		snprintf(drives[i].failure, sizeof(drives[i].failure), "%s", why->text);
		return true;
	}
	return false;
}

struct watching {
	const struct hl_fill *fill;
	uint64_t end;
};

static bool watch_piece(void *context, double done, double bytes_per_s)
{
	const struct watching *watching = context;
	const struct hl_fill *fill = watching->fill;
	double whole = (double)(watching->end - HL_MARK_AREA);

	(void)done; /* of the deadline */
	return fill->watch &&
	       fill->watch(fill->context, (double)(fill->at - HL_MARK_AREA) / whole, bytes_per_s);
}

static void add_time(const struct hl_fill *fill, const struct piece *piece, double seconds)
{
	for (unsigned i = 0; i < fill->nr; i++) {
		struct hl_fill_drive *drive = &fill->drives[i];

		if (*drive->failure || drive->size < piece->end)
			continue;
		drive->bytes += (double)(piece->end - piece->offset);
		drive->seconds += seconds;
	}
}

/* Again without a drive that failed, until a piece is done. */
static int do_piece(const struct hl_fill *fill, const struct piece *piece,
		    struct watching *watching, struct hl_error *err)
{
	for (;;) {
		TEAM struct team team = { 0 };
		struct hl_slot slot;
		struct hl_error why;
		struct hl_job job;
		int rc;

		gather(fill->drives, fill->nr, piece, &team);
		if (!team.nr)
			return 0;
		job = job_of(&team, piece, fill->writes, fill->seed);
		rc = hl_slot_run(&hl_engine_pass, &job, GRACE_S, watch_piece, watching, &slot,
				 &why);
		if (rc == 0) {
			add_time(fill, piece, slot.seconds);
			hl_slot_free(&slot);
			return 0;
		}
		if (rc == -EINTR || !note_failure(fill->drives, fill->nr, &why))
			return hl_fail(err, -rc, "%s", why.text);
	}
}

/* What lies in a drive's cache only is not done yet. */
static void flush(const struct hl_fill *fill)
{
	for (unsigned i = 0; i < fill->nr; i++) {
		struct hl_fill_drive *drive = &fill->drives[i];

		if (*drive->failure || drive->fd < 0 || fsync(drive->fd) == 0)
			continue;
		snprintf(drive->failure, sizeof(drive->failure), "%s: flush: %s", drive->path,
			 strerror(errno));
	}
}

static uint64_t largest(const struct hl_fill_drive *drives, unsigned nr)
{
	uint64_t size = 0;

	for (unsigned i = 0; i < nr; i++)
		size = drives[i].size > size ? drives[i].size : size;
	return size;
}

int hl_fill_pass(struct hl_fill *fill, struct hl_error *err)
{
	struct watching watching = { fill, largest(fill->drives, fill->nr) };
	struct piece piece;
	int rc = 0;

	while (rc == 0 && next_piece(fill->drives, fill->nr, fill->at, &piece)) {
		rc = do_piece(fill, &piece, &watching, err);
		if (rc < 0)
			return rc;
		if (fill->writes)
			flush(fill);
		fill->at = piece.end;
		rc = fill->keep ? fill->keep(fill->context, fill, err) : 0;
	}
	return rc;
}
