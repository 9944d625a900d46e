/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The worker: see hoploss/agent.h. It keeps the targets that it was told to open, by the name of
 * their hop, and does one thing at a time. Its input ends when the coordinator is gone; then it
 * stops a running slot and goes too.
 */
#include "worker.h"
#include "hoploss/agent.h"
#include "hoploss/alloc.h"
#include "hoploss/cached.h"
#include "hoploss/gate.h"
#include "hoploss/json.h"
#include "hoploss/machine.h"
#include "hoploss/meter.h"
#include "lines.h"
#include "message.h"
#include "outcome.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define GRACE_S 10.0 /* that a slot may be late before it is given up */
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

struct target *find_target(const struct worker *worker, const struct hl_json *request)
{
	const char *hop = hl_json_string(hl_json_get(request, "hop"));

	for (size_t i = 0; hop && i < worker->nr_targets; i++) {
		if (!strcmp(worker->targets[i]->hop, hop))
			return worker->targets[i];
	}
	return NULL;
}

/* ---- slots ---- */

/* A coordinator that goes away, or says anything while a slot runs, wants it to stop. */
static bool watch_slot(void *context, double done, double bytes_per_s)
{
	struct worker *worker = context;
	struct hl_json_out *out = answer_begin(worker);
	char *line;
	int rc;

	hl_json_object(out, "tick");
	hl_json_put_number(out, "done", done);
	hl_json_put_number(out, "bw", bytes_per_s);
	hl_json_close(out);
	answer_end(worker, out);
	rc = lines_next(&worker->in, 0, &line);
	if (rc == -EPIPE)
		worker->is_over = true;
	return rc != -EAGAIN;
}

static const struct hl_engine *pick_engine(const struct hl_json *request,
					   const struct target *target, struct hl_error *note,
					   struct hl_error *err)
{
	const char *name = hl_json_string(hl_json_get(request, "engine"));
	const struct hl_engine *engine;

	if (!name)
		return target->login.url ? hl_engine_find("iscsi") : hl_engine_for_files(note);
	engine = hl_engine_find(name);
	if (!engine)
		hl_fail(err, EINVAL, "no engine \"%s\"", name);
	return engine;
}

static int check_region(const struct target *target, const struct hl_job *job, struct hl_error *err)
{
	if (job->offset <= target->size && job->length <= target->size - job->offset)
		return 0;
	return hl_fail(err, ERANGE, "%s: bytes %llu + %llu are beyond its end at %llu",
		       target->path, (unsigned long long)job->offset,
		       (unsigned long long)job->length, (unsigned long long)target->size);
}

/* The file as the job wants it: direct=0 goes through the page cache. A LUN has no such choice. */
static int pick_file(struct target *target, struct hl_job *job, struct hl_error *err)
{
	const struct hl_gate_request request = { .target = target->path, .wants_cache = true };
	int rc = 0;

	job->fd = target->pass.fd;
	if (job->workload.direct != 0 || target->login.url)
		return 0;
	if (target->nr_more)
		return hl_fail(err, EOPNOTSUPP,
			       "direct=0 is not possible on several drives together: leave it out");
	if (target->cached.fd < 0)
		rc = hl_gate_open(&request, &target->cached, err);
	job->fd = target->cached.fd;
	return rc;
}

/* All drives of the hop, or the one that is measured alone. */
static int pick_drives(const struct target *target, struct hl_job *job, struct hl_error *err)
{
	job->target = target->path;
	if (job->drive > 1 + target->nr_more)
		return hl_fail(err, ERANGE, "%s: there is no drive number %u beside it",
			       target->path, job->drive);
	if (job->drive > 1) {
		job->fd = target->more[job->drive - 2].fd;
		job->target = target->more[job->drive - 2].path;
	}
	job->more_fds = target->more_fds;
	job->nr_more_fds = job->drive ? 0 : target->nr_more;
	return 0;
}

/* The lowest byte of the target that a job can touch. */
static uint64_t lowest_byte(const struct target *target, const struct hl_job *job)
{
	uint64_t lowest = target->nr_map ? UINT64_MAX : job->offset;

	for (size_t i = 0; i < target->nr_map; i++)
		lowest = target->map[i].to < lowest ? target->map[i].to : lowest;
	return lowest;
}

/* The last word on writing, whatever the coordinator says. */
static int check_write(const struct target *target, struct hl_job *job, struct hl_error *err)
{
	bool is_writing = hl_rw_writes(job->workload.rw);

	job->may_write = job->may_write && is_writing && target->may_write;
	if (!is_writing)
		return 0;
	if (!job->may_write)
		return hl_fail(err, EPERM, "%s: not given away for writing", target->path);
	if (lowest_byte(target, job) < HL_MARK_AREA)
		return hl_fail(err, ERANGE, "%s: its mark would be overwritten", target->path);
	if (job->workload.direct == 0 && !target->login.url && target->pass.is_direct)
		return hl_fail(err, EOPNOTSUPP,
			       "%s: writes through the page cache (direct=0) cannot be measured",
			       target->path);
	return 0;
}

static struct hl_meter_target metered_of(const struct target *target)
{
	if (!target->login.url)
		return (struct hl_meter_target){ .path = target->path };
	return (struct hl_meter_target){ .address = target->address, .port = target->port };
}

/* Of the region that a slot will read; NAN = no page cache is in its way, or it cannot be told. */
static double cached_share_of(const struct hl_job *job)
{
	int flags = job->fd >= 0 ? fcntl(job->fd, F_GETFL) : -1;
	double cached = 0;

	if (flags < 0 || flags & O_DIRECT || !hl_rw_reads(job->workload.rw))
		return NAN;
	if (!job->nr_map)
		return hl_cached_bytes(job->fd, job->offset, job->length) / (double)job->length;
	for (size_t i = 0; i < job->nr_map; i++) {
		const struct hl_extent *extent = &job->map[i];
		uint64_t from = extent->from > job->offset ? extent->from : job->offset;
		uint64_t end = extent->from + extent->length;

		if (end > job->offset + job->length)
			end = job->offset + job->length;
		if (from < end)
			cached += hl_cached_bytes(job->fd, extent->to + (from - extent->from),
						  end - from);
	}
	return cached / (double)job->length;
}

/* A slot that fails is a sample too: NOT MEASURED with its reason. */
static void run_slot(struct worker *worker, const struct hl_engine *engine,
		     const struct hl_job *job, const struct hl_meter_target *metered,
		     const char *hop, const char *note)
{
	double cached_share = cached_share_of(job);
	HL_FREE char *node = hl_printf("%s/%s", hop, job->workload.name ? job->workload.name : "");
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct outcome_request request = {
		.engine = engine,
		.job = job,
		.grace = GRACE_S,
		.metered = metered,
		.node = node,
		.watch = watch_slot,
		.context = worker,
	};
	struct hl_sample sample;
	struct hl_json_out *out;

	outcome_run(&request, graph, &sample);
	sample.engine_note = note;
	sample.cached_share = cached_share;
	out = answer_begin(worker);
	hl_sample_put(out, "sample", &sample);
	answer_end(worker, out);
}

static int serve_slot(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	struct target *target = find_target(worker, request);
	const struct hl_engine *engine;
	struct hl_meter_target metered;
	struct hl_iscsi_login login;
	struct hl_error note = { 0 };
	struct hl_job job;
	int rc;

	if (!target)
		return hl_fail(err, ENOENT, "a slot on a target that was not opened");
	rc = message_read_job(request, worker->arena, &job, err);
	if (rc == 0)
		rc = check_region(target, &job, err);
	if (rc == 0)
		rc = check_write(target, &job, err);
	if (rc == 0)
		rc = pick_file(target, &job, err);
	if (rc == 0)
		rc = pick_drives(target, &job, err);
	if (rc < 0)
		return rc;
	engine = pick_engine(request, target, &note, err);
	if (!engine)
		return -EINVAL;
	job.map = target->map;
	job.nr_map = target->nr_map;
	login = target->login;
	login.may_write = job.may_write;
	job.login = login.url ? &login : NULL;
	metered = metered_of(target);
	run_slot(worker, engine, &job, &metered, target->hop, note.code ? note.text : NULL);
	return 0;
}

/* ---- TCP ---- */

static int serve_serve(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	const char *address = hl_json_string(hl_json_get(request, "address"));
	double nr_streams = hl_json_number(hl_json_get(request, "nr_streams"));
	double seconds = hl_json_number(hl_json_get(request, "seconds"));
	struct hl_tcp_peer peer;
	struct hl_json_out *out;
	int rc;

	if (!address || !(nr_streams >= 1 && nr_streams <= 64) || !(seconds > 0 && seconds < 3600))
		return hl_fail(err, EBADMSG, "\"serve\" wants address, nr_streams and seconds");
	hl_tcp_stop(worker->server);
	worker->server = NULL;
	rc = hl_tcp_serve(address, (unsigned)nr_streams, seconds, &worker->server, &peer, err);
	if (rc < 0)
		return rc;
	out = answer_begin(worker);
	message_put_peer(out, &peer);
	answer_end(worker, out);
	return 0;
}

static int serve_tcp(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	struct hl_meter_target metered;
	struct hl_tcp_peer peer;
	struct hl_job job;
	int rc = message_read_job(request, worker->arena, &job, err);

	if (rc == 0)
		rc = message_read_peer(request, &peer, err);
	if (rc < 0)
		return rc;
	job.target = peer.address;
	job.peer = &peer;
	metered = (struct hl_meter_target){ .address = peer.address, .port = peer.port };
	run_slot(worker, hl_engine_find("tcp"), &job, &metered, "tcp", NULL);
	return 0;
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
	{ "target", serve_target }, { "slot", serve_slot },   { "serve", serve_serve },
	{ "tcp", serve_tcp },       { "route", serve_route }, { "target", serve_target },
	{ "slot", serve_slot },     { "serve", serve_serve }, { "tcp", serve_tcp },
	{ "sample", serve_sample }, { "place", serve_place }, { "map", serve_map },
	{ "load", serve_load },
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
