/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss probes: what there is to read the state of a machine, and what each can read of this one.
 *
 * They are tried as in a capture, in a worker, and what they read is thrown away.
 */
#include "hoploss/agent.h"
#include "hoploss/alloc.h"
#include "hoploss/command.h"
#include "hoploss/console.h"
#include "hoploss/json.h"
#include "hoploss/probe.h"
#include "hoploss/usage.h"
#include <stdlib.h>
#include <string.h>

struct trial { /* by index in hl_probes */
	char *status, *reason;
};

static size_t nr_probes(void)
{
	size_t nr = 0;

	while (hl_probes[nr])
		nr++;
	return nr;
}

static int forget(struct hl_capture_sink *sink, const struct hl_record *record)
{
	(void)sink;
	(void)record;
	return 0;
}

static void take_status(void *context, const char *probe, const char *status, const char *reason)
{
	struct trial *trials = context;

	for (size_t i = 0; hl_probes[i]; i++) {
		if (strcmp(hl_probes[i]->name, probe) != 0 || trials[i].status)
			continue;
		trials[i].status = hl_strdup(status);
		trials[i].reason = reason ? hl_strdup(reason) : NULL;
	}
}

static int try_all(struct trial *trials, struct hl_error *err)
{
	struct hl_capture_sink sink = { .put = forget };
	const struct hl_agent_capture capture = { .sink = &sink,
						  .said = take_status,
						  .context = trials };
	struct hl_agent *agent = NULL;
	int rc = hl_agent_open("local", NULL, &agent, err);

	if (rc == 0)
		rc = hl_agent_capture(agent, &capture, err);
	hl_agent_close(agent);
	return rc;
}

static void put_json(const struct trial *trials)
{
	struct hl_json_out *out = hl_json_out_new(stdout);

	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", "hoploss.probes/1");
	hl_json_array(out, "probes");
	for (size_t i = 0; hl_probes[i]; i++) {
		hl_json_object(out, NULL);
		hl_json_put_string(out, "name", hl_probes[i]->name);
		hl_json_put_string(out, "summary", hl_probes[i]->summary);
		hl_json_put_string(out, "layer", hl_layer_name(hl_probes[i]->layer));
		hl_json_put_string(out, "status", trials[i].status);
		hl_json_put_string(out, "reason", trials[i].reason);
		hl_json_close(out);
	}
	hl_json_close(out);
	hl_json_close(out);
	hl_json_out_free(out);
}

static void print_text(const struct trial *trials)
{
	for (size_t i = 0; hl_probes[i]; i++) {
		const struct trial *trial = &trials[i];
		const char *status = trial->status ? trial->status : "failed";
		HL_FREE char *text = trial->reason
					     ? hl_printf("%s: %s (%s)", hl_probes[i]->summary,
							 status, trial->reason)
					     : hl_printf("%s: %s", hl_probes[i]->summary, status);

		hl_usage_row(stdout, hl_probes[i]->name, text);
	}
}

static enum hl_exit probes_run(const struct hl_args *args)
{
	HL_FREE struct trial *trials = hl_alloc(nr_probes() * sizeof(*trials) + 1);
	struct hl_error err;
	int rc = try_all(trials, &err);

	if (rc < 0)
		hl_console_say("%s", err.text);
	else if (hl_args_json(args))
		put_json(trials);
	else
		print_text(trials);
	for (size_t i = 0; i < nr_probes(); i++) {
		free(trials[i].status);
		free(trials[i].reason);
	}
	return rc < 0 ? HL_EXIT_UNABLE : HL_EXIT_OK;
}

static const struct hl_example examples[] = {
	{ "hoploss probes", "What can be read here, and what wants root or is not there." },
	{ 0 },
};

const struct hl_command hl_command_probes = {
	.name = "probes",
	.summary = "list the probes, and what each can read on this machine",
	.usage = "[--json]",
	.details = "Each is tried as \"hoploss capture\" would, and nothing is kept. ok: it can be "
		   "read; absent: this machine has no such layer; denied: it wants more "
		   "privilege; unsupported: this kernel or this build cannot tell; hung: no "
		   "answer within five seconds; failed: anything else.",
	.examples = examples,
	.run = probes_run,
};
