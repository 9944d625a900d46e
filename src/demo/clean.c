/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removing what a killed demo left: see hoploss/demo.h. Only what carries the UUID of a journal of
 * this machine is touched, and only when the process that owned it is gone.
 */
#include "demo.h"
#include "hoploss/alloc.h"
#include "hoploss/engine.h"
#include "hoploss/machine.h"
#include "hoploss/number.h"
#include "journal.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PATIENCE_S 5.0
#define STEP_US    20000
#define TEMPORARY  ".tmp-" /* and a process: what hl_file_write_at writes first */

struct cleaning {
	const struct journal *journal;
	hl_demo_removed *removed;
	void *context;
	struct hl_error *err;
	int rc; /* of the first thing that could not be removed */
};

static void tell(const struct cleaning *cleaning, const char *what, const char *name)
{
	if (cleaning->removed)
		cleaning->removed(cleaning->context, what, name);
}

static void fail(struct cleaning *cleaning, int code, const char *what, const char *name)
{
	if (cleaning->rc == 0)
		cleaning->rc = hl_fail(cleaning->err, code, "%s %s: %s", what, name,
				       strerror(code));
}

/* ---- loop devices ---- */

/* Does the loop device carry a file of dir in its name? Opening it may be its end. */
static bool is_of(const char *device, const char *dir)
{
	HL_CLOSE int fd = open(device, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t len = strlen(dir);
	struct loop_info64 info;
	const char *name = (const char *)info.lo_file_name;

	return fd >= 0 && ioctl(fd, LOOP_GET_STATUS64, &info) == 0 && !strncmp(name, dir, len) &&
	       name[len] == '/';
}

/* The devices of dir that are attached; returns how many. */
static size_t each_loop(const char *dir, void (*each)(void *context, const char *device),
			void *context)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	char **names = NULL;
	size_t nr = 0, nr_found = 0;

	if (hl_machine_list(machine, "/sys/block", &names, &nr, NULL) < 0)
		nr = 0;
	for (size_t i = 0; i < nr; i++) {
		HL_FREE char *device = hl_printf("/dev/%s", names[i]);

		if (strncmp(names[i], "loop", 4) != 0 || !is_of(device, dir))
			continue;
		nr_found++;
		if (each)
			each(context, device);
	}
	hl_machine_free_names(names, nr);
	hl_machine_close(machine);
	return nr_found;
}

static bool are_gone(const char *dir, double seconds)
{
	uint64_t deadline = hl_clock_ns() + (uint64_t)(seconds * 1e9);

	while (each_loop(dir, NULL, NULL)) {
		if (hl_clock_ns() > deadline)
			return false;
		usleep(STEP_US);
	}
	return true;
}

static void detach(void *context, const char *device)
{
	HL_CLOSE int fd = open(device, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && ioctl(fd, LOOP_CLR_FD) == 0)
		tell(context, "loop device", device);
	else if (errno != ENXIO)
		fail(context, errno, "loop device", device);
}

/* They go by themselves with their last user; what is left after a while has lost it. */
static void clean_loops(struct cleaning *cleaning)
{
	const char *dir = cleaning->journal->dir;

	if (are_gone(dir, PATIENCE_S))
		return;
	each_loop(dir, detach, cleaning);
	if (!are_gone(dir, PATIENCE_S))
		fail(cleaning, EBUSY, "loop device on a file of", dir);
}

/* ---- the rest ---- */

static bool dies(const struct process *process, double seconds)
{
	uint64_t deadline = hl_clock_ns() + (uint64_t)(seconds * 1e9);

	while (journal_lives(process)) {
		if (hl_clock_ns() > deadline)
			return false;
		usleep(STEP_US);
	}
	return true;
}

/* It dies with its owner, whose death may have been a moment ago. */
static void clean_supervisor(struct cleaning *cleaning)
{
	const struct process *supervisor = &cleaning->journal->supervisor;
	char name[32];

	if (dies(supervisor, PATIENCE_S))
		return;
	snprintf(name, sizeof(name), "%d", (int)supervisor->pid);
	kill(supervisor->pid, SIGKILL);
	if (dies(supervisor, PATIENCE_S))
		tell(cleaning, "process", name);
	else
		fail(cleaning, EBUSY, "process", name);
}

/* A group is busy until the last of its processes has been collected. */
static void remove_group(void *context, const char *group)
{
	uint64_t deadline = hl_clock_ns() + (uint64_t)(PATIENCE_S * 1e9);
	int rc;

	while ((rc = rmdir(group)) < 0 && errno == EBUSY && hl_clock_ns() < deadline)
		usleep(STEP_US);
	if (rc == 0)
		tell(context, "control group", group);
	else if (errno != ENOENT)
		fail(context, errno, "control group", group);
}

static void remove_files(struct cleaning *cleaning)
{
	const struct journal *journal = cleaning->journal;

	if (rmdir(journal->dir) == 0)
		tell(cleaning, "directory", journal->dir);
	else if (errno != ENOENT)
		fail(cleaning, errno, "directory", journal->dir);
	if (cleaning->rc == 0 && unlink(journal->file) == 0)
		tell(cleaning, "journal", journal->file);
}

int leftover_remove(const struct journal *journal, bool is_of_boot, hl_demo_removed *removed,
		    void *context, struct hl_error *err)
{
	struct cleaning cleaning = { journal, removed, context, err, 0 };

	if (is_of_boot)
		clean_supervisor(&cleaning);
	clean_loops(&cleaning);
	limit_each(journal->id, remove_group, &cleaning);
	remove_files(&cleaning);
	rmdir(HL_DEMO_DIR); /* unless there are others */
	return cleaning.rc;
}

static bool is_journal(const char *name, char *ret_id)
{
	if (strlen(name) != DEMO_ID_LEN + strlen(JOURNAL_SUFFIX) ||
	    strcmp(name + DEMO_ID_LEN, JOURNAL_SUFFIX) != 0)
		return false;
	memcpy(ret_id, name, DEMO_ID_LEN);
	ret_id[DEMO_ID_LEN] = '\0';
	return true;
}

static int clean_journal(const char *id, hl_demo_removed *removed, void *context,
			 struct hl_error *err)
{
	struct journal journal;
	bool is_of_boot;
	int rc = journal_read(id, &journal, &is_of_boot, err);

	if (rc < 0 || (is_of_boot && journal_lives(&journal.owner)))
		return rc;
	return leftover_remove(&journal, is_of_boot, removed, context, err);
}

/* A journal that a kill kept from getting its name. */
static void remove_temporary(const char *name, hl_demo_removed *removed, void *context)
{
	HL_FREE char *path = hl_printf(HL_DEMO_DIR "/%s", name);
	uint64_t pid;

	if (strncmp(name, TEMPORARY, strlen(TEMPORARY)) != 0 ||
	    hl_number_u64(name + strlen(TEMPORARY), strlen(name) - strlen(TEMPORARY), &pid) < 0 ||
	    pid > INT32_MAX || journal_start_of((pid_t)pid))
		return;
	if (unlink(path) == 0 && removed)
		removed(context, "file", path);
}

int hl_demo_clean(hl_demo_removed *removed, void *context, struct hl_error *err)
{
	struct hl_machine *machine = hl_machine_open("/", NULL);
	char **names = NULL, id[DEMO_ID_LEN + 1];
	size_t nr = 0;
	int rc = hl_machine_list(machine, HL_DEMO_DIR, &names, &nr, err);

	hl_machine_close(machine);
	if (rc < 0)
		return rc == -ENOENT ? 0 : rc;
	for (size_t i = 0; i < nr; i++) {
		struct hl_error why;
		int one = is_journal(names[i], id) ? clean_journal(id, removed, context, &why) : 0;

		remove_temporary(names[i], removed, context);
		if (one < 0 && rc == 0)
			rc = hl_fail(err, -one, "%s", why.text);
	}
	rmdir(HL_DEMO_DIR); /* unless something is still in it */
	hl_machine_free_names(names, nr);
	return rc;
}
