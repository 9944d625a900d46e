/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The worker's side of a capture: every probe acquires in a child of its own, all at once, and what
 * they read goes to the coordinator line by line. Nothing is written on this host.
 *
 * What sleeps in the kernel cannot be killed (a suspended pool, a hung sysfs file), so the worker
 * waits for no child longer than its deadline: it kills it, waits a little more, and abandons it.
 * A child writes whole lines into its pipe and the worker passes only whole lines on, so that one
 * that is killed in the middle of a line leaves nothing of it.
 */
#include "hoploss/engine.h"
#include "hoploss/probe.h"
#include "record_line.h"
#include "worker.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEADLINE_S    5.0
#define DEADLINE_MAX  60.0
#define PATIENCE_MS   300 /* between SIGKILL and giving up */
#define NS_PER_S      1e9
#define NR_LINKS_SENT 1024 /* that are remembered; a power of two */

/* ---- in the child ---- */

/* Every path through a link records it: the same again is not sent again. */
struct line_sink {
	struct hl_capture_sink sink;
	FILE *out;
	double id;
	uint64_t links[NR_LINKS_SENT];
};

/* FNV-1a, of the path and then of the target. */
static uint64_t hash_of(const struct hl_record *record)
{
	uint64_t hash = 14695981039346656037u;

	for (const char *at = record->path; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 1099511628211u;
	for (size_t i = 0; i < record->len; i++)
		hash = (hash ^ (unsigned char)record->bytes[i]) * 1099511628211u;
	return hash;
}

static bool is_sent(struct line_sink *line, const struct hl_record *record)
{
	uint64_t hash = record->kind == HL_RECORD_LINK ? hash_of(record) : 0;
	uint64_t *known = &line->links[hash % NR_LINKS_SENT];
	bool is_known = hash && *known == hash;

	if (hash)
		*known = hash;
	return is_known;
}

static int line_put(struct hl_capture_sink *sink, const struct hl_record *record)
{
	struct line_sink *line = (struct line_sink *)sink;
	struct hl_json_out *out;

	if (record->len > RECORD_LINE_MAX)
		return -EFBIG;
	if (is_sent(line, record))
		return 0;
	out = hl_json_out_new_line(line->out);
	hl_json_object(out, NULL);
	hl_json_put_number(out, "id", line->id);
	record_line_put(out, record);
	hl_json_close(out);
	hl_json_out_free(out);
	fputc('\n', line->out);
	/* at once: what was read before a file that hangs counts */
	return fflush(line->out) != 0 ? -EPIPE : 0;
}

static const char *status_name(int rc)
{
	static const struct {
		int code;
		const char *name;
	} rows[] = {
		{ 0, "ok" },         { ENOENT, "absent" },          { EACCES, "denied" },
		{ EPERM, "denied" }, { EOPNOTSUPP, "unsupported" }, { ETIMEDOUT, "hung" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].code == -rc)
			return rows[i].name;
	}
	return "failed";
}

static void put_status(FILE *file, double id, const char *probe, int rc, const char *reason)
{
	struct hl_json_out *out = hl_json_out_new_line(file);

	hl_json_object(out, NULL);
	hl_json_put_number(out, "id", id);
	hl_json_object(out, "probe");
	hl_json_put_string(out, "name", probe);
	hl_json_put_string(out, "status", status_name(rc));
	hl_json_put_string(out, "reason", reason);
	hl_json_close(out);
	hl_json_close(out);
	hl_json_out_free(out);
	fputc('\n', file);
	fflush(file);
}

/* A library may print, or read what is said to the worker: neither must reach the line. */
static void leave_line(void)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (nothing < 0)
		nothing = memfd_create("nothing", MFD_CLOEXEC); /* an empty root */
	dup2(nothing, 0);
	dup2(nothing, 1);
}

static void child_run(const struct hl_probe *probe, double id, int fd)
{
	HL_FREE struct line_sink *line = hl_alloc(sizeof(*line));
	struct hl_capture capture = { .sink = &line->sink };
	struct hl_error err = { 0 };
	HL_FREE char *denied = NULL;
	const char *first;
	unsigned nr_denied;
	int rc;

	line->sink.put = line_put;
	line->id = id;
	line->out = fdopen(fd, "w");
	if (!line->out)
		return;
	capture.machine = hl_machine_open_to("/", &line->sink);
	rc = probe->acquire(&capture, &err);
	nr_denied = hl_machine_denied(capture.machine, &first);
	if (rc == 0 && nr_denied)
		denied = hl_printf("%u %s more privilege, the first %s", nr_denied,
				   nr_denied == 1 ? "file wants" : "files want", first);
	put_status(line->out, id, probe->name, rc, rc < 0 ? err.text : denied);
	hl_machine_close(capture.machine);
}

/* ---- in the worker ---- */

struct probing {
	const struct hl_probe *probe;
	pid_t pid;
	struct lines from; /* fd -1: it is over */
};

struct probings {
	struct worker *worker;
	struct probing *items;
	size_t nr;
};

static void spawn(const struct worker *worker, struct probing *probing)
{
	int ends[2];
	struct hl_error err;

	probing->from.fd = -1;
	if (pipe2(ends, O_CLOEXEC) < 0) {
		hl_fail(&err, errno, "pipe: %s", strerror(errno));
		put_status(worker->out, worker->id, probing->probe->name, -err.code, err.text);
		return;
	}
	probing->pid = fork();
	if (probing->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, 0); /* the tools that it starts are killed with it */
		leave_line();
		child_run(probing->probe, worker->id, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	probing->from.fd = ends[0];
	if (probing->pid > 0)
		setpgid(probing->pid, probing->pid); /* whoever comes first */
}

/* Its pipe is closed: it said its status last, or somebody ended it. */
static void end(const struct worker *worker, struct probing *probing, bool is_killed)
{
	const char *name = probing->probe->name;
	char reason[120];
	int status = 0;

	lines_clear(&probing->from);
	while (waitpid(probing->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (is_killed && WIFSIGNALED(status)) {
		put_status(worker->out, worker->id, name, -ETIMEDOUT,
			   "no answer within its time: given up");
	} else if (WIFSIGNALED(status)) {
		snprintf(reason, sizeof(reason), "ended by signal %d", WTERMSIG(status));
		put_status(worker->out, worker->id, name, -EIO, reason);
	} else if (WEXITSTATUS(status)) {
		snprintf(reason, sizeof(reason), "ended with code %d", WEXITSTATUS(status));
		put_status(worker->out, worker->id, name, -EIO, reason);
	}
}

static void abandon(const struct worker *worker, struct probing *probing)
{
	char reason[120];

	snprintf(reason, sizeof(reason),
		 "process %d sleeps in the kernel and cannot be killed: abandoned",
		 (int)probing->pid);
	put_status(worker->out, worker->id, probing->probe->name, -ETIMEDOUT, reason);
	close(probing->from.fd);
	lines_clear(&probing->from);
}

/* Passes on what has come. */
static void forward(const struct worker *worker, struct probing *probing, bool is_killed)
{
	char *line;
	int rc;

	while ((rc = lines_next(&probing->from, 0, &line)) == 0) {
		fputs(line, worker->out);
		fputc('\n', worker->out);
	}
	fflush(worker->out);
	if (rc == -EAGAIN)
		return;
	close(probing->from.fd);
	if (rc != -EPIPE)
		kill(-probing->pid, SIGKILL); /* it sends what is no line */
	end(worker, probing, is_killed);
}

static int milliseconds_to(uint64_t deadline_ns)
{
	uint64_t now = hl_clock_ns();

	return now < deadline_ns ? (int)((deadline_ns - now) / 1000000) + 1 : 0;
}

/* Until all are over or the time is; false = some are not. */
static bool pass_on(const struct probings *probings, uint64_t deadline_ns, bool is_killed)
{
	HL_FREE struct pollfd *fds = hl_alloc(probings->nr * sizeof(*fds));

	for (;;) {
		size_t nr_open = 0;
		int timeout = milliseconds_to(deadline_ns);

		for (size_t i = 0; i < probings->nr; i++) {
			fds[i] = (struct pollfd){ probings->items[i].from.fd, POLLIN, 0 };
			nr_open += fds[i].fd >= 0;
		}
		if (!nr_open || !timeout)
			return nr_open == 0;
		if (poll(fds, probings->nr, timeout) < 0 && errno != EINTR)
			return false;
		for (size_t i = 0; i < probings->nr; i++) {
			if (fds[i].revents)
				forward(probings->worker, &probings->items[i], is_killed);
		}
	}
}

static bool is_wanted(const struct hl_json *names, const struct hl_probe *probe)
{
	if (!names)
		return true;
	for (size_t i = 0; i < hl_json_length(names); i++) {
		const char *name = hl_json_string(hl_json_at(names, i));

		if (name && !strcmp(name, probe->name))
			return true;
	}
	return false;
}

static void start_all(struct probings *probings, const struct hl_json *names)
{
	for (size_t i = 0; hl_probes[i]; i++) {
		struct probing *probing = &probings->items[probings->nr];

		if (!is_wanted(names, hl_probes[i]))
			continue;
		probings->nr++;
		probing->probe = hl_probes[i];
		spawn(probings->worker, probing);
	}
}

static size_t nr_probes(void)
{
	size_t nr = 0;

	while (hl_probes[nr])
		nr++;
	return nr;
}

/* "probes": names, all when it is not there; "seconds": for each. */
int serve_capture(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	HL_FREE struct probing *items = hl_alloc(nr_probes() * sizeof(*items));
	struct probings probings = { worker, items, 0 };
	double seconds = hl_json_number(hl_json_get(request, "seconds"));
	struct hl_json_out *out;

	(void)err;
	if (!(seconds > 0 && seconds <= DEADLINE_MAX))
		seconds = DEADLINE_S;
	start_all(&probings, hl_json_get(request, "probes"));
	if (!pass_on(&probings, hl_clock_ns() + (uint64_t)(seconds * NS_PER_S), false)) {
		for (size_t i = 0; i < probings.nr; i++) {
			if (items[i].from.fd >= 0)
				kill(-items[i].pid, SIGKILL);
		}
		pass_on(&probings, hl_clock_ns() + PATIENCE_MS * 1000000ull, true);
	}
	for (size_t i = 0; i < probings.nr; i++) {
		if (items[i].from.fd >= 0)
			abandon(worker, &items[i]);
	}
	out = answer_begin(worker);
	hl_json_put_number(out, "nr_probes", (double)probings.nr);
	answer_end(worker, out);
	return 0;
}
