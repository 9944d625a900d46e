/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A worker on a host of the path, and the coordinator's end of the line to it.
 *
 * The worker is "hoploss worker", started on that host by the words of `via`, or directly on this
 * machine. Both speak JSON lines over its stdin and stdout: after a greeting in which both name
 * the version, one request at a time with an id, ticks while it runs, one answer. Everything but
 * the constant command travels by stdin: no word of a path file reaches a shell or an argv there.
 * A worker that is silent past a request's deadline is given up; that costs its hops only.
 */
#ifndef HOPLOSS_AGENT_H
#define HOPLOSS_AGENT_H

#include "hoploss/digest.h"
#include "hoploss/engine.h"
#include "hoploss/error.h"
#include "hoploss/record.h"
#include "hoploss/route.h"
#include "hoploss/sample.h"
#include <stdio.h>

#define HL_AGENT_VERSION 1

struct hl_agent;

/*
 * via NULL = this program on this machine. -EPROTONOSUPPORT: the worker is of another version;
 * -EPIPE: it ended, err has its last words; -ETIMEDOUT: no greeting within 30 s.
 */
int hl_agent_open(const char *host, const char *const *via, struct hl_agent **ret_agent,
		  struct hl_error *err);

struct hl_agent_patience {
	double seconds; /* for the greeting */
	/* Called every few seconds while there is none. */
	void (*tell)(void *context, double waited_seconds);
	void *context;
};
/* The same with a time limit of its own, and somebody who is told meanwhile. */
int hl_agent_open_within(const char *host, const char *const *via,
			 const struct hl_agent_patience *patience, struct hl_agent **ret_agent,
			 struct hl_error *err);
void hl_agent_close(struct hl_agent *agent); /* NULL allowed; the worker ends with its stdin */
const char *hl_agent_hostname(const struct hl_agent *agent); /* as the worker's kernel says */
/* A random id of that host's boot: two hosts with one id are one machine. */
const char *hl_agent_machine(const struct hl_agent *agent);

struct hl_target_request {
	const char *hop;            /* the name it is known by from then on */
	const char *const *targets; /* path, file:PATH or iscsi:// URL, then NULL; several block */
				    /* devices are drives that are measured together */
	const char *initiator;      /* iSCSI; NULL = own */
	const char *chap_user, *chap_password; /* NULL = none */
	bool may_write; /* it will be written, if it was given away; several are only read */
};

/* What a target is, before anything is measured on it. */
struct hl_target_info {
	char kind[16];    /* "block", "file" or "iscsi" */
	double size;      /* bytes; of several, those of the smallest */
	double block;     /* logical block size, bytes */
	char serial[128]; /* serial number or NAA; empty = it shows none */
	bool is_direct;   /* opened with O_DIRECT, or no page cache is in the way */
	bool may_write;   /* it was given away, and nobody holds it */
	char why_not_write[240];
};

/* Opens a target on the worker's host. Errors are those of hl_gate_open and hl_iscsi_open. */
int hl_agent_target(struct hl_agent *agent, const struct hl_target_request *asked,
		    struct hl_target_info *ret_info, struct hl_error *err);

/* ---- looking at a target that was opened, before it is measured ---- */

#define HL_AGENT_BLOCK       4096 /* bytes of a block that is sampled */
#define HL_AGENT_SAMPLES_MAX 1024

struct hl_block_digest {
	bool is_zero; /* nothing but zeros */
	char hex[HL_DIGEST_TEXT];
};

/* Reads the blocks at those byte offsets, which are multiples of 512. */
int hl_agent_sample(struct hl_agent *agent, const char *hop, const uint64_t *offsets, size_t nr,
		    struct hl_block_digest *ret_digests, struct hl_error *err);

struct hl_file_place {
	struct hl_extents extents; /* in the arena; none = the file system does not say */
	double start;              /* of its file system on the whole disk, bytes; NAN = unknown */
};
/* Where a file lies. written of the extents is known for every file. */
int hl_agent_place(struct hl_agent *agent, const char *hop, struct hl_arena *arena,
		   struct hl_file_place *ret_place, struct hl_error *err);
/* From then on regions of slots on that hop are of the map's space. */
int hl_agent_map(struct hl_agent *agent, const char *hop, const struct hl_extent *map, size_t nr,
		 struct hl_error *err);

struct hl_agent_load {
	double seconds, iops, busy_pct; /* NAN where the device does not count */
	bool is_blind;                  /* for nobody counts there: iostats are off, or no sysfs */
};
/* What a block device did since the last call for it; nothing is known at the first. */
int hl_agent_load(struct hl_agent *agent, const char *hop, struct hl_agent_load *ret_load,
		  struct hl_error *err);

struct hl_slot_request {
	const char *hop;          /* a target that was opened; NULL for a TCP peer */
	const char *engine;       /* NULL = the best one for it */
	const char *beside;       /* a hop of a device under it, whose others are spared; NULL */
	const struct hl_job *job; /* needs no fd, target or login */
	hl_slot_watch *watch;     /* NULL = nobody watches */
	void *context;            /* of the watcher */
};

/*
 * Runs one slot on a target that was opened. Fills everything of the sample but round, hop and
 * start; a slot that fails is a sample with status and reason, not an error. What it points to is
 * in the graph's arena. Errors are of the line to the worker.
 */
int hl_agent_slot(struct hl_agent *agent, const struct hl_slot_request *asked,
		  struct hl_graph *graph, struct hl_sample *ret_sample, struct hl_error *err);

/*
 * A slot of the iSCSI engine against a LUN in RAM that the worker serves to itself over loopback:
 * what the engine itself can do on that host. The job's region is taken within that LUN.
 */
int hl_agent_calibrate(struct hl_agent *agent, const struct hl_slot_request *asked,
		       struct hl_graph *graph, struct hl_sample *ret_sample, struct hl_error *err);

/* Where packets to a numeric address leave that host. Errors are those of hl_route_find. */
int hl_agent_route(struct hl_agent *agent, const char *address, struct hl_route *ret_route,
		   struct hl_error *err);

#define HL_AGENT_FLOWS 64

struct hl_agent_logins {
	bool is_seen; /* the target is served on that host, and its list of sessions can be read */
	unsigned nr;  /* sessions of the initiator; at most one where the target shows no more */
	char flows[HL_AGENT_FLOWS][48]; /* peers connected to the port, as the kernel prints them */
	unsigned nr_flows;
};

/*
 * Who is logged in to a target on that host: sessions of that initiator (NULL = it is not asked
 * for), and who is connected to the portal's port.
 */
int hl_agent_logins(struct hl_agent *agent, const char *iqn, const char *initiator, unsigned port,
		    struct hl_agent_logins *ret_logins, struct hl_error *err);

/* Serves TCP streams on that host's address for so many seconds: see hoploss/tcp.h. */
int hl_agent_serve(struct hl_agent *agent, const char *address, unsigned nr_streams, double seconds,
		   struct hl_tcp_peer *ret_peer, struct hl_error *err);
/* A slot of the TCP engine against the job's peer. */
int hl_agent_tcp(struct hl_agent *agent, const struct hl_slot_request *asked,
		 struct hl_graph *graph, struct hl_sample *ret_sample, struct hl_error *err);

struct hl_watch_request {
	const char *node;    /* of the facts: "HOP/WORKLOAD" */
	double seconds;      /* at most */
	const char *address; /* numeric, of the portal that is measured; NULL */
	unsigned port;
};
/*
 * Has the meters of that host look on while a slot runs on another; returns at once. Until
 * hl_agent_watched, nothing else may be asked of that agent.
 */
int hl_agent_watch(struct hl_agent *agent, const struct hl_watch_request *asked,
		   struct hl_error *err);
/* Ends that. The sample has facts and series without a host, in the graph's arena, and no more. */
int hl_agent_watched(struct hl_agent *agent, struct hl_graph *graph, struct hl_sample *ret_sample,
		     struct hl_error *err);

/*
 * What a probe did: "ok", "absent" (no such layer there), "denied" (it wants more privilege),
 * "unsupported" (that kernel or build cannot tell), "hung" or "failed". reason may be NULL.
 */
typedef void hl_agent_said(void *context, const char *probe, const char *status,
			   const char *reason);

struct hl_agent_capture {
	struct hl_capture_sink *sink; /* where records go; names in them are the worker's */
	hl_agent_said *said;          /* once for each probe */
	void *context;
	double seconds; /* that each probe has, at most 60; 0 = the usual five */
};

/*
 * Runs all probes there. A probe that hangs costs its seconds and itself. Errors are of the
 * line to the worker, or the first of the sink's.
 */
int hl_agent_capture(struct hl_agent *agent, const struct hl_agent_capture *capture,
		     struct hl_error *err);

/* The worker itself: serves requests from in until its end. 0 or -errno. */
int hl_agent_serve_requests(int in, FILE *out, struct hl_error *err);

#endif
