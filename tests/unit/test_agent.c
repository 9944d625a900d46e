/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line to a worker, with the real program at the other end, and with ones that are not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hoploss/agent.h"
#include "hoploss/alloc.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_SIZE (1 << 20)

/* Opens the program under test by its directory, as a `via` would; skips where there is none. */
static struct hl_agent *open_real(void)
{
	const char *program = getenv("HOPLOSS");
	HL_FREE char *path = program ? hl_strndup(program,
						  (size_t)(strrchr(program, '/') - program))
				     : NULL;
	HL_FREE char *word = hl_printf("PATH=%s:/usr/bin:/bin", path ? path : "");
	const char *const via[] = { "env", word, NULL };
	struct hl_agent *agent = NULL;
	struct hl_error err = { 0 };

	if (!path)
		skip();
	if (hl_agent_open("here", via, &agent, &err) < 0)
		fail_msg("%s", err.text);
	return agent;
}

static void make_file(char *path)
{
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, FILE_SIZE), 0);
	close(fd);
}

static struct hl_job job_of(double seconds)
{
	struct hl_job job = { .length = FILE_SIZE, .seed = 7, .seconds = seconds };

	hl_workload_init(&job.workload);
	job.workload.name = "r";
	job.workload.rw = HL_RW_RANDREAD;
	job.workload.bs = 4096;
	job.workload.iodepth = 1;
	job.workload.numjobs = 1;
	return job;
}

static void open_target(struct hl_agent *agent, const char *path)
{
	const char *const targets[] = { path, NULL };
	const struct hl_target_request request = { .hop = "a", .targets = targets };
	struct hl_target_info info;
	struct hl_error err = { 0 };

	if (hl_agent_target(agent, &request, &info, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(info.kind, "file");
	assert_true(info.size == FILE_SIZE);
}

static int run_slot(struct hl_agent *agent, const char *engine, const struct hl_job *job,
		    struct hl_graph *graph, struct hl_sample *ret_sample, struct hl_error *err)
{
	const struct hl_slot_request asked = { .hop = "a", .engine = engine, .job = job };

	return hl_agent_slot(agent, &asked, graph, ret_sample, err);
}

static void a_slot_comes_back_as_a_sample(void **unused)
{
	char path[] = "/tmp/hoploss-agent-XXXXXX";
	struct hl_agent *agent = open_real();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_job job = job_of(0.2);
	struct hl_sample sample;
	struct hl_error err = { 0 };

	(void)unused;
	make_file(path);
	open_target(agent, path);
	unlink(path); /* what is open stays open */
	if (run_slot(agent, "psync", &job, graph, &sample, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(sample.status, HL_STATUS_MEASURED);
	assert_string_equal(sample.engine, "psync");
	assert_true(sample.dir[HL_DIR_READ]->bw > 0 && sample.dir[HL_DIR_READ]->lat->p99 > 0);
	assert_null(sample.dir[HL_DIR_WRITE]);
	assert_true(strlen(hl_agent_machine(agent)) > 0);
	hl_agent_close(agent);
}

static void refusals_come_back_as_they_were_said(void **unused)
{
	const char *const targets[] = { "/no/such/file", NULL };
	const struct hl_target_request request = { .hop = "a", .targets = targets };
	struct hl_agent *agent = open_real();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_job job = job_of(0.1);
	struct hl_target_info info;
	struct hl_sample sample;
	struct hl_error err = { 0 };

	(void)unused;
	assert_int_equal(hl_agent_target(agent, &request, &info, &err), -ENOENT);
	assert_string_equal(err.text, "/no/such/file: No such file or directory");
	assert_int_equal(run_slot(agent, NULL, &job, graph, &sample, &err), -ENOENT);
	hl_agent_close(agent);
}

static void a_slot_beyond_the_target_is_refused(void **unused)
{
	char path[] = "/tmp/hoploss-agent-XXXXXX";
	struct hl_agent *agent = open_real();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_job job = job_of(0.1);
	struct hl_sample sample;

	(void)unused;
	make_file(path);
	open_target(agent, path);
	unlink(path);
	job.offset = FILE_SIZE - 4096;
	job.length = 8192;
	assert_int_equal(run_slot(agent, NULL, &job, graph, &sample, NULL), -ERANGE);
	hl_agent_close(agent);
}

static void writes_are_refused_by_the_worker(void **unused)
{
	char path[] = "/tmp/hoploss-agent-XXXXXX";
	struct hl_agent *agent = open_real();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_job job = job_of(0.1);
	struct hl_sample sample;

	(void)unused;
	make_file(path);
	open_target(agent, path);
	unlink(path);
	job.workload.rw = HL_RW_RANDWRITE;
	assert_int_equal(run_slot(agent, "psync", &job, graph, &sample, NULL), -EPERM);
	hl_agent_close(agent);
}

static bool stop_at_third(void *context, double done, double rate)
{
	(void)done;
	(void)rate;
	return ++*(int *)context == 3;
}

static void a_watcher_stops_a_slot_and_the_worker_lives_on(void **unused)
{
	char path[] = "/tmp/hoploss-agent-XXXXXX";
	struct hl_agent *agent = open_real();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_job job = job_of(20);
	uint64_t start = hl_clock_ns();
	struct hl_sample sample;
	int ticks = 0;

	(void)unused;
	make_file(path);
	open_target(agent, path);
	assert_int_equal(hl_agent_slot(agent,
				       &(struct hl_slot_request){ .hop = "a",
								  .job = &job,
								  .watch = stop_at_third,
								  .context = &ticks },
				       graph, &sample, NULL),
			 0);
	assert_int_equal(sample.status, HL_STATUS_NOT_MEASURED);
	assert_int_equal(sample.error, EINTR);
	assert_true(hl_clock_ns() - start < 5000000000u);
	open_target(agent, path);
	unlink(path);
	hl_agent_close(agent);
}

static void tcp_streams_between_two_workers_carry_bytes(void **unused)
{
	struct hl_agent *server = open_real(), *client = open_real();
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	struct hl_job job = job_of(0.3);
	struct hl_tcp_peer peer;
	const struct hl_slot_request asked = { .job = &job };
	struct hl_sample sample;
	struct hl_error err = { 0 };

	(void)unused;
	job.peer = &peer;
	job.workload.rw = HL_RW_READ;
	job.workload.bs = 65536;
	job.workload.numjobs = 2;
	if (hl_agent_serve(server, "127.0.0.1", 2, 5, &peer, &err) < 0 ||
	    hl_agent_tcp(client, &asked, graph, &sample, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(sample.status, HL_STATUS_MEASURED);
	assert_true(sample.dir[HL_DIR_RX]->bytes > 1 << 20);
	assert_true(sample.dir[HL_DIR_RX]->streams == 2);
	memset(peer.token, '0', HL_TCP_TOKEN_LEN);
	assert_int_equal(hl_agent_tcp(client, &asked, graph, &sample, NULL), 0);
	assert_int_equal(sample.status, HL_STATUS_NOT_MEASURED);
	hl_agent_close(server);
	hl_agent_close(client);
}

static void a_route_is_looked_up_on_the_host(void **unused)
{
	struct hl_agent *agent = open_real();
	struct hl_route route;
	struct hl_error err = { 0 };

	(void)unused;
	if (hl_agent_route(agent, "127.0.0.1", &route, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(route.device, "lo");
	assert_true(route.is_local && route.mtu > 0 && isnan(route.qdisc_rate));
	assert_int_equal(hl_agent_route(agent, "no address", &route, &err), -EINVAL);
	hl_agent_close(agent);
}

/* What answers instead of hoploss; "hoploss worker" become $0 and $1 of the script. */
static int open_script(const char *script, struct hl_error *err)
{
	const char *const via[] = { "sh", "-c", script, NULL };
	struct hl_agent *agent = NULL;
	int rc = hl_agent_open("nas", via, &agent, err);

	hl_agent_close(agent);
	return rc;
}

static void what_is_no_worker_is_told_apart(void **unused)
{
	static const struct {
		const char *script;
		int code;
		const char *says;
	} rows[] = {
		{ "echo 'Permission denied (publickey).' >&2; exit 255", -EPIPE,
		  "host nas: the worker ended while starting: Permission denied (publickey)." },
		{ "exit 0", -EPIPE, "the worker ended while starting" },
		{ "echo Welcome to Debian; cat", -EPROTO, "\"Welcome to Debian\"" },
		{ "echo '{\"hoploss.worker\":99}'; cat", -EPROTONOSUPPORT, "another version" },
		{ "echo '{\"hello\":1}'; cat", -EPROTONOSUPPORT, "another version" },
		{ "head -c 9000000 /dev/zero; cat", -EMSGSIZE, "host nas" },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct hl_error err = { 0 };

		assert_int_equal(open_script(rows[i].script, &err), rows[i].code);
		if (!strstr(err.text, rows[i].says))
			fail_msg("\"%s\" does not say \"%s\"", err.text, rows[i].says);
	}
}

static void a_command_that_is_not_there_is_named(void **unused)
{
	const char *const via[] = { "no-such-command", "x", NULL };
	struct hl_agent *agent = NULL;
	struct hl_error err = { 0 };

	(void)unused;
	assert_int_equal(hl_agent_open("nas", via, &agent, &err), -EPIPE);
	assert_non_null(strstr(err.text, "no-such-command: No such file or directory"));
}

static void count_telling(void *context, double waited_seconds)
{
	assert_true(waited_seconds >= 1);
	++*(unsigned *)context;
}

static void a_worker_without_a_greeting_is_told_of_while_it_is_waited_for(void **unused)
{
	const char *const via[] = { "sh", "-c", "while read -r line; do :; done", NULL };
	unsigned nr_told = 0;
	const struct hl_agent_patience patience = { 4, count_telling, &nr_told };
	struct hl_agent *agent = NULL;
	struct hl_error err = { 0 };
	uint64_t start = hl_clock_ns();

	(void)unused;
	assert_int_equal(hl_agent_open_within("nas", via, &patience, &agent, &err), -ETIMEDOUT);
	assert_int_equal(nr_told, 1);
	assert_true(hl_clock_ns() - start < 8000000000u);
	assert_string_equal(err.text, "host nas: no answer while starting");
}

/* Its silence is waited for once, and only once. */
static void a_silent_worker_is_given_up(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const char *const via[] = { "sh", "-c",
				    "echo '{\"hoploss.worker\":1}'; while read -r line; do :; done",
				    NULL };
	const char *const targets[] = { "/dev/null", NULL };
	const struct hl_target_request request = { .hop = "a", .targets = targets };
	struct hl_agent *agent = NULL;
	struct hl_job job = job_of(0.1);
	struct hl_target_info info;
	struct hl_sample sample;
	struct hl_tcp_peer peer;
	struct hl_error err = { 0 };
	uint64_t start;

	(void)unused;
	assert_int_equal(hl_agent_open("nas", via, &agent, &err), 0);
	assert_int_equal(hl_agent_serve(agent, "127.0.0.1", 1, 1, &peer, &err), -ETIMEDOUT);
	start = hl_clock_ns();
	assert_int_equal(run_slot(agent, NULL, &job, graph, &sample, &err), -EHOSTDOWN);
	assert_int_equal(hl_agent_target(agent, &request, &info, &err), -EHOSTDOWN);
	assert_true(hl_clock_ns() - start < 1000000000u);
	hl_agent_close(agent);
}

static void a_worker_that_dies_in_a_slot_costs_the_slot(void **unused)
{
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const char *const via[] = { "sh", "-c",
				    "echo '{\"hoploss.worker\":1}'; read line; echo gone >&2",
				    NULL };
	struct hl_agent *agent = NULL;
	struct hl_job job = job_of(0.1);
	struct hl_sample sample;
	struct hl_error err = { 0 };

	(void)unused;
	assert_int_equal(hl_agent_open("nas", via, &agent, &err), 0);
	assert_int_equal(run_slot(agent, NULL, &job, graph, &sample, &err), -EPIPE);
	assert_string_equal(err.text, "host nas: the worker ended while measuring: gone");
	hl_agent_close(agent);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slot_comes_back_as_a_sample),
		cmocka_unit_test(refusals_come_back_as_they_were_said),
		cmocka_unit_test(a_slot_beyond_the_target_is_refused),
		cmocka_unit_test(writes_are_refused_by_the_worker),
		cmocka_unit_test(a_watcher_stops_a_slot_and_the_worker_lives_on),
		cmocka_unit_test(tcp_streams_between_two_workers_carry_bytes),
		cmocka_unit_test(a_route_is_looked_up_on_the_host),
		cmocka_unit_test(what_is_no_worker_is_told_apart),
		cmocka_unit_test(a_command_that_is_not_there_is_named),
		cmocka_unit_test(a_worker_without_a_greeting_is_told_of_while_it_is_waited_for),
		cmocka_unit_test(a_silent_worker_is_given_up),
		cmocka_unit_test(a_worker_that_dies_in_a_slot_costs_the_slot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
