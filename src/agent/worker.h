/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of the worker, shared by the files that serve requests.
 */
#ifndef HOPLOSS_AGENT_WORKER_H
#define HOPLOSS_AGENT_WORKER_H

#include "guard.h"
#include "hoploss/agent.h"
#include "hoploss/alloc.h"
#include "hoploss/blockdev.h"
#include "hoploss/gate.h"
#include "hoploss/json.h"
#include "lines.h"

struct drive {
	char *path;
	int fd;
};

struct target {
	char *hop, *path;
	struct hl_gate_pass pass;   /* fd -1 for iSCSI */
	struct hl_gate_pass cached; /* the same without O_DIRECT; fd -1 until a job wants it */
	struct drive *more;         /* that are measured together with it */
	int *more_fds;              /* theirs */
	unsigned nr_more;
	struct hl_iscsi_login login;
	char *initiator, *user, *password;
	bool may_write; /* the gate let it pass for writing */
	uint64_t size;  /* of the map's space, once there is a map */
	struct hl_extent *map;
	size_t nr_map;
	struct hl_blockdev_counters counters; /* at the last look */
	uint64_t counted_ns;                  /* when that was; 0 = never */
	char address[64];                     /* iSCSI: of the portal, numeric */
	unsigned port;
	struct guard guard; /* of others' service */
};

struct worker {
	struct lines in;
	FILE *out;
	struct hl_arena *arena; /* of the request being served */
	struct target **targets;
	size_t nr_targets;
	struct hl_tcp_server *server;
	double id;
	bool is_over; /* the input has ended, or "stop" came */
};

/* An answer to the request being served: add members in between. */
struct hl_json_out *answer_begin(const struct worker *worker);
void answer_end(const struct worker *worker, struct hl_json_out *out);
/* The target of the hop that a member of the request names, or NULL. */
struct target *find_target(const struct worker *worker, const struct hl_json *request,
			   const char *member);

void target_free(struct target *target);
int serve_target(struct worker *worker, const struct hl_json *request, struct hl_error *err);

/* Slots, and TCP streams for those of another host: src/agent/slots.c. */
int serve_slot(struct worker *worker, const struct hl_json *request, struct hl_error *err);
int serve_serve(struct worker *worker, const struct hl_json *request, struct hl_error *err);
int serve_calibrate(struct worker *worker, const struct hl_json *request, struct hl_error *err);
int serve_tcp(struct worker *worker, const struct hl_json *request, struct hl_error *err);

/* What meters see here while a slot runs elsewhere: src/agent/watch.c. */
int serve_watch(struct worker *worker, const struct hl_json *request, struct hl_error *err);

/* What probes read of this host: src/agent/acquire.c. */
int serve_capture(struct worker *worker, const struct hl_json *request, struct hl_error *err);

/* Who is logged in to a target of this host: src/agent/logins.c. */
int serve_logins(struct worker *worker, const struct hl_json *request, struct hl_error *err);

/* What a target is, before anything is measured on it: src/agent/survey.c. */
int serve_sample(struct worker *worker, const struct hl_json *request, struct hl_error *err);
int serve_place(struct worker *worker, const struct hl_json *request, struct hl_error *err);
int serve_map(struct worker *worker, const struct hl_json *request, struct hl_error *err);
int serve_load(struct worker *worker, const struct hl_json *request, struct hl_error *err);

#endif
