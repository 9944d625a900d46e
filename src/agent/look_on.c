/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The coordinator's side of watching: asked before a slot on another host, taken after it.
 */
#include "link.h"
#include <errno.h>
#include <math.h>

#define ANSWER_S 10.0

int hl_agent_watch(struct hl_agent *agent, const struct hl_watch_request *asked,
		   struct hl_error *err)
{
	struct request request;
	struct hl_json_out *out = request_begin(agent, &request, "watch");

	hl_json_put_string(out, "node", asked->node);
	hl_json_put_number(out, "seconds", asked->seconds);
	hl_json_put_string(out, "address", asked->address);
	hl_json_put_number(out, "port", asked->port ? asked->port : NAN);
	return request_send(agent, &request, "watching", err);
}

int hl_agent_watched(struct hl_agent *agent, struct hl_graph *graph, struct hl_sample *ret_sample,
		     struct hl_error *err)
{
	HL_JSON struct hl_json *answer = NULL;
	int rc = request_interrupt(agent, "watching", err);

	if (rc == 0)
		rc = await_answer(agent, ANSWER_S, "watching", NULL, NULL, &answer, err);
	if (rc == 0)
		rc = hl_sample_read(graph, hl_json_get(answer, "sample"), ret_sample, err);
	return rc;
}
