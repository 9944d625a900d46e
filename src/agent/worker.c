/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The worker: see hoploss/agent.h. It keeps the targets that it was told to open, by the name of
 * their hop, and does one thing at a time. Its input ends when the coordinator is gone; then it
 * stops a running slot and goes too.
 */
#include "worker.h"
#include "hoploss/agent.h"
#include "hoploss/alloc.h"
#include "hoploss/json.h"
#include "hoploss/machine.h"
#include "lines.h"
#include "message.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

/* ---- answers ---- */

struct hl_json_out *answer_begin(const struct worker *worker)
{
	struct hl_json_out *out = hl_json_out_new_line(worker->out);

	hl_json_object(out, NULL);
	hl_json_put_number(out, "id", worker->id);
	return out;
}

void answer_end(const struct worker *worker, struct hl_json_out *out)
{
	hl_json_close(out);
	hl_json_out_free(out);
	fputc('\n', worker->out);
	fflush(worker->out);
}

static void answer_error(const struct worker *worker, const struct hl_error *error)
{
	struct hl_json_out *out = answer_begin(worker);

	message_put_error(out, error);
	answer_end(worker, out);
}

/* ---- targets ---- */

struct target *find_target(const struct worker *worker, const struct hl_json *request,
			   const char *member)
{
	const char *hop = hl_json_string(hl_json_get(request, member));

	for (size_t i = 0; hop && i < worker->nr_targets; i++) {
		if (!strcmp(worker->targets[i]->hop, hop))
			return worker->targets[i];
	}
	return NULL;
}

/* ---- routes ---- */

static int serve_route(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	const char *address = hl_json_string(hl_json_get(request, "address"));
	struct hl_json_out *out;
	struct hl_route route;
	int rc;

	if (!address)
		return hl_fail(err, EBADMSG, "\"route\" wants an address");
	rc = hl_route_find(address, &route, err);
	if (rc < 0)
		return rc;
	out = answer_begin(worker);
	message_put_route(out, &route);
	answer_end(worker, out);
	return 0;
}

/* ---- requests ---- */

static const struct {
	const char *name;
	int (*serve)(struct worker *worker, const struct hl_json *request, struct hl_error *err);
} requests[] = {
	{ "target", serve_target },       { "slot", serve_slot },
	{ "serve", serve_serve },         { "tcp", serve_tcp },
	{ "route", serve_route },         { "sample", serve_sample },
	{ "place", serve_place },         { "map", serve_map },
	{ "load", serve_load },           { "logins", serve_logins },
	{ "capture", serve_capture },     { "watch", serve_watch },
	{ "calibrate", serve_calibrate },
};

static int dispatch(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	const char *name = hl_json_string(hl_json_get(request, "do"));

	worker->id = hl_json_number(hl_json_get(request, "id"));
	for (size_t i = 0; name && i < sizeof(requests) / sizeof(*requests); i++) {
		if (!strcmp(requests[i].name, name))
			return requests[i].serve(worker, request, err);
	}
	return hl_fail(err, EPROTO, "unknown request \"%s\"", name ? name : "");
}

static void serve_line(struct worker *worker, const char *line)
{
	struct hl_json *request = NULL;
	struct hl_error err;

	worker->arena = hl_arena_new();
	worker->id = NAN;
	if (hl_json_parse(line, strlen(line), &request, NULL, &err) < 0 ||
	    dispatch(worker, request, &err) < 0)
		answer_error(worker, &err);
	hl_json_free(request);
	hl_arena_free(worker->arena);
}

static void greet(struct worker *worker)
{
	struct hl_json_out *out = hl_json_out_new_line(worker->out);
	struct hl_machine *machine = hl_machine_open("/", NULL);
	HL_FREE char *boot_id = NULL;
	size_t len;
	struct utsname name;

	uname(&name);
	if (hl_machine_read(machine, BOOT_ID, &boot_id, &len, NULL) == 0)
		boot_id[strcspn(boot_id, "\n")] = '\0';
	hl_machine_close(machine);
	hl_json_object(out, NULL);
	hl_json_put_number(out, "hoploss.worker", HL_AGENT_VERSION);
	hl_json_put_string(out, "hostname", name.nodename);
	hl_json_put_string(out, "kernel", name.release);
	hl_json_put_string(out, "machine", boot_id);
	answer_end(worker, out);
}

int hl_agent_serve_requests(int in, FILE *out, struct hl_error *err)
{
	struct worker worker = { .in = { .fd = in }, .out = out };
	int rc = 0;
	char *line;

	greet(&worker);
	while (rc == 0 && !worker.is_over) {
		rc = lines_next(&worker.in, UINT64_MAX, &line);
		if (rc == 0)
			serve_line(&worker, line);
	}
	hl_tcp_stop(worker.server);
	for (size_t i = 0; i < worker.nr_targets; i++)
		target_free(worker.targets[i]);
	free(worker.targets);
	lines_clear(&worker.in);
	if (rc < 0 && rc != -EPIPE)
		return hl_fail(err, -rc, "reading requests: %s", strerror(-rc));
	return ferror(out) ? hl_fail(err, EPIPE, "the coordinator is gone") : 0;
}
