/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The demo's disk: a file in RAM, loop devices, and the file system.
 *
 * Source: loop(4), linux/loop.h (LOOP_CONFIGURE, Linux 5.8). A loop device is configured and set to
 * clear itself in one step, so there is no moment at which a kill would leave it. Every byte is
 * written once with what does not compress: a hole would be read without a medium.
 */
#include "demo.h"
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include "hoploss/random.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#define CHUNK     (1u << 20)
#define MAX_TRIES 64 /* another program may take the free loop device that we were told of */

/* ---- files ---- */

static int write_file(const char *file, uint64_t size, uint64_t seed, struct hl_error *err)
{
	HL_CLOSE int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	HL_FREE uint64_t *words = hl_alloc(CHUNK);
	int rc = fd < 0 ? -errno : 0;

	for (uint64_t done = 0; rc == 0 && done < size; done += CHUNK) {
		hl_random_fill(words, CHUNK / sizeof(*words), &seed);
		rc = hl_file_write_fd(fd, (const char *)words, CHUNK);
	}
	if (rc == 0 && fsync(fd) < 0)
		rc = -errno;
	return rc < 0 ? hl_fail(err, -rc, "%s: %s", file, strerror(-rc)) : 0;
}

int ram_make_file(const char *file, struct hl_error *err)
{
	return write_file(file, DEMO_DISK_SIZE, 1, err);
}

/* ---- loop devices ---- */

static int configure(int device, int backing, const char *file, bool is_read_only)
{
	struct loop_config config = {
		.fd = (uint32_t)backing,
		.info = { .lo_flags = LO_FLAGS_AUTOCLEAR | LO_FLAGS_DIRECT_IO },
	};

	if (is_read_only)
		config.info.lo_flags |= LO_FLAGS_READ_ONLY;
	snprintf((char *)config.info.lo_file_name, sizeof(config.info.lo_file_name), "%s", file);
	return ioctl(device, LOOP_CONFIGURE, &config) < 0 ? -errno : 0;
}

/* -EBUSY: somebody was quicker. */
static int take_free(int control, int backing, const char *file, bool is_read_only,
		     char *ret_device)
{
	int number = ioctl(control, LOOP_CTL_GET_FREE), device, rc;

	if (number < 0)
		return -errno;
	snprintf(ret_device, 32, "/dev/loop%d", number);
	device = open(ret_device, (is_read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC);
	if (device < 0)
		return -errno;
	rc = configure(device, backing, file, is_read_only);
	if (rc < 0) {
		close(device);
		return rc;
	}
	return device;
}

int loop_attach(const char *file, bool is_read_only, char *ret_device, struct hl_error *err)
{
	HL_CLOSE int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	HL_CLOSE int backing = open(file, (is_read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC);
	int device = -EBUSY;

	if (control < 0)
		return hl_fail(err, errno, "/dev/loop-control: %s", strerror(errno));
	if (backing < 0)
		return hl_fail(err, errno, "%s: %s", file, strerror(errno));
	for (int i = 0; i < MAX_TRIES && device == -EBUSY; i++)
		device = take_free(control, backing, file, is_read_only, ret_device);
	if (device < 0)
		return hl_fail(err, -device, "loop device on %s: %s", file, strerror(-device));
	return device;
}

/* ---- file system ---- */

static int mount_at(const char *device, const char *dir, unsigned long flags, const char *options,
		    struct hl_error *err)
{
	if (mount(device, dir, "ext4", flags | MS_NOSUID | MS_NODEV, options) < 0)
		return hl_fail(err, errno, "mount %s: %s", device, strerror(errno));
	return 0;
}

int ram_make_filesystem(const char *device, const char *dir, struct hl_error *err)
{
	const char *const argv[] = { "mkfs.ext4",    "-q", "-F",
				     "-O", /* no journal: nothing to replay */
				     "^has_journal", "-E", "nodiscard,lazy_itable_init=0",
				     device,         NULL };
	HL_FREE char *log = hl_printf("%s.log", dir);
	HL_FREE char *data = hl_printf("%s/data", dir);
	int rc = program_run(argv, log, NULL, err);

	if (rc == 0)
		rc = mount_at(device, dir, 0, NULL, err);
	if (rc < 0)
		return rc;
	rc = write_file(data, DEMO_DATA_SIZE, 2, err);
	if (umount(dir) < 0 && rc == 0)
		rc = hl_fail(err, errno, "umount %s: %s", dir, strerror(errno));
	return rc;
}

int ram_mount_filesystem(const char *device, const char *dir, struct hl_error *err)
{
	return mount_at(device, dir, MS_RDONLY, "noload", err);
}
