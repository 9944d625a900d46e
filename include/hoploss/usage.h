/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the command tables say, in words: --help, the man page and the completion all come from
 * hl_commands.
 */
#ifndef HOPLOSS_USAGE_H
#define HOPLOSS_USAGE_H

#include "hoploss/command.h"
#include <stdio.h>

struct hl_exit_status {
	enum hl_exit code;
	const char *meaning;
};

extern const struct hl_exit_status hl_exit_statuses[]; /* ends with a NULL meaning */
extern const char hl_summary[];                        /* of the program, one line */

const struct hl_command *hl_command_find(const char *name); /* or NULL */

void hl_usage_overview(FILE *out);                                  /* all commands */
void hl_usage_command(const struct hl_command *command, FILE *out); /* one in full */

void hl_usage_line(const struct hl_command *command, FILE *out); /* "usage: …" */

/* Pieces of it, for commands that list things: "left   right" filled, and filled paragraphs. */
void hl_usage_row(FILE *out, const char *left, const char *right);
void hl_usage_paragraphs(FILE *out, const char *text);

void hl_man_write(FILE *out);       /* hoploss(1) in roff, man macros */
void hl_completion_bash(FILE *out); /* to be sourced, or installed as "hoploss" */

#endif
