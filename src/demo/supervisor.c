/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The supervisor: first process of a process namespace in which all of the demo runs, workers too.
 * When it dies the kernel kills everything in there, and with the last process go the network
 * namespaces, the loop devices and the mounts. It dies with its parent: by the parent-death signal,
 * which the kernel forces on it, and by the end of a pipe, should the parent have died before that
 * was set.
 *
 * Source: pid_namespaces(7), PR_SET_PDEATHSIG(2const).
 */
#include "demo.h"
#include "hoploss/alloc.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define BUILD_MS 60000
#define END_MS   10000

/* ---- in the supervisor ---- */

struct building {
	const struct hl_demo_options *options;
	const char *id, *dir;
	struct built *built;
};

/* The file system at the end of the path; without it the rest of the path is good. */
static int build_leaf(const struct building *building, const char *mount_dir, struct hl_error *err)
{
	struct built *built = building->built;
	char device[32];
	int rc = program_check("qemu-storage-daemon", err);

	if (rc == 0 && access("/dev/fuse", R_OK | W_OK) < 0)
		rc = hl_fail(err, errno, "/dev/fuse: %s", strerror(errno));
	if (rc == 0)
		rc = server_start_export(building->dir, built->image, err);
	if (rc == 0)
		rc = loop_attach(built->image, true, device, err);
	return rc < 0 ? rc : ram_mount_filesystem(device, mount_dir, err);
}

static int build_disk(const struct building *building, const char *mount_dir, struct hl_error *err)
{
	HL_FREE char *file = hl_printf("%s/disk", building->dir);
	int rc = ram_make_file(file, err);

	if (rc == 0)
		rc = loop_attach(file, false, building->built->device, err);
	return rc < 0 ? rc : ram_make_filesystem(building->built->device, mount_dir, err);
}

static int build(const struct building *building, struct hl_error *err)
{
	const struct hl_demo_options *options = building->options;
	HL_FREE char *mount_dir = hl_printf("%s/fs", building->dir);
	struct built *built = building->built;
	struct hl_error why = { 0 };
	struct net net;
	pid_t target;
	int rc = net_make(options->shape_rate, &net, err);

	if (rc == 0 && mkdir(mount_dir, 0700) < 0)
		rc = hl_fail(err, errno, "%s: %s", mount_dir, strerror(errno));
	if (rc == 0)
		rc = build_disk(building, mount_dir, err);
	if (rc == 0)
		rc = server_start_target(building->dir, built->device, &target, err);
	if (rc == 0 && !isnan(options->target_cpu_pct))
		rc = limit_cpu(building->id, options->target_cpu_pct, target, err);
	if (rc < 0)
		return rc;
	built->target_ns = net.target;
	built->initiator_ns = net.initiator;
	if (build_leaf(building, mount_dir, &why) < 0)
		snprintf(built->left_out, sizeof(built->left_out), "%s", why.text);
	return 0;
}

/* Only the end of control ends this: the parent is gone, or wants it. */
static void stay(int control)
{
	char byte;
	ssize_t nr;

	signal(SIGCHLD, SIG_IGN); /* nobody else collects the dead of a process namespace */
	do
		nr = read(control, &byte, 1);
	while (nr > 0 || (nr < 0 && errno == EINTR));
}

static bool is_orphan(int control)
{
	struct pollfd poll_fd = { .fd = control };

	return poll(&poll_fd, 1, 0) > 0;
}

static void supervise(const struct building *building, int control, int ready)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (is_orphan(control))
		_exit(1);
	prctl(PR_SET_NAME, "hoploss-demo");
	setsid(); /* a Ctrl-C at the terminal is not for the servers */
	building->built->rc = build(building, &building->built->err);
	building->built->is_done = true;
	close(ready); /* the parent waits for that */
	stay(control);
	_exit(0);
}

/* ---- in the parent ---- */

static int start(const struct building *building, struct supervisor *supervisor, const int *control,
		 const int *ready, struct hl_error *err)
{
	/* the next child is the first of a new process namespace, later ones follow it there */
	supervisor->home_ns = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
	if (supervisor->home_ns < 0 || unshare(CLONE_NEWPID) < 0)
		return hl_fail(err, errno, "new process namespace: %s", strerror(errno));
	supervisor->pid = fork();
	if (supervisor->pid < 0)
		return hl_fail(err, errno, "fork: %s", strerror(errno));
	if (supervisor->pid == 0) {
		close(control[1]);
		close(ready[0]);
		supervise(building, control[0], ready[1]);
	}
	return 0;
}

int supervisor_start(const struct hl_demo_options *options, const char *id, const char *dir,
		     struct supervisor *ret_supervisor, struct hl_error *err)
{
	struct built *built = mmap(NULL, sizeof(*built), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const struct building building = { options, id, dir, built };
	struct supervisor supervisor = {
		.built = built, .control = -1, .ready = -1, .home_ns = -1
	};
	int control[2], ready[2], rc;

	if (built == MAP_FAILED || pipe2(control, O_CLOEXEC) < 0)
		return hl_fail(err, errno, "pipe: %s", strerror(errno));
	if (pipe2(ready, O_CLOEXEC) < 0) {
		rc = hl_fail(err, errno, "pipe: %s", strerror(errno));
		close(control[0]);
		close(control[1]);
		return rc;
	}
	rc = start(&building, &supervisor, control, ready, err);
	close(control[0]);
	close(ready[1]);
	supervisor.control = control[1];
	supervisor.ready = ready[0];
	*ret_supervisor = supervisor;
	return rc;
}

int supervisor_wait(const struct supervisor *supervisor, struct hl_error *err)
{
	struct pollfd poll_fd = { .fd = supervisor->ready };
	const struct built *built = supervisor->built;
	int nr;

	do
		nr = poll(&poll_fd, 1, BUILD_MS);
	while (nr < 0 && errno == EINTR);
	if (nr == 0)
		return hl_fail(err, ETIMEDOUT, "the demo is not built after %d s", BUILD_MS / 1000);
	if (!built->is_done)
		return hl_fail(err, EIO, "the supervisor of the demo died");
	return built->rc < 0 ? hl_fail(err, built->err.code, "%s", built->err.text) : 0;
}

/* Its end is that of all others in the namespace, so it may take a moment. */
void supervisor_end(struct supervisor *supervisor)
{
	if (supervisor->control >= 0)
		close(supervisor->control);
	if (supervisor->ready >= 0)
		close(supervisor->ready);
	supervisor->control = supervisor->ready = -1;
	if (supervisor->pid <= 0)
		return;
	kill(supervisor->pid, SIGKILL);
	for (int waited = 0; waited < END_MS; waited += 10) {
		if (waitpid(supervisor->pid, NULL, WNOHANG) != 0)
			break;
		usleep(10000);
	}
	supervisor->pid = 0;
	setns(supervisor->home_ns, CLONE_NEWPID); /* no child can be made in a dead namespace */
	close(supervisor->home_ns);
}
