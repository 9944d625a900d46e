/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The servers of the demo: tgtd, which exports the loop device as a LUN, and
 * qemu-storage-daemon, which makes a file of the LUN by way of FUSE.
 *
 * Source: tgtd(8), tgtadm(8), qemu-storage-daemon(1). Surprising: tgtd's control socket is named by
 * the variable TGT_IPC_SOCKET, so that nothing of it stands in /run/tgtd. The LUN is read-only: the
 * FUSE export loses concurrent writes, so that nobody may write through it. Without "direct" tgtd
 * reads through the page cache.
 */
#include "demo.h"
#include "hoploss/alloc.h"
#include "hoploss/engine.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PATIENCE_NS UINT64_C(10000000000)
#define STEP_US     20000
#define CONTROL     "1"

/* ---- tgtd ---- */

struct target {
	pid_t pid;
	char *log, *admin_log, *socket, *path;
	char *environment[3];
};

static void target_clear(struct target *target)
{
	free(target->log);
	free(target->admin_log);
	free(target->socket);
	free(target->path);
}

#define ADMIN "tgtadm", "-C", CONTROL, "--lld", "iscsi", "--op"

/* Until tgtd listens, tgtadm fails. */
static int create_target(struct target *target, struct hl_error *err)
{
	const char *const argv[] = { ADMIN, "new", "--mode", "target", "--tid",
				     "1",   "-T",  DEMO_IQN, NULL };
	uint64_t deadline = hl_clock_ns() + PATIENCE_NS;
	int rc;

	do {
		usleep(STEP_US);
		if (program_has_ended(target->pid, "tgtd", target->log, err))
			return -EIO;
		rc = program_run(argv, target->admin_log, target->environment, err);
	} while (rc < 0 && hl_clock_ns() < deadline);
	return rc;
}

static int create_lun(struct target *target, const char *device, struct hl_error *err)
{
	const char *const steps[][24] = {
		{ ADMIN, "new", "--mode", "logicalunit", "--tid", "1", "--lun", "1", "-b", device,
		  "-E", "rdwr", "--bsoflags", "direct", NULL },
		{ ADMIN, "update", "--mode", "logicalunit", "--tid", "1", "--lun", "1", "--params",
		  "readonly=1", NULL },
		{ ADMIN, "bind", "--mode", "target", "--tid", "1", "-I", "ALL", NULL },
	};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof(steps) / sizeof(*steps); i++)
		rc = program_run(steps[i], target->admin_log, target->environment, err);
	return rc;
}

static void target_prepare(struct target *target, const char *dir)
{
	const char *path = getenv("PATH");

	target->log = hl_printf("%s/tgtd.log", dir);
	target->admin_log = hl_printf("%s/tgtadm.log", dir);
	target->socket = hl_printf("TGT_IPC_SOCKET=%s/tgt", dir);
	target->path = hl_printf("PATH=%s", path ? path : "");
	target->environment[0] = target->socket;
	target->environment[1] = target->path;
}

int server_start_target(const char *dir, const char *device, pid_t *ret_pid, struct hl_error *err)
{
	HL_FREE char *portals = hl_printf("portal=%s:3260,portal=%s:3260",
					  demo_wires[0].target_address,
					  demo_wires[1].target_address);
	const char *const argv[] = { "tgtd", "-f", "-C", CONTROL, "--iscsi", portals, NULL };
	__attribute__((cleanup(target_clear))) struct target target = { 0 };
	int rc;

	target_prepare(&target, dir);
	rc = program_start(argv, target.log, target.environment, &target.pid, err);
	if (rc == 0)
		rc = create_target(&target, err);
	if (rc == 0)
		rc = create_lun(&target, device, err);
	if (rc == 0)
		*ret_pid = target.pid;
	return rc;
}

/* ---- the LUN as a file ---- */

static bool is_fuse(const char *file)
{
	struct statfs status;

	return statfs(file, &status) == 0 && status.f_type == FUSE_SUPER_MAGIC;
}

static int wait_for_export(pid_t pid, const char *file, const char *log, struct hl_error *err)
{
	uint64_t deadline = hl_clock_ns() + PATIENCE_NS;

	while (!is_fuse(file)) {
		if (program_has_ended(pid, "qemu-storage-daemon", log, err))
			return -EIO;
		if (hl_clock_ns() > deadline)
			return hl_fail(err, ETIMEDOUT, "qemu-storage-daemon exports nothing");
		usleep(STEP_US);
	}
	return 0;
}

int server_start_export(const char *dir, char *ret_file, struct hl_error *err)
{
	HL_FREE char *file = hl_printf("%s/lun", dir);
	HL_FREE char *log = hl_printf("%s/export.log", dir);
	HL_FREE char *lun = hl_printf("driver=iscsi,node-name=lun,transport=tcp,portal=%s,"
				      "target=%s,lun=%d,initiator-name=%s:file,cache.direct=on,"
				      "read-only=on",
				      demo_wires[1].target_address, DEMO_IQN, DEMO_LUN, DEMO_IQN);
	HL_FREE char *export = hl_printf(
		"type=fuse,id=lun,node-name=lun,mountpoint=%s,writable=off", file);
	const char *const argv[] = {
		"qemu-storage-daemon", "--blockdev", lun, "--export", export, NULL
	};
	HL_CLOSE int mount_point = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	pid_t pid;
	int rc;

	if (mount_point < 0)
		return hl_fail(err, errno, "%s: %s", file, strerror(errno));
	rc = program_start(argv, log, NULL, &pid, err);
	if (rc == 0)
		rc = wait_for_export(pid, file, log, err);
	if (rc == 0)
		snprintf(ret_file, 80, "%s", file);
	return rc;
}
