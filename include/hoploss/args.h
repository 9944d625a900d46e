/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line of one call, cut up by the option table of its command.
 *
 * "--name VALUE", "--name=VALUE", a letter where the table gives one, "--" ends the options (or,
 * for a command that takes the rest, all that is read here), a lone "-" is an operand, options and
 * operands mix. No abbreviations: a script must not break when an option is added. An option given
 * twice is an error unless its row says that it may repeat.
 */
#ifndef HOPLOSS_ARGS_H
#define HOPLOSS_ARGS_H

#include "hoploss/command.h"

/* --help and --json, which every command has. Ends with a NULL name. */
extern const struct hl_option hl_common_options[];

/*
 * argv[0] is the first word after the command's name; the words must outlive ret_args.
 * -EINVAL: err says which word is wrong and what is near. Free with hl_args_free.
 */
int hl_args_parse(const struct hl_command *command, int argc, char *const *argv,
		  struct hl_args **ret_args, struct hl_error *err);
void hl_args_free(struct hl_args *args); /* NULL allowed */

__attribute__((unused)) static inline void hl_args_cleanup(struct hl_args **args)
{
	hl_args_free(*args);
}
#define HL_ARGS __attribute__((cleanup(hl_args_cleanup)))

const struct hl_command *hl_args_command(const struct hl_args *args);

/*
 * What was given, options and operands in the order of the command line. name is that of the
 * option, NULL for an operand; value is NULL for a switch. False past the end.
 */
bool hl_args_each(const struct hl_args *args, size_t index, const char **ret_name,
		  const char **ret_value);

#endif
