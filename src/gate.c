/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate for reading: see hoploss/gate.h.
 */
#include "gate.h"
#include "hoploss/alloc.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define FILE_PREFIX "file:"

/* O_DIRECT where the file system has it. Never waits for a device that is not there. */
static int open_for_reading(const char *path, bool wants_cache, bool *ret_is_direct,
			    struct hl_error *err)
{
	int fd = open(path, O_RDONLY | (wants_cache ? 0 : O_DIRECT) | O_CLOEXEC | O_NONBLOCK);

	*ret_is_direct = fd >= 0 && !wants_cache;
	if (fd < 0 && errno == EINVAL)
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd < 0 ? hl_fail(err, errno, "%s: %s", path, strerror(errno)) : fd;
}

static int measure_block_device(const char *path, struct hl_gate_pass *pass, struct hl_error *err)
{
	uint64_t size;
	int block;

	if (ioctl(pass->fd, BLKGETSIZE64, &size) < 0 || ioctl(pass->fd, BLKSSZGET, &block) < 0)
		return hl_fail(err, errno, "%s: size: %s", path, strerror(errno));
	pass->is_block = true;
	pass->size = size;
	pass->block = (uint32_t)block;
	return 0;
}

int gate_measure(const char *path, struct hl_gate_pass *pass, struct hl_error *err)
{
	struct stat status;

	if (fstat(pass->fd, &status) < 0)
		return hl_fail(err, errno, "%s: %s", path, strerror(errno));
	if (S_ISBLK(status.st_mode))
		return measure_block_device(path, pass, err);
	if (!S_ISREG(status.st_mode))
		return hl_fail(err, ENOTBLK, "%s is no block device and no file", path);
	pass->size = (uint64_t)status.st_size;
	pass->block = pass->is_direct ? 4096 : 1;
	return 0;
}

/* Opened without waiting for a device that is not there; but io_uring answers EAGAIN on such a
 * descriptor whenever a read would have to wait, as all of a zvol do. */
int gate_let_wait(int fd, const char *path, struct hl_error *err)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0)
		return hl_fail(err, errno, "%s: %s", path, strerror(errno));
	return 0;
}

const char *gate_path(const struct hl_gate_request *request)
{
	const char *path = request->target;

	return path + (strncmp(path, FILE_PREFIX, strlen(FILE_PREFIX)) ? 0 : strlen(FILE_PREFIX));
}

int hl_gate_open(const struct hl_gate_request *request, struct hl_gate_pass *ret_pass,
		 struct hl_error *err)
{
	const char *path = gate_path(request);
	struct hl_gate_pass pass = { 0 };
	int rc;

	pass.fd = open_for_reading(path, request->wants_cache, &pass.is_direct, err);
	if (pass.fd < 0)
		return pass.fd;
	rc = gate_let_wait(pass.fd, path, err);
	if (rc == 0)
		rc = gate_measure(path, &pass, err);
	if (rc < 0) {
		close(pass.fd);
		return rc;
	}
	*ret_pass = pass;
	return 0;
}
