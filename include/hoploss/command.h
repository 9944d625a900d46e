/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command of the program: a table row from which dispatch, --help, man page and completion come.
 */
#ifndef HOPLOSS_COMMAND_H
#define HOPLOSS_COMMAND_H

#include "hoploss/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct hl_option {
	const char *name;   /* "spec", used as --spec */
	const char *arg;    /* "NAME"; NULL = a switch */
	const char *help;   /* one line, with default and unit */
	const char *values; /* for completion: words by blanks, or "FILE", "SPEC", "SUITE"…; NULL */
	char letter;        /* 0 = none */
	bool may_repeat;    /* given twice it adds; else that is an error */
};

struct hl_example {
	const char *line; /* "hoploss diagnose fio.txt" */
	const char *what; /* what it does, one sentence */
};

struct hl_args; /* parsed options and operands of one call */

struct hl_command {
	const char *name;
	const char *summary;
	const char *usage;                 /* what follows the name */
	const char *details;               /* paragraphs for the man page and --help */
	const struct hl_example *examples; /* ends with a NULL line; NULL = none */
	int max_operands;                  /* more are an error; -1 = any number */
	bool takes_rest;                   /* words behind "--" are kept apart, as they are */
	const char *operand_values;        /* for completion, as hl_option.values; NULL */
	const struct hl_option *options;   /* ends with a NULL name; --help and --json are added */
	enum hl_exit (*run)(const struct hl_args *args);
};

extern const struct hl_command *const hl_commands[]; /* NULL-terminated, in the order of help */

/* Options in the order they were given; index counts repeated ones. NULL when not given. */
const char *hl_args_value(const struct hl_args *args, const char *name, size_t index);
bool hl_args_has(const struct hl_args *args, const char *name);
size_t hl_args_nr_operands(const struct hl_args *args);
const char *hl_args_operand(const struct hl_args *args, size_t index);
bool hl_args_json(const struct hl_args *args);
/* The words behind "--" of a command that takes_rest; *ret_nr = 0: none. */
const char *const *hl_args_rest(const struct hl_args *args, size_t *ret_nr);

#endif
