/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate for writing: see hoploss/gate.h.
 *
 * The target is opened first and asked afterwards, so that a name that leads elsewhere meanwhile
 * changes nothing: what was checked is what is written. Exclusive opening keeps the kernel's own
 * users away (mounts, swap, RAID, LVM) for as long as the descriptor lives; it does not keep away a
 * process that just opens the device, so these are looked for. Device number and sequence number
 * (a number is used again for another disk, a sequence number never is) are compared before and
 * after all checks.
 */
#include "gate.h"
#include "hoploss/alloc.h"
#include "hoploss/blockdev.h"
#include "hoploss/digest.h"
#include "hoploss/holder.h"
#include "hoploss/machine.h"
#include "hoploss/shared.h"
#include "hoploss/signature.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifndef BLKGETDISKSEQ
#define BLKGETDISKSEQ _IOR(0x12, 128, __u64)
#endif

#define NR_SAMPLES 1024
#define PAGE       4096u

struct identity {
	struct stat status;
	uint64_t sequence; /* 0 = the kernel has none, or it is a file */
};

/* ---- opening ---- */

/* ZFS, and who else takes a device for itself without a word in sysfs, is known by its label. */
static void guess_holder(const char *path, char *who, size_t size)
{
	HL_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char what[64];

	snprintf(who, size, "the kernel does not say by whom");
	if (fd >= 0 && hl_signature_find(fd, what, sizeof(what), NULL) > 0)
		snprintf(who, size, "the kernel does not say by whom; libblkid says %s", what);
}

static bool is_read_only(const char *path)
{
	HL_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int is_so = 0;

	return fd >= 0 && ioctl(fd, BLKROGET, &is_so) == 0 && is_so;
}

static int fail_open(const char *path, int code, struct hl_error *err)
{
	char who[160];
	struct stat status;

	if (code != EBUSY && is_read_only(path))
		return hl_fail(err, EROFS, "%s is read-only", path);
	if (code != EBUSY || stat(path, &status) < 0)
		return hl_fail(err, code, "%s: not opened for writing: %s", path, strerror(code));
	if (hl_holder_find(&status, who, sizeof(who), NULL) <= 0)
		guess_holder(path, who, sizeof(who));
	return hl_fail(err, EBUSY, "%s is in use, nothing is written: %s", path, who);
}

/* A symbolic link is followed to a device (/dev/disk/by-id), but a file is opened by its own name.
 */
static int open_for_writing(const char *path, struct hl_gate_pass *pass, struct hl_error *err)
{
	int flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | O_DIRECT;
	struct stat status;

	if (stat(path, &status) < 0)
		return hl_fail(err, errno, "%s: %s", path, strerror(errno));
	flags |= S_ISBLK(status.st_mode) ? O_EXCL : O_NOFOLLOW;
	pass->fd = open(path, flags);
	pass->is_direct = pass->fd >= 0;
	if (pass->fd < 0 && errno == EINVAL)
		pass->fd = open(path, flags & ~O_DIRECT);
	return pass->fd < 0 ? fail_open(path, errno, err) : 0;
}

static int identify(int fd, const char *path, struct identity *ret_identity, struct hl_error *err)
{
	struct identity identity = { .sequence = 0 };

	if (fstat(fd, &identity.status) < 0)
		return hl_fail(err, errno, "%s: %s", path, strerror(errno));
	if (S_ISBLK(identity.status.st_mode) && ioctl(fd, BLKGETDISKSEQ, &identity.sequence) < 0)
		identity.sequence = 0;
	*ret_identity = identity;
	return 0;
}

/* By name and by descriptor it is still the same. */
static int check_same(int fd, const char *path, const struct identity *before, struct hl_error *err)
{
	struct identity now = { .sequence = 0 };
	struct stat named;
	int rc = identify(fd, path, &now, err);

	if (rc < 0)
		return rc;
	if (now.sequence != before->sequence || stat(path, &named) < 0 ||
	    named.st_rdev != before->status.st_rdev || named.st_mode != before->status.st_mode ||
	    (S_ISREG(named.st_mode) &&
	     (named.st_ino != before->status.st_ino || named.st_dev != before->status.st_dev)))
		return hl_fail(err, ESTALE,
			       "%s became another one while it was looked at, nothing is written",
			       path);
	return 0;
}

/* ---- what every target must be ---- */

static int check_read_only(const struct hl_gate_pass *pass, const char *path, struct hl_error *err)
{
	int is_read_only = 0;

	if (pass->is_block && ioctl(pass->fd, BLKROGET, &is_read_only) < 0)
		return hl_fail(err, errno, "%s: %s", path, strerror(errno));
	return is_read_only ? hl_fail(err, EROFS, "%s is read-only", path) : 0;
}

static int check_holders(const struct identity *identity, const char *path, struct hl_error *err)
{
	char who[160];
	struct hl_error why;
	int rc = hl_holder_find(&identity->status, who, sizeof(who), &why);

	if (rc < 0)
		return hl_fail(err, -rc, "%s: not opened for writing: %s", path, why.text);
	return rc ? hl_fail(err, EBUSY, "%s is in use, nothing is written: %s", path, who) : 0;
}

static int check_signature(int fd, const char *path, struct hl_error *err)
{
	char name[64];
	int rc = hl_signature_find(fd, name, sizeof(name), err);

	if (rc <= 0)
		return rc;
	return hl_fail(err, EEXIST, "%s holds data, nothing is written: libblkid says %s", path,
		       name);
}

/* Whatever is checked of the target in addition, between opening it and letting it pass. */
typedef int check_more(const struct hl_gate_pass *pass, const char *path, void *context,
		       struct hl_error *err);

static int check_all(struct hl_gate_pass *pass, const char *path, check_more *more, void *context,
		     struct hl_error *err)
{
	struct identity identity = { .sequence = 0 };
	int rc = identify(pass->fd, path, &identity, err);

	if (rc == 0)
		rc = gate_measure(path, pass, err);
	if (rc == 0)
		rc = check_read_only(pass, path, err);
	if (rc == 0)
		rc = check_holders(&identity, path, err);
	if (rc == 0)
		rc = check_signature(pass->fd, path, err);
	if (rc == 0)
		rc = more(pass, path, context, err);
	return rc == 0 ? check_same(pass->fd, path, &identity, err) : rc;
}

static int open_checked(const struct hl_gate_request *request, check_more *more, void *context,
			struct hl_gate_pass *ret_pass, struct hl_error *err)
{
	struct hl_gate_pass pass = { .fd = -1, .may_write = true };
	const char *path = gate_path(request);
	int rc = open_for_writing(path, &pass, err);

	if (rc < 0)
		return rc;
	rc = gate_let_wait(pass.fd, path, err);
	if (rc == 0)
		rc = check_all(&pass, path, more, context, err);
	if (rc < 0) {
		close(pass.fd);
		return rc;
	}
	*ret_pass = pass;
	return 0;
}

/* ---- marked ones ---- */

static int read_whole(int fd, uint64_t offset, char *bytes, size_t len, const char *path,
		      struct hl_error *err)
{
	ssize_t nr = pread(fd, bytes, len, (off_t)offset);

	if (nr == (ssize_t)len)
		return 0;
	return hl_fail(err, nr < 0 ? errno : EIO, "%s: reading at byte %llu: %s", path,
		       (unsigned long long)offset, nr < 0 ? strerror(errno) : "it ends there");
}

static int check_xattr(int fd, const char *path, const struct hl_mark *mark, struct hl_error *err)
{
	char uuid[sizeof(mark->uuid)] = "";
	ssize_t len = fgetxattr(fd, HL_MARK_XATTR, uuid, sizeof(uuid) - 1);

	if (len < 0 || strcmp(uuid, mark->uuid) != 0)
		return hl_fail(err, ENOMSG,
			       "%s was not made by hoploss: it has no " HL_MARK_XATTR
			       " of its mark; \"--layout FILE\" makes one that is",
			       path);
	return 0;
}

static int check_mark(const struct hl_gate_pass *pass, const char *path, void *context,
		      struct hl_error *err)
{
	HL_FREE char *area = NULL;
	struct hl_mark *mark = context;
	struct hl_error why;
	int rc;

	if (pass->size < HL_MARK_LEAST)
		return hl_fail(err, ENOMSG, "%s: it was not given away: it is too small for a mark",
			       path);
	area = aligned_alloc(PAGE, HL_MARK_AREA);
	if (!area)
		return hl_fail(err, ENOMEM, "%s: no memory", path);
	rc = read_whole(pass->fd, 0, area, HL_MARK_AREA, path, err);
	if (rc < 0)
		return rc;
	rc = hl_mark_read(area, pass->size, mark, &why);
	if (rc < 0)
		return hl_fail(err, -rc, "%s: nothing is written: %s", path, why.text);
	return pass->is_block ? 0 : check_xattr(pass->fd, path, mark, err);
}

int hl_gate_open_marked(const struct hl_gate_request *request, struct hl_gate_pass *ret_pass,
			struct hl_mark *ret_mark, struct hl_error *err)
{
	return open_checked(request, check_mark, ret_mark, ret_pass, err);
}

/* ---- empty ones ---- */

static int check_serial(const struct hl_gate_pass *pass, const char *path, const char *serial,
			struct hl_error *err)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	struct hl_blockdev_identity identity = { 0 };
	struct stat status;

	if (fstat(pass->fd, &status) == 0)
		hl_blockdev_identify(machine, status.st_rdev, &identity);
	hl_machine_close(machine);
	if (!identity.serial[0] && !identity.wwid[0])
		return hl_fail(err, EPERM,
			       "%s shows no serial number: \"hoploss mark %s\" gives it away by "
			       "its name",
			       path, path);
	if (strcmp(serial, identity.serial) != 0 && strcmp(serial, identity.wwid) != 0)
		return hl_fail(err, EPERM, "%s has another serial number than %s", path, serial);
	return 0;
}

static int check_zeros(int fd, uint64_t offset, char *buffer, size_t len, const char *path,
		       struct hl_error *err)
{
	int rc = read_whole(fd, offset, buffer, len, path, err);

	if (rc < 0 || hl_digest_is_zero(buffer, len))
		return rc;
	return hl_fail(err, ENOTEMPTY,
		       "%s holds data, nothing is written: bytes %llu to %llu are not all zeros",
		       path, (unsigned long long)offset, (unsigned long long)offset + len);
}

/* What others reach too a person gives away by its name, not by a serial number in a list. */
static int check_local(const struct hl_gate_pass *pass, const char *path, struct hl_error *err)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	struct stat status;
	char how[160];
	bool is_shared = fstat(pass->fd, &status) == 0 &&
			 hl_shared_find(machine, status.st_rdev, pass->fd, how, sizeof(how));

	hl_machine_close(machine);
	return is_shared ? hl_fail(err, EXDEV,
				   "%s: nothing is written: %s; if nobody else uses it, \"hoploss "
				   "mark %s\" gives it away",
				   path, how, path)
			 : 0;
}

/* Both ends whole, and samples between. */
static int check_all_zeros(const struct hl_gate_pass *pass, const char *path, struct hl_error *err)
{
	uint64_t last = (pass->size - HL_MARK_AREA) / PAGE * PAGE;
	HL_FREE char *buffer = aligned_alloc(PAGE, HL_MARK_AREA);
	int rc;

	if (!buffer)
		return hl_fail(err, ENOMEM, "%s: no memory", path);
	rc = check_zeros(pass->fd, 0, buffer, HL_MARK_AREA, path, err);
	if (rc == 0)
		rc = check_zeros(pass->fd, last, buffer, HL_MARK_AREA, path, err);
	for (uint64_t i = 0; rc == 0 && i < NR_SAMPLES; i++)
		rc = check_zeros(pass->fd, last / NR_SAMPLES * i / PAGE * PAGE, buffer, PAGE, path,
				 err);
	return rc;
}

struct empty_one {
	const char *serial; /* NULL = its name was typed */
	bool must_be_local;
};

/* Data before the serial number: what holds it is the better reason. */
static int check_empty(const struct hl_gate_pass *pass, const char *path, void *context,
		       struct hl_error *err)
{
	const struct empty_one *asked = context;
	int rc = 0;

	if (!pass->is_block)
		return hl_fail(err, ENOTBLK,
			       "%s is a file: \"hoploss run --layout FILE\" makes one for writing",
			       path);
	if (pass->size < HL_MARK_LEAST)
		return hl_fail(err, EINVAL, "%s is smaller than %u MiB", path, HL_MARK_LEAST >> 20);
	if (asked->must_be_local)
		rc = check_local(pass, path, err);
	if (rc == 0)
		rc = check_all_zeros(pass, path, err);
	return rc == 0 && asked->serial ? check_serial(pass, path, asked->serial, err) : rc;
}

int hl_gate_open_empty(const struct hl_gate_request *request, const char *serial,
		       struct hl_gate_pass *ret_pass, struct hl_error *err)
{
	struct empty_one asked = { serial, request->must_be_local };

	return open_checked(request, check_empty, &asked, ret_pass, err);
}
