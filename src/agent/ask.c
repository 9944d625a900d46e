/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The coordinator's questions about targets before they are measured: see hoploss/agent.h.
 */
#include "hoploss/alloc.h"
#include "link.h"
#include "message.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define LOOK_S 60.0 /* reading a few blocks, or the extents of a large file */

static int ask(struct hl_agent *agent, struct request *request, const char *doing,
	       struct hl_json **ret_answer, struct hl_error *err)
{
	int rc = request_send(agent, request, doing, err);

	return rc < 0 ? rc : await_answer(agent, LOOK_S, doing, NULL, NULL, ret_answer, err);
}

static int read_digest(const struct hl_json *block, struct hl_block_digest *digest)
{
	const char *hex = hl_json_string(block);
	size_t len = hex ? strlen(hex) : 1;

	if (len != 0 && len != HL_DIGEST_TEXT - 1)
		return -EPROTO;
	digest->is_zero = len == 0;
	memcpy(digest->hex, hex, len + 1);
	return 0;
}

int hl_agent_sample(struct hl_agent *agent, const char *hop, const uint64_t *offsets, size_t nr,
		    struct hl_block_digest *ret_digests, struct hl_error *err)
{
	struct request request;
	struct hl_json_out *out = request_begin(agent, &request, "sample");
	HL_JSON struct hl_json *answer = NULL;
	const struct hl_json *blocks;
	int rc;

	hl_json_put_string(out, "hop", hop);
	hl_json_array(out, "offsets");
	for (size_t i = 0; i < nr; i++)
		hl_json_put_number(out, NULL, (double)offsets[i]);
	hl_json_close(out);
	rc = ask(agent, &request, "sampling blocks", &answer, err);
	if (rc < 0)
		return rc;
	blocks = hl_json_get(answer, "blocks");
	for (size_t i = 0; rc == 0 && i < nr; i++)
		rc = read_digest(hl_json_at(blocks, i), &ret_digests[i]);
	return rc < 0 ? hl_fail(err, EPROTO, "%s: not all samples came back", hop) : 0;
}

int hl_agent_place(struct hl_agent *agent, const char *hop, struct hl_arena *arena,
		   struct hl_file_place *ret_place, struct hl_error *err)
{
	struct request request;
	struct hl_json_out *out = request_begin(agent, &request, "place");
	HL_JSON struct hl_json *answer = NULL;
	struct hl_file_place place = { 0 };
	double written;
	int rc;

	hl_json_put_string(out, "hop", hop);
	rc = ask(agent, &request, "asking where a file lies", &answer, err);
	if (rc == 0)
		rc = message_read_extents(answer, arena, &place.extents.items, &place.extents.nr,
					  err);
	if (rc < 0)
		return rc;
	written = hl_json_number(hl_json_get(answer, "written"));
	if (!(written >= 0))
		return hl_fail(err, EPROTO, "%s: not said how much of it is written", hop);
	place.extents.written = (uint64_t)written;
	place.start = hl_json_number(hl_json_get(answer, "start"));
	*ret_place = place;
	return 0;
}

int hl_agent_map(struct hl_agent *agent, const char *hop, const struct hl_extent *map, size_t nr,
		 struct hl_error *err)
{
	struct request request;
	struct hl_json_out *out = request_begin(agent, &request, "map");
	HL_JSON struct hl_json *answer = NULL;

	hl_json_put_string(out, "hop", hop);
	message_put_extents(out, map, nr);
	return ask(agent, &request, "mapping", &answer, err);
}

int hl_agent_load(struct hl_agent *agent, const char *hop, struct hl_agent_load *ret_load,
		  struct hl_error *err)
{
	struct request request;
	struct hl_json_out *out = request_begin(agent, &request, "load");
	HL_JSON struct hl_json *answer = NULL;
	int rc;

	hl_json_put_string(out, "hop", hop);
	rc = ask(agent, &request, "asking for others' I/O", &answer, err);
	if (rc < 0)
		return rc;
	*ret_load = (struct hl_agent_load){
		.seconds = hl_json_number(hl_json_get(answer, "seconds")),
		.iops = hl_json_number(hl_json_get(answer, "iops")),
		.busy_pct = hl_json_number(hl_json_get(answer, "busy_pct")),
		.is_blind = hl_json_boolean(hl_json_get(answer, "is_blind")) == 1,
	};
	return 0;
}

int hl_agent_logins(struct hl_agent *agent, const char *iqn, const char *initiator, unsigned port,
		    struct hl_agent_logins *ret_logins, struct hl_error *err)
{
	struct request request;
	struct hl_json_out *out = request_begin(agent, &request, "logins");
	HL_JSON struct hl_json *answer = NULL;
	struct hl_agent_logins logins = { 0 };
	const struct hl_json *flows;
	double nr;
	int rc;

	hl_json_put_string(out, "target", iqn);
	hl_json_put_string(out, "initiator", initiator);
	hl_json_put_number(out, "port", port);
	rc = ask(agent, &request, "asking who is logged in", &answer, err);
	if (rc < 0)
		return rc;
	logins.is_seen = hl_json_boolean(hl_json_get(answer, "is_seen")) == 1;
	nr = hl_json_number(hl_json_get(answer, "nr"));
	logins.nr = nr >= 0 && nr < 1e6 ? (unsigned)nr : 0;
	flows = hl_json_get(answer, "flows");
	for (size_t i = 0; i < hl_json_length(flows) && i < HL_AGENT_FLOWS; i++) {
		const char *flow = hl_json_string(hl_json_at(flows, i));

		snprintf(logins.flows[logins.nr_flows++], sizeof(logins.flows[0]), "%s",
			 flow ? flow : "");
	}
	*ret_logins = logins;
	return 0;
}
