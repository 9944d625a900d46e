/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the worker says of a target before it is measured: what a few of its blocks hold, where a
 * file lies, and what others do to a disk. Reads only.
 */
#include "hoploss/digest.h"
#include "hoploss/engine.h"
#include "hoploss/machine.h"
#include "message.h"
#include "worker.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define POLL_MS 100
#define SECTOR  512 /* a file system of small blocks places files at any */

static int need_target(struct worker *worker, const struct hl_json *request,
		       struct target **ret_target, struct hl_error *err)
{
	*ret_target = find_target(worker, request, "hop");
	return *ret_target ? 0 : hl_fail(err, ENOENT, "the target was not opened");
}

/* ---- blocks ---- */

struct samples {
	uint64_t *offsets;
	size_t nr;
	char *blocks; /* page-aligned */
	size_t nr_done;
	int rc; /* of the first that failed */
};

static int read_offsets(const struct hl_json *request, const struct target *target,
			struct hl_arena *arena, struct samples *samples, struct hl_error *err)
{
	const struct hl_json *offsets = hl_json_get(request, "offsets");

	samples->nr = hl_json_length(offsets);
	if (!samples->nr || samples->nr > HL_AGENT_SAMPLES_MAX)
		return hl_fail(err, EBADMSG, "\"sample\" wants 1 to %d offsets",
			       HL_AGENT_SAMPLES_MAX);
	samples->offsets = hl_arena_alloc(arena, samples->nr * sizeof(*samples->offsets));
	for (size_t i = 0; i < samples->nr; i++) {
		double offset = hl_json_number(hl_json_at(offsets, i));

		if (!(offset >= 0 && fmod(offset, SECTOR) == 0 && offset < 0x1p53))
			return hl_fail(err, EBADMSG, "offset %zu of \"sample\" is not right", i);
		samples->offsets[i] = (uint64_t)offset;
	}
	samples->blocks = aligned_alloc(HL_AGENT_BLOCK, samples->nr * HL_AGENT_BLOCK);
	return samples->blocks ? 0 : hl_fail(err, ENOMEM, "%s: samples", target->path);
}

static int read_blocks(const struct target *target, struct samples *samples, struct hl_error *err)
{
	for (size_t i = 0; i < samples->nr; i++) {
		ssize_t len = pread(target->pass.fd, samples->blocks + i * HL_AGENT_BLOCK,
				    HL_AGENT_BLOCK, (off_t)samples->offsets[i]);

		if (len != HL_AGENT_BLOCK)
			return hl_fail(err, len < 0 ? errno : EIO, "%s: read at byte %llu: %s",
				       target->path, (unsigned long long)samples->offsets[i],
				       len < 0 ? strerror(errno) : "it ends there");
	}
	return 0;
}

static void block_came(void *context, unsigned tag, int rc)
{
	struct samples *samples = context;

	(void)tag;
	samples->nr_done++;
	if (samples->rc == 0)
		samples->rc = rc;
}

/* One after the other: a target need not take many commands at once. */
static int read_lun(const struct target *target, struct samples *samples, struct hl_error *err)
{
	struct hl_iscsi *session;
	int rc = hl_iscsi_open(&target->login, &session, err);

	if (rc < 0)
		return rc;
	hl_iscsi_on_done(session, block_came, samples);
	for (size_t i = 0; rc == 0 && i < samples->nr; i++) {
		rc = hl_iscsi_read(session, (unsigned)i, samples->offsets[i],
				   samples->blocks + i * HL_AGENT_BLOCK, HL_AGENT_BLOCK, err);
		while (rc == 0 && samples->nr_done <= i)
			rc = hl_iscsi_poll(session, POLL_MS, err);
	}
	hl_iscsi_close(session);
	if (rc == 0 && samples->rc < 0)
		return hl_fail(err, -samples->rc, "%s: reading a sample: %s", target->path,
			       strerror(-samples->rc));
	return rc;
}

static void answer_samples(const struct worker *worker, const struct samples *samples)
{
	struct hl_json_out *out = answer_begin(worker);

	hl_json_array(out, "blocks");
	for (size_t i = 0; i < samples->nr; i++) {
		const char *block = samples->blocks + i * HL_AGENT_BLOCK;
		char hex[HL_DIGEST_TEXT] = "";

		if (!hl_digest_is_zero(block, HL_AGENT_BLOCK))
			hl_digest(block, HL_AGENT_BLOCK, hex);
		hl_json_put_string(out, NULL, hex);
	}
	hl_json_close(out);
	answer_end(worker, out);
}

int serve_sample(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	struct samples samples = { 0 };
	struct target *target;
	int rc = need_target(worker, request, &target, err);

	if (rc == 0)
		rc = read_offsets(request, target, worker->arena, &samples, err);
	if (rc == 0 && target->login.url)
		rc = read_lun(target, &samples, err);
	else if (rc == 0)
		rc = read_blocks(target, &samples, err);
	if (rc == 0)
		answer_samples(worker, &samples);
	free(samples.blocks);
	return rc;
}

/* ---- places ---- */

int serve_place(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	struct hl_machine *machine;
	struct hl_extents extents;
	struct hl_json_out *out;
	struct target *target;
	struct stat status;
	int rc = need_target(worker, request, &target, err);

	if (rc < 0)
		return rc;
	if (target->login.url || target->pass.is_block || fstat(target->pass.fd, &status) < 0)
		return hl_fail(err, EINVAL, "%s is no file", target->path);
	rc = hl_extents_read(target->pass.fd, target->pass.size, worker->arena, &extents, err);
	if (rc < 0 && rc != -EOPNOTSUPP)
		return rc;
	machine = hl_machine_open("/", NULL);
	out = answer_begin(worker);
	message_put_extents(out, extents.items, extents.nr);
	hl_json_put_number(out, "written", (double)extents.written);
	hl_json_put_number(out, "start", hl_blockdev_start(machine, status.st_dev));
	answer_end(worker, out);
	hl_machine_close(machine);
	return 0;
}

static int check_map(const struct target *target, const struct hl_extent *map, size_t nr,
		     struct hl_error *err)
{
	uint64_t size = target->size, end = 0;

	for (size_t i = 0; i < nr; i++) {
		if (map[i].from != end || map[i].to > size || map[i].length > size - map[i].to)
			return hl_fail(err, ERANGE, "%s: extent %zu of the map is not on it",
				       target->path, i);
		end = map[i].from + map[i].length;
	}
	return nr ? 0 : hl_fail(err, EBADMSG, "an empty map");
}

int serve_map(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	struct target *target;
	struct hl_extent *map = NULL;
	size_t nr = 0;
	int rc = need_target(worker, request, &target, err);

	if (rc == 0 && target->map)
		rc = hl_fail(err, EALREADY, "%s has a map", target->path);
	if (rc == 0)
		rc = message_read_extents(request, worker->arena, &map, &nr, err);
	if (rc == 0 && !map)
		rc = hl_fail(err, EBADMSG, "a map without extents");
	if (rc == 0)
		rc = check_map(target, map, nr, err);
	if (rc < 0 || !map)
		return rc;
	target->map = hl_grow(NULL, nr, sizeof(*map));
	memcpy(target->map, map, nr * sizeof(*map));
	target->nr_map = nr;
	target->size = map[nr - 1].from + map[nr - 1].length;
	answer_end(worker, answer_begin(worker));
	return 0;
}

/* ---- others' I/O ---- */

static void add_counters(struct hl_machine *machine, int fd, struct hl_blockdev_counters *sum)
{
	struct hl_blockdev_counters counters = { .ios = NAN, .busy_ms = NAN, .is_off = true };
	struct stat status;

	if (fstat(fd, &status) == 0)
		hl_blockdev_count(machine, status.st_rdev, &counters);
	sum->is_off |= counters.is_off;
	sum->ios += counters.ios;
	sum->busy_ms += counters.busy_ms;
	for (int io = HL_IO_READ; io <= HL_IO_WRITE; io++) {
		sum->of[io] += counters.of[io];
		sum->ms[io] += counters.ms[io];
	}
}

/* All drives that are measured together. */
static void count_drives(struct hl_machine *machine, const struct target *target,
			 struct hl_blockdev_counters *sum)
{
	add_counters(machine, target->pass.fd, sum);
	for (unsigned i = 0; i < target->nr_more; i++)
		add_counters(machine, target->more[i].fd, sum);
}

static void answer_load(struct worker *worker, struct target *target,
			const struct hl_blockdev_counters *now)
{
	uint64_t now_ns = hl_clock_ns();
	double seconds = target->counted_ns ? (double)(now_ns - target->counted_ns) / 1e9 : NAN;
	double busy = (now->busy_ms - target->counters.busy_ms) / seconds / 10;
	double ios = now->ios - target->counters.ios;
	bool is_blind = now->is_off && !(ios > 0); /* older kernels count some all the same */
	struct hl_json_out *out = answer_begin(worker);

	hl_json_put_number(out, "seconds", seconds);
	hl_json_put_number(out, "iops", is_blind ? NAN : ios / seconds);
	hl_json_put_number(out, "busy_pct", is_blind ? NAN : fmin(busy, 100));
	hl_json_put_boolean(out, "is_blind", is_blind);
	answer_end(worker, out);
	if (target->counted_ns)
		guard_learn(&target->guard, &target->counters, now);
	target->counters = *now;
	target->counted_ns = now_ns;
}

int serve_load(struct worker *worker, const struct hl_json *request, struct hl_error *err)
{
	struct hl_blockdev_counters now = { 0 };
	struct hl_machine *machine;
	struct target *target;
	int rc = need_target(worker, request, &target, err);

	if (rc < 0)
		return rc;
	if (!target->pass.is_block)
		return hl_fail(err, ENOTBLK, "%s is no block device", target->path);
	machine = hl_machine_open("/", NULL);
	count_drives(machine, target, &now);
	hl_machine_close(machine);
	answer_load(worker, target, &now);
	return 0;
}
