/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Other people's programs: which package has them, starting them without a shell, and what they
 * said last when they fail.
 */
#include "demo.h"
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOG_MAX (1u << 20)

static const struct {
	const char *name, *package;
} packages[] = {
	{ "tgtd", "tgt" },
	{ "tgtadm", "tgt" },
	{ "mkfs.ext4", "e2fsprogs" },
	{ "nsenter", "util-linux" },
	{ "qemu-storage-daemon", "qemu-system-common" },
};

/* Administrators' programs are not on everybody's PATH. */
static char *find_program(const char *name)
{
	const char *path = getenv("PATH");
	HL_FREE char *dirs = hl_printf("%s:/usr/sbin:/sbin:/usr/bin:/bin", path ? path : "");
	char *rest = dirs;

	for (char *dir; (dir = strsep(&rest, ":"));) {
		char *file = hl_printf("%s/%s", dir, name);

		if (*dir == '/' && access(file, X_OK) == 0)
			return file;
		free(file);
	}
	return NULL;
}

int program_check(const char *name, struct hl_error *err)
{
	HL_FREE char *file = find_program(name);
	const char *package = name;

	if (file)
		return 0;
	for (size_t i = 0; i < sizeof(packages) / sizeof(*packages); i++) {
		if (!strcmp(packages[i].name, name))
			package = packages[i].package;
	}
	return hl_fail(err, ENOPKG, "%s is missing: install the package %s", name, package);
}

int program_start(const char *const *argv, const char *log, char *const *environment,
		  pid_t *ret_pid, struct hl_error *err)
{
	HL_FREE char *file = find_program(argv[0]);
	posix_spawn_file_actions_t files;
	int rc;

	if (!file)
		return program_check(argv[0], err);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_adddup2(&files, 1, 2);
	rc = posix_spawn(ret_pid, file, &files, NULL, (char *const *)argv,
			 environment ? environment : environ);
	posix_spawn_file_actions_destroy(&files);
	return rc ? hl_fail(err, rc, "%s: %s", file, strerror(rc)) : 0;
}

/* The last line of its log that is not empty. */
static int failed(const char *name, const char *log, int status, struct hl_error *err)
{
	HL_FREE char *bytes = NULL;
	size_t len = 0;
	char *line;

	if (hl_file_read_at(AT_FDCWD, log, LOG_MAX, &bytes, &len) < 0)
		bytes = hl_strdup("");
	len = strlen(bytes);
	while (len && strchr("\r\n ", bytes[len - 1]))
		bytes[--len] = '\0';
	line = strrchr(bytes, '\n');
	line = line ? line + 1 : bytes;
	if (WIFSIGNALED(status))
		return hl_fail(err, EIO, "%s was killed by signal %d: %s", name, WTERMSIG(status),
			       line);
	return hl_fail(err, EIO, "%s ended with code %d: %s", name, WEXITSTATUS(status), line);
}

int program_run(const char *const *argv, const char *log, char *const *environment,
		struct hl_error *err)
{
	pid_t pid = -1;
	int status, rc;

	rc = program_start(argv, log, environment, &pid, err);
	if (rc < 0)
		return rc;
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return hl_fail(err, errno, "%s: %s", argv[0], strerror(errno));
	}
	return status ? failed(argv[0], log, status, err) : 0;
}

bool program_has_ended(pid_t pid, const char *name, const char *log, struct hl_error *err)
{
	int status;

	if (waitpid(pid, &status, WNOHANG) != pid)
		return false;
	failed(name, log, status, err);
	return true;
}
