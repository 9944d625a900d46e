/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slots on the worker's host: which engine, file and drives a job gets, the last word on writing,
 * and what stops it early: the coordinator, and the guard of others' service.
 */
#include "guard.h"
#include "hoploss/cached.h"
#include "hoploss/gate.h"
#include "hoploss/meter.h"
#include "hoploss/ram_lun.h"
#include "message.h"
#include "outcome.h"
#include "worker.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GRACE_S     10.0 /* that a slot may be late before it is given up */
#define CALIBRATE_S 10

/* What a slot is and what is spared meanwhile. */
struct running {
	struct worker *worker;
	const struct hl_job *job;
	struct guard *guard; /* NULL = there is no device to look at */
	const struct guarded *devices;
	size_t nr_devices;
};

/*
 * A coordinator that goes away, or says anything while a slot runs, wants it to stop; so does the
 * guard.
 */
static bool watch_slot(void *context, double done, double bytes_per_s)
{
	struct running *running = context;
	struct worker *worker = running->worker;
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
	if (rc == -EAGAIN && running->guard)
		return guard_tick(running->guard, running->devices, running->nr_devices,
				  running->job);
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

/*
 * The page cache's share is of its region; what it did not have, a cache below can have answered:
 * that is a share of the reads that came there.
 */
static double with_arc_share(double page_cache, const struct hl_graph *graph)
{
	const struct hl_fact *hit_pct = hl_graph_find_fact(graph, NULL, "arc.slot_hit_pct");

	if (!hit_pct)
		return page_cache;
	return 1 - (1 - (isnan(page_cache) ? 0 : page_cache)) * (1 - hit_pct->number / 100);
}

/* A slot as it runs: what it is called and what is told of it beside the job. */
struct slot {
	const struct hl_engine *engine;
	const struct hl_meter_target *metered;
	const char *hop, *note;
};

/* A slot that fails is a sample too: NOT MEASURED with its reason. */
static void run_slot(struct running *running, const struct slot *slot)
{
	const struct hl_job *job = running->job;
	double cached_share = cached_share_of(job);
	HL_FREE char *node = hl_printf("%s/%s", slot->hop,
				       job->workload.name ? job->workload.name : "");
	HL_GRAPH struct hl_graph *graph = hl_graph_new();
	const struct outcome_request request = {
		.engine = slot->engine,
		.job = job,
		.grace = GRACE_S,
		.metered = slot->metered,
		.node = node,
		.watch = watch_slot,
		.context = running,
	};
	struct hl_sample sample;
	struct hl_json_out *out;

	outcome_run(&request, graph, &sample);
	sample.engine_note = slot->note;
	if (hl_rw_reads(job->workload.rw))
		sample.cached_share = with_arc_share(cached_share, graph);
	if (running->guard && running->guard->why[0]) {
		sample.status = HL_STATUS_NOT_MEASURED;
		sample.reason = running->guard->why;
		sample.error = EBUSY;
	}
	out = answer_begin(running->worker);
	hl_sample_put(out, "sample", &sample);
	answer_end(running->worker, out);
}

static size_t guarded_of(const struct target *target, struct guarded *devices)
{
	struct stat status;
	size_t nr = 0;

	if (target->login.url || !target->pass.is_block)
		return 0;
	if (fstat(target->pass.fd, &status) == 0)
		devices[nr++] = (struct guarded){ target->path, status.st_rdev };
	for (unsigned i = 0; i < target->nr_more; i++) {
		if (fstat(target->more[i].fd, &status) == 0)
			devices[nr++] = (struct guarded){ target->more[i].path, status.st_rdev };
	}
	return nr;
}

/* Runs a slot beside which a device is guarded: its own, or that of a hop under it. */
static int run_guarded(struct worker *worker, struct target *under, struct hl_job *job,
		       const struct slot *slot, struct hl_error *err)
{
	HL_FREE struct guarded *devices = hl_alloc((1 + under->nr_more) * sizeof(*devices));
	size_t nr = guarded_of(under, devices);
	struct hl_tally tally = { 0 };
	struct running running = {
		.worker = worker,
		.job = job,
		.guard = &under->guard,
		.devices = devices,
		.nr_devices = nr,
	};

	job->tally = nr ? &tally : NULL;
	if (!guard_begin(&under->guard, devices, nr)) {
		job->tally = NULL;
		return hl_fail(err, EBUSY, "%s", under->guard.why);
	}
	run_slot(&running, slot);
	if (nr)
		guard_end(&under->guard, devices, nr, job);
	job->tally = NULL;
	return 0;
}

static int prepare_slot(struct worker *worker, const struct hl_json *request, struct target *target,
			struct hl_job *job, struct hl_error *err)
{
	int rc = message_read_job(request, worker->arena, job, err);

	if (rc == 0)
		rc = check_region(target, job, err);
	if (rc == 0)
		rc = check_write(target, job, err);
	if (rc == 0)
		rc = pick_file(target, job, err);
	if (rc == 0)
		rc = pick_drives(target, job, err);
	if (rc < 0)
		return rc;
	job->map = target->map;
	job->nr_map = target->nr_map;
	return 0;
}

int serve_slot(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	struct target *target = find_target(worker, request, "hop");
	struct target *under = find_target(worker, request, "beside");
	const struct hl_engine *engine;
	struct hl_meter_target metered;
	struct hl_iscsi_login login;
	struct hl_error note = { 0 };
	struct slot slot;
	struct hl_job job;
	int rc;

	if (!target)
		return hl_fail(err, ENOENT, "a slot on a target that was not opened");
	rc = prepare_slot(worker, request, target, &job, err);
	if (rc < 0)
		return rc;
	engine = pick_engine(request, target, &note, err);
	if (!engine)
		return -EINVAL;
	login = target->login;
	login.may_write = job.may_write;
	job.login = login.url ? &login : NULL;
	metered = metered_of(target);
	slot = (struct slot){ engine, &metered, target->hop, note.code ? note.text : NULL };
	under = under ? under : target;
	under->guard.is_beside = under != target;
	return run_guarded(worker, under, &job, &slot, err);
}

/* ---- the engine itself ---- */

int serve_calibrate(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	struct hl_iscsi_login login = { .timeout_s = CALIBRATE_S };
	const struct hl_meter_target metered = { 0 };
	struct hl_ram_lun *lun = NULL;
	struct hl_job job;
	char url[160];
	int rc = message_read_job(request, worker->arena, &job, err);

	if (rc < 0)
		return rc;
	if (hl_rw_writes(job.workload.rw) || job.seconds + job.warmup > CALIBRATE_S)
		return hl_fail(err, EINVAL, "only short reads are calibrated");
	rc = hl_ram_lun_serve(2 * CALIBRATE_S, &lun, url, sizeof(url), err);
	if (rc < 0)
		return rc;
	login.url = url;
	job.login = &login;
	job.target = "the LUN in RAM";
	job.offset = 0;
	job.length = HL_RAM_LUN_SIZE;
	run_slot(&(struct running){ .worker = worker, .job = &job },
		 &(struct slot){ hl_engine_find("iscsi"), &metered, "engine", NULL });
	hl_ram_lun_stop(lun);
	return 0;
}

/* ---- TCP ---- */

int serve_serve(struct worker *worker, const struct hl_json *request, struct hl_error *err)
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

int serve_tcp(struct worker *worker, const struct hl_json *request, struct hl_error *err)
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
	run_slot(&(struct running){ .worker = worker, .job = &job },
		 &(struct slot){ hl_engine_find("tcp"), &metered, "tcp", NULL });
	return 0;
}
