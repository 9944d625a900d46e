/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Both directions of what travels between coordinator and worker: see message.h. Counts are JSON
 * numbers, so at most 2^53; the coordinator makes no larger seeds.
 */
#include "message.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define EXACT_MAX 9007199254740992.0

static const struct {
	const char *key;
	size_t offset;
} counts[] = {
	{ "offset", offsetof(struct hl_job, offset) },
	{ "length", offsetof(struct hl_job, length) },
	{ "seed", offsetof(struct hl_job, seed) },
};

#define NR_COUNTS (sizeof(counts) / sizeof(*counts))

void message_put_job(struct hl_json_out *out, const struct hl_job *job)
{
	hl_json_object(out, "job");
	hl_workload_print(out, &job->workload);
	for (size_t i = 0; i < NR_COUNTS; i++)
		hl_json_put_number(
			out, counts[i].key,
			(double)*(const uint64_t *)((const char *)job + counts[i].offset));
	hl_json_put_number(out, "warmup", job->warmup);
	hl_json_put_number(out, "seconds", job->seconds);
	hl_json_put_number(out, "sync_every", job->sync_every);
	hl_json_put_number(out, "drive", job->drive);
	if (job->max_bw > 0)
		hl_json_put_number(out, "max_bw", job->max_bw);
	hl_json_put_boolean(out, "is_data_only", job->is_data_only);
	hl_json_put_boolean(out, "may_write", job->may_write);
	hl_json_close(out);
}

static int read_count(const struct hl_json *object, const char *key, double largest,
		      uint64_t *ret_count, struct hl_error *err)
{
	double number = hl_json_number(hl_json_get(object, key));

	if (!(number >= 0 && number <= largest && number == floor(number)))
		return hl_fail(err, EBADMSG, "a job without a right \"%s\"", key);
	*ret_count = (uint64_t)number;
	return 0;
}

static int read_seconds(const struct hl_json *object, const char *key, double *ret_seconds,
			struct hl_error *err)
{
	double number = hl_json_number(hl_json_get(object, key));

	if (!(number >= 0 && number <= 86400.0 * 7))
		return hl_fail(err, EBADMSG, "a job without a right \"%s\"", key);
	*ret_seconds = number;
	return 0;
}

int message_read_job(const struct hl_json *object, struct hl_arena *arena, struct hl_job *ret_job,
		     struct hl_error *err)
{
	const struct hl_json *from = hl_json_get(object, "job");
	struct hl_job job = { .fd = -1, .log_fd = -1 };
	uint64_t sync_every = 0, drive = 0;
	int rc = hl_workload_read(arena, hl_json_get(from, "workload"), &job.workload, err);

	for (size_t i = 0; rc == 0 && i < NR_COUNTS; i++)
		rc = read_count(from, counts[i].key, EXACT_MAX,
				(uint64_t *)((char *)&job + counts[i].offset), err);
	if (rc == 0)
		rc = read_seconds(from, "warmup", &job.warmup, err);
	if (rc == 0)
		rc = read_seconds(from, "seconds", &job.seconds, err);
	if (rc == 0)
		rc = read_count(from, "sync_every", 1e9, &sync_every, err);
	if (rc == 0)
		rc = read_count(from, "drive", 4096, &drive, err);
	if (rc < 0)
		return rc;
	job.drive = (unsigned)drive;
	job.max_bw = hl_json_number(hl_json_get(from, "max_bw"));
	job.sync_every = (unsigned)sync_every;
	job.is_data_only = hl_json_boolean(hl_json_get(from, "is_data_only")) == 1;
	job.may_write = hl_json_boolean(hl_json_get(from, "may_write")) == 1;
	*ret_job = job;
	return 0;
}

void message_put_peer(struct hl_json_out *out, const struct hl_tcp_peer *peer)
{
	hl_json_object(out, "peer");
	hl_json_put_string(out, "address", peer->address);
	hl_json_put_number(out, "port", peer->port);
	hl_json_put_string(out, "token", peer->token);
	hl_json_close(out);
}

int message_read_peer(const struct hl_json *object, struct hl_tcp_peer *ret_peer,
		      struct hl_error *err)
{
	const struct hl_json *from = hl_json_get(object, "peer");
	const char *address = hl_json_string(hl_json_get(from, "address"));
	const char *token = hl_json_string(hl_json_get(from, "token"));
	double port = hl_json_number(hl_json_get(from, "port"));

	if (!address || strlen(address) >= sizeof(ret_peer->address) || !token ||
	    strlen(token) != HL_TCP_TOKEN_LEN || !(port >= 1 && port <= 65535))
		return hl_fail(err, EBADMSG, "no right \"peer\"");
	*ret_peer = (struct hl_tcp_peer){ .port = (uint16_t)port };
	memcpy(ret_peer->address, address, strlen(address));
	memcpy(ret_peer->token, token, strlen(token));
	return 0;
}

void message_put_route(struct hl_json_out *out, const struct hl_route *route)
{
	hl_json_object(out, "route");
	hl_json_put_string(out, "device", route->device);
	hl_json_put_string(out, "source", route->source);
	hl_json_put_boolean(out, "is_local", route->is_local);
	hl_json_put_number(out, "mtu", route->mtu);
	hl_json_put_string(out, "qdisc", route->qdisc);
	hl_json_put_number(out, "qdisc_rate", route->qdisc_rate);
	hl_json_close(out);
}

void message_read_text(const struct hl_json *object, const char *key, char *ret_text, size_t size)
{
	const char *text = hl_json_string(hl_json_get(object, key));

	snprintf(ret_text, size, "%s", text ? text : "");
}

int message_read_route(const struct hl_json *object, struct hl_route *ret_route,
		       struct hl_error *err)
{
	const struct hl_json *from = hl_json_get(object, "route");
	struct hl_route route = {
		.is_local = hl_json_boolean(hl_json_get(from, "is_local")) == 1,
		.mtu = hl_json_number(hl_json_get(from, "mtu")),
		.qdisc_rate = hl_json_number(hl_json_get(from, "qdisc_rate")),
	};

	message_read_text(from, "device", route.device, sizeof(route.device));
	message_read_text(from, "source", route.source, sizeof(route.source));
	message_read_text(from, "qdisc", route.qdisc, sizeof(route.qdisc));
	if (!route.device[0])
		return hl_fail(err, EBADMSG, "no right \"route\"");
	*ret_route = route;
	return 0;
}

void message_put_extents(struct hl_json_out *out, const struct hl_extent *items, size_t nr)
{
	hl_json_array(out, "extents");
	for (size_t i = 0; i < nr; i++) {
		hl_json_put_number(out, NULL, (double)items[i].from);
		hl_json_put_number(out, NULL, (double)items[i].to);
		hl_json_put_number(out, NULL, (double)items[i].length);
	}
	hl_json_close(out);
}

static bool read_extent(const struct hl_json *numbers, size_t index, uint64_t least,
			struct hl_extent *extent)
{
	uint64_t *const members[] = { &extent->from, &extent->to, &extent->length };

	for (size_t i = 0; i < 3; i++) {
		double number = hl_json_number(hl_json_at(numbers, 3 * index + i));

		if (!(number >= 0 && number <= EXACT_MAX && number == floor(number)))
			return false;
		*members[i] = (uint64_t)number;
	}
	return extent->from >= least && extent->length > 0;
}

int message_read_extents(const struct hl_json *object, struct hl_arena *arena,
			 struct hl_extent **ret_items, size_t *ret_nr, struct hl_error *err)
{
	const struct hl_json *numbers = hl_json_get(object, "extents");
	size_t nr = hl_json_length(numbers) / 3;
	struct hl_extent *items;
	uint64_t end = 0;

	if (nr > HL_EXTENTS_MAX)
		return hl_fail(err, EBADMSG, "too many extents");
	items = hl_arena_alloc(arena, nr * sizeof(*items));
	for (size_t i = 0; i < nr; i++) {
		if (!read_extent(numbers, i, end, &items[i]))
			return hl_fail(err, EBADMSG, "extent %zu is not right", i);
		end = items[i].from + items[i].length;
	}
	*ret_items = items;
	*ret_nr = nr;
	return 0;
}

void message_put_error(struct hl_json_out *out, const struct hl_error *error)
{
	hl_json_object(out, "error");
	hl_json_put_number(out, "code", error->code);
	hl_json_put_string(out, "text", error->text);
	hl_json_close(out);
}

int message_read_error(const struct hl_json *object, struct hl_error *err)
{
	const struct hl_json *error = hl_json_get(object, "error");
	const char *text = hl_json_string(hl_json_get(error, "text"));
	double code = hl_json_number(hl_json_get(error, "code"));

	if (!error)
		return 0;
	return hl_fail(err, code >= 1 && code < 4096 ? (int)code : EPROTO, "%s",
		       text ? text : "an error without a text");
}
