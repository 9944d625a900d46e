/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hoploss help: what the commands are and take; also the man page and the shell completion, which
 * come from the same tables.
 */
#include "hoploss/args.h"
#include "hoploss/console.h"
#include "hoploss/json.h"
#include "hoploss/near.h"
#include "hoploss/usage.h"
#include <errno.h>
#include <string.h>

static void put_options(struct hl_json_out *out, const struct hl_option *options)
{
	for (const struct hl_option *o = options; o && o->name; o++) {
		hl_json_object(out, NULL);
		hl_json_put_string(out, "name", o->name);
		hl_json_put_string(out, "arg", o->arg);
		hl_json_put_string(out, "help", o->help);
		hl_json_close(out);
	}
}

static void put_command(struct hl_json_out *out, const struct hl_command *command)
{
	hl_json_object(out, NULL);
	hl_json_put_string(out, "name", command->name);
	hl_json_put_string(out, "summary", command->summary);
	hl_json_put_string(out, "usage", command->usage);
	hl_json_put_string(out, "details", command->details);
	hl_json_array(out, "options");
	put_options(out, command->options);
	put_options(out, hl_common_options);
	hl_json_close(out);
	hl_json_array(out, "examples");
	for (const struct hl_example *e = command->examples; e && e->line; e++) {
		hl_json_object(out, NULL);
		hl_json_put_string(out, "line", e->line);
		hl_json_put_string(out, "what", e->what);
		hl_json_close(out);
	}
	hl_json_close(out);
	hl_json_close(out);
}

static void put_json(const struct hl_command *only)
{
	struct hl_json_out *out = hl_json_out_new(stdout);

	hl_json_object(out, NULL);
	hl_json_put_string(out, "schema", "hoploss.help/1");
	hl_json_array(out, "commands");
	for (size_t i = 0; hl_commands[i]; i++) {
		if (!only || hl_commands[i] == only)
			put_command(out, hl_commands[i]);
	}
	hl_json_close(out);
	hl_json_close(out);
	hl_json_out_free(out);
}

static int find_topic(const char *name, const struct hl_command **ret_command, struct hl_error *err)
{
	const struct hl_command *command = hl_command_find(name);
	struct hl_near near;

	if (command) {
		*ret_command = command;
		return 0;
	}
	hl_near_start(&near, name);
	for (size_t i = 0; hl_commands[i]; i++)
		hl_near_offer(&near, hl_commands[i]->name);
	return hl_fail(err, EINVAL, "there is no command \"%s\"%s", name, hl_near_hint(&near));
}

static enum hl_exit help_run(const struct hl_args *args)
{
	const char *name = hl_args_operand(args, 0), *shell = hl_args_value(args, "completion", 0);
	const struct hl_command *command = NULL;
	struct hl_error err;

	if (name && find_topic(name, &command, &err) < 0)
		return hl_console_misuse(hl_args_command(args), &err);
	if (shell && strcmp(shell, "bash") != 0) {
		hl_fail(&err, EINVAL, "--completion %s: only bash is known", shell);
		return hl_console_misuse(hl_args_command(args), &err);
	}
	if (hl_args_json(args))
		put_json(command);
	else if (shell)
		hl_completion_bash(stdout);
	else if (hl_args_has(args, "man"))
		hl_man_write(stdout);
	else if (command)
		hl_usage_command(command, stdout);
	else
		hl_usage_overview(stdout);
	return HL_EXIT_OK;
}

static const struct hl_option options[] = {
	{ .name = "man", .help = "print the manual page, hoploss(1), as roff" },
	{ .name = "completion",
	  .arg = "SHELL",
	  .help = "print the completion file for that shell (bash)",
	  .values = "bash" },
	{ 0 },
};

static const struct hl_example examples[] = {
	{ "hoploss help diagnose", "What diagnose takes, with examples." },
	{ "hoploss help --completion bash > /etc/bash_completion.d/hoploss",
	  "Installs the completion for everybody; \"make install\" does it too." },
	{ 0 },
};

const struct hl_command hl_command_help = {
	.name = "help",
	.summary = "explain the commands",
	.usage = "[COMMAND] [--man | --completion SHELL] [--json]",
	.options = options,
	.examples = examples,
	.max_operands = 1,
	.operand_values = "COMMAND",
	.run = help_run,
};
