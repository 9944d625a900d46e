/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who holds a target: see hoploss/holder.h. This file asks the kernel; holder_export.c looks at
 * exports and configurations, holder_process.c at processes.
 *
 * Surprising: a loop device and the file under it are one medium, so who holds the one holds the
 * other; and btrfs mounts show a device number of their own, so the source is looked at too.
 */
#include "hoploss/holder.h"
#include "hoploss/alloc.h"
#include "hoploss/machine.h"
#include "hoploss/signature.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define INITIAL_PID_NS "pid:[4026531836]" /* PROC_PID_INIT_INO of the kernel */

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_nlink && b->st_nlink && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_target(const struct hl_holder_look *look, const struct stat *status)
{
	if (S_ISBLK(status->st_mode))
		return (S_ISBLK(look->target.st_mode) && status->st_rdev == look->target.st_rdev) ||
		       (S_ISBLK(look->backing.st_mode) && status->st_rdev == look->backing.st_rdev);
	return S_ISREG(status->st_mode) &&
	       (is_same_file(status, &look->target) || is_same_file(status, &look->backing));
}

bool hl_holder_leads_to_target(const struct hl_holder_look *look, const char *path)
{
	struct stat status;

	return path[0] == '/' && stat(path, &status) == 0 && is_target(look, &status);
}

/* ---- mounts ---- */

/* The n-th word of a line, from 0. */
static const char *word_at(const char *line, unsigned n)
{
	while (n-- && line) {
		line = strchr(line, ' ');
		line += line ? 1 : 0;
	}
	return line;
}

/* Spaces and the like stand as \040 in it. */
static char *unescaped(const char *word)
{
	char *text = hl_strndup(word, strcspn(word, " \n")), *to = text;

	for (const char *from = text; *from; to++) {
		if (from[0] == '\\' && isdigit((unsigned char)from[1]) && strlen(from) >= 4) {
			const char digits[4] = { from[1], from[2], from[3], '\0' };

			*to = (char)strtoul(digits, NULL, 8);
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
	return text;
}

/* proc(5): ID parent major:minor root directory options … - type source superoptions */
static bool is_mount_of(const struct hl_holder_look *look, const char *line)
{
	const char *number = word_at(line, 2), *rest = strstr(line, " - ");
	HL_FREE char *source = NULL;
	unsigned long device_major, device_minor;
	char *end;

	if (!number || !rest)
		return false;
	device_major = strtoul(number, &end, 10);
	device_minor = *end == ':' ? strtoul(end + 1, &end, 10) : 0;
	if (*end != ' ')
		return false;
	if (S_ISBLK(look->target.st_mode) &&
	    makedev((unsigned)device_major, (unsigned)device_minor) == look->target.st_rdev)
		return true;
	source = unescaped(word_at(rest + 3, 1));
	return hl_holder_leads_to_target(look, source);
}

static int in_mounts_of(struct hl_holder_look *look, const char *pid)
{
	HL_FREE char *path = hl_printf("/proc/%s/mountinfo", pid);
	HL_FREE char *bytes = NULL;
	size_t len;
	char *rest = NULL;

	if (hl_machine_read(look->machine, path, &bytes, &len, NULL) < 0)
		return 0;
	for (char *line = strtok_r(bytes, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		HL_FREE char *directory = NULL;

		if (!is_mount_of(look, line))
			continue;
		directory = unescaped(word_at(line, 4));
		snprintf(look->who, look->size,
			 "it is mounted on %s, in the namespace of process %s", directory, pid);
		return 1;
	}
	return 0;
}

/* A namespace's mounts are read once, of the first process that is in it. */
static int in_mounts(struct hl_holder_look *look)
{
	HL_FREE ino_t *seen = NULL;
	size_t nr_seen = 0, nr = 0;
	char **names;
	int found = 0;

	if (hl_machine_list(look->machine, "/proc", &names, &nr, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr && !found; i++) {
		HL_FREE char *path = hl_printf("/proc/%s/ns/mnt", names[i]);
		struct stat space;
		bool is_new = true;

		if (!isdigit((unsigned char)names[i][0]) || stat(path, &space) < 0)
			continue;
		for (size_t k = 0; k < nr_seen; k++)
			is_new &= seen[k] != space.st_ino;
		if (!is_new)
			continue;
		seen = hl_grow(seen, nr_seen + 1, sizeof(*seen));
		seen[nr_seen++] = space.st_ino;
		found = in_mounts_of(look, names[i]);
	}
	hl_machine_free_names(names, nr);
	return found;
}

/* ---- swap ---- */

static int in_swap(struct hl_holder_look *look)
{
	HL_FREE char *bytes = NULL;
	size_t len;
	char *rest = NULL;

	if (hl_machine_read(look->machine, "/proc/swaps", &bytes, &len, NULL) < 0)
		return 0;
	for (char *line = strtok_r(bytes, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		HL_FREE char *path = unescaped(line);

		if (!hl_holder_leads_to_target(look, path))
			continue;
		snprintf(look->who, look->size, "it is swap space");
		return 1;
	}
	return 0;
}

/* ---- what stands on it ---- */

/* What the device mapper's user called it: a volume, a map, an open LUKS. */
static char *name_of_holder(struct hl_holder_look *look, const char *kernel_name)
{
	HL_FREE char *path = hl_printf("/sys/block/%s/dm/name", kernel_name);
	HL_FREE char *name = NULL;
	size_t len;

	if (hl_machine_read(look->machine, path, &name, &len, NULL) < 0)
		return hl_strdup(kernel_name);
	return hl_printf("%s (%.*s)", kernel_name, (int)strcspn(name, "\n"), name);
}

static int in_holders(struct hl_holder_look *look, const char *device)
{
	HL_FREE char *path = hl_printf("%s/holders", device);
	char **names;
	size_t nr;
	int found = 0;

	if (hl_machine_list(look->machine, path, &names, &nr, NULL) < 0)
		return 0;
	if (nr) {
		HL_FREE char *name = name_of_holder(look, names[0]);

		snprintf(look->who, look->size, "%s stands on it", name);
		found = 1;
	}
	hl_machine_free_names(names, nr);
	return found;
}

/* By the kernel's name; "" = nothing that libblkid knows, or it cannot be read. */
static void find_contents(const char *name, char *ret_what, size_t size)
{
	HL_FREE char *path = hl_printf("/dev/%s", name);
	HL_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || hl_signature_find(fd, ret_what, size, NULL) <= 0)
		*ret_what = '\0';
}

static int in_partitions(struct hl_holder_look *look, const char *device)
{
	char **names;
	size_t nr;
	int found = 0;

	if (hl_machine_list(look->machine, device, &names, &nr, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr && !found; i++) {
		HL_FREE char *path = hl_printf("%s/%s/partition", device, names[i]);
		HL_FREE char *number = NULL;
		char what[64];
		size_t len;

		if (hl_machine_read(look->machine, path, &number, &len, NULL) < 0)
			continue;
		find_contents(names[i], what, sizeof(what));
		snprintf(look->who, look->size, "it has partitions: %s%s%s%s", names[i],
			 *what ? " (" : "", what, *what ? ")" : "");
		found = 1;
	}
	hl_machine_free_names(names, nr);
	return found;
}

/* ---- loop devices ---- */

/* The file under a loop device as far as stat(2) would tell; st_nlink 0 = no such device. */
static struct stat backing_of(const char *device)
{
	HL_CLOSE int fd = open(device, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct loop_info64 info;
	struct stat file = { 0 };

	if (fd < 0 || ioctl(fd, LOOP_GET_STATUS64, &info) < 0)
		return file;
	file.st_nlink = 1;
	file.st_mode = info.lo_rdevice ? S_IFBLK : S_IFREG;
	file.st_dev = (dev_t)info.lo_device;
	file.st_ino = (ino_t)info.lo_inode;
	file.st_rdev = (dev_t)info.lo_rdevice;
	return file;
}

static int in_loop(struct hl_holder_look *look, const char *name)
{
	HL_FREE char *device = hl_printf("/dev/%s", name);
	struct stat itself, file;

	if (stat(device, &itself) < 0 ||
	    (S_ISBLK(look->target.st_mode) && itself.st_rdev == look->target.st_rdev))
		return 0;
	file = backing_of(device);
	if (!file.st_nlink || !is_target(look, &file))
		return 0;
	snprintf(look->who, look->size, "the loop device %s stands on %s", device,
		 look->backing.st_nlink ? "the file under it" : "it");
	return 1;
}

static int in_loops(struct hl_holder_look *look)
{
	char **names;
	size_t nr;
	int found = 0;

	if (hl_machine_list(look->machine, "/sys/block", &names, &nr, NULL) < 0)
		return 0;
	for (size_t i = 0; i < nr && !found; i++) {
		if (!strncmp(names[i], "loop", 4))
			found = in_loop(look, names[i]);
	}
	hl_machine_free_names(names, nr);
	return found;
}

static void find_backing(struct hl_holder_look *look, const char *device)
{
	HL_FREE char *path = hl_printf("%s/loop/backing_file", device);
	HL_FREE char *bytes = NULL, *link = NULL, *node = NULL;
	size_t len;

	if (hl_machine_read(look->machine, path, &bytes, &len, NULL) < 0 ||
	    hl_machine_readlink(look->machine, device, &link, NULL) < 0)
		return;
	node = hl_printf("/dev/%s", strrchr(link, '/') ? strrchr(link, '/') + 1 : link);
	look->backing = backing_of(node);
}

int hl_holder_in_kernel(struct hl_holder_look *look)
{
	HL_FREE char *device = hl_printf("/sys/dev/block/%u:%u", major(look->target.st_rdev),
					 minor(look->target.st_rdev));
	int found = 0;

	if (S_ISBLK(look->target.st_mode)) {
		find_backing(look, device);
		found = in_holders(look, device);
	}
	if (!found)
		found = in_mounts(look);
	if (!found)
		found = in_swap(look);
	if (!found && S_ISBLK(look->target.st_mode))
		found = in_partitions(look, device);
	return found ? found : in_loops(look);
}

/* ---- all of it ---- */

/* That nothing is found there proves nothing where nothing could be. */
static int check_seen(const struct hl_holder_look *look, const char *path, struct hl_error *err)
{
	char **names;
	size_t nr = 0;

	if (hl_machine_list(look->machine, path, &names, &nr, NULL) == 0)
		hl_machine_free_names(names, nr);
	if (nr)
		return 0; /* the target itself is in it at least */
	return hl_fail(err, EXDEV, "who holds it cannot be seen here: %s cannot be read", path);
}

/* The proof must be whole: whoever does not see all devices and processes cannot give it. */
static int check_sight(const struct hl_holder_look *look, struct hl_error *err)
{
	HL_FREE char *device = hl_printf("/sys/dev/block/%u:%u", major(look->target.st_rdev),
					 minor(look->target.st_rdev));
	HL_FREE char *space = NULL;
	int rc;

	if (geteuid() != 0)
		return hl_fail(err, EPERM, "only root sees who else has it open");
	rc = check_seen(look, "/sys/block", err);
	if (rc < 0 || !S_ISBLK(look->target.st_mode))
		return rc;
	rc = check_seen(look, device, err);
	if (rc < 0)
		return rc;
	if (hl_machine_readlink(look->machine, "/proc/self/ns/pid", &space, NULL) < 0 ||
	    strcmp(space, INITIAL_PID_NS) != 0)
		return hl_fail(err, EXDEV,
			       "a container does not see who else on its machine has it open");
	return 0;
}

int hl_holder_find(const struct stat *status, char *ret_who, size_t size, struct hl_error *err)
{
	struct hl_holder_look look = { .target = *status, .size = size };
	int found;

	look.who = ret_who;
	look.machine = hl_machine_open("/", NULL);
	found = check_sight(&look, err);
	if (found == 0)
		found = hl_holder_in_kernel(&look);
	if (found == 0)
		found = hl_holder_in_exports(&look);
	if (found == 0)
		found = hl_holder_in_processes(&look);
	hl_machine_close(look.machine);
	return found;
}
