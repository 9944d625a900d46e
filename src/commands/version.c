/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss version: which program this is.
 */
#include "hoploss/version.h"
#include "hoploss/command.h"
#include "hoploss/json.h"

static enum hl_exit version_run(const struct hl_args *args)
{
	struct hl_json_out *out;

	if (!hl_args_json(args)) {
		printf("hoploss %s\n", HL_VERSION);
		return HL_EXIT_OK;
	}
	out = hl_json_out_new(stdout);
	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", "hoploss.version/1");
	hl_json_put_string(out, "version", HL_VERSION);
	hl_json_close(out);
	hl_json_out_free(out);
	return HL_EXIT_OK;
}

const struct hl_command hl_command_version = {
	.name = "version",
	.summary = "print the version",
	.usage = "[--json]",
	.run = version_run,
};
