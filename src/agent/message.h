/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What coordinator and worker say to each other, as members of JSON objects: jobs, peers, routes,
 * errors.
 */
#ifndef HOPLOSS_AGENT_MESSAGE_H
#define HOPLOSS_AGENT_MESSAGE_H

#include "hoploss/engine.h"
#include "hoploss/json.h"
#include "hoploss/route.h"
#include "hoploss/sample.h"

/* The members of a job that travel; fd, target, login and peer do not. */
void message_put_job(struct hl_json_out *out, const struct hl_job *job);
int message_read_job(const struct hl_json *object, struct hl_arena *arena, struct hl_job *ret_job,
		     struct hl_error *err);

void message_put_peer(struct hl_json_out *out, const struct hl_tcp_peer *peer);
int message_read_peer(const struct hl_json *object, struct hl_tcp_peer *ret_peer,
		      struct hl_error *err);

void message_put_route(struct hl_json_out *out, const struct hl_route *route);
int message_read_route(const struct hl_json *object, struct hl_route *ret_route,
		       struct hl_error *err);

/* A text member, cut to size; "" when there is none. */
void message_read_text(const struct hl_json *object, const char *key, char *ret_text, size_t size);

/* The member "extents": three numbers for each, from, to and length. */
void message_put_extents(struct hl_json_out *out, const struct hl_extent *items, size_t nr);
/* -EBADMSG unless they are sorted and without overlap. In the arena. */
int message_read_extents(const struct hl_json *object, struct hl_arena *arena,
			 struct hl_extent **ret_items, size_t *ret_nr, struct hl_error *err);

void message_put_error(struct hl_json_out *out, const struct hl_error *error);
/* 0 when object has no member "error", else -errno with err filled. */
int message_read_error(const struct hl_json *object, struct hl_error *err);

#endif
