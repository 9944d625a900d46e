/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program: finds the command in the table, cuts up its words, runs it, and sees to it that no
 * report is lost in silence: a closed or full stdout ends in a message and exit code 3.
 */
#include "hoploss/args.h"
#include "hoploss/console.h"
#include "hoploss/near.h"
#include "hoploss/usage.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* What people type before, or in place of, a command. */
static const struct alias {
	const char *word, *command;
} aliases[] = {
	{ "--help", "help" },
	{ "-h", "help" },
	{ "--version", "version" },
	{ "-V", "version" },
};

static const struct hl_command *find_command(const char *word)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (!strcmp(aliases[i].word, word))
			return hl_command_find(aliases[i].command);
	}
	return hl_command_find(word);
}

static enum hl_exit refuse_word(const char *word)
{
	struct hl_near near;

	hl_near_start(&near, word);
	for (size_t i = 0; hl_commands[i]; i++)
		hl_near_offer(&near, hl_commands[i]->name);
	if (word[0] == '-')
		hl_console_say("options come after the command: hoploss COMMAND %s", word);
	else
		hl_console_say("there is no command \"%s\"%s", word, hl_near_hint(&near));
	fputs("\"hoploss help\" lists them.\n", stderr);
	return HL_EXIT_USAGE;
}

static enum hl_exit run_command(const struct hl_command *command, int argc, char **argv)
{
	HL_ARGS struct hl_args *args = NULL;
	struct hl_error err;

	if (hl_args_parse(command, argc, argv, &args, &err) < 0)
		return hl_console_misuse(command, &err);
	if (hl_args_has(args, "help")) {
		hl_usage_command(command, stdout);
		return HL_EXIT_OK;
	}
	return command->run(args);
}

int main(int argc, char **argv)
{
	const struct hl_command *command;

	hl_console_hold();
	signal(SIGPIPE, SIG_IGN); /* a write to a closed pipe must fail where it can be told */
	if (argc < 2) {
		hl_usage_overview(stderr);
		return HL_EXIT_USAGE;
	}
	command = find_command(argv[1]);
	if (!command)
		return refuse_word(argv[1]);
	return (int)hl_console_finish(run_command(command, argc - 2, argv + 2));
}
