/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss worker: the program on a host of the path. Started by a coordinator, not by people.
 */
#include "hoploss/agent.h"
#include "hoploss/command.h"
#include "hoploss/console.h"
#include <unistd.h>

static enum hl_exit worker_run(const struct hl_args *args)
{
	struct hl_error err;

	(void)args;
	if (hl_agent_serve_requests(STDIN_FILENO, stdout, &err) == 0)
		return HL_EXIT_OK;
	hl_console_say("%s", err.text);
	return HL_EXIT_UNABLE;
}

const struct hl_command hl_command_worker = {
	.name = "worker",
	.summary = "serve a coordinator over stdin and stdout, as hoploss itself starts it",
	.usage = "",
	.details = "Reads requests from stdin and answers them on stdout, JSON lines both, until "
		   "stdin ends. It reads block devices, files and iSCSI LUNs that it is told to, "
		   "and writes only to those that were given away, for a run with --write.",
	.run = worker_run,
};
