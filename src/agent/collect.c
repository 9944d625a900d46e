/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The coordinator's side of a capture: records come in line by line and go where they are stored.
 */
#include "hoploss/alloc.h"
#include "hoploss/probe.h"
#include "link.h"
#include "record_line.h"
#include <errno.h>
#include <string.h>

#define LOWER     "abcdefghijklmnopqrstuvwxyz"
#define CAPTURE_S 70.0 /* for all of it, over a slow line too: more than any probe has */

/* What cannot be stored is the error of the whole; the rest is still taken. */
static void take_record(const struct hl_agent_capture *capture, const struct hl_json *line, int *rc,
			struct hl_error *err)
{
	struct hl_arena *arena = hl_arena_new();
	struct hl_record record;
	struct hl_error why;
	int r = record_line_read(line, arena, &record, &why);

	if (r == 0) {
		r = capture->sink->put(capture->sink, &record);
		if (r < 0)
			hl_fail(&why, -r, "record %s: %s", record.path, strerror(-r));
	}
	if (r < 0 && *rc == 0)
		*rc = hl_fail(err, why.code, "%s", why.text);
	hl_arena_free(arena);
}

static void take_status(const struct hl_agent_capture *capture, const struct hl_json *status)
{
	const char *probe = hl_json_string(hl_json_get(status, "name"));
	const char *word = hl_json_string(hl_json_get(status, "status"));
	const char *reason = hl_json_string(hl_json_get(status, "reason"));
	struct hl_error clean; /* of control characters, for it will be printed */

	if (!probe || !word || !hl_probe_find(probe) || strspn(word, LOWER) != strlen(word))
		return;
	hl_fail(&clean, EIO, "%s", reason ? reason : "");
	capture->said(capture->context, probe, word, reason ? clean.text : NULL);
}

int hl_agent_capture(struct hl_agent *agent, const struct hl_agent_capture *capture,
		     struct hl_error *err)
{
	static const char doing[] = "capturing";
	struct request request;
	struct hl_json_out *out = request_begin(agent, &request, "capture");
	int rc, stored = 0;

	if (capture->seconds > 0)
		hl_json_put_number(out, "seconds", capture->seconds);
	rc = request_send(agent, &request, doing, err);
	for (bool is_over = false; rc == 0 && !is_over;) {
		HL_JSON struct hl_json *line = NULL;
		const struct hl_json *status;

		rc = await_line(agent, CAPTURE_S, doing, &line, err);
		if (rc < 0)
			break;
		status = hl_json_get(line, "probe");
		if (status)
			take_status(capture, status);
		else if (hl_json_get(line, "record"))
			take_record(capture, line, &stored, err);
		else
			is_over = true;
	}
	return rc < 0 ? rc : stored;
}
