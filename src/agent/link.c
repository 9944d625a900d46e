/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The coordinator's end of the line to a worker: see hoploss/agent.h.
 *
 * The worker's stderr goes into a file in memory; when the worker dies, its last line is the reason
 * that the user is told ("Permission denied (publickey)" says more than "it ended"). Ctrl-C is
 * ignored by the child, so that ssh does not die of it before the coordinator has decided.
 */
#include "link.h"
#include "hoploss/agent.h"
#include "hoploss/alloc.h"
#include "hoploss/json.h"
#include "lines.h"
#include "message.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define GREETING_S 30.0
#define TELL_S     3.0 /* between two words about waiting for it */
#define TARGET_S   60.0
#define ROUTE_S    10.0
#define SERVE_S    10.0
#define LATE_S     30.0 /* that a slot's answer may come after its end */
#define END_MS     2000 /* that a worker may take to end */
#define MAX_WORDS  64

struct hl_agent {
	char *host, *hostname, *machine;
	pid_t pid;
	int to;    /* its stdin */
	int words; /* its stderr, a file in memory */
	struct lines from;
	unsigned last_id;
	bool is_given_up; /* it was silent once: nothing is asked of it any more */
};

/* ---- starting and ending ---- */

static char *const constant_command[] = { "hoploss", "worker", NULL };

static int fill_argv(const char *const *via, char **argv, struct hl_error *err)
{
	size_t nr = 0;

	for (; via && *via; via++) {
		if (nr + 3 > MAX_WORDS)
			return hl_fail(err, E2BIG, "via has more than %d words", MAX_WORDS - 3);
		argv[nr++] = (char *)*via;
	}
	for (size_t i = 0; constant_command[i]; i++)
		argv[nr++] = constant_command[i];
	argv[nr] = NULL;
	return 0;
}

/* In the child: stdin, stdout and stderr are set, then another program. Only returns on failure. */
static void become_worker(const struct hl_agent *agent, int in, int out, const char *const *via,
			  char **argv)
{
	signal(SIGINT, SIG_IGN);
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(agent->words, 2) < 0)
		_exit(127);
	if (via)
		execvp(argv[0], argv);
	else
		execv("/proc/self/exe", argv);
	dprintf(2, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static int start(struct hl_agent *agent, const char *const *via, struct hl_error *err)
{
	char *argv[MAX_WORDS];
	int in[2], out[2], rc = fill_argv(via, argv, err);

	if (rc < 0)
		return rc;
	agent->words = memfd_create("words", MFD_CLOEXEC);
	if (agent->words < 0 || pipe2(in, O_CLOEXEC) < 0)
		return hl_fail(err, errno, "pipe: %s", strerror(errno));
	if (pipe2(out, O_CLOEXEC) < 0) {
		close(in[0]);
		close(in[1]);
		return hl_fail(err, errno, "pipe: %s", strerror(errno));
	}
	agent->to = in[1];
	agent->from.fd = out[0];
	agent->pid = fork();
	if (agent->pid == 0)
		become_worker(agent, in[0], out[1], via, argv);
	close(in[0]);
	close(out[1]);
	return agent->pid < 0 ? hl_fail(err, errno, "fork: %s", strerror(errno)) : 0;
}

/* The last line that the worker, or what should have started it, wrote to its stderr. */
static void last_words(const struct hl_agent *agent, char *ret_text, size_t size)
{
	off_t end = lseek(agent->words, 0, SEEK_END);
	char tail[512];
	ssize_t len = pread(agent->words, tail, sizeof(tail) - 1,
			    end > (off_t)sizeof(tail) - 1 ? end - (off_t)sizeof(tail) + 1 : 0);
	char *line;

	while (len > 0 && strchr("\r\n ", tail[len - 1]))
		len--;
	tail[len > 0 ? len : 0] = '\0';
	line = strrchr(tail, '\n');
	snprintf(ret_text, size, "%.*s", (int)size - 1, line ? line + 1 : tail);
}

/* What to do about it, where a shell's or our own last words do not say. */
static const char *hint_of(const char *words)
{
	static const char not_found[] = "; put hoploss on its PATH, or say where it is: \"… env "
					"PATH=/root:/usr/sbin:/usr/bin\"";
	static const struct {
		const char *sign, *hint;
	} hints[] = {
		{ "hoploss: command not found", not_found },
		{ "hoploss: not found", not_found },
		{ "hoploss: No such file", not_found },
		{ "\"hoploss help", "; \"hoploss worker\" is put behind the words that were given: "
				    "leave hoploss out of them" },
	};

	for (size_t i = 0; i < sizeof(hints) / sizeof(*hints); i++) {
		if (strstr(words, hints[i].sign))
			return hints[i].hint;
	}
	return "";
}

static int lost(struct hl_agent *agent, int rc, const char *doing, struct hl_error *err)
{
	char words[200];

	last_words(agent, words, sizeof(words));
	agent->is_given_up |= rc == -ETIMEDOUT;
	if (rc == -ETIMEDOUT)
		return hl_fail(err, ETIMEDOUT, "host %s: no answer while %s%s%s", agent->host,
			       doing, words[0] ? ": " : "", words);
	if (rc == -EPIPE)
		return hl_fail(err, EPIPE, "host %s: the worker ended while %s%s%s%s", agent->host,
			       doing, words[0] ? ": " : "", words, hint_of(words));
	return hl_fail(err, -rc, "host %s: %s: %s", agent->host, doing, strerror(-rc));
}

void hl_agent_close(struct hl_agent *agent)
{
	if (!agent)
		return;
	if (agent->to >= 0)
		close(agent->to);
	for (int waited = 0; agent->pid > 0; waited += 10) {
		if (waitpid(agent->pid, NULL, WNOHANG) != 0)
			break;
		if (waited == END_MS)
			kill(agent->pid, SIGKILL);
		if (waited > 2 * END_MS)
			break; /* not even that: it sleeps in the kernel */
		usleep(10000);
	}
	if (agent->from.fd >= 0)
		close(agent->from.fd);
	if (agent->words >= 0)
		close(agent->words);
	lines_clear(&agent->from);
	free(agent->host);
	free(agent->hostname);
	free(agent->machine);
	free(agent);
}

/* ---- asking ---- */

static uint64_t deadline_in(double seconds)
{
	return hl_clock_ns() + (uint64_t)(seconds * 1e9);
}

/* One line from the worker as JSON. */
static int receive(struct hl_agent *agent, uint64_t deadline_ns, const char *doing,
		   struct hl_json **ret_json, struct hl_error *err)
{
	char *line;
	int rc = lines_next(&agent->from, deadline_ns, &line);

	if (rc < 0)
		return lost(agent, rc, doing, err);
	if (hl_json_parse(line, strlen(line), ret_json, NULL, NULL) < 0)
		return hl_fail(err, EPROTO,
			       "host %s: while %s it said what is no hoploss: \"%.60s\"",
			       agent->host, doing, line);
	return 0;
}

/* Until something is there to be read, or the time is over. */
static void await_greeting(const struct hl_agent *agent, const struct hl_agent_patience *patience)
{
	for (double waited = TELL_S; patience->tell && waited < patience->seconds;
	     waited += TELL_S) {
		struct pollfd from = { agent->from.fd, POLLIN, 0 };

		if (poll(&from, 1, (int)(TELL_S * 1000)) != 0)
			return;
		patience->tell(patience->context, waited);
	}
}

static int greet(struct hl_agent *agent, const struct hl_agent_patience *patience,
		 struct hl_error *err)
{
	struct hl_json *greeting = NULL;
	const char *hostname, *machine;
	uint64_t deadline = deadline_in(patience->seconds);
	double version;
	int rc;

	await_greeting(agent, patience);
	rc = receive(agent, deadline, "starting", &greeting, err);
	version = hl_json_number(hl_json_get(greeting, "hoploss.worker"));
	if (rc == 0 && !(version == HL_AGENT_VERSION))
		rc = hl_fail(err, EPROTONOSUPPORT,
			     "host %s: its hoploss is of another version: install this one there",
			     agent->host);
	if (rc == 0) {
		hostname = hl_json_string(hl_json_get(greeting, "hostname"));
		machine = hl_json_string(hl_json_get(greeting, "machine"));
		agent->hostname = hl_strdup(hostname ? hostname : agent->host);
		agent->machine = hl_strdup(machine ? machine : "");
	}
	hl_json_free(greeting);
	return rc;
}

int hl_agent_open(const char *host, const char *const *via, struct hl_agent **ret_agent,
		  struct hl_error *err)
{
	const struct hl_agent_patience patience = { .seconds = GREETING_S };

	return hl_agent_open_within(host, via, &patience, ret_agent, err);
}

int hl_agent_open_within(const char *host, const char *const *via,
			 const struct hl_agent_patience *patience, struct hl_agent **ret_agent,
			 struct hl_error *err)
{
	struct hl_agent *agent = hl_alloc(sizeof(*agent));
	int rc;

	agent->host = hl_strdup(host);
	agent->to = agent->from.fd = agent->words = -1;
	signal(SIGPIPE, SIG_IGN); /* a worker that is gone is an error of the write */
	rc = start(agent, via, err);
	if (rc == 0)
		rc = greet(agent, patience, err);
	if (rc < 0) {
		hl_agent_close(agent);
		return rc;
	}
	*ret_agent = agent;
	return 0;
}

const char *hl_agent_hostname(const struct hl_agent *agent)
{
	return agent->hostname;
}

const char *hl_agent_machine(const struct hl_agent *agent)
{
	return agent->machine;
}

struct hl_json_out *request_begin(struct hl_agent *agent, struct request *request, const char *what)
{
	*request = (struct request){ 0 };
	request->file = open_memstream(&request->line, &request->len);
	request->out = hl_json_out_new_line(request->file);
	hl_json_object(request->out, NULL);
	hl_json_put_number(request->out, "id", ++agent->last_id);
	hl_json_put_string(request->out, "do", what);
	return request->out;
}

static int send_all(struct hl_agent *agent, const char *bytes, size_t len)
{
	while (len) {
		ssize_t nr = write(agent->to, bytes, len);

		if (nr < 0 && errno == EINTR)
			continue;
		if (nr < 0)
			return -errno;
		bytes += nr;
		len -= (size_t)nr;
	}
	return 0;
}

int request_interrupt(struct hl_agent *agent, const char *doing, struct hl_error *err)
{
	static const char stop[] = "{\"do\":\"stop\"}\n";
	int rc = agent->is_given_up ? -EHOSTDOWN : send_all(agent, stop, strlen(stop));

	return rc < 0 ? lost(agent, rc, doing, err) : 0;
}

int request_send(struct hl_agent *agent, struct request *request, const char *doing,
		 struct hl_error *err)
{
	int rc;

	hl_json_close(request->out);
	hl_json_out_free(request->out);
	fputc('\n', request->file);
	fclose(request->file);
	rc = agent->is_given_up ? -EHOSTDOWN : send_all(agent, request->line, request->len);
	explicit_bzero(request->line, request->len); /* a password may be in it */
	free(request->line);
	return rc < 0 ? lost(agent, rc, doing, err) : 0;
}

/* Tells the watcher of a tick; asks the worker to stop when the watcher wants that. */
static void take_tick(struct hl_agent *agent, const struct hl_json *tick, hl_slot_watch *watch,
		      void *context, bool *is_stopping)
{
	double done = hl_json_number(hl_json_get(tick, "done"));
	double bw = hl_json_number(hl_json_get(tick, "bw"));

	if (!watch || *is_stopping || !watch(context, done, bw))
		return;
	*is_stopping = true;
	send_all(agent, "{\"do\":\"stop\"}\n", strlen("{\"do\":\"stop\"}\n"));
}

/* The answer with our id; ticks on the way go to the watcher. Its member "error" is an error. */
int await_answer(struct hl_agent *agent, double seconds, const char *doing, hl_slot_watch *watch,
		 void *context, struct hl_json **ret_answer, struct hl_error *err)
{
	uint64_t deadline = deadline_in(seconds);
	bool is_stopping = false;

	for (;;) {
		struct hl_json *answer = NULL;
		const struct hl_json *tick;
		int rc = receive(agent, deadline, doing, &answer, err);

		if (rc < 0)
			return rc;
		tick = hl_json_get(answer, "tick");
		if (tick) {
			take_tick(agent, tick, watch, context, &is_stopping);
		} else if (hl_json_number(hl_json_get(answer, "id")) == agent->last_id) {
			rc = message_read_error(answer, err);
			if (rc == 0)
				*ret_answer = answer;
			else
				hl_json_free(answer);
			return rc;
		}
		hl_json_free(answer);
	}
}

int await_line(struct hl_agent *agent, double seconds, const char *doing, struct hl_json **ret_line,
	       struct hl_error *err)
{
	uint64_t deadline = deadline_in(seconds);

	for (;;) {
		struct hl_json *line = NULL;
		int rc = receive(agent, deadline, doing, &line, err);

		if (rc < 0)
			return rc;
		if (hl_json_number(hl_json_get(line, "id")) == agent->last_id) {
			rc = message_read_error(line, err);
			if (rc == 0)
				*ret_line = line;
			else
				hl_json_free(line);
			return rc;
		}
		hl_json_free(line);
	}
}

int hl_agent_target(struct hl_agent *agent, const struct hl_target_request *asked,
		    struct hl_target_info *ret_info, struct hl_error *err)
{
	struct request request;
	struct hl_json_out *out = request_begin(agent, &request, "target");
	struct hl_target_info info = { 0 };
	struct hl_json *answer = NULL;
	const struct hl_json *from;
	int rc;

	hl_json_put_string(out, "hop", asked->hop);
	hl_json_array(out, "targets");
	for (size_t i = 0; asked->targets[i]; i++)
		hl_json_put_string(out, NULL, asked->targets[i]);
	hl_json_close(out);
	hl_json_put_string(out, "initiator", asked->initiator);
	hl_json_put_string(out, "user", asked->chap_user);
	hl_json_put_string(out, "password", asked->chap_password);
	hl_json_put_boolean(out, "may_write", asked->may_write);
	rc = request_send(agent, &request, "opening a target", err);
	if (rc == 0)
		rc = await_answer(agent, TARGET_S, "opening a target", NULL, NULL, &answer, err);
	if (rc < 0)
		return rc;
	from = hl_json_get(answer, "info");
	message_read_text(from, "kind", info.kind, sizeof(info.kind));
	message_read_text(from, "serial", info.serial, sizeof(info.serial));
	info.size = hl_json_number(hl_json_get(from, "size"));
	info.block = hl_json_number(hl_json_get(from, "block"));
	info.is_direct = hl_json_boolean(hl_json_get(from, "is_direct")) == 1;
	info.may_write = hl_json_boolean(hl_json_get(from, "may_write")) == 1;
	message_read_text(from, "why_not_write", info.why_not_write, sizeof(info.why_not_write));
	hl_json_free(answer);
	if (!info.kind[0] || !(info.size >= 0) || !(info.block >= 1))
		return hl_fail(err, EPROTO, "host %s: a target without kind and size", agent->host);
	*ret_info = info;
	return 0;
}

static int await_sample(struct hl_agent *agent, const struct hl_slot_request *asked,
			struct hl_graph *graph, struct hl_sample *ret_sample, struct hl_error *err)
{
	struct hl_json *answer = NULL;
	int rc = await_answer(agent, asked->job->warmup + asked->job->seconds + LATE_S, "measuring",
			      asked->watch, asked->context, &answer, err);

	if (rc < 0)
		return rc;
	rc = hl_sample_read(graph, hl_json_get(answer, "sample"), ret_sample, err);
	hl_json_free(answer);
	return rc;
}

int hl_agent_slot(struct hl_agent *agent, const struct hl_slot_request *asked,
		  struct hl_graph *graph, struct hl_sample *ret_sample, struct hl_error *err)
{
	struct request request;
	struct hl_json_out *out = request_begin(agent, &request, "slot");
	int rc;

	hl_json_put_string(out, "hop", asked->hop);
	hl_json_put_string(out, "engine", asked->engine);
	hl_json_put_string(out, "beside", asked->beside);
	message_put_job(out, asked->job);
	rc = request_send(agent, &request, "measuring", err);
	return rc < 0 ? rc : await_sample(agent, asked, graph, ret_sample, err);
}

int hl_agent_route(struct hl_agent *agent, const char *address, struct hl_route *ret_route,
		   struct hl_error *err)
{
	struct request request;
	struct hl_json_out *out = request_begin(agent, &request, "route");
	struct hl_json *answer = NULL;
	int rc;

	hl_json_put_string(out, "address", address);
	rc = request_send(agent, &request, "looking up a route", err);
	if (rc == 0)
		rc = await_answer(agent, ROUTE_S, "looking up a route", NULL, NULL, &answer, err);
	if (rc < 0)
		return rc;
	rc = message_read_route(answer, ret_route, err);
	hl_json_free(answer);
	return rc;
}

int hl_agent_serve(struct hl_agent *agent, const char *address, unsigned nr_streams, double seconds,
		   struct hl_tcp_peer *ret_peer, struct hl_error *err)
{
	struct request request;
	struct hl_json_out *out = request_begin(agent, &request, "serve");
	struct hl_json *answer = NULL;
	int rc;

	hl_json_put_string(out, "address", address);
	hl_json_put_number(out, "nr_streams", nr_streams);
	hl_json_put_number(out, "seconds", seconds);
	rc = request_send(agent, &request, "serving TCP", err);
	if (rc == 0)
		rc = await_answer(agent, SERVE_S, "serving TCP", NULL, NULL, &answer, err);
	if (rc < 0)
		return rc;
	rc = message_read_peer(answer, ret_peer, err);
	hl_json_free(answer);
	return rc;
}

int hl_agent_tcp(struct hl_agent *agent, const struct hl_slot_request *asked,
		 struct hl_graph *graph, struct hl_sample *ret_sample, struct hl_error *err)
{
	struct request request;
	struct hl_json_out *out = request_begin(agent, &request, "tcp");
	int rc;

	message_put_peer(out, asked->job->peer);
	message_put_job(out, asked->job);
	rc = request_send(agent, &request, "measuring TCP", err);
	return rc < 0 ? rc : await_sample(agent, asked, graph, ret_sample, err);
}

int hl_agent_calibrate(struct hl_agent *agent, const struct hl_slot_request *asked,
		       struct hl_graph *graph, struct hl_sample *ret_sample, struct hl_error *err)
{
	struct request request;
	struct hl_json_out *out = request_begin(agent, &request, "calibrate");
	int rc;

	message_put_job(out, asked->job);
	rc = request_send(agent, &request, "calibrating", err);
	return rc < 0 ? rc : await_sample(agent, asked, graph, ret_sample, err);
}
