/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Making and removing the demo: see hoploss/demo.h. Removing goes the way that the kernel takes
 * when this process is killed: first the supervisor dies and everything that runs with it, then the
 * mounts go, and loop devices with their last user.
 */
#include "demo.h"
#include "compare.h"
#include "hoploss/alloc.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define TMPFS_SIZE "size=512m,mode=700"

struct hl_demo {
	struct hl_demo_options options;
	struct journal journal;
	struct supervisor supervisor;
	struct limit limit;
	bool is_mounted;
	char self[PATH_MAX]; /* this program */
	char *path_text, *scratch;
	char *target_ns, *initiator_ns; /* as files, for whoever enters them */
};

/* ---- making ---- */

static int check_machine(struct hl_error *err)
{
	static const char *const wanted[] = { "tgtd", "tgtadm", "mkfs.ext4", "nsenter" };
	int rc = 0;

	if (geteuid() != 0)
		return hl_fail(err, EPERM,
			       "the demo makes loop devices, mounts and network namespaces: run it "
			       "as root");
	for (size_t i = 0; rc == 0 && i < sizeof(wanted) / sizeof(*wanted); i++)
		rc = program_check(wanted[i], err);
	return rc;
}

/* Before the mounts are our own: afterwards the kernel may tell a path of the old ones. */
static int find_self(struct hl_demo *demo, struct hl_error *err)
{
	if (readlink("/proc/self/exe", demo->self, sizeof(demo->self) - 1) < 0)
		return hl_fail(err, errno, "/proc/self/exe: %s", strerror(errno));
	return 0;
}

/* Mounts of the machine still come and go here, ours are not seen there. */
static int mount_dir(struct hl_demo *demo, struct hl_error *err)
{
	const char *dir = demo->journal.dir;

	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
		return hl_fail(err, errno, "new mount namespace: %s", strerror(errno));
	if (mount("hoploss", dir, "tmpfs", MS_NOSUID | MS_NODEV, TMPFS_SIZE) < 0)
		return hl_fail(err, errno, "tmpfs at %s: %s", dir, strerror(errno));
	demo->is_mounted = true;
	return 0;
}

/* Whoever enters a namespace looks for hoploss on the PATH: it shall find this program. */
static int set_path(const struct hl_demo *demo, struct hl_error *err)
{
	HL_FREE char *bin = hl_printf("%s/bin", demo->journal.dir);
	HL_FREE char *link = hl_printf("%s/hoploss", bin);
	const char *old = getenv("PATH");
	HL_FREE char *path = hl_printf("%s:%s", bin, old ? old : "/usr/bin:/bin");

	if (mkdir(bin, 0700) < 0 || symlink(demo->self, link) < 0 || setenv("PATH", path, 1) < 0)
		return hl_fail(err, errno, "%s: %s", link, strerror(errno));
	return 0;
}

static int start_all(struct hl_demo *demo, struct hl_error *err)
{
	struct supervisor *supervisor = &demo->supervisor;
	bool is_disk_limited = !isnan(demo->options.disk_rate);
	int rc = 0;

	if (is_disk_limited)
		rc = limit_disk_begin(demo->journal.id, &demo->limit, err);
	if (rc == 0)
		rc = supervisor_start(&demo->options, demo->journal.id, demo->journal.dir,
				      supervisor, err);
	if (rc == 0)
		rc = journal_set_supervisor(&demo->journal, supervisor->pid, err);
	if (rc == 0)
		rc = supervisor_wait(supervisor, err);
	if (rc == 0 && is_disk_limited)
		rc = limit_disk_set(&demo->limit, supervisor->built->device,
				    demo->options.disk_rate, err);
	return rc;
}

/* ---- its path file ---- */

static void print_host(FILE *out, const char *name, const char *ns)
{
	fprintf(out, "[host %s]\nvia = nsenter --net=%s --\n", name, ns);
}

static void print_lun(FILE *out, const char *hop, const char *layer, const char *after,
		      const char *host, const char *address)
{
	fprintf(out, "[hop %s]\nhost = %s\nlayer = %s\nafter = %s\n", hop, host, layer, after);
	fprintf(out, "target = iscsi://%s/%s/%d\n", address, DEMO_IQN, DEMO_LUN);
}

static char *print_path(const struct hl_demo *demo)
{
	const struct built *built = demo->supervisor.built;
	const struct wire *shaped = &demo_wires[0], *unshaped = &demo_wires[1];
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	fprintf(out, "[path]\nname = demo, emulated: a disk in RAM and a network inside one "
		     "machine\nmedium = ram\n");
	print_host(out, "target", demo->target_ns);
	print_host(out, "initiator", demo->initiator_ns);
	fprintf(out, "[hop disk]\nlayer = drive\ntarget = %s/disk\n", demo->journal.dir);
	fprintf(out, "[hop loop]\nlayer = vdisk\ntarget = %s\n", built->device);
	print_lun(out, "loopback", "target", "loop", "target", unshaped->target_address);
	print_lun(out, shaped->name, "vnic", "loopback", "initiator", shaped->target_address);
	print_lun(out, unshaped->name, "vnic", "loopback", "initiator", unshaped->target_address);
	if (!built->left_out[0])
		fprintf(out,
			"[hop file]\nlayer = filesystem\nafter = loopback\ntarget = "
			"file:%s/fs/data\n",
			demo->journal.dir);
	fclose(out);
	return text;
}

static void describe(struct hl_demo *demo)
{
	const struct supervisor *supervisor = &demo->supervisor;

	demo->target_ns = hl_printf("/proc/%d/fd/%d", (int)supervisor->pid,
				    supervisor->built->target_ns);
	demo->initiator_ns = hl_printf("/proc/%d/fd/%d", (int)supervisor->pid,
				       supervisor->built->initiator_ns);
	demo->scratch = hl_printf("%s/bundle", demo->journal.dir);
	demo->path_text = print_path(demo);
}

int hl_demo_open(const struct hl_demo_options *options, struct hl_demo **ret_demo,
		 struct hl_error *err)
{
	struct hl_demo *demo;
	struct journal journal;
	int rc = check_machine(err);

	if (rc == 0)
		rc = journal_begin(&journal, err);
	if (rc < 0)
		return rc;
	demo = hl_alloc(sizeof(*demo));
	demo->options = *options;
	demo->journal = journal;
	demo->supervisor.control = demo->supervisor.ready = -1;
	rc = find_self(demo, err);
	if (rc == 0)
		rc = mount_dir(demo, err);
	if (rc == 0)
		rc = set_path(demo, err);
	if (rc == 0)
		rc = start_all(demo, err);
	if (rc < 0) {
		hl_demo_close(demo);
		return rc;
	}
	describe(demo);
	*ret_demo = demo;
	return 0;
}

/* ---- using ---- */

const char *hl_demo_path(const struct hl_demo *demo)
{
	return demo->path_text;
}

const char *hl_demo_scratch(const struct hl_demo *demo)
{
	return demo->scratch;
}

const char *hl_demo_left_out(const struct hl_demo *demo)
{
	return demo->supervisor.built->left_out[0] ? demo->supervisor.built->left_out : NULL;
}

int hl_demo_compare(const struct hl_demo *demo, struct hl_error *err)
{
	const struct built *built = demo->supervisor.built;
	const struct wire *shaped = &demo_wires[0], *unshaped = &demo_wires[1];
	HL_FREE char *disk = hl_printf("%s/disk", demo->journal.dir);
	HL_FREE char *slow = hl_printf("iscsi://%s/%s/%d", shaped->target_address, DEMO_IQN,
				       DEMO_LUN);
	HL_FREE char *fast = hl_printf("iscsi://%s/%s/%d", unshaped->target_address, DEMO_IQN,
				       DEMO_LUN);
	const struct view views[] = {
		{ "disk", disk, NULL },
		{ "loop", built->device, NULL },
		{ "loopback", fast, demo->target_ns },
		{ shaped->name, slow, demo->initiator_ns },
		{ unshaped->name, fast, demo->initiator_ns },
		{ "file", built->image, NULL },
	};

	return compare_views(views, sizeof(views) / sizeof(*views) - (built->left_out[0] != '\0'),
			     err);
}

/* ---- removing ---- */

static void unmount(const struct hl_demo *demo)
{
	HL_FREE char *fs = hl_printf("%s/fs", demo->journal.dir);
	HL_FREE char *lun = hl_printf("%s/lun", demo->journal.dir);

	if (!demo->is_mounted)
		return;
	umount2(fs, MNT_DETACH);
	umount2(lun, MNT_DETACH);
	umount2(demo->journal.dir, MNT_DETACH);
}

void hl_demo_close(struct hl_demo *demo)
{
	if (!demo)
		return;
	supervisor_end(&demo->supervisor);
	unmount(demo);
	limit_disk_end(&demo->limit);
	leftover_remove(&demo->journal, true, NULL, NULL, NULL);
	free(demo->path_text);
	free(demo->scratch);
	free(demo->target_ns);
	free(demo->initiator_ns);
	free(demo);
}
