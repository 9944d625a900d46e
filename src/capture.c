/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What probes keep of libraries and tools: see hoploss/capture.h.
 *
 * A tool is started by its words, never by a shell, with nothing on its stdin and in the C locale.
 * It dies with the probe that started it; how long it may take is the probe's deadline.
 */
#include "hoploss/capture.h"
#include "hoploss/alloc.h"
#include "hoploss/file.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_MAX (4UL << 20)
#define WORDS_MAX  4096 /* of its stderr that are looked at */

/* Behind the user's own: where tools of the administrator are, which ssh does not look in. */
#define MORE_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

int hl_capture_keep(struct hl_capture *capture, const char *name, const char *node,
		    const char *bytes, size_t len, struct hl_error *err)
{
	const struct hl_record record = {
		.kind = HL_RECORD_KEPT,
		.path = name,
		.node = node,
		.bytes = bytes,
		.len = len,
	};
	int rc = capture->sink->put(capture->sink, &record);

	return rc < 0 ? hl_fail(err, -rc, "keep %s: %s", name, strerror(-rc)) : 0;
}

/* ---- running a tool ---- */

struct tool {
	pid_t pid;
	int out;   /* read end of its stdout */
	int words; /* its stderr, a file in memory */
	int start; /* read end: errno of an exec that failed, or nothing */
};

static void tool_close(const struct tool *tool)
{
	hl_close_fd(&tool->out);
	hl_close_fd(&tool->words);
	hl_close_fd(&tool->start);
}

static void set_environment(void)
{
	const char *path = getenv("PATH");
	char *all = hl_printf("%s%s%s", path ? path : "", path && *path ? ":" : "", MORE_PATH);

	setenv("PATH", all, 1);
	setenv("LC_ALL", "C", 1);
	unsetenv("LANGUAGE");
}

/* In the child; does not return. */
static void become_tool(const char *const *argv, int out, int words, int start)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int code;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	if (nothing >= 0)
		dup2(nothing, 0);
	else
		close(0);
	if (dup2(out, 1) >= 0 && dup2(words, 2) >= 0) {
		set_environment();
		execvp(argv[0], (char *const *)argv);
	}
	code = errno;
	if (write(start, &code, sizeof(code)) < 0)
		_exit(126);
	_exit(127);
}

static int spawn(const char *const *argv, struct tool *tool)
{
	int out[2], start[2];

	*tool = (struct tool){ .out = -1, .start = -1 };
	tool->words = memfd_create("words", MFD_CLOEXEC);
	if (tool->words < 0 || pipe2(out, O_CLOEXEC) < 0)
		return -errno;
	tool->out = out[0];
	if (pipe2(start, O_CLOEXEC) < 0) {
		close(out[1]);
		return -errno;
	}
	tool->start = start[0];
	tool->pid = fork();
	if (tool->pid == 0)
		become_tool(argv, out[1], tool->words, start[1]);
	close(out[1]);
	close(start[1]);
	return tool->pid < 0 ? -errno : 0;
}

/* Waits until it runs. -errno: why it does not. */
static int await_start(const struct tool *tool)
{
	int code = 0;
	ssize_t nr;

	do
		nr = read(tool->start, &code, sizeof(code));
	while (nr < 0 && errno == EINTR);
	return nr == sizeof(code) ? -code : 0;
}

static int await_end(const struct tool *tool)
{
	int status = 0;

	while (waitpid(tool->pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return status;
}

/* The last line of its stderr; all of it is in text. */
static const char *last_words(const struct tool *tool, char *text, size_t size)
{
	off_t end = lseek(tool->words, 0, SEEK_END);
	off_t from = end > (off_t)size - 1 ? end - (off_t)size + 1 : 0;
	ssize_t len = pread(tool->words, text, size - 1, from);
	const char *line;

	while (len > 0 && strchr("\r\n ", text[len - 1]))
		len--;
	text[len > 0 ? len : 0] = '\0';
	line = strrchr(text, '\n');
	return line ? line + 1 : text;
}

static bool is_denial(const char *words)
{
	static const char *const signs[] = { "ermission denied", "not permitted",
					     "ust be root",      "ccess denied",
					     "equires root",     "root privilege",
					     "superuser",        "run this as root" };

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (strstr(words, signs[i]))
			return true;
	}
	return false;
}

static int check_end(const struct tool *tool, const char *name, int status, struct hl_error *err)
{
	char text[WORDS_MAX];
	const char *words = last_words(tool, text, sizeof(text));
	int code = is_denial(text) ? EACCES : EIO;

	if (status < 0)
		return hl_fail(err, -status, "%s: %s", name, strerror(-status));
	if (WIFSIGNALED(status))
		return hl_fail(err, EIO, "%s was ended by signal %d", name, WTERMSIG(status));
	if (WEXITSTATUS(status))
		return hl_fail(err, code, "%s ended with code %d%s%s", name, WEXITSTATUS(status),
			       *words ? ": " : "", words);
	return 0;
}

int hl_capture_output(const char *const *argv, char **ret_bytes, size_t *ret_len,
		      struct hl_error *err)
{
	__attribute__((cleanup(tool_close))) struct tool tool;
	int rc = spawn(argv, &tool);
	int status;

	*ret_bytes = NULL;
	*ret_len = 0;
	if (rc < 0)
		return hl_fail(err, -rc, "start %s: %s", argv[0], strerror(-rc));
	rc = await_start(&tool);
	if (rc < 0) {
		await_end(&tool);
		return hl_fail(err, -rc, "%s: %s", argv[0],
			       rc == -ENOENT ? "not installed" : strerror(-rc));
	}
	rc = hl_file_read_fd(tool.out, OUTPUT_MAX, ret_bytes, ret_len);
	if (rc < 0)
		kill(tool.pid, SIGKILL);
	status = await_end(&tool);
	if (rc < 0)
		return hl_fail(err, -rc, "output of %s: %s", argv[0], strerror(-rc));
	return check_end(&tool, argv[0], status, err);
}

int hl_capture_command(struct hl_capture *capture, const char *name, const char *node,
		       const char *const *argv, struct hl_error *err)
{
	HL_FREE char *bytes = NULL;
	size_t len = 0;
	int end = hl_capture_output(argv, &bytes, &len, err);
	int rc = len ? hl_capture_keep(capture, name, node, bytes, len, err) : 0;

	return rc < 0 ? rc : end;
}
