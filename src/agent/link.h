/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asking a worker: shared by the files of the coordinator's end of the line.
 */
#ifndef HOPLOSS_AGENT_LINK_H
#define HOPLOSS_AGENT_LINK_H

#include "hoploss/agent.h"
#include "hoploss/json.h"

/* A request being written: everything up to its members. */
struct request {
	char *line;
	size_t len;
	FILE *file;
	struct hl_json_out *out;
};

/* Begins a request to do what; the caller adds its members to what is returned. */
struct hl_json_out *request_begin(struct hl_agent *agent, struct request *request,
				  const char *what);
/* Ends and sends it. doing is for the words of an error. */
int request_send(struct hl_agent *agent, struct request *request, const char *doing,
		 struct hl_error *err);
/*
 * The answer to it, to be freed; ticks on the way go to the watcher (NULL = none). Its member
 * "error" is an error.
 */
int await_answer(struct hl_agent *agent, double seconds, const char *doing, hl_slot_watch *watch,
		 void *context, struct hl_json **ret_answer, struct hl_error *err);
/* Tells the worker to end what it does; it answers the request that was sent before. */
int request_interrupt(struct hl_agent *agent, const char *doing, struct hl_error *err);
/* The next line that belongs to it, its answer or what comes before; to be freed. */
int await_line(struct hl_agent *agent, double seconds, const char *doing, struct hl_json **ret_line,
	       struct hl_error *err);

#endif
